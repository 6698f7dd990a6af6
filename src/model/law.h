/* law.h: the table of contact laws. */
#ifndef SCREE_MODEL_LAW_H
#define SCREE_MODEL_LAW_H

#include "base/fail.h"
#include "base/real.h"
#include "kernel/law_constants.h"
#include "kernel/patch.h"
#include "model/materials.h"

/* What of a rule and of its materials a law knows; the rest has no meaning for it. */
enum {
	TAKES_YOUNG = 1,	   /* young and poisson of both materials, which it needs */
	TAKES_STIFFNESS = 2,   /* stiffness, which it needs, and tangential_ratio */
	TAKES_POWER = 4,	   /* the mapping power, which it needs */
	TAKES_RESTITUTION = 8, /* with rolling_friction and twisting_friction */
	TAKES_COHESION = 16,
	TAKES_JKR = 32 /* among kinds of cohesion */
};

/* How its normal spring grows with the overlap. */
typedef enum law_spring {
	SPRING_EVEN,	 /* not at all */
	SPRING_GROWS,	 /* force K d^(3/2), K of the materials, */
	SPRING_OF_RADIUS /* or K sqrt(radius) d^(3/2) */
} law_spring;

/* A spring that grows is softer at rest in a packing than in the impact that gives the contact time, and one of areas
 * and volumes than flat along the longest edge or on the widest face: this part of it, of spheres and polyhedra in
 * space, and of what rubs in the plane (measured, docs/theory/motion.md, "Packings and damping"). */
typedef struct at_rest {
	real round, edged, flat;
} at_rest;

typedef struct law {
	const char *name, *help;
	/* two materials and their rule to the constants of their pair; false with a sentence when something is missing */
	bool (*derive)(const material *a, const material *b, const contact_rule *rule, law_constants *out, fail *why);
	/* contact time for reduced mass, reduced radius (laws of overlaps: greatest weight, as the loops
	 * know it) and approach speed */
	real (*contact_time)(const law_constants *c, real mass, real radius, real speed);
	overlap_kind overlaps; /* what the narrow phase must give */
	int32_t dimension;	   /* of its worlds; 0: any */
	uint32_t takes;		   /* TAKES_..  */
	int32_t of_spheres;	   /* the law that it is where spheres in space touch: a row, often itself */
	law_spring spring;
	real slope; /* stiffness of the spring over `stiffness`, as `shear` is over its own */
	at_rest rest;
	real tilts;	  /* what dashpots of tilt add to the damping of polyhedra in a packing, in normal ones of a contact */
	bool viscous; /* friction and damping are dashpots of given size, without memory */
	bool literal; /* as printed in a paper: need not keep energy; in the plane its weight is no square */
} law;

extern const law scree_laws[LAWS];
int scree_law_find(const char *name); /* -1: none */
/* m: the overlap at which two bodies rest that nothing but their cohesion holds together; INFINITY: at none */
real scree_law_pulled_in(const law_constants *c, real radius);
/* N: what a body bears of a contact before it overlaps by `depth`: an upper bound. round: of the sphere of its volume;
 * radius: of the one around it, m */
real scree_law_bears(const law_constants *c, real round, real radius, real depth);
/* of the spring at the overlap of an impact at this speed */
real scree_law_damping_ratio(const law_constants *c, real mass, real speed);

/* A contact as it is, linearised: springs in N/m (of turning N m), dashpots in N s/m (N m s). */
typedef struct local_law {
	real spring, dashpot;	   /* along the normal */
	real shear, shear_dashpot; /* of what slides, while it sticks */
	real roll, roll_dashpot;   /* of turning across the normal, */
	real twist, twist_dashpot; /* and about it */
} local_law;

/* For reduced radius and mass; scale: pair_list.stiff, elastic: J. Rolling and torsion as turning.h has them. */
local_law scree_law_local(const law_constants *c, real radius, real mass, real scale, real elastic);

#endif
