/* levels: finds pairs with grids of many levels, which store bodies at their vertices (Krestenitis 2017, after
 * Weinzierl et al.).
 *
 * A regular grid has all cells of all levels; each body is at the finest level whose mesh exceeds its size. An adaptive
 * grid is kept from search to search: cells are refined around vertices with bodies that a finer mesh could also hold,
 * and are removed when no vertex needs them. A reluctant grid is like an adaptive grid, but refines only around
 * vertices whose cells have another body at a corner.
 *
 * Bodies of one level that overlap are at the same vertex or at neighbouring vertices. A coarser body that overlaps one
 * of them is at a corner of a cell that contains the finer body's vertex. Both statements hold for any level at which
 * the grid has a body, so that pairs do not depend on the history of the grid. Vertices are stored only where they or
 * their descendants have bodies, so that an empty domain costs nothing.
 *
 * Bodies outside the domain, or larger than its coarsest mesh, are put on the overflow list and compared with all
 * bodies. */
#include "papers/levels/levels.h"

#include "base/maths.h"
#include "base/memory.h"
#include "broad/broad.h"
#include "broad/phases.h"

enum { OVERFLOW_MOST = 16, OVERFLOW_PART = 64 };

static void *make(levels_grid grid, int32_t k)
{
	levels *s = scree_alloc(1, sizeof *s);
	s->grid = grid;
	s->k = k;
	return s;
}

void *scree_levels_regular(void) { return make(LEVELS_REGULAR, 3); }
void *scree_levels_adaptive(void) { return make(LEVELS_ADAPTIVE, 3); }
void *scree_levels_reluctant(void) { return make(LEVELS_RELUCTANT, 3); }
void *scree_levels_regular_k2(void) { return make(LEVELS_REGULAR, 2); }
void *scree_levels_adaptive_k2(void) { return make(LEVELS_ADAPTIVE, 2); }
void *scree_levels_reluctant_k2(void) { return make(LEVELS_RELUCTANT, 2); }

static void forget_grid(levels *s)
{
	scree_level_table_free(&s->vertices);
	scree_level_table_free(&s->cells);
	scree_free(s->vertex);
	scree_free(s->cell);
	s->vertex = NULL;
	s->cell = NULL;
	s->vertex_capacity = s->cell_capacity = 0;
}

void scree_levels_forget(void *memory)
{
	levels *s = memory;
	forget_grid(s);
	scree_box_numbers_free(&s->numbers);
	scree_free(s->body);
	scree_free(s->item);
	scree_free(s->overflow);
	scree_free(s);
}

/* ------------------------------------------------------------------ the domain */

static void extent_of(const box_list *l, int d, real *low, real *high)
{
	*low = INFINITY;
	*high = -INFINITY;
	for (int32_t i = 0; i < l->count; ++i) {
		*low = real_min(*low, l->low[d][i]);
		*high = real_max(*high, l->high[d][i]);
	}
}

/* The finest level at which the grid has all cells. */
static int32_t base_of(const levels *s, real widest)
{
	if (!(widest > 0)) return s->grid == LEVELS_REGULAR ? s->levels - 1 : 0;
	int32_t level = 0;
	while (level < s->levels - 1 && (real)s->mesh[level] > widest * s->scale * (1 + (real)1e-12)) ++level;
	return level;
}

/* Sets up a domain: the given search area, or the bounds of the boxes. Clears the grid. */
static void start(levels *s, const broad_search *search, const box_list *l, bool bounded)
{
	forget_grid(s);
	s->axes = l->flat ? 2 : 3;
	s->bounded = false;
	real side = 0;
	for (int d = 0; d < s->axes; ++d) {
		real low, high;
		extent_of(l, d, &low, &high);
		if (bounded && search->area_low[d] > -(real)INFINITY && search->area_high[d] < (real)INFINITY) {
			low = search->area_low[d];
			high = search->area_high[d];
			s->bounded = true;
		}
		s->low[d] = low;
		side = real_max(side, high - low);
	}
	/* the side of the domain; a single box needs room to move, and for a single point, any side is correct */
	side = side > 0 && side < (real)INFINITY ? side : 1;
	for (int d = 0; d < s->axes && !s->bounded; ++d) s->low[d] -= side / 4;
	if (!s->bounded) side += side / 2;
	int64_t mesh = LEVELS_FINEST, most = (int64_t)1 << 52;
	for (s->levels = 1; mesh <= most / s->k && s->levels < LEVELS_MOST; ++s->levels) mesh *= s->k;
	for (int32_t level = 0; level < s->levels; ++level, mesh /= s->k) s->mesh[level] = mesh;
	s->scale = (real)s->mesh[0] / side;
	s->base = base_of(s, search->mesh);
	for (int32_t n = 0; n < s->numbers.capacity && n < s->body_capacity; ++n) s->body[n].vertex = -1;
}

