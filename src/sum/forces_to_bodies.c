/* forces_to_bodies: sums the rows of all threads to obtain forces and torques of bodies and loads of moving walls. The
 * sums are integers, so their order has no effect (docs/theory/sums.md). The rows are then set to zero. */
#include "sum/stage.h"

#include "base/lanes.h"
#include "base/parallel.h"
#include "model/model.h"
#include "state/state.h"
#include "work/work.h"

#include <stdatomic.h>
#include <string.h>

enum { GRAIN = 1024 };
_Static_assert(GRAIN % SUMS_BLOCK == 0, "a piece holds whole blocks");

typedef struct job {
	state *s;
	work *w;
	atomic_bool overflow;
} job;

/* Limit on sums of absolute values, above which other sums may overflow; even an overflowed sum exceeds the limit. */
static const uint64_t TOO_MUCH = UINT64_C(1) << 46;

/* Returns a block's sums over all threads, in `to` or in the rows of the only thread with sums; NULL for no sums. */
static const body_sum *join_block(work *w, int64_t block, int64_t count, body_sum *to)
{
	const body_sum *only = NULL;
	int threads = 0;
	for (int t = 0; t < w->threads; ++t) {
		const sum_rows *r = &w->thread[t].rows;
		if (r->touched[block]) threads += 1, only = r->body + block * SUMS_BLOCK;
	}
	if (threads < 2) return only;
	memset(to, 0, (size_t)count * sizeof *to);
	for (int t = 0; t < w->threads; ++t) {
		const sum_rows *r = &w->thread[t].rows;
		if (!r->touched[block]) continue;
		uint64_t *sum = (uint64_t *)to;
		const uint64_t *from = (const uint64_t *)(r->body + block * SUMS_BLOCK);
		for (int64_t k = 0; k < 8 * count; ++k) sum[k] += from[k];
	}
	return to;
}

static void empty_block(work *w, int64_t block, int64_t count)
{
	for (int t = 0; t < w->threads; ++t) {
		sum_rows *r = &w->thread[t].rows;
		if (r->touched[block]) memset(r->body + block * SUMS_BLOCK, 0, (size_t)count * sizeof *r->body);
		r->touched[block] = 0;
	}
}

#ifdef SCREE_LANES
/* Sets forces and torques of bodies i .. i+7. */
static void set_eight(const bodies *b, int64_t i, const body_sum *from, real force, real torque)
{
	lanes q[8];
	for (int k = 0; k < 8; ++k) q[k] = *(const lanes *)(from + k);
	lanes_transpose(q);
	real *const to[6] = {b->fx, b->fy, b->fz, b->tx, b->ty, b->tz};
	for (int c = 0; c < 6; ++c) *(lanes_real_anywhere *)(to[c] + i) = (c < 3 ? force : torque) * lanes_reals(q[c]);
}
#endif

static void set_one(const bodies *b, int64_t i, const body_sum *from, real force, real torque)
{
	b->fx[i] = force * (real)from->force[0];
	b->fy[i] = force * (real)from->force[1];
	b->fz[i] = force * (real)from->force[2];
	b->tx[i] = torque * (real)from->torque[0];
	b->ty[i] = torque * (real)from->torque[1];
	b->tz[i] = torque * (real)from->torque[2];
}

static void set_block(state *s, work *w, int64_t first, int64_t count, const body_sum *from)
{
	const bodies *b = &s->body;
	const real f = w->sums.force_quantum, t = w->sums.torque_quantum;
	int64_t k = 0;
#ifdef SCREE_LANES
	for (; k + SCREE_LANES <= count; k += SCREE_LANES) set_eight(b, first + k, from + k, f, t);
#endif
	for (; k < count; ++k) set_one(b, first + k, from + k, f, t);
}

static void set_zero(const bodies *b, int64_t first, int64_t count)
{
	real *const to[6] = {b->fx, b->fy, b->fz, b->tx, b->ty, b->tz};
	for (int c = 0; c < 6; ++c) memset(to[c] + first, 0, (size_t)count * sizeof *to[c]);
}

