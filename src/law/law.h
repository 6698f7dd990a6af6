/* law.h: the table of contact laws. */
#ifndef SCREE_LAW_LAW_H
#define SCREE_LAW_LAW_H

#include "base/fail.h"
#include "base/real.h"
#include "kernel/law_constants.h"
#include "kernel/patch.h"
#include "state/materials.h"

typedef struct law {
	const char *name, *help;
	/* two materials and their rule to the constants of their pair; false with a sentence when something is missing */
	bool (*derive)(const material *a, const material *b, const contact_rule *rule, law_constants *out, fail *why);
	/* contact time for reduced mass, reduced radius (laws of overlaps: greatest weight, as the loops
	 * know it) and approach speed */
	real (*contact_time)(const law_constants *c, real mass, real radius, real speed);
	overlap_kind overlaps; /* what the narrow phase must give */
	int32_t dimension;	   /* of its worlds; 0: any */
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
