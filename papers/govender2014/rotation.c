/* rotation: the rotation scheme of Govender, Wilke, Kok and Els (2014), so that their results can be reproduced. The
 * angular velocity is integrated by forward Euler in the world frame without the gyroscopic term (eq. 12), and the
 * orientation by a quaternion (eqs. 13-15). There are two versions: as intended and as printed. */
#include "papers/govender2014/rotation.h"

#include "kernel/motion.h"

/* Rotation by half the angle, multiplied from the left, since the angular velocity is about the world's axes. */
void scree_govender2014_drift(bodies *b, int64_t i, real dt)
{
	body_set_orientation(
		b, i, quat_unit(quat_mul(quat_exp(body_angular_velocity(b, (int32_t)i), dt), body_orientation(b, (int32_t)i))));
}

/* As printed, eqs. 14 and 15 lack the time step; with the time step, the angle is twice the correct one. The order of
 * the product is also as printed; it is correct for angular velocities about the body's axes. */
void scree_govender2014_drift_printed(bodies *b, int64_t i, real dt)
{
	body_set_orientation(
		b, i,
		quat_unit(quat_mul(body_orientation(b, (int32_t)i), quat_exp(body_angular_velocity(b, (int32_t)i), 2 * dt))));
}

void scree_govender2014_kick(bodies *b, int64_t i, real dt)
{
	if (b->flags[i] & BODY_HELD) return;
	vec3 inertia = v3(b->ix[i], b->iy[i], b->iz[i]);
	quat q = body_orientation(b, (int32_t)i);
	vec3 w = v3_madd(body_angular_velocity(b, (int32_t)i), dt, spin_of(q, v3(b->tx[i], b->ty[i], b->tz[i]), inertia));
	vec3 l = momentum_of(q, w, inertia); /* angular momentum, computed for the ledger */
	b->wx[i] = w.x;
	b->wy[i] = w.y;
	b->wz[i] = w.z;
	b->lx[i] = l.x;
	b->ly[i] = l.y;
	b->lz[i] = l.z;
}
