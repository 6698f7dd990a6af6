/* columns: named columns of numbers from a table (CSV), for curves and lists of spheres.
 *
 * The first line names the columns, in any order; a unit may follow a name in brackets: `size [mm]`. Without a unit
 * numbers are in SI units. Lines are cut into cells as those of tables of bodies (table_cells.h). */
#include "scene/columns.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "scene/table_cells.h"

enum { MOST_COLUMNS = 16, MOST_ROWS = 1000000, NAME = 40 };

typedef struct lines {
	reader *r;
	int32_t source, line;
	table_line rest;			  /* rest of the line */
	const char *start;			  /* start of the line */
	const char *next, *stop;	  /* lines to be read */
	char told;					  /* separator named by a line "sep=;", or 0 */
	int32_t cells;				  /* number of columns of the table */
	int32_t column[MOST_COLUMNS]; /* meaning of each */
	unit in[MOST_COLUMNS];		  /* unit of each */
} lines;

static place place_of(const lines *t, const char *from, size_t length)
{
	place at = {t->source, t->line, 1, length ? (int32_t)length : 1};
	for (const char *p = t->start; p < from; ++p)
		if (((unsigned char)*p & 0xC0) != 0x80) ++at.column;
	return at;
}

/* finds the next line that is neither empty nor a comment */
static bool next_line(lines *t)
{
	while (t->next < t->stop) {
		const char *p = t->next, *end = memchr(p, '\n', (size_t)(t->stop - p));
		t->start = t->rest.at = p;
		t->rest.end = end ? end : t->stop;
		t->next = t->rest.end + 1;
		++t->line;
		while (p < t->rest.end && (*p == ' ' || *p == '\t' || *p == '\r')) ++p;
		if (p == t->rest.end || *p == '#' || (t->cells && scree_table_is_empty(&t->rest))) continue;
		if (!t->cells && !t->told && (t->told = scree_table_told_separator(p, t->rest.end))) continue;
		if (!t->cells) t->rest.separator = t->told ? t->told : scree_table_separator(p, t->rest.end);
		return true;
	}
	return false;
}

typedef struct name_list {
	const number_column *column;
	int32_t columns;
} name_list;

static const char *name_of(const void *of, int i)
{
	const name_list *l = of;
	return i < l->columns ? l->column[i].of.name : NULL;
}

/* Separates a name from the unit that follows it in brackets; without one, `unit` is empty. */
static void split_name(const char *from, size_t length, char name[NAME], char unit_name[NAME])
{
	const char *open = memchr(from, '[', length), *round = memchr(from, '(', length);
	if (!open || (round && round < open)) open = round;
	size_t end = open ? (size_t)(open - from) : length;
	const bool closed = open && (from[length - 1] == ']' || from[length - 1] == ')');
	snprintf(unit_name, NAME, "%.*s", closed ? (int)(length - end - 2 < NAME ? length - end - 2 : NAME - 1) : 0,
			 closed ? open + 1 : "");
	while (end && from[end - 1] == ' ') --end;
	snprintf(name, NAME, "%.*s", (int)(end < NAME ? end : NAME - 1), from);
}

/* the unit of a column; false: reported */
static bool read_unit(lines *t, const key *k, place at, const char *given, unit *out)
{
	unit wanted = {1, 1, 0, 0, {0, 0, 0}};
	const char *wrong;
	*out = wanted;
	if (k->unit) SCREE_ASSERT(scree_unit_parse(k->unit, &wanted, &wrong));
	if (!*given) return true;
	if (!scree_unit_parse(given, out, &wrong))
		return scree_report(&t->r->r, at, NULL, "%s: '%s' is not a unit", k->name, given);
	if (scree_dimension_same(out->of, wanted.of) && out->flags == wanted.flags) return true;
	return scree_report(&t->r->r, at, k->unit ? NULL : "leave it out", "%s: the unit '%s' was not expected here%s%s",
						k->name, given, k->unit ? "; for example, " : "", k->unit ? k->unit : "");
}

static bool read_names(lines *t, const name_list *known)
{
	const char *from;
	size_t length;
	uint32_t has = 0;
	while (scree_table_cell(&t->rest, t->cells > 0, &from, &length)) {
		char name[NAME], unit_name[NAME];
		int32_t c = 0;
		const place at = place_of(t, from, length);
		split_name(from, length, name, unit_name);
		while (c < known->columns && strcmp(known->column[c].of.name, name)) ++c;
		if (c == known->columns) {
			const char *near = scree_nearest(name, name_of, known);
			return scree_report(&t->r->r, at, NULL, "there is no column '%s'%s%s%s; the first line names the columns",
								name, near ? " (did you mean " : "", near ? near : "", near ? "?)" : "");
		}
		if (has >> c & 1) return scree_report(&t->r->r, at, NULL, "the column '%s' is given twice", name);
		if (!read_unit(t, &known->column[c].of, at, unit_name, t->in + t->cells)) return false;
		has |= 1u << c;
		t->column[t->cells++] = c;
	}
	for (int32_t c = 0; c < known->columns; ++c)
		if (!(has >> c & 1))
			return scree_report(&t->r->r, place_of(t, t->start, 1), NULL, "the column '%s' is missing",
								known->column[c].of.name);
	return true;
}

