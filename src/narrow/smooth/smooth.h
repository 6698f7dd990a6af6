/* smooth.h: distance and overlap of smooth convex bodies (superquadrics such as ellipsoids, balls, and points),
 * computed only from the poses (docs/theory/smooth.md), and contacts with wall forms, in the walls' frames. */
#ifndef SCREE_NARROW_SMOOTH_SMOOTH_H
#define SCREE_NARROW_SMOOTH_SMOOTH_H

#include "narrow/narrow.h"
#include "narrow/touch_list.h"

/* A superquadric (|x/a|^q + |y/b|^q)^(p/q) + |z/c|^p <= 1 enlarged by a ball, or a ball or point if semi-axes are 0. */
typedef struct smooth {
	vec3 at;
	mat3 turn;
	vec3 semi;				/* a, b, c, in m; all positive or all 0 */
	real power_xy, power_z; /* q and p, at least 2 */
	real round;				/* radius of the ball, in m */
	real sharp;				/* lower bound on the radii of curvature, in m */
	real radius;			/* radius of the bounding sphere, in m */
} smooth;

/* Returns a superquadric or a ball at its pose. grown: thickness in m added all around */
smooth scree_smooth_of(const placed *p, real grown);
SCREE_FN smooth smooth_point(vec3 at) { return (smooth){.at = at, .power_xy = 2, .power_z = 2}; }

/* Distance between two bodies; if < 0, minus the length of the shortest translation that separates them. */
typedef struct smooth_gap {
	vec3 normal; /* unit, from a to b; the gap is between the two planes with this normal that touch the bodies */
	real gap;	 /* in m; never exceeds the distance */
	vec3 on_a;	 /* the farthest point of a along the normal, relative to the centre of a */
	real slack;	 /* in m; the distance is at most gap + slack */
	bool sure;	 /* `slack` is a bound on the error. False if the bodies overlap by more than their radii of curvature;
					the result is then the best of several directions */
	int32_t steps;
} smooth_gap;
smooth_gap scree_smooth_gap(const smooth *a, const smooth *b);
/* Returns the distance from a body to a point, found in steps that start from this direction. nearby: finds only the
 * local maximum uphill from this direction */
smooth_gap scree_smooth_from(const smooth *s, vec3 point, vec3 from, bool nearby);
/* Largest slack of a certified distance, relative to the size of both bodies. For ellipsoids the slack is below 1e-12;
 * a flat side determines the contact point less accurately. */
#define SMOOTH_SLACK ((real)1e-4)

/* Distance from a body to a segment. normal: direction away from the body; point: the nearest point of the segment */
typedef struct smooth_line {
	smooth_gap gap;
	vec3 point;
	real part; /* fraction of the way from p to q */
} smooth_line;
smooth_line scree_smooth_segment(const smooth *s, vec3 p, vec3 q);
/* The distance to the infinite line, or minus the shortest separating translation perpendicular to the line. */
smooth_gap scree_smooth_line_gap(const smooth *s, vec3 p, vec3 line);

/* The normal points away from the smooth body. For distances beyond `reach`, returns a lower bound. */
smooth_gap scree_smooth_solid(const smooth *s, const placed *b, real reach);
/* One body is a superquadric, and the other is a superquadric, a ball or a polyhedron. */
smooth_gap scree_smooth_pair(const placed *a, const placed *b, real reach);

/* The plane normal to n that touches a body: n.x <= reach for all points x of the body, relative to its centre. */
typedef struct smooth_plane {
	real reach; /* m */
	vec3 at;	/* the touching point, relative to the centre */
	real bend;	/* second derivative of `reach`, in m, along a unit vector t perpendicular to n */
} smooth_plane;
smooth_plane scree_smooth_plane(const smooth *s, vec3 n, vec3 t);

/* Finds the contact, if any, between two bodies at a distance below `reach`, as for scree_smooth_pair. Returns a lower
 * bound on the distance, or 0 if there is a contact. ra, rb: radii for laws. centre: the origin of `at` */
