/* surface.h: finds coinciding corners of triangles and shared edges, for walls and mesh files. */
#ifndef SCREE_SHAPE_MESH_SURFACE_H
#define SCREE_SHAPE_MESH_SURFACE_H

#include "base/fail.h"
#include "base/real.h"

/* Tests that points are finite. `kind`, `name`, and `what` are used in the message "shape 'name': vertex 3 is ..." */
bool scree_check_points(const char *kind, const char *name, const char *what, int32_t count, const vec3 *p, fail *why);
/* Sets to[i] to the lowest point that coincides with point i, that is, one closer than the tolerance or linked through
 * such points. Returns the number of distinct points. Points must be finite; time O(n log n). */
int32_t scree_weld(int32_t count, const vec3 *p, real tolerance, int32_t *to);
/* returns the longest side, in m, of the box around the points, or 0 if there are no points */
real scree_extent(int32_t count, const vec3 *p);

/* A triangle of a list. The corners are in an order that is the same for all copies of the triangle. */
typedef struct named_triangle {
	int32_t corner[3], row;
} named_triangle;

/* Tests for each row whether a lower row has the same corners. Frees `all`; the caller frees the result. */
bool *scree_triangle_copies(int32_t count, named_triangle *all);

/* One side of a triangle: between points low and high, low < high. */
typedef struct side {
	int32_t low, high;
	int32_t corner;	 /* row of triangle[]: the side runs from this corner to the next corner of its triangle */
	int32_t forward; /* whether the side runs from low to high */
} side;

/* Returns all 3*triangles sides sorted by (low, high, corner), to be freed; low = high between equal points. */
side *scree_sides(int32_t triangles, const int32_t *triangle);
/* returns the end of the group of sides with the same points as at[from] */
int64_t scree_sides_end(const side *at, int64_t count, int64_t from);

#endif
