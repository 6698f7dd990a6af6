/* periods: refuses inputs that a periodic world (model/periods.h) does not support. */
#include "broad/stage.h"
#include "model/model.h"
#include "prepare/internal.h"
#include "prepare/prepare.h"
#include "state/state.h"
#include "wall/forms.h"
#include "work/work.h"

/* radius of the largest bounding sphere of all bodies, including those of sources */
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
			return scree_fail(why, FAIL_INPUT, "the period along %s is %g m, expected a positive length", axis_name[d],
							  size);
		if (!(size > least))
			return scree_fail(
				why, FAIL_INPUT,
				"the period along %s is %.6g m, but the largest body is %.6g m across: expected more than "
				"%.6g m, so that two bodies touch through one image at most; enlarge world.domain%s",
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
		return scree_fail(why, FAIL_INPUT,
						  "shear needs two different axes, flow and gradient, which are both periodic");
	if (!(real_abs(p->rate) < (real)1e30))
		return scree_fail(why, FAIL_INPUT, "shear at %g 1/s, expected a finite rate", p->rate);
	if (v3_part(m->gravity, p->flow) != 0)
		return scree_fail(
			why, FAIL_INPUT,
			"gravity along %s, the flow of world.shear, would accelerate all bodies without limit: expected "
			"none",
			axis_name[p->flow]);
	if (m->wall.count)
		return scree_fail(why, FAIL_INPUT,
						  "wall '%s': a sheared world cannot have walls: images move past each other, and a wall "
						  "cannot move with all of them",
						  m->wall.row[0].name);
	return true;
}

/* ------------------------------------------------------------------ walls */

static const real ALMOST = 1e-9;

static bool refuse(const wall *o, int32_t axis, const char *what, fail *why)
{
	return scree_fail(why, FAIL_INPUT, "wall '%s': %s along the periodic axis %s", o->name, what, axis_name[axis]);
}

/* Tests whether the wall looks the same along this axis during its motion. */
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

/* A finite wall has no images. It must lie within the cell, or extend far enough beyond both borders. */
static bool check_finite(const model *m, const wall *o, int32_t axis, real reach, fail *why)
{
	vec3 low, high;
	/* the wall's own frame is the world's at the start */
	scree_wall_bounds(&m->wall, o, &m->shape, &low, &high);
	real from = v3_part(m->period.low, axis), size = v3_part(m->period.size, axis), to = from + size;
	real l = v3_part(low, axis), h = v3_part(high, axis), little = ALMOST * size;
	if (l > from + little && h < to - little) return true;
	if (l > to - little || h < from + little) return true; /* the wall is outside the cell */
	if (l <= from - reach + little && h >= to + reach - little) return true;
	return scree_fail(
		why, FAIL_INPUT,
		"wall '%s' reaches from %.6g m to %.6g m along the periodic axis %s, whose period is %.6g m to %.6g "
		"m: walls are not repeated, so it must lie within, or reach from %.6g m or less to %.6g m or more "
		"(a body's radius beyond both borders)",
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
	if (!check_sizes(m, s, w, why) || !check_shear(m, why) || !scree_world_cell_check(m, s, w, why)) return false;
	for (int32_t k = 0; k < m->wall.count; ++k)
		for (int32_t d = 0; d < 3; ++d)
			if (m->period.axis[d] && !m->wall.row[k].removed && !check_wall(m, m->wall.row + k, d, reach, why))
				return false;
	return true;
}
