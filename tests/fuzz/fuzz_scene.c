/* Arbitrary bytes, read as a scene, are accepted or refused without a crash. The scene is sealed, so no files are
 * accessed and few bodies are created. An accepted text must resolve to a scene that is also accepted. Seed inputs:
 * tests/fuzz/fuzz_scene/. */
#include "again.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length);

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
	read_again("fuzz", (const char *)bytes, length, 0, NULL, true);
	return 0;
}
