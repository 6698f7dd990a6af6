/* levels.h: grids with many levels, as in spacetrees (Krestenitis 2017). The vertices of each level are `k` times as
 * dense as the vertices of the level above. Among the levels that the grid has at a body's position, the body belongs
 * to the finest one whose mesh exceeds its size, and is stored at the nearest vertex of that level.
 * docs/theory/broad.md has the rules and proofs.
 *
 * All positions are integers, in quanta, so that the rules are exact. */
#ifndef SCREE_PAPERS_LEVELS_H
#define SCREE_PAPERS_LEVELS_H

#include "base/fail.h"
#include "broad/phases.h"
#include "broad/broad.h"
#include "papers/levels/level_table.h"

/* LEVELS_FINEST: number of quanta in the finest mesh. The coarsest mesh has up to 2^52 quanta, as many as a double can
 * represent */
enum { LEVELS_MOST = 43, LEVELS_FINEST = 1024 };

typedef enum levels_grid { LEVELS_REGULAR, LEVELS_ADAPTIVE, LEVELS_RELUCTANT } levels_grid;

/* Data indexed by box number. */
typedef struct level_body {
	int64_t at[3]; /* position of the box's centre, in quanta */
	/* finest level whose mesh exceeds the size of the body; -1 if none does or the body is outside */
	int32_t finest;
	int32_t vertex; /* -1 if the box is on the overflow list */
} level_body;

/* Data indexed by vertex number in `vertices`. */
typedef struct level_vertex {
	int32_t bodies, finer; /* bodies at this vertex; how many of these would fit a finer mesh */
	int32_t parent;		   /* the nearest vertex of the next coarser level; -1 if this is the coarsest level */
	int32_t children;	   /* number of vertices with this parent */
	int32_t below; /* number of bodies at and below the child vertices in the last search; used in the next search */
	bool marked;   /* the vertex needs the cells around it, and has marked them */
	bool alone;	   /* reluctant grids: no vertex was found around this one, and none has been added since */
	int32_t first; /* the bodies of the vertex are item[first .. first+bodies-1] */
} level_vertex;

/* Data indexed by cell number in `cells`. */
typedef struct level_cell {
	int64_t wanted; /* the last search that needed the cell refined */
	int32_t above;	/* the cell that contains this cell; -1 if the base of the grid contains it */
} level_cell;

typedef struct levels {
	levels_grid grid;
	int32_t k, levels, axes; /* levels 0 .. levels-1; axes is 0 before the first search */
	int32_t base;			 /* the grid has all cells down to this level; a regular grid ends there */
	int64_t mesh[LEVELS_MOST];
	real low[3], scale; /* quanta per metre */
	bool bounded;		/* the domain is the search area, not the bounds of the boxes */
	int64_t search;
	box_numbers numbers;
	int32_t body_capacity, vertex_capacity, cell_capacity;
	level_body *body;
	level_table vertices, cells; /* cells: refined cells below the base */
	level_vertex *vertex;
	level_cell *cell;
	/* state of the last search */
	int32_t item_count, *item; /* rows of boxes, vertex by vertex */
	int32_t overflows, *overflow;
	int32_t list_capacity;
} levels;

/* functions for the rows of the broad-phase table */
bool scree_levels_find(broad_search *s, const box_list *boxes, bool all, box_pairs *out);
void *scree_levels_regular(void);
void *scree_levels_adaptive(void);
void *scree_levels_reluctant(void);
void *scree_levels_regular_k2(void);
void *scree_levels_adaptive_k2(void);
void *scree_levels_reluctant_k2(void);
void scree_levels_forget(void *memory);

/* ------------------------------------------------------------------ positions */

/* The vertex of a level that is nearest to a body; if two are equally near, the upper one. */
static inline level_place nearest_vertex(const levels *s, const level_body *b, int32_t level)
{
	level_place p = {.level = level};
	for (int d = 0; d < s->axes; ++d) p.at[d] = (b->at[d] + s->mesh[level] / 2) / s->mesh[level];
	return p;
}

/* The cell of a level that contains a body; at the upper border, the last cell. */
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

/* Tests whether a cell is divided into cells of the next level. */
static inline bool is_refined(const levels *s, const level_place *cell)
{
	return cell->level < s->base || scree_level_table_find(&s->cells, cell) >= 0;
}

/* Position of a box in quanta, and the finest level that may hold it. */
void scree_levels_measure(const levels *s, const box_list *l, int32_t row, level_body *out);

/* ------------------------------------------------------------------ the grid, and pairs on it */

/* Called when a vertex has been added: the vertices around it now have a neighbour. */
void scree_levels_disturb(levels *s, int32_t number);
/* Refines and coarsens cells according to the counts at vertices in the last search. */
void scree_levels_adapt(levels *s, broad_counts *count);
/* Refines around vertices that are too crowded to wait for the next search; returns true if there are any. */
bool scree_levels_relieve(levels *s, broad_counts *count);
void scree_levels_pairs(levels *s, const box_list *l, broad_counts *count, box_pairs *out);

#endif
