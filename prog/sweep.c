/* sweep: runs a scene with several values of some keys, each run in its own process and folder, and writes one table.
 */
#include "sweep.h"

#include "compare.h"
#include "json.h"
#include "output.h"
#include "progress.h"
#include "scree/files.h"
#include "scree/print.h"
#include "series.h"
#include "signals.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* A run in progress. */
typedef struct child {
	pid_t process; /* 0: none */
	int run;
	double began, before; /* wall-clock times in s; `before`: duration of earlier parts of the run */
} child;

typedef struct jobs {
	sweep *s;
	int most, running, next;
	child *of;
	double began;	 /* wall clock, s */
	int ended;		 /* number of runs completed by this process */
	double seconds;	 /* sum of the durations of these runs */
	bool tty, stops; /* stopping: a signal came */
} jobs;

/* ------------------------------------------------------------------ files */

static int cannot(const char *what, const char *path)
{
	char text[RUN_PATH + 128];
	snprintf(text, sizeof text, "cannot %s %.4000s: %s", what, path, strerror(errno));
	return say_error(FILES, text);
}

static void path_of(const sweep *s, const swept *o, const char *file, char path[RUN_PATH])
{
	snprintf(path, RUN_PATH, "%s/%s/%s", s->folder, o->folder, file);
}

static bool exists(const char *path)
{
	struct stat about;
	return stat(path, &about) == 0;
}

static bool has_snapshot(const sweep *s, const swept *o)
{
	char file[300], path[RUN_PATH];
	snprintf(file, sizeof file, "%s.snap", s->name);
	path_of(s, o, file, path);
	return exists(path);
}

static int make_folder(const char *path)
{
	char *why;
	return say_failure((int)scree_make_folder(path, &why), &why);
}

static int note_run(const sweep *s, const swept *o)
{
	char path[RUN_PATH];
	path_of(s, o, "sweep.run", path);
	return write_record(o, path);
}

/* Only one sweep at a time may use a folder; the lock is released when the process ends. */
static int lock_folder(const sweep *s)
{
	char path[RUN_PATH], text[RUN_PATH], *why;
	int file;
	struct flock all = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
	snprintf(path, sizeof path, "%s/sweep.lock", s->folder);
	const int code = say_failure((int)scree_append_file(path, &file, &why), &why);
	if (code) return code;
	if (fcntl(file, F_SETLK, &all) == 0 || (errno != EACCES && errno != EAGAIN)) return 0;
	snprintf(text, sizeof text, "another sweep is running in %s: wait for it, or choose another folder (-o)",
			 s->folder);
	close(file);
	return say_error(BAD_INPUT, text);
}

/* ------------------------------------------------------------------ scenes */

/* Fills in the --set arguments of a run; text: memory for them. */
static int sets_of(const sweep *s, const swept *o, char *text, size_t room, const char *set[MOST_SETS])
{
	size_t used = 0;
	for (int k = 0; k < s->axes; ++k) {
		set[k] = text + used;
		used += (size_t)snprintf(text + used, room - used, "%s=%s", s->axis[k].key, s->axis[k].value[o->at[k]]) + 1;
		if (used >= room) return say_error(BAD_INPUT, "the values of --set are too long");
	}
	return 0;
}

enum { SETS_ROOM = 65536 };

/* Opens the scene of each run, so that a wrong value is reported before the first run begins. */
static int check_scene(sweep *s, swept *o)
{
	char text[SETS_ROOM];
	arguments a = *s->a;
	int code = sets_of(s, o, text, sizeof text, a.set);
	if (code) return code;
	a.sets = s->axes;
	a.quiet = 1;
	a.swept = o->folder;
	scree_sim *sim = open_scene(&a, s->scene, &code);
	if (!sim) {
		print_safely(stderr, "scree: error: the run %s of this sweep is refused\n", o->folder);
		return code;
	}
	o->scene = scene_of(sim);
	scree_sim_close(sim);
	return 0;
}

static int refuse_other(const sweep *s, const swept *o)
{
	char text[RUN_PATH + 256];
	snprintf(text, sizeof text,
			 "%s/%s holds a run of another scene, or of another version: choose another folder (-o), or replace its "
			 "runs (--overwrite)",
			 s->folder, o->folder);
	return say_error(BAD_INPUT, text);
}

/* Determines the state in which an earlier sweep left a run: it has ended, can continue from a snapshot, or has not
 * begun.
 */