real scree_smooth_points(const placed *a, const placed *b, real ra, real rb, real reach, vec3 centre, uint64_t feature,
						 point_list *out);
/* Finds contacts between a superquadric, enlarged by a ball, and a wall; like scree_sphere_wall, but a cylinder or a
 * cone may have several contacts, each with a `place`. power: exponent of the overlap in the law's force, 1 or 1.5 */
void scree_smooth_wall(const placed *body, real grown, real power, const near_wall *to, touch_list *out);

typedef struct support {
	real reach;		 /* largest n.x of the body's points, relative to its centre */
	vec3 at;		 /* the point with the largest n.x */
	real tt, tu, uu; /* second derivatives along t and u */
} support;

/* n, t, u: perpendicular unit vectors */
support scree_smooth_support(const smooth *s, vec3 n, vec3 t, vec3 u);

/* The outward unit normal, in body axes, where the ray through p crosses the surface. */
vec3 scree_smooth_normal(const smooth *s, vec3 p);

/* Adds a contact if depth > 0. deepest: the body's deepest point in the wall, relative to the body's centre */
SCREE_FN void smooth_touch(touch_list *out, int32_t surface, vec3 normal, vec3 deepest, real depth)
{
	if (depth > 0) scree_touch_point(out, surface, normal, v3_madd(deepest, depth / 2, normal), depth);
}

/* Finds the zero of a function that decreases from >= 0 at x[0] to <= 0 at x[1], by false position (Illinois
 * algorithm). The slope is discontinuous on flat sides, so intervals not half as wide after four steps are halved. */
typedef real smooth_slope(const void *of, real x);
real scree_smooth_zero(smooth_slope *slope, const void *of, const real x[2], const real y[2]);

/* power: as for scree_smooth_wall */
void scree_smooth_tube(const smooth *s, const wall *w, real power, touch_list *out);

typedef struct tube {
	const smooth *s;
	const wall *w;
	touch_list *out;
	real power;	 /* exponent of the overlap in the law's force */
	vec3 from;	 /* the body's centre, relative to the first end */
	vec3 beside; /* the component of `from` perpendicular to the axis */
	vec3 x, y;	 /* perpendicular to the axis */
	real facing; /* angle of the body's centre around the axis */
	bool inside, endless;
	real c, sine; /* cosine and sine of the angle between side and axis */
	real side;	  /* length of the straight lines on the surface, in m */
	real level; /* distance in m of the planes from the axis, at the height of the body's centre, along their normals */
	real bulge; /* |sine| times the body's extent along the axis, in m, in the direction in which the tube widens */
} tube;

/* A plane that touches the tube along a straight line, and the body's point behind it. */
typedef struct tube_plane {
	real angle;
	vec3 out;	 /* normal, pointing away from the axis */
	vec3 radial; /* unit vector away from the axis */
	vec3 at;	 /* the body's deepest point behind the plane, relative to its centre */
	real depth;	 /* m */
	real off;	 /* distance of that point from the axis, along `radial`, in m */
	real aside;	 /* distance, in m, of that point from the axis towards increasing angles: the derivative of the depth
					over c (negative outside) */
} tube_plane;
tube_plane scree_tube_plane(const tube *o, real angle);

/* For a body inside the tube: finds the planes at which the depth is positive and has a maximum over the angle, in
 * ascending order of angles (peaks.c). all_around: whether the angles cover the whole circle */
enum { TUBE_PEAKS = 16 };
int scree_tube_peaks(const tube *o, tube_plane peak[TUBE_PEAKS], bool *all_around);
/* Returns the plane with the smallest depth between two neighbouring peaks. */
tube_plane scree_tube_valley(const tube *o, const tube_plane *a, const tube_plane *b);

/* Adds contacts with the circles at both ends (rim.c). */
void scree_tube_rims(const tube *o);
/* Adds a contact whose position is given as an angle around the axis. */
void scree_tube_touch(const tube *o, vec3 normal, vec3 deepest, real depth, real angle);

#endif
