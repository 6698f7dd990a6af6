#include "format/vtk_walls.h"

#include "wall/forms.h"
#include "world/world.h"

vtk_extent scree_vtk_extent(const scree_world *w)
{
	real end[6] = {-INFINITY, -INFINITY, -INFINITY, -INFINITY, -INFINITY, -INFINITY}; /* -low, then high */
	for (int32_t i = 0; i < w->state.body.owned; ++i)
		for (int d = 0; d < 3; ++d) {
			const real x = v3_part(body_position(&w->state.body, i), d), r = w->state.body.radius[i];
			end[d] = real_max(end[d], -(x - r));
			end[3 + d] = real_max(end[3 + d], x + r);
		}
	scree_domain_most(&w->work.domain, 6, end);
	vec3 low = v3(-end[0], -end[1], -end[2]), high = v3(end[3], end[4], end[5]);
	if (w->model.guard.bounded) low = w->model.guard.low, high = w->model.guard.high;
	if (w->model.flat) low.z = high.z = 0;
	if (w->model.period.on) low = w->state.images.low, high = v3_add(low, w->state.images.size);
	if (!(low.x <= high.x)) low = v3(-1, -1, -1), high = v3(1, 1, 1);
	return (vtk_extent){v3_mul((real)0.5, v3_add(low, high)), v3_norm(v3_sub(high, low)) / 2};
}

static int64_t add_point(void *to, vec3 p) { return scree_vtk_mesh_point(to, p); }

static void add_cell(void *to, int64_t corners, const int64_t *corner) { scree_vtk_mesh_cell(to, corners, corner); }

void scree_vtk_wall(const scree_world *w, int32_t k, const vtk_extent *all, vtk_mesh *m)
{
	const wall *o = w->model.wall.row + k;
	wall_canvas c = {.to = m,
					 .point = add_point,
					 .cell = add_cell,
					 .shapes = &w->model.shape,
					 .middle = all->middle,
					 .radius = all->radius,
					 .flat = w->model.flat};
	if (o->removed) return;
	scree_wall_forms[o->type].draw(&w->model.wall, o, w->state.wall + k, &c);
}
