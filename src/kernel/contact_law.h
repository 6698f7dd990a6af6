/* contact_law.h: the normal part of the forces of one contact, for each law. Equations: docs/theory/laws.md. All
 * functions are pure. The normal points from b to a; v is the velocity of a relative to b. */
#ifndef SCREE_KERNEL_CONTACT_LAW_H
#define SCREE_KERNEL_CONTACT_LAW_H

#include "kernel/contact_constants.h"
#include "kernel/law_constants.h"

SCREE_FN contact_constants contact_constants_of(const law_constants *c, real radius, real mass, real normal, real shear)
{
	contact_constants k;
	k.stiffness = c->stiffness;
	k.damping = normal * c->damping * sqrt(c->stiffness);
	k.shear = c->shear;
	k.shear_damping = shear * c->damping * sqrt(c->shear);
	k.friction = c->friction;
	k.rolling = c->rolling;
	k.radius = radius;
	k.mass = mass;
	k.zeta = c->damping;
	k.exponent = 0;
	k.pulls = 0;
	k.twisting = c->twisting;
	k.surface = c->surface;
	k.cohesion = c->cohesion;
	k.volume = c->volume;
	k.ruptures = c->ruptures;
	k.loading = c->loading;
	k.adhesion = c->adhesion;
	k.hardens = c->hardens;
	k.part = 1;
	return k;
}

/* The constants of the power law come from the scene and do not depend on a body's mass and radius (Govender et al.
 * 2014). Rolling resistance requires a damping ratio, which this law does not have. */
SCREE_FN contact_constants contact_constants_power(const law_constants *c, real radius, real mass)
{
	contact_constants k = contact_constants_of(c, radius, mass, 0, 0);
	k.damping = c->damping;
	k.zeta = 0;
	k.exponent = c->exponent;
	k.pulls = c->pulls;
	return k;
}

SCREE_FN normal_part normal_of(const contact_constants *k, real weight, real scale, real depth, real vn, real share)
{
	normal_part p;
	real spring = weight * k->stiffness * scale * depth;
	real force = spring - weight * k->damping * sqrt(k->mass * scale) * vn;
	p.force = force > 0 ? force : 0;
	p.elastic = share * spring * depth;
	p.power = spring * vn;
	p.heat = (spring - p.force) * vn;
	return p;
}

/* depth^(quarters/4) for 0 to 4 quarters */
SCREE_FN real quarter_power(real depth, real quarters)
{
	real root = sqrt(depth), fourth = sqrt(root);
	real odd = quarters == 1 ? fourth : root * fourth;
	return quarters == 0 ? 1 : quarters == 2 ? root : quarters == 4 ? depth : odd;
}

/* Eqs. 6 and 7 of Govender et al. (2014): F = K_r d^(3/2) - K_D d^exponent v. These equations yield attraction during
 * fast separation, which this function permits if the scene does. */
SCREE_FN normal_part normal_power(const contact_constants *k, real weight, real depth, real vn)
{
	normal_part p;
	real deep = depth > 0 ? depth : 0;
	real spring = weight * k->stiffness * sqrt(deep) * deep;
	real force = spring - weight * k->damping * quarter_power(deep, k->exponent) * vn;
	p.force = force > 0 || k->pulls != 0 ? force : 0;
	p.elastic = (real)0.4 * spring * deep;
	p.power = spring * vn;
	p.heat = (spring - p.force) * vn;
	return p;
}

/* ------------------------------------------------------------------ elastic-plastic spring */

/* Walton and Braun (1986), Luding (2008): eqs. 36-41 of laws.md. The largest overlap so far, `deepest`, determines the
 * stiffness of unloading and the overlap without force. `deepest` is reset when an adhesive contact is torn apart. */
typedef struct plastic_branch {
	real slope; /* N/m, of unloading */
	real rest;	/* m, overlap without force */
} plastic_branch;

/* the overlap above which the contact is elastic, in m */
SCREE_FN real plastic_limit(const contact_constants *k)
{
	real soft = k->stiffness - k->loading;
	return k->hardens > 0 && soft > 0 ? 2 * k->hardens * k->radius * (k->stiffness / soft) : INFINITY;
}

SCREE_FN plastic_branch plastic_branch_of(const contact_constants *k, real limit, real deepest)
{
	plastic_branch b;
	real soft = k->stiffness - k->loading;
	b.slope = limit < INFINITY ? k->loading + soft * (deepest / limit) : k->stiffness;
	b.rest = deepest * ((b.slope - k->loading) / b.slope);
	return b;
}

/* Returns the largest overlap from which unloading reaches the adhesive branch at this one: k2 (d - rest) = -kc d. */
SCREE_FN real plastic_forgets(const contact_constants *k, real limit, real depth)
{
	real soft = k->stiffness - k->loading, both = k->loading + k->adhesion;
	real even = depth * (k->stiffness + k->adhesion) / (soft > 0 ? soft : 1);
	real rises = soft / (limit < INFINITY ? limit : 1);
	real root = (real)0.5 * (depth + sqrt(depth * depth + 4 * both * depth / (rises > 0 ? rises : 1)));
	return limit < INFINITY ? real_min(root, limit) : even;
}

