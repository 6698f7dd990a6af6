#include "run/outputs.h"

#include "base/maths.h"
#include "base/memory.h"
#include "base/shown.h"
#include "format/vtk.h"
#include "render/render.h"
#include "run/program.h"
#include "run/results.h"
#include "run/signals.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static const char *const table_endings[TABLES] = {"_bodies.csv", "_walls.csv"};

/* ------------------------------------------------------------------ output times */

/* Whether a multiple of `every` falls into this step, which extends from half a step before its time to half a step
 * after. */
static bool comes(real every, const scree_world *w, int64_t step)
{
	if (!(every > 0)) return false;
	const real now = scree_time_until(&w->model, &w->state, step);
	const real before = scree_time_until(&w->model, &w->state, step - 1);
	return step == 0 || scree_floor(now / every) > scree_floor(before / every);
}

/* pictures: at the start, at given times, and at multiples of `every` */
static bool image_comes(const image_plan *p, const scree_world *w, int64_t step)
{
	const real now = scree_time_until(&w->model, &w->state, step);
	const real before = scree_time_until(&w->model, &w->state, step - 1);
	if (step == 0 || comes(p->every, w, step)) return true;
	for (int32_t k = 0; k < p->times; ++k)
		if (p->at[k] > 0 && p->at[k] > before && p->at[k] <= now) return true;
	return false;
}

/* ------------------------------------------------------------------ opening */

/* scree_outputs_open has checked that it fits */
static void path_of(const outputs *o, char path[SCREE_PATH_ROOM], const char *ending)
{
	scree_file_path(path, o->folder, o->name, ending);
}

static void path_of_image(const outputs *o, char path[SCREE_PATH_ROOM], int64_t number)
{
	char ending[32];
	snprintf(ending, sizeof ending, "_%04lld.png", (long long)number);
	path_of(o, path, ending);
}

/* ------------------------------------------------------------------ stopped by a guard */

static const char stopped_snapshot[] = ".stopped.snap", stopped_picture[] = "_stopped.png";

/* removes stopped files of an earlier run, which this one continues or replaces */
static bool remove_stopped(const outputs *o, fail *why)
{
	const char *const ending[2] = {stopped_snapshot, stopped_picture};
	for (int k = 0; k < 2; ++k) {
		char path[SCREE_PATH_ROOM];
		path_of(o, path, ending[k]);
		if (unlink(path) != 0 && errno != ENOENT) return scree_file_failed(why, errno, "remove", path);
	}
	return true;
}

void scree_outputs_stopped(outputs *o, const scree_world *w)
{
	char path[2][SCREE_PATH_ROOM];
	fail why[2] = {0};
	path_of(o, path[0], stopped_snapshot);
	path_of(o, path[1], stopped_picture);
	o->extra.stopped = true;
	o->stopped[0] = scree_snapshot_write(w, &o->extra, path[0], why);
	if (o->extra.output.images.on)
		o->stopped[1] = scree_render_png(w, &o->extra.output.images, o->extra.title, path[1], why + 1);
	for (int k = 0; k < 2; ++k)
		if (!o->stopped[k] && why[k].text[0]) scree_print(stderr, "scree: note: %s\n", why[k].text);
}

/* ------------------------------------------------------------------ folder and files */

static bool check_names(const outputs *o, fail *why)
{
	enum { MOST_NAME = 220, LONGEST_ENDING = 32 }; /* file systems take 255 bytes */
	if (strlen(o->name) > MOST_NAME)
		return scree_fail(why, FAIL_INPUT, "the name %.40s... has %zu bytes; names of result files may have at most %d",
						  o->name, strlen(o->name), MOST_NAME);
	if (strlen(o->folder) > SCREE_PATH_ROOM - MOST_NAME - LONGEST_ENDING)
		return scree_fail(why, FAIL_INPUT, "the folder %.40s... has a path of %zu bytes; at most %d are allowed",
						  o->folder, strlen(o->folder), SCREE_PATH_ROOM - MOST_NAME - LONGEST_ENDING);
	return true;
}

