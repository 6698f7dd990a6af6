/* periods: what a world whose space repeats (state/periods.h) cannot have. */
#include "prepare/prepare.h"

/* the largest bounding sphere that there is or will be */
static real largest_radius(const scree_world *w)
{
	real largest = 0;
	for (int32_t i = 0; i < w->body.count; ++i) largest = real_max(largest, w->body.radius[i]);
	for (int32_t k = 0; k < w->people.sources; ++k) {
		const source *s = w->people.source + k;
		for (int32_t p = 0; p < s->parts; ++p)
			largest = real_max(largest, w->shape.row[s->part[p].shape].radius * scree_spread_largest(&s->part[p].size));
	}
	return largest;
}

static const char *const axis_name[3] = {"x", "y", "z"};

static bool check_sizes(const scree_world *w, fail *why)
{
	const periods *p = &w->period;
	/* diameter, and margin of a search (broad/) with a little for rounding */
	real largest = largest_radius(w), least = 2 * (real)1.31 * 2 * largest;
	for (int32_t d = 0; d < 3; ++d) {
		real size = v3_part(p->size, d);
		if (!p->axis[d]) continue;
		if (!(size > 0 && size < (real)1e30 && real_abs(v3_part(p->low, d)) < (real)1e30))
			return scree_fail(why, FAIL_INPUT, "the period along %s is %g m, expected a positive length", axis_name[d],
							  size);
		if (!(size > least))
			return scree_fail(
				why, FAIL_INPUT,
				"the period along %s is %.4g m, but the largest body is %.4g m across: expected more than "
				"%.4g m, so that two bodies touch through one image at most; enlarge world.domain",
				axis_name[d], size, 2 * largest, least);
	}
	return true;
}

static bool check_shear(const scree_world *w, fail *why)
{
	const periods *p = &w->period;
	if (!p->shears) return true;
	bool axes = p->flow >= 0 && p->flow < 3 && p->gradient >= 0 && p->gradient < 3 && p->flow != p->gradient;
	if (!axes || !p->axis[p->flow] || !p->axis[p->gradient])
		return scree_fail(why, FAIL_INPUT,
						  "shear needs two different axes, flow and gradient, which are both periodic");
	if (!(real_abs(p->rate) < (real)1e30))
		return scree_fail(why, FAIL_INPUT, "shear at %g 1/s, expected a finite rate", p->rate);
	if (v3_part(w->gravity, p->flow) != 0)
		return scree_fail(
			why, FAIL_INPUT,
			"gravity along %s, the flow of world.shear, would make all bodies faster without end: expected "
			"none",
			axis_name[p->flow]);
	if (w->wall.count)
		return scree_fail(why, FAIL_INPUT,
						  "wall '%s': a world that shears can have no walls: images move past each other, and a wall "
						  "cannot move with all of them",
						  w->wall.row[0].name);
	return true;
}

/* ------------------------------------------------------------------ walls */

static const real ALMOST = 1e-9;

static bool refuse(const wall *o, int32_t axis, const char *what, fail *why)
{
	return scree_fail(why, FAIL_INPUT, "wall '%s': %s along the periodic axis %s", o->name, what, axis_name[axis]);
}

/* Does the motion leave the wall as it is, seen along this axis? */
static bool motion_keeps(const wall *o, int32_t axis)
{
	const wall_motion *m = &o->motion;
	vec3 e = v3(0, 0, 0);
	*v3_along(&e, axis) = 1;
	bool endless = o->type == WALL_PLANE || (o->type == WALL_CYLINDER && !(o->length < (real)INFINITY));
	if (m->type == MOTION_STILL) return true;
	if (m->type == MOTION_ROTATION)
		return v3_norm(v3_cross(m->axis, e)) < ALMOST ||
			   (o->type == WALL_PLANE && v3_norm(v3_cross(m->axis, o->axis)) < ALMOST);
	vec3 way = m->type == MOTION_VELOCITY ? m->velocity : m->type == MOTION_SERVO ? m->axis : m->amplitude;
	return endless || v3_part(way, axis) == 0;
}

