#include "format/snapshot_world.h"

#include "base/memory.h"
#include "broad/broad.h"
#include "choices/choices.h"
#include "format/contacts_by_id.h"
#include "kernel/cohesion.h"
#include "model/integrator.h"
#include "model/law.h"
#include "model/narrow.h"
#include "model/respond.h"
#include "model/sharing.h"
#include "model/response.h"
#include "narrow/triangle/triangles.h"
#include "prepare/prepare.h"
#include "shape/shape_forms.h"
#include "shape/thickness.h"
#include "state/contact_key.h"
#include "state/pairs.h"
#include "wall/forms.h"
#include "wall/walls.h"
#include "world/slice.h"
#include "world/world.h"

#include <stdio.h>
#include <string.h>

/* Reports the result of a check from snapshot_checks.c: NULL, or a description of the error. */
static void take(stream *s, const char *fault) { scree_stream_check(s, !fault, fault); }

static bool bearable(real temperature) { return temperature >= 0 && temperature < (real)1e12; }

/* ------------------------------------------------------------------ numbers, materials, ledger */

static void pass_energy_guard(stream *s, guards *limits, energy_guard *g)
{
	PASS(s, FIELD(limits->energy), FIELD(limits->energy_reports), FIELD(g->held), FIELD(g->busiest), FIELD(g->floor),
		 FIELD(g->worst), FIELD(g->worst_time), FIELD(g->count));
	if (!scree_stream_check(s, g->count >= 0 && g->count <= ENERGY_READINGS, "readings of energy are invalid"))
		g->count = 0;
	for (int32_t k = 0; k < g->count; ++k) PASS(s, FIELD(g->wrong[k]), FIELD(g->made[k]), FIELD(g->lost[k]));
	for (int32_t k = 0; k < ENERGY_LEVELS; ++k) {
		energy_level *o = g->level + k;
		PASS(s, FIELD(o->wrong), FIELD(o->made), FIELD(o->turned), FIELD(o->steps));
	}
	for (int32_t k = 0; k < ENERGY_LEVELS; ++k)
		PASS(s, FIELD(g->classes[k].made), FIELD(g->classes[k].lost), FIELD(g->classes[k].patches),
			 FIELD(g->class_held[k]));
}

static const char *absent(const char *name, const char *what)
{
	return scree_choice_left_out(name)
			   ? "it uses a method of a paper, and this scree was built without these methods (SCREE_PAPERS=OFF)"
			   : what;
}

/* Saves or loads the row of a table that a world has chosen, identified by its name. */
static const void *pass_choice(stream *s, const choices *c, const void *now, const char *what)
{
	char name[SCREE_NAME];
	scree_stream_word(s, name, *(const char *const *)now);
	if (s->saving) return now;
	const void *row = scree_choice_find(c, name);
	return scree_stream_check(s, row != NULL, absent(name, what)) ? row : now;
}

/* Saves or loads the time; in version 6 all steps had the same length. */
static void pass_time(stream *s, state *o)
{
	if (s->version < 7) {
		o->begun = o->step > 0;
		return;
	}
	PASS(s, FIELD(o->step_from), FIELD(o->time_from), FIELD(o->until_from), FIELD(o->begun));
}

/* Saves or loads the stage of the scene; files before version 8 have none. */
static void pass_stage(stream *s, stage_state *o)
{
	if (s->version < 8) return;
	PASS(s, FIELD(o->count));
	if (!o->count) return;
	PASS(s, FIELD(o->now), FIELD(o->over), FIELD(o->step), FIELD(o->time), FIELD(o->since), FIELD(o->reference),
		 FIELD(o->mass));
	if (s->version >= 11) PASS(s, FIELD(o->cell));
}

static void pass_implicit(stream *s, impulses *i)
{
	PASS(s, FIELD(i->sweeps), FIELD(i->capped), FIELD(i->solved), FIELD(i->unsolved), FIELD(i->window_solved),
		 FIELD(i->window_unsolved));
}

/* A file has only the first characters of a long name. */
static const narrow *saved_narrow(const char *name)
{
	const narrow *row;
	for (int k = 0; (row = scree_narrow_row(k)); ++k)
		if (!strncmp(row->name, name, SCREE_NAME - 1)) return row;
	return scree_narrow_find(name);
}

