/* point_springs.h: springs of the law at a constraint's point, linearized about an overlap; private to src/solver. */
#ifndef SCREE_SOLVER_POINT_SPRINGS_H
#define SCREE_SOLVER_POINT_SPRINGS_H

#include "kernel/cohesion.h"
#include "kernel/contact_law.h"
#include "solver/constraints.h"

SCREE_FN jkr_spring jkr_spring_of(const constraint *r, real tau, real overlap)
{
	return jkr_spring_at(r->pull.most / tau, r->constants.radius, r->pull.length, overlap + r->pull.end);
}

/* force of the spring and dashpot of a point, in N */
SCREE_FN real constraint_normal_at(const solving *v, const constraint *r, const constraint_point *p, real overlap,
								   real separation)
{
	if (r->pull.length > 0) {
		const jkr_spring s = jkr_spring_of(r, v->tau, overlap);
		return s.force - r->constants.damping * sqrt(r->constants.mass * s.radius) * separation;
	}
	return normal_by((enum law_row)r->law, &r->constants, p->weight, overlap, separation).force;
}

/* Returns the ratio of dF/d(overlap) to F/overlap. In the overlap-based laws this ratio is 1 for faces, 1.5 for edges
 * and 2 for corners. A slope below 3/4 of the true slope would make the contact oscillate from step to step, so the
 * slope for a corner is used, except for new contacts, which resist from first contact. Creeping bodies do not
 * oscillate, and separate in fewer steps with the slope for faces. */
SCREE_FN real constraint_slope(const solving *v, const constraint *r, const constraint_point *p)
{
	if (r->curved) return (real)1.5;
	if (v->m->creeps) return 1;
	if (r->law < LAWS_OF_POINTS && r->points == 1) return 1;
	return 1 + real_clamp(p->reaches / p->about, 0, 1);
}

/* least overlap about which springs are linearized, in m */
SCREE_FN real least_overlap(const constraint *r) { return real_min(CONSTRAINT_LEAST * r->radius, r->pull.least); }

/* force and slope times tau, in N s and N s/m */
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

/* Linearizes the spring of a point about this overlap. The dashpot of the point does not change: if it followed the
 * overlap from sweep to sweep, the sweeps would not converge. */
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
