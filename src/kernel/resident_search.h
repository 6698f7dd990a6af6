/* resident_search.h: the search for pairs in the memory of a device (broad/). Bodies are in cells of a grid, whose
 * numbers are hashed; larger bodies are in the wider cells of another level. A pair is found from its body on the finer
 * level.
 *
 * Pairs are first counted and then stored, for each list and each first body. Atomic operations place them, and sorting
 * makes their order independent of the order of threads. */
#ifndef SCREE_KERNEL_RESIDENT_SEARCH_H
#define SCREE_KERNEL_RESIDENT_SEARCH_H

#include "kernel/margin.h"
#include "kernel/mixed_bits.h"
#include "kernel/resident.h"

enum {
	/* what is listed for each body: its rows with spheres and on walls, walls near it and their facets, other rows */
	SEARCH_GROUPS = RESIDENT_LISTS,
	SEARCH_FACETS,
	SEARCH_OTHERS,
	SEARCH_LISTS = SEARCH_OTHERS + ALL_LISTS - RESIDENT_LISTS,
	SEARCH_LEVELS = 32,
	SEARCH_LEVEL = 16, /* that of the largest body with the least margin */
	SEARCH_CHUNK = 256 /* counts that an item adds */
};

/* Numbers that are the same for all bodies in a search. */
typedef struct search_rule {
	margin_rule margin;
	vec3 middle;			  /* about the middle of all bodies */
	real reach;				  /* distance up to which surfaces act on each other, in m */
	real quantum;			  /* unit of the sum of margins, in m */
	real wide[SEARCH_LEVELS]; /* width of cells, in m */
	int64_t counts[2];		  /* number of cells, a power of two, and of starts of lists */
	/* rows before the search, and new ones */
	int64_t was[ALL_LISTS], rows[ALL_LISTS], row_stride[ALL_LISTS];
	int32_t columns[ALL_LISTS];		  /* columns of rows that are in use */
	int32_t lists;					  /* those of SEARCH_LISTS that are in use */
	int32_t codes, code[IMAGE_CODES]; /* images of a body through which it may meet others, with the body itself */
	int32_t walls, materials;
} search_rule;

/* What a search reports, in words of 64 bits. */
enum {
	SEARCHED_MARGINS, /* sum of margins in quanta */
	SEARCHED_REACH,	  /* bits of the distance in m from the middle to any body and its margin */
	SEARCHED_FACETS,  /* number of polyhedra at walls of facets */
	SEARCHED_LEVELS,  /* 1 if a level has bodies */
	SEARCHED_STARTS = SEARCHED_LEVELS + SEARCH_LEVELS, /* where each list starts, and the end of the last one */
	SEARCHED_WORDS = SEARCHED_STARTS + SEARCH_LISTS + 1
};

typedef struct search_cell {
	int32_t x, y, z, level;
} search_cell;

/* A body, and a ball around it: two bodies may touch before the next search if their balls meet. */
typedef struct search_box {
	vec3 at;
	real extent;
	search_cell cell;
	int64_t body;
} search_box;

/* The pose of a wall. */
typedef struct search_wall {
	vec3 position;
	mat3 turn;
	vec3 low, high; /* a box around its facets, in its frame */
	real far;		/* way of the wall before the next search, in m */
	int32_t driven; /* whether forces move it */
} search_wall;

/* Where the rows of a list are listed. */
SCREE_FN int32_t search_list(int32_t rows)
{
	return rows < RESIDENT_LISTS ? rows : rows + SEARCH_OTHERS - RESIDENT_LISTS;
}

/* The cell of a coordinate. Bodies beyond 1e9 cells share cells. */
SCREE_FN int32_t cell_along(real x, real wide)
{
	const real in = real_clamp(x / wide, -1e9, 1e9);
	const int32_t cell = (int32_t)in;
	return (real)cell > in ? cell - 1 : cell;
}

SCREE_FN search_cell cell_at(vec3 p, real wide, int32_t level)
{
	const search_cell c = {cell_along(p.x, wide), cell_along(p.y, wide), cell_along(p.z, wide), level};
	return c;
}

SCREE_FN bool same_cell(search_cell a, search_cell b)
{
	return a.x == b.x && a.y == b.y && a.z == b.z && a.level == b.level;
}

/* Number of a cell. Blocks of 64 cells are scattered, and the cells of a block are neighbours in memory. cells: a power
 * of two */
SCREE_FN int64_t cell_number(search_cell c, int64_t cells)
{
	const uint64_t x = (uint32_t)(c.x >> 2), y = (uint32_t)(c.y >> 2), z = (uint32_t)(c.z >> 2);
	const uint64_t block = mixed_bits(mixed_bits(x << 32 | y) ^ (z << 8 | (uint32_t)c.level));
	return (int64_t)((block << 6 | (uint32_t)((c.z & 3) << 4 | (c.y & 3) << 2 | (c.x & 3))) & (uint64_t)(cells - 1));
}

