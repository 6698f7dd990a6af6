/* levels_pairs: the lists of bodies at vertices, and the pairs formed from them.
 *
 * Bodies of one level that overlap are less than one mesh apart, so their vertices are equal or neighbours. Each vertex
 * is compared with half of its neighbours (4 in the plane, 13 in space). A body that overlaps a coarser body is at a
 * vertex in one of the cells around the coarser body's vertex. Each vertex is therefore compared with the corners of
 * the coarse cells that contain the vertex (4 or 8, or more on the border of cells). The bodies found at these corners
 * are the virtual particles of the vertex. */
#include "papers/levels/levels.h"

#include "base/memory.h"
#include "base/parallel.h"
#include "broad/broad.h"
#include "broad/phases.h"

enum { GRAIN = 1024, NEXT_MOST = 13, CORNERS_MOST = 27 };

typedef struct side_box {
	real low[3], high[3];
} side_box;

/* Result of one thread. The list of coarse vertices for a vertex is reused for the next vertex if both are in the same
 * cells. */
typedef struct piece {
	box_pairs found;
	int64_t comparisons, virtuals;
} piece;

typedef struct pair_search {
	const levels *s;
	const box_list *boxes;
	side_box *box;	   /* [items] the box of each item */
	int32_t *occupied; /* vertices with bodies */
	int32_t count;	   /* number of vertices with bodies */
	int32_t levels;	   /* number of levels with bodies */
	int32_t level[LEVELS_MOST];
	int32_t nexts, next[NEXT_MOST][3];
	piece *piece;
} pair_search;

/* The vertices of a level whose bodies may be virtual particles of a finer vertex. */
typedef struct corners {
	int64_t low[3], high[3];
	int32_t count, vertex[CORNERS_MOST];
} corners;

/* ------------------------------------------------------------------ lists */

static void reserve_lists(levels *s, int32_t count)
{
	if (count <= s->list_capacity) return;
	scree_free(s->item);
	scree_free(s->overflow);
	s->list_capacity = count + count / 4;
	s->item = scree_alloc((size_t)s->list_capacity, sizeof *s->item);
	s->overflow = scree_alloc((size_t)s->list_capacity, sizeof *s->overflow);
}

/* Lists the rows of boxes at each vertex, in ascending order. */
static void make_lists(levels *s, const box_list *l)
{
	reserve_lists(s, l->count);
	for (int32_t n = 0, first = 0; n < s->vertices.numbers; ++n) {
		if (s->vertices.place[n].level < 0) continue;
		first += s->vertex[n].bodies;
		s->vertex[n].first = first;
	}
	for (int32_t i = l->count - 1; i >= 0; --i) {
		int32_t v = s->body[s->numbers.number[i]].vertex;
		if (v >= 0)
			s->item[--s->vertex[v].first] = i;
		else
			s->overflow[s->overflows++] = i;
	}
	s->item_count = l->count - s->overflows;
}

static void copy_boxes(pair_search *o)
{
	const box_list *l = o->boxes;
	o->box = scree_alloc((size_t)o->s->item_count, sizeof *o->box);
	for (int32_t k = 0; k < o->s->item_count; ++k) {
		int32_t i = o->s->item[k];
		for (int d = 0; d < 3; ++d) {
			o->box[k].low[d] = l->low[d][i];
			o->box[k].high[d] = l->high[d][i];
		}
	}
}

static void find_occupied(pair_search *o)
{
	const levels *s = o->s;
	bool has[LEVELS_MOST] = {false};
	o->occupied = scree_alloc((size_t)s->vertices.count, sizeof *o->occupied);
	for (int32_t n = 0; n < s->vertices.numbers; ++n) {
		if (s->vertices.place[n].level < 0 || !s->vertex[n].bodies) continue;
		o->occupied[o->count++] = n;
		has[s->vertices.place[n].level] = true;
	}
	for (int32_t level = 0; level < s->levels; ++level)
		if (has[level]) o->level[o->levels++] = level;
}

/* Finds the neighbours that follow a vertex in the order of z, y, x. */
static void find_nexts(pair_search *o)
{
	for (int32_t z = o->s->axes == 2 ? 0 : -1; z <= (o->s->axes == 2 ? 0 : 1); ++z)
		for (int32_t y = -1; y <= 1; ++y)
			for (int32_t x = -1; x <= 1; ++x) {
				bool later = z > 0 || (z == 0 && (y > 0 || (y == 0 && x > 0)));
				if (!later) continue;
				const int32_t next[3] = {x, y, z};
				memcpy(o->next[o->nexts++], next, sizeof next);
			}
}

/* ------------------------------------------------------------------ pairs */

SCREE_FN bool meet(const side_box *a, const side_box *b)
{
	return a->low[0] <= b->high[0] && b->low[0] <= a->high[0] && a->low[1] <= b->high[1] && b->low[1] <= a->high[1] &&
		   a->low[2] <= b->high[2] && b->low[2] <= a->high[2];
}

/* Compares item k with items from .. to-1. */
static void compare(const pair_search *o, int32_t k, int32_t from, int32_t to, piece *p)
{
	const side_box mine = o->box[k];
	for (int32_t m = from; m < to; ++m)
		if (meet(&mine, o->box + m)) scree_box_pairs_add(&p->found, o->s->item[k], o->s->item[m]);
	p->comparisons += to > from ? to - from : 0;
}

