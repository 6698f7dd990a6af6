/* machine: what all kinds of devices share: messages, bounds of blocks, their padding, the cache of compiled kernels.
 */
#include "machine/row.h"

#include "base/memory.h"
#include "base/progress.h"
#include "machine/cache.h"

#include <stdio.h>
#include <string.h>

static const machine_kind *const kinds[] = {&scree_machine_opencl, &scree_machine_cuda};
enum { KINDS = sizeof kinds / sizeof *kinds };
static const uint64_t pattern = 0x7ff4dead5c4eebad; /* NaN */

int scree_machine_kind_count(void) { return KINDS; }

const machine_kind *scree_machine_kind_at(int k) { return kinds[k]; }

const char *scree_machine_kind_name(const machine_kind *kind) { return kind->name; }

const machine_kind *scree_machine_kind(const char *name)
{
	for (int k = 0; k < KINDS; ++k)
		if (strcmp(kinds[k]->name, name) == 0) return kinds[k];
	return NULL;
}

int scree_machine_count(const machine_kind *kind, fail *why) { return kind->count(why); }

machine *scree_machine_open(const machine_kind *kind, int which, fail *why)
{
	machine *m = scree_alloc(1, sizeof *m);
	m->kind = kind;
#ifdef SCREE_SANITIZED
	m->padded = true;
#endif
	if (kind->open(m, which, why)) return m;
	scree_fail_in(why, "%s", kind->name);
	scree_machine_close(m);
	return NULL;
}

void scree_machine_close(machine *m)
{
	if (!m) return;
	while (m->blocks) scree_machine_release(m, m->blocks);
	m->kind->close(m);
	SCREE_FREE_ALL(m->kernel, m);
}

const char *scree_machine_kind_of(const machine *m) { return m->kind->name; }

const char *scree_machine_label(const machine *m) { return m->label; }

int64_t scree_machine_memory(const machine *m) { return m->memory; }

int64_t scree_machine_free(const machine *m) { return m->free; }

int64_t scree_machine_largest(const machine *m) { return m->largest; }

bool scree_machine_is_card(const machine *m) { return m->is_card; }

void scree_machine_pad(machine *m) { m->padded = true; }

static bool good(const machine *m, int error, fail *why, const char *what, int64_t count, const char *of)
{
	if (!error) return true;
	const char *name = m->kind->error(m, error);
	return scree_fail(why, FAIL_IO, "%s (%s): cannot %s %lld %s: %s (%d)", m->kind->name, m->label, what,
					  (long long)count, of, name ? name : "error", error);
}

/* ------------------------------------------------------------------ padding */

typedef bool padding_fn(machine *m, const machine_block *b, int64_t at, fail *why);

static void fill_pattern(int64_t at, uint8_t bytes[MACHINE_PADDING])
{
	uint8_t word[sizeof pattern];
	memcpy(word, &pattern, sizeof word);
	for (int k = 0; k < MACHINE_PADDING; ++k) bytes[k] = word[(at + k) % (int64_t)sizeof word];
}

static bool put_padding(machine *m, const machine_block *b, int64_t at, fail *why)
{
	uint8_t bytes[MACHINE_PADDING];
	fill_pattern(at, bytes);
	return good(m, m->kind->write(m, b->whole, at, bytes, sizeof bytes), why, "write", sizeof bytes, "bytes");
}

static bool look_at_padding(machine *m, const machine_block *b, int64_t at, fail *why)
{
	uint8_t bytes[MACHINE_PADDING], wanted[MACHINE_PADDING];
	fill_pattern(at, wanted);
	if (!good(m, m->kind->read(m, b->whole, at, bytes, sizeof bytes), why, "read", sizeof bytes, "bytes")) return true;
	return memcmp(bytes, wanted, sizeof bytes) == 0;
}

/* before and behind the block */
static bool each_padding(padding_fn *work, machine *m, const machine_block *b, fail *why)
{
	return !b->padding || (work(m, b, 0, why) && work(m, b, b->padding + b->bytes, why));
}

/* ------------------------------------------------------------------ memory */

static machine_block *link_block(machine *m, int64_t bytes)
{
	machine_block *b = scree_alloc(1, sizeof *b);
	*b = (machine_block){
		.next = m->blocks, .link = &m->blocks, .bytes = bytes, .padding = m->padded ? MACHINE_PADDING : 0};
	if (b->next) b->next->link = &b->next;
	m->blocks = b;
	return b;
}

static void unlink_block(machine_block *b)
{
	*b->link = b->next;
	if (b->next) b->next->link = b->link;
	scree_free(b);
}

static int allocate(machine *m, machine_block *b)
{
	const int error = m->kind->allocate(m, b->bytes + 2 * b->padding, &b->whole);
	b->handle = b->whole;
	if (error || !b->padding) return error;
	return m->kind->part(m, b->whole, b->padding, b->bytes, &b->handle);
}

/* Some drivers allocate memory when it is first used, so zeros show whether there is enough of it. */
machine_block *scree_machine_allocate(machine *m, int64_t bytes, fail *why)
{
	machine_block *b = link_block(m, bytes > 0 ? bytes : 1);
	if (good(m, allocate(m, b), why, "allocate", bytes, "bytes") && each_padding(put_padding, m, b, why) &&
		good(m, m->kind->clear(m, b->handle, 0, b->bytes), why, "allocate", bytes, "bytes"))
		return b;
	if (b->whole) m->kind->release(m, b);
	unlink_block(b);
	return NULL;
}