/* Locks the folder, and refuses to overwrite results unless requested. */
static bool take_folder(outputs *o, fail *why)
{
	bool there;
	if (!scree_results_folder(o->folder, why)) return false;
	o->lock = scree_results_lock(o->folder, o->name, why);
	if (o->lock < 0) return false;
	if (o->in_place || o->overwrite) return true;
	if (!scree_results_look(o->folder, o->name, &there, why)) return false;
	return !there || scree_fail(why, FAIL_INPUT,
								"%s holds the results of a run already, %s.snap: continue that run (--resume "
								"'%s/%s.snap'), choose another folder (-o), or replace them (--overwrite)",
								o->folder, o->name, o->folder, o->name);
}

/* Finds a table that the snapshot counts; a missing one begins with this run. */
static bool find_table(outputs *o, const char *ending, csv_mark *mark, const scree_world *w, bool *changed, fail *why)
{
	char path[SCREE_PATH_ROOM];
	bool there = false;
	path_of(o, path, ending);
	if (mark->end == 0) return true;
	if (o->in_place && !scree_file_look(path, &there, why)) return false;
	if (there) return true;
	scree_print(stderr, "scree: note: %s does not exist: a new one begins at t = %.6g s\n", path, w->state.time);
	*mark = (csv_mark){0};
	*changed = true;
	return true;
}

/* Makes NAME.snap the snapshot to resume from, before a resumed run changes any file: a snapshot that counts more
 * rows than the files hold could not be resumed. */
static bool put_snapshot(outputs *o, const scree_world *w, fail *why)
{
	char path[SCREE_PATH_ROOM];
	path_of(o, path, ".snap");
	o->snapshot_time = w->state.time;
	return scree_snapshot_write(w, &o->extra, path, why);
}

/* Compares the files in the folder with the counts of the snapshot. */
static bool find_results(outputs *o, const scree_world *w, fail *why)
{
	const output_plan *p = &o->extra.output;
	if (!o->in_place && !scree_results_clear(o->folder, o->name, true, 0, 0, why)) return false;
	if (!o->from) return true;
	char path[SCREE_PATH_ROOM];
	bool last;
	path_of(o, path, ".snap");
	if (!scree_results_same(path, o->from, &last, why)) return false;
	bool changed = !o->in_place || !last;
	if (p->history.on && !find_table(o, "_history.csv", &o->extra.history, w, &changed, why)) return false;
	for (int k = 0; k < TABLES; ++k)
		if (p->table[k].on && !find_table(o, table_endings[k], o->extra.table + k, w, &changed, why)) return false;
	if (!scree_vtk_find(&o->extra.frames, o->folder, o->name, why)) return false;
	if (changed && !put_snapshot(o, w, why)) return false;
	return !o->in_place || scree_results_clear(o->folder, o->name, false, o->extra.frames.count, o->extra.images, why);
}

static bool open_tables(outputs *o, const scree_world *w, fail *why)
{
	char path[SCREE_PATH_ROOM];
	const output_plan *p = &o->extra.output;
	if (p->history.on) {
		path_of(o, path, "_history.csv");
		o->history = scree_history_open(path, &p->history, w, &o->extra.history, why);
		if (!o->history) return false;
	}
	for (int k = 0; k < TABLES; ++k) {
		if (!p->table[k].on) continue;
		path_of(o, path, table_endings[k]);
		o->table[k] = scree_table_open(path, (table_kind)k, o->extra.table + k, why);
		if (!o->table[k]) return false;
	}
	return true;
}

bool scree_outputs_open(outputs *o, const scree_world *w, fail *why)
{
	char path[SCREE_PATH_ROOM];
	o->lock = -1;
	o->snapshot_time = o->in_place ? w->state.time : -1;
	if (o->extra.output.images.on && !scree_render_possible(w, why)) return false;
	o->last_snapshot = scree_now();
	if (!check_names(o, why) || !take_folder(o, why) || !remove_stopped(o, why) || !find_results(o, w, why))
		return false;
	path_of(o, path, ".resolved.scene.yaml");
	if (o->extra.resolved && !scree_file_write(path, o->extra.resolved, strlen(o->extra.resolved), why)) return false;
	return open_tables(o, w, why);
}

