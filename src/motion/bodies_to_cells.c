/* bodies_to_cells: in periodic worlds, bodies that the drift moved out of the cell re-enter on the opposite side, with
 * a new count of crossed periods. Bodies re-enter in every step, so that a body's cell depends only on the state.
 *
 * A body that crosses the gradient boundary of a sheared world, or a border of a cell of variable size, re-enters with
 * the velocity of another image; the change in kinetic energy is work done by the boundary. The motion of images is
 * included in the displacement of partners. */
#include "motion/stage.h"

#include "base/parallel.h"
#include "model/model.h"
#include "motion/moving.h"
#include "state/state.h"
#include "work/work.h"

enum { GRAIN = 4096 };

typedef struct job {
	const model *m;
	state *s;
	work *w;
	real slip; /* half of the displacement, in this step, of an image across the boundary, relative to the cell, in m */
	fixed made[SCREE_MOST_THREADS];
	real beyond[SCREE_MOST_THREADS]; /* as in broad_skin, in m */
} job;

/* r: its record */
static void put_back(const model *m, const state *s, bodies *b, int32_t i, body_record *r, fixed *made)
{
	image crossed;
	vec3 drift, p = scree_periods_wrap(&m->period, &s->images, body_position(b, i), &crossed, &drift);
	b->ox[i] += p.x - b->x[i], b->oy[i] += p.y - b->y[i], b->oz[i] += p.z - b->z[i];
	b->x[i] = p.x, b->y[i] = p.y, b->z[i] = p.z;
	b->cell_x[i] = (int32_t)((uint32_t)b->cell_x[i] + (uint32_t)crossed.x);
	b->cell_y[i] = (int32_t)((uint32_t)b->cell_y[i] + (uint32_t)crossed.y);
	b->cell_z[i] = (int32_t)((uint32_t)b->cell_z[i] + (uint32_t)crossed.z);
	r->position = p;
	if (!periods_flow_any(&m->period)) return;
	const vec3 middle = m->period.deforms ? image_drift(crossed, s->images.middle) : drift;
	/* an explicit step continues with a kick at the new position; impulses use the velocity at the full step */
	vec3 has = m->solver ? body_velocity(b, i) : v3(b->hx[i], b->hy[i], b->hz[i]);
	if (b->inv_mass[i] > 0) scree_fixed_add(made, kinetic_more(b->mass[i], has, middle));
	b->hx[i] -= middle.x, b->hy[i] -= middle.y, b->hz[i] -= middle.z;
	/* in a cell of variable size, without the cell's kick, which predict adds at the new position */
	b->vx[i] -= middle.x, b->vy[i] -= middle.y, b->vz[i] -= middle.z;
	r->velocity = body_velocity(b, i);
}

/* The velocity predicted for the end of the step includes the second half of the homogeneous kick. */
static void predict(const model *m, const state *s, bodies *b, int64_t i, body_record *r)
{
	const images *now = &s->images;
	const vec3 at = v3_sub(body_position(b, (int32_t)i), periods_centre(&m->period)), a = now->speeding, l = now->size;
	if (!(b->inv_mass[i] > 0)) return;
	b->vx[i] += m->dt / 2 * (a.x / l.x * at.x);
	b->vy[i] += m->dt / 2 * (a.y / l.y * at.y);
	b->vz[i] += m->dt / 2 * (a.z / l.z * at.z);
	r->velocity = body_velocity(b, (int32_t)i);
}

static void put_back_piece(void *what, int64_t from, int64_t to, int thread)
{
	job *j = what;
	const model *m = j->m;
	state *s = j->s;
	work *w = j->w;
	const flights *f = &w->flight; /* bodies in free flight remain in their cells */
	bodies *b = f->any ? &w->flight.ground : &s->body;
	for (int64_t i = from; i < to; ++i) {
		body_record *r = w->record + (f->any ? f->of[i] : i);
		if (!cell_holds_point(&m->period, &s->images, body_position(b, (int32_t)i))) {
			put_back(m, s, b, (int32_t)i, r, j->made + thread);
			if (f->any) {
				scree_ground_show_poses(s, f, true, i, i + 1);
				scree_ground_show_cell(s, f, i);
			}
		}
		if (m->period.deforms) predict(m, s, b, i, r);
		r->cell = body_cell(b, (int32_t)i);
		b->way[i] += j->slip;
		j->beyond[thread] = real_max(j->beyond[thread], b->way[i] - b->inner[i]);
	}
}

void scree_bodies_to_cells(const model *m, state *s, work *w)
{
	const bool deforms = m->period.deforms;
	if (deforms) scree_periods_grow(&m->period, &s->images, m->dt);
	scree_periods_set(&m->period, &s->images, s->step + 1 - s->step_from, m->dt);
	const real slip = deforms ? v3_norm(s->images.middle) / 2 : periods_slip(&m->period, &s->images);
	job j = {.m = m, .s = s, .w = w, .slip = m->dt * slip};
	w->drift_way += j.slip;
	for (int t = 0; t < SCREE_MOST_THREADS; ++t) j.beyond[t] = -INFINITY;
	scree_parallel(put_back_piece, &j, w->flight.any ? w->flight.ground.owned : s->body.owned, GRAIN);
	for (int t = 0; t < SCREE_MOST_THREADS; ++t) {
		scree_fixed_join(&s->energy.wall_work, j.made[t]);
		w->skin.beyond = real_max(w->skin.beyond, j.beyond[t]);
	}
}
