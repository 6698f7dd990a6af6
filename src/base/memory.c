#include "base/memory.h"

#include "base/fail.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

enum { ALIGN = 64 };

/* a header, one cache line long, before each block */
typedef struct memory_header {
	size_t bytes;
	void *raw;		   /* result of malloc */
	memory_list *list; /* NULL: none */
	struct memory_header *before, *after;
	memory_fn *from; /* the function that allocated it; NULL for malloc */
	char pad[ALIGN - sizeof(size_t) - 5 * sizeof(void *)];
} header;
_Static_assert(sizeof(header) == ALIGN, "blocks begin at a cache line");

static _Atomic int64_t calls, used;
static _Atomic int64_t left = INT64_MAX; /* number of allocations after which further ones fail, for tests */
static _Thread_local memory_list *into;

static struct {
	memory_fn *call;
	void *context;
} source;

void scree_memory_from(memory_fn *call, void *context)
{
	source.call = call;
	source.context = context;
}

memory_list *scree_memory_into(memory_list *list)
{
	memory_list *before = into;
	into = list;
	return before;
}

memory_list *scree_memory_now(void) { return into; }

/* locks the list for a few instructions */
static void hold(memory_list *l)
{
	while (atomic_flag_test_and_set_explicit(&l->held, memory_order_acquire)) {
	}
}

static void let_go(memory_list *l) { atomic_flag_clear_explicit(&l->held, memory_order_release); }

static void join(header *h, memory_list *l)
{
	h->list = l;
	if (!l) return;
	hold(l);
	h->before = NULL;
	h->after = l->first;
	if (l->first) l->first->before = h;
	l->first = h;
	let_go(l);
}

static void leave(header *h)
{
	memory_list *l = h->list;
	if (!l) return;
	hold(l);
	if (h->before)
		h->before->after = h->after;
	else
		l->first = h->after;
	if (h->after) h->after->before = h->before;
	let_go(l);
}

void scree_memory_drop(memory_list *list)
{
	while (list->first) scree_free(list->first + 1);
}

void scree_memory_refuse(int64_t after) { left = after < 0 ? INT64_MAX : after; }

static bool refused(void)
{
	if (atomic_load_explicit(&left, memory_order_relaxed) == INT64_MAX) return false;
	return atomic_fetch_sub_explicit(&left, 1, memory_order_relaxed) <= 0;
}

/* Offset of a large block's start, in bytes, which differs from block to block. If all blocks began at the same offset
 * in a page, items i of forty arrays would share one set of the first-level cache and evict each other. */
static size_t stagger(void)
{
	static _Atomic uint64_t count;
	return atomic_fetch_add_explicit(&count, 1, memory_order_relaxed) * 5 % 64 * ALIGN;
}

/* The system zeroes blocks from this size on, so they are not written twice, and unused parts use no memory. */
static const size_t LARGE = 256 << 10;

/* a block from the allocator set by the caller, or from the system; NULL if out of memory */
static char *raw_block(size_t whole, bool zeroed)
{
	if (source.call) return source.call(source.context, NULL, whole);
	return zeroed ? calloc(1, whole) : malloc(whole);
}

/* a new block, zeroed from byte `keep` on; the bytes before it are undefined unless the block is large */
static void *fresh(size_t bytes, size_t keep)
{
	const bool zeroed = bytes >= LARGE && !source.call;
	size_t shift = bytes >= 4096 ? stagger() : 0, whole = bytes + shift + sizeof(header) + ALIGN;
	char *raw = bytes > SIZE_MAX / 2 || refused() ? NULL : raw_block(whole, zeroed);
	if (!raw) scree_break_off(FAIL_IO, "out of memory: %zu bytes requested, %lld in use", bytes, (long long)used);
	size_t past = (uintptr_t)raw % ALIGN;
	header *h = (header *)(void *)(raw + shift + (past ? ALIGN - past : 0));
	join(h, into);
	h->bytes = bytes;
	h->raw = raw;
	h->from = source.call;
	atomic_fetch_add_explicit(&calls, 1, memory_order_relaxed);
	atomic_fetch_add_explicit(&used, (int64_t)bytes, memory_order_relaxed);
	if (!zeroed) memset((char *)(h + 1) + keep, 0, bytes - keep);
	return h + 1;
}

static size_t product(size_t count, size_t size) { return size && count > SIZE_MAX / size ? SIZE_MAX : count * size; }

void *scree_alloc(size_t count, size_t size)
{
	size_t bytes = product(count, size);
	return bytes ? fresh(bytes, 0) : NULL;
}

void *scree_renew(void *memory, size_t count, size_t size)
{
	scree_free(memory);
	return scree_alloc(count, size);
}

void *scree_grow(void *memory, size_t old, size_t count, size_t size)
{
	size_t bytes = product(count, size), keep = product(old < count ? old : count, size);
	if (!bytes) {
		scree_free(memory);
		return NULL;
	}
	char *to = fresh(bytes, keep);
	if (keep) memcpy(to, memory, keep);
	scree_free(memory);
	return to;
}

void *scree_grow_apart(void *memory, size_t old, size_t count, size_t size)
{
	memory_list *before = scree_memory_into(NULL);
	void *to = scree_grow(memory, old, count, size);
	scree_memory_into(before);
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
	leave(h);
	atomic_fetch_sub_explicit(&used, (int64_t)h->bytes, memory_order_relaxed);
	if (h->from)
		h->from(source.context, h->raw, 0);
	else
		free(h->raw);
}

void scree_free_all(void *const *memory, size_t count)
{
	for (size_t i = 0; i < count; ++i) scree_free(memory[i]);
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
