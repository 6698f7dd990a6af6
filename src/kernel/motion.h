/* motion.h: velocity Verlet in two halves (Swope et al. 1982), and free rotation of a body. All functions are pure. */
#ifndef SCREE_KERNEL_MOTION_H
#define SCREE_KERNEL_MOTION_H

#include "kernel/quat.h"

/* Free rotation: the angular momentum L is constant in the world. The body rotates about its own axes k by L_k/I_k h in
 * a symmetric sequence of five rotations (splitting of the kinetic energy, e.g. Touma and Wisdom 1994; Dullweber,
 * Leimkuhler, McLachlan 1997). L is conserved to the last bit; the energy error stays bounded and is proportional to
 * h^2. For equal moments of inertia one rotation by L/I is exact. */
SCREE_FN quat turn_about_axis(quat q, vec3 l, int axis, real inertia, real h)
{
	mat3 m = quat_matrix(q);
	vec3 e = axis == 0 ? m.x : axis == 1 ? m.y : m.z;
	real rate = v3_dot(e, l) / inertia;
	quat d = quat_exp(v3(axis == 0 ? rate : 0, axis == 1 ? rate : 0, axis == 2 ? rate : 0), h);
	return quat_mul(q, d); /* q d: the factor on the right is a rotation about the body's own axis */
}

SCREE_FN quat turn_free(quat q, vec3 l, vec3 inertia, real h)
{
	q = turn_about_axis(q, l, 0, inertia.x, h / 2);
	q = turn_about_axis(q, l, 1, inertia.y, h / 2);
	q = turn_about_axis(q, l, 2, inertia.z, h);
	q = turn_about_axis(q, l, 1, inertia.y, h / 2);
	q = turn_about_axis(q, l, 0, inertia.x, h / 2);
	return quat_unit(q);
}

SCREE_FN vec3 spin_of(quat q, vec3 l, vec3 inertia)
{
	mat3 m = quat_matrix(q);
	vec3 body = mat3_tmul(m, l);
	return mat3_mul(m, v3(body.x / inertia.x, body.y / inertia.y, body.z / inertia.z));
}

SCREE_FN vec3 momentum_of(quat q, vec3 spin, vec3 inertia)
{
	mat3 m = quat_matrix(q);
	vec3 body = mat3_tmul(m, spin);
	return mat3_mul(m, v3(body.x * inertia.x, body.y * inertia.y, body.z * inertia.z));
}

/* Returns the acceleration; 0 for bodies of infinite mass. */
SCREE_FN vec3 acceleration_of(vec3 force, real inv_mass, vec3 gravity)
{
	real free = inv_mass > 0 ? 1 : 0;
	return v3(force.x * inv_mass + free * gravity.x, force.y * inv_mass + free * gravity.y,
			  force.z * inv_mass + free * gravity.z);
}

typedef struct drifted {
	vec3 position, middle; /* velocity at the half step */
	vec3 velocity;		   /* predicted value at the end of the step */
} drifted;

SCREE_FN drifted drift_of(vec3 position, vec3 velocity, vec3 acceleration, real dt)
{
	vec3 middle = v3_madd(velocity, dt / 2, acceleration);
	drifted o = {v3_madd(position, dt, middle), middle, v3_madd(middle, dt / 2, acceleration)};
	return o;
}

/* Symplectic Euler: the velocity at the end of the step moves the body for the whole step. */
SCREE_FN drifted euler_drift_of(vec3 position, vec3 velocity, vec3 acceleration, real dt)
{
	vec3 last = v3_madd(velocity, dt, acceleration);
	drifted o = {v3_madd(position, dt, last), last, last};
	return o;
}

/* Returns the velocity at the end of the step. middle: velocity at the half step; acceleration: from the new force */
SCREE_FN vec3 kick_of(vec3 middle, vec3 acceleration, real dt) { return v3_madd(middle, dt / 2, acceleration); }

typedef struct turned {
	quat orientation;
	vec3 middle;		   /* angular momentum at the half step */
	vec3 angular_velocity; /* predicted value at the end of the step */
} turned;

