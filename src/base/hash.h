/* hash.h: XXH3-64 of bytes. */
#ifndef SCREE_BASE_HASH_H
#define SCREE_BASE_HASH_H

#include <stddef.h>
#include <stdint.h>

uint64_t scree_hash(const void *bytes, size_t count);
/* mixes the hash of a part into a running hash, order matters */
uint64_t scree_hash_join(uint64_t running, const void *bytes, size_t count);

#endif
