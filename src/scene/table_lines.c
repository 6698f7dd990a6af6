/* table_lines: opens tables (CSV), finds their lines, and splits lines into cells. */
#include "scene/reader.h"

/* Programs that use a decimal comma separate cells with semicolons: 0,5 between semicolons is a half. The same applies
 * to cells separated by tabs or blanks. In all these cells 1,234 is refused, since it might also mean 1234. */

static bool blank(char c) { return c == ' ' || c == '\t' || c == '\r'; }

/* The separator in a line of names: the first of semicolon, tab, comma and blank that occurs between two words. */
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

/* The separator named by a line "sep=;" for spreadsheets, or 0. */
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

/* position of the cell's closing quote, or NULL; two quotes in a row stand for one in the text */
static const char *closing(const char *p, const char *end)
{
	for (++p; p < end; ++p) {
		if (*p != '"') continue;
		if (p + 1 == end || p[1] != '"') return p;
		++p;
	}
	return NULL;
}

bool scree_table_cell(table_line *l, bool enough, table_cell *out)
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
	if (quote && stop == quote + 1) ++p, stop = quote; /* a cell with text after the closing quote is taken literally */
	while (p < stop && blank(*p)) ++p;
	while (stop > p && blank(stop[-1])) --stop;
	*out = (table_cell){p, (size_t)(stop - p)};
	return true;
}

static bool is_digit(char c) { return c >= '0' && c <= '9'; }

/* tests for one to three digits, of which the first is not 0, a comma, and three more digits */
static bool may_be_thousands(const char *from, size_t length)
{
	size_t k = length && (*from == '-' || *from == '+'), start = k;
	while (k < length && is_digit(from[k])) ++k;
	if (k == start || k > start + 3 || from[start] == '0' || length != k + 4) return false;
	return from[k] == ',' && is_digit(from[k + 1]) && is_digit(from[k + 2]) && is_digit(from[k + 3]);
}

bool scree_table_number(char separator, const table_cell *c, char *to, size_t room)
{
	if (c->length >= room) return false;
	memcpy(to, c->at, c->length);
	to[c->length] = 0;
	char *comma = separator == ',' ? NULL : memchr(to, ',', c->length);
	if (!comma || memchr(to, '.', c->length) || strchr(comma + 1, ',')) return true;
	if (separator != ';' && may_be_thousands(c->at, c->length)) return true;
	*comma = '.';
	return true;
}

/* converts line ends that consist only of '\r' to '\n' */
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

place scree_lines_cell_at(const table_lines *t, const table_cell *c)
{
	place at = {t->source, t->line, 1, c->length ? (int32_t)c->length : 1};
	for (const char *p = t->start; p < c->at; ++p) at.column += begins_character(*p);
	return at;
}

place scree_lines_at(const table_lines *t) { return (place){t->source, t->line, 1, 1}; }

/* Splits "x [mm]" or "x (mm)" into a name and a unit, which is empty without brackets. False: reported. */
static bool name_and_unit(const table_lines *t, const table_cell *c, char name[TABLE_NAME], char unit_name[TABLE_NAME])
{
	const char *from = c->at;
	size_t length = c->length, end = 0;
	while (end < length && from[end] != '[' && from[end] != '(') ++end;
	const bool bracket = end < length;
	const char *unit = from + end + bracket, close = bracket && from[end] == '[' ? ']' : ')';
	const bool closed = bracket && unit < from + length && from[length - 1] == close;
	const size_t inside = closed ? length - end - 2 : 0;
	while (end && from[end - 1] == ' ') --end;
	snprintf(name, TABLE_NAME, "%.*s", (int)(end < TABLE_NAME ? end : TABLE_NAME - 1), from);
	snprintf(unit_name, TABLE_NAME, "%.*s", (int)(inside < TABLE_NAME ? inside : TABLE_NAME - 1), closed ? unit : "");
	if (!bracket || strspn(unit_name, " \t") < strlen(unit_name)) return true;
	const place at = scree_lines_cell_at(t, c);
	const char *cure = "a unit is written in brackets after the name, as in x [mm]; without brackets, SI units";
	if (closed) return scree_report(&t->r->r, at, cure, "the unit of '%s' is empty", name);
	return scree_report(&t->r->r, at, cure, "the unit of '%s' is not closed: '%c' was expected at the end", name,
						close);
}

static const column_name *column_of(const table_names *known, int32_t c)
{
	return (const column_name *)((const char *)known->row + (size_t)c * known->size);
}

static const char *name_of(const void *of, int i)
{
	const table_names *known = of;
	return i < known->count ? column_of(known, i)->name : NULL;
}

/* Reads the unit of a column with this name and SI unit; an empty text means the SI unit. False: reported. */
static bool read_unit(const table_lines *t, const column_name *of, place at, const char *given, unit *out)
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

