#include "base/memory.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

enum { ALIGN = 64 };

/* a header of one cache line before each block */
typedef struct header {
	size_t bytes;
	void *raw; /* what malloc gave */
	char pad[ALIGN - sizeof(size_t) - sizeof(void *)];
} header;

static _Atomic int64_t calls, used;

/* Large blocks would all begin at the same place in a page, so that item i of forty arrays falls into one set of the
 * first-level cache and they evict each other; each block therefore begins some cache lines later than the last one. */
static size_t stagger(void)
{
	static _Atomic uint64_t count;
	return atomic_fetch_add_explicit(&count, 1, memory_order_relaxed) * 5 % 64 * ALIGN;
}

static void *fresh(size_t bytes)
{
	size_t shift = bytes >= 4096 ? stagger() : 0;
	size_t whole = (bytes + shift + sizeof(header) + ALIGN - 1) / ALIGN * ALIGN;
	char *raw = bytes > SIZE_MAX / 2 ? NULL : aligned_alloc(ALIGN, whole);
	header *h = (header *)(void *)(raw + shift);
	if (!raw) {
		fprintf(stderr, "scree: out of memory: %zu bytes wanted beside %lld in use\n", bytes, (long long)used);
		_Exit(4);
	}
	h->bytes = bytes;
	h->raw = raw;
	atomic_fetch_add_explicit(&calls, 1, memory_order_relaxed);
	atomic_fetch_add_explicit(&used, (int64_t)bytes, memory_order_relaxed);
	return h + 1;
}

static size_t product(size_t count, size_t size) { return size && count > SIZE_MAX / size ? SIZE_MAX : count * size; }

void *scree_alloc(size_t count, size_t size)
{
	size_t bytes = product(count, size);
	if (!bytes) return NULL;
	return memset(fresh(bytes), 0, bytes);
}

void *scree_grow(void *memory, size_t old, size_t count, size_t size)
{
	size_t bytes = product(count, size), keep = product(old < count ? old : count, size);
	if (!bytes) {
		scree_free(memory);
		return NULL;
	}
	char *to = fresh(bytes);
	if (keep) memcpy(to, memory, keep);
	memset(to + keep, 0, bytes - keep);
	scree_free(memory);
	return to;
}

void *scree_copy(const void *memory, size_t count, size_t size)
{
	void *to = scree_alloc(count, size);
	if (to) memcpy(to, memory, count * size);
	return to;
}

char *scree_copy_text(const char *text) { return text ? scree_copy(text, strlen(text) + 1, 1) : NULL; }

void scree_free(void *memory)
{
	if (!memory) return;
	header *h = (header *)memory - 1;
	atomic_fetch_sub_explicit(&used, (int64_t)h->bytes, memory_order_relaxed);
	free(h->raw);
}

int64_t scree_allocations(void) { return calls; }
int64_t scree_memory_used(void) { return used; }

int64_t scree_memory_most(void)
{
	static const int kind[] = {RLIMIT_AS, RLIMIT_DATA};
	long pages = sysconf(_SC_PHYS_PAGES), bytes = sysconf(_SC_PAGESIZE);
	int64_t most = pages > 0 && bytes > 0 && pages < INT64_MAX / bytes ? (int64_t)pages * bytes : INT64_MAX;
	for (int k = 0; k < 2; ++k) {
		struct rlimit limit;
		if (getrlimit(kind[k], &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) continue;
		if (limit.rlim_cur < (rlim_t)most) most = (int64_t)limit.rlim_cur;
	}
	return most;
}
