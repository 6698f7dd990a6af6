/* integrator: the rotation of seed 001 (Govender, Wilke, Kok and Els 2014), so that its figures can be repeated:
 * angular velocity by forward Euler in the world frame without the gyroscopic term (eq. 12), orientation by a
 * quaternion (eqs. 13-15), as it is meant and as it is printed. */
#include "motion/integrator.h"

#include "kernel/rotation.h"

#include <string.h>

SCREE_FN quat turn_of(const bodies *b, int64_t i) { return quat_of(b->qw[i], b->qx[i], b->qy[i], b->qz[i]); }

static void set_turn(bodies *b, int64_t i, quat q)
{
	b->qw[i] = q.w;
	b->qx[i] = q.x;
	b->qy[i] = q.y;
	b->qz[i] = q.z;
}

/* the half angle, from the left: the angular velocity is one of the world's axes */
static void seed_drift(bodies *b, int64_t i, real dt)
{
	set_turn(b, i, quat_unit(quat_mul(quat_exp(body_spin(b, (int32_t)i), dt), turn_of(b, i))));
}

/* Eqs. 14 and 15 to the letter have no time step at all; with it, the angle is twice what it should be. The product's
 * order is the printed one, too: right for angular velocities of the body's axes. */
static void printed_drift(bodies *b, int64_t i, real dt)
{
	set_turn(b, i, quat_unit(quat_mul(turn_of(b, i), quat_exp(body_spin(b, (int32_t)i), 2 * dt))));
}

static void seed_kick(bodies *b, int64_t i, real dt)
{
	if (b->flags[i] & BODY_HELD) return;
	vec3 inertia = v3(b->ix[i], b->iy[i], b->iz[i]);
	quat q = turn_of(b, i);
	vec3 w = v3_madd(body_spin(b, (int32_t)i), dt, spin_of(q, v3(b->tx[i], b->ty[i], b->tz[i]), inertia));
	vec3 l = momentum_of(q, w, inertia); /* derived here; the ledger asks for it */
	b->wx[i] = w.x;
	b->wy[i] = w.y;
	b->wz[i] = w.z;
	b->lx[i] = l.x;
	b->ly[i] = l.y;
	b->lz[i] = l.z;
}

const integrator scree_integrators[] = {
	{"velocity_verlet", "second order; angular momentum to rounding, energy bounded", scree_turn_drift,
	 scree_turn_kick},
	{"seed", "rotation of Govender et al. (2014): forward Euler, no gyroscopic term", seed_drift, seed_kick},
	{"seed/printed", "the same with the quaternion step as printed: twice the angle, other order", printed_drift,
	 seed_kick},
};
const int scree_integrator_count = (int)(sizeof scree_integrators / sizeof *scree_integrators);

const integrator *scree_integrator_find(const char *name)
{
	for (int k = 0; k < scree_integrator_count; ++k)
		if (!strcmp(scree_integrators[k].name, name)) return scree_integrators + k;
	return NULL;
}
