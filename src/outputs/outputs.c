#include "outputs/outputs.h"

#include "base/maths.h"
#include "base/memory.h"
#include "render/render.h"
#include "world/world.h"

#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *const table_endings[TABLES] = {"_bodies.csv", "_walls.csv", "_contacts.csv", ".xyz", ".lammpstrj"};

static void __attribute__((format(printf, 2, 3))) note(const outputs *o, const char *format, ...)
{
	char text[sizeof((fail *)0)->text];
	va_list args;
	va_start(args, format);
	vsnprintf(text, sizeof text, format, args);
	va_end(args);
	if (o->note) o->note(text, o->context);
}

/* ------------------------------------------------------------------ output times */

/* Steps after `after`, up to and including `last`; each covers the times within half a step of its own time. */
typedef struct step_range {
	int64_t after, last;
} step_range;

/* whether a multiple of `every` falls within these steps */
static bool comes(real every, const scree_world *w, step_range r)
{
	if (!(every > 0)) return false;
	const real now = scree_time_until(&w->model, &w->state, r.last);
	const real before = scree_time_until(&w->model, &w->state, r.after);
	return r.after < 0 || scree_floor(now / every) > scree_floor(before / every);
}

/* pictures are due at the start, at the given times, and at multiples of `every` */
static bool image_comes(const image_plan *p, const scree_world *w, step_range r)
{
	const real now = scree_time_until(&w->model, &w->state, r.last);
	const real before = scree_time_until(&w->model, &w->state, r.after);
	if (r.after < 0 || comes(p->every, w, r)) return true;
	for (int32_t k = 0; k < p->times; ++k)
		if (p->at[k] > 0 && p->at[k] > before && p->at[k] <= now) return true;
	return false;
}

/* ------------------------------------------------------------------ opening */

/* the length has been checked by scree_outputs_open */
static void path_of(const outputs *o, char path[SCREE_PATH_ROOM], const char *ending)
{
	scree_file_path(path, o->folder, o->name, ending);
}

static void path_of_fields(const outputs *o, char path[SCREE_PATH_ROOM], int64_t number)
{
	char ending[40];
	snprintf(ending, sizeof ending, "_fields_%06lld.vti", (long long)number);
	path_of(o, path, ending);
}

static const char *const picture_endings[FORMATS] = {".png", ".svg", ".pdf"};

static void path_of_image(const outputs *o, char path[SCREE_PATH_ROOM], int64_t number, picture_format format)
{
	char ending[32];
	snprintf(ending, sizeof ending, "_%04lld%s", (long long)number, picture_endings[format]);
	path_of(o, path, ending);
}

/* Finds a picture in one of the first `formats` formats, since stages and resumed runs may have changed the format. */
static bool find_image(const outputs *o, char path[SCREE_PATH_ROOM], int64_t number, int formats)
{
	for (int k = 0; k < formats; ++k) {
		path_of_image(o, path, number, (picture_format)k);
		if (access(path, F_OK) == 0) return true;
	}
	return false;
}

/* ------------------------------------------------------------------ stopped by a guard */

static const char stopped_snapshot[] = ".stopped.snap", stopped_picture[] = "_stopped.png";

/* removes unfinished files of an earlier run that this run continues or replaces */
static bool remove_stopped(const outputs *o, fail *why)
{
	const char *const ending[2] = {stopped_snapshot, stopped_picture};
	return scree_results_remove(o->folder, o->name, ending, why);
}

/* Tests whether this rank takes part in writing files of bodies and contacts; in a divided world, all ranks do. */
static bool writes(const outputs *o, const scree_world *w) { return o->ranks.first || w->work.domain.by->slice; }

bool scree_outputs_stopped_shows_bodies(const outputs *o) { return o->extra->output.images.on; }

static void note_failed(const outputs *o, const fail *why)
{
	if (o->ranks.first && why->text[0]) note(o, "note: %s", why->text);
}

