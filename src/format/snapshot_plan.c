/* snapshot_plan: the section of a snapshot with the plan of the run, and the amounts that its outputs have written. */
#include "format/snapshot_world.h"
#include "format/tables.h"

#include <string.h>

static void pass_names(stream *s, int32_t *count, char name[][32])
{
	PASS(s, FIELDS(count, 1));
	if (!scree_stream_check(s, *count >= 0 && *count <= PLAN_FIELDS, "the plan has too many fields")) *count = 0;
	for (int32_t k = 0; k < *count; ++k) scree_stream_name(s, name[k], 32);
}

/* a list of names for scree_stream_choice */
#define LIST(list) sizeof(list) / sizeof *(list), list, sizeof *(list)

static const char *const looks[] = {
	[LOOK_CUT] = "cut", [LOOK_TRANSLUCENT] = "translucent", [LOOK_SOLID] = "solid", [LOOK_HIDDEN] = "hidden"};

static const char *const formats[FORMATS] = {[FORMAT_PNG] = "png", [FORMAT_SVG] = "svg", [FORMAT_PDF] = "pdf"};
static const char *const body_looks[] = {[BODIES_SOLID] = "solid", [BODIES_PALE] = "pale", [BODIES_HIDDEN] = "hidden"};
static const char *const grounds[] = {
	[GROUND_SKY] = "sky", [GROUND_WHITE] = "white", [GROUND_TRANSPARENT] = "transparent"};
/* in the order of picture_map and picture_arrows */
static const char *const maps[] = {"auto", "viridis", "ylorrd", "ylgnbu", "greys", "rdbu"};
static const char *const arrows[] = {"none", "velocity", "angular_velocity", "force"};

/* fields of pictures that version 12 added */
static void pass_figure(stream *s, image_plan *p)
{
	PASS(s, FIELD(p->no_title), FIELD(p->no_legend), FIELD(p->scale_bar), FIELD(p->axes), FIELD(p->parallel),
		 FIELD(p->fit_bodies));
	p->bodies = scree_stream_choice(s, p->bodies, LIST(body_looks), "the look of bodies is invalid");
	p->ground = scree_stream_choice(s, p->ground, LIST(grounds), "unknown background");
	p->map = scree_stream_choice(s, p->map, LIST(maps), "unknown colour map");
	p->arrows = scree_stream_choice(s, p->arrows, LIST(arrows), "unknown kind of arrows");
	PASS(s, FIELD(p->colours));
	if (!scree_stream_check(s, p->colours >= 0 && p->colours <= PLAN_COLOURS, "the plan has too many colours"))
		p->colours = 0;
	for (int32_t k = 0; k < p->colours; ++k) PASS(s, NAME_FIELD(p->colour[k].name), FIELD(p->colour[k].srgb));
}

static void pass_images(stream *s, image_plan *p)
{
	PASS(s, FIELD(p->on), FIELD(p->every), FIELD(p->times));
	if (!scree_stream_check(s, p->times >= 0 && p->times <= 64, "the plan has too many pictures")) p->times = 0;
	PASS(s, FIELDS(p->at, (size_t)p->times));
	PASS(s, FIELD(p->width), FIELD(p->height), NAME_FIELD(p->color), FIELD(p->has_range), FIELDS(p->range, 2),
		 FIELD(p->has_camera), FIELD(p->has_cut), FIELD(p->eye), FIELD(p->target), FIELD(p->up), FIELD(p->cut_point),
		 FIELD(p->cut_normal), FIELD(p->fov));
	p->walls = scree_stream_choice(s, p->walls, LIST(looks), "the look of walls is invalid");
	PASS(s, FIELD(p->samples), FIELD(p->forces));
}

static bool has_format(const snapshot_extra *e) { return e->output.images.format != FORMAT_PNG; }

static void pass_format(stream *s, snapshot_extra *e)
{
	picture_format *p = &e->output.images.format;
	*p = scree_stream_choice(s, *p, LIST(formats), "unknown picture format");
}

static bool has_scales(const snapshot_extra *e) { return e->output.images.scales.on; }

static void pass_scales(stream *s, snapshot_extra *e)
{
	picture_scales *p = &e->output.images.scales;
	for (int k = 0; k < SCALES; ++k) {
		real *range = p->range[k];
		PASS(s, FIELDS(range, 2));
		if (!s->saving && s->ok)
			scree_stream_check(s, range[0] >= -1e32 && range[0] < range[1] && range[1] <= 1e32,
							   "a range of colours is invalid");
	}
	p->on = true;
}

static void pass_mark(stream *s, csv_mark *m) { PASS(s, FIELD(m->end), FIELD(m->hash)); }

static void pass_table(stream *s, snapshot_extra *e, int k)
{
	table_plan *p = e->output.table + k;
	PASS(s, FIELD(p->on), FIELD(p->every), FIELD(p->up_to));
	pass_mark(s, e->table + k);
}

static void pass_frames(stream *s, vtk_frames *f)
{
	PASS(s, FIELD(f->count));
	PASS_ARRAY(s, f->step, f->count);
	if (!s->saving) f->room = f->count = s->ok ? f->count : 0;
	for (int64_t k = 0; k < f->count; ++k)
		scree_stream_check(s, f->step[k] >= (k ? f->step[k - 1] + 1 : 0), "frames are not in chronological order");
	if (s->version < 7) return;
	PASS_ARRAY(s, f->time, f->count);
	for (int64_t k = 0; k < f->count && s->ok && !s->saving; ++k)
		scree_stream_check(s, f->time[k] >= (k ? f->time[k - 1] : 0) && f->time[k] < (real)1e30,
						   "frames are not in chronological order");
}

