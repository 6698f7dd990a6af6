/* fluid_to_bodies: drag and buoyancy, added to the sum of contact forces, with the velocities that the laws saw. What
 * they do on the bodies goes to the ledger with the work of walls: it comes from outside. */
#include "stages.h"

#include "base/maths.h"
#include "base/parallel.h"

enum { GRAIN = 1024 };

/* Force on a sphere; slip: velocity of the fluid against it. Stokes (1851): 3 pi mu d u. Schiller and Naumann (1933):
 * that times 1 + 0.15 Re^0.687, from Re = 1000 on a drag coefficient of 0.44 (eqs. 7 and 8 of motion.md). */
static vec3 drag(const fluid *f, real diameter, vec3 slip)
{
	real stokes = 3 * SCREE_PI * f->viscosity * diameter, speed = v3_norm(slip);
	if (f->drag == DRAG_STOKES) return v3_mul(stokes, slip);
	real reynolds = f->density * speed * diameter / f->viscosity;
	if (reynolds > 1000) return v3_mul((real)0.44 * SCREE_PI / 8 * f->density * diameter * diameter * speed, slip);
	real more = reynolds > 0 ? (real)0.15 * scree_pow(reynolds, (real)0.687) : 0;
	return v3_mul(stokes * (1 + more), slip);
}

typedef struct job {
	scree_world *w;
	fixed power[SCREE_MOST_THREADS];
} job;

static void push(void *what, int64_t from, int64_t to, int thread)
{
	job *j = what;
	bodies *b = &j->w->body;
	const fluid *f = &j->w->fluid;
	for (int64_t i = from; i < to; ++i) {
		if (b->inv_mass[i] == 0) continue;
		vec3 v = body_velocity(b, (int32_t)i);
		real r = b->round[i], volume = (real)4 / 3 * SCREE_PI * r * r * r;
		vec3 force = drag(f, 2 * r, v3_sub(f->velocity, v));
		if (f->buoyancy) force = v3_madd(force, -f->density * volume, j->w->gravity);
		b->fx[i] += force.x;
		b->fy[i] += force.y;
		b->fz[i] += force.z;
		scree_fixed_add(j->power + thread, v3_dot(force, v));
	}
}

void scree_fluid_to_bodies(scree_world *w)
{
	job j = {.w = w};
	scree_parallel(push, &j, w->body.count, GRAIN);
	fixed power = {0};
	for (int t = 0; t < SCREE_MOST_THREADS; ++t) scree_fixed_join(&power, j.power[t]);
	real done = scree_fixed_value(power);
	w->energy.fluid_power = done;
	scree_fixed_add(&w->energy.wall_work, w->dt * done);
}
