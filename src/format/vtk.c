/* vtk: contents of a frame: particles as points with a shape and a quaternion, walls at their current position, and
 * contacts as lines. Glyphs from the table of shapes draw particles with only a tenth of the bytes of full meshes. */
#include "format/vtk.h"

#include "base/maths.h"
#include "base/memory.h"
#include "format/file.h"
#include "format/vtk_xml.h"
#include "format/tables.h"
#include "kernel/quat.h"
#include "shape/shape_axes.h"
#include "shape/shape_forms.h"
#include "wall/forms.h"
#include "world/slice.h"
#include "world/world.h"

#include <stdio.h>
#include <string.h>

static bool wanted(const vtk_plan *p, const char *name)
{
	if (!p->fields) return true;
	for (int32_t k = 0; k < p->fields; ++k)
		if (!strcmp(p->field[k], name)) return true;
	return false;
}

/* ------------------------------------------------------------------ particles */

typedef struct column {
	const char *name;
	int components;
	size_t at[3]; /* offsets of the members within the structure of bodies */
} column;

#define AT(member) offsetof(bodies, member)
static const column columns[] = {
	{"velocity", 3, {AT(vx), AT(vy), AT(vz)}},
	{"angular_velocity", 3, {AT(wx), AT(wy), AT(wz)}},
	{"force", 3, {AT(fx), AT(fy), AT(fz)}},
	{"torque", 3, {AT(tx), AT(ty), AT(tz)}},
	{"mass", 1, {AT(mass)}},
	{"radius", 1, {AT(radius)}},
};

/* Writes an array of values with this number of components, and frees it; "Float32" is converted from doubles */
static void put_values(vtk_text *t, const char *type, const char *name, int components, int64_t count, void *value)
{
	if (!strcmp(type, "Float32"))
		scree_vtk_floats(t, name, components, value, count * components);
	else
		scree_vtk_array(t, type, name, components, value,
						(size_t)(count * components) * (strcmp(type, "Int32") ? 8 : 4));
	scree_free(value);
}

/* of: row of the body to which each item belongs; NULL means one item per body, in order */
static int32_t row_of(const int32_t *of, int64_t i) { return of ? of[i] : (int32_t)i; }

static void put_column(vtk_text *t, const bodies *b, const column *c, int64_t count, const int32_t *of)
{
	const int n = c->components;
	real *value = scree_alloc((size_t)(count * n + 1), sizeof *value);
	for (int k = 0; k < n; ++k) {
		const real *from;
		memcpy(&from, (const char *)b + c->at[k], sizeof from);
		for (int64_t i = 0; i < count; ++i) value[i * n + k] = from[row_of(of, i)];
	}
	put_values(t, "Float32", c->name, n, count, value);
}

/* Writes one member, with this number of components, of each row of a table whose rows are `stride` bytes apart. */
static void put_member(vtk_text *t, const char *type, const char *name, int components, const void *first,
					   size_t stride, int64_t count, const int32_t *of)
{
	const size_t each = (size_t)components * (strcmp(type, "Int32") ? 8 : 4);
	char *value = scree_alloc((size_t)count + 1, each);
	for (int64_t i = 0; i < count; ++i)
		memcpy(value + (size_t)i * each, (const char *)first + (size_t)(of ? of[i] : i) * stride, each);
	put_values(t, type, name, components, count, value);
}

/* Orientations of the shapes' own axes, which the blocks in the table of shapes use. */
static void put_orientations(vtk_text *t, const model *m, const bodies *b)
{
	real(*value)[4] = scree_alloc((size_t)b->count + 1, sizeof *value);
	for (int32_t i = 0; i < b->count; ++i) {
		const quat q = shape_axes_out(m->shape.row + b->shape[i], body_orientation(b, i));
		memcpy(value[i], (real[4]){q.w, q.x, q.y, q.z}, sizeof *value);
	}
	put_values(t, "Float32", "quaternion", 4, b->count, value);
}

/* Sizes of bodies as in the scene; `scale` is the factor for blocks in the table of shapes. */
static void put_sizes(vtk_text *t, const model *m, const bodies *b, int64_t count, const int32_t *of)
{
	real *value = scree_alloc((size_t)count + 1, sizeof *value);
	for (int64_t i = 0; i < count; ++i) {
		const int32_t k = row_of(of, i);
		value[i] = b->size[k] / m->shape.row[b->shape[k]].scale;
	}
	put_values(t, "Float32", "size", 1, count, value);
}