/* ------------------------------------------------------------------ writing */

/* s: pause before the next attempt, at most 1 s and up to the time limit */
static double next_wait(const outputs *o)
{
	double left = o->wait_until > 0 ? o->wait_until - scree_now() : 1;
	return real_clamp(left, 0, 1);
}

/* On a full disk, waits; whether to try again. */
static bool space_may_come(const outputs *o, fail *why, bool *said)
{
	if (!o->wait_for_space || (why->error != ENOSPC && why->error != EDQUOT) || scree_signals_seen()) return false;
	double wait = next_wait(o);
	if (!(wait > 0)) return scree_fail_in(why, "no space became free before the time limit (--wall)");
	if (!*said) scree_print(stderr, "scree: %s; waiting for space\n", why->text);
	*said = true;
	nanosleep(&(struct timespec){.tv_sec = (time_t)wait, .tv_nsec = (long)(1e9 * (wait - (double)(time_t)wait))}, NULL);
	return !scree_signals_seen();
}

typedef bool writer(outputs *o, const scree_world *w, fail *why);

/* Calls a writer until it succeeds; a writer that fails has changed nothing. */
static bool try_until_written(writer *write_it, outputs *o, const scree_world *w, fail *why)
{
	bool said = false;
	while (!write_it(o, w, why))
		if (!space_may_come(o, why, &said)) return false;
	return true;
}

static bool write_history(outputs *o, const scree_world *w, fail *why) { return scree_history_row(o->history, w, why); }

static bool write_bodies(outputs *o, const scree_world *w, fail *why)
{
	return scree_table_rows(o->table[TABLE_BODIES], w, o->extra.output.table[TABLE_BODIES].up_to, why);
}

static bool write_walls(outputs *o, const scree_world *w, fail *why)
{
	return scree_table_rows(o->table[TABLE_WALLS], w, 0, why);
}

static bool write_frame(outputs *o, const scree_world *w, fail *why)
{
	return scree_vtk_frame(w, &o->extra.output.vtk, o->folder, o->name, &o->extra.frames, why);
}

static bool write_image(outputs *o, const scree_world *w, fail *why)
{
	char path[SCREE_PATH_ROOM];
	path_of_image(o, path, o->extra.images);
	if (!scree_render_png(w, &o->extra.output.images, o->extra.title, path, why)) return false;
	o->extra.images += 1;
	o->extra.last_image = w->state.step;
	return true;
}

static bool write_snapshot(outputs *o, const scree_world *w, fail *why)
{
	char path[SCREE_PATH_ROOM], old[SCREE_PATH_ROOM];
	csv *file[1 + TABLES] = {o->history ? scree_history_file(o->history) : NULL};
	csv_mark *mark[1 + TABLES] = {&o->extra.history};
	for (int k = 0; k < TABLES; ++k) {
		file[1 + k] = o->table[k] ? scree_table_file(o->table[k]) : NULL;
		mark[1 + k] = o->extra.table + k;
	}
	for (int k = 0; k < 1 + TABLES; ++k) {
		if (!file[k]) continue;
		if (!scree_csv_sync(file[k], why)) return false;
		*mark[k] = scree_csv_mark(file[k]);
	}
	path_of(o, path, ".snap");
	path_of(o, old, ".old.snap");
	return scree_snapshot_write_keeping(w, &o->extra, path, o->extra.run.snapshots_kept > 1 ? old : NULL, why);
}

enum { WRITERS = 5 };

/* the writers due at this step */
static void find_due(const outputs *o, const scree_world *w, int64_t step, writer *due[WRITERS])
{
	const output_plan *p = &o->extra.output;
	const table_plan *bodies = p->table + TABLE_BODIES, *walls = p->table + TABLE_WALLS;
	due[0] = p->history.on && comes(p->history.every, w, step) ? write_history : NULL;
	due[1] = bodies->on && comes(bodies->every, w, step) ? write_bodies : NULL;
	due[2] = walls->on && comes(walls->every, w, step) ? write_walls : NULL;
	due[3] = p->vtk.on && comes(p->vtk.every, w, step) ? write_frame : NULL;
	due[4] = p->images.on && image_comes(&p->images, w, step) ? write_image : NULL;
}

