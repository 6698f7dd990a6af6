/* motion_files: reads files with tables for motions, servos and the periodic cell. The rows of a file are put into the
 * scene's tree as if written there, so that all rules for values apply, messages show the line in the file, and the
 * resolved scene needs no file. The first line names the columns with their units: "time [s], x [mm], z [mm]". A column
 * without a unit is in SI units (table_lines.c). */
#include "scene/reader.h"

enum { ROWS_MOST = 100000, FILE_BYTES = 16 << 20 };

typedef struct table_column {
	column_name of;
	const char *key; /* in the scene */
	int32_t part;	 /* component of a vector, or -1 for a number */
} table_column;

static const table_column motion_columns[] = {{{"time", "s", NULL}, "time", -1},
											  {{"x", "m", NULL}, "position", 0},
											  {{"y", "m", NULL}, "position", 1},
											  {{"z", "m", NULL}, "position", 2},
											  {{"vx", "m/s", NULL}, "velocity", 0},
											  {{"vy", "m/s", NULL}, "velocity", 1},
											  {{"vz", "m/s", NULL}, "velocity", 2},
											  {{"angle", "rad", NULL}, "angle", -1},
											  {{"angular_velocity", "rad/s", NULL}, "angular_velocity", -1},
											  {{"force", "N", NULL}, "force", -1},
											  {{"pressure", "Pa", NULL}, "pressure", -1},
											  {{"torque", "N*m", NULL}, "torque", -1}};
static const table_column strain_columns[] = {{{"time", "s", NULL}, "time", -1},
											  {{"rate_x", "1/s", NULL}, "rate", 0},
											  {{"rate_y", "1/s", NULL}, "rate", 1},
											  {{"rate_z", "1/s", NULL}, "rate", 2}};
static const table_column stress_columns[] = {{{"time", "s", NULL}, "time", -1},
											  {{"stress_x", "Pa", NULL}, "stress", 0},
											  {{"stress_y", "Pa", NULL}, "stress", 1},
											  {{"stress_z", "Pa", NULL}, "stress", 2}};

/* the columns that this kind of table may have; the first is the time */
#define FORM(columns, help)                                                                                            \
	{                                                                                                                  \
		columns, sizeof *columns, sizeof columns / sizeof *columns, help, "", true                                     \
	}
static const table_names motion_form =
	FORM(motion_columns, "columns: time, x, y, z, vx, vy, vz, angle, angular_velocity, force, pressure, torque, each "
						 "with its unit, as x [mm]");
static const table_names strain_form =
	FORM(strain_columns, "columns: time, rate_x, rate_y, rate_z, each with its unit, as time [ms]");
static const table_names stress_form =
	FORM(stress_columns, "columns: time, stress_x, stress_y, stress_z, each with its unit, as stress_z [kPa]");

typedef struct motion_file {
	reader *r;
	const table_column *form;
	table_lines in;
} motion_file;

static bool read_names(motion_file *f, const table_names *form)
{
	if (!scree_lines_next(&f->in))
		return scree_report(&f->r->r, (place){f->in.source, 1, 1, 1}, NULL,
							"a line that names the columns was expected");
	return scree_lines_names(&f->in, form) &&
		   (f->in.has[0] || scree_report(&f->r->r, scree_lines_at(&f->in), NULL, "the column 'time' is missing"));
}

static node *new_value(motion_file *f, const char *text, place at)
{
	node *n = scree_node_new(&f->r->memory, NODE_SCALAR, NULL, at);
	n->text = scree_arena_text(&f->r->memory, text, strlen(text));
	return n;
}

static node *list_of(motion_file *f, node *map, int32_t column)
{
	const char *key = f->form[column].key;
	node *list = (node *)scree_node_child(map, key);
	if (list) return list;
	list = scree_node_new(&f->r->memory, NODE_LIST, key, scree_lines_at(&f->in));
	scree_node_append(map, list);
	return list;
}

/* Reads the vector in this line; components without a column are 0. */
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

static bool add_value(motion_file *f, node *map, int32_t k, const table_cell *cell)
{
	char number[TABLE_NAME], text[2 * TABLE_NAME + 2];
	const table_column *c = f->form + f->in.column[k];
	const place at = scree_lines_cell_at(&f->in, cell);
	if (f->r->flat && c->part == 2)
		return scree_report(&f->r->r, at, "remove the column", "there is no '%s' in dimension 2", c->of.name);
	if (!cell->length || !scree_table_number(f->in.rest.separator, cell, number, sizeof number))
		return scree_report(&f->r->r, at, NULL, "'%.*s' is not a number",
							(int)(cell->length < TABLE_NAME ? cell->length : TABLE_NAME), cell->at);
	snprintf(text, sizeof text, "%s %s", number, *f->in.unit_name[k] ? f->in.unit_name[k] : c->of.unit);
	node *list = list_of(f, map, f->in.column[k]), *value = new_value(f, text, at);
	if (c->part < 0)
		scree_node_append(list, value);
	else
		set_part(vector_of(f, list, at), c->part, value);
	return true;
}

static bool read_row(motion_file *f, node *map)
{
	table_cell cell;
	bool right;
	for (int32_t k = 0; scree_lines_cell(&f->in, k, NULL, &cell, &right); ++k)
		if (!add_value(f, map, k, &cell)) return false;
	return right;
}

static bool open_file(motion_file *f, const node *at)
{
	const char *path = scree_reader_path(f->r, at, "file");
	return path && scree_lines_open(f->r, at, path, FILE_BYTES, &f->in);
}

/* A file cannot be combined with lists of values in the same group of keys. */
static bool has_lists(reader *r, const table_names *form, const node *map)
{
	const node *time = scree_node_child(map, "time");
	bool any = time != NULL;
	for (int32_t c = 0; c < form->count; ++c)
		any |= scree_node_child(map, ((const table_column *)form->row)[c].key) != NULL;
	if (time)
		scree_report(&r->r, time->key_at, "remove one of the two", "%s: 'file' and 'time' cannot be used together",
					 map->key);
	return any;
}

/* {file: NAME} becomes {time: [..], x: [..], ..} */
static void put_rows(reader *r, const table_names *form, node *map)
{
	const node *file = scree_node_child(map, "file");
	motion_file f = {.r = r, .form = form->row};
	int32_t rows = 0;
	if (!file || file->type != NODE_SCALAR || has_lists(r, form, map)) return;
	bool ok = open_file(&f, file) && read_names(&f, form);
	for (; ok && rows < ROWS_MOST && scree_lines_next(&f.in); ++rows) ok = read_row(&f, map);
	if (ok && scree_lines_next(&f.in))
		ok = scree_report(&r->r, scree_lines_at(&f.in), NULL, "a table has at most %d rows", ROWS_MOST);
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

/* Reads all tables of a scene or a stage. */
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
