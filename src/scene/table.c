/* table: bodies from a table of values between commas, semicolons, tabs or blanks (table_cells.c).
 *
 * The first line names the columns: x, y, z (needed), size, shape, material, qw, qx, qy, qz, vx, vy, vz, wx, wy, wz, in
 * any order, all in SI units; in dimension 2 x, y, size, shape, material, angle, vx, vy, wz. What has no column comes
 * from the keys of the fill. Empty lines and lines that begin with # are skipped. */
#include "scene/reader.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/maths.h"
#include "base/memory.h"
#include "kernel/quat.h"
#include "scene/table_cells.h"

enum {
	COL_X,
	COL_Y,
	COL_Z,
	COL_SIZE,
	COL_SHAPE,
	COL_MATERIAL,
	COL_QW,
	COL_QX,
	COL_QY,
	COL_QZ,
	COL_VX,
	COL_VY,
	COL_VZ,
	COL_WX,
	COL_WY,
	COL_WZ,
	COL_ANGLE,
	COLUMNS
};

static const char *column_names(const void *unused, int i)
{
	static const char *const name[] = {"x",	 "y",  "z",	 "size", "shape", "material", "qw", "qx",	"qy",
									   "qz", "vx", "vy", "vz",	 "wx",	  "wy",		  "wz", "angle"};
	(void)unused;
	return i < COLUMNS ? name[i] : NULL;
}

typedef struct table {
	reader *r;
	const fill_spec *f;
	int32_t number, line;							/* source, line */
	table_line rest;								/* what is left of the line */
	const char *start;								/* of the line */
	int32_t columns, column[COLUMNS], has[COLUMNS]; /* meaning of each column; has: its place plus 1 */
	random_stream random;
} table;

static place cell_place(const table *t, const char *from, size_t length)
{
	place at = {t->number, t->line, 1, length ? (int32_t)length : 1};
	for (const char *p = t->start; p < from; ++p)
		if (((unsigned char)*p & 0xC0) != 0x80) ++at.column;
	return at;
}

static bool read_header(table *t)
{
	const char *from;
	size_t length;
	while (scree_table_cell(&t->rest, t->columns > 0, &from, &length)) {
		char name[40];
		int32_t c = 0;
		snprintf(name, sizeof name, "%.*s", (int)(length < 39 ? length : 39), from);
		while (c < COLUMNS && strcmp(column_names(NULL, c), name)) ++c;
		if (c == COLUMNS) {
			const char *near = scree_nearest(name, column_names, NULL);
			return scree_report(&t->r->r, cell_place(t, from, length),
								"columns: x, y, z, size, shape, material, qw .. qz, vx .. vz, wx .. wz",
								"there is no column '%s'%s%s%s", name, near ? " (did you mean " : "", near ? near : "",
								near ? "?)" : "");
		}
		if (t->has[c])
			return scree_report(&t->r->r, cell_place(t, from, length), NULL, "the column '%s' stands here twice", name);
		t->has[c] = ++t->columns;
		t->column[t->columns - 1] = c;
	}
	place at = cell_place(t, t->start, 1);
	for (int32_t c = 0; t->r->flat && c < COLUMNS; ++c) {
		bool out_of_plane = c == COL_Z || (c >= COL_QW && c <= COL_QZ) || c == COL_VZ || c == COL_WX || c == COL_WY;
		if (out_of_plane && t->has[c])
			return scree_report(&t->r->r, at, "columns: x, y, angle, size, shape, material, vx, vy, wz",
								"there is no '%s' in dimension 2", column_names(NULL, c));
	}
	if (!t->r->flat && t->has[COL_ANGLE])
		return scree_report(&t->r->r, at, "write qw, qx, qy, qz", "the column 'angle' belongs to dimension 2");
	for (int32_t c = COL_X; c <= (t->r->flat ? COL_Y : COL_Z); ++c)
		if (!t->has[c]) return scree_report(&t->r->r, at, NULL, "the column '%s' is missing", column_names(NULL, c));
	int32_t turns = 0;
	for (int32_t c = COL_QW; c <= COL_QZ; ++c) turns += t->has[c] ? 1 : 0;
	if (turns % 4) return scree_report(&t->r->r, at, NULL, "of qw, qx, qy and qz all four are needed, or none");
	if (!t->has[COL_SHAPE] && !scree_given(&t->f->h, &scree_section_fill, "shape"))
		return scree_report(&t->r->r, at, "or give the fill a shape", "the column 'shape' is missing");
	if (!t->has[COL_SIZE] && !scree_given(&t->f->h, &scree_section_fill, "size"))
		return scree_report(&t->r->r, at, "or give the fill a size", "the column 'size' is missing");
	return true;
}

