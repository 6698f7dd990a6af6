/* cut_help.h: moving pairs of polyhedra with many faces, and their common region computed by clipping against all
 * faces, as a reference for faster methods. */
#ifndef SCREE_TESTS_CUT_HELP_H
#define SCREE_TESTS_CUT_HELP_H

#include "narrow/solid/overlap_form.h"
#include "wall_help.h"

static stage all;

SCREE_FN void add_points(const char *name, int32_t points, const vec3 *p)
{
	fail why;
	CHECK(scree_shapes_add_hull(&all.shape, name, points, p, &why) >= 0, "%s", why.text);
}

SCREE_FN void add_random(const char *name, int32_t points, uint64_t seed)
{
	random_stream r = scree_random_start(seed, 31);
	vec3 p[128];
	for (int32_t k = 0; k < points; ++k) p[k] = v3_mul((real)0.5, scree_random_direction(&r));
	add_points(name, points, p);
}

SCREE_FN void add_football(void)
{
	const real g = (1 + sqrt(5)) / 2;
	const vec3 base[3] = {v3(0, 1, 3 * g), v3(1, 2 + g, 2 * g), v3(g, 2, 2 * g + 1)};
	vec3 p[72];
	int32_t n = 0;
	for (int32_t k = 0; k < 3; ++k)
		for (int32_t sign = 0; sign < 8; ++sign) {
			if (k == 0 && sign & 1) continue; /* the first coordinate of this point is 0, which has no sign */
			vec3 v = v3_mul((real)0.1, base[k]);
			v = v3(sign & 1 ? -v.x : v.x, sign & 2 ? -v.y : v.y, sign & 4 ? -v.z : v.z);
			p[n++] = v, p[n++] = v3(v.z, v.x, v.y), p[n++] = v3(v.y, v.z, v.x);
		}
	add_points("football", n, p);
}

/* a solid whose vertices are on circles around the z axis and on the axis */
SCREE_FN void add_turned(const char *name, int32_t sides, int32_t circles, const real *height, const real *radius,
						 real tips)
{
	vec3 p[128];
	int32_t n = 0;
	for (int32_t c = 0; c < circles; ++c)
		for (int32_t k = 0; k < sides; ++k) {
			real si, co;
			scree_sincos(2 * SCREE_PI * k / sides, &si, &co);
			p[n++] = v3(radius[c] * co, radius[c] * si, height[c]);
		}
	if (tips > 0) p[n++] = v3(0, 0, tips), p[n++] = v3(0, 0, -tips);
	add_points(name, n, p);
}

/* ------------------------------------------------------------------ pairs that move */

SCREE_FN real touching_way(const placed *a, const placed *b)
{
	return a->size * a->shape->radius + b->size * b->shape->radius;
}

SCREE_FN void creep(random_stream *r, placed *b, real by)
{
	mat3 m = quat_matrix(turn_about(scree_random_direction(r), by * scree_random_between(r, -1, 1)));
	b->at = v3_add(b->at, v3_mul(by, scree_random_direction(r)));
	b->turn = (mat3){mat3_mul(m, b->turn.x), mat3_mul(m, b->turn.y), mat3_mul(m, b->turn.z)};
}

/* ------------------------------------------------------------------ the region */

SCREE_FN convex_pair pair_of(const placed *a, const placed *b)
{
	convex_pair c = {.at_a = a, .at_b = b, .a = a->shape, .b = b->shape, .sa = a->size, .sb = b->size};
	c.turn = (mat3){mat3_tmul(a->turn, b->turn.x), mat3_tmul(a->turn, b->turn.y), mat3_tmul(a->turn, b->turn.z)};
	c.apart = mat3_tmul(a->turn, v3_sub(b->at, a->at));
	c.scale = real_max(c.sa * c.a->radius, c.sb * c.b->radius);
	return c;
}

typedef struct whole_cut {
	near_outcome found;
	int32_t first; /* the face of b whose plane left the smallest part of a */
	patch apart;
	cutting room;
} whole_cut;

/* Clips a against all faces of b in the order used in overlap_convex.c: each face that leaves a smaller part than all
 * previous faces moves to the front. */
SCREE_FN void cut_by_all(const convex_pair *c, real slack, whole_cut *w)
{
	int32_t list[OVERLAP_FACES], count = 0;
	vec3 n[OVERLAP_FACES];
	real off[OVERLAP_FACES], best = -INFINITY;
	w->found = NEAR_APART;
	for (int32_t f = 0; f < c->b->faces; ++f) {
		real low = INFINITY, high = -INFINITY;
		n[f] = mat3_mul(c->turn, shape_normal(c->b, f));
		off[f] = c->sb * c->b->off[f] + v3_dot(n[f], c->apart);
		if (off[f] >= c->sa * c->a->radius) continue;
		for (int32_t v = 0; v < c->a->vertices; ++v) {
			real h = v3_dot(n[f], shape_vertex(c->a, v));
			low = real_min(low, h), high = real_max(high, h);
		}
		low = c->sa * low - off[f], high = c->sa * high - off[f];
		w->apart.depth = -low;
		w->apart.axis = 1 + c->a->faces + f;
		if (low > 0) return;
		if (!(high > slack)) continue;
		list[count++] = f;
		if (!(low > best)) continue;
		best = low;
		list[count - 1] = list[0];
		list[0] = f;
	}
	w->first = count ? list[0] : -1;
	w->found = NEAR_NOTHING;
	scree_cut_start(&w->room, c->a, c->sa, slack);
	for (int32_t k = 0; k < count; ++k)
		if (!scree_cut(&w->room, n[list[k]], off[list[k]])) return;
	w->found = NEAR_LEFT;
}

SCREE_FN bool same(vec3 a, vec3 b) { return a.x == b.x && a.y == b.y && a.z == b.z; }

SCREE_FN void check_solid(const solid *p, const solid *q)
{
	CHECK(p->vertices == q->vertices && p->faces == q->faces && p->corners == q->corners,
		  "%d vertices, %d faces, %d corners; all cuts leave %d, %d, %d", q->vertices, q->faces, q->corners,
		  p->vertices, p->faces, p->corners);
	for (int32_t v = 0; v < p->vertices; ++v) CHECK(same(p->vertex[v], q->vertex[v]), "vertex %d", v);
	for (int32_t k = 0; k < p->corners; ++k) CHECK(p->corner[k] == q->corner[k], "corner %d", k);
	for (int32_t f = 0; f < p->faces; ++f)
		CHECK(p->first[f + 1] == q->first[f + 1] && p->second[f] == q->second[f] && same(p->normal[f], q->normal[f]),
			  "face %d", f);
}

#endif
