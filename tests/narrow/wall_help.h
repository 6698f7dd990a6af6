/* wall_help.h: code shared by tests of walls: bodies with random poses, all facets as candidates, and the force of a
 * contact. */
#ifndef SCREE_TESTS_WALL_HELP_H
#define SCREE_TESTS_WALL_HELP_H

#include "test.h"

#include "base/maths.h"
#include "base/memory.h"
#include "kernel/quat.h"
#include "narrow/narrow.h"

/* Force and torque of a spring of stiffness 1, shared by the points of each contact according to their weights. */
typedef struct push {
	vec3 force, couple;
	real deepest;
	real twist; /* force times arm */
} push;

SCREE_FN push push_of(const touch_list *t)
{
	push p = {{0, 0, 0}, {0, 0, 0}, 0, 0};
	for (int32_t i = 0; i < t->count; ++i) {
		const touch *a = t->item + i;
		for (int32_t k = a->first; k < a->first + a->points; ++k) {
			vec3 f = v3_mul(a->part * t->weight[k] * t->deep[k], a->normal);
			p.force = v3_add(p.force, f);
			p.couple = v3_add(p.couple, v3_cross(t->at[k], f));
			p.twist += a->part * t->weight[k] * t->deep[k] * a->arm;
		}
		p.deepest = real_max(p.deepest, a->depth);
	}
	return p;
}

/* Conditions that each list of contacts must satisfy: unit normals, weights that sum to 1, overlaps > 0, surfaces in
 * ascending order, no NaN. */
SCREE_FN void check_list(const touch_list *t)
{
	int32_t next = 0;
	for (int32_t i = 0; i < t->count; ++i) {
		const touch *a = t->item + i;
		real sum = 0, most = 0;
		CHECK(a->first == next && a->points > 0, "touch %d has points %d from %d", i, a->points, a->first);
		CHECK(!i || t->item[i - 1].surface < a->surface, "surface %d twice or out of order", a->surface);
		for (int32_t k = a->first; k < a->first + a->points; ++k) {
			sum += t->weight[k];
			most = real_max(most, t->deep[k]);
			CHECK(t->weight[k] >= 0 && t->deep[k] > 0, "weight %g, overlap %g", t->weight[k], t->deep[k]);
			CHECK(v3_norm2(t->at[k]) < INFINITY, "a point is not a number");
		}
		NEAR(sum, 1, 1e-12, "sum of the weights");
		NEAR(v3_norm(a->normal), 1, 1e-12, "length of the normal");
		NEAR(a->depth, most, 0, "greatest overlap");
		CHECK(a->arm >= 0 && a->arm < INFINITY, "arm %g", a->arm);
		CHECK(a->part > 0 && a->part <= 1, "part %g", a->part);
		next = a->first + a->points;
	}
	CHECK(next == t->points, "%d points, %d belong to touches", t->points, next);
}

typedef struct stage {
	shapes shape;
	walls wall;
	touch_list list;
	int32_t *all;
	int32_t room;
} stage;

SCREE_FN void stage_clear(stage *s)
{
	scree_shapes_free(&s->shape);
	scree_walls_free(&s->wall);
	scree_touch_list_free(&s->list);
	scree_free(s->all);
	memset(s, 0, sizeof *s);
}

/* lists all facets of a wall as candidates */
SCREE_FN int32_t all_facets(stage *s, int32_t wall_row)
{
	const wall *w = s->wall.row + wall_row;
	if (w->facets > s->room) {
		scree_free(s->all);
		s->all = scree_alloc((size_t)w->facets, sizeof *s->all);
		s->room = w->facets;
	}
	for (int32_t i = 0; i < w->facets; ++i) s->all[i] = w->first_facet + i;
	return w->facets;
}

SCREE_FN push meet_convex(stage *s, const placed *b, int32_t wall_row)
{
	int32_t n = all_facets(s, wall_row);
	scree_convex_wall(b, &(near_wall){&s->wall, wall_row, n, s->all}, &s->list);
	check_list(&s->list);
	return push_of(&s->list);
}

