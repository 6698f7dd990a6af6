/* vtk: content of a frame: particles as points with a shape and a quaternion, walls in their current position, contacts
 * as a network of lines. Particles are drawn by glyphs from the table of shapes, which takes a tenth of the bytes of
 * full meshes. */
#include "format/vtk.h"

#include "base/maths.h"
#include "base/memory.h"
#include "format/contacts_by_id.h"
#include "format/file.h"
#include "format/vtk_walls.h"
#include "format/vtk_xml.h"
#include "kernel/quat.h"
#include "shape/shape_axes.h"
#include "shape/shape_forms.h"
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
	size_t at[3]; /* offsets of members of bodies */
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

static void put_column(vtk_text *t, const bodies *b, const column *c)
{
	real *value = scree_alloc((size_t)b->count * (size_t)c->components + 1, sizeof *value);
	for (int k = 0; k < c->components; ++k) {
		const real *from;
		memcpy(&from, (const char *)b + c->at[k], sizeof from);
		for (int32_t i = 0; i < b->count; ++i) value[(int64_t)i * c->components + k] = from[i];
	}
	scree_vtk_floats(t, c->name, c->components, value, (int64_t)b->count * c->components);
	scree_free(value);
}

/* Orientations of the shapes' own axes, those of the blocks in the table of shapes. */
static void put_orientations(vtk_text *t, const scree_world *w, const bodies *b)
{
	real *value = scree_alloc((size_t)b->count + 1, 4 * sizeof *value);
	for (int32_t i = 0; i < b->count; ++i) {
		const quat q = shape_axes_out(w->model.shape.row + b->shape[i], body_orientation(b, i));
		const real of[4] = {q.w, q.x, q.y, q.z};
		memcpy(value + 4 * (int64_t)i, of, sizeof of);
	}
	scree_vtk_floats(t, "quaternion", 4, value, 4 * (int64_t)b->count);
	scree_free(value);
}

/* The size of bodies as in the scene; `scale` is the factor for a block of the table of shapes. */
static void put_sizes(vtk_text *t, const scree_world *w, const bodies *b)
{
	real *value = scree_alloc((size_t)b->count + 1, sizeof *value);
	for (int32_t i = 0; i < b->count; ++i) value[i] = b->size[i] / w->model.shape.row[b->shape[i]].scale;
	scree_vtk_floats(t, "size", 1, value, b->count);
	scree_free(value);
}

/* Number of periods that a body has crossed along each axis. */
static void put_images(vtk_text *t, const bodies *b)
{
	int32_t *value = scree_alloc((size_t)b->count + 1, 3 * sizeof *value);
	for (int32_t i = 0; i < b->count; ++i) {
		value[3 * (int64_t)i] = b->cell_x[i];
		value[3 * (int64_t)i + 1] = b->cell_y[i];
		value[3 * (int64_t)i + 2] = b->cell_z[i];
	}
	scree_vtk_array(t, "Int32", "image", 3, value, (size_t)b->count * 3 * sizeof *value);
	scree_free(value);
}

/* The type of each body's shape, as in shape_type. */
static void put_types(vtk_text *t, const scree_world *w, const bodies *b)
{
	int32_t *value = scree_alloc((size_t)b->count + 1, sizeof *value);
	for (int32_t i = 0; i < b->count; ++i) value[i] = (int32_t)w->model.shape.row[b->shape[i]].type;
	scree_vtk_array(t, "Int32", "type", 1, value, (size_t)b->count * sizeof *value);
	scree_free(value);
}