static int find_earlier(sweep *s, swept *o)
{
	uint64_t scene = o->scene;
	if (s->a->overwrite) return 0; /* an earlier sweep is replaced */
	char path[RUN_PATH];
	bool there;
	path_of(s, o, "sweep.run", path);
	const int code = read_record(o, path, &there, &scene);
	if (code) return code;
	if (!there) return has_snapshot(s, o) ? refuse_other(s, o) : 0;
	if (scene != o->scene) return refuse_other(s, o);
	/* a guard would stop the same run at the same time again, but other stops have external causes */
	o->ended = o->ended && (!o->code || o->code == SCREE_GUARD);
	o->resumes = !o->ended && has_snapshot(s, o);
	return 0;
}

static int prepare(sweep *s)
{
	int ended = 0, resumed = 0;
	const bool tty = isatty(STDERR_FILENO) && !s->a->quiet;
	for (int k = 0; k < s->runs; ++k) {
		if (tty) fprintf(stderr, "\rchecking scene %d of %d", k + 1, s->runs);
		int code = check_scene(s, s->run + k);
		if (!code) code = find_earlier(s, s->run + k);
		if (code) return code;
		ended += s->run[k].ended;
		resumed += s->run[k].resumes;
	}
	if (tty) fputs("\r\033[K", stderr);
	if (ended || resumed)
		printf("%d of %d runs had already ended%s\n", ended, s->runs,
			   resumed ? "; runs that were stopped are continued" : "");
	return 0;
}

/* ------------------------------------------------------------------ processes */

/* Replaces this process with the command of a run, whose output goes into run.log. */
static void become_run(const jobs *j, const swept *o, int log)
{
	const sweep *s = j->s;
	char text[SETS_ROOM], folder[RUN_PATH], snap[RUN_PATH], file[300], threads[16];
	const char *set[MOST_SETS], *word[3 * MOST_SETS];
	int n = 0;
	prctl(PR_SET_PDEATHSIG, SIGTERM); /* the run stops with a snapshot if the sweep is killed */
	snprintf(folder, sizeof folder, "%s/%s", s->folder, o->folder);
	snprintf(file, sizeof file, "%s.snap", s->name);
	path_of(s, o, file, snap);
	const int cores = (int)sysconf(_SC_NPROCESSORS_ONLN), share = cores / j->most > 1 ? cores / j->most : 1;
	const int most = share < SCREE_THREADS_MOST ? share : SCREE_THREADS_MOST;
	snprintf(threads, sizeof threads, "%d", s->a->threads ? s->a->threads : most);
	if (sets_of(s, o, text, sizeof text, set)) _exit(FILES);
	dup2(log, STDOUT_FILENO);
	dup2(log, STDERR_FILENO);
	word[n++] = "scree";
	word[n++] = "run";
	if (o->resumes) {
		word[n++] = "--resume";
		word[n++] = snap;
	} else {
		word[n++] = s->scene;
		for (int k = 0; k < s->axes; ++k) {
			word[n++] = "--set";
			word[n++] = set[k];
		}
		word[n++] = "--overwrite"; /* prepare() has refused folders with other runs */
	}
	word[n++] = "--output";
	word[n++] = folder;
	word[n++] = "--threads";
	word[n++] = threads;
	word[n] = NULL;
	execv("/proc/self/exe", (char *const *)word);
	_exit(FILES);
}

/* Opens the file for the output of a run; the file is emptied unless the run continues from a snapshot. */
static int open_log(const sweep *s, const swept *o, int *log)
{
	char path[RUN_PATH], *why = NULL;
	path_of(s, o, "run.log", path);
	int code = o->resumes ? 0 : say_failure((int)scree_remove_file(path, &why), &why);
	if (!code) code = say_failure((int)scree_append_file(path, log, &why), &why);
	return code;
}

static int start(jobs *j, int run)
{
	sweep *s = j->s;
	swept *o = s->run + run;
	char folder[RUN_PATH];
	int log;
	snprintf(folder, sizeof folder, "%s/%s", s->folder, o->folder);
	int code = make_folder(folder);
	o->known = true;
	if (!code) code = note_run(s, o);
	if (!code) code = open_log(s, o, &log);
	if (code) return code;
	fflush(NULL);
	const pid_t process = fork();
	if (!process) become_run(j, o, log);
	close(log);
	if (process < 0) return cannot("start a run in", folder);
	for (int k = 0; k < j->most; ++k) {
		if (j->of[k].process) continue;
		j->of[k] = (child){process, run, wall_clock(), o->seconds};
		break;
	}
	j->running += 1;
	return 0;
}

