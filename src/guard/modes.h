/* modes.h: stiffest motion of all bodies with their contacts (docs/theory/motion.md, "Packings and damping"). */
#ifndef SCREE_GUARD_MODES_H
#define SCREE_GUARD_MODES_H

#include "model/declared.h"
#include "ranks/together/domain.h"

/* Stiffnesses of a contact, or its damping coefficients, or the sum of both, weighted for the integrator. */
typedef struct hold {
	vec3 normal, at; /* at: position relative to the centre of the body under test */
	vec3 there;		 /* position of the same point relative to the centre of its partner */
	int32_t partner; /* row of the other body, or -1 for a wall or a body that does not yield */
	real across;	 /* stiffness or damping for tangential motion; along: the same for normal motion */
	real along;
	real rolls, twists; /* stiffness or damping for relative rotation about a tangent, and about the normal */
} hold;

/* The contacts of all owned bodies; contacts first[i] to first[i + 1] - 1 belong to body i. */
typedef struct held_bodies {
	const struct model *m;
	const state *s;
	const int64_t *first;
	const hold *hold;
} held_bodies;

/* Largest eigenvalue of all contacts, divided by the masses and moments of inertia of all bodies of the world, to
 * within a few per cent. All parts of the world must call it together. */
real scree_greatest_mode(const held_bodies *o, const domain *d);

#endif
