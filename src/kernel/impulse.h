/* impulse.h: one impulse-based relaxation of a contact, including the material's compliance (docs/theory/implicit.md).
 * All functions are pure. */
#ifndef SCREE_KERNEL_IMPULSE_H
#define SCREE_KERNEL_IMPULSE_H

#include "base/real.h"

typedef struct impulse_body {
	vec3 velocity, angular_velocity;
	real inv_mass;
	real inv_x, inv_y, inv_z, inv_xy, inv_xz, inv_yz; /* inverse of the inertia, in world axes */
	real unused[3];									  /* padding to two cache lines */
} impulse_body;

SCREE_FN vec3 inertia_response(const impulse_body *b, vec3 torque)
{
	return v3(b->inv_x * torque.x + b->inv_xy * torque.y + b->inv_xz * torque.z,
			  b->inv_xy * torque.x + b->inv_y * torque.y + b->inv_yz * torque.z,
			  b->inv_xz * torque.x + b->inv_yz * torque.y + b->inv_z * torque.z);
}

/* arm: from the centre to the point where the impulse acts; turning: additional couple, in N m s */
SCREE_FN void push_body(impulse_body *b, vec3 impulse, vec3 arm, vec3 turning)
{
	b->velocity = v3_madd(b->velocity, b->inv_mass, impulse);
	b->angular_velocity = v3_add(b->angular_velocity, inertia_response(b, v3_add(v3_cross(arm, impulse), turning)));
}

SCREE_FN vec3 velocity_at(const impulse_body *b, vec3 arm)
{
	return v3_add(b->velocity, v3_cross(b->angular_velocity, arm));
}

/* A contact responds to the overlap at x + h (a u - (1 - a) v), for bodies at x with velocities v before the step of
 * length h and u after it. Returns a. With a = 1 (backward Euler), contacts act on average half a step before the
 * bodies touch, so grains seem larger, and flows are hampered. In force-based steps they act about a third of the
 * contact time after the bodies touch. With a smaller a, contacts act more as in force-based steps, but the springs of
 * long steps return up to (1 - a)/a of the approach velocity, less the loss in dashpots; this should be little more
 * than the ratio of rebound to approach (docs/theory/implicit.md). */
SCREE_FN real part_after(real rebound)
{
	real most = (real)0.6, returned = rebound + (real)0.25;
	return 1 / (1 + (returned < most ? returned : most));
}

/* Returns the normal impulse of a point with its compliance, for which separation + goal + soft impulse = 0, or zero.
 * mass: 1/(response + soft). meets: velocity of separation at which the point just touches, in m/s: dashpots do not
 * act across a gap; at most the velocity required after an impact. rebound: least velocity of separation after an
 * impact of a loaded point, in m/s; below -1e300 if there is no impact. most: limit on the impulse that produces this
 * rebound, in N s. rigid: 1/response */
SCREE_FN real normal_impulse(real impulse, real separation, real goal, real soft, real mass, real meets, real rebound,
							 real most, real rigid)
{
	real by_spring = impulse - mass * (separation + goal + soft * impulse);
	real at_gap = impulse - rigid * (separation - meets);
	real by_rule = impulse - rigid * (separation - rebound);
	real by_law = by_spring < at_gap ? by_spring : at_gap, by_impact = by_rule < most ? by_rule : most;
	real best = by_law > by_impact ? by_law : by_impact;
	return best > 0 ? best : 0;
}

typedef struct sym3 {
	real xx, yy, zz, xy, xz, yz;
} sym3;

SCREE_FN vec3 sym3_mul(const sym3 *m, vec3 v)
{
	return v3(m->xx * v.x + m->xy * v.y + m->xz * v.z, m->xy * v.x + m->yy * v.y + m->yz * v.z,
			  m->xz * v.x + m->yz * v.y + m->zz * v.z);
}

SCREE_FN sym3 sym3_inverse(const sym3 *m)
{
	const real xx = m->yy * m->zz - m->yz * m->yz, xy = m->xz * m->yz - m->xy * m->zz;
	const real xz = m->xy * m->yz - m->xz * m->yy, by = 1 / (m->xx * xx + m->xy * xy + m->xz * xz);
	const real yy = m->xx * m->zz - m->xz * m->xz, zz = m->xx * m->yy - m->xy * m->xy;
	const real yz = m->xy * m->xz - m->xx * m->yz;
	sym3 o = {by * xx, by * yy, by * zz, by * xy, by * xz, by * yz};
	return o;
}

/* Returns an upper bound on the eigenvalues (Gershgorin 1931); exact for a multiple of the unit matrix. */
SCREE_FN real sym3_bound(const sym3 *m)
{
	const real xy = real_abs(m->xy), xz = real_abs(m->xz), yz = real_abs(m->yz);
	return real_max(real_max(m->xx + xy + xz, m->yy + xy + yz), m->zz + xz + yz);
}

SCREE_CONSTANT int FRICTION_STEPS = 4; /* maximum number of steps in friction_impulse */

