/* verbs: all commands other than run. */
#include "run/verbs.h"

#include "base/memory.h"
#include "base/parallel.h"
#include "base/shown.h"
#include "broad/broad.h"
#include "broad/stage.h"
#include "format/snapshot.h"
#include "format/vtk.h"
#include "model/solver.h"
#include "prepare/prepare.h"
#include "render/render.h"
#include "run/loading.h"
#include "report/notes.h"
#include "report/summary.h"
#include "report/tables.h"
#include "run/program.h"
#include "scene/scene.h"
#include "world/world.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

static int say(const fail *why)
{
	fflush(stdout);
	scree_print(stderr, "scree: error: %s\n", why->text);
	return (int)why->code;
}

int scree_verb_check(const request *q)
{
	const char *path = q->what;
	scene s;
	char *report = NULL;
	if (!scree_load_scene(path, q->sets, q->set, q->repair, false, &s, &report)) {
		fputs(report, stderr);
		scree_free(report);
		return FAIL_INPUT;
	}
	const scree_world *w = s.world;
	fail why;
	if (s.output.images.on && !scree_render_possible(w, &why)) {
		scree_scene_free(&s);
		return say(&why);
	}
	scree_print(stdout, "%s: %s\n", path, s.title ? s.title : "(no title)");
	scree_summary_print_check(stdout, w, s.run.until);
	scree_notes_print(stdout, w, s.run.until);
	fputs(s.notes, stdout);
	scree_scene_free(&s);
	return FAIL_NONE;
}

int scree_verb_list(const request *q)
{
	fail why;
	if (scree_tables_print(stdout, q->what, &why)) return FAIL_NONE;
	scree_print(stderr, "scree: %s\n", why.text);
	return FAIL_INPUT;
}

int scree_verb_explain(const request *q)
{
	fail why;
	char *text = scree_scene_explain(q->what, &why);
	if (!text) return say(&why);
	fputs(text, stdout);
	scree_free(text);
	return FAIL_NONE;
}

int scree_verb_schema(const request *q)
{
	(void)q;
	char *text = scree_scene_schema();
	fputs(text, stdout);
	scree_free(text);
	return FAIL_NONE;
}

/* Refuses an output file whose extension does not match its content. */
static bool has_ending(const char *path, const char *ending, const char *what, fail *why)
{
	const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path, *dot = strrchr(name, '.');
	if (!*name) return scree_fail(why, FAIL_INPUT, "%s: the name of the file is missing", path);
	if (!dot || !strcasecmp(dot + 1, ending)) return true;
	return scree_fail(why, FAIL_INPUT, "%s: %s, not '%s' files: use a name that ends in .%s", path, what, dot + 1,
					  ending);
}

int scree_verb_render(const request *q)
{
	const char *snapshot = q->what, *png = q->to, *const *set = q->set;
	int sets = q->sets;
	fail why;
	if (!has_ending(png, "png", "render draws PNG pictures", &why)) return say(&why);
	snapshot_extra extra = {0};
	scree_world *w = scree_snapshot_read(snapshot, &extra, &why);
	if (!w) return say(&why);
	int code = FAIL_NONE;
	for (int k = 0; k < sets && !code; ++k) {
		if (!strncmp(set[k], "output.images.", 14)) continue;
		scree_print(stderr, "scree: error: --set %s: scree render takes only output.images...\n", set[k]);
		code = FAIL_INPUT;
	}
	char *report = NULL;
	scene s;
	if (!code && sets) {
		if (scree_scene_plan("the scene in the snapshot", extra.resolved, strlen(extra.resolved), sets, set, &s,
							 &report)) {
			extra.output = s.output;
			scree_scene_free(&s);
		} else {
			fputs(report, stderr);
			scree_free(report);
			code = FAIL_INPUT;
		}
	}
	const bool shows = !code && (!w->state.begun || (w->model.flat && extra.output.images.forces));
	start_shown before = {0};
	if (shows) before = scree_world_show_start(&w->model, &w->state, &w->work);
	if (!code && !scree_render_png(w, &extra.output.images, extra.title, png, &why)) code = say(&why);
	if (shows) scree_world_hide_start(&w->model, &w->state, &w->work, &before);
	if (!code) scree_print(stdout, "%s\n", png);
	scree_snapshot_extra_free(&extra);
	scree_world_free(w);
	return code;
}

int scree_verb_hash(const request *q)
{
	fail why;
	scree_world *w = scree_snapshot_read(q->what, NULL, &why);
	if (!w) return say(&why);
	printf("hash %016llx\n", (unsigned long long)scree_world_hash(&w->model, &w->state, &w->work));
	scree_world_free(w);
	return FAIL_NONE;
}

int scree_verb_export(const request *q)
{
	const char *path = q->what, *to = q->to;
	fail why;
	if (!has_ending(to, "vtp", "export writes VTP (VTK's polygons)", &why)) return say(&why);
	scree_world *w = scree_snapshot_read(path, NULL, &why);
	if (!w) return say(&why);
	bool ok = scree_vtk_export_mesh(w, to, &why);
	scree_world_free(w);
	if (!ok) return say(&why);
	scree_print(stdout, "%s\n", to);
	return FAIL_NONE;
}

/* mean height of bodies above the origin, against gravity, which shows a pile that sinks into itself */
static void print_height(const scree_world *w)
{
	real sum = 0, mass = 0, g = v3_norm(w->model.gravity);
	for (int32_t i = 0; i < w->state.body.count; ++i) {
		real m = w->state.body.inv_mass[i] > 0 ? 1 / w->state.body.inv_mass[i] : 0;
		sum -= m * v3_dot(w->model.gravity, body_position(&w->state.body, i));
		mass += m;
	}
	if (g > 0 && mass > 0) printf("mean_height_metre %.6g\n", sum / (mass * g));
}

