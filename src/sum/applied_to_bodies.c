/* applied_to_bodies: adds external forces to the sums of contact forces. Their work enters the ledger like that of
 * walls and fluids, with the velocities that the laws used. */
#include "sum/stage.h"

#include "base/memory.h"
#include "base/parallel.h"

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

void scree_applied_to_bodies(const model *m, state *s, work *w, real time)
{
	applied *o = &w->applied;
	job j = {.b = &s->body, .force = o->force};
	make_room(o, s->body.owned);
	m->applied(s, time, o->force, m->applied_context);
	scree_parallel(push, &j, s->body.owned, GRAIN);
	fixed power = {0};
	for (int t = 0; t < SCREE_MOST_THREADS; ++t) scree_fixed_join(&power, j.power[t]);
	w->domain.by->add(w->domain.at, 1, &power);
	o->power = scree_fixed_value(power);
	s->energy.fluid_power += o->power;
	if (w->domain.first) scree_fixed_add(&s->energy.wall_work, m->dt * o->power);
}
