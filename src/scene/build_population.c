/* build_population: builds sources and sinks, and the regions, sizes and mixes that they share with fills. */
#include "scene/reader.h"

#include "kernel/quat.h"
#include "narrow/narrow.h"
#include "world/world.h"

region scree_build_region(const reader *r, const region_spec *g)
{
	region out = {.type = REGION_BOX, .flat = r->flat, .low = g->box.min, .high = g->box.max, .axis = v3(0, 0, 1)};
	if (g->box.h.where) return out;
	if (g->segment.h.where) {
		out.type = REGION_SEGMENT;
		out.low = g->segment.from;
		out.high = g->segment.to;
		return out;
	}
	const tube_spec *t = g->cylinder.h.where ? &g->cylinder : g->disc.h.where ? &g->disc : &g->sphere;
	out.type = t == &g->cylinder ? REGION_CYLINDER : REGION_SPHERE;
	out.centre = t->center;
	out.radius = t->radius;
	out.length = t->length;
	if (out.type == REGION_CYLINDER) out.axis = t->axis.unit;
	return out;
}

static void name_row(char name[48], const char *given, const char *what, int32_t k)
{
	if (given)
		snprintf(name, 48, "%.47s", given);
	else
		snprintf(name, 48, "%s %d", what, k + 1);
}

/* A body depends only on its number, so shares by mass become shares by number with the same expected mass. */
static void set_mix(const reader *r, const fill_spec *f, source *out)
{
	body_mix mix;
	real shares = 0;
	scree_build_mix(r, f, &mix);
	out->parts = mix.parts;
	for (int32_t p = 0; p < mix.parts; ++p) {
		out->part[p] = mix.part[p];
		if (mix.by_mass) out->part[p].share /= mix.mass[p];
		shares += out->part[p].share;
	}
	for (int32_t p = 0; p < mix.parts; ++p) out->mean_mass += out->part[p].share / shares * mix.mass[p];
}

static void set_rate(reader *r, const fill_spec *f, source *out)
{
	out->mass_rate = f->mass_rate;
	out->mass_limit = f->mass;
	out->rate = f->mass_rate > 0 ? f->mass_rate / out->mean_mass : f->rate;
	if (out->mass_limit > 0 && out->mass_limit < out->mean_mass / 2)
		REFUSE_VALUE(r, &f->h, "mass", NULL, "mass: %g kg is less than half the mass of one body (%.3g kg)",
					 out->mass_limit, out->mean_mass);
}

enum { SOURCE_SHAPES = sizeof((source *)0)->part / sizeof(mix_part) };

/* Adds an entry to a source's mix for each grain of a shape; the grains have equal shares of the shape's bodies. */
static bool add_grains(const mix_part *part, const shape_rows *of, source *to)
{
	if (of->count > SOURCE_SHAPES - to->parts) return false;
	for (int32_t k = 0; k < of->count; ++k) {
		mix_part *one = to->part + to->parts++;
		*one = *part;
		one->shape = of->first + k;
		one->share /= (real)of->count;
	}
	return true;
}

/* Finds the rows of a source's shapes in the world. Snapshots contain shapes, but not families of shapes. */
static void find_rows(reader *r, const fill_spec *f, source *out)
{
	const shape_spec *all = r->spec.shapes.item;
	const source given = *out;
	out->parts = 0;
	for (int32_t p = 0; p < given.parts; ++p) {
		const mix_part *part = given.part + p;
		const shape_rows *of = r->shape + part->shape;
		const head *at = f->mix.item ? &((const mix_spec *)f->mix.item)[p].h : &f->h;
		if (add_grains(part, of, out)) continue;
		REFUSE_VALUE(r, at, "shape", "lower the count of its granulate",
					 "shape: '%s' has %d different grains, but a source can have at most %d shapes",
					 all[part->shape].h.name, of->count, SOURCE_SHAPES);
		out->part[out->parts++] = (mix_part){.shape = of->first, .material = part->material, .share = 1};
		return;
	}
}

