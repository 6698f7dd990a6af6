/* heat: tests whether a world supports heat conduction, and computes the longest stable step. */
#include "base/maths.h"
#include "base/memory.h"
#include "model/integrator.h"
#include "model/model.h"
#include "model/response.h"
#include "prepare/internal.h"
#include "shape/shape_forms.h"
#include "state/state.h"

/* E* of two materials, in Pa; 0 if one has no Young's modulus. real_young: uses the real stiffness if given */
static real modulus_of(const material *a, const material *b, bool real_young)
{
	const real ea = real_young && a->conduction_young > 0 ? a->conduction_young : a->young;
	const real eb = real_young && b->conduction_young > 0 ? b->conduction_young : b->young;
	if (!(ea > 0 && eb > 0)) return 0;
	return 1 / ((1 - a->poisson * a->poisson) / ea + (1 - b->poisson * b->poisson) / eb);
}

static heat_rule rule_of(const material *a, const material *b, const contact_rule *rule)
{
	const real sum = a->conductivity + b->conductivity;
	heat_rule o = {.modulus = modulus_of(a, b, true), .friction = rule->friction_heat, .to_a = 1};
	if (!(sum > 0)) {
		o.friction = 0;
		return o;
	}
	o.conduction = 4 * a->conductivity * b->conductivity / sum;
	o.to_a = a->conductivity / sum;
	return o;
}

/* Contact radius of materials that are softer than in reality, relative to the real radius under the same force */
static real corrected(const material *a, const material *b)
{
	const real soft = modulus_of(a, b, false), stiff = modulus_of(a, b, true);
	return soft > 0 && stiff != soft ? scree_pow(soft / stiff, (real)1 / 3) : 1;
}

void scree_world_heat_derive(model *m)
{
	const materials *all = &m->material;
	scree_free(m->heat);
	m->heat = NULL;
	if (!scree_materials_conduct(all)) return;
	m->heat = scree_alloc((size_t)all->count * (size_t)all->count, sizeof *m->heat);
	for (int32_t a = 0; a < all->count; ++a)
		for (int32_t b = 0; b < all->count; ++b) {
			heat_rule *o = m->heat + a * all->count + b;
			*o = rule_of(all->row + a, all->row + b, scree_materials_rule(all, a, b));
			if (!m->implicit) o->conduction *= corrected(all->row + a, all->row + b);
		}
}

static bool shapes_known(const model *m, const state *s, fail *why)
{
	const uint32_t others = ~((uint32_t)1 << SHAPE_SPHERE | (uint32_t)1 << SHAPE_CLUMP);
	const shape *odd = scree_shape_with(m, s, (body_kind){.types = others, .any_material = true, .conducts = true});
	if (!odd) return true;
	return scree_refuse(why,
						"heat conduction supports spheres and clumps only, but some bodies have shape '%s': remove "
						"conductivity and heat_capacity of their material",
						odd->name);
}

static bool friction_supported(const model *m, fail *why)
{
	for (int32_t k = 0; m->implicit && k < m->material.count * m->material.count; ++k)
		if (m->material.rule[k].friction_heat > 0)
			return scree_refuse(why, "run.response: %s does not support friction_heat: use response: forces",
								m->hard ? "hard" : "implicit");
	return true;
}

static bool materials_known(const model *m, fail *why)
{
	for (int32_t k = 0; k < m->material.count; ++k) {
		const material *o = m->material.row + k;
		if (o->conductivity > 0 && m->implicit && !(o->young > 0 || o->conduction_young > 0))
			return scree_refuse(why, "run.response: %s needs young or conduction_young of %s, which conducts heat",
								m->hard ? "hard" : "implicit", o->name);
		if (o->conduction_young > 0 && !m->implicit && !(o->young > 0))
			return scree_refuse(why, "conduction_young of %s needs its young", o->name);
	}
	return true;
}

bool scree_world_heat_check(const model *m, const state *s, fail *why)
{
	if (!scree_materials_conduct(&m->material)) return true;
	if (m->solver)
		return scree_refuse(why, "run.response: %s does not support heat conduction: use response: forces",
							m->solver->name);
	if (m->flat) return scree_refuse(why, "heat conduction is available only in worlds of dimension 3");
	if (m->integrator->asks.count)
		return scree_refuse(why, "run.integrator: %s does not support heat conduction", m->integrator->name);
	return shapes_known(m, s, why) && friction_supported(m, why) && materials_known(m, why);
}

/* A body can touch twelve bodies of its own size; a small body next to large bodies touches fewer of its own size. */
static const real CONTACTS = 12;

/* longest step, in s, in which contacts with material b, as deep as the guard allows, do not overheat material a */
static real step_of(const model *m, const extremes *e, int32_t a, int32_t b)
{
	if (!m->heat) return INFINITY;
	const heat_rule *r = m->heat + a * m->material.count + b;
	const real capacity = e[a].mass * m->material.row[a].capacity, radius = e[a].small;
	if (!e[a].body || !(r->conduction > 0) || !(capacity > 0) || !(e[b].wall || extremes_meet(e, a, b)))
		return INFINITY;
	const real part = m->guard.overlap > 0 ? m->guard.overlap : 1;
	return capacity / (CONTACTS * r->conduction * radius * sqrt(2 * part));
}

pair_time scree_shortest_of(const model *m, const extremes *e, pair_time_fn *time_of)
{
	const int32_t n = m->material.count;
	pair_time least = {INFINITY, {0, 0}};
	for (int32_t k = 0; k < n * n; ++k) {
		const real time = time_of(m, e, k / n, k % n);
		if (time < least.least) least = (pair_time){time, {k / n, k % n}};
	}
	return least;
}

pair_time scree_world_heat_step(const model *m, const extremes *e) { return scree_shortest_of(m, e, step_of); }

bool scree_world_heat_refuse(const model *m, const pair_time *o, fail *why)
{
	return scree_refuse(why,
						"the time step %.3g s is too large for the conduction of heat from %s to %s, expected at most "
						"%.3g s: set run.step, or raise heat_capacity",
						m->dt, m->material.row[o->of[1]].name, m->material.row[o->of[0]].name, o->least);
}
