/* vtk: frames for ParaView.
 *
 * Bodies are points with a size and a quaternion (w, x, y, z) for glyphs, an eighth of the bytes of full meshes; which
 * shape a point is says "shape", the block of NAME_shapes.vtm. Blocks are in the frame of the principal axes and of
 * unit size: a point of a body is position + size * turned point. Positions are doubles, what is only looked at are
 * floats. */
#include "format/vtk.h"

#include "base/memory.h"
#include "format/file.h"
#include "format/vtk_parts.h"
#include "kernel/quat.h"
#include "world.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { PATH_ROOM = 2048 };

enum { F_VELOCITY, F_SPIN, F_FORCE, F_TORQUE, F_MASS, F_SIZE, F_ID, F_SHAPE, F_MATERIAL, F_CONTACTS, F_COUNT };
const char *const scree_vtk_fields[] = {"velocity", "angular_velocity", "force",	"torque", "mass", "size", "id",
										"shape",	"material",			"contacts", NULL};
_Static_assert(sizeof scree_vtk_fields / sizeof *scree_vtk_fields == F_COUNT + 1, "each field has its name");

/* sizes, shapes and orientations are always written: without them nothing can be drawn */
static bool choose(const vtk_plan *plan, bool wanted[F_COUNT], fail *why)
{
	for (int f = 0; f < F_COUNT; ++f) wanted[f] = plan->fields == 0;
	wanted[F_SIZE] = wanted[F_SHAPE] = true;
	for (int32_t k = 0; k < plan->fields; ++k) {
		int f = 0;
		while (f < F_COUNT && strcmp(scree_vtk_fields[f], plan->field[k]) != 0) ++f;
		if (f == F_COUNT)
			return scree_fail(why, FAIL_INPUT,
							  "there is no field '%s' to write for ParaView; there are velocity, angular_velocity, "
							  "force, torque, mass, "
							  "size, id, shape, material, contacts",
							  plan->field[k]);
		wanted[f] = true;
	}
	return true;
}

/* ------------------------------------------------------------------ bodies */

/* columns side by side as floats, of the rows rows[0 .. count-1] (NULL: all) */
static void floats(vtk_text *t, const char *name, int components, const real *const *column, const int32_t *row,
				   int64_t count)
{
	float *all = scree_alloc((size_t)count * (size_t)components, sizeof *all);
	for (int64_t k = 0; k < count; ++k)
		for (int c = 0; c < components; ++c) all[k * components + c] = (float)column[c][row ? row[k] : k];
	scree_vtk_array(t, VTK_F32, name, components, count, all);
	scree_free(all);
}

static void integers(vtk_text *t, const char *name, const int32_t *column, const int32_t *row, int64_t count)
{
	int32_t *all = scree_alloc((size_t)count, sizeof *all);
	for (int64_t k = 0; k < count; ++k) all[k] = column[row ? row[k] : k];
	scree_vtk_array(t, VTK_I32, name, 1, count, all);
	scree_free(all);
}

static void body_arrays(vtk_text *t, const bodies *b, const bool wanted[F_COUNT], const int32_t *row, int64_t count)
{
	const real *const velocity[] = {b->vx, b->vy, b->vz}, *const spin[] = {b->wx, b->wy, b->wz};
	const real *const force[] = {b->fx, b->fy, b->fz}, *const torque[] = {b->tx, b->ty, b->tz};
	const real *const mass[] = {b->mass}, *const size[] = {b->size};
	if (wanted[F_ID]) {
		int64_t *id = scree_alloc((size_t)count, sizeof *id);
		for (int64_t k = 0; k < count; ++k) id[k] = (int64_t)b->id[row ? row[k] : k];
		scree_vtk_array(t, VTK_I64, "id", 1, count, id);
		scree_free(id);
	}
	integers(t, "shape", b->shape, row, count);
	floats(t, "size", 1, size, row, count);
	if (wanted[F_MATERIAL]) integers(t, "material", b->material, row, count);
	if (wanted[F_MASS]) floats(t, "mass", 1, mass, row, count);
	if (wanted[F_VELOCITY]) floats(t, "velocity", 3, velocity, row, count);
	if (wanted[F_SPIN]) floats(t, "angular_velocity", 3, spin, row, count);
	if (wanted[F_FORCE]) floats(t, "force", 3, force, row, count);
	if (wanted[F_TORQUE]) floats(t, "torque", 3, torque, row, count);
}