static bool write_particles(const scree_world *w, const vtk_plan *plan, const char *path, fail *why)
{
	bodies sorted = scree_bodies_sorted(&w->state.body), *b = &sorted;
	vtk_mesh m = {0};
	vtk_text t = {0};
	int64_t *id = scree_alloc((size_t)b->count + 1, sizeof *id);
	for (int32_t i = 0; i < b->count; ++i) {
		int64_t p = scree_vtk_mesh_point(&m, body_position(b, i));
		scree_vtk_mesh_cell(&m, 1, &p);
		id[i] = (int64_t)b->id[i];
	}
	scree_vtk_begin(&t, &m, "Verts");
	scree_vtk_put(&t, "<PointData>\n");
	/* arrays for glyphs are always written; others can be chosen */
	scree_vtk_array(&t, "Int32", "shape", 1, b->shape, (size_t)b->count * sizeof *b->shape);
	put_column(&t, b, &(column){"scale", 1, {AT(size)}});
	put_orientations(&t, w, b);
	if (wanted(plan, "id")) scree_vtk_array(&t, "Int64", "id", 1, id, (size_t)b->count * sizeof *id);
	if (wanted(plan, "type")) put_types(&t, w, b);
	if (wanted(plan, "material"))
		scree_vtk_array(&t, "Int32", "material", 1, b->material, (size_t)b->count * sizeof *b->material);
	if (plan->fields ? wanted(plan, "image") : w->model.period.on) put_images(&t, b);
	if (wanted(plan, "size")) put_sizes(&t, w, b);
	for (size_t k = 0; k < sizeof columns / sizeof *columns; ++k)
		if (wanted(plan, columns[k].name)) put_column(&t, b, columns + k);
	scree_vtk_put(&t, "</PointData>\n");
	scree_free(id);
	scree_bodies_free(&sorted);
	scree_vtk_mesh_free(&m);
	return scree_vtk_end(&t, path, why);
}

/* ------------------------------------------------------------------ contacts */

/* Adds a line between two centres (of the image in contact), or from the centre to the contact point on a wall. */
static void add_contact(const scree_world *w, int kind, const pair_list *l, int64_t k, vec3 at, vtk_mesh *m)
{
	vec3 a = body_position(&w->state.body, l->ca[k]);
	vec3 b = pair_on_wall(kind) ? v3_add(a, at) : body_position(&w->state.body, l->cb[k]);
	if (w->model.period.on && !pair_on_wall(kind))
		b = v3_add(b, w->state.images.shift[scree_world_image(&w->model, &w->state, kind, l->slot[k])]);
	int64_t ends[2] = {scree_vtk_mesh_point(m, a), scree_vtk_mesh_point(m, b)};
	scree_vtk_mesh_cell(m, 2, ends);
}

/* Arrays of the contacts of a frame. */
typedef struct contact_arrays {
	real *force, *at, *normal_force, *tangential_force, *overlap;
	int64_t *id; /* those of both bodies; 0: a wall */
	int32_t *wall, *material;
} contact_arrays;

static void put_entry(contact_arrays *o, int64_t n, const contact_entry *e)
{
	const vec3 of[2] = {e->force, e->at};
	real *const to[2] = {o->force + 3 * n, o->at + 3 * n};
	for (int k = 0; k < 2; ++k) to[k][0] = of[k].x, to[k][1] = of[k].y, to[k][2] = of[k].z;
	o->normal_force[n] = e->normal_force;
	o->tangential_force[n] = e->tangential_force;
	o->overlap[n] = e->overlap;
	o->id[2 * n] = (int64_t)e->a, o->id[2 * n + 1] = (int64_t)e->b;
	o->wall[n] = e->wall;
	o->material[2 * n] = e->material[0], o->material[2 * n + 1] = e->material[1];
}

static contact_arrays new_arrays(int64_t most)
{
	const size_t n = (size_t)most;
	return (contact_arrays){.force = scree_alloc(3 * n, sizeof(real)),
							.at = scree_alloc(3 * n, sizeof(real)),
							.normal_force = scree_alloc(n, sizeof(real)),
							.tangential_force = scree_alloc(n, sizeof(real)),
							.overlap = scree_alloc(n, sizeof(real)),
							.id = scree_alloc(2 * n, sizeof(int64_t)),
							.wall = scree_alloc(n, sizeof(int32_t)),
							.material = scree_alloc(2 * n, sizeof(int32_t))};
}

