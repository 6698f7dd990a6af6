/* table_lines: opens tables (CSV), and finds their lines. Values of a line are cut by table_cells.c. */
#include "scene/table_lines.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* converts lines that end in '\r' alone to '\n' */
static const char *with_line_ends(reader *r, const char *bytes, size_t length)
{
	char *copy = NULL;
	for (size_t k = 0; k < length; ++k) {
		if (bytes[k] != '\r' || (k + 1 < length && bytes[k + 1] == '\n')) continue;
		if (!copy) copy = scree_arena_text(&r->memory, bytes, length);
		copy[k] = '\n';
	}
	return copy ? copy : bytes;
}

bool scree_lines_open(reader *r, const node *at, const char *path, size_t most, table_lines *out)
{
	static const char snapshot[] = "scree snapshot";
	size_t length;
	*out = (table_lines){.r = r};
	const char *bytes = scree_reader_file(r, at, path, most, &length);
	if (!bytes) return false;
	if (length >= strlen(snapshot) && !memcmp(bytes, snapshot, strlen(snapshot)))
		return REFUSE(r, at, "a fill takes its bodies from a snapshot: from: NAME.snap",
					  "'%.200s' is a snapshot, not a table", path);
	bytes = with_line_ends(r, bytes, length);
	out->source = scree_report_source(&r->r, scree_arena_print(&r->memory, "%s%s", r->folder, path), "", bytes, length);
	if (out->source < 0) return REFUSE(r, at, NULL, "too many files in one scene");
	const char *other = scree_other_encoding(bytes, length);
	if (other)
		return scree_report(&r->r, (place){out->source, 1, 1, 1}, "save it as UTF-8",
							"the table is in %s, but tables are text in UTF-8", other);
	out->next = bytes + scree_byte_order_mark(bytes, length);
	out->stop = bytes + length;
	return true;
}

bool scree_lines_next(table_lines *t)
{
	while (t->next < t->stop) {
		const char *p = t->next, *end = memchr(p, '\n', (size_t)(t->stop - p));
		t->start = t->rest.at = p;
		t->rest.end = end ? end : t->stop;
		t->next = t->rest.end + 1;
		++t->line;
		while (p < t->rest.end && (*p == ' ' || *p == '\t' || *p == '\r')) ++p;
		if (p == t->rest.end || *p == '#') continue;
		if (!t->named && !t->told && (t->told = scree_table_told_separator(p, t->rest.end))) continue;
		if (!t->named) t->rest.separator = t->told ? t->told : scree_table_separator(p, t->rest.end);
		if (scree_table_is_empty(&t->rest)) continue;
		t->named = true;
		return true;
	}
	return false;
}

place scree_lines_place(const table_lines *t, const char *from, size_t length)
{
	place at = {t->source, t->line, 1, length ? (int32_t)length : 1};
	for (const char *p = t->start; p < from; ++p)
		if (((unsigned char)*p & 0xC0) != 0x80) ++at.column;
	return at;
}

/* Separates the name of a column from the unit that follows it in brackets, "x [mm]" or "x (mm)". Without brackets,
 * `unit` is empty. False: reported. */
static bool name_and_unit(const table_lines *t, const char *from, size_t length, char name[TABLE_NAME],
						  char unit_name[TABLE_NAME])
{
	size_t end = 0;
	while (end < length && from[end] != '[' && from[end] != '(') ++end;
	const bool bracket = end < length;
	const char *unit = from + end + bracket, close = bracket && from[end] == '[' ? ']' : ')';
	const bool closed = bracket && unit < from + length && from[length - 1] == close;
	const size_t inside = closed ? length - end - 2 : 0;
	while (end && from[end - 1] == ' ') --end;
	snprintf(name, TABLE_NAME, "%.*s", (int)(end < TABLE_NAME ? end : TABLE_NAME - 1), from);
	snprintf(unit_name, TABLE_NAME, "%.*s", (int)(inside < TABLE_NAME ? inside : TABLE_NAME - 1), closed ? unit : "");
	if (!bracket || strspn(unit_name, " \t") < strlen(unit_name)) return true;
	const place at = scree_lines_place(t, from, length);
	const char *cure = "a unit stands in brackets at the end of the name, as x [mm]; without brackets, SI units";
	if (closed) return scree_report(&t->r->r, at, cure, "the unit of '%s' is empty", name);
	return scree_report(&t->r->r, at, cure, "the unit of '%s' is not closed: '%c' was expected at the end", name,
						close);
}

