/* Any bytes as a scene: an answer and no fault. Sealed, so that no file is touched and few bodies are made. What is
 * accepted must resolve to a scene that is accepted as well. First inputs: tests/fuzz/fuzz_scene/. */
#include "base/memory.h"
#include "scene/scene.h"
#include "world.h"

#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length);

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
	scene s, again;
	char *report = NULL;
	if (!scree_scene_parse("fuzz", (const char *)bytes, length, 0, NULL, true, &s, &report)) {
		SCREE_ASSERT(report && strstr(report, "error: "));
		scree_free(report);
		return 0;
	}
	SCREE_ASSERT(scree_scene_parse("resolved", s.resolved, strlen(s.resolved), 0, NULL, true, &again, &report));
	SCREE_ASSERT(scree_world_hash(s.world) == scree_world_hash(again.world));
	scree_scene_free(&again);
	scree_scene_free(&s);
	return 0;
}
