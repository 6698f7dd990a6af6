/* bridges: the largest volume of liquid bridges, and the step with which implicit responses can follow the pull. */
#include "prepare/internal.h"

#include "kernel/cohesion.h"
#include "model/model.h"

/* R in the closed form of liquid bridges: Derjaguin's mean of the radii of the smallest spheres of two materials, twice
 * the radius of a sphere on a wall, or 0 if the two materials cannot touch */
static real bridged_radius(const extremes *e, int32_t a, int32_t b)
{
	if (!e[a].body) return 0;
	if (extremes_meet(e, a, b)) return 2 * e[a].radius * e[b].radius / (e[a].radius + e[b].radius);
	return e[b].wall ? 2 * e[a].radius : 0;
}

void scree_world_bridges(model *m, const extremes *e)
{
	const int32_t n = m->material.count;
	m->bridge_part = 0;
	for (int32_t k = 0; k < n * n; ++k) {
		const real r = bridged_radius(e, k / n, k % n), part = m->constants[k].volume / (r * r * r);
		if (m->constants[k].cohesion != COHESION_CAPILLARY || !(r > 0) || !(part > m->bridge_part)) continue;
		m->bridge_part = part;
		m->bridged[0] = k / n, m->bridged[1] = k % n;
	}
}

/* squared growth rate of a separation due to a bridge, in 1/s^2: largest slope of its force divided by the mass */
static real bridge_rate2(const law_constants *c, real radius, real inv_mass)
{
	const real steepest = (real)1.2237; /* slope of 1/(1 + 1.05 s + 2.5 s^2) at s = 0.134 */
	const bridge b = bridge_of(c->surface, c->volume, radius);
	return steepest * b.pull * b.narrow * inv_mass;
}

/* The largest squared growth rate for two materials, over their smallest and largest spheres. */
static real greatest_bridge_rate2(const model *m, const extremes *e, int32_t a, int32_t b)
{
	const law_constants *c = m->constants + a * m->material.count + b;
	const real ra[2] = {e[a].radius, e[a].large}, rb[2] = {e[b].radius, e[b].large};
	real most = 0;
	if (!e[a].body || c->cohesion != COHESION_CAPILLARY) return 0;
	for (int i = 0; i < 2; ++i) {
		const real xa = ra[0] / ra[i], light = xa * xa * xa / e[a].mass;
		if (e[b].wall) most = real_max(most, bridge_rate2(c, ra[i], light));
		for (int k = 0; k < 2 && extremes_meet(e, a, b); ++k) {
			const real xb = rb[0] / rb[k], both = light + xb * xb * xb / e[b].mass;
			most = real_max(most, bridge_rate2(c, ra[i] * rb[k] / (ra[i] + rb[k]), both));
		}
	}
	return most;
}

static real time_of_bridge(const model *m, const extremes *e, int32_t a, int32_t b)
{
	const real rate2 = greatest_bridge_rate2(m, e, a, b);
	return rate2 > 0 ? 1 / sqrt(rate2) : INFINITY;
}

pair_time scree_world_bridge_step(const model *m, const extremes *e) { return scree_shortest_of(m, e, time_of_bridge); }

bool scree_world_bridge_refuse(const model *m, const pair_time *o, fail *why)
{
	return scree_refuse(why,
						"the time step %.3g s is too large for liquid bridges of %s and %s, where bodies separate "
						"within %.3g s: set run.step to %.3g s, at most %.3g s; run.step.unsafe: true allows it",
						m->dt, m->material.row[o->of[0]].name, m->material.row[o->of[1]].name, o->least,
						BRIDGE_SAFE * o->least, BRIDGE_MOST * o->least);
}