/* Finds the hash at the end of a run's output; the hash is empty if the output cannot be read. */
static void find_hash(const sweep *s, swept *o)
{
	char path[RUN_PATH], *text;
	uint64_t length;
	path_of(s, o, "run.log", path);
	o->hash[0] = 0;
	if (!scree_read_file_end(path, MOST_SMALL, &text, &length) && text) parse_hash(o, text, (size_t)length);
	free_input(text);
}

/* ------------------------------------------------------------------ messages */

static void clear_line(const jobs *j)
{
	if (j->tty) fputs("\r\033[K", stdout);
}

/* time until all runs have ended, in s, estimated from the mean duration of runs that have ended; -1 if none has */
static double seconds_left(const jobs *j)
{
	int left = j->running;
	for (int k = j->next; k < j->s->runs; ++k) left += !j->s->run[k].ended;
	const double mean = j->ended ? j->seconds / j->ended : 0, turns = (double)left / j->most;
	return j->ended ? mean * (turns > 1 || !left ? turns : 1) : -1;
}

static void print_left(const jobs *j)
{
	char text[16];
	const double left = seconds_left(j);
	if (left > 0) printf("   about %s left", duration_text(left, text));
}

static void print_line(const jobs *j, const swept *o)
{
	static const struct {
		int code;
		const char *word;
	} words[] = {{0, "done"}, {SCREE_GUARD, "stopped by a guard"}, {STOPPED, "stopped"}, {BAD_INPUT, "refused"}};
	char text[16];
	const char *word = "failed";
	for (size_t k = 0; k < sizeof words / sizeof *words; ++k)
		if (words[k].code == o->code) word = words[k].word;
	clear_line(j);
	print_safely(stdout, "%s   %s after %s", o->folder, word, duration_text(o->seconds, text));
	if (*o->hash) printf("   hash %s", o->hash);
	if (!j->s->a->quiet) print_left(j);
	printf("\n");
	if (o->code && o->code != STOPPED) print_safely(stdout, "   see %s/%s/run.log\n", j->s->folder, o->folder);
	fflush(stdout);
}

static void print_status(const jobs *j)
{
	if (!j->tty) return;
	int ended = 0;
	char text[16];
	for (int k = 0; k < j->s->runs; ++k) ended += j->s->run[k].ended;
	printf("\r\033[K%d of %d done, %d running, %s", ended, j->s->runs, j->running,
		   duration_text(wall_clock() - j->began, text));
	print_left(j);
	fflush(stdout);
}

/* ------------------------------------------------------------------ the loop */

static int take_end(jobs *j, child *c, int status)
{
	swept *o = j->s->run + c->run;
	const double passed = wall_clock() - c->began;
	o->code = WIFEXITED(status) ? WEXITSTATUS(status) : INTERNAL;
	o->ended = o->code != STOPPED;
	o->seconds = c->before + passed;
	find_hash(j->s, o);
	j->ended += 1;
	j->seconds += passed;
	j->running -= 1;
	*c = (child){0};
	print_line(j, o);
	return note_run(j->s, o);
}

/* Handles runs that have ended; *code: exit code of a failure to record them */
static void take_ends(jobs *j, int *code)
{
	int status;
	for (pid_t process; (process = waitpid(-1, &status, WNOHANG)) > 0;)
		for (int k = 0; k < j->most; ++k)
			if (j->of[k].process == process && take_end(j, j->of + k, status)) *code = FILES;
}

/* Passes a signal on to all runs, which then write snapshots and stop. */
static void stop_all(jobs *j)
{
	if (j->stops) return;
	j->stops = true;
	clear_line(j);
	printf("stopping %d runs\n", j->running);
	fflush(stdout);
	for (int k = 0; k < j->most; ++k)
		if (j->of[k].process) kill(j->of[k].process, SIGTERM);
}

