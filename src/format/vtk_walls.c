#include "format/vtk_walls.h"

#include "base/maths.h"
#include "base/memory.h"
#include "kernel/quat.h"
#include "world/world.h"

enum { AROUND = 96 };

/* A ball around all bodies and finite walls: what endless walls are drawn for. */
static void extent(const scree_world *w, vec3 *middle, real *radius)
{
	vec3 low = v3(INFINITY, INFINITY, INFINITY), high = v3(-INFINITY, -INFINITY, -INFINITY);
	for (int32_t i = 0; i < w->body.count; ++i) {
		vec3 p = body_position(&w->body, i), r = v3(w->body.radius[i], w->body.radius[i], w->body.radius[i]);
		vec3 l = v3_sub(p, r), h = v3_add(p, r);
		low = v3(real_min(low.x, l.x), real_min(low.y, l.y), real_min(low.z, l.z));
		high = v3(real_max(high.x, h.x), real_max(high.y, h.y), real_max(high.z, h.z));
	}
	if (w->guard.bounded) low = w->guard.low, high = w->guard.high;
	if (w->flat) low.z = high.z = 0;
	if (w->period.on) low = w->period.low, high = v3_add(low, w->period.size);
	if (!(low.x <= high.x)) low = v3(-1, -1, -1), high = v3(1, 1, 1);
	*middle = v3_mul((real)0.5, v3_add(low, high));
	*radius = v3_norm(v3_sub(high, low)) / 2;
}

static vec3 placed_point(const wall *o, vec3 p) { return v3_add(o->place, quat_rotate(o->turn, p)); }

static void add_plane(const wall *o, vec3 middle, real radius, vtk_mesh *m)
{
	vec3 c = quat_unrotate(o->turn, v3_sub(middle, o->place));
	c = v3_madd(c, -v3_dot(v3_sub(c, o->point), o->axis), o->axis);
	vec3 u = v3_across(o->axis), v = v3_cross(o->axis, u);
	int64_t corner[4];
	for (int k = 0; k < 4; ++k) {
		real a = k == 0 || k == 3 ? -radius : radius, b = k < 2 ? -radius : radius;
		corner[k] = scree_vtk_mesh_point(m, placed_point(o, v3_madd(v3_madd(c, a, u), b, v)));
	}
	scree_vtk_mesh_cell(m, 4, corner);
}

static void add_tube(const wall *o, vec3 middle, real radius, vtk_mesh *m)
{
	bool endless = !(o->length < (real)INFINITY);
	vec3 c = quat_unrotate(o->turn, v3_sub(middle, o->place));
	real along = v3_dot(v3_sub(c, o->point), o->axis);
	real from = endless ? along - radius : 0, to = endless ? along + radius : o->length;
	vec3 u = v3_across(o->axis), v = v3_cross(o->axis, u);
	int64_t first = m->points;
	for (int end = 0; end < 2; ++end) {
		real r = end && o->type == WALL_CONE ? o->radius2 : o->radius;
		for (int k = 0; k < AROUND; ++k) {
			real s, q;
			scree_sincos(2 * SCREE_PI * k / AROUND, &s, &q);
			vec3 p = v3_madd(v3_madd(v3_madd(o->point, end ? to : from, o->axis), r * q, u), r * s, v);
			scree_vtk_mesh_point(m, placed_point(o, p));
		}
	}
	for (int k = 0; k < AROUND; ++k) {
		int next = (k + 1) % AROUND;
		int64_t quad[4] = {first + k, first + next, first + AROUND + next, first + AROUND + k};
		scree_vtk_mesh_cell(m, 4, quad);
	}
}

/* In the plane a wall is drawn as a strip behind its line, of this part of the extent. */
static const real STRIP = (real)0.02;

static void add_line(const wall *o, vec3 middle, real radius, vtk_mesh *m)
{
	vec3 c = quat_unrotate(o->turn, v3_sub(middle, o->place)), u = v3(-o->axis.y, o->axis.x, 0);
	int64_t corner[4];
	c = v3_madd(c, -v3_dot(v3_sub(c, o->point), o->axis), o->axis);
	for (int k = 0; k < 4; ++k) {
		vec3 p = v3_madd(c, k == 0 || k == 3 ? -radius : radius, u);
		corner[k] = scree_vtk_mesh_point(m, placed_point(o, v3_madd(p, k < 2 ? 0 : -STRIP * radius, o->axis)));
	}
	scree_vtk_mesh_cell(m, 4, corner);
}

static void add_ring(const wall *o, real radius, vtk_mesh *m)
{
	real strip = o->side == SIDE_INSIDE ? STRIP * radius : -real_min(STRIP * radius, o->radius / 2);
	int64_t first = m->points;
	for (int k = 0; k < 2 * AROUND; ++k) {
		real s, q, r = o->radius + (k % 2 ? strip : 0);
		scree_sincos(2 * SCREE_PI * (k / 2) / AROUND, &s, &q);
		scree_vtk_mesh_point(m, placed_point(o, v3_madd(o->point, r, v3(q, s, 0))));
	}
	for (int k = 0; k < AROUND; ++k) {
		int64_t a = first + 2 * k, b = first + 2 * ((k + 1) % AROUND), quad[4] = {a, a + 1, b + 1, b};
		scree_vtk_mesh_cell(m, 4, quad);
	}
}

static void add_polygon(const scree_world *w, const wall *o, vtk_mesh *m)
{
	const shape *s = w->shape.row + o->shape;
	int32_t n = scree_shape_corners(s);
	int64_t *corner = scree_alloc((size_t)n, sizeof *corner);
	for (int32_t k = 0; k < n; ++k)
		corner[k] = scree_vtk_mesh_point(m, placed_point(o, v3_add(s->centre, scree_shape_corner(s, k))));
	scree_vtk_mesh_cell(m, n, corner);
	scree_free(corner);
}

static void add_facets(const walls *s, const wall *o, vtk_mesh *m)
{
	for (int32_t f = o->first_facet; f < o->first_facet + o->facets; ++f) {
		const facet *x = s->facet + f;
		int64_t *corner = scree_alloc((size_t)x->corners, sizeof *corner);
		for (int32_t k = 0; k < x->corners; ++k)
			corner[k] = scree_vtk_mesh_point(m, placed_point(o, s->corner[x->first + k]));
		scree_vtk_mesh_cell(m, x->corners, corner);
		scree_free(corner);
	}
}

void scree_vtk_wall(const scree_world *w, int32_t k, vtk_mesh *m)
{
	const wall *o = w->wall.row + k;
	vec3 middle;
	real radius;
	if (o->removed) return;
	extent(w, &middle, &radius);
	if (o->type == WALL_POLYGON)
		add_polygon(w, o, m);
	else if (w->flat && o->type == WALL_PLANE)
		add_line(o, middle, radius, m);
	else if (w->flat)
		add_ring(o, radius, m);
	else if (o->type == WALL_PLANE)
		add_plane(o, middle, radius, m);
	else if (o->type == WALL_FACETS)
		add_facets(&w->wall, o, m);
	else
		add_tube(o, middle, radius, m);
}
