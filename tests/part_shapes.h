/* part_shapes.h: shapes with parts for tests: prisms over outlines, as closed meshes, and clumps. */
#ifndef SCREE_TESTS_PART_SHAPES_H
#define SCREE_TESTS_PART_SHAPES_H

#include "shape/shapes.h"

typedef struct part_prism {
	int32_t corners, triangles;
	const real (*corner)[2];	  /* counter-clockwise */
	const int32_t (*triangle)[3]; /* triangles that fill the outline */
	real height;
} part_prism;

static const real cross_corner[12][2] = {{.125, -.125}, {.5, -.125},	{.5, .125},	   {.125, .125},
										 {.125, .5},	{-.125, .5},	{-.125, .125}, {-.5, .125},
										 {-.5, -.125},	{-.125, -.125}, {-.125, -.5},  {.125, -.5}};
static const int32_t cross_triangle[10][3] = {{0, 1, 2}, {0, 2, 3},	  {3, 4, 5},  {3, 5, 6}, {6, 7, 8},
											  {6, 8, 9}, {9, 10, 11}, {9, 11, 0}, {0, 3, 6}, {0, 6, 9}};
static const real hook_corner[8][2] = {{-.5, -.5},	{.5, -.5},	  {.5, .5},	  {.25, .5},
									   {.25, -.25}, {-.25, -.25}, {-.25, .5}, {-.5, .5}};
static const int32_t hook_triangle[6][3] = {{0, 1, 4}, {0, 4, 5}, {1, 2, 3}, {1, 3, 4}, {0, 5, 6}, {0, 6, 7}};
static const real square_corner[4][2] = {{-.5, -.5}, {.5, -.5}, {.5, .5}, {-.5, .5}};
static const int32_t square_triangle[2][3] = {{0, 1, 2}, {0, 2, 3}};

static const part_prism part_cross = {12, 10, cross_corner, cross_triangle, 0.25};
static const part_prism part_hook = {8, 6, hook_corner, hook_triangle, 0.25};
static const part_prism part_cube = {4, 2, square_corner, square_triangle, 1};

enum { PART_VERTICES = 24, PART_TRIANGLES = 44 };

typedef struct part_mesh {
	int32_t vertices, triangles;
	vec3 vertex[PART_VERTICES];
	int32_t triangle[3 * PART_TRIANGLES];
} part_mesh;

static inline void part_put(part_mesh *m, int32_t a, int32_t b, int32_t c)
{
	int32_t *to = m->triangle + 3 * m->triangles++;
	to[0] = a, to[1] = b, to[2] = c;
}

static inline part_mesh part_mesh_of(const part_prism *p)
{
	part_mesh m = {.vertices = 2 * p->corners};
	const int32_t n = p->corners;
	for (int32_t k = 0; k < n; ++k) {
		m.vertex[k] = v3(p->corner[k][0], p->corner[k][1], -p->height / 2);
		m.vertex[n + k] = v3(p->corner[k][0], p->corner[k][1], p->height / 2);
	}
	for (int32_t t = 0; t < p->triangles; ++t) {
		const int32_t *c = p->triangle[t];
		part_put(&m, c[2], c[1], c[0]);
		part_put(&m, n + c[0], n + c[1], n + c[2]);
	}
	for (int32_t k = 0; k < n; ++k) {
		int32_t next = (k + 1) % n;
		part_put(&m, k, next, n + next);
		part_put(&m, k, n + next, n + k);
	}
	return m;
}

static inline int32_t part_add_compound(shapes *s, const char *name, const part_prism *p, fail *why)
{
	part_mesh m = part_mesh_of(p);
	return scree_shapes_add_compound(s, name, m.vertices, m.vertex, m.triangles, m.triangle, why);
}

static inline int32_t part_add_surface(shapes *s, const char *name, const part_prism *p, real halo, fail *why)
{
	part_mesh m = part_mesh_of(p);
	return scree_shapes_add_surface(s, name, m.vertices, m.vertex, m.triangles, m.triangle, halo, why);
}

/* eight balls of radius 1/4 at the corners of a cube of edge 1 */
static inline int32_t part_add_eight(shapes *s, const char *name, fail *why)
{
	vec3 at[8];
	real radius[8];
	for (int k = 0; k < 8; ++k) {
		at[k] = v3(k & 1 ? .25 : -.25, k & 2 ? .25 : -.25, k & 4 ? .25 : -.25);
		radius[k] = 0.25;
	}
	return scree_shapes_add_clump(s, name, 8, at, radius, false, why);
}

/* four balls of three sizes, with three different principal moments */
static inline int32_t part_add_pebble(shapes *s, const char *name, bool added, fail *why)
{
	static const vec3 at[4] = {{0, 0, 0}, {.4, 0, 0}, {0, .4, 0}, {0, 0, .4}};
	static const real radius[4] = {.3, .25, .25, .2};
	return scree_shapes_add_clump(s, name, 4, at, radius, added, why);
}

#endif