static bool write_bodies(const scree_world *w, const bool wanted[F_COUNT], const char *path, fail *why)
{
	const bodies *b = &w->body;
	const real *const turn[] = {b->qw, b->qx, b->qy, b->qz};
	int64_t count = b->count, *end = scree_alloc((size_t)count, sizeof *end),
			*corner = scree_alloc((size_t)count, sizeof *corner);
	vec3 *point = scree_alloc((size_t)count, sizeof *point);
	for (int32_t i = 0; i < b->count; ++i) {
		point[i] = body_position(b, i);
		corner[i] = i;
		end[i] = i + 1;
	}
	vtk_text t = {0};
	scree_vtk_begin(&t, w->time, count, count, 0, 0);
	scree_vtk_print(&t, "<PointData>\n");
	floats(&t, "orientation", 4, turn, NULL, count);
	body_arrays(&t, b, wanted, NULL, count);
	scree_vtk_print(&t, "</PointData>\n");
	scree_vtk_points(&t, count, point);
	scree_vtk_cells(&t, "Verts", count, end, corner);
	scree_vtk_end(&t);
	scree_free(point);
	scree_free(end);
	scree_free(corner);
	return scree_vtk_write(&t, path, why);
}

/* ------------------------------------------------------------------ walls and shapes */

static void mesh_cells(vtk_text *t, const vtk_mesh *m)
{
	scree_vtk_points(t, m->points, m->point);
	scree_vtk_cells(t, "Polys", m->cells, m->end, m->corner);
}

static bool write_walls(const scree_world *w, const char *path, fail *why)
{
	vtk_mesh m = {0};
	scree_vtk_mesh_walls(&m, w);
	int32_t *material = scree_alloc((size_t)m.cells, sizeof *material);
	float *force = scree_alloc(3 * (size_t)m.cells, sizeof *force),
		  *velocity = scree_alloc(3 * (size_t)m.points, sizeof *velocity);
	for (int64_t c = 0, p = 0; c < m.cells; ++c) {
		const wall *o = w->wall.row + m.tag[c];
		material[c] = o->material;
		force[3 * c] = (float)o->force.x;
		force[3 * c + 1] = (float)o->force.y;
		force[3 * c + 2] = (float)o->force.z;
		for (; p < m.end[c]; ++p) { /* no two walls share points */
			int64_t k = m.corner[p];
			vec3 v = v3_add(o->velocity, v3_cross(o->spin, v3_sub(m.point[k], o->place)));
			velocity[3 * k] = (float)v.x;
			velocity[3 * k + 1] = (float)v.y;
			velocity[3 * k + 2] = (float)v.z;
		}
	}
	vtk_text t = {0};
	scree_vtk_begin(&t, w->time, m.points, 0, 0, m.cells);
	scree_vtk_print(&t, "<PointData>\n");
	scree_vtk_array(&t, VTK_F32, "velocity", 3, m.points, velocity);
	scree_vtk_print(&t, "</PointData>\n<CellData>\n");
	scree_vtk_array(&t, VTK_I32, "wall", 1, m.cells, m.tag);
	scree_vtk_array(&t, VTK_I32, "material", 1, m.cells, material);
	scree_vtk_array(&t, VTK_F32, "force", 3, m.cells, force);
	scree_vtk_print(&t, "</CellData>\n");
	mesh_cells(&t, &m);
	scree_vtk_end(&t);
	scree_free(velocity);
	scree_free(force);
	scree_free(material);
	scree_vtk_mesh_free(&m);
	return scree_vtk_write(&t, path, why);
}

