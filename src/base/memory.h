/* memory.h: the only code that calls malloc. If memory is exhausted, the current work is aborted (fail.h): a simulation
 * that does not fit cannot continue, and its last snapshot is on disk. */
#ifndef SCREE_BASE_MEMORY_H
#define SCREE_BASE_MEMORY_H

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

void *scree_alloc(size_t count, size_t size);				/* zeroed, aligned to 64 bytes; NULL for 0 bytes */
void *scree_renew(void *memory, size_t count, size_t size); /* the same, but replaces a block, which is freed */
void *scree_grow(void *memory, size_t old, size_t count, size_t size); /* keeps old*size bytes and zeroes the rest */
/* Like scree_grow, but keeps the block out of memory lists (below), for blocks that outlive the work of an attempt. */
void *scree_grow_apart(void *memory, size_t old, size_t count, size_t size);
void *scree_copy(const void *memory, size_t count, size_t size);
char *scree_copy_text(const char *text);
/* Makes room for one more item in an array with `count` items, and returns the array. */
static inline void *scree_room(void *array, int64_t count, int64_t *capacity, size_t size)
{
	if (count < *capacity) return array;
	*capacity = count + count / 2 + 64;
	return scree_grow(array, (size_t)count, (size_t)*capacity, size);
}
/* Makes room for `more` items after `count`, at least doubling a capacity that is too small; returns the array. */
static inline void *scree_room_for(void *array, int64_t count, int64_t more, int64_t *capacity, size_t size)
{
	if (count + more <= *capacity) return array;
	const int64_t room = 2 * *capacity + more + 256;
	array = scree_grow(array, (size_t)count, (size_t)room, size);
	*capacity = room;
	return array;
}
/* Makes room for more bytes after those in use, and returns the block. */
static inline void *scree_bytes_room(void *bytes, size_t used, size_t more, size_t *room)
{
	if (*room - used >= more) return bytes;
	*room = (used + more) * 3 / 2 + 4096;
	return scree_grow(bytes, used, *room, 1);
}
/* Adds an item to an array and makes room for it. capacity: an int64_t */
#define SCREE_APPEND(array, count, capacity, ...)                                                                      \
	((array) = scree_room(array, count, &(capacity), sizeof *(array)), (array)[(count)++] = (__VA_ARGS__))
void scree_free(void *memory);
void scree_free_all(void *const *memory, size_t count);
#define SCREE_FREE_ALL(...) scree_free_all((void *[]){__VA_ARGS__}, sizeof(void *[]){__VA_ARGS__} / sizeof(void *))

/* A list of blocks that are freed together, even if pointers to them are lost; for work that may be aborted. Several
 * threads may share a list. {0} is an empty list; a list must not be moved while it contains blocks. */
typedef struct memory_list {
	struct memory_header *first;
	atomic_flag held;
} memory_list;
/* From now on, new blocks of this thread and of its helper threads are put into this list, or into none if NULL.
 * Returns the previous list. A block is removed from its list when any thread frees it. */
memory_list *scree_memory_into(memory_list *list);
memory_list *scree_memory_now(void);
void scree_memory_drop(memory_list *list); /* frees all blocks of the list */

/* Sets a function that replaces malloc: call(context, NULL, size) returns a block or NULL, and call(context, block, 0)
 * frees it. Set it before other threads allocate; NULL selects malloc. */
typedef void *memory_fn(void *context, void *block, size_t size);
void scree_memory_from(memory_fn *call, void *context);

void scree_memory_refuse(int64_t after); /* for tests: lets allocations fail after this number of blocks; -1: never */

/* calls of scree_alloc and scree_grow since the start; a step without a rebuild makes none (tested) */
int64_t scree_allocations(void);
int64_t scree_memory_used(void); /* bytes in use now */
int64_t scree_memory_most(void); /* bytes available to this process: the machine's, or fewer if ulimit says so */

#endif
