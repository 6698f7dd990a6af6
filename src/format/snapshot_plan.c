/* snapshot_plan: the section of a snapshot that is not part of the world: the plan of the run, and the amounts that its
 * outputs have written. */
#include "format/snapshot_checks.h"
#include "format/snapshot_world.h"
#include "format/tables.h"

#include <string.h>

static void pass_names(stream *s, int32_t *count, char name[][32])
{
	scree_stream_i32(s, count);
	if (!scree_stream_check(s, *count >= 0 && *count <= PLAN_FIELDS, "the plan has too many fields")) *count = 0;
	for (int32_t k = 0; k < *count; ++k) scree_stream_name(s, name[k], 32);
}

static const char *const looks[] = {
	[LOOK_CUT] = "cut", [LOOK_TRANSLUCENT] = "translucent", [LOOK_SOLID] = "solid", [LOOK_HIDDEN] = "hidden"};

static const char *const formats[FORMATS] = {[FORMAT_PNG] = "png", [FORMAT_SVG] = "svg", [FORMAT_PDF] = "pdf"};
static const char *const body_looks[] = {[BODIES_SOLID] = "solid", [BODIES_PALE] = "pale", [BODIES_HIDDEN] = "hidden"};
static const char *const grounds[] = {
	[GROUND_SKY] = "sky", [GROUND_WHITE] = "white", [GROUND_TRANSPARENT] = "transparent"};
static const char *const maps[] = {[MAP_AUTO] = "auto",		[MAP_VIRIDIS] = "viridis", [MAP_YLORRD] = "ylorrd",
								   [MAP_YLGNBU] = "ylgnbu", [MAP_GREYS] = "greys",	   [MAP_RDBU] = "rdbu"};
static const char *const arrows[] = {[ARROWS_NONE] = "none",
									 [ARROWS_VELOCITY] = "velocity",
									 [ARROWS_ANGULAR_VELOCITY] = "angular_velocity",
									 [ARROWS_FORCE] = "force"};

/* fields of pictures since version 12 */
static void pass_figure(stream *s, image_plan *p)
{
	int bodies = (int)p->bodies, ground = (int)p->ground, map = (int)p->map, arrow = (int)p->arrows;
	bool *flags[] = {&p->no_title, &p->no_legend, &p->scale_bar, &p->axes, &p->parallel, &p->fit_bodies};
	for (size_t k = 0; k < sizeof flags / sizeof *flags; ++k) scree_stream_bool(s, flags[k]);
	scree_stream_choice(s, &bodies, BODIES_HIDDEN + 1, body_looks, sizeof *body_looks, "the look of bodies is invalid");
	scree_stream_choice(s, &ground, GROUND_TRANSPARENT + 1, grounds, sizeof *grounds, "there is no such background");
	scree_stream_choice(s, &map, MAP_RDBU + 1, maps, sizeof *maps, "there is no such map of colours");
	scree_stream_choice(s, &arrow, ARROWS_FORCE + 1, arrows, sizeof *arrows, "there are no such arrows");
	p->bodies = (body_look)bodies;
	p->ground = (picture_ground)ground;
	p->map = (picture_map)map;
	p->arrows = (picture_arrows)arrow;
	scree_stream_i32(s, &p->colours);
	if (!scree_stream_check(s, p->colours >= 0 && p->colours <= PLAN_COLOURS, "the plan has too many colours"))
		p->colours = 0;
	for (int32_t k = 0; k < p->colours; ++k) {
		scree_stream_name(s, p->colour[k].name, sizeof p->colour[k].name);
		scree_stream_vec3(s, &p->colour[k].srgb);
	}
}