static bool write_shape(const scree_world *w, int32_t row, const char *path, fail *why)
{
	vtk_mesh m = {0};
	const quat one = {1, 0, 0, 0};
	scree_vtk_mesh_shape(&m, w->shape.row + row, 1, one, v3(0, 0, 0), row);
	vtk_text t = {0};
	scree_vtk_begin(&t, w->time, m.points, 0, 0, m.cells);
	mesh_cells(&t, &m);
	scree_vtk_end(&t);
	scree_vtk_mesh_free(&m);
	return scree_vtk_write(&t, path, why);
}

/* block k is row k of shapes */
static bool write_shapes(const scree_world *w, const char *folder, const char *name, fail *why)
{
	char path[PATH_ROOM];
	vtk_text t = {0};
	scree_vtk_print(
		&t,
		"<?xml version=\"1.0\"?>\n<VTKFile type=\"vtkMultiBlockDataSet\" version=\"1.0\" byte_order=\"LittleEndian\" "
		"header_type=\"UInt64\">\n<vtkMultiBlockDataSet>\n");
	bool ok = true;
	for (int32_t k = 0; ok && k < w->shape.count; ++k) {
		snprintf(path, sizeof path, "%s/%s_shape_%d.vtp", folder, name, k);
		ok = write_shape(w, k, path, why);
		scree_vtk_print(&t, "<DataSet index=\"%d\" name=\"", k);
		scree_vtk_escape(&t, w->shape.row[k].name);
		scree_vtk_print(&t, "\" file=\"");
		scree_vtk_escape(&t, name);
		scree_vtk_print(&t, "_shape_%d.vtp\"/>\n", k);
	}
	scree_vtk_print(&t, "</vtkMultiBlockDataSet>\n</VTKFile>\n");
	snprintf(path, sizeof path, "%s/%s_shapes.vtm", folder, name);
	if (ok) return scree_vtk_write(&t, path, why);
	scree_vtk_free(&t);
	return false;
}

/* ------------------------------------------------------------------ contacts */

typedef struct force_lines {
	int64_t count;
	vec3 *point;		  /* [2 count] */
	int64_t *id_a, *id_b; /* id_b: -1 for walls */
	int32_t *kind, *wall; /* wall: -1 for bodies */
	float *normal, *tangential, *overlap;
} force_lines;

static void note_contact(force_lines *o, const scree_world *w, int kind, int64_t c)
{
	const pair_list *l = w->pair + kind;
	bool on_wall = kind == PAIR_SPHERE_WALL || kind == PAIR_CONVEX_WALL;
	/* by the slot: its rows are those of now */
	int32_t a = l->a[l->slot[c]], b = l->b[l->slot[c]];
	vec3 n = v3(l->nx[c], l->ny[c], l->nz[c]), f = v3(l->fx[c], l->fy[c], l->fz[c]);
	vec3 at = body_position(&w->body, a);
	real push = v3_dot(f, n);
	int64_t k = o->count++;
	o->point[2 * k] = at;
	o->point[2 * k + 1] = on_wall ? v3_add(at, v3(l->px[c], l->py[c], l->pz[c])) : body_position(&w->body, b);
	o->id_a[k] = (int64_t)w->body.id[a];
	o->id_b[k] = on_wall ? -1 : (int64_t)w->body.id[b];
	o->wall[k] = on_wall ? w->wall.surface_wall[b] : -1;
	o->kind[k] = kind;
	o->normal[k] = (float)push;
	o->tangential[k] = (float)v3_norm(v3_madd(f, -push, n));
	o->overlap[k] = (float)l->depth[c];
}

