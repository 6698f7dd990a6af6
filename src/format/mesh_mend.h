/* mesh_mend.h: private to the repairs of mesh_repair.c: a mesh under repair. */
#ifndef SCREE_FORMAT_MESH_MEND_H
#define SCREE_FORMAT_MESH_MEND_H

#include "format/mesh_repair.h"
#include "shape/mesh/trimesh.h"

typedef struct mender {
	const char *name;
	mesh m;
	int32_t room;	 /* capacity in triangles; 0: the present number */
	bool *gone;		 /* [vertices] whether the vertex was welded to another one */
	bool *turned;	 /* [room] whether the triangle was reversed */
	int32_t *across; /* [3*room] the opposite side with the same vertices; -1: none */
	real extent;	 /* half of the diagonal of the box around the mesh */
	real height;	 /* triangles with a smaller height count as flat */
	mesh_mends *done;
	fail *why;
} mender;

void scree_mender_room(mender *r, int32_t triangles);
/* Fills `across`. False, with an error message, if a side has more than two triangles. */
bool scree_mend_across(mender *r);
/* Returns false with an error message: the side between two vertices, and its defect. */
bool scree_mend_refuse_side(const mender *r, int32_t from, int32_t to, const char *what);
/* Closes holes. Triangles must be consistently oriented, and `across` filled. */
bool scree_mend_holes(mender *r);
int32_t scree_flat_triangles(const mender *r);
/* Replaces triangles without height, and the triangles across their longest sides, by triangles with a height. `across`
 * must be filled. */
bool scree_mend_flat(mender *r);

#endif
