/* build_snapshot: adds the bodies from the snapshot of another run with their state unchanged: position, orientation,
 * velocities, mass, forces and the columns of the integrator. Shapes and materials are looked up by name in this scene.
 * Contact histories are restored once the world is complete (build_histories.c). */
#include "scene/reader.h"

#include "format/snapshot.h"
#include "model/integrator.h"
#include "shape/shape_axes.h"
#include "world/world.h"

bool scree_is_snapshot(const char *path)
{
	const size_t length = strlen(path), ending = strlen(".snap");
	return length > ending && !strcmp(path + length - ending, ".snap");
}

static bool refuse(reader *r, const fill_spec *f, const char *cure, const char *what, const char *name)
{
	return REFUSE_VALUE(r, &f->h, "from", cure, "from: '%.200s' %s '%.47s'", f->from_table, what, name);
}

/* Tests whether two shapes are bitwise identical, including their axes; equal keys always give identical shapes. */
static bool same_shape(const shape *a, const shape *b)
{
	const real of_a[] = {a->radius, a->inradius, a->volume,	  a->halo,	 a->semi_x,
						 a->semi_y, a->semi_z,	 a->power_xy, a->power_z};
	const real of_b[] = {b->radius, b->inradius, b->volume,	  b->halo,	 b->semi_x,
						 b->semi_y, b->semi_z,	 b->power_xy, b->power_z};
	for (size_t k = 0; k < sizeof of_a / sizeof *of_a; ++k)
		if (of_a[k] != of_b[k]) return false;
	const vec3 c = v3_sub(a->centre, b->centre), i = v3_sub(a->inertia, b->inertia);
	const quat p = a->frame, q = b->frame;
	return a->type == b->type && v3_norm2(c) == 0 && v3_norm2(i) == 0 && p.w == q.w && p.x == q.x && p.y == q.y &&
		   p.z == q.z && a->parts == b->parts && a->vertices == b->vertices && a->flat.corners == b->flat.corners &&
		   a->mesh.triangles == b->mesh.triangles;
}

static bool match_shape(reader *r, const fill_spec *f, import *o, int32_t k)
{
	const shape *from = o->world->model.shape.row + k;
	const int32_t row = scree_shapes_find(&r->world->model.shape, from->name);
	if (row < 0)
		return refuse(r, f, "add it under shapes", "has bodies of a shape that is missing from this scene,",
					  from->name);
	if (!same_shape(from, r->world->model.shape.row + row))
		return refuse(r, f, "define it as in the other scene", "has bodies of a different shape with the same name,",
					  from->name);
	o->shape[k] = row;
	return true;
}

static bool match_material(reader *r, const fill_spec *f, import *o, int32_t k)
{
	const material *from = o->world->model.material.row + k;
	o->material[k] = scree_materials_find(&r->world->model.material, from->name);
	return o->material[k] >= 0 || refuse(r, f, "add it under materials",
										 "has bodies of a material that is missing from this scene,", from->name);
}

static bool match_names(reader *r, const fill_spec *f, import *o)
{
	const bodies *b = &o->world->state.body;
	bool right = true;
	for (int32_t k = 0; k < o->world->model.shape.count; ++k) o->shape[k] = -2;
	for (int32_t k = 0; k < o->world->model.material.count; ++k)
		o->material[k] = scree_materials_find(&r->world->model.material, o->world->model.material.row[k].name);
	for (int32_t i = 0; i < b->count; ++i) {
		int32_t *shape = o->shape + b->shape[i];
		if (*shape != -2) continue;
		*shape = -1;
		right = match_shape(r, f, o, b->shape[i]) && right;
	}
	for (int32_t k = 0; k < o->world->model.material.count && right; ++k)
		for (int32_t i = 0; i < b->count && o->material[k] < 0; ++i)
			if (b->material[i] == k && !match_material(r, f, o, k)) return false;
	return right;
}

/* ------------------------------------------------------------------ the cell and other properties of the world */

