/* loading.h: reads a scene, with progress of slow work. */
#ifndef SCREE_RUN_LOADING_H
#define SCREE_RUN_LOADING_H

#include "scene/scene.h"

/* As scree_scene_load, or scree_scene_repair; from the third second on, lines on the standard error report the
 * progress of work on a shape, unless quiet. */
bool scree_load_scene(const char *path, int sets, const char *const *set, bool repair, bool quiet, scene *out,
					  char **report);

#endif
