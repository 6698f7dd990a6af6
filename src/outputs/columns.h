/* columns.h: the columns of the tables of a run, in words. */
#ifndef SCREE_OUTPUTS_COLUMNS_H
#define SCREE_OUTPUTS_COLUMNS_H

#include <stdbool.h>
#include <stdio.h>

/* Prints unit and meaning of the columns with this name, a line for each table; false: there is none. */
bool scree_columns_explain(FILE *to, const char *name);

#endif
