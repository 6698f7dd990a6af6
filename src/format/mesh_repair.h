/* mesh_repair.h: repairs meshes from files so that they are closed surfaces (shape/mesh/trimesh.h). Pure functions
 * of the mesh. */
#ifndef SCREE_FORMAT_MESH_REPAIR_H
#define SCREE_FORMAT_MESH_REPAIR_H

#include "format/mesh.h"

/* Numbers of repairs of a mesh. */
typedef struct mesh_mends {
	int32_t welded;	   /* vertices welded to another one nearer than 1e-9 of the extent */
	int32_t joined;	   /* vertices of open sides welded to another one nearer than 1e-6 of the extent */
	int32_t flat;	   /* triangles without height, removed or replaced together with a neighbour */
	int32_t copies;	   /* copies of triangles */
	int32_t turned;	   /* triangles turned over to agree with their neighbours; all of them: the mesh was inside out */
	int32_t holes;	   /* borders closed by triangles in their plane */
	int32_t filled;	   /* triangles of those holes */
	int32_t slits;	   /* vertices on the side of a triangle, which was cut there: borders without area */
	int32_t unused;	   /* removed vertices without triangles */
	int32_t triangles; /* number of given triangles with an area */
	real hole_share;   /* area of filled holes relative to that of the surface */
} mesh_mends;

bool scree_mends_any(const mesh_mends *d);
/* one sentence, such as "welded 28 vertices, filled 1 hole with 2 triangles (17 % of the surface)"; "nothing" */
void scree_mends_say(const mesh_mends *d, char *text, size_t room);

/* Makes a mesh that scree_trimesh_build accepts, with its own memory; `in` stays. False, with a sentence, if it
 * cannot: holes that are not flat, or whose borders meet; sides of more than two triangles; surfaces with one side
 * only; defects of the outcome as a closed surface. Volumes change by no more than 1e-6 of the surface times the
 * extent, except for filled holes. */
bool scree_mesh_repair(const char *name, const mesh *in, mesh *out, mesh_mends *done, fail *why);

#endif
