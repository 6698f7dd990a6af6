/* grains.h: closed triangle meshes for tests: tetrapods, jacks, blocks of boxes, prisms, tori, and granulates. */
#ifndef SCREE_TESTS_GRAINS_H
#define SCREE_TESTS_GRAINS_H

#include "base/maths.h"
#include "base/memory.h"
#include "base/random.h"
#include "kernel/quat.h"
#include "shape/shapes.h"

typedef struct grain {
	int32_t vertices, triangles;
	vec3 *vertex;
	int32_t *triangle;
} grain;

static inline void grain_free(grain *g)
{
	scree_free(g->vertex), scree_free(g->triangle);
	*g = (grain){0};
}

static inline int32_t grain_vertex(grain *g, vec3 p)
{
	g->vertex = scree_grow(g->vertex, (size_t)g->vertices, (size_t)g->vertices + 1, sizeof *g->vertex);
	g->vertex[g->vertices] = p;
	return g->vertices++;
}

static inline void grain_triangle(grain *g, int32_t a, int32_t b, int32_t c)
{
	g->triangle = scree_grow(g->triangle, 3 * (size_t)g->triangles, 3 * (size_t)g->triangles + 3, sizeof *g->triangle);
	int32_t *t = g->triangle + 3 * g->triangles++;
	t[0] = a, t[1] = b, t[2] = c;
}

static inline void grain_quad(grain *g, int32_t a, int32_t b, int32_t c, int32_t d)
{
	grain_triangle(g, a, b, c);
	grain_triangle(g, a, c, d);
}

static inline real grain_volume(const grain *g)
{
	real sum = 0;
	vec3 o = g->vertex[0];
	for (int32_t t = 0; t < g->triangles; ++t) {
		const int32_t *c = g->triangle + 3 * t;
		sum += v3_dot(v3_sub(g->vertex[c[0]], o), v3_cross(v3_sub(g->vertex[c[1]], o), v3_sub(g->vertex[c[2]], o)));
	}
	return sum / 6;
}

/* Four arms with six sides, with radius `thick` and length `length`, pointing to the corners of a tetrahedron. */
static inline grain grain_tetrapod(real thick, real length)
{
	grain g = {0};
	static const int8_t way[4][3] = {{1, 1, 1}, {1, -1, -1}, {-1, 1, -1}, {-1, -1, 1}};
	vec3 d[4];
	int32_t mid[4][4], deep[4]; /* vertices between two arms, and vertices between three arms */
	for (int i = 0; i < 4; ++i) d[i] = v3_unit(v3(way[i][0], way[i][1], way[i][2]));
	for (int i = 0; i < 4; ++i) {
		/* where the edge of arm i that faces arm j meets the plane halfway between the two arms */
		for (int j = 0; j < i; ++j) {
			vec3 p = v3_unit(v3_madd(d[j], -v3_dot(d[j], d[i]), d[i]));
			real along = thick * v3_dot(p, d[j]) / (1 - v3_dot(d[i], d[j]));
			mid[i][j] = mid[j][i] = grain_vertex(&g, v3_add(v3_mul(thick, p), v3_mul(along, d[i])));
		}
	}
	for (int j = 0; j < 4;
		 ++j) { /* the edge of arm i that faces away from arm j meets the same edges of the other two arms on -d_j */
		int i = (j + 1) % 4;
		deep[j] = grain_vertex(&g, v3_mul(thick / v3_norm(v3_cross(d[j], d[i])), v3_neg(d[j])));
	}
	for (int i = 0; i < 4; ++i) {
		int j = (i + 1) % 4, k = (i + 2) % 4, l = (i + 3) % 4;
		if (v3_dot(v3_cross(d[j], d[k]), d[i]) < 0) {
			int swap = j;
			j = k, k = swap;
		}
		int32_t ring[6] = {mid[i][j], deep[l], mid[i][k], deep[j], mid[i][l], deep[k]}, tip[6];
		for (int n = 0; n < 6; ++n) {
			vec3 p = g.vertex[ring[n]];
			tip[n] = grain_vertex(&g, v3_madd(p, length - v3_dot(p, d[i]), d[i]));
		}
		for (int n = 0; n < 6; ++n) grain_quad(&g, ring[n], ring[(n + 1) % 6], tip[(n + 1) % 6], tip[n]);
		for (int n = 1; n < 5; ++n) grain_triangle(&g, tip[0], tip[n], tip[n + 1]);
	}
	return g;
}

/* A tetrahedron with a prism on each face: four arms with three sides each, which narrow to `taper` times their width
 * at the tips. */
