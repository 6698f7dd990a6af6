/* periods: refuses inputs that a periodic world (model/periods.h), possibly with a cell that changes size, does not
 * support; derives data for the cell's servo from the bodies at the start (docs/theory/periodic.md). */
#include "broad/stage.h"
#include "model/integrator.h"
#include "model/model.h"
#include "prepare/internal.h"
#include "prepare/prepare.h"
#include "state/state.h"
#include "wall/forms.h"
#include "work/work.h"

/* largest radius of the bounding spheres of all bodies, including bodies of sources */
static real largest_radius(const model *m, const state *s, const domain *d)
{
	real largest = 0;
	for (int32_t i = 0; i < s->body.owned; ++i) largest = real_max(largest, s->body.radius[i]);
	scree_domain_most(d, 1, &largest);
	for (mix_walk w = {0}; mix_next(m, &w);)
		largest = real_max(largest, m->shape.row[w.part->shape].radius * scree_spread_largest(&w.part->size));
	return largest;
}

static const char *const axis_name[3] = {"x", "y", "z"};

static bool check_sizes(const model *m, const state *s, const work *w, fail *why)
{
	const periods *p = &m->period;
	const images *now = &s->images;
	const real largest = largest_radius(m, s, &w->domain), least = scree_skin_least_period(m, largest);
	for (int32_t d = 0; d < 3; ++d) {
		real size = v3_part(now->size, d);
		if (!p->axis[d]) continue;
		if (!(size > 0 && size < (real)1e30 && real_abs(v3_part(now->low, d)) < (real)1e30))
			return scree_refuse(why, "the period along %s is %g m, expected a positive length", axis_name[d], size);
		if (!(size > least))
			return scree_refuse(
				why,
				"the period along %s is %.6g m, but the largest body is %.6g m across: expected more than %.6g m, so "
				"that two bodies touch through one image at most; enlarge world.domain%s",
				axis_name[d], size, 2 * largest, least,
				m->skin_given && size > 4 * largest ? ", or lower run.skin" : "");
	}
	return true;
}

static bool check_shear(const model *m, fail *why)
{
	const periods *p = &m->period;
	if (!p->shears) return true;
	bool axes = p->flow >= 0 && p->flow < 3 && p->gradient >= 0 && p->gradient < 3 && p->flow != p->gradient;
	if (!axes || !p->axis[p->flow] || !p->axis[p->gradient])
		return scree_refuse(why, "shear needs two different axes, flow and gradient, which are both periodic");
	if (!(real_abs(p->rate) < (real)1e30)) return scree_refuse(why, "shear at %g 1/s, expected a finite rate", p->rate);
	if (v3_part(m->gravity, p->flow) != 0)
		return scree_refuse(
			why, "gravity along %s, the flow of world.shear, would accelerate all bodies without limit: expected none",
			axis_name[p->flow]);
	if (m->wall.count)
		return scree_refuse(why,
							"wall '%s': a sheared world cannot have walls: images move past each other, and a wall "
							"cannot move with all of them",
							m->wall.row[0].name);
	return true;
}

/* ------------------------------------------------------------------ cells that change size */

/* default inertial number when a servo compresses the cell: d sqrt(density / stress) times the strain rate */
static const real INERTIAL = (real)0.005;
static const real LAG_CONTACTS = 5, LAG_STEPS = 20; /* default lag of a servo, in contact times; least lag, in steps */
static const real MOST_STRAIN = (real)0.001;		/* largest strain in a step */

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
			return scree_refuse(why,
								"world.%s changes the period along %s, but the world is not periodic along this axis: "
								"add it to world.periodic",
								m->cell.servo[d] ? "servo" : "strain_rate", axis_name[d]);
		if (v3_part(m->gravity, d) != 0)
			return scree_refuse(why,
								"gravity along %s, where the period changes: the height of a body would depend on its "
								"image: expected none",
								axis_name[d]);
	}
	return true;
}

static bool refuse_cell(const char *what, const char *because, fail *why)
{
	return scree_refuse(why, "a cell that changes size (world.strain_rate, world.servo) %s: %s", what, because);
}

static bool check_company(const model *m, const state *s, const work *w, fail *why)
{
	bool held = false;
	for (int32_t i = 0; i < s->body.owned; ++i) held |= !(s->body.inv_mass[i] > 0);
	if (m->wall.count) {
		refuse_cell("cannot have walls", "walls have no images that move apart", why);
		return scree_fail_in(why, "wall '%s'", m->wall.row[0].name);
	}
	if (m->period.shears) return refuse_cell("cannot also shear", "remove world.shear", why);
	if (m->solver || m->integrator->gear || m->integrator->symplectic_euler || m->integrator->literal)
		return refuse_cell("needs run.response: forces, implicit or hard, and a Verlet integrator",
						   "set these, or omit run.response and run.integrator", why);
	if (m->fluid.on) return refuse_cell("cannot have a fluid", "it would have to move with the cell", why);
	if (m->population.sources || m->population.sinks)
		return refuse_cell("cannot have sources or sinks", "their regions would not move with the cell", why);
	if (cell_has_servo(&m->cell) && m->applied)
		return refuse_cell("cannot have a servo while a program sets forces", "they would count as stress", why);
	if (m->flow.count)
		return refuse_cell("cannot have measures of flow", "their planes would not move with the cell", why);
	if (scree_domain_any(&w->domain, held))
		return refuse_cell("cannot have fixed bodies", "the cell carries bodies along", why);
	return true;
}