static bool read_number(lines *t, const key *k, const unit *u, const char *from, size_t length, double *out)
{
	char cell[64];
	const char *end = cell;
	const bool ok = length > 0 && scree_table_number(t->rest.separator, from, length, cell, sizeof cell) &&
					scree_number_read(cell, &end) && !*end;
	*out = ok ? scree_number_value(cell, end, u->decimal) * u->up / u->down : NAN;
	if (!isfinite(*out))
		return scree_report(&t->r->r, place_of(t, from, length), NULL, "%s: '%.*s' is not a number", k->name,
							(int)(length < 60 ? length : 60), from);
	if (scree_range_holds(scree_range(k), *out)) return true;
	writing words = {0};
	scree_range_text(&words, scree_range(k), k->unit);
	scree_report(&t->r->r, place_of(t, from, length), NULL, "%s: '%.*s' is out of range: it must be %s", k->name,
				 (int)(length < 60 ? length : 60), from, words.bytes);
	scree_free(scree_writing_take(&words));
	return false;
}

static bool read_row(lines *t, const number_column *column, int32_t row)
{
	const char *from;
	size_t length;
	int32_t n = 0;
	for (; scree_table_cell(&t->rest, n == t->cells, &from, &length); ++n) {
		if (n == t->cells)
			return scree_report(&t->r->r, place_of(t, from, length), NULL, "more values than the %d columns", t->cells);
		const number_column *c = column + t->column[n];
		if (!read_number(t, &c->of, t->in + n, from, length, c->value + row)) return false;
	}
	return n == t->cells ||
		   scree_report(&t->r->r, place_of(t, t->rest.end, 1), NULL, "%d values instead of %d", n, t->cells);
}

static int32_t count_rows(lines t)
{
	int32_t rows = 0;
	while (rows <= MOST_ROWS && next_line(&t)) ++rows;
	return rows;
}

static bool open_lines(reader *r, const node *at, const char *path, lines *t)
{
	size_t length;
	const char *bytes = scree_reader_file(r, at, path, (size_t)64 << 20, &length);
	if (!bytes) return false;
	writing name = {0};
	scree_writing_add(&name, "%s%s", r->folder, path);
	*t = (lines){.r = r};
	t->source = scree_report_source(&r->r, scree_arena_text(&r->memory, name.bytes, name.length), "", bytes, length);
	scree_free(scree_writing_take(&name));
	if (t->source < 0) return scree_report(&r->r, at->at, NULL, "too many files in one scene");
	const char *other = scree_other_encoding(bytes, length);
	if (other)
		return scree_report(&r->r, (place){t->source, 1, 1, 1}, "save it as UTF-8",
							"the table is in %s, but tables are text in UTF-8", other);
	t->next = bytes + scree_byte_order_mark(bytes, length);
	t->stop = bytes + length;
	return true;
}

int32_t scree_read_columns(reader *r, const node *at, const char *path, int32_t columns, number_column *column,
						   place **rows_at)
{
	lines t;
	if (!open_lines(r, at, path, &t)) return -1;
	if (!next_line(&t)) {
		scree_report(&r->r, at->at, NULL, "file: '%.200s' is empty", path);
		return -1;
	}
	if (!read_names(&t, &(name_list){column, columns})) return -1;
	const int32_t rows = count_rows(t);
	if (!rows || rows > MOST_ROWS) {
		scree_report(&r->r, at->at, NULL,
					 rows ? "file: '%.200s' has more than a million lines"
						  : "file: '%.200s' has names of columns, but no numbers",
					 path);
		return -1;
	}
	for (int32_t c = 0; c < columns; ++c)
		column[c].value = scree_arena_take(&r->memory, (size_t)rows * sizeof *column[c].value);
	*rows_at = scree_arena_take(&r->memory, (size_t)rows * sizeof **rows_at);
	bool ok = true;
	for (int32_t k = 0; k < rows && next_line(&t); ++k) {
		(*rows_at)[k] = place_of(&t, t.start, 1);
		ok = read_row(&t, column, k) && ok;
		if (!ok && r->r.total > REPORT_KEPT) break;
	}
	return ok ? rows : -1;
}
