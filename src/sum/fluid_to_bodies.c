/* fluid_to_bodies: adds drag and buoyancy to the sums of contact forces, with the velocities that the laws used. The
 * work of the fluid on the bodies enters the ledger together with the work of walls, as external work. */
#include "sum/stage.h"

#include "base/parallel.h"
#include "model/model.h"
#include "state/state.h"
#include "work/work.h"

enum { GRAIN = 1024 };

typedef struct job {
	const model *m;
	state *s;
	fixed power[SCREE_MOST_THREADS];
	real stiffest[SCREE_MOST_THREADS];
} job;

static void push(void *what, int64_t from, int64_t to, int thread)
{
	job *j = what;
	bodies *b = &j->s->body;
	const fluid *f = &j->m->fluid;
	for (int64_t i = from; i < to; ++i) {
		if (b->inv_mass[i] == 0) continue;
		vec3 v = body_velocity(b, (int32_t)i), slip = v3_sub(f->velocity, v);
		real r = b->round[i], volume = (real)4 / 3 * SCREE_PI * r * r * r;
		drag_rate drag = drag_rate_of(f, 2 * r, v3_norm(slip));
		vec3 force = v3_mul(drag.force, slip);
		if (f->buoyancy) force = v3_madd(force, -f->density * volume, j->m->gravity);
		b->fx[i] += force.x;
		b->fy[i] += force.y;
		b->fz[i] += force.z;
		scree_fixed_add(j->power + thread, v3_dot(force, v));
		j->stiffest[thread] = real_max(j->stiffest[thread], drag.slope * b->inv_mass[i]);
	}
}

static void use_power(const model *m, state *s, work *w)
{
	real done = scree_fixed_value(w->joint.fluid);
	s->energy.fluid_power = done;
	if (w->domain.first) scree_fixed_add(&s->energy.wall_work, m->dt * done);
}

void scree_fluid_to_bodies(const model *m, state *s, work *w)
{
	job j = {.m = m, .s = s};
	scree_parallel(push, &j, s->body.owned, GRAIN);
	fixed *power = &w->joint.fluid;
	*power = (fixed){0};
	w->stiffest_drag = 0;
	for (int t = 0; t < SCREE_MOST_THREADS; ++t) {
		scree_fixed_join(power, j.power[t]);
		w->stiffest_drag = real_max(w->stiffest_drag, j.stiffest[t]);
	}
	scree_domain_put_sum(&w->domain, 1, power);
	scree_domain_put_most(&w->domain, 1, &w->stiffest_drag);
	if (!m->implicit) scree_after_join(w, use_power);
}
