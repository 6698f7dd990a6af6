/* smooth.h: distance and overlap of smooth convex bodies: superquadrics (ellipsoids among them), balls and points, as
 * functions of their poses alone (docs/theory/smooth.md). */
#ifndef SCREE_NARROW_SMOOTH_SMOOTH_H
#define SCREE_NARROW_SMOOTH_SMOOTH_H

#include "narrow/narrow.h"

/* A superquadric (|x/a|^q + |y/b|^q)^(p/q) + |z/c|^p <= 1, grown by a ball. Semi-axes of 0: a ball, or a point. */
typedef struct smooth {
	vec3 at;
	mat3 turn;
	vec3 semi;				/* m: a, b, c; all above 0, or all 0 */
	real power_xy, power_z; /* q and p, at least 2 */
	real round;				/* m, radius of the ball */
	real sharp;				/* m, lower bound of the radii of curvature */
	real radius;			/* m, of the bounding sphere */
} smooth;

/* A superquadric or a ball at its pose. grown: m, added all around */
smooth scree_smooth_of(const placed *p, real grown);
SCREE_FN smooth smooth_point(vec3 at) { return (smooth){.at = at, .power_xy = 2, .power_z = 2}; }

/* Distance of two bodies; < 0: minus the shortest translation that separates them. */
typedef struct smooth_gap {
	vec3 normal; /* unit, from a to b; the gap is that of the two planes along it that touch the bodies */
	real gap;	 /* m; never more than the distance */
	vec3 on_a;	 /* the point of a that is farthest along the normal, from the centre of a */
	real slack;	 /* m: the distance is at most gap + slack */
	bool sure;	 /* slack bounds the error. If the bodies overlap by more than their radii of curvature, it is false:
				  * the best of several directions was taken */
	int32_t steps;
} smooth_gap;
smooth_gap scree_smooth_gap(const smooth *a, const smooth *b);
/* Distance of a body from a point, by steps from this direction. nearby: not the distance, but the maximum of the gap
 * to which it rises from there */
smooth_gap scree_smooth_from(const smooth *s, vec3 point, vec3 from, bool nearby);
/* Relative to the size of both bodies: the slack of a certified distance is at most this. That of ellipsoids is below
 * 1e-12; a flat side determines its contact point less well. */
#define SMOOTH_SLACK ((real)1e-4)

/* Distance of a body from a segment; normal: from the body. point: the nearest point of the segment */
typedef struct smooth_line {
	smooth_gap gap;
	vec3 point;
	real part; /* fraction of the way from p to q */
} smooth_line;
smooth_line scree_smooth_segment(const smooth *s, vec3 p, vec3 q);
/* Distance of a body from the endless line through p along a unit vector; minus the smallest shift across the line. */
smooth_gap scree_smooth_line_gap(const smooth *s, vec3 p, vec3 line);

/* Distance of a body from a convex polyhedron, whose normal is from the body. Beyond `reach` it is a lower bound. */
smooth_gap scree_smooth_solid(const smooth *s, const placed *b, real reach);
/* Distance of two bodies: superquadrics, balls or polyhedra, and at least one superquadric. */
smooth_gap scree_smooth_pair(const placed *a, const placed *b, real reach);

/* The plane that touches a body from the side of n: n.x <= reach for all of its points, from its centre. */
typedef struct smooth_plane {
	real reach; /* m */
	vec3 at;	/* the point that touches it, from the centre */
	real bend;	/* m: second derivative of `reach` along t, for a unit vector t across n */
} smooth_plane;
smooth_plane scree_smooth_plane(const smooth *s, vec3 n, vec3 t);

/* Contacts of two bodies as for scree_smooth_pair at a distance of less than `reach`; at most one. Returns a lower
 * bound of the distance, or 0 if there is a contact. ra, rb: radii for laws. centre: `at` is relative to it */
real scree_smooth_points(const placed *a, const placed *b, real ra, real rb, real reach, vec3 centre, uint64_t feature,
						 point_list *out);
/* Contacts of a superquadric, grown by a ball, with a wall; as scree_sphere_wall, but several with a cylinder or a
 * cone, which have places. power: of the overlap in the force of the law, 1 or 1.5 */
void scree_smooth_wall(const placed *body, real grown, real power, const near_wall *to, touch_list *out);

typedef struct support {
	real reach;		 /* largest n.x of the body's points, from its centre */
	vec3 at;		 /* the point that has it */
	real tt, tu, uu; /* second derivatives along t and u */
} support;

/* n, t, u: perpendicular unit vectors */
support scree_smooth_support(const smooth *s, vec3 n, vec3 t, vec3 u);

/* The outward unit normal of a superquadric at a point, or at the point of the surface on the ray through it; in the
 * axes of the body. */
vec3 scree_smooth_normal(const smooth *s, vec3 p);

#endif
