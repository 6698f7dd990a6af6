/* outputs: the files of a simulation in a folder. */
#include "library/internal.h"
#include "outputs/outputs.h"
#include "world/world.h"

#include <string.h>

struct open_outputs {
	outputs of;
	int64_t written; /* outputs are written up to and including this step */
	int64_t staged;	 /* step of the last snapshot written at the end of a stage */
	bool finished;
	scree_file *file;
	int64_t files, room;
};

static scree_code failed(scree_sim *s, const fail *why)
{
	s->why = *why;
	return scree_sim_code(why);
}

/* ------------------------------------------------------------------ names */

/* removes an extension, unless it is the whole name */
static bool cut_ending(char *name, const char *ending)
{
	size_t length = strlen(name), part = strlen(ending);
	if (length <= part || strcmp(name + length - part, ending) != 0) return false;
	name[length - part] = 0;
	return true;
}

/* The name of a scene's results: the name of its file, without folders and `.scene.yaml`. */
static void name_of_scene(const char *path, char name[SCREE_PATH_ROOM])
{
	const char *slash = strrchr(path, '/');
	snprintf(name, SCREE_PATH_ROOM, "%s", slash ? slash + 1 : path);
	if (!cut_ending(name, ".yaml")) cut_ending(name, ".yml");
	cut_ending(name, ".scene");
}

/* The name of a resumed run's results: the name of its snapshot. NAME.old.snap is the previous snapshot of NAME,
 * unless the scene itself has that name. */
static void name_of_snapshot(const char *path, const char *scene, char name[SCREE_PATH_ROOM])
{
	char of_scene[SCREE_PATH_ROOM];
	const char *slash = strrchr(path, '/');
	snprintf(name, SCREE_PATH_ROOM, "%s", slash ? slash + 1 : path);
	cut_ending(name, ".snap");
	name_of_scene(scene ? scene : "", of_scene);
	if (strcmp(name, of_scene) != 0) cut_ending(name, ".old");
}

/* Sets the name and the folder, and whether the folder is that of the snapshot. */
static bool find_folder(outputs *o, const scree_sim *s, const char *folder, fail *why)
{
	char own[SCREE_PATH_ROOM];
	if (folder && !*folder) return scree_fail(why, FAIL_INPUT, "the path of the folder for results is empty");
	if (s->from) {
		name_of_snapshot(s->from, s->extra.scene_path, o->name);
		scree_file_folder(s->from, own);
		snprintf(o->folder, sizeof o->folder, "%s", folder ? folder : own);
		return scree_results_same(o->folder, own, &o->in_place, why);
	}
	name_of_scene(s->extra.scene_path, o->name);
	if (!*o->name) snprintf(o->name, sizeof o->name, "scene");
	if (folder)
		snprintf(o->folder, sizeof o->folder, "%s", folder);
	else
		scree_file_path(o->folder, "out", o->name, "");
	return true;
}

/* ------------------------------------------------------------------ opening */

static scree_code open_in_folder(scree_sim *s, const scree_outputs_options *options)
{
	fail why;
	s->out = scree_alloc(1, sizeof *s->out);
	outputs *o = &s->out->of;
	*o = (outputs){.from = s->from,
				   .overwrite = options->overwrite,
				   .wait = options->wait,
				   .note = options->note,
				   .context = options->context,
				   .ranks = s->part ? scree_ranks_domain() : scree_domain_alone,
				   .extra = &s->extra};
	scree_sim_touch(s);
	/* a snapshot is written after the outputs of its step */
	s->out->written = s->out->staged = s->from ? s->w->state.step : s->w->state.step - 1;
	if (find_folder(o, s, options->folder, &why) && scree_outputs_open(o, s->w, &why)) return SCREE_DONE;
	fail unused;
	scree_outputs_close(o, &unused);
	scree_free(s->out);
	s->out = NULL;
	return failed(s, &why);
}

void scree_sim_outputs_log(const scree_sim *s)
{
	const outputs *o = s->out ? &s->out->of : NULL;
	scree_sim_log_begin(o ? o->note : NULL, o ? o->context : NULL);
}

scree_code scree_in_outputs_open(scree_sim *s, const scree_outputs_options *options)
{
	if (s->out) return scree_sim_refuse(s, "the outputs are open already");
	if (s->stopped && s->from)
		return scree_sim_refuse(
			s,
			"%s is the state in which a guard stopped a run: inspect it (render, export); resume from the last good "
			"snapshot, of an earlier time (that of NAME.stopped.snap is NAME.snap)",
			s->from);
	if (s->w->state.step != s->first) return scree_sim_refuse(s, "outputs must be opened before the first step");
	return open_in_folder(s, options ? options : &(scree_outputs_options){0});
}

/* ------------------------------------------------------------------ output times */

