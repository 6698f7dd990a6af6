/* traversal.h: the walk through a grid of many levels as in Algorithm 4 of seed 002: cell by cell and depth first, with
 * the children of a cell in the order of a space-filling curve. The walk is not part of the engine, whose vertices are
 * in hash tables: tests compare the grid and its pairs with the walk, and benchmarks count the data that the walk
 * fetches.
 *
 * A vertex is first touched before the walk enters the first cell of which it is a corner. */
#ifndef SCREE_BENCH_TRAVERSAL_H
#define SCREE_BENCH_TRAVERSAL_H

#include "broad/broad.h"
#include "papers/levels/levels.h"

/* Rows: level by level and row by row instead of depth first. Morton: children row by row, for any k. Hilbert: only for
 * k = 2. Peano: only for k = 3. Along the last two curves, each cell of a level shares a side with the previous cell.
 */
typedef enum traversal_order {
	TRAVERSAL_ROWS,
	TRAVERSAL_MORTON,
	TRAVERSAL_HILBERT,
	TRAVERSAL_PEANO,
	TRAVERSAL_ORDERS
} traversal_order;

typedef struct traversal_events {
	void *what;
	void (*touch_vertex_first_time)(void *what, const level_place *vertex);
	void (*enter_cell)(void *what, const level_place *cell, bool refined);
} traversal_events;

/* Walks through the grid left by the last search; a regular grid is walked down to its finest vertices. */
void traverse(const broad_search *s, traversal_order order, const traversal_events *e);

/* ------------------------------------------------------------------ the algorithm's comparisons */

bool traversal_has_cell(const levels *s, int32_t deepest, const level_place *cell);
/* finest level with a vertex; a regular grid has cells down to this level */
int32_t traversal_deepest(const levels *s);

/* Finds the pairs of corners (bits of x, y, z) that a cell compares when it is entered: each pair of vertices of a
 * level that share a cell belongs to one existing cell, the cell that has the pair at its lower corner. Returns the
 * number of pairs (13 inside a grid in space and 4 in the plane, up to 28 and 6 at the upper border). */
int32_t traversal_corner_pairs(const levels *s, int32_t deepest, const level_place *cell, int32_t pair[28][2]);

/* Overlapping pairs of boxes as found by Algorithm 4, which compares the bodies of a vertex when the vertex is touched,
 * also with the coarser bodies of its virtual list, and the bodies of two vertices when a cell is entered. `early`
 * counts the bodies in `virtuals` whose vertices are touched later, so a single pass has not moved these bodies
 * yet. */
typedef struct traversal_counts {
	int64_t vertices, cells, comparisons, virtuals, early;
} traversal_counts;

traversal_counts traversal_find(const broad_search *s, const box_list *l, traversal_order order, box_pairs *out);

#endif
