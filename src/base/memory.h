/* memory.h: the only malloc. Memory that cannot be had ends the process with a sentence: a simulation that does not
 * fit cannot go on, and its last snapshot is on disk. */
#ifndef SCREE_BASE_MEMORY_H
#define SCREE_BASE_MEMORY_H

#include <stddef.h>
#include <stdint.h>

/* zeroed, aligned to 64 bytes; NULL for 0 bytes */
void *scree_alloc(size_t count, size_t size);
/* keeps the first old*size bytes, zeroes the rest */
void *scree_grow(void *memory, size_t old, size_t count, size_t size);
void *scree_copy(const void *memory, size_t count, size_t size);
char *scree_copy_text(const char *text);
void scree_free(void *memory);
/* calls of scree_alloc and scree_grow since the start: a step between rebuilds makes none (a test counts) */
int64_t scree_allocations(void);
/* bytes now in use */
int64_t scree_memory_most(void); /* bytes that this process may have: those of the machine, or fewer by ulimit */
int64_t scree_memory_used(void);

#endif
