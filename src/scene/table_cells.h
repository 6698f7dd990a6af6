/* table_cells.h: lines of a table cut into cells, in the forms of spreadsheets and programs. */
#ifndef SCREE_SCENE_TABLE_CELLS_H
#define SCREE_SCENE_TABLE_CELLS_H

#include <stdbool.h>
#include <stddef.h>

typedef struct table_line {
	const char *at, *end; /* rest of the line; at is NULL after the last cell */
	char separator;		  /* ',', ';', a tab, or ' ' for any number of blanks */
} table_line;

/* The separator of a table, from its line of names: semicolon, tab, comma or blank, the first of these that occurs
 * between two words. */
char scree_table_separator(const char *from, const char *end);
/* The separator of a line "sep=;" for spreadsheets, or 0. */
char scree_table_told_separator(const char *from, const char *end);
/* Tests whether only separators and blanks are left. */
bool scree_table_is_empty(const table_line *l);
/* Reads the next cell, without blanks and quotes around it; false at the end of the line. If `enough` cells were read,
 * separators at the end of a line, as some programs write them, do not begin a cell. */
bool scree_table_cell(table_line *l, bool enough, const char **from, size_t *length);
/* Copies a number to `to`. A decimal comma becomes a point if the separator leaves no doubt; other text is copied
 * unchanged. False if it does not fit. */
bool scree_table_number(char separator, const char *from, size_t length, char *to, size_t room);

#endif
