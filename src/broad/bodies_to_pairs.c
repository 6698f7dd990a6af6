/* bodies_to_pairs: finds the bodies and walls that may touch before the next search.
 *
 * in   poses, the skin                out  slots of each kind of pair, with histories found by their keys
 *
 * Bodies are first sorted along a space-filling curve, so that neighbours in space are neighbours in memory. Pairs,
 * which broad phases report in any order, are sorted, too. Slots of two bodies are kept if pairs have not changed. */
#include "broad/stage.h"

#include "base/memory.h"
#include "base/parallel.h"
#include "base/sort.h"
#include "broad/pair_lists.h"
#include "broad/work.h"
#include "kernel/quat.h"
#include "shape/flat_support.h"
#include "shape/shape_forms.h"
#include "work/work.h"

#include <string.h>

enum { GRAIN = 1024, SORT_EVERY = 8, SORT_EVERY_STEPS = 1000 };

/* Spreads the lowest 21 bits of x, with two zero bits after each bit. */
static uint64_t spread3(uint64_t x)
{
	x &= 0x1fffff;
	x = (x | x << 32) & 0x1f00000000ffffULL;
	x = (x | x << 16) & 0x1f0000ff0000ffULL;
	x = (x | x << 8) & 0x100f00f00f00f00fULL;
	x = (x | x << 4) & 0x10c30c30c30c30c3ULL;
	return (x | x << 2) & 0x1249249249249249ULL;
}

/* Sorts bodies by the Morton codes of positions; ghosts keep their order and come last. was: old row of each new row */
static void sort_bodies(state *s, int32_t *was)
{
	bodies *b = &s->body;
	vec3 low = body_position(b, 0), high = low;
	for (int32_t i = 1; i < b->owned; ++i) {
		vec3 p = body_position(b, i);
		low = v3_min(low, p);
		high = v3_max(high, p);
	}
	real wide = real_max(real_max(high.x - low.x, high.y - low.y), high.z - low.z);
	real scale = wide > 0 ? 2097151 / wide : 0;
	sort_item *item = scree_alloc((size_t)b->count, sizeof *item), *tmp = scree_alloc((size_t)b->count, sizeof *tmp);
	for (int32_t i = 0; i < b->owned; ++i) {
		vec3 p = v3_mul(scale, v3_sub(body_position(b, i), low));
		item[i].key = spread3((uint64_t)p.x) | spread3((uint64_t)p.y) << 1 | spread3((uint64_t)p.z) << 2;
		item[i].value = i;
	}
	scree_sort(item, tmp, b->owned);
	for (int32_t i = 0; i < b->count; ++i) was[i] = i < b->owned ? item[i].value : i;
	scree_bodies_permute(b, was, tmp);
	SCREE_FREE_ALL(item, tmp);
}

typedef struct boxes {
	const model *m;
	const state *s;
	const work *w;
	real *side[6]; /* low x y z, high x y z */
} boxes;

static void make_boxes(void *what, int64_t from, int64_t to, SCREE_UNUSED int thread)
{
	boxes *o = what;
	const bodies *b = &o->s->body;
	for (int64_t i = from; i < to; ++i) {
		vec3 low, high;
		const shape *s = o->m->shape.row + b->shape[i];
		const vec3 at = body_position(b, (int32_t)i);
		const mat3 turn = quat_matrix(body_orientation(b, (int32_t)i));
		(o->m->flat ? scree_flat_box : scree_shape_forms[s->type].box)(s, b->size[i], at, turn, &low, &high);
		real m = b->margin[i] + o->w->skin.reach + scree_box_rounding(b, (int32_t)i);
		o->side[0][i] = low.x - m;
		o->side[1][i] = low.y - m;
		o->side[2][i] = low.z - m;
		o->side[3][i] = high.x + m;
		o->side[4][i] = high.y + m;
		o->side[5][i] = high.z + m;
	}
}

