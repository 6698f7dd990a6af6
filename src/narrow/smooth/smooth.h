/* smooth.h: distance and overlap of smooth convex bodies: superquadrics (ellipsoids among them), balls and points,
 * computed only from their poses (docs/theory/smooth.md), and contacts with forms of walls, in their frames. */
#ifndef SCREE_NARROW_SMOOTH_SMOOTH_H
#define SCREE_NARROW_SMOOTH_SMOOTH_H

#include "narrow/narrow.h"
#include "narrow/touch_list.h"

/* A superquadric (|x/a|^q + |y/b|^q)^(p/q) + |z/c|^p <= 1, enlarged by a ball. Semi-axes of 0: a ball, or a point. */
typedef struct smooth {
	vec3 at;
	mat3 turn;
	vec3 semi;				/* m: a, b, c; all above 0, or all 0 */
	real power_xy, power_z; /* q and p, at least 2 */
	real round;				/* m, radius of the ball */
	real sharp;				/* m, lower bound on the radii of curvature */
	real radius;			/* m, of the bounding sphere */
} smooth;

/* Returns a superquadric or a ball at its pose. grown: m, added all around */
smooth scree_smooth_of(const placed *p, real grown);
SCREE_FN smooth smooth_point(vec3 at) { return (smooth){.at = at, .power_xy = 2, .power_z = 2}; }

/* Distance of two bodies; < 0: minus the shortest translation that separates them. */
typedef struct smooth_gap {
	vec3 normal; /* unit, from a to b; the gap is that of the two planes along it that touch the bodies */
	real gap;	 /* m; never more than the distance */
	vec3 on_a;	 /* the point of a farthest along the normal, from the centre of a */
	real slack;	 /* m: the distance is at most gap + slack */
	bool sure; /* slack bounds the error. False if the bodies overlap by more than their radii of curvature: the best of
				  several directions was taken */
	int32_t steps;
} smooth_gap;
smooth_gap scree_smooth_gap(const smooth *a, const smooth *b);
/* Returns the distance of a body from a point, found by steps from this direction. nearby: returns instead the local
 * maximum to which the gap rises from there */
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
/* Returns the distance of a body from the infinite line through p along a unit vector, or minus the smallest separating
 * shift across the line. */
smooth_gap scree_smooth_line_gap(const smooth *s, vec3 p, vec3 line);

/* Returns the distance of a body from a convex polyhedron; the normal points away from the body. Beyond `reach` it is a
 * lower bound. */
smooth_gap scree_smooth_solid(const smooth *s, const placed *b, real reach);
/* Returns the distance of two bodies: superquadrics, balls or polyhedra, at least one of them a superquadric. */
smooth_gap scree_smooth_pair(const placed *a, const placed *b, real reach);

/* The plane that touches a body from the side of n: n.x <= reach for all of its points, from its centre. */
typedef struct smooth_plane {
	real reach; /* m */
	vec3 at;	/* the touching point, from the centre */
	real bend;	/* m: second derivative of `reach` along t, for a unit vector t across n */
} smooth_plane;
smooth_plane scree_smooth_plane(const smooth *s, vec3 n, vec3 t);

/* Finds contacts of two bodies as for scree_smooth_pair at a distance of less than `reach`; at most one. Returns a
 * lower bound on the distance, or 0 if there is a contact. ra, rb: radii for laws. centre: `at` is relative to it */
real scree_smooth_points(const placed *a, const placed *b, real ra, real rb, real reach, vec3 centre, uint64_t feature,
						 point_list *out);
/* Finds contacts of a superquadric, enlarged by a ball, with a wall; like scree_sphere_wall, but with possibly several
 * for a cylinder or a cone, each with a `place`. power: of the overlap in the force of the law, 1 or 1.5 */
void scree_smooth_wall(const placed *body, real grown, real power, const near_wall *to, touch_list *out);

typedef struct support {
	real reach;		 /* largest n.x of the body's points, from its centre */
	vec3 at;		 /* the point that reaches it */
	real tt, tu, uu; /* second derivatives along t and u */
} support;

/* n, t, u: perpendicular unit vectors */
support scree_smooth_support(const smooth *s, vec3 n, vec3 t, vec3 u);

/* The outward unit normal of a superquadric at a point, or at the point of the surface on the ray through it; in the
 * axes of the body. */
vec3 scree_smooth_normal(const smooth *s, vec3 p);

/* Adds a touch if depth > 0. deepest: the body's deepest point in the wall, from its centre */
SCREE_FN void smooth_touch(touch_list *out, int32_t surface, vec3 normal, vec3 deepest, real depth)
{
	if (depth > 0) scree_touch_point(out, surface, normal, v3_madd(deepest, depth / 2, normal), depth);
}

/* Finds the zero of a function that falls from >= 0 at x[0] to <= 0 at x[1], by false position. If the same end moves
 * twice, the value at the other end is halved (Illinois). On flat sides of bodies a slope jumps, so its magnitude is
 * meaningless: an interval that is not half as wide after four steps is halved. */
typedef real smooth_slope(const void *of, real x);
real scree_smooth_zero(smooth_slope *slope, const void *of, const real x[2], const real y[2]);

/* power: as for scree_smooth_wall */
void scree_smooth_tube(const smooth *s, const wall *w, real power, touch_list *out);

typedef struct tube {
	const smooth *s;
	const wall *w;
	touch_list *out;
	real power;	 /* power of the overlap in the force of the law */
	vec3 from;	 /* the body's centre, from the first end */
	vec3 beside; /* the part of `from` across the axis */
	vec3 x, y;	 /* perpendicular to the axis */
	real facing; /* angle of the body's centre around the axis */
	bool inside, endless;
	real c, sine; /* cosine and sine of the angle between side and axis */
	real side;	  /* m, length of the straight line on the surface */
	real level;	  /* m: distance of the planes from the axis, at the height of the body's centre, along their normals */
	real bulge;	  /* m: |sine| times the reach of the body along the axis, in the direction in which the tube widens */
} tube;

/* A plane that touches the tube along a straight line, and the body's point behind it. */
typedef struct tube_plane {
	real angle;
	vec3 out;	 /* normal, away from the axis */
	vec3 radial; /* unit, away from the axis */
	vec3 at;	 /* the body's deepest point behind the plane, from its centre */
	real depth;	 /* m */
	real off;	 /* m, distance of that point from the axis, along `radial` */
	real aside;	 /* m, distance of that point from the axis, towards increasing angles: the derivative of the depth over
					c; from outside, minus that */
} tube_plane;
tube_plane scree_tube_plane(const tube *o, real angle);

/* From inside: finds planes at which the depth is above 0 and a maximum over the angle, in ascending order of angles
 * (peaks.c). all_around: the angles cover the whole circle */
enum { TUBE_PEAKS = 16 };
int scree_tube_peaks(const tube *o, tube_plane peak[TUBE_PEAKS], bool *all_around);
/* Returns the plane of least depth between two neighbouring peaks. */
tube_plane scree_tube_valley(const tube *o, const tube_plane *a, const tube_plane *b);

/* Adds touches with the circles at both ends (rim.c). */
void scree_tube_rims(const tube *o);
/* Adds a touch with its position, an angle around the axis. */
void scree_tube_touch(const tube *o, vec3 normal, vec3 deepest, real depth, real angle);

#endif
