/* build: makes a world and the plan of the run from the plain data of a scene (spec.h). Walls are prepared before
 * bodies are placed, since bodies at random positions must not touch walls. */
#include "model/respond.h"
#include "scene/reader.h"

#include "broad/broad.h"
#include "model/integrator.h"
#include "model/law.h"
#include "model/sharing.h"
#include "model/response.h"
#include "narrow/triangle/triangles.h"
#include "prepare/prepare.h"
#include "shape/shapes.h"
#include "world/world.h"

static bool needs_young(int32_t law) { return scree_laws[law].takes & TAKES_YOUNG; }

static void build_materials(reader *r)
{
	const scene_spec *s = &r->spec;
	materials *m = &r->world->model.material;
	const material_spec *row = s->materials.item;
	for (int32_t i = 0; i < s->materials.count; ++i) {
		material one = {.density = row[i].density,
						.young = row[i].young,
						.poisson = row[i].poisson,
						.conductivity = row[i].conductivity,
						.capacity = row[i].capacity,
						.conduction_young = row[i].conduction_young};
		snprintf(one.name, sizeof one.name, "%s", row[i].h.name);
		scree_materials_add(m, one);
	}
	scree_build_rules(r, m);
	for (int32_t i = 0; i < m->count && !scree_scene_solver(&s->run); ++i)
		for (int32_t j = 0; j < m->count; ++j)
			if (needs_young(scree_materials_rule(m, i, j)->law) && !(m->row[i].young > 0)) {
				scree_report(&r->r, scree_named_at(row[i].h.where), "for example, add young: 10 MPa",
							 "%s: the key 'young' is missing; the law %s needs it", m->row[i].name,
							 scree_laws[scree_materials_rule(m, i, j)->law].name);
				break;
			}
}

/* adds a polygon with its corners on a circle, so that it is always convex */
static int32_t add_random_polygon(shapes *s, const char *name, const random_polygon_spec *spec, fail *why)
{
	int32_t n = (int32_t)spec->corners;
	vec3 *corner = scree_alloc((size_t)n, sizeof *corner);
	random_stream random = scree_random_start((uint64_t)spec->seed, 3ull << 32);
	real loose = (real)0.95 * (1 - spec->roundness); /* largest random shift of a corner, as a fraction of its arc */
	for (int32_t k = 0; k < n; ++k) {
		real y, x, turn = 2 * SCREE_PI * (k + loose * (scree_random_real(&random) - (real)0.5)) / n;
		scree_sincos(turn, &y, &x);
		corner[k] = v3(x / 2, y / 2, 0);
	}
	int32_t row = scree_shapes_add_polygon(s, name, n, corner, why);
	scree_free(corner);
	return row;
}

static int32_t add_polygon(shapes *s, const char *name, const flat_polygon_spec *spec, fail *why)
{
	if (spec->random.h.where) return add_random_polygon(s, name, &spec->random, why);
	if (spec->points.item) return scree_shapes_add_polygon(s, name, spec->points.count, spec->points.item, why);
	return scree_shapes_add_regular_polygon(s, name, (int32_t)spec->sides, why);
}

static int32_t add_flat_shape(shapes *s, const shape_spec *spec, fail *why)
{
	const char *name = spec->h.name;
	if (spec->disc.h.where) return scree_shapes_add_disc(s, name, why);
	if (spec->ellipse.h.where)
		return scree_shapes_add_ellipse(s, name, spec->ellipse.length / 2, spec->ellipse.width / 2, why);
	if (spec->polygon.h.where) return add_polygon(s, name, &spec->polygon, why);
	real x = spec->box.x / 2, y = spec->box.y / 2;
	const vec3 corner[4] = {{-x, -y, 0}, {x, -y, 0}, {x, y, 0}, {-x, y, 0}};
	return scree_shapes_add_polygon(s, name, 4, corner, why);
}

static int32_t add_cylinder(shapes *s, const char *name, const round_spec *spec, fail *why)
{
	const real round = spec->diameter / 2, half = spec->length / 2;
	if (scree_given(&spec->h, "facets"))
		return scree_shapes_add_prism(s, name, spec->length, spec->diameter, (int32_t)spec->facets, why);
	return scree_shapes_add_superquadric(s, name, v3(round, round, half), 2, spec->power, why);
}

