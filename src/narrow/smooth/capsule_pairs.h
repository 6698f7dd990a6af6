/* capsule_pairs.h: contacts of a capsule with another body, and the parts of the force that they share; private to
 * src/narrow/smooth. */
#ifndef SCREE_NARROW_SMOOTH_CAPSULE_PAIRS_H
#define SCREE_NARROW_SMOOTH_CAPSULE_PAIRS_H

#include "narrow/smooth/capsule.h"

/* A query about two bodies. */
typedef struct capsule_query {
	real ra, rb, reach;
	real power;		   /* exponent of the overlap in the force */
	vec3 from, centre; /* the first body's centre, and the point from which contact points are given */
	uint64_t feature;
	real least; /* the smallest distance so far */
	point_list *out;
} capsule_query;

/* Features of the contacts at both ends of the part that two bodies have in common are 0 and 1. */
enum { FEATURE_NEAREST = 4 };
/* Adds a contact with an overlap that has this share of the force; at: from the query's centre. At a distance the share
 * has no effect. */
void scree_capsule_add(capsule_query *o, uint64_t feature, vec3 normal, vec3 at, real depth, real share);

/* A point on each of two segments. */
typedef struct between {
	vec3 on_a, on_b;
	real distance;
} between;
between scree_capsules_nearest(const capsule *a, const capsule *b);
/* An end of the common part of two segments: the points nearest to the end of the other segment. One of
 * them is an end, unless both segments end there. */
between scree_capsules_common_end(const capsule *a, const capsule *b, bool upper);

/* The parts of their forces with which contacts count. */
typedef struct shares {
	real end[2], nearest; /* at both ends of the common part, and where the bodies are nearest */
	real to_middle;		  /* part of the way of the latter to the middle of the common part, from 0 to 1 */
} shares;
/* deepest: largest overlap; end: overlaps at the ends of the common part; length: of that, over the sum of the radii
 */
shares scree_capsule_shares(real deepest, const real end[2], real length, real power);

/* first: the capsule is the first body */
void scree_capsule_with_solid(capsule_query *o, const placed *rod, const placed *solid, bool first);

#endif
