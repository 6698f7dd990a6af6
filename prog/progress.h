/* progress.h: progress of a run: a table to which rows are added occasionally and, on a terminal, a status line that is
 * refreshed. Both fit the width of the terminal or, in a log, 80 columns. */
#ifndef SCREE_PROG_PROGRESS_H
#define SCREE_PROG_PROGRESS_H

#include "scree/world.h"

#include <stdbool.h>

typedef struct progress {
	bool quiet, tty;
	const char *title; /* text printed before the status line, which then replaces the table; or NULL */
	double first_time,
		first_seconds; /* at the start of this process: time of the simulation, and seconds of stepping */
	double until;
	int64_t rows;		/* number of rows due so far */
	int64_t last_row;	/* step of the last row, or -1 */
	double last_status; /* wall clock, s */
	double last_line;
	/* speed of stepping, excluding outputs */
	int64_t rate_step;
	double rate_seconds, rate;
	int columns; /* width for which the titles were printed, or 0 if they have not been printed */
} progress;

progress start_progress(const scree_sim *s, double until, bool quiet);
/* Prints the lines that are due: the status line at most 5 times per second, and sometimes a row of the table. It must
 * be called often. */
typedef enum progress_due { NOTHING_DUE, STATUS_DUE, ROW_DUE } progress_due;
progress_due find_due(const progress *p, const scree_sim *s);
void print_due(progress *p, scree_sim *s, progress_due due);
/* Prints a row of the table now, unless the last row already shows this step. */
void print_row(progress *p, scree_sim *s);
/* Removes the status line. */
void clear_status(const progress *p);

int terminal_width(void); /* columns; 80 in a log */
double wall_clock(void);  /* s */
/* "3m20s"; "?": unknown */
const char *duration_text(double s, char text[16]);

#endif
