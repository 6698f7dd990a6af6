/* run: from a scene or a snapshot to the end of a run. */
#include "scree/scree.h"

#include "base/memory.h"
#include "base/parallel.h"
#include "run/notes.h"
#include "run/outputs.h"
#include "run/signals.h"
#include "run/terminal.h"
#include "scene/scene.h"

#include <stdio.h>
#include <string.h>

typedef struct run_state {
	scree_world *w;
	outputs out;
	terminal term;
	const scree_run_options *options;
	double began;
	int64_t last_step; /* 0: none */
} run_state;

static int say(const fail *why)
{
	fflush(stdout);
	fprintf(stderr, "scree: error: %s\n", why->text);
	return (int)why->code;
}

/* the file's name without folders and endings */
static void name_of(const char *path, char *name, size_t room)
{
	const char *slash = strrchr(path, '/');
	snprintf(name, room, "%s", slash ? slash + 1 : path);
	char *dot = strchr(name, '.');
	if (dot && dot != name) *dot = 0;
}

static int open_scene(run_state *r)
{
	const scree_run_options *o = r->options;
	scene s;
	char *report = NULL;
	if (!scree_scene_load(o->scene, o->sets, o->set, &s, &report)) {
		fputs(report, stderr);
		scree_free(report);
		return FAIL_INPUT;
	}
	r->w = s.world;
	s.world = NULL;
	snapshot_extra *e = &r->out.extra;
	e->scene_path = scree_copy_text(o->scene);
	e->title = scree_copy_text(s.title);
	e->resolved = scree_copy_text(s.resolved);
	e->run = s.run;
	e->output = s.output;
	scree_scene_free(&s);
	name_of(o->scene, r->out.name, sizeof r->out.name);
	if (o->folder)
		snprintf(r->out.folder, sizeof r->out.folder, "%s", o->folder);
	else
		snprintf(r->out.folder, sizeof r->out.folder, "out/%s", r->out.name);
	return 0;
}

/* On a resume only the plan can change: the scene as it was, with the new sets, gives it. */
static int change_plan(run_state *r)
{
	const scree_run_options *o = r->options;
	for (int k = 0; k < o->sets; ++k) {
		const char *key = o->set[k];
		if (!strncmp(key, "run.until=", 10) || !strncmp(key, "run.snapshot", 12) || !strncmp(key, "output.", 7))
			continue;
		fprintf(stderr,
				"scree: error: --set %s: a resumed run can only change run.until, run.snapshot and output; run the "
				"scene anew\n",
				key);
		return FAIL_INPUT;
	}
	char *report = NULL;
	const char *text = r->out.extra.resolved;
	if (!scree_scene_plan("the scene in the snapshot", text, strlen(text), o->sets, o->set, &r->out.extra.run,
						  &r->out.extra.output, &report)) {
		fputs(report, stderr);
		scree_free(report);
		return FAIL_INPUT;
	}
	return 0;
}

static int open_snapshot(run_state *r)
{
	const char *path = r->options->resume;
	fail why;
	r->w = scree_snapshot_read(path, &r->out.extra, &why);
	if (!r->w) return say(&why);
	name_of(path, r->out.name, sizeof r->out.name);
	const char *slash = strrchr(path, '/');
	if (r->options->folder)
		snprintf(r->out.folder, sizeof r->out.folder, "%s", r->options->folder);
	else
		snprintf(r->out.folder, sizeof r->out.folder, "%.*s", slash ? (int)(slash - path) : 1, slash ? path : ".");
	return r->options->sets ? change_plan(r) : 0;
}

static bool time_is_up(const run_state *r)
{
	double limit = r->options->wall_seconds;
	/* leave room for the last snapshot: twice what one took, at least a tenth of a second */
	double room = 2 * r->out.snapshot_took > 0.1 ? 2 * r->out.snapshot_took : 0.1;
	return limit > 0 && scree_now() - r->began > limit - room;
}

typedef enum ending { END_DONE, END_STOPPED, END_GUARD, END_IO } ending;

static bool finished(const run_state *r)
{
	return r->w->time + r->w->dt / 2 >= r->out.extra.run.until || (r->last_step > 0 && r->w->step >= r->last_step);
}

static ending loop(run_state *r, fail *why)
{
	scree_world *w = r->w;
	while (!finished(r)) {
		if (!scree_step(w)) {
			*why = w->why;
			return END_GUARD;
		}
		scree_notes_tell_sources(w);
		if (!scree_outputs_write(&r->out, w, false, why)) return END_IO;
		if (scree_outputs_snapshot_due(&r->out) && !scree_outputs_snapshot(&r->out, w, why)) return END_IO;
		scree_clock_lap(&w->clock, CLOCK_OUTPUT);
		scree_terminal_tick(&r->term, w);
		if (scree_signals_seen() || time_is_up(r)) return END_STOPPED;
	}
	return END_DONE;
}

static int finish(run_state *r, ending how, fail *why)
{
	scree_world *w = r->w;
	/* a broken state must not replace the last good snapshot */
	if (how != END_GUARD) {
		bool whole = w->time + w->dt / 2 >= r->out.extra.run.until;
		if (how == END_DONE && whole && !scree_outputs_write(&r->out, w, true, why)) how = END_IO;
		fail second;
		if (!scree_outputs_snapshot(&r->out, w, &second)) {
			if (how != END_IO) *why = second;
			how = END_IO;
		}
	}
	scree_terminal_line(&r->term, w);
	const char *verdict[] = {"done", scree_signals_seen() ? "stopped by a signal" : "stopped by the time limit",
							 "stopped by a guard", "stopped by a file error"};
	scree_terminal_close(&r->term, w, verdict[how]);
	scree_outputs_list(&r->out);
	if (how == END_STOPPED) printf("go on with: scree run --resume %s/%s.snap\n", r->out.folder, r->out.name);
	if (how == END_GUARD || how == END_IO) return say(why);
	return how == END_STOPPED ? FAIL_STOPPED : FAIL_NONE;
}

int scree_run(const scree_run_options *options)
{
	run_state r = {.options = options, .began = scree_now()};
	fail why = {0};
	scree_set_threads(options->threads);
	int code = options->resume ? open_snapshot(&r) : open_scene(&r);
	if (!code) {
		scree_signals_watch();
		r.last_step = options->steps > 0 ? r.w->step + options->steps : 0;
		real until = r.out.extra.run.until;
		if (r.last_step) until = real_min(until, (real)r.last_step * r.w->dt);
		r.term = scree_terminal_open(r.w, r.out.name, r.out.extra.title, until, options->quiet);
		if (!scree_outputs_open(&r.out, r.w, &why) ||
			(r.w->step == 0 && !scree_outputs_write(&r.out, r.w, false, &why)))
			code = say(&why);
		else
			code = finish(&r, loop(&r, &why), &why);
	}
	scree_outputs_close(&r.out);
	scree_world_free(r.w);
	return code;
}