void scree_outputs_stopped_picture(outputs *o)
{
	char path[SCREE_PATH_ROOM];
	fail why = {0};
	if (!o->whole || !o->extra->output.images.on) return;
	path_of(o, path, stopped_picture);
	o->stopped[1] = scree_render_picture(o->whole, &o->extra->output.images, o->extra->title, path, &why);
	if (!o->stopped[1]) note_failed(o, &why);
}

void scree_outputs_stopped(outputs *o, const scree_world *w)
{
	char path[SCREE_PATH_ROOM];
	fail why = {0};
	path_of(o, path, stopped_snapshot);
	o->extra->stopped = true;
	if (writes(o, w)) o->stopped[0] = scree_snapshot_write(w, o->extra, path, &why);
	if (!o->stopped[0]) note_failed(o, &why);
	scree_outputs_stopped_picture(o);
}

/* ------------------------------------------------------------------ amounts written */

/* frames are only appended */
static void put_back(snapshot_extra *e, const snapshot_extra *was)
{
	e->frames.count = was->frames.count;
	e->frames.first = was->frames.first;
	e->images = was->images;
	e->fields = was->fields;
	e->last_image = was->last_image;
	e->history = was->history;
	memcpy(e->table, was->table, sizeof e->table);
	e->measures = was->measures;
	memcpy(e->measure, was->measure, sizeof e->measure);
}

/* Finds the mark of each measure of the plan by name, since a resumed run may have other measures. */
static void match_marks(snapshot_extra *e)
{
	measure_mark before[PLAN_MEASURES];
	const int32_t marks = e->measures;
	memcpy(before, e->measure, sizeof before);
	e->measures = e->output.measures;
	for (int32_t k = 0; k < e->measures; ++k) {
		measure_mark *mark = e->measure + k;
		*mark = (measure_mark){0};
		snprintf(mark->name, sizeof mark->name, "%s", e->output.measure[k].name);
		for (int32_t of = 0; of < marks; ++of)
			if (!strcmp(before[of].name, mark->name)) *mark = before[of];
	}
}

/* ------------------------------------------------------------------ folder and files */

static bool check_names(const outputs *o, fail *why)
{
	enum { MOST_NAME = 220, LONGEST_ENDING = 32 }; /* file systems allow 255 bytes */
	if (strlen(o->name) > MOST_NAME)
		return scree_fail(why, FAIL_INPUT, "the name %.40s... has %zu bytes; names of result files may have at most %d",
						  o->name, strlen(o->name), MOST_NAME);
	if (strlen(o->folder) > SCREE_PATH_ROOM - MOST_NAME - LONGEST_ENDING)
		return scree_fail(why, FAIL_INPUT, "the folder %.40s... has a path of %zu bytes; at most %d are allowed",
						  o->folder, strlen(o->folder), SCREE_PATH_ROOM - MOST_NAME - LONGEST_ENDING);
	return true;
}

/* Refuses a file in the snapshot's folder that the snapshot does not include, because this run would overwrite it. */
static bool keep_uncounted(const outputs *o, const char *ending, fail *why)
{
	char path[SCREE_PATH_ROOM];
	bool there;
	path_of(o, path, ending);
	if (!scree_file_look(path, &there, why)) return false;
	return !there ||
		   scree_fail(why, FAIL_INPUT,
					  "the snapshot %s does not count the rows of %s, which this run would erase: continue from a "
					  "different snapshot, choose a different folder (option -o), or replace the file (--overwrite)",
					  o->from, path);
}

/* One of the tables (CSV and others) of a run: the history; tables of bodies, walls and contacts; or measures. */
typedef struct table_file {
	char ending[MEASURE_ENDING];
	bool on;
	csv_mark *mark;
	csv *file; /* NULL if it is not open */
} table_file;

