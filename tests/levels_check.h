/* levels_check.h: checks the invariants of multi-level grids between two searches, independently of the grid's own
 * code, and reads properties of a grid. */
#ifndef SCREE_TESTS_LEVELS_CHECK_H
#define SCREE_TESTS_LEVELS_CHECK_H

#include "base/memory.h"
#include "broad/broad.h"
#include "papers/levels/levels.h"

typedef struct level_tally {
	int32_t bodies, finer, children;
} level_tally;

/* a body is on the finest level whose mesh width exceeds the size of the body, at the one vertex within half a mesh
 * width */
static inline bool check_body(const levels *s, const box_list *l, int32_t row, fail *why)
{
	int32_t number = s->numbers.number[row];
	const level_body *b = s->body + number;
	level_body now = {.finest = -1};
	if (s->numbers.row[number] != row || s->numbers.id[number] != box_id(l, row))
		return scree_fail(why, FAIL_INTERNAL, "row %d goes under the number of another body", row);
	scree_levels_measure(s, l, row, &now);
	if (now.finest != b->finest)
		return scree_fail(why, FAIL_INTERNAL, "row %d: its finest level is %d, not %d", row, now.finest, b->finest);
	if ((b->vertex < 0) != (b->finest < 0))
		return scree_fail(why, FAIL_INTERNAL, "row %d is on the overflow list and fits, or neither", row);
	if (b->vertex < 0) return true;
	const level_place *p = s->vertices.place + b->vertex;
	if (b->vertex >= s->vertices.numbers || p->level < 0)
		return scree_fail(why, FAIL_INTERNAL, "row %d sits where no vertex is", row);
	for (int d = 0; d < s->axes; ++d) {
		int64_t off = 2 * (b->at[d] - p->at[d] * s->mesh[p->level]);
		if (b->at[d] != now.at[d] || off < -s->mesh[p->level] || off >= s->mesh[p->level])
			return scree_fail(why, FAIL_INTERNAL, "row %d sits at another vertex than the nearest", row);
	}
	real size = 0;
	for (int d = 0; d < s->axes; ++d) {
		real e = (l->high[d][row] - l->low[d][row]) * s->scale;
		size = e > size ? e : size;
	}
	if (!(size < (real)s->mesh[b->finest]))
		return scree_fail(why, FAIL_INTERNAL, "row %d is larger than its mesh", row);
	if (p->level > b->finest) return scree_fail(why, FAIL_INTERNAL, "row %d sits below the level that holds it", row);
	return true;
}

/* a body is on the finest level that the grid has at its position */
static inline bool check_level(const levels *s, int32_t row, fail *why)
{
	const level_body *b = s->body + s->numbers.number[row];
	if (b->vertex < 0) return true;
	int64_t level = s->vertices.place[b->vertex].level, most = b->finest;
	if (s->grid == LEVELS_REGULAR && most > s->base) most = s->base;
	if (level > most)
		return scree_fail(why, FAIL_INTERNAL, "row %d is on level %lld, which is not there", row, (long long)level);
	for (int32_t above = 0; above < level; ++above) {
		level_place cell = cell_around(s, b, above);
		if (!is_refined(s, &cell))
			return scree_fail(why, FAIL_INTERNAL, "row %d sits in a cell that is not there", row);
	}
	if (level == most) return true;
	level_place cell = cell_around(s, b, (int32_t)level);
	if (is_refined(s, &cell)) return scree_fail(why, FAIL_INTERNAL, "row %d fits into a finer cell that is there", row);
	return true;
}