static void add_bounds(vec3 p, real radius, vec3 axis, vec3 *low, vec3 *high)
{
	for (int32_t d = 0; d < 3; ++d) {
		real a = v3_part(axis, d), r = radius * sqrt(real_max(0, 1 - a * a));
		*v3_along(low, d) = real_min(v3_part(*low, d), v3_part(p, d) - r);
		*v3_along(high, d) = real_max(v3_part(*high, d), v3_part(p, d) + r);
	}
}

/* bounds of a finite wall in its own frame, which is the world's at the start */
static void bounds(const scree_world *w, const wall *o, vec3 *low, vec3 *high)
{
	const walls *s = &w->wall;
	*low = v3(INFINITY, INFINITY, INFINITY);
	*high = v3(-INFINITY, -INFINITY, -INFINITY);
	for (int32_t f = o->first_facet; o->type == WALL_FACETS && f < o->first_facet + o->facets; ++f) {
		add_bounds(s->facet[f].low, 0, v3(1, 0, 0), low, high);
		add_bounds(s->facet[f].high, 0, v3(1, 0, 0), low, high);
	}
	if (o->type == WALL_FACETS) return;
	if (o->type == WALL_POLYGON) {
		const shape *form = w->shape.row + o->shape;
		add_bounds(form->centre, form->radius, v3(0, 0, 1), low, high);
		return;
	}
	add_bounds(o->point, o->radius, o->axis, low, high);
	add_bounds(v3_madd(o->point, o->length, o->axis), o->radius2, o->axis, low, high);
}

/* A finite wall stands within the cell, or reaches far enough beyond both borders: it is not repeated. */
static bool check_finite(const scree_world *w, const wall *o, int32_t axis, real reach, fail *why)
{
	vec3 low, high;
	bounds(w, o, &low, &high);
	real from = v3_part(w->period.low, axis), size = v3_part(w->period.size, axis), to = from + size;
	real l = v3_part(low, axis), h = v3_part(high, axis), little = ALMOST * size;
	if (l > from + little && h < to - little) return true;
	if (l > to - little || h < from + little) return true; /* beside it */
	if (l <= from - reach + little && h >= to + reach - little) return true;
	return scree_fail(
		why, FAIL_INPUT,
		"wall '%s' reaches from %.6g m to %.6g m along the periodic axis %s, whose period is %.6g m to %.6g "
		"m: walls are not repeated, so it must lie within, or reach from %.6g m or less to %.6g m or more "
		"(a body's radius beyond both borders)",
		o->name, l, h, axis_name[axis], from, to, from - reach, to + reach);
}

static bool check_wall(const scree_world *w, const wall *o, int32_t axis, real reach, fail *why)
{
	if (o->type == WALL_PLANE && real_abs(v3_part(o->axis, axis)) > ALMOST)
		return refuse(o, axis, "a plane that is endless cannot have a normal with a component", why);
	bool endless = o->type == WALL_CYLINDER && !(o->length < (real)INFINITY);
	vec3 e = v3(0, 0, 0);
	*v3_along(&e, axis) = 1;
	/* across the axis the tube itself must fit into the cell, whole */
	if (endless && v3_norm(v3_cross(o->axis, e)) >= ALMOST) {
		real to = v3_part(w->period.low, axis) + v3_part(w->period.size, axis), at = v3_part(o->point, axis);
		if (real_abs(v3_part(o->axis, axis)) > ALMOST)
			return refuse(o, axis, "an endless cylinder that is askew cannot repeat", why);
		if (!(at - o->radius > v3_part(w->period.low, axis) && at + o->radius < to))
			return refuse(o, axis, "a cylinder must lie within the period", why);
	}
	if (!motion_keeps(o, axis)) return refuse(o, axis, "its motion would carry it over a border", why);
	return o->type == WALL_PLANE || endless || check_finite(w, o, axis, reach, why);
}

bool scree_world_periods_check(const scree_world *w, fail *why)
{
	real reach = largest_radius(w);
	if (!check_sizes(w, why) || !check_shear(w, why)) return false;
	for (int32_t k = 0; k < w->wall.count; ++k)
		for (int32_t d = 0; d < 3; ++d)
			if (w->period.axis[d] && !w->wall.row[k].removed && !check_wall(w, w->wall.row + k, d, reach, why))
				return false;
	return true;
}