static void pass_numbers(stream *s, scree_world *w)
{
	guards *g = &w->model.guard;
	ledger *e = &w->state.energy;
	char narrow_name[SCREE_NAME], triangles[SCREE_NAME], response_name[SCREE_NAME];
	PASS(s, FIELD(w->state.time), FIELD(w->model.dt), FIELD(w->state.step));
	pass_time(s, &w->state);
	PASS(s, FIELD(w->state.next_id), FIELD(w->state.lost), FIELD(w->model.gravity), FIELD(g->overlap), FIELD(g->speed),
		 FIELD(g->bounded), FIELD(g->lost_is_error), FIELD(g->low), FIELD(g->high), FIELD(w->model.unsafe));
	pass_energy_guard(s, &w->model.guard, &w->state.energy_guard);
	PASS(s, FIELD(e->lost_normal), FIELD(e->lost_friction), FIELD(e->lost_rolling), FIELD(e->made), FIELD(e->wall_work),
		 FIELD(e->brought), FIELD(e->wall_power), FIELD(e->points_power), FIELD(e->points_heat));
	w->model.search = pass_choice(s, &scree_broads, w->model.search, "there is no such broad phase");
	scree_stream_word(s, narrow_name, w->model.narrow->name);
	w->model.share = pass_choice(s, &scree_sharings, w->model.share, "unknown way to share work");
	scree_stream_word(s, triangles, scree_triangle_ways[w->model.triangles.way].name);
	PASS(s, FIELD(w->model.triangles.batch), FIELD(w->model.triangles.in_float));
	w->model.integrator = pass_choice(s, &scree_integrators, w->model.integrator, "there is no such integrator");
	fluid *f = &w->model.fluid;
	PASS(s, FIELD(f->on), FIELD(f->buoyancy), FIELD(f->density), FIELD(f->viscosity), FIELD(f->velocity));
	f->drag = scree_stream_named(s, f->drag, &scree_drag_names, "unknown law of drag");
	PASS(s, FIELD(e->fluid_power));
	const response *r = w->model.response; /* an empty name means the first row, which is forces */
	scree_stream_word(s, response_name, r && r != scree_response_row(0) ? r->name : "");
	PASS(s, FIELD(w->model.correction), FIELD(w->state.impulse.collisions));
	if (!s->saving) {
		r = *response_name ? scree_response_find(response_name) : scree_response_row(0);
		if (scree_stream_check(s, r != NULL, absent(response_name, "there is no such response")))
			model_respond(&w->model, r);
	}
	if (w->model.implicit) pass_implicit(s, &w->state.impulse);
	impulses *i = &w->state.impulse;
	if (w->model.solver && w->model.solver->halves) /* if each body is solved as an independent problem */
		PASS(s, FIELD(w->model.directions), FIELD(i->stopped), FIELD(i->limited), FIELD(i->given),
			 FIELD(i->unbalanced));
	PASS(s, FIELD(w->model.skin_given));
	/* a skin that the scene does not give is derived from the motion of bodies and is not part of the state */
	if (w->model.skin_given) PASS(s, FIELD(w->model.skin));
	pass_stage(s, &w->state.stage);
	if (s->saving) return;
	take(s, scree_check_numbers(w));
	w->model.triangles.way = scree_triangle_way_find(triangles);
	const triangle_choice *t = &w->model.triangles;
	const bool known = t->way >= 0 && t->batch >= 0 && t->batch <= 64 && (t->in_float & ~1) == 0;
	if (!scree_stream_check(s, known, absent(triangles, "unknown way to compare triangles")))
		w->model.triangles = (triangle_choice){0};
	const narrow *way = saved_narrow(narrow_name);
	if (scree_stream_check(s, way != NULL, absent(narrow_name, "there is no such narrow phase"))) w->model.narrow = way;
}

static void pass_rule(stream *s, contact_rule *r)
{
	r->law =
		scree_stream_choice(s, r->law, LAWS, &scree_laws[0].name, sizeof *scree_laws, "there is no such contact law");
	scree_stream_check(s, scree_law_name(r->law) != NULL, absent(scree_laws[r->law].name, ""));
	PASS(s, FIELD(r->restitution), FIELD(r->friction), FIELD(r->rolling_friction), FIELD(r->stiffness),
		 FIELD(r->tangential_ratio), FIELD(r->twisting_friction));
	r->cohesion = scree_stream_named(s, r->cohesion, &scree_cohesion_names, "unknown cohesion");
	PASS(s, FIELD(r->surface));
	if (r->cohesion == COHESION_CAPILLARY) PASS(s, FIELD(r->bridge), FIELD(r->wetting));
	power_rule *p = &r->power;
	PASS(s, FIELD(p->stiffness), FIELD(p->damping), FIELD(p->exponent), FIELD(p->tangential), FIELD(p->attraction));
	plastic_rule *y = &r->plastic;
	if (scree_laws[r->law].takes & TAKES_PLASTIC) PASS(s, FIELD(y->unloading), FIELD(y->adhesion), FIELD(y->depth));
}

