/* run: runs a scene, or continues a snapshot, to the end. */
#include "run.h"

#include "facts.h"
#include "progress.h"
#include "scree/outputs.h"
#include "scree/print.h"
#include "signals.h"

#include <math.h>
#include <string.h>
#include <time.h>

/* Numbers of steps in a batch, during which the world is not read, and the duration of the longest batch in s: short,
 * so that signals are handled soon. A device copies its state back after each batch, and every so many steps anyway. */
typedef struct batch {
	int64_t least, most;
	double seconds;
} batch;
static const batch on_processor = {1, 96, 0.05}, on_device = {1, 500, 2};

typedef struct run {
	scree_sim *s;
	const arguments *a;
	progress progress;
	double began, shown;		   /* wall-clock times, in s, at the start of the command and of the header */
	int64_t first_step, last_step; /* steps of this process; last_step is 0 without a limit */
	bool late;					   /* the time limit was reached while the disk was full */
	bool signalled;				   /* on any rank */
} run;

/* ------------------------------------------------------------------ the last snapshot */

/* The snapshot from which a run can continue, kept for the case that memory runs out or a device fails: then nothing
 * can be asked of the simulation. */
typedef struct resumption {
	char path[2 * 4096];
	double time;		 /* s; negative if there is none */
	const char *machine; /* NULL for the processor */
} resumption;
static resumption last = {.time = -1};

static void put_continuation(FILE *to, const resumption *o)
{
	fprintf(to, "continue with: ");
	scree_print_word(to, command_name);
	fprintf(to, " run --resume ");
	scree_print_word(to, o->path);
	fprintf(to, "%s%s\n", o->machine ? " --machine " : "", o->machine ? o->machine : "");
}

static resumption resumption_of(const run *r)
{
	resumption to = {.time = -1};
	scree_outputs o;
	const char *machine = scree_sim_machine(r->s);
	if (scree_sim_outputs(r->s, &o) || o.snapshot_time < 0) return to;
	snprintf(to.path, sizeof to.path, "%s/%s.snap", o.folder, o.name);
	to.time = o.snapshot_time;
	to.machine = strcmp(machine, "cpu") ? machine : NULL;
	return to;
}

void print_last_snapshot(FILE *to)
{
	if (last.time < 0) return;
	if (last.machine) last.machine = "cpu"; /* the device may have failed */
	fprintf(to, "the last snapshot is from t = %.6g s\n", last.time);
	put_continuation(to, &last);
}

/* ------------------------------------------------------------------ the disk */

/* pause, in s, before the next attempt: at most 1 s, and not beyond the time limit */
static double next_wait(const run *r)
{
	const double left = r->a->wall_seconds > 0 ? r->began + r->a->wall_seconds - wall_clock() : 1;
	return left < 0 ? 0 : left > 1 ? 1 : left;
}

/* waits while the disk is full; returns whether to try writing again */
static int wait_for_space(const char *sentence, int attempts, void *context)
{
	run *r = context;
	if (!r->a->wait_for_space || signal_seen()) return 0;
	const double wait = next_wait(r);
	r->late = !(wait > 0);
	if (r->late) return 0;
	if (!attempts) print_safely(stderr, "scree: %s; waiting for space\n", sentence);
	nanosleep(&(struct timespec){.tv_sec = (time_t)wait, .tv_nsec = (long)(1e9 * (wait - (double)(time_t)wait))}, NULL);
	return !signal_seen();
}

static void note(const char *sentence, void *context)
{
	run *r = context;
	clear_status(&r->progress);
	print_safely(stderr, "scree: %s\n", sentence);
}

/* ------------------------------------------------------------------ the loop */

static bool time_is_up(const run *r)
{
	scree_outputs out;
	const double limit = r->a->wall_seconds;
	if (!(limit > 0) || scree_sim_outputs(r->s, &out)) return false;
	/* reserves time for writing the last snapshot: twice the time taken by the previous one, but at least a tenth of a
	 * second */
	const double room = 2 * out.snapshot_seconds > 0.1 ? 2 * out.snapshot_seconds : 0.1;
	return wall_clock() - r->began > limit - room;
}

typedef enum ending { END_DONE, END_STEPS, END_STOPPED, END_GUARD, END_IO } ending;

static bool is_at_end(const run *r) { return scree_sim_steps_until(r->s, scree_sim_until(r->s)) <= 0; }

static bool finished(const run *r)
{
	return is_at_end(r) || (r->last_step > 0 && scree_sim_steps(r->s) >= r->last_step);
}

