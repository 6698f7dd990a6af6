/* plans: checks the measures of a scene, and makes the plans for its run and its outputs. */
#include "format/colour_names.h"
#include "measure/measure.h"
#include "model/periods.h"
#include "model/response.h"
#include "scene/reader.h"

static int32_t copy_words(const spec_list *list, word_fn *words, char to[PLAN_FIELDS][32])
{
	const int32_t *word = list->item;
	for (int32_t i = 0; i < list->count && i < PLAN_FIELDS; ++i) snprintf(to[i], 32, "%s", words(NULL, word[i]));
	return list->count < PLAN_FIELDS ? list->count : PLAN_FIELDS;
}

static void copy_colours(const spec_list *from, image_plan *to)
{
	const color_spec *c = from->item;
	for (; to->colours < from->count && to->colours < PLAN_COLOURS; ++to->colours) {
		plan_colour_of *o = to->colour + to->colours;
		snprintf(o->name, sizeof o->name, "%s", c[to->colours].h.name);
		plan_colour(c[to->colours].value, &o->srgb);
	}
}

static image_plan build_images(const image_spec *s)
{
	image_plan out = {.on = s->h.where != NULL && s->active};
	if (!s->h.where) return out; /* `scree render` uses these settings even if a run writes no pictures */
	const real *at = s->at.item;
	out.every = s->every;
	out.times = s->at.count;
	for (int32_t i = 0; i < out.times; ++i) out.at[i] = at[i];
	out.format = (picture_format)s->format;
	out.width = s->size[0];
	out.height = s->size[1];
	snprintf(out.color, sizeof out.color, "%s", scree_words_colors(NULL, s->color));
	out.has_range = s->range.low < s->range.high;
	out.range[0] = s->range.low;
	out.range[1] = s->range.high;
	out.has_camera = s->camera.h.where != NULL;
	out.eye = s->camera.eye;
	out.target = s->camera.target;
	out.up = s->camera.up;
	out.fov = s->camera.fov;
	out.walls = (wall_look)s->walls;
	out.has_cut = s->cut.h.where != NULL;
	out.cut_point = s->cut.point;
	out.cut_normal = v3_unit(s->cut.normal);
	out.samples = (int32_t)s->samples;
	out.forces = s->forces;
	out.no_title = !s->title;
	out.no_legend = !s->legend;
	out.scale_bar = s->scale_bar;
	out.axes = s->axes;
	out.parallel = s->projection == 1;
	out.fit_bodies = s->fit == 1;
	out.bodies = (body_look)s->bodies;
	out.ground = (picture_ground)s->ground;
	out.map = (picture_map)s->map;
	out.arrows = (picture_arrows)s->arrows;
	copy_colours(&s->colors, &out);
	return out;
}

/* interval in s, or 0 if a stage does not write the series, whose file stays open */
static real interval_of(const series_spec *s) { return s->active ? s->every : 0; }

/* Tests whether any stage solves for contact forces. */
static bool solves(const reader *r)
{
	bool any = scree_response_row(r->spec.run.response)->implicit;
	for (int32_t k = 0; k < r->spec.stages.count; ++k)
		any |= scree_response_row(r->stage[k].spec.run.response)->implicit;
	return any;
}

static bool has(const measure_spec *m, const char *key) { return scree_given(&m->h, key); }

/* what a value requires of its measure */
static void check_value(reader *r, const measure_spec *m, const measure_row *row, place at, bool bounded)
{
	const region_spec *g = &m->region;
	const bool chooses = has(m, "material") || has(m, "sizes"), axis = g->cylinder.h.where || g->disc.h.where;
	if (row->needs_volume && !bounded)
		scree_report(&r->r, at, "add region: {box: {min: [..], max: [..]}}",
					 "values: %s needs a volume: give the measure a region, or give the world a domain", row->name);
	if (row->needs_choice && !chooses)
		scree_report(&r->r, at, "add material: NAME, or sizes: [1 mm, 2 mm]",
					 "values: %s compares some bodies with all bodies: give the measure a material or sizes",
					 row->name);
	if (row->needs_axis && !axis)
		scree_report(&r->r, at,
					 r->flat ? "add region: {disc: {radius: ..}}" : "add region: {cylinder: {radius: .., length: ..}}",
					 "values: %s needs a region with an axis, a %s", row->name, r->flat ? "disc" : "cylinder");
	if (row->needs_cuts &&
		(r->flat || axis || g->sphere.h.where)) /* only cells of a box divide bodies at their borders */
		scree_report(&r->r, at,
					 r->flat ? "solid_fraction counts bodies by their centres"
							 : "add region: {box: {min: [..], max: [..]}}",
					 "values: %s needs a box in dimension 3", row->name);
}