static bool table_at(const outputs *o, int32_t k, table_file *out)
{
	snapshot_extra *e = o->extra;
	const output_plan *p = &e->output;
	const int32_t kind = k - 1, measure = kind - TABLES;
	if (measure >= p->measures) return false;
	if (kind < 0)
		*out = (table_file){.ending = "_history.csv", .on = p->history.on, .mark = &e->history};
	else if (measure < 0)
		*out = (table_file){.on = p->table[kind].on, .mark = e->table + kind};
	else
		*out = (table_file){.on = !p->measure[measure].no_table, .mark = &e->measure[measure].rows};
	out->file = kind < 0 ? scree_history_file(o->history) : o->table[kind];
	if (kind >= 0 && measure < 0) snprintf(out->ending, sizeof out->ending, "%s", table_endings[kind]);
	if (measure >= 0) scree_measure_ending(p->measure + measure, out->ending);
	return true;
}

static bool keep_all_uncounted(const outputs *o, fail *why)
{
	const snapshot_extra *e = o->extra;
	table_file t;
	for (int32_t k = 0; table_at(o, k, &t); ++k)
		if (t.on && !t.mark->end && !keep_uncounted(o, t.ending, why)) return false;
	if (!e->fields && !keep_uncounted(o, "_fields_000000.vti", why)) return false;
	for (int k = 0; k < FORMATS && !e->images; ++k) {
		char ending[16];
		snprintf(ending, sizeof ending, "_0000%s", picture_endings[k]);
		if (!keep_uncounted(o, ending, why)) return false;
	}
	return e->frames.count || keep_uncounted(o, ".pvd", why);
}

/* Locks the folder, and refuses to overwrite results unless this was requested. */
static bool take_folder(outputs *o, fail *why)
{
	bool there;
	if (!scree_results_folder(o->folder, why) || !scree_results_lock(&o->lock, o->folder, o->name, why)) return false;
	if (o->overwrite) return true;
	if (o->in_place) return keep_all_uncounted(o, why);
	if (!scree_results_look(o->folder, o->name, &there, why)) return false;
	return !there || scree_fail(why, FAIL_INPUT,
								"%s holds the results of a run already, %s.snap: continue that run (--resume "
								"'%s/%s.snap'), choose a different folder (option -o), or replace them (--overwrite)",
								o->folder, o->name, o->folder, o->name);
}

/* Finds a table that the snapshot includes; a table without a file begins with this run. */
static bool find_table(outputs *o, const char *ending, csv_mark *mark, const scree_world *w, bool *changed, fail *why)
{
	char path[SCREE_PATH_ROOM];
	bool there = false;
	path_of(o, path, ending);
	if (mark->end == 0) return true;
	if (o->in_place && !scree_file_look(path, &there, why)) return false;
	if (there) return true;
	note(o, "note: %s does not exist: a new one begins at t = %.6g s", path, w->state.time);
	*mark = (csv_mark){0};
	*changed = true;
	return true;
}

/* Makes NAME.snap the snapshot to resume from before any file changes: its rows must all be in the files. */
static bool put_snapshot(outputs *o, const scree_world *w, fail *why)
{
	char path[SCREE_PATH_ROOM];
	path_of(o, path, ".snap");
	o->snapshot_time = w->state.time;
	return scree_snapshot_write(w, o->extra, path, why);
}

/* Measures without a table are included, since they may have had one. */
static bool find_tables(outputs *o, const scree_world *w, bool *changed, fail *why)
{
	table_file t;
	for (int32_t k = 0; table_at(o, k, &t); ++k)
		if ((t.on || k > TABLES) && !find_table(o, t.ending, t.mark, w, changed, why)) return false;
	return true;
}

