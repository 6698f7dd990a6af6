/* run: from a scene or a snapshot to the end of a run. */
#include "scree/scree.h"

#include "base/memory.h"
#include "base/parallel.h"
#include "base/shown.h"
#include "guard/guard.h"
#include "prepare/prepare.h"
#include "run/loading.h"
#include "report/notes.h"
#include "run/outputs.h"
#include "run/program.h"
#include "run/results.h"
#include "run/signals.h"
#include "run/terminal.h"
#include "run/verbs.h"
#include "scene/scene.h"

#include <stdio.h>
#include <string.h>

enum { WATCHED_STEPS = 2500 };			   /* steps between two tests of the demand of contacts on the time step */
enum { MOST_UNSEEN = 96 };				   /* most steps in one batch, during which the world is not read */
static const double LONGEST_UNSEEN = 0.05; /* s: longest batch, so that signals are handled soon */

typedef struct run_state {
	scree_world *w;
	outputs out;
	terminal term;
	const scree_run_options *options;
	double began;
	int64_t first_step; /* of this process */
	int64_t last_step;	/* last step; 0: no limit */
	char *notes;		/* notes on the scene */
} run_state;

static int say(const fail *why)
{
	fflush(stdout);
	scree_print(stderr, "scree: error: %s\n", why->text);
	return (int)why->code;
}

/* removes an extension, unless it is the whole name */
static bool cut_ending(char *name, const char *ending)
{
	size_t length = strlen(name), part = strlen(ending);
	if (length <= part || strcmp(name + length - part, ending) != 0) return false;
	name[length - part] = 0;
	return true;
}

/* The name of a scene's results: that of its file, without folders and `.scene.yaml`. */
static void name_of_scene(const char *path, char name[SCREE_PATH_ROOM])
{
	const char *slash = strrchr(path, '/');
	snprintf(name, SCREE_PATH_ROOM, "%s", slash ? slash + 1 : path);
	if (!cut_ending(name, ".yaml")) cut_ending(name, ".yml");
	cut_ending(name, ".scene");
}

/* The name of the results of a resumed run: that of its snapshot. The previous snapshot is NAME.old.snap, unless the
 * scene itself has that name. */
static void name_of_snapshot(const char *path, const char *scene, char name[SCREE_PATH_ROOM])
{
	char of_scene[SCREE_PATH_ROOM];
	const char *slash = strrchr(path, '/');
	snprintf(name, SCREE_PATH_ROOM, "%s", slash ? slash + 1 : path);
	cut_ending(name, ".snap");
	name_of_scene(scene ? scene : "", of_scene);
	if (strcmp(name, of_scene) != 0) cut_ending(name, ".old");
}

static int open_scene(run_state *r)
{
	const scree_run_options *o = r->options;
	scene s;
	char *report = NULL;
	if (!scree_load_scene(o->scene, o->sets, o->set, false, o->quiet, &s, &report)) {
		fputs(report, stderr);
		scree_free(report);
		return FAIL_INPUT;
	}
	r->w = s.world;
	s.world = NULL;
	r->notes = s.notes;
	s.notes = NULL;
	snapshot_extra *e = &r->out.extra;
	e->scene_path = scree_copy_text(o->scene);
	e->title = scree_copy_text(s.title);
	e->resolved = scree_copy_text(s.resolved);
	e->run = s.run;
	e->output = s.output;
	e->last_image = -1;
	scree_scene_free(&s);
	name_of_scene(o->scene, r->out.name);
	if (o->folder)
		snprintf(r->out.folder, sizeof r->out.folder, "%s", o->folder);
	else
		scree_file_path(r->out.folder, "out", r->out.name, "");
	return 0;
}

/* Changes the plan, which is all that a resume may change, to that of the original scene with the new sets. */
static int change_plan(run_state *r)
{
	const scree_run_options *o = r->options;
	for (int k = 0; k < o->sets; ++k) {
		const char *key = o->set[k];
		if (!strncmp(key, "run.until=", 10) || !strncmp(key, "run.snapshot", 12) || !strncmp(key, "output.", 7))
			continue;
		scree_print(stderr,
					"scree: error: --set %s: a resumed run can only change run.until, run.snapshot and output; run the "
					"scene again\n",
					key);
		return FAIL_INPUT;
	}
	char *report = NULL;
	scene s;
	const char *text = r->out.extra.resolved;
	if (!scree_scene_plan("the scene in the snapshot", text, strlen(text), o->sets, o->set, &s, &report)) {
		fputs(report, stderr);
		scree_free(report);
		return FAIL_INPUT;
	}
	scree_free(r->out.extra.resolved);
	r->out.extra.resolved = scree_copy_text(s.resolved);
	r->out.extra.run = s.run;
	r->out.extra.output = s.output;
	scree_scene_free(&s);
	return 0;
}

