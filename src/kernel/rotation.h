/* rotation.h: free rotation of a rigid body whose angular momentum L is constant in the world.
 *
 * The body rotates about its own axes k by L_k/I_k h in a symmetric sequence of five rotations (splitting of the
 * kinetic energy, e.g. Touma and Wisdom 1994; Dullweber, Leimkuhler, McLachlan 1997). L is kept to the last bit; the
 * energy error stays bounded and falls as h^2. For equal moments of inertia one rotation by L/I is exact. */
#ifndef SCREE_KERNEL_ROTATION_H
#define SCREE_KERNEL_ROTATION_H

#include "kernel/quat.h"

SCREE_FN quat turn_about_axis(quat q, vec3 l, int axis, real inertia, real h)
{
	mat3 m = quat_matrix(q);
	vec3 e = axis == 0 ? m.x : axis == 1 ? m.y : m.z;
	real rate = v3_dot(e, l) / inertia;
	quat d = quat_exp(v3(axis == 0 ? rate : 0, axis == 1 ? rate : 0, axis == 2 ? rate : 0), h);
	return quat_mul(q, d); /* q d: the factor for a rotation about the body's own axis is on the right */
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

/* Angular velocity for angular momentum l. */
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

#endif