/* Compares the files in the folder with the row counts of the snapshot. */
static bool find_results(outputs *o, const scree_world *w, fail *why)
{
	if (!o->in_place && !scree_results_clear(o->folder, o->name, NULL, why)) return false;
	if (!o->from) return true;
	char path[SCREE_PATH_ROOM];
	bool last;
	path_of(o, path, ".snap");
	if (!scree_results_same(path, o->from, &last, why)) return false;
	bool changed = !o->in_place || !last;
	if (!find_tables(o, w, &changed, why)) return false;
	if (!scree_vtk_find(&o->extra->frames, o->folder, o->name, why)) return false;
	if (changed && !put_snapshot(o, w, why)) return false;
	const results_count counted = {o->extra->frames.count, o->extra->images, o->extra->fields};
	return !o->in_place || scree_results_clear(o->folder, o->name, &counted, why);
}

/* Syncs the tables and counts their rows for the snapshot. */
static bool count_rows(outputs *o, fail *why)
{
	table_file t;
	for (int32_t k = 0; table_at(o, k, &t); ++k) {
		if (!t.file) continue;
		if (!scree_csv_sync(t.file, why)) return false;
		*t.mark = scree_csv_mark(t.file);
	}
	return true;
}

static void open_table(outputs *o, int32_t k, const char *path, const scree_world *w, fail *why)
{
	snapshot_extra *e = o->extra;
	const history_more more = {o->columns.count, o->columns.column};
	const int32_t kind = k - 1, measure = kind - TABLES;
	if (kind < 0)
		o->history = scree_history_open(path, &e->output.history, more, w, &e->history, why);
	else if (measure < 0)
		o->table[kind] = scree_table_open(path, (table_kind)kind, w, e->table + kind, why);
	else
		o->table[kind] = scree_measure_open(path, e->output.measure + measure, &e->measure[measure].rows, why);
}

static bool open_tables(outputs *o, const scree_world *w, fail *why)
{
	table_file t;
	for (int32_t k = 0; table_at(o, k, &t); ++k) {
		char path[SCREE_PATH_ROOM];
		if (!t.on) continue;
		path_of(o, path, t.ending);
		open_table(o, k, path, w, why);
		if (!table_at(o, k, &t) || !t.file) return false;
	}
	return true;
}

/* Tests whether a resumed run begins a table; the snapshot to resume from must then include the table. */
static bool begins_table(const outputs *o)
{
	table_file t;
	bool begins = false;
	for (int32_t k = 0; table_at(o, k, &t); ++k) begins |= t.on && !t.mark->end;
	return o->from && begins;
}

/* writes the resolved scene, followed by a list of changes made during the run */
static bool write_resolved(const outputs *o, fail *why)
{
	char path[SCREE_PATH_ROOM], *text = NULL;
	size_t length = 0;
	path_of(o, path, ".resolved.scene.yaml");
	FILE *to = open_memstream(&text, &length);
	if (!to) return scree_fail(why, FAIL_IO, "out of memory: the resolved scene");
	for (const char *p = o->extra->record ? o->extra->record : ""; *p; p += strcspn(p, "\n") + 1)
		fprintf(to, "# %.*s\n", (int)strcspn(p, "\n"), p);
	fputs(o->extra->resolved, to);
	const bool whole = !fclose(to);
	const bool written = whole ? scree_file_write(path, text, length, why)
							   : scree_fail(why, FAIL_IO, "out of memory: the resolved scene");
	free(text);
	return written;
}

static void say_film(const outputs *o)
{
	if (o->extra->output.film.on && !scree_film_possible())
		note(o, "note: output.film: ffmpeg is not installed (Debian: ffmpeg): pictures are written, but no film");
}

static bool open_files(outputs *o, const scree_world *w, fail *why)
{
	o->snapshot_time = o->in_place ? w->state.time : -1;
	if (o->extra->output.images.on && !scree_render_possible(w, why)) return false;
	for (int32_t k = 0; k < o->extra->output.measures; ++k)
		if (!scree_measure_possible(o->extra->output.measure + k, w, why)) return false;
	if (o->extra->output.table[TABLE_DUMP].on && !scree_dump_possible(w, why)) return false;
	o->last_snapshot = scree_now();
	if (!check_names(o, why) || !take_folder(o, why) || !remove_stopped(o, why) || !find_results(o, w, why))
		return false;
	if (o->extra->resolved && !write_resolved(o, why)) return false;
	say_film(o);
	const bool begins = begins_table(o);
	return open_tables(o, w, why) && (!begins || (count_rows(o, why) && put_snapshot(o, w, why)));
}

