#include "format/snapshot_world.h"

#include "base/memory.h"
#include "broad/broad.h"
#include "choices/choices.h"
#include "format/contacts_by_id.h"
#include "format/snapshot_checks.h"
#include "kernel/cohesion.h"
#include "model/integrator.h"
#include "model/law.h"
#include "model/narrow.h"
#include "model/sharing.h"
#include "model/response.h"
#include "narrow/triangle/triangles.h"
#include "prepare/prepare.h"
#include "shape/shape_forms.h"
#include "shape/thickness.h"
#include "state/contact_key.h"
#include "wall/forms.h"
#include "wall/motion_table.h"
#include "world/slice.h"
#include "world/world.h"

#include <stdio.h>
#include <string.h>

/* Reports the result of a check of snapshot_checks.h: NULL, or a description of the error. */
static void take(stream *s, const char *fault) { scree_stream_check(s, !fault, fault); }

/* Tests whether a temperature is not negative, and no wonder. */
static bool bearable(real temperature) { return temperature >= 0 && temperature < (real)1e12; }

/* ------------------------------------------------------------------ numbers, materials, ledger */

static void pass_energy_guard(stream *s, guards *limits, energy_guard *g)
{
	scree_stream_real(s, &limits->energy);
	scree_stream_bool(s, &limits->energy_reports);
	scree_stream_real(s, &g->held);
	scree_stream_real(s, &g->busiest);
	scree_stream_real(s, &g->floor);
	scree_stream_real(s, &g->worst);
	scree_stream_real(s, &g->worst_time);
	scree_stream_i32(s, &g->count);
	if (!scree_stream_check(s, g->count >= 0 && g->count <= ENERGY_READINGS, "readings of energy are invalid"))
		g->count = 0;
	for (int32_t k = 0; k < g->count; ++k) {
		scree_stream_real(s, g->wrong + k);
		scree_stream_real(s, g->made + k);
		scree_stream_real(s, g->lost + k);
	}
	for (int32_t k = 0; k < ENERGY_LEVELS; ++k) {
		energy_level *o = g->level + k;
		scree_stream_real(s, &o->wrong);
		scree_stream_real(s, &o->made);
		scree_stream_real(s, &o->turned);
		scree_stream_i64(s, &o->steps);
	}
	for (int32_t k = 0; k < ENERGY_LEVELS; ++k) {
		scree_stream_fixed(s, &g->classes[k].made);
		scree_stream_fixed(s, &g->classes[k].lost);
		scree_stream_i64(s, &g->classes[k].patches);
		scree_stream_real(s, g->class_held + k);
	}
}

static const char *absent(const char *name, const char *what)
{
	return scree_choice_left_out(name) ? "a choice of it repeats a paper, and this scree was built without those "
										 "(SCREE_PAPERS=OFF)"
									   : what;
}

/* Saves or loads the row that a world has chosen, by its name. */
static const void *pass_choice(stream *s, const choices *c, const void *now, const char *what)
{
	char name[32] = "";
	if (s->saving) strncpy(name, *(const char *const *)now, sizeof name - 1);
	scree_stream_name(s, name, sizeof name);
	if (s->saving) return now;
	const void *row = scree_choice_find(c, name);
	return scree_stream_check(s, row != NULL, absent(name, what)) ? row : now;
}

/* Saves or loads the time; version 6 had steps of one length. */
static void pass_time(stream *s, state *o)
{
	if (s->version < 7) {
		o->begun = o->step > 0;
		return;
	}
	scree_stream_i64(s, &o->step_from);
	scree_stream_real(s, &o->time_from);
	scree_stream_real(s, &o->until_from);
	scree_stream_bool(s, &o->begun);
}

/* Saves or loads the stage of the scene; before version 8 there were none. */
static void pass_stage(stream *s, stage_state *o)
{
	if (s->version < 8) return;
	scree_stream_i32(s, &o->count);
	if (!o->count) return;
	scree_stream_i32(s, &o->now);
	scree_stream_bool(s, &o->over);
	scree_stream_i64(s, &o->step);
	real *reals[4] = {&o->time, &o->since, &o->reference, &o->mass};
	for (int k = 0; k < 4; ++k) scree_stream_real(s, reals[k]);
	if (s->version >= 11) scree_stream_vec3(s, &o->cell);
}

static void pass_implicit(stream *s, impulses *i)
{
	scree_stream_i64(s, &i->sweeps);
	scree_stream_i64(s, &i->capped);
	scree_stream_real(s, &i->solved);
	scree_stream_real(s, &i->unsolved);
	scree_stream_real(s, &i->window_solved);
	scree_stream_real(s, &i->window_unsolved);
}

/* of solvers with one problem per body */
static void pass_one_bodies(stream *s, scree_world *w)
{
	impulses *o = &w->state.impulse;
	scree_stream_i32(s, &w->model.directions);
	scree_stream_i64(s, &o->stopped);
	scree_stream_i64(s, &o->limited);
	scree_stream_fixed(s, &o->given);
	scree_stream_fixed(s, &o->unbalanced);
}

