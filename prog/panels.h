/* panels.h: makes charts of the quantities that a run has written over time. */
#ifndef SCREE_PROG_PANELS_H
#define SCREE_PROG_PANELS_H

#include "chart.h"
#include "series.h"

typedef struct panels {
	int count, left_out; /* left_out: number of curves omitted for lack of room */
	chart *chart;
	char (*title)[SERIES_NAME]; /* [count] */
	char (*y_name)[SERIES_NAME];
} panels;

/* Charts of all series: one for energies, one per column for the cells of a measure, and one per unit for a wall. */
panels all_panels(const run_series *of);
/* Charts of chosen series; adjacent series with the same unit share a chart. */
panels chosen_panels(int count, const series *const *of, bool log);
void free_panels(panels *p);

#endif