static int32_t add_shape(reader *r, const shape_spec *spec, fail *why)
{
	shapes *s = &r->world->model.shape;
	const char *name = spec->h.name;
	if (r->flat) return add_flat_shape(s, spec, why);
	if (spec->sphere.h.where) return scree_shapes_add_sphere(s, name);
	if (spec->hull.item) return scree_shapes_add_hull(s, name, spec->hull.count, spec->hull.item, why);
	if (spec->mesh.h.where) return scree_build_mesh_shape(r, name, &spec->mesh, why);
	if (spec->granulate.h.where) return scree_build_granulate(r, name, &spec->granulate, why);
	if (spec->clump.h.where) return scree_build_clump(r, name, &spec->clump, why);
	if (scree_given(&spec->h, "ellipsoid"))
		return scree_shapes_add_superquadric(s, name, v3_mul((real)0.5, spec->ellipsoid), 2, 2, why);
	if (spec->superquadric.h.where) {
		const vec3 semi = v3_mul((real)0.5, spec->superquadric.axes);
		return scree_shapes_add_superquadric(s, name, semi, spec->superquadric.power[0], spec->superquadric.power[1],
											 why);
	}
	if (spec->cylinder.h.where) return add_cylinder(s, name, &spec->cylinder, why);
	if (spec->capsule.h.where)
		return scree_shapes_add_capsule(s, name, spec->capsule.length, spec->capsule.diameter, why);
	if (scree_given(&spec->h, "box")) return scree_shapes_add_box(s, name, spec->box, why);
	return scree_shapes_add_regular(s, name, scree_words_solids(NULL, spec->regular), why);
}

static void build_shapes(reader *r)
{
	const shape_spec *spec = r->spec.shapes.item;
	r->shape = scree_arena_take(&r->memory, ((size_t)r->spec.shapes.count + 1) * sizeof *r->shape);
	for (int32_t k = 0; k < r->spec.shapes.count; ++k) {
		fail why = {0};
		scree_progress_begin("shape", spec[k].h.name);
		int32_t row = add_shape(r, &spec[k], &why);
		real scale = spec[k].sphere.h.where ? spec[k].sphere.diameter
					 : spec[k].disc.h.where ? spec[k].disc.diameter
											: 1;
		for (int32_t of = row; of >= 0 && of < r->world->model.shape.count; ++of)
			r->world->model.shape.row[of].scale = scale;
		r->shape[k] = (shape_rows){row, spec[k].granulate.h.where ? (int32_t)spec[k].granulate.count : 1, 0, scale};
		bool meshed = (spec[k].mesh.h.where && spec[k].mesh.as != MESH_HULL) ||
					  (spec[k].clump.file && !scree_clump_is_listed(&spec[k].clump));
		const char *hint = meshed && !r->repairs ? "scree check --repair repairs what can be repaired safely" : NULL;
		if (row == -1) REFUSE(r, spec[k].h.where->first, hint, "%s", why.text);
	}
}

/* sets the periods of the world; the guard checks only the other axes */
static void build_periods(const world_spec *s, scree_world *w)
{
	periods *p = &w->model.period;
	p->gradient = 1;
	if (!s->periodic.count) return;
	p->low = s->domain.min;
	p->size = v3_sub(s->domain.max, s->domain.min);
	if (w->model.flat) p->size.z = w->model.thickness; /* stress requires a volume, even in the plane */
	EACH(const int32_t, axis, s->periodic)
	{
		p->axis[*axis] = true;
		*v3_along(&w->model.guard.low, *axis) = -INFINITY;
		*v3_along(&w->model.guard.high, *axis) = INFINITY;
	}
	w->model.guard.bounded = !(p->axis[0] && p->axis[1] && p->axis[2]);
	if (s->shear.h.where) {
		p->shears = true;
		p->rate = s->shear.rate;
		p->flow = s->shear.flow;
		p->gradient = s->shear.gradient;
	}
	periods_begin(p);
	p->deforms = scree_build_cell(s, &w->model.wall, &w->model.cell);
	scree_periods_start(p, &w->state.images, scree_cell_rate(&w->model.cell, 0));
	scree_periods_set(p, &w->state.images, 0, 1);
}

