/* bodies: adds and removes bodies, and updates the data that refers to them. */
#include "world/world.h"

#include "base/maths.h"
#include "base/memory.h"
#include "kernel/motion.h"
#include "model/integrator.h"
#include "shape/shape_axes.h"
#include "state/contact_rows.h"
#include "state/pairs.h"
#include "world/internal.h"

real scree_energy_of_body(const model *m, const state *s, int32_t i, real *potential)
{
	const bodies *b = &s->body;
	vec3 l = v3(b->lx[i], b->ly[i], b->lz[i]);
	bool held = b->inv_mass[i] == 0;
	vec3 at = m->period.on ? scree_world_unwrapped(m, s, i) : body_position(b, i);
	*potential = held ? 0 : -b->mass[i] * v3_dot(m->gravity, at);
	return held ? 0 : b->mass[i] / 2 * v3_norm2(body_velocity(b, i)) + v3_dot(l, body_angular_velocity(b, i)) / 2;
}

real scree_heat_of_body(const model *m, const state *s, int32_t i)
{
	const bodies *b = &s->body;
	const real *temperature = body_temperatures(b);
	return temperature ? b->mass[i] * m->material.row[b->material[i]].capacity * temperature[i] : 0;
}

field_table scree_world_asks(const model *m)
{
	return scree_materials_conduct(&m->material) ? scree_heat_table : m->integrator->asks;
}

void scree_world_brought(const model *m, state *s, int32_t i, bool back)
{
	real potential, kinetic = scree_energy_of_body(m, s, i, &potential), all = kinetic + potential;
	const real heat = scree_heat_of_body(m, s, i);
	scree_fixed_add(&s->energy.brought, back ? -all : all);
	if (heat > 0) scree_fixed_add(&s->energy.heat_brought, back ? -heat : heat);
	s->body.energy[i] = all;
}

/* a moment of inertia, in kg m2, so large that no torque rotates the body in any run; its square is still finite */
static const real TOO_MUCH = 1e90;

bool scree_world_locked(const state *s, int32_t i) { return s->body.ix[i] >= TOO_MUCH; }

real scree_world_volume(const model *m, const shape *form, real size)
{
	real area = size * size;
	return form->volume * area * (m->flat ? m->thickness : size);
}

real scree_world_round(const model *m, const shape *form, real size)
{
	if (m->flat) return sqrt(form->volume / SCREE_PI) * size;
	return scree_exp(scree_log(scree_world_volume(m, form, size) * 3 / (4 * SCREE_PI)) / 3);
}

int32_t scree_world_image(const model *m, const state *s, int kind, int64_t slot)
{
	const pair_list *l = s->pair + kind;
	return image_met(&m->period, &s->images, l->met[slot], body_cell(&s->body, l->a[slot]),
					 body_cell(&s->body, l->b[slot]));
}

vec3 scree_world_unwrapped(const model *m, const state *s, int32_t i)
{
	return scree_periods_unwrap(&m->period, &s->images, body_position(&s->body, i), body_cell(&s->body, i));
}

void scree_world_wrap(const model *m, state *s, int32_t i)
{
	bodies *b = &s->body;
	image crossed;
	vec3 drift, p = scree_periods_wrap(&m->period, &s->images, body_position(b, i), &crossed, &drift);
	b->x[i] = p.x, b->y[i] = p.y, b->z[i] = p.z;
	b->cell_x[i] += crossed.x, b->cell_y[i] += crossed.y, b->cell_z[i] += crossed.z;
	b->vx[i] -= drift.x, b->vy[i] -= drift.y, b->vz[i] -= drift.z;
}

static void put(real *x, real *y, real *z, int32_t i, vec3 v) { x[i] = v.x, y[i] = v.y, z[i] = v.z; }

