/* facets: a static grid over the facets of a wall, in the wall's frame, so that the wall may move freely. Cells are
 * initially about as wide as an average facet. The cell width is increased until neither cells nor entries are much
 * more numerous than facets. A facet has an entry in each cell that overlaps its bounds. A query loops over the cells
 * of its box. A facet with entries in several of these cells is reported only in one of them: the lowest cell common to
 * the facet's box and the query's box. Queries therefore need no marks and can run on any number of threads. The list
 * is then sorted, because contacts depend on the order of facets, and this order must not depend on the grid. */
#include "wall/facets.h"

#include "base/memory.h"
#include "base/sort.h"

struct facet_grid {
	int32_t cells[3];
	real low[3], scale; /* cell of x: (x - low) * scale, clamped to the grid */
	vec3 first, last;	/* bounds of all facets */
	int64_t *start;		/* [cells+1] */
	int32_t *facet;		/* entries by cell, ascending within each cell */
};

typedef struct cell_box {
	int32_t from[3], to[3]; /* inclusive */
} cell_box;

static int32_t cell_of(const facet_grid *g, real x, int axis)
{
	real at = (x - g->low[axis]) * g->scale;
	if (!(at > 0)) return 0;
	return at >= (real)g->cells[axis] ? g->cells[axis] - 1 : (int32_t)at;
}

static cell_box cells_of(const facet_grid *g, vec3 low, vec3 high)
{
	return (cell_box){{cell_of(g, low.x, 0), cell_of(g, low.y, 1), cell_of(g, low.z, 2)},
					  {cell_of(g, high.x, 0), cell_of(g, high.y, 1), cell_of(g, high.z, 2)}};
}

static int64_t row_of(const facet_grid *g, int32_t x, int32_t y, int32_t z)
{
	return ((int64_t)z * g->cells[1] + y) * g->cells[0] + x;
}

static void bounds(facet_grid *g, const facet *f, int32_t count, real *mean)
{
	g->first = f->low, g->last = f->high;
	*mean = 0;
	for (int32_t k = 0; k < count; ++k) {
		*mean += v3_greatest(v3_sub(f[k].high, f[k].low)) / (real)count;
		g->first = v3_min(g->first, f[k].low);
		g->last = v3_max(g->last, f[k].high);
	}
}

/* Chooses a cell width with at most 4 cells and 8 entries per facet, or somewhat more for small walls. */
static void choose_cells(facet_grid *g, const facet *f, int32_t count, real width)
{
	const real span[3] = {g->last.x - g->first.x, g->last.y - g->first.y, g->last.z - g->first.z};
	g->low[0] = g->first.x, g->low[1] = g->first.y, g->low[2] = g->first.z;
	for (;; width *= 2) {
		real cells = 1;
		for (int k = 0; k < 3; ++k) cells *= span[k] / width + 1;
		if (cells > 4 * (real)count + 64) continue;
		for (int k = 0; k < 3; ++k) g->cells[k] = (int32_t)(span[k] / width) + 1;
		g->scale = 1 / width;
		int64_t entries = 0;
		for (int32_t k = 0; k < count; ++k) {
			const cell_box b = cells_of(g, f[k].low, f[k].high);
			entries += (int64_t)(b.to[0] - b.from[0] + 1) * (b.to[1] - b.from[1] + 1) * (b.to[2] - b.from[2] + 1);
		}
		if (entries <= 8 * (int64_t)count + 64) return;
	}
}

facet_grid *scree_facet_grid_new(const walls *s, int32_t of)
{
	facet_grid *g = scree_alloc(1, sizeof *g);
	int32_t count = s->row[of].facets, base = s->row[of].first_facet;
	if (!count) return g;
	const facet *f = s->facet + base;
	real mean;
	bounds(g, f, count, &mean);
	choose_cells(g, f, count, mean);
	int64_t cells = (int64_t)g->cells[0] * g->cells[1] * g->cells[2];
	g->start = scree_alloc((size_t)cells + 1, sizeof *g->start);
	/* first pass: counts; second pass: entries; start[c] advances to the end of cell c and is reset afterwards */
	for (int pass = 0; pass < 2; ++pass) {
		for (int32_t k = 0; k < count; ++k) {
			cell_box b = cells_of(g, f[k].low, f[k].high);
			for (int32_t z = b.from[2]; z <= b.to[2]; ++z)
				for (int32_t y = b.from[1]; y <= b.to[1]; ++y)
					for (int32_t x = b.from[0]; x <= b.to[0]; ++x) {
						int64_t *at = g->start + row_of(g, x, y, z);
						if (pass) g->facet[*at] = base + k;
						++*at;
					}
		}
		if (pass == 0) {
			int64_t sum = 0;
			for (int64_t c = 0; c <= cells; ++c) {
				int64_t here = g->start[c];
				g->start[c] = sum;
				sum += here;
			}
			g->facet = scree_alloc((size_t)sum, sizeof *g->facet);
		}
	}
	for (int64_t c = cells; c > 0; --c) g->start[c] = g->start[c - 1];
	g->start[0] = 0;
	return g;
}

void scree_facet_grid_query(const facet_grid *g, const walls *s, vec3 low, vec3 high, facet_list *out)
{
	out->count = 0;
	if (!g->start || !v3_boxes_meet(low, high, g->first, g->last)) return;
	cell_box b = cells_of(g, low, high);
	for (int32_t z = b.from[2]; z <= b.to[2]; ++z)
		for (int32_t y = b.from[1]; y <= b.to[1]; ++y)
			for (int32_t x = b.from[0]; x <= b.to[0]; ++x) {
				int64_t cell = row_of(g, x, y, z);
				for (int64_t k = g->start[cell]; k < g->start[cell + 1]; ++k) {
					const facet *f = s->facet + g->facet[k];
					if (!v3_boxes_meet(low, high, f->low, f->high)) continue;
					cell_box c = cells_of(g, f->low, f->low);
					if (x != (c.from[0] > b.from[0] ? c.from[0] : b.from[0]) ||
						y != (c.from[1] > b.from[1] ? c.from[1] : b.from[1]) ||
						z != (c.from[2] > b.from[2] ? c.from[2] : b.from[2]))
						continue;
					SCREE_APPEND(out->facet, out->count, out->capacity, g->facet[k]);
				}
			}
	scree_sort_by(out->facet, out->count, sizeof *out->facet, scree_sort_one);
}

void scree_facet_grid_free(facet_grid *g)
{
	if (!g) return;
	SCREE_FREE_ALL(g->start, g->facet, g);
}

void scree_facet_list_free(facet_list *l)
{
	scree_free(l->facet);
	*l = (facet_list){0};
}
