/* cohesion.h: attraction between two spheres, or a sphere and a wall, in addition to the repulsion of a law
 * (docs/theory/laws.md, "Cohesion"). gamma is the energy of one surface, so that the work of adhesion is w = 2 gamma.
 * All functions are pure. */
#ifndef SCREE_KERNEL_COHESION_H
#define SCREE_KERNEL_COHESION_H

#include "base/real.h"

typedef enum cohesion_kind {
	COHESION_NONE,
	COHESION_JKR,
	COHESION_DMT,
	COHESION_SIMPLE,
	COHESION_CAPILLARY,
	COHESIONS
} cohesion_kind;

typedef struct adhesion {
	/* N; for JKR the total normal force including repulsion, negative if attractive, otherwise the attraction, >= 0 */
	real force;
	real energy; /* stored energy in J; relative to first contact for JKR, otherwise below zero */
	real pull;	 /* addition to the normal force for friction and rolling, in N */
	real radius; /* radius of the contact circle for JKR, in m */
} adhesion;

/* Newton's method. The first guess, from 1/3 = 1/4 + 1/16 + 1/64 + 1/256 + .., is accurate to a few percent. */
SCREE_FN real cube_root(real x)
{
	real s = sqrt(sqrt(x)), t = sqrt(sqrt(s)), u = sqrt(sqrt(t)), v = sqrt(sqrt(u)), y = s * t * u * v;
	for (int i = 0; i < 5; ++i) y -= (y * y * y - x) / (3 * y * y);
	return y;
}

/* Johnson, Kendall and Roberts (1971). Without load the contact circle has a radius a0, where a0^3 = 9 pi w R^2 / (2
 * E*). With y, the square root of a / a0, the overlap is (a0^2 / R) (y^4 - 2/3 y) and the force is 4 F_c (y^6 - y^3),
 * F_c = 3/2 pi w R. The contact breaks at the smallest overlap, y^3 = 1/6. */
SCREE_FN real jkr_length(real gamma, real young, real radius) /* a0^2 / R */
{
	real a = cube_root(9 * (real)3.14159265358979323846 * gamma * radius * radius / young);
	return a * a / radius;
}

/* Returns the larger root y of y^4 - 2/3 y = deep. Newton's method starts above the root, where the curve is convex, so
 * the iterates only decrease. At the fold, where both roots coincide, each step halves the distance to the root; above
 * pull-off, 8 steps suffice. */
SCREE_FN real jkr_root_by(real deep, int steps)
{
	real positive = deep > 0 ? deep : 0;
	real y = sqrt(sqrt(positive)) + (real)0.8735804647362989;
	for (int i = 0; i < steps; ++i) {
		real y3 = y * y * y, slope = 4 * y3 - (real)2 / 3;
		real step = (y3 * y - (real)2 / 3 * y - deep) / (slope > (real)1e-9 ? slope : (real)1e-9);
		y -= step > 0 ? step : 0;
	}
	real fold = (real)0.5503212081491045; /* (1/6)^(1/3) */
	return y > fold ? y : fold;
}

SCREE_FN real jkr_root(real deep) { return jkr_root_by(deep, 24); }

/* (2/3 - 1/6) (1/6)^(1/3): a contact breaks at an overlap of -JKR_SNAP a0^2 / R. */
SCREE_CONSTANT real JKR_SNAP = (real)0.2751606040745522;

/* Without motion the contact holds until pull-off, y^3 = 1/2, at this overlap in units of a0^2 / R: (1/2)^(4/3) - 2/3
 * (1/2)^(1/3). Above that overlap the force consists of a constant pull F_c and a spring 4 F_c (y^3 - 1/2)^2. */
SCREE_CONSTANT real JKR_HOLDS = (real)-0.1322834208;

typedef struct jkr_spring {
	real force, slope; /* force (N) and stiffness (N/m) in addition to the pull */
	real radius;	   /* radius of the contact circle, in m */
} jkr_spring;

SCREE_FN jkr_spring jkr_spring_at(real pull, real radius, real length, real depth)
{
	const real y = jkr_root_by(depth / length, 8), over = real_max(y * y * y - (real)0.5, 0);
	const real slope = 24 * pull * over * y * y / ((4 * y * y * y - (real)2 / 3) * length);
	jkr_spring s = {4 * pull * over * over, slope, sqrt(length * radius) * y * y};
	return s;
}

