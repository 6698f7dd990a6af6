/* convex_rows.h: convex polyhedra and their poses in the memory of a device. */
#ifndef SCREE_KERNEL_CONVEX_ROWS_H
#define SCREE_KERNEL_CONVEX_ROWS_H

#include "kernel/cut.h"

enum { ROWS_VERTICES = 64, ROWS_FACES = 64, ROWS_CORNERS = 192 }; /* larger bodies have no rows */

/* A convex polyhedron of size 1, in its own frame; members as in `shape` (src/shape/shapes.h). */
typedef struct convex_rows {
	real vx[ROWS_VERTICES], vy[ROWS_VERTICES], vz[ROWS_VERTICES];		  /* vertices */
	real nx[ROWS_FACES], ny[ROWS_FACES], nz[ROWS_FACES], off[ROWS_FACES]; /* planes of the faces */
	real radius, inradius, uneven, thick;								  /* bounding ball; largest ball inside */
	int32_t vertices, faces, corners, edges;							  /* corners = 2 edges */
	uint8_t first[ROWS_FACES + 1], corner[ROWS_CORNERS];				  /* as in cut_solid */
	uint8_t across[ROWS_CORNERS];										  /* faces across the edges of faces */
	uint8_t at_first[ROWS_VERTICES + 1], at[ROWS_CORNERS];				  /* faces of vertices */
	/* vertices and faces of each edge; its first face is on the left of the way from its first to its second vertex */
	uint8_t ends[ROWS_CORNERS], sides[ROWS_CORNERS];
} convex_rows;

typedef struct convex_pose {
	vec3 at;
	mat3 turn; /* rotation from the body's frame to the world's */
	real size;
	int32_t shape;
} convex_pose;

#endif
