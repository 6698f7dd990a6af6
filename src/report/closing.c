#include "report/closing.h"

#include "base/shown.h"
#include "broad/broad.h"
#include "broad/stage.h"
#include "guard/guard.h"
#include "narrow/stage.h"
#include "narrow/surface/surface.h"
#include "narrow/triangle/triangles.h"
#include "report/notes.h"
#include "report/stiffness.h"
#include "world/world.h"

/* printed where the guard did not stop the run: it only reports, or it is off */
static void print_energy(FILE *to, const scree_world *w)
{
	const energy_guard *g = &w->state.energy_guard;
	const guards *limits = &w->model.guard;
	if (!(limits->energy > 0)) {
		if (!w->model.solver) fprintf(to, "energy   was not checked (run.guard.energy: 0)\n");
		return;
	}
	if (!(g->worst > limits->energy)) return;
	fprintf(to, "energy   was not conserved: error of %.3g %% at t = %.6g s", 100 * g->worst, g->worst_time);
	if (limits->energy_reports)
		fprintf(to, "; a method that repeats a paper stops for this only if run.guard.energy is given");
	fprintf(to, "\n");
}

/* Prints the energy that implicit steps lost beyond the losses of the laws; warns if it is more than half of all
 * energy. */
static void print_method(FILE *to, const scree_world *w)
{
	static const real MUCH = (real)0.5;
	const energy_guard *g = &w->state.energy_guard;
	const energy_row e = scree_world_energy(&w->model, &w->state, &w->work);
	const real turned = real_max(real_max(e.lost, g->held), e.kinetic + e.springs);
	const real part = turned > 0 ? e.lost_method / turned : 0;
	if (e.lost_method == 0 || e.lost_method - e.lost_method != 0) return;
	fprintf(
		to,
		"method   implicit steps %s %.3g J themselves (lost_method), %.2g %% of the %.3g J that moved or were lost\n",
		part < 0 ? "made" : "lost", real_abs(e.lost_method), 100 * real_abs(part), turned);
	if (part > MUCH)
		fprintf(to,
				"warning: the implicit steps took %.2g %% of the energy, which the laws of contacts do not take: set "
				"run.step below %.3g s, or use run.response: forces; run.guard.method stops a run for this\n",
				100 * part, w->model.dt);
}

/* prints how bounds of distances of triangulated grains were proved */
static void print_surfaces(FILE *to, const scree_world *w)
{
	surface_counts c = scree_surfaces_counted(&w->work);
	bool any = false;
	for (int32_t k = 0; k < w->model.shape.count; ++k) any |= w->model.shape.row[k].type == SHAPE_SURFACE;
	if (!any) return;
	fprintf(to,
			"surfaces pairs of triangles: by trees %lld, surrogates %lld, planes %lld, slab %lld, Newton %lld, brute "
			"force %lld, thorough %lld, uncertified %lld\n",
			(long long)c.tree, (long long)c.surrogates, (long long)c.planes, (long long)c.slab, (long long)c.newton,
			(long long)c.brute, (long long)c.thorough, (long long)c.uncertified);
	const triangle_way_row *way = scree_triangle_ways + w->model.triangles.way;
	if (!way->proves)
		fprintf(to,
				"surfaces run.triangles: %s does not prove distances: contacts near the edge of a halo may be missed\n",
				way->name);
}

