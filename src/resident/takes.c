/* takes: refuses worlds for which a device has no kernels, with the name of what is missing. */
#include "resident/blocks.h"

#include "model/integrator.h"
#include "model/model.h"
#include "model/narrow.h"
#include "model/response.h"
#include "model/sources.h"
#include "state/state.h"
#include "wall/forms.h"

/* What a device lacks, and where the world has it: the name of a key or of a thing, or NULL. */
typedef struct lack {
	const char *what, *where;
} lack;

static const char *some(bool is, const char *where) { return is ? where : NULL; }

static const char *other_form(const walls *s)
{
	for (int32_t k = 0; k < s->count; ++k)
		if (!scree_wall_forms[s->row[k].type].on_devices) return scree_wall_forms[s->row[k].type].name;
	return NULL;
}

static bool any_bonds(const materials *m)
{
	for (int32_t k = 0; k < m->count * m->count; ++k)
		if (m->rule[k].bond.tension > 0) return true;
	return false;
}

typedef bool shape_fn(const shape *s);

static bool is_odd(const shape *s) { return s->type != SHAPE_SPHERE && s->type != SHAPE_CONVEX; }
static bool is_solid(const shape *s) { return s->type == SHAPE_CONVEX; }
static bool is_large(const shape *s) { return is_solid(s) && !scree_resident_holds(s); }

/* also among the bodies that sources will add */
static const char *shape_that(const model *m, const bodies *b, shape_fn *is)
{
	for (const source *o = m->population.source; o < m->population.source + m->population.sources; ++o)
		for (int32_t k = 0; k < o->parts; ++k)
			if (is(m->shape.row + o->part[k].shape)) return m->shape.row[o->part[k].shape].name;
	for (int32_t i = 0; i < b->owned; ++i)
		if (is(m->shape.row + b->shape[i])) return m->shape.row[b->shape[i]].name;
	return NULL;
}

/* Parts of a body at several planes are only cut by the smaller kernels. */
static bool large_in_parts(const model *m)
{
	const bool parts = scree_solids_at_tubes(m) || scree_solids_at_facets(m);
	return m->narrow->gives == OVERLAP_THICKNESS && parts && scree_solids_large(m);
}

bool scree_resident_takes(const model *m, const state *s, bool divided, const char *machine, fail *why)
{
	const bool solids = shape_that(m, &s->body, is_solid) != NULL;
	const lack all[] = {
		{"worlds of dimension", some(m->flat, "2")},
		{"run.response:", some(m->solver || m->implicit, m->response->name)},
		{"run.integrator:", some(!m->integrator->standard, m->integrator->name)},
		{"cells that change size", some(m->period.deforms, "")},
		{"periodic space on several ranks", some(m->period.on && divided, "")},
		{"walls of the form", other_form(&m->wall)},
		{"walls moved by forces on several ranks", some(divided && scree_walls_driven(&m->wall), "")},
		{"fluid", some(m->fluid.on, "")},
		{"heat conduction", some(m->heat, "")},
		{"bonds", some(any_bonds(&m->material), "")},
		{"planes that count bodies", some(m->flow.count, "")},
		{"functions of a program that add forces", some(m->applied, "")},
		{"shapes other than spheres and polyhedra, such as", shape_that(m, &s->body, is_odd)},
		{"polyhedra with more than 64 faces or vertices, such as", shape_that(m, &s->body, is_large)},
		{"polyhedra in run.narrow_phase:", some(solids && !m->narrow->kernels, m->narrow->name)},
		{"polyhedra with more than 32 faces at round walls or facets by overlap",
		 some(solids && large_in_parts(m), "")},
		{"polyhedra in periodic space", some(solids && m->period.on, "")},
		{"polyhedra on several ranks", some(solids && divided, "")},
	};
	for (size_t k = 0; k < sizeof all / sizeof *all; ++k)
		if (all[k].where)
			return scree_refuse(why, "machine %s has no kernels for %s%s%s: use machine cpu", machine, all[k].what,
								*all[k].where ? " " : "", all[k].where);
	return true;
}
