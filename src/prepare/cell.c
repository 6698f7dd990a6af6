/* cell: what a periodic cell that changes its size does not support, and the data of its servo that follow from the
 * bodies at the start (docs/theory/periodic.md). */
#include "model/integrator.h"
#include "model/model.h"
#include "prepare/internal.h"
#include "prepare/prepare.h"
#include "state/state.h"
#include "work/work.h"

/* inertial number of a compression by a servo, d sqrt(density / stress) times the strain rate, by default */
static const real INERTIAL = (real)0.005;
/* default lag of a servo: contact times, and at least this number of steps */
static const real LAG_CONTACTS = 5, LAG_STEPS = 20;
/* largest strain in a step */
static const real MOST_STRAIN = (real)0.001;

static const char *const axis_name[3] = {"x", "y", "z"};

/* Whether the size of this axis changes, now or at any time. */
static bool axis_deforms(const cell_rule *c, int32_t d)
{
	bool any = c->servo[d] || v3_part(c->rate, d) != 0;
	for (int32_t k = 0; k < c->over.rows; ++k) any |= v3_part(c->over.row[k].value, d) != 0;
	return any;
}

static bool check_axes(const model *m, fail *why)
{
	for (int32_t d = 0; d < 3; ++d) {
		if (!axis_deforms(&m->cell, d)) continue;
		if (!m->period.axis[d])
			return scree_fail(why, FAIL_INPUT,
							  "world.%s changes the period along %s, but space does not repeat along it: add it to "
							  "world.periodic",
							  m->cell.servo[d] ? "servo" : "strain_rate", axis_name[d]);
		if (v3_part(m->gravity, d) != 0)
			return scree_fail(why, FAIL_INPUT,
							  "gravity along %s, where the period changes: the height of a body would depend on its "
							  "image: expected none",
							  axis_name[d]);
	}
	return true;
}

static bool refuse(const char *what, const char *because, fail *why)
{
	return scree_fail(why, FAIL_INPUT, "a cell that changes its size (world.strain_rate, world.servo) %s: %s", what,
					  because);
}

static bool check_company(const model *m, const state *s, const work *w, fail *why)
{
	bool held = false;
	for (int32_t i = 0; i < s->body.owned; ++i) held |= !(s->body.inv_mass[i] > 0);
	if (m->wall.count) {
		refuse("cannot have walls", "they have no images, which move apart", why);
		return scree_fail_in(why, "wall '%s'", m->wall.row[0].name);
	}
	if (m->period.shears) return refuse("cannot shear as well", "remove world.shear", why);
	if (m->solver || m->integrator->gear || m->integrator->symplectic_euler || m->integrator->literal)
		return refuse("needs run.response: forces, implicit or hard, and a Verlet integrator",
					  "set them, or leave them out", why);
	if (m->fluid.on) return refuse("cannot have a fluid", "it would have to move with the cell", why);
	if (m->population.sources || m->population.sinks)
		return refuse("cannot have sources or sinks", "their regions stay where they are", why);
	if (cell_has_servo(&m->cell) && m->applied)
		return refuse("cannot have a servo with forces by a program", "they would count as stress", why);
	if (m->flow.count) return refuse("cannot have measures of flow", "their planes stay where they are", why);
	if (scree_domain_any(&w->domain, held))
		return refuse("cannot have fixed bodies", "the cell carries bodies along", why);
	return true;
}

static bool check_numbers(const cell_rule *c, fail *why)
{
	for (int32_t d = 0; d < 3; ++d)
		if (!(real_abs(v3_part(c->rate, d)) < (real)1e30 && real_abs(v3_part(c->stress, d)) < (real)1e30))
			return scree_fail(why, FAIL_INPUT, "world.strain_rate or world.servo along %s: expected finite numbers",
							  axis_name[d]);
	return true;
}

bool scree_world_cell_check(const model *m, const state *s, const work *w, fail *why)
{
	if (!m->period.deforms) return true;
	return check_numbers(&m->cell, why) && check_axes(m, why) && check_company(m, s, w, why);
}

bool scree_world_cell_check_step(const model *m, const state *s, const domain *d, fail *why)
{
	const cell_rule *c = &m->cell;
	real most = cell_has_servo(c) ? c->limit : 0;
	if (!m->period.deforms || !scree_domain_any(d, s->body.owned > 0)) return true;
	for (int32_t k = 0; k < 3; ++k) most = real_max(most, real_abs(v3_part(c->rate, k)));
	for (int32_t k = 0; k < c->over.rows; ++k) most = real_max(most, v3_norm(c->over.row[k].value));
	if (most * m->dt <= MOST_STRAIN) return true;
	return scree_fail(
		why, FAIL_INPUT,
		"a strain rate of %.3g 1/s strains the cell by %.3g %% in a step of %.3g s, expected at most %g %%", most,
		100 * most * m->dt, m->dt, 100 * MOST_STRAIN);
}

void scree_world_cell_set(model *m, const state *s, const work *w)
{
	cell_rule *c = &m->cell;
	real stress = 0;
	if (!m->period.deforms || !cell_has_servo(c)) return;
	for (int32_t d = 0; d < 3; ++d)
		if (c->servo[d]) stress = real_max(stress, real_abs(v3_part(c->stress, d)));
	const body_load all = scree_world_carried(m, s, &w->domain);
	if (!(all.count > 0)) return;
	/* density d^2, about */
	const real dense = m->flat ? 4 * all.mass / (SCREE_PI * m->thickness) : 2 * all.mass / all.size;
	if (!(c->limit > 0)) c->limit = INERTIAL * sqrt(stress / dense);
	if (!(c->lag > 0)) c->lag = real_max(LAG_CONTACTS * m->contact_time, LAG_STEPS * m->dt);
}
