/* mesh_mend.h: inside of mesh_repair.c: a mesh during repair. */
#ifndef SCREE_FORMAT_MESH_MEND_H
#define SCREE_FORMAT_MESH_MEND_H

#include "format/mesh_repair.h"

typedef struct mender {
	const char *name;
	mesh m;
	int32_t room;	 /* capacity in triangles; 0: the present number */
	bool *gone;		 /* [vertices] was welded to another one */
	bool *turned;	 /* [room] was turned over */
	int32_t *across; /* [3*room] the other side between the same vertices, -1: none */
	real extent;	 /* half of the diagonal of the box around all */
	real height;	 /* triangles with less count as flat */
	mesh_mends *done;
	fail *why;
} mender;

/* side k of triangle t is 3 t + k, from its corner k to the next one */
static inline int32_t side_next(int32_t side) { return side % 3 == 2 ? side - 2 : side + 1; }
static inline int32_t side_last(int32_t side) { return side % 3 == 0 ? side + 2 : side - 1; }

void scree_mender_room(mender *r, int32_t triangles);
/* fills `across`; false, with a sentence, for a side of more than two triangles */
bool scree_mend_across(mender *r);
/* false, with a sentence: the side between two vertices, and its defect */
bool scree_mend_refuse_side(const mender *r, int32_t from, int32_t to, const char *what);
/* Closes holes; needs consistently oriented triangles, and `across`. */
bool scree_mend_holes(mender *r);
int32_t scree_flat_triangles(const mender *r);
/* Replaces triangles without height, and those across their longest sides, by triangles with a height; needs
 * `across`. */
bool scree_mend_flat(mender *r);

#endif
