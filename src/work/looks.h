/* looks.h: what stages have seen that a guard or a report reads. */
#ifndef SCREE_WORK_LOOKS_H
#define SCREE_WORK_LOOKS_H

#include "base/real.h"

/* Who asks most of the time step: a body with its contacts, beside what the integrator bears (docs/theory/motion.md,
 * "Packings and damping"). */
typedef struct step_load {
	real part; /* of what is borne, with the step as it is; above 1: the body may hum */
	int32_t body;
	uint64_t id;
	int64_t contacts;
	real time; /* s, when */
} step_load;

/* Surfaces that go through each other: of two bodies, or of a body and a wall. */
typedef struct crossing {
	bool found;
	bool soon;			/* in the step to come, at the speed of now */
	int32_t a, b, wall; /* b: -1 with a wall; wall: -1 of two bodies */
} crossing;

/* Of the bodies that there are, infinite where there is none: the thinnest halo, and the radius of the smallest ball,
 * in m. */
typedef struct halo_bounds {
	bool any; /* bodies with a halo */
	real thinnest, ball;
} halo_bounds;

/* A body whose centre has come to the other side of a wall. */
typedef struct breach {
	bool found;
	bool from_behind; /* of a wall that acts on one side */
	int32_t body, wall;
	vec3 at; /* m, where on the wall */
} breach;

/* Two bodies that may come through each other: their overlap is too great beside their thickness, or a step hides an
 * overlap that neither its start nor its end shows. */
typedef struct passing {
	bool found;
	bool jumped; /* within one step; then: */
	real way;	 /* m: displacement against each other in this step, and */
	int32_t a, b;
	real depth, thick; /* m: overlap, and the thickness between the two (shape/thickness.h) */
	real limit;		   /* part of the thickness that is allowed */
	vec3 at;		   /* m */
} passing;

/* Contacts that there are before the first step: what overlaps much or holds much energy was not laid out at rest. */
typedef struct start_look {
	int64_t contacts; /* that are worth a warning */
	real overlap;	  /* the greatest, over the diameter of the smaller body's sphere of the same volume; */
	uint64_t body;	  /* of this body, */
	uint64_t other;	  /* with this one, or 0: */
	int32_t wall;	  /* with this wall */
	real speed;		  /* m/s, at which its energy would drive these two apart */
	real elastic;	  /* J, of all contacts */
	real quantum;	  /* N, of forces, */
	real coarsest;	  /* over the weight of the lightest body, */
	uint64_t lightest;
} start_look;

/* The deepest contact of all that were deeper than DEEP_OVERLAP of the smaller body, which laws of contact are not made
 * for. It is found again only when the overlap has grown by a twentieth. */
#define DEEP_OVERLAP ((real)0.05)
typedef struct deep_look {
	real part;			  /* as greatest_overlap_part; 0: none was so deep */
	uint64_t body, other; /* ids; other 0: with */
	int32_t wall;
	int32_t material[2];
	real time; /* s */
} deep_look;

#endif
