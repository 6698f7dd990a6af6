/* looks.h: results of stages for guards and reports. */
#ifndef SCREE_WORK_LOOKS_H
#define SCREE_WORK_LOOKS_H

#include "base/fixed.h"

/* The body that limits the time step: its load divided by the stability limit (motion.md, "Packings and damping"). */
typedef struct step_load {
	real part;	  /* load relative to the stability limit, for the current step; above 1 the body may oscillate */
	int32_t body; /* row in its part of the world; -1 if there is none */
	uint64_t id;
	int64_t contacts;
	real time, dt; /* time of this load, and the time step to which it refers, in s */
} step_load;

/* Two surfaces that pass through each other: of two bodies, or of a body and a wall. */
typedef struct crossing {
	bool found;
	bool soon;			/* the surfaces will pass through each other in the next step, at the current velocity */
	int32_t a, b, wall; /* b is -1 with a wall; wall is -1 between two bodies */
} crossing;

/* Thinnest halo and smallest ball radius of all bodies, in m; infinite if there are none. */
typedef struct halo_bounds {
	bool any; /* some bodies have halos */
	real thinnest, ball;
} halo_bounds;

/* A body whose centre has passed to the other side of a wall. */
typedef struct breach {
	bool found;
	bool from_behind; /* the body came from the back of a one-sided wall */
	int32_t body, wall;
	vec3 at; /* position on the wall, in m */
} breach;

/* Two bodies that may pass through each other: an overlap too large for their thickness, or only within the step. */
typedef struct passing {
	bool found;
	bool jumped; /* the bodies overlap only within one step; `way` is then set */
	real way;	 /* relative displacement in this step, in m */
	int32_t a, b;
	real depth, thick; /* overlap, and the thickness between the two bodies (shape/thickness.h), in m */
	real limit;		   /* allowed fraction of the thickness */
	vec3 at;		   /* m */
} passing;

/* Contacts before the first step: large overlaps or energies mean that bodies were not set up at rest. */
typedef struct start_look {
	int64_t contacts; /* number worth a warning */
	real overlap;	  /* largest overlap, relative to the diameter of the sphere with the volume of the smaller body */
	uint64_t body;	  /* id of the body with this overlap */
	uint64_t other;	  /* id of its partner, or 0 for a wall */
	int32_t wall;	  /* row of the wall, if a wall is the partner */
	real speed;		  /* speed to which the contact energy would accelerate the two bodies, in m/s */
	fixed elastic;	  /* energy of all contacts, in J */
	real quantum;	  /* N: quantum of forces */
	real coarsest;	  /* quantum relative to the weight of the lightest body */
	uint64_t lightest;
} start_look;

/* The deepest contact so far, if its overlap exceeds DEEP_OVERLAP times the size of the smaller body; beyond that,
 * contact laws are not valid. The search is repeated only after the overlap has grown by a twentieth. */
#define DEEP_OVERLAP ((real)0.05)
typedef struct deep_look {
	real part;			  /* defined like greatest_overlap_part; 0 if no contact was that deep */
	uint64_t body, other; /* ids; other 0: a wall */
	int32_t wall;
	int32_t material[2];
	real time; /* s */
} deep_look;

#endif
