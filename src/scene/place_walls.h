/* place_walls.h: private to scene/place.c: tests whether a body is clear of the border of its region, and of walls, by
 * its own shape. The tests are safe: a body that they call clear is clear. */
#ifndef SCREE_SCENE_PLACE_WALLS_H
#define SCREE_SCENE_PLACE_WALLS_H

#include "narrow/narrow.h"
#include "model/sources.h"

struct scree_world;

/* Tests whether the centre is in the region `own`, and the whole body in `open`, which has no borders along periods. */
bool scree_shape_in_region(const placed *o, const region *own, const region *open);
/* Tests whether a body of this material is clear of all walls that act on it. skin: its surface; NULL: it has none */
bool scree_shape_off_walls(const struct scree_world *w, const placed *o, int32_t material, const trimesh *skin);

#endif
