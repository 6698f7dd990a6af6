/* table_lines.h: the lines of a table (CSV) in a file: tables of bodies, columns of numbers, tables of motions. */
#ifndef SCREE_SCENE_TABLE_LINES_H
#define SCREE_SCENE_TABLE_LINES_H

#include "scene/reader.h"

/* ------------------------------------------------------------------ cells */

typedef struct table_line {
	const char *at, *end; /* rest of the line; at is NULL after the last cell */
	char separator;		  /* ',', ';', a tab, or ' ' for any number of blanks */
} table_line;

/* Reads the next cell, without blanks and quotes around it; false at the end of the line. If `enough` cells were read,
 * separators at the end of a line, as some programs write them, do not begin a cell. */
bool scree_table_cell(table_line *l, bool enough, const char **from, size_t *length);
/* Copies a number to `to`. A decimal comma becomes a point if the separator leaves no doubt; other text is copied
 * unchanged. False if it does not fit. */
bool scree_table_number(char separator, const char *from, size_t length, char *to, size_t room);

/* ------------------------------------------------------------------ lines */

enum { TABLE_NAME = 64 }; /* room for the name of a column, and for its unit */

typedef struct table_lines {
	reader *r;
	int32_t source, line;	 /* number of the source; number of the line */
	const char *start;		 /* start of the line */
	table_line rest;		 /* rest of the line */
	const char *next, *stop; /* lines to be read */
	char told;				 /* separator named by a line "sep=;", or 0 */
	bool named;				 /* the line of names has been found */
} table_lines;

/* Opens a table of at most this number of bytes. at: the node that names the file. False: reported. */
bool scree_lines_open(reader *r, const node *at, const char *path, size_t most, table_lines *out);
/* Finds the next line that has values; the first one names the columns. Empty lines, lines of separators alone, lines
 * that begin with #, and a line "sep=;" before the names are skipped. False at the end. */
bool scree_lines_next(table_lines *t);
/* The position of a cell of the line, for messages. */
place scree_lines_place(const table_lines *t, const char *from, size_t length);
/* The columns that a table may have. */
typedef struct table_names {
	word_fn *names;
	const void *what;		 /* of names */
	const char *cure, *more; /* in messages about others: a remedy or NULL; more: the end of the sentence */
} table_names;
/* Reads the name of a column and its unit as given, or "". Returns the number of the name, below 32, and marks it in
 * `has`; -1: reported, also if it has been named before. */
int32_t scree_lines_column(const table_lines *t, const char *from, size_t length, const table_names *known,
						   uint32_t *has, char unit_name[TABLE_NAME]);
/* Reads cell n of a line that should have this number of cells. False after the last one; `right`: the line is well so
 * far, otherwise it was reported. cure: for more cells than that between commas, or NULL */
bool scree_lines_cell(table_lines *t, int32_t n, int32_t cells, const char *cure, const char **from, size_t *length,
					  bool *right);
/* Reads the unit of a column of this name and SI unit; an empty text is the SI unit. False: reported. */
bool scree_lines_unit(const table_lines *t, const key *of, place at, const char *given, unit *out);
/* Reads a cell as a number in this unit, with the decimal sign of the table. False: it is not one. */
bool scree_lines_value(const table_lines *t, const char *from, size_t length, const unit *u, double *out);
/* Whether a value is in the range of its key; false: reported, at its cell. */
bool scree_lines_in_range(const table_lines *t, const key *k, const char *from, size_t length, double value);

typedef struct number_column {
	key of;		 /* name, unit (NULL: plain numbers) and range */
	real *value; /* [rows], in the reader's arena */
} number_column;

/* Reads all of the columns, each of which must be there. Returns the number of rows, at least 1; -1: reported. at: the
 * node that names the file; rows_at: [rows] positions of the rows, for messages. */
int32_t scree_read_columns(reader *r, const node *at, const char *path, int32_t columns, number_column *column,
						   place **rows_at);

#endif