SCREE_FN push meet_sphere(stage *s, vec3 c, real r, int32_t wall_row)
{
	int32_t n = all_facets(s, wall_row);
	scree_sphere_wall(c, r, &(near_wall){&s->wall, wall_row, n, s->all}, &s->list);
	check_list(&s->list);
	return push_of(&s->list);
}

/* all walls together */
SCREE_FN push meet_all(stage *s, const placed *b)
{
	push sum = {{0, 0, 0}, {0, 0, 0}, 0, 0};
	for (int32_t k = 0; k < s->wall.count; ++k) {
		push p = meet_convex(s, b, k);
		sum.force = v3_add(sum.force, p.force);
		sum.couple = v3_add(sum.couple, p.couple);
		sum.deepest = real_max(sum.deepest, p.deepest);
		sum.twist += p.twist;
	}
	return sum;
}

SCREE_FN vec3 random_in(random_stream *r, real reach)
{
	real x = scree_random_between(r, -reach, reach), y = scree_random_between(r, -reach, reach);
	return v3(x, y, scree_random_between(r, -reach, reach));
}

SCREE_FN quat turn_about(vec3 axis, real angle)
{
	real s, c;
	scree_sincos(angle / 2, &s, &c);
	return quat_of(c, s * axis.x, s * axis.y, s * axis.z);
}

SCREE_FN placed place(const stage *s, int32_t shape_row, vec3 at, quat turn, real size)
{
	return (placed){s->shape.row + shape_row, at, quat_matrix(turn), size};
}

/* a random body, drawn in the same order with every compiler */
SCREE_FN placed place_random(const stage *s, int32_t shape_row, random_stream *r, real reach, real least, real most)
{
	vec3 at = random_in(r, reach);
	quat turn = scree_random_rotation(r);
	return place(s, shape_row, at, turn, scree_random_between(r, least, most));
}

SCREE_FN vec3 vertex_of(const placed *b, int32_t v)
{
	const shape *s = b->shape;
	return v3_add(b->at, mat3_mul(b->turn, v3_mul(b->size, v3(s->vx[v], s->vy[v], s->vz[v]))));
}

/* cube, tetrahedron, octahedron, dodecahedron, icosahedron, an oblique prism with unequal sides, and an oblique double
 * pyramid: rows 0 to 6 */
enum { SOLIDS = 7 };
SCREE_FN void add_solids(stage *s)
{
	static const char *name[] = {"cube", "tetrahedron", "octahedron", "dodecahedron", "icosahedron"};
	static const real angle[7] = {0, 0.5, 1.4, 2.9, 3.1, 4.4, 5.2};
	fail why;
	for (int k = 0; k < 5; ++k) CHECK(scree_shapes_add_regular(&s->shape, name[k], name[k], &why) == k, "%s", why.text);
	vec3 v[14], w[9];
	int32_t first[15] = {0}, corner[64], n = 0, faces = 0;
	for (int k = 0; k < 7; ++k) {
		real si, co;
		scree_sincos(angle[k], &si, &co);
		v[k] = v3(0.4 * co, 0.3 * si, -0.25);
		v[k + 7] = v3(0.4 * co + 0.1, 0.3 * si, 0.2);
		w[k] = v3(0.35 * co, 0.4 * si, 0);
	}
	w[7] = v3(0.1, 0, -0.3);
	w[8] = v3(-0.1, 0.1, 0.4);
	for (int k = 0; k < 7; ++k) corner[n++] = 6 - k;
	first[++faces] = n;
	for (int k = 0; k < 7; ++k) corner[n++] = 7 + k;
	first[++faces] = n;
	for (int k = 0; k < 7; ++k, first[++faces] = n) {
		int32_t next = (k + 1) % 7;
		corner[n++] = k, corner[n++] = next, corner[n++] = next + 7, corner[n++] = k + 7;
	}
	CHECK(scree_shapes_add_convex(&s->shape, "prism", 14, v, faces, first, corner, &why) == 5, "%s", why.text);
	n = faces = 0;
	for (int k = 0; k < 14; ++k, first[++faces] = n) {
		int32_t a = k % 7, b = (k + 1) % 7;
		corner[n++] = k < 7 ? a : b, corner[n++] = k < 7 ? b : a, corner[n++] = k < 7 ? 8 : 7;
	}
	CHECK(scree_shapes_add_convex(&s->shape, "pyramids", 9, w, faces, first, corner, &why) == 6, "%s", why.text);
}

