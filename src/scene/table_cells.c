/* table_cells: cuts lines of a table into cells.
 *
 * A semicolon as separator comes from programs whose decimal sign is the comma: 0,5 between semicolons is a half. The
 * same holds between tabs and blanks. There 1,234 is refused, since it may be more than a thousand. */
#include "scene/table_lines.h"

#include <string.h>

static bool blank(char c) { return c == ' ' || c == '\t' || c == '\r'; }

char scree_table_separator(const char *from, const char *end)
{
	while (from < end && blank(*from)) ++from;
	while (end > from && blank(end[-1])) --end;
	const size_t length = (size_t)(end - from);
	static const char all[] = {';', '\t', ',', ' '};
	for (size_t k = 0; k < sizeof all; ++k)
		if (length && memchr(from, all[k], length)) return all[k];
	return ',';
}

char scree_table_told_separator(const char *from, const char *end)
{
	while (end > from && end[-1] == '\r') --end;
	return end - from == 5 && (!memcmp(from, "sep=", 4) || !memcmp(from, "SEP=", 4)) ? end[-1] : 0;
}

static bool between(const table_line *l, char c) { return l->separator == ' ' ? blank(c) : c == l->separator; }

bool scree_table_is_empty(const table_line *l)
{
	for (const char *p = l->at; p < l->end; ++p)
		if (!blank(*p) && *p != l->separator) return false;
	return true;
}

/* position of the closing quote of the cell, or NULL; two quotes in a row are one in the text */
static const char *closing(const char *p, const char *end)
{
	for (++p; p < end; ++p) {
		if (*p != '"') continue;
		if (p + 1 == end || p[1] != '"') return p;
		++p;
	}
	return NULL;
}

bool scree_table_cell(table_line *l, bool enough, const char **from, size_t *length)
{
	if (!l->at || (enough && scree_table_is_empty(l))) return false;
	const char *p = l->at;
	while (p < l->end && *p != l->separator && blank(*p)) ++p;
	while (l->separator == ' ' && p < l->end && blank(*p)) ++p;
	const char *quote = p < l->end && *p == '"' ? closing(p, l->end) : NULL, *stop = quote ? quote + 1 : p;
	while (stop < l->end && !between(l, *stop)) ++stop;
	l->at = stop < l->end ? stop + 1 : NULL;
	if (l->separator == ' ' && l->at && scree_table_is_empty(l)) l->at = NULL;
	while (stop > p && blank(stop[-1])) --stop;
	if (quote && stop == quote + 1) ++p, stop = quote; /* a cell with text after the quote is taken literally */
	while (p < stop && blank(*p)) ++p;
	while (stop > p && blank(stop[-1])) --stop;
	*from = p;
	*length = (size_t)(stop - p);
	return true;
}

static bool is_digit(char c) { return c >= '0' && c <= '9'; }

/* tests for up to three digits, the first not 0, a comma, and three digits */
static bool may_be_thousands(const char *from, size_t length)
{
	size_t k = length && (*from == '-' || *from == '+'), start = k;
	while (k < length && is_digit(from[k])) ++k;
	if (k == start || k > start + 3 || from[start] == '0' || length != k + 4) return false;
	return from[k] == ',' && is_digit(from[k + 1]) && is_digit(from[k + 2]) && is_digit(from[k + 3]);
}

bool scree_table_number(char separator, const char *from, size_t length, char *to, size_t room)
{
	if (length >= room) return false;
	memcpy(to, from, length);
	to[length] = 0;
	char *comma = separator == ',' ? NULL : memchr(to, ',', length);
	if (!comma || memchr(to, '.', length) || strchr(comma + 1, ',')) return true;
	if (separator != ';' && may_be_thousands(from, length)) return true;
	*comma = '.';
	return true;
}