int64_t scree_in_outputs_next(const scree_sim *s, int64_t most)
{
	const scree_world *w = s->w;
	const int64_t step = w->state.step, left = s->broken ? 0 : scree_in_steps_until(s, scree_in_until(s));
	if (s->broken || !s->out || w->model.population.sources || w->model.population.sinks) return 1;
	if (left > 0 && left < most) most = left;
	most = scree_sim_watch_steps(s, scree_sim_stage_steps(s, most));
	for (int64_t n = 1; n < most; ++n)
		if (scree_outputs_due(&s->out->of, w, step + n - 1, step + n)) return n;
	return most > 1 ? most : 1;
}

/* Returns how many steps of the present length last as long as these steps would at the length given for the run, since
 * steps may become longer again. */
static int64_t as_long_as(const scree_sim *s, int64_t steps)
{
	const model *m = &s->w->model;
	if (scree_sim_watch_steps(s, steps) == steps || !(m->own_step > m->dt)) return steps;
	return (int64_t)((real)steps * (m->own_step / m->dt)) + 1;
}

scree_code scree_sim_outputs_allow(scree_sim *s, int64_t steps)
{
	if (!s->out || s->out->finished) return SCREE_DONE;
	const outputs *o = &s->out->of;
	if (scree_sim_stage_steps(s, steps) < steps)
		return scree_sim_refuse(s, "the outputs of the next stage would be missed: make no more steps at once than "
								   "scree_sim_outputs_next returns");
	int64_t from = s->w->state.step - (s->out->written < s->w->state.step);
	const int64_t last = s->w->state.step + as_long_as(s, steps) - 1;
	if (last <= from || !scree_outputs_due(o, s->w, from, last)) return SCREE_DONE;
	while (!scree_outputs_due(o, s->w, from, from + 1)) ++from;
	return scree_sim_refuse(s,
							"the outputs of t = %.6g s would be missed: call scree_sim_outputs_write there, and make "
							"no more steps at once than scree_sim_outputs_next returns",
							scree_in_time_of(s, from + 1));
}

/* ------------------------------------------------------------------ writing */

/* Records a failure that leaves the outputs incomplete: nothing more is written before they are closed. */
static scree_code lost(scree_sim *s, const fail *why)
{
	s->lost = *why;
	return failed(s, why);
}

static bool write_due(scree_sim *s, bool snapshot, fail *why)
{
	outputs *o = &s->out->of;
	const int64_t step = s->w->state.step;
	if (s->out->written < step && !scree_outputs_write(o, s->w, why)) return false;
	s->out->written = step;
	return !snapshot || scree_outputs_snapshot(o, s->w, why);
}

/* Writes outputs, with the complete world of all ranks if any output shows it. */
static bool write_whole(scree_sim *s, bool shown, bool (*write)(scree_sim *s, bool snapshot, fail *why), bool snapshot,
						fail *why)
{
	scree_world *whole = shown ? scree_sim_whole(s) : NULL;
	s->out->of.whole = whole;
	const bool written = write(s, snapshot, why);
	scree_sim_whole_end(s, whole);
	s->out->of.whole = NULL;
	return written;
}

static scree_code write_now(scree_sim *s, bool snapshot)
{
	fail why;
	if (!s->stopped && scree_sim_check_rows(s, false)) return SCREE_BAD_INPUT;
	clock_table *clock = &s->w->work.clock;
	scree_clock_start(clock);
	if (!s->w->state.begun) scree_sim_look(s);
	const bool shown = s->out->written < s->w->state.step && scree_outputs_show_bodies(&s->out->of, s->w);
	const bool written = write_whole(s, shown, write_due, snapshot, &why);
	if (!s->w->state.begun) scree_sim_touch(s);
	scree_clock_lap(clock, CLOCK_OUTPUT);
	return written ? SCREE_DONE : lost(s, &why);
}

static scree_code refuse_closed(scree_sim *s)
{
	return s->broken ? s->broken : scree_sim_refuse(s, "no outputs are open");
}

/* returns the reason why nothing may be written, or SCREE_DONE if writing is allowed */
static scree_code may_write(scree_sim *s)
{
	if (!s->out) return refuse_closed(s);
	if (s->lost.code) return failed(s, &s->lost);
	return s->out->finished ? scree_sim_refuse(s, "the outputs are finished: close them") : SCREE_DONE;
}

scree_code scree_in_outputs_write(scree_sim *s)
{
	const scree_code code = may_write(s);
	if (code) return code;
	const outputs *o = &s->out->of;
	const int64_t step = s->w->state.step;
	const bool due = s->out->written < step && scree_outputs_due(o, s->w, step - 1, step);
	const bool stage = s->out->staged < step && scree_sim_is_over(s);
	const bool snapshot = scree_sim_any(s, o->ranks.first && scree_outputs_snapshot_due(o)) || stage;
	if (stage) s->out->staged = step;
	if (due || snapshot) return write_now(s, snapshot);
	s->out->written = step;
	return SCREE_DONE;
}

static bool is_at_end(const scree_sim *s) { return !scree_in_steps_until(s, scree_in_until(s)); }

/* Tests whether the snapshot from which this run continues was written at the run's end and counts the last picture, in
 * which case the previous snapshot is kept. */