static int open_snapshot(run_state *r)
{
	const char *path = r->options->resume;
	fail why;
	r->w = scree_snapshot_read(path, &r->out.extra, &why);
	if (!r->w) return say(&why);
	if (r->out.extra.stopped) {
		scree_fail(&why, FAIL_INPUT,
				   "%s is the state in which a guard stopped a run: inspect it (render, export); resume from the last "
				   "good snapshot, which has the name without .stopped",
				   path);
		return say(&why);
	}
	name_of_snapshot(path, r->out.extra.scene_path, r->out.name);
	const char *slash = strrchr(path, '/');
	char own[SCREE_PATH_ROOM];
	snprintf(own, sizeof own, "%.*s", slash ? (int)(slash - path) + !(slash - path) : 1, slash ? path : ".");
	snprintf(r->out.folder, sizeof r->out.folder, "%s", r->options->folder ? r->options->folder : own);
	r->out.from = path;
	if (!scree_results_same(r->out.folder, own, &r->out.in_place, &why)) return say(&why);
	return r->options->sets ? change_plan(r) : 0;
}

static bool time_is_up(const run_state *r)
{
	double limit = r->options->wall_seconds;
	/* keeps time for the last snapshot: twice the last duration, at least a tenth of a second */
	double room = 2 * r->out.snapshot_took > 0.1 ? 2 * r->out.snapshot_took : 0.1;
	return limit > 0 && scree_now() - r->began > limit - room;
}

typedef enum ending { END_DONE, END_STOPPED, END_GUARD, END_IO } ending;

static bool finished(const run_state *r, int64_t step)
{
	const model *m = &r->w->model;
	return scree_time_of(m, &r->w->state, step) + m->dt / 2 >= r->out.extra.run.until ||
		   (r->last_step > 0 && step >= r->last_step);
}

/* Number of steps until the world is read again, at this duration per step. Sources and sinks read it in each step. */
static int64_t steps_unseen(const run_state *r, double seconds)
{
	const scree_world *w = r->w;
	if (w->model.population.sources || w->model.population.sinks) return 1;
	int64_t n = 1;
	for (; n < MOST_UNSEEN && (double)(n + 1) * seconds < LONGEST_UNSEEN; ++n)
		if (finished(r, w->state.step + n) || (w->state.step + n) % WATCHED_STEPS == 0 ||
			scree_outputs_due(&r->out, w, w->state.step + n))
			break;
	return n;
}

static ending loop(run_state *r, fail *why)
{
	scree_world *w = r->w;
	double a_step = LONGEST_UNSEEN;
	while (!finished(r, w->state.step)) {
		int64_t steps = steps_unseen(r, a_step);
		double began = scree_now();
		if (!scree_steps(w, steps)) {
			if (w->broken) scree_break_again(&w->work.why); /* a broken world must not be read */
			*why = w->work.why;
			return END_GUARD;
		}
		a_step = (scree_now() - began) / (double)steps;
		if (scree_notes_blocked(w)) {
			scree_progress_clear(&r->term.progress);
			scree_notes_print_blocked(stdout, w);
			fflush(stdout);
		}
		if (w->state.step % WATCHED_STEPS == 0) scree_world_watch(&w->model, &w->state, &w->work);
		if (!scree_outputs_write(&r->out, w, why)) return END_IO;
		if (scree_outputs_snapshot_due(&r->out) && !scree_outputs_snapshot(&r->out, w, why)) return END_IO;
		scree_clock_lap(&w->work.clock, CLOCK_OUTPUT);
		scree_progress_tick(&r->term.progress, w);
		if (scree_signals_seen() || time_is_up(r)) return END_STOPPED;
	}
	return END_DONE;
}

/* Writes all outputs of t = 0, with the contacts of the start. */
static bool write_start(run_state *r, fail *why)
{
	const start_shown before = scree_world_show_start(&r->w->model, &r->w->state, &r->w->work);
	const bool written = scree_outputs_write(&r->out, r->w, why);
	scree_world_hide_start(&r->w->model, &r->w->state, &r->w->work, &before);
	return written;
}

/* Writes the last picture and the snapshot. A broken state must not replace the last good snapshot; nor must a state
 * whose outputs are incomplete, since a resumed run would leave them out. */
static ending write_end(run_state *r, ending how, fail *why)
{
	scree_world *w = r->w;
	bool whole = how == END_DONE && w->state.time + w->model.dt / 2 >= r->out.extra.run.until;
	if (how == END_GUARD) scree_outputs_stopped(&r->out, w);
	if (how == END_GUARD || how == END_IO) return how;
	if (whole && !scree_outputs_finish(&r->out, w, why)) return END_IO;
	return scree_outputs_snapshot(&r->out, w, why) ? how : END_IO;
}

