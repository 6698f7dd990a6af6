/* convex_parts.h: a closed surface of triangles as the union of convex polyhedra that do not overlap
 * (docs/theory/shapes.md, "Convex parts"). */
#ifndef SCREE_SHAPE_PARTS_CONVEX_PARTS_H
#define SCREE_SHAPE_PARTS_CONVEX_PARTS_H

#include "base/fail.h"
#include "base/real.h"

/* A convex polyhedron as scree_shapes_add_convex takes it: planar loops, counter-clockwise seen from outside, no two
 * neighbours in one plane. */
typedef struct convex_part {
	int32_t vertices, faces;
	vec3 *vertex;	 /* [vertices] those of the surface come first, with the surface's bits, in its order */
	int32_t *first;	 /* [faces+1] */
	int32_t *corner; /* [first[faces]] */
	real *inner; /* [faces] how much of the face lies inside of the body, on other parts: 0 on the surface, 1 inside;
					what lies between is a face that other parts cover in places */
	real volume;
} convex_part;

typedef struct convex_parts {
	int32_t count;
	convex_part *part;
	real volume; /* of the surface */
} convex_parts;

enum { PARTS_TRIANGLES = 8192 }; /* no parts are sought of more: the time grows with the square of their number */

/* A convex surface is one part with the surface's own vertices: faces in the order of their first triangles, each from
 * the first corner of that triangle, so that a polyhedron whose faces were split into fans comes back. The surface is
 * closed, oriented and does not cross itself (shape/mesh/trimesh.h). Refused, with a sentence: what needs more than
 * `most` parts, or has more than PARTS_TRIANGLES; what comes out with other volume or area than the surface's, or with
 * a part that is no shape (as thin ones). The same bits each time; nothing is left in out where it is refused. */
bool scree_convex_parts(const char *name, int32_t vertices, const vec3 *vertex, int32_t triangles,
						const int32_t *triangle, int32_t most, convex_parts *out, fail *why);
void scree_convex_parts_free(convex_parts *p);
/* Coordinates of few digits, as files hold them, leave flat faces of many triangles a little hollow, so that they would
 * be cut in splinters. Moves vertices so that triangles whose corners lie within `within` of one plane lie in it to
 * rounding; *moved is the farthest way. Convex parts then have the volume of the surface as it was moved. False, with a
 * sentence, where no such places are near. */
bool scree_convex_parts_flatten(const char *name, int32_t vertices, vec3 *vertex, int32_t triangles,
								const int32_t *triangle, real within, real *moved, fail *why);

#endif