static void build_source(reader *r, const fill_spec *f, int32_t k, source *out)
{
	bool ends = scree_given(&f->h, "until");
	name_row(out->name, f->name, "source", k);
	out->where = scree_build_region(r, &f->region);
	out->from = f->from;
	out->until = ends ? f->until : INFINITY;
	out->limit = f->count;
	out->idle = !f->active;
	set_mix(r, f, out);
	scree_note_sieves(r, out->name, f);
	set_rate(r, f, out);
	find_rows(r, f, out);
	out->orient = (orient_type)f->orientation.type;
	out->orientation = out->orient == ORIENT_GIVEN ? quat_unit(f->orientation.q) : quat_one();
	out->velocity = f->velocity;
	out->angular_velocity = f->angular_velocity;
	out->temperature = scree_given(&f->h, "body_temperature") ? f->body_temperature : 0;
	out->seed = (uint64_t)f->seed;
	for (int32_t p = 0; p < out->parts; ++p) {
		real radius = r->world->model.shape.row[out->part[p].shape].radius * scree_spread_largest(&out->part[p].size);
		vec3 middle = out->where.type == REGION_BOX || out->where.type == REGION_SEGMENT
						  ? v3_mul(0.5, v3_add(out->where.low, out->where.high))
						  : out->where.centre;
		if (!scree_region_holds(&out->where, middle, radius))
			REFUSE_VALUE(r, &f->h, "region", "make the region larger",
						 "%s: the largest bodies (%.3g m across) do not fit into the region", out->name, 2 * radius);
	}
}

void scree_sink_name(const sink_spec *s, int32_t k, char name[48]) { name_row(name, s->name, "sink", k); }

static void build_sink(const reader *r, const sink_spec *s, int32_t k, sink *out)
{
	scree_sink_name(s, k, out->name);
	out->idle = !s->active;
	out->type = s->below.h.where ? SINK_BELOW : SINK_REGION;
	if (out->type == SINK_REGION) {
		out->where = scree_build_region(r, &s->region);
		return;
	}
	static const char *const axes[] = {"x", "y", "z"};
	for (int i = 0; i < 3; ++i) {
		if (!scree_node_child(s->below.h.where, axes[i])) continue;
		out->normal = v3(i == 0, i == 1, i == 2);
		out->off = s->below.at[i];
	}
}

void scree_build_population(reader *r)
{
	population *p = &r->world->model.population;
	const fill_spec *f = r->spec.sources.item;
	const sink_spec *s = r->spec.sinks.item;
	p->source = scree_alloc((size_t)r->spec.sources.count, sizeof *p->source);
	p->sink = scree_alloc((size_t)r->spec.sinks.count, sizeof *p->sink);
	p->sources = r->spec.sources.count;
	p->sinks = r->spec.sinks.count;
	for (int32_t k = 0; k < p->sources; ++k) build_source(r, &f[k], k, &p->source[k]);
	for (int32_t k = 0; k < p->sinks; ++k) build_sink(r, &s[k], k, &p->sink[k]);
	scree_state_room(&r->world->model, &r->world->state);
}

enum { PLACES = 4096 }; /* random positions tried; if one in 200 is free, the probability of finding none is 1e-9 */

/* Refuses a source if none of its bodies would be free at any of the positions tried. */
static void check_place(reader *r, const fill_spec *f, const source *s)
{
	const scree_world *w = r->world;
	real radius = scree_source_smallest(&w->model, s);
	source_look look = scree_source_look(&w->model, &w->state, s, radius, PLACES, false, scree_ball_meets_wall);
	const node *at = scree_where(&f->h, "region");
	if (look.outside == PLACES) {
		REFUSE(r, at, "move the region, or enlarge world.domain",
			   "%s: the region is outside world.domain, where bodies are lost", s->name);
		return;
	}
	bool stays = true; /* moving walls may clear the region later */
	for (int32_t k = 0; k < w->model.wall.count; ++k) stays = stays && w->model.wall.row[k].motion.type == MOTION_STILL;
	if (!stays || look.outside + look.on_walls < PLACES) return;
	REFUSE(r, at, "move the region to the side of the wall where the bodies are, or enlarge it",
		   "%s: its bodies (%.3g m across) would touch a wall, or lie behind one, at each of %d positions tried "
		   "in the region, most often wall %s",
		   s->name, 2 * radius, PLACES, w->model.wall.row[look.wall].name);
}

void scree_check_sources(reader *r)
{
	const fill_spec *f = r->spec.sources.item;
	for (int32_t k = 0; k < r->world->model.population.sources; ++k)
		check_place(r, &f[k], &r->world->model.population.source[k]);
}
