/* history.h: energies and counts over time, one row of comma-separated numbers a moment, for gnuplot, pandas and R. */
#ifndef SCREE_FORMAT_HISTORY_H
#define SCREE_FORMAT_HISTORY_H

#include "base/fail.h"
#include "scene/plan.h"

#include <stdint.h>

struct scree_world;

typedef struct history history;

typedef struct history_column {
	const char *name, *unit, *help;
} history_column;

/* All columns in the order in which they are written; time and step are always there. */
extern const history_column scree_history_columns[];
extern const int scree_history_column_count;

/* A new file with its head when rows_to_keep is 0. Else a run goes on: what the file holds after so many rows is cut
 * off (a file that is not there is begun); a file with other columns is refused. */
history *scree_history_open(const char *path, const history_plan *plan, const struct scree_world *w,
							int64_t rows_to_keep, fail *why);
/* Appends the row of this moment; it is with the operating system when this returns. */
bool scree_history_row(history *h, const struct scree_world *w, fail *why);
void scree_history_close(history *h);

#endif