static void pass_bonds(stream *s, scree_world *w)
{
	const materials *m = &w->model.material;
	for (int32_t k = 0; k < m->count * m->count && s->ok; ++k) {
		bond_rule *r = &m->rule[k].bond;
		PASS(s, FIELD(r->young), FIELD(r->ratio), FIELD(r->tension), FIELD(r->shear), FIELD(r->deviation),
			 FIELD(r->factor), FIELD(r->damping), FIELD(r->gap), FIELD(r->from), FIELD(r->seed));
	}
	PASS(s, FIELD(w->state.broken), FIELDS(w->state.bonded, 2));
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
	for (int32_t k = 0; k < m->count && s->ok; ++k)
		PASS(s, FIELD(m->row[k].conductivity), FIELD(m->row[k].capacity), FIELD(m->row[k].conduction_young));
	for (int32_t k = 0; k < m->count * m->count && s->ok; ++k) PASS(s, FIELD(m->rule[k].friction_heat));
	PASS(s, FIELD(w->model.temperature), FIELD(e->heat_walls), FIELD(e->heat_friction), FIELD(e->heat_brought));
	if (!s->saving && s->ok) take(s, scree_check_heat(w));
}

/* Saves or loads counts of implicit steps made before the run went back to force-based steps. */
static void pass_counts(stream *s, scree_world *w)
{
	pass_implicit(s, &w->state.impulse);
	if (!s->saving && s->ok) take(s, scree_check_counts(&w->state.impulse));
}

static void pass_greatest(stream *s, scree_world *w)
{
	greatest_values *g = &w->state.greatest;
	PASS(s, FIELD(g->overlap), FIELD(g->speed));
	scree_stream_check(s, g->overlap >= 0 && g->overlap < INFINITY && g->speed >= 0 && g->speed < INFINITY,
					   "the greatest overlap or speed is invalid");
}

static void pass_own_step(stream *s, scree_world *w)
{
	PASS(s, FIELD(w->model.own_step));
	scree_stream_check(s, w->model.own_step > 0 && w->model.own_step < (real)1e30, "the step of the run is invalid");
}

