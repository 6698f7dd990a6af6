/* render.h: pictures of a world, by ray tracing on the CPU (Embree) or, for worlds in the plane, by figures. No display
 * is needed. */
#ifndef SCREE_RENDER_RENDER_H
#define SCREE_RENDER_RENDER_H

#include "base/fail.h"
#include "plan/plan.h"

struct scree_world;

/* Whether this build can draw this world: pictures in space need Embree, pictures of dimension 2 do not. False with a
 * sentence. */
bool scree_render_possible(const struct scree_world *w, fail *why);
/* Draws the present state of the world into a PNG (written to a temporary name, then renamed). */
bool scree_render_png(const struct scree_world *w, const image_plan *plan, const char *title, const char *path,
					  fail *why);

#endif