/* Number of steps before the next check for signals, if a step takes this long. */
static int64_t steps_unchecked(const run *r, double seconds)
{
	const batch *of = scree_sim_on_device(r->s) ? &on_device : &on_processor;
	const double fit = of->seconds / seconds;
	if (fit < (double)of->least) return of->least;
	return fit < (double)of->most ? (int64_t)fit : of->most;
}

/* Number of steps until the world is next read. */
static int64_t steps_unseen(const run *r, double seconds)
{
	const int64_t fit = steps_unchecked(r, seconds), most = fit < 2 ? 1 : scree_sim_outputs_next(r->s, fit);
	const int64_t left = r->last_step > 0 ? r->last_step - scree_sim_steps(r->s) : most;
	return left < most ? left : most;
}

/* Tests whether --quiet keeps a line of the notes or closing lines: warnings, errors in energy and momentum, and the
 * hash are kept.
 */
static bool is_kept(const char *line)
{
	static const char *const begins[] = {"warning: ", "energy   was not conserved", "impulses momentum", "hash "};
	const size_t length = strcspn(line, "\n");
	const char *beyond = strstr(line, ": beyond it, ");
	for (size_t k = 0; k < sizeof begins / sizeof *begins; ++k)
		if (!strncmp(line, begins[k], strlen(begins[k]))) return true;
	return !strncmp(line, "step     ", 9) && beyond && beyond < line + length;
}

static void print_lines(const run *r, const char *text)
{
	for (const char *next; *text; text = next) {
		next = text + strcspn(text, "\n");
		next += *next == '\n';
		if (!r->a->quiet || is_kept(text)) fwrite(text, 1, (size_t)(next - text), stdout);
	}
	fflush(stdout);
}

static void print_warnings(run *r)
{
	const char *text = scree_sim_warnings(r->s);
	if (!*text) return;
	clear_status(&r->progress);
	print_lines(r, text);
}

/* Prints output that is due, and tests whether the run must stop; all ranks stop together, and print according to the
 * clock of the first rank. a_step: duration of a step, in s; on return, the slowest rank's duration. */
static int look_around(run *r, double *a_step, bool *stop)
{
	const progress_due due = scree_rank() > 0 ? NOTHING_DUE : find_due(&r->progress, r->s);
	double x[4] = {*a_step, signal_seen() != 0, time_is_up(r), due};
	const int code = (int)scree_ranks_greatest(4, x);
	if (code) return code;
	*a_step = x[0];
	r->signalled = x[1] > 0;
	*stop = r->signalled || x[2] > 0;
	print_due(&r->progress, r->s, (progress_due)x[3]);
	return 0;
}

/* *code: of a failure */
static ending loop(run *r, int *code)
{
	bool stop = false;
	double a_step = on_device.seconds; /* the first step is made alone */
	while (!finished(r)) {
		const int64_t steps = steps_unseen(r, a_step);
		const double began = wall_clock();
		if ((*code = (int)scree_sim_step(r->s, steps))) return END_GUARD;
		a_step = (wall_clock() - began) / (double)steps;
		print_warnings(r);
		if ((*code = (int)scree_sim_outputs_write(r->s))) return END_IO;
		last = resumption_of(r);
		if ((*code = look_around(r, &a_step, &stop))) return END_IO;
		if (stop) return END_STOPPED;
	}
	return is_at_end(r) ? END_DONE : END_STEPS;
}

/* ------------------------------------------------------------------ the end */

/* "Done" needs a step. */
static const char *verdict(const run *r, ending how)
{
	if (how == END_GUARD)
		return scree_sim_is_late(r->s) ? "stopped by the time limit of a stage" : "stopped by a guard";
	if (how == END_IO) return "stopped by a file error";
	if (how == END_STOPPED) return r->signalled ? "stopped by a signal" : "stopped by the time limit";
	if (how == END_STEPS) return "stopped by --steps";
	if (scree_sim_steps(r->s) > r->first_step) return "done";
	return r->a->resume ? "nothing left to do: run.until is reached" : "done without a step";
}

/* stopped by the caller, before the end of the run */
static bool is_stopped(ending how) { return how == END_STEPS || how == END_STOPPED; }