static void pass_numbers(stream *s, scree_world *w)
{
	guards *g = &w->model.guard;
	ledger *e = &w->state.energy;
	scree_stream_real(s, &w->state.time);
	scree_stream_real(s, &w->model.dt);
	scree_stream_i64(s, &w->state.step);
	pass_time(s, &w->state);
	scree_stream_u64(s, &w->state.next_id);
	scree_stream_i64(s, &w->state.lost);
	scree_stream_vec3(s, &w->model.gravity);
	scree_stream_real(s, &g->overlap);
	scree_stream_real(s, &g->speed);
	scree_stream_bool(s, &g->bounded);
	scree_stream_bool(s, &g->lost_is_error);
	scree_stream_vec3(s, &g->low);
	scree_stream_vec3(s, &g->high);
	scree_stream_bool(s, &w->model.unsafe);
	pass_energy_guard(s, &w->model.guard, &w->state.energy_guard);
	fixed *sums[6] = {&e->lost_normal, &e->lost_friction, &e->lost_rolling, &e->made, &e->wall_work, &e->brought};
	for (int k = 0; k < 6; ++k) scree_stream_fixed(s, sums[k]);
	scree_stream_real(s, &e->wall_power);
	scree_stream_real(s, &e->points_power);
	scree_stream_real(s, &e->points_heat);
	w->model.search = pass_choice(s, &scree_broads, w->model.search, "there is no such broad phase");
	char narrow_name[32] = "";
	if (s->saving) strncpy(narrow_name, w->model.narrow->name, sizeof narrow_name - 1);
	scree_stream_name(s, narrow_name, sizeof narrow_name);
	w->model.share = pass_choice(s, &scree_sharings, w->model.share, "there is no such way to share");
	char triangles[32] = "";
	if (s->saving) strncpy(triangles, scree_triangle_ways[w->model.triangles.way].name, sizeof triangles - 1);
	scree_stream_name(s, triangles, sizeof triangles);
	scree_stream_i32(s, &w->model.triangles.batch);
	scree_stream_i32(s, &w->model.triangles.in_float);
	w->model.integrator = pass_choice(s, &scree_integrators, w->model.integrator, "there is no such integrator");
	fluid *f = &w->model.fluid;
	int law = f->drag;
	scree_stream_bool(s, &f->on);
	scree_stream_bool(s, &f->buoyancy);
	scree_stream_real(s, &f->density);
	scree_stream_real(s, &f->viscosity);
	scree_stream_vec3(s, &f->velocity);
	scree_stream_named(s, &law, &scree_drag_names, "there is no such law of drag");
	f->drag = law;
	scree_stream_real(s, &e->fluid_power);
	char response_name[32] = ""; /* empty: the first row, forces */
	const response *r = w->model.response;
	if (s->saving && r && r != scree_response_row(0)) strncpy(response_name, r->name, sizeof response_name - 1);
	scree_stream_name(s, response_name, sizeof response_name);
	scree_stream_real(s, &w->model.correction);
	scree_stream_i64(s, &w->state.impulse.collisions);
	if (!s->saving) {
		r = *response_name ? scree_response_find(response_name) : scree_response_row(0);
		if (scree_stream_check(s, r != NULL, absent(response_name, "there is no such response")))
			model_respond(&w->model, r);
	}
	if (w->model.implicit) pass_implicit(s, &w->state.impulse);
	if (w->model.solver && w->model.solver->halves) pass_one_bodies(s, w);
	scree_stream_bool(s, &w->model.skin_given);
	if (w->model.skin_given) /* a width that is not given follows from the motion of bodies and is not state */
		scree_stream_real(s, &w->model.skin);
	pass_stage(s, &w->state.stage);
	if (s->saving) return;
	take(s, scree_check_numbers(w));
	w->model.triangles.way = scree_triangle_way_find(triangles);
	const triangle_choice *t = &w->model.triangles;
	const bool known = t->way >= 0 && t->batch >= 0 && t->batch <= 64 && (t->in_float & ~1) == 0;
	if (!scree_stream_check(s, known, absent(triangles, "there is no such way to compare triangles")))
		w->model.triangles = (triangle_choice){0};
	const narrow *way = scree_narrow_find(narrow_name);
	if (scree_stream_check(s, way != NULL, absent(narrow_name, "there is no such narrow phase"))) w->model.narrow = way;
}

static void pass_rule(stream *s, contact_rule *r)
{
	int law = r->law;
	scree_stream_choice(s, &law, LAWS, &scree_laws[0].name, sizeof *scree_laws, "there is no such contact law");
	r->law = law;
	scree_stream_check(s, scree_law_name(law) != NULL, absent(scree_laws[law].name, ""));
	real *number[5] = {&r->restitution, &r->friction, &r->rolling_friction, &r->stiffness, &r->tangential_ratio};
	for (int k = 0; k < 5; ++k) scree_stream_real(s, number[k]);
	scree_stream_real(s, &r->twisting_friction);
	int cohesion = r->cohesion;
	scree_stream_named(s, &cohesion, &scree_cohesion_names, "there is no such cohesion");
	r->cohesion = cohesion;
	scree_stream_real(s, &r->surface);
	if (cohesion == COHESION_CAPILLARY) {
		scree_stream_real(s, &r->bridge);
		scree_stream_real(s, &r->wetting);
	}
	power_rule *p = &r->power;
	real *of_power[4] = {&p->stiffness, &p->damping, &p->exponent, &p->tangential};
	for (int k = 0; k < 4; ++k) scree_stream_real(s, of_power[k]);
	bool attraction = p->attraction;
	scree_stream_bool(s, &attraction);
	p->attraction = attraction;
	plastic_rule *y = &r->plastic;
	real *of_plastic[3] = {&y->unloading, &y->adhesion, &y->depth};
	for (int k = 0; k < 3 && scree_laws[law].takes & TAKES_PLASTIC; ++k) scree_stream_real(s, of_plastic[k]);
}

static void pass_bond(stream *s, bond_rule *r)
{
	real *number[] = {&r->young,  &r->ratio,   &r->tension, &r->shear, &r->deviation,
					  &r->factor, &r->damping, &r->gap,		&r->from};
	for (size_t k = 0; k < sizeof number / sizeof *number; ++k) scree_stream_real(s, number[k]);
	scree_stream_i64(s, &r->seed);
}

static void pass_bonds(stream *s, scree_world *w)
{
	const materials *m = &w->model.material;
	for (int32_t k = 0; k < m->count * m->count && s->ok; ++k) pass_bond(s, &m->rule[k].bond);
	scree_stream_i64(s, &w->state.broken);
	for (int k = 0; k < 2; ++k) scree_stream_u64(s, w->state.bonded + k);
	scree_stream_check(s, w->state.broken >= 0, "the count of broken bonds is invalid");
}

static bool has_bonds(const materials *m)
{
	for (int32_t k = 0; k < m->count * m->count; ++k)
		if (m->rule[k].bond.tension > 0) return true;
	return false;
}

static void pass_heat(stream *s, scree_world *w)
{
	const materials *m = &w->model.material;
	ledger *e = &w->state.energy;
	for (int32_t k = 0; k < m->count && s->ok; ++k) {
		scree_stream_real(s, &m->row[k].conductivity);
		scree_stream_real(s, &m->row[k].capacity);
		scree_stream_real(s, &m->row[k].conduction_young);
	}
	for (int32_t k = 0; k < m->count * m->count && s->ok; ++k) scree_stream_real(s, &m->rule[k].friction_heat);
	scree_stream_real(s, &w->model.temperature);
	fixed *sums[3] = {&e->heat_walls, &e->heat_friction, &e->heat_brought};
	for (int k = 0; k < 3; ++k) scree_stream_fixed(s, sums[k]);
	if (!s->saving && s->ok) take(s, scree_check_heat(w));
}

/* Counts of implicit steps that steps by forces have followed. */
static void pass_counts(stream *s, scree_world *w)
{
	pass_implicit(s, &w->state.impulse);
	if (!s->saving && s->ok) take(s, scree_check_counts(&w->state.impulse));
}

static void pass_greatest(stream *s, scree_world *w)
{
	greatest_values *g = &w->state.greatest;
	scree_stream_real(s, &g->overlap);
	scree_stream_real(s, &g->speed);
	scree_stream_check(s, g->overlap >= 0 && g->overlap < INFINITY && g->speed >= 0 && g->speed < INFINITY,
					   "its greatest overlap or speed is invalid");
}

static void pass_own_step(stream *s, scree_world *w)
{
	scree_stream_real(s, &w->model.own_step);
	scree_stream_check(s, w->model.own_step > 0 && w->model.own_step < (real)1e30, "the step of the run is invalid");
}

/* What the guard of energy and the ledger have since they know losses of the method and free walls. */
static void pass_energy(stream *s, scree_world *w)
{
	energy_guard *g = &w->state.energy_guard;
	ledger *e = &w->state.energy;
	scree_stream_fixed(s, &e->lost_method);
	real *number[6] = {&e->method_now, &w->model.guard.method, &g->springs,
					   &g->swing,	   &g->worst_loss,		   &g->worst_loss_time};
	for (int k = 0; k < 6; ++k) scree_stream_real(s, number[k]);
	for (int32_t k = 0; k < g->count; ++k) {
		scree_stream_real(s, g->turned + k);
		scree_stream_real(s, g->method + k);
	}
	if (!s->saving && s->ok) take(s, scree_check_energy(w));
}

