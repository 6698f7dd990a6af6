/* progress.h: progress of a run: a table with a row now and then, and on a terminal a line that is refreshed. Each
 * fits the width of the terminal, or 80 columns in a log. */
#ifndef SCREE_RUN_PROGRESS_H
#define SCREE_RUN_PROGRESS_H

#include "world/world.h"

typedef struct progress {
	bool quiet, tty;
	real first_time, until;
	int64_t rows;		/* rows of the table that are due so far */
	int64_t last_row;	/* step of the last row; -1: none */
	double last_status; /* wall clock, s */
	double last_line;
	/* speed of the time stepping alone, without outputs */
	int64_t rate_step;
	double rate_seconds, rate;
	int columns; /* width at which titles were printed; 0: not yet */
} progress;

progress scree_progress_start(const scree_world *w, real until, bool quiet);
/* Refreshes the status line at most 5 times per second and prints a row of the table when it is due; to be called
 * often. */
void scree_progress_tick(progress *p, const scree_world *w);
/* Prints a row of the table now, unless the last one is of this step. */
void scree_progress_row(progress *p, const scree_world *w);
/* Removes the status line. */
void scree_progress_clear(const progress *p);

/* s: time spent in stages, without outputs */
double scree_progress_seconds(const scree_world *w);
/* "3m20s"; "?": unknown */
const char *scree_duration(double s, char text[16]);

#endif