/* Tests whether all ranks see the folder, since some files are written by all ranks together. */
static bool shares_folder(const outputs *o, fail *why)
{
	char path[SCREE_PATH_ROOM];
	bool there;
	path_of(o, path, ".lock");
	if (!scree_file_look(path, &there, why)) return false;
	return there || scree_fail(why, FAIL_IO,
							   "a rank cannot see %s, which the first rank has made: choose a folder for results that "
							   "all ranks share (-o of the command)",
							   path);
}

bool scree_outputs_open(outputs *o, const scree_world *w, fail *why)
{
	o->before = *o->extra;
	match_marks(o->extra);
	o->columns = scree_measured_columns(&o->extra->output);
	o->open = scree_domain_agree(&o->ranks, !o->ranks.first || open_files(o, w, why), why) &&
			  scree_domain_agree(&o->ranks, shares_folder(o, why), why);
	if (!o->open) put_back(o->extra, &o->before);
	return o->open;
}

/* ------------------------------------------------------------------ writing */

/* Tests whether to try again, which is useful only if the disk is full. */
static bool space_may_come(const outputs *o, const fail *why, int attempts)
{
	return o->ranks.first && o->wait && (why->error == ENOSPC || why->error == EDQUOT) &&
		   o->wait(why->text, attempts, o->context);
}

/* which: index of a measure */
typedef bool writer(outputs *o, const scree_world *w, int32_t which, fail *why);

/* An output that is due. */
typedef struct due {
	writer *write;
	int32_t which;
} due;

/* Calls a writer until it succeeds; a writer that fails has changed nothing. */
static bool try_until_written(due it, outputs *o, const scree_world *w, fail *why)
{
	for (int attempts = 0; !scree_domain_agree(&o->ranks, it.write(o, w, it.which, why), why); ++attempts)
		if (!scree_domain_any(&o->ranks, space_may_come(o, why, attempts))) return false;
	return true;
}

static bool write_history(outputs *o, const scree_world *w, int32_t which, fail *why)
{
	snapshot_extra *e = o->extra;
	flow_mark now[PLAN_MEASURES] = {0};
	(void)which;
	real *more = scree_alloc((size_t)o->columns.count + 1, sizeof *more);
	scree_measured_values(&e->output, w, e->measure, more, now);
	const bool written = scree_history_row(o->history, more, w, why);
	for (int32_t k = 0; k < e->measures && written; ++k) e->measure[k].in_history = now[k];
	scree_free(more);
	return written;
}

static bool write_measure(outputs *o, const scree_world *w, int32_t which, fail *why)
{
	return scree_measure_write(o->table[TABLES + which], o->extra->output.measure + which, w, o->extra->measure + which,
							   why);
}

/* Trajectories are written from the joined world of all ranks; rows of walls are sums over ranks. */
static bool takes_whole(int32_t kind) { return kind == TABLE_XYZ || kind == TABLE_DUMP; }

/* which: kind of the table */
static bool write_table(outputs *o, const scree_world *w, int32_t which, fail *why)
{
	const scree_world *from = takes_whole(which) ? o->whole : which == TABLE_WALLS || writes(o, w) ? w : NULL;
	return !from ||
		   scree_table_rows(o->table[which], (table_kind)which, from, o->extra->output.table[which].up_to, why);
}

static bool write_frame(outputs *o, const scree_world *w, int32_t which, fail *why)
{
	(void)which;
	return !writes(o, w) || scree_vtk_frame(w, &o->extra->output.vtk, o->folder, o->name, &o->extra->frames, why);
}