bool scree_pairs_stale_here(const model *m, const state *s, const work *w)
{
	const broad_skin *skin = &w->skin;
	if (skin->stale || skin->spent) return true;
	/* as long as the rows of all bodies are valid, so are their pairs */
	for (int32_t i = 0; i < s->body.owned && !(skin->beyond < 0); ++i)
		if (!(s->body.way[i] + (m->implicit ? need_ahead(w->ahead.most[i]) : 0) < s->body.margin[i])) return true;
	const real until = s->time + (m->implicit ? 2 : 1) * m->dt;
	/* a wall and a body approach each other by at most the sum of their displacements */
	for (int32_t k = 0; k < m->wall.count; ++k) {
		const wall *o = m->wall.row + k;
		if (o->motion.type == MOTION_STILL) continue;
		real way = w->wall[k].gone + scree_wall_way(o, w->middle, w->reach, w->paired_at, until);
		if (motion_is_driven(o->motion.type))
			way += scree_driven_way(o, w->middle, w->reach,
									real_abs(s->wall[k].servo.way - w->wall[k].paired) +
										(m->implicit ? m->dt * real_abs(s->wall[k].servo.speed) : 0));
		if (!(way < skin->width / 2)) return true;
	}
	return false;
}

bool scree_pairs_stale(const model *m, const state *s, const work *w)
{
	return scree_domain_any(&w->domain, scree_pairs_stale_here(m, s, w));
}

/* Searches for pairs in a periodic world: the broad phase treats images like any other boxes. */
static bool find_with_images(const model *m, state *s, work *w, const box_list *bodies, bool all, candidates *c)
{
	image_boxes o = {0};
	scree_images_add(m, s, bodies, &o);
	box_list list = {o.count, {o.side[0], o.side[1], o.side[2]}, {o.side[3], o.side[4], o.side[5]}, o.id, m->flat};
	bool news = scree_broad_search(&w->broad->search, m->search, &list, all, &c->found);
	if (news) scree_images_to_bodies(&o, bodies->count, c);
	scree_images_free(&o);
	return news;
}

static bool find(const model *m, state *s, work *w, const box_list *boxes, bool all, candidates *c)
{
	const guards *g = &m->guard;
	const real low[3] = {g->low.x, g->low.y, g->low.z}, high[3] = {g->high.x, g->high.y, g->high.z};
	w->broad->search.bounded = g->bounded;
	memcpy(w->broad->search.area_low, low, sizeof low);
	memcpy(w->broad->search.area_high, high, sizeof high);
	if (m->period.on) return find_with_images(m, s, w, boxes, all, c);
	return scree_broad_search(&w->broad->search, m->search, boxes, all, &c->found);
}

/* Tests whether the bounding spheres of candidate k stay apart until the next search. */
static bool stays_apart(const model *m, const state *s, const work *w, const candidates *c, int64_t k)
{
	const bodies *o = &s->body;
	int32_t a = c->found.pair[k][0], b = c->found.pair[k][1];
	vec3 d = v3_sub(body_position(o, a), body_position(o, b));
	if (m->period.on && c->moved[k] >= 0) {
		vec3 shift = s->images.shift[c->code[k]];
		d = c->moved[k] == a ? v3_add(d, shift) : v3_sub(d, shift);
	}
	real more = scree_box_rounding(o, a) + scree_box_rounding(o, b);
	real most = o->radius[a] + o->radius[b] + o->margin[a] + o->margin[b] + 2 * w->skin.reach + 2 * more;
	return v3_norm2(d) > most * most * (1 + (real)1e-12);
}

/* Drops pairs that cannot touch before the next search. In a packing of spheres these are half of all pairs: their
 * boxes meet only at corners. A broad phase with a list of its own needs all pairs. */
static void drop_distant(const model *m, const state *s, const work *w, candidates *c)
{
	int64_t kept = 0;
	for (int64_t k = 0; k < c->found.count && !m->search->keeps_pairs; ++k) {
		if (stays_apart(m, s, w, c, k)) continue;
		c->found.pair[kept][0] = c->found.pair[k][0];
		c->found.pair[kept][1] = c->found.pair[k][1];
		if (c->moved) c->moved[kept] = c->moved[k];
		if (c->code) c->code[kept] = c->code[k];
		++kept;
	}
	if (!m->search->keeps_pairs) c->found.count = kept;
}