/* energy lost by loading to this largest overlap for the first time, in J */
SCREE_FN real plastic_lost(const contact_constants *k, real limit, real deepest)
{
	return (real)0.5 * k->loading * deepest * plastic_branch_of(k, limit, deepest).rest;
}

/* energy lost on the adhesive branch until the bodies separate, in J */
SCREE_FN real plastic_torn(const contact_constants *k, real limit, real deepest)
{
	const plastic_branch b = plastic_branch_of(k, limit, deepest);
	real depth = b.rest * b.slope / (b.slope + k->adhesion);
	return (real)0.5 * k->adhesion * depth * depth * (1 + k->adhesion / b.slope);
}

typedef struct plastic_part {
	normal_part normal;
	real deepest; /* m */
	real torn;	  /* energy lost when the bodies separate, in J */
	real lost;	  /* energy lost since the last step, in J */
	real pull;	  /* addition to the normal force for friction and rolling, in N */
} plastic_part;

SCREE_FN plastic_part normal_plastic(const contact_constants *k, real overlap, real vn, real deepest)
{
	const real depth = real_max(overlap, 0), limit = plastic_limit(k);
	const real most = real_min(real_max(deepest, depth), limit);
	const plastic_branch b = plastic_branch_of(k, limit, most);
	const real back = b.slope * (depth - b.rest), least = -k->adhesion * depth;
	const bool sticks = back < least, forgets = sticks && k->adhesion > 0;
	const real left = forgets ? real_min(plastic_forgets(k, limit, depth), most) : most;
	const real spring = sticks ? least : back;
	const real slope = forgets ? plastic_branch_of(k, limit, left).slope : b.slope;
	const real dashpot = k->damping * sqrt(k->mass) * vn;
	plastic_part o;
	o.normal.force = real_max(spring - dashpot, real_min(spring, 0));
	o.normal.elastic = (real)0.5 * spring * spring / slope;
	o.normal.power = spring * vn;
	o.normal.heat = (spring - o.normal.force) * vn;
	o.deepest = left;
	o.torn = plastic_torn(k, limit, left);
	o.lost = plastic_lost(k, limit, most) - plastic_lost(k, limit, deepest) + plastic_torn(k, limit, most) - o.torn;
	o.pull = k->adhesion * depth;
	return o;
}

/* Constants of the normal spring and dashpot of a contact that has this part of the stiffness: as if its scale had the
 * factor. */
SCREE_FN contact_constants normal_in_part(contact_constants k, real part, enum law_row law)
{
	k.stiffness *= part;
	k.damping *= law == LAW_POWER ? part : sqrt(part);
	return k;
}

/* Constants of all other terms: scale of the tangential springs, attraction, and drag of the law `power`. */
SCREE_FN contact_constants others_in_part(contact_constants k, real part, enum law_row law)
{
	k.part = part;
	k.surface *= part;
	k.shear *= law == LAW_POWER ? part : 1;
	return k;
}

SCREE_FN contact_constants constants_of(enum law_row law, const law_constants *c, real radius, real mass)
{
	law_constants own = *c;
	switch (law) {
	/* Hertz (1882), Mindlin (1949), with damping proportional to the 1/4 power of the overlap (Tsuji et al. 1992): eqs.
	 * 5-9 of laws.md, with sqrt(5) and sqrt(10/3) */
	case LAW_HERTZ:
		return contact_constants_of(c, radius, mass, (real)2.23606797749978969641, (real)1.82574185835055371152);
	case LAW_POWER:
		return contact_constants_power(c, radius, mass);
	case LAW_OVERLAP: /* derived from the Hertz constants, (4/3) E* and 8 G* */
		own.stiffness *= (real)0.75;
		own.shear *= (real)0.5;
		return contact_constants_of(&own, radius, mass, 2, 2);
	default:
		return contact_constants_of(c, radius, mass, 2, 2);
	}
}

/* Normal part at one point of a patch. The points share the patch's stiffness and mass in proportion to their weights.
 * weight, depth: in the law's measure of overlap; vn > 0: the bodies separate */
SCREE_FN normal_part normal_by(enum law_row law, const contact_constants *k, real weight, real depth, real vn)
{
	switch (law) {
	case LAW_HERTZ:
		return normal_of(k, weight, sqrt(k->radius * depth), depth, vn, (real)0.4);
	case LAW_POWER:
		return normal_power(k, weight, depth, vn);
	case LAW_PLASTIC: /* in a contact without history */
		return normal_plastic(k, depth, vn, 0).normal;
	case LAW_LINEAR:
	/* Tillemans and Herrmann (1995): the normal force is Y area/l, with l from the present positions and the weight
	 * chord/l. Damping is proportional to the rate of the area. The force has no potential; the stored energy is that
	 * of the spring in its present state. */
	case LAW_AREA_LITERAL:
		return normal_of(k, weight, 1, depth, vn, (real)0.5);
	/* The force is the gradient of an energy of the overlap. For volume (docs/theory/volume.md), weight is area^2/V0 in
	 * m, depth is volume/area, and vn is -dV/dt over the area. For area in the plane (docs/theory/area.md), weight is
	 * chord^2/l^2 and depth is area/chord. For volume and thickness (docs/theory/overlap.md), the narrow phase computes
	 * both. The damping ratio is the same as in the linear law for any shape of the overlap. */
	default:
		return normal_of(k, 1, weight, depth, vn, (real)0.5);
	}
}

#endif
