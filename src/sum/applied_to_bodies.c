/* applied_to_bodies: adds external forces to the sums of contact forces. The work of external forces enters the ledger
 * like the work of walls and fluids, with the velocities that the laws used. */
#include "sum/stage.h"

#include "base/memory.h"
#include "base/parallel.h"
#include "base/sort.h"
#include "model/model.h"
#include "state/state.h"
#include "work/work.h"

#include <string.h>

enum { GRAIN = 1024 };

typedef struct job {
	bodies *b;
	real *const *force;
	fixed power[SCREE_MOST_THREADS];
} job;

static void push(void *what, int64_t from, int64_t to, int thread)
{
	job *j = what;
	bodies *b = j->b;
	real *const sum[6] = {b->fx, b->fy, b->fz, b->tx, b->ty, b->tz};
	real *const *f = j->force;
	for (int64_t i = from; i < to; ++i) {
		for (int c = 0; c < 6; ++c) sum[c][i] += f[c][i];
		if (b->inv_mass[i] == 0) continue;
		const vec3 force = v3(f[0][i], f[1][i], f[2][i]), torque = v3(f[3][i], f[4][i], f[5][i]);
		scree_fixed_add(j->power + thread, v3_dot(force, body_velocity(b, (int32_t)i)) +
											   v3_dot(torque, body_angular_velocity(b, (int32_t)i)));
	}
}

static void make_room(applied *o, int32_t count)
{
	if (o->room < count) {
		o->room = count + count / 2;
		for (int c = 0; c < 6; ++c) {
			scree_free(o->force[c]);
			o->force[c] = scree_alloc((size_t)o->room, sizeof *o->force[c]);
		}
	}
	for (int c = 0; c < 6 && count; ++c) memset(o->force[c], 0, (size_t)count * sizeof *o->force[c]);
}

/* ------------------------------------------------------------------ forces on copies */

/* Force on a copy of a body in this part of the world. */
typedef struct part_of_force {
	uint64_t body;
	real force[6];
} part_of_force;

/* Compares by body. A body's forces are sorted in an order that does not depend on the parts that computed them. */
static int by_body(const void *a, const void *b)
{
	const part_of_force *x = a, *y = b;
	if (x->body != y->body) return x->body < y->body ? -1 : 1;
	for (int c = 0; c < 6; ++c)
		if (x->force[c] != y->force[c]) return x->force[c] < y->force[c] ? -1 : 1;
	return 0;
}

static bool is_zero(const real force[6])
{
	for (int c = 0; c < 6; ++c)
		if (force[c] != 0) return false;
	return true;
}

/* Adds forces that other parts found to the forces on owned bodies. */
static void add_parts(const bodies *b, const domain *d, applied *o, int64_t count, part_of_force *came)
{
	int64_t next = 0;
	if (!count) return;
	int32_t *order = scree_bodies_by_id(b);
	scree_sort_by(came, count, sizeof *came, by_body);
	for (int32_t k = 0; k < b->owned; ++k)
		for (; next < count && came[next].body == b->id[order[k]]; ++next)
			for (int c = 0; c < 6; ++c) o->force[c][order[k]] += came[next].force[c];
	scree_domain_need(d, next == count, "records", "a force acts on a body that this rank does not own");
	scree_free(order);
}

/* Sends forces on ghosts to the ghosts' owners. */
static void deliver(const bodies *b, const domain *d, applied *o)
{
	int64_t count = 0;
	const int32_t ghosts = b->count - b->owned;
	part_of_force *out = scree_alloc((size_t)ghosts, sizeof *out);
	int32_t *to = scree_alloc((size_t)ghosts, sizeof *to);
	for (int32_t i = b->owned; i < b->count; ++i) {
		part_of_force f = {.body = b->id[i]};
		for (int c = 0; c < 6; ++c) f.force[c] = o->force[c][i];
		if (is_zero(f.force)) continue;
		to[count] = i;
		out[count++] = f;
	}
	const domain_records send = {.count = count, .size = sizeof *out, .row = to, .record = out};
	part_of_force *in = d->by->deliver(d->at, &send, &count);
	add_parts(b, d, o, count, in);
	SCREE_FREE_ALL(in, out, to);
}

void scree_applied_find(const model *m, const state *s, work *w, real time)
{
	applied *o = &w->applied;
	make_room(o, s->body.count);
	m->applied(s, time, o->force, m->applied_context);
	if (w->domain.by->deliver) deliver(&s->body, &w->domain, o);
}

static void use_power(const model *m, state *s, work *w)
{
	applied *o = &w->applied;
	o->power = scree_fixed_value(w->joint.applied);
	s->energy.fluid_power += o->power;
	if (w->domain.first) scree_fixed_add(&s->energy.wall_work, m->dt * o->power);
}

void scree_applied_to_bodies(const model *m, state *s, work *w, real time)
{
	applied *o = &w->applied;
	job j = {.b = &s->body, .force = o->force};
	scree_applied_find(m, s, w, time);
	scree_parallel(push, &j, s->body.owned, GRAIN);
	w->joint.applied = (fixed){0};
	for (int t = 0; t < SCREE_MOST_THREADS; ++t) scree_fixed_join(&w->joint.applied, j.power[t]);
	scree_domain_put_sum(&w->domain, 1, &w->joint.applied);
	if (!m->implicit) scree_after_join(w, use_power);
}

static void use_outer_work(const model *m, state *s, work *w)
{
	const fixed *sum = w->joint.outer;
	s->energy.fluid_power = scree_fixed_value(sum[OUTER_AFTER]);
	s->energy.method_now = scree_fixed_value(sum[OUTER_SWINGS]);
	if (w->domain.first && w->applied.steps)
		scree_fixed_add(&s->energy.wall_work, m->dt * scree_fixed_value(sum[OUTER_POWER]));
}

void scree_outer_work(work *w) { scree_after_join(w, use_outer_work); }

void scree_outer_work_begin(const model *m, state *s, const work *w)
{
	if (!w->domain.first) return;
	scree_fixed_add(&s->energy.wall_work, m->dt / 2 * s->energy.fluid_power);
	scree_fixed_add(&s->energy.lost_method, s->energy.method_now);
}
