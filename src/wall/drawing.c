/* drawing: walls at their current positions as polygons, for files and pictures (forms.h). */
#include "base/maths.h"
#include "base/memory.h"
#include "wall/internal.h"

enum { AROUND = 96 };

/* Width, as a fraction of the extent, of the strip that is drawn behind a line for a wall in the plane. */
static const real STRIP = (real)0.02;

/* Draws a square of the plane in 3D, or a strip behind the line in 2D. */
void scree_wall_draw_plane(const walls *s, const wall *o, const wall_state *at, const wall_canvas *m)
{
	const real radius = m->radius, from = m->flat ? 0 : -radius, to = m->flat ? -STRIP * radius : radius;
	const vec3 u = m->flat ? v3(-o->axis.y, o->axis.x, 0) : v3_across(o->axis);
	const vec3 v = m->flat ? o->axis : v3_cross(o->axis, u);
	vec3 c = world_to_wall(at, m->middle);
	int64_t corner[4];
	(void)s;
	c = v3_madd(c, -v3_dot(v3_sub(c, o->point), o->axis), o->axis);
	for (int k = 0; k < 4; ++k) {
		const vec3 p = v3_madd(c, k == 0 || k == 3 ? -radius : radius, u);
		corner[k] = m->point(m->to, wall_to_world(at, v3_madd(p, k < 2 ? from : to, v)));
	}
	m->cell(m->to, 4, corner);
}

static void draw_ring(const wall *o, const wall_state *at, const wall_canvas *m)
{
	real radius = m->radius, strip = o->side == SIDE_INSIDE ? STRIP * radius : -real_min(STRIP * radius, o->radius / 2);
	int64_t first = -1;
	for (int k = 0; k < 2 * AROUND; ++k) {
		real s, q, r = o->radius + (k % 2 ? strip : 0);
		scree_sincos(2 * SCREE_PI * (k / 2) / AROUND, &s, &q);
		int64_t row = m->point(m->to, wall_to_world(at, v3_madd(o->point, r, v3(q, s, 0))));
		if (first < 0) first = row; /* the other points of the polygon follow the first */
	}
	for (int k = 0; k < AROUND; ++k) {
		int64_t a = first + 2 * k, b = first + 2 * ((k + 1) % AROUND), quad[4] = {a, a + 1, b + 1, b};
		m->cell(m->to, 4, quad);
	}
}

void scree_wall_draw_polygon(const walls *all, const wall *o, const wall_state *at, const wall_canvas *m)
{
	const shape *s = m->shapes->row + o->shape;
	(void)all;
	int32_t n = scree_shape_corners(s);
	int64_t *corner = scree_alloc((size_t)n, sizeof *corner);
	for (int32_t k = 0; k < n; ++k)
		corner[k] = m->point(m->to, wall_to_world(at, v3_add(s->centre, scree_shape_corner(s, k))));
	m->cell(m->to, n, corner);
	scree_free(corner);
}

void scree_wall_draw_facets(const walls *s, const wall *o, const wall_state *at, const wall_canvas *m)
{
	for (int32_t f = o->first_facet; f < o->first_facet + o->facets; ++f) {
		const facet *x = s->facet + f;
		int64_t *corner = scree_alloc((size_t)x->corners, sizeof *corner);
		for (int32_t k = 0; k < x->corners; ++k)
			corner[k] = m->point(m->to, wall_to_world(at, s->corner[x->first + k]));
		m->cell(m->to, x->corners, corner);
		scree_free(corner);
	}
}

void scree_wall_draw_tube(const walls *s, const wall *o, const wall_state *at, const wall_canvas *m)
{
	(void)s;
	if (m->flat) {
		draw_ring(o, at, m);
		return;
	}
	real radius = m->radius;
	bool endless = !(o->length < (real)INFINITY);
	vec3 c = world_to_wall(at, m->middle);
	real along = v3_dot(v3_sub(c, o->point), o->axis);
	real from = endless ? along - radius : 0, to = endless ? along + radius : o->length;
	vec3 u = v3_across(o->axis), v = v3_cross(o->axis, u);
	int64_t first = -1;
	for (int end = 0; end < 2; ++end) {
		real r = end && o->type == WALL_CONE ? o->radius2 : o->radius;
		for (int k = 0; k < AROUND; ++k) {
			real y, x;
			scree_sincos(2 * SCREE_PI * k / AROUND, &y, &x);
			vec3 p = v3_madd(v3_madd(v3_madd(o->point, end ? to : from, o->axis), r * x, u), r * y, v);
			int64_t row = m->point(m->to, wall_to_world(at, p));
			if (first < 0) first = row; /* the other points of the polygon follow the first */
		}
	}
	for (int k = 0; k < AROUND; ++k) {
		int next = (k + 1) % AROUND;
		int64_t quad[4] = {first + k, first + next, first + AROUND + next, first + AROUND + k};
		m->cell(m->to, 4, quad);
	}
}
