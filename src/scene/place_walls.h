/* place_walls.h: inside of scene/place.c: is a body clear of the border of its region, and of walls, by its own shape?
 * Sure: where it says so it is. */
#ifndef SCREE_SCENE_PLACE_WALLS_H
#define SCREE_SCENE_PLACE_WALLS_H

#include "narrow/narrow.h"
#include "state/sources.h"

struct scree_world;

/* The centre lies in the region `own`, and the whole body in `open`, which has no borders where the world repeats. */
bool scree_shape_in_region(const placed *o, const region *own, const region *open);
/* skin: its surface; NULL: it has none */
bool scree_shape_off_walls(const struct scree_world *w, const placed *o, const trimesh *skin);

#endif
