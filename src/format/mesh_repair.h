/* mesh_repair.h: turns meshes from files into closed surfaces (shape/mesh/trimesh.h), depending only on the mesh. */
#ifndef SCREE_FORMAT_MESH_REPAIR_H
#define SCREE_FORMAT_MESH_REPAIR_H

#include "format/mesh.h"

/* Counts of the repairs of a mesh. */
typedef struct mesh_mends {
	int32_t welded; /* vertices welded to another vertex at a distance below 1e-9 of the extent */
	int32_t joined; /* vertices of open sides welded to another vertex at a distance below 1e-6 of the extent */
	int32_t flat;	/* zero-height triangles, removed or replaced together with a neighbour */
	int32_t copies; /* copies of triangles */
	int32_t turned; /* triangles reversed to agree with their neighbours; all triangles if the mesh was inside out */
	int32_t holes;	/* number of borders closed by triangles in their plane */
	int32_t filled; /* number of triangles that fill these holes */
	int32_t slits; /* vertices on the side of a triangle, which was then cut at the vertex; such borders have no area */
	int32_t unused;	   /* vertices that belonged to no triangle and were removed */
	int32_t triangles; /* number of triangles in the file that have an area */
	real hole_share;   /* area of the filled holes relative to the area of the surface */
} mesh_mends;

bool scree_mends_any(const mesh_mends *d);
/* Describes the repairs: "welded 28 vertices, filled 1 hole with 2 triangles (17 % of the surface)", or "nothing". */
void scree_mends_say(const mesh_mends *d, char *text, size_t room);

/* Makes a mesh, in its own memory, that scree_trimesh_build accepts. Returns false, with an error message, if that is
 * impossible: holes that are not flat or whose borders meet, sides of more than two triangles, one-sided surfaces, or
 * other defects. The volume changes by at most 1e-6 of the area times the extent, not counting filled holes. */
bool scree_mesh_repair(const char *name, const mesh *in, mesh *out, mesh_mends *done, fail *why);

#endif