static bool is_saved(const scree_sim *s)
{
	const outputs *o = &s->out->of;
	return o->in_place && o->snapshot_time == s->w->state.time && s->w->state.step == s->first && !s->planned &&
		   !scree_outputs_finish_shows_bodies(o, s->w);
}

static bool write_end(scree_sim *s, bool snapshot, fail *why)
{
	outputs *o = &s->out->of;
	const scree_world *w = s->w;
	const bool whole = is_at_end(s);
	if (s->stopped && !s->late) {
		scree_outputs_stopped(o, w);
		scree_outputs_film(o);
		return true;
	}
	if (s->late) scree_outputs_stopped_picture(o);
	const bool written =
		(!whole || s->late || scree_outputs_finish(o, w, why)) && (!snapshot || scree_outputs_snapshot(o, w, why));
	if (written && (whole || s->late)) scree_outputs_film(o);
	return written;
}

static scree_code finish(scree_sim *s)
{
	fail why;
	const outputs *o = &s->out->of;
	clock_table *clock = &s->w->work.clock;
	const bool shown = s->stopped ? scree_outputs_stopped_shows_bodies(o) : scree_outputs_finish_shows_bodies(o, s->w);
	scree_sim_touch(s);
	scree_clock_start(clock);
	const bool written = write_whole(s, shown, write_end, !is_saved(s), &why);
	scree_clock_lap(clock, CLOCK_OUTPUT);
	s->out->finished = true;
	if (!written) return lost(s, &why);
	if (s->stopped || !is_at_end(s)) return SCREE_DONE; /* after a stop, the tests at the end of a run are omitted */
	return scree_sim_holds_at_end(s) ? SCREE_DONE : scree_sim_stopped(s);
}

scree_code scree_in_outputs_finish(scree_sim *s)
{
	scree_code code = may_write(s);
	if (!code && s->late) code = scree_in_outputs_write(s); /* a run that continues from here relies on these outputs */
	if (!code && !s->stopped) code = scree_sim_outputs_allow(s, 1);
	if (!code && !s->stopped) code = scree_sim_check_rows(s, false);
	return code ? code : finish(s);
}

bool scree_sim_outputs_hold(const scree_sim *s, const char *path)
{
	char folder[SCREE_PATH_ROOM], name[SCREE_PATH_ROOM];
	const char *slash = strrchr(path, '/');
	bool same = false;
	fail unused;
	if (!s->out) return false;
	scree_file_folder(path, folder);
	snprintf(name, sizeof name, "%s", slash ? slash + 1 : path);
	return cut_ending(name, ".snap") && !strcmp(name, s->out->of.name) &&
		   scree_results_same(folder, s->out->of.folder, &same, &unused) && same;
}

/* ------------------------------------------------------------------ files */

/* also works after a refused stage, which leaves the run's files unchanged */
scree_code scree_in_outputs(scree_sim *s, scree_outputs *out)
{
	if ((s->broken && s->broken != SCREE_BAD_INPUT) || !s->out) return refuse_closed(s);
	const outputs *o = &s->out->of;
	*out = (scree_outputs){
		.folder = o->folder, .name = o->name, .snapshot_time = o->snapshot_time, .snapshot_seconds = o->snapshot_took};
	return SCREE_DONE;
}

static void take_file(output_kind kind, const char *path, void *context)
{
	struct open_outputs *o = context;
	o->file = scree_room(o->file, o->files, &o->room, sizeof *o->file);
	o->file[o->files++] = (scree_file){(scree_file_kind)kind, scree_copy_text(path)};
}

static void forget_files(struct open_outputs *o)
{
	for (int64_t k = 0; k < o->files; ++k) scree_free((void *)o->file[k].path);
	o->files = 0;
}

scree_code scree_in_outputs_files(scree_sim *s, int64_t *count, const scree_file **file)
{
	_Static_assert((int)SCREE_FILE_PICTURE == (int)OUTPUT_PICTURE, "both lists of kinds of files have the same order");
	if (!s->out) return refuse_closed(s);
	forget_files(s->out);
	scree_outputs_list(&s->out->of, take_file, s->out);
	*count = s->out->files;
	*file = s->out->file;
	return SCREE_DONE;
}

/* ------------------------------------------------------------------ the end */

static scree_code close_files(scree_sim *s, void *of)
{
	fail why;
	(void)of;
	s->lost = (fail){0};
	forget_files(s->out);
	scree_free(s->out->file);
	const bool closed = scree_outputs_close(&s->out->of, &why);
	scree_free(s->out);
	s->out = NULL;
	return closed ? SCREE_DONE : failed(s, &why);
}

scree_code scree_in_outputs_close(scree_sim *s)
{
	if (!s->out) return SCREE_DONE;
	if (!s->broken) return scree_sim_call(s, close_files, NULL);
	outputs *o = &s->out->of;
	scree_results_unlock(&o->lock, o->folder, o->name); /* other processes may continue from the last snapshot */
	s->out = NULL;
	return s->broken;
}
