/* friction_springs.h: the spring and the dashpot along the surface of a contact in an implicit step
 * (docs/theory/implicit.md, "Friction"); private to src/solver. All functions are pure.
 *
 * Like the normal force, both respond to x + h (a u - (1 - a) v), with the slip velocities v before the step and u
 * after it. A spring displaced by s at x exerts -k (s + h (a u - (1 - a) v)), and the dashpot -C (a u + (1 - a) v). */
#ifndef SCREE_SOLVER_FRICTION_SPRINGS_H
#define SCREE_SOLVER_FRICTION_SPRINGS_H

#include "kernel/turning.h"
#include "state/pairs.h"

typedef struct friction_spring {
	real stiffness, damping; /* stiffness (N/m) and damping (kg/s); friction is rigid if both are 0 */
	real after, h;			 /* the fraction a, and the length of the step in s */
} friction_spring;

SCREE_FN slip slip_madd(slip x, real by, slip y) { return (slip){v3_madd(x.flat, by, y.flat), x.spin + by * y.spin}; }

SCREE_FN slip slip_mul(real by, slip x) { return (slip){v3_mul(by, x.flat), by * x.spin}; }

/* force per slip velocity after the step, in kg/s */
SCREE_FN real friction_spring_gives(const friction_spring *o) { return o->after * (o->h * o->stiffness + o->damping); }

/* Returns the fraction a for contact row k, from the fraction for its normal force. A new contact uses only the slip
 * after the step, so that friction stops the slip of an impact to the same extent as in a backward Euler step. */
SCREE_FN real friction_spring_after(const pair_list *l, int64_t k, real after) { return l->stiff[k] > 0 ? after : 1; }

/* force without slip after the step, in N. held: spring at the start, in m; came: slip before the step, in m/s */
SCREE_FN slip friction_spring_force(const friction_spring *o, slip held, slip came)
{
	const real goes_on = (1 - o->after) * (o->h * o->stiffness - o->damping);
	return slip_madd(slip_mul(-o->stiffness, held), goes_on, came);
}

/* spring at the end of the step, in m; it slips if its force exceeds `most` (N). goes: slip after the step, in m/s */
SCREE_FN slip friction_spring_end(const friction_spring *o, slip held, slip came, slip goes, real most)
{
	const slip ahead = slip_madd(slip_madd(held, o->h * o->after, goes), -o->h * (1 - o->after), came);
	const real size = o->stiffness * sqrt(v3_norm2(ahead.flat) + ahead.spin * ahead.spin);
	const slip stays = slip_mul(size > most ? most / size : 1, ahead);
	return slip_madd(stays, o->h * (1 - o->after), slip_madd(goes, 1, came));
}

/* J */
SCREE_FN real friction_spring_energy(const friction_spring *o, slip held)
{
	return o->stiffness / 2 * (v3_norm2(held.flat) + held.spin * held.spin);
}

/* Returns the spring in the history of contact row k at this scale of the stiffness. The spring rotates with the
 * normal. The spring keeps its force if the contact became stiffer and its length if the contact became softer ((12) of
 * laws.md). */
SCREE_FN slip friction_spring_held(const pair_list *l, int64_t k, vec3 normal, real scale)
{
	const slip still = {v3(0, 0, 0), 0};
	if (!(l->stiff[k] > 0 && scale > 0)) return still;
	const stiffening s = stiffening_of(l->stiff[k], scale);
	const slip spring = {v3_mul(s.grows, v3(l->sx[k], l->sy[k], l->sz[k])), s.grows * l->spun[k]};
	return stretch_of(spring, still, normal, true, 0).to;
}

#endif