static void pass_images(stream *s, image_plan *p)
{
	int look = (int)p->walls;
	scree_stream_bool(s, &p->on);
	scree_stream_real(s, &p->every);
	scree_stream_i32(s, &p->times);
	if (!scree_stream_check(s, p->times >= 0 && p->times <= 64, "the plan has too many pictures")) p->times = 0;
	for (int32_t k = 0; k < p->times; ++k) scree_stream_real(s, p->at + k);
	scree_stream_i32(s, &p->width);
	scree_stream_i32(s, &p->height);
	scree_stream_name(s, p->color, sizeof p->color);
	scree_stream_bool(s, &p->has_range);
	scree_stream_real(s, p->range);
	scree_stream_real(s, p->range + 1);
	scree_stream_bool(s, &p->has_camera);
	scree_stream_bool(s, &p->has_cut);
	vec3 *vecs[5] = {&p->eye, &p->target, &p->up, &p->cut_point, &p->cut_normal};
	for (int k = 0; k < 5; ++k) scree_stream_vec3(s, vecs[k]);
	scree_stream_real(s, &p->fov);
	scree_stream_choice(s, &look, LOOK_HIDDEN + 1, looks, sizeof *looks, "the look of walls is invalid");
	p->walls = (wall_look)look;
	scree_stream_i32(s, &p->samples);
	scree_stream_bool(s, &p->forces);
}

/* The format of pictures, in plans that do not write PNG. */
static bool has_format(const snapshot_extra *e) { return e->output.images.format != FORMAT_PNG; }

static void pass_format(stream *s, snapshot_extra *e)
{
	int format = (int)e->output.images.format;
	scree_stream_choice(s, &format, FORMATS, formats, sizeof *formats, "there is no such format of pictures");
	e->output.images.format = (picture_format)format;
}

/* The ranges of colours, which plans of runs have. */
static bool has_scales(const snapshot_extra *e) { return e->output.images.scales.on; }

static void pass_scales(stream *s, snapshot_extra *e)
{
	picture_scales *p = &e->output.images.scales;
	for (int k = 0; k < SCALES; ++k) {
		real *range = p->range[k];
		for (int side = 0; side < 2; ++side) scree_stream_real(s, range + side);
		if (!s->saving && s->ok)
			scree_stream_check(s, range[0] >= -1e32 && range[0] < range[1] && range[1] <= 1e32,
							   "a range of colours is invalid");
	}
	p->on = true;
}

static void pass_mark(stream *s, csv_mark *m)
{
	scree_stream_i64(s, &m->end);
	scree_stream_u64(s, &m->hash);
}

static void pass_table(stream *s, snapshot_extra *e, int k)
{
	table_plan *p = e->output.table + k;
	scree_stream_bool(s, &p->on);
	scree_stream_real(s, &p->every);
	scree_stream_i64(s, &p->up_to);
	pass_mark(s, e->table + k);
}

static void pass_frames(stream *s, vtk_frames *f)
{
	scree_stream_i64(s, &f->count);
	scree_stream_i64s(s, &f->step, f->count);
	if (!s->saving) f->room = f->count = s->ok ? f->count : 0;
	for (int64_t k = 0; k < f->count; ++k)
		scree_stream_check(s, f->step[k] >= (k ? f->step[k - 1] + 1 : 0), "frames are not in the order of time");
	if (s->version < 7) return;
	scree_stream_reals(s, &f->time, f->count);
	for (int64_t k = 0; k < f->count && s->ok && !s->saving; ++k)
		scree_stream_check(s, f->time[k] >= (k ? f->time[k - 1] : 0) && f->time[k] < (real)1e30,
						   "frames are not in the order of time");
}

/* ------------------------------------------------------------------ measures */

static bool pass_count(stream *s, int32_t *count)
{
	scree_stream_i32(s, count);
	if (scree_stream_check(s, *count >= 0 && *count <= PLAN_MEASURES, "the plan has too many measures")) return true;
	*count = 0;
	return false;
}

static void pass_flow(stream *s, flow_mark *m)
{
	scree_stream_bool(s, &m->flowed);
	scree_stream_real(s, &m->time);
	scree_stream_real(s, &m->mass);
	scree_stream_i64(s, &m->count);
}

/* Measures that are columns of the history. */
static bool has_columns(const snapshot_extra *e)
{
	bool has = false;
	for (int32_t k = 0; k < e->output.measures; ++k) has |= e->output.measure[k].history;
	return has;
}

