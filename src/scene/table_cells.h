/* table_cells.h: lines of a table cut into cells, as spreadsheets and programs write them. */
#ifndef SCREE_SCENE_TABLE_CELLS_H
#define SCREE_SCENE_TABLE_CELLS_H

#include <stdbool.h>
#include <stddef.h>

typedef struct table_line {
	const char *at, *end; /* what is left of it; at is NULL behind the last cell */
	char separator;		  /* ',', ';', a tab, or ' ' for any number of blanks */
} table_line;

/* The separator of a table, from its line of names: the first of semicolon, tab, comma and blank between two words. */
char scree_table_separator(const char *from, const char *end);
/* The separator that a line "sep=;" tells spreadsheets, or 0. */
char scree_table_told_separator(const char *from, const char *end);
/* Nothing but separators and blanks is left. */
bool scree_table_is_empty(const table_line *l);
/* The next cell, without blanks and quotes around it; false at the end of the line. Separators at the end of a line,
 * behind which nothing follows, begin no cell if so many cells (`enough`) have come: some programs write them. */
bool scree_table_cell(table_line *l, bool enough, const char **from, size_t *length);
/* Where a cell writes a number with a decimal comma, and the separator leaves no doubt about that, the text with a
 * point in `to`; else the text as it is. False where it does not fit. */
bool scree_table_number(char separator, const char *from, size_t length, char *to, size_t room);

#endif