static void print_verdict(const run *r, ending how)
{
	char passed[16];
	scree_progress_row now;
	const int64_t all = scree_sim_steps(r->s), steps = all - r->first_step;
	const double stepping = scree_sim_seconds(r->s);
	const bool counted = !scree_sim_progress(r->s, &now);
	clear_status(&r->progress);
	printf("%s at %.6g s", verdict(r, how), scree_sim_time(r->s));
	if (is_stopped(how)) printf(" of %.6g s", scree_sim_until(r->s));
	printf(", step %lld, after %s", (long long)all, duration_text(wall_clock() - r->shown, passed));
	if (steps > 0 && stepping > 0 && counted)
		printf("   %lld steps at %.3g steps/s, %.3g particle-steps/s", (long long)steps, (double)steps / stepping,
			   (double)steps * (double)now.bodies / stepping);
	printf("\n");
}

/* prints how to resume a run that did not reach its end */
static void print_resume(const run *r, ending how)
{
	scree_outputs o;
	if (how == END_DONE || scree_sim_outputs(r->s, &o)) return;
	if (o.snapshot_time >= 0 && !is_stopped(how) && !scree_sim_is_late(r->s))
		printf("the last snapshot is from t = %.6g s\n", o.snapshot_time);
	if (o.snapshot_time < 0) {
		printf("no snapshot was written in this run%s\n", r->a->resume ? "" : ": it can only start from the scene");
		return;
	}
	const resumption to = resumption_of(r);
	put_continuation(stdout, &to);
}

/* keeps the error message of a failure before other calls replace it */
typedef struct failure {
	int code;
	char sentence[4200];
} failure;

static failure take_failure(const run *r, int code)
{
	failure f = {.code = code};
	snprintf(f.sentence, sizeof f.sentence, "%s%s",
			 r->late ? "no space became free before the time limit (--wall): " : "", scree_sim_error(r->s));
	return f;
}

static const char *const kinds[] = {
	[SCREE_FILE_SNAPSHOT] = "snapshot",
	[SCREE_FILE_STOPPED_SNAPSHOT] = "stopped_snapshot",
	[SCREE_FILE_STOPPED_PICTURE] = "stopped_picture",
	[SCREE_FILE_HISTORY] = "history",
	[SCREE_FILE_TABLE] = "table",
	[SCREE_FILE_PARAVIEW] = "paraview",
	[SCREE_FILE_FILM] = "film",
	[SCREE_FILE_PICTURE] = "picture",
};

static void put_file_facts(json *j, scree_sim *s)
{
	const scree_file *file;
	int64_t count;
	if (scree_sim_outputs_files(s, &count, &file)) return;
	json list = open_json(j, "files", '[');
	for (int64_t k = 0; k < count; ++k) {
		json one = open_json(&list, NULL, '{');
		put_json_text(&one, "kind", kinds[file[k].kind]);
		put_json_text(&one, "path", file[k].path);
		close_json(&one, '}');
	}
	close_json(&list, ']');
}

/* Writes the end of a run as JSON. sentence: reason why the run did not reach its end, or NULL */
static void print_facts(run *r, ending how, int code, const char *sentence)
{
	static const char *const ends[] = {[END_DONE] = "done",
									   [END_STEPS] = "stopped",
									   [END_STOPPED] = "stopped",
									   [END_GUARD] = "guard",
									   [END_IO] = "file_error"};
	scree_outputs o;
	scree_progress_row now;
	const bool counted = !scree_sim_progress(r->s, &now);
	json j = begin_json("run");
	put_json_text(&j, "end", ends[how]);
	put_json_count(&j, "code", code);
	put_json_text(&j, "sentence", sentence);
	put_json_text(&j, "title", scree_sim_title(r->s));
	put_json_number(&j, "time", scree_sim_time(r->s));
	put_json_number(&j, "until", scree_sim_until(r->s));
	put_json_number(&j, "step_length", scree_sim_step_length(r->s));
	put_json_count(&j, "steps", scree_sim_steps(r->s));
	put_json_count(&j, "steps_here", scree_sim_steps(r->s) - r->first_step);
	put_json_number(&j, "seconds", wall_clock() - r->shown);
	put_json_number(&j, "seconds_stepping", scree_sim_seconds(r->s));
	put_json_count(&j, "ranks", scree_ranks());
	put_json_text(&j, "machine", scree_sim_machine(r->s));
	put_json_count(&j, "bodies", counted ? now.bodies : 0);
	put_json_count(&j, "contacts", counted ? now.contacts : 0);
	char hash[20];
	snprintf(hash, sizeof hash, "%016llx", (unsigned long long)scree_sim_hash(r->s));
	put_json_text(&j, "hash", hash);
	put_energy_facts(&j, r->s);
	put_json_lines(&j, "closing", scree_sim_closing(r->s));
	if (!scree_sim_outputs(r->s, &o)) {
		put_json_text(&j, "folder", o.folder);
		put_json_text(&j, "name", o.name);
		put_json_number(&j, "snapshot_time", o.snapshot_time < 0 ? NAN : o.snapshot_time);
		put_file_facts(&j, r->s);
	}
	end_json(&j);
}

