/* scene_text.h: scenes from text in memory, for tests and fuzzing. */
#ifndef SCREE_TESTS_SCENE_TEXT_H
#define SCREE_TESTS_SCENE_TEXT_H

#include "base/memory.h"
#include "scene/scene.h"

/* Loads a scene, like scree_scene_load. sealed: no files are accessed */
static inline bool read_scene(const char *name, const char *text, size_t length, int sets, const char *const *set,
							  bool sealed, scene *out, char **report)
{
	const scene_input in = {name, text, length, sets, set, .sealed = sealed};
	scene_problems problems;
	const bool good = scree_scene_read(&in, out, &problems);
	*report = scree_copy_text(problems.text);
	scree_scene_problems_free(&problems);
	return good;
}

#endif
