/* contact_quanta.h: what a contact adds to the sums of its two bodies and to the ledger, in whole quanta
 * (docs/theory/sums.md). Values in, values out. */
#ifndef SCREE_KERNEL_CONTACT_QUANTA_H
#define SCREE_KERNEL_CONTACT_QUANTA_H

#include "kernel/contact_history.h"
#include "kernel/partners.h"
#include "kernel/quanta.h"

/* sums of absolute values are kept over this (state/sums.h) */
SCREE_CONSTANT real SUMS_COARSER = 65536;

typedef struct quanta3 {
	int64_t x, y, z;
} quanta3;

typedef struct contact_quanta {
	quanta3 force;				/* on a; on b the opposite */
	quanta3 torque_a, torque_b; /* on each about its own centre */
	int64_t forces, torques;	/* absolute values over SUMS_COARSER */
	real most;					/* quanta: not below QUANTA_MOST: the others mean nothing; NaN where a force is none */
} contact_quanta;

SCREE_FN real sum_of_sizes(vec3 v) { return real_abs(v.x) + real_abs(v.y) + real_abs(v.z); }
SCREE_FN quanta3 quanta3_of(vec3 v)
{
	quanta3 q = {quanta_of(v.x), quanta_of(v.y), quanta_of(v.z)};
	return q;
}

/* Of a force and a torque on a, with what follows for b. apart: from b to a; forces, torques: quanta to 1 N, 1 N m */
SCREE_FN contact_quanta contact_quanta_of(vec3 force, vec3 torque, vec3 apart, real forces, real torques)
{
	contact_quanta q;
	vec3 f = v3_mul(forces, force), ta = v3_mul(torques, torque);
	vec3 tb = torque_on(f, ta, v3_mul(torques / forces, apart));
	real size = sum_of_sizes(f), most = real_max(sum_of_sizes(ta), sum_of_sizes(tb));
	q.force = quanta3_of(f);
	q.torque_a = quanta3_of(ta);
	q.torque_b = quanta3_of(tb);
	q.forces = quanta_small(size * (1 / SUMS_COARSER));
	q.torques = quanta_small(most * (1 / SUMS_COARSER));
	q.most = size + most;
	return q;
}

/* What a contact with one point adds to the ledger, quanta. */
typedef struct tally_quanta {
	int64_t normal, friction, rolling, made, power, heat;
	real most;
} tally_quanta;

/* gone: J, that its springs still held when it ended; torn: what it held that was torn off; energies: quanta to 1 J */
SCREE_FN tally_quanta tally_quanta_of(const contact_tally *y, real gone, real torn, real energies, real dt)
{
	tally_quanta q;
	q.normal = quanta_of(energies * (y->normal + torn));
	q.friction = quanta_of(energies * y->friction);
	q.rolling = quanta_of(energies * y->rolling);
	q.made = quanta_of(energies * (y->work - gone + torn));
	q.power = quanta_of(energies * (dt * y->power));
	q.heat = quanta_of(energies * (dt * y->heat));
	real worst = real_abs(y->normal) + real_abs(y->friction) + real_abs(y->rolling) + real_abs(y->work) + gone + torn;
	q.most = energies * worst;
	return q;
}

#endif
