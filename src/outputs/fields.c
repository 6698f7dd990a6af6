#include "outputs/outputs.h"

#include "base/maths.h"
#include "format/contacts_by_id.h"
#include "format/vtk_xml.h"
#include "state/pairs.h"
#include "world/world.h"

/* ------------------------------------------------------------------ the function */

/* The coarse-graining function, 0 beyond `reach`; its integral over space, or plane and thickness, is 1. */
typedef struct grain_function {
	field_function of;
	real width, reach, scale;
} grain_function;

static real shape_at(const grain_function *g, real r)
{
	if (!(r <= g->reach)) return 0;
	const real q = r / g->reach, rest = 1 - q;
	if (g->of == FIELD_LUCY) return (1 + 3 * q) * rest * rest * rest;
	return scree_exp(-r * r / (2 * g->width * g->width));
}

/* Simpson's rule over shells */
static real integral(const grain_function *g, bool flat)
{
	enum { PARTS = 512 };
	const real h = g->reach / PARTS;
	real sum = 0;
	for (int k = 0; k <= PARTS; ++k) {
		const real r = k * h, shell = flat ? 2 * SCREE_PI * r : 4 * SCREE_PI * r * r;
		sum += (k == 0 || k == PARTS ? 1 : k % 2 ? 4 : 2) * shell * shape_at(g, r);
	}
	return sum * h / 3;
}

static grain_function function_of(const field_plan *p, const model *m)
{
	grain_function g = {.of = p->function, .width = p->width};
	g.reach = p->width * (p->function == FIELD_LUCY ? 2 : 3);
	g.scale = 1 / (integral(&g, m->flat) * m->thickness);
	return g;
}

/* ------------------------------------------------------------------ adding */

typedef struct grid {
	const field_plan *plan;
	const scree_world *w;
	grain_function function;
	vec3 cell; /* m: edges of a cell */
} grid;

typedef struct cell_range {
	int32_t from[3], to[3];
} cell_range;

static cell_range range_near(const grid *g, vec3 at)
{
	cell_range r;
	for (int d = 0; d < 3; ++d) {
		const real part = (v3_part(at, d) - v3_part(g->plan->low, d)) / v3_part(g->cell, d);
		const real reach = g->function.reach / v3_part(g->cell, d);
		const real most = g->plan->cells[d];
		r.from[d] = (int32_t)real_clamp(part - reach, 0, most);
		r.to[d] = (int32_t)real_clamp(part + reach + 1, 0, most);
	}
	if (g->w->model.flat) r.from[2] = 0, r.to[2] = 1;
	return r;
}

static vec3 centre_of(const grid *g, int32_t x, int32_t y, int32_t z)
{
	const vec3 part = v3((real)x + (real)0.5, (real)y + (real)0.5, (real)z + (real)0.5);
	return v3(g->plan->low.x + part.x * g->cell.x, g->plan->low.y + part.y * g->cell.y,
			  g->w->model.flat ? 0 : g->plan->low.z + part.z * g->cell.z);
}

/* Called for each cell near a point, with the value of the function there. */
typedef void add_fn(void *to, int64_t cell, real weight);

static void spread_one(const grid *g, vec3 at, add_fn *add, void *to)
{
	const cell_range r = range_near(g, at);
	const int32_t *n = g->plan->cells;
	for (int32_t z = r.from[2]; z < r.to[2]; ++z)
		for (int32_t y = r.from[1]; y < r.to[1]; ++y)
			for (int32_t x = r.from[0]; x < r.to[0]; ++x) {
				const real f = shape_at(&g->function, v3_norm(v3_sub(centre_of(g, x, y, z), at)));
				if (f > 0) add(to, ((int64_t)z * n[1] + y) * n[0] + x, f * g->function.scale);
			}
}

/* also for images of the point, in a periodic world */
static void spread_images(const grid *g, vec3 at, add_fn *add, void *to)
{
	const periods *p = &g->w->model.period;
	const int32_t x = p->axis[0], y = p->axis[1], z = p->axis[2];
	for (int32_t i = -x; i <= x; ++i)
		for (int32_t j = -y; j <= y; ++j)
			for (int32_t k = -z; k <= z; ++k)
				spread_one(g, v3_add(at, v3(i ? i * p->size.x : 0, j ? j * p->size.y : 0, k ? k * p->size.z : 0)), add,
						   to);
}

static void add_product(real *to, real weight, vec3 a, vec3 b)
{
	to[0] += weight * (a.x * b.x);
	to[1] += weight * (a.y * b.y);
	to[2] += weight * (a.z * b.z);
	to[3] += weight * (a.x * b.y + a.y * b.x) / 2;
	to[4] += weight * (a.x * b.z + a.z * b.x) / 2;
	to[5] += weight * (a.y * b.z + a.z * b.y) / 2;
}

/* ------------------------------------------------------------------ bodies and contacts */

typedef struct adding {
	grid_fields *to;
	real mass;	 /* kg, one body */
	vec3 a, b;	 /* velocity; force on a body, and branch vector */
	real weight; /* weight of a point of the branch in the quadrature */
} adding;

static void add_mass(void *of, int64_t cell, real f)
{
	const adding *o = of;
	o->to->density[cell] += o->mass * f;
	o->to->momentum[3 * cell + 0] += o->mass * o->a.x * f;
	o->to->momentum[3 * cell + 1] += o->mass * o->a.y * f;
	o->to->momentum[3 * cell + 2] += o->mass * o->a.z * f;
}

static void add_deviation(void *of, int64_t cell, real f)
{
	const adding *o = of;
	const real *mean = o->to->velocity + 3 * cell;
	const vec3 v = v3_sub(o->a, v3(mean[0], mean[1], mean[2]));
	add_product(o->to->kinetic + 6 * cell, o->mass * f, v, v);
}

