/* compare_table: decides which runs of a comparison can be trusted, and prints its table. */
#include "compare.h"

#include <math.h>
#include <stdarg.h>
#include <string.h>

enum { MOST_WALLS = 8, LABEL = 40, WIDTH = 14 };

/* A value in the table. A run is trusted if the value differs from the reference by at most `limit`, plus a fraction
 * `of_energy` of the energy that the reference lost or has. If both are zero, the value is not compared. */
typedef struct row {
	const char *name, *key; /* key: in JSON */
	double limit, of_energy;
} row;

static const row rows[VALUES] = {
	[HEAP_ANGLE] = {"heap angle (degrees)", "heap_angle_degrees", 1, 0},
	[SOLID_FRACTION] = {"solid fraction", "solid_fraction", 0.01, 0},
	[BULK_DENSITY] = {"bulk density (kg/m3)", "bulk_density", 0, 0},
	[CARRIED] = {"load on all walls / weight", "load_over_weight", 0.02, 0},
	[LOST] = {"energy lost (J)", "lost", 0, 0.1},
	[LOST_NORMAL] = {"  along normals", "lost_normal", 0, 0},
	[LOST_FRICTION] = {"  by friction", "lost_friction", 0, 0},
	[LOST_ROLLING] = {"  by rolling", "lost_rolling", 0, 0},
	[LOST_METHOD] = {"  by the steps themselves", "lost_method", 0, 0},
	[MADE] = {"made by geometry (J)", "made", 0, 0.05},
	[RESIDUAL] = {"made by integration (J)", "residual", 0, 0.05},
	[KINETIC] = {"kinetic energy (J)", "kinetic", 0, 0.05},
	[GREATEST_OVERLAP] = {"greatest overlap (%)", "greatest_overlap_percent", 0, 0},
	[MEAN_OVERLAP] = {"mean overlap (%)", "mean_overlap_percent", 0, 0},
	[UNSOLVED] = {"impulses not solved (%)", "unsolved_percent", 0, 0},
	[STEP] = {"time step (s)", "step", 0, 0},
	[STEPS] = {"steps", "steps", 0, 0},
	[PER_CPU_SECOND] = {"simulated s per CPU s", "simulated_per_cpu_second", 0, 0},
	[PER_WALL_SECOND] = {"simulated s per s", "simulated_per_second", 0, 0},
};
/* limit for the sum of the normal forces on a wall: a fraction of the reference's value, plus a fraction of the weight
 */
static const double MOST_UNSOLVED = 5; /* in %, as for the guard of implicit steps */
static const double WALL_PART = 0.06, WALL_WEIGHT = 0.01;

static const char *const fates[] = {
	[NOT_RUN] = "not run",		   [REFUSED] = "cannot run", [DONE] = "done", [GUARDED] = "stopped by a guard",
	[INTERRUPTED] = "interrupted", [BROKEN] = "failed",
};
static const char *const trusts[] = {[UNJUDGED] = "not judged", [TRUSTED] = "yes", [DISTRUSTED] = "no"};

const char *value_key(int value) { return rows[value].key; }

const char *fate_name(fate f) { return fates[f]; }

/* ------------------------------------------------------------------ limits */

double deviation(const mean *m)
{
	const double middle = mean_of(m), square = m->squares / m->count - middle * middle;
	return square > 0 ? sqrt(square) : 0;
}

static double energy_of(const piece *p) { return fabs(mean_of(p->value + LOST)) + mean_of(p->value + KINETIC); }

static double value_of(const piece *p, int value)
{
	if (value < VALUES) return mean_of(p->value + value);
	return p->wall ? mean_of(p->wall + (value - VALUES)) : NAN;
}

/* largest difference between the force-based runs */
static double spread_of(const comparison *c, int value)
{
	double low = INFINITY, high = -INFINITY;
	for (int k = 0; k < c->pieces; ++k) {
		const piece *p = c->piece + k;
		const double its = p->fate == DONE && !strcmp(p->response, REFERENCE) ? value_of(p, value) : NAN;
		low = fmin(low, its), high = fmax(high, its);
	}
	return high > low ? high - low : 0;
}

/* Returns the limit of a value. The reference itself varies with time, so twice its deviation, or the spread of
 * repeated runs, is allowed if it is larger. 0: not judged. */