static void build_world(reader *r)
{
	const world_spec *s = &r->spec.world;
	const run_spec *run = &r->spec.run;
	const guard_spec *g = &run->guard;
	model *m = &r->world->model;
	m->flat = r->flat;
	m->thickness = r->flat ? s->thickness : 1;
	m->gravity = s->gravity;
	if (scree_given(&s->h, "temperature")) m->temperature = s->temperature;
	m->unsafe = run->step.unsafe;
	m->guard = (guards){.overlap = g->overlap,
						.speed = g->speed,
						.energy = g->energy,
						.method = g->method,
						.energy_reports = g->tells,
						.lost_is_error = g->lost == 0,
						.bounded = s->domain.h.where != NULL,
						.low = s->domain.min,
						.high = s->domain.max};
	if (r->flat) m->guard.low.z = -INFINITY, m->guard.high.z = INFINITY;
	build_periods(s, r->world);
	m->search = scree_broad_row(run->broad_phase);
	m->share = scree_sharing_row(run->share);
	m->triangles = (triangle_choice){run->triangles, (int32_t)run->triangle_batch, run->triangle_precision};
	m->skin_given = scree_node_child(run->h.where, "skin") != NULL;
	if (m->skin_given) m->skin = run->skin;
	m->integrator = scree_integrator_row(run->integrator);
	const fluid_spec *f = &s->fluid;
	if (f->h.where) m->fluid = (fluid){true, f->buoyancy, f->density, f->viscosity, f->velocity, f->drag};
	m->narrow = scree_narrow_row(run->narrow_phase);
	model_respond(m, scree_response_row(run->response));
	m->correction = run->correction;
	if (m->solver && m->solver->sampled) m->directions = (int32_t)run->friction_directions;
}

/* source position for errors about a whole top-level section, or the scene's position if the section is missing */
static place section_place(const reader *r, const char *name)
{
	const node *n = scree_node_child(r->root, name);
	return n ? n->key_at : r->root->at;
}

static bool prepare(reader *r, real part, real step, const char *where)
{
	fail why = {0};
	if (scree_world_prepare(r->world, part, step, &why)) return true;
	return scree_report(&r->r, section_place(r, where), NULL, "%s", why.text);
}

static bool check_turns(reader *r)
{
	fail why = {0};
	if (scree_world_turns_check(&r->world->model, &r->world->state, &why)) return true;
	return REFUSE_VALUE(r, &r->spec.run.h, "integrator", NULL, "%s", why.text);
}

/* Refuses keys for surfaces with a halo if the scene has no such surfaces. */
static bool check_surface_keys(reader *r)
{
	run_spec *o = &r->spec.run;
	const bool batched = o->triangles == TRIANGLES_BATCHES;
	const char *name = o->share				   ? "share"
					   : o->triangles		   ? "triangles"
					   : o->triangle_precision ? "triangle_precision"
											   : NULL;
	const bool given = scree_given(&o->h, "triangle_batch");
	if (!batched && !given) scree_forget(&o->h, "triangle_batch"); /* the resolved scene omits this key */
	if (!batched && given)
		return REFUSE_VALUE(r, &o->h, "triangle_batch", "add triangles: hybrid/batch, or leave the key out",
							"only run.triangles: hybrid/batch has batches");
	bool any = !name;
	for (int32_t k = 0; k < r->world->model.shape.count && !any; ++k)
		any = r->world->model.shape.row[k].type == SHAPE_SURFACE;
	if (any) return true;
	return REFUSE_VALUE(r, &o->h, name, "leave the key out",
						"run.%s applies to surfaces with a halo, but the scene has no such shape", name);
}

/* called before and after building bodies */
static bool check_periods(reader *r)
{
	fail why = {0};
	if (!r->world->model.period.on ||
		scree_world_periods_check(&r->world->model, &r->world->state, &r->world->work, &why))
		return true;
	return REFUSE_VALUE(r, &r->spec.world.h, "periodic", NULL, "%s", why.text);
}

enum { FEWEST_STEPS = 10 }; /* number of steps in a run that is shorter than one usual step */