/* Tests whether turn_little supports this rotation: three equal moments of inertia, at most half a radian per step. */
SCREE_FN bool turns_little(vec3 momentum, vec3 torque, real inertia, real dt)
{
	return v3_norm2(v3_madd(momentum, dt / 2, torque)) * dt * dt < (real)0.2 * inertia * inertia;
}

/* Returns half the rotation of a step. middle: angular momentum at the half step; soft: 1 / inertia */
SCREE_FN quat turn_of_step(vec3 middle, real soft, real dt) { return quat_exp_little(v3_mul(soft, middle), dt / 2); }
SCREE_FN quat turned_by(quat turn, quat q) { return quat_unit(quat_mul(turn, q)); }

/* Small rotation with three equal moments of inertia, without loops or branches; bitwise the same as turn_drift. */
SCREE_FN turned turn_little(quat q, vec3 momentum, vec3 torque, real inertia, real dt)
{
	turned o;
	real soft = 1 / inertia;
	o.middle = v3_madd(momentum, dt / 2, torque);
	o.orientation = turned_by(turn_of_step(o.middle, soft, dt), q);
	o.angular_velocity = v3_mul(soft, v3_madd(o.middle, dt / 2, torque));
	return o;
}

SCREE_FN bool is_round(vec3 inertia) { return inertia.x == inertia.y && inertia.y == inertia.z; }

/* inertia: moments about the body's own axes */
SCREE_FN turned turn_drift(quat q, vec3 momentum, vec3 torque, vec3 inertia, real dt)
{
	turned o;
	o.middle = v3_madd(momentum, dt / 2, torque);
	vec3 ahead = v3_madd(o.middle, dt / 2, torque);
	if (is_round(inertia)) {
		real soft = 1 / inertia.x;
		o.orientation = quat_unit(quat_mul(quat_exp(v3_mul(soft, o.middle), dt), q));
		o.angular_velocity = v3_mul(soft, ahead);
	} else {
		o.orientation = turn_free(q, o.middle, inertia, dt);
		o.angular_velocity = spin_of(o.orientation, ahead, inertia);
	}
	return o;
}

typedef struct turn_kicked {
	vec3 momentum, angular_velocity;
} turn_kicked;

/* Applies the kick to the rotation of a body with three equal moments of inertia. */
SCREE_FN turn_kicked turn_kick_round(vec3 middle, vec3 torque, real inertia, real dt)
{
	vec3 momentum = v3_madd(middle, dt / 2, torque);
	turn_kicked o = {momentum, v3_mul(1 / inertia, momentum)};
	return o;
}

SCREE_FN turn_kicked turn_kick(quat q, vec3 middle, vec3 torque, vec3 inertia, real dt)
{
	turn_kicked o = turn_kick_round(middle, torque, inertia.x, dt);
	if (!is_round(inertia)) o.angular_velocity = spin_of(q, o.momentum, inertia);
	return o;
}

/* Returns the largest displacement of a body's surface per unit angle of rotation; 0 for a ball. radius: radius of the
 * bounding sphere; round: radius of the ball with the same volume (in the plane, of the disc with the same area) */
SCREE_FN real swing_of(real radius, real round) { return radius > round ? radius : 0; }

/* Upper bound on the path of any surface point of a body in this step, for any change in spin. A rotation by f moves a
 * point at radius R by 2 R sin f/2, and the unit quaternions are 2 sin f/4 apart. velocity: at the half step */
SCREE_FN real way_in_step(quat before, quat after, vec3 velocity, real swing, real dt)
{
	const real rounding = (real)1.0001;
	real w = after.w - before.w, x = after.x - before.x, y = after.y - before.y, z = after.z - before.z;
	return rounding * (dt * v3_norm(velocity) + 2 * swing * sqrt(w * w + x * x + y * y + z * z));
}

/* Upper bound on the path in each of so many steps of free flight. velocity: velocity at either end of the flight */
SCREE_FN real way_in_flight(vec3 velocity, vec3 momentum, vec3 inertia, real swing, real gravity, real steps, real dt)
{
	const real rounding = (real)1.001;
	real least = inertia.x < inertia.y ? inertia.x : inertia.y;
	least = least < inertia.z ? least : inertia.z;
	return rounding * dt * (v3_norm(velocity) + steps * dt * gravity + swing * v3_norm(momentum) / least);
}

#endif
