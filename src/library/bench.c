/* bench: measures the speed of a simulation from steps without outputs. */
#include "library/internal.h"

#include "base/parallel.h"
#include "broad/broad.h"
#include "broad/stage.h"
#include "state/pairs.h"
#include "machine/machine.h"
#include "resident/resident.h"
#include "world/world.h"

#include <string.h>

enum { WARM_UP = 20 }; /* number of warm-up steps, which find pairs and fill caches */

typedef struct measured {
	scree_world *w;
	int64_t steps, searches, collisions;
	double search, seconds, processor; /* processor time in s, over all threads */
	energy_row before, after;
} measured;

/* mean height of bodies above the origin, measured against gravity, which reveals whether a pile sinks into itself */
static void print_height(FILE *to, const scree_world *w)
{
	real sum = 0, mass = 0, g = v3_norm(w->model.gravity);
	for (int32_t i = 0; i < w->state.body.count; ++i) {
		real m = w->state.body.inv_mass[i] > 0 ? 1 / w->state.body.inv_mass[i] : 0;
		sum -= m * v3_dot(w->model.gravity, body_position(&w->state.body, i));
		mass += m;
	}
	if (g > 0 && mass > 0) fprintf(to, "mean_height_metre %.6g\n", sum / (mass * g));
}

/* prints how many slots, contact rows, and rows of spheres with spheres and walls a step visits (bench/traffic.py) */
static void print_rows(FILE *to, const scree_world *w)
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
	fprintf(to, "slots %lld  rows %lld  of_spheres %lld\n", (long long)slots, (long long)rows, (long long)of_spheres);
}

static void print_speed(FILE *to, const measured *o)
{
	const scree_world *w = o->w;
	fprintf(to, "bodies %d  contacts %lld  sliding %lld  steps %lld  seconds %.4f  threads %d\n", w->state.body.count,
			(long long)w->work.touching, (long long)scree_world_sliding(&w->model, &w->state, &w->work),
			(long long)o->steps, o->seconds, scree_threads());
	if (w->model.solver)
		fprintf(to, "collisions %lld  per_step %.6g\n", (long long)w->state.impulse.collisions,
				(double)(w->state.impulse.collisions - o->collisions) / (double)o->steps);
	fprintf(to, "particle_steps_per_second %.6g\n", (double)o->steps * w->state.body.count / o->seconds);
	fprintf(to, "simulated_per_wall_second %.6g\n", (double)o->steps * w->model.dt / o->seconds);
	fprintf(to, "processor_seconds %.6g\n", o->processor);
}

static void print_searches(FILE *to, const scree_world *w)
{
	const broad_counts *c = &scree_work_search(&w->work)->count;
	fprintf(to, "comparisons %lld  exchanges %lld  adds %lld  removes %lld  fallbacks %lld  unchanged %lld\n",
			(long long)c->comparisons, (long long)c->exchanges, (long long)c->adds, (long long)c->removes,
			(long long)c->fallbacks, (long long)c->unchanged);
	if (c->vertices || c->overflow)
		fprintf(
			to,
			"vertices %lld  overflow %lld  virtual_particles %lld  moves %lld  refinements %lld  coarsenings %lld\n",
			(long long)c->vertices, (long long)c->overflow, (long long)c->virtuals, (long long)c->moves,
			(long long)c->refinements, (long long)c->coarsenings);
	const feature_counts *f = &w->work.features, *of_walls = &w->work.wall_features;
	if (f->calls || of_walls->calls)
		fprintf(to,
				"feature_calls %lld  known %lld  renewed %lld  changes %lld  all_asked %lld  borders %lld\n"
				"wall_feature_calls %lld  all_asked %lld  borders %lld\n",
				(long long)f->calls, (long long)f->known, (long long)f->renewed, (long long)f->changes,
				(long long)f->all, (long long)f->borders, (long long)of_walls->calls, (long long)of_walls->all,
				(long long)of_walls->borders);
}

