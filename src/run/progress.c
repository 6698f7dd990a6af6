#include "run/progress.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

enum { ROWS = 25, LOG_WIDTH = 80, LEAST_WIDTH = 20, TEXT = 512 };
static const double REFRESH = 0.2, LONGEST_SILENCE = 60, SETTLES = 0.5; /* s */

/* ------------------------------------------------------------------ time and speed */

const char *scree_duration(double s, char text[16])
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

double scree_progress_seconds(const scree_world *w)
{
	double all = 0;
	for (int s = 0; s < CLOCK_STAGES; ++s)
		if (s != CLOCK_OUTPUT) all += w->work.clock.seconds[s];
	return all;
}

/* Steps per second of time stepping since the last row; the previous rate if no time has passed. */
static double rate_now(const progress *p, const scree_world *w)
{
	double seconds = scree_progress_seconds(w) - p->rate_seconds;
	int64_t steps = w->state.step - p->rate_step;
	return steps > 0 && seconds > 0 ? (double)steps / seconds : p->rate;
}

/* s: estimate of the remaining time stepping; infinite before the first measurement */
static double seconds_left(const progress *p, const scree_world *w)
{
	double passed = scree_progress_seconds(w), done = w->state.time - p->first_time, left = p->until - w->state.time;
	if (!(left > w->model.dt / 2)) return 0;
	return done > 0 && passed > SETTLES ? passed * left / done : INFINITY;
}

/* ------------------------------------------------------------------ the table */

typedef struct view {
	const scree_world *w;
	energy_row e;
	double rate, left;
} view;

typedef struct column {
	int width,
		rank; /* width includes the blank before the column; columns of high rank are left out if space is short */
	const char *title, *unit;
	void (*print)(const view *v, char text[32]);
} column;

#define NUMBER(name, format, value)                                                                                    \
	static void name(const view *v, char text[32]) { snprintf(text, 32, format, value); }
NUMBER(show_time, "%.5g", v->w->state.time)
NUMBER(show_step, "%lld", (long long)v->w->state.step)
NUMBER(show_kinetic, "%.2e", v->e.kinetic)
NUMBER(show_potential, "%.2e", v->e.potential)
NUMBER(show_elastic, "%.2e", v->e.elastic)
NUMBER(show_lost_normal, "%.2e", v->e.lost_normal)
NUMBER(show_friction, "%.2e", v->e.lost_friction)
NUMBER(show_rolling, "%.2e", v->e.lost_rolling)
NUMBER(show_walls, "%.2e", v->e.wall_work)
NUMBER(show_made, "%.2e", v->e.made)
NUMBER(show_residual, "%.2e", v->e.residual)
NUMBER(show_contacts, "%lld", (long long)v->w->work.touching)
NUMBER(show_overlap, "%.3f", 100 * v->w->work.greatest_overlap_part)
NUMBER(show_speed, "%.3g", v->w->work.greatest_speed)
NUMBER(show_rate, v->rate < 1e6 ? "%.0f" : "%.2g", v->rate)
#undef NUMBER

static void show_left(const view *v, char text[32]) { scree_duration(v->left, text); }

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

static int width_of(const progress *p)
{
	struct winsize size;
	if (!p->tty) return LOG_WIDTH;
	if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col == 0) return LOG_WIDTH;
	return size.ws_col > LEAST_WIDTH ? size.ws_col : LEAST_WIDTH;
}

/* Chooses columns by rank, then from the left, as many as fit. */
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

void scree_progress_row(progress *p, const scree_world *w)
{
	if (p->quiet || p->last_row == w->state.step) return;
	bool shown[COLUMNS];
	view v = {w, scree_world_energy(&w->model, &w->state, &w->work), rate_now(p, w), seconds_left(p, w)};
	int width = width_of(p);
	choose(width, shown);
	scree_progress_clear(p);
	print_titles(p, width, shown);
	for (int k = 0; k < COLUMNS; ++k) {
		char text[32];
		if (!shown[k]) continue;
		columns[k].print(&v, text);
		printf(" %*s", columns[k].width - 1, text);
	}
	putchar('\n');
	fflush(stdout);
	p->last_line = scree_now();
	p->rate = v.rate;
	p->last_row = p->rate_step = w->state.step;
	p->rate_seconds = scree_progress_seconds(w);
}

/* ------------------------------------------------------------------ the status line */

/* prints pieces by weight, as many as fit */
static void status(const progress *p, const scree_world *w)
{
	char left[16], text[TEXT] = "", piece[64];
	scree_duration(seconds_left(p, w), left);
	const int64_t bodies = scree_world_bodies(w);
	const size_t room = (size_t)width_of(p) - 1; /* the cursor is in the last column */
	for (int k = 0; k < 7; ++k) {
		const char *between = k ? "  " : "";
		if (k == 0) snprintf(piece, sizeof piece, "%5.1f %%", p->until > 0 ? 100 * w->state.time / p->until : 0);
		if (k == 1) snprintf(piece, sizeof piece, "left %s", left);
		if (k == 2) snprintf(piece, sizeof piece, "t = %.5g s", w->state.time);
		if (k == 3) snprintf(piece, sizeof piece, "%.0f steps/s", rate_now(p, w));
		if (k == 4) snprintf(piece, sizeof piece, "%lld bodies", (long long)bodies);
		if (k == 5) snprintf(piece, sizeof piece, "%lld contacts", (long long)w->work.touching);
		if (k == 6) snprintf(piece, sizeof piece, "overlap %.2f %%", 100 * w->work.greatest_overlap_part);
		size_t used = strlen(text);
		if (used + strlen(between) + strlen(piece) > room || used + sizeof piece + 3 > TEXT) break;
		snprintf(text + used, TEXT - used, "%s%s", between, piece);
	}
	printf("\r\033[K%s", text);
	fflush(stdout);
}

void scree_progress_clear(const progress *p)
{
	if (p->tty) fputs("\r\033[K", stdout);
}

/* ------------------------------------------------------------------ when */

progress scree_progress_start(const scree_world *w, real until, bool quiet)
{
	progress p = {
		.quiet = quiet, .tty = isatty(STDOUT_FILENO), .first_time = w->state.time, .until = until, .last_row = -1};
	p.rate_step = w->state.step;
	p.rate_seconds = scree_progress_seconds(w);
	p.last_status = p.last_line = scree_now();
	return p;
}

void scree_progress_tick(progress *p, const scree_world *w)
{
	if (p->quiet) return;
	double now = scree_now();
	real part = (p->until - p->first_time) / ROWS;
	int64_t rows = part > 0 ? (int64_t)real_min((w->state.time - p->first_time) / part, 1e15) : 0;
	if ((rows > p->rows && now - p->last_line > REFRESH) || now - p->last_line > LONGEST_SILENCE) {
		scree_progress_row(p, w);
		p->rows = rows;
	} else if (p->tty && now - p->last_status > REFRESH) {
		status(p, w);
		p->last_status = now;
	}
}
