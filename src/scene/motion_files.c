/* motion_files: tables of motions, of servos and of the periodic cell in files. Their rows are put into the tree of the
 * scene, as if they were written there, so that all rules of its values hold, messages have the line of the file, and
 * the resolved scene needs no file.
 *
 * The first line names the columns, each with its unit: "time [s], x [mm], z [mm]"; a column without a unit is in SI
 * units (table_lines.h). */
#include "scene/reader.h"

#include <stdio.h>
#include <string.h>

#include "scene/table_lines.h"

enum { ROWS_MOST = 100000, COLUMNS_MOST = 16, FILE_BYTES = 16 << 20 };

typedef struct table_column {
	const char *name, *key; /* in the file, and in the scene */
	int32_t part;			/* component of a vector; -1: a number */
	const char *unit;
} table_column;

/* the columns that a kind of table may have; the first is the time */
typedef struct table_form {
	const table_column *column;
	int32_t columns;
	const char *names; /* for messages */
} table_form;

static const table_column motion_columns[] = {{"time", "time", -1, "s"},
											  {"x", "position", 0, "m"},
											  {"y", "position", 1, "m"},
											  {"z", "position", 2, "m"},
											  {"vx", "velocity", 0, "m/s"},
											  {"vy", "velocity", 1, "m/s"},
											  {"vz", "velocity", 2, "m/s"},
											  {"angle", "angle", -1, "rad"},
											  {"angular_velocity", "angular_velocity", -1, "rad/s"},
											  {"force", "force", -1, "N"},
											  {"pressure", "pressure", -1, "Pa"},
											  {"torque", "torque", -1, "N*m"}};
static const table_column strain_columns[] = {{"time", "time", -1, "s"},
											  {"rate_x", "rate", 0, "1/s"},
											  {"rate_y", "rate", 1, "1/s"},
											  {"rate_z", "rate", 2, "1/s"}};

static const table_column stress_columns[] = {{"time", "time", -1, "s"},
											  {"stress_x", "stress", 0, "Pa"},
											  {"stress_y", "stress", 1, "Pa"},
											  {"stress_z", "stress", 2, "Pa"}};

static const table_form motion_form = {
	motion_columns, sizeof motion_columns / sizeof *motion_columns,
	"columns: time, x, y, z, vx, vy, vz, angle, angular_velocity, force, pressure, torque, each with its unit, as "
	"x [mm]"};
static const table_form strain_form = {strain_columns, sizeof strain_columns / sizeof *strain_columns,
									   "columns: time, rate_x, rate_y, rate_z, each with its unit, as time [ms]"};
static const table_form stress_form = {
	stress_columns, sizeof stress_columns / sizeof *stress_columns,
	"columns: time, stress_x, stress_y, stress_z, each with its unit, as stress_z [kPa]"};

static const char *column_names(const void *of, int i)
{
	const table_form *form = of;
	return i < form->columns ? form->column[i].name : NULL;
}

typedef struct motion_file {
	reader *r;
	const table_form *form;
	table_lines in;
	int32_t count;						 /* columns of the file */
	uint32_t has;						 /* bit c: it has column c of the form */
	int32_t column[COLUMNS_MOST];		 /* rows of the form */
	char unit[COLUMNS_MOST][TABLE_NAME]; /* as in the file */
} motion_file;

static bool add_column(motion_file *f, const char *from, size_t length)
{
	const table_names known = {column_names, f->form, f->form->names, ""};
	char unit_name[TABLE_NAME];
	const int32_t c = scree_lines_column(&f->in, from, length, &known, &f->has, unit_name);
	if (c < 0) return false;
	snprintf(f->unit[f->count], TABLE_NAME, "%s", *unit_name ? unit_name : f->form->column[c].unit);
	f->column[f->count++] = c;
	return true;
}

static bool read_names(motion_file *f)
{
	const char *from;
	size_t length;
	if (!scree_lines_next(&f->in))
		return scree_report(&f->r->r, (place){f->in.source, 1, 1, 1}, NULL,
							"a line that names the columns was expected");
	while (scree_table_cell(&f->in.rest, f->count > 0, &from, &length))
		if (!add_column(f, from, length)) return false;
	return f->has & 1 ||
		   scree_report(&f->r->r, scree_lines_place(&f->in, f->in.start, 1), NULL, "the column 'time' is missing");
}

static node *new_value(motion_file *f, const char *text, place at)
{
	node *n = scree_node_new(&f->r->memory, NODE_SCALAR, NULL, at);
	n->text = scree_arena_text(&f->r->memory, text, strlen(text));
	return n;
}

static node *list_of(motion_file *f, node *map, int32_t column)
{
	const char *key = f->form->column[column].key;
	node *list = (node *)scree_node_child(map, key);
	if (list) return list;
	list = scree_node_new(&f->r->memory, NODE_LIST, key, scree_lines_place(&f->in, f->in.start, 1));
	scree_node_append(map, list);
	return list;
}