/* Makes the run at least one step long, unless it only shows the initial state. A step chosen by the engine is
 * shortened; a step set by the scene must fit into the run. */
static bool shorten_step(reader *r, real part, real step)
{
	const run_spec *run = &r->spec.run;
	if (!prepare(r, part, step, "run")) return false;
	if (!(run->until > 0) || run->until >= r->world->model.dt) return true;
	if (!(step > 0)) return prepare(r, 0, run->until / FEWEST_STEPS, "run");
	return REFUSE_VALUE(
		r, &run->h, "step", "lower run.step, raise run.until, or remove run.step",
		"run.step: a step of %.3g s is longer than the whole run, %.3g s, which would end without a step",
		r->world->model.dt, run->until);
}

/* Positions walls and builds their grids. Without bodies the step (1 s) has no effect and is not tested. */
static bool prepare_walls(reader *r)
{
	model *m = &r->world->model;
	const bool unsafe = m->unsafe;
	m->unsafe = true;
	const bool right = prepare(r, 0, 1, "contacts");
	m->unsafe = unsafe;
	return right;
}

/* Tests whether the run makes no steps and the scene contains nothing that could move. */
static bool shows_walls_alone(const reader *r)
{
	const scene_spec *s = &r->spec;
	return !r->world->state.body.count && !s->sources.count && !s->stages.count && !(s->run.until > 0);
}

/* Increases the initial mass of a servo to the largest mass that any stage requires. */
static void weigh_servos(walls *all, const real *mass)
{
	for (int32_t k = 0; k < all->count; ++k) {
		wall *o = all->row + k;
		if (!motion_is_driven(o->motion.type) || o->motion.servo.mass > 0 || !(mass[k] > o->servo.mass)) continue;
		if (!(o->motion.servo.max_speed > 0)) o->servo.max_speed *= sqrt(o->servo.mass / mass[k]);
		o->servo.mass = mass[k];
	}
}

/* Tries all stages, and sets a step that is allowed in all of them. */
static bool try_stages(reader *r, real part, real step)
{
	walls *all = &r->world->model.wall;
	real *mass = scree_alloc((size_t)all->count, sizeof *mass);
	const real allowed = scree_build_rehearse(r, part, !(step > 0), mass);
	const bool good = !r->r.total && shorten_step(r, part, step) &&
					  (!(allowed < r->world->model.dt) || prepare(r, 0, allowed, "run"));
	if (good) weigh_servos(all, mass);
	scree_free(mass);
	return good;
}

void scree_reader_build(reader *r)
{
	const scene_spec *s = &r->spec;
	r->world = scree_world_new();
	build_world(r);
	scree_build_flow(r, &r->world->model.flow);
	build_shapes(r);
	build_materials(r);
	scree_build_walls(r);
	if (!r->r.total && !check_periods(r)) return;
	if (!r->r.total && s->materials.count) {
		if (prepare_walls(r)) scree_build_fills(r);
	} else if (!s->materials.count) {
		REFUSE(r, r->root, "for example, add materials: {stone: {density: 2600 kg/m^3, young: 10 MPa}}",
			   "the scene has no materials");
	}
	if (r->r.total) return;
	scree_build_population(r);
	scree_build_check_meshes(r);
	real part = scree_node_child(s->run.step.h.where, "fraction") ? s->run.step.fraction : 0;
	if (scree_scene_solver(&s->run)) part = s->run.step.way;
	real step = scree_node_child(s->run.step.h.where, "time") ? s->run.step.time : 0;
	if (shows_walls_alone(r) && !(step > 0)) step = 1; /* without effect */
	if (r->r.total || !check_periods(r) || !check_turns(r) || !check_surface_keys(r) || !shorten_step(r, part, step))
		return;
	if (s->stages.count && !try_stages(r, part, step)) return;
	if (!(step > 0) && !(part > 0)) scree_world_own_step(&r->world->model);
	scree_build_resolve_servos(r);
	scree_limit_run(r);
	r->world->state.stage = (stage_state){.count = s->stages.count, .since = -1};
	scree_build_start(r);
	if (!r->r.total) scree_build_histories(r);
}
