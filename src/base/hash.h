/* hash.h: XXH3-64 hashes of bytes. */
#ifndef SCREE_BASE_HASH_H
#define SCREE_BASE_HASH_H

#include <stddef.h>
#include <stdint.h>

uint64_t scree_hash(const void *bytes, size_t count);
/* mixes the hash of an item into a running hash; order matters */
uint64_t scree_hash_join(uint64_t running, const void *bytes, size_t count);

typedef struct hash_stream hash_stream; /* streaming hash, equal to the hash of all bytes at once */
hash_stream *scree_hash_begin(void);
void scree_hash_add(hash_stream *h, const void *bytes, size_t count);
uint64_t scree_hash_so_far(const hash_stream *h);
void scree_hash_copy(hash_stream *to, const hash_stream *from);
void scree_hash_end(hash_stream *h); /* NULL is allowed */

#endif