/* ------------------------------------------------------------------ bodies */

/* Upper bound on the size of a box, in quanta. Positions are rounded by half a quantum in each of three operations, and
 * sums of box sides are rounded in their last digits. */
static real size_in_quanta(const levels *s, const box_list *l, int32_t i)
{
	real size = 0;
	for (int d = 0; d < s->axes; ++d) {
		real low = l->low[d][i], high = l->high[d][i];
		real rounding = (real)1e-15 * (real_abs(low) + real_abs(high));
		size = real_max(size, (high - low + rounding) * s->scale);
	}
	return size + 8;
}

void scree_levels_measure(const levels *s, const box_list *l, int32_t i, level_body *out)
{
	real size = size_in_quanta(s, l, i);
	bool inside = size < (real)s->mesh[0];
	for (int d = 0; d < 3; ++d) {
		out->at[d] = 0;
		if (d >= s->axes) continue;
		real at = ((l->low[d][i] + l->high[d][i]) / 2 - s->low[d]) * s->scale;
		inside = inside && at >= 0 && at <= (real)s->mesh[0]; /* NaN is outside */
		if (inside) out->at[d] = (int64_t)(at + (real)0.5);
	}
	/* the search starts at the last level found, since the sizes of bodies hardly change */
	int32_t finest = !inside ? -1 : out->finest < 0 || out->finest >= s->levels ? 0 : out->finest;
	while (inside && finest < s->levels - 1 && size < (real)s->mesh[finest + 1]) ++finest;
	while (inside && !(size < (real)s->mesh[finest])) --finest;
	out->finest = finest;
}

/* The level at which the grid has a body; the search starts at the body's last level. The parent of a refined cell is
 * always refined. */
static int32_t level_of(const levels *s, const level_body *b)
{
	int32_t top = b->finest < s->base ? b->finest : s->base, level = top;
	if (s->grid == LEVELS_REGULAR) return level;
	if (b->vertex >= 0) level = (int32_t)s->vertices.place[b->vertex].level;
	level = level < top ? top : level > b->finest ? b->finest : level;
	while (level > top) {
		level_place cell = cell_around(s, b, level - 1);
		if (is_refined(s, &cell)) break;
		--level;
	}
	while (level < b->finest) {
		level_place cell = cell_around(s, b, level);
		if (!is_refined(s, &cell)) break;
		++level;
	}
	return level;
}

/* ------------------------------------------------------------------ bodies at vertices */

/* The index of the vertex at this position, which is added if absent; if the grid is kept between searches, its parents
 * are also added. */
static int32_t vertex_at(levels *s, level_place p)
{
	int32_t number = scree_level_table_find(&s->vertices, &p);
	if (number >= 0) return number;
	number = scree_level_table_add(&s->vertices, &p);
	if (s->vertex_capacity < s->vertices.capacity) {
		s->vertex = scree_grow(s->vertex, (size_t)s->vertex_capacity, (size_t)s->vertices.capacity, sizeof *s->vertex);
		s->vertex_capacity = s->vertices.capacity;
	}
	s->vertex[number] = (level_vertex){.parent = -1};
	if (s->grid == LEVELS_RELUCTANT) scree_levels_disturb(s, number);
	if (s->grid == LEVELS_REGULAR || p.level <= s->base) return number;
	p.level -= 1;
	for (int d = 0; d < s->axes; ++d) p.at[d] = (p.at[d] + s->k / 2) / s->k;
	int32_t parent = vertex_at(s, p);
	s->vertex[number].parent = parent;
	s->vertex[parent].children += 1;
	return number;
}

/* Removes a vertex if it is empty, and then its parents if they are empty. */
static void drop_empty(levels *s, int32_t number)
{
	while (number >= 0 && !s->vertex[number].bodies && !s->vertex[number].children) {
		int32_t parent = s->vertex[number].parent;
		if (parent >= 0) s->vertex[parent].children -= 1;
		scree_level_table_remove(&s->vertices, number);
		number = parent;
	}
}

