/* wall.h: contacts of smooth bodies with forms of walls, in the frame of the wall; private to src/narrow/smooth. */
#ifndef SCREE_NARROW_SMOOTH_WALL_H
#define SCREE_NARROW_SMOOTH_WALL_H

#include "narrow/smooth/smooth.h"
#include "narrow/touch_list.h"

/* Adds a touch if depth > 0. deepest: the body's point deepest in the wall, from its centre */
SCREE_FN void smooth_touch(touch_list *out, int32_t surface, vec3 normal, vec3 deepest, real depth)
{
	if (depth > 0) scree_touch_point(out, surface, normal, v3_madd(deepest, depth / 2, normal), depth);
}

/* Finds where a function that falls from >= 0 at x[0] to <= 0 at x[1] is 0, by false position. Where the same end moves
 * twice, the value at the other end is halved (Illinois). On flat sides of bodies a slope jumps, so that its size is no
 * measure: an interval that is not half as wide after four steps is halved. */
typedef real smooth_slope(const void *of, real x);
real scree_smooth_zero(smooth_slope *slope, const void *of, const real x[2], const real y[2]);

/* power: as for scree_smooth_wall */
void scree_smooth_tube(const smooth *s, const wall *w, real power, touch_list *out);

typedef struct tube {
	const smooth *s;
	const wall *w;
	touch_list *out;
	real power;	 /* that the force of the law has in the overlap */
	vec3 from;	 /* the body's centre, from the first end */
	vec3 beside; /* the part of `from` across the axis */
	vec3 x, y;	 /* perpendicular to the axis */
	real facing; /* angle of the body's centre around the axis */
	bool inside, endless;
	real c, sine; /* cosine and sine of the angle between side and axis */
	real side;	  /* m, length of the straight line on the surface */
	real level;	  /* m: distance of the planes from the axis, at the height of the body's centre, along their normals */
	real bulge;	  /* m: |sine| times the reach of the body along the axis, to where the tube becomes wider */
} tube;

/* A plane that touches the tube along a straight line, and the body's point behind it. */
typedef struct tube_plane {
	real angle;
	vec3 out;	 /* normal, away from the axis */
	vec3 radial; /* unit, away from the axis */
	vec3 at;	 /* the body's point that is deepest behind the plane, from its centre */
	real depth;	 /* m */
	real off;	 /* m, of that point from the axis, along `radial` */
	real aside;	 /* m, of that point from the axis, to the side of rising angles: the derivative of the depth over c, or
				  * from outside minus that */
} tube_plane;
tube_plane scree_tube_plane(const tube *o, real angle);

/* From inside: the planes for which the depth is above 0 and a maximum over the angle, in ascending order of angles
 * (peaks.c). all_around: the angles cover the whole circle */
enum { TUBE_PEAKS = 16 };
int scree_tube_peaks(const tube *o, tube_plane peak[TUBE_PEAKS], bool *all_around);
/* The plane of least depth between two neighbouring peaks. */
tube_plane scree_tube_valley(const tube *o, const tube_plane *a, const tube_plane *b);

/* Adds touches with the circles at both ends (rim.c). */
void scree_tube_rims(const tube *o);
/* Adds a touch with its position, an angle around the axis. */
void scree_tube_touch(const tube *o, vec3 normal, vec3 deepest, real depth, real angle);

#endif
