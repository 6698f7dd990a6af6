/* compound.h: creates rows of the table of shapes: shapes made of several parts or triangles, and convex polyhedra. */
#ifndef SCREE_SHAPE_COMPOUND_H
#define SCREE_SHAPE_COMPOUND_H

#include "shape/shapes.h"

/* Sets the shape's name; returns false, with an error message, if the name is too long. */
bool scree_shape_name(shape *s, const char *name, fail *why);
/* Adds a finished shape, whose memory then belongs to the table. Returns its row. */
int32_t scree_shapes_append(shapes *s, const shape *made);
/* Frees the memory of a shape that is not in a table. */
void scree_shape_clear(shape *s);

/* Computes the largest number of faces of a compound's parts that are in one plane to within this fraction of the
 * radius, and the largest sum of the square roots of their areas, in m (compound.c). */
int32_t scree_compound_faces(const shape *s, real near, real *roots);

/* Like scree_shapes_add_compound, for a mesh from a file. rounding: error of each coordinate due to limited digits, or
 * 0 if coordinates are exact in double precision; faces that are flat to within this error count as flat. */
int32_t scree_shapes_add_rounded(shapes *s, const char *name, int32_t vertices, const vec3 *vertex, int32_t triangles,
								 const int32_t *triangle, real rounding, fail *why);

/* An edge as seen from one of its two faces; at: the edge's row in the corners of all faces. */
typedef struct half_edge {
	int32_t from, to, at, face;
} half_edge;
/* Returns the edges of all faces, sorted by (from, to); to be freed by the caller. first: [faces+1] */
half_edge *scree_half_edges(int32_t faces, const int32_t *first, const int32_t *corner);
/* Returns the first edge from one corner to another, or NULL if there is none. */
const half_edge *scree_half_edge(const half_edge *all, int32_t count, int32_t from, int32_t to);
/* Returns twice the area of a face, along its normal, summed over the fan of triangles from the first corner. */
SCREE_FN vec3 fan_area(const vec3 *p, const int32_t *corner, int32_t corners)
{
	vec3 area = v3(0, 0, 0), base = p[corner[0]];
	for (int32_t k = 1; k + 1 < corners; ++k)
		area = v3_add(area, v3_cross(v3_sub(p[corner[k]], base), v3_sub(p[corner[k + 1]], base)));
	return area;
}

/* Fills `out`, all zero before, from faces as for scree_shapes_add_convex; `out` keeps its allocations on failure. */
bool scree_convex_build(shape *out, const char *name, int32_t vertices, const vec3 *vertex, int32_t faces,
						const int32_t *first, const int32_t *corner, fail *why);

#endif
