/* build_snapshot.h: bodies and histories of contacts from the snapshots of other runs. */
#ifndef SCREE_SCENE_BUILD_SNAPSHOT_H
#define SCREE_SCENE_BUILD_SNAPSHOT_H

#include "scene/reader.h"

/* A snapshot whose bodies were added to the world. */
struct import {
	struct scree_world *world; /* the world of the snapshot */
	const fill_spec *fill;
	int64_t first; /* id of its first body here, less 1; the others follow in the order of their ids in the snapshot */
	int32_t *row;  /* [bodies] rows of its world in that order */
	int32_t *shape, *material; /* rows here; below 0: none */
	bool cells;				   /* the cell of the periods is the same, and so are the periods that were crossed */
};

#endif
