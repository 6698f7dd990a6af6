/* summary: what a scene or a snapshot holds, before a run and for a check. */
#include "report/notes.h"

#include "base/memory.h"
#include "base/parallel.h"
#include "base/shown.h"
#include "broad/broad.h"
#include "model/law.h"
#include "model/response.h"
#include "prepare/prepare.h"
#include "shape/shape_forms.h"

/* "13 spheres, 47 polyhedra"; kinds in the plane and bodies of parts only if there are any */
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

/* the step as a part or a multiple of the shortest contact time; text: [32] */
static const char *part_text(const scree_world *w, char *text)
{
	const real part = w->model.dt / w->model.contact_time;
	if (part < (real)0.5)
		snprintf(text, 32, "1/%.0f of", 1 / part);
	else
		snprintf(text, 32, "%.3g times", part);
	return text;
}

/* the step and how it follows from the contacts */
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

/* ------------------------------------------------------------------ check */

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
					w->model.dt > known ? "; the end of the run reports how near to its limit a longer one came" : "");
	} else if (until > 0) {
		fprintf(to, "step %.4g s, %.0f steps until %g s; no bodies or walls can touch\n", w->model.dt,
				until / w->model.dt, until);
	} else { /* the step has no meaning */
		fprintf(to, "no steps; no bodies or walls can touch\n");
	}
	scree_clocks_print(to, w, until);
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