static bool same_kind_of_world(reader *r, const fill_spec *f, const import *o)
{
	const scree_world *a = o->world, *b = r->world;
	const place at = scree_where(&f->h, "from")->at;
	if (a->model.flat != b->model.flat)
		return scree_report(&r->r, at, NULL, "from: '%.200s' has dimension %d", f->from_table, a->model.flat ? 2 : 3);
	if (a->model.thickness != b->model.thickness)
		return scree_report(&r->r, at, "use the same world.thickness", "from: '%.200s' has thickness %g m",
							f->from_table, a->model.thickness);
	if (!a->state.body.count) return scree_report(&r->r, at, NULL, "from: '%.200s' contains no bodies", f->from_table);
	const int32_t across = a->model.period.gradient;
	if (a->model.period.on && a->model.period.shears && a->state.images.offset != 0 && b->model.period.axis[across])
		return scree_report(&r->r, at, "use a snapshot whose images are shifted by whole periods",
							"from: images of '%.200s' are shifted by %g m, but a scene begins without a shift",
							f->from_table, a->state.images.offset);
	return true;
}

static bool same_axes(const periods *a, const periods *b)
{
	return a->axis[0] == b->axis[0] && a->axis[1] == b->axis[1] && a->axis[2] == b->axis[2];
}

/* Tests whether both worlds have the same cell along the axes that are periodic in both worlds. */
static bool is_cell(const periods *a, vec3 low, vec3 size, const periods *b)
{
	for (int32_t d = 0; d < 3; ++d) {
		const real near = (real)1e-9 * v3_part(b->size, d);
		if (a->axis[d] && b->axis[d] &&
			!(real_abs(v3_part(low, d) - v3_part(b->low, d)) <= near &&
			  real_abs(v3_part(size, d) - v3_part(b->size, d)) <= near))
			return false;
	}
	return true;
}

static void copy_periodic(const periods *p, vec3 from, vec3 *to)
{
	for (int32_t d = 0; d < 3; ++d)
		if (p->axis[d]) *v3_along(to, d) = v3_part(from, d);
}

/* Copies the snapshot's cell bit for bit, with its velocities. again: strains are relative to this cell from now on */
static void take_cell(const scree_world *from, scree_world *to, bool again)
{
	periods *p = &to->model.period;
	images *now = &to->state.images;
	const images *was = &from->state.images;
	copy_periodic(p, again ? was->low : from->model.period.low, &p->low);
	copy_periodic(p, again ? was->size : from->model.period.size, &p->size);
	if (p->deforms) {
		copy_periodic(p, was->low, &now->low);
		copy_periodic(p, was->size, &now->size);
		now->growth = now->middle = from->model.period.deforms ? was->growth : v3(0, 0, 0);
		now->mean = from->model.period.deforms ? was->mean : v3(0, 0, 0);
		now->border = from->model.period.deforms ? was->border : v3(0, 0, 0);
	}
	scree_periods_set(p, now, 0, 1);
}

static bool refuse_cell(reader *r, const fill_spec *f, const import *o)
{
	const images *now = &o->world->state.images;
	const periods *p = &o->world->model.period;
	vec3 low = r->spec.world.domain.min, high = r->spec.world.domain.max;
	char cure[320];
	copy_periodic(p, now->low, &low);
	copy_periodic(p, v3_add(now->low, now->size), &high);
	if (r->flat)
		snprintf(cure, sizeof cure, "write domain: {min: [%.17g m, %.17g m], max: [%.17g m, %.17g m]}", low.x, low.y,
				 high.x, high.y);
	else
		snprintf(cure, sizeof cure,
				 "write domain: {min: [%.17g m, %.17g m, %.17g m], max: [%.17g m, %.17g m, %.17g m]}", low.x, low.y,
				 low.z, high.x, high.y, high.z);
	return REFUSE_VALUE(r, &f->h, "from", cure,
						"from: the periodic cell of '%.200s' has changed or will change size: world.domain must be the "
						"cell of the snapshot",
						f->from_table);
}

/* If both cells are the same, bodies keep their counts of crossed periods. If the snapshot's cell has changed size, a
 * scene whose domain is the original cell adopts the new one, provided that it has no other fill. */
static bool match_cell(reader *r, const fill_spec *f, import *o)
{
	const periods *a = &o->world->model.period, *b = &r->world->model.period;
	const images *now = &o->world->state.images;
	const bool equal = is_cell(a, now->low, now->size, b), alike = same_axes(a, b) && !a->shears && !b->shears;
	const bool again = alike && a->deforms && b->deforms && r->spec.fill.count == 1 && is_cell(a, a->low, a->size, b);
	o->cells = alike && (equal || again);
	if (!equal && !again && (a->deforms || b->deforms)) return refuse_cell(r, f, o);
	if (o->cells && a->on) take_cell(o->world, r->world, equal && !again);
	return true;
}

