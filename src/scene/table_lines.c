/* table_lines: opens tables (CSV), finds their lines, and cuts these into cells. */
#include "scene/table_lines.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Cuts lines of a table into cells.
 *
 * A semicolon as separator comes from programs whose decimal sign is the comma: 0,5 between semicolons is a half. The
 * same holds between tabs and blanks. There 1,234 is refused, since it may be more than a thousand. */

static bool blank(char c) { return c == ' ' || c == '\t' || c == '\r'; }

/* The separator of a table, from its line of names: semicolon, tab, comma or blank, the first of these that occurs
 * between two words. */
static char separator(const char *from, const char *end)
{
	while (from < end && blank(*from)) ++from;
	while (end > from && blank(end[-1])) --end;
	const size_t length = (size_t)(end - from);
	static const char all[] = {';', '\t', ',', ' '};
	for (size_t k = 0; k < sizeof all; ++k)
		if (length && memchr(from, all[k], length)) return all[k];
	return ',';
}

/* The separator of a line "sep=;" for spreadsheets, or 0. */
static char told_separator(const char *from, const char *end)
{
	while (end > from && end[-1] == '\r') --end;
	return end - from == 5 && (!memcmp(from, "sep=", 4) || !memcmp(from, "SEP=", 4)) ? end[-1] : 0;
}

static bool between(const table_line *l, char c) { return l->separator == ' ' ? blank(c) : c == l->separator; }

/* Tests whether only separators and blanks are left. */
static bool is_empty(const table_line *l)
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
	if (!l->at || (enough && is_empty(l))) return false;
	const char *p = l->at;
	while (p < l->end && *p != l->separator && blank(*p)) ++p;
	while (l->separator == ' ' && p < l->end && blank(*p)) ++p;
	const char *quote = p < l->end && *p == '"' ? closing(p, l->end) : NULL, *stop = quote ? quote + 1 : p;
	while (stop < l->end && !between(l, *stop)) ++stop;
	l->at = stop < l->end ? stop + 1 : NULL;
	if (l->separator == ' ' && l->at && is_empty(l)) l->at = NULL;
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
		if (!t->named && !t->told && (t->told = told_separator(p, t->rest.end))) continue;
		if (!t->named) t->rest.separator = t->told ? t->told : separator(p, t->rest.end);
		if (is_empty(&t->rest)) continue;
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

/* Named columns of numbers from a table (CSV), for curves and lists of spheres.
 *
 * The first line names the columns, in any order; a unit may follow a name in brackets: `size [mm]`. Without a unit
 * numbers are in SI units. Lines are read as those of tables of bodies (table_lines.h). */

enum { MOST_COLUMNS = 16, MOST_ROWS = 1000000 };

typedef struct number_table {
	reader *r;
	table_lines in;
	int32_t cells;				  /* number of columns of the table */
	int32_t column[MOST_COLUMNS]; /* meaning of each */
	unit of[MOST_COLUMNS];		  /* unit of each */
} number_table;

typedef struct name_list {
	const number_column *column;
	int32_t columns;
} name_list;

static const char *name_of(const void *of, int i)
{
	const name_list *l = of;
	return i < l->columns ? l->column[i].of.name : NULL;
}

static bool read_names(number_table *t, const name_list *known)
{
	const table_names names = {name_of, known, NULL, "; the first line names the columns"};
	const char *from;
	size_t length;
	uint32_t has = 0;
	while (scree_table_cell(&t->in.rest, t->cells > 0, &from, &length)) {
		char unit_name[TABLE_NAME];
		const int32_t c = scree_lines_column(&t->in, from, length, &names, &has, unit_name);
		const place at = scree_lines_place(&t->in, from, length);
		if (c < 0 || !scree_lines_unit(&t->in, &known->column[c].of, at, unit_name, t->of + t->cells)) return false;
		t->column[t->cells++] = c;
	}
	for (int32_t c = 0; c < known->columns; ++c)
		if (!(has >> c & 1))
			return scree_report(&t->r->r, scree_lines_place(&t->in, t->in.start, 1), NULL, "the column '%s' is missing",
								known->column[c].of.name);
	return true;
}

static bool read_number(number_table *t, const key *k, const unit *u, const char *from, size_t length, double *out)
{
	if (!scree_lines_value(&t->in, from, length, u, out))
		return scree_report(&t->r->r, scree_lines_place(&t->in, from, length), NULL, "%s: '%.*s' is not a number",
							k->name, (int)(length < 60 ? length : 60), from);
	return scree_lines_in_range(&t->in, k, from, length, *out);
}

static bool read_row(number_table *t, const number_column *column, int32_t row)
{
	const char *from;
	size_t length;
	bool right;
	for (int32_t n = 0; scree_lines_cell(&t->in, n, t->cells, NULL, &from, &length, &right); ++n) {
		const number_column *c = column + t->column[n];
		if (!read_number(t, &c->of, t->of + n, from, length, c->value + row)) return false;
	}
	return right;
}

static int32_t count_rows(number_table t)
{
	int32_t rows = 0;
	while (rows <= MOST_ROWS && scree_lines_next(&t.in)) ++rows;
	return rows;
}

int32_t scree_read_columns(reader *r, const node *at, const char *path, int32_t columns, number_column *column,
						   place **rows_at)
{
	number_table t = {.r = r};
	if (!scree_lines_open(r, at, path, (size_t)64 << 20, &t.in)) return -1;
	if (!scree_lines_next(&t.in)) {
		REFUSE(r, at, NULL, "file: '%.200s' is empty", path);
		return -1;
	}
	if (!read_names(&t, &(name_list){column, columns})) return -1;
	const int32_t rows = count_rows(t);
	if (!rows || rows > MOST_ROWS) {
		REFUSE(r, at, NULL,
			   rows ? "file: '%.200s' has more than a million lines"
					: "file: '%.200s' has names of columns, but no numbers",
			   path);
		return -1;
	}
	for (int32_t c = 0; c < columns; ++c)
		column[c].value = scree_arena_take(&r->memory, (size_t)rows * sizeof *column[c].value);
	*rows_at = scree_arena_take(&r->memory, (size_t)rows * sizeof **rows_at);
	bool ok = true;
	for (int32_t k = 0; k < rows && scree_lines_next(&t.in); ++k) {
		(*rows_at)[k] = scree_lines_place(&t.in, t.in.start, 1);
		ok = read_row(&t, column, k) && ok;
		if (!ok && r->r.total > REPORT_KEPT) break;
	}
	return ok ? rows : -1;
}
