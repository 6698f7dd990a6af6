/* law.h: the table of contact laws. */
#ifndef SCREE_MODEL_LAW_H
#define SCREE_MODEL_LAW_H

#include "base/fail.h"
#include "base/real.h"
#include "kernel/law_constants.h"
#include "kernel/patch.h"
#include "model/materials.h"

/* Properties of a rule and of its materials that a law uses; it ignores the others. */
enum {
	TAKES_YOUNG = 1,	   /* young and poisson of both materials, required */
	TAKES_STIFFNESS = 2,   /* stiffness, required, and tangential_ratio */
	TAKES_POWER = 4,	   /* the mapping power, required */
	TAKES_RESTITUTION = 8, /* with rolling_friction and twisting_friction */
	TAKES_COHESION = 16,
	TAKES_JKR = 32 /* cohesion of kind JKR */
};

/* Growth of the normal spring with the overlap. */
typedef enum law_spring {
	SPRING_EVEN,	 /* not at all */
	SPRING_GROWS,	 /* force K d^(3/2), K from the materials */
	SPRING_OF_RADIUS /* force K sqrt(radius) d^(3/2) */
} law_spring;

/* Springs at rest over springs in the impact that gives the contact time. A spring that grows is softer at rest in a
 * packing than in this impact, and a spring of areas or volumes is softer than flat contact along the longest edge
 * or on the widest face. Fractions for spheres and polyhedra in space, and for bodies with friction in the plane
 * (measured, docs/theory/motion.md, "Packings and damping"). */
typedef struct at_rest {
	real round, edged, flat;
} at_rest;

typedef struct law {
	const char *name, *help;
	/* constants of a pair from two materials and their rule; false with a message if something is missing */
	bool (*derive)(const material *a, const material *b, const contact_rule *rule, law_constants *out, fail *why);
	/* contact time for reduced mass, reduced radius (laws of overlaps: greatest weight, as in the loops) and
	 * approach speed */
	real (*contact_time)(const law_constants *c, real mass, real radius, real speed);
	overlap_kind overlaps; /* overlap that the narrow phase must provide */
	int32_t dimension;	   /* of its worlds; 0: any */
	uint32_t takes;		   /* TAKES_..  */
	int32_t of_spheres;	   /* row of the equivalent law for touching spheres in space, often its own */
	law_spring spring;
	real slope; /* stiffness of the spring over `stiffness`, as `shear` is over its own */
	at_rest rest;
	real tilts; /* damping of polyhedra in a packing by dashpots of tilt, in units of normal dashpots of one contact */
	bool viscous; /* friction and damping are dashpots of given size, without memory */
	bool literal; /* exactly as in the cited paper: need not conserve energy; in the plane its weight is no square */
} law;

extern const law scree_laws[LAWS];
const char *scree_law_name(int k); /* NULL: no more laws in this build (model/choices.h) */
/* m: equilibrium overlap of two bodies held together by their cohesion alone; INFINITY: none */
real scree_law_pulled_in(const law_constants *c, real radius);
/* N: upper bound on the load that a contact supports before the overlap reaches `depth`. round: radius of the sphere
 * of the body's volume; radius: of its bounding sphere, m */
real scree_law_bears(const law_constants *c, real round, real radius, real depth);
/* damping ratio of the spring at the overlap of an impact at this speed */
real scree_law_damping_ratio(const law_constants *c, real mass, real speed);

/* A contact as it is, linearised: springs in N/m (of turning N m), dashpots in N s/m (N m s). */
typedef struct local_law {
	real spring, dashpot;	   /* along the normal */
	real shear, shear_dashpot; /* tangential, while the contact sticks */
	real roll, roll_dashpot;   /* rotation across the normal */
	real twist, twist_dashpot; /* rotation about the normal */
} local_law;

/* For reduced radius and mass; scale: pair_list.stiff, elastic: J. Rolling and torsion as in turning.h. */
local_law scree_law_local(const law_constants *c, real radius, real mass, real scale, real elastic);

#endif
