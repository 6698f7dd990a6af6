/* Any bytes as a scene: an answer and no crash. Sealed, so that no file is touched and few bodies are made. An accepted
 * text must resolve to a scene that is accepted as well. First inputs: tests/fuzz/fuzz_scene/. */
#include "again.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length);

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
	read_again("fuzz", (const char *)bytes, length, 0, NULL, true);
	return 0;
}
