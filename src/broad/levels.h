/* levels.h: grids of many levels, as of the spacetrees of seed 002. Each level has vertices that are `k` times as dense
 * as those of the level above; a body sits at the nearest vertex of the finest level that the grid has where it is, of
 * those whose mesh exceeds its size. docs/theory/broad.md has the rules and why they are right.
 *
 * All places are whole numbers of quanta, so that no rounding stands between a rule and its proof. */
#ifndef SCREE_BROAD_LEVELS_H
#define SCREE_BROAD_LEVELS_H

#include "base/fail.h"
#include "broad/box_numbers.h"
#include "broad/broad.h"
#include "broad/level_table.h"

/* LEVELS_FINEST: quanta in the finest mesh of all; the coarsest one has up to 2^52, as many as a double tells apart */
enum { LEVELS_MOST = 43, LEVELS_FINEST = 1024 };

typedef enum levels_grid { LEVELS_REGULAR, LEVELS_ADAPTIVE, LEVELS_RELUCTANT } levels_grid;

/* of the number of a box */
typedef struct level_body {
	int64_t at[3];	/* quanta: of its middle */
	int32_t finest; /* level whose mesh exceeds its size; -1: there is none, or it is outside */
	int32_t vertex; /* -1: on the overflow list */
} level_body;

/* of the number of a place in `vertices` */
typedef struct level_vertex {
	int32_t bodies, fits; /* that sit here; of these, those that a finer mesh would hold, too */
	int32_t parent;		  /* the nearest vertex of the next coarser level; -1: this level is where the grid begins */
	int32_t children;	  /* vertices whose parent it is */
	int32_t below;		  /* bodies at these and their children; of the last search, as the next one finds them */
	bool marked;		  /* it wants the cells around it, and has marked them */
	bool alone;			  /* reluctant: no vertex was around it, and none has come since */
	int32_t first;		  /* its bodies are item[first .. first+bodies-1] */
} level_vertex;

/* of the number of a place in `cells` */
typedef struct level_cell {
	int64_t wanted; /* the last search that wanted it to be refined */
	int32_t above;	/* the cell that it is in; -1: that is there by rule */
} level_cell;

typedef struct levels {
	levels_grid grid;
	int32_t k, levels, axes; /* levels 0 .. levels-1; axes 0: no search yet */
	int32_t base;			 /* the grid has all cells down to this level; of a regular one it is the finest */
	int64_t mesh[LEVELS_MOST];
	real low[3], scale; /* quanta a metre */
	bool bounded;		/* the domain is the area of the search, not what the boxes take */
	int64_t search;
	box_numbers who;
	int32_t body_capacity, vertex_capacity, cell_capacity;
	level_body *body;
	level_table vertices, cells; /* cells: those that are refined below the base */
	level_vertex *vertex;
	level_cell *cell;
	/* of the last search */
	int32_t item_count, *item; /* rows of boxes by vertex */
	int32_t overflows, *overflow;
	int32_t list_capacity;
} levels;

/* ------------------------------------------------------------------ places */

static inline int64_t floor_div(int64_t a, int64_t b) { return a >= 0 ? a / b : -((b - 1 - a) / b); }

/* the vertex of a level that is nearest to a body; of two the upper one */
static inline level_place nearest_vertex(const levels *s, const level_body *b, int32_t level)
{
	level_place p = {.level = level};
	for (int d = 0; d < s->axes; ++d) p.at[d] = (b->at[d] + s->mesh[level] / 2) / s->mesh[level];
	return p;
}

/* the cell of a level that a body is in; who is on the upper border is in the last one */
static inline level_place cell_around(const levels *s, const level_body *b, int32_t level)
{
	level_place p = {.level = level};
	int64_t cells = s->mesh[0] / s->mesh[level];
	for (int d = 0; d < s->axes; ++d) {
		int64_t at = b->at[d] / s->mesh[level];
		p.at[d] = at < cells ? at : cells - 1;
	}
	return p;
}

/* Is a cell divided into those of the next level? */
static inline bool is_refined(const levels *s, const level_place *cell)
{
	return cell->level < s->base || scree_level_table_find(&s->cells, cell) >= 0;
}

/* Where a box is in quanta, and the finest level that may hold it. */
void scree_levels_measure(const levels *s, const box_list *l, int32_t row, level_body *out);

/* ------------------------------------------------------------------ the grid, and pairs on it */

/* A vertex has come: those around it are alone no more. */
void scree_levels_disturb(levels *s, int32_t number);
/* Refines and coarsens by what the last search left at the vertices. */
void scree_levels_adapt(levels *s, broad_counts *count);
/* Refines around vertices that are so crowded that it cannot wait for the next search; true: it did. */
bool scree_levels_relieve(levels *s, broad_counts *count);
void scree_levels_pairs(levels *s, const box_list *l, broad_counts *count, box_pairs *out);

#endif
