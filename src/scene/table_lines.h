/* table_lines.h: the lines of a table (CSV) in a file: tables of bodies, columns of numbers, tables of motions. */
#ifndef SCREE_SCENE_TABLE_LINES_H
#define SCREE_SCENE_TABLE_LINES_H

#include "scene/reader.h"

/* A cell of a line, without blanks and quotes around it. */
typedef struct table_cell {
	const char *at;
	size_t length;
} table_cell;

typedef struct table_line {
	const char *at, *end; /* rest of the line; at is NULL after the last cell */
	char separator;		  /* ',', ';', a tab, or ' ' for any number of blanks */
} table_line;

/* Reads the next cell; false at the end of the line. If `enough` cells were read, separators at the end of a line, as
 * some programs write them, do not begin a cell. */
bool scree_table_cell(table_line *l, bool enough, table_cell *out);
/* Copies a number to `to`. A decimal comma becomes a point if the separator leaves no doubt; other text is copied
 * unchanged. False if it does not fit. */
bool scree_table_number(char separator, const table_cell *c, char *to, size_t room);

/* ------------------------------------------------------------------ lines */

enum {
	TABLE_NAME = 64,   /* room for the name of a column, and for its unit */
	TABLE_COLUMNS = 32 /* more than any list of names has */
};

/* A column that a table may have: its name, unit (NULL: plain numbers) and range (NULL: any), as those of a key. */
typedef struct column_name {
	const char *name, *unit, *range;
} column_name;

/* The columns that a table may have. */
typedef struct table_names {
	const void *row; /* structs that begin with a column_name */
	size_t size;
	int32_t count;
	const char *cure, *more; /* in messages about others: a remedy or NULL; more: the end of the sentence */
	bool text;				 /* units stay text, and are not read */
} table_names;

typedef struct table_lines {
	reader *r;
	int32_t source, line;					   /* number of the source; number of the line */
	const char *start;						   /* start of the line */
	table_line rest;						   /* rest of the line */
	const char *next, *stop;				   /* lines to be read */
	char told;								   /* separator named by a line "sep=;", or 0 */
	bool named;								   /* the line of names has been found */
	int32_t columns, column[TABLE_COLUMNS];	   /* columns of the file: number of each in the list of names */
	int32_t has[TABLE_COLUMNS];				   /* of each in the list: index in the file plus 1; 0: it is missing */
	unit unit[TABLE_COLUMNS];				   /* of the columns of the file */
	char unit_name[TABLE_COLUMNS][TABLE_NAME]; /* as given, or "" */
} table_lines;

/* Opens a table of at most this number of bytes. at: the node that names the file. False: reported. */
bool scree_lines_open(reader *r, const node *at, const char *path, size_t most, table_lines *out);
/* Finds the next line that has values; the first one names the columns. Empty lines, lines of separators alone, lines
 * that begin with #, and a line "sep=;" before the names are skipped. False at the end. */
bool scree_lines_next(table_lines *t);
/* The positions of a cell of the line, and of the line, for messages. */
place scree_lines_cell_at(const table_lines *t, const table_cell *c);
place scree_lines_at(const table_lines *t);
/* Reads the line of names: columns and their units, each column once. False: reported. */
bool scree_lines_names(table_lines *t, const table_names *known);
/* Reads cell n of a line that should have one for each column. False after the last one; `right`: the line is well so
 * far, otherwise it was reported. cure: for more cells than that between commas, or NULL */
bool scree_lines_cell(table_lines *t, int32_t n, const char *cure, table_cell *out, bool *right);
/* Reads a cell of column n as a number in its unit, with the decimal sign of the table. False: it is not one. */
bool scree_lines_value(const table_lines *t, int32_t n, const table_cell *c, double *out);
/* Whether a value is in the range of its column; false: reported, at its cell. */
bool scree_lines_in_range(const table_lines *t, const column_name *k, const table_cell *c, double value);

typedef struct number_column {
	column_name of;
	real *value; /* [rows], in the reader's arena */
} number_column;

/* Reads all of the columns, each of which must be there. Returns the number of rows, at least 1; -1: reported. at: the
 * node that names the file; rows_at: [rows] positions of the rows, for messages. */
int32_t scree_read_columns(reader *r, const node *at, const char *path, int32_t columns, number_column *column,
						   place **rows_at);

#endif
