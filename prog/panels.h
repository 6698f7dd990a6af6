/* panels.h: charts of what a run has written over time. */
#ifndef SCREE_PROG_PANELS_H
#define SCREE_PROG_PANELS_H

#include "chart.h"
#include "series.h"

typedef struct panels {
	int count, left_out; /* left_out: curves for which there was no room */
	chart *chart;
	char (*title)[SERIES_NAME]; /* [count] */
	char (*y_name)[SERIES_NAME];
} panels;

/* Charts of all series: energies in one, cells of a measure in one per column, of a wall one per unit. */
panels all_panels(const run_series *of);
/* Charts of chosen series: those next to each other with the same unit share one. */
panels chosen_panels(int count, const series *const *of, bool log);
void free_panels(panels *p);

#endif
