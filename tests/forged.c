#include "forged.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "bisect.h"
#include "broad/stage.h"
#include "prepare/prepare.h"
#include "rank_trees.h"
#include "rank_worlds.h"
#include "scene_text.h"
#include "world/slice.h"

/* ------------------------------------------------------------------ messages in transit */

typedef struct forging {
	channel inner;
	forged_run *of;
	scree_world *w; /* NULL: none yet */
	message out;
} forging;

void forged_resize(forged *m, int32_t segment, size_t size)
{
	if (size > m->segment[segment].room) {
		m->segment[segment].bytes = realloc(m->segment[segment].bytes, size);
		m->segment[segment].room = size;
	}
	const size_t had = m->segment[segment].size;
	if (size > had) memset(m->segment[segment].bytes + had, 0, size - had);
	m->segment[segment].size = size;
}

int32_t forged_add(forged *m, uint64_t tag)
{
	if (m->segments == FORGED_SEGMENTS) return -1;
	m->segment[m->segments].tag = tag;
	m->segment[m->segments].size = m->segment[m->segments].room = 0;
	m->segment[m->segments].bytes = NULL;
	return m->segments++;
}

static bool take_apart(forged *m, const void *bytes, size_t count)
{
	message_reader r = {.bytes = bytes, .count = count, .at = sizeof(message_head)};
	segment s;
	*m = (forged){.segments = 0};
	memcpy(&m->head, bytes, sizeof m->head);
	if (m->head.segments > FORGED_SEGMENTS) return false;
	while (scree_message_next(&r, &s)) {
		const int32_t k = forged_add(m, s.tag);
		forged_resize(m, k, s.size);
		if (s.size) memcpy(m->segment[k].bytes, s.bytes, s.size);
	}
	return true;
}

static void put_together(const forged *m, message *to)
{
	scree_message_begin(to, &m->head);
	for (int32_t k = 0; k < m->segments; ++k) {
		void *bytes = scree_message_segment(to, m->segment[k].tag, m->segment[k].size);
		if (m->segment[k].size) memcpy(bytes, m->segment[k].bytes, m->segment[k].size);
	}
	scree_message_end(to);
}

/* MPI computes sums by itself, and failure reports are plain text. */
static bool may_be_changed(const forged_run *o, const message_head *h)
{
	return h->phase >= PHASE_GATHER || (o->sums && h->phase != PHASE_FAILURE);
}

static void send(channel *c, int32_t to, int32_t tag, const void *bytes, size_t count)
{
	forging *o = c->at;
	forged m;
	if (c->rank != o->of->forger || !take_apart(&m, bytes, count)) {
		o->inner.by->send(&o->inner, to, tag, bytes, count);
		return;
	}
	if (may_be_changed(o->of, &m.head)) {
		o->of->sent += 1;
		o->of->forge(o->of->what, o->w, &m);
	}
	put_together(&m, &o->out);
	for (int32_t k = 0; k < m.segments; ++k) free(m.segment[k].bytes);
	o->inner.by->send(&o->inner, to, tag, o->out.bytes, o->out.count);
}

static int32_t probe(channel *c, int32_t tag, real patience, int32_t *from, size_t *count)
{
	forging *o = c->at;
	return o->inner.by->probe(&o->inner, tag, patience, from, count);
}

static void receive(channel *c, int32_t from, int32_t tag, void *bytes, size_t count)
{
	forging *o = c->at;
	o->inner.by->receive(&o->inner, from, tag, bytes, count);
}

static void sent(channel *c) { (void)c; }

static const transport_row with_forgery = {.send = send,
										   .probe = probe,
										   .receive = receive,
										   .sent = sent,
										   .greatest = scree_tree_greatest,
										   .add = scree_tree_add,
										   .both = scree_tree_both};

/* ------------------------------------------------------------------ a rank */