/* Saves or loads values of the energy guard and the ledger that were added with numerical losses and free walls. */
static void pass_energy(stream *s, scree_world *w)
{
	energy_guard *g = &w->state.energy_guard;
	ledger *e = &w->state.energy;
	PASS(s, FIELD(e->lost_method), FIELD(e->method_now), FIELD(w->model.guard.method), FIELD(g->springs),
		 FIELD(g->swing), FIELD(g->worst_loss), FIELD(g->worst_loss_time));
	for (int32_t k = 0; k < g->count; ++k) PASS(s, FIELD(g->turned[k]), FIELD(g->method[k]));
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

/* Loads the additions that were saved at the end of the section, each preceded by its name. */
static void load_additions(stream *s, scree_world *w)
{
	bool energy = false;
	while (s->ok && s->used < s->room) {
		char name[SCREE_NAME];
		scree_stream_word(s, name, "");
		addition_fn *pass = addition_of(name);
		energy |= pass == pass_energy;
		if (!scree_stream_check(s, pass != NULL, "it has an addition that this version does not support")) return;
		pass(s, w);
	}
	if (!energy)
		w->state.energy_guard.count = 0; /* for files from earlier versions the list of energy readings starts empty */
}

/* Saves or loads an addition to a section, in worlds that have it. */
static void pass_addition(stream *s, scree_world *w, bool has, const char *of, addition_fn *pass)
{
	char name[SCREE_NAME];
	if (s->saving ? !has : !s->ok || s->used >= s->room) return;
	scree_stream_word(s, name, of);
	if (s->saving ||
		scree_stream_check(s, has && !strcmp(name, of), "it has an addition that this version does not support"))
		pass(s, w);
}

/* Saves or loads bonds, heat, counts of earlier implicit steps, maxima, and the step chosen by the run, in
 * worlds that have them; also saves or loads the energy guard, in all worlds. */
static void pass_additions(stream *s, scree_world *w)
{
	if (!s->saving) {
		load_additions(s, w);
		return;
	}
	pass_addition(s, w, has_bonds(&w->model.material), "bonds", pass_bonds);
	pass_addition(s, w, scree_materials_conduct(&w->model.material), "heat", pass_heat);
	pass_addition(s, w, !w->model.implicit && w->state.impulse.sweeps > 0, "counts", pass_counts);
	pass_addition(s, w, w->state.begun, "greatest", pass_greatest);
	pass_addition(s, w, scree_world_follows(&w->model), "step", pass_own_step);
	pass_addition(s, w, true, "energy", pass_energy);
}

static void pass_materials(stream *s, scree_world *w)
{
	int32_t count = w->model.material.count;
	if (!scree_stream_count(s, &count, sizeof(material), "it claims more materials than it holds")) return;
	for (int32_t k = 0; k < count; ++k) {
		material row = {0};
		if (s->saving) row = w->model.material.row[k];
		PASS(s, NAME_FIELD(row.name), FIELD(row.density), FIELD(row.young), FIELD(row.poisson));
		if (!s->saving && s->ok) scree_materials_add(&w->model.material, row);
	}
	for (int32_t a = 0; a < count && s->ok; ++a)
		for (int32_t b = 0; b < count && s->ok; ++b) pass_rule(s, scree_materials_rule(&w->model.material, a, b));
	if (s->ok) pass_additions(s, w);
	if (!s->saving && s->ok) take(s, scree_check_materials(&w->model.material));
}

static void pass_plane(stream *s, scree_world *w)
{
	PASS(s, FIELD(w->model.flat), FIELD(w->model.thickness));
	scree_stream_check(s, w->model.thickness > 0 && w->model.thickness < 1e30, "the thickness is invalid");
}

/* ------------------------------------------------------------------ shapes */

static void pass_polygon(stream *s, flat_polygon *o)
{
	PASS(s, FIELD(o->corners));
	if (!scree_stream_check(s, o->corners >= 3 && o->corners <= POLYGON_CORNERS, "a polygon's corners are invalid"))
		return;
	PASS(s, FIELD(o->radius), FIELD(o->inradius));
	/* includes the corners that are repeated at both ends of the ring (shape/shapes.h) */
	real *number = s->saving ? (real *)(o->corner - 1) : NULL;
	PASS_ARRAY(s, number, (int64_t)(o->corners + 2) * (int64_t)(sizeof *o->corner / sizeof *number));
	o->corner = number ? (flat_corner *)number + 1 : NULL;
	if (!number) o->corners = 0;
}

/* Saves or loads the source of a shape, from which scree_restore_shape rebuilds it. */
static void pass_shape_source(stream *s, shape *o)
{
	shape_source *g = &o->source;
	bool balls = o->type == SHAPE_CLUMP;
	PASS(s, FIELD(g->points), FIELD(g->triangles));
	if (!scree_stream_check(s,
							g->points > 0 && (balls ? g->triangles == 0 : g->triangles > 0 && g->triangles < 1 << 28),
							"a shape of parts has counts that are invalid"))
		return;
	PASS(s, FIELD(g->added), FIELD(o->halo));
	real *number = s->saving ? &g->point->x : NULL;
	PASS_ARRAY(s, number, 3 * (int64_t)g->points);
	g->point = (vec3 *)number;
	if (balls) PASS_ARRAY(s, g->radius, g->points);
	if (!balls) PASS_ARRAY(s, g->triangle, 3 * (int64_t)g->triangles);
}

/* Before version 14 superquadrics had only one exponent. */
static void pass_shape_numbers(stream *s, shape *o)
{
	const shape_form *f = scree_shape_forms + o->type;
	const bool one_power = o->type == SHAPE_SUPERQUADRIC && s->version < 14;
	for (int32_t k = 0; k < f->numbers - one_power; ++k) PASS(s, FIELDS((real *)((char *)o + f->number[k]), 1));
	if (one_power) o->power_xy = o->power_z;
}

static void pass_shape(stream *s, shape *o)
{
	PASS(s, NAME_FIELD(o->name));
	o->type = scree_stream_choice(s, o->type, SHAPE_TYPES, &scree_shape_forms[0].name, sizeof *scree_shape_forms,
								  "unknown type of shape");
	PASS(s, FIELD(o->radius), FIELD(o->inradius), FIELD(o->scale));
	scree_stream_check(s, o->scale > 0 && o->scale < (real)1e30, "a shape's scale is invalid");
	PASS(s, FIELD(o->volume), FIELD(o->inertia), FIELD(o->centre), FIELD(o->frame), FIELD(o->vertices),
		 FIELD(o->padded), FIELD(o->faces), FIELD(o->edges), FIELD(o->corners));
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
	for (int k = 0; k < 7; ++k) PASS_ARRAY(s, *reals[k], k < 3 ? o->padded : o->faces);
	const size_t planes = (size_t)o->faces, padded = (size_t)shape_padded_faces(o); /* with zeros */
	for (int k = 3; !s->saving && s->ok && k < 7; ++k) *reals[k] = scree_grow(*reals[k], planes, padded, sizeof(real));
	int32_t **ints[5] = {&o->first, &o->corner, &o->across, &o->ends, &o->sides};
	const int64_t length[5] = {(int64_t)o->faces + 1, o->corners, o->corners, 2 * (int64_t)o->edges,
							   2 * (int64_t)o->edges};
	for (int k = 0; k < 5; ++k) PASS_ARRAY(s, *ints[k], length[k]);
}

static void pass_shapes(stream *s, scree_world *w)
{
	int32_t count = w->model.shape.count;
	if (!scree_stream_count(s, &count, 100, "it claims more shapes than it holds")) return;
	if (!s->saving) {
		w->model.shape.row = scree_alloc((size_t)count, sizeof *w->model.shape.row);
		w->model.shape.capacity = w->model.shape.count = count;
	}
	for (int32_t k = 0; k < count && s->ok; ++k) {
		pass_shape(s, w->model.shape.row + k);
		if (!s->saving && s->ok) take(s, scree_restore_shape(w->model.shape.row + k, w->model.flat));
		if (s->saving || !s->ok) continue;
		w->model.shape.row[k].thick = scree_shape_thickness(w->model.shape.row + k);
		w->model.shape.row[k].uneven = scree_shape_unevenness(w->model.shape.row + k);
	}
}

/* ------------------------------------------------------------------ bodies, by the table of fields, in id order */

/* The name and type of a field precede its numbers, so errors about files of other versions name the field. */
static bool pass_field(stream *s, const field *f)
{
	char name[SCREE_NAME];
	scree_stream_word(s, name, f->name);
	const int type = scree_stream_named(s, f->type, &scree_number_names, "a column has an unknown type");
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
	if (!scree_stream_count(s, &count, 200, "it claims more bodies than it holds")) return;
	const int64_t after = count - before - b->owned;
	if (s->saving) count = b->owned;
	if (!s->saving) {
		/* the integrator and the materials are loaded before the bodies */
		scree_bodies_ask(b, scree_world_asks(&w->model));
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
	SCREE_FREE_ALL(column, order);
	if (!s->saving && s->ok) take(s, scree_check_bodies(w));
}

/* ------------------------------------------------------------------ walls */

/* Saves or loads the pose of a wall before a motion that began during the run; files before version 8 have none. */
static void pass_start(stream *s, wall_motion *m)
{
	if (s->version < 8) return;
	PASS(s, FIELD(m->placed));
	if (!m->placed) return;
	PASS(s, FIELD(m->base), FIELD(m->start), FIELD(m->servo.before));
}

/* Saves or loads tables and further motions of walls; files before version 9 have none. */
static void pass_table(stream *s, walls *all, motion_table *t)
{
	PASS(s, FIELD(t->curved));
	if (!scree_stream_count(s, &t->rows, sizeof *t->row, "it claims more table rows than it holds")) return;
	motion_row *row = s->saving ? NULL : scree_alloc((size_t)t->rows, sizeof *row);
	for (int32_t k = 0; k < t->rows; ++k) {
		motion_row one = s->saving ? t->row[k] : (motion_row){0};
		PASS(s, FIELD(one.time), FIELD(one.value), FIELD(one.slope));
		if (!s->saving) row[k] = one;
	}
	if (!s->saving) t->row = scree_walls_keep(all, row, t->rows, sizeof *row);
	scree_free(row);
}

static void pass_part(stream *s, walls *all, wall_motion *m)
{
	m->type = scree_stream_choice(s, m->type, MOTION_TYPES, &scree_motion_forms[0].name, sizeof *scree_motion_forms,
								  "unknown motion of a wall");
	PASS(s, FIELD(m->velocity), FIELD(m->axis), FIELD(m->point), FIELD(m->amplitude), FIELD(m->rate),
		 FIELD(m->frequency), FIELD(m->phase), FIELD(m->from), FIELD(m->ramp), FIELD(m->until));
	pass_table(s, all, &m->table);
}

static void pass_only(stream *s, walls *all, wall *o)
{
	if (!scree_stream_count(s, &o->materials, 1, "it claims more materials than it holds") || !o->materials) return;
	bool *only = scree_alloc((size_t)o->materials, sizeof *only);
	for (int32_t k = 0; k < o->materials; ++k) {
		if (s->saving) only[k] = o->only[k];
		PASS(s, FIELD(only[k]));
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
	if (!scree_stream_count(s, &o->parts, 4 * 24 + 6 * 8, "it claims more motions than it holds")) return;
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
	wall_motion *m = &o->motion;
	PASS(s, NAME_FIELD(o->name));
	o->type = scree_stream_choice(s, o->type, WALL_TYPES, &scree_wall_forms[0].name, sizeof *scree_wall_forms,
								  "unknown type of wall");
	o->side = scree_stream_named(s, o->side, &scree_side_names, "a wall has an unknown side");
	m->type = scree_stream_choice(s, m->type, MOTION_TYPES, &scree_motion_forms[0].name, sizeof *scree_motion_forms,
								  "unknown motion of a wall");
	PASS(s, FIELD(o->material), FIELD(o->first_facet), FIELD(o->facets), FIELD(o->first_surface), FIELD(o->surfaces),
		 FIELD(o->two_sided), FIELD(o->internal), FIELD(o->removed), FIELD(o->point), FIELD(o->axis),
		 FIELD(m->velocity), FIELD(m->axis), FIELD(m->point), FIELD(m->amplitude), FIELD(v->position),
		 FIELD(v->velocity), FIELD(v->angular_velocity), FIELD(v->force), FIELD(v->torque), FIELD(v->orientation),
		 FIELD(o->radius), FIELD(o->radius2), FIELD(o->length), FIELD(m->rate), FIELD(m->frequency), FIELD(m->phase),
		 FIELD(m->from), FIELD(m->ramp), FIELD(m->until));
	servo_rule *r = &m->servo;
	servo_constants *c = &o->servo;
	if (motion_is_driven(m->type))
		PASS(s, FIELD(r->force), FIELD(r->mass), FIELD(r->damping), FIELD(r->max_speed), FIELD(r->low), FIELD(r->high),
			 FIELD(c->mass), FIELD(c->stiffness), FIELD(c->max_speed), FIELD(v->servo.way), FIELD(v->servo.speed),
			 FIELD(v->servo.contacts));
	if (motion_is_free(m->type)) PASS(s, FIELD(r->spring), FIELD(r->damper), FIELD(r->speed), FIELD(r->weight));
	if (m->type == MOTION_GIVEN) PASS(s, FIELD(m->base));
	if (o->type == WALL_FACETS) PASS(s, FIELD(o->tolerance));
	if (o->type == WALL_POLYGON) PASS(s, FIELD(o->shape));
}

static bool is_servo(const wall *o) { return o->motion.type == MOTION_SERVO || o->motion.type == MOTION_TORQUE; }

/* Saves or loads the state that only walls with a servo have; earlier versions did not save it. */
static void pass_servos(stream *s, scree_world *w)
{
	for (int32_t k = 0; k < w->model.wall.count && s->ok; ++k) {
		servo_state *v = &w->state.wall[k].servo;
		if (!is_servo(w->model.wall.row + k)) continue;
		PASS(s, FIELD(v->carried), FIELD(v->mean), FIELD(v->reached), FIELD(v->asked), FIELD(v->given),
			 FIELD(v->heard));
	}
}

static void pass_walls(stream *s, scree_world *w)
{
	walls *a = &w->model.wall;
	int32_t count[4] = {a->count, a->facets, a->corners, a->surfaces};
	static const size_t each[4] = {300, 80, 60, 4};
	for (int k = 0; k < 4; ++k)
		if (!scree_stream_count(s, count + k, each[k], "it claims more walls than it holds")) return;
	if (!s->saving) {
		a->row = scree_alloc((size_t)count[0], sizeof *a->row);
		a->facet = scree_alloc((size_t)count[1], sizeof *a->facet);
		a->capacity = a->count = count[0];
		scree_state_room(&w->model, &w->state);
		a->facets = a->facet_capacity = count[1];
		a->corners = a->corner_capacity = count[2];
		a->surfaces = a->surface_capacity = count[3];
	}
	for (int32_t k = 0; k < count[0] && s->ok; ++k) pass_wall(s, a->row + k, w->state.wall + k);
	for (facet *f = a->facet; f < a->facet + count[1] && s->ok; ++f)
		PASS(s, FIELD(f->wall), FIELD(f->surface), FIELD(f->first), FIELD(f->corners), FIELD(f->normal), FIELD(f->off),
			 FIELD(f->low), FIELD(f->high));
	PASS_ARRAY(s, a->corner, a->corners);
	PASS_ARRAY(s, a->outward, a->corners);
	PASS_ARRAY(s, a->next, a->corners);
	PASS_ARRAY(s, a->bend, a->corners);
	PASS_ARRAY(s, a->surface_wall, a->surfaces);
	for (int32_t k = 0; k < count[0] && s->ok; ++k) pass_start(s, &a->row[k].motion);
	for (int32_t k = 0; k < count[0] && s->ok; ++k) pass_parts(s, a, a->row + k);
	for (int32_t k = 0; k < count[0] && s->ok && scree_materials_conduct(&w->model.material); ++k) {
		PASS(s, FIELD(a->row[k].conducts), FIELD(a->row[k].temperature));
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
	g->type = scree_stream_named(s, g->type, &scree_region_names, "unknown region");
	PASS(s, FIELD(g->flat), FIELD(g->low), FIELD(g->high), FIELD(g->centre), FIELD(g->axis), FIELD(g->radius),
		 FIELD(g->length));
}

static void pass_random(stream *s, random_stream *r)
{
	PASS(s, FIELD(r->seed), FIELD(r->stream), FIELD(r->counter));
	scree_stream_bytes(s, r->block, sizeof r->block);
	PASS(s, FIELD(r->left));
	scree_stream_check(s, r->left >= 0 && r->left <= 4, "a random stream is invalid");
}

static void pass_sieve(stream *s, spread *o)
{
	PASS(s, FIELD(o->classes));
	if (!scree_stream_check(s, o->classes >= 1 && o->classes <= SIEVE_CLASSES, "a sieve curve has no classes")) return;
	PASS(s, FIELDS(o->size, (size_t)o->classes + 1), FIELDS(o->share, (size_t)o->classes));
}

static void pass_mix(stream *s, mix_part *m)
{
	PASS(s, FIELD(m->shape), FIELD(m->share));
	m->size.type = scree_stream_named(s, m->size.type, &scree_spread_names, "unknown size distribution");
	PASS(s, FIELD(m->size.a), FIELD(m->size.b), FIELD(m->size.cut));
	if (m->size.type == SPREAD_SIEVE) pass_sieve(s, &m->size);
}

static void pass_source(stream *s, source *o, source_state *now, const scree_world *w)
{
	int32_t material = o->part[0].material; /* before version 9 all parts had this material */
	PASS(s, NAME_FIELD(o->name));
	scree_snapshot_pass_region(s, &o->where);
	PASS(s, FIELD(o->rate), FIELD(o->from), FIELD(o->until), FIELD(o->limit), FIELD(material), FIELD(o->parts));
	if (!scree_stream_check(s, o->parts >= 1 && o->parts <= 16 && material >= 0 && material < w->model.material.count,
							"a source has no mix or no material"))
		return;
	for (int32_t k = 0; k < o->parts; ++k) {
		if (!s->saving) o->part[k].material = material;
		pass_mix(s, o->part + k);
	}
	o->orient = scree_stream_named(s, o->orient, &scree_orient_names, "unknown orientation");
	PASS(s, FIELD(o->orientation), FIELD(o->velocity), FIELD(o->angular_velocity), FIELD(o->seed), FIELD(now->made),
		 FIELD(now->waiting_tries));
	pass_random(s, &now->random);
	if (!s->saving && s->ok) take(s, scree_check_source(o, now, w));
}

static void pass_sink(stream *s, sink *o, sink_state *now, const scree_world *w)
{
	PASS(s, NAME_FIELD(o->name));
	o->type = scree_stream_named(s, o->type, &scree_sink_names, "unknown sink");
	PASS(s, FIELD(o->normal), FIELD(o->off));
	scree_snapshot_pass_region(s, &o->where);
	PASS(s, FIELD(now->taken), FIELD(now->mass_taken));
	if (!s->saving && s->ok) take(s, scree_check_sink(o, now, w));
}

/* Saves or loads the changes that stages have made to sources and sinks; files before version 8 have none. */
static void pass_idle(stream *s, population *p)
{
	if (s->version < 8) return;
	for (int32_t k = 0; k < p->sources; ++k) {
		PASS(s, FIELD(p->source[k].before), FIELD(p->source[k].idle));
		scree_stream_check(s, p->source[k].before >= 0, "a source's count is invalid");
	}
	for (int32_t k = 0; k < p->sinks; ++k) PASS(s, FIELD(p->sink[k].idle));
}

/* Saves or loads the materials for the parts of sources, and sources by mass; files before version 9 have none. */
static void pass_masses(stream *s, scree_world *w)
{
	if (s->version < 9) return;
	for (int32_t k = 0; k < w->model.population.sources && s->ok; ++k) {
		source *o = w->model.population.source + k;
		source_state *now = w->state.source + k;
		for (int32_t p = 0; p < o->parts; ++p) PASS(s, FIELD(o->part[p].material));
		PASS(s, FIELD(o->mass_rate), FIELD(o->mass_before), FIELD(o->mass_limit), FIELD(o->mean_mass),
			 FIELD(now->mass));
		if (!s->saving && s->ok) take(s, scree_check_source(o, now, w));
	}
}

static void pass_flow_plane(stream *s, flow_plane *f, flow_count *now)
{
	PASS(s, NAME_FIELD(f->name), FIELD(f->point), FIELD(f->normal), FIELD(f->along), FIELD(f->across),
		 FIELD(f->bounded), FIELDS(f->half, 2), FIELD(f->material), FIELDS(f->sizes, 2));
	for (int k = 0; k < 2; ++k) PASS(s, FIELD(now->count[k]), FIELD(now->mass[k]));
}

/* Saves or loads planes that count bodies; files before version 9 have none. */
static void pass_flow(stream *s, scree_world *w)
{
	flow_planes *f = &w->model.flow;
	if (s->version < 9) return;
	PASS(s, FIELD(f->count));
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
	if (!scree_stream_count(s, &sources, 200, "it claims more sources than it holds") ||
		!scree_stream_count(s, &sinks, 100, "it claims more sinks than it holds"))
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
		PASS(s, FIELD(p->source[k].temperature));
		scree_stream_check(s, bearable(p->source[k].temperature), "the temperature of a source is invalid");
	}
}

/* ------------------------------------------------------------------ periods */

/* A cell that changes size; files before version 10 have none, and its stresses were constant before version 13. */
static void pass_cell(stream *s, scree_world *w)
{
	periods *p = &w->model.period;
	cell_rule *c = &w->model.cell;
	images *now = &w->state.images;
	if (s->version >= 10) PASS(s, FIELD(p->deforms));
	if (!p->deforms) return;
	PASS(s, FIELD(c->rate), FIELD(c->stress), FIELD(now->low), FIELD(now->size), FIELD(now->growth), FIELD(now->mean),
		 FIELD(now->border), FIELD(c->from), FIELD(c->limit), FIELD(c->lag), FIELDS(c->servo, 3));
	pass_table(s, &w->model.wall, &c->over);
	if (s->version >= 13) pass_table(s, &w->model.wall, &c->goal);
	if (s->version >= 13) PASS(s, FIELD(c->goal_from));
	if (s->saving || !s->ok) return;
	now->begun = true;
	bool right = c->limit >= 0 && c->limit < (real)1e30 && c->lag >= 0 && c->lag < (real)1e30;
	right = right && (!c->over.rows || scree_motion_table_is_valid(&c->over)) &&
			(!c->goal.rows || scree_motion_table_is_valid(&c->goal)) &&
			(!cell_has_servo(c) || c->lag > 0 || !w->state.body.count); /* the lag is derived from the bodies */
	for (int d = 0; d < 3; ++d)
		right = right && v3_part(now->size, d) > 0 && v3_part(now->size, d) < (real)1e30 &&
				real_abs(v3_part(now->low, d)) < (real)1e30 && real_abs(v3_part(now->growth, d)) < (real)1e30;
	scree_stream_check(s, right, "its cell is invalid");
}

/* Saves or loads values that a cell with a servo reports at the end; earlier versions did not save them. */
static void pass_stresses(stream *s, scree_world *w)
{
	images *now = &w->state.images;
	PASS(s, FIELD(now->asked), FIELD(now->given));
	bool right = true;
	for (int d = 0; d < 3; ++d)
		right = right && real_abs(v3_part(now->asked, d)) < (real)1e30 && real_abs(v3_part(now->given, d)) < (real)1e30;
	scree_stream_check(s, right, "its cell is invalid");
}

/* Called once numbers and bodies are loaded, but before the contacts, which depend on the periods. */
static void pass_periods(stream *s, scree_world *w)
{
	periods *p = &w->model.period;
	images *now = &w->state.images;
	PASS(s, FIELDS(p->axis, 3), FIELD(p->low), FIELD(p->size), FIELD(p->shears), FIELD(p->flow), FIELD(p->gradient),
		 FIELD(p->rate));
	if (s->version >= 7) PASS(s, FIELD(now->turns_from), FIELD(now->part_from));
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
	PASS(s, FIELD(k->a), FIELD(k->b), FIELD(k->image.x), FIELD(k->image.y), FIELD(k->image.z), FIELD(k->feature));
	if (scree_pair_kinds[kind].several && pair_on_wall(kind)) PASS(s, FIELD(k->part));
}
enum { KEY_BYTES = 3 * 8 + 3 * 4, MOST_KEY_BYTES = KEY_BYTES + 8 };

static size_t key_bytes(int kind)
{
	return scree_pair_kinds[kind].several && pair_on_wall(kind) ? MOST_KEY_BYTES : KEY_BYTES;
}

static void save_head(stream *s, int kind, int32_t count)
{
	char name[SCREE_NAME];
	scree_stream_word(s, name, scree_pair_kinds[kind].name);
	PASS(s, FIELD(count));
}

static void save_columns(stream *s, const pair_list *l)
{
	int32_t columns = 0;
	for (int f = 0; f < scree_history_table.count; ++f) columns += scree_pair_has(l, f);
	PASS(s, FIELD(columns));
}

/* Saves this rank's share of all contacts. */
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
		for (int32_t k = 0; k < count; ++k) PASS(s, FIELD(array[row[k]]));
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
	char name[SCREE_NAME];
	int f = scree_history_table.count - 1;
	scree_stream_word(s, name, "");
	const int type = scree_stream_named(s, 0, &scree_number_names, "a column has an unknown type");
	while (f >= 0 && strcmp(scree_history_table.row[f].name, name) != 0) --f;
	if (!s->ok || refuse_unknown(s, f, "the contact history has the column", name) < 0) return;
	const field *row = scree_history_table.row + f;
	if (!scree_stream_check(s, type == (int)row->type && !(*seen >> f & 1), "a column of contacts is invalid")) return;
	*seen |= (uint64_t)1 << f;
	scree_pair_list_remember(l, l->remembers | scree_pair_needs(f));
	scree_stream_bytes(s, scree_field_array(l, row), (size_t)count * sizeof(real));
}

/* Loads columns. The columns form groups (enum REMEMBERS_..); an incomplete group is not a valid history. */
static void load_columns(stream *s, pair_list *l, int32_t count)
{
	uint64_t seen = 0;
	int32_t columns = 0;
	PASS(s, FIELD(columns));
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
	char name[SCREE_NAME];
	scree_stream_word(s, name, "");
	if (!s->ok) return;
	int32_t count = 0;
	int kind = refuse_unknown(s, scree_pair_kind_find(name), "it has contacts of the kind", name);
	if (kind < 0 || !scree_stream_check(s, !had[kind], "it has contacts of one kind twice") ||
		!scree_stream_count(s, &count, KEY_BYTES, "it claims more contacts than it holds"))
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
	PASS(s, FIELD(kinds));
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