static void put_arrays(vtk_text *t, const contact_arrays *o, int64_t n)
{
	scree_vtk_put(t, "<CellData>\n");
	scree_vtk_floats(t, "normal_force", 1, o->normal_force, n);
	scree_vtk_floats(t, "tangential_force", 1, o->tangential_force, n);
	scree_vtk_floats(t, "force", 3, o->force, 3 * n);
	scree_vtk_floats(t, "overlap", 1, o->overlap, n);
	scree_vtk_floats(t, "point", 3, o->at, 3 * n);
	scree_vtk_array(t, "Int64", "id", 2, o->id, (size_t)(2 * n) * sizeof *o->id);
	scree_vtk_array(t, "Int32", "wall", 1, o->wall, (size_t)n * sizeof *o->wall);
	scree_vtk_array(t, "Int32", "material", 2, o->material, (size_t)(2 * n) * sizeof *o->material);
	scree_vtk_put(t, "</CellData>\n");
}

static bool write_contacts(const scree_world *w, const char *path, fail *why)
{
	vtk_mesh m = {0};
	vtk_text t = {0};
	const int64_t most = w->work.touching + 1;
	int64_t n = 0;
	contact_arrays o = new_arrays(most);
	for (int kind = 0; kind < PAIR_KINDS; ++kind) {
		const pair_list *l = w->state.pair + kind;
		int32_t count;
		int64_t *order = scree_contacts_by_id(w, kind, &count);
		for (int32_t k = 0; k < count && n < most; ++k, ++n) {
			const contact_entry e = scree_contact_entry(w, kind, order[k]);
			add_contact(w, kind, l, order[k], v3_sub(e.at, body_position(&w->state.body, l->ca[order[k]])), &m);
			put_entry(&o, n, &e);
		}
		scree_free(order);
	}
	scree_vtk_begin(&t, &m, "Lines");
	put_arrays(&t, &o, n);
	void *const done[] = {o.force, o.at, o.normal_force, o.tangential_force, o.overlap, o.id, o.wall, o.material};
	for (size_t k = 0; k < sizeof done / sizeof *done; ++k) scree_free(done[k]);
	scree_vtk_mesh_free(&m);
	return scree_vtk_end(&t, path, why);
}

/* ------------------------------------------------------------------ walls */

static bool write_walls(const scree_world *w, const char *path, fail *why)
{
	vtk_mesh m = {0};
	vtk_text t = {0};
	int64_t *ends = scree_alloc((size_t)w->model.wall.count + 1, sizeof *ends);
	for (int32_t k = 0; k < w->model.wall.count; ++k) {
		scree_vtk_wall(w, k, &m);
		ends[k] = m.cells;
	}
	int32_t *of = scree_alloc((size_t)m.cells + 1, sizeof *of);
	int32_t k = 0;
	for (int64_t c = 0; c < m.cells; ++c) {
		while (c >= ends[k]) ++k;
		of[c] = k;
	}
	scree_vtk_begin(&t, &m, "Polys");
	scree_vtk_put(&t, "<CellData>\n");
	scree_vtk_array(&t, "Int32", "wall", 1, of, (size_t)m.cells * sizeof *of);
	scree_vtk_put(&t, "</CellData>\n");
	scree_free(of);
	scree_free(ends);
	scree_vtk_mesh_free(&m);
	return scree_vtk_end(&t, path, why);
}

/* ------------------------------------------------------------------ shapes */

/* Adds the faces of a body's or a unit shape; spheres are a grid of latitudes and longitudes. */
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