static void check_values(reader *r, const measure_spec *m, bool bounded)
{
	const int32_t *word = m->words.item;
	for (int32_t k = 0; k < m->words.count; ++k)
		if (word[k] >= 0) check_value(r, m, scree_measures + word[k], scree_entry(&m->h, "values", k), bounded);
}

static void check_cells(reader *r, const measure_spec *m, bool bounded)
{
	const region_spec *g = &m->region;
	const bool round = g->cylinder.h.where || g->sphere.h.where || g->disc.h.where;
	const int64_t all = (int64_t)m->cells[0] * m->cells[1] * m->cells[2];
	if (!bounded && all > 1)
		REFUSE_VALUE(r, &m->h, "cells", "add region: {box: {min: [..], max: [..]}}",
					 "cells: without a region there is one cell");
	if (round && (m->cells[1] > 1 || (!g->cylinder.h.where && m->cells[2] > 1)))
		REFUSE_VALUE(r, &m->h, "cells", NULL, "cells: %s has %s",
					 g->cylinder.h.where ? "a cylinder"
					 : g->disc.h.where	 ? "a disc"
										 : "a sphere",
					 g->cylinder.h.where ? "[rings, 1, slices]"
					 : g->disc.h.where	 ? "[rings, 1]"
										 : "[shells, 1, 1]");
	if (all * m->classes > PLAN_CELLS)
		REFUSE_VALUE(r, &m->h, "cells", NULL, "cells: %lld rows at each output time; at most %d are allowed",
					 (long long)all * m->classes, PLAN_CELLS);
}

/* Sets up a measure's own table and its columns in the history. */
static void check_tables(reader *r, measure_spec *m)
{
	const int64_t rows = (int64_t)m->cells[0] * m->cells[1] * m->cells[2] * m->classes;
	if (!has(m, "every") && !m->history && !scree_excused(&m->h))
		scree_report(&r->r, m->h.where->key_at, "add every: 10 ms, say, or history: true",
					 "%s: the key 'every' is missing (simulated time between output times, in s)", m->h.name);
	if (!has(m, "every") && m->history && !m->active)
		REFUSE_VALUE(
			r, &m->h, "active", "add every: 10 ms, say, or remove active",
			"active: applies only to a table, which needs the key 'every'; columns of the history are always written");
	if (m->history && !r->spec.output.history.h.where)
		REFUSE_VALUE(r, &m->h, "history", "add history: {every: ...} to output",
					 "history: this scene has no output.history");
	if (m->history && rows > 1)
		REFUSE_VALUE(r, &m->h, "history", "make a second measure of one cell for the history",
					 "history: a row of the history has one value per column, and this measure has %lld rows at each "
					 "time",
					 (long long)rows);
}

static void check_sink(reader *r, const measure_spec *m)
{
	const sink_spec *s = r->spec.sinks.item;
	writing names = {0};
	bool found = false;
	for (int32_t k = 0; k < r->spec.sinks.count; ++k) {
		char name[48];
		scree_sink_name(s + k, k, name);
		found |= !strcmp(name, m->sink);
		scree_writing_add(&names, "%s%s", k ? ", " : "names: ", name);
	}
	const char *all = scree_report_keep(&r->r, &names);
	if (!found)
		REFUSE_VALUE(r, &m->h, "sink", all ? all : "add it to sinks", "sink: there is no sink '%.40s'", m->sink);
}

static bool gives(const flow_spec *f, const char *key) { return scree_node_child(f->h.where, key) != NULL; }

