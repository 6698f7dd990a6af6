#include "format/tables.h"

#include <math.h>

#include "kernel/quat.h"
#include "wall/forms.h"
#include "world/world.h"

static vec3 normal_of(const scree_world *w, int32_t k)
{
	return quat_rotate(w->state.wall[k].orientation, w->model.wall.row[k].axis);
}

/* Returns the axis perpendicular to a plane with this normal; -1 if there is none. */
static int32_t axis_of(vec3 normal)
{
	static const real ALMOST = (real)(1 - 1e-9);
	for (int32_t d = 0; d < 3; ++d)
		if (real_abs(v3_part(normal, d)) > ALMOST) return d;
	return -1;
}

/* Width, in m, of the space available to bodies along this axis, between planes or in a period; NaN if unbounded. */
static real width_along(const scree_world *w, int32_t d)
{
	real low = -INFINITY, high = INFINITY;
	if (w->model.period.axis[d]) return v3_part(w->state.images.size, d);
	for (int32_t k = 0; k < w->model.wall.count; ++k) {
		const wall *o = w->model.wall.row + k;
		const vec3 normal = normal_of(w, k);
		if (o->type != WALL_PLANE || o->removed || o->two_sided || o->only || axis_of(normal) != d) continue;
		const real at = v3_part(wall_to_world(w->state.wall + k, o->point), d);
		if (v3_part(normal, d) > 0)
			low = real_max(low, at);
		else
			high = real_min(high, at);
	}
	return high - low < INFINITY && high > low ? high - low : NAN;
}

/* Area of a plane normal to an axis, bounded by planes or periods, in m2 (in m in the plane); NaN if there is none */
static real face_of(const scree_world *w, int32_t k)
{
	const int32_t across = axis_of(normal_of(w, k));
	real area = across < 0 ? NAN : 1;
	for (int32_t d = 0; d < (w->model.flat ? 2 : 3); ++d)
		if (d != across) area *= width_along(w, d);
	return area;
}

wall_loads scree_wall_loads(const scree_world *w, int32_t k)
{
	const wall *o = w->model.wall.row + k;
	const wall_load load = scree_wall_load(&w->model, &w->state, &w->work, k);
	const real push = scree_wall_push(&w->model, &w->state, &w->work, k);
	const wall_state *now = w->state.wall + k;
	const real area =
		o->type == WALL_PLANE ? face_of(w, k) : scree_wall_area(&w->model.wall, o, &w->model.shape, w->model.flat);
	return (wall_loads){.force = load.force,
						.torque = load.torque,
						.pressure = area < INFINITY ? push / (area * w->model.thickness) : NAN,
						.power = v3_dot(load.force, now->velocity) + v3_dot(load.torque, now->angular_velocity)};
}
