/* flights: postponed steps of bodies without a contact row (work/flights.h). A postponed step requires only arithmetic
 * and no memory access, and constants of the flight are computed once. */
#include "base/parallel.h"
#include "kernel/motion.h"
#include "model/model.h"
#include "motion/moving.h"
#include "motion/stage.h"
#include "state/state.h"
#include "work/work.h"

enum { GRAIN = 1024, FEWEST_STEPS = 4 };

typedef struct job {
	const model *m;
	state *s;
	work *w;
	bool notes;
	real fastest[SCREE_MOST_THREADS]; /* (m/s)^2 */
} job;

/* Bodies in free flight with three equal moments of inertia and small rotations. */
typedef struct flock {
	int64_t count;
	int64_t of[FLIGHT_WORD]; /* rows */
	real x[FLIGHT_WORD], y[FLIGHT_WORD], z[FLIGHT_WORD], vx[FLIGHT_WORD], vy[FLIGHT_WORD], vz[FLIGHT_WORD];
	real hx[FLIGHT_WORD], hy[FLIGHT_WORD], hz[FLIGHT_WORD], ox[FLIGHT_WORD], oy[FLIGHT_WORD], oz[FLIGHT_WORD];
	real qw[FLIGHT_WORD], qx[FLIGHT_WORD], qy[FLIGHT_WORD], qz[FLIGHT_WORD];
	real dw[FLIGHT_WORD], dx[FLIGHT_WORD], dy[FLIGHT_WORD], dz[FLIGHT_WORD]; /* the rotation of a step */
} flock;

static const vec3 NONE = {0, 0, 0};

static bool is_simple(const bodies *b, int64_t i, real dt)
{
	vec3 inertia = v3(b->ix[i], b->iy[i], b->iz[i]);
	return is_round(inertia) && turns_little(v3(b->lx[i], b->ly[i], b->lz[i]), NONE, inertia.x, dt);
}

static void take(flock *o, const bodies *b, int64_t i, real dt)
{
	int64_t k = o->count++;
	quat d = turn_of_step(v3_madd(v3(b->lx[i], b->ly[i], b->lz[i]), dt / 2, NONE), 1 / b->ix[i], dt);
	o->of[k] = i;
	o->x[k] = b->x[i], o->y[k] = b->y[i], o->z[k] = b->z[i];
	o->vx[k] = b->vx[i], o->vy[k] = b->vy[i], o->vz[k] = b->vz[i];
	o->qw[k] = b->qw[i], o->qx[k] = b->qx[i], o->qy[k] = b->qy[i], o->qz[k] = b->qz[i];
	o->dw[k] = d.w, o->dx[k] = d.x, o->dy[k] = d.y, o->dz[k] = d.z;
}

/* Makes a step of a flock: drift_of, the subsequent kick, and turn_little without a torque. */
static void fly(flock *all, vec3 g, real dt)
{
	flock *const o = all;
	const int64_t count = o->count;
#pragma omp simd
	for (int64_t k = 0; k < count; ++k) {
		drifted d = drift_of(v3(o->x[k], o->y[k], o->z[k]), v3(o->vx[k], o->vy[k], o->vz[k]), g, dt);
		quat q =
			turned_by(quat_of(o->dw[k], o->dx[k], o->dy[k], o->dz[k]), quat_of(o->qw[k], o->qx[k], o->qy[k], o->qz[k]));
		o->ox[k] = o->x[k], o->oy[k] = o->y[k], o->oz[k] = o->z[k];
		o->x[k] = d.position.x, o->y[k] = d.position.y, o->z[k] = d.position.z;
		o->hx[k] = d.middle.x, o->hy[k] = d.middle.y, o->hz[k] = d.middle.z;
		o->vx[k] = d.velocity.x, o->vy[k] = d.velocity.y, o->vz[k] = d.velocity.z;
		o->qw[k] = q.w, o->qx[k] = q.x, o->qy[k] = q.y, o->qz[k] = q.z;
	}
}