static void leave(levels *s, level_body *b, int32_t finest)
{
	if (b->vertex < 0) return;
	level_vertex *v = s->vertex + b->vertex;
	v->bodies -= 1;
	v->finer -= finest > s->vertices.place[b->vertex].level;
	drop_empty(s, b->vertex);
	b->vertex = -1;
}

static void enter(levels *s, level_body *b, const level_place *p)
{
	b->vertex = vertex_at(s, *p);
	s->vertex[b->vertex].bodies += 1;
	s->vertex[b->vertex].finer += b->finest > p->level;
}

/* Moves a body to its vertex; `was` is its previous finest level. Returns true if the body has moved. */
static bool put(levels *s, level_body *b, int32_t was)
{
	if (b->finest < 0) {
		bool moved = b->vertex >= 0;
		leave(s, b, was);
		return moved;
	}
	level_place p = nearest_vertex(s, b, level_of(s, b));
	if (b->vertex >= 0 && same_place(&p, s->vertices.place + b->vertex)) {
		level_vertex *v = s->vertex + b->vertex;
		v->finer += (b->finest > p.level) - (was > p.level);
		return false;
	}
	leave(s, b, was);
	enter(s, b, &p);
	return true;
}

/* ------------------------------------------------------------------ a search */

static void reserve_bodies(levels *s)
{
	if (s->body_capacity >= s->numbers.capacity) return;
	s->body = scree_grow(s->body, (size_t)s->body_capacity, (size_t)s->numbers.capacity, sizeof *s->body);
	s->body_capacity = s->numbers.capacity;
}

/* Removes bodies that no longer exist; new bodies have no vertex yet. */
static box_changes match(levels *s, const box_list *l)
{
	box_changes c = scree_box_numbers_match(&s->numbers, l);
	for (int32_t k = 0; k < c.gone; ++k) {
		level_body *b = s->body + c.number[k];
		leave(s, b, b->finest);
	}
	scree_box_numbers_give(&s->numbers, l, &c);
	reserve_bodies(s);
	for (int32_t k = 0; k < c.come; ++k)
		s->body[s->numbers.number[c.new_row[k]]] = (level_body){.finest = -1, .vertex = -1};
	return c;
}

/* Moves all bodies to their vertices; returns the number of bodies outside the domain. */
static int32_t place_all(levels *s, const box_list *l, broad_counts *count)
{
	int32_t overflows = 0;
	for (int32_t i = 0; i < l->count; ++i) {
		level_body *b = s->body + s->numbers.number[i];
		int32_t was = b->finest, at = b->vertex;
		scree_levels_measure(s, l, i, b);
		count->moves += put(s, b, was) && at >= 0;
		overflows += b->finest < 0;
	}
	return overflows;
}

static void settle(levels *s, broad_counts *count)
{
	while (s->grid != LEVELS_REGULAR && scree_levels_relieve(s, count))
		for (int32_t i = 0; i < s->numbers.rows; ++i) {
			level_body *b = s->body + s->numbers.number[i];
			count->moves += put(s, b, b->finest);
		}
}

bool scree_levels_find(broad_search *search, const box_list *l, bool all, box_pairs *out)
{
	(void)all;
	levels *s = search->memory;
	int32_t axes = l->flat ? 2 : 3;
	box_changes c = match(s, l);
	scree_box_changes_free(&c);
	s->item_count = s->overflows = 0;
	out->count = 0;
	search->count.vertices = s->vertices.count;
	search->count.overflow = 0;
	if (!l->count) return true;
	s->search += 1;
	if (s->axes != axes)
		start(s, search, l, search->bounded);
	else if (s->grid != LEVELS_REGULAR)
		scree_levels_adapt(s, &search->count);
	int32_t overflows = place_all(s, l, &search->count);
	/* if too many bodies are outside the domain, it is replaced by one that contains all bodies */
	if (overflows > OVERFLOW_MOST + l->count / OVERFLOW_PART) {
		start(s, search, l, false);
		overflows = place_all(s, l, &search->count);
	}
	settle(s, &search->count);
	search->count.overflow = overflows;
	search->count.vertices = s->vertices.count;
	scree_levels_pairs(s, l, &search->count, out);
	return true;
}
