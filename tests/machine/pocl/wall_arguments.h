/* wall_arguments.h: arguments of kernels with walls, as wall_tables.h gives them */
#ifndef SCREE_TESTS_POCL_WALL_ARGUMENTS_H
#define SCREE_TESTS_POCL_WALL_ARGUMENTS_H

enum { SURFACES = 32 }; /* most surfaces of a wall */

/* the arrays of wall_table, and the rows of all facets in ascending order */
#define WALLS                                                                                                          \
	SCREE_GLOBAL const wall_row *row, SCREE_GLOBAL const facet *face, SCREE_GLOBAL const vec3 *corner,                 \
		SCREE_GLOBAL const vec3 *outward, SCREE_GLOBAL const int32_t *next, SCREE_GLOBAL const int32_t *meets,         \
		SCREE_GLOBAL const real *bend, SCREE_GLOBAL const wall_meeting *meeting, SCREE_GLOBAL const real *meet_near,   \
		SCREE_GLOBAL const int32_t *all, SCREE_GLOBAL const surface_link *link,                                        \
		SCREE_GLOBAL const surface_link *link_behind, SCREE_GLOBAL const surface_face *surface
#define TABLE                                                                                                          \
	{                                                                                                                  \
		row, face, corner, outward, next, meets, bend, meeting, *meet_near, {link, link_behind}, surface               \
	}

#endif
