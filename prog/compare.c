/* compare: runs a scene with several contact responses in succession, and prints their measures side by side. */
#include "compare.h"
#include "json.h"
#include "output.h"

#include "progress.h"
#include "scree/measures.h"
#include "signals.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum {
	READINGS = 50,
	MOST_BATCH = 96
}; /* number of samples taken near the end of a run; largest number of steps in a batch */
static const double LAST_PART = 0.2;			   /* fraction of a run */
static const double LONGEST_BATCH = 0.05;		   /* s; short, so that signals are handled soon */
enum { REPEATED = 32 };							   /* repeat k has k/32 more steps */
static const double DEGREE = 0.017453292519943295; /* rad */

static double cpu_clock(void)
{
	struct timespec t;
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

void *room(size_t count, size_t size)
{
	void *block = calloc(count ? count : 1, size);
	if (block) return block;
	fputs("scree: out of memory\n", stderr);
	_Exit(FILES);
}

static char *copy(const char *text) { return strcpy(room(strlen(text) + 1, 1), text); }

void add_to_mean(mean *m, double value)
{
	if (isnan(value)) return;
	m->sum += value;
	m->squares += value * value;
	m->count += 1;
}

double mean_of(const mean *m) { return m->count ? m->sum / m->count : NAN; }

/* ------------------------------------------------------------------ the list of responses */

static bool is_response(const char *name)
{
	for (int k = 0; scree_response(k); ++k)
		if (!strcmp(scree_response(k), name)) return true;
	return false;
}

static int refuse_response(const char *what, const char *name)
{
	print_safely(stderr, "scree compare: %s '%s'; responses are", what, name);
	for (int k = 0; scree_response(k); ++k) fprintf(stderr, "%s %s", k ? "," : "", scree_response(k));
	fputc('\n', stderr);
	return BAD_INPUT;
}

static void add_piece(comparison *c, const char *response, int repeat)
{
	if (c->pieces == MOST_RUNS) return;
	piece *p = c->piece + c->pieces++;
	p->response = response;
	p->repeat = repeat;
	snprintf(p->name, sizeof p->name, repeat ? "%.40s %d" : "%.40s", response, repeat + 1);
}

static int add_response(comparison *c, const char *name)
{
	if (!is_response(name)) return refuse_response("unknown response", name);
	for (int k = 0; k < c->pieces; ++k)
		if (!strcmp(c->piece[k].response, name)) return refuse_response("--response has twice", name);
	add_piece(c, name, 0);
	return 0;
}

/* names: separated by commas, and split here; NULL for all responses */
static int read_responses(comparison *c, char *names)
{
	int code = 0;
	for (int k = 0; !names && scree_response(k); ++k) add_response(c, scree_response(k));
	for (char *name = names, *comma; name && !code; name = comma ? comma + 1 : NULL) {
		comma = strchr(name, ',');
		if (comma) *comma = 0;
		code = add_response(c, name);
	}
	return code;
}

static int add_repeats(comparison *c, int repeats)
{
	bool forces = false;
	for (int k = 0; k < c->pieces; ++k) forces |= !strcmp(c->piece[k].response, REFERENCE);
	if (repeats && !forces) return refuse_response("--repeat needs the response", REFERENCE);
	for (int k = 1; k <= repeats; ++k) add_piece(c, REFERENCE, k);
	return 0;
}

/* ------------------------------------------------------------------ one run */

typedef struct run {
	comparison *c;
	piece *p;
	scree_sim *s;
	progress progress;
	double from, a_step; /* start, and duration of a step, in s */
	int64_t first_step;
	double *force; /* [walls] */
} run;

static void note_walls(comparison *c, scree_sim *s)
{
	scree_wall w;
	c->walls = scree_sim_walls(s);
	c->wall = room((size_t)c->walls, sizeof *c->wall);
	for (int k = 0; k < c->walls; ++k) c->wall[k] = copy(scree_sim_wall(s, k, &w) ? "" : w.name);
	c->title = copy(scree_sim_title(s) ? scree_sim_title(s) : "");
	c->until = scree_sim_until(s);
}

/* stores the first problem as one line */
static void note_problem(piece *p)
{
	const scree_problem first = scree_problems_row(p->problems, 0);
	const int count = scree_problems_count(p->problems);
	const int used = snprintf(p->sentence, sizeof p->sentence, "%s", first.sentence);
	if (count > 1 && used < (int)sizeof p->sentence)
		snprintf(p->sentence + used, sizeof p->sentence - (size_t)used, " (and %d more)", count - 1);
	p->code = (int)scree_problems_code(p->problems);
	p->fate = REFUSED;
}

/* A slightly shorter step changes the last digits of all values and, after some collisions, all positions, so the
 * repeated run is an independent sample. */
static bool shorten_step(scree_sim *s, piece *p)
{
	const double step = scree_sim_step_length(s) * REPEATED / (REPEATED + p->repeat);
	if (!p->repeat || !scree_sim_set_step_length(s, step)) return true;
	p->code = SCREE_BAD_INPUT;
	p->fate = REFUSED;
	snprintf(p->sentence, sizeof p->sentence, "%s", scree_sim_error(s));
	return false;
}

static scree_sim *open_piece(const arguments *a, comparison *c, piece *p)
{
	const char *set[MOST_SETS + 1];
	char until[SENTENCE];
	int sets = a->sets;
	memcpy(set, a->set, sizeof a->set);
	snprintf(until, sizeof until, "run.until=%s", a->time ? a->time : "");
	if (a->time) set[sets++] = until;
	const scree_open_options o = {
		.path = c->scene, .sets = sets, .set = set, .response = p->response, .threads = a->threads};
	scree_sim *s = scree_sim_open(&o, &p->problems);
	if (!s) note_problem(p);
	if (s && !c->wall) note_walls(c, s);
	if (!s || shorten_step(s, p)) return s;
	scree_sim_close(s);
	return NULL;
}

static void note_failure(run *r, int code)
{
	r->p->code = code;
	r->p->fate = code == SCREE_GUARD ? GUARDED : BROKEN;
	snprintf(r->p->sentence, sizeof r->p->sentence, "%s", scree_sim_error(r->s));
}

/* returns false if the run has ended */
static bool make_steps(run *r, int64_t steps)
{
	const double wall = wall_clock(), cpu = cpu_clock();
	const int code = (int)scree_sim_step(r->s, steps);
	const double passed = wall_clock() - wall;
	r->p->cpu += cpu_clock() - cpu;
	r->p->wall_clock += passed;
	r->a_step = passed / (double)steps;
	if (code) note_failure(r, code);
	if (code) return false;
	print_due(&r->progress, r->s, find_due(&r->progress, r->s));
	if (!signal_seen()) return true;
	r->p->fate = INTERRUPTED;
	snprintf(r->p->sentence, sizeof r->p->sentence, "stopped by a signal at %.6g s", scree_sim_time(r->s));
	return false;
}

static bool steps_to(run *r, double time)
{
	int64_t left;
	while ((left = scree_sim_steps_until(r->s, time)) > 0) {
		const double most = LONGEST_BATCH / r->a_step;
		const int64_t batch = most < 2 ? 1 : most < MOST_BATCH ? (int64_t)most : MOST_BATCH;
		if (!make_steps(r, left < batch ? left : batch)) return false;
	}
	return true;
}

/* Reads the values that may change during the run. */
static void read_measures(run *r)
{
	scree_measures m;
	mean *to = r->p->value;
	if (scree_sim_measure(r->s, &m) || scree_sim_wall_forces(r->s, r->force)) return;
	r->c->has_weight = m.weight > 0;
	const double unit = r->c->has_weight ? m.weight : 1;
	add_to_mean(to + HEAP_ANGLE, m.slope / DEGREE);
	add_to_mean(to + SOLID_FRACTION, m.fraction);
	add_to_mean(to + BULK_DENSITY, m.density);
	add_to_mean(to + CARRIED, r->c->has_weight ? m.carried / unit : NAN);
	add_to_mean(to + MEAN_OVERLAP, 100 * m.mean);
	for (int k = 0; k < r->c->walls; ++k) add_to_mean(r->p->wall + k, r->force[k] / unit);
}

static void read_end(run *r)
{
	mean *to = r->p->value;
	scree_ledger e;
	scree_guards g;
	const int64_t steps = scree_sim_steps(r->s) - r->first_step;
	r->p->time = scree_sim_time(r->s);
	if (scree_sim_ledger(r->s, &e) || scree_sim_guards(r->s, &g)) return;
	r->p->energy = g.energy;
	r->p->energy_limit = g.energy_limit;
	add_to_mean(to + LOST, e.lost_normal + e.lost_friction + e.lost_rolling + e.lost_method);
	add_to_mean(to + LOST_NORMAL, e.lost_normal);
	add_to_mean(to + LOST_FRICTION, e.lost_friction);
	add_to_mean(to + LOST_ROLLING, e.lost_rolling);
	add_to_mean(to + LOST_METHOD, e.lost_method);
	add_to_mean(to + MADE, e.made);
	add_to_mean(to + RESIDUAL, e.residual);
	add_to_mean(to + KINETIC, e.kinetic);
	add_to_mean(to + GREATEST_OVERLAP, 100 * g.overlap);
	add_to_mean(to + UNSOLVED, g.unsolved > 0 ? 100 * g.unsolved : NAN); /* only for solvers */
	add_to_mean(to + STEP, scree_sim_step_length(r->s));
	add_to_mean(to + STEPS, (double)steps);
	add_to_mean(to + PER_CPU_SECOND, r->p->cpu > 0 ? (r->p->time - r->from) / r->p->cpu : NAN);
	add_to_mean(to + PER_WALL_SECOND, r->p->wall_clock > 0 ? (r->p->time - r->from) / r->p->wall_clock : NAN);
}

/* whether a closing line of `scree run` concerns the quality of the run */
static bool is_warning(const char *line)
{
	static const char *const first[] = {"warning: ", "energy ", "method ", "impulses ", "solver "};
	for (size_t k = 0; k < sizeof first / sizeof *first; ++k)
		if (!strncmp(line, first[k], strlen(first[k]))) return true;
	return false;
}

/* Keeps these lines. */
static void keep_warnings(run *r)
{
	const char *text = scree_sim_closing(r->s);
	char *to = r->p->warnings = room(strlen(text) + 1, 1);
	for (const char *line = text, *end; *line; line = end) {
		end = line + strcspn(line, "\n");
		end += *end == '\n';
		if (!is_warning(line)) continue;
		memcpy(to, line, (size_t)(end - line));
		to += end - line;
	}
	*to = 0;
}

/* A slope is ignored if it was found in fewer than half of the samples. */
static void forget_if_rare(mean *m, const mean *always)
{
	if (2 * m->count < always->count) *m = (mean){0};
}

/* Runs to the end, or until a guard or a signal stops the run. */
static void run_to_end(run *r)
{
	const double length = r->c->until - r->from;
	bool whole = true;
	for (int k = 0; k < READINGS && whole; ++k) {
		whole = steps_to(r, r->from + length * (1 - LAST_PART * (READINGS - 1 - k) / (READINGS - 1)));
		if (whole || k == 0) read_measures(r);
	}
	if (whole) r->p->fate = DONE;
	forget_if_rare(r->p->value + HEAP_ANGLE, r->p->value + CARRIED);
}

static void print_fate(const run *r)
{
	char passed[16];
	clear_status(&r->progress);
	print_safely(stdout, "%s: %s at %.6g s after %s\n", r->p->name, r->p->fate == DONE ? "done" : r->p->sentence,
				 r->p->time, duration_text(r->p->wall_clock, passed));
	fflush(stdout);
}

static void run_opened(const arguments *a, comparison *c, piece *p, scree_sim *s)
{
	run r = {.c = c, .p = p, .s = s, .a_step = LONGEST_BATCH};
	p->wall = room((size_t)c->walls, sizeof *p->wall);
	r.force = room((size_t)c->walls, sizeof *r.force);
	r.from = scree_sim_time(r.s);
	r.first_step = scree_sim_steps(r.s);
	r.progress = start_progress(r.s, c->until, a->quiet || a->json);
	r.progress.title = p->name;
	run_to_end(&r);
	if (p->fate != BROKEN) {
		read_end(&r);
		keep_warnings(&r);
	}
	if (!a->quiet && !a->json) print_fate(&r);
	free(r.force);
}

static void run_piece(const arguments *a, comparison *c, piece *p)
{
	scree_sim *s = open_piece(a, c, p);
	if (!s) return;
	if (a->resume) p->scene = scene_of(s);
	const bool kept = a->resume && take_kept(c, p);
	if (!kept) run_opened(a, c, p, s);
	scree_sim_close(s);
	if (kept && !a->quiet && !a->json) print_safely(stdout, "%s: kept in %s\n", p->name, a->resume);
	if (a->resume && !kept && !c->code) c->code = write_kept(c, a->resume);
}

/* ------------------------------------------------------------------ all runs */

static int run_all(const arguments *a, comparison *c)
{
	int ran = 0;
	watch_signals();
	for (int k = 0; k < c->pieces && !signal_seen(); ++k) {
		run_piece(a, c, c->piece + k);
		ran += c->piece[k].fate != REFUSED;
	}
	return ran;
}

/* If no response can run the scene, prints the problems of `scree check`. */
static int give_problems(const arguments *a, const comparison *c)
{
	const int code = c->piece[0].code ? c->piece[0].code : BAD_INPUT;
	fputs(scree_problems_text(c->piece[0].problems), stderr);
	if (a->json) print_refusal(a, c->scene, code, c->piece[0].problems);
	return code;
}

static int write_file(const char *path, const comparison *c)
{
	text_output o;
	if (!begin_output(&o)) return say_no_memory();
	print_json(o.to, c);
	return end_output(&o, path);
}

static int code_of(const comparison *c)
{
	bool refused = false, guarded = false;
	if (signal_seen()) return STOPPED;
	for (int k = 0; k < c->pieces; ++k) {
		if (c->piece[k].fate == BROKEN) return c->piece[k].code;
		refused |= c->piece[k].fate == REFUSED;
		guarded |= c->piece[k].fate == GUARDED || is_unsolved(c->piece + k);
	}
	return guarded ? SCREE_GUARD : refused ? BAD_INPUT : 0;
}

static int report(const arguments *a, comparison *c)
{
	judge(c);
	if (a->json) {
		print_json(stdout, c);
		note_json();
	} else {
		print_table(stdout, c);
	}
	fflush(stdout);
	const int written = a->output ? write_file(a->output, c) : 0;
	return written ? written : c->code ? c->code : code_of(c);
}

static void free_all(comparison *c)
{
	for (int k = 0; k < c->pieces; ++k) {
		scree_problems_free(c->piece[k].problems);
		free(c->piece[k].warnings);
		free(c->piece[k].wall);
	}
	free_kept(c);
	for (int k = 0; k < c->walls; ++k) free(c->wall[k]);
	free(c->wall);
	free(c->title);
}

int command_compare(const arguments *a)
{
	comparison c = {.scene = a->word[0]};
	if (a->output && !has_ending(a->output, "json", "compare writes JSON")) return BAD_INPUT;
	char *names = a->responses ? copy(a->responses) : NULL;
	int code = read_responses(&c, names);
	if (!code) code = add_repeats(&c, a->repeats);
	if (!code && a->resume) code = read_kept(&c, a->resume);
	if (!code) code = run_all(a, &c) || signal_seen() ? report(a, &c) : give_problems(a, &c);
	free_all(&c);
	free(names);
	return code;
}
