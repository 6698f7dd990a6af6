/* history.h: writes history.csv, with one row per output time: time, energies, contacts and overlaps. */
#ifndef SCREE_FORMAT_HISTORY_H
#define SCREE_FORMAT_HISTORY_H

#include "format/csv.h"
#include "format/plan.h"

struct scree_world;
typedef struct history history;

extern const csv_column scree_history_values[];
extern const int scree_history_value_count;

/* Additional columns after those in history.c; {0} if there are none. */
typedef struct history_more {
	int32_t count;
	const csv_column *column; /* [count] */
} history_more;

/* mark: where the file continues (csv.h). Returns NULL with an error message for an unknown value or a file error. */
history *scree_history_open(const char *path, const history_plan *plan, history_more more, const struct scree_world *w,
							const csv_mark *mark, fail *why);
/* more: values of additional columns. All parts of a divided world call this; h is NULL if a part writes no file. */
bool scree_history_row(history *h, const real *more, const struct scree_world *w, fail *why);
csv *scree_history_file(const history *h);		 /* NULL is allowed */
bool scree_history_close(history *h, fail *why); /* NULL is allowed */

#endif