static int run_all(jobs *j)
{
	const struct timespec pause = {.tv_nsec = 20000000};
	double shown = 0;
	int code = 0;
	while (j->running || (j->next < j->s->runs && !j->stops && !code)) {
		while (!j->stops && !code && j->running < j->most && j->next < j->s->runs) {
			const int run = j->next++;
			if (!j->s->run[run].ended) code = start(j, run);
		}
		if (signal_seen()) stop_all(j);
		take_ends(j, &code);
		if (wall_clock() - shown > 1) {
			print_status(j);
			shown = wall_clock();
		}
		if (j->running) nanosleep(&pause, NULL);
	}
	clear_line(j);
	return code;
}

/* runs: text with the elements of the list */
static void print_facts(const sweep *s, int code, const char *table, const char *runs)
{
	json f = begin_json("sweep");
	put_json_text(&f, "scene", s->scene);
	put_json_count(&f, "code", code);
	put_json_text(&f, "folder", s->folder);
	put_json_text(&f, "table", table);
	json keys = open_json(&f, "keys", '[');
	for (int k = 0; k < s->axes; ++k) put_json_text(&keys, NULL, s->axis[k].key);
	close_json(&keys, ']');
	json list = open_json(&f, "runs", '[');
	fputs(runs, f.to);
	close_json(&list, ']');
	end_json(&f);
}

/* The most severe exit code of all runs. */
static int worst(const sweep *s)
{
	static const int order[] = {INTERNAL, FILES, BAD_INPUT, SCREE_GUARD, STOPPED};
	for (size_t k = 0; k < sizeof order / sizeof *order; ++k)
		for (int n = 0; n < s->runs; ++n)
			if (s->run[n].code == order[k]) return order[k];
	return 0;
}

/* Writes the table, and the facts of --json. code: exit code for the errors so far */
static int finish(const sweep *s, const jobs *j, int code)
{
	char *text = NULL, table[RUN_PATH];
	size_t length;
	json runs = {.to = s->a->json ? open_memstream(&text, &length) : NULL};
	const int written = write_table(s, runs.to ? &runs : NULL);
	if (runs.to) fclose(runs.to);
	if (!code) code = written;
	if (!code) {
		code = j->stops ? STOPPED : worst(s);
		snprintf(table, sizeof table, "%s/sweep.csv", s->folder);
		print_safely(stdout, "table     %s\n", table);
		if (j->stops) printf("stopped by a signal; run the same command to continue\n");
		if (text) print_facts(s, code, table, text);
	}
	free(text);
	return code;
}

static int sweep_all(sweep *s)
{
	int code = make_folder(s->folder);
	if (!code) code = lock_folder(s);
	if (!code) code = prepare(s);
	if (code) return code;
	jobs j = {.s = s, .most = s->a->jobs ? s->a->jobs : 1, .tty = isatty(STDOUT_FILENO) && !s->a->quiet};
	if (j.most > s->runs) j.most = s->runs;
	j.of = grow(NULL, (size_t)j.most, sizeof *j.of);
	memset(j.of, 0, (size_t)j.most * sizeof *j.of);
	j.began = wall_clock();
	watch_signals();
	code = run_all(&j);
	free(j.of);
	return finish(s, &j, code);
}

/* ------------------------------------------------------------------ the call */

/* The name of the results: the name of the scene without `.scene.yaml`. */
static void name_of(const char *scene, char *name, size_t room)
{
	static const char *const ending[] = {".yaml", ".yml", ".scene"};
	const char *slash = strrchr(scene, '/');
	snprintf(name, room, "%.255s", slash ? slash + 1 : scene);
	for (size_t k = 0; k < sizeof ending / sizeof *ending; ++k) {
		const size_t length = strlen(name), part = strlen(ending[k]);
		if (length > part && !strcmp(name + length - part, ending[k])) name[length - part] = 0;
	}
}

int command_sweep(const arguments *a)
{
	sweep s = {.a = a, .scene = a->word[0]};
	if (scree_ranks() > 1)
		return say_error(BAD_INPUT, "a sweep starts its runs itself, each in one process: start it without mpirun, "
									"with --jobs N for several at a time");
	if (strlen(s.scene) > 2000 || (a->output && strlen(a->output) > 2000))
		return say_error(BAD_INPUT, "a path is too long");
	name_of(s.scene, s.name, sizeof s.name);
	if (a->output)
		snprintf(s.folder, sizeof s.folder, "%s", a->output);
	else
		snprintf(s.folder, sizeof s.folder, "out/%s_sweep", s.name);
	int code = check_statistics(a);
	if (!code) code = read_axes(&s);
	if (!code) code = sweep_all(&s);
	free_axes(&s);
	return code;
}