static inline grain grain_caltrop(real length, real taper)
{
	grain g = {0};
	static const int8_t loop[4][3] = {{1, 3, 2}, {0, 2, 3}, {0, 3, 1}, {0, 1, 2}};
	static const int8_t way[4][3] = {{1, 1, 1}, {1, -1, -1}, {-1, 1, -1}, {-1, -1, 1}};
	for (int i = 0; i < 4; ++i) grain_vertex(&g, v3_mul(0.2, v3(way[i][0], way[i][1], way[i][2])));
	for (int i = 0; i < 4; ++i) {
		vec3 a = g.vertex[loop[i][0]], b = g.vertex[loop[i][1]], c = g.vertex[loop[i][2]];
		vec3 out = v3_unit(v3_cross(v3_sub(b, a), v3_sub(c, a))), mid = v3_mul(1.0 / 3, v3_add(a, v3_add(b, c)));
		int32_t tip[3];
		for (int k = 0; k < 3; ++k)
			tip[k] = grain_vertex(&g, v3_madd(v3_madd(mid, taper, v3_sub(g.vertex[loop[i][k]], mid)), length, out));
		for (int k = 0; k < 3; ++k) grain_quad(&g, loop[i][k], loop[i][(k + 1) % 3], tip[(k + 1) % 3], tip[k]);
		grain_triangle(&g, tip[0], tip[1], tip[2]);
	}
	return g;
}

/* Boxes of a lattice with planes x[0] < x[1] < ..., and similarly along y and z; box (i, j, k) is full if bit i +
 * nx (j + ny k) is set. */
static inline grain grain_blocks(int nx, int ny, int nz, const real *x, const real *y, const real *z, uint64_t full)
{
	grain g = {0};
	int32_t number[8 * 8 * 8];
	for (int k = 0; k < 512; ++k) number[k] = -1;
	static const int8_t face[6][4][3] = {
		{{0, 0, 0}, {0, 0, 1}, {0, 1, 1}, {0, 1, 0}}, {{1, 0, 0}, {1, 1, 0}, {1, 1, 1}, {1, 0, 1}},
		{{0, 0, 0}, {1, 0, 0}, {1, 0, 1}, {0, 0, 1}}, {{0, 1, 0}, {0, 1, 1}, {1, 1, 1}, {1, 1, 0}},
		{{0, 0, 0}, {0, 1, 0}, {1, 1, 0}, {1, 0, 0}}, {{0, 0, 1}, {1, 0, 1}, {1, 1, 1}, {0, 1, 1}}};
	for (int c = 0; c < nx * ny * nz; ++c) {
		int at[3] = {c % nx, c / nx % ny, c / nx / ny};
		for (int f = 0; (full >> c & 1) && f < 6; ++f) {
			int to[3] = {at[0], at[1], at[2]};
			to[f / 2] += f % 2 ? 1 : -1;
			bool in = to[0] >= 0 && to[0] < nx && to[1] >= 0 && to[1] < ny && to[2] >= 0 && to[2] < nz;
			if (in && (full >> (to[0] + nx * (to[1] + ny * to[2])) & 1)) continue;
			int32_t corner[4];
			for (int k = 0; k < 4; ++k) {
				int i = at[0] + face[f][k][0], j = at[1] + face[f][k][1], l = at[2] + face[f][k][2];
				int32_t *n = number + i + 8 * (j + 8 * l);
				if (*n < 0) *n = grain_vertex(&g, v3(x[i], y[j], z[l]));
				corner[k] = *n;
			}
			grain_quad(&g, corner[0], corner[1], corner[2], corner[3]);
		}
	}
	return g;
}

/* Three crossing bars of thickness `thick` and length 1. */
static inline grain grain_jack(real thick)
{
	const real x[4] = {-0.5, -thick / 2, thick / 2, 0.5};
	uint64_t full = 0;
	for (int k = 0; k < 27; ++k)
		if ((k % 3 == 1) + (k / 3 % 3 == 1) + (k / 9 == 1) >= 2) full |= (uint64_t)1 << k;
	return grain_blocks(3, 3, 3, x, x, x, full);
}

/* Letters with thin parts, one box thick: "L", "U", "+" */
static inline grain grain_letter(char letter)
{
	const real x[4] = {0, 0.2, 0.5, 0.7}, z[2] = {0, 0.3};
	return grain_blocks(3, 3, 1, x, x, z, letter == 'L' ? 0111 | 0007 : letter == 'U' ? 0557 : 0272);
}

