/* again.h: checks that an accepted scene resolves to an identical scene that is also accepted. */
#ifndef SCREE_TESTS_AGAIN_H
#define SCREE_TESTS_AGAIN_H

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "scene_text.h"
#include "world/world.h"

/* name, bytes, sets: as for read_scene. A refusal has a message. */
static inline void read_again(const char *name, const char *bytes, size_t length, int sets, const char *const *set,
							  bool sealed)
{
	scene s, again;
	char *report = NULL;
	int64_t used = scree_memory_used();
	if (read_scene(name, bytes, length, sets, set, sealed, &s, &report)) {
		SCREE_ASSERT(read_scene(name, s.resolved, strlen(s.resolved), 0, NULL, sealed, &again, &report));
		const scree_world *w = s.world, *o = again.world;
		SCREE_ASSERT(scree_world_hash(&w->model, &w->state, &w->work) ==
					 scree_world_hash(&o->model, &o->state, &o->work));
		scree_scene_free(&again);
		scree_scene_free(&s);
	} else {
		SCREE_ASSERT(report && strstr(report, "error: "));
		scree_free(report);
	}
	SCREE_ASSERT(scree_memory_used() == used);
}

#endif