static void set_forces(state *s, work *w, int64_t first, int64_t count, const body_sum *from)
{
	if (count > s->body.owned - first)
		count = s->body.owned - first; /* only part of the force on ghosts is known in this part of the world */
	if (from)
		set_block(s, w, first, count, from);
	else if (count > 0)
		set_zero(&s->body, first, count);
}

static bool in_range(const body_sum *s, int64_t count)
{
	uint64_t most = 0;
	for (int64_t k = 0; k < count; ++k) most |= (uint64_t)s[k].forces | (uint64_t)s[k].torques;
	return most < TOO_MUCH;
}

/* Sums row i over all threads and sets it to zero. */
static body_sum take_row(work *w, int64_t i)
{
	body_sum all = {0};
	for (int t = 0; t < w->threads; ++t) {
		const sum_rows *r = &w->thread[t].rows;
		if (!r->touched[i / SUMS_BLOCK]) continue;
		uint64_t *sum = (uint64_t *)&all, *from = (uint64_t *)(r->body + i);
		for (int k = 0; k < 8; ++k) sum[k] += from[k], from[k] = 0;
	}
	return all;
}

/* Sums forces of bodies that are not in free flight; the others have no contacts. */
static bool sum_grounded(work *w, int64_t from, int64_t to)
{
	const flights *f = &w->flight;
	bool held = true;
	int64_t k = ground_of(f, from);
	for (int64_t i = next_that(f, false, from, to); i < to; i = next_that(f, false, i + 1, to)) {
		body_sum sum = take_row(w, i);
		set_one(&f->ground, k++, &sum, w->sums.force_quantum, w->sums.torque_quantum);
		held &= in_range(&sum, 1);
	}
	for (int t = 0; t < w->threads; ++t)
		memset(w->thread[t].rows.touched + from / SUMS_BLOCK, 0, (size_t)((to - from + SUMS_BLOCK - 1) / SUMS_BLOCK));
	return held;
}

static bool sum_all(state *s, work *w, int64_t from, int64_t to)
{
	_Alignas(64) body_sum room[SUMS_BLOCK];
	bool held = true;
	for (int64_t first = from; first < to; first += SUMS_BLOCK) {
		int64_t count = to - first < SUMS_BLOCK ? to - first : SUMS_BLOCK;
		const body_sum *sum = join_block(w, first / SUMS_BLOCK, count, room);
		set_forces(s, w, first, count, sum);
		if (!sum) continue;
		held &= in_range(sum, count);
		empty_block(w, first / SUMS_BLOCK, count);
	}
	return held;
}

/* Sums the rows of all threads for a wide body, which does not fly. */
static void join_wide(const state *s, work *w, int64_t i)
{
	const flights *f = &w->flight;
	const bodies *b = f->any ? &f->ground : &s->body;
	wide_sum all = {0};
	for (int t = 0; t < w->threads; ++t) {
		wide_sum *wide = w->thread[t].rows.wide + w->sums.wide[i];
		for (int c = 0; c < 3; ++c) scree_fixed_join(all.force + c, wide->force[c]);
		for (int c = 0; c < 3; ++c) scree_fixed_join(all.torque + c, wide->torque[c]);
		*wide = (wide_sum){0};
	}
	if (i >= s->body.owned) return;
	const int64_t k = f->any ? ground_of(f, i) : i;
	const vec3 force = fixed_vector(all.force), torque = fixed_vector(all.torque);
	b->fx[k] = force.x, b->fy[k] = force.y, b->fz[k] = force.z;
	b->tx[k] = torque.x, b->ty[k] = torque.y, b->tz[k] = torque.z;
}

