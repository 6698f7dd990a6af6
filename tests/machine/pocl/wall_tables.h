/* wall_tables.h: walls of each form, on the host and on a device, for the programs in this folder. */
#ifndef SCREE_TESTS_POCL_WALL_TABLES_H
#define SCREE_TESTS_POCL_WALL_TABLES_H

#include "solids.h"
#include "kernel/wall_rows.h"
#include "wall/facets.h"

enum { PLANE, SHEET, TUBE, DRUM, POST, FUNNEL, GROUND, FOLDS, BLOCK, LEFT, RIGHT, PLATE, WALLS };
enum { SIDE = 5, SURFACES = 32 }; /* SURFACES: most surfaces of a wall, as in wall_arguments.h */

/* A square of triangles with random heights, of which every third vertex is at height 0, so that there are flat parts,
 * shallow and steep valleys, and ridges. */
static int32_t add_ground(walls *s, wall w, real rough, fail *why)
{
	vec3 vertex[SIDE * SIDE];
	int32_t triangle[6 * SIDE * SIDE], n = 0;
	for (int k = 0; k < SIDE * SIDE; ++k)
		vertex[k] = v3((real)(k % SIDE) / 2 - 1, (real)(k / SIDE) / 2 - 1, k % 3 ? draw(-rough, rough) : 0);
	for (int k = 0; k < SIDE * (SIDE - 1); ++k) {
		if (k % SIDE == SIDE - 1) continue;
		const int32_t corner[6] = {k, k + 1, k + SIDE, k + 1, k + SIDE + 1, k + SIDE};
		for (int c = 0; c < 6; ++c) triangle[n++] = corner[c];
	}
	return scree_walls_add_mesh(s, w, SIDE * SIDE, vertex, n / 3, triangle, why);
}

static int32_t add_block(walls *s, wall w, fail *why)
{
	static const int32_t quad[6][4] = {{0, 2, 3, 1}, {4, 5, 7, 6}, {0, 1, 5, 4},
									   {2, 6, 7, 3}, {0, 4, 6, 2}, {1, 3, 7, 5}};
	vec3 vertex[8];
	int32_t triangle[36];
	for (int k = 0; k < 8; ++k) vertex[k] = v3(k & 1 ? 0.7 : -0.7, k & 2 ? 0.6 : -0.6, k & 4 ? 0.5 : -0.5);
	for (int f = 0; f < 6; ++f)
		for (int c = 0; c < 6; ++c) triangle[6 * f + c] = quad[f][c < 3 ? c : c == 3 ? 0 : c - 2];
	return scree_walls_add_mesh(s, w, 8, vertex, 12, triangle, why);
}

static int32_t add_square(walls *s, wall w, real from, real to, fail *why)
{
	const vec3 corner[4] = {v3(from, -1, 0), v3(to, -1, 0), v3(to, 1, 0), v3(from, 1, 0)};
	return scree_walls_add_polygon(s, w, 4, corner, why);
}

static bool add_walls(walls *s)
{
	fail why;
	wall one = scree_wall_default("one", 0), two = scree_wall_default("two", 0);
	two.two_sided = true;
	const vec3 axis = v3_unit(v3(0.1, -0.2, 1)), end = v3_mul(-0.6, axis), zero = v3(0, 0, 0);
	facet_grid *grid[WALLS] = {NULL};
	bool added = scree_walls_add_plane(s, one, zero, axis, &why) == PLANE &&
				 scree_walls_add_plane(s, two, zero, axis, &why) == SHEET &&
				 scree_walls_add_cylinder(s, one, end, axis, 0.8, INFINITY, SIDE_INSIDE, &why) == TUBE &&
				 scree_walls_add_cylinder(s, one, end, axis, 0.8, 1.2, SIDE_INSIDE, &why) == DRUM &&
				 scree_walls_add_cylinder(s, one, end, axis, 0.3, 1.2, SIDE_OUTSIDE, &why) == POST &&
				 scree_walls_add_cone(s, one, end, axis, 0.3, 0.9, 1.2, SIDE_INSIDE, &why) == FUNNEL &&
				 add_ground(s, one, 0.03, &why) == GROUND && add_ground(s, two, 0.4, &why) == FOLDS &&
				 add_block(s, one, &why) == BLOCK && add_square(s, one, -1, 0, &why) == LEFT &&
				 add_square(s, one, 0, 1, &why) == RIGHT && add_square(s, two, -0.5, 0.5, &why) == PLATE;
	for (int32_t k = GROUND; added && k < WALLS; ++k) grid[k] = scree_facet_grid_new(s, k);
	if (added) scree_walls_meet(s, grid);
	for (int32_t k = 0; k < WALLS; ++k) scree_facet_grid_free(grid[k]);
	return added && s->meetings > 0;
}

static wall_row row_of(const wall *w)
{
	return (wall_row){.point = w->point,
					  .axis = w->axis,
					  .radius = w->radius,
					  .radius2 = w->radius2,
					  .length = w->length,
					  .tolerance = w->tolerance,
					  .type = (int32_t)w->type,
					  .side = (int32_t)w->side,
					  .two_sided = w->two_sided,
					  .internal = w->internal,
					  .removed = w->removed,
					  .first_surface = w->first_surface,
					  .first_facet = w->first_facet,
					  .facets = w->facets};
}

/* ------------------------------------------------------------------ walls on the device */

enum { TABLES = 13 };

static cl_mem copied(const device *d, const void *from, size_t bytes)
{
	cl_mem m = room(d, bytes);
	put(d, m, from, bytes);
	return m;
}

/* The first arguments of all kernels, as WALLS in walls.cl. */
static void put_walls(const device *d, const walls *s, cl_mem *m)
{
	const size_t corners = (size_t)s->corners, facets = (size_t)s->facets;
	wall_row row[WALLS];
	int32_t *all = get_room(facets, sizeof *all);
	for (int32_t k = 0; k < WALLS; ++k) row[k] = row_of(s->row + k);
	for (int32_t k = 0; k < s->facets; ++k) all[k] = k;
	m[0] = copied(d, row, sizeof row);
	m[1] = copied(d, s->facet, facets * sizeof *s->facet);
	m[2] = copied(d, s->corner, corners * sizeof *s->corner);
	m[3] = copied(d, s->outward, corners * sizeof *s->outward);
	m[4] = copied(d, s->next, corners * sizeof *s->next);
	m[5] = copied(d, s->meets, corners * sizeof *s->meets);
	m[6] = copied(d, s->bend, corners * sizeof *s->bend);
	m[7] = copied(d, s->meeting, (size_t)s->meetings * sizeof *s->meeting);
	m[8] = copied(d, &s->meet_near, sizeof s->meet_near);
	m[9] = copied(d, all, facets * sizeof *all);
	for (int k = 0; k < 2; ++k) m[10 + k] = copied(d, s->link[k], (size_t)s->surfaces * sizeof *s->link[k]);
	m[12] = copied(d, s->face, (size_t)s->surfaces * sizeof *s->face);
	free(all);
}

#endif
