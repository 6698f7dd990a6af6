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

enum { HEAD = 40, ROW = 40 };

static void put_hash(unsigned char *to, const unsigned char *bytes, size_t length)
{
	uint64_t hash = scree_hash(bytes, length);
	memcpy(to, &hash, sizeof hash);
}

static void put_right(unsigned char *file, size_t length)
{
	if (length < HEAD + 8) return;
	uint64_t table, whole = length;
	memcpy(&table, file + 24, 8);
	memcpy(file + 16, &whole, 8);
	put_hash(file + 32, file, 32);
	if (table < HEAD || table > length - 8) return;
	for (size_t row = table; row + ROW <= length - 8; row += ROW) {
		uint64_t from, count;
		memcpy(&from, file + row + 16, 8);
		memcpy(&count, file + row + 24, 8);
		if (from <= length && count <= length - from) put_hash(file + row + 32, file + from, count);
	}
	put_hash(file + length - 8, file + table, length - 8 - table);
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