static bool write_fields(outputs *o, const scree_world *w, int32_t which, fail *why)
{
	char path[SCREE_PATH_ROOM];
	(void)w, (void)which;
	path_of_fields(o, path, o->extra->fields);
	if (o->whole && !scree_grid_fields_write(&o->extra->output.field, o->whole, path, why)) return false;
	o->extra->fields += 1;
	return true;
}

static bool write_image(outputs *o, const scree_world *w, int32_t which, fail *why)
{
	char path[SCREE_PATH_ROOM];
	(void)which;
	path_of_image(o, path, o->extra->images, o->extra->output.images.format);
	if (o->whole && !scree_render_picture(o->whole, &o->extra->output.images, o->extra->title, path, why)) return false;
	o->extra->images += 1;
	o->extra->last_image = w->state.step;
	return true;
}

static bool write_snapshot(outputs *o, const scree_world *w, int32_t which, fail *why)
{
	char path[SCREE_PATH_ROOM], old[SCREE_PATH_ROOM];
	(void)which;
	path_of(o, path, ".snap");
	path_of(o, old, ".old.snap");
	if (!scree_domain_agree(&o->ranks, !o->ranks.first || count_rows(o, why), why)) return false;
	return !writes(o, w) ||
		   scree_snapshot_write_keeping(w, o->extra, path, o->extra->run.snapshots_kept > 1 ? old : NULL, why);
}

enum { MOST_DUE = 4 + TABLES + PLAN_MEASURES };

/* Finds the outputs that are due in these steps and returns their number. */
static int find_due(const outputs *o, const scree_world *w, step_range r, due list[MOST_DUE])
{
	const output_plan *p = &o->extra->output;
	int count = 0;
	if (p->history.on && comes(p->history.every, w, r)) list[count++].write = write_history;
	for (int32_t k = 0; k < TABLES; ++k)
		if (p->table[k].on && comes(p->table[k].every, w, r)) list[count++] = (due){write_table, k};
	for (int32_t k = 0; k < p->measures; ++k)
		if (comes(p->measure[k].every, w, r)) list[count++] = (due){write_measure, k};
	if (p->field.on && comes(p->field.every, w, r)) list[count++].write = write_fields;
	if (p->vtk.on && comes(p->vtk.every, w, r)) list[count++].write = write_frame;
	if (p->images.on && image_comes(&p->images, w, r)) list[count++].write = write_image;
	return count;
}

bool scree_outputs_due(const outputs *o, const scree_world *w, int64_t after, int64_t last)
{
	due list[MOST_DUE] = {{0}};
	return find_due(o, w, (step_range){after, last}, list) > 0;
}

/* whether a writer reads its values from `whole` */
static bool shows_bodies(const due *it)
{
	return it->write == write_fields || it->write == write_image ||
		   (it->write == write_table && takes_whole(it->which));
}

bool scree_outputs_show_bodies(const outputs *o, const scree_world *w)
{
	due list[MOST_DUE] = {{0}};
	const int count = find_due(o, w, (step_range){w->state.step - 1, w->state.step}, list);
	for (int k = 0; k < count; ++k)
		if (shows_bodies(list + k)) return true;
	return false;
}

bool scree_outputs_write(outputs *o, const scree_world *w, fail *why)
{
	due list[MOST_DUE] = {{0}};
	const int count = find_due(o, w, (step_range){w->state.step - 1, w->state.step}, list);
	for (int k = 0; k < count; ++k)
		if (!try_until_written(list[k], o, w, why)) return false;
	return true;
}

bool scree_outputs_finish_shows_bodies(const outputs *o, const scree_world *w)
{
	return o->extra->output.images.on && o->extra->last_image != w->state.step;
}

bool scree_outputs_finish(outputs *o, const scree_world *w, fail *why)
{
	return !scree_outputs_finish_shows_bodies(o, w) || try_until_written((due){.write = write_image}, o, w, why);
}