/* Moves histories out of the slots, keyed by ids; impulse contacts have no history. */
static void take_slots(const model *m, state *s, work *w, pair_keys keys[PAIR_KINDS])
{
	if (m->solver)
		scree_pair_lists_forget(s, w);
	else
		scree_pair_keys_take(s, w, keys, false);
}

/* Makes all slots, moves each history to the slot with its key, and adds energies of ended contacts to the ledger. */
static void make_slots(const model *m, state *s, work *w, candidates *c, pair_keys keys[PAIR_KINDS])
{
	drop_distant(m, s, w, c);
	scree_pair_lists_bodies(m, s, w, c);
	scree_pair_lists_walls(m, s, w);
	if (m->solver) return;
	scree_pair_keys_give(m, s, w, keys, false);
}

/* Keeps the slots of two bodies. Stored distances remain valid once displacements since the search are subtracted. */
static void keep_slots(const model *m, state *s, work *w)
{
	const real *way = s->body.way;
	for (int kind = 0; kind < PAIR_KINDS; ++kind) {
		const pair_list *l = s->pair + kind;
		real *clear = w->pair[kind].cache.clear;
		if (pair_on_wall(kind)) continue;
		for (int64_t k = 0; k < l->count; ++k) clear[k] -= way[l->a[k]] + way[l->b[k]];
	}
	scree_pair_lists_walls_again(m, s, w);
}

/* Tests whether bodies should be sorted, which is pointless if nothing has changed. */
static bool sort_due(const model *m, const state *s, const work *w)
{
	bool often = m->skin_given && m->skin == 0; /* whether a search is due in every step */
	int64_t passed = often ? w->rebuilds % SORT_EVERY_STEPS : w->rebuilds % SORT_EVERY;
	return s->body.owned && !m->unsorted && passed == 0 && (w->skin.stale || w->broad->search.news);
}

/* number of slots of two bodies */
static int64_t count_slots(const state *s)
{
	int64_t slots = 0;
	for (int kind = 0; kind < PAIR_KINDS; ++kind)
		if (!pair_on_wall(kind)) slots += s->pair[kind].count;
	return slots;
}

void scree_bodies_to_pairs(const model *m, state *s, work *w)
{
	bodies *b = &s->body;
	const bool settled = w->domain.by->settle && w->domain.by->settle(w->domain.at, m, s, w);
	bool sort = sort_due(m, s, w), ghosts = w->domain.by->renew != NULL;
	bool renew = w->skin.stale || sort || m->solver || ghosts; /* whether contact rows are no longer valid */
	pair_keys keys[PAIR_KINDS];
	if (settled)
		scree_pair_lists_forget(s, w);
	else if (renew)
		take_slots(m, s, w, keys);
	if (sort) {
		int32_t *was = scree_alloc((size_t)b->count, sizeof *was);
		sort_bodies(s, was);
		scree_free(was);
	}
	const margin_rule rule = scree_skin_choose(m, s, w);
	scree_skin_margins(m, s, w, &rule);
	if (ghosts) w->domain.by->renew(w->domain.at, m, s, w); /* updates the ghosts and their margins */
	if (settled) take_slots(m, s, w, keys);
	b->epoch += ghosts;

	boxes o = {.m = m, .s = s, .w = w};
	for (int d = 0; d < 6; ++d) o.side[d] = scree_alloc((size_t)b->count, sizeof *o.side[d]);
	scree_parallel(make_boxes, &o, b->count, GRAIN);
	box_list list = {b->count, {o.side[0], o.side[1], o.side[2]}, {o.side[3], o.side[4], o.side[5]}, b->id, m->flat};
	candidates c = {0};
	if (find(m, s, w, &list, renew, &c)) {
		if (!renew) take_slots(m, s, w, keys);
		make_slots(m, s, w, &c, keys);
	} else {
		keep_slots(m, s, w);
	}
	scree_box_pairs_free(&c.found);
	SCREE_FREE_ALL(c.moved, c.code);
	for (int d = 0; d < 6; ++d) scree_free(o.side[d]);
	for (int32_t i = 0; i < b->count; ++i) b->way[i] = 0;
	/* walls have already moved to the end of this step */
	scree_skin_start(m, s, w, s->time + m->dt, count_slots(s));
}
