/* convex_parts.h: a surface as the union of disjoint convex polyhedra (docs/theory/shapes.md, "Convex parts"). */
#ifndef SCREE_SHAPE_PARTS_CONVEX_PARTS_H
#define SCREE_SHAPE_PARTS_CONVEX_PARTS_H

#include "base/fail.h"
#include "base/real.h"

/* A convex polyhedron made of planar loops as for scree_shapes_add_convex; neighbours are in different planes. */
typedef struct convex_part {
	int32_t vertices, faces;
	vec3 *vertex;	 /* [vertices] vertices of the surface come first, bitwise unchanged and in the original order */
	int32_t *first;	 /* [faces+1] */
	int32_t *corner; /* [first[faces]] */
	real *inner;	 /* [faces] fraction of the face that touches other parts: 0 on the surface, 1 inside the body */
	real volume;
} convex_part;

typedef struct convex_parts {
	int32_t count;
	convex_part *part;
	real volume; /* volume of the surface */
} convex_parts;

enum { PARTS_TRIANGLES = 8192 }; /* largest number of triangles; the time increases with the square of this number */

/* Cuts a surface, closed, oriented and not crossing itself (shape/mesh/trimesh.h), into convex parts. A convex surface
 * gives one part with the surface's vertices: faces are in the order of their first triangles, and each starts at the
 * first corner of its first triangle, so that a polyhedron split into fans is restored. Refuses more than `most` parts
 * or PARTS_TRIANGLES triangles, parts whose volume or area differs from the surface's, and parts that are not valid
 * shapes (for example too thin). Results are bitwise reproducible; `out` owns no memory after a refusal. */
bool scree_convex_parts(const char *name, int32_t vertices, const vec3 *vertex, int32_t triangles,
						const int32_t *triangle, int32_t most, convex_parts *out, fail *why);
void scree_convex_parts_free(convex_parts *p);
/* Moves vertices so that triangles whose corners are within `within` of one plane are in this plane, apart from
 * rounding. Otherwise, flat faces whose coordinates have few digits, as in files, would be slightly concave and be cut
 * into splinters. *moved: the largest displacement. Returns false, with a message, if no such positions are near. */
bool scree_convex_parts_flatten(const char *name, int32_t vertices, vec3 *vertex, int32_t triangles,
								const int32_t *triangle, real within, real *moved, fail *why);

#endif
