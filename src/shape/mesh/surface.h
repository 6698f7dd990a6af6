/* surface.h: triangles as a surface: coinciding corners, and triangles that share an edge. For walls and mesh files. */
#ifndef SCREE_SHAPE_MESH_SURFACE_H
#define SCREE_SHAPE_MESH_SURFACE_H

#include "base/fail.h"
#include "base/real.h"

/* Tests that points are finite. kind, name, what: for the message "shape 'name': vertex 3 is ..." */
bool scree_check_points(const char *kind, const char *name, const char *what, int32_t count, const vec3 *p, fail *why);
/* Sets to[i] to the lowest point that coincides with point i: nearer than tolerance, or linked by such points.
 * Returns the number of distinct points. Points must be finite; time O(n log n). */
int32_t scree_weld(int32_t count, const vec3 *p, real tolerance, int32_t *to);
/* m: longest side of the box around points; 0: there are none */
real scree_extent(int32_t count, const vec3 *p);

/* A triangle of a list. Its corners are in an order that is the same for copies of the triangle. */
typedef struct named_triangle {
	int32_t corner[3], row;
} named_triangle;

/* For each row of the list, tests whether a lower row has the same corners. Frees `all`; the caller frees the
 * result. */
bool *scree_triangle_copies(int32_t count, named_triangle *all);

/* One side of a triangle: between points low and high, low < high. */
typedef struct side {
	int32_t low, high;
	int32_t corner;	 /* row of triangle[]: the side goes from this corner to the next of its triangle */
	int32_t forward; /* 1: it goes from low to high */
} side;

/* All 3*triangles sides sorted by (low, high, corner); the caller frees. A side between equal points has low = high. */
side *scree_sides(int32_t triangles, const int32_t *triangle);
/* end of the group of sides with the same points as at[from] */
int64_t scree_sides_end(const side *at, int64_t count, int64_t from);

#endif
