/* build_solids: creates shapes made of triangles or spheres, and reads meshes from files for shapes and walls. */
#include "scene/reader.h"

#include "format/granulate.h"
#include "format/mesh_repair.h"
#include "scene/schema.h"
#include "shape/clump/clump_fit.h"
#include "shape/compound.h"
#include "shape/mesh/surface.h"
#include "world/world.h"

static const real WELD = 1e-9; /* distance, relative to the extent, below which vertices are merged, also for walls */

/* Welds coincident vertices, since triangles in STL files share none, and drops unused vertices. */
static void weld(mesh *m)
{
	int32_t *to = scree_alloc((size_t)m->vertices, sizeof *to),
			*number = scree_alloc((size_t)m->vertices, sizeof *number);
	int32_t kept = 0;
	if (m->vertices) scree_weld(m->vertices, m->vertex, WELD * scree_extent(m->vertices, m->vertex), to);
	for (int32_t i = 0; i < m->vertices; ++i) number[i] = -1;
	for (int32_t k = 0; k < 3 * m->triangles; ++k) number[to[m->triangle[k]]] = 0;
	for (int32_t i = 0; i < m->vertices; ++i) {
		if (number[i] < 0) continue;
		m->vertex[kept] = m->vertex[i];
		number[i] = kept++;
	}
	for (int32_t k = 0; k < 3 * m->triangles; ++k) m->triangle[k] = number[to[m->triangle[k]]];
	m->vertices = kept;
	scree_free(number);
	scree_free(to);
}

/* Path of the repaired mesh: NAME.repaired.ply next to the file, or, with `whole`, NAME.EXTENSION.repaired.ply, which
 * is used if the first name belongs to another mesh. The caller frees it. */
static char *mended_path(const reader *r, const char *file, bool whole)
{
	writing path = {0};
	const char *dot = strrchr(file, '.');
	const int stem = (int)(dot && !whole ? dot - file : (ptrdiff_t)strlen(file));
	scree_writing_add(&path, "%s%.*s.repaired.ply", r->folder, stem, file);
	return scree_writing_take(&path);
}

static void say_mended(const char *file, const char *done, const char *path)
{
	writing text = {0};
	scree_writing_add(&text, "repaired %s: %s: written to %s", file, done, path);
	scree_progress_say(text.bytes);
	scree_free(scree_writing_take(&text));
}

/* Writes the repaired mesh; never overwrites a file. */
static bool write_mended(reader *r, const head *h, const char *file, const mesh *m, const mesh_mends *done)
{
	char text[256], *path = NULL;
	fail why = {0};
	bool other = true, good = true;
	scree_mends_say(done, text, sizeof text);
	for (int whole = 0; good && other && whole < 2; ++whole) {
		scree_free(path);
		path = mended_path(r, file, whole);
		good = scree_mesh_add_ply(path, m, "repaired by scree check --repair", &other, &why);
	}
	if (good && other)
		good = scree_fail(&why, FAIL_INPUT, "%s exists already and holds a different mesh: move it away", path);
	if (good)
		say_mended(file, text, path);
	else
		REFUSE_VALUE(r, h, "file", NULL, "file: %s", why.text);
	scree_free(path);
	return good;
}

/* Repairs a mesh that must be a closed surface, if the reader repairs meshes. */
static bool repair(reader *r, const head *h, const char *file, const char *name, mesh *m, fail *why)
{
	mesh mended = {0};
	mesh_mends done = {0};
	if (!r->repairs) return true;
	if (!scree_mesh_repair(name, m, &mended, &done, why)) return false;
	done.welded = 0; /* reading a file also welds vertices */
	bool right = !scree_mends_any(&done) || write_mended(r, h, file, &mended, &done);
	scree_mesh_free(m);
	*m = mended;
	return right;
}

static int32_t add_mesh(shapes *s, const char *name, int32_t as, real halo, const mesh *m, fail *why)
{
	if (as == MESH_HULL) return scree_shapes_add_hull(s, name, m->vertices, m->vertex, why);
	if (as == MESH_COMPOUND)
		return scree_shapes_add_rounded(s, name, m->vertices, m->vertex, m->triangles, m->triangle, m->rounding, why);
	return scree_shapes_add_surface(s, name, m->vertices, m->vertex, m->triangles, m->triangle, halo, why);
}

