/* build_snapshot.h: bodies and histories of contacts from the snapshots of other runs. */
#ifndef SCREE_SCENE_BUILD_SNAPSHOT_H
#define SCREE_SCENE_BUILD_SNAPSHOT_H

#include "scene/reader.h"

/* A snapshot whose bodies were added to the world. */
struct import {
	struct scree_world *world; /* the world of the snapshot */
	const fill_spec *fill;
	int64_t first; /* id here of the snapshot's first body, less 1; others follow in the order of their ids */
	int32_t *row;  /* [bodies] rows in the snapshot's world, in that order */
	int32_t *shape, *material; /* rows in this world; below 0: none */
	bool cells;				   /* both worlds have the same cell, and bodies keep their counts of crossed periods */
};

#endif