static force_lines lines_of(const scree_world *w)
{
	size_t n = 0;
	for (int kind = 0; kind < PAIR_KINDS; ++kind)
		for (contact_walk c = contact_first(w->pair + kind); contact_more(w->pair + kind, &c); ++c.row) ++n;
	force_lines o = {.point = scree_alloc(2 * n, sizeof *o.point),
					 .id_a = scree_alloc(n, sizeof *o.id_a),
					 .id_b = scree_alloc(n, sizeof *o.id_b),
					 .kind = scree_alloc(n, sizeof *o.kind),
					 .wall = scree_alloc(n, sizeof *o.wall),
					 .normal = scree_alloc(n, sizeof *o.normal),
					 .tangential = scree_alloc(n, sizeof *o.tangential),
					 .overlap = scree_alloc(n, sizeof *o.overlap)};
	for (int kind = 0; kind < PAIR_KINDS; ++kind)
		for (contact_walk c = contact_first(w->pair + kind); contact_more(w->pair + kind, &c); ++c.row)
			note_contact(&o, w, kind, c.row);
	return o;
}

static bool write_contacts(const scree_world *w, const char *path, fail *why)
{
	force_lines o = lines_of(w);
	int64_t *corner = scree_alloc(2 * (size_t)o.count, sizeof *corner),
			*end = scree_alloc((size_t)o.count, sizeof *end);
	for (int64_t k = 0; k < o.count; ++k) {
		corner[2 * k] = 2 * k;
		corner[2 * k + 1] = 2 * k + 1;
		end[k] = 2 * k + 2;
	}
	vtk_text t = {0};
	scree_vtk_begin(&t, w->time, 2 * o.count, 0, o.count, 0);
	scree_vtk_print(&t, "<CellData>\n");
	scree_vtk_array(&t, VTK_F32, "normal_force", 1, o.count, o.normal);
	scree_vtk_array(&t, VTK_F32, "tangential_force", 1, o.count, o.tangential);
	scree_vtk_array(&t, VTK_F32, "overlap", 1, o.count, o.overlap);
	scree_vtk_array(&t, VTK_I64, "id_a", 1, o.count, o.id_a);
	scree_vtk_array(&t, VTK_I64, "id_b", 1, o.count, o.id_b);
	scree_vtk_array(&t, VTK_I32, "wall", 1, o.count, o.wall);
	scree_vtk_array(&t, VTK_I32, "kind", 1, o.count, o.kind);
	scree_vtk_print(&t, "</CellData>\n");
	scree_vtk_points(&t, 2 * o.count, o.point);
	scree_vtk_cells(&t, "Lines", o.count, end, corner);
	scree_vtk_end(&t);
	void *all[] = {o.point, o.id_a, o.id_b, o.kind, o.wall, o.normal, o.tangential, o.overlap, corner, end};
	for (size_t k = 0; k < sizeof all / sizeof *all; ++k) scree_free(all[k]);
	return scree_vtk_write(&t, path, why);
}

/* ------------------------------------------------------------------ the list of frames */

/* the number of the frame that a line of our own list is about; -1: of none */
static int64_t frame_of(const char *line, const char *end)
{
	static const char *const ending = ".vtp\"/>";
	const char *at = end - strlen(ending), *digit = at;
	if (at <= line || strncmp(line, "<DataSet timestep=", 18) != 0 || strncmp(at, ending, strlen(ending)) != 0)
		return -1;
	int64_t number = 0, ten = 1;
	while (digit > line && digit[-1] >= '0' && digit[-1] <= '9' && ten < INT64_MAX / 100) {
		number += (*--digit - '0') * ten;
		ten *= 10;
	}
	return digit < at ? number : -1;
}

/* Frames before this one stay as the list has them, so that times are those of the files also when a resumed run
 * writes at other moments. */
