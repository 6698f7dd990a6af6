/* slider.h: springs perpendicular to the normal, which slip: Coulomb friction, and with turning.h rolling resistance
 * (docs/theory/laws.md). All functions are pure. The normal points from b to a; v: velocity of a relative to b. */
#ifndef SCREE_KERNEL_SLIDER_H
#define SCREE_KERNEL_SLIDER_H

#include "base/real.h"

/* A spring stretched perpendicular to the normal (along the normal for torsion), as stored in a contact. Patches have a
 * third direction: rotation about the normal times the arm. */
typedef struct slider {
	vec3 force;		  /* on a */
	vec3 spring;	  /* advanced by half a step; the next step adds the other half */
	real turns, spun; /* force in N and displacement in m in the third direction */
	real stored;	  /* J */
	real lost;		  /* energy lost through slip in this step, in J */
	real heat;		  /* present dissipation of the dashpot, in W */
} slider;

/* A displacement or a velocity of a slider: perpendicular to the normal and, for patches, in the third direction. */
typedef struct slip {
	vec3 flat;
	real spin;
} slip;

/* Sum over the directions, which for a patch include the third; points do not need `spin`. */
SCREE_FN real with_spin(bool patch, real flat, real spin) { return patch ? flat + spin : flat; }

/* Position of a slider's spring without slip. */
typedef struct stretch {
	slip to;
	real length;
} stretch;

/* The stored spring is half a step ahead and v is the present rate. The two half steps together follow the trapezoidal
 * rule; otherwise friction would be of first order in the step. patch: whether to include the third direction; a
 * compile-time constant */
SCREE_FN stretch stretch_of(slip spring, slip v, vec3 n, bool patch, real dt)
{
	real long2 = v3_norm2(spring.flat);
	vec3 flat = v3_madd(spring.flat, -v3_dot(spring.flat, n), n);
	real flat2 = v3_norm2(flat);
	/* the spring rotates with the normal and keeps its length */
	real keep = flat2 > 0 ? sqrt(long2 / flat2) : 0;
	stretch o;
	o.to.flat = v3_madd(v3_mul(keep, flat), dt / 2, v.flat);
	o.to.spin = patch ? spring.spin + dt / 2 * v.spin : 0;
	o.length = sqrt(with_spin(patch, v3_norm2(o.to.flat), o.to.spin * o.to.spin));
	return o;
}

/* A spring that slips at the force `cap` (Cundall and Strack 1979), in parallel with a dashpot whose force is limited
 * to the remainder up to the cap (eqs. 10-14 of laws.md). Both only dissipate: the slip is along the spring's force,
 * and the dashpot's fraction alpha is never negative. All directions have the same stiffness and a common cap (an
 * ellipsoidal limit surface). The work of slip follows the trapezoidal rule, with the spring's force in the last step,
 * which is derived from its energy `stored`. The spring of a new contact had no force and moved for half a step. */
SCREE_FN slider slide(stretch trial, real stored, bool fresh, slip v, bool patch, real stiffness, real damping,
					  real cap, real dt)
{
	slider o;
	real size = stiffness * trial.length;
	bool slips = size > cap;
	real part = slips ? cap / size : 1;
	vec3 s = v3_mul(part, trial.to.flat);
	real spun = part * trial.to.spin;
	/* |k s + alpha c v| = cap, 0 <= alpha <= 1 */
	real v2 = with_spin(patch, v3_norm2(v.flat), v.spin * v.spin), a = damping * damping * v2;
	real b = stiffness * damping * with_spin(patch, v3_dot(s, v.flat), spun * v.spin);
	real left = slips ? 0 : cap * cap - size * size;
	real root = sqrt(b * b + a * left);
	real alpha = a > 0 ? (root - b) / a : 0;
	alpha = alpha > 1 ? 1 : alpha;
	o.force = v3_add(v3_mul(-stiffness, s), v3_mul(-alpha * damping, v.flat));
	o.spring = v3_madd(s, dt / 2, v.flat);
	o.turns = patch ? -stiffness * spun - alpha * damping * v.spin : 0;
	o.spun = patch ? spun + dt / 2 * v.spin : 0;
	o.stored = (real)0.5 * stiffness * with_spin(patch, v3_norm2(s), spun * spun);
	real last = fresh ? cap : sqrt(2 * stiffness * stored);
	o.lost = slips ? (real)0.5 * (last + cap) * (1 - part) * trial.length : 0;
	o.heat = alpha * damping * v2;
	return o;
}

/* Eq. 8 of Govender et al. (2014): F_T = -min(mu F_N, K_T |v_T|) v_T / |v_T|. The force has no history, so bodies at
 * rest on a slope creep. */
SCREE_FN slider drag(slip v, bool patch, real damping, real cap)
{
	real speed = sqrt(with_spin(patch, v3_norm2(v.flat), v.spin * v.spin));
	real force = damping * speed > cap ? cap : damping * speed, over = speed > 0 ? -force / speed : 0;
	slider o = {v3_mul(over, v.flat), v3(0, 0, 0), patch ? over * v.spin : 0, 0, 0, 0, force * speed};
	return o;
}

#endif
