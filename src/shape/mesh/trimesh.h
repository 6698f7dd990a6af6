/* trimesh.h: a closed surface of triangles, stored once for all of its bodies, with a tree of boxes. It may be
 * concave and have holes through it; it does not cross itself. Made once, then read only. */
#ifndef SCREE_SHAPE_MESH_TRIMESH_H
#define SCREE_SHAPE_MESH_TRIMESH_H

#include "base/fail.h"
#include "base/real.h"

struct shape; /* shape/shapes.h, where a shape holds a surface */

/* A box around some triangles: for a leaf triangles first .. first+count-1; for others the nodes first and first+1,
 * and count is 0. Node 0 contains all. */
typedef struct trimesh_node {
	vec3 low, high;
	int32_t first, count;
} trimesh_node;

/* A triangle that represents those of a node: all of their points are within radius of it; infinite for nodes
 * without one. */
typedef struct trimesh_surrogate {
	vec3 corner[3], normal;
	real radius;
} trimesh_surrogate;

/* Triangles are stored in the order of the leaves, at most TRIMESH_LEAF per leaf, each starting at its lowest
 * vertex: the same for the same vertices, in whatever order triangles were given. */
enum { TRIMESH_LEAF = 4, TRIMESH_DEPTH = 64 /* TRIMESH_DEPTH: greatest number of waiting nodes in a walk of a tree */ };

typedef struct trimesh {
	int32_t vertices, triangles, nodes;
	vec3 *vertex;	 /* [vertices] */
	int32_t *corner; /* [3*triangles] vertices, counter-clockwise seen from outside; in the order of the leaves */
	int32_t *across; /* [3*triangles] side k of triangle t, from its corner k on, is side j of u: 3 u + j */
	vec3 *normal;	 /* [triangles] outward, unit */
	real *bend; /* [3*triangles] for side k: sine of the fold, > 0 if the surface is convex, < 0 if it is concave, 0 if
				   flat within roundings of single precision; +-1 beyond a right angle */
	int32_t
		*plane; /* [triangles] the lowest triangle reached across flat sides: triangles of one plane have the same */
	int32_t *first; /* [vertices] its first corner: 3 t + k; -1 if all sides around it are flat */
	trimesh_node *node;
	trimesh_surrogate *surrogate; /* [nodes]; NULL: not used with few triangles */
	real extent;				  /* greatest distance of a vertex from the mean of the vertices */
	real shortest;				  /* m, shortest edge */
} trimesh;

typedef struct trimesh_mass {
	real volume;
	vec3 centre;	/* centroid */
	real moment[6]; /* of inertia about the centroid, density 1: xx, yy, zz, xy, yz, zx, signs as in the tensor */
} trimesh_mass;

/* A surface of these triangles, in the user's frame, each vertex used. Refused, with a message that names the
 * triangle, side or vertex: a side of one triangle only, or of more than two, or traversed by two in the same
 * direction; triangles without height; a vertex at which two sheets of the surface meet; several surfaces; a surface
 * inside out; triangles that cross, touch without a common vertex, or lie on one another. */
bool scree_trimesh_build(trimesh *out, const char *name, int32_t vertices, const vec3 *vertex, int32_t triangles,
						 const int32_t *triangle, fail *why);
/* The same for a surface that was built before, moved, and saved: crossing triangles are not tested, since rounding
 * may make very near ones cross. Vertices and corners of a trimesh give the same trimesh, to the bit. */
bool scree_trimesh_load(trimesh *out, const char *name, int32_t vertices, const vec3 *vertex, int32_t triangles,
						const int32_t *triangle, fail *why);
/* From a convex polyhedron, in its own frame, for size 1: fans of its faces. False: not a polyhedron, or a face
 * without a fan whose triangles have height. */
bool scree_trimesh_of_convex(trimesh *out, const struct shape *s);
void scree_trimesh_free(trimesh *m);
/* Volume, centroid and moments of the enclosed body (Tonon 2004; docs/theory/shapes.md). */
trimesh_mass scree_trimesh_mass(const trimesh *m);
/* Vertices p become turn^T (p - from); all derived data is computed again. */
void scree_trimesh_move(trimesh *m, vec3 from, mat3 turn);
/* Tests whether the point is inside. > 0: yes, < 0: no; 0: on the surface. Exact, free of rounding. */
int scree_trimesh_inside(const trimesh *m, vec3 p);

#endif
