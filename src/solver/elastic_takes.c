/* elastic_takes: which worlds the solver elastic can have. Scenes are asked the same before, by line and column
 * (src/scene/check_response.c); this is for worlds that are built without one. */
#include "solver/solver.h"

#include "kernel/cohesion.h"
#include "world/world.h"

static bool rules_fit(const scree_world *w, fail *why)
{
	const materials *m = &w->material;
	for (int32_t k = 0; k < m->count * m->count; ++k) {
		const contact_rule *r = m->rule + k;
		const char *a = m->row[k / m->count].name, *b = m->row[k % m->count].name;
		if (r->friction > 0 || r->rolling_friction > 0 || r->twisting_friction > 0)
			return scree_fail(why, FAIL_INPUT, "contact of %s with %s: the solver elastic knows no friction", a, b);
		if (r->cohesion != COHESION_NONE)
			return scree_fail(why, FAIL_INPUT, "contact of %s with %s: the solver elastic knows no cohesion", a, b);
		if (!(r->restitution >= 0 && r->restitution <= 1))
			return scree_fail(why, FAIL_INPUT, "contact of %s with %s: a restitution of %g, expected 0 .. 1", a, b,
							  r->restitution);
	}
	return true;
}

static bool shape_fits(const scree_world *w, int32_t row, fail *why)
{
	const shape *s = w->shape.row + row;
	return s->type == SHAPE_SPHERE ||
		   scree_fail(why, FAIL_INPUT, "the solver elastic knows balls only, and there are bodies of the shape '%s'",
					  s->name);
}

static bool shapes_fit(const scree_world *w, fail *why)
{
	for (int32_t i = 0; i < w->body.count; ++i)
		if (!shape_fits(w, w->body.shape[i], why)) return false;
	for (int32_t k = 0; k < w->people.sources; ++k)
		for (int32_t p = 0; p < w->people.source[k].parts; ++p)
			if (!shape_fits(w, w->people.source[k].part[p].shape, why)) return false;
	return true;
}

bool scree_elastic_takes(const scree_world *w, fail *why)
{
	if (w->fluid.on) return scree_fail(why, FAIL_INPUT, "the solver elastic knows no fluid");
	if (w->mover != scree_integrators)
		return scree_fail(why, FAIL_INPUT, "the solver elastic moves bodies along parabolas, not by the integrator %s",
						  w->mover->name);
	if (w->flat ? w->narrow->gives : w->narrow != scree_narrows)
		return scree_fail(why, FAIL_INPUT,
						  "the solver elastic knows balls only, which the narrow phase %s has nothing to do with",
						  w->narrow->name);
	for (int32_t k = 0; k < w->wall.count; ++k)
		if (w->wall.row[k].motion.type == MOTION_SERVO)
			return scree_fail(why, FAIL_INPUT, "wall %s: a servo answers forces, and the solver elastic makes none",
							  w->wall.row[k].name);
	return rules_fit(w, why) && shapes_fit(w, why);
}
