#include "run/terminal.h"

#include "base/memory.h"
#include "base/parallel.h"
#include "base/shown.h"
#include "run/closing.h"
#include "run/notes.h"
#include "scree/scree.h"
#include "state/shape_forms.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { LINES = 25 }; /* about so many lines of the table in a run */

static const char *duration(double s, char text[32])
{
	if (!(s < 8.64e6))
		snprintf(text, 32, "?");
	else if (s < 60)
		snprintf(text, 32, "%.0fs", s);
	else if (s < 3600)
		snprintf(text, 32, "%dm%02ds", (int)s / 60, (int)s % 60);
	else
		snprintf(text, 32, "%dh%02dm", (int)(s / 3600), (int)s / 60 % 60);
	return text;
}

/* "13 spheres, 47 polyhedra"; in the plane, and of bodies of parts, of what there are any */
static void print_shapes(const scree_world *w)
{
	int64_t count[SHAPE_TYPES] = {0};
	const char *between = "";
	for (int32_t i = 0; i < w->body.count; ++i) ++count[w->shape.row[w->body.shape[i]].type];
	if (w->flat && !w->body.count) printf("no bodies");
	for (int k = 0; k < SHAPE_TYPES; ++k) {
		const char *name = w->flat ? scree_shape_forms[k].in_plane : scree_shape_forms[k].in_space;
		if (!name || ((w->flat || scree_shape_forms[k].rare) && !count[k])) continue;
		printf("%s%lld %s", between, (long long)count[k], name);
		between = ", ";
	}
}

static const char *time_text(real s, char text[32])
{
	if (s < 1e-3)
		snprintf(text, 32, "%.4g us", 1e6 * s);
	else if (s < 1)
		snprintf(text, 32, "%.4g ms", 1e3 * s);
	else
		snprintf(text, 32, "%.4g s", s);
	return text;
}

terminal scree_terminal_open(const scree_world *w, const char *name, const char *title, real until, bool quiet)
{
	terminal t = {.quiet = quiet, .tty = isatty(STDOUT_FILENO), .began = scree_now(), .until = until};
	t.first_step = t.last_step = w->step;
	t.first_time = w->time;
	t.last_step_at = t.last_status = t.last_line = t.began;
	char a[32], b[32];
	scree_print(stdout, "scree %s  %s%s%s\n", SCREE_VERSION, name, title && *title ? ": " : "",
				title && *title ? title : "");
	print_shapes(w);
	printf(" (%d shapes), %d walls, %d materials, %d sources, %d sinks\n", w->shape.count, w->wall.count,
		   w->material.count, w->people.sources, w->people.sinks);
	if (w->contact_time > 0)
		scree_print(
			stdout,
			"step %s (1/%.0f of the shortest contact, %s: %s + %s)   threads %d   memory %.1f MB   broad phase %s\n",
			time_text(w->dt, a), w->contact_time / w->dt, time_text(w->contact_time, b),
			w->material.row[w->stiffest[0]].name, w->material.row[w->stiffest[1]].name, scree_threads(),
			(double)scree_memory_used() / 1e6, w->search->name);
	else
		printf("step %s   threads %d   memory %.1f MB   broad phase %s\n", time_text(w->dt, a), scree_threads(),
			   (double)scree_memory_used() / 1e6, w->search->name);
	scree_notes_print(w);
	fflush(stdout);
	return t;
}

static double steps_per_second(const terminal *t, const scree_world *w)
{
	double now = scree_now();
	return now > t->last_step_at ? (double)(w->step - t->last_step) / (now - t->last_step_at) : 0;
}

static const char *left_text(const terminal *t, const scree_world *w, char text[32])
{
	double passed = scree_now() - t->began, done = w->time - t->first_time;
	return duration(done > 0 ? passed * (t->until - w->time) / done : 1e9, text);
}

static void clear_status(const terminal *t)
{
	if (t->tty) fputs("\r\033[K", stdout);
}