static void pass_columns(stream *s, snapshot_extra *e)
{
	output_plan *o = &e->output;
	for (int32_t k = 0; k < o->measures; ++k) {
		measure_plan *p = o->measure + k;
		scree_stream_bool(s, &p->history);
		scree_stream_bool(s, &p->no_table);
		scree_stream_check(s, !p->history || p->cells[0] * p->cells[1] * p->cells[2] * p->classes == 1,
						   "a measure of several rows is in the history");
	}
	for (int32_t k = 0; k < e->measures; ++k) pass_flow(s, &e->measure[k].in_history);
}

static bool is_valid(const measure_plan *p)
{
	int64_t cells = p->classes;
	bool right = p->every >= 0 && p->material >= -1 && p->classes >= 1 && p->sizes[0] >= 0 && p->sizes[1] < INFINITY;
	for (int d = 0; d < 3 && right; ++d) {
		right = p->cells[d] >= 1 && p->cells[d] <= PLAN_CELLS;
		cells *= p->cells[d];
		right = right && cells <= PLAN_CELLS;
	}
	return right && (!p->bounded || scree_region_volume(&p->where) > 0);
}

static const char *const measure_types[] = {
	[MEASURE_REGION] = "region", [MEASURE_SINK] = "sink", [MEASURE_PLANE] = "plane"};

static void pass_plan(stream *s, measure_plan *p)
{
	int type = (int)p->type;
	scree_stream_name(s, p->name, sizeof p->name);
	scree_stream_choice(s, &type, MEASURE_PLANE + 1, measure_types, sizeof *measure_types, "there is no such measure");
	p->type = (measure_type)type;
	scree_stream_name(s, p->sink, sizeof p->sink);
	scree_stream_real(s, &p->every);
	scree_stream_bool(s, &p->bounded);
	scree_snapshot_pass_region(s, &p->where);
	for (int d = 0; d < 3; ++d) scree_stream_i32(s, p->cells + d);
	scree_stream_i32(s, &p->classes);
	for (int k = 0; k < 2; ++k) scree_stream_real(s, p->sizes + k);
	scree_stream_i32(s, &p->material);
	pass_names(s, &p->values, p->value);
	if (!s->saving && s->ok) scree_stream_check(s, is_valid(p), "the plan of a measure is invalid");
}

static void pass_field(stream *s, field_plan *p)
{
	static const char *const names[] = {[FIELD_LUCY] = "lucy", [FIELD_GAUSSIAN] = "gaussian"};
	int function = (int)p->function;
	scree_stream_bool(s, &p->on);
	if (!p->on) return;
	scree_stream_real(s, &p->every);
	scree_stream_vec3(s, &p->low);
	scree_stream_vec3(s, &p->high);
	scree_stream_real(s, &p->width);
	scree_stream_choice(s, &function, FIELD_GAUSSIAN + 1, names, sizeof *names, "there is no such function of fields");
	p->function = (field_function)function;
	int64_t cells = 1;
	for (int d = 0; d < 3; ++d) {
		scree_stream_i32(s, p->cells + d);
		cells = p->cells[d] > 0 && cells > 0 && cells <= FIELD_CELLS ? cells * p->cells[d] : 0;
	}
	const vec3 size = v3_sub(p->high, p->low);
	scree_stream_check(s,
					   p->every >= 0 && p->width > 0 && cells > 0 && cells <= FIELD_CELLS && size.x > 0 && size.y > 0 &&
						   v3_norm(size) / p->width < (real)1e9,
					   "the plan of fields is invalid");
}

