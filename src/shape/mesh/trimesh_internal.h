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

/* tests counts and corners, and whether vertices are finite, each vertex is used, and each triangle has a nonzero
 * height */
bool scree_trimesh_check_given(trimesh_given *g);
/* tests that no two vertices coincide */
bool scree_trimesh_check_places(const trimesh_given *g);
/* Tests sides and fans of vertices, and whether the triangles are one surface. Fills across [3*triangles]. */
bool scree_trimesh_check_closed(const trimesh_given *g, int32_t *across);
/* Tests that the surface is oriented outwards and that nothing crosses; given[t]: the user's number of triangle t of
 * m. */
bool scree_trimesh_check_outward(const trimesh_given *g, const trimesh *m);
bool scree_trimesh_check_crossing(const trimesh_given *g, const trimesh *m, const int32_t *given);

/* Sorts the triangles of m by leaf and creates the nodes; given[triangles], unless NULL, is sorted with the
 * triangles. */
void scree_trimesh_plant(trimesh *m, int32_t *given);
/* Creates surrogates from nodes and the extent. */
void scree_trimesh_make_surrogates(trimesh *m);
/* Tests whether two triangles meet anywhere other than at their common vertices and side. Exact. */
bool scree_triangles_cross(const vec3 *vertex, const int32_t *t, const int32_t *u);
/* Tests whether the point is in the triangle or on its border. The test is exact; the triangle must have a nonzero
 * area. */
bool scree_triangle_holds(vec3 a, vec3 b, vec3 c, vec3 p);

#endif