typedef void addition_fn(stream *s, scree_world *w);

static addition_fn *addition_of(const char *name)
{
	if (!strcmp(name, "bonds")) return pass_bonds;
	if (!strcmp(name, "heat")) return pass_heat;
	if (!strcmp(name, "greatest")) return pass_greatest;
	if (!strcmp(name, "step")) return pass_own_step;
	if (!strcmp(name, "energy")) return pass_energy;
	return !strcmp(name, "counts") ? pass_counts : NULL;
}

/* Loads what was saved at the end of the section, with its name before it. */
static void load_additions(stream *s, scree_world *w)
{
	bool energy = false;
	while (s->ok && s->used < s->room) {
		char name[32] = "";
		scree_stream_name(s, name, sizeof name);
		addition_fn *pass = addition_of(name);
		energy |= pass == pass_energy;
		if (!scree_stream_check(s, pass != NULL, "it has an addition that this version does not know")) return;
		pass(s, w);
	}
	if (!energy) w->state.energy_guard.count = 0; /* an earlier version: the list of readings begins again */
}

static void save_addition(stream *s, scree_world *w, const char *of, addition_fn *pass)
{
	char name[32] = "";
	strncpy(name, of, sizeof name - 1);
	scree_stream_name(s, name, sizeof name);
	pass(s, w);
}

/* The one addition that a section may have, in worlds that have it. */
static void pass_addition(stream *s, scree_world *w, bool has, const char *of, addition_fn *pass)
{
	char name[32] = "";
	if (s->saving && has) save_addition(s, w, of, pass);
	if (s->saving || !s->ok || s->used >= s->room) return;
	scree_stream_name(s, name, sizeof name);
	if (scree_stream_check(s, has && !strcmp(name, of), "it has an addition that this version does not know"))
		pass(s, w);
}

/* Bonds, heat, counts of earlier implicit steps, greatest values, and the step that the run has chosen, in worlds that
 * have them; the guard of energy in all. */
static void pass_additions(stream *s, scree_world *w)
{
	if (!s->saving) {
		load_additions(s, w);
		return;
	}
	if (has_bonds(&w->model.material)) save_addition(s, w, "bonds", pass_bonds);
	if (scree_materials_conduct(&w->model.material)) save_addition(s, w, "heat", pass_heat);
	if (!w->model.implicit && w->state.impulse.sweeps > 0) save_addition(s, w, "counts", pass_counts);
	if (w->state.begun) save_addition(s, w, "greatest", pass_greatest);
	if (scree_world_follows(&w->model)) save_addition(s, w, "step", pass_own_step);
	save_addition(s, w, "energy", pass_energy);
}

static void pass_materials(stream *s, scree_world *w)
{
	int32_t count = w->model.material.count;
	if (!scree_stream_count(s, &count, sizeof(material), "it counts more materials than it holds")) return;
	for (int32_t k = 0; k < count; ++k) {
		material row = {0};
		if (s->saving) row = w->model.material.row[k];
		scree_stream_name(s, row.name, sizeof row.name);
		scree_stream_real(s, &row.density);
		scree_stream_real(s, &row.young);
		scree_stream_real(s, &row.poisson);
		if (!s->saving && s->ok) scree_materials_add(&w->model.material, row);
	}
	for (int32_t a = 0; a < count && s->ok; ++a)
		for (int32_t b = 0; b < count && s->ok; ++b) pass_rule(s, scree_materials_rule(&w->model.material, a, b));
	if (s->ok) pass_additions(s, w);
	if (!s->saving && s->ok) take(s, scree_check_materials(&w->model.material));
}

static void pass_plane(stream *s, scree_world *w)
{
	scree_stream_bool(s, &w->model.flat);
	scree_stream_real(s, &w->model.thickness);
	scree_stream_check(s, w->model.thickness > 0 && w->model.thickness < 1e30, "the thickness is invalid");
}

/* ------------------------------------------------------------------ shapes */

static void pass_polygon(stream *s, flat_polygon *o)
{
	scree_stream_i32(s, &o->corners);
	if (!scree_stream_check(s, o->corners >= 3 && o->corners <= POLYGON_CORNERS, "a polygon's corners are invalid"))
		return;
	scree_stream_real(s, &o->radius);
	scree_stream_real(s, &o->inradius);
	/* includes the corners that are repeated at both ends of the ring (shape/polygon.h) */
	real *number = s->saving ? (real *)(o->corner - 1) : NULL;
	scree_stream_reals(s, &number, (int64_t)(o->corners + 2) * (int64_t)(sizeof *o->corner / sizeof *number));
	o->corner = number ? (flat_corner *)number + 1 : NULL;
	if (!number) o->corners = 0;
}

/* Saves or loads the source of a shape, from which scree_restore_shape makes it again. */
static void pass_shape_source(stream *s, shape *o)
{
	shape_source *g = &o->source;
	bool balls = o->type == SHAPE_CLUMP;
	scree_stream_i32(s, &g->points);
	scree_stream_i32(s, &g->triangles);
	if (!scree_stream_check(s,
							g->points > 0 && (balls ? g->triangles == 0 : g->triangles > 0 && g->triangles < 1 << 28),
							"a shape of parts has counts that are invalid"))
		return;
	scree_stream_bool(s, &g->added);
	scree_stream_real(s, &o->halo);
	real *number = s->saving ? &g->point->x : NULL;
	scree_stream_reals(s, &number, 3 * (int64_t)g->points);
	g->point = (vec3 *)number;
	if (balls) scree_stream_reals(s, &g->radius, g->points);
	if (!balls) scree_stream_ints(s, &g->triangle, 3 * (int64_t)g->triangles);
}

/* Before version 14 superquadrics had one exponent. */
static void pass_shape_numbers(stream *s, shape *o)
{
	const shape_form *f = scree_shape_forms + o->type;
	const bool one_power = o->type == SHAPE_SUPERQUADRIC && s->version < 14;
	for (int32_t k = 0; k < f->numbers - one_power; ++k) scree_stream_real(s, (real *)((char *)o + f->number[k]));
	if (one_power) o->power_xy = o->power_z;
}

