/* build_plan: the plan of a run apart from physics. */
#include "format/colour_names.h"
#include "choices/choices.h"
#include "model/response.h"
#include "scene/reader.h"

#include <stdio.h>

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
	if (!s->h.where) return out; /* `scree render` draws as the scene says even while a run writes no pictures */
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

/* s: 0 while a stage does not write it; its file is open */
static real interval_of(const series_spec *s) { return s->active ? s->every : 0; }

/* Whether contacts are solved in any stage. */
static bool solves(const reader *r)
{
	bool any = scree_response_row(r->spec.run.response)->implicit;
	for (int32_t k = 0; k < r->spec.stages.count; ++k)
		any |= scree_response_row(r->stage[k].spec.run.response)->implicit;
	return any;
}

void scree_build_plan(const reader *r, scene *out)
{
	const run_spec *run = &r->spec.run;
	const output_spec *o = &r->spec.output;
	out->run = (run_plan){.until = run->until,
						  .by_stages = r->spec.stages.count && !scree_given(&run->h, "until"),
						  .step_part = run->step.fraction,
						  .step = run->step.time,
						  .snapshot_every = run->snapshot.every,
						  .snapshots_kept = (int32_t)run->snapshot.keep};
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
	scree_build_measures(r, &out->output);
	scree_build_flow(r, &out->flow);
	const series_spec *table[PLAN_TABLES] = {&o->bodies, &o->walls, &o->contacts, &o->xyz, &o->dump};
	for (int k = 0; k < PLAN_TABLES; ++k)
		out->output.table[k] = (table_plan){table[k]->h.where != NULL, interval_of(table[k]), table[k]->up_to};
}