/* The bounding box of all bodies, or the cell along periodic axes. */
static void choose_box(const scree_world *w, partition_plan *o)
{
	const bodies *b = &w->state.body;
	o->low = v3(INFINITY, INFINITY, INFINITY), o->high = v3_neg(o->low);
	for (int32_t i = 0; i < b->count; ++i) {
		o->low = v3_min(o->low, body_position(b, i));
		o->high = v3_max(o->high, body_position(b, i));
	}
	plan_cell(w, o);
}

static void divide(scree_world *w, rank_part *part)
{
	int32_t *gone = scree_alloc((size_t)w->state.body.count, sizeof *gone);
	for (int32_t i = 0; i < w->state.body.count; ++i) gone[i] = i;
	if (part->c->rank > 0) scree_world_remove(&w->model, &w->state, &w->work, w->state.body.count, gone);
	scree_free(gone);
	scree_world_hand_out(&w->model, &w->state, &w->work, part);
}

static void take(void *context, const void *bytes, size_t size)
{
	const uint8_t *from = bytes;
	for (size_t k = 0; k < size; ++k) *(uint8_t *)context ^= from[k];
}

/* What files need. */
static void read_all(rank_part *part, const scree_world *w)
{
	uint8_t sum = 0;
	for (int content = SLICE_HISTORIES; content <= SLICE_LINES_ALONE; ++content)
		scree_world_slice_free(w->work.domain.by->slice(part, &w->model, &w->state, &w->work, 1, content));
	scree_ranks_collect(part, sizeof w->state.time, &w->state.time, take, &sum);
	scree_ranks_whole_free(scree_ranks_whole(part, w));
}

typedef struct one_rank {
	forged_run *of;
	channel *c;
	forging *by;
} one_rank;

static void step_rank(void *what)
{
	const one_rank *o = what;
	const forged_run *of = o->of;
	scene at;
	char *report = NULL;
	fail why = {0};
	if (!read_scene("forged", of->scene, strlen(of->scene), 0, NULL, true, &at, &report))
		scree_break_off(FAIL_INPUT, "%.900s", report);
	scree_world *w = o->by->w = at.world;
	rank_part part = {.c = o->c, .rule = of->rule ? of->rule : &scree_domain_ranks};
	partition_plan plan = {.ranks = of->ranks, .cut = bisect};
	choose_box(w, &plan);
	if (!scree_partition_make(&part.space, of->by, &plan, &why)) scree_break_off(why.code, "%s", why.text);
	if (of->handed)
		divide(w, &part);
	else
		keep_own_bodies(w, &part);
	bool good = scree_world_prepare(w, 0, w->model.dt, &why);
	if (!good) scree_break_off(why.code, "%s", why.text);
	for (int k = 0; k < of->steps && good; ++k) {
		if (!of->calm)
			part.space.plan.balance = part.reached =
				(real)1e-9; /* moves the partition's cutting planes at each search */
		w->work.skin.stale |= !of->calm;
		good = scree_step(w);
	}
	if (!good) scree_break_off(w->work.why.code, "%s", w->work.why.text);
	if (!of->rule) read_all(&part, w);
	scree_partition_free(&part.space);
	scree_rank_part_free(&part);
	scree_scene_free(&at);
}

static void run_rank(channel *c, void *what)
{
	forged_run *of = what;
	forging by = {.of = of};
	one_rank o = {of, c, &by};
	memory_list list = {0};
	fail why = {0};
	by.inner = (channel){.by = c->by, .at = c->at, .rank = c->rank, .ranks = c->ranks, .patience = c->patience};
	c->by = &with_forgery;
	c->at = &by;
	memory_list *before = scree_memory_into(&list);
	if (!scree_attempt(step_rank, &o, &why)) {
		of->why[c->rank] = why;
		scree_channel_fail(c, &why);
	}
	scree_memory_into(before);
	scree_memory_drop(&list);
	scree_message_free(&by.out);
	c->by = by.inner.by;
	c->at = by.inner.at;
}

bool forged_ranks(forged_run *o)
{
	const thread_ranks all = {o->ranks, 1, 0, run_rank, o};
	memset(o->why, 0, sizeof o->why);
	o->sent = 0;
	return scree_thread_ranks_run(&all, NULL);
}
