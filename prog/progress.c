#include "progress.h"

#include "scree/ranks.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

enum { ROWS = 25, LOG_WIDTH = 80, LEAST_WIDTH = 20, TEXT = 512 };
static const double REFRESH = 0.2, LONGEST_SILENCE = 60, SETTLES = 0.5; /* s */

/* ------------------------------------------------------------------ time and speed */

const char *duration_text(double s, char text[16])
{
	const double day = 86400;
	if (!(s < 9999 * day))
		snprintf(text, 16, "?");
	else if (s < 59.5)
		snprintf(text, 16, "%.0fs", fabs(fmax(s, 0)));
	else if (s < 3600)
		snprintf(text, 16, "%dm%02ds", (int)(s + 0.5) / 60, (int)(s + 0.5) % 60);
	else if (s < 4 * day)
		snprintf(text, 16, "%dh%02dm", (int)(s / 3600), (int)s / 60 % 60);
	else
		snprintf(text, 16, "%.0fd", s / day);
	return text;
}

double wall_clock(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Number of steps per second of stepping time since the last row, or the previous rate if no time has passed. */
static double rate_now(const progress *p, const scree_sim *s)
{
	double seconds = scree_sim_seconds(s) - p->rate_seconds;
	int64_t steps = scree_sim_steps(s) - p->rate_step;
	return steps > 0 && seconds > 0 ? (double)steps / seconds : p->rate;
}

/* estimated time, in s, of the remaining steps; infinite before the speed is first measured */
static double seconds_left(const progress *p, const scree_sim *s)
{
	const double passed = scree_sim_seconds(s) - p->first_seconds, done = scree_sim_time(s) - p->first_time;
	const double left = p->until - scree_sim_time(s);
	if (!(left > scree_sim_step_length(s) / 2)) return 0;
	return done > 0 && passed > SETTLES ? passed * left / done : INFINITY;
}

/* ------------------------------------------------------------------ the table */

typedef struct view {
	double time, rate, left;
	int64_t step;
	scree_progress_row now;
	scree_ledger e;
} view;

typedef struct column {
	int width, rank; /* the width includes the blank before the column; columns of high rank are omitted first if space
						is short */
	const char *title, *unit;
	void (*print)(const view *v, char text[32]);
} column;

#define NUMBER(name, format, value)                                                                                    \
	static void name(const view *v, char text[32]) { snprintf(text, 32, format, value); }
NUMBER(show_time, "%.5g", v->time)
NUMBER(show_step, "%lld", (long long)v->step)
NUMBER(show_kinetic, "%.2e", v->e.kinetic)
NUMBER(show_potential, "%.2e", v->e.potential)
NUMBER(show_elastic, "%.2e", v->e.elastic)
NUMBER(show_lost_normal, "%.2e", v->e.lost_normal)
NUMBER(show_friction, "%.2e", v->e.lost_friction)
NUMBER(show_rolling, "%.2e", v->e.lost_rolling)
NUMBER(show_walls, "%.2e", v->e.wall_work)
NUMBER(show_made, "%.2e", v->e.made)
NUMBER(show_residual, "%.2e", v->e.residual)
NUMBER(show_contacts, "%lld", (long long)v->now.contacts)
NUMBER(show_overlap, "%.3f", 100 * v->now.overlap)
NUMBER(show_speed, "%.3g", v->now.speed)
NUMBER(show_rate, v->rate < 1e6 ? "%.0f" : "%.2g", v->rate)
#undef NUMBER

static void show_left(const view *v, char text[32]) { duration_text(v->left, text); }

static const column columns[] = {
	{9, 0, "time", "s", show_time},			  {10, 0, "step", "", show_step},
	{10, 1, "kinetic", "J", show_kinetic},	  {10, 4, "potential", "J", show_potential},
	{10, 4, "elastic", "J", show_elastic},	  {10, 5, "lost:norm", "J", show_lost_normal},
	{10, 5, "friction", "J", show_friction},  {10, 5, "rolling", "J", show_rolling},
	{10, 5, "walls", "J", show_walls},		  {10, 5, "geometry", "J", show_made},
	{10, 3, "residual", "J", show_residual},  {9, 1, "contacts", "", show_contacts},
	{8, 1, "overlap", "max %", show_overlap}, {9, 2, "speed", "max m/s", show_speed},
	{8, 2, "steps/s", "", show_rate},		  {7, 0, "left", "", show_left},
};
enum { COLUMNS = sizeof columns / sizeof *columns, RANKS = 6 };

int terminal_width(void)
{
	struct winsize size;
	if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col == 0) return LOG_WIDTH;
	return size.ws_col > LEAST_WIDTH ? size.ws_col : LEAST_WIDTH;
}

static int width_of(const progress *p) { return p->tty ? terminal_width() : LOG_WIDTH; }

/* Chooses as many columns as fit, in the order of rank and then from the left. */
static void choose(int width, bool shown[COLUMNS])
{
	memset(shown, 0, COLUMNS * sizeof *shown);
	for (int rank = 0; rank < RANKS; ++rank)
		for (int k = 0; k < COLUMNS; ++k) {
			if (columns[k].rank != rank || columns[k].width > width) continue;
			shown[k] = true;
			width -= columns[k].width;
		}
}