/* A prism over a polygon around the origin with n corners at these radii and angles. */
static inline grain grain_prism(int32_t n, const real *radius, const real *angle, real height)
{
	grain g = {0};
	int32_t low = grain_vertex(&g, v3(0, 0, -height / 2)), high = grain_vertex(&g, v3(0, 0, height / 2));
	for (int32_t k = 0; k < n; ++k) {
		real x = radius[k] * scree_cos(angle[k]), y = radius[k] * scree_sin(angle[k]);
		grain_vertex(&g, v3(x, y, -height / 2));
		grain_vertex(&g, v3(x, y, height / 2));
	}
	for (int32_t k = 0; k < n; ++k) {
		int32_t a = 2 + 2 * k, b = 2 + 2 * ((k + 1) % n);
		grain_triangle(&g, low, b, a);
		grain_triangle(&g, high, a + 1, b + 1);
		grain_quad(&g, a, b, b + 1, a + 1);
	}
	return g;
}

static inline grain grain_star(int32_t points, real inside)
{
	real radius[64], angle[64];
	for (int32_t k = 0; k < 2 * points; ++k) {
		radius[k] = k % 2 ? inside : 0.5;
		angle[k] = SCREE_PI * k / points;
	}
	return grain_prism(2 * points, radius, angle, 0.3);
}

static inline grain grain_gear(int32_t teeth)
{
	real radius[128], angle[128];
	static const real at[4] = {0, 0.25, 0.4, 0.85};
	for (int32_t k = 0; k < 4 * teeth; ++k) {
		radius[k] = k % 4 == 1 || k % 4 == 2 ? 0.5 : 0.38;
		angle[k] = 2 * SCREE_PI * (k / 4 + at[k % 4]) / teeth;
	}
	return grain_prism(4 * teeth, radius, angle, 0.2);
}

static inline grain grain_torus(int32_t around, int32_t across, real ring, real tube)
{
	grain g = {0};
	for (int32_t i = 0; i < around; ++i)
		for (int32_t j = 0; j < across; ++j) {
			real a = 2 * SCREE_PI * i / around, b = 2 * SCREE_PI * j / across, r = ring + tube * scree_cos(b);
			grain_vertex(&g, v3(r * scree_cos(a), r * scree_sin(a), tube * scree_sin(b)));
		}
	for (int32_t i = 0; i < around; ++i)
		for (int32_t j = 0; j < across; ++j) {
			int32_t k = (i + 1) % around, l = (j + 1) % across;
			grain_quad(&g, i * across + j, k * across + j, k * across + l, i * across + l);
		}
	return g;
}

/* the faces of a convex shape as triangle fans, in the user's frame */
static inline grain grain_of_shape(const shape *s)
{
	grain g = {0};
	for (int32_t i = 0; i < s->vertices; ++i)
		grain_vertex(&g, v3_add(s->centre, quat_rotate(s->frame, v3(s->vx[i], s->vy[i], s->vz[i]))));
	for (int32_t f = 0; f < s->faces; ++f)
		for (int32_t k = s->first[f] + 1; k + 1 < s->first[f + 1]; ++k)
			grain_triangle(&g, s->corner[s->first[f]], s->corner[k], s->corner[k + 1]);
	return g;
}

/* The hull of random points on a sphere, with its corners moved inwards to between `least` and 1 times their distance
 * from the centre. */
static inline grain grain_granulate(random_stream *r, int32_t points, real least)
{
	vec3 *p = scree_alloc((size_t)points, sizeof *p);
	for (int32_t k = 0; k < points; ++k) p[k] = v3_mul(0.5, scree_random_direction(r));
	shapes all = {0};
	fail why;
	grain g = {0};
	if (scree_shapes_add_hull(&all, "hull", points, p, &why) == 0) g = grain_of_shape(all.row);
	for (int32_t k = 0; k < g.vertices; ++k) g.vertex[k] = v3_mul(scree_random_between(r, least, 1), g.vertex[k]);
	scree_shapes_free(&all);
	scree_free(p);
	return g;
}

static inline void grain_place(grain *g, real size, quat turn, vec3 at)
{
	for (int32_t k = 0; k < g->vertices; ++k) g->vertex[k] = v3_madd(at, size, quat_rotate(turn, g->vertex[k]));
}

/* non-convex grains of all kinds */
enum { GRAIN_HOLLOWS = 6 };

static inline grain grain_hollow(int kind)
{
	switch (kind) {
	case 0:
		return grain_tetrapod(0.1, 0.5);
	case 1:
		return grain_caltrop(0.5, 0.6);
	case 2:
		return grain_jack(0.2);
	case 3:
		return grain_letter('U');
	case 4:
		return grain_star(5, 0.2);
	default:
		return grain_gear(12);
	}
}

#endif