/* ------------------------------------------------------------------ measures */

static bool pass_count(stream *s, int32_t *count)
{
	PASS(s, FIELDS(count, 1));
	if (scree_stream_check(s, *count >= 0 && *count <= PLAN_MEASURES, "the plan has too many measures")) return true;
	*count = 0;
	return false;
}

static void pass_flow(stream *s, flow_mark *m)
{
	PASS(s, FIELD(m->flowed), FIELD(m->time), FIELD(m->mass), FIELD(m->count));
}

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
		PASS(s, FIELD(p->history), FIELD(p->no_table));
		scree_stream_check(s, !p->history || p->cells[0] * p->cells[1] * p->cells[2] * p->classes == 1,
						   "a measure with several rows is in the history");
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
	PASS(s, NAME_FIELD(p->name));
	p->type = scree_stream_choice(s, p->type, LIST(measure_types), "there is no such measure");
	PASS(s, NAME_FIELD(p->sink), FIELD(p->every), FIELD(p->bounded));
	scree_snapshot_pass_region(s, &p->where);
	PASS(s, FIELDS(p->cells, 3), FIELD(p->classes), FIELDS(p->sizes, 2), FIELD(p->material));
	pass_names(s, &p->values, p->value);
	if (!s->saving && s->ok) scree_stream_check(s, is_valid(p), "the plan of a measure is invalid");
}

static void pass_field(stream *s, field_plan *p)
{
	static const char *const names[] = {[FIELD_LUCY] = "lucy", [FIELD_GAUSSIAN] = "gaussian"};
	PASS(s, FIELD(p->on));
	if (!p->on) return;
	PASS(s, FIELD(p->every), FIELD(p->low), FIELD(p->high), FIELD(p->width));
	p->function = scree_stream_choice(s, p->function, LIST(names), "unknown field function");
	int64_t cells = 1;
	for (int d = 0; d < 3; ++d) {
		PASS(s, FIELD(p->cells[d]));
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
		PASS(s, NAME_FIELD(e->measure[k].name));
		pass_mark(s, &e->measure[k].rows);
		scree_stream_check(s, e->measure[k].rows.end >= 0, "the count of a measure is invalid");
		pass_flow(s, &e->measure[k].last);
	}
	pass_table(s, e, TABLE_CONTACTS);
	pass_field(s, &o->field);
	PASS(s, FIELD(e->fields));
	scree_stream_check(s, e->fields >= 0, "the number of fields is invalid");
}

/* ------------------------------------------------------------------ additions */

/* Parts of a plan that most runs do not have. These parts follow the others, each preceded by its name. */
static const struct addition {
	const char *name;
	bool (*has)(const snapshot_extra *e);
	void (*pass)(stream *s, snapshot_extra *e);
} additions[] = {{"format", has_format, pass_format},
				 {"history of measures", has_columns, pass_columns},
				 {"ranges of colours", has_scales, pass_scales}};
enum { ADDITIONS = sizeof additions / sizeof *additions };

static void save_additions(stream *s, snapshot_extra *e)
{
	for (int k = 0; k < ADDITIONS; ++k) {
		char name[SCREE_NAME];
		if (!additions[k].has(e)) continue;
		scree_stream_word(s, name, additions[k].name);
		additions[k].pass(s, e);
	}
}

static void read_additions(stream *s, snapshot_extra *e)
{
	while (s->ok && s->used < s->room) {
		char name[SCREE_NAME];
		int k = 0;
		scree_stream_word(s, name, "");
		while (k < ADDITIONS && strcmp(additions[k].name, name) != 0) ++k;
		if (!scree_stream_check(s, k < ADDITIONS, "it has an addition that this version does not support")) return;
		additions[k].pass(s, e);
	}
}

void scree_snapshot_pass_extra(stream *s, snapshot_extra *e)
{
	scree_stream_text(s, &e->scene_path);
	scree_stream_text(s, &e->title);
	scree_stream_text(s, &e->resolved);
	PASS(s, FIELD(e->run.until), FIELD(e->run.step_part), FIELD(e->run.step), FIELD(e->run.snapshot_every),
		 FIELD(e->run.snapshots_kept), FIELD(e->stopped));
	output_plan *o = &e->output;
	PASS(s, FIELD(o->vtk.on), FIELD(o->vtk.every));
	pass_names(s, &o->vtk.fields, o->vtk.field);
	PASS(s, FIELD(o->history.on), FIELD(o->history.every));
	pass_names(s, &o->history.values, o->history.value);
	pass_images(s, &o->images);
	for (int k = TABLE_BODIES; k <= TABLE_WALLS; ++k) pass_table(s, e, k);
	pass_mark(s, &e->history);
	PASS(s, FIELD(e->images), FIELD(e->last_image));
	pass_frames(s, &e->frames);
	if (s->version >= 8) scree_stream_text(s, &e->record);
	if (s->version >= 8) pass_measures(s, e);
	if (s->version >= 8) PASS(s, FIELD(o->vtk.per_file));
	for (int k = TABLE_XYZ; k <= TABLE_DUMP && s->version >= 9; ++k) pass_table(s, e, k);
	if (s->version >= 9) PASS(s, FIELD(o->film.on), FIELD(o->film.rate));
	if (s->version >= 12) pass_figure(s, &o->images);
	if (s->saving) save_additions(s, e);
	if (!s->saving && s->version >= 14) read_additions(s, e);
	if (s->saving || !s->ok) return;
	const char *fault = scree_check_extra(e);
	scree_stream_check(s, !fault, fault);
}