static void print_step(FILE *to, const scree_world *w)
{
	const step_load *o = &w->work.heaviest;
	if (scree_notes_unsafe(w))
		fprintf(to, "step     %.3g s, longer than the %.3g s known to be safe (run.step.unsafe)\n", w->model.dt,
				w->model.safe_step);
	if (scree_world_follows(&w->model) && w->model.dt < w->model.own_step)
		fprintf(to, "step     %.4g s at the end, shortened from %.4g s as contacts needed it\n", w->model.dt,
				w->model.own_step);
	if (!(o->part > 0)) return;
	fprintf(to, "step     at %.0f %% of its stability limit (body %llu, %lld contact%s, t = %.6g s)", 100 * o->part,
			(unsigned long long)o->id, (long long)o->contacts, o->contacts == 1 ? "" : "s", o->time);
	if (o->part > 1 && scree_world_follows(&w->model))
		fprintf(to, ": a shorter step followed");
	else if (o->part > 1)
		fprintf(to, ": beyond it, contacts may oscillate and gain energy; set run.step to %.2g s", o->dt / o->part);
	fprintf(to, "\n");
}

/* Prints overlaps beyond the range of the laws, and settings that would have kept them small. */
static void print_overlap(FILE *to, const scree_world *w)
{
	const deep_look *o = &w->work.deepest;
	if (!(o->part > 0)) return;
	const real part = real_max(w->work.greatest_overlap_ever, o->part);
	scree_print(to, "warning: overlap of %.3g %% of body %llu with ", 100 * part, (unsigned long long)o->body);
	if (o->wall >= 0)
		scree_print(to, "wall %s", w->model.wall.row[o->wall].name);
	else
		fprintf(to, "body %llu", (unsigned long long)o->other);
	fprintf(to, " at t = %.6g s: contact laws hold for overlaps of a few per cent; ", o->time);
	scree_stiffness_print(to, w, o->material, part, STIFFNESS_OF_BOTH);
	fprintf(to, "\n");
}

/* prints how often a response solved the problem of a body only in part, and momentum that this made or lost */
static void print_impulses(FILE *to, const scree_world *w)
{
	const impulses *o = &w->state.impulse;
	const real given = scree_fixed_value(o->given), unbalanced = scree_fixed_value(o->unbalanced);
	static const real ROUNDING = (real)1e-9;
	if (o->stopped || o->limited)
		fprintf(
			to,
			"impulses %lld times a body was stopped, because its contacts contradict each other, and %lld times its "
			"response was limited\n",
			(long long)o->stopped, (long long)o->limited);
	if (unbalanced > ROUNDING * given)
		fprintf(to, "impulses momentum was not conserved: bodies made or lost %.3g %% of the impulses between them\n",
				100 * unbalanced / given);
}

/* prints how well the contacts of implicit steps were solved */
static void print_solver(FILE *to, const scree_world *w)
{
	const impulses *o = &w->state.impulse;
	if (!(w->model.implicit || o->sweeps > 0) || w->state.step == 0) return;
	const double part = o->solved > 0 ? 100 * o->unsolved / o->solved : 0;
	if (w->state.step_from) /* some steps may have been by forces */
		fprintf(to, "solver   %lld sweeps; further sweeps would change %.2g %% of the impulses", (long long)o->sweeps,
				part);
	else
		fprintf(to, "solver   %.3g sweeps per step; further sweeps would change %.2g %% of the impulses",
				(double)o->sweeps / (double)w->state.step, part);
	if (o->capped) fprintf(to, "; %lld steps reached the most sweeps", (long long)o->capped);
	fprintf(to, "\n");
}

/* prints the time per stage, without stages that had less than 0.05 %, and counts of the searches for pairs */
static void print_stages(FILE *to, const scree_world *w)
{
	double all = 0;
	for (int s = 0; s < CLOCK_STAGES; ++s) all += w->work.clock.seconds[s];
	fprintf(to, "time per stage ");
	for (int s = 0; s < CLOCK_STAGES; ++s)
		if (w->work.clock.seconds[s] >= 5e-4 * all)
			fprintf(to, "  %s %.1f %%", scree_clock_names[s], all > 0 ? 100 * w->work.clock.seconds[s] / all : 0);
	const broad_counts *c = &scree_work_search(&w->work)->count;
	fprintf(to, "\nsearches for pairs %lld", (long long)w->work.rebuilds);
	if (c->comparisons) fprintf(to, ", %.4g comparisons", (double)c->comparisons);
	if (c->exchanges)
		fprintf(to, ", %.4g exchanges, %lld pairs added, %lld removed", (double)c->exchanges, (long long)c->adds,
				(long long)c->removes);
	if (c->unchanged) fprintf(to, ", %lld times unchanged", (long long)c->unchanged);
	if (c->vertices) fprintf(to, ", %lld vertices, %.4g moves", (long long)c->vertices, (double)c->moves);
	if (c->refinements)
		fprintf(to, ", %lld cells refined, %lld coarsened", (long long)c->refinements, (long long)c->coarsenings);
	if (c->overflow) fprintf(to, ", %lld bodies outside the grid", (long long)c->overflow);
	fprintf(to, "\n");
}