SCREE_FN adhesion adhesion_jkr(real gamma, real radius, real length, real depth)
{
	adhesion o;
	real pull = 3 * (real)3.14159265358979323846 * gamma * radius, y = jkr_root(depth / length);
	real y3 = y * y * y;
	o.force = 4 * pull * y3 * (y3 - 1);
	/* 0.4 y^10 - 2/3 y^7 + y^4 / 6, less its value at first contact, y^3 = 2/3 */
	real stored = y * y3 * ((real)0.4 * y3 * y3 - (real)2 / 3 * y3 + (real)1 / 6);
	o.energy = 4 * pull * length * (stored + (real)0.05823869764908659);
	o.pull = 2 * pull; /* Thornton (1991): contacts slide at the tangential force mu (F + 2 F_c) */
	o.radius = sqrt(length * radius) * y * y;
	return o;
}

/* Derjaguin, Muller and Toporov (1975): Hertz with a constant attraction during contact. */
SCREE_FN adhesion adhesion_dmt(real gamma, real radius, real depth)
{
	real pull = 4 * (real)3.14159265358979323846 * gamma * radius;
	adhesion o = {pull, -pull * depth, pull, 0};
	return o;
}

/* Returns the fraction of the last step that has passed since the gap was 0, at the present rate. A force that jumps
 * when a contact begins or ends acts only while there is contact; otherwise the error would be of first order in the
 * step. way, most: distances covered since the gap was 0, and in a whole step at this rate. If the overlap is too deep
 * for the rate (2 most), the bodies were in contact from the start, and one half leaves the force below unchanged. */
SCREE_FN real part_since(real way, real most)
{
	real part = way < 2 * most ? way / most : (real)0.5;
	return part < 1 ? part : 1;
}

/* In velocity Verlet a force acts for half a step before and half a step after the time at which it is computed. A
 * force that begins therefore acts for its fraction of the last step and half of the next step. A force that has ended
 * has already acted for half a step, which is corrected. */
SCREE_FN real share_begun(real way, real most) { return (real)0.5 + part_since(way, most); }
SCREE_FN real share_ended(real way, real most) { return (real)0.5 - part_since(way, most); }

/* A liquid bridge between two spheres, or a sphere and a plane: the closed form of Willett et al. (2000) for small
 * volumes, F = 2 pi R' gamma cos(theta)/(1 + 1.05 s + 2.5 s^2) where s = S sqrt(R'/V), S is the separation and R' is
 * twice the reduced radius. The force is constant while the spheres touch. surface: gamma cos(theta). The energy,
 * relative to zero gap, is the integral of the force, whose denominator has no real root. */
typedef struct bridge {
	real pull;	 /* N, while the spheres touch */
	real narrow; /* 1/m, s over S */
} bridge;

SCREE_FN bridge bridge_of(real surface, real volume, real radius)
{
	bridge b = {4 * (real)3.14159265358979323846 * radius * surface, sqrt(2 * radius / volume)};
	return b;
}

/* Inverse tangent of x >= 0 without a library: the series after three halvings is exact to the last bits. */
SCREE_FN real bridge_atan(real x)
{
	real y = x;
	for (int i = 0; i < 3; ++i) y = y / (1 + sqrt(1 + y * y));
	real z = y * y, sum = 0;
	for (int k = 27; k >= 1; k -= 2) sum = (real)1 / k - z * sum;
	return 8 * y * sum;
}

SCREE_FN adhesion adhesion_capillary(real surface, real volume, real radius, real depth)
{
	const real root = sqrt(4 * (real)2.5 - (real)1.05 * (real)1.05);
	const bridge b = bridge_of(surface, volume, radius);
	const real apart = depth < 0 ? -depth : 0, s = apart * b.narrow;
	adhesion o;
	o.force = o.pull = b.pull / (1 + ((real)1.05 + (real)2.5 * s) * s);
	o.energy = depth < 0 ? b.pull / b.narrow * (2 / root) *
							   (bridge_atan((5 * s + (real)1.05) / root) - bridge_atan((real)1.05 / root))
						 : -b.pull * depth;
	o.radius = 0;
	return o;
}

/* Energy per overlap volume: density times the area of the circle of intersection, 2 pi R depth for small depth / R. */
SCREE_FN adhesion adhesion_simple(real density, real radius, real depth)
{
	real pull = 2 * (real)3.14159265358979323846 * radius * density * depth;
	adhesion o = {pull, -pull * depth / 2, pull, 0};
	return o;
}

#endif
