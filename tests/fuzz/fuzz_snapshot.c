/* fuzz_snapshot: arbitrary bytes are loaded as a snapshot. Hashes would reject nearly all of them at once, so they are
 * corrected first, which leaves only the checks of counts and indices. An accepted snapshot is saved, hashed and
 * stepped. The first byte determines whether the hashes are corrected.
 *
 * The seed inputs are snapshots of all scenes in scenes/, made at the start, so they always have the current format. */
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "../files/forge.h"
#include "base/memory.h"
#include "format/file.h"
#include "format/snapshot.h"
#include "scene/scene.h"

enum { LARGEST_SEED = 100000, SEED_STEPS = 30 };

int LLVMFuzzerInitialize(int *count, char ***words);
int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length);
size_t LLVMFuzzerCustomMutator(uint8_t *bytes, size_t length, size_t most, unsigned seed);
size_t LLVMFuzzerMutate(uint8_t *bytes, size_t length, size_t most);

/* the snapshot of a scene after some steps, preceded by one byte; none for scenes with large snapshots */
static void write_seed(const char *path, const char *to)
{
	scene s;
	char *report = NULL;
	fail why;
	void *bytes = NULL;
	size_t length = 0;
	if (!scree_scene_load(path, 0, NULL, &s, &report)) {
		fputs(report, stderr);
		abort();
	}
	for (int k = 0; k < SEED_STEPS && scree_step(s.world); ++k) {
	}
	snapshot_extra extra = {.title = s.title, .resolved = s.resolved, .run = s.run, .output = s.output};
	if (!scree_snapshot_write(s.world, &extra, to, &why) || !scree_file_read(to, 1 << 30, &bytes, &length, &why))
		abort();
	FILE *file = fopen(to, "wb");
	if (!file) abort();
	if (length <= LARGEST_SEED) {
		fputc(1, file);
		fwrite(bytes, 1, length, file);
	}
	fclose(file);
	scree_free(bytes);
	scree_scene_free(&s);
}

/* saved in the first folder named on the command line */
int LLVMFuzzerInitialize(int *count, char ***words)
{
	struct stat about;
	glob_t found;
	for (int k = 1; k < *count; ++k) {
		if (stat((*words)[k], &about) != 0 || !S_ISDIR(about.st_mode)) continue;
		if (glob("scenes/*.scene.yaml", 0, NULL, &found) != 0) abort();
		for (size_t i = 0; i < found.gl_pathc; ++i) {
			char to[4096];
			snprintf(to, sizeof to, "%s/scene%02zu", (*words)[k], i);
			write_seed(found.gl_pathv[i], to);
		}
		globfree(&found);
		break;
	}
	return 0;
}

/* usually changes one number in a section, so that all others remain consistent */
size_t LLVMFuzzerCustomMutator(uint8_t *bytes, size_t length, size_t most, unsigned seed)
{
	size_t begin[FORGE_MOST + 1];
	random_stream r = scree_random_start(seed, 1);
	uint64_t sections = length ? forge_sections(bytes + 1, length - 1, begin) : 0;
	if (sections < 2 || scree_random_bits(&r) % 4 == 0) return LLVMFuzzerMutate(bytes, length, most);
	for (uint32_t times = 1 + scree_random_bits(&r) % 2; times; --times) {
		uint64_t k = scree_random_bits(&r) % sections, size = begin[k + 1] - begin[k];
		if (!size) continue;
		size_t at = scree_random_bits(&r) % size;
		forge_number(bytes + 1 + begin[k] + at, size - at, scree_random_bits(&r));
	}
	return length;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
	if (!length) return 0;
	int64_t used = scree_memory_used();
	unsigned char *file = scree_copy(bytes + 1, length - 1, 1);
	if (bytes[0] % 8) forge_hashes(file, length - 1);
	snapshot_extra extra = {0};
	fail why = {0};
	struct scree_world *w = scree_snapshot_parse("fuzz", file, length - 1, &extra, &why);
	if (w) {
		if (!scree_snapshot_write(w, &extra, "/dev/null/cannot", &why)) why.text[0] = 0;
		forge_use(w, NULL);
	} else if (!why.text[0]) {
		abort();
	}
	scree_snapshot_extra_free(&extra);
	scree_world_free(w);
	scree_free(file);
	if (scree_memory_used() != used) abort();
	return 0;
}