static void print_titles(progress *p, int width, const bool shown[COLUMNS])
{
	if (p->columns == width) return;
	p->columns = width;
	for (int line = 0; line < 2; ++line) {
		for (int k = 0; k < COLUMNS; ++k)
			if (shown[k]) printf("%*s", columns[k].width, line ? columns[k].unit : columns[k].title);
		putchar('\n');
	}
}

void print_row(progress *p, scree_sim *s)
{
	if (p->quiet || p->last_row == scree_sim_steps(s)) return;
	bool shown[COLUMNS];
	view v = {
		.time = scree_sim_time(s), .step = scree_sim_steps(s), .rate = rate_now(p, s), .left = seconds_left(p, s)};
	if (scree_sim_progress(s, &v.now) || scree_sim_ledger(s, &v.e)) return;
	int width = width_of(p);
	choose(width, shown);
	clear_status(p);
	print_titles(p, width, shown);
	for (int k = 0; k < COLUMNS; ++k) {
		char text[32];
		if (!shown[k]) continue;
		columns[k].print(&v, text);
		printf(" %*s", columns[k].width - 1, text);
	}
	putchar('\n');
	fflush(stdout);
	p->last_line = wall_clock();
	p->rate = v.rate;
	p->last_row = p->rate_step = scree_sim_steps(s);
	p->rate_seconds = scree_sim_seconds(s);
}

/* ------------------------------------------------------------------ the status line */

/* prints as many pieces as fit on the line */
static void status(const progress *p, scree_sim *s)
{
	char left[16], text[TEXT] = "", piece[64];
	duration_text(seconds_left(p, s), left);
	scree_progress_row now;
	if (scree_sim_progress(s, &now)) return;
	const size_t room = (size_t)width_of(p) - 1; /* so that the cursor ends in the last column */
	const char *stage = scree_sim_stage_name(s, scree_sim_stage(s));
	for (int k = 0; k < 8; ++k) {
		if (k == 1 && !stage) continue;
		const char *between = k ? "  " : "";
		if (k == 0)
			snprintf(piece, sizeof piece, "%s%s%5.1f %%", p->title ? p->title : "", p->title ? ": " : "",
					 p->until > 0 ? 100 * scree_sim_time(s) / p->until : 0);
		if (k == 1) snprintf(piece, sizeof piece, "stage %s", stage);
		if (k == 2) snprintf(piece, sizeof piece, "left %s", left);
		if (k == 3) snprintf(piece, sizeof piece, "t = %.5g s", scree_sim_time(s));
		if (k == 4) snprintf(piece, sizeof piece, "%.0f steps/s", rate_now(p, s));
		if (k == 5) snprintf(piece, sizeof piece, "%lld bodies", (long long)now.bodies);
		if (k == 6) snprintf(piece, sizeof piece, "%lld contacts", (long long)now.contacts);
		if (k == 7) snprintf(piece, sizeof piece, "overlap %.2f %%", 100 * now.overlap);
		size_t used = strlen(text);
		if (used + strlen(between) + strlen(piece) > room || used + sizeof piece + 3 > TEXT) break;
		snprintf(text + used, TEXT - used, "%s%s", between, piece);
	}
	printf("\r\033[K%s", text);
	fflush(stdout);
}

void clear_status(const progress *p)
{
	if (p->tty) fputs("\r\033[K", stdout);
}

/* ------------------------------------------------------------------ when */

progress start_progress(const scree_sim *s, double until, bool quiet)
{
	progress p = {.quiet = quiet,
				  .tty = isatty(STDOUT_FILENO) && scree_ranks() == 1,
				  .first_time = scree_sim_time(s),
				  .first_seconds = scree_sim_seconds(s),
				  .until = until,
				  .last_row = -1};
	p.rate_step = scree_sim_steps(s);
	p.rate_seconds = scree_sim_seconds(s);
	p.last_status = p.last_line = wall_clock();
	return p;
}

static int64_t rows_due(const progress *p, const scree_sim *s)
{
	const double part = (p->until - p->first_time) / ROWS;
	return part > 0 ? (int64_t)fmin((scree_sim_time(s) - p->first_time) / part, 1e15) : 0;
}

progress_due find_due(const progress *p, const scree_sim *s)
{
	const double now = wall_clock();
	if (p->quiet) return NOTHING_DUE;
	if (!p->title &&
		((rows_due(p, s) > p->rows && now - p->last_line > REFRESH) || now - p->last_line > LONGEST_SILENCE))
		return ROW_DUE;
	return p->tty && now - p->last_status > REFRESH ? STATUS_DUE : NOTHING_DUE;
}

void print_due(progress *p, scree_sim *s, progress_due due)
{
	if (due == ROW_DUE) {
		print_row(p, s);
		p->rows = rows_due(p, s);
	} else if (due == STATUS_DUE) {
		status(p, s);
		p->last_status = wall_clock();
	}
}