static void pass_shape(stream *s, shape *o)
{
	int type = (int)o->type;
	scree_stream_name(s, o->name, sizeof o->name);
	scree_stream_choice(s, &type, SHAPE_TYPES, &scree_shape_forms[0].name, sizeof *scree_shape_forms,
						"there is no such type of shape");
	o->type = (shape_type)type;
	scree_stream_real(s, &o->radius);
	scree_stream_real(s, &o->inradius);
	scree_stream_real(s, &o->scale);
	scree_stream_check(s, o->scale > 0 && o->scale < (real)1e30, "a shape's scale is invalid");
	scree_stream_real(s, &o->volume);
	scree_stream_vec3(s, &o->inertia);
	scree_stream_vec3(s, &o->centre);
	scree_stream_quat(s, &o->frame);
	int32_t *count[5] = {&o->vertices, &o->padded, &o->faces, &o->edges, &o->corners};
	for (int k = 0; k < 5; ++k) scree_stream_i32(s, count[k]);
	const shape_form *f = scree_shape_forms + o->type;
	pass_shape_numbers(s, o);
	if (o->type == SHAPE_POLYGON) pass_polygon(s, &o->flat);
	if (f->source) pass_shape_source(s, o);
	if (o->type != SHAPE_CONVEX) return;
	if (!scree_stream_check(s,
							o->vertices >= 4 && o->padded == ((int64_t)o->vertices + 7) / 8 * 8 && o->faces >= 4 &&
								o->edges >= 6 && o->corners == 2 * (int64_t)o->edges,
							"a polyhedron's counts are invalid"))
		return;
	real **reals[7] = {&o->vx, &o->vy, &o->vz, &o->nx, &o->ny, &o->nz, &o->off};
	for (int k = 0; k < 7; ++k) scree_stream_reals(s, reals[k], k < 3 ? o->padded : o->faces);
	const size_t planes = (size_t)o->faces, padded = (size_t)shape_padded_faces(o); /* with zeros */
	for (int k = 3; !s->saving && s->ok && k < 7; ++k) *reals[k] = scree_grow(*reals[k], planes, padded, sizeof(real));
	int32_t **ints[5] = {&o->first, &o->corner, &o->across, &o->ends, &o->sides};
	const int64_t length[5] = {(int64_t)o->faces + 1, o->corners, o->corners, 2 * (int64_t)o->edges,
							   2 * (int64_t)o->edges};
	for (int k = 0; k < 5; ++k) scree_stream_ints(s, ints[k], length[k]);
}

static void pass_shapes(stream *s, scree_world *w)
{
	int32_t count = w->model.shape.count;
	if (!scree_stream_count(s, &count, 100, "it counts more shapes than it holds")) return;
	if (!s->saving) {
		w->model.shape.row = scree_alloc((size_t)count, sizeof *w->model.shape.row);
		w->model.shape.count = w->model.shape.capacity = count;
	}
	for (int32_t k = 0; k < count && s->ok; ++k) {
		pass_shape(s, w->model.shape.row + k);
		if (!s->saving && s->ok) take(s, scree_restore_shape(w->model.shape.row + k, w->model.flat));
		if (s->saving || !s->ok) continue;
		w->model.shape.row[k].thick = scree_shape_thickness(w->model.shape.row + k);
		w->model.shape.row[k].uneven = scree_shape_unevenness(w->model.shape.row + k);
	}
}

/* ------------------------------------------------------------------ bodies, by the field table, in the order of ids */

/* Passes the name and type of a field before its numbers, so that a file of another version is refused with the
 * name. */
static bool pass_field(stream *s, const field *f)
{
	char name[32] = "";
	if (s->saving) strncpy(name, f->name, sizeof name - 1);
	int type = (int)f->type;
	scree_stream_name(s, name, sizeof name);
	scree_stream_named(s, &type, &scree_number_names, "a column has no such type");
	if (!s->ok || s->saving) return s->ok;
	char text[128];
	snprintf(text, sizeof text, "it has field '%s' where this version has '%s'", name, f->name);
	return scree_stream_check(s, !strcmp(name, f->name) && type == (int)f->type, text);
}

static void pass_bodies(stream *s, scree_world *w)
{
	bodies *b = &w->state.body;
	const int64_t before = s->slice ? s->slice->before : 0;
	int32_t count = s->slice ? (int32_t)s->slice->all : b->owned;
	if (!scree_stream_count(s, &count, 200, "it counts more bodies than it holds")) return;
	const int64_t after = count - before - b->owned;
	if (s->saving) count = b->owned;
	if (!s->saving) {
		scree_bodies_ask(b, scree_world_asks(&w->model)); /* integrator and materials are loaded before the bodies */
		scree_bodies_reserve(b, count);
		b->count = b->owned = count;
	}
	int32_t *order = s->saving ? scree_bodies_by_id(b) : NULL;
	char *column = scree_alloc((size_t)count, 8);
	for (int k = 0; k < scree_body_rows(b); ++k) {
		const field *f = scree_body_row(b, k);
		if (!f->saved || !pass_field(s, f)) continue;
		size_t size = scree_kind_size(f->type);
		char *array = scree_field_array(b, f);
		for (int32_t i = 0; s->saving && i < count; ++i)
			memcpy(column + (size_t)i * size, array + (size_t)order[i] * size, size);
		scree_stream_rows(s, 0, size, before);
		scree_stream_bytes(s, s->saving ? column : array, (size_t)count * size);
		scree_stream_rows_end(s, after);
	}
	scree_free(column);
	scree_free(order);
	if (!s->saving && s->ok) take(s, scree_check_bodies(w));
}

/* ------------------------------------------------------------------ walls */

static void pass_servo(stream *s, servo_rule *r, servo_constants *c, servo_state *v)
{
	real *reals[11] = {&r->force, &r->mass,		 &r->damping,	&r->max_speed, &r->low,	 &r->high,
					   &c->mass,  &c->stiffness, &c->max_speed, &v->way,	   &v->speed};
	for (int k = 0; k < 11; ++k) scree_stream_real(s, reals[k]);
	scree_stream_i64(s, &v->contacts);
}

static void pass_free(stream *s, servo_rule *r)
{
	real *reals[3] = {&r->spring, &r->damper, &r->speed};
	for (int k = 0; k < 3; ++k) scree_stream_real(s, reals[k]);
	scree_stream_bool(s, &r->weight);
}

/* The pose of a wall before a motion that began during the run; before version 8 there was none. */
static void pass_start(stream *s, wall_motion *m)
{
	if (s->version < 8) return;
	scree_stream_bool(s, &m->placed);
	if (!m->placed) return;
	scree_stream_quat(s, &m->base);
	scree_stream_vec3(s, &m->start);
	scree_stream_real(s, &m->servo.before);
}

/* Tables and further motions of walls; before version 9 there were none. */
static void pass_table(stream *s, walls *all, motion_table *t)
{
	scree_stream_bool(s, &t->curved);
	if (!scree_stream_count(s, &t->rows, sizeof *t->row, "it counts more rows of a table than it holds")) return;
	motion_row *row = s->saving ? NULL : scree_alloc((size_t)t->rows, sizeof *row);
	for (int32_t k = 0; k < t->rows; ++k) {
		motion_row one = s->saving ? t->row[k] : (motion_row){0};
		scree_stream_real(s, &one.time);
		scree_stream_vec3(s, &one.value);
		scree_stream_vec3(s, &one.slope);
		if (!s->saving) row[k] = one;
	}
	if (!s->saving) t->row = scree_walls_keep(all, row, t->rows, sizeof *row);
	scree_free(row);
}

