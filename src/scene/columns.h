/* columns.h: named columns of numbers from a table (CSV). */
#ifndef SCREE_SCENE_COLUMNS_H
#define SCREE_SCENE_COLUMNS_H

#include "scene/reader.h"

typedef struct number_column {
	key of;		 /* name, unit (NULL: plain numbers) and range */
	real *value; /* [rows], in the reader's arena */
} number_column;

/* Reads all of the columns, each of which must be there. Returns the number of rows, at least 1; -1: reported. at: the
 * node that names the file; rows_at: [rows] positions of the rows, for messages. */
int32_t scree_read_columns(reader *r, const node *at, const char *path, int32_t columns, number_column *column,
						   place **rows_at);

#endif