static void print_stages(FILE *to, const measured *o)
{
	const double *seconds = o->w->work.clock.seconds;
	double all = 0;
	for (int s = 0; s < CLOCK_STAGES; ++s) all += seconds[s];
	fprintf(to, "stage_seconds_per_step");
	for (int s = 0; s < CLOCK_STAGES; ++s)
		fprintf(to, "  %s %.6g", scree_clock_names[s], seconds[s] / (double)o->steps);
	fprintf(to, "\nshares");
	for (int s = 0; s < CLOCK_STAGES; ++s)
		fprintf(to, "  %s %.1f%%", scree_clock_names[s], all > 0 ? 100 * seconds[s] / all : 0);
}

static void print_machine(FILE *to, const state *s, const work *w)
{
	if (!w->device) return;
	const resident_counts c = scree_resident_counts(w);
	fprintf(to, "device_steps %lld  host_steps %lld  device_bytes_per_body %.6g  device %s\n", (long long)c.device,
			(long long)c.host, (double)c.bytes / s->body.count, scree_machine_label(c.on));
}

static void print_measured(FILE *to, const measured *o)
{
	const scree_world *w = o->w;
	print_speed(to, o);
	fprintf(to, "greatest_overlap_percent %.6g\n", 100 * w->work.greatest_overlap_ever);
	fprintf(to, "energy_residual_drift_joule %.6g  of_kinetic %.6g\n", o->after.residual - o->before.residual,
			o->after.kinetic);
	print_height(to, w);
	print_searches(to, w);
	fprintf(to, "search_seconds %.6g  searches %lld\n", o->search, (long long)(w->work.rebuilds - o->searches));
	print_rows(to, w);
	print_machine(to, &w->state, &w->work);
	fprintf(to, "bytes_per_body %.6g\n", (double)scree_memory_used() / w->state.body.count);
	print_stages(to, o);
	fprintf(to, "  rebuilds %lld\nhash %016llx\n", (long long)w->work.rebuilds,
			(unsigned long long)scree_world_hash(&w->model, &o->w->state, &o->w->work));
}

static void reset_counts(work *w)
{
	memset(&w->clock, 0, sizeof w->clock);
	memset(&scree_work_search(w)->count, 0, sizeof(broad_counts));
	memset(&w->features, 0, sizeof w->features);
	memset(&w->wall_features, 0, sizeof w->wall_features);
	w->greatest_overlap_ever = 0;
}

/* Stages of the scene begin and end as they do in a run. */
static scree_code measure(scree_sim *s, measured *o)
{
	scree_world *w = o->w;
	const double *broad = w->work.clock.seconds + CLOCK_BROAD, until_now = *broad;
	scree_code code = scree_sim_make_steps(s, 1);
	o->search = *broad - until_now;
	if (code || (code = scree_sim_make_steps(s, WARM_UP - 1))) return code;
	o->searches = w->work.rebuilds;
	o->collisions = w->state.impulse.collisions;
	o->before = scree_world_energy(&w->model, &w->state, &w->work);
	reset_counts(&w->work);
	const double began = scree_now(), processor = scree_processor_time();
	if ((code = scree_sim_make_steps(s, o->steps))) return code;
	o->seconds = scree_now() - began;
	o->processor = scree_processor_time() - processor;
	o->after = scree_world_energy(&w->model, &w->state, &w->work);
	return SCREE_DONE;
}

scree_code scree_in_bench(scree_sim *s, int64_t steps, int unsorted, const char **text)
{
	scree_code code = scree_sim_may_step(s);
	if (!code && s->out) code = scree_sim_refuse(s, "steps of a measurement have no outputs: close the outputs first");
	if (!code && steps < 1) code = scree_sim_refuse(s, "%lld steps, expected 1 or more", (long long)steps);
	if (!code) code = scree_sim_undivided(s);
	if (code) return code;
	measured o = {.w = s->w, .steps = steps};
	written_text t;
	const bool before = s->w->model.unsorted;
	s->w->model.unsorted = unsorted;
	code = measure(s, &o);
	s->w->model.unsorted = before;
	if (code) return code;
	print_measured(scree_text_begin(&t), &o);
	*text = scree_sim_keep_text(s, &t);
	return SCREE_DONE;
}