static void pass_part(stream *s, walls *all, wall_motion *m)
{
	int motion = (int)m->type;
	scree_stream_choice(s, &motion, MOTION_TYPES, &scree_motion_forms[0].name, sizeof *scree_motion_forms,
						"there is no such motion of walls");
	m->type = (motion_type)motion;
	vec3 *vecs[4] = {&m->velocity, &m->axis, &m->point, &m->amplitude};
	for (int k = 0; k < 4; ++k) scree_stream_vec3(s, vecs[k]);
	real *reals[6] = {&m->rate, &m->frequency, &m->phase, &m->from, &m->ramp, &m->until};
	for (int k = 0; k < 6; ++k) scree_stream_real(s, reals[k]);
	pass_table(s, all, &m->table);
}

/* The materials that meet a wall. */
static void pass_only(stream *s, walls *all, wall *o)
{
	if (!scree_stream_count(s, &o->materials, 1, "it counts more materials than it holds") || !o->materials) return;
	bool *only = scree_alloc((size_t)o->materials, sizeof *only);
	for (int32_t k = 0; k < o->materials; ++k) {
		if (s->saving) only[k] = o->only[k];
		scree_stream_bool(s, only + k);
	}
	if (!s->saving) o->only = scree_walls_keep(all, only, o->materials, sizeof *only);
	scree_free(only);
}

static void pass_parts(stream *s, walls *all, wall *o)
{
	if (s->version < 9) return;
	pass_only(s, all, o);
	pass_table(s, all, &o->motion.table);
	pass_table(s, all, &o->motion.servo.over);
	if (!scree_stream_count(s, &o->parts, 4 * 24 + 6 * 8, "it counts more motions than it holds")) return;
	wall_motion *part = s->saving ? NULL : scree_alloc((size_t)o->parts, sizeof *part);
	for (int32_t k = 0; k < o->parts; ++k) {
		wall_motion one = s->saving ? o->part[k] : (wall_motion){0};
		pass_part(s, all, &one);
		if (!s->saving) part[k] = one;
	}
	if (!s->saving) o->part = scree_walls_keep(all, part, o->parts, sizeof *part);
	scree_free(part);
}

static void pass_wall(stream *s, wall *o, wall_state *v)
{
	int type = (int)o->type, side = (int)o->side, motion = (int)o->motion.type;
	wall_motion *m = &o->motion;
	scree_stream_name(s, o->name, sizeof o->name);
	scree_stream_choice(s, &type, WALL_TYPES, &scree_wall_forms[0].name, sizeof *scree_wall_forms,
						"there is no such type of wall");
	scree_stream_named(s, &side, &scree_side_names, "a wall has no such side");
	scree_stream_choice(s, &motion, MOTION_TYPES, &scree_motion_forms[0].name, sizeof *scree_motion_forms,
						"there is no such motion of walls");
	o->type = (wall_type)type;
	o->side = (wall_side)side;
	m->type = (motion_type)motion;
	int32_t *ints[5] = {&o->material, &o->first_facet, &o->facets, &o->first_surface, &o->surfaces};
	for (int k = 0; k < 5; ++k) scree_stream_i32(s, ints[k]);
	scree_stream_bool(s, &o->two_sided);
	scree_stream_bool(s, &o->internal);
	scree_stream_bool(s, &o->removed);
	vec3 *vecs[10] = {&o->point,	&o->axis,	  &m->velocity,			&m->axis, &m->point, &m->amplitude,
					  &v->position, &v->velocity, &v->angular_velocity, &v->force};
	for (int k = 0; k < 10; ++k) scree_stream_vec3(s, vecs[k]);
	scree_stream_vec3(s, &v->torque);
	scree_stream_quat(s, &v->orientation);
	real *reals[9] = {&o->radius, &o->radius2, &o->length, &m->rate, &m->frequency,
					  &m->phase,  &m->from,	   &m->ramp,   &m->until};
	for (int k = 0; k < 9; ++k) scree_stream_real(s, reals[k]);
	if (motion_is_driven(m->type)) pass_servo(s, &m->servo, &o->servo, &v->servo);
	if (motion_is_free(m->type)) pass_free(s, &m->servo);
	if (m->type == MOTION_GIVEN) scree_stream_quat(s, &m->base);
	if (o->type == WALL_FACETS) scree_stream_real(s, &o->tolerance);
	if (o->type == WALL_POLYGON) scree_stream_i32(s, &o->shape);
}

static void pass_facet(stream *s, facet *f)
{
	int32_t *ints[4] = {&f->wall, &f->surface, &f->first, &f->corners};
	for (int k = 0; k < 4; ++k) scree_stream_i32(s, ints[k]);
	scree_stream_vec3(s, &f->normal);
	scree_stream_real(s, &f->off);
	scree_stream_vec3(s, &f->low);
	scree_stream_vec3(s, &f->high);
}

static bool is_servo(const wall *o) { return o->motion.type == MOTION_SERVO || o->motion.type == MOTION_TORQUE; }

/* What servos have besides the state of all driven walls; earlier programs saved none. */
static void pass_servos(stream *s, scree_world *w)
{
	for (int32_t k = 0; k < w->model.wall.count && s->ok; ++k) {
		servo_state *v = &w->state.wall[k].servo;
		real *reals[] = {&v->carried, &v->mean, &v->reached, &v->asked, &v->given};
		if (!is_servo(w->model.wall.row + k)) continue;
		for (size_t i = 0; i < sizeof reals / sizeof *reals; ++i) scree_stream_real(s, reals[i]);
		scree_stream_i64(s, &v->heard);
	}
}

static void pass_walls(stream *s, scree_world *w)
{
	walls *a = &w->model.wall;
	int32_t count[4] = {a->count, a->facets, a->corners, a->surfaces};
	static const size_t each[4] = {300, 80, 60, 4};
	for (int k = 0; k < 4; ++k)
		if (!scree_stream_count(s, count + k, each[k], "it counts more walls than it holds")) return;
	if (!s->saving) {
		a->row = scree_alloc((size_t)count[0], sizeof *a->row);
		a->facet = scree_alloc((size_t)count[1], sizeof *a->facet);
		a->count = a->capacity = count[0];
		scree_state_room(&w->model, &w->state);
		a->facets = a->facet_capacity = count[1];
		a->corners = a->corner_capacity = count[2];
		a->surfaces = a->surface_capacity = count[3];
	}
	for (int32_t k = 0; k < count[0] && s->ok; ++k) pass_wall(s, a->row + k, w->state.wall + k);
	for (int32_t k = 0; k < count[1] && s->ok; ++k) pass_facet(s, a->facet + k);
	scree_stream_vecs(s, &a->corner, a->corners);
	scree_stream_vecs(s, &a->outward, a->corners);
	scree_stream_ints(s, &a->next, a->corners);
	scree_stream_reals(s, &a->bend, a->corners);
	scree_stream_ints(s, &a->surface_wall, a->surfaces);
	for (int32_t k = 0; k < count[0] && s->ok; ++k) pass_start(s, &a->row[k].motion);
	for (int32_t k = 0; k < count[0] && s->ok; ++k) pass_parts(s, a, a->row + k);
	for (int32_t k = 0; k < count[0] && s->ok && scree_materials_conduct(&w->model.material); ++k) {
		scree_stream_bool(s, &a->row[k].conducts);
		scree_stream_real(s, &a->row[k].temperature);
		scree_stream_check(s, bearable(a->row[k].temperature), "the temperature of a wall is invalid");
	}
	bool servos = false;
	for (int32_t k = 0; k < count[0] && s->ok; ++k) servos |= is_servo(a->row + k);
	pass_addition(s, w, servos, "servos", pass_servos);
	if (!s->saving && s->ok) take(s, scree_check_walls(w));
	if (!s->saving && s->ok) scree_walls_link(a);
}

