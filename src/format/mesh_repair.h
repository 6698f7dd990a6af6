/* mesh_repair.h: meshes from files made ready to be closed surfaces (shape/mesh/trimesh.h). Pure functions of the mesh.
 */
#ifndef SCREE_FORMAT_MESH_REPAIR_H
#define SCREE_FORMAT_MESH_REPAIR_H

#include "format/mesh.h"

/* Vertices in exactly one place become one, the first of them; the order stays. Formats without shared vertices (STL)
 * need it to be read as surfaces at all. Returns how many went. */
int32_t scree_mesh_weld(mesh *m);

/* What was done to a mesh. */
typedef struct mesh_mends {
	int32_t welded;	   /* vertices that went into another one in their place: nearer than 1e-9 of the extent */
	int32_t joined;	   /* vertices of open sides that went into another such nearer than 1e-6 of the extent */
	int32_t flat;	   /* triangles without height that went, or became others together with a neighbour */
	int32_t copies;	   /* triangles that were there already */
	int32_t turned;	   /* triangles turned over, to run as their neighbours do; all of them: it was inside out */
	int32_t holes;	   /* borders that were closed by triangles in their plane */
	int32_t filled;	   /* triangles for them */
	int32_t slits;	   /* vertices that lay on the side of a triangle, which was cut there: borders without area */
	int32_t unused;	   /* vertices without triangles that went */
	int32_t triangles; /* of those given that have an area */
	real hole_share;   /* area of what was filled over that of the surface */
} mesh_mends;

bool scree_mends_any(const mesh_mends *d);
/* one sentence, such as "welded 28 vertices, filled 1 hole with 2 triangles (17 % of the surface)"; "nothing" */
void scree_mends_say(const mesh_mends *d, char *text, size_t room);

/* A mesh that scree_trimesh_build accepts, of its own memory; `in` stays. False, with a sentence that says what stands
 * in the way: holes that are not flat, or whose borders meet; sides of more than two triangles; surfaces with one side
 * only; what is wrong with the outcome as a closed surface. Volumes change by no more than 1e-6 of the surface times
 * the extent, but for holes that are filled. */
bool scree_mesh_repair(const char *name, const mesh *in, mesh *out, mesh_mends *done, fail *why);

#endif