static void set_body(const model *m, state *s, int32_t i, const new_body *o)
{
	bodies *b = &s->body;
	const shape *form = m->shape.row + o->shape;
	bool held = o->flags & BODY_HELD;
	real size2 = o->size * o->size, volume = scree_world_volume(m, form, o->size);
	real density = m->material.row[o->material].density;
	quat q = shape_axes_in(form, o->orientation);
	vec3 inertia = v3_mul(density * size2 * size2 * (m->flat ? m->thickness : o->size), form->inertia);
	if (o->flags & BODY_LOCKED) inertia = v3(TOO_MUCH, TOO_MUCH, TOO_MUCH);
	vec3 l = momentum_of(q, o->angular_velocity, inertia);
	b->id[i] = s->next_id++;
	put(b->x, b->y, b->z, i, o->position);
	body_set_orientation(b, i, q);
	put(b->vx, b->vy, b->vz, i, o->velocity);
	put(b->wx, b->wy, b->wz, i, o->angular_velocity);
	put(b->lx, b->ly, b->lz, i, l);
	b->radius[i] = form->radius * o->size;
	b->size[i] = o->size;
	b->round[i] = form->type == SHAPE_SPHERE ? b->radius[i] : scree_world_round(m, form, o->size);
	b->mass[i] = density * volume;
	b->inv_mass[i] = held ? 0 : 1 / b->mass[i];
	put(b->ix, b->iy, b->iz, i, inertia);
	b->shape[i] = o->shape;
	b->material[i] = o->material;
	b->flags[i] = o->flags & BODY_HELD;
	if (body_temperatures(b)) body_temperatures(b)[i] = o->temperature > 0 ? o->temperature : m->temperature;
	if (m->period.on) scree_world_wrap(m, s, i);
}

typedef struct pose {
	vec3 position;
	quat orientation;
} pose;

void scree_world_follow(state *s, const work *w, share when)
{
	bodies *b = &s->body;
	const int32_t ghosts = b->way_by_pose ? b->count - b->owned : 0;
	pose *before = scree_alloc((size_t)ghosts, sizeof *before);
	for (int32_t k = 0; k < ghosts; ++k)
		before[k] = (pose){body_position(b, b->owned + k), body_orientation(b, b->owned + k)};
	w->domain.by->refresh(w->domain.at, s, when, w->greatest_speed < INFINITY);
	for (int32_t k = 0; k < ghosts; ++k) {
		const int32_t i = b->owned + k;
		const vec3 moved = v3_sub(body_position(b, i), before[k].position);
		const real swing = swing_of(b->radius[i], b->round[i]);
		b->way[i] += way_in_step(before[k].orientation, body_orientation(b, i), moved, swing, 1);
	}
	scree_free(before);
}

static void turn_up(bodies *b, int32_t i, vec3 by)
{
	const vec3 l = v3_add(v3(b->lx[i], b->ly[i], b->lz[i]), by);
	const vec3 spin = spin_of(body_orientation(b, i), l, v3(b->ix[i], b->iy[i], b->iz[i]));
	put(b->lx, b->ly, b->lz, i, l);
	put(b->wx, b->wy, b->wz, i, spin);
}

void scree_world_push(const model *m, state *s, int32_t i, real seconds)
{
	bodies *b = &s->body;
	real potential;
	if (b->inv_mass[i] == 0) return;
	const real before = scree_energy_of_body(m, s, i, &potential);
	const vec3 v = v3_madd(body_velocity(b, i), seconds * b->inv_mass[i], v3(b->fx[i], b->fy[i], b->fz[i]));
	put(b->vx, b->vy, b->vz, i, v);
	const vec3 torque = v3(b->tx[i], b->ty[i], b->tz[i]);
	if (v3_norm2(torque) > 0) turn_up(b, i, v3_mul(seconds, torque));
	scree_fixed_add(&s->energy.wall_work, scree_energy_of_body(m, s, i, &potential) - before);
}

void scree_world_catch_up(state *s, const work *w)
{
	if (w->ghosts_behind) scree_world_follow(s, w, SHARE_STEP);
}

bool scree_world_fails_elsewhere(work *w) { return scree_fail(&w->why, FAIL_GUARD, "%s", ""); }

int64_t scree_world_sum(const scree_world *w, int64_t here) { return scree_domain_count(&w->work.domain, here); }

int64_t scree_world_bodies(const scree_world *w) { return scree_world_sum(w, w->state.body.owned); }

real scree_world_greatest_speed(const state *s, const work *w)
{
	real most = 0;
	for (int32_t i = 0; i < s->body.owned; ++i) most = real_max(most, v3_norm2(body_velocity(&s->body, i)));
	most = sqrt(most);
	scree_domain_most(&w->domain, 1, &most);
	return most;
}