static void print_feature_calls(FILE *to, const char *what, const feature_counts *c)
{
	if (!c->calls) return;
	fprintf(to, "   %s %.6g calls", what, (double)c->calls);
	if (c->known)
		fprintf(to, ", %.3g %% with earlier features: %.3g changes per call", 100 * (double)c->known / (double)c->calls,
				(double)c->changes / (double)c->known);
	if (c->renewed) fprintf(to, ", kept for %.4g calls", (double)c->known / (double)c->renewed);
	fprintf(to, ", full tests %lld, border searches %lld", (long long)c->all, (long long)c->borders);
}

/* prints how closest features of polygons were found */
static void print_features(FILE *to, const scree_world *w)
{
	if (!w->work.features.calls && !w->work.wall_features.calls) return;
	fprintf(to, "features of polygons");
	print_feature_calls(to, "bodies", &w->work.features);
	print_feature_calls(to, "walls", &w->work.wall_features);
	fprintf(to, "\n");
}

/* Contacts push a packing apart that came to rest with softer ones. Their energy counts as brought. */
static void print_released(FILE *to, const scree_world *w, const energy_row *e, double lost)
{
	static const double PART = 0.01;
	const double held = scree_fixed_value(w->work.start.elastic);
	if (!w->model.implicit || !(held > 2 * real_abs(e->elastic) + PART * (lost + e->kinetic))) return;
	fprintf(
		to,
		"warning: contacts held %.3g J at the start, %.3g J at the end: bodies overlapped by more than this response "
		"lets them and were pushed apart; measure after they have come to rest again\n",
		held, e->elastic);
}

/* prints energies, the largest overlap and counts */
static void print_checks(FILE *to, scree_world *w)
{
	energy_row e = scree_world_energy(&w->model, &w->state, &w->work);
	scree_world_watch(&w->model, &w->state, &w->work);
	const double lost = e.lost_normal + e.lost_friction + e.lost_rolling + e.lost_method;
	if (e.residual - e.residual == 0 && e.made - e.made == 0 && lost - lost == 0)
		fprintf(to, "checks   energy residual %.3g J and geometry %.3g J of %.3g J lost", e.residual, e.made, lost);
	else
		fprintf(to, "checks   energies exceed the range of their sums");
	fprintf(to,
			"   greatest overlap %.3g %%   bodies %lld   "
			"left the domain %lld\n",
			100 * real_max(w->state.greatest.overlap, w->work.greatest_overlap_ever), (long long)scree_world_bodies(w),
			(long long)w->state.lost);
	print_released(to, w, &e, lost);
}

void scree_closing_print(FILE *to, scree_world *w, uint64_t hash)
{
	print_stages(to, w);
	print_features(to, w);
	print_checks(to, w);
	print_energy(to, w);
	print_method(to, w);
	print_overlap(to, w);
	scree_closing_print_servos(to, w);
	print_impulses(to, w);
	print_solver(to, w);
	print_surfaces(to, w);
	print_step(to, w);
	scree_notes_close_sources(to, w);
	scree_notes_close_sinks(to, w);
	fprintf(to, "hash %016llx\n", (unsigned long long)hash);
}