/* prints how to resume a run that did not reach its end */
static void say_snapshot(const run_state *r, ending how)
{
	const outputs *o = &r->out;
	if (how == END_DONE) return;
	if (o->snapshot_time >= 0 && how != END_STOPPED) printf("the last snapshot is of t = %.6g s\n", o->snapshot_time);
	if (o->snapshot_time < 0) {
		printf("no snapshot was written in this run%s\n",
			   r->options->resume ? "" : ": it can only start from the scene");
		return;
	}
	printf("continue with: ");
	scree_shown_word(stdout, scree_program_name());
	printf(" run --resume ");
	char path[SCREE_PATH_ROOM];
	scree_file_path(path, o->folder, o->name, ".snap");
	scree_shown_word(stdout, path);
	printf("\n");
}

/* Prints the last line of the table; for a run without a step, that of the start. */
static void end_line(run_state *r)
{
	scree_world *w = r->w;
	if (w->state.begun) {
		scree_progress_row(&r->term.progress, w);
		return;
	}
	const start_shown before = scree_world_show_start(&w->model, &w->state, &w->work);
	scree_progress_row(&r->term.progress, w);
	scree_world_hide_start(&w->model, &w->state, &w->work, &before);
}

/* "Done" needs a step. */
static const char *verdict_when_done(const run_state *r)
{
	if (r->w->state.step > r->first_step) return "done";
	return r->options->resume ? "nothing left to do: run.until is reached" : "done without a step";
}

static int finish(run_state *r, ending how, fail *why)
{
	scree_world *w = r->w;
	scree_clock_start(&w->work.clock);
	how = write_end(r, how, why);
	scree_clock_lap(&w->work.clock, CLOCK_OUTPUT);
	end_line(r);
	const char *verdict[] = {verdict_when_done(r),
							 scree_signals_seen() ? "stopped by a signal" : "stopped by the time limit",
							 "stopped by a guard", "stopped by a file error"};
	scree_terminal_close(&r->term, w, verdict[how]);
	scree_outputs_list(&r->out);
	say_snapshot(r, how);
	if (how == END_GUARD || how == END_IO) return say(why);
	return how == END_STOPPED ? FAIL_STOPPED : FAIL_NONE;
}

static int start_and_run(run_state *r)
{
	fail why = {0};
	scree_signals_watch();
	r->first_step = r->w->state.step;
	r->last_step = r->options->steps > 0 ? r->w->state.step + r->options->steps : 0;
	real until = r->out.extra.run.until;
	if (r->last_step) until = real_min(until, scree_time_of(&r->w->model, &r->w->state, r->last_step));
	if (!scree_outputs_open(&r->out, r->w, &why)) return say(&why);
	r->term = scree_terminal_open(r->w, r->out.name, r->out.extra.title, until, r->options->quiet);
	/* a run that continues from a snapshot of t = 0 finds the outputs of that time */
	const bool begins = !r->w->state.begun && !r->options->resume;
	if (r->notes) fputs(r->notes, stdout);
	scree_clock_start(&r->w->work.clock);
	const bool begun = !begins || write_start(r, &why);
	scree_clock_lap(&r->w->work.clock, CLOCK_OUTPUT);
	ending how = begun ? loop(r, &why) : END_IO;
	return finish(r, how, &why);
}

typedef struct whole_run {
	run_state *r;
	int code;
} whole_run;

static void go(void *what)
{
	whole_run *o = what;
	run_state *r = o->r;
	fail why = {0};
	o->code = r->options->resume ? open_snapshot(r) : open_scene(r);
	if (!o->code) o->code = start_and_run(r);
	if (!scree_outputs_close(&r->out, &why) && !o->code) o->code = say(&why);
	scree_free(r->notes);
	scree_world_free(r->w);
}

int scree_verb_run(const request *q)
{
	const scree_run_options *options = q->run;
	double began = scree_now(), limit = options->wall_seconds;
	run_state r = {.options = options,
				   .began = began,
				   .out = {.lock = -1,
						   .overwrite = options->overwrite,
						   .wait_for_space = options->wait_for_space,
						   .wait_until = limit > 0 ? began + limit : 0}};
	fail why = {0};
	whole_run o = {.r = &r};
	if (!scree_wants_threads(options->threads)) return FAIL_INPUT;
	if (scree_attempt(go, &o, &why)) return o.code;
	scree_results_unlock(r.out.folder, r.out.name, r.out.lock); /* other processes may resume its last snapshot */
	scree_break_again(&why);
}
