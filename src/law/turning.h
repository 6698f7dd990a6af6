/* turning.h: what resists rolling and spinning in a contact, with its history and energies. */
#ifndef SCREE_LAW_TURNING_H
#define SCREE_LAW_TURNING_H

#include "law/job.h"

/* Rolling: an elastic-plastic spring of angle (Iwashita and Oda 1998; eqs. 15-17 of laws.md), for materials that resist
 * it */
SCREE_FN slider roll(const job *j, int64_t k, bool now, const partners *p, const contact_constants *c, vec3 n,
					 real force, real stiffness, bool fresh)
{
	pair_list *l = j->list;
	real lever = c->rolling * c->radius;
	bool rolls = c->rolling > 0;
	real spring = rolls ? (real)2.25 * stiffness * lever * lever : 1;
	real damping = 2 * c->zeta * sqrt(spring * (real)1.4 * c->mass * c->radius * c->radius);
	vec3 spin = v3_sub(p->wa, p->wb), across = v3_madd(spin, -v3_dot(spin, n), n);
	slider r =
		slide(v3(l->rx[k], l->ry[k], l->rz[k]), l->rolled[k], fresh, across, n, spring, damping, lever * force, j->dt);
	l->rx[k] = now ? (rolls ? r.spring.x : 0) : l->rx[k];
	l->ry[k] = now ? (rolls ? r.spring.y : 0) : l->ry[k];
	l->rz[k] = now ? (rolls ? r.spring.z : 0) : l->rz[k];
	l->rolled[k] = now ? (rolls ? r.stored : 0) : l->rolled[k];
	l->lost_rolling[k] += now && rolls ? j->dt * r.heat + r.lost : 0;
	r.force = v3(rolls ? r.force.x : 0, rolls ? r.force.y : 0, rolls ? r.force.z : 0);
	r.heat = rolls ? r.heat : 0;
	return r;
}

/* Torsional resistance: the same about the normal, one angle; the moment of inertia is that of a sphere that spins in
 * its place (eq. 20 of laws.md). */
SCREE_FN slider twist(const job *j, int64_t k, bool now, const partners *p, const contact_constants *c, vec3 n,
					  real force, real stiffness, bool fresh)
{
	pair_list *l = j->list;
	real lever = c->twisting * c->radius;
	bool twists = c->twisting > 0;
	real spring = twists ? (real)2.25 * stiffness * lever * lever : 1;
	real damping = 2 * c->zeta * sqrt(spring * (real)0.4 * c->mass * c->radius * c->radius);
	real rate = v3_dot(v3_sub(p->wa, p->wb), n);
	/* one angle as the x of vectors across y */
	slider t = slide(v3(l->twist[k], 0, 0), l->twisted[k], fresh, v3(rate, 0, 0), v3(0, 1, 0), spring, damping,
					 lever * force, j->dt);
	l->twist[k] = now ? (twists ? t.spring.x : 0) : l->twist[k];
	l->twisted[k] = now ? (twists ? t.stored : 0) : l->twisted[k];
	l->lost_rolling[k] += now && twists ? j->dt * t.heat + t.lost : 0;
	t.force.x = twists ? t.force.x : 0;
	t.heat = twists ? t.heat : 0;
	return t;
}

/* dF/d(overlap) of the elastic part, which rolling stiffness follows */
SCREE_FN real normal_stiffness(const contact_constants *c, real depth, enum law_row law)
{
	if (law == LAW_HERTZ) return (real)1.5 * c->stiffness * sqrt(c->radius * depth);
	return law == LAW_POWER ? (real)1.5 * c->stiffness * sqrt(depth) : c->stiffness;
}

#endif