static void compare_lists(const pair_search *o, const level_vertex *a, const level_vertex *b, piece *p)
{
	for (int32_t k = a->first; k < a->first + a->bodies; ++k) compare(o, k, b->first, b->first + b->bodies, p);
}

static void within_level(const pair_search *o, int32_t number, piece *p)
{
	const levels *s = o->s;
	const level_vertex *v = s->vertex + number;
	int32_t end = v->first + v->bodies;
	for (int32_t k = v->first; k < end; ++k) compare(o, k, k + 1, end, p);
	for (int32_t r = 0; r < o->nexts; ++r) {
		level_place next = s->vertices.place[number];
		for (int d = 0; d < 3; ++d) next.at[d] += o->next[r][d];
		int32_t other = scree_level_table_find(&s->vertices, &next);
		if (other >= 0) compare_lists(o, v, s->vertex + other, p);
	}
}

/* Finds the corners of the cells of a level that contain a vertex of a finer level: one cell, or several if the vertex
 * is on a border. Searches only if the cells differ from the previous ones. */
static void find_corners(const levels *s, const level_place *fine, int32_t level, corners *c)
{
	int64_t ratio = s->mesh[level] / s->mesh[fine->level];
	bool same = true;
	for (int d = 0; d < 3; ++d) {
		int64_t below = fine->at[d] / ratio, low = below, high = below;
		if (d < s->axes) {
			low -= below * ratio == fine->at[d];
			high += 1;
		}
		same &= low == c->low[d] && high == c->high[d];
		c->low[d] = low;
		c->high[d] = high;
	}
	if (same) return;
	c->count = 0;
	level_place p = {.level = level};
	for (p.at[2] = c->low[2]; p.at[2] <= c->high[2]; ++p.at[2])
		for (p.at[1] = c->low[1]; p.at[1] <= c->high[1]; ++p.at[1])
			for (p.at[0] = c->low[0]; p.at[0] <= c->high[0]; ++p.at[0]) {
				int32_t n = scree_level_table_find(&s->vertices, &p);
				if (n >= 0 && s->vertex[n].bodies) c->vertex[c->count++] = n;
			}
}

static void with_coarser(const pair_search *o, int32_t number, corners *c, piece *p)
{
	const levels *s = o->s;
	const level_place *fine = s->vertices.place + number;
	const level_vertex *v = s->vertex + number;
	for (int32_t k = 0; k < o->levels && o->level[k] < fine->level; ++k) {
		find_corners(s, fine, o->level[k], c + k);
		for (int32_t r = 0; r < c[k].count; ++r) {
			const level_vertex *coarse = s->vertex + c[k].vertex[r];
			p->virtuals += coarse->bodies;
			compare_lists(o, v, coarse, p);
		}
	}
}

static void find_piece(void *what, int64_t from, int64_t to, int thread)
{
	(void)thread;
	const pair_search *o = what;
	piece *p = o->piece + from / GRAIN;
	corners c[LEVELS_MOST];
	for (int k = 0; k < LEVELS_MOST; ++k) c[k].low[0] = INT64_MIN; /* corners that belong to no vertex */
	for (int64_t k = from; k < to; ++k) {
		within_level(o, o->occupied[k], p);
		with_coarser(o, o->occupied[k], c, p);
	}
}

/* Compares each body of the overflow list with all bodies at vertices, and with later bodies of the list. */
static void find_overflows(const levels *s, const box_list *l, broad_counts *count, box_pairs *out)
{
	for (int32_t n = 0; n < s->overflows; ++n) {
		int32_t a = s->overflow[n];
		for (int32_t k = 0; k < s->item_count; ++k)
			if (boxes_meet(l, a, s->item[k])) scree_box_pairs_add(out, a, s->item[k]);
		for (int32_t k = n + 1; k < s->overflows; ++k)
			if (boxes_meet(l, a, s->overflow[k])) scree_box_pairs_add(out, a, s->overflow[k]);
		count->comparisons += s->item_count + s->overflows - n - 1;
	}
}

void scree_levels_pairs(levels *s, const box_list *l, broad_counts *count, box_pairs *out)
{
	make_lists(s, l);
	pair_search o = {.s = s, .boxes = l};
	copy_boxes(&o);
	find_occupied(&o);
	find_nexts(&o);
	int64_t pieces = (o.count + GRAIN - 1) / GRAIN;
	o.piece = scree_alloc((size_t)pieces, sizeof *o.piece);
	scree_parallel(find_piece, &o, o.count, GRAIN);
	for (int64_t k = 0; k < pieces; ++k) {
		piece *p = o.piece + k;
		count->comparisons += p->comparisons;
		count->virtuals += p->virtuals;
		for (int64_t m = 0; m < p->found.count; ++m) scree_box_pairs_add(out, p->found.pair[m][0], p->found.pair[m][1]);
		scree_box_pairs_free(&p->found);
	}
	scree_free(o.piece);
	scree_free(o.occupied);
	scree_free(o.box);
	find_overflows(s, l, count, out);
}