/* The direction of `length`: the given one, or the axis after the normal's axis, cyclically; zero if there is none. */
static vec3 along_of(const reader *r, const flow_spec *f, vec3 normal)
{
	if (r->flat) return v3(-normal.y, normal.x, 0);
	if (gives(f, "along")) return f->along.unit;
	for (int32_t d = 0; d < 3; ++d) {
		vec3 next = v3(0, 0, 0);
		*v3_along(&next, (d + 1) % 3) = 1;
		if (real_abs(v3_part(normal, d)) == 1) return next;
	}
	return v3(0, 0, 0);
}

static flow_plane plane_of(const reader *r, const measure_spec *m)
{
	const flow_spec *f = &m->plane;
	flow_plane out = {.point = f->point,
					  .normal = v3_unit(f->normal),
					  .bounded = gives(f, "length"),
					  .material = has(m, "material") ? m->material : -1,
					  .sizes = {m->sizes[0], m->sizes[1]}};
	snprintf(out.name, sizeof out.name, "%s", m->h.name);
	if (!out.bounded) return out;
	out.along = along_of(r, f, out.normal);
	out.across = v3_cross(out.normal, out.along);
	out.half[0] = f->length / 2;
	out.half[1] = r->flat ? INFINITY : f->width / 2;
	return out;
}

static void check_rectangle(reader *r, const flow_spec *f, vec3 normal)
{
	const real tolerance = (real)1e-9;
	if (gives(f, "length") != gives(f, "width") && !r->flat)
		REFUSE(r, f->h.where, "give both, or neither for the whole plane",
			   "plane: 'length' and 'width' belong together");
	if (!gives(f, "length")) {
		if (gives(f, "along"))
			REFUSE_KEY(r, &f->h, "along", "add length and width", "along: a whole plane has no edges");
		return;
	}
	const vec3 along = along_of(r, f, normal);
	if (!(v3_norm(along) > 0))
		REFUSE(r, f->h.where, "add along: [..], a direction in the plane",
			   "plane: the key 'along' is missing; a rectangle whose normal is not along an axis needs it");
	else if (!(real_abs(v3_dot(along, normal)) <= tolerance))
		REFUSE_KEY(r, &f->h, "along", NULL, "along: must be in the plane, across its normal");
}

static periods periods_of(const world_spec *s)
{
	periods p = {
		.low = s->domain.min, .size = v3_sub(s->domain.max, s->domain.min), .shears = s->shear.h.where != NULL};
	EACH(const int32_t, axis, s->periodic) p.axis[*axis] = true;
	p.flow = s->shear.flow;
	p.gradient = s->shear.gradient;
	periods_begin(&p);
	return p;
}

static void check_plane(reader *r, const measure_spec *m)
{
	const flow_spec *f = &m->plane;
	if (f->h.where->type != NODE_MAP || !gives(f, "point") || !gives(f, "normal")) return;
	if (!(v3_norm(f->normal) > 0)) {
		REFUSE_VALUE(r, &f->h, "normal", NULL, "normal: has no direction");
		return;
	}
	const int64_t before = r->r.total;
	check_rectangle(r, f, v3_unit(f->normal));
	if (r->r.total > before) return;
	const periods p = periods_of(&r->spec.world);
	const flow_plane plane = plane_of(r, m);
	const char *fault = scree_flow_plane_fault(&p, &plane);
	if (fault) REFUSE(r, f->h.where, NULL, "plane: %s", fault);
}

/* A resolved scene contains the defaults of `cells` and `classes` (one each), so these are accepted. */
static void check_flow(reader *r, const measure_spec *m)
{
	static const char *const keys[] = {"values", "cells", "classes", "material", "sizes"};
	const bool one[] = {false, m->cells[0] == 1 && m->cells[1] == 1 && m->cells[2] == 1, m->classes == 1, false, false};
	const bool plane = m->plane.h.where != NULL;
	for (size_t k = 0; k < (plane ? 3 : sizeof keys / sizeof *keys); ++k)
		if (has(m, keys[k]) && !one[k])
			REFUSE_KEY(r, &m->h, keys[k], "remove it", "%s: does not apply to a flow, which has mass and number",
					   keys[k]);
	if (has(m, "region"))
		REFUSE_KEY(r, &m->h, "region", "remove it",
				   plane ? "region: a flow through a plane has no region" : "region: the sink has its own region");
	if (m->sink && plane)
		REFUSE_KEY(r, &m->h, "plane", "make two measures",
				   "plane: a measure belongs to a sink or to a plane, not both");
	if (m->sink)
		check_sink(r, m);
	else
		check_plane(r, m);
}

