/* trimesh.h: a closed surface of triangles with a tree of boxes, stored once for all bodies that use it. The surface
 * may be concave and have holes through it, but does not cross itself. The surface is built once and then only read. */
#ifndef SCREE_SHAPE_MESH_TRIMESH_H
#define SCREE_SHAPE_MESH_TRIMESH_H

#include "base/fail.h"
#include "base/real.h"

/* Side 3 t + k runs from corner k of triangle t to the next. Returns the next or previous side of a triangle. */
SCREE_FN int32_t side_next(int32_t side) { return side % 3 == 2 ? side - 2 : side + 1; }
SCREE_FN int32_t side_last(int32_t side) { return side % 3 == 0 ? side + 2 : side - 1; }

struct shape; /* shape/shapes.h, in which a shape contains a surface */

/* A box around several triangles. A leaf has triangles first .. first+count-1; other nodes have the child nodes first
 * and first+1, and count is 0. Node 0 contains all triangles. */
typedef struct trimesh_node {
	vec3 low, high;
	int32_t first, count;
} trimesh_node;

/* A triangle that represents a node's triangles, which are within `radius` of it (infinite if there is none) */
typedef struct trimesh_surrogate {
	vec3 corner[3], normal;
	real radius;
} trimesh_surrogate;

/* Triangles are stored in the order of the leaves, at most TRIMESH_LEAF per leaf, each starting at its lowest vertex.
 * The result is the same for the same vertices, regardless of the order in which triangles were given. */
enum { TRIMESH_LEAF = 4, TRIMESH_DEPTH = 64 /* TRIMESH_DEPTH: largest number of waiting nodes in a tree search */ };

typedef struct trimesh {
	int32_t vertices, triangles, nodes;
	vec3 *vertex;	 /* [vertices] */
	int32_t *corner; /* [3*triangles] vertices, counter-clockwise seen from outside; in the order of the leaves */
	int32_t *across; /* [3*triangles] side k of t, from corner k, is side j of triangle u: 3 u + j */
	vec3 *normal;	 /* [triangles] outward, unit */
	real *bend; /* [3*triangles] for side k: sine of the fold, > 0 if convex, < 0 if concave, 0 if flat within rounding
				   in single precision; +-1 beyond a right angle */
	int32_t *plane; /* [triangles] the lowest triangle connected by flat sides */
	int32_t *first; /* [vertices] the first corner at the vertex, 3 t + k; -1 if all its sides are flat */
	trimesh_node *node;
	trimesh_surrogate *surrogate; /* [nodes] surrogates; NULL if the surface has too few triangles */
	real extent;				  /* largest distance of a vertex from the mean of the vertices */
	real shortest;				  /* m, shortest edge */
} trimesh;

typedef struct trimesh_mass {
	real volume;
	vec3 centre;	/* centroid */
	real moment[6]; /* moments of inertia about the centroid for density 1: xx, yy, zz, xy, yz, zx */
} trimesh_mass;

/* Builds a surface from these triangles, in the user's frame; each vertex must be used. Refuses, with a message that
 * names the triangle, side, or vertex: a side that belongs to only one or more than two triangles, or is traversed
 * twice in the same direction; triangles without height; a vertex where two sheets of the surface meet; several
 * surfaces; a surface that is inside out; and triangles that cross, touch without a common vertex, or overlap. */
bool scree_trimesh_build(trimesh *out, const char *name, int32_t vertices, const vec3 *vertex, int32_t triangles,
						 const int32_t *triangle, fail *why);
/* Rebuilds a surface that was built earlier, moved, and saved. There is no test for crossing triangles, since very
 * close triangles may cross due to rounding. The vertices and corners of a trimesh reproduce it bit for bit. */
bool scree_trimesh_load(trimesh *out, const char *name, int32_t vertices, const vec3 *vertex, int32_t triangles,
						const int32_t *triangle, fail *why);
/* Builds the surface of a convex polyhedron, in the polyhedron's frame and at size 1, from fans over its faces.
 * Returns false if the shape is not a polyhedron, or if a face has no fan of triangles with nonzero height. */
bool scree_trimesh_of_convex(trimesh *out, const struct shape *s);
void scree_trimesh_free(trimesh *m);
/* Returns volume, centroid, and moments of the enclosed body (Tonon 2004; docs/theory/shapes.md). */
trimesh_mass scree_trimesh_mass(const trimesh *m);
/* Moves vertices p to turn^T (p - from); all derived data are computed again. */
void scree_trimesh_move(trimesh *m, vec3 from, mat3 turn);
/* Returns a value > 0 if the point is inside, < 0 if outside, and 0 if on the surface. Exact, without rounding. */
int scree_trimesh_inside(const trimesh *m, vec3 p);

#endif
