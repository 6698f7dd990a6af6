#include "base/hash.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

uint64_t scree_hash(const void *bytes, size_t count) { return XXH3_64bits(bytes, count); }

uint64_t scree_hash_join(uint64_t running, const void *bytes, size_t count)
{
	return XXH3_64bits_withSeed(bytes, count, running);
}