static int finish(run *r, ending how, int code)
{
	failure why = take_failure(r, code);
	if (code == SCREE_INTERNAL || (how == END_GUARD && code != SCREE_GUARD)) { /* the only thing left is to close it */
		if (code != SCREE_INTERNAL) print_resume(r, how);
		return say_error(why.code, why.sentence);
	}
	if (how != END_IO && (code = (int)scree_sim_outputs_finish(r->s)) != 0) {
		how = code == SCREE_GUARD ? END_GUARD : END_IO;
		why = take_failure(r, code);
	}
	print_row(&r->progress, r->s);
	const bool failed = how == END_GUARD || how == END_IO, brief = r->a->quiet && !failed && how != END_STOPPED;
	if (!brief) print_verdict(r, how);
	print_lines(r, scree_sim_closing(r->s));
	if (!r->a->quiet) print_files(r->s);
	if (!brief) print_resume(r, how);
	const int end = failed ? why.code : how == END_STOPPED ? STOPPED : 0;
	if (r->a->json) print_facts(r, how, end, failed ? why.sentence : is_stopped(how) ? verdict(r, how) : NULL);
	return failed ? say_error(why.code, why.sentence) : end;
}

/* ------------------------------------------------------------------ the start */

/* prints the snapshot from which a run continues; the hashes of all its sections were checked when it was read */
static void print_start(const run *r)
{
	if (!r->a->resume) return;
	printf("continues ");
	scree_print_word(stdout, r->a->resume);
	printf(" from t = %.6g s, step %lld: the snapshot is whole\n", scree_sim_time(r->s), (long long)r->first_step);
}

static void print_header(run *r, double until)
{
	scree_outputs o;
	const char *title = scree_sim_title(r->s);
	const bool titled = title && *title;
	r->shown = wall_clock();
	r->progress = start_progress(r->s, until, r->a->quiet);
	if (scree_sim_outputs(r->s, &o)) return;
	if (!r->a->quiet) {
		print_safely(stdout, "scree %s  %s%s%s\n", SCREE_VERSION, o.name, titled ? ": " : "", titled ? title : "");
		print_start(r);
		if (scree_ranks() > 1) printf("ranks %d   ", scree_ranks());
		fputs(scree_sim_summary(r->s), stdout);
	}
	print_lines(r, scree_sim_notes_until(r->s, until));
}

static int start_and_run(run *r)
{
	const scree_outputs_options o = {
		.folder = r->a->output, .overwrite = r->a->overwrite, .wait = wait_for_space, .note = note, .context = r};
	watch_signals();
	r->first_step = scree_sim_steps(r->s);
	r->last_step = r->a->steps > 0 ? r->first_step + r->a->steps : 0;
	double until = scree_sim_until(r->s);
	if (r->last_step && scree_sim_time_of(r->s, r->last_step) < until) until = scree_sim_time_of(r->s, r->last_step);
	int code = (int)scree_sim_outputs_open(r->s, &o);
	if (code) return say_error(code, scree_sim_error(r->s));
	print_header(r, until);
	/* a run that continues from a snapshot at t = 0 already has the output for that time */
	if (!r->a->resume) code = (int)scree_sim_outputs_write(r->s);
	const ending how = code ? END_IO : loop(r, &code);
	return finish(r, how, code);
}

int command_run(const arguments *a)
{
	const char *scene = a->words ? a->word[0] : NULL;
	run r = {.a = a, .began = wall_clock()};
	int code;
	if (!scene == !a->resume) {
		note_error("", "run needs either a scene file or --resume SNAPSHOT");
		return BAD_INPUT;
	}
	r.s = a->resume ? open_snapshot(a, a->resume, &code) : open_scene(a, scene, &code);
	if (!r.s) return code;
	if ((code = (int)scree_ranks_divide(r.s, a->partition))) return say_and_close(r.s, code);
	if (a->resume && (code = change_plan(r.s, a))) { /* the reason for this has already been printed */
		scree_sim_close(r.s);
		return code;
	}
	code = start_and_run(&r);
	const int closed = (int)scree_sim_outputs_close(r.s);
	if (closed && !code) code = say_error(closed, scree_sim_error(r.s));
	scree_sim_close(r.s);
	return code;
}