/* ------------------------------------------------------------------ sources and sinks */

void scree_snapshot_pass_region(stream *s, region *g)
{
	int type = (int)g->type;
	scree_stream_named(s, &type, &scree_region_names, "there is no such region");
	g->type = (region_type)type;
	scree_stream_bool(s, &g->flat);
	vec3 *vecs[4] = {&g->low, &g->high, &g->centre, &g->axis};
	for (int k = 0; k < 4; ++k) scree_stream_vec3(s, vecs[k]);
	scree_stream_real(s, &g->radius);
	scree_stream_real(s, &g->length);
}

static void pass_random(stream *s, random_stream *r)
{
	scree_stream_u64(s, &r->seed);
	scree_stream_u64(s, &r->stream);
	scree_stream_u64(s, &r->counter);
	scree_stream_bytes(s, r->block, sizeof r->block);
	scree_stream_i32(s, &r->left);
	scree_stream_check(s, r->left >= 0 && r->left <= 4, "a random stream is invalid");
}

static void pass_sieve(stream *s, spread *o)
{
	scree_stream_i32(s, &o->classes);
	if (!scree_stream_check(s, o->classes >= 1 && o->classes <= SIEVE_CLASSES, "a sieve curve has no classes")) return;
	for (int32_t k = 0; k <= o->classes; ++k) scree_stream_real(s, o->size + k);
	for (int32_t k = 0; k < o->classes; ++k) scree_stream_real(s, o->share + k);
}

static void pass_mix(stream *s, mix_part *m)
{
	int type = (int)m->size.type;
	scree_stream_i32(s, &m->shape);
	scree_stream_real(s, &m->share);
	scree_stream_named(s, &type, &scree_spread_names, "there is no such spread of sizes");
	m->size.type = (spread_type)type;
	scree_stream_real(s, &m->size.a);
	scree_stream_real(s, &m->size.b);
	scree_stream_real(s, &m->size.cut);
	if (m->size.type == SPREAD_SIEVE) pass_sieve(s, &m->size);
}

static void pass_source(stream *s, source *o, source_state *now, const scree_world *w)
{
	int orient = (int)o->orient;
	int32_t material = o->part[0].material; /* before version 9 that of all parts */
	scree_stream_name(s, o->name, sizeof o->name);
	scree_snapshot_pass_region(s, &o->where);
	real *reals[3] = {&o->rate, &o->from, &o->until};
	for (int k = 0; k < 3; ++k) scree_stream_real(s, reals[k]);
	scree_stream_i64(s, &o->limit);
	scree_stream_i32(s, &material);
	scree_stream_i32(s, &o->parts);
	if (!scree_stream_check(s, o->parts >= 1 && o->parts <= 16 && material >= 0 && material < w->model.material.count,
							"a source has no mix or no material"))
		return;
	for (int32_t k = 0; k < o->parts; ++k) {
		if (!s->saving) o->part[k].material = material;
		pass_mix(s, o->part + k);
	}
	scree_stream_named(s, &orient, &scree_orient_names, "there is no such orientation");
	o->orient = (orient_type)orient;
	scree_stream_quat(s, &o->orientation);
	scree_stream_vec3(s, &o->velocity);
	scree_stream_vec3(s, &o->angular_velocity);
	scree_stream_u64(s, &o->seed);
	scree_stream_i64(s, &now->made);
	scree_stream_i64(s, &now->waiting_tries);
	pass_random(s, &now->random);
	if (!s->saving && s->ok) take(s, scree_check_source(o, now, w));
}

static void pass_sink(stream *s, sink *o, sink_state *now, const scree_world *w)
{
	int type = (int)o->type;
	scree_stream_name(s, o->name, sizeof o->name);
	scree_stream_named(s, &type, &scree_sink_names, "there is no such sink");
	o->type = (sink_type)type;
	scree_stream_vec3(s, &o->normal);
	scree_stream_real(s, &o->off);
	scree_snapshot_pass_region(s, &o->where);
	scree_stream_i64(s, &now->taken);
	scree_stream_real(s, &now->mass_taken);
	if (!s->saving && s->ok) take(s, scree_check_sink(o, now, w));
}

/* What stages have changed of sources and sinks; before version 8 there were none. */
static void pass_idle(stream *s, population *p)
{
	if (s->version < 8) return;
	for (int32_t k = 0; k < p->sources; ++k) {
		scree_stream_i64(s, &p->source[k].before);
		scree_stream_bool(s, &p->source[k].idle);
		scree_stream_check(s, p->source[k].before >= 0, "a source's count is invalid");
	}
	for (int32_t k = 0; k < p->sinks; ++k) scree_stream_bool(s, &p->sink[k].idle);
}

/* Materials of the parts of sources, and sources by mass; before version 9 there were none. */
static void pass_masses(stream *s, scree_world *w)
{
	if (s->version < 9) return;
	for (int32_t k = 0; k < w->model.population.sources && s->ok; ++k) {
		source *o = w->model.population.source + k;
		source_state *now = w->state.source + k;
		for (int32_t p = 0; p < o->parts; ++p) scree_stream_i32(s, &o->part[p].material);
		real *reals[5] = {&o->mass_rate, &o->mass_before, &o->mass_limit, &o->mean_mass, &now->mass};
		for (int i = 0; i < 5; ++i) scree_stream_real(s, reals[i]);
		if (!s->saving && s->ok) take(s, scree_check_source(o, now, w));
	}
}

static void pass_flow_plane(stream *s, flow_plane *f, flow_count *now)
{
	vec3 *vecs[4] = {&f->point, &f->normal, &f->along, &f->across};
	scree_stream_name(s, f->name, sizeof f->name);
	for (int k = 0; k < 4; ++k) scree_stream_vec3(s, vecs[k]);
	scree_stream_bool(s, &f->bounded);
	for (int k = 0; k < 2; ++k) scree_stream_real(s, f->half + k);
	scree_stream_i32(s, &f->material);
	for (int k = 0; k < 2; ++k) scree_stream_real(s, f->sizes + k);
	for (int k = 0; k < 2; ++k) {
		scree_stream_i64(s, now->count + k);
		scree_stream_fixed(s, now->mass + k);
	}
}

/* Planes that count bodies; before version 9 there were none. */
static void pass_flow(stream *s, scree_world *w)
{
	flow_planes *f = &w->model.flow;
	if (s->version < 9) return;
	scree_stream_i32(s, &f->count);
	if (!scree_stream_check(s, f->count >= 0 && f->count <= FLOW_PLANES, "it has too many counting planes"))
		f->count = 0;
	for (int32_t k = 0; k < f->count && s->ok; ++k) {
		pass_flow_plane(s, f->row + k, w->state.flow + k);
		if (!s->saving && s->ok) take(s, scree_check_flow_plane(f->row + k, w->state.flow + k, w));
	}
}

