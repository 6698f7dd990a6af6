#include "base/hash.h"

#include "base/memory.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

uint64_t scree_hash(const void *bytes, size_t count) { return XXH3_64bits(bytes, count); }

uint64_t scree_hash_join(uint64_t running, const void *bytes, size_t count)
{
	return XXH3_64bits_withSeed(bytes, count, running);
}

struct hash_stream {
	XXH3_state_t state;
};

hash_stream *scree_hash_begin(void)
{
	hash_stream *h = scree_alloc(1, sizeof *h);
	XXH3_64bits_reset(&h->state);
	return h;
}

void scree_hash_add(hash_stream *h, const void *bytes, size_t count) { XXH3_64bits_update(&h->state, bytes, count); }
uint64_t scree_hash_so_far(const hash_stream *h) { return XXH3_64bits_digest(&h->state); }
void scree_hash_copy(hash_stream *to, const hash_stream *from) { XXH3_copyState(&to->state, &from->state); }
void scree_hash_end(hash_stream *h) { scree_free(h); }