int32_t scree_build_mesh_shape(reader *r, const char *name, const mesh_spec *spec, fail *why)
{
	mesh m;
	int32_t row = -1;
	if (!scree_build_mesh(r, &spec->h, spec->file, &m)) return -2;
	if (spec->as != MESH_HULL) weld(&m);
	/* repaired before scaling, since the scene scales the repaired file, too */
	bool good = spec->as == MESH_HULL || repair(r, &spec->h, spec->file, name, &m, why);
	for (int32_t i = 0; i < m.vertices; ++i) m.vertex[i] = v3_mul(spec->scale, m.vertex[i]);
	m.rounding *= spec->scale;
	if (good) row = add_mesh(&r->world->model.shape, name, spec->as, spec->halo, &m, why);
	scree_mesh_free(&m);
	return row;
}

static int32_t add_grain(reader *r, const char *name, const granulate_spec *spec, int64_t number, fail *why)
{
	const granulate g = {.seed = (uint64_t)spec->seed,
						 .number = (uint64_t)number,
						 .points = (int32_t)spec->points,
						 .low = spec->scale[0],
						 .high = spec->scale[1],
						 .order = spec->order ? HULL_THEN_SCALE : SCALE_THEN_HULL};
	mesh m = {0};
	if (!scree_granulate(&g, name, &m, why)) return -1;
	int32_t row = add_mesh(&r->world->model.shape, name, spec->as, spec->halo, &m, why);
	scree_mesh_free(&m);
	return row;
}

/* Grain k of a family is named NAME.k; a single grain is named NAME. */
int32_t scree_build_granulate(reader *r, const char *name, const granulate_spec *spec, fail *why)
{
	const int32_t first = r->world->model.shape.count;
	if (spec->count == 1) return add_grain(r, name, spec, spec->number, why);
	if (r->sealed && spec->count > SEALED_GRAINS) {
		REFUSE_VALUE(r, &spec->h, "count", NULL, "count: at most %d grains are allowed in this scene",
					 (int)SEALED_GRAINS);
		return -2;
	}
	for (int32_t k = 0; k < spec->count; ++k) {
		char one[64];
		snprintf(one, sizeof one, "%s.%d", name, k);
		scree_progress("grain %d of %d", k, (int)spec->count);
		if (add_grain(r, one, spec, spec->number + k, why) < 0) return -1;
	}
	return first;
}

static int32_t add_given(reader *r, const char *name, const clump_spec *spec, fail *why)
{
	const int32_t n = spec->centers.count, radii = spec->radii.count;
	const real *given = spec->radii.item;
	if (radii != 1 && radii != n) {
		scree_fail(why, FAIL_INPUT, "clump '%s': %d radii for %d centers, expected one for each, or one for all", name,
				   radii, n);
		return -1;
	}
	real *radius = scree_alloc((size_t)n, sizeof *radius);
	for (int32_t k = 0; k < n; ++k) radius[k] = given[radii == 1 ? 0 : k];
	int32_t row =
		scree_shapes_add_clump(&r->world->model.shape, name, n, spec->centers.item, radius, spec->mass == 1, why);
	scree_free(radius);
	return row;
}

/* Refuses a clump with almost no mass: spheres that fit into a thin plate have almost no volume. */
static bool fills(const char *name, const clump_spheres *made, fail *why)
{
	const real least = (real)0.01;
	return made->covered >= least ||
		   scree_fail(why, FAIL_INPUT,
					  "clump '%s': its %d spheres fill %.2g of the volume of the mesh, expected at least %g: the mesh "
					  "is too thin for them; raise excess or count, or use mesh with as: compound or as: surface",
					  name, made->count, made->covered, least);
}