/* Number of periods that each body has crossed along each axis. */
static void put_images(vtk_text *t, const bodies *b)
{
	int32_t(*value)[3] = scree_alloc((size_t)b->count + 1, sizeof *value);
	for (int32_t i = 0; i < b->count; ++i)
		memcpy(value[i], (int32_t[3]){b->cell_x[i], b->cell_y[i], b->cell_z[i]}, sizeof *value);
	put_values(t, "Int32", "image", 3, b->count, value);
}

/* The type of each body's shape, as in shape_type. */
static void put_types(vtk_text *t, const model *m, const bodies *b)
{
	int32_t *value = scree_alloc((size_t)b->count + 1, sizeof *value);
	for (int32_t i = 0; i < b->count; ++i) value[i] = (int32_t)m->shape.row[b->shape[i]].type;
	put_values(t, "Int32", "type", 1, b->count, value);
}

/* Arrays that glyphs need are always written; others are optional. */
static void put_particles(vtk_text *t, const model *m, const bodies *b, const vtk_plan *plan)
{
	scree_vtk_array(t, "Int32", "shape", 1, b->shape, (size_t)b->count * sizeof *b->shape);
	put_column(t, b, &(column){"scale", 1, {AT(size)}}, b->count, NULL);
	put_orientations(t, m, b);
	if (wanted(plan, "id")) scree_vtk_array(t, "Int64", "id", 1, b->id, (size_t)b->count * sizeof *b->id);
	if (wanted(plan, "type")) put_types(t, m, b);
	if (wanted(plan, "material"))
		scree_vtk_array(t, "Int32", "material", 1, b->material, (size_t)b->count * sizeof *b->material);
	if (plan->fields ? wanted(plan, "image") : m->period.on) put_images(t, b);
	if (wanted(plan, "size")) put_sizes(t, m, b, b->count, NULL);
	for (size_t k = 0; k < sizeof columns / sizeof *columns; ++k)
		if (wanted(plan, columns[k].name)) put_column(t, b, columns + k, b->count, NULL);
	if (body_temperatures(b) && wanted(plan, "temperature"))
		scree_vtk_floats(t, "temperature", 1, body_temperatures(b), b->count);
}

static bool write_particles(const model *m, const bodies *b, const vtk_plan *plan, const char *path, fail *why)
{
	vtk_mesh mesh = {0};
	vtk_text t = {0};
	for (int32_t i = 0; i < b->count; ++i) {
		int64_t p = scree_vtk_mesh_point(&mesh, body_position(b, i));
		scree_vtk_mesh_cell(&mesh, 1, &p);
	}
	scree_vtk_begin(&t, &mesh, "Verts", "PointData");
	put_particles(&t, m, b, plan);
	return scree_vtk_end(&t, path, why);
}

/* ------------------------------------------------------------------ contacts */

static void put_contacts(vtk_text *t, int64_t count, const contact_line *line)
{
	const contact_line none = {0};
	const contact_entry *e = &(count ? line : &none)->entry;
	_Static_assert(offsetof(contact_entry, b) == offsetof(contact_entry, a) + sizeof e->a, "ids follow one another");
	put_member(t, "Float32", "normal_force", 1, &e->normal_force, sizeof *line, count, NULL);
	put_member(t, "Float32", "tangential_force", 1, &e->tangential_force, sizeof *line, count, NULL);
	put_member(t, "Float32", "force", 3, &e->force, sizeof *line, count, NULL);
	put_member(t, "Float32", "overlap", 1, &e->overlap, sizeof *line, count, NULL);
	put_member(t, "Float32", "point", 3, &e->at, sizeof *line, count, NULL);
	put_member(t, "Int64", "id", 2, &e->a, sizeof *line, count, NULL); /* 0: a wall */
	put_member(t, "Int32", "wall", 1, &e->wall, sizeof *line, count, NULL);
	put_member(t, "Int32", "material", 2, e->material, sizeof *line, count, NULL);
}