static int32_t look_up(const many *list, size_t stride, const char *from, size_t length)
{
	const char *item = list->item;
	for (int32_t i = 0; i < list->count; ++i, item += stride) {
		const char *name = ((const head *)item)->name;
		if (strlen(name) == length && !memcmp(name, from, length)) return i;
	}
	return -1;
}

static int32_t find_name(table *t, const many *list, size_t stride, const char *from, size_t length)
{
	const int32_t found = look_up(list, stride, from, length);
	if (found >= 0) return found;
	scree_report(&t->r->r, cell_place(t, from, length), NULL, "there is no '%.*s' in the scene",
				 (int)(length < 60 ? length : 60), from);
	return -1;
}

/* A shape, or one of a family: NAME.k, as tables of bodies that were written say it. member: -1, or which one. */
static int32_t find_shape(table *t, const char *from, size_t length, int32_t *member)
{
	const many *list = &t->r->spec.shapes;
	size_t stem = length;
	int64_t k = 0, power = 1;
	*member = -1;
	if (look_up(list, sizeof(shape_spec), from, length) < 0) {
		for (; stem && from[stem - 1] >= '0' && from[stem - 1] <= '9' && power < 1000000; power *= 10)
			k += power * (from[--stem] - '0');
		const int32_t family =
			stem > 1 && stem < length && from[stem - 1] == '.' ? look_up(list, sizeof(shape_spec), from, stem - 1) : -1;
		if (family >= 0 && t->r->shape[family].count > 1 && k < t->r->shape[family].count) {
			*member = (int32_t)k;
			return family;
		}
	}
	return find_name(t, list, sizeof(shape_spec), from, length);
}

static bool read_number(table *t, const char *from, size_t length, double *out)
{
	char cell[64];
	const char *end = cell;
	bool ok = length > 0 && scree_table_number(t->rest.separator, from, length, cell, sizeof cell) &&
			  scree_number_read(cell, &end) && !*end;
	*out = ok ? scree_number_value(cell, end, 0) : NAN;
	if (ok && isfinite(*out)) return true;
	return scree_report(&t->r->r, cell_place(t, from, length),
						length && memchr(from, ',', length) ? "write it with a decimal point" : NULL,
						"'%.*s' is not a number", (int)(length < 63 ? length : 63), from);
}

/* as the keys of the same meaning */
static bool in_range(table *t, int32_t column, const char *from, size_t length, double value)
{
	static const key size = {.unit = "m", .range = "> 0"}, position = {.unit = "m"}, velocity = {.unit = "m/s"},
					 spin = {.unit = "rad/s"}, angle = {.unit = "rad"}, plain = {0};
	const key *k = column == COL_SIZE					  ? &size
				   : column <= COL_Z					  ? &position
				   : column >= COL_VX && column <= COL_VZ ? &velocity
				   : column >= COL_WX && column <= COL_WZ ? &spin
				   : column == COL_ANGLE				  ? &angle
														  : &plain;
	if (scree_range_holds(scree_range(k), value)) return true;
	writing words = {0};
	scree_range_text(&words, scree_range(k), k->unit);
	scree_report(&t->r->r, cell_place(t, from, length), NULL, "%s: '%.*s' is out of range: it must be %s",
				 column_names(NULL, column), (int)(length < 60 ? length : 60), from, words.bytes);
	scree_free(scree_writing_take(&words));
	return false;
}