static int32_t add_fitted(reader *r, const char *name, const clump_spec *spec, fail *why)
{
	mesh m;
	trimesh solid = {0};
	clump_spheres made = {0};
	int32_t row = -1;
	if (!scree_build_mesh(r, &spec->h, spec->file, &m)) return -2;
	weld(&m);
	if (repair(r, &spec->h, spec->file, name, &m, why) &&
		scree_trimesh_build(&solid, name, m.vertices, m.vertex, m.triangles, m.triangle, why) &&
		scree_clump_fit(&solid, (int32_t)spec->count, spec->excess, &made, why) && fills(name, &made, why))
		row = scree_shapes_add_clump(&r->world->model.shape, name, made.count, made.centre, made.radius,
									 spec->mass == 1, why);
	if (row >= 0) r->world->model.shape.row[row].source.covered = made.covered;
	scree_clump_spheres_free(&made);
	scree_trimesh_free(&solid);
	scree_mesh_free(&m);
	return row;
}

bool scree_clump_is_listed(const clump_spec *spec)
{
	const char *dot = spec->file ? strrchr(spec->file, '.') : NULL;
	return dot && (!strcmp(dot, ".csv") || !strcmp(dot, ".CSV"));
}

/* a table of spheres */
static int32_t add_listed(reader *r, const char *name, const clump_spec *spec, fail *why)
{
	number_column column[4] = {
		{.of = {.name = "x"}}, {.of = {.name = "y"}}, {.of = {.name = "z"}}, {.of = {.name = "r", .range = "> 0"}}};
	place *row;
	const int32_t n = scree_read_columns(r, scree_where(&spec->h, "file"), spec->file, 4, column, &row);
	if (n < 0) return -2;
	vec3 *centre = scree_alloc((size_t)n, sizeof *centre);
	real *radius = scree_alloc((size_t)n, sizeof *radius);
	for (int32_t k = 0; k < n; ++k) {
		centre[k] = v3_mul(spec->scale, v3(column[0].value[k], column[1].value[k], column[2].value[k]));
		radius[k] = spec->scale * column[3].value[k];
	}
	const int32_t made = scree_shapes_add_clump(&r->world->model.shape, name, n, centre, radius, spec->mass == 1, why);
	scree_free(centre);
	scree_free(radius);
	return made;
}

int32_t scree_build_clump(reader *r, const char *name, const clump_spec *spec, fail *why)
{
	if (scree_clump_is_listed(spec)) return add_listed(r, name, spec, why);
	return spec->centers.item ? add_given(r, name, spec, why) : add_fitted(r, name, spec, why);
}

/* Largest rounding error relative to the extent; far from the origin, coarse numbers in a file distort the mesh. */
static const real BENT = 1e-3;

static bool check_numbers(const mesh *m, fail *why)
{
	vec3 low = m->vertex[0], high = low;
	for (int32_t i = 1; i < m->vertices; ++i) {
		const vec3 p = m->vertex[i];
		low = v3_min(low, p);
		high = v3_max(high, p);
	}
	const vec3 wide = v3_sub(high, low);
	const real extent = real_max(wide.x, real_max(wide.y, wide.z));
	return !(extent > 0) || m->apart <= BENT * extent ||
		   scree_fail(
			   why, FAIL_INPUT,
			   "the mesh is %.3g long and up to (%.3g, %.3g, %.3g) away from the origin, where the numbers in the file "
			   "are up to %.2g apart, so its vertices are rounded; move it to the origin before writing it",
			   extent, real_abs(low.x) > real_abs(high.x) ? low.x : high.x,
			   real_abs(low.y) > real_abs(high.y) ? low.y : high.y, real_abs(low.z) > real_abs(high.z) ? low.z : high.z,
			   2 * m->apart);
}

bool scree_build_mesh(reader *r, const head *h, const char *file, mesh *out)
{
	size_t length;
	const node *at = scree_where(h, "file");
	const char *bytes = scree_reader_file(r, at, file, (size_t)256 << 20, &length);
	const char *dot = strrchr(file, '.');
	fail why = {0};
	char ending[8] = "";
	for (int i = 0; dot && i < 7 && dot[1 + i]; ++i)
		ending[i] = (char)(dot[1 + i] >= 'A' && dot[1 + i] <= 'Z' ? dot[1 + i] + 32 : dot[1 + i]);
	if (!bytes) return false;
	if (scree_mesh_parse(file, ending, bytes, length, out, &why)) {
		if (check_numbers(out, &why)) return true;
		scree_mesh_free(out);
	}
	return REFUSE(r, at, NULL, "file: %s", why.text);
}
