/* broad: the table of broad phases. */
#include "broad/phases.h"
#include "choices/choices.h"
#include "papers/rows.h"

static const broad table[] = {
	{"grid", "boxes sorted into cells as large as the largest box; unbounded space", scree_grid_find, NULL, NULL,
	 false},
	{"sweep", "ends of boxes along each axis, kept sorted between searches (Schinner 1999)", scree_sweep_find,
	 scree_sweep_make, scree_sweep_forget, true},
	{"sweep/once", "ends of boxes, fully sorted in each search; start and fallback of sweep", scree_sort_sweep_find,
	 NULL, NULL, false},
	{"slots/x", "strips across x, each compared with itself and the next; slices in 3D", scree_slots_x_find, NULL, NULL,
	 false},
	{"slots/y", "strips across y, each compared with itself and the next; slices in 3D", scree_slots_y_find, NULL, NULL,
	 false},
	{"slots/cells", "cells of x and y, each compared with itself and four others; columns in 3D",
	 scree_slots_cells_find, NULL, NULL, false},
	{"brute", "all pairs (reference for testing)", scree_brute_find, NULL, NULL, false},
};
const choices scree_broads = {sizeof *table, ROWS_OF(table), &scree_paper_broads};