/* Reads the name of a column and its unit. */
static bool add_column(table_lines *t, const table_cell *cell, const table_names *known)
{
	char name[TABLE_NAME], *unit_name = t->unit_name[t->columns];
	int32_t c = 0;
	const place at = scree_lines_cell_at(t, cell);
	if (!name_and_unit(t, cell, name, unit_name)) return false;
	while (c < known->count && strcmp(column_of(known, c)->name, name) != 0) ++c;
	if (c == known->count)
		return scree_report(&t->r->r, at, known->cure, "there is no column '%s'%s%s", name,
							scree_meant(&t->r->r, name, name_of, known), known->more);
	if (t->has[c]) return scree_report(&t->r->r, at, NULL, "the column '%s' is given twice", name);
	if (!known->text && !read_unit(t, column_of(known, c), at, unit_name, t->unit + t->columns)) return false;
	t->column[t->columns] = c;
	t->has[c] = ++t->columns;
	return true;
}

bool scree_lines_names(table_lines *t, const table_names *known)
{
	table_cell c;
	while (scree_table_cell(&t->rest, t->columns > 0, &c))
		if (!add_column(t, &c, known)) return false;
	return true;
}

bool scree_lines_cell(table_lines *t, int32_t n, const char *cure, table_cell *out, bool *right)
{
	const bool more = scree_table_cell(&t->rest, n == t->columns, out);
	*right = more == (n < t->columns);
	if (more && !*right)
		scree_report(&t->r->r, scree_lines_cell_at(t, out), t->rest.separator == ',' && t->rest.at ? cure : NULL,
					 "more values than the %d columns", t->columns);
	else if (!*right)
		scree_report(&t->r->r, scree_lines_cell_at(t, &(table_cell){t->rest.end, 1}), NULL, "%d values instead of %d",
					 n, t->columns);
	return more && *right;
}

bool scree_lines_value(const table_lines *t, int32_t n, const table_cell *c, double *out)
{
	char cell[64];
	const char *end = cell;
	const unit *u = t->unit + n;
	const bool ok = c->length > 0 && scree_table_number(t->rest.separator, c, cell, sizeof cell) &&
					scree_number_read(cell, &end) && !*end;
	*out = ok ? scree_number_value(cell, end, u->decimal) : NAN;
	*out = *out * u->up / u->down;
	return isfinite(*out);
}

bool scree_lines_in_range(const table_lines *t, const column_name *k, const table_cell *c, double value)
{
	const range g = scree_range(&(key){.unit = k->unit, .range = k->range});
	writing words = {0};
	if (scree_range_holds(g, value)) return true;
	scree_range_text(&words, g, k->unit);
	return scree_report(&t->r->r, scree_lines_cell_at(t, c), NULL, "%s: '%.*s' is out of range: it must be %s", k->name,
						(int)(c->length < 60 ? c->length : 60), c->at, scree_report_keep(&t->r->r, &words));
}

/* Reads named columns of numbers, for sieve curves and lists of spheres. The first line names the columns, in any
 * order. A unit may follow a name in brackets: `size [mm]`. Without a unit, numbers are in SI units. */

enum { MOST_ROWS = 1000000 };

static bool read_names(table_lines *t, int32_t columns, const number_column *column)
{
	const table_names known = {column, sizeof *column, columns, NULL, "; the first line names the columns", false};
	if (!scree_lines_names(t, &known)) return false;
	for (int32_t c = 0; c < columns; ++c)
		if (!t->has[c])
			return scree_report(&t->r->r, scree_lines_at(t), NULL, "the column '%s' is missing", column[c].of.name);
	return true;
}

static bool read_row(table_lines *t, const number_column *column, int32_t row)
{
	table_cell cell;
	bool right;
	for (int32_t n = 0; scree_lines_cell(t, n, NULL, &cell, &right); ++n) {
		const number_column *c = column + t->column[n];
		if (!scree_lines_value(t, n, &cell, c->value + row))
			return scree_report(&t->r->r, scree_lines_cell_at(t, &cell), NULL, "%s: '%.*s' is not a number", c->of.name,
								(int)(cell.length < 60 ? cell.length : 60), cell.at);
		if (!scree_lines_in_range(t, &c->of, &cell, c->value[row])) return false;
	}
	return right;
}

static int32_t count_rows(table_lines t)
{
	int32_t rows = 0;
	while (rows <= MOST_ROWS && scree_lines_next(&t)) ++rows;
	return rows;
}

int32_t scree_read_columns(reader *r, const node *at, const char *path, int32_t columns, number_column *column,
						   place **rows_at)
{
	table_lines t;
	if (!scree_lines_open(r, at, path, (size_t)64 << 20, &t)) return -1;
	if (!scree_lines_next(&t)) {
		REFUSE(r, at, NULL, "file: '%.200s' is empty", path);
		return -1;
	}
	if (!read_names(&t, columns, column)) return -1;
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
	for (int32_t k = 0; k < rows && scree_lines_next(&t); ++k) {
		(*rows_at)[k] = scree_lines_at(&t);
		ok = read_row(&t, column, k) && ok;
		if (!ok && r->r.total > REPORT_KEPT) break;
	}
	return ok ? rows : -1;
}