/* A square floor z = 0 from -half to half as a triangulation of grid points, which are displaced by up to `shake` cells
 * (with 0.2 every square stays convex); corners are counter-clockwise as seen from above. */
SCREE_FN int32_t add_random_floor(stage *s, real half, int32_t cells, real shake, uint64_t seed, bool two_sided)
{
	int32_t n = cells + 1, made = 0;
	vec3 *v = scree_alloc((size_t)n * (size_t)n, sizeof *v);
	int32_t *t = scree_alloc(6 * (size_t)cells * (size_t)cells, sizeof *t);
	random_stream r = scree_random_start(seed, 77);
	for (int32_t i = 0; i < n * n; ++i) {
		bool edge_x = i % n == 0 || i % n == cells, edge_y = i / n == 0 || i / n == cells;
		real dx = scree_random_between(&r, -shake, shake), dy = scree_random_between(&r, -shake, shake);
		v[i] = v3(half * (2 * (i % n + (edge_x ? 0 : dx)) / cells - 1),
				  half * (2 * (i / n + (edge_y ? 0 : dy)) / cells - 1), 0);
	}
	for (int32_t c = 0; c < cells * cells; ++c) {
		int32_t a = c % cells + c / cells * n, b = a + 1, e = a + n, f = e + 1;
		bool flip = scree_random_bits(&r) & 1;
		int32_t corner[2][6] = {{a, b, f, a, f, e}, {a, b, e, b, f, e}};
		for (int k = 0; k < 6; ++k) t[made++] = corner[flip][k];
	}
	fail why;
	wall w = scree_wall_default("floor", 0);
	w.two_sided = two_sided;
	int32_t row = scree_walls_add_mesh(&s->wall, w, n * n, v, made / 3, t, &why);
	CHECK(row >= 0, "%s", why.text);
	scree_free(v);
	scree_free(t);
	return row;
}

/* The surface of the box low..high, seen from outside or inside, as six polygons (separate walls; returns the first
 * row) or one mesh. */
SCREE_FN int32_t add_box(stage *s, vec3 low, vec3 high, bool inside, bool mesh)
{
	static const int32_t face[6][4] = {{0, 4, 6, 2}, {1, 3, 7, 5}, {0, 1, 5, 4},
									   {2, 6, 7, 3}, {0, 2, 3, 1}, {4, 5, 7, 6}};
	vec3 v[8], p[4];
	int32_t t[36], row = -1;
	fail why;
	for (int k = 0; k < 8; ++k) v[k] = v3(k & 1 ? high.x : low.x, k & 2 ? high.y : low.y, k & 4 ? high.z : low.z);
	for (int f = 0; f < 6; ++f) {
		for (int k = 0; k < 4; ++k) p[k] = v[face[f][inside ? 3 - k : k]];
		for (int k = 0; k < 6; ++k) {
			static const int32_t of[6] = {0, 1, 2, 0, 2, 3};
			t[6 * f + k] = face[f][inside ? 3 - of[k] : of[k]];
		}
		if (mesh) continue;
		int32_t made = scree_walls_add_polygon(&s->wall, scree_wall_default("side", 0), 4, p, &why);
		CHECK(made >= 0, "%s", why.text);
		if (!f) row = made;
	}
	if (mesh) row = scree_walls_add_mesh(&s->wall, scree_wall_default("box", 0), 8, v, 12, t, &why);
	CHECK(row >= 0, "%s", why.text);
	return row;
}

SCREE_FN void near_push(push a, push b, real force, real couple, const char *what)
{
	NEAR(v3_norm(v3_sub(a.force, b.force)), 0, force, what);
	NEAR(v3_norm(v3_sub(a.couple, b.couple)), 0, couple, what);
}

#endif