int32_t scree_lines_column(const table_lines *t, const char *from, size_t length, const table_names *known,
						   uint32_t *has, char unit_name[TABLE_NAME])
{
	char name[TABLE_NAME];
	const char *word;
	int32_t c = 0;
	const place at = scree_lines_place(t, from, length);
	if (!name_and_unit(t, from, length, name, unit_name)) return -1;
	while ((word = known->names(known->what, c)) && strcmp(word, name) != 0) ++c;
	if (!word)
		scree_report(&t->r->r, at, known->cure, "there is no column '%s'%s%s", name,
					 scree_meant(&t->r->r, name, known->names, known->what), known->more);
	else if (*has >> c & 1)
		scree_report(&t->r->r, at, NULL, "the column '%s' is given twice", name);
	if (!word || *has >> c & 1) return -1;
	*has |= 1u << c;
	return c;
}

bool scree_lines_cell(table_lines *t, int32_t n, int32_t cells, const char *cure, const char **from, size_t *length,
					  bool *right)
{
	const bool more = scree_table_cell(&t->rest, n == cells, from, length);
	*right = more == (n < cells);
	if (more && !*right)
		scree_report(&t->r->r, scree_lines_place(t, *from, *length),
					 t->rest.separator == ',' && t->rest.at ? cure : NULL, "more values than the %d columns", cells);
	else if (!*right)
		scree_report(&t->r->r, scree_lines_place(t, t->rest.end, 1), NULL, "%d values instead of %d", n, cells);
	return more && *right;
}

bool scree_lines_unit(const table_lines *t, const key *of, place at, const char *given, unit *out)
{
	unit wanted = {1, 1, 0, 0, {0, 0, 0, 0}};
	const char *wrong;
	if (of->unit) SCREE_ASSERT(scree_unit_parse(of->unit, &wanted, &wrong));
	*out = wanted;
	if (!*given) return true;
	if (!scree_unit_parse(given, out, &wrong))
		return scree_report(&t->r->r, at, NULL, "%s: '%s' is not a unit", of->name, given);
	if (scree_dimension_same(out->of, wanted.of) && out->flags == wanted.flags) return true;
	return scree_report(&t->r->r, at, of->unit ? NULL : "leave it out", "%s: the unit '%s' was not expected here%s%s",
						of->name, given, of->unit ? "; for example, " : "", of->unit ? of->unit : "");
}

bool scree_lines_value(const table_lines *t, const char *from, size_t length, const unit *u, double *out)
{
	char cell[64];
	const char *end = cell;
	const bool ok = length > 0 && scree_table_number(t->rest.separator, from, length, cell, sizeof cell) &&
					scree_number_read(cell, &end) && !*end;
	*out = ok ? scree_number_value(cell, end, u->decimal) : NAN;
	*out = *out * u->up / u->down;
	return isfinite(*out);
}

bool scree_lines_in_range(const table_lines *t, const key *k, const char *from, size_t length, double value)
{
	writing words = {0};
	if (scree_range_holds(scree_range(k), value)) return true;
	scree_range_text(&words, scree_range(k), k->unit);
	return scree_report(&t->r->r, scree_lines_place(t, from, length), NULL, "%s: '%.*s' is out of range: it must be %s",
						k->name, (int)(length < 60 ? length : 60), from, scree_report_keep(&t->r->r, &words));
}