/* Friction impulses along two directions perpendicular to the normal, and a couple: the third impulse times `arm`. */
typedef struct friction_block {
	vec3 along, beside; /* the two directions */
	real arm;			/* m; 0: no couple */
	sym3 response;		/* slip per unit impulse, including the compliance, in 1/kg */
	sym3 stick;			/* inverse of `response`, in kg: impulses that stop the slip */
	real soft;			/* compliance along the surface, in 1/kg; 0 if rigid */
} friction_block;

SCREE_FN void add_response(sym3 *to, const impulse_body *b, vec3 arm, const friction_block *f, vec3 normal)
{
	const vec3 turn[3] = {v3_cross(arm, f->along), v3_cross(arm, f->beside), v3_mul(f->arm, normal)};
	const vec3 x = inertia_response(b, turn[0]), y = inertia_response(b, turn[1]), z = inertia_response(b, turn[2]);
	to->xx += b->inv_mass + v3_dot(turn[0], x), to->xy += v3_dot(turn[1], x), to->xz += v3_dot(turn[2], x);
	to->yy += b->inv_mass + v3_dot(turn[1], y), to->yz += v3_dot(turn[2], y), to->zz += v3_dot(turn[2], z);
}

/* arms: vectors from the centres to the point of friction */
SCREE_FN friction_block friction_block_of(const impulse_body *a, vec3 arm_a, const impulse_body *b, vec3 arm_b,
										  vec3 normal, real arm, real soft)
{
	friction_block f;
	sym3 response = {0, 0, 0, 0, 0, 0};
	f.along = v3_across(normal), f.beside = v3_cross(normal, f.along);
	f.arm = arm, f.soft = soft;
	add_response(&response, a, arm_a, &f, normal);
	add_response(&response, b, arm_b, &f, normal);
	const bool turns = response.zz > 0;
	if (!turns) response.zz = response.xx > 0 ? response.xx : 1; /* without effect */
	response.xx += soft, response.yy += soft, response.zz += soft;
	f.response = response;
	f.stick = sym3_inverse(&response);
	if (!turns) f.arm = 0;
	return f;
}

/* Coulomb friction: returns the impulse that stops the slip, or, if that impulse exceeds the cap, the impulse of size
 * `cap` against the remaining slip: slip = -x impulse with x >= 0. Uses Newton's method for 1/size = 1/cap, which is
 * nearly linear in x (More and Sorensen 1983, eq. 3.11); an isotropic block needs one step. has: the present impulse;
 * slip: slip velocity in m/s, in the directions of the block, the third being the arm times the rate of rotation,
 * including the contribution of the springs */
SCREE_FN vec3 friction_impulse(const friction_block *f, vec3 has, vec3 slip, real cap)
{
	vec3 wants = v3_sub(sym3_mul(&f->response, has), slip), now = v3_sub(has, sym3_mul(&f->stick, slip));
	if (!(f->arm > 0)) wants.z = now.z = 0;
	sym3 gives = f->stick;
	real x = 0, size = v3_norm(now);
	for (int k = 0; k < FRICTION_STEPS && size > cap; ++k) {
		const real bends = v3_dot(now, sym3_mul(&gives, now));
		if (!(cap > 0 && bends > 0)) break;
		x += (size / cap - 1) * (size * size / bends);
		sym3 more = f->response;
		more.xx += x, more.yy += x, more.zz += x;
		gives = sym3_inverse(&more);
		now = sym3_mul(&gives, wants);
		size = v3_norm(now);
	}
	return size > cap ? v3_mul(cap / size, now) : now;
}

typedef struct elastic_hit {
	vec3 impulse; /* impulse on a, in N s; the opposite acts on b */
	real lost;	  /* loss of kinetic energy in any frame, in J */
} elastic_hit;

/* Vector from b to a. If the centres coincide, the direction is x or -x, since plane worlds have this axis too. */
SCREE_FN vec3 elastic_apart(vec3 apart, real radii, bool up)
{
	const real one_point =
		/* bound on (distance / sum of radii)^2, below which the direction would be rounding error */
		(real)1e-24;
	return v3_norm2(apart) > one_point * radii * radii ? apart : v3(up ? radii : -radii, 0, 0);
}

/* Collision of two balls: the impulse is J apart, J = (1 + e) s / (apart^2 soft), s = apart . closing, and zero if the
 * balls do not approach. apart: vector from b to a; closing: velocity of b minus velocity of a; soft: sum of 1/mass */
SCREE_FN elastic_hit elastic_collide(vec3 apart, vec3 closing, real soft, real restitution)
{
	elastic_hit h = {{0, 0, 0}, 0};
	real s = v3_dot(apart, closing);
	if (!(s > 0) || !(soft > 0)) return h;
	real part = s / v3_norm2(apart) / soft;
	h.impulse = v3_mul((1 + restitution) * part, apart);
	h.lost = (1 - restitution * restitution) / 2 * part * s;
	return h;
}

#endif