bool scree_outputs_due(const outputs *o, const scree_world *w, int64_t step)
{
	writer *due[WRITERS];
	find_due(o, w, step, due);
	for (int k = 0; k < WRITERS; ++k)
		if (due[k]) return true;
	return false;
}

bool scree_outputs_write(outputs *o, const scree_world *w, fail *why)
{
	writer *due[WRITERS];
	find_due(o, w, w->state.step, due);
	for (int k = 0; k < WRITERS; ++k)
		if (due[k] && !try_until_written(due[k], o, w, why)) return false;
	return true;
}

bool scree_outputs_finish(outputs *o, const scree_world *w, fail *why)
{
	bool drawn = o->extra.last_image == w->state.step;
	return !o->extra.output.images.on || drawn || try_until_written(write_image, o, w, why);
}

bool scree_outputs_snapshot_due(const outputs *o)
{
	real every = o->extra.run.snapshot_every;
	return every > 0 && scree_now() - o->last_snapshot > every;
}

bool scree_outputs_snapshot(outputs *o, const scree_world *w, fail *why)
{
	double began = scree_now();
	if (!try_until_written(write_snapshot, o, w, why)) return false;
	o->snapshot_time = w->state.time;
	o->last_snapshot = scree_now();
	o->snapshot_took = o->last_snapshot - began;
	return true;
}

/* ------------------------------------------------------------------ the end */

/* lists the first pictures and the last; those before a resume may be in another folder */
static void list_images(const outputs *o)
{
	char path[SCREE_PATH_ROOM];
	int64_t first = o->extra.images, last = o->extra.images;
	for (; first > 0; --first) {
		path_of_image(o, path, first - 1);
		if (access(path, F_OK) != 0) break;
	}
	for (int64_t k = first; k < last; ++k) {
		if (last - first > 6 && k == first + 2) {
			printf("          ... %lld more\n", (long long)(last - first - 4));
			k = last - 2;
		}
		path_of_image(o, path, k);
		scree_print(stdout, "%s  %s\n", k == first ? "pictures" : "        ", path);
	}
}

static void print_path_word(const outputs *o, const char *ending)
{
	char path[SCREE_PATH_ROOM];
	path_of(o, path, ending);
	scree_shown_word(stdout, path);
}

void scree_outputs_list(const outputs *o)
{
	const output_plan *p = &o->extra.output;
	if (o->snapshot_time >= 0) scree_print(stdout, "snapshot  %s/%s.snap\n", o->folder, o->name);
	if (o->stopped[0])
		scree_print(stdout, "stopped   %s/%s%s   (for inspection; a run cannot continue from it)\n", o->folder, o->name,
					stopped_snapshot);
	if (o->stopped[1]) scree_print(stdout, "          %s/%s%s\n", o->folder, o->name, stopped_picture);
	if (p->history.on) scree_print(stdout, "energies  %s/%s_history.csv\n", o->folder, o->name);
	for (int k = 0; k < TABLES; ++k)
		if (p->table[k].on) scree_print(stdout, "table     %s/%s%s\n", o->folder, o->name, table_endings[k]);
	if (p->vtk.on && o->extra.frames.count) {
		char viewer[SCREE_PATH_ROOM];
		scree_print(stdout, "ParaView  %s/%s.pvd", o->folder, o->name);
		if (scree_program_viewer(viewer, sizeof viewer)) {
			printf("   (set up: SCREE_PVD=");
			print_path_word(o, ".pvd");
			printf(" paraview --script=");
			scree_shown_word(stdout, viewer);
			printf(")");
		}
		printf("\n");
	}
	if (p->images.on) list_images(o);
	fflush(stdout);
}

bool scree_outputs_close(outputs *o, fail *why)
{
	bool ok = scree_history_close(o->history, why);
	for (int k = 0; k < TABLES; ++k) ok = scree_table_close(o->table[k], why) && ok;
	scree_results_unlock(o->folder, o->name, o->lock);
	o->lock = -1;
	scree_snapshot_extra_free(&o->extra);
	memset(o, 0, sizeof *o);
	return ok;
}