double limit_of(const comparison *c, int value)
{
	const piece *reference = c->reference;
	if (!reference) return 0;
	const mean *m = value < VALUES ? reference->value + value : reference->wall + (value - VALUES);
	double limit = WALL_PART * fabs(mean_of(m)) + (c->has_weight ? WALL_WEIGHT : 0);
	if (value < VALUES) limit = rows[value].limit + rows[value].of_energy * energy_of(reference);
	return limit > 0 ? fmax(fmax(limit, 2 * deviation(m)), spread_of(c, value)) : 0;
}

static void name_value(const comparison *c, int value, char *text, size_t room)
{
	if (value < VALUES)
		snprintf(text, room, "%s", rows[value].name);
	else
		snprintf(text, room, "normal forces on %s%s", c->wall[value - VALUES], c->has_weight ? " / weight" : " (N)");
}

/* ------------------------------------------------------------------ trust */

static void __attribute__((format(printf, 3, 4))) decide(piece *p, trust trust, const char *format, ...)
{
	va_list args;
	va_start(args, format);
	p->trust = trust;
	vsnprintf(p->why, sizeof p->why, format, args);
	va_end(args);
}

bool is_unsolved(const piece *p) { return p->fate == DONE && mean_of(p->value + UNSOLVED) > MOST_UNSOLVED; }

/* returns false if the run cannot be trusted, whatever the results of the other runs are */
static bool is_sound(piece *p)
{
	if (p->fate != DONE)
		decide(p, DISTRUSTED, "%s", fates[p->fate]);
	else if (is_unsolved(p))
		decide(p, DISTRUSTED, "the solver has not converged: %.2g %% of impulses not solved",
			   mean_of(p->value + UNSOLVED));
	else if (p->energy_limit > 0 && p->energy > p->energy_limit)
		decide(p, DISTRUSTED, "energy error of %.2g %%, limit %.2g %%", 100 * p->energy, 100 * p->energy_limit);
	return p->trust != DISTRUSTED;
}

/* Returns the value that uses the largest fraction of its limit; *part: receives this fraction, which is INFINITY if
 * only one of the two runs has the value. */
static int farthest(const comparison *c, const piece *p, double *part)
{
	int worst = -1;
	*part = 0;
	for (int k = 0; k < VALUES + c->walls; ++k) {
		const double limit = limit_of(c, k), a = value_of(c->reference, k), b = value_of(p, k);
		const double used = isnan(a) != isnan(b) ? INFINITY : fabs(b - a) / limit;
		if ((isnan(a) && isnan(b)) || !(limit > 0 && used > *part)) continue;
		*part = used;
		worst = k;
	}
	return worst;
}

static void compare_with_reference(const comparison *c, piece *p)
{
	double part;
	char name[SENTENCE / 2];
	const int worst = farthest(c, p, &part);
	if (worst < 0) {
		decide(p, TRUSTED, "as forces");
		return;
	}
	name_value(c, worst, name, sizeof name);
	if (part > 1)
		decide(p, DISTRUSTED, "%s %.4g, by forces %.4g, limit %.2g", name, value_of(p, worst),
			   value_of(c->reference, worst), limit_of(c, worst));
	else
		decide(p, TRUSTED, "within all limits; the closest is %s, %.0f %% of its limit", name, 100 * part);
}

void judge(comparison *c)
{
	for (int k = 0; k < c->pieces; ++k) {
		piece *p = c->piece + k;
		if (is_sound(p) && !strcmp(p->response, REFERENCE) && !p->repeat) c->reference = p;
	}
	for (int k = 0; k < c->pieces; ++k) {
		piece *p = c->piece + k;
		if (p == c->reference)
			decide(p, TRUSTED, "the reference");
		else if (p->trust != DISTRUSTED && p->repeat)
			decide(p, TRUSTED, "another step");
		else if (p->trust != DISTRUSTED && c->reference)
			compare_with_reference(c, p);
		else if (p->trust != DISTRUSTED)
			decide(p, UNJUDGED, "there is no force-based run to compare it with");
	}
}

/* ------------------------------------------------------------------ the table */

static void print_label(FILE *to, const char *label) { print_safely(to, "%-*s", LABEL, label); }

static void print_number(FILE *to, double value)
{
	if (isnan(value))
		fprintf(to, " %*s", WIDTH - 1, "-");
	else
		fprintf(to, " %*.4g", WIDTH - 1, value);
}

static void print_value(FILE *to, const comparison *c, int value)
{
	char name[SENTENCE / 2];
	name_value(c, value, name, sizeof name);
	print_label(to, name);
	for (int k = 0; k < c->pieces; ++k) print_number(to, value_of(c->piece + k, value));
	const double limit = limit_of(c, value);
	if (limit > 0 && !isnan(value_of(c->reference, value))) fprintf(to, " %*.2g", WIDTH - 1, limit);
	fputc('\n', to);
}