static bool read_row(table *t, new_body *out)
{
	double v[COLUMNS];
	const char *from;
	size_t length;
	int32_t n = 0, form = t->f->shape, member = -1, of = t->f->material;
	for (; scree_table_cell(&t->rest, n == t->columns, &from, &length); ++n) {
		if (n == t->columns)
			return scree_report(&t->r->r, cell_place(t, from, length),
								t->rest.separator == ',' && t->rest.at
									? "numbers have a decimal point, or semicolons between them"
									: NULL,
								"more values than the %d columns", t->columns);
		int32_t c = t->column[n];
		if (c == COL_SHAPE) {
			if ((form = find_shape(t, from, length, &member)) < 0) return false;
		} else if (c == COL_MATERIAL) {
			if ((of = find_name(t, &t->r->spec.materials, sizeof(material_spec), from, length)) < 0) return false;
		} else if (!read_number(t, from, length, &v[c])) {
			return false;
		} else if (!in_range(t, c, from, length, v[c])) {
			return false;
		}
	}
	if (n < t->columns)
		return scree_report(&t->r->r, cell_place(t, t->rest.end, 1), NULL, "%d values instead of %d", n, t->columns);
	mix_part part = {form, 1, {SPREAD_ONE, 1, 0, 0}};
	if (!t->has[COL_SIZE]) part.size = scree_build_spread(t->r, &t->f->size, form);
	*out = scree_fill_draw(t->r, t->f, &part, 1, t->r->shape, &t->random);
	if (member >= 0) out->shape = t->r->shape[form].first + member;
	if (t->has[COL_SIZE]) out->size = v[COL_SIZE] * t->r->shape[form].scale;
	out->material = of;
	out->position = v3(v[COL_X], v[COL_Y], t->r->flat ? 0 : v[COL_Z]);
	if (t->has[COL_ANGLE]) {
		quat q = {0, 0, 0, 0};
		scree_sincos(v[COL_ANGLE] / 2, &q.z, &q.w);
		out->orientation = q;
	}
	if (t->has[COL_QW]) {
		quat q = {v[COL_QW], v[COL_QX], v[COL_QY], v[COL_QZ]};
		real length2 = q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z;
		if (!(length2 > 1e-20 && length2 < 1e20))
			return scree_report(&t->r->r, cell_place(t, t->start, 1), NULL, "this quaternion is no rotation");
		out->orientation = quat_unit(q);
	}
	real *to[] = {&out->velocity.x,			&out->velocity.y,		  &out->velocity.z,
				  &out->angular_velocity.x, &out->angular_velocity.y, &out->angular_velocity.z};
	for (int i = 0; i < 6; ++i)
		if (t->has[COL_VX + i]) *to[i] = v[COL_VX + i];
	return true;
}

/* lines that end in '\r' alone end in '\n' */
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

bool scree_build_table(reader *r, const fill_spec *f, body_list *out)
{
	size_t length;
	const node *at = scree_where(&f->h, "from");
	const fill_spec *first = r->spec.fill.item;
	const char *bytes = scree_reader_file(r, at, f->from_table, (size_t)1 << 30, &length);
	if (!bytes) return false;
	bytes = with_line_ends(r, bytes, length);
	writing name = {0};
	scree_writing_add(&name, "%s%s", r->folder, f->from_table);
	table t = {.r = r, .f = f, .random = scree_random_start((uint64_t)f->seed, (uint64_t)(f - first))};
	t.number = scree_report_source(&r->r, scree_arena_text(&r->memory, name.bytes, name.length), "", bytes, length);
	scree_free(scree_writing_take(&name));
	if (t.number < 0) return scree_report(&r->r, at->at, NULL, "too many files in one scene");
	const char *other = scree_other_encoding(bytes, length);
	if (other)
		return scree_report(&r->r, (place){t.number, 1, 1, 1}, "save it as UTF-8",
							"the table is in %s, but tables are text in UTF-8", other);
	int64_t before = out->count, lines = 0;
	for (const char *p = bytes; (p = memchr(p, '\n', (size_t)(bytes + length - p))); ++p) ++lines;
	if (!scree_limit_memory(r, at->at, "from", (real)(before + lines))) return false;
	bool ok = true;
	char told = 0;
	for (const char *p = bytes + scree_byte_order_mark(bytes, length), *end = bytes + length; p < end;
		 p = t.rest.end + 1) {
		const char *stop = memchr(p, '\n', (size_t)(end - p));
		t.start = t.rest.at = p;
		t.rest.end = stop ? stop : end;
		++t.line;
		while (p < t.rest.end && (*p == ' ' || *p == '\t' || *p == '\r')) ++p;
		if (p == t.rest.end || *p == '#' || (t.columns && scree_table_is_empty(&t.rest))) continue;
		if (!t.columns && !told && (told = scree_table_told_separator(p, t.rest.end))) continue;
		if (!t.columns) t.rest.separator = told ? told : scree_table_separator(p, t.rest.end);
		new_body b;
		if (!t.columns) {
			if (!read_header(&t)) return false;
		} else if (read_row(&t, &b)) {
			scree_body_list_add(out, b);
		} else {
			ok = false;
			if (r->r.total > REPORT_KEPT) return false;
		}
	}
	if (ok && out->count == before)
		return scree_report(&r->r, at->at, NULL, "from: there are no bodies in '%.200s'", f->from_table);
	return ok;
}