static void add_branch(void *of, int64_t cell, real f)
{
	const adding *o = of;
	add_product(o->to->contact + 6 * cell, o->weight * f, o->a, o->b);
}

static void add_bodies(const grid *g, grid_fields *f, add_fn *add)
{
	const bodies *b = &g->w->state.body;
	int32_t *order = scree_bodies_by_id(b);
	for (int32_t k = 0; k < b->owned; ++k) {
		const int32_t i = order[k];
		adding o = {.to = f, .mass = b->mass[i], .a = body_velocity(b, i)};
		spread_images(g, body_position(b, i), add, &o);
	}
	scree_free(order);
}

static void find_velocity(grid_fields *f)
{
	for (int64_t k = 0; k < f->count; ++k)
		for (int d = 0; d < 3; ++d)
			f->velocity[3 * k + d] = f->density[k] > 0 ? f->momentum[3 * k + d] / f->density[k] : 0;
}

/* The integral along the branch, for a wall from contact to centre, by Gauss-Legendre quadrature with eight points. */
static void add_contact(const grid *g, grid_fields *f, int kind, int64_t k)
{
	static const real node[4] = {0.1834346424956498, 0.5255324099163290, 0.7966664774136267, 0.9602898564975363},
					  part[4] = {0.3626837833783620, 0.3137066458778873, 0.2223810344533745, 0.1012285362903763};
	const scree_world *w = g->w;
	const vec3 branch = scree_contact_branch(&w->model, &w->state, &w->work, kind, k);
	const vec3 end = body_position(&w->state.body, w->state.pair[kind].ca[k]);
	adding o = {.to = f, .a = scree_contact_look(&w->model, &w->state, &w->work, kind, k).force.force, .b = branch};
	for (int n = 0; n < 8; ++n) {
		const real along = (1 + (n % 2 ? node[n / 2] : -node[n / 2])) / 2;
		o.weight = part[n / 2] / 2;
		spread_images(g, v3_madd(end, -along, branch), add_branch, &o);
	}
}

grid_fields scree_grid_fields(const field_plan *p, const scree_world *w)
{
	const vec3 size = v3_sub(p->high, p->low);
	const grid g = {p, w, function_of(p, &w->model),
					v3(size.x / p->cells[0], size.y / p->cells[1], w->model.flat ? 1 : size.z / p->cells[2])};
	const size_t n = (size_t)p->cells[0] * (size_t)p->cells[1] * (size_t)p->cells[2];
	grid_fields f = {.count = (int64_t)n,
					 .density = scree_alloc(n, sizeof(real)),
					 .momentum = scree_alloc(3 * n, sizeof(real)),
					 .velocity = scree_alloc(3 * n, sizeof(real)),
					 .contact = scree_alloc(6 * n, sizeof(real)),
					 .kinetic = scree_alloc(6 * n, sizeof(real))};
	add_bodies(&g, &f, add_mass);
	find_velocity(&f);
	add_bodies(&g, &f, add_deviation);
	for (int kind = 0; kind < PAIR_KINDS; ++kind) {
		int32_t count;
		int64_t *order = scree_contacts_by_id(w, kind, &count);
		for (int32_t k = 0; k < count; ++k) add_contact(&g, &f, kind, order[k]);
		scree_free(order);
	}
	return f;
}

void scree_grid_fields_free(grid_fields *f)
{
	SCREE_FREE_ALL(f->density, f->momentum, f->velocity, f->contact, f->kinetic);
	*f = (grid_fields){0};
}

bool scree_grid_fields_write(const field_plan *p, const scree_world *w, const char *path, fail *why)
{
	const int32_t *n = p->cells;
	const vec3 size = v3_sub(p->high, p->low);
	grid_fields f = scree_grid_fields(p, w);
	vtk_text t = {0};
	scree_vtk_put(
		&t,
		"<?xml version=\"1.0\"?>\n<VTKFile type=\"ImageData\" version=\"1.0\" byte_order=\"LittleEndian\" "
		"header_type=\"UInt64\" compressor=\"vtkZLibDataCompressor\">\n"
		"<ImageData WholeExtent=\"0 %d 0 %d 0 %d\" Origin=\"%.17g %.17g %.17g\" Spacing=\"%.17g %.17g %.17g\">\n"
		"<FieldData>\n",
		n[0], n[1], w->model.flat ? 0 : n[2], p->low.x, p->low.y, w->model.flat ? 0 : p->low.z, size.x / n[0],
		size.y / n[1], w->model.flat ? 1 : size.z / n[2]);
	scree_vtk_put(
		&t,
		"<DataArray type=\"Float64\" Name=\"TimeValue\" NumberOfTuples=\"1\" format=\"ascii\">%.17g</DataArray>\n"
		"</FieldData>\n<Piece Extent=\"0 %d 0 %d 0 %d\">\n<CellData>\n",
		w->state.time, n[0], n[1], w->model.flat ? 0 : n[2]);
	scree_vtk_floats(&t, "density", 1, f.density, f.count);
	scree_vtk_floats(&t, "momentum", 3, f.momentum, 3 * f.count);
	scree_vtk_floats(&t, "velocity", 3, f.velocity, 3 * f.count);
	scree_vtk_floats(&t, "stress_contact", 6, f.contact, 6 * f.count);
	scree_vtk_floats(&t, "stress_kinetic", 6, f.kinetic, 6 * f.count);
	scree_vtk_put(&t, "</CellData>\n</Piece>\n</ImageData>\n</VTKFile>\n");
	scree_grid_fields_free(&f);
	const bool ok = scree_file_write(path, t.text, t.used, why);
	scree_free(t.text);
	return ok;
}
