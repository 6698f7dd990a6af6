/* packing: solid fraction in the interior of a packing. Space is divided into cells somewhat larger than a grain, and
 * the volume of a grain is distributed over the cells that overlap a cube (in the plane, a square) of this volume. A
 * cell counts as filled above a solid fraction of one fifth, which a dense packing always exceeds and an isolated grain
 * does not. A cell is inside if it and its neighbours are filled, which excludes cells cut by a wall or the surface. */
#include "report/measures.h"

#include "base/memory.h"
#include "base/sort.h"

static const real EDGE = (real)1.5, EDGE_FLAT = 2; /* diameters */
static const real FILLED = (real)0.2;
static const real MOST_CELLS = 1e6; /* limit along an axis; grains that are farther apart are not a packing */

/* the part of a grain that is in a given cell */
typedef struct piece {
	real volume, mass;
} piece;

typedef struct cells {
	const grains *of;
	vec3 low; /* lower corner of the box around all grains, in m */
	real edge;
	int64_t nx, ny;
	int64_t pieces;
	piece *piece;
	sort_item *at; /* [pieces] keys of the cells that contain them */
	int64_t count; /* filled cells */
	sort_item *filled;
	piece *content; /* [count] */
} cells;

/* half the edge of the cube, or square, with a grain's volume */
static real half_edge(const grains *g, const grain *o)
{
	static const real CUBE = (real)0.80599597700823482,
					  SQUARE = (real)0.88622692545275801; /* (pi/6)^(1/3), sqrt(pi)/2 */
	return o->radius * (g->flat ? SQUARE : CUBE);
}

/* returns false if there are no grains, or if they are too far apart */
static bool lay_out(cells *c, const grains *g)
{
	vec3 low = v3(INFINITY, INFINITY, INFINITY), high = v3_neg(low);
	*c = (cells){.of = g, .edge = (g->flat ? EDGE_FLAT : EDGE) * g->diameter};
	for (int64_t k = 0; k < g->count; ++k) {
		const real h = half_edge(g, g->row + k);
		low = v3_min(low, v3_sub(g->row[k].at, v3(h, h, h)));
		high = v3_max(high, v3_add(g->row[k].at, v3(h, h, h)));
	}
	const vec3 size = v3_mul(1 / c->edge, v3_sub(high, low));
	if (!g->count || !(real_max(size.x, real_max(size.y, size.z)) < MOST_CELLS)) return false;
	c->low = low;
	c->nx = (int64_t)size.x + 3;
	c->ny = (int64_t)size.y + 3;
	return true;
}

/* Cells from `first` to `last` along an axis, and the fraction of an interval in each of them. */
typedef struct span {
	int64_t first, last;
	real from, to; /* in units of the edge of a cell */
} span;

/* Indices of cells start at 1, so that each cell with grains has neighbours. */
static span span_of(const cells *c, real middle, real low, real half)
{
	span s = {.from = (middle - half - low) / c->edge, .to = (middle + half - low) / c->edge};
	s.from = real_max(s.from, 0);
	s.first = 1 + (int64_t)s.from;
	s.last = 1 + (int64_t)s.to;
	return s;
}

static real part_in(const span *s, int64_t cell)
{
	const real from = real_max(s->from, (real)(cell - 1)), to = real_min(s->to, (real)cell);
	return real_max(0, to - from) / (s->to - s->from);
}

static span across_plane(void) { return (span){1, 1, 0, 1}; }

/* Adds the pieces of a grain or, if `piece` is NULL, only counts them. */
static void add_pieces(cells *c, const grain *o)
{
	const real h = half_edge(c->of, o);
	const span x = span_of(c, o->at.x, c->low.x, h), y = span_of(c, o->at.y, c->low.y, h);
	const span z = c->of->flat ? across_plane() : span_of(c, o->at.z, c->low.z, h);
	for (int64_t k = z.first; k <= z.last; ++k)
		for (int64_t j = y.first; j <= y.last; ++j)
			for (int64_t i = x.first; i <= x.last; ++i, ++c->pieces) {
				if (!c->piece) continue;
				const real part = part_in(&x, i) * part_in(&y, j) * part_in(&z, k);
				c->piece[c->pieces] = (piece){part * o->volume, part * o->mass};
				c->at[c->pieces] = (sort_item){(uint64_t)((k * c->ny + j) * c->nx + i), (int32_t)c->pieces};
			}
}

static void cut_grains(cells *c)
{
	for (int64_t k = 0; k < c->of->count; ++k) add_pieces(c, c->of->row + k);
	c->piece = scree_alloc((size_t)c->pieces, sizeof *c->piece);
	c->at = scree_alloc((size_t)c->pieces, sizeof *c->at);
	c->pieces = 0;
	for (int64_t k = 0; k < c->of->count; ++k) add_pieces(c, c->of->row + k);
}

static real volume_of_cell(const cells *c) { return c->edge * c->edge * (c->of->flat ? 1 : c->edge); }

static void find_filled(cells *c)
{
	c->filled = scree_alloc((size_t)c->pieces, sizeof *c->filled);
	c->content = scree_alloc((size_t)c->pieces, sizeof *c->content);
	scree_sort(c->at, c->filled, c->pieces);
	for (int64_t from = 0, to; from < c->pieces; from = to) {
		piece sum = {0};
		for (to = from; to < c->pieces && c->at[to].key == c->at[from].key; ++to) {
			sum.volume += c->piece[c->at[to].value].volume;
			sum.mass += c->piece[c->at[to].value].mass;
		}
		if (sum.volume < FILLED * volume_of_cell(c)) continue;
		c->filled[c->count] = c->at[from];
		c->content[c->count++] = sum;
	}
}

static bool is_filled(const cells *c, uint64_t key)
{
	const int64_t k = scree_sort_find(c->filled, 0, c->count, key);
	return k < c->count && c->filled[k].key == key;
}

static bool is_inside(const cells *c, uint64_t key)
{
	const int64_t row = c->nx, layer = c->nx * c->ny, deep = c->of->flat ? 0 : 1;
	for (int64_t z = -deep; z <= deep; ++z)
		for (int64_t y = -1; y <= 1; ++y)
			for (int64_t x = -1; x <= 1; ++x)
				if (!is_filled(c, key + (uint64_t)(z * layer + y * row + x))) return false;
	return true;
}

static packing sum_inside(const cells *c)
{
	piece sum = {0};
	real space = 0;
	for (int64_t k = 0; k < c->count; ++k) {
		if (!is_inside(c, c->filled[k].key)) continue;
		sum.volume += c->content[k].volume;
		sum.mass += c->content[k].mass;
		space += volume_of_cell(c);
	}
	return space > 0 ? (packing){sum.volume / space, sum.mass / space} : (packing){NAN, NAN};
}

packing scree_packing(const grains *g)
{
	cells c;
	if (!lay_out(&c, g)) return (packing){NAN, NAN};
	cut_grains(&c);
	find_filled(&c);
	const packing found = sum_inside(&c);
	scree_free(c.piece);
	scree_free(c.at);
	scree_free(c.filled);
	scree_free(c.content);
	return found;
}