static void pass_population(stream *s, scree_world *w)
{
	population *p = &w->model.population;
	int32_t sources = p->sources, sinks = p->sinks;
	if (!scree_stream_count(s, &sources, 200, "it counts more sources than it holds") ||
		!scree_stream_count(s, &sinks, 100, "it counts more sinks than it holds"))
		return;
	if (!s->saving) {
		p->source = scree_alloc((size_t)sources, sizeof *p->source);
		p->sink = scree_alloc((size_t)sinks, sizeof *p->sink);
		p->sources = sources;
		p->sinks = sinks;
		scree_state_room(&w->model, &w->state);
	}
	for (int32_t k = 0; k < sources && s->ok; ++k) pass_source(s, p->source + k, w->state.source + k, w);
	for (int32_t k = 0; k < sinks && s->ok; ++k) pass_sink(s, p->sink + k, w->state.sink + k, w);
	if (s->ok) pass_idle(s, p);
	if (s->ok) pass_masses(s, w);
	if (s->ok) pass_flow(s, w);
	for (int32_t k = 0; k < sources && s->ok && scree_materials_conduct(&w->model.material); ++k) {
		scree_stream_real(s, &p->source[k].temperature);
		scree_stream_check(s, bearable(p->source[k].temperature), "the temperature of a source is invalid");
	}
}

/* ------------------------------------------------------------------ periods */

/* A cell that changes its size; before version 10 there was none, and before version 13 its stresses were constant. */
static void pass_cell(stream *s, scree_world *w)
{
	periods *p = &w->model.period;
	cell_rule *c = &w->model.cell;
	images *now = &w->state.images;
	if (s->version >= 10) scree_stream_bool(s, &p->deforms);
	if (!p->deforms) return;
	vec3 *vecs[] = {&c->rate, &c->stress, &now->low, &now->size, &now->growth, &now->mean, &now->border};
	real *reals[] = {&c->from, &c->limit, &c->lag};
	for (size_t k = 0; k < sizeof vecs / sizeof *vecs; ++k) scree_stream_vec3(s, vecs[k]);
	for (size_t k = 0; k < sizeof reals / sizeof *reals; ++k) scree_stream_real(s, reals[k]);
	for (int d = 0; d < 3; ++d) scree_stream_bool(s, c->servo + d);
	pass_table(s, &w->model.wall, &c->over);
	if (s->version >= 13) pass_table(s, &w->model.wall, &c->goal);
	if (s->version >= 13) scree_stream_real(s, &c->goal_from);
	if (s->saving || !s->ok) return;
	now->begun = true;
	bool right = c->limit >= 0 && c->limit < (real)1e30 && c->lag >= 0 && c->lag < (real)1e30;
	right = right && (!c->over.rows || scree_motion_table_is_valid(&c->over)) &&
			(!c->goal.rows || scree_motion_table_is_valid(&c->goal)) &&
			(!cell_has_servo(c) || c->lag > 0 || !w->state.body.count); /* the lag follows from bodies */
	for (int d = 0; d < 3; ++d)
		right = right && v3_part(now->size, d) > 0 && v3_part(now->size, d) < (real)1e30 &&
				real_abs(v3_part(now->low, d)) < (real)1e30 && real_abs(v3_part(now->growth, d)) < (real)1e30;
	scree_stream_check(s, right, "its cell is invalid");
}

/* What a cell with a servo reports at its end; earlier programs saved none. */
static void pass_stresses(stream *s, scree_world *w)
{
	images *now = &w->state.images;
	scree_stream_vec3(s, &now->asked);
	scree_stream_vec3(s, &now->given);
	bool right = true;
	for (int d = 0; d < 3; ++d)
		right = right && real_abs(v3_part(now->asked, d)) < (real)1e30 && real_abs(v3_part(now->given, d)) < (real)1e30;
	scree_stream_check(s, right, "its cell is invalid");
}

/* Called after numbers and bodies, and before contacts, which need the periods. */
static void pass_periods(stream *s, scree_world *w)
{
	periods *p = &w->model.period;
	images *now = &w->state.images;
	for (int d = 0; d < 3; ++d) scree_stream_bool(s, p->axis + d);
	scree_stream_vec3(s, &p->low);
	scree_stream_vec3(s, &p->size);
	scree_stream_bool(s, &p->shears);
	scree_stream_i32(s, &p->flow);
	scree_stream_i32(s, &p->gradient);
	scree_stream_real(s, &p->rate);
	if (s->version >= 7) {
		scree_stream_i64(s, &now->turns_from);
		scree_stream_i64(s, &now->part_from);
	}
	pass_cell(s, w);
	pass_addition(s, w, p->deforms && cell_has_servo(&w->model.cell), "stresses", pass_stresses);
	if (s->saving) return;
	bool right = p->flow >= 0 && p->flow < 3 && p->gradient >= 0 && p->gradient < 3 && real_abs(p->rate) < (real)1e30;
	right = right && now->part_from >= 0 && now->part_from < (int64_t)1 << 62;
	for (int d = 0; d < 3; ++d)
		right = right && (!p->axis[d] || (v3_part(p->size, d) > 0 && v3_part(p->size, d) < (real)1e30 &&
										  real_abs(v3_part(p->low, d)) < (real)1e30));
	periods_begin(p);
	if (scree_stream_check(s, right, "its periods are invalid"))
		scree_periods_set(p, now, w->state.step - w->state.step_from, w->model.dt);
}

/* ------------------------------------------------------------------ contacts: histories, by ids */

static void pass_key(stream *s, contact_key *k, int kind)
{
	scree_stream_u64(s, &k->a);
	scree_stream_u64(s, &k->b);
	scree_stream_i32(s, &k->image.x);
	scree_stream_i32(s, &k->image.y);
	scree_stream_i32(s, &k->image.z);
	scree_stream_u64(s, &k->feature);
	if (scree_pair_kinds[kind].several && pair_on_wall(kind)) scree_stream_u64(s, &k->part);
}
enum { KEY_BYTES = 3 * 8 + 3 * 4, MOST_KEY_BYTES = KEY_BYTES + 8 };

static size_t key_bytes(int kind)
{
	return scree_pair_kinds[kind].several && pair_on_wall(kind) ? MOST_KEY_BYTES : KEY_BYTES;
}

static void save_head(stream *s, int kind, int32_t count)
{
	char name[SCREE_PAIR_NAME] = "";
	strncpy(name, scree_pair_kinds[kind].name, sizeof name - 1);
	scree_stream_name(s, name, sizeof name);
	scree_stream_i32(s, &count);
}

static void save_columns(stream *s, const pair_list *l)
{
	int32_t columns = 0;
	for (int f = 0; f < scree_history_table.count; ++f) columns += scree_pair_has(l, f);
	scree_stream_i32(s, &columns);
}