/* prints numbers of slots, contact rows, and rows of spheres with spheres and walls, over which a step loops
 * (bench/traffic.py) */
static void print_rows(const scree_world *w)
{
	int64_t slots = 0, rows = 0, of_spheres = 0;
	for (int kind = 0; kind < PAIR_KINDS; ++kind) {
		const pair_list *l = w->state.pair + kind;
		int64_t used = 0;
		for (int32_t p = 0; p < l->pieces; ++p) used += l->used[p];
		slots += l->count;
		rows += used;
		const uint8_t *takes = scree_pair_kinds[kind].takes[PAIRS_IN_SPACE];
		of_spheres += (takes[0] | takes[1]) & TAKES_OTHERS ? 0 : used;
	}
	printf("slots %lld  rows %lld  of_spheres %lld\n", (long long)slots, (long long)rows, (long long)of_spheres);
}

int scree_verb_bench(const request *q)
{
	long long steps = q->steps;
	fail why;
	if (!scree_wants_threads(q->threads)) return FAIL_INPUT;
	scree_world *w = scree_snapshot_read(q->what, NULL, &why);
	if (!w) return say(&why);
	if (steps <= 0) steps = 1000;
	w->model.unsorted = q->unsorted;
	double search = 0;
	for (int k = 0; k < 20; ++k) { /* warm-up: finds pairs, fills caches */
		if (!scree_step(w)) return say(&w->work.why);
		if (k == 0) search = w->work.clock.seconds[CLOCK_BROAD];
	}
	int64_t searches = w->work.rebuilds, collisions = w->state.impulse.collisions;
	energy_row before = scree_world_energy(&w->model, &w->state, &w->work);
	memset(&w->work.clock, 0, sizeof w->work.clock);
	memset(&scree_work_search(&w->work)->count, 0, sizeof(broad_counts));
	memset(&w->work.features, 0, sizeof w->work.features);
	memset(&w->work.wall_features, 0, sizeof w->work.wall_features);
	w->work.greatest_overlap_ever = 0;
	double began = scree_now();
	if (!scree_steps(w, steps)) return say(&w->work.why);
	double seconds = scree_now() - began, all = 0;
	energy_row after = scree_world_energy(&w->model, &w->state, &w->work);
	for (int s = 0; s < CLOCK_STAGES; ++s) all += w->work.clock.seconds[s];
	printf("bodies %d  contacts %lld  sliding %lld  steps %lld  seconds %.4f  threads %d\n", w->state.body.count,
		   (long long)w->work.touching, (long long)scree_world_sliding(&w->model, &w->state, &w->work), steps, seconds,
		   scree_threads());
	if (w->model.solver)
		printf("collisions %lld  per_step %.6g\n", (long long)w->state.impulse.collisions,
			   (double)(w->state.impulse.collisions - collisions) / (double)steps);
	printf("particle_steps_per_second %.6g\n", (double)steps * w->state.body.count / seconds);
	printf("simulated_per_wall_second %.6g\n", (double)steps * w->model.dt / seconds);
	printf("greatest_overlap_percent %.6g\n", 100 * w->work.greatest_overlap_ever);
	printf("energy_residual_drift_joule %.6g  of_kinetic %.6g\n", after.residual - before.residual, after.kinetic);
	print_height(w);
	const broad_counts *c = &scree_work_search(&w->work)->count;
	printf("comparisons %lld  exchanges %lld  adds %lld  removes %lld  fallbacks %lld  unchanged %lld\n",
		   (long long)c->comparisons, (long long)c->exchanges, (long long)c->adds, (long long)c->removes,
		   (long long)c->fallbacks, (long long)c->unchanged);
	if (c->vertices || c->overflow)
		printf("vertices %lld  overflow %lld  virtual_particles %lld  moves %lld  refinements %lld  coarsenings %lld\n",
			   (long long)c->vertices, (long long)c->overflow, (long long)c->virtuals, (long long)c->moves,
			   (long long)c->refinements, (long long)c->coarsenings);
	const feature_counts *f = &w->work.features, *of_walls = &w->work.wall_features;
	if (f->calls || of_walls->calls)
		printf("feature_calls %lld  known %lld  renewed %lld  changes %lld  all_asked %lld  borders %lld\n"
			   "wall_feature_calls %lld  all_asked %lld  borders %lld\n",
			   (long long)f->calls, (long long)f->known, (long long)f->renewed, (long long)f->changes,
			   (long long)f->all, (long long)f->borders, (long long)of_walls->calls, (long long)of_walls->all,
			   (long long)of_walls->borders);
	printf("search_seconds %.6g  searches %lld\n", search, (long long)(w->work.rebuilds - searches));
	print_rows(w);
	printf("bytes_per_body %.6g\n", (double)scree_memory_used() / w->state.body.count);
	printf("stage_seconds_per_step");
	for (int s = 0; s < CLOCK_STAGES; ++s)
		printf("  %s %.6g", scree_clock_names[s], w->work.clock.seconds[s] / (double)steps);
	printf("\nshares");
	for (int s = 0; s < CLOCK_STAGES; ++s)
		printf("  %s %.1f%%", scree_clock_names[s], all > 0 ? 100 * w->work.clock.seconds[s] / all : 0);
	printf("  rebuilds %lld\nhash %016llx\n", (long long)w->work.rebuilds,
		   (unsigned long long)scree_world_hash(&w->model, &w->state, &w->work));
	scree_world_free(w);
	return FAIL_NONE;
}
