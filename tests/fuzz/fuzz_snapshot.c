/* fuzz_snapshot: any bytes as a snapshot. Hashes would stop nearly all of them at once, so they are put right first,
 * as a forger would: what remains are the checks of counts and indices. What is accepted is saved again and
 * hashed. The first byte says whether the hashes are put right. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/memory.h"
#include "format/snapshot.h"
#include "world.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length);

/* the layout of src/format/snapshot.c: magic, number of sections, table of {name[16], length, hash}, its hash, sections
 */
enum { HEAD = 17 + 8, ROW = 32, MOST_SECTIONS = 16 };

static void put_hash(unsigned char *to, const unsigned char *bytes, size_t length)
{
	uint64_t hash = scree_hash(bytes, length);
	memcpy(to, &hash, sizeof hash);
}

static void put_right(unsigned char *file, size_t length)
{
	uint64_t sections, part;
	if (length < HEAD) return;
	memcpy(&sections, file + 17, 8);
	if (sections > MOST_SECTIONS || length < HEAD + sections * ROW + 8) return;
	size_t from = HEAD + sections * ROW + 8;
	for (uint64_t k = 0; k < sections; ++k) {
		unsigned char *row = file + HEAD + k * ROW;
		memcpy(&part, row + 16, 8);
		if (part > length - from) break;
		put_hash(row + 24, file + from, part);
		from += part;
	}
	put_hash(file + HEAD + sections * ROW, file + HEAD, sections * ROW);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
	if (!length) return 0;
	int64_t used = scree_memory_used();
	unsigned char *file = scree_copy(bytes + 1, length - 1, 1);
	if (bytes[0] % 8) put_right(file, length - 1);
	snapshot_extra extra = {0};
	fail why = {0};
	struct scree_world *w = scree_snapshot_parse("fuzz", file, length - 1, &extra, &why);
	if (w) {
		if (!scree_snapshot_write(w, &extra, "/dev/null/cannot", &why)) why.text[0] = 0;
		scree_world_hash(w);
	} else if (!why.text[0]) {
		abort();
	}
	scree_snapshot_extra_free(&extra);
	scree_world_free(w);
	scree_free(file);
	if (scree_memory_used() != used) abort();
	return 0;
}
