/* loading.h: a scene is read, and what takes long is said. */
#ifndef SCREE_RUN_LOADING_H
#define SCREE_RUN_LOADING_H

#include "scene/scene.h"

/* As scree_scene_load, or scree_scene_repair; from the third second on lines on the standard error say how far work on
 * a shape has come, unless quiet. */
bool scree_load_scene(const char *path, int sets, const char *const *set, bool repair, bool quiet, scene *out,
					  char **report);

#endif
