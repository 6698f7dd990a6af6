#include "format/wall_loads.h"

#include <math.h>

#include "wall/forms.h"
#include "world/ends.h"
#include "world/world.h"

wall_loads scree_wall_loads(const scree_world *w, int32_t k)
{
	const wall_load load = scree_wall_load(&w->model, &w->state, &w->work, k);
	const real push = scree_wall_push(&w->model, &w->state, &w->work, k);
	const wall_state *now = w->state.wall + k;
	const real area = scree_wall_area(&w->model.wall, w->model.wall.row + k, &w->model.shape, w->model.flat);
	return (wall_loads){.force = load.force,
						.torque = load.torque,
						.pressure = area < INFINITY ? push / (area * w->model.thickness) : NAN,
						.power = v3_dot(load.force, now->velocity) + v3_dot(load.torque, now->angular_velocity)};
}
