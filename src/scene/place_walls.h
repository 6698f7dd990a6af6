/* place_walls.h: inside of scene/place.c: whether a body is clear of the border of its region, and of walls, by its
 * own shape. A positive answer is safe. */
#ifndef SCREE_SCENE_PLACE_WALLS_H
#define SCREE_SCENE_PLACE_WALLS_H

#include "narrow/narrow.h"
#include "model/sources.h"

struct scree_world;

/* Whether the centre is in the region `own`, and the whole body in `open`, which has no borders along periods. */
bool scree_shape_in_region(const placed *o, const region *own, const region *open);
/* skin: its surface; NULL: it has none */
bool scree_shape_off_walls(const struct scree_world *w, const placed *o, const trimesh *skin);

#endif
