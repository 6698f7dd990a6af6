/* tables.h: the rows of the tables from which a scene chooses, as text. */
#ifndef SCREE_REPORT_TABLES_H
#define SCREE_REPORT_TABLES_H

#include "base/fail.h"

#include <stdio.h>

/* NULL: all tables; false with an error message if there is no such table */
bool scree_tables_print(FILE *to, const char *table, fail *why);

#endif
