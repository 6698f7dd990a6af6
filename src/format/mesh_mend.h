/* mesh_mend.h: a mesh under repair; private to the repairs of mesh_repair.c. */
#ifndef SCREE_FORMAT_MESH_MEND_H
#define SCREE_FORMAT_MESH_MEND_H

#include "format/mesh_repair.h"
#include "shape/mesh/trimesh.h"

typedef struct mender {
	const char *name;
	mesh m;
	int32_t room;	 /* capacity in triangles; 0 means the present number */
	bool *gone;		 /* [vertices] whether the vertex was welded to another vertex */
	bool *turned;	 /* [room] whether the triangle was reversed */
	int32_t *across; /* [3*room] the same side in the adjacent triangle; -1 if none */
	real extent;	 /* half the diagonal of the bounding box of the mesh */
	real height;	 /* triangles with a smaller height are treated as flat */
	mesh_mends *done;
	fail *why;
} mender;

void scree_mender_room(mender *r, int32_t triangles);
/* Fills `across`. Returns false, with an error message, if a side belongs to more than two triangles. */
bool scree_mend_across(mender *r);
/* Returns false with an error message that names the side between two vertices and its defect. */
bool scree_mend_refuse_side(const mender *r, int32_t from, int32_t to, const char *what);
/* Closes holes. Requires consistently oriented triangles and a filled `across`. */
bool scree_mend_holes(mender *r);
int32_t scree_flat_triangles(const mender *r);
/* Replaces zero-height triangles, and those across their longest sides, with others. Requires `across`. */
bool scree_mend_flat(mender *r);

#endif