static bool write_contacts(int64_t count, const contact_line *line, const char *path, fail *why)
{
	vtk_mesh m = {0};
	vtk_text t = {0};
	for (int64_t k = 0; k < count; ++k) {
		const int64_t ends[2] = {scree_vtk_mesh_point(&m, line[k].from), scree_vtk_mesh_point(&m, line[k].to)};
		scree_vtk_mesh_cell(&m, 2, ends);
	}
	scree_vtk_begin(&t, &m, "Lines", "CellData");
	put_contacts(&t, count, line);
	return scree_vtk_end(&t, path, why);
}

/* ------------------------------------------------------------------ walls */

/* The ball around all bodies and finite walls; infinite walls are drawn within this ball. */
typedef struct vtk_extent {
	vec3 middle;
	real radius;
} vtk_extent;

static vtk_extent extent_of(const scree_world *w)
{
	real end[6] = {-INFINITY, -INFINITY, -INFINITY, -INFINITY, -INFINITY, -INFINITY}; /* -low, then high */
	for (int32_t i = 0; i < w->state.body.owned; ++i)
		for (int d = 0; d < 3; ++d) {
			const real x = v3_part(body_position(&w->state.body, i), d), r = w->state.body.radius[i];
			end[d] = real_max(end[d], -(x - r));
			end[3 + d] = real_max(end[3 + d], x + r);
		}
	scree_domain_most(&w->work.domain, 6, end);
	vec3 low = v3(-end[0], -end[1], -end[2]), high = v3(end[3], end[4], end[5]);
	if (w->model.guard.bounded) low = w->model.guard.low, high = w->model.guard.high;
	if (w->model.flat) low.z = high.z = 0;
	if (w->model.period.on) low = w->state.images.low, high = v3_add(low, w->state.images.size);
	if (!(low.x <= high.x)) low = v3(-1, -1, -1), high = v3(1, 1, 1);
	return (vtk_extent){v3_mul((real)0.5, v3_add(low, high)), v3_norm(v3_sub(high, low)) / 2};
}

static int64_t add_point(void *to, vec3 p) { return scree_vtk_mesh_point(to, p); }

static void add_cell(void *to, int64_t corners, const int64_t *corner) { scree_vtk_mesh_cell(to, corners, corner); }

static void add_wall(const scree_world *w, int32_t k, const vtk_extent *all, vtk_mesh *m)
{
	const wall *o = w->model.wall.row + k;
	wall_canvas c = {m, add_point, add_cell, &w->model.shape, all->middle, all->radius, w->model.flat};
	if (o->removed) return;
	scree_wall_forms[o->type].draw(&w->model.wall, o, w->state.wall + k, &c);
}

/* Loads on walls as arrays over the cells of the walls; of: the wall to which each cell belongs. */
static void put_loads(vtk_text *t, const wall_loads *load, int64_t cells, const int32_t *of)
{
	put_member(t, "Float32", "force", 3, &load->force, sizeof *load, cells, of);
	put_member(t, "Float32", "torque", 3, &load->torque, sizeof *load, cells, of);
	put_member(t, "Float32", "pressure", 1, &load->pressure, sizeof *load, cells, of);
	put_member(t, "Float32", "power", 1, &load->power, sizeof *load, cells, of);
}

static bool write_walls(const scree_world *w, const vtk_extent *all, const wall_loads *load, const char *path,
						fail *why)
{
	vtk_mesh m = {0};
	vtk_text t = {0};
	int64_t *ends = scree_alloc((size_t)w->model.wall.count + 1, sizeof *ends);
	for (int32_t k = 0; k < w->model.wall.count; ++k) {
		add_wall(w, k, all, &m);
		ends[k] = m.cells;
	}
	int32_t *of = scree_alloc((size_t)m.cells + 1, sizeof *of);
	int32_t k = 0;
	for (int64_t c = 0; c < m.cells; ++c) {
		while (c >= ends[k]) ++k;
		of[c] = k;
	}
	scree_vtk_begin(&t, &m, "Polys", "CellData");
	scree_vtk_array(&t, "Int32", "wall", 1, of, (size_t)m.cells * sizeof *of);
	put_loads(&t, load, m.cells, of);
	SCREE_FREE_ALL(of, ends);
	return scree_vtk_end(&t, path, why);
}