bool scree_outputs_snapshot_due(const outputs *o)
{
	real every = o->extra->run.snapshot_every;
	return every > 0 && scree_now() - o->last_snapshot > every;
}

bool scree_outputs_snapshot(outputs *o, const scree_world *w, fail *why)
{
	double began = scree_now();
	if (!try_until_written((due){.write = write_snapshot}, o, w, why)) return false;
	o->snapshot_time = w->state.time;
	o->last_snapshot = scree_now();
	o->snapshot_took = o->last_snapshot - began;
	return true;
}

/* ------------------------------------------------------------------ the end */

static void list_file(const outputs *o, output_kind kind, const char *ending, take_file_fn *take, void *context)
{
	char path[SCREE_PATH_ROOM];
	path_of(o, path, ending);
	take(kind, path, context);
}

/* Number of the first picture in the folder in one of these formats; earlier ones may be in another folder. */
static int64_t first_image(const outputs *o, int formats)
{
	char path[SCREE_PATH_ROOM];
	int64_t first = o->extra->images;
	while (first > 0 && find_image(o, path, first - 1, formats)) --first;
	return first;
}

void scree_outputs_film(const outputs *o)
{
	fail why;
	const int64_t first = o->ranks.first ? first_image(o, FORMAT_PNG + 1) : 0, count = o->extra->images - first;
	if (!o->extra->output.film.on || !o->ranks.first || !count || !scree_film_possible()) return;
	if (!scree_film_write(o->folder, o->name, first, count, o->extra->output.film.rate, &why))
		note(o, "note: %s", why.text);
}

static void list_film(const outputs *o, take_file_fn *take, void *context)
{
	char path[SCREE_PATH_ROOM];
	path_of(o, path, ".mp4");
	if (o->extra->output.film.on && access(path, F_OK) == 0) take(OUTPUT_FILM, path, context);
}

static void list_images(const outputs *o, take_file_fn *take, void *context)
{
	char path[SCREE_PATH_ROOM];
	for (int64_t k = first_image(o, FORMATS); k < o->extra->images; ++k)
		if (find_image(o, path, k, FORMATS)) take(OUTPUT_PICTURE, path, context);
}

void scree_outputs_list(const outputs *o, take_file_fn *take, void *context)
{
	const output_plan *p = &o->extra->output;
	if (o->snapshot_time >= 0) list_file(o, OUTPUT_SNAPSHOT, ".snap", take, context);
	if (o->stopped[0]) list_file(o, OUTPUT_STOPPED_SNAPSHOT, stopped_snapshot, take, context);
	if (o->stopped[1]) list_file(o, OUTPUT_STOPPED_PICTURE, stopped_picture, take, context);
	table_file t;
	for (int32_t k = 0; table_at(o, k, &t); ++k)
		if (t.on) list_file(o, k ? OUTPUT_TABLE : OUTPUT_HISTORY, t.ending, take, context);
	if (p->vtk.on && o->extra->frames.count) list_file(o, OUTPUT_FRAMES, ".pvd", take, context);
	list_film(o, take, context);
	if (p->images.on) list_images(o, take, context);
	if (!o->extra->fields) return;
	char path[SCREE_PATH_ROOM];
	path_of_fields(o, path, o->extra->fields - 1);
	take(OUTPUT_FRAMES, path, context);
}

bool scree_outputs_close(outputs *o, fail *why)
{
	bool ok = scree_history_close(o->history, why);
	for (int k = 0; k < TABLES + PLAN_MEASURES; ++k) ok = scree_csv_close(o->table[k], why) && ok;
	scree_measured_columns_free(&o->columns);
	scree_results_unlock(&o->lock, o->folder, o->name);
	if (o->open && !o->in_place) put_back(o->extra, &o->before);
	memset(o, 0, sizeof *o);
	return ok;
}
