/* convex_rows.h: convex polyhedra and their poses in the memory of a device. */
#ifndef SCREE_KERNEL_CONVEX_ROWS_H
#define SCREE_KERNEL_CONVEX_ROWS_H

#include "kernel/cut.h"

/* A convex polyhedron of size 1, in its own frame; members as in `shape` (src/shape/shapes.h). */
typedef struct convex_rows {
	real vx[CUT_VERTICES], vy[CUT_VERTICES], vz[CUT_VERTICES];		  /* vertices */
	real nx[CUT_FACES], ny[CUT_FACES], nz[CUT_FACES], off[CUT_FACES]; /* planes of the faces */
	real radius, inradius;											  /* bounding ball; largest ball inside */
	int32_t vertices, faces, corners, edges;						  /* corners = 2 edges */
	uint8_t first[CUT_FACES + 1], corner[CUT_CORNERS];				  /* as in cut_solid */
	/* vertices and faces of each edge; its first face is on the left of the way from its first to its second vertex */
	uint8_t ends[CUT_CORNERS], sides[CUT_CORNERS];
} convex_rows;

typedef struct convex_pose {
	vec3 at;
	mat3 turn; /* rotation from the body's frame to the world's */
	real size;
	int32_t shape;
} convex_pose;

#endif