/* ------------------------------------------------------------------ shapes */

/* Adds the faces of a body or of a unit shape; a sphere becomes a grid of latitudes and longitudes. */
static void add_sphere(vtk_mesh *m, vec3 centre, real radius)
{
	enum { AROUND = 32, DOWN = 16 };
	int64_t first = m->points;
	for (int j = 0; j <= DOWN; ++j) {
		real s, c, sa, ca;
		scree_sincos(SCREE_PI * j / DOWN, &s, &c);
		for (int i = 0; i < AROUND; ++i) {
			scree_sincos(2 * SCREE_PI * i / AROUND, &sa, &ca);
			scree_vtk_mesh_point(m, v3_madd(centre, radius, v3(s * ca, s * sa, c)));
		}
	}
	for (int j = 0; j < DOWN; ++j) {
		for (int i = 0; i < AROUND; ++i) {
			int k = (i + 1) % AROUND;
			int64_t quad[4] = {first + j * AROUND + i, first + (j + 1) * AROUND + i, first + (j + 1) * AROUND + k,
							   first + j * AROUND + k};
			scree_vtk_mesh_cell(m, 4, quad);
		}
	}
}

/* Adds an outline as a single cell, which ParaView draws as an area. */
static void add_outline(vtk_mesh *m, const shape *s, vec3 centre, mat3 turn, real size)
{
	int32_t n = scree_shape_corners(s);
	int64_t *corner = scree_alloc((size_t)n, sizeof *corner);
	for (int32_t k = 0; k < n; ++k)
		corner[k] = scree_vtk_mesh_point(m, v3_add(centre, mat3_mul(turn, v3_mul(size, scree_shape_corner(s, k)))));
	scree_vtk_mesh_cell(m, n, corner);
	scree_free(corner);
}

static void add_triangles(vtk_mesh *m, const trimesh *s, vec3 centre, mat3 turn, real size)
{
	const int64_t first = m->points;
	for (int32_t v = 0; v < s->vertices; ++v)
		scree_vtk_mesh_point(m, v3_add(centre, mat3_mul(turn, v3_mul(size, s->vertex[v]))));
	for (int32_t t = 0; t < s->triangles; ++t) {
		const int32_t *c = s->corner + 3 * t;
		const int64_t corner[3] = {first + c[0], first + c[1], first + c[2]};
		scree_vtk_mesh_cell(m, 3, corner);
	}
}

static void add_shape(vtk_mesh *m, const scree_world *w, const shape *s, vec3 centre, mat3 turn, real size)
{
	if (w->model.flat) {
		add_outline(m, s, centre, turn, size);
		return;
	}
	const shape_form *form = scree_shape_forms + s->type;
	if (form->balls) {
		for (int32_t k = 0; k < form->balls(s); ++k) {
			const shape_ball b = form->ball(s, k);
			add_sphere(m, v3_madd(centre, size, mat3_mul(turn, b.at)), b.radius * size);
		}
		return;
	}
	if (shape_surface(s)) {
		add_triangles(m, shape_surface(s), centre, turn, size);
		return;
	}
	int64_t first = m->points, face[64];
	for (int32_t v = 0; v < s->vertices; ++v)
		scree_vtk_mesh_point(m, v3_add(centre, mat3_mul(turn, v3_mul(size, shape_vertex(s, v)))));
	for (int32_t f = 0; f < s->faces; ++f) {
		int32_t n = s->first[f + 1] - s->first[f];
		SCREE_ASSERT(n <= 64);
		for (int32_t k = 0; k < n; ++k) face[k] = first + s->corner[s->first[f] + k];
		scree_vtk_mesh_cell(m, n, face);
	}
}

