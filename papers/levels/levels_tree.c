/* levels_tree: decides which cells of an adaptive grid are refined.
 *
 * The cells around a vertex are wanted if a body at the vertex or below would fit a finer mesh (adaptive). In a
 * reluctant grid they are wanted only if another body is also at a corner of these cells or below. Wanted cells are
 * refined by one level per search, as in the spacetree, where a refinement takes effect in the next traversal.
 *
 * A vertex marks cells as soon as it needs them; in every fourth search, all vertices mark their cells again. Cells
 * that have not been marked since the previous such search are then coarsened, and the bodies below are moved up.
 * Marking a cell also marks its ancestors, so that no cell outlives the cell that contains it. */
#include "papers/levels/levels.h"

#include "base/memory.h"
#include "broad/broad.h"

/* CROWD: if a vertex has at least this number of bodies, its cells are refined before the next search, because
 * comparing the bodies costs more than moving them. */
enum { CROWD = 8, MARK_EVERY = 4 };

/* Index of the refined cell that contains a cell; -1 if the cell belongs to the base of the grid, -2 if there is none.
 */
static int32_t cell_above(const levels *s, const level_place *cell)
{
	int64_t cells = s->mesh[0] / s->mesh[cell->level];
	for (int d = 0; d < s->axes; ++d)
		if (cell->at[d] < 0 || cell->at[d] >= cells) return -2;
	if (cell->level <= s->base) return -1;
	level_place above = {.level = cell->level - 1};
	for (int d = 0; d < s->axes; ++d) above.at[d] = cell->at[d] / s->k;
	int32_t number = scree_level_table_find(&s->cells, &above);
	return number >= 0 ? number : -2;
}

static int32_t refine(levels *s, const level_place *cell, int32_t above, broad_counts *count)
{
	int32_t number = scree_level_table_add(&s->cells, cell);
	if (s->cell_capacity < s->cells.capacity) {
		s->cell = scree_grow(s->cell, (size_t)s->cell_capacity, (size_t)s->cells.capacity, sizeof *s->cell);
		s->cell_capacity = s->cells.capacity;
	}
	s->cell[number] = (level_cell){.above = above};
	count->refinements += 1;
	return number;
}

/* Marks a cell and its ancestors as wanted, if they exist. Returns true if the cell was not refined. */
static bool want(levels *s, const level_place *cell, broad_counts *count)
{
	int32_t number = scree_level_table_find(&s->cells, cell);
	bool fresh = number < 0;
	if (fresh) {
		int32_t above = cell_above(s, cell);
		if (above < -1) return false;
		number = refine(s, cell, above, count);
	}
	for (; number >= 0 && s->cell[number].wanted < s->search; number = s->cell[number].above)
		s->cell[number].wanted = s->search;
	return fresh;
}

/* Cell number c among the 4 or 8 around a vertex. */
static level_place cell_at_corner(const levels *s, const level_place *vertex, int c)
{
	level_place cell = *vertex;
	for (int d = 0; d < s->axes; ++d) cell.at[d] -= c >> d & 1;
	return cell;
}

/* Marks the cells around a vertex as needed. Returns true if any of them was not refined. */
static bool want_around(levels *s, int32_t number, broad_counts *count)
{
	level_place vertex = s->vertices.place[number];
	bool fresh = false;
	for (int c = 0; c < 1 << s->axes; ++c) {
		level_place cell = cell_at_corner(s, &vertex, c);
		fresh |= want(s, &cell, count);
	}
	return fresh;
}

bool scree_levels_relieve(levels *s, broad_counts *count)
{
	bool fresh = false;
	int32_t numbers = s->vertices.numbers;
	for (int32_t n = 0; n < numbers; ++n)
		if (s->vertices.place[n].level >= s->base && s->vertex[n].finer > CROWD) fresh |= want_around(s, n, count);
	return fresh;
}

/* ------------------------------------------------------------------ counts of the last search */

/* Numbers of vertices, finest level first. */
static int32_t *by_level(const levels *s)
{
	int32_t *order = scree_alloc((size_t)s->vertices.count, sizeof *order), at[LEVELS_MOST + 1] = {0}, next = 0;
	for (int32_t n = 0; n < s->vertices.numbers; ++n)
		if (s->vertices.place[n].level >= 0) ++at[s->vertices.place[n].level];
	for (int level = LEVELS_MOST - 1; level >= 0; --level) {
		int32_t those = at[level];
		at[level] = next;
		next += those;
	}
	for (int32_t n = 0; n < s->vertices.numbers; ++n)
		if (s->vertices.place[n].level >= 0) order[at[s->vertices.place[n].level]++] = n;
	return order;
}

static void count_below(levels *s, const int32_t *order)
{
	for (int32_t k = 0; k < s->vertices.count; ++k) s->vertex[order[k]].below = 0;
	for (int32_t k = 0; k < s->vertices.count; ++k) {
		const level_vertex *v = s->vertex + order[k];
		if (v->parent >= 0) s->vertex[v->parent].below += v->bodies + v->below;
	}
}

/* Vertex number c among the 9 or 27 at and around a vertex; -1 if it does not exist. */
static int32_t vertex_around(const levels *s, int32_t number, int c)
{
	level_place p = s->vertices.place[number];
	p.at[0] += c % 3 - 1;
	p.at[1] += c / 3 % 3 - 1;
	p.at[2] += s->axes == 2 ? 0 : c / 9 - 1;
	return scree_level_table_find(&s->vertices, &p);
}

void scree_levels_disturb(levels *s, int32_t number)
{
	for (int c = 0; c < (s->axes == 2 ? 9 : 27); ++c) {
		int32_t other = vertex_around(s, number, c);
		if (other >= 0) s->vertex[other].alone = false;
	}
}

/* Tests whether another body is at a vertex of the cells around a vertex, or below. Every vertex has a body at or below
 * it. */
static bool has_company(levels *s, int32_t number)
{
	level_vertex *v = s->vertex + number;
	if (v->bodies + v->below >= 2) return true;
	if (v->alone) return false;
	for (int c = 0; c < (s->axes == 2 ? 9 : 27); ++c) {
		int32_t other = vertex_around(s, number, c);
		if (other >= 0 && other != number) return true;
	}
	v->alone = true;
	return false;
}

static void coarsen(levels *s, broad_counts *count)
{
	for (int32_t n = 0; n < s->cells.numbers; ++n) {
		if (s->cells.place[n].level < 0 || s->cell[n].wanted > s->search - MARK_EVERY) continue;
		scree_level_table_remove(&s->cells, n);
		count->coarsenings += 1;
	}
}

void scree_levels_adapt(levels *s, broad_counts *count)
{
	int32_t *order = by_level(s), vertices = s->vertices.count;
	bool all = s->search % MARK_EVERY == 0;
	count_below(s, order);
	/* starts at the coarsest level, so that each cell is visited after its parent */
	for (int32_t k = vertices - 1; k >= 0; --k) {
		level_vertex *v = s->vertex + order[k];
		if (s->vertices.place[order[k]].level < s->base || (v->marked && !all)) continue;
		v->marked = v->finer + v->below > 0 && (s->grid == LEVELS_ADAPTIVE || has_company(s, order[k]));
		if (v->marked) want_around(s, order[k], count);
	}
	scree_free(order);
	if (all) coarsen(s, count);
}
