/* takes: tests whether a solver supports a world. Scenes are checked earlier, with messages that give line and column
 * (src/scene/check_run.c); this test is for worlds built without a scene. */
#include "model/response.h"

#include "kernel/cohesion.h"
#include "model/integrator.h"
#include "model/narrow.h"
#include "model/sources.h"
#include "world/world.h"

static bool rules_supported(const model *m, fail *why)
{
	const materials *all = &m->material;
	const char *name = m->solver->name;
	for (int32_t k = 0; k < all->count * all->count; ++k) {
		const contact_rule *r = all->rule + k;
		const char *a = all->row[k / all->count].name, *b = all->row[k % all->count].name;
		const char *odd = r->rolling_friction > 0 || r->twisting_friction > 0 ? "rolling and twisting friction"
						  : r->friction > 0 && !m->solver->rubs				  ? "friction"
						  : r->cohesion != COHESION_NONE					  ? "cohesion"
																			  : NULL;
		if (odd)
			return scree_fail(why, FAIL_INPUT, "contact of %s with %s: the response %s does not support %s", a, b, name,
							  odd);
		if (!(r->restitution >= 0 && r->restitution <= 1))
			return scree_fail(why, FAIL_INPUT, "contact of %s with %s: a restitution of %g, expected 0 to 1", a, b,
							  r->restitution);
	}
	return true;
}

static const char *shapes_of(const model *m)
{
	return m->solver->polyhedra ? "spheres and convex polyhedra" : "spheres";
}

static bool shape_is_supported(const model *m, int32_t row, fail *why)
{
	const shape *form = m->shape.row + row;
	if (form->type == SHAPE_SPHERE || (form->type == SHAPE_CONVEX && m->solver->polyhedra)) return true;
	return scree_fail(why, FAIL_INPUT, "the response %s supports %s only, but there are bodies of shape '%s'",
					  m->solver->name, shapes_of(m), form->name);
}

static bool shapes_supported(const model *m, const state *s, fail *why)
{
	for (int32_t i = 0; i < s->body.count; ++i)
		if (!shape_is_supported(m, s->body.shape[i], why)) return false;
	for (int32_t k = 0; k < m->population.sources; ++k)
		for (int32_t p = 0; p < m->population.source[k].parts; ++p)
			if (!shape_is_supported(m, m->population.source[k].part[p].shape, why)) return false;
	return true;
}

bool scree_solver_takes(const model *m, const state *s, const work *w, fail *why)
{
	(void)w;
	const char *name = m->solver->name;
	if (m->fluid.on) return scree_fail(why, FAIL_INPUT, "the response %s does not support a fluid", name);
	if (!m->integrator->standard)
		return scree_fail(why, FAIL_INPUT,
						  "the response %s moves bodies along parabolas and does not support the integrator %s", name,
						  m->integrator->name);
	if (m->narrow->gives != OVERLAP_DEPTH || m->narrow->literal)
		return scree_fail(
			why, FAIL_INPUT,
			"the response %s supports %s only, with overlap depths, which the narrow phase %s does not compute", name,
			shapes_of(m), m->narrow->name);
	for (int32_t k = 0; k < m->wall.count; ++k)
		if (motion_is_driven(m->wall.row[k].motion.type))
			return scree_fail(why, FAIL_INPUT,
							  "wall %s: a servo or a free wall needs contact forces, but the response %s has none",
							  m->wall.row[k].name, name);
	return rules_supported(m, why) && shapes_supported(m, s, why);
}
