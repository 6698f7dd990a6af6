/* superquadric.h: measures of superquadrics (|x/a|^q + |y/b|^q)^(p/q) + |z/c|^p <= 1 (docs/theory/smooth.md). */
#ifndef SCREE_SHAPE_SUPERQUADRIC_H
#define SCREE_SHAPE_SUPERQUADRIC_H

#include "shape/shapes.h"

/* Exponents: 2 is an ellipsoid; greater ones make it boxier, with flatter sides and narrower edges. Beyond
 * 8 the sides are so flat that doubles do not determine their point of contact. */
#define SUPERQUADRIC_MOST_POWER ((real)8)

/* largest extent along n, for size 1 */
real scree_superquadric_reach(const shape *s, vec3 n);
/* A lower bound of the radii of curvature, for size 1: the smallest radius of an ellipsoid. */
real scree_superquadric_sharpest(const shape *s);
/* The outward unit normal at a point of the surface. */
vec3 scree_superquadric_normal(const shape *s, vec3 p);
/* The gradient of the norm that is 1 on the surface, times a positive number, at a point of a superquadric with these
 * semi-axes and exponents. unit: the coordinates over the semi-axes are divided by it first */
vec3 scree_superquadric_slope(vec3 semi, real power_xy, real power_z, vec3 p, real unit);

/* The point of a superquadric that is farthest along n, from its centre; both in its axes. */
vec3 scree_superquadric_farthest(vec3 semi, real power_xy, real power_z, vec3 n);

#endif
