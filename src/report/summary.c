/* summary: prints the content of a scene or snapshot, before a run and for a check. */
#include "report/notes.h"

#include "base/parallel.h"
#include "broad/broad.h"
#include "model/law.h"
#include "model/response.h"
#include "prepare/prepare.h"
#include "shape/shape_forms.h"
#include "population/population.h"
#include "world/world.h"

/* "13 spheres, 47 polyhedra"; kinds in the plane and rare kinds are printed only if there are any */
static void print_shapes(FILE *to, const scree_world *w)
{
	int64_t count[SHAPE_TYPES] = {0};
	const char *between = "";
	for (int32_t i = 0; i < w->state.body.owned; ++i) ++count[w->model.shape.row[w->state.body.shape[i]].type];
	for (int k = 0; k < SHAPE_TYPES; ++k) count[k] = scree_world_sum(w, count[k]);
	if (w->model.flat && !scree_world_bodies(w)) fprintf(to, "no bodies");
	for (int k = 0; k < SHAPE_TYPES; ++k) {
		const char *name = w->model.flat ? scree_shape_forms[k].in_plane : scree_shape_forms[k].in_space;
		if (!name || ((w->model.flat || scree_shape_forms[k].rare) && !count[k])) continue;
		fprintf(to, "%s%lld %s", between, (long long)count[k], name);
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

/* the step as a fraction or multiple of the shortest contact time; text: [32] */
static const char *part_text(const scree_world *w, char *text)
{
	const real part = w->model.dt / w->model.contact_time;
	if (part < (real)0.5)
		snprintf(text, 32, "1/%.0f of", 1 / part);
	else
		snprintf(text, 32, "%.3g times", part);
	return text;
}

/* prints the step and its relation to the contact time */
static void print_step(FILE *to, const scree_world *w)
{
	char a[32], b[32], part[32];
	fprintf(to, "step %s", time_text(w->model.dt, a));
	if (w->model.contact_time > 0)
		scree_print(to, " (%s the shortest contact, %s: %s + %s)", part_text(w, part),
					time_text(w->model.contact_time, b), w->model.material.row[w->model.stiffest[0]].name,
					w->model.material.row[w->model.stiffest[1]].name);
}

void scree_summary_print_run(FILE *to, const scree_world *w)
{
	print_shapes(to, w);
	fprintf(to, " (%d shapes), %d walls, %d materials, %d sources, %d sinks\n", w->model.shape.count,
			w->model.wall.count, w->model.material.count, w->model.population.sources, w->model.population.sinks);
	print_step(to, w);
	fprintf(to, "   threads %d   memory %.1f MB   broad phase %s\n", scree_threads(), (double)scree_memory_used() / 1e6,
			w->model.search->name);
}

/* The durations of contacts and flow are compared, since the choice of a response should depend on their ratio. */

static const real STEPS_OF_FLOW = 10; /* least number of implicit steps in which a body moves by its size */

/* diameter of the smallest body, in m, including bodies that sources will add; 0 if there are none */
static real smallest_diameter(const scree_world *w)
{
	real least = INFINITY;
	for (int32_t i = 0; i < w->state.body.owned; ++i)
		if (w->state.body.inv_mass[i] > 0) least = real_min(least, 2 * w->state.body.round[i]);
	for (int32_t k = 0; k < w->model.population.sources; ++k)
		least = real_min(least, 2 * scree_source_smallest(&w->model, w->model.population.source + k));
	return least < INFINITY ? least : 0;
}

/* largest speed, in m/s, of walls that move for at least a tenth of the run, since a gate that opens is not a flow */
static real wall_speed(const model *m, real until)
{
	real most = 0;
	for (int32_t k = 0; k < m->wall.count; ++k) {
		const wall *o = m->wall.row + k;
		real moves = 0;
		for (int32_t i = 0; i <= o->parts; ++i) {
			const wall_motion *by = wall_motion_of(o, i);
			moves += real_max(real_min(by->until, until) - real_max(by->from, 0), 0);
		}
		if (o->motion.type != MOTION_STILL && 10 * moves >= until)
			most = real_max(most, scree_wall_speed(m->wall.row + k));
	}
	return most;
}

/* time in s in which a body moves by its size, in a fall or at the speed of bodies or walls; infinite without motion */
static real flow_time(const scree_world *w, real diameter, real until)
{
	const real g = v3_norm(w->model.gravity), fall = g > 0 ? sqrt(diameter / g) : INFINITY;
	const real speed = real_max(scree_world_greatest_speed(&w->state, &w->work), wall_speed(&w->model, until));
	return speed > 0 ? real_min(fall, diameter / speed) : fall;
}

static const real DAY = 86400;

/* time on one core, in s, per body of a pile and force-based step (docs/scaling.md; measured with 500 bodies). Bodies
 * in flight take a tenth of this time. */
static real seconds_of(shape_type type)
{
	switch (type) {
	case SHAPE_SPHERE:
		return (real)1.5e-7;
	case SHAPE_CLUMP:
		return (real)5e-7;
	case SHAPE_COMPOUND:
	case SHAPE_SURFACE:
		return (real)1e-5;
	default:
		return (real)2e-6;
	}
}

/* time per step, in s, in addition to the time for bodies; and the time for a solver, in s, per body and step */
static const real STEP_SECONDS = (real)2e-6, SOLVER_SECONDS = (real)4e-6;

/* bodies in all parts of the world, plus half of those that sources will add, which is their mean over the run */
typedef struct run_cost {
	real bodies, forces; /* forces: time of a force-based step for all bodies, in s */
} run_cost;

static run_cost cost_of(const scree_world *w, real until)
{
	const model *m = &w->model;
	int64_t count[SHAPE_TYPES] = {0};
	run_cost c = {0};
	for (int32_t i = 0; i < w->state.body.owned; ++i) ++count[m->shape.row[w->state.body.shape[i]].type];
	for (int k = 0; k < SHAPE_TYPES; ++k) {
		const real all = (real)scree_world_sum(w, count[k]);
		c.bodies += all, c.forces += all * seconds_of((shape_type)k);
	}
	for (int32_t k = 0; k < m->population.sources; ++k) {
		const source *o = m->population.source + k;
		const real due = (real)(scree_source_expected(o, w->state.source + k, until) - w->state.source[k].made) / 2;
		c.bodies += due;
		for (int32_t p = 0; p < o->parts; ++p)
			c.forces += due / (real)o->parts * seconds_of(m->shape.row[o->part[p].shape].type);
	}
	return c;
}

static real seconds_by(const run_cost *c, real steps, bool solves)
{
	return steps * (STEP_SECONDS + c->forces + (solves ? SOLVER_SECONDS * c->bodies : 0));
}

static void print_time(FILE *to, real s)
{
	const real minute = 60, hour = 3600;
	if (s < 1)
		fprintf(to, "less than a second");
	else if (s < 2 * minute)
		fprintf(to, "some %.0f s", s);
	else if (s < 2 * hour)
		fprintf(to, "some %.0f min", s / minute);
	else if (s < 2 * DAY)
		fprintf(to, "some %.0f h", s / hour);
	else
		fprintf(to, "some %.3g days", s / DAY);
}

void scree_clocks_print_time(FILE *to, const scree_world *w, real until)
{
	const run_cost c = cost_of(w, until);
	const real steps = (until - w->state.time) / w->model.dt;
	if (!(c.bodies >= 1 && steps >= 1 && w->model.dt > 0)) return;
	fprintf(to, "time: ");
	print_time(to, seconds_by(&c, steps, w->model.implicit || w->model.solver));
	fprintf(to, " of one core, as an estimate, without files and pictures: %.3g steps of %.0f bodies\n", steps,
			c.bodies);
}

static const char *mark(bool own) { return own ? " (this scene)" : ""; }

static void print_responses(FILE *to, const scree_world *w, real implicit, real hard)
{
	const bool steps = w->model.implicit && !w->model.hard;
	fprintf(to, ", %.0f by response: implicit%s, %.0f by hard%s; scree compare shows whether they agree", implicit,
			mark(steps), hard, mark(w->model.hard));
}

/* Prints that contacts last too long for implicit steps. The advice depends on the scene's response, and on whether
 * force-based steps can finish the run. */
static void print_waves(FILE *to, const scree_world *w, real seconds)
{
	const bool finishes = seconds < DAY;
	fprintf(to, "; contacts are not short compared with the flow, so their waves and restitution matter: ");
	if (finishes && !w->model.implicit) {
		fprintf(to, "keep response: forces");
		return;
	}
	fprintf(to, w->model.implicit ? "response: forces resolves them" : "forces resolve them");
	if (finishes) return;
	fprintf(to, ", but would take ");
	print_time(to, seconds);
	fprintf(to, " of one core: compare the responses in a shorter or smaller run (scree compare)");
}

/* Proposes implicit steps if they last at least as long as a contact and are short compared with the flow. Uses the
 * step of the scene's own response, and the default steps of other responses. */
static void print_advice(FILE *to, const scree_world *w, real diameter, real flow, real until, real seconds)
{
	const model *m = &w->model;
	const real step = scree_implicit_step(m, diameter, false), hard = scree_implicit_step(m, diameter, true);
	if (step >= m->contact_time && STEPS_OF_FLOW * step <= flow)
		print_responses(to, w, until / (m->implicit && !m->hard ? m->dt : step), until / (m->hard ? m->dt : hard));
	else
		print_waves(to, w, seconds);
}

/* Prints the durations of contacts, flow and run and a proposed response, unless bodies do not touch or do not move. */
static void print_clocks(FILE *to, const scree_world *w, real until)
{
	const model *m = &w->model;
	const real diameter = smallest_diameter(w), flow = flow_time(w, diameter, until);
	const real step = m->implicit ? m->usual_step : m->dt;
	if (!(m->contact_time > 0 && diameter > 0 && flow < INFINITY && until > 0)) return;
	const run_cost cost = cost_of(w, until);
	fprintf(to, "clocks: contact %.2g s, flow %.2g s, run %.3g s: %.0f steps by forces%s", m->contact_time, flow, until,
			until / step, mark(!m->implicit));
	print_advice(to, w, diameter, flow, until, seconds_by(&cost, until / step, false));
	fprintf(to, "\n");
}

static void print_forces(FILE *to, const scree_world *w, real until)
{
	char part[32];
	if (w->model.contact_time > 0) {
		fprintf(to, "step %.4g s (%s the shortest contact, %s + %s, %.4g s), %.0f steps until %g s\n", w->model.dt,
				part_text(w, part), w->model.material.row[w->model.stiffest[0]].name,
				w->model.material.row[w->model.stiffest[1]].name, w->model.contact_time, until / w->model.dt, until);
		const real known = scree_world_known_step(&w->model);
		if (!w->model.implicit)
			fprintf(to, "steps up to %.3g s are known to be safe%s\n", known,
					w->model.dt > known ? "; the end of the run reports how close a longer step came to its limit"
										: "");
	} else if (until > 0) {
		fprintf(to, "step %.4g s, %.0f steps until %g s; no bodies or walls can touch\n", w->model.dt,
				until / w->model.dt, until);
	} else { /* the step has no meaning */
		fprintf(to, "no steps; no bodies or walls can touch\n");
	}
	print_clocks(to, w, until);
	if (w->model.halo_step < INFINITY) fprintf(to, "halos are safe for steps up to %.3g s\n", w->model.halo_step);
	if (w->work.start.coarsest > 0)
		fprintf(to, "force resolution %.2g N, %.1g of the weight of the lightest body\n", w->work.start.quantum,
				w->work.start.coarsest);
	else if (w->work.start.quantum > 0)
		fprintf(to, "force resolution %.2g N\n", w->work.start.quantum);
	fprintf(to, "pairs of materials:\n");
	for (int32_t a = 0; a < w->model.material.count; ++a) {
		for (int32_t b = a; b < w->model.material.count; ++b) {
			const contact_rule *r = scree_materials_rule(&w->model.material, a, b);
			const law_constants *c = w->model.constants + a * w->model.material.count + b;
			if (c->law == LAW_POWER) {
				fprintf(to, "  %s + %s: law power, %g N/m^1.5, damping %g N s/m^%g, tangential %g N s/m, friction %g\n",
						w->model.material.row[a].name, w->model.material.row[b].name, c->stiffness, c->damping,
						1 + c->exponent / 4, c->shear, c->friction);
				continue;
			}
			fprintf(to, "  %s + %s: law %s, restitution %g (damping ratio %.6g), friction %g, rolling friction %g\n",
					w->model.material.row[a].name, w->model.material.row[b].name, scree_laws[c->law].name,
					r->restitution, c->damping, c->friction, c->rolling);
		}
	}
}

static void print_impulses(FILE *to, const scree_world *w, real until)
{
	fprintf(to, "step %.4g s, in which a body at %.4g m/s moves 1/20 of the smallest diameter, %.0f steps until %g s\n",
			w->model.dt, w->model.longest / 10 / w->model.dt, until / w->model.dt, until);
	fprintf(to, "impulses by run.response: %s, pairs of materials:\n", w->model.solver->name);
	for (int32_t a = 0; a < w->model.material.count; ++a)
		for (int32_t b = a; b < w->model.material.count; ++b) {
			const contact_rule *r = scree_materials_rule(&w->model.material, a, b);
			fprintf(to, "  %s + %s: restitution %g", w->model.material.row[a].name, w->model.material.row[b].name,
					r->restitution);
			if (w->model.solver->rubs) fprintf(to, ", friction %g", r->friction);
			fprintf(to, "\n");
		}
}

void scree_summary_print_check(FILE *to, const scree_world *w, real until)
{
	fprintf(to, "%d bodies, %d shapes, %d walls, %d materials, %d sources, %d sinks\n", w->state.body.count,
			w->model.shape.count, w->model.wall.count, w->model.material.count, w->model.population.sources,
			w->model.population.sinks);
	if (w->model.solver)
		print_impulses(to, w, until);
	else
		print_forces(to, w, until);
	scree_clocks_print_time(to, w, until);
}