static bool write_shapes(const scree_world *w, const char *folder, const char *name, fail *why)
{
	vtk_text table = {0};
	char path[SCREE_PATH_ROOM], rest[64];
	scree_vtk_put(
		&table,
		"<?xml version=\"1.0\"?>\n<VTKFile type=\"vtkMultiBlockDataSet\" version=\"1.0\" byte_order=\"LittleEndian\">\n"
		"<vtkMultiBlockDataSet>\n");
	bool ok = true;
	for (int32_t k = 0; k < w->model.shape.count && ok; ++k) {
		const shape *s = w->model.shape.row + k;
		vtk_mesh m = {0};
		vtk_text t = {0};
		add_shape(&m, w, s, v3(0, 0, 0), quat_matrix(s->frame), 1); /* in the axes that the user gave */
		scree_vtk_begin(&t, &m, "Polys", NULL);
		snprintf(rest, sizeof rest, "_shape_%d.vtp", k);
		scree_file_path(path, folder, name, rest);
		ok = scree_vtk_end(&t, path, why);
		scree_vtk_put(&table, "<DataSet index=\"%d\" file=\"", k);
		scree_vtk_put_name(&table, name);
		scree_vtk_put(&table, "_shape_%d.vtp\"/>\n", k);
	}
	scree_vtk_put(&table, "</vtkMultiBlockDataSet>\n</VTKFile>\n");
	scree_file_path(path, folder, name, "_shapes.vtm");
	ok = ok && scree_file_write(path, table.text, table.used, why);
	scree_free(table.text);
	return ok;
}

/* ------------------------------------------------------------------ frames */

enum { PARTICLES, WALLS, CONTACTS, PARTS };
static const char *const parts[PARTS] = {"particles", "walls", "contacts"};

typedef struct frame_place {
	const char *folder, *name;
	int64_t number;
} frame_place;

/* piece: -1 for the file that names the pieces; -2 for everything in one file */
enum { PIECES = -1, ONE_FILE = -2 };

static void ending_of(char ending[64], int part, int64_t frame, int64_t piece)
{
	int n = snprintf(ending, 64, "_%s_%06lld", parts[part], (long long)frame);
	if (piece >= 0) n += snprintf(ending + n, 64 - (size_t)n, "_%04lld", (long long)piece);
	snprintf(ending + n, 64 - (size_t)n, piece == PIECES ? ".pvtp" : ".vtp");
}

static void path_of(char path[SCREE_PATH_ROOM], const frame_place *f, int part, int64_t piece)
{
	char ending[64];
	ending_of(ending, part, f->number, piece);
	scree_file_path(path, f->folder, f->name, ending);
}

static void room_for_frames(vtk_frames *f, int64_t room)
{
	const size_t count = f->divided ? (size_t)f->count : 0; /* snapshots do not contain this array */
	f->divided = scree_grow(f->divided, count, (size_t)room, sizeof *f->divided);
	f->step = scree_grow(f->step, (size_t)f->count, (size_t)room, sizeof *f->step);
	f->time = scree_grow(f->time, (size_t)f->count, (size_t)room, sizeof *f->time);
	f->room = room;
}

bool scree_vtk_find(vtk_frames *frames, const char *folder, const char *name, fail *why)
{
	char path[SCREE_PATH_ROOM];
	room_for_frames(frames, frames->count + 64);
	for (frames->first = frames->count; frames->first > 0; --frames->first) {
		bool whole = false, divided = false;
		const frame_place f = {folder, name, frames->first - 1};
		path_of(path, &f, PARTICLES, ONE_FILE);
		if (!scree_file_look(path, &whole, why)) return false;
		path_of(path, &f, PARTICLES, PIECES);
		if (!whole && !scree_file_look(path, &divided, why)) return false;
		if (!whole && !divided) break;
		frames->divided[f.number] = divided;
	}
	return true;
}

static bool write_pvd(const vtk_plan *plan, const char *folder, const char *name, const vtk_frames *frames, fail *why)
{
	vtk_text t = {0};
	scree_vtk_put(&t, "<?xml version=\"1.0\"?>\n<VTKFile type=\"Collection\" version=\"0.1\" "
					  "byte_order=\"LittleEndian\">\n<Collection>\n");
	for (int64_t k = frames->first; k < frames->count; ++k) {
		for (int p = 0; p < PARTS; ++p) {
			char ending[64];
			if (p == CONTACTS && !wanted(plan, "contacts")) continue;
			ending_of(ending, p, k, p != WALLS && frames->divided[k] ? PIECES : ONE_FILE);
			scree_vtk_put(&t, "<DataSet timestep=\"%.9g\" part=\"%d\" name=\"%s\" file=\"", frames->time[k], p,
						  parts[p]);
			scree_vtk_put_name(&t, name);
			scree_vtk_put(&t, "%s\"/>\n", ending);
		}
	}
	scree_vtk_put(&t, "</Collection>\n</VTKFile>\n");
	char path[SCREE_PATH_ROOM];
	scree_file_path(path, folder, name, ".pvd");
	bool ok = scree_file_write(path, t.text, t.used, why);
	scree_free(t.text);
	return ok;
}