void scree_machine_release(machine *m, machine_block *b)
{
	fail why;
	if (!b) return;
	const int64_t bytes = b->bytes;
	const bool intact = each_padding(look_at_padding, m, b, &why);
	m->kind->release(m, b);
	unlink_block(b);
	if (!intact)
		scree_break_off(FAIL_INTERNAL, "%s: a kernel wrote outside of a block of %lld bytes", m->kind->name,
						(long long)bytes);
}

static void check_range(const machine_block *b, int64_t at, int64_t bytes)
{
	SCREE_ASSERT(at >= 0 && bytes >= 0 && at <= b->bytes && bytes <= b->bytes - at);
}

bool scree_machine_write(machine *m, machine_block *b, int64_t at, const void *from, int64_t bytes, fail *why)
{
	check_range(b, at, bytes);
	return !bytes || good(m, m->kind->write(m, b->handle, at, from, bytes), why, "write", bytes, "bytes");
}

bool scree_machine_read(machine *m, const machine_block *b, int64_t at, void *to, int64_t bytes, fail *why)
{
	check_range(b, at, bytes);
	return !bytes || good(m, m->kind->read(m, b->handle, at, to, bytes), why, "read", bytes, "bytes");
}

bool scree_machine_read_later(machine *m, const machine_block *b, int64_t at, int64_t bytes, fail *why)
{
	check_range(b, at, bytes);
	SCREE_ASSERT(!m->later && bytes > 0 && bytes <= MACHINE_RECORD);
	if (!good(m, m->kind->read_later(m, b->handle, at, bytes), why, "read", bytes, "bytes")) return false;
	m->later = bytes;
	return true;
}

bool scree_machine_wait(machine *m, void *to, fail *why)
{
	const int64_t bytes = m->later;
	SCREE_ASSERT(bytes);
	m->later = 0;
	return good(m, m->kind->wait(m, to, bytes), why, "read", bytes, "bytes");
}

bool scree_machine_clear(machine *m, machine_block *b, int64_t at, int64_t bytes, fail *why)
{
	check_range(b, at, bytes);
	return !bytes || good(m, m->kind->clear(m, b->handle, at, bytes), why, "clear", bytes, "bytes");
}

/* ------------------------------------------------------------------ kernels */

/* Returns 0, or the library's error; frees the binary. */
static int load(machine *m, machine_binary binary)
{
	const int error = m->kind->load(m, binary);
	m->kernels = 0;
	scree_free(binary.bytes);
	return error;
}

/* Compiles a text, and loads it at once if `to` is NULL. */
static bool compile(machine *m, const char *text, machine_binary *to, fail *why)
{
	++m->compiled;
	if (!m->kind->compile(m, text, to, why)) return scree_fail_in(why, "%s (%s)", m->kind->name, m->label);
	if (!to) m->kernels = 0; /* those of the last program */
	return true;
}

/* This takes up to half a minute. */
static void say_compiling(const machine *m)
{
	char text[sizeof m->label + 80];
	snprintf(text, sizeof text, "compiling kernels for %s (once; they are kept)", m->label);
	scree_progress_say(text);
}

/* An entry of the cache that the device does not load is replaced. */
bool scree_machine_build(machine *m, const char *text, fail *why)
{
	machine_binary binary = {0};
	if (m->keeps) return compile(m, text, NULL, why);
	if (scree_cache_find(m, text, &binary) && load(m, binary) == 0) return true;
	say_compiling(m);
	if (!compile(m, text, &binary, why)) return false;
	scree_cache_keep(m, text, binary);
	const int64_t bytes = (int64_t)binary.length;
	return good(m, load(m, binary), why, "load", bytes, "bytes of compiled kernels");
}

static const machine_kernel *find_kernel(machine *m, const char *name, fail *why)
{
	for (int64_t k = 0; k < m->kernels; ++k)
		if (strcmp(m->kernel[k].name, name) == 0) return m->kernel + k;
	machine_kernel new = {0};
	SCREE_ASSERT(strlen(name) < sizeof new.name);
	strcpy(new.name, name);
	const int error = m->kind->kernel(m, name, &new.handle);
	if (error) {
		scree_fail(why, FAIL_INTERNAL, "%s (%s): there is no kernel %s (%d)", m->kind->name, m->label, name, error);
		return NULL;
	}
	SCREE_APPEND(m->kernel, m->kernels, m->kernel_capacity, new);
	return m->kernel + m->kernels - 1;
}

bool scree_machine_launch(machine *m, const char *kernel, int64_t items, int group, int count,
						  const machine_argument *with, fail *why)
{
	enum { MOST_ARGUMENTS = 64 };
	void *at[MOST_ARGUMENTS];
	size_t bytes[MOST_ARGUMENTS];
	SCREE_ASSERT(count <= MOST_ARGUMENTS);
	const machine_kernel *k = items > 0 ? find_kernel(m, kernel, why) : NULL;
	if (!k) return items <= 0;
	for (int n = 0; n < count; ++n) {
		at[n] = with[n].block ? (void *)&with[n].block->handle : (void *)with[n].value;
		bytes[n] = with[n].block ? sizeof with[n].block->handle : with[n].bytes;
	}
	const int size = group > 0 ? group : m->group;
	const int error = m->kind->launch(m, k->handle, (items + size - 1) / size, size, count, at, bytes);
	return good(m, error, why, "launch", items, "items") || scree_fail_in(why, "kernel %s", kernel);
}
