/* surface_help.h: closed surfaces with given poses, their contacts, and the distance between two surfaces from all
 * pairs of triangles, without using vertices, edges or trees. */
#ifndef SCREE_TESTS_SURFACE_HELP_H
#define SCREE_TESTS_SURFACE_HELP_H

#include "test.h"

#include "grains.h"
#include "narrow/surface/surface.h"
#include "narrow/triangle/triangles.h"

SCREE_FN trimesh built_of(const grain *g)
{
	trimesh m;
	fail why = {0};
	bool good = scree_trimesh_build(&m, "grain", g->vertices, g->vertex, g->triangles, g->triangle, &why);
	CHECK(good, "%s", why.text);
	return m;
}

/* box from low to high */
SCREE_FN trimesh built_box(vec3 low, vec3 high)
{
	const real x[2] = {low.x, high.x}, y[2] = {low.y, high.y}, z[2] = {low.z, high.z};
	grain g = grain_blocks(1, 1, 1, x, y, z, 1);
	trimesh m = built_of(&g);
	grain_free(&g);
	return m;
}

static inline mat3 random_turn(random_stream *r) { return quat_matrix(scree_random_rotation(r)); }
static const mat3 UPRIGHT = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};

SCREE_FN placed_surface put_at(const trimesh *m, vec3 at, real halo)
{
	return (placed_surface){.of = m, .at = at, .turn = UPRIGHT, .size = 1, .halo = halo, .round = (real)0.5};
}

SCREE_FN vec3 corner_at(const placed_surface *p, vec3 origin, int32_t side)
{
	return v3_add(v3_sub(p->at, origin), mat3_mul(p->turn, v3_mul(p->size, p->of->vertex[p->of->corner[side]])));
}

SCREE_FN void corners_of(const placed_surface *p, vec3 origin, int32_t t, double c[9])
{
	for (int k = 0; k < 3; ++k) {
		vec3 x = corner_at(p, origin, 3 * t + k);
		c[3 * k] = x.x, c[3 * k + 1] = x.y, c[3 * k + 2] = x.z;
	}
}

/* smallest distance over all pairs of triangles; 0 if any pair crosses */
typedef struct whole_gap {
	real distance;
	bool crossed;
} whole_gap;
SCREE_FN whole_gap distance_of(const placed_surface *a, const placed_surface *b)
{
	int32_t count = a->of->triangles * b->of->triangles;
	double *c = scree_alloc((size_t)count * 18, sizeof *c), one[9];
	triangle_gap *gap = scree_alloc((size_t)count, sizeof *gap);
	triangle_pairs p = {.count = count};
	for (int k = 0; k < 9; ++k) p.a[k] = c + k * count, p.b[k] = c + (9 + k) * count;
	for (int32_t i = 0; i < count; ++i) {
		corners_of(a, a->at, i / b->of->triangles, one);
		for (int k = 0; k < 9; ++k) c[k * count + i] = one[k];
		corners_of(b, a->at, i % b->of->triangles, one);
		for (int k = 0; k < 9; ++k) c[(9 + k) * count + i] = one[k];
	}
	triangle_search how = {.way = TRIANGLES_BRUTE};
	triangle_counts counts = {{0}};
	scree_triangles(&p, &how, gap, &counts);
	whole_gap o = {INFINITY, false};
	for (int32_t i = 0; i < count; ++i) {
		o.distance = real_min(o.distance, gap[i].distance);
		o.crossed = o.crossed || gap[i].penetrated;
	}
	scree_free(c), scree_free(gap);
	return o;
}

/* Moves b straight towards a until the two are this far apart. Returns false if this distance is not reached. */
SCREE_FN bool move_near(const placed_surface *a, placed_surface *b, real target)
{
	for (int k = 0; k < 200; ++k) {
		whole_gap g = distance_of(a, b);
		real off = g.distance - target;
		if (g.crossed) return false;
		if (real_abs(off) <= 1e-3 * target + 1e-13) return true;
		vec3 d = v3_sub(a->at, b->at);
		real far = v3_norm(d);
		if (off > far) return false;
		b->at = v3_madd(b->at, (off > 0 ? 1 : 0.1) * off / far, d);
	}
	return false;
}

typedef struct contacts {
	point_list list;
	surface_scratch scratch;
	bool crossed;
	real least;
} contacts;

SCREE_FN void meet(contacts *o, const placed_surface *a, const placed_surface *b)
{
	o->list.count = 0;
	o->least = scree_surface_surface(a, b, &o->scratch, &o->list, &o->crossed);
}
SCREE_FN void contacts_free(contacts *o)
{
	scree_point_list_free(&o->list);
	scree_surface_scratch_free(&o->scratch);
}

/* ------------------------------------------------------------------ a second method for minima */

typedef struct meeting {
	vec3 x, y;
	real distance;
} meeting;

/* Triangles that share a point (its star), shrunk towards it. */
typedef struct star {
	int32_t count;
	double c[64][9];
} star;

static inline star star_of(const placed_surface *p, vec3 origin, vec3 x, real part)
{
	star s = {0};
	for (int32_t t = 0; t < p->of->triangles; ++t) {
		double c[9], point[9] = {x.x, x.y, x.z, x.x, x.y, x.z, x.x, x.y, x.z};
		corners_of(p, origin, t, c);
		if (scree_triangles_thorough(point, c).distance > 1e-11 * p->of->extent * p->size || s.count == 64) continue;
		for (int k = 0; k < 9; ++k) s.c[s.count][k] = point[k] + part * (c[k] - point[k]);
		++s.count;
	}
	return s;
}

/* largest amount by which the surfaces come closer together than at x and y, within neighbourhoods of size `part`
 * around these points */
static inline real nearer_around(const placed_surface *a, const placed_surface *b, const meeting *m, real part)
{
	star s = star_of(a, a->at, m->x, part), t = star_of(b, a->at, m->y, part);
	real least = m->distance;
	for (int32_t i = 0; i < s.count; ++i)
		for (int32_t k = 0; k < t.count; ++k)
			least = real_min(least, scree_triangles_thorough(s.c[i], t.c[k]).distance);
	return m->distance - least;
}

#endif
