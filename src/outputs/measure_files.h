/* measure_files.h: measures of a run as tables (CSV), NAME_measure_..csv. */
#ifndef SCREE_OUTPUTS_MEASURE_FILES_H
#define SCREE_OUTPUTS_MEASURE_FILES_H

#include "format/csv.h"
#include "format/snapshot.h"
#include "measure/measure.h"

enum { MEASURE_ENDING = 64 };
/* the end of the name of a measure's file */
void scree_measure_ending(const measure_plan *p, char ending[MEASURE_ENDING]);
/* Opens a table, truncated to the mark. NULL with a sentence. */
csv *scree_measure_open(const char *path, const measure_plan *p, const csv_mark *mark, fail *why);
/* Whether the world has the sink of a measure; false with a sentence. */
bool scree_measure_possible(const measure_plan *p, const scree_world *w, fail *why);
/* Appends the rows of this time. file: NULL at other ranks; mark: the last values of a flow. */
bool scree_measure_write(csv *file, const measure_plan *p, const scree_world *w, measure_mark *mark, fail *why);

#endif