static void count_frame(vtk_frames *f, int64_t step, real time, bool divided)
{
	if (f->count == f->room || !f->divided) room_for_frames(f, 2 * f->count + 64);
	f->time[f->count] = time;
	f->divided[f->count] = divided;
	f->step[f->count++] = step;
}

/* ------------------------------------------------------------------ pieces of a frame */

/* Writes the file that names the pieces and lists their arrays. */
static bool write_index(const model *m, const vtk_plan *plan, const frame_place *f, int part, int64_t pieces, fail *why)
{
	static const char *const data[PARTS] = {[PARTICLES] = "PPointData", [CONTACTS] = "PCellData"};
	vtk_text t = {0};
	char path[SCREE_PATH_ROOM], ending[64];
	scree_vtk_begin_index(&t, data[part]);
	if (part == PARTICLES)
		put_particles(&t, m, &(bodies){.count = 0}, plan);
	else
		put_contacts(&t, 0, NULL);
	scree_vtk_end_data(&t);
	for (int64_t k = 0; k < pieces; ++k) {
		ending_of(ending, part, f->number, k);
		scree_vtk_put(&t, "<Piece Source=\"");
		scree_vtk_put_name(&t, f->name);
		scree_vtk_put(&t, "%s\"/>\n", ending);
	}
	path_of(path, f, part, PIECES);
	return scree_vtk_end_index(&t, path, why);
}

/* Returns the rows from .. from+count-1 without copying them. */
static bodies rows_of(const bodies *b, int32_t from, int32_t count)
{
	bodies o = *b;
	for (int k = 0; k < scree_body_rows(b); ++k) {
		const field *f = scree_body_row(b, k);
		char *array = scree_field_array(b, f);
		array += (size_t)from * scree_kind_size(f->type);
		memcpy((char *)&o + f->at, &array, sizeof array);
	}
	o.count = o.owned = count;
	return o;
}

/* Moves contacts whose first body has an id of at most `last` to the front, keeping their order. */
static int64_t lines_up_to(contact_line *line, int64_t count, uint64_t last)
{
	contact_line *rest = scree_alloc((size_t)count, sizeof *rest);
	int64_t n = 0, others = 0;
	for (int64_t k = 0; k < count; ++k) {
		if (line[k].key.a <= last)
			line[n++] = line[k];
		else
			rest[others++] = line[k];
	}
	if (others) memcpy(line + n, rest, (size_t)others * sizeof *rest);
	scree_free(rest);
	return n;
}

static bool write_pieces(const scree_world *w, const world_slice *g, const vtk_plan *plan, const frame_place *f,
						 int64_t each, fail *why)
{
	char path[SCREE_PATH_ROOM];
	contact_line *line = g->line;
	const bool one = g->all <= each;
	int64_t piece = (g->before + each - 1) / each, left = g->lines;
	const bool empty = w->work.domain.first && !g->all;
	for (int64_t from = 0; from < g->body.count || (empty && !from); from += each, ++piece) {
		const bool last = from + each >= g->body.count;
		const bodies b = rows_of(&g->body, (int32_t)from, (int32_t)(last ? g->body.count - from : each));
		path_of(path, f, PARTICLES, one ? ONE_FILE : piece);
		if (!write_particles(&w->model, &b, plan, path, why)) return false;
		if (!wanted(plan, "contacts")) continue;
		const int64_t lines = last ? left : lines_up_to(line, left, b.id[b.count - 1]);
		path_of(path, f, CONTACTS, one ? ONE_FILE : piece);
		if (!write_contacts(lines, line, path, why)) return false;
		line += lines;
		left -= lines;
	}
	return true;
}

static world_slice *whole_slice(const scree_world *w, const vtk_plan *plan)
{
	world_slice *o = scree_alloc(1, sizeof *o);
	o->body = scree_bodies_sorted(&w->state.body);
	o->all = o->body.count;
	if (!wanted(plan, "contacts")) return o;
	o->line = scree_contact_lines(&w->model, &w->state, &w->work, &o->lines);
	scree_contact_lines_sort(o->line, o->lines);
	return o;
}