/* Adds an outline as one cell, which ParaView draws as an area. */
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
	if (s->mesh.triangles) {
		add_triangles(m, &s->mesh, centre, turn, size);
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
		add_shape(&m, w, s, v3(0, 0, 0), quat_matrix(s->frame), 1); /* in the axes of the user */
		scree_vtk_begin(&t, &m, "Polys");
		scree_vtk_mesh_free(&m);
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

static const char *const parts[3] = {"particles", "walls", "contacts"};

static void path_of_part(char path[SCREE_PATH_ROOM], const char *folder, const char *name, int part, int64_t frame)
{
	char rest[64];
	snprintf(rest, sizeof rest, "_%s_%06lld.vtp", parts[part], (long long)frame);
	scree_file_path(path, folder, name, rest);
}

bool scree_vtk_find(vtk_frames *frames, const char *folder, const char *name, fail *why)
{
	char path[SCREE_PATH_ROOM];
	bool there = true;
	for (frames->first = frames->count; frames->first > 0; --frames->first) {
		path_of_part(path, folder, name, 0, frames->first - 1);
		if (!scree_file_look(path, &there, why)) return false;
		if (!there) break;
	}
	return true;
}

static bool write_pvd(const vtk_plan *plan, const char *folder, const char *name, const vtk_frames *frames, fail *why)
{
	vtk_text t = {0};
	scree_vtk_put(&t, "<?xml version=\"1.0\"?>\n<VTKFile type=\"Collection\" version=\"0.1\" "
					  "byte_order=\"LittleEndian\">\n<Collection>\n");
	for (int64_t k = frames->first; k < frames->count; ++k) {
		for (int p = 0; p < 3; ++p) {
			if (p == 2 && !wanted(plan, "contacts")) continue;
			scree_vtk_put(&t, "<DataSet timestep=\"%.9g\" part=\"%d\" name=\"%s\" file=\"", frames->time[k], p,
						  parts[p]);
			scree_vtk_put_name(&t, name);
			scree_vtk_put(&t, "_%s_%06lld.vtp\"/>\n", parts[p], (long long)k);
		}
	}
	scree_vtk_put(&t, "</Collection>\n</VTKFile>\n");
	char path[SCREE_PATH_ROOM];
	scree_file_path(path, folder, name, ".pvd");
	bool ok = scree_file_write(path, t.text, t.used, why);
	scree_free(t.text);
	return ok;
}

static void count_frame(vtk_frames *f, int64_t step, real time)
{
	if (f->count == f->room) {
		f->room = 2 * f->room + 64;
		f->step = scree_grow(f->step, (size_t)f->count, (size_t)f->room, sizeof *f->step);
		f->time = scree_grow(f->time, (size_t)f->count, (size_t)f->room, sizeof *f->time);
	}
	f->time[f->count] = time;
	f->step[f->count++] = step;
}

bool scree_vtk_frame(const scree_world *w, const vtk_plan *plan, const char *folder, const char *name,
					 vtk_frames *frames, fail *why)
{
	char path[SCREE_PATH_ROOM];
	int64_t frame = frames->count;
	if (frame == frames->first && !write_shapes(w, folder, name, why)) return false;
	for (int p = 0; p < 3; ++p) {
		path_of_part(path, folder, name, p, frame);
		if (p == 0 && !write_particles(w, plan, path, why)) return false;
		if (p == 1 && !write_walls(w, path, why)) return false;
		if (p == 2 && wanted(plan, "contacts") && !write_contacts(w, path, why)) return false;
	}
	count_frame(frames, w->state.step, w->state.time);
	if (write_pvd(plan, folder, name, frames, why)) return true;
	frames->count -= 1;
	return false;
}

bool scree_vtk_export_mesh(const scree_world *w, const char *path, fail *why)
{
	const bodies *b = &w->state.body;
	vtk_mesh m = {0};
	vtk_text t = {0};
	int64_t room = 0;
	int64_t *id = NULL;
	for (int32_t i = 0; i < b->owned; ++i) {
		int64_t before = m.cells;
		add_shape(&m, w, w->model.shape.row + b->shape[i], body_position(b, i), quat_matrix(body_orientation(b, i)),
				  b->size[i]);
		if (m.cells > room) {
			id = scree_grow(id, (size_t)before, (size_t)(m.cells * 2), sizeof *id);
			room = m.cells * 2;
		}
		for (int64_t c = before; c < m.cells; ++c) id[c] = (int64_t)b->id[i];
	}
	scree_vtk_begin(&t, &m, "Polys");
	scree_vtk_put(&t, "<CellData>\n");
	scree_vtk_array(&t, "Int64", "id", 1, id, (size_t)m.cells * sizeof *id);
	scree_vtk_put(&t, "</CellData>\n");
	scree_free(id);
	scree_vtk_mesh_free(&m);
	return scree_vtk_end(&t, path, why);
}
