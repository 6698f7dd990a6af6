/* convex_parts.h: a closed surface of triangles as the union of convex polyhedra that do not overlap
 * (docs/theory/shapes.md, "Convex parts"). */
#ifndef SCREE_SHAPE_PARTS_CONVEX_PARTS_H
#define SCREE_SHAPE_PARTS_CONVEX_PARTS_H

#include "base/fail.h"
#include "base/real.h"

/* A convex polyhedron as for scree_shapes_add_convex: planar loops, counter-clockwise seen from outside; neighbours are
 * in different planes. */
typedef struct convex_part {
	int32_t vertices, faces;
	vec3 *vertex;	 /* [vertices] vertices of the surface come first, bitwise the same and in its order */
	int32_t *first;	 /* [faces+1] */
	int32_t *corner; /* [first[faces]] */
	real *inner;	 /* [faces] fraction of the face that touches other parts: 0 on the surface, 1 inside of the body */
	real volume;
} convex_part;

typedef struct convex_parts {
	int32_t count;
	convex_part *part;
	real volume; /* volume of the surface */
} convex_parts;

enum { PARTS_TRIANGLES = 8192 }; /* largest number of triangles: the time grows with its square */

/* Cuts a surface into convex parts. A convex surface is one part with the surface's own vertices: faces are in the
 * order of their first triangles and start at the first corner of these, so that a polyhedron whose faces were split
 * into fans is restored. The surface must be closed, oriented and not cross itself (shape/mesh/trimesh.h). Refused,
 * with a message: more than `most` parts, or more than PARTS_TRIANGLES; parts with another volume or area than the
 * surface's, or with a part that is not a shape (for example too thin). Results are bitwise reproducible; out owns no
 * memory after a refusal. */
bool scree_convex_parts(const char *name, int32_t vertices, const vec3 *vertex, int32_t triangles,
						const int32_t *triangle, int32_t most, convex_parts *out, fail *why);
void scree_convex_parts_free(convex_parts *p);
/* Moves vertices so that triangles whose corners are within `within` of one plane are in it, except for rounding.
 * Otherwise coordinates of few digits, as in files, would leave flat faces of many triangles slightly concave, and such
 * faces would be cut into splinters. *moved: the largest displacement. Convex parts then have the volume of the moved
 * surface. False, with a message, if there are no such positions nearby. */
bool scree_convex_parts_flatten(const char *name, int32_t vertices, vec3 *vertex, int32_t triangles,
								const int32_t *triangle, real within, real *moved, fail *why);

#endif