/* each row occurs once, either in the list of its vertex or in the list of rows without a vertex */
static inline bool check_lists(const levels *s, const box_list *l, level_tally *at, fail *why)
{
	bool *seen = scree_alloc((size_t)l->count, sizeof *seen), right = s->item_count + s->overflows == l->count;
	for (int32_t n = 0; right && n < s->overflows; ++n) {
		int32_t row = s->overflow[n];
		right = row >= 0 && row < l->count && !seen[row] && s->body[s->numbers.number[row]].vertex < 0;
		if (right) seen[row] = true;
	}
	for (int32_t n = 0; right && n < s->vertices.numbers; ++n) {
		const level_vertex *v = s->vertex + n;
		if (s->vertices.place[n].level < 0) continue;
		right = v->first >= 0 && v->first + v->bodies <= s->item_count;
		for (int32_t k = v->first; right && k < v->first + v->bodies; ++k) {
			int32_t row = s->item[k];
			const level_body *b = s->body + s->numbers.number[row];
			right = !seen[row] && b->vertex == n;
			seen[row] = true;
			at[n].bodies += 1;
			at[n].finer += b->finest > s->vertices.place[n].level;
		}
	}
	for (int32_t i = 0; right && i < l->count; ++i) right = seen[i];
	scree_free(seen);
	return right || scree_fail(why, FAIL_INTERNAL, "a list has a body twice, or none has it");
}

/* each vertex has bodies on its own level or below, and its parent exists */
static inline bool check_vertices(const levels *s, level_tally *at, fail *why)
{
	int32_t count = 0;
	for (int32_t n = 0; n < s->vertices.numbers; ++n) {
		const level_place *p = s->vertices.place + n;
		if (p->level < 0) continue;
		++count;
		if (scree_level_table_find(&s->vertices, p) != n)
			return scree_fail(why, FAIL_INTERNAL, "vertex %d cannot be found", n);
		bool top = s->grid == LEVELS_REGULAR || p->level <= s->base;
		int32_t parent = s->vertex[n].parent;
		if (top != (parent < 0))
			return scree_fail(why, FAIL_INTERNAL, "vertex %d has no parent, or one above the grid", n);
		if (top) continue;
		at[parent].children += 1;
		for (int d = 0; d < s->axes; ++d) {
			int64_t off = 2 * (p->at[d] - s->k * s->vertices.place[parent].at[d]);
			if (s->vertices.place[parent].level != p->level - 1 || off < -s->k || off >= s->k)
				return scree_fail(why, FAIL_INTERNAL, "the parent of vertex %d is not the nearest", n);
		}
	}
	for (int32_t n = 0; n < s->vertices.numbers; ++n) {
		const level_vertex *v = s->vertex + n;
		if (s->vertices.place[n].level < 0) continue;
		if (v->bodies != at[n].bodies || v->finer != at[n].finer || v->children != at[n].children)
			return scree_fail(why, FAIL_INTERNAL, "vertex %d has %d bodies, %d that fit, %d children, not %d, %d, %d",
							  n, at[n].bodies, at[n].finer, at[n].children, v->bodies, v->finer, v->children);
		if (!v->bodies && !v->children)
			return scree_fail(why, FAIL_INTERNAL, "vertex %d is empty, and so is what is below", n);
	}
	return count == s->vertices.count ||
		   scree_fail(why, FAIL_INTERNAL, "%d vertices, not %d", count, s->vertices.count);
}

/* vertices counted as isolated have no neighbours */
static inline bool check_alone(const levels *s, fail *why)
{
	for (int32_t n = 0; n < s->vertices.numbers; ++n) {
		if (s->vertices.place[n].level < 0 || !s->vertex[n].alone) continue;
		for (int c = 0; c < (s->axes == 2 ? 9 : 27); ++c) {
			level_place p = s->vertices.place[n];
			const int off[3] = {c % 3 - 1, c / 3 % 3 - 1, s->axes == 2 ? 0 : c / 9 - 1};
			for (int d = 0; d < 3; ++d) p.at[d] += off[d];
			int32_t other = scree_level_table_find(&s->vertices, &p);
			if (other >= 0 && other != n) return scree_fail(why, FAIL_INTERNAL, "vertex %d has company", n);
		}
	}
	return true;
}

