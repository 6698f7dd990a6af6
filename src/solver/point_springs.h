/* point_springs.h: the springs of the law at a point of a constraint, linear about an overlap; private to src/solver.
 */
#ifndef SCREE_SOLVER_POINT_SPRINGS_H
#define SCREE_SOLVER_POINT_SPRINGS_H

#include "kernel/cohesion.h"
#include "kernel/contact_law.h"
#include "solver/constraints.h"

SCREE_FN jkr_spring jkr_spring_of(const constraint *r, real tau, real overlap)
{
	return jkr_spring_at(r->pull.most / tau, r->constants.radius, r->pull.length, overlap + r->pull.end);
}

/* N: of the spring and dashpot of a point */
SCREE_FN real constraint_normal_at(const solving *v, const constraint *r, const constraint_point *p, real overlap,
								   real separation)
{
	if (r->pull.length > 0) {
		const jkr_spring s = jkr_spring_of(r, v->tau, overlap);
		return s.force - r->constants.damping * sqrt(r->constants.mass * s.radius) * separation;
	}
	return normal_by((enum law_row)r->law, &r->constants, p->weight, overlap, separation).force;
}

/* dF/d(overlap) over F/overlap. Overlaps of faces, edges and corners have 1, 1.5 and 2 by the laws of overlaps. A slope
 * that is less than 3/4 of the true one would make the contact swing from step to step, so that of a corner is taken;
 * but contacts that begin resist from the first touch. Bodies that creep do not swing, and part in fewer steps by that
 * of faces. */
SCREE_FN real constraint_slope(const solving *v, const constraint *r, const constraint_point *p)
{
	if (r->curved) return (real)1.5;
	if (v->m->creeps) return 1;
	if (r->law < LAWS_OF_POINTS && r->points == 1) return 1;
	return 1 + real_clamp(p->reaches / p->about, 0, 1);
}

/* m: about which springs are linear */
SCREE_FN real least_overlap(const constraint *r) { return real_min(CONSTRAINT_LEAST * r->radius, r->pull.least); }

/* N s, N s/m: force and slope times tau */
typedef struct point_spring {
	real force, slope;
} point_spring;

SCREE_FN point_spring point_spring_of(const solving *v, const constraint *r, const constraint_point *p)
{
	if (r->pull.length > 0) {
		const jkr_spring s = jkr_spring_of(r, v->tau, p->about);
		return (point_spring){v->tau * s.force, v->tau * s.slope};
	}
	const real spring = normal_by((enum law_row)r->law, &r->constants, p->weight, p->about, 0).force;
	const real force = v->tau * r->share * spring;
	return (point_spring){force, constraint_slope(v, r, p) * force / p->about};
}

/* Makes the spring of a point linear about this overlap. Its dashpot stays as it is: one that followed the overlap from
 * sweep to sweep would not let the sweeps converge. */
SCREE_FN void constraint_point_linear(const solving *v, const constraint *r, constraint_point *p, real overlap)
{
	const real about = real_max(overlap, least_overlap(r));
	p->about = about;
	const point_spring spring = point_spring_of(v, r, p);
	const real force = spring.force, stiffness = spring.slope;
	p->soft = 1 / (r->after * v->h * stiffness + v->tau * p->dashpot);
	p->goal = -(force + stiffness * (p->reaches - about)) * p->soft;
	p->mass = 1 / (1 / p->rigid + p->soft);
}

#endif