static void join_rows(void *what, int64_t from, int64_t to, SCREE_UNUSED int thread)
{
	job *j = what;
	state *s = j->s;
	work *w = j->w;
	if (!(w->flight.any ? sum_grounded(w, from, to) : sum_all(s, w, from, to))) atomic_store(&j->overflow, true);
	for (int64_t i = from; w->sums.wide && i < to; ++i)
		if (w->sums.wide[i] >= 0 && !(w->flight.any && body_flies(&w->flight, i))) join_wide(s, w, i);
}

/* Computes loads on moving walls in this part of the world. */
static void forces_to_walls(const model *m, work *w)
{
	bool any = false;
	for (int32_t k = 0; k < m->wall.count; ++k) {
		if (m->wall.row[k].motion.type == MOTION_STILL) continue;
		fixed *all = w->load + (size_t)k * WALL_SUMS;
		memset(all, 0, WALL_SUMS * sizeof *all);
		for (int t = 0; t < w->threads; ++t) {
			wall_sum *sum = w->thread[t].rows.wall + k;
			for (int c = 0; c < 3; ++c) scree_fixed_join(all + WALL_FORCE + c, sum->force[c]);
			for (int c = 0; c < 3; ++c) scree_fixed_join(all + WALL_TORQUE + c, sum->torque[c]);
			all[WALL_CONTACTS].quanta += sum->contacts;
			*sum = (wall_sum){0};
		}
		any = true;
	}
	if (any) scree_domain_put_sum(&w->domain, WALL_SUMS * m->wall.count, w->load);
}

/* Returns the power of external actions on a free wall, plus the wall's power on bodies, taken from its own energy. */
static real power_from_outside(const wall *w, const wall_state *o, real time)
{
	const servo_rule *r = &w->motion.servo;
	const real load = scree_wall_driven_load(w, o), v = o->servo.speed;
	return (scree_servo_force(&w->motion, time) - load - r->damper * v) * v;
}

/* Adds the work of moving walls or images on the bodies, each time for a full step; the ledger subtracts the half step
 * ahead. A contact's forces also do work through the velocity of b's image. Cells whose images move have no walls. */
static void count_power(const model *m, state *s, const work *w, real power)
{
	s->energy.wall_power = power;
	if (w->domain.first) scree_fixed_add(&s->energy.wall_work, m->dt * power);
}

static void loads_and_work(const model *m, state *s, work *w)
{
	real power = 0;
	bool any = false;
	for (int32_t k = 0; k < m->wall.count; ++k) {
		const fixed *all = w->load + (size_t)k * WALL_SUMS;
		wall_state *o = s->wall + k;
		if (m->wall.row[k].motion.type == MOTION_STILL) continue;
		any = true;
		o->force = fixed_vector(all + WALL_FORCE);
		o->torque = fixed_vector(all + WALL_TORQUE);
		o->servo.contacts = (int64_t)all[WALL_CONTACTS].quanta;
		power -= v3_dot(o->force, o->velocity) + v3_dot(o->torque, o->angular_velocity);
		if (motion_is_free(m->wall.row[k].motion.type))
			power += power_from_outside(m->wall.row + k, o, s->time + m->dt);
	}
	if (any) count_power(m, s, w, power);
}

void scree_wall_loads_use(const model *m, state *s, work *w)
{
	loads_and_work(m, s, w);
	if (periods_flow_any(&m->period)) count_power(m, s, w, w->images_power);
}

void scree_loads_to_walls(const model *m, SCREE_UNUSED state *s, work *w)
{
	forces_to_walls(m, w);
	scree_after_join(w, scree_wall_loads_use);
}

static void use_overflow(SCREE_UNUSED const model *m, SCREE_UNUSED state *s, work *w)
{
	if (w->joint.overflow > 0) w->unbearable = true;
}

void scree_forces_to_bodies(const model *m, state *s, work *w)
{
	job j = {.s = s, .w = w};
	scree_parallel(join_rows, &j, s->body.count, GRAIN);
	w->joint.overflow = atomic_load(&j.overflow);
	scree_domain_put_flag(&w->domain, &w->joint.overflow);
	scree_after_join(w, use_overflow);
	scree_loads_to_walls(m, s, w);
}