/* all cells are in the domain, inside refined cells, and recently needed */
static inline bool check_cells(const levels *s, fail *why)
{
	int32_t count = 0;
	for (int32_t n = 0; n < s->cells.numbers; ++n) {
		const level_place *p = s->cells.place + n;
		if (p->level < 0) continue;
		++count;
		if (scree_level_table_find(&s->cells, p) != n)
			return scree_fail(why, FAIL_INTERNAL, "cell %d cannot be found", n);
		if (p->level < s->base || s->grid == LEVELS_REGULAR)
			return scree_fail(why, FAIL_INTERNAL, "cell %d is there by rule", n);
		if (s->cell[n].wanted < s->search - 6) return scree_fail(why, FAIL_INTERNAL, "nobody wants cell %d", n);
		level_place above = {.level = p->level - 1};
		for (int d = 0; d < s->axes; ++d) {
			if (p->at[d] < 0 || p->at[d] >= s->mesh[0] / s->mesh[p->level])
				return scree_fail(why, FAIL_INTERNAL, "cell %d is outside of the domain", n);
			above.at[d] = p->at[d] / s->k;
		}
		int32_t found = scree_level_table_find(&s->cells, &above);
		if (s->cell[n].above != found || (found < 0) != (p->level == s->base))
			return scree_fail(why, FAIL_INTERNAL, "cell %d is in none that is refined", n);
	}
	return count == s->cells.count || scree_fail(why, FAIL_INTERNAL, "%d cells, not %d", count, s->cells.count);
}

/* Tests whether all invariants hold after a search of these boxes; returns false, with an error message, if one does
 * not hold. */
static inline bool levels_check(const broad_search *search, const box_list *l, fail *why)
{
	const levels *s = search->memory;
	if (s->numbers.rows != l->count)
		return scree_fail(why, FAIL_INTERNAL, "%d bodies are known of %d", s->numbers.rows, l->count);
	for (int32_t i = 0; i < l->count; ++i)
		if (!check_body(s, l, i, why) || !check_level(s, i, why)) return false;
	level_tally *at = scree_alloc((size_t)s->vertices.numbers, sizeof *at);
	bool right = check_lists(s, l, at, why) && check_vertices(s, at, why) && check_alone(s, why) && check_cells(s, why);
	scree_free(at);
	if (right && search->count.overflow != s->overflows)
		return scree_fail(why, FAIL_INTERNAL, "%d overflow", s->overflows);
	return right;
}

/* ------------------------------------------------------------------ the whole grid */

/* Width of the cells on the level of the body in this row, in m, or 0 if the body is on no level. Krestenitis's
 * traversal misses a body that moves farther than this width in a step along any axis. */
static inline real levels_cell_width(const broad_search *search, int32_t row)
{
	const levels *s = search->memory;
	int32_t vertex = s->body[s->numbers.number[row]].vertex;
	return vertex < 0 ? 0 : (real)s->mesh[s->vertices.place[vertex].level] / s->scale;
}

/* the vertices of a box of cells on one level, each once */
static inline void add_vertices(level_table *t, const levels *s, const level_place *low, int64_t wide)
{
	int64_t deep = s->axes == 3 ? wide : 0;
	level_place p = {.level = low->level};
	for (int64_t z = 0; z <= deep; ++z)
		for (int64_t y = 0; y <= wide; ++y)
			for (int64_t x = 0; x <= wide; ++x) {
				p.at[0] = low->at[0] + x;
				p.at[1] = low->at[1] + y;
				p.at[2] = low->at[2] + z;
				if (scree_level_table_find(t, &p) < 0) scree_level_table_add(t, &p);
			}
}

/* vertices of all cells of the grid, including empty ones, which are not stored */
static inline int64_t levels_grid_vertices(const broad_search *search)
{
	const levels *s = search->memory;
	level_table all = {0};
	/* the deepest level of a regular grid is the deepest level with bodies */
	int64_t deepest = s->grid == LEVELS_REGULAR ? 0 : s->base;
	for (int32_t n = 0; n < s->vertices.numbers; ++n)
		if (s->vertices.place[n].level > deepest && s->grid == LEVELS_REGULAR) deepest = s->vertices.place[n].level;
	for (int32_t level = 0; level <= deepest; ++level)
		add_vertices(&all, s, &(level_place){.level = level}, s->mesh[0] / s->mesh[level]);
	for (int32_t n = 0; n < s->cells.numbers; ++n) {
		level_place low = s->cells.place[n];
		if (low.level < 0) continue;
		low.level += 1;
		for (int d = 0; d < 3; ++d) low.at[d] *= s->k;
		add_vertices(&all, s, &low, s->k);
	}
	int64_t count = all.count;
	scree_level_table_free(&all);
	return count;
}

#endif