static new_body body_of(const import *o, int32_t i)
{
	const bodies *b = &o->world->state.body;
	const shape *s = o->world->model.shape.row + b->shape[i];
	return (new_body){.shape = o->shape[b->shape[i]],
					  .material = o->material[b->material[i]],
					  .size = b->size[i],
					  .position = body_position(b, i),
					  .orientation = shape_axes_out(s, body_orientation(b, i)),
					  .velocity = body_velocity(b, i),
					  .angular_velocity = body_angular_velocity(b, i),
					  .flags = b->flags[i],
					  .temperature = body_temperatures(b) ? body_temperatures(b)[i] : 0};
}

static import *new_import(reader *r, const fill_spec *f, scree_world *world)
{
	if (!r->import) r->import = scree_arena_take(&r->memory, (size_t)r->spec.fill.count * sizeof *r->import);
	import *o = r->import + r->imports++;
	*o = (import){.world = world, .fill = f};
	o->shape = scree_arena_take(&r->memory, ((size_t)world->model.shape.count + 1) * sizeof *o->shape);
	o->material = scree_arena_take(&r->memory, ((size_t)world->model.material.count + 1) * sizeof *o->material);
	return o;
}

bool scree_build_snapshot(reader *r, const fill_spec *f, body_list *out)
{
	size_t length;
	fail why = {0};
	const node *at = scree_where(&f->h, "from");
	const char *bytes = scree_reader_file(r, at, f->from_table, (size_t)1 << 34, &length);
	if (!bytes) return false;
	scree_world *world = scree_snapshot_parse(f->from_table, bytes, length, NULL, &why);
	if (!world) return REFUSE(r, at, NULL, "from: %s", why.text);
	import *o = new_import(r, f, world);
	if (!same_kind_of_world(r, f, o) || !match_names(r, f, o) || !match_cell(r, f, o)) return false;
	if (!scree_limit_memory(r, at->at, "from", (real)(out->count + world->state.body.count))) return false;
	o->first = out->count;
	o->row = scree_bodies_by_id(&world->state.body);
	for (int32_t k = 0; k < world->state.body.count; ++k) scree_body_list_add(out, body_of(o, o->row[k]));
	return true;
}

/* Columns that identify a body are not copied; mass, momentum and force are copied only if the density is the same. */
static bool comes_along(const import *o, const char *name, bool same_density)
{
	static const char *const own[] = {"id", "shape", "material"};
	static const char *const of_mass[] = {"mass", "inv_mass", "ix", "iy", "iz", "lx", "ly",
										  "lz",	  "fx",		  "fy", "fz", "tx", "ty", "tz"};
	for (size_t k = 0; k < sizeof own / sizeof *own; ++k)
		if (!strcmp(name, own[k])) return false;
	for (size_t k = 0; k < sizeof of_mass / sizeof *of_mass && !same_density; ++k)
		if (!strcmp(name, of_mass[k])) return false;
	return strncmp(name, "cell_", 5) != 0 || o->cells;
}

static bool same_density(const reader *r, const import *o, int32_t material)
{
	return o->world->model.material.row[material].density ==
		   r->world->model.material.row[o->material[material]].density;
}

static void put_state(reader *r, const import *o)
{
	bodies *to = &r->world->state.body;
	const bodies *from = &o->world->state.body;
	const bool integrator = r->world->model.integrator == o->world->model.integrator;
	if (integrator) scree_bodies_ask(to, scree_world_asks(&r->world->model));
	const bool same = integrator && from->asked.row == to->asked.row;
	for (int f = 0; f < scree_body_rows(to); ++f) {
		const field *row = scree_body_row(to, f);
		if (!row->saved || (f >= scree_body_table.count && !same)) continue;
		const size_t size = scree_kind_size(row->type);
		const char *a = scree_field_array(from, row);
		char *b = scree_field_array(to, row);
		for (int32_t k = 0; k < from->count; ++k) {
			const int32_t i = o->row[k];
			if (comes_along(o, row->name, same_density(r, o, from->material[i])))
				memcpy(b + (size_t)(o->first + k) * size, a + (size_t)i * size, size);
		}
	}
}

void scree_build_imports(reader *r)
{
	for (int32_t k = 0; k < r->imports; ++k) put_state(r, r->import + k);
}

void scree_build_imports_free(reader *r)
{
	for (int32_t k = 0; k < r->imports; ++k) {
		scree_free(r->import[k].row);
		scree_world_free(r->import[k].world);
	}
	r->imports = 0;
}