static void put(const job *j, const flock *o, const bodies *b, int64_t k)
{
	const flights *f = &j->w->flight;
	const real dt = j->m->dt;
	int64_t i = o->of[k];
	b->x[i] = o->x[k], b->y[i] = o->y[k], b->z[i] = o->z[k];
	b->vx[i] = o->vx[k], b->vy[i] = o->vy[k], b->vz[i] = o->vz[k];
	b->hx[i] = o->hx[k], b->hy[i] = o->hy[k], b->hz[i] = o->hz[k];
	if (j->notes) b->ox[i] = o->ox[k], b->oy[i] = o->oy[k], b->oz[i] = o->oz[k];
	b->qw[i] = o->qw[k], b->qx[i] = o->qx[k], b->qy[i] = o->qy[k], b->qz[i] = o->qz[k];
	vec3 middle = v3_madd(v3(b->lx[i], b->ly[i], b->lz[i]), dt / 2, NONE);
	turn_kicked t = turn_kick_round(middle, NONE, b->ix[i], dt);
	b->kx[i] = middle.x, b->ky[i] = middle.y, b->kz[i] = middle.z;
	b->wx[i] = t.angular_velocity.x, b->wy[i] = t.angular_velocity.y, b->wz[i] = t.angular_velocity.z;
	real swing = swing_of(b->radius[i], b->round[i]), steps = (real)f->drifts;
	vec3 v = v3(o->vx[k], o->vy[k], o->vz[k]), inertia = v3(b->ix[i], b->iy[i], b->iz[i]);
	b->way[i] += steps * way_in_flight(v, middle, inertia, swing, v3_norm(j->m->gravity), steps, dt);
	if (f->kicks) b->lx[i] = t.momentum.x, b->ly[i] = t.momentum.y, b->lz[i] = t.momentum.z;
}

static void land_flock(job *j, flock *o, int thread)
{
	const flights *f = &j->w->flight;
	const bodies all = j->s->body, *b = &all;
	vec3 g = acceleration_of(NONE, 1, j->m->gravity);
	for (int64_t s = 0; s < f->drifts; ++s) fly(o, g, j->m->dt);
	for (int64_t k = 0; k < o->count; ++k) {
		put(j, o, b, k);
		real v2 = v3_norm2(v3(o->vx[k], o->vy[k], o->vz[k]));
		if (f->kicks == f->drifts) j->fastest[thread] = real_max(j->fastest[thread], v2);
	}
	o->count = 0;
}

/* Makes a step of any other body, in the same way as without flights. */
static void land_one(job *j, int64_t i, int thread)
{
	bodies *b = &j->s->body;
	const flights *f = &j->w->flight;
	for (int64_t steps = 1; steps <= f->drifts; ++steps) {
		if (j->notes) scree_note_places(b, i, i + 1);
		scree_verlet_drift(j->m, b, i, i + 1);
		if (steps > f->kicks) return;
		real v2 = scree_verlet_kick(j->m, b, i, i + 1);
		if (steps == f->drifts) j->fastest[thread] = real_max(j->fastest[thread], v2);
	}
}

static void land_piece(void *what, int64_t from, int64_t to, int thread)
{
	job *j = what;
	const bodies *b = &j->s->body;
	const flights *f = &j->w->flight;
	flock o = {.count = 0};
	for (int64_t i = next_that(f, true, from, to); i < to; i = next_that(f, true, i + 1, to)) {
		if (is_simple(b, i, j->m->dt))
			take(&o, b, i, j->m->dt);
		else
			land_one(j, i, thread);
		if (o.count == FLIGHT_WORD) land_flock(j, &o, thread);
	}
	land_flock(j, &o, thread);
	if (f->drifts > f->kicks) scree_pack_records(j->m, b, NULL, j->w->record, from, to); /* between drift and kick */
}

void scree_flights_land(const model *m, state *s, work *w)
{
	flights *f = &w->flight;
	if (!f->any) return;
	scree_ground_put(s, w);
	job j = {.m = m, .s = s, .w = w, .notes = scree_walls_have_sides(m)};
	if (f->drifts) scree_parallel(land_piece, &j, s->body.owned, GRAIN);
	f->any = false;
	for (int t = 0; t < SCREE_MOST_THREADS; ++t) w->greatest_speed = real_max(w->greatest_speed, sqrt(j.fastest[t]));
	greatest_note(&s->greatest.speed, w->greatest_speed); /* the kick of this step replaces this value */
}

void scree_flights_until(work *w, int64_t step)
{
	w->flight.until = step;
	w->flight.left = -1; /* bodies in free flight must be selected again */
}

static bool is_worth_it(const flights *f, int64_t step)
{
	return f->chosen && f->until - step >= FEWEST_STEPS && f->left >= FEWEST_STEPS;
}

void scree_flights_decide(const model *m, state *s, work *w, bool read)
{
	flights *f = &w->flight;
	if (read || s->step == f->until) {
		scree_flights_land(m, s, w);
	} else if (!f->any && is_worth_it(f, s->step)) {
		f->any = true;
		scree_ground_take(m, s, w);
		f->drifts = f->kicks = 0;
	}
}
