/* capsule.h: contacts of capsules, the sets of points within a radius of a segment (docs/theory/smooth.md). */
#ifndef SCREE_NARROW_SMOOTH_CAPSULE_H
#define SCREE_NARROW_SMOOTH_CAPSULE_H

#include "narrow/narrow.h"

/* A segment: midpoint, direction, and half length; a capsule of length 0 is a ball. */
typedef struct capsule {
	vec3 at, along; /* unit */
	real half, radius;
} capsule;
capsule scree_capsule_of(const placed *p);
SCREE_FN vec3 capsule_point(const capsule *c, real s) { return v3_madd(c->at, s, c->along); }
/* Returns the coordinate of the segment's point nearest to p. */
SCREE_FN real capsule_foot(const capsule *c, vec3 p)
{
	return real_clamp(v3_dot(v3_sub(p, c->at), c->along), -c->half, c->half);
}
SCREE_FN vec3 capsule_nearest(const capsule *c, vec3 p) { return capsule_point(c, capsule_foot(c, p)); }
/* Finds the coordinates of the nearest points of two segments, if both points are between the ends. */
bool scree_capsules_cross(const capsule *a, const capsule *b, real *on_a, real *on_b);

/* Finds contacts between a capsule and a capsule, a ball, a superquadric, or a polyhedron, in either order; like
 * scree_smooth_points. power: as for scree_parts_points */
real scree_capsule_points(const placed *a, const placed *b, real ra, real rb, real reach, real power, vec3 centre,
						  uint64_t feature, point_list *out);
/* Returns the distance between a capsule and one of these bodies, or minus the largest overlap if they overlap. */
real scree_capsule_gap(const placed *a, const placed *b);
/* Like scree_sphere_wall, for a part of a capsule enlarged by a ball: parts 0 and 1 are the balls at its ends, part 2
 * the bar between them. Points are relative to the centre of the capsule. probe: memory */
enum { CAPSULE_PARTS = 3 };
void scree_capsule_wall(const placed *body, int32_t part, real grown, const near_wall *to, touch_list *probe,
						touch_list *out);

typedef struct capsule_query {
	real ra, rb, reach;
	real power;		   /* exponent of the overlap in the force */
	vec3 from, centre; /* the first body's centre, and the origin of contact points */
	uint64_t feature;
	real least; /* the smallest distance so far */
	point_list *out;
} capsule_query;

/* The contacts at the ends of two bodies' common range have the features 0 and 1. */
enum { FEATURE_NEAREST = 4 };
/* The overlap, if any, exerts this share of the force; at: relative to the query's centre */
void scree_capsule_add(capsule_query *o, uint64_t feature, vec3 normal, vec3 at, real depth, real share);

typedef struct between {
	vec3 on_a, on_b;
	real distance;
} between;
between scree_capsules_nearest(const capsule *a, const capsule *b);
/* An end of one segment and the nearest point of the other, which is an end only if both segments end there. */
between scree_capsules_common_end(const capsule *a, const capsule *b, bool upper);
/* Fractions of the contacts' forces that count. */
typedef struct shares {
	real end[2], nearest; /* at both ends of the common range, and where the bodies are nearest */
	real to_middle; /* position of the nearest contact: 0 at the nearest point, 1 at the middle of the common range */
} shares;
/* deepest: largest overlap; end: overlaps at the ends of the common range; length: length of that range divided by the
 * sum of the radii */
shares scree_capsule_shares(real deepest, const real end[2], real length, real power);

/* first: whether the capsule is the pair's first body */
void scree_capsule_with_solid(capsule_query *o, const placed *rod, const placed *solid, bool first);

#endif
