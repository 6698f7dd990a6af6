/* symplectic_euler: rotation in the integrator of Krestenitis (2017). */
#include "papers/krestenitis2017/symplectic_euler.h"

#include "kernel/motion.h"
#include "model/integrator.h"

/* Symplectic Euler for the angular momentum: adds the full impulse of the old torque, then rotates the body. */
void scree_symplectic_euler_drift(bodies *b, int64_t i, real dt)
{
	if (b->flags[i] & BODY_HELD) {
		scree_turn_drift(b, i, dt);
		return;
	}
	const vec3 torque = v3(b->tx[i], b->ty[i], b->tz[i]), inertia = v3(b->ix[i], b->iy[i], b->iz[i]);
	const vec3 l = v3_madd(v3(b->lx[i], b->ly[i], b->lz[i]), dt, torque);
	const turned t = turn_drift(body_orientation(b, (int32_t)i), l, v3(0, 0, 0), inertia, dt);
	body_set_orientation(b, i, t.orientation);
	b->kx[i] = l.x, b->ky[i] = l.y, b->kz[i] = l.z;
	b->wx[i] = t.angular_velocity.x, b->wy[i] = t.angular_velocity.y, b->wz[i] = t.angular_velocity.z;
}

/* Keeps the velocities predicted by the drift, which are the result. */
void scree_symplectic_euler_kick(bodies *b, int64_t i, real dt)
{
	(void)dt;
	if (b->flags[i] & BODY_HELD) return;
	b->lx[i] = b->kx[i], b->ly[i] = b->ky[i], b->lz[i] = b->kz[i];
}
