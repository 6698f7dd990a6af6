#include "format/vtk_walls.h"

#include "wall/forms.h"
#include "world/world.h"

/* The ball around all bodies and finite walls; infinite walls are drawn within it. */
static void extent(const scree_world *w, vec3 *middle, real *radius)
{
	vec3 low = v3(INFINITY, INFINITY, INFINITY), high = v3(-INFINITY, -INFINITY, -INFINITY);
	for (int32_t i = 0; i < w->state.body.count; ++i) {
		vec3 p = body_position(&w->state.body, i),
			 r = v3(w->state.body.radius[i], w->state.body.radius[i], w->state.body.radius[i]);
		vec3 l = v3_sub(p, r), h = v3_add(p, r);
		low = v3_min(low, l);
		high = v3_max(high, h);
	}
	if (w->model.guard.bounded) low = w->model.guard.low, high = w->model.guard.high;
	if (w->model.flat) low.z = high.z = 0;
	if (w->model.period.on) low = w->model.period.low, high = v3_add(low, w->model.period.size);
	if (!(low.x <= high.x)) low = v3(-1, -1, -1), high = v3(1, 1, 1);
	*middle = v3_mul((real)0.5, v3_add(low, high));
	*radius = v3_norm(v3_sub(high, low)) / 2;
}

static int64_t add_point(void *to, vec3 p) { return scree_vtk_mesh_point(to, p); }

static void add_cell(void *to, int64_t corners, const int64_t *corner) { scree_vtk_mesh_cell(to, corners, corner); }

void scree_vtk_wall(const scree_world *w, int32_t k, vtk_mesh *m)
{
	const wall *o = w->model.wall.row + k;
	wall_canvas c = {.to = m, .point = add_point, .cell = add_cell, .shapes = &w->model.shape, .flat = w->model.flat};
	if (o->removed) return;
	extent(w, &c.middle, &c.radius);
	scree_wall_forms[o->type].draw(&w->model.wall, o, w->state.wall + k, &c);
}