static double greatest_on(const comparison *c, int wall)
{
	double most = 0;
	for (int k = 0; k < c->pieces; ++k) {
		const double value = fabs(value_of(c->piece + k, VALUES + wall));
		if (value > most) most = value;
	}
	return most;
}

/* whether the wall is among those with the largest forces; among equal forces, the first ones are shown */
static bool is_shown(const comparison *c, int wall)
{
	const double mine = greatest_on(c, wall);
	int before = 0;
	for (int k = 0; k < c->walls; ++k) {
		const double its = greatest_on(c, k);
		before += its > mine || (its == mine && k < wall);
	}
	return before < MOST_WALLS;
}

static void print_walls(FILE *to, const comparison *c)
{
	for (int k = 0; k < c->walls; ++k)
		if (is_shown(c, k)) print_value(to, c, VALUES + k);
	if (c->walls > MOST_WALLS) fprintf(to, "(%d walls with smaller forces)\n", c->walls - MOST_WALLS);
}

static void print_words(FILE *to, const comparison *c, const char *label, bool fate)
{
	print_label(to, label);
	for (int k = 0; k < c->pieces; ++k) {
		const piece *p = c->piece + k;
		const char *word = fate ? p->fate == GUARDED ? "guard" : fates[p->fate] : trusts[p->trust];
		fprintf(to, " %*s", WIDTH - 1, word);
	}
	fputc('\n', to);
}

static void print_heads(FILE *to, const comparison *c)
{
	print_label(to, "");
	for (int k = 0; k < c->pieces; ++k) fprintf(to, " %*s", WIDTH - 1, c->piece[k].name);
	if (c->reference) fprintf(to, " %*s", WIDTH - 1, "limit");
	fputc('\n', to);
}

static void print_sentences(FILE *to, const comparison *c)
{
	for (int k = 0; k < c->pieces; ++k) {
		const piece *p = c->piece + k;
		if (*p->sentence) print_safely(to, "%s: %s: %s\n", p->name, fates[p->fate], p->sentence);
		for (const char *line = p->warnings; line && *line;) {
			const int length = (int)strcspn(line, "\n"); /* the last line may lack a newline */
			print_safely(to, "%s: %.*s\n", p->name, length, line);
			line += length + (line[length] == '\n');
		}
	}
}

/* A single force-based run does not show how much its results vary. */
static void print_hint(FILE *to, const comparison *c)
{
	bool differs = false, repeated = false;
	for (int k = 0; k < c->pieces; ++k) {
		differs |= c->piece[k].trust == DISTRUSTED && c->piece[k].fate == DONE;
		repeated |= c->piece[k].repeat > 0;
	}
	if (c->reference && differs && !repeated)
		fputs("note: force-based results also vary: --repeat 3 widens the limits by their spread\n", to);
}

/* prints one sentence about all runs: first the runs that can be trusted, then the others */
static void print_trust(FILE *to, const comparison *c)
{
	static const char *const words[] = {
		[UNJUDGED] = "not judged", [TRUSTED] = "can be trusted", [DISTRUSTED] = "cannot be trusted"};
	static const trust order[] = {TRUSTED, DISTRUSTED, UNJUDGED};
	bool any = false;
	for (size_t n = 0; n < sizeof order / sizeof *order; ++n) {
		bool first = true;
		for (int k = 0; k < c->pieces; ++k) {
			const piece *p = c->piece + k;
			if (p->trust != order[n]) continue;
			if (first) fprintf(to, "%s%s: ", any ? "; " : "", words[order[n]]);
			print_safely(to, "%s%s (%s)", first ? "" : ", ", p->name, p->why);
			first = false;
			any = true;
		}
	}
	fputc('\n', to);
}

void print_table(FILE *to, const comparison *c)
{
	print_safely(to, "%s%s%s, until %g s\n", c->scene, c->title && *c->title ? ": " : "", c->title ? c->title : "",
				 c->until);
	print_heads(to, c);
	print_words(to, c, "end", true);
	for (int k = 0; k <= CARRIED; ++k) print_value(to, c, k);
	print_walls(to, c);
	for (int k = CARRIED + 1; k < VALUES; ++k) print_value(to, c, k);
	print_words(to, c, "can be trusted", false);
	print_sentences(to, c);
	print_hint(to, c);
	print_trust(to, c);
}
