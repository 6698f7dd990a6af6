/* integrator: the table, and the rotation of Govender, Wilke, Kok and Els (2014), so that their results can be
 * reproduced: angular velocity by forward Euler in the world frame without the gyroscopic term (eq. 12), orientation by
 * a quaternion (eqs. 13-15), both as intended and as printed. */
#include "model/integrator.h"

#include "motion/gear.h"

#include "kernel/motion.h"
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

/* The half angle, multiplied on the left: the angular velocity is about the world's axes. */
static void govender2014_drift(bodies *b, int64_t i, real dt)
{
	set_turn(b, i, quat_unit(quat_mul(quat_exp(body_angular_velocity(b, (int32_t)i), dt), turn_of(b, i))));
}

/* Eqs. 14 and 15 as printed have no time step; with it, the angle is twice the correct one. The product's order is the
 * printed one, too: correct for angular velocities about the body's axes. */
static void printed_drift(bodies *b, int64_t i, real dt)
{
	set_turn(b, i, quat_unit(quat_mul(turn_of(b, i), quat_exp(body_angular_velocity(b, (int32_t)i), 2 * dt))));
}

static void govender2014_kick(bodies *b, int64_t i, real dt)
{
	if (b->flags[i] & BODY_HELD) return;
	vec3 inertia = v3(b->ix[i], b->iy[i], b->iz[i]);
	quat q = turn_of(b, i);
	vec3 w = v3_madd(body_angular_velocity(b, (int32_t)i), dt, spin_of(q, v3(b->tx[i], b->ty[i], b->tz[i]), inertia));
	vec3 l = momentum_of(q, w, inertia); /* derived here, for the ledger */
	b->wx[i] = w.x;
	b->wy[i] = w.y;
	b->wz[i] = w.z;
	b->lx[i] = l.x;
	b->ly[i] = l.y;
	b->lz[i] = l.z;
}

/* Symplectic Euler of the angular momentum: it applies the whole impulse of the old torque, then rotates the body. */
static void euler_drift(bodies *b, int64_t i, real dt)
{
	if (b->flags[i] & BODY_HELD) {
		scree_turn_drift(b, i, dt);
		return;
	}
	const vec3 torque = v3(b->tx[i], b->ty[i], b->tz[i]), inertia = v3(b->ix[i], b->iy[i], b->iz[i]);
	const vec3 l = v3_madd(v3(b->lx[i], b->ly[i], b->lz[i]), dt, torque);
	const turned t = turn_drift(turn_of(b, i), l, v3(0, 0, 0), inertia, dt);
	set_turn(b, i, t.orientation);
	b->kx[i] = l.x, b->ky[i] = l.y, b->kz[i] = l.z;
	b->wx[i] = t.angular_velocity.x, b->wy[i] = t.angular_velocity.y, b->wz[i] = t.angular_velocity.z;
}

/* The prediction of the drift is the result. */
static void euler_kick(bodies *b, int64_t i, real dt)
{
	(void)dt;
	if (b->flags[i] & BODY_HELD) return;
	b->lx[i] = b->kx[i], b->ly[i] = b->ky[i], b->lz[i] = b->kz[i];
}

#define GEAR(of_name, of_help, rule, count)                                                                            \
	{                                                                                                                  \
		.name = of_name, .help = of_help, .gear = &(rule), .asks = {                                                   \
			scree_gear_fields,                                                                                         \
			((count)-GEAR_FIRST) * GEAR_EACH                                                                           \
		}                                                                                                              \
	}

const integrator scree_integrators[] = {
	{.name = "velocity_verlet",
	 .help = "second order; angular momentum to rounding, energy bounded",
	 .drift = scree_turn_drift,
	 .kick = scree_turn_kick},
	{.name = "govender2014",
	 .help = "rotation of Govender et al. (2014): forward Euler, no gyroscopic term",
	 .drift = govender2014_drift,
	 .kick = govender2014_kick,
	 .literal = true},
	{.name = "govender2014/printed",
	 .help = "the same with the quaternion step as printed: twice the angle, other order",
	 .drift = printed_drift,
	 .kick = govender2014_kick,
	 .literal = true},
	{.name = "symplectic_euler",
	 .help = "velocity first, then position with the new velocity (Krestenitis 2017): first order, energy bounded",
	 .drift = euler_drift,
	 .kick = euler_kick,
	 .symplectic_euler = true,
	 .literal = true},
	GEAR("gear4", "predictor and corrector of Gear (1971) with 4 values; bodies with equal moments only", GEAR_4, 4),
	GEAR("gear5", "the same with 5 values, for forces that depend on velocity", GEAR_5, 5),
	GEAR("gear5/position", "the same with 5 values, for forces that depend on positions alone", GEAR_5_POSITION, 5),
	GEAR("gear6", "the same with 6 values, for forces that depend on velocity", GEAR_6, 6),
	GEAR("gear6/position", "the same with 6 values, for forces that depend on positions alone", GEAR_6_POSITION, 6),
};
const int scree_integrator_count = (int)(sizeof scree_integrators / sizeof *scree_integrators);

const integrator *scree_integrator_find(const char *name)
{
	for (int k = 0; k < scree_integrator_count; ++k)
		if (!strcmp(scree_integrators[k].name, name)) return scree_integrators + k;
	return NULL;
}
