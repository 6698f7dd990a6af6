#include "report/notes.h"

#include "broad/broad.h"
#include "broad/stage.h"
#include "guard/guard.h"
#include "narrow/stage.h"
#include "narrow/surface/surface.h"
#include "narrow/triangle/triangles.h"
#include "world/world.h"

/* printed if the guard did not stop the run, because it only reports or is off */
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

/* Prints energy that implicit steps lost beyond the losses of contact laws; warns above half of all energy. */
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
		"method   implicit steps %s %.3g J on their own (lost_method), %.2g %% of the %.3g J that moved or were lost\n",
		part < 0 ? "made" : "lost", real_abs(e.lost_method), 100 * real_abs(part), turned);
	if (part > MUCH)
		fprintf(to,
				"warning: the implicit steps took %.2g %% of the energy in addition to the losses of the contact laws: "
				"set run.step below %.3g s, or use run.response: forces; run.guard.method stops a run for this\n",
				100 * part, w->model.dt);
}

/* prints the methods that proved bounds on distances between triangulated grains */
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
		fprintf(to, "step     %.4g s at the end, shortened from %.4g s because contacts required it\n", w->model.dt,
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

/* Prints overlaps beyond the range of the laws, and settings that would have kept these overlaps small. */
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

/* prints how often a response solved a body's problem only approximately, and the momentum thus created or lost */
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

/* prints how accurately the contacts of implicit steps were solved */
static void print_solver(FILE *to, const scree_world *w)
{
	const impulses *o = &w->state.impulse;
	if (!(w->model.implicit || o->sweeps > 0) || w->state.step == 0) return;
	const double part = o->solved > 0 ? 100 * o->unsolved / o->solved : 0;
	if (w->state.step_from) /* some steps may have used forces */
		fprintf(to, "solver   %lld sweeps; further sweeps would change %.2g %% of the impulses", (long long)o->sweeps,
				part);
	else
		fprintf(to, "solver   %.3g sweeps per step; further sweeps would change %.2g %% of the impulses",
				(double)o->sweeps / (double)w->state.step, part);
	if (o->capped) fprintf(to, "; %lld steps reached the maximum number of sweeps", (long long)o->capped);
	fprintf(to, "\n");
}

/* prints the time spent in each stage of a step, except stages below 0.05 %, and counts of pair searches */
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

/* Warns about a packing that was at rest with softer contacts and was pushed apart. The initial energy of its contacts
 * counts as energy brought into the world. */
static void print_released(FILE *to, const scree_world *w, const energy_row *e, double lost)
{
	static const double PART = 0.01;
	const double held = scree_fixed_value(w->work.start.elastic);
	if (!w->model.implicit || !(held > 2 * real_abs(e->elastic) + PART * (lost + e->kinetic))) return;
	fprintf(to,
			"warning: contacts held %.3g J at the start, %.3g J at the end: bodies overlapped by more than this "
			"response allows and were pushed apart; measure after they have come to rest again\n",
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

/* Loads on walls and cells with a servo, compared with the loads prescribed by the scene. */

/* error of a mean that is worth a warning, and fraction of the target below which a force counts as never reached */
static const real WORTH_WARNING = (real)0.05, ENOUGH = (real)0.9;

static bool is_servo(const wall *o) { return o->motion.type == MOTION_SERVO || o->motion.type == MOTION_TORQUE; }
static bool turns(const wall *o) { return o->motion.type == MOTION_TORQUE; }

static const char *more_or_less(real error) { return error > 0 ? "more" : "less"; }

/* prints a warning for a servo whose force was never reached */
static void print_short(FILE *to, const scree_world *w, const wall *o, const servo_state *s)
{
	const char *key = turns(o) ? "max_angular_velocity" : "max_speed", *unit = turns(o) ? "rad/s" : "m/s";
	const servo_rule *r = &o->motion.servo;
	if (!(w->state.time > o->motion.from) || !s->heard) return;
	scree_print(to, "warning: servo %s did not reach its %s: at most %.3g of %.4g %s, after %.3g %s", o->name,
				turns(o) ? "torque" : "force", s->reached * r->force, r->force, turns(o) ? "N m" : "N",
				real_abs(s->way), turns(o) ? "rad" : "m");
	if (s->way >= r->high || s->way <= r->low)
		fprintf(to, "; it is at the end of its travel\n");
	else if (!s->contacts)
		fprintf(to, "; it touches nothing: raise %s (%.3g %s), run longer, or start closer to the bodies\n", key,
				o->servo.max_speed, unit);
	else
		fprintf(to, "; %s is %.3g %s\n", key, o->servo.max_speed, unit);
}

/* prints the mean force of a servo since it first reached its target, and the error of this mean */
static void print_mean(FILE *to, const wall *o, const servo_state *s)
{
	const real error = s->given / s->asked - 1, force = o->motion.servo.force;
	scree_print(to, "servo    %s: %.4g of %.4g %s on average since the target was first reached (%+.2g %%)\n", o->name,
				(1 + error) * force, force, turns(o) ? "N m" : "N", 100 * error);
	if (real_abs(error) <= WORTH_WARNING) return;
	scree_print(to,
				"warning: servo %s carried %.2g %% %s than prescribed: its %s (%.3g %s) or its travel may be too small "
				"for the motion of the bodies, or the run too short\n",
				o->name, 100 * real_abs(error), more_or_less(error), turns(o) ? "max_angular_velocity" : "max_speed",
				o->servo.max_speed, turns(o) ? "rad/s" : "m/s");
}

/* prints the mean stress of a cell along an axis that has a servo */
static void print_stress(FILE *to, const scree_world *w, int32_t d)
{
	const images *now = &w->state.images;
	const real asked = v3_part(now->asked, d), goal = v3_part(scree_cell_goal(&w->model.cell, w->state.time), d);
	const char axis = "xyz"[d];
	if (!(asked > 0)) {
		if (w->state.step > 0)
			fprintf(to, "warning: the servo of the cell did not reach %.4g Pa along %c: max_rate is %.3g 1/s\n", goal,
					axis, w->model.cell.limit);
		return;
	}
	const real error = v3_part(now->given, d) / asked - 1;
	fprintf(to, "servo    cell along %c: %.4g of %.4g Pa on average since the target was first reached (%+.2g %%)\n",
			axis, (1 + error) * goal, goal, 100 * error);
	if (real_abs(error) > WORTH_WARNING)
		fprintf(to,
				"warning: the cell held %.2g %% %s than the prescribed stress along %c: world.servo.max_rate (%.3g "
				"1/s) may be too small for the strain rates of the other axes, or the run too short\n",
				100 * real_abs(error), more_or_less(error), axis, w->model.cell.limit);
}

void scree_closing_print_servos(FILE *to, const scree_world *w)
{
	for (int32_t k = 0; k < w->model.wall.count; ++k) {
		const wall *o = w->model.wall.row + k;
		const servo_state *s = &w->state.wall[k].servo;
		if (!is_servo(o) || o->removed) continue;
		if (s->reached < ENOUGH)
			print_short(to, w, o, s);
		else if (s->asked > 0)
			print_mean(to, o, s);
	}
	for (int32_t d = 0; d < 3; ++d)
		if (w->model.period.deforms && w->model.cell.servo[d]) print_stress(to, w, d);
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