void scree_terminal_line(terminal *t, const scree_world *w)
{
	if (t->quiet) return;
	clear_status(t);
	if (!t->titles) {
		printf("%9s %9s  %9s %9s %9s  %9s %9s %9s  %9s %9s %9s  %8s %7s %8s %8s %6s\n", "time", "step", "kinetic",
			   "potential", "elastic", "lost:norm", "friction", "rolling", "walls", "geometry", "residual", "contacts",
			   "overlap", "speed", "steps/s", "left");
		printf("%9s %9s  %9s %9s %9s  %9s %9s %9s  %9s %9s %9s  %8s %7s %8s %8s %6s\n", "s", "", "J", "J", "J", "J",
			   "J", "J", "J", "J", "J", "", "max %", "max m/s", "", "");
		t->titles = true;
	}
	energy_row e = scree_world_energy(w);
	char left[32];
	printf("%9.5g %9lld  %9.2e %9.2e %9.2e  %9.2e %9.2e %9.2e  %9.2e %9.2e %9.2e  %8lld %7.3f %8.3g %8.0f %6s\n",
		   w->time, (long long)w->step, e.kinetic, e.potential, e.elastic, e.lost_normal, e.lost_friction,
		   e.lost_rolling, e.wall_work, e.made, e.residual, (long long)w->touching, 100 * w->greatest_overlap_part,
		   w->greatest_speed, steps_per_second(t, w), left_text(t, w, left));
	fflush(stdout);
	t->last_line = t->last_step_at = scree_now();
	t->last_step = w->step;
}

static void status(terminal *t, const scree_world *w)
{
	char left[32];
	double part = t->until > 0 ? 100 * w->time / t->until : 0;
	printf("\r\033[K%5.1f %%  t = %.5g s  step %lld  %d bodies  %lld contacts  overlap %.2f %%  speed %.3g m/s  %.0f "
		   "steps/s  left %s",
		   part, w->time, (long long)w->step, w->body.count, (long long)w->touching, 100 * w->greatest_overlap_part,
		   w->greatest_speed, steps_per_second(t, w), left_text(t, w, left));
	fflush(stdout);
}

void scree_terminal_tick(terminal *t, const scree_world *w)
{
	if (t->quiet) return;
	double now = scree_now();
	real part = (t->until - t->first_time) / LINES;
	bool due =
		part > 0 && (int64_t)((w->time - t->first_time) / part) > (int64_t)((w->time - w->dt - t->first_time) / part);
	if ((due && now - t->last_line > 0.2) || now - t->last_line > 60)
		scree_terminal_line(t, w);
	else if (t->tty && now - t->last_status > 0.2) {
		status(t, w);
		t->last_status = now;
	}
}

static void print_feature_calls(const char *what, const feature_counts *c)
{
	if (!c->calls) return;
	printf("   %s %.6g calls", what, (double)c->calls);
	if (c->known)
		printf(", %.3g %% with those of before: %.3g changes a call", 100 * (double)c->known / (double)c->calls,
			   (double)c->changes / (double)c->known);
	if (c->renewed) printf(", alive for %.4g calls", (double)c->known / (double)c->renewed);
	printf(", all asked %lld times, borders searched %lld times", (long long)c->all, (long long)c->borders);
}

/* how closest features of polygons were found */
static void print_features(const scree_world *w)
{
	if (!w->features.calls && !w->wall_features.calls) return;
	printf("features of polygons");
	print_feature_calls("bodies", &w->features);
	print_feature_calls("walls", &w->wall_features);
	printf("\n");
}

void scree_terminal_close(terminal *t, scree_world *w, const char *verdict)
{
	clear_status(t);
	char passed[32];
	double seconds = scree_now() - t->began, all = 0;
	int64_t steps = w->step - t->first_step;
	for (int s = 0; s < CLOCK_STAGES; ++s) all += w->clock.seconds[s];
	printf("%s at %.6g s, step %lld, after %s   %.3g particle-steps/s\n", verdict, w->time, (long long)w->step,
		   duration(seconds, passed), seconds > 0 ? (double)steps * w->body.count / seconds : 0);
	printf("where the time went ");
	for (int s = 0; s < CLOCK_STAGES; ++s)
		printf("  %s %.1f %%", scree_clock_names[s], all > 0 ? 100 * w->clock.seconds[s] / all : 0);
	const broad_counts *c = &w->finder.count;
	printf("   (pairs found %lld times", (long long)w->rebuilds);
	if (c->comparisons) printf(", %.4g comparisons", (double)c->comparisons);
	if (c->exchanges)
		printf(", %.4g exchanges, %lld pairs came, %lld went", (double)c->exchanges, (long long)c->adds,
			   (long long)c->removes);
	if (c->unchanged) printf(", %lld times unchanged", (long long)c->unchanged);
	if (c->vertices) printf(", %lld vertices, %.4g moves", (long long)c->vertices, (double)c->moves);
	if (c->refinements)
		printf(", %lld cells refined, %lld coarsened", (long long)c->refinements, (long long)c->coarsenings);
	if (c->overflow) printf(", %lld bodies outside of the grid", (long long)c->overflow);
	printf(")\n");
	print_features(w);
	scree_closing_print(w);
	scree_notes_close_sources(w);
	printf("hash %016llx\n", (unsigned long long)scree_world_hash(w));
	fflush(stdout);
}
