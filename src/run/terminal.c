#include "run/terminal.h"

#include "base/memory.h"
#include "base/parallel.h"
#include "base/shown.h"
#include "broad/broad.h"
#include "broad/stage.h"
#include "run/closing.h"
#include "run/notes.h"
#include "scree/scree.h"
#include "shape/shape_forms.h"
#include "world/world.h"

#include <stdio.h>
#include <string.h>

/* "13 spheres, 47 polyhedra"; kinds in the plane and bodies of parts only if there are any */
static void print_shapes(const scree_world *w)
{
	int64_t count[SHAPE_TYPES] = {0};
	const char *between = "";
	for (int32_t i = 0; i < w->state.body.owned; ++i) ++count[w->model.shape.row[w->state.body.shape[i]].type];
	for (int k = 0; k < SHAPE_TYPES; ++k) count[k] = scree_world_sum(w, count[k]);
	if (w->model.flat && !scree_world_bodies(w)) printf("no bodies");
	for (int k = 0; k < SHAPE_TYPES; ++k) {
		const char *name = w->model.flat ? scree_shape_forms[k].in_plane : scree_shape_forms[k].in_space;
		if (!name || ((w->model.flat || scree_shape_forms[k].rare) && !count[k])) continue;
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
	terminal t = {.began = scree_now(), .first_step = w->state.step, .progress = scree_progress_start(w, until, quiet)};
	char a[32], b[32];
	scree_print(stdout, "scree %s  %s%s%s\n", SCREE_VERSION, name, title && *title ? ": " : "",
				title && *title ? title : "");
	print_shapes(w);
	printf(" (%d shapes), %d walls, %d materials, %d sources, %d sinks\n", w->model.shape.count, w->model.wall.count,
		   w->model.material.count, w->model.population.sources, w->model.population.sinks);
	if (w->model.contact_time > 0)
		scree_print(
			stdout,
			"step %s (1/%.0f of the shortest contact, %s: %s + %s)   threads %d   memory %.1f MB   broad phase %s\n",
			time_text(w->model.dt, a), w->model.contact_time / w->model.dt, time_text(w->model.contact_time, b),
			w->model.material.row[w->model.stiffest[0]].name, w->model.material.row[w->model.stiffest[1]].name,
			scree_threads(), (double)scree_memory_used() / 1e6, w->model.search->name);
	else
		printf("step %s   threads %d   memory %.1f MB   broad phase %s\n", time_text(w->model.dt, a), scree_threads(),
			   (double)scree_memory_used() / 1e6, w->model.search->name);
	scree_notes_print(stdout, w, until);
	fflush(stdout);
	return t;
}

static void print_feature_calls(const char *what, const feature_counts *c)
{
	if (!c->calls) return;
	printf("   %s %.6g calls", what, (double)c->calls);
	if (c->known)
		printf(", %.3g %% with earlier features: %.3g changes per call", 100 * (double)c->known / (double)c->calls,
			   (double)c->changes / (double)c->known);
	if (c->renewed) printf(", kept for %.4g calls", (double)c->known / (double)c->renewed);
	printf(", full tests %lld, border searches %lld", (long long)c->all, (long long)c->borders);
}

/* prints how closest features of polygons were found */
static void print_features(const scree_world *w)
{
	if (!w->work.features.calls && !w->work.wall_features.calls) return;
	printf("features of polygons");
	print_feature_calls("bodies", &w->work.features);
	print_feature_calls("walls", &w->work.wall_features);
	printf("\n");
}

void scree_terminal_close(terminal *t, scree_world *w, const char *verdict)
{
	scree_progress_clear(&t->progress);
	char passed[16];
	double stepping = scree_progress_seconds(w), all = stepping + w->work.clock.seconds[CLOCK_OUTPUT];
	int64_t steps = w->state.step - t->first_step;
	printf("%s at %.6g s, step %lld, after %s", verdict, w->state.time, (long long)w->state.step,
		   scree_duration(scree_now() - t->began, passed));
	if (steps > 0 && stepping > 0)
		printf("   %lld steps at %.3g steps/s, %.3g particle-steps/s", (long long)steps, (double)steps / stepping,
			   (double)steps * (double)scree_world_bodies(w) / stepping);
	printf("\n");
	printf("time per stage ");
	for (int s = 0; s < CLOCK_STAGES; ++s)
		printf("  %s %.1f %%", scree_clock_names[s], all > 0 ? 100 * w->work.clock.seconds[s] / all : 0);
	const broad_counts *c = &scree_work_search(&w->work)->count;
	printf("   (searches for pairs: %lld", (long long)w->work.rebuilds);
	if (c->comparisons) printf(", %.4g comparisons", (double)c->comparisons);
	if (c->exchanges)
		printf(", %.4g exchanges, %lld pairs added, %lld removed", (double)c->exchanges, (long long)c->adds,
			   (long long)c->removes);
	if (c->unchanged) printf(", %lld times unchanged", (long long)c->unchanged);
	if (c->vertices) printf(", %lld vertices, %.4g moves", (long long)c->vertices, (double)c->moves);
	if (c->refinements)
		printf(", %lld cells refined, %lld coarsened", (long long)c->refinements, (long long)c->coarsenings);
	if (c->overflow) printf(", %lld bodies outside the grid", (long long)c->overflow);
	printf(")\n");
	print_features(w);
	scree_closing_print(w);
	scree_notes_close_sources(w);
	scree_notes_close_sinks(w);
	printf("hash %016llx\n", (unsigned long long)scree_world_hash(&w->model, &w->state, &w->work));
	fflush(stdout);
}
