/* Two ranks step a small scene. The input determines changes to the messages of one rank; their length and hash are
 * then corrected, so that the decoders see the errors. Each rank ends with an error message or continues, and all
 * memory is freed. The first byte selects the scene, the rank, and whether sums over ranks are also changed; the
 * following bytes select the changes. Seed inputs: tests/fuzz/fuzz_decoders/. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "choices/choices.h"
#include "forged.h"
#include "forged_scenes.h"
#include "model/response.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length);

typedef struct input {
	const uint8_t *at, *end;
} input;

static uint8_t next(input *o) { return o->at < o->end ? *o->at++ : 0; }

static uint16_t next_two(input *o)
{
	const uint16_t low = next(o);
	return (uint16_t)(low | next(o) << 8);
}

static const double NUMBERS[] = {0, -1, 1, 1e-300, 1e300, -1e99, 0.005, 1e18};
static const int64_t WHOLES[] = {0, 1, 2, 3, -1, 100, INT32_MAX, INT32_MIN, INT64_MAX, INT64_MIN, 1 << 20};

/* Returns 8 bytes: a real number, an integer, or bytes from the input. */
static uint64_t next_word(input *o)
{
	const uint8_t which = next(o);
	uint64_t word = 0;
	double x;
	if (which < 100) {
		x = NUMBERS[which % 8];
		if (which % 16 == 15) x = (double)NAN;
		if (which % 16 == 14) x = (double)INFINITY;
		memcpy(&word, &x, sizeof word);
	} else if (which < 200) {
		memcpy(&word, WHOLES + which % 11, sizeof word);
	} else {
		for (int k = 0; k < 8; ++k) word |= (uint64_t)next(o) << 8 * k;
	}
	return word;
}

/* Tags used by scree's decoders, and arbitrary ones. */
static uint64_t next_tag(input *o)
{
	const uint8_t which = next(o);
	return which < 200 ? which % 12 : which < 250 ? SEGMENT_CONTACTS + which % 12 : next_word(o);
}

static void change_words(input *o, forged *m, int32_t k)
{
	const size_t size = m->segment[k].size, times = 1 + next(o) % 3;
	for (size_t n = 0; n < times && size; ++n) {
		const bool half = next(o) & 1;
		const size_t at = next_two(o) * (size_t)4 % size, room = size - at;
		const uint64_t word = next_word(o);
		memcpy(m->segment[k].bytes + at, &word, room < 8 ? room : half && room >= 4 ? 4 : 8);
	}
}

static void add_segment(input *o, forged *m)
{
	const int32_t k = forged_add(m, next_tag(o));
	if (k < 0) return;
	forged_resize(m, k, next_two(o) % 2048);
	for (size_t n = 0; n < m->segment[k].size && o->at < o->end; ++n) m->segment[k].bytes[n] = next(o);
}

/* Repeats a segment, in whole or in part. */
static void repeat(input *o, forged *m, int32_t k)
{
	const int32_t to = forged_add(m, m->segment[k].tag);
	if (to < 0) return;
	const size_t size = next(o) & 1 ? m->segment[k].size : next_two(o) % (m->segment[k].size + 1);
	forged_resize(m, to, size);
	if (size) memcpy(m->segment[to].bytes, m->segment[k].bytes, size);
}

static void drop(forged *m, int32_t k)
{
	free(m->segment[k].bytes);
	m->segment[k] = m->segment[--m->segments];
}

static void forge(void *what, const scree_world *w, forged *m)
{
	input *o = what;
	(void)w;
	if (o->at == o->end || next(o) < 160) return; /* most messages stay valid */
	const uint8_t how = next(o) % 8;
	if (!m->segments || how == 0) {
		add_segment(o, m);
		return;
	}
	const int32_t k = next(o) % m->segments;
	if (how == 1)
		forged_resize(m, k, next_two(o) % (2 * m->segment[k].size + 9));
	else if (how == 2)
		repeat(o, m, k);
	else if (how == 3)
		drop(m, k);
	else if (how == 4)
		m->segment[k].tag = next_tag(o);
	else
		change_words(o, m, k);
}

static const struct {
	const char *scene;
	const partition_row *by;
	const char *rule; /* NULL: scree's own */
	bool handed;
	int steps;
} scenes[] = {
	{FORGED_SHAPES, &scree_partition_rcb, NULL, true, 4},	{FORGED_SHAPES, &scree_partition_grid, NULL, false, 3},
	{FORGED_IMPLICIT, &scree_partition_rcb, NULL, true, 3}, {FORGED_ELASTIC, &scree_partition_rcb, NULL, true, 3},
	{FORGED_PE, &scree_partition_grid, "pe", false, 3},		{FORGED_PE, &scree_partition_grid, NULL, false, 3},
	{FORGED_GIANT, &scree_partition_grid, NULL, false, 2},	{FORGED_PERIODIC, &scree_partition_rcb, NULL, false, 3},
	{FORGED_HARD, &scree_partition_grid, NULL, false, 3},	{FORGED_SOURCES, &scree_partition_grid, NULL, false, 4},
};

static const domain_row *rule_of(const char *name)
{
	const response *pe = name ? scree_response_find("ffd/pe") : NULL;
	return pe ? pe->exchanges : NULL;
}

enum { SUMS = 64 }; /* a bit of the first byte */

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
	input of = {bytes, bytes + length};
	const int64_t used = scree_memory_used();
	const uint8_t which = next(&of), k = which % SUMS % (sizeof scenes / sizeof *scenes);
	forged_run run = {.scene = scenes[k].scene,
					  .ranks = 2,
					  .by = scenes[k].by,
					  .rule = rule_of(scenes[k].rule),
					  .handed = scenes[k].handed,
					  .steps = scenes[k].steps,
					  .forger = which >> 7,
					  .sums = which & SUMS,
					  .forge = forge,
					  .what = &of};
	if (!forged_ranks(&run)) return 0;
	if (length < 2 && (run.why[0].code || run.why[1].code)) { /* nothing was changed */
		fprintf(stderr, "%s\n%s\n", run.why[0].text, run.why[1].text);
		abort();
	}
	for (int32_t n = 0; n < run.ranks; ++n)
		if (run.why[n].code && !*run.why[n].text) abort();
	if (scree_memory_used() != used) abort();
	return 0;
}
