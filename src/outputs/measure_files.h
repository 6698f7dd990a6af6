/* measure_files.h: measures of a run as tables (CSV), NAME_measure_..csv, and as columns of the history. */
#ifndef SCREE_OUTPUTS_MEASURE_FILES_H
#define SCREE_OUTPUTS_MEASURE_FILES_H

#include "format/snapshot.h"
#include "measure/measure.h"

enum { MEASURE_ENDING = 64 };
/* the end of the name of a measure's file */
void scree_measure_ending(const measure_plan *p, char ending[MEASURE_ENDING]);
/* Opens the table of a measure, truncated to the mark. NULL with an error message. */
csv *scree_measure_open(const char *path, const measure_plan *p, const csv_mark *mark, fail *why);
/* Whether the world has the sink of a measure; false with an error message. */
bool scree_measure_possible(const measure_plan *p, const scree_world *w, fail *why);
/* Appends the rows of this time. file: NULL at other ranks; mark: the last values of a flow. */
bool scree_measure_write(csv *file, const measure_plan *p, const scree_world *w, measure_mark *mark, fail *why);

/* The columns of measures that are in the history, `ENTRY.COLUMN`. */
typedef struct measured_columns {
	int32_t count;
	csv_column *column; /* [count] */
	char *text;			/* their names and units */
} measured_columns;
measured_columns scree_measured_columns(const output_plan *p);
void scree_measured_columns_free(measured_columns *c);
/* Their values at the time of the world. Rates are those since the last rows of the history (mark); now: [measures] the
 * flows in this one. All parts of a divided world call it, and all get the values. */
void scree_measured_values(const output_plan *p, const scree_world *w, const measure_mark *mark, real *value,
						   flow_mark *now);

#endif
