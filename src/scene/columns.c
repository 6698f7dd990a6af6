/* columns: named columns of numbers from a table (CSV), for curves and lists of spheres.
 *
 * The first line names the columns, in any order; a unit may follow a name in brackets: `size [mm]`. Without a unit
 * numbers are in SI units. Lines are read as those of tables of bodies (table_lines.h). */
#include "scene/table_lines.h"

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
