/* trimesh.h: a closed surface of triangles, once for all bodies that have it, with a tree of boxes. It may be concave
 * and have holes through it; it does not cross itself. Made once, then read only. */
#ifndef SCREE_SHAPE_MESH_TRIMESH_H
#define SCREE_SHAPE_MESH_TRIMESH_H

#include "base/fail.h"
#include "base/real.h"

struct shape; /* shape/shapes.h, where a shape holds a surface */

/* A box around some triangles: of a leaf triangles first .. first+count-1, of others the boxes of nodes first and
 * first+1, and count is 0. Node 0 holds all. */
typedef struct trimesh_node {
	vec3 low, high;
	int32_t first, count;
} trimesh_node;

/* A triangle that stands for those of a node: no point of these is farther from it than radius, infinite where a node
 * has none. */
typedef struct trimesh_surrogate {
	vec3 corner[3], normal;
	real radius;
} trimesh_surrogate;

/* Triangles stand in the order of the leaves, at most TRIMESH_LEAF in one, each from its lowest vertex on: the same for
 * the same vertices, in whatever order triangles were given. */
enum { TRIMESH_LEAF = 4, TRIMESH_DEPTH = 64 /* nodes that wait while a tree is walked, at most */ };

typedef struct trimesh {
	int32_t vertices, triangles, nodes;
	vec3 *vertex;	 /* [vertices] */
	int32_t *corner; /* [3*triangles] vertices, counter-clockwise seen from outside; in the order of the leaves */
	int32_t *across; /* [3*triangles] side k of triangle t runs from its corner k to the next one and is side j of
						triangle u: 3 u + j */
	vec3 *normal;	 /* [triangles] outward, unit */
	real *bend;		 /* [3*triangles] of side k: sine of the fold, > 0 where the surface is convex, < 0 where it is
						hollow, 0 where it is flat but for roundings of single precision; +-1 beyond a right angle */
	int32_t *plane;	 /* [triangles] the lowest triangle that flat sides lead to: triangles of one plane have the same */
	int32_t *first;	 /* [vertices] its first corner: 3 t + k; -1 where all sides around it are flat */
	trimesh_node *node;
	trimesh_surrogate *surrogate; /* [nodes]; NULL: so few triangles do without */
	real extent;				  /* greatest distance of a vertex from the mean of the vertices */
	real shortest;				  /* edge */
} trimesh;

typedef struct trimesh_mass {
	real volume;
	vec3 centre;	/* centroid */
	real moment[6]; /* of inertia about the centroid for density 1: xx, yy, zz, xy, yz, zx (products negative as in
					   the tensor) */
} trimesh_mass;

/* A surface of these triangles, in the user's frame, each vertex used. Refused, with a sentence that names the
 * triangle, side or vertex: a side that one triangle has, or more than two, or that two run along the same way;
 * triangles without height; a vertex at which two sheets of the surface meet; several surfaces; an inside that is
 * outside; triangles that cross, touch where they have no vertex in common, or lie on one another. */
bool scree_trimesh_build(trimesh *out, const char *name, int32_t vertices, const vec3 *vertex, int32_t triangles,
						 const int32_t *triangle, fail *why);
/* The same for what was built before, moved, and saved: triangles that cross are not looked for, since what is very
 * near may cross once it was rounded. From vertices and corners of a trimesh come its very bits. */
bool scree_trimesh_load(trimesh *out, const char *name, int32_t vertices, const vec3 *vertex, int32_t triangles,
						const int32_t *triangle, fail *why);
/* Of a convex polyhedron, in its own frame, for size 1: fans of its faces. False: it is none, or a face has no fan
 * whose triangles have height. */
bool scree_trimesh_of_convex(trimesh *out, const struct shape *s);
void scree_trimesh_free(trimesh *m);
/* Volume, centroid and moments of what the surface holds (Tonon 2004; docs/theory/shapes.md). */
trimesh_mass scree_trimesh_mass(const trimesh *m);
/* Vertices p become turn^T (p - from); all that follows from them is made anew. */
void scree_trimesh_move(trimesh *m, vec3 from, mat3 turn);
/* Is the point inside? > 0: yes, < 0: no; 0: on the surface. Exact: rounding has no part in it. */
int scree_trimesh_inside(const trimesh *m, vec3 p);

#endif
