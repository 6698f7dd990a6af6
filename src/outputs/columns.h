/* columns.h: the columns of the tables of a run, in words. */
#ifndef SCREE_OUTPUTS_COLUMNS_H
#define SCREE_OUTPUTS_COLUMNS_H

#include <stdbool.h>
#include <stdio.h>

/* Prints unit and meaning of the columns with this name, a line for each table; false: there is none. of_scene: the
 * name begins like a path to a key of a scene, and is no `ENTRY.COLUMN` of the history. */
bool scree_columns_explain(FILE *to, const char *name, bool of_scene);
/* Name k of the columns of the history, of tables, and of the values of measures; NULL: there are no more. */
const char *scree_column_name(int k);

#endif