static void keep_frames(vtk_text *t, const char *path, int64_t frame)
{
	unsigned char *old;
	size_t length;
	fail unused;
	if (frame == 0 || access(path, F_OK) != 0 || !scree_file_read(path, &old, &length, &unused)) return;
	for (const char *line = (const char *)old; *line;) {
		const char *end = strchr(line, '\n');
		if (!end) break;
		int64_t k = frame_of(line, end);
		if (k >= 0 && k < frame) scree_vtk_print(t, "%.*s\n", (int)(end - line), line);
		line = end + 1;
	}
	scree_free(old);
}

static bool write_list(const scree_world *w, bool contacts, const char *folder, const char *name, int64_t frame,
					   fail *why)
{
	static const char *const part[] = {"particles", "walls", "contacts"};
	char path[PATH_ROOM];
	snprintf(path, sizeof path, "%s/%s.pvd", folder, name);
	vtk_text t = {0};
	scree_vtk_print(&t, "<?xml version=\"1.0\"?>\n<VTKFile type=\"Collection\" version=\"0.1\" "
						"byte_order=\"LittleEndian\">\n<Collection>\n");
	keep_frames(&t, path, frame);
	for (int p = 0; p < (contacts ? 3 : 2); ++p) {
		scree_vtk_print(&t, "<DataSet timestep=\"%.17g\" group=\"\" part=\"%d\" name=\"%s\" file=\"", w->time, p,
						part[p]);
		scree_vtk_escape(&t, name);
		scree_vtk_print(&t, "_%s_%06lld.vtp\"/>\n", part[p], (long long)frame);
	}
	scree_vtk_print(&t, "</Collection>\n</VTKFile>\n");
	return scree_vtk_write(&t, path, why);
}

bool scree_vtk_frame(const scree_world *w, const vtk_plan *plan, const char *folder, const char *name, int64_t frame,
					 fail *why)
{
	bool wanted[F_COUNT];
	char path[PATH_ROOM];
	if (!choose(plan, wanted, why)) return false;
	if (strlen(folder) + strlen(name) + 64 > sizeof path)
		return scree_fail(why, FAIL_IO, "cannot write frames to %.100s...: the path is too long", folder);
	snprintf(path, sizeof path, "%s/%s_shapes.vtm", folder, name);
	if ((frame == 0 || access(path, F_OK) != 0) && !write_shapes(w, folder, name, why)) return false;
	snprintf(path, sizeof path, "%s/%s_particles_%06lld.vtp", folder, name, (long long)frame);
	if (!write_bodies(w, wanted, path, why)) return false;
	snprintf(path, sizeof path, "%s/%s_walls_%06lld.vtp", folder, name, (long long)frame);
	if (!write_walls(w, path, why)) return false;
	snprintf(path, sizeof path, "%s/%s_contacts_%06lld.vtp", folder, name, (long long)frame);
	if (wanted[F_CONTACTS] && !write_contacts(w, path, why)) return false;
	/* the list last: what it names is there */
	return write_list(w, wanted[F_CONTACTS], folder, name, frame, why);
}

bool scree_vtk_export_mesh(const scree_world *w, const char *path, fail *why)
{
	bool wanted[F_COUNT];
	for (int f = 0; f < F_COUNT; ++f) wanted[f] = true;
	vtk_mesh m = {0};
	for (int32_t i = 0; i < w->body.count; ++i)
		scree_vtk_mesh_shape(&m, w->shape.row + w->body.shape[i], w->body.size[i], body_orientation(&w->body, i),
							 body_position(&w->body, i), i);
	vtk_text t = {0};
	scree_vtk_begin(&t, w->time, m.points, 0, 0, m.cells);
	scree_vtk_print(&t, "<CellData>\n");
	body_arrays(&t, &w->body, wanted, m.tag, m.cells);
	scree_vtk_print(&t, "</CellData>\n");
	mesh_cells(&t, &m);
	scree_vtk_end(&t);
	scree_vtk_mesh_free(&m);
	return scree_vtk_write(&t, path, why);
}