/* Saves this rank's part of the contacts of all ranks. */
static void save_slice(stream *s, const pair_list *l, int kind)
{
	const slice_contacts *o = s->slice->contact + kind;
	const int64_t after = o->all - o->before - o->count;
	size_t at = sizeof(contact_key);
	save_head(s, kind, (int32_t)o->all);
	scree_stream_rows(s, 1 + kind, key_bytes(kind), o->before);
	for (int64_t k = 0; k < o->count; ++k) {
		contact_key key;
		memcpy(&key, o->bytes + (size_t)k * o->each, sizeof key);
		pass_key(s, &key, kind);
	}
	scree_stream_rows_end(s, after);
	save_columns(s, l);
	for (int f = 0; f < scree_history_table.count; ++f) {
		if (!scree_pair_has(l, f)) continue;
		pass_field(s, scree_history_table.row + f);
		scree_stream_rows(s, 1 + kind, sizeof(real), o->before);
		for (int64_t k = 0; k < o->count; ++k) scree_stream_bytes(s, o->bytes + (size_t)k * o->each + at, sizeof(real));
		scree_stream_rows_end(s, after);
		at += sizeof(real);
	}
}

static void save_contacts(stream *s, scree_world *w, int kind)
{
	const pair_list *l = w->state.pair + kind;
	int32_t count = 0;
	int64_t *row = scree_contacts_by_id(w, kind, &count);
	save_head(s, kind, count);
	for (int32_t k = 0; k < count; ++k) {
		contact_key key = scree_contact_key(&w->model, &w->state, kind, row[k]);
		pass_key(s, &key, kind);
	}
	save_columns(s, l);
	for (int f = 0; f < scree_history_table.count; ++f) {
		if (!scree_pair_has(l, f)) continue;
		pass_field(s, scree_history_table.row + f);
		real *array = scree_field_array(l, scree_history_table.row + f);
		for (int32_t k = 0; k < count; ++k) scree_stream_real(s, array + row[k]);
	}
	scree_free(row);
}

/* Reports a name that this version does not support and returns -1; otherwise returns `found`. */
static int refuse_unknown(stream *s, int found, const char *what, const char *name)
{
	char text[128];
	snprintf(text, sizeof text, "%s '%s', which this version does not support", what, name);
	return scree_stream_check(s, found >= 0, text) ? found : -1;
}

/* Reads a column's name and numbers, and sets the column's bit in `seen`. */
static void load_column(stream *s, pair_list *l, int32_t count, uint64_t *seen)
{
	char name[32] = "";
	int type = 0, f = scree_history_table.count - 1;
	scree_stream_name(s, name, sizeof name);
	scree_stream_named(s, &type, &scree_number_names, "a column has no such type");
	while (f >= 0 && strcmp(scree_history_table.row[f].name, name) != 0) --f;
	if (!s->ok || refuse_unknown(s, f, "the contact history has the column", name) < 0) return;
	const field *row = scree_history_table.row + f;
	if (!scree_stream_check(s, type == (int)row->type && !(*seen >> f & 1), "a column of contacts is invalid")) return;
	*seen |= (uint64_t)1 << f;
	scree_pair_list_remember(l, l->remembers | scree_pair_needs(f));
	scree_stream_bytes(s, scree_field_array(l, row), (size_t)count * sizeof(real));
}

/* Loads columns. They are in groups (enum REMEMBERS_..); an incomplete group is not a history. */
static void load_columns(stream *s, pair_list *l, int32_t count)
{
	uint64_t seen = 0;
	int32_t columns = 0;
	scree_stream_i32(s, &columns);
	if (!scree_stream_check(s, columns >= 0 && columns <= scree_history_table.count,
							"contacts have more columns than this version supports"))
		return;
	for (int32_t k = 0; k < columns && s->ok; ++k) load_column(s, l, count, &seen);
	for (int f = 0; f < scree_history_table.count && s->ok; ++f) {
		char text[128];
		snprintf(text, sizeof text, "the contact history lacks the column '%s', which its other columns need",
				 scree_history_table.row[f].name);
		scree_stream_check(s, !scree_pair_has(l, f) || (seen >> f & 1), text);
	}
}

static void load_contacts(stream *s, scree_world *w, bool *had)
{
	char name[SCREE_PAIR_NAME] = "";
	scree_stream_name(s, name, sizeof name);
	if (!s->ok) return;
	int32_t count = 0;
	int kind = refuse_unknown(s, scree_pair_kind_find(name), "it has contacts of the kind", name);
	if (kind < 0 || !scree_stream_check(s, !had[kind], "it has contacts of one kind twice") ||
		!scree_stream_count(s, &count, KEY_BYTES, "it counts more contacts than it holds"))
		return;
	had[kind] = true;
	contact_key *key = scree_alloc((size_t)count, sizeof *key);
	for (int32_t k = 0; k < count; ++k) pass_key(s, key + k, kind);
	pair_list l = {0};
	scree_pair_list_reserve(&l, s->ok ? count : 0);
	l.count = s->ok ? count : 0;
	load_columns(s, &l, count);
	if (s->ok) take(s, scree_check_contacts(w, kind, count, key, &l));
	if (s->ok) scree_world_restore_pairs(&w->model, &w->state, &w->work, kind, count, key, &l);
	scree_pair_list_free(&l);
	scree_free(key);
}

static void pass_contacts(stream *s, scree_world *w)
{
	bool had[PAIR_KINDS] = {false};
	int32_t kinds = PAIR_KINDS;
	scree_stream_i32(s, &kinds);
	if (!scree_stream_check(s, kinds >= 0 && kinds <= PAIR_KINDS,
							"it has contacts of more kinds than this version supports"))
		return;
	for (int32_t kind = 0; kind < kinds && s->ok; ++kind) {
		if (!s->saving)
			load_contacts(s, w, had);
		else if (s->slice)
			save_slice(s, w->state.pair + kind, kind);
		else
			save_contacts(s, w, kind);
	}
}

size_t scree_snapshot_most(const scree_world *w)
{
	size_t body = 0, bytes = 1 << 16;
	for (int k = 0; k < scree_body_rows(&w->state.body); ++k) body += scree_body_row(&w->state.body, k)->saved ? 8 : 0;
	bytes += body * (size_t)w->state.body.count;
	for (int kind = 0; kind < PAIR_KINDS; ++kind) {
		const pair_list *l = w->state.pair + kind;
		size_t contact = MOST_KEY_BYTES;
		for (int f = 0; f < scree_history_table.count; ++f) contact += scree_pair_has(l, f) ? 8 : 0;
		for (contact_walk c = contact_first(l); contact_more(l, &c); ++c.row) bytes += contact;
	}
	return bytes;
}

const snapshot_section scree_snapshot_sections[] = {
	{"numbers", pass_numbers},	 {"plane", pass_plane}, {"materials", pass_materials},	 {"shapes", pass_shapes},
	{"bodies", pass_bodies},	 {"walls", pass_walls}, {"population", pass_population}, {"periods", pass_periods},
	{"contacts", pass_contacts}, {"plan", NULL},
};
const int scree_snapshot_section_count = (int)(sizeof scree_snapshot_sections / sizeof *scree_snapshot_sections);