static void pass_measures(stream *s, snapshot_extra *e)
{
	output_plan *o = &e->output;
	if (!pass_count(s, &o->measures)) return;
	for (int32_t k = 0; k < o->measures && s->ok; ++k) pass_plan(s, o->measure + k);
	if (!pass_count(s, &e->measures)) return;
	for (int32_t k = 0; k < e->measures && s->ok; ++k) {
		scree_stream_name(s, e->measure[k].name, sizeof e->measure[k].name);
		pass_mark(s, &e->measure[k].rows);
		scree_stream_check(s, e->measure[k].rows.end >= 0, "the count of a measure is invalid");
		pass_flow(s, &e->measure[k].last);
	}
	pass_table(s, e, TABLE_CONTACTS);
	pass_field(s, &o->field);
	scree_stream_i64(s, &e->fields);
	scree_stream_check(s, e->fields >= 0, "the number of fields is invalid");
}

/* ------------------------------------------------------------------ additions */

/* Parts of a plan that most runs lack. They follow the others, each with its name before it. */
static const struct addition {
	const char *name;
	bool (*has)(const snapshot_extra *e);
	void (*pass)(stream *s, snapshot_extra *e);
} additions[] = {{"format", has_format, pass_format},
				 {"history of measures", has_columns, pass_columns},
				 {"ranges of colours", has_scales, pass_scales}};
enum { ADDITIONS = sizeof additions / sizeof *additions, ADDITION_NAME = 32 };

static void save_additions(stream *s, snapshot_extra *e)
{
	for (int k = 0; k < ADDITIONS; ++k) {
		char name[ADDITION_NAME] = "";
		if (!additions[k].has(e)) continue;
		strncpy(name, additions[k].name, sizeof name - 1);
		scree_stream_name(s, name, sizeof name);
		additions[k].pass(s, e);
	}
}

static void read_additions(stream *s, snapshot_extra *e)
{
	while (s->ok && s->used < s->room) {
		char name[ADDITION_NAME] = "";
		int k = 0;
		scree_stream_name(s, name, sizeof name);
		while (k < ADDITIONS && strcmp(additions[k].name, name) != 0) ++k;
		if (!scree_stream_check(s, k < ADDITIONS, "it has an addition that this version does not know")) return;
		additions[k].pass(s, e);
	}
}

/* ------------------------------------------------------------------ the section */

void scree_snapshot_pass_extra(stream *s, snapshot_extra *e)
{
	scree_stream_text(s, &e->scene_path);
	scree_stream_text(s, &e->title);
	scree_stream_text(s, &e->resolved);
	real *reals[4] = {&e->run.until, &e->run.step_part, &e->run.step, &e->run.snapshot_every};
	for (int k = 0; k < 4; ++k) scree_stream_real(s, reals[k]);
	scree_stream_i32(s, &e->run.snapshots_kept);
	scree_stream_bool(s, &e->stopped);
	output_plan *o = &e->output;
	scree_stream_bool(s, &o->vtk.on);
	scree_stream_real(s, &o->vtk.every);
	pass_names(s, &o->vtk.fields, o->vtk.field);
	scree_stream_bool(s, &o->history.on);
	scree_stream_real(s, &o->history.every);
	pass_names(s, &o->history.values, o->history.value);
	pass_images(s, &o->images);
	for (int k = TABLE_BODIES; k <= TABLE_WALLS; ++k) pass_table(s, e, k);
	pass_mark(s, &e->history);
	scree_stream_i64(s, &e->images);
	scree_stream_i64(s, &e->last_image);
	pass_frames(s, &e->frames);
	if (s->version >= 8) scree_stream_text(s, &e->record);
	if (s->version >= 8) pass_measures(s, e);
	if (s->version >= 8) scree_stream_i64(s, &o->vtk.per_file);
	for (int k = TABLE_XYZ; k <= TABLE_DUMP && s->version >= 9; ++k) pass_table(s, e, k);
	if (s->version >= 9) scree_stream_bool(s, &o->film.on);
	if (s->version >= 9) scree_stream_real(s, &o->film.rate);
	if (s->version >= 12) pass_figure(s, &o->images);
	if (s->saving) save_additions(s, e);
	if (!s->saving && s->version >= 14) read_additions(s, e);
	if (s->saving || !s->ok) return;
	const char *fault = scree_check_extra(e);
	scree_stream_check(s, !fault, fault);
}