/* The finest level whose cells are as wide as a ball; a bit wider, since coordinates are rounded. */
SCREE_FN int32_t level_of(real extent, SCREE_GLOBAL const search_rule *q)
{
	int32_t level = 0;
	while (level + 1 < SEARCH_LEVELS && q->wide[level] < (real)2.0002 * extent) ++level;
	return level;
}

SCREE_FN bool balls_meet(const search_box *a, const search_box *b)
{
	const real most = a->extent + b->extent;
	return !(v3_norm2(v3_sub(a->at, b->at)) > most * most * (1 + (real)1e-12));
}

/* A pair is found from the body on the finer level, or on one level from the body with the lower row. */
SCREE_FN bool found_from(const search_box *a, const search_box *b)
{
	return a->cell.level < b->cell.level || (a->cell.level == b->cell.level && a->body < b->body);
}

SCREE_FN uint64_t id_in(const columns *b, int64_t i)
{
	return ((SCREE_GLOBAL const uint64_t *)column_of(b, SPHERE_id))[i];
}

SCREE_FN real way_ahead_in(const columns *b, int64_t i, real dt)
{
	const real swing = swing_of(real_in(b, SPHERE_radius, i), real_in(b, SPHERE_round, i));
	return way_at_speed(vector_in(b, SPHERE_vx, i), vector_in(b, SPHERE_wx, i), swing, dt);
}

SCREE_FN search_box search_box_of(const columns *b, int64_t i, SCREE_GLOBAL const search_rule *q)
{
	const vec3 at = vector_in(b, SPHERE_x, i);
	const real radius = real_in(b, SPHERE_radius, i);
	const real extent = radius + real_in(b, SPHERE_margin, i) + q->reach + 2 * box_rounding(radius, at);
	const int32_t level = level_of(extent, q);
	const search_box o = {at, extent, cell_at(at, q->wide[level], level), i};
	return o;
}

/* ------------------------------------------------------------------ counts */

/* A range of counts in a block: the counts themselves (level 0), or sums of so many of them, which follow. */
typedef struct count_range {
	int64_t at, count;
} count_range;

SCREE_FN int64_t chunks_of(int64_t count) { return (count + SEARCH_CHUNK - 1) / SEARCH_CHUNK; }

SCREE_FN count_range counts_at(int64_t count, int32_t level)
{
	count_range r = {0, count};
	for (int32_t k = 0; k < level; ++k) r.at += r.count, r.count = chunks_of(r.count);
	return r;
}

/* When all items of a range have been placed, its start is the end of the range before. */
SCREE_FN int64_t range_start(SCREE_GLOBAL const uint64_t *ends, int64_t k) { return k > 0 ? (int64_t)ends[k - 1] : 0; }

/* ------------------------------------------------------------------ rows */

/* The partner of a row, also of one out of use, which has the complement of the partner before it. */
SCREE_FN int32_t partner_of(int32_t number) { return number < 0 ? ~number : number; }

/* Order of partners in a list: by id, or by the number of the surface. */
SCREE_FN uint64_t partner_key(const columns *b, int32_t number, bool on_wall)
{
	const int32_t partner = partner_of(number);
	return on_wall ? (uint64_t)partner : id_in(b, partner);
}

/* Pairs of a search: the partner, and in periodic space the code of its image. */
typedef struct search_found {
	SCREE_GLOBAL int32_t *partner, *code; /* code: 0 without periods */
} search_found;

SCREE_FN int32_t code_of(const search_found *f, int64_t k) { return f->code ? f->code[k] : IMAGE_NONE; }

SCREE_FN void found_put(const search_found *f, int64_t k, int32_t partner, int32_t code)
{
	f->partner[k] = partner;
	if (f->code) f->code[k] = code;
}

SCREE_FN void sort_partners(const columns *b, const search_found *f, int64_t from, int64_t to, bool on_wall)
{
	for (int64_t k = from + 1; k < to; ++k) {
		const int32_t partner = f->partner[k], code = code_of(f, k);
		const uint64_t key = partner_key(b, partner, on_wall);
		int64_t at = k;
		for (; at > from; --at) {
			const uint64_t before = partner_key(b, f->partner[at - 1], on_wall);
			if (before < key || (before == key && code_of(f, at - 1) <= code)) break;
			found_put(f, at, f->partner[at - 1], code_of(f, at - 1));
		}
		found_put(f, at, partner, code);
	}
}

/* Finds a pair among sorted rows; returns -1 if it is not there. */
SCREE_FN int64_t row_with(const columns *b, const columns *rows, int64_t count, int32_t first, int32_t partner,
						  bool on_wall)
{
	const uint64_t key = partner_key(b, partner, on_wall);
	int64_t low = 0, high = count;
	while (low < high) {
		const int64_t k = low + (high - low) / 2;
		const int32_t a = number_in(rows, ROW_ca, k);
		const bool before = a < first || (a == first && partner_key(b, number_in(rows, ROW_cb, k), on_wall) < key);
		low = before ? k + 1 : low;
		high = before ? high : k;
	}
	const bool is = low < count && number_in(rows, ROW_ca, low) == first && number_in(rows, ROW_cb, low) == partner;
	return is ? low : -1;
}

#endif