static bool deforms(const reader *r)
{
	const node *world = r->spec.world.h.where;
	return scree_node_child(world, "strain_rate") || scree_node_child(world, "strain_table") ||
		   scree_node_child(world, "servo");
}

/* A region is fixed, so a cell that changes size must contain it at all times. */
static void check_stays_inside(reader *r, const measure_spec *m)
{
	const region_spec *g = &m->region;
	const bool whole = g->box.h.where || g->cylinder.h.where || g->sphere.h.where || g->disc.h.where;
	if (!deforms(r) || !whole || r->r.total) return;
	const periods p = periods_of(&r->spec.world);
	const region where = scree_build_region(r, g);
	vec3 low, high;
	scree_region_reach(&where, &low, &high);
	for (int32_t d = 0; d < 3; ++d) {
		const real from = v3_part(p.low, d), to = from + v3_part(p.size, d);
		if (!p.axis[d] || scree_region_spans(&p, &where, d) || (v3_part(low, d) > from && v3_part(high, d) < to))
			continue;
		REFUSE_VALUE(r, &m->h, "region", "leave it out for the whole cell, or make it smaller",
					 "region: it is fixed, but the cell changes size: along %c it must lie between the borders of the "
					 "cell, %g and %g m, or reach from one to the other",
					 "xyz"[d], from, to);
		return;
	}
}

static void check_measure(reader *r, measure_spec *m)
{
	if (!m->h.where || m->h.where->type != NODE_MAP) return;
	check_tables(r, m);
	if (m->sink || m->plane.h.where) {
		check_flow(r, m);
		return;
	}
	const bool bounded = has(m, "region") || r->spec.world.domain.h.where;
	check_values(r, m, bounded);
	check_cells(r, m, bounded);
	if (m->region.segment.h.where) REFUSE_VALUE(r, &m->h, "region", NULL, "region: a segment has no inside to measure");
	if (m->classes > 1 && !has(m, "sizes"))
		REFUSE_VALUE(r, &m->h, "classes", "add sizes: [1 mm, 2 mm], say", "classes: need 'sizes'");
	check_stays_inside(r, m);
}

static field_plan plan_of_fields(const reader *r, const field_spec *f)
{
	const box_spec *domain = &r->spec.world.domain;
	field_plan p = {.on = f->h.where != NULL,
					.every = f->active ? f->every : 0,
					.width = f->width,
					.function = (field_function)f->function,
					.low = scree_given(&f->h, "min") ? f->min : domain->min,
					.high = scree_given(&f->h, "max") ? f->max : domain->max};
	for (int d = 0; d < 3; ++d) p.cells[d] = f->cells[d];
	return p;
}

static void check_fields(reader *r, field_spec *f)
{
	const bool low = scree_given(&f->h, "min"), high = scree_given(&f->h, "max");
	if (!f->h.where || f->h.where->type != NODE_MAP) return;
	if ((!low || !high) && !r->spec.world.domain.h.where && !scree_excused(&f->h))
		REFUSE(r, f->h.where, "add min: [..], max: [..]",
			   "fields: the grid needs corners, or the world needs a domain");
	const field_plan p = plan_of_fields(r, f);
	if (low && high && !(p.low.x < p.high.x && p.low.y < p.high.y && (r->flat || p.low.z < p.high.z)))
		REFUSE_KEY(r, &f->h, "max", NULL, "fields: max must be greater than min along every axis");
	const real cells = (real)f->cells[0] * f->cells[1] * f->cells[2];
	if (cells > FIELD_CELLS)
		REFUSE_KEY(r, &f->h, "cells", NULL, "cells: %.3g cells; at most %d are allowed", cells, FIELD_CELLS);
	if (r->spec.world.shear.h.where)
		REFUSE(r, f->h.where, NULL, "fields: sheared worlds cannot have fields, since their images move");
	if (deforms(r))
		REFUSE(r, f->h.where, NULL, "fields: a cell that changes size cannot have fields, since the grid is fixed");
}