/* Writes the files that only the first rank writes, except for the list of frames. */
static bool write_others(const scree_world *w, const vtk_plan *plan, const frame_place *f, const vtk_extent *all,
						 const wall_loads *load, int64_t pieces, fail *why)
{
	char path[SCREE_PATH_ROOM];
	path_of(path, f, WALLS, ONE_FILE);
	if (!write_walls(w, all, load, path, why)) return false;
	if (pieces <= 1) return true;
	return write_index(&w->model, plan, f, PARTICLES, pieces, why) &&
		   (!wanted(plan, "contacts") || write_index(&w->model, plan, f, CONTACTS, pieces, why));
}

static wall_loads *loads_of(const scree_world *w)
{
	wall_loads *load = scree_alloc((size_t)w->model.wall.count + 1, sizeof *load);
	for (int32_t k = 0; k < w->model.wall.count; ++k) load[k] = scree_wall_loads(w, k);
	return load;
}

/* The first rank counts the frames. */
static int64_t number_of(const domain *d, const vtk_frames *frames)
{
	real count = d->first ? (real)frames->count : 0;
	scree_domain_most(d, 1, &count);
	return (int64_t)count;
}

bool scree_vtk_frame(const scree_world *w, const vtk_plan *plan, const char *folder, const char *name,
					 vtk_frames *frames, fail *why)
{
	const domain *d = &w->work.domain;
	const frame_place f = {folder, name, number_of(d, frames)};
	const vtk_extent all = extent_of(w);
	const int64_t each = plan->per_file ? plan->per_file : FRAME_BODIES;
	world_slice *g =
		d->by->slice ? d->by->slice(d->at, &w->model, &w->state, &w->work, each, SLICE_LINES) : whole_slice(w, plan);
	const int64_t pieces = (g->all + each - 1) / each;
	wall_loads *load = loads_of(w);
	bool good = (!d->first || f.number > frames->first || write_shapes(w, folder, name, why)) &&
				write_pieces(w, g, plan, &f, each, why) &&
				(!d->first || write_others(w, plan, &f, &all, load, pieces, why));
	scree_free(load);
	scree_world_slice_free(g);
	if (!scree_domain_agree(d, good, why)) return false;
	if (!d->first) return true;
	count_frame(frames, w->state.step, w->state.time, pieces > 1);
	if (write_pvd(plan, folder, name, frames, why)) return true;
	frames->count -= 1;
	return false;
}

/* Fields of frames, both per body and per cell of its surface. */
static void put_cells(vtk_text *t, const scree_world *w, int64_t cells, const int32_t *of)
{
	const bodies *b = &w->state.body;
	put_member(t, "Int64", "id", 1, b->id, sizeof *b->id, cells, of);
	put_sizes(t, &w->model, b, cells, of);
	put_member(t, "Int32", "shape", 1, b->shape, sizeof *b->shape, cells, of);
	put_member(t, "Int32", "material", 1, b->material, sizeof *b->material, cells, of);
	for (size_t k = 0; k < sizeof columns / sizeof *columns; ++k) put_column(t, b, columns + k, cells, of);
}

bool scree_vtk_export_mesh(const scree_world *w, const char *path, fail *why)
{
	const bodies *b = &w->state.body;
	vtk_mesh m = {0};
	vtk_text t = {0};
	int64_t room = 0;
	int32_t *of = NULL;
	for (int32_t i = 0; i < b->owned; ++i) {
		int64_t before = m.cells;
		add_shape(&m, w, w->model.shape.row + b->shape[i], body_position(b, i), quat_matrix(body_orientation(b, i)),
				  b->size[i]);
		if (m.cells > room) {
			of = scree_grow(of, (size_t)before, (size_t)(m.cells * 2), sizeof *of);
			room = m.cells * 2;
		}
		for (int64_t c = before; c < m.cells; ++c) of[c] = i;
	}
	scree_vtk_begin(&t, &m, "Polys", "CellData");
	put_cells(&t, w, m.cells, of);
	scree_free(of);
	return scree_vtk_end(&t, path, why);
}
