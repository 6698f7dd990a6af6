/* trimesh_internal.h: checks before a surface is built, and steps of building it. Private to trimesh*.c. */
#ifndef SCREE_SHAPE_MESH_TRIMESH_INTERNAL_H
#define SCREE_SHAPE_MESH_TRIMESH_INTERNAL_H

#include "shape/mesh/trimesh.h"

/* Input from the user, with names for messages. */
typedef struct trimesh_given {
	const char *name;
	int32_t vertices, triangles;
	const vec3 *vertex;
	const int32_t *triangle; /* [3*triangles] */
	real least;				 /* smallest height of a triangle, relative to the extent */
	real extent;			 /* largest distance of a vertex from the mean of the vertices */
	fail *why;
} trimesh_given;

real scree_trimesh_extent(int32_t vertices, const vec3 *vertex);
/* returns the smallest height of a triangle; 0 if two vertices coincide */
real scree_triangle_height(vec3 a, vec3 b, vec3 c);

/* tests counts, corners and heights of triangles, and whether vertices are finite and used */
bool scree_trimesh_check_given(trimesh_given *g);
bool scree_trimesh_check_places(const trimesh_given *g);
/* Tests sides and fans of vertices, and whether the triangles are one surface. Fills across [3*triangles]. */
bool scree_trimesh_check_closed(const trimesh_given *g, int32_t *across);
/* given[t]: the user's number of triangle t of m */
bool scree_trimesh_check_outward(const trimesh_given *g, const trimesh *m);
bool scree_trimesh_check_crossing(const trimesh_given *g, const trimesh *m, const int32_t *given);

/* Creates the nodes and sorts the triangles of m, and given[triangles] unless NULL, by leaf. */
void scree_trimesh_plant(trimesh *m, int32_t *given);
void scree_trimesh_make_surrogates(trimesh *m);
/* Tests whether two triangles meet anywhere other than at their common vertices and side. Exact. */
bool scree_triangles_cross(const vec3 *vertex, const int32_t *t, const int32_t *u);
/* Tests exactly whether the point is in the triangle, of nonzero area, or on its border. */
bool scree_triangle_holds(vec3 a, vec3 b, vec3 c, vec3 p);

#endif