/* Removing a body does not pull its contacts apart: no force acts, and no energy is lost. */
static void end_of_removed(state *s, int kind, int64_t row, real dt)
{
	pair_list *l = s->pair + kind;
	if (l->remembers & REMEMBERS_DEEPEST) l->torn[row] = 0;
	scree_contact_end(scree_contact_counted(s, kind, row) ? &s->energy : NULL, l, row, dt);
}

/* Ends the pairs of removed bodies and renumbers the others. Slots keep their positions; a dead slot becomes an empty
 * slot of body 0 with itself, until the next search rebuilds all slots. */
static void renumber_pairs(const model *m, state *s, work *w, const int32_t *row)
{
	for (int kind = 0; kind < PAIR_KINDS; ++kind) {
		pair_list *l = s->pair + kind;
		bool on_wall = pair_on_wall(kind);
		scree_slot_cache_room(&w->pair[kind].cache, l->count);
		for (int64_t k = 0; k < l->count; ++k) {
			int32_t a = row[l->a[k]], b = on_wall ? l->b[k] : row[l->b[k]];
			bool dead = a < 0 || b < 0;
			for (int32_t r = l->row[k], end = r + slot_rows(l, k); r < end; ++r) {
				if (dead) end_of_removed(s, kind, r, m->dt);
				l->ca[r] =
					dead ? 0 : a; /* contacts may be read before the next step, and must then have current rows */
				l->cb[r] = dead ? 0 : b;
			}
			if (dead) l->row[k] = -1, w->pair[kind].cache.axis[k] = 0;
			l->a[k] = dead ? 0 : a;
			l->b[k] = dead ? 0 : b;
		}
	}
}

/* Moves ghosts up by this number of rows, to make room for owned bodies before them. */
static void move_ghosts(const model *m, state *s, work *w, int32_t by)
{
	bodies *b = &s->body;
	if (b->count == b->owned) return;
	int32_t *row = scree_alloc((size_t)b->count, sizeof *row);
	for (int32_t i = 0; i < b->count; ++i) row[i] = i < b->owned ? i : i + by;
	renumber_pairs(m, s, w, row);
	for (int32_t i = b->count; i-- > b->owned;) scree_bodies_copy(b, i + by, i);
	scree_free(row);
}

uint64_t scree_world_add(const model *m, state *s, work *w, int64_t count, const new_body *body)
{
	bodies *b = &s->body;
	uint64_t first = s->next_id;
	if (scree_materials_conduct(&m->material)) scree_bodies_ask(b, scree_heat_table);
	scree_bodies_reserve(b, (int32_t)(b->count + count));
	move_ghosts(m, s, w, (int32_t)count);
	for (int64_t k = 0; k < count; ++k) {
		int32_t i = b->owned++;
		b->count += 1;
		scree_bodies_clear(b, i, i + 1);
		set_body(m, s, i, body + k);
		if (s->begun && m->integrator->start)
			m->integrator->start(m, s, i, i + 1); /* so far, only gravity acts on the body */
		scree_world_brought(m, s, i, false);
	}
	b->epoch += 1;
	w->skin.stale = true;
	return first;
}

void scree_world_remove(const model *m, state *s, work *w, int64_t count, const int32_t *gone)
{
	bodies *b = &s->body;
	if (!count) return;
	int32_t *row = scree_alloc((size_t)b->count, sizeof *row);
	for (int64_t k = 0; k < count; ++k) {
		if (gone[k] < b->owned) scree_world_brought(m, s, gone[k], true);
		row[gone[k]] = -1;
	}
	int32_t kept = 0, owned = 0;
	for (int32_t i = 0; i < b->count; ++i) row[i] = row[i] < 0 ? -1 : kept++;
	renumber_pairs(m, s, w, row);
	for (int32_t i = 0; i < b->count; ++i) {
		if (row[i] < 0) continue;
		if (row[i] != i) scree_bodies_copy(b, row[i], i);
		owned += i < b->owned;
	}
	b->count = kept;
	b->owned = owned;
	b->epoch += 1;
	scree_free(row);
	w->skin.stale = true;
}