void scree_check_measures(reader *r)
{
	check_fields(r, &r->spec.output.fields);
	EACH(measure_spec, m, r->spec.output.measures) check_measure(r, m);
}

static measure_plan plan_of(const reader *r, const measure_spec *m)
{
	const box_spec *domain = &r->spec.world.domain;
	measure_plan p = {.every = m->active ? m->every : 0,
					  .history = m->history,
					  .no_table = !has(m, "every"),
					  .bounded = m->region.h.where || domain->h.where,
					  .classes = (int32_t)m->classes,
					  .sizes = {m->sizes[0], m->sizes[1]},
					  .material = has(m, "material") ? m->material : -1};
	snprintf(p.name, sizeof p.name, "%s", m->h.name);
	snprintf(p.sink, sizeof p.sink, "%s", m->sink ? m->sink : "");
	p.type = m->sink ? MEASURE_SINK : m->plane.h.where ? MEASURE_PLANE : MEASURE_REGION;
	for (int d = 0; d < 3; ++d) p.cells[d] = m->cells[d];
	region_spec whole = {.box.h = domain->h, .box.min = domain->min, .box.max = domain->max};
	p.where = scree_build_region(r, m->region.h.where ? &m->region : &whole);
	const int32_t *word = m->words.item;
	for (; p.values < m->words.count && p.values < PLAN_FIELDS; ++p.values)
		snprintf(p.value[p.values], sizeof p.value[0], "%s", scree_measures[word[p.values]].name);
	return p;
}

static void build_measures(const reader *r, output_plan *out)
{
	if (r->spec.output.fields.h.where) out->field = plan_of_fields(r, &r->spec.output.fields);
	out->measures = 0;
	EACH(const measure_spec, m, r->spec.output.measures) out->measure[out->measures++] = plan_of(r, m);
}

void scree_build_flow(const reader *r, flow_planes *out)
{
	out->count = 0;
	EACH(const measure_spec, m, r->spec.output.measures)
	if (m->plane.h.where && out->count < FLOW_PLANES) out->row[out->count++] = plane_of(r, m);
}
_Static_assert((int)FLOW_PLANES >= (int)PLAN_MEASURES, "each measure may have a plane");

void scree_build_plan(const reader *r, scene *out)
{
	const run_spec *run = &r->spec.run;
	const output_spec *o = &r->spec.output;
	out->run = (run_plan){.until = run->until,
						  .by_stages = r->spec.stages.count && !scree_given(&run->h, "until"),
						  .step_part = run->step.fraction,
						  .step = run->step.time,
						  .snapshot_every = run->snapshot.every,
						  .snapshots_kept = (int32_t)run->snapshot.keep,
						  .machine = run->machine ? scree_words_machines(NULL, run->machine) : NULL};
	out->output.vtk.on = o->vtk.h.where != NULL;
	out->output.vtk.every = interval_of(&o->vtk);
	out->output.vtk.per_file = o->vtk.per_file;
	out->output.vtk.fields = copy_words(&o->vtk.words, scree_words_vtk, out->output.vtk.field);
	out->output.history.on = o->history.h.where != NULL;
	out->output.history.every = interval_of(&o->history);
	out->output.history.values = copy_words(&o->history.words, scree_words_history, out->output.history.value);
	out->output.history.solves = solves(r);
	out->output.images = build_images(&o->images);
	out->output.film = (film_plan){o->film.h.where != NULL, o->film.rate};
	build_measures(r, &out->output);
	scree_build_flow(r, &out->flow);
	const series_spec *table[PLAN_TABLES] = {&o->bodies, &o->walls, &o->contacts, &o->xyz, &o->dump};
	for (int k = 0; k < PLAN_TABLES; ++k)
		out->output.table[k] = (table_plan){table[k]->h.where != NULL, interval_of(table[k]), table[k]->up_to};
}
