/* law.h: the table of contact laws. */
#ifndef SCREE_MODEL_LAW_H
#define SCREE_MODEL_LAW_H

#include "base/fail.h"
#include "base/real.h"
#include "kernel/law_constants.h"
#include "kernel/patch.h"
#include "model/materials.h"

/* Properties of a pair of materials that a law uses; it ignores all others. */
enum {
	TAKES_YOUNG = 1,	   /* requires young and poisson of both materials */
	TAKES_STIFFNESS = 2,   /* requires stiffness; uses tangential_ratio */
	TAKES_POWER = 4,	   /* requires the mapping `power` */
	TAKES_RESTITUTION = 8, /* uses rolling_friction and twisting_friction */
	TAKES_COHESION = 16,
	TAKES_JKR = 32,	   /* supports cohesion of kind JKR */
	TAKES_PLASTIC = 64 /* requires the mapping `plastic` */
};

/* Growth of the normal spring's stiffness with the overlap. */
typedef enum law_spring {
	SPRING_EVEN,	 /* none */
	SPRING_GROWS,	 /* force K d^(3/2), where K follows from the materials */
	SPRING_OF_RADIUS /* force K sqrt(radius) d^(3/2) */
} law_spring;

/* Stiffness of a spring at rest over its stiffness in the impact that determines the contact time: springs that stiffen
 * with the overlap are softer at rest. Area- and volume-based laws have softer springs than a flat contact along the
 * longest edge or on the widest face. The fractions are for spheres and polyhedra in space, and for bodies with
 * friction in the plane (measured, docs/theory/motion.md, "Packings and damping"). */
typedef struct at_rest {
	real round, edged, flat;
} at_rest;

typedef struct law {
	const char *name, *help;
	/* sets the constants of a pair from two materials and their rule; false with a message if something is missing */
	bool (*derive)(const material *a, const material *b, const contact_rule *rule, law_constants *out, fail *why);
	/* contact time for reduced mass, speed and reduced radius; overlap-based laws take the largest weight as radius */
	real (*contact_time)(const law_constants *c, real mass, real radius, real speed);
	overlap_kind overlaps; /* measure of the overlap that the narrow phase must provide */
	int32_t dimension;	   /* dimension of the worlds that the law supports; 0 for any */
	uint32_t takes;		   /* TAKES_..  */
	int32_t of_spheres;	   /* row of the equivalent law for touching spheres in space; often the law itself */
	law_spring spring;
	real slope; /* stiffness of the normal spring, relative to `stiffness`; this ratio is 1 for the tangential spring */
	at_rest rest;
	real tilts;	  /* damping of packed polyhedra by tilt dashpots, in units of one contact's normal dashpot */
	bool round;	  /* whether the theory holds only for contacts between balls (of spheres and clumps) */
	bool viscous; /* whether friction and damping are dashpots with given coefficients, without memory */
	/* whether the law is exactly as in the cited paper, in which case it may not conserve energy; in the plane its
	 * weight is not squared */
	bool literal;
} law;

extern const law scree_laws[LAWS];
/* The law of these constants, or -1 if they differ in law; and what contacts need in addition to it. */
int32_t scree_laws_same(const law_constants *c, int64_t count);
enum extra scree_laws_extra(const law_constants *c, int64_t count);
/* power of the overlap in the force of a contact with one point: 1 or 1.5 */
real scree_law_power(int32_t law);
/* equilibrium overlap, in m, of two bodies held together only by their cohesion; INFINITY if there is none */
real scree_law_pulled_in(const law_constants *c, real radius);
/* upper bound on the load, in N, that a contact supports before its overlap reaches `depth`. round: radius of the
 * sphere with the body's volume, in m; radius: radius of its bounding sphere, in m */
real scree_law_bears(const law_constants *c, real round, real radius, real depth);
/* damping ratio of the spring at the overlap of an impact at this speed */
real scree_law_damping_ratio(const law_constants *c, real mass, real speed);

/* A contact linearized at its current state: springs in N/m (rotational ones in N m) and dashpots in N s/m (N m s). */
typedef struct local_law {
	real spring, dashpot;	   /* along the normal */
	real shear, shear_dashpot; /* tangential spring, while the contact sticks */
	real roll, roll_dashpot;   /* rotation about axes perpendicular to the normal */
	real twist, twist_dashpot; /* rotation about the normal */
} local_law;

/* Linearizes the contact with this reduced radius and mass. scale: pair_list.stiff; elastic: normal spring energy, J */
local_law scree_law_local(const law_constants *c, real radius, real mass, real scale, real elastic);

#endif