static bool check_numbers(const cell_rule *c, fail *why)
{
	for (int32_t d = 0; d < 3; ++d)
		if (!(real_abs(v3_part(c->rate, d)) < (real)1e30 && real_abs(v3_part(c->stress, d)) < (real)1e30))
			return scree_refuse(why, "world.strain_rate or world.servo along %s: expected finite numbers",
								axis_name[d]);
	return true;
}

static bool check_cell(const model *m, const state *s, const work *w, fail *why)
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
	return scree_refuse(
		why, "a strain rate of %.3g 1/s strains the cell by %.3g %% in a step of %.3g s, expected at most %g %%", most,
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
	/* density times d^2, roughly */
	const real dense = m->flat ? 4 * all.mass / (SCREE_PI * m->thickness) : 2 * all.mass / all.size;
	if (!(c->limit > 0)) c->limit = INERTIAL * sqrt(stress / dense);
	if (!(c->lag > 0)) c->lag = real_max(LAG_CONTACTS * m->contact_time, LAG_STEPS * m->dt);
}

/* ------------------------------------------------------------------ walls */

static const real ALMOST = 1e-9;

static bool refuse(const wall *o, int32_t axis, const char *what, fail *why)
{
	return scree_refuse(why, "wall '%s': %s along the periodic axis %s", o->name, what, axis_name[axis]);
}

/* Tests whether the wall stays uniform along this axis during its motion. */
static bool one_keeps(const wall *o, const wall_motion *m, int32_t axis)
{
	vec3 e = v3(0, 0, 0);
	*v3_along(&e, axis) = 1;
	if (m->type == MOTION_STILL) return true;
	const motion_form *f = scree_motion_forms + m->type;
	if (f->turns)
		return v3_norm(v3_cross(m->axis, e)) < ALMOST ||
			   (o->type == WALL_PLANE && v3_norm(v3_cross(m->axis, o->axis)) < ALMOST);
	return scree_wall_is_endless(o) || !f->way || v3_part(f->way(m), axis) == 0;
}

static bool motion_keeps(const wall *o, int32_t axis)
{
	for (int32_t k = 0; k <= o->parts; ++k)
		if (!one_keeps(o, wall_motion_of(o, k), axis)) return false;
	return true;
}

/* A finite wall has no images. Such a wall must be within the cell, or extend far enough beyond both borders. */
static bool check_finite(const model *m, const wall *o, int32_t axis, real reach, fail *why)
{
	vec3 low, high;
	/* the wall's own frame is the same as the world frame at the start */
	scree_wall_bounds(&m->wall, o, &m->shape, &low, &high);
	real from = v3_part(m->period.low, axis), size = v3_part(m->period.size, axis), to = from + size;
	real l = v3_part(low, axis), h = v3_part(high, axis), little = ALMOST * size;
	if (l > from + little && h < to - little) return true;
	if (l > to - little || h < from + little) return true; /* the wall is outside the cell */
	if (l <= from - reach + little && h >= to + reach - little) return true;
	return scree_refuse(why,
						"wall '%s' extends from %.6g m to %.6g m along the periodic axis %s, whose period is %.6g m to "
						"%.6g m: walls are not repeated, so it must be within the period, or extend from %.6g m or "
						"less to %.6g m or more (a body's radius beyond both borders)",
						o->name, l, h, axis_name[axis], from, to, from - reach, to + reach);
}

static bool check_wall(const model *m, const wall *o, int32_t axis, real reach, fail *why)
{
	const wall_form *f = scree_wall_forms + o->type;
	real low = v3_part(m->period.low, axis), high = low + v3_part(m->period.size, axis);
	const char *what = f->cannot_repeat ? f->cannot_repeat(o, axis, low, high) : NULL;
	if (what) return refuse(o, axis, what, why);
	if (!motion_keeps(o, axis)) return refuse(o, axis, "its motion would carry it over a border", why);
	return scree_wall_is_endless(o) || check_finite(m, o, axis, reach, why);
}

bool scree_world_periods_check(const model *m, const state *s, const work *w, fail *why)
{
	real reach = largest_radius(m, s, &w->domain);
	if (!check_sizes(m, s, w, why) || !check_shear(m, why) || !check_cell(m, s, w, why)) return false;
	for (int32_t k = 0; k < m->wall.count; ++k)
		for (int32_t d = 0; d < 3; ++d)
			if (m->period.axis[d] && !m->wall.row[k].removed && !check_wall(m, m->wall.row + k, d, reach, why))
				return false;
	return true;
}
