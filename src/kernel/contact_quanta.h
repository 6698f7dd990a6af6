/* contact_quanta.h: contribution of a contact to the sums over its two bodies and to the ledger, in whole quanta
 * (docs/theory/sums.md). All functions are pure. */
#ifndef SCREE_KERNEL_CONTACT_QUANTA_H
#define SCREE_KERNEL_CONTACT_QUANTA_H

#include "kernel/contact.h"

/* The integer nearest to x, ties to even, for |x| < 2^51: the sum of x and 1.5 * 2^52 has no fraction bits. */
SCREE_FN int64_t quanta_small(real x)
{
	const real ones = (real)6755399441055744.0;
	return (int64_t)(bits_of(x + ones) - bits_of(ones));
}

/* The nearest integer for |x| < 2^61, in two parts (multiples of 2^26 first), using operations that exist for all
 * vector widths. Larger values and NaN give a meaningless integer: the caller compares x with QUANTA_MOST. */
SCREE_FN int64_t quanta_of(real x)
{
	const real ones = (real)6755399441055744.0, parts = (real)453347182355485940514816.0; /* 1.5 * 2^52, 1.5 * 2^78 */
	real high = x + parts, low = (x - (high - parts)) + ones;							  /* this difference is exact */
	return (int64_t)((bits_of(high) << 26) + bits_of(low) - ((bits_of(parts) << 26) + bits_of(ones)));
}
/* Returns -quanta, without undefined behaviour for meaningless integers. */
SCREE_FN int64_t opposite(int64_t quanta) { return (int64_t)(0 - (uint64_t)quanta); }

SCREE_CONSTANT real QUANTA_MOST = (real)2305843009213693952.0; /* 2^61 */

SCREE_CONSTANT real SUMS_COARSER = 65536; /* unit of sums of absolute values, in quanta (work/sums.h) */

typedef struct quanta3 {
	int64_t x, y, z;
} quanta3;

/* Contribution to the sums for both bodies, in quanta before rounding. */
typedef struct contact_load {
	vec3 force;				 /* sum for a; the opposite is added to b */
	vec3 torque_a, torque_b; /* torque on each body, about its own centre */
	real forces, torques;	 /* absolute values divided by SUMS_COARSER */
	/* largest absolute value; the other values are valid only if this is below QUANTA_MOST; NaN if a force is NaN */
	real most;
} contact_load;

typedef struct contact_quanta {
	quanta3 force, torque_a, torque_b;
	int64_t forces, torques;
	real most;
} contact_quanta;

SCREE_FN real sum_of_sizes(vec3 v) { return real_abs(v.x) + real_abs(v.y) + real_abs(v.z); }
SCREE_FN quanta3 quanta3_of(vec3 v)
{
	quanta3 q = {quanta_of(v.x), quanta_of(v.y), quanta_of(v.z)};
	return q;
}

/* Adds the load of a force and a torque on a, and of the opposite force on b. apart: vector from b to a; forces,
 * torques: quanta per N and per N m */
SCREE_FN contact_load contact_load_of(vec3 force, vec3 torque, vec3 apart, real forces, real torques)
{
	contact_load q;
	q.force = v3_mul(forces, force);
	q.torque_a = v3_mul(torques, torque);
	q.torque_b = torque_on(q.force, q.torque_a, v3_mul(torques / forces, apart));
	real size = sum_of_sizes(q.force), most = real_max(sum_of_sizes(q.torque_a), sum_of_sizes(q.torque_b));
	q.forces = size * (1 / SUMS_COARSER);
	q.torques = most * (1 / SUMS_COARSER);
	q.most = size + most;
	return q;
}

SCREE_FN contact_quanta contact_quanta_of(const contact_load *q)
{
	contact_quanta o = {quanta3_of(q->force),	 quanta3_of(q->torque_a),  quanta3_of(q->torque_b),
						quanta_small(q->forces), quanta_small(q->torques), q->most};
	return o;
}

/* Contribution of a one-point contact to the ledger, in quanta before rounding. */
typedef struct tally_load {
	real normal, friction, rolling, made, power, heat;
	real most;
} tally_load;

/* gone: energy in the springs of the contact when it ended, in J; torn: energy lost by a contact that broke or
 * yielded, in J; energies: quanta per J */
SCREE_FN tally_load tally_load_of(const contact_tally *y, real gone, real torn, real energies, real dt)
{
	tally_load q;
	q.normal = energies * (y->normal + torn);
	q.friction = energies * y->friction;
	q.rolling = energies * y->rolling;
	q.made = energies * (y->work - gone + torn);
	q.power = energies * (dt * y->power);
	q.heat = energies * (dt * y->heat);
	real worst = real_abs(y->normal) + real_abs(y->friction) + real_abs(y->rolling) + real_abs(y->work) + gone + torn;
	q.most = energies * worst;
	return q;
}

typedef struct tally_quanta {
	int64_t normal, friction, rolling, made, power, heat;
	real most;
} tally_quanta;

SCREE_FN tally_quanta tally_quanta_of(const tally_load *q)
{
	tally_quanta o = {quanta_of(q->normal),
					  quanta_of(q->friction),
					  quanta_of(q->rolling),
					  quanta_of(q->made),
					  quanta_of(q->power),
					  quanta_of(q->heat),
					  q->most};
	return o;
}

#endif
