/* takes: refuses worlds for which a device has no kernels, with the name of what is missing. */
#include "resident/resident.h"

#include "kernel/convex_rows.h"
#include "model/integrator.h"
#include "model/model.h"
#include "model/narrow.h"
#include "model/response.h"
#include "ranks/together/domain.h"
#include "state/state.h"
#include "work/work.h"

/* What a device lacks, and where the world has it: the name of a key or of a thing, or NULL. */
typedef struct lack {
	const char *what, *where;
} lack;

static const char *some(bool is, const char *where) { return is ? where : NULL; }

static bool any_bonds(const materials *m)
{
	for (int32_t k = 0; k < m->count * m->count; ++k)
		if (m->rule[k].bond.tension > 0) return true;
	return false;
}

typedef bool shape_fn(const shape *s);

static bool is_odd(const shape *s) { return s->type != SHAPE_SPHERE && s->type != SHAPE_CONVEX; }
static bool is_solid(const shape *s) { return s->type == SHAPE_CONVEX; }
static bool is_large(const shape *s)
{
	return is_solid(s) && (s->faces > ROWS_FACES || s->vertices > ROWS_VERTICES || s->corners > ROWS_CORNERS);
}

static const char *shape_that(const model *m, const bodies *b, shape_fn *is)
{
	for (int32_t i = 0; i < b->owned; ++i)
		if (is(m->shape.row + b->shape[i])) return m->shape.row[b->shape[i]].name;
	return NULL;
}

static bool any_held(const bodies *b)
{
	for (int32_t i = 0; i < b->owned; ++i)
		if (b->inv_mass[i] == 0) return true;
	return false;
}

typedef bool wall_fn(const wall *w);

static bool is_facets(const wall *w) { return w->type == WALL_FACETS; }
static bool is_round(const wall *w) { return w->type != WALL_FACETS && w->type != WALL_PLANE; }
static bool is_two_sided(const wall *w) { return w->two_sided; }
static bool is_driven(const wall *w) { return motion_is_driven(w->motion.type); }

static const char *wall_that(const model *m, wall_fn *is)
{
	for (int32_t k = 0; k < m->wall.count; ++k)
		if (is(m->wall.row + k)) return m->wall.row[k].name;
	return NULL;
}

bool scree_resident_takes(const model *m, const state *s, const work *w, const char *machine, fail *why)
{
	const lack all[] = {
		{"worlds of dimension", some(m->flat, "2")},
		{"run.response:", some(m->solver || m->implicit, m->response->name)},
		{"run.integrator:", some(!m->integrator->standard, m->integrator->name)},
		{"world.periodic", some(m->period.on, "")},
		{"fluid", some(m->fluid.on, "")},
		{"heat conduction", some(m->heat, "")},
		{"bonds", some(any_bonds(&m->material), "")},
		{"sources", some(m->population.sources, "")},
		{"sinks", some(m->population.sinks, "")},
		{"planes that count bodies", some(m->flow.count, "")},
		{"functions of a program that add forces", some(m->applied, "")},
		{"several ranks", some(w->domain.by->refresh, "")},
		{"shapes other than spheres and polyhedra, such as", shape_that(m, &s->body, is_odd)},
		{"polyhedra with more than 64 faces or vertices, such as", shape_that(m, &s->body, is_large)},
		{"run.narrow_phase:", some(shape_that(m, &s->body, is_solid) && !m->narrow->kernels, m->narrow->name)},
		{"held bodies", some(any_held(&s->body), "")},
		{"walls of facets, such as", wall_that(m, is_facets)},
		{"round walls, such as", wall_that(m, is_round)},
		{"walls with two sides, such as", wall_that(m, is_two_sided)},
		{"walls moved by forces, such as", wall_that(m, is_driven)},
	};
	for (size_t k = 0; k < sizeof all / sizeof *all; ++k)
		if (all[k].where)
			return scree_refuse(why, "machine %s has no kernels for %s%s%s: use machine cpu", machine, all[k].what,
								*all[k].where ? " " : "", all[k].where);
	return true;
}