/* The vector of this line, which is 0 along axes without a column. */
static node *vector_of(motion_file *f, node *list, place at)
{
	if (list->last && list->last->at.line == f->in.line && list->last->at.source == f->in.source) return list->last;
	node *v = scree_node_new(&f->r->memory, NODE_LIST, NULL, at);
	for (int d = 0; d < (f->r->flat ? 2 : 3); ++d) scree_node_append(v, new_value(f, "0", at));
	scree_node_append(list, v);
	return v;
}

static void set_part(node *v, int32_t part, const node *value)
{
	node *c = v->first;
	for (int32_t k = 0; c && k < part; ++k) c = c->next;
	if (!c) return;
	c->text = value->text;
	c->at = value->at;
}

static bool add_value(motion_file *f, node *map, int32_t k, const char *from, size_t length)
{
	char number[TABLE_NAME], text[2 * TABLE_NAME + 2];
	const table_column *c = f->form->column + f->column[k];
	const place at = scree_lines_place(&f->in, from, length);
	if (f->r->flat && c->part == 2)
		return scree_report(&f->r->r, at, "remove the column", "there is no '%s' in dimension 2", c->name);
	if (!length || !scree_table_number(f->in.rest.separator, from, length, number, sizeof number))
		return scree_report(&f->r->r, at, NULL, "'%.*s' is not a number",
							(int)(length < TABLE_NAME ? length : TABLE_NAME), from);
	snprintf(text, sizeof text, "%s %s", number, f->unit[k]);
	node *list = list_of(f, map, f->column[k]), *value = new_value(f, text, at);
	if (c->part < 0)
		scree_node_append(list, value);
	else
		set_part(vector_of(f, list, at), c->part, value);
	return true;
}

static bool read_row(motion_file *f, node *map)
{
	const char *from;
	size_t length;
	bool right;
	for (int32_t k = 0; scree_lines_cell(&f->in, k, f->count, NULL, &from, &length, &right); ++k)
		if (!add_value(f, map, k, from, length)) return false;
	return right;
}

static bool open_file(motion_file *f, const node *at)
{
	const char *path = scree_reader_path(f->r, at, "file");
	return path && scree_lines_open(f->r, at, path, FILE_BYTES, &f->in);
}

/* Whether lists are given besides the file. Those of values exclude it as keys of one group. */
static bool has_lists(reader *r, const table_form *form, const node *map)
{
	const node *time = scree_node_child(map, "time");
	bool any = time != NULL;
	for (int32_t c = 0; c < form->columns; ++c) any |= scree_node_child(map, form->column[c].key) != NULL;
	if (time)
		scree_report(&r->r, time->key_at, "remove one of the two", "%s: 'file' and 'time' exclude each other",
					 map->key);
	return any;
}

/* {file: NAME} becomes {time: [..], x: [..], ..} */
static void put_rows(reader *r, const table_form *form, node *map)
{
	const node *file = scree_node_child(map, "file");
	motion_file f = {.r = r, .form = form};
	int32_t rows = 0;
	if (!file || file->type != NODE_SCALAR || has_lists(r, form, map)) return;
	bool ok = open_file(&f, file) && read_names(&f);
	for (; ok && rows < ROWS_MOST && scree_lines_next(&f.in); ++rows) ok = read_row(&f, map);
	if (ok && scree_lines_next(&f.in))
		ok = scree_report(&r->r, scree_lines_place(&f.in, f.in.start, 1), NULL, "a table has at most %d rows",
						  ROWS_MOST);
	if (ok && !rows) ok = REFUSE(r, file, NULL, "file: '%.200s' has no rows", file->text);
	if (ok) scree_node_drop(map, "file");
}

static node *child(const node *map, const char *key) { return (node *)scree_node_child(map, key); }

static void put_motion(reader *r, node *motion)
{
	static const char *const lists[] = {"sequence", "all"};
	if (!motion) return;
	put_rows(r, &motion_form, child(motion, "table"));
	put_rows(r, &motion_form, child(child(motion, "servo"), "table"));
	for (node *c = motion->type == NODE_LIST ? motion->first : NULL; c; c = c->next)
		if (c->type == NODE_MAP) put_motion(r, c);
	for (int i = 0; i < 2; ++i) {
		node *list = child(motion, lists[i]);
		if (list && list->type == NODE_LIST) put_motion(r, list);
	}
}

static void put_walls(reader *r, const node *root)
{
	const node *walls = child(root, "walls");
	for (node *c = walls && walls->type == NODE_MAP ? walls->first : NULL; c; c = c->next)
		put_motion(r, child(c, "motion"));
}

/* All tables of a scene, or of a stage. */
static void put_all(reader *r, const node *root)
{
	put_walls(r, root);
	put_rows(r, &strain_form, child(child(root, "world"), "strain_table"));
	put_rows(r, &stress_form, child(child(child(root, "world"), "servo"), "table"));
}

void scree_reader_motion_files(reader *r)
{
	const node *stages = child(r->root, "stages");
	put_all(r, r->root);
	for (const node *c = stages && stages->type == NODE_LIST ? stages->first : NULL; c; c = c->next) put_all(r, c);
}
