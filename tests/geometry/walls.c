/* Walls: closed forms, facets and surfaces of polygons and meshes, and refusals. */
#include "test.h"

#include "kernel/quat.h"
#include "shape/mesh/surface.h"
#include "wall/wall_surface.h"

enum { MOST = 4000 };

typedef struct soup {
	int32_t vertices, triangles;
	vec3 vertex[3 * MOST];
	int32_t triangle[3 * MOST];
} soup;

/* each triangle has its own three corners, as in STL files */
static void add_triangle(soup *s, vec3 a, vec3 b, vec3 c)
{
	const vec3 p[3] = {a, b, c};
	for (int k = 0; k < 3; ++k) {
		s->triangle[3 * s->triangles + k] = s->vertices;
		s->vertex[s->vertices++] = p[k];
	}
	++s->triangles;
}

static void add_box(soup *s, vec3 edge, bool inward)
{
	static const int loop[6][4] = {{0, 2, 3, 1}, {0, 1, 5, 4}, {0, 4, 6, 2}, {1, 3, 7, 5}, {2, 6, 7, 3}, {4, 5, 7, 6}};
	vec3 p[8];
	for (int i = 0; i < 8; ++i)
		p[i] = v3((i & 1 ? 0.5 : -0.5) * edge.x, (i & 2 ? 0.5 : -0.5) * edge.y, (i & 4 ? 0.5 : -0.5) * edge.z);
	for (int f = 0; f < 6; ++f)
		for (int k = 1; k < 3; ++k) {
			vec3 a = p[loop[f][0]], b = p[loop[f][k]], c = p[loop[f][k + 1]];
			if (inward)
				add_triangle(s, a, c, b);
			else
				add_triangle(s, a, b, c);
		}
}

static int32_t add_mesh(walls *w, const soup *s, bool two_sided)
{
	fail why = {0};
	wall of = scree_wall_default("mesh", 0);
	of.two_sided = two_sided;
	int32_t row = scree_walls_add_mesh(w, of, s->vertices, s->vertex, s->triangles, s->triangle, &why);
	CHECK(row >= 0, "%s", why.text);
	return row;
}

/* Checks all properties that walls.h guarantees for facets. */
static void check_facets(const walls *w)
{
	int32_t seen = 0, low_surface = -1;
	for (int32_t i = 0; i < w->count; ++i) {
		const wall *of = w->row + i;
		for (int32_t k = 0; k < of->surfaces; ++k) CHECK(w->surface_wall[of->first_surface + k] == i, "surface %d", k);
		CHECK(of->first_surface == low_surface + 1, "surfaces are numbered on: %d", of->first_surface);
		low_surface = of->first_surface + of->surfaces - 1;
		seen += of->facets;
		for (int32_t f = of->first_facet; f < of->first_facet + of->facets; ++f) {
			const facet *t = w->facet + f;
			CHECK(t->wall == i && t->surface >= of->first_surface && t->surface <= low_surface, "facet %d", f);
			NEAR(v3_norm(t->normal), 1, 1e-15, "normal");
			for (int32_t k = t->first; k < t->first + t->corners; ++k) {
				int32_t to = k + 1 < t->first + t->corners ? k + 1 : t->first;
				vec3 p = w->corner[k], edge = v3_sub(w->corner[to], p), out = w->outward[k];
				NEAR(v3_dot(t->normal, p), t->off, 1e-12, "corner in the plane");
				NEAR(v3_norm(out), 1, 1e-15, "outward");
				NEAR(v3_dot(out, t->normal), 0, 1e-12, "outward in the plane");
				NEAR(v3_dot(out, edge), 0, 1e-12, "outward across the edge");
				for (int32_t j = t->first; j < t->first + t->corners; ++j)
					CHECK(v3_dot(out, v3_sub(w->corner[j], p)) <= 1e-12, "facet %d lies inside of its edge %d", f,
						  k - t->first);
				CHECK(t->low.x <= p.x && p.x <= t->high.x && t->low.y <= p.y && p.y <= t->high.y && t->low.z <= p.z &&
						  p.z <= t->high.z,
					  "bounds of facet %d", f);
				if (w->next[k] < 0) {
					CHECK(w->bend[k] == 0, "bend of an edge that is open or covered");
					continue;
				}
				const facet *u = w->facet + w->next[k];
				int32_t back = 0;
				for (int32_t j = u->first; j < u->first + u->corners; ++j) {
					int32_t end = j + 1 < u->first + u->corners ? j + 1 : u->first;
					if (w->next[j] != f || v3_norm(v3_sub(w->corner[j], w->corner[to])) > 1e-8) continue;
					if (v3_norm(v3_sub(w->corner[end], p)) > 1e-8) continue;
					++back;
					NEAR(w->bend[j], w->bend[k], 1e-12, "bend is the same from both sides");
				}
				CHECK(back == 1, "facet %d has %d edges back to %d", w->next[k], back, f);
				if (u->surface == t->surface) CHECK(w->bend[k] == 0, "bend %g in a surface", w->bend[k]);
			}
		}
	}
	CHECK(seen == w->facets && low_surface + 1 == w->surfaces, "%d facets, %d surfaces", seen, w->surfaces);
}

static int32_t open_edges(const walls *w)
{
	int32_t count = 0;
	for (int32_t k = 0; k < w->corners; ++k) count += w->next[k] == EDGE_OPEN;
	return count;
}

static void closed_forms(void **state)
{
	(void)state;
	walls w = {0};
	fail why;
	CHECK(scree_walls_add_plane(&w, scree_wall_default("floor", 3), v3(0, 0, 1), v3(0, 3, 4), &why) == 0, "%s",
		  why.text);
	NEAR(w.row[0].axis.z, 0.8, 1e-16, "unit normal");
	CHECK(w.row[0].material == 3 && w.row[0].surfaces == 1, "%d", w.row[0].surfaces);
	CHECK(scree_walls_add_cylinder(&w, scree_wall_default("drum", 0), v3(0, 0, 0), v3(0, 0, 2), 0.5, INFINITY,
								   SIDE_INSIDE, &why) == 1,
		  "%s", why.text);
	CHECK(scree_walls_add_cone(&w, scree_wall_default("cone", 0), v3(0, 0, 0), v3(1e-20, 0, 0), 0.5, 0, 1, SIDE_OUTSIDE,
							   &why) == 2,
		  "%s", why.text);
	CHECK(w.row[2].axis.x == 1 && w.row[2].side == SIDE_OUTSIDE && w.row[2].first_surface == 2, "%g", w.row[2].axis.x);
	CHECK(scree_walls_find(&w, "cone") == 2 && scree_walls_find(&w, "co") == -1, "%d", w.count);
	check_facets(&w);
#define REFUSED(call, says) CHECK((call) == -1 && strstr(why.text, says), "'%s' lacks '%s'", why.text, says)
	wall d = scree_wall_default("x", 0);
	REFUSED(scree_walls_add_plane(&w, d, v3(0, 0, 0), v3(0, 0, 0), &why), "its normal is zero");
	REFUSED(scree_walls_add_plane(&w, d, v3(0, NAN, 0), v3(0, 0, 1), &why), "its point is (0, nan, 0)");
	REFUSED(scree_walls_add_cylinder(&w, d, v3(0, 0, 0), v3(0, 0, 1), 0, 1, SIDE_INSIDE, &why), "both positive");
	REFUSED(scree_walls_add_cylinder(&w, d, v3(0, 0, 0), v3(0, 0, 1), 1, NAN, SIDE_INSIDE, &why), "both positive");
	REFUSED(scree_walls_add_cone(&w, d, v3(0, 0, 0), v3(0, 0, 1), 0, 0, 1, SIDE_INSIDE, &why), "one of them");
	REFUSED(scree_walls_add_cone(&w, d, v3(0, 0, 0), v3(0, 0, 1), 1, 0, INFINITY, SIDE_INSIDE, &why),
			"positive and finite");
	d.motion.type = MOTION_ROTATION, d.motion.axis = v3(0, 0, 0);
	REFUSED(scree_walls_add_plane(&w, d, v3(0, 0, 0), v3(0, 0, 1), &why), "the axis of its rotation is zero");
	d.motion.type = MOTION_VELOCITY, d.motion.ramp = -1;
	REFUSED(scree_walls_add_plane(&w, d, v3(0, 0, 0), v3(0, 0, 1), &why), "ramp >= 0");
	d = scree_wall_default("a name that is longer than the forty-seven bytes it may have", 0);
	REFUSED(scree_walls_add_plane(&w, d, v3(0, 0, 0), v3(0, 0, 1), &why), "longer than 47 bytes");
	CHECK(w.count == 3 && w.surfaces == 3, "refused walls leave nothing: %d", w.count);
	scree_walls_free(&w);
}

static void polygons(void **state)
{
	(void)state;
	walls w = {0};
	fail why;
	wall d = scree_wall_default("side", 0);
	vec3 p[] = {{0, 0, 0}, {1, 0, 0}, {1, 1, 1}, {0, 1, 1}};
	CHECK(scree_walls_add_polygon(&w, d, 4, p, &why) == 0, "%s", why.text);
	NEAR(w.facet[0].normal.z, sqrt(0.5), 1e-15, "counter-clockwise seen from the tip of the normal");
	NEAR(w.facet[0].normal.y, -sqrt(0.5), 1e-15, "counter-clockwise seen from the tip of the normal");
	check_facets(&w);
	CHECK(open_edges(&w) == 4, "%d", open_edges(&w));
	p[2].z = 1.001;
	REFUSED(scree_walls_add_polygon(&w, d, 4, p, &why), "is not planar");
	p[2] = v3(0.25, 0.25, 0.25);
	REFUSED(scree_walls_add_polygon(&w, d, 4, p, &why), "is not convex");
	p[2] = p[1];
	REFUSED(scree_walls_add_polygon(&w, d, 4, p, &why), "corner 2 of the polygon is the same");
	p[2] = v3(2, 0, 0), p[3] = v3(3, 0, 0);
	REFUSED(scree_walls_add_polygon(&w, d, 4, p, &why), "no area");
	REFUSED(scree_walls_add_polygon(&w, d, 2, p, &why), "2 corners");
	vec3 star[5];
	for (int k = 0; k < 5; ++k) star[k] = v3(cos(4 * k * SCREE_PI / 5), sin(4 * k * SCREE_PI / 5), 0);
	REFUSED(scree_walls_add_polygon(&w, d, 5, star, &why), "is not convex");
	/* coordinates typed by hand are projected onto the plane */
	vec3 typed[] = {{0, 0, 0.1234567}, {1, 0, 0.1234567}, {1, 1, 0.1234569}, {0, 1, 0.1234567}};
	CHECK(scree_walls_add_polygon(&w, d, 4, typed, &why) == 1, "%s", why.text);
	check_facets(&w);
	CHECK(w.count == 2 && w.facets == 2, "%d", w.facets);
	scree_walls_free(&w);
}

static soup s;

static void boxes(void **state)
{
	(void)state;
	walls w = {0};
	for (int inward = 0; inward < 2; ++inward) {
		s = (soup){0};
		add_box(&s, v3(1, 2, 3), inward);
		CHECK(add_mesh(&w, &s, false) == inward, "row");
		const wall *of = w.row + inward;
		CHECK(of->facets == 12 && of->surfaces == 6, "%d facets, %d surfaces", of->facets, of->surfaces);
		for (int32_t f = of->first_facet; f < of->first_facet + 12; ++f)
			for (int32_t k = w.facet[f].first; k < w.facet[f].first + 3; ++k) {
				bool within = w.facet[w.next[k]].surface == w.facet[f].surface;
				NEAR(w.bend[k], within ? 0 : inward ? 1 : -1, 1e-15, "a ridge outside, a valley inside");
			}
	}
	check_facets(&w);
	CHECK(open_edges(&w) == 0, "%d open", open_edges(&w));
	scree_walls_free(&w);
}

/* A plate of n x n squares whose inner vertices are displaced in its plane, rotated and rounded to single precision as
 * in STL, is one surface. */
static void plates(void **state)
{
	(void)state;
	FOR_SEEDS(60)
	{
		random_stream r = scree_random_start(test_seed, 1);
		enum { N = 20 };
		static vec3 p[N + 1][N + 1];
		quat turn = scree_random_rotation(&r);
		vec3 at = v3(scree_random_real(&r), scree_random_real(&r), scree_random_real(&r));
		bool mix = test_seed % 2, single = test_seed % 3;
		for (int i = 0; i <= N; ++i)
			for (int j = 0; j <= N; ++j) {
				bool border = i == 0 || j == 0 || i == N || j == N;
				real u = i + (border ? 0 : scree_random_between(&r, -0.2, 0.2));
				real v = j + (border ? 0 : scree_random_between(&r, -0.2, 0.2));
				vec3 q = v3_add(at, quat_rotate(turn, v3(u / N, v / N, 0)));
				p[i][j] = single ? v3((float)q.x, (float)q.y, (float)q.z) : q;
			}
		s = (soup){0};
		for (int i = 0; i < N; ++i)
			for (int j = 0; j < N; ++j) {
				add_triangle(&s, p[i][j], p[i + 1][j], p[i + 1][j + 1]);
				if (mix && scree_random_real(&r) < 0.5)
					add_triangle(&s, p[i][j], p[i][j + 1], p[i + 1][j + 1]);
				else
					add_triangle(&s, p[i][j], p[i + 1][j + 1], p[i][j + 1]);
			}
		walls w = {0};
		add_mesh(&w, &s, mix);
		CHECK(w.facets == 2 * N * N && w.surfaces == 1, "%d facets, %d surfaces", w.facets, w.surfaces);
		CHECK(open_edges(&w) == 4 * N, "%d open edges", open_edges(&w));
		for (int32_t f = 1; f < w.facets; ++f)
			CHECK(v3_dot(w.facet[f].normal, w.facet[0].normal) > 0.99, "facet %d is turned over", f);
		check_facets(&w);
		scree_walls_free(&w);
	}
}

/* A finely divided drum: each stave (two triangles) is a separate surface, and surfaces do not continue around the
 * curve.
 */
static void drum(void **state)
{
	(void)state;
	s = (soup){0};
	enum { N = 1000 };
	for (int k = 0; k < N; ++k) {
		real a = 2 * SCREE_PI * k / N, b = 2 * SCREE_PI * (k + 1 < N ? k + 1 : 0) / N;
		vec3 p = v3(cos(a), sin(a), 0), q = v3(cos(b), sin(b), 0), up = v3(0, 0, 2);
		add_triangle(&s, p, v3_add(q, up), q);
		add_triangle(&s, p, v3_add(p, up), v3_add(q, up));
	}
	walls w = {0};
	add_mesh(&w, &s, false);
	CHECK(w.surfaces == N && w.facets == 2 * N, "%d surfaces of %d facets", w.surfaces, w.facets);
	check_facets(&w);
	for (int32_t k = 0; k < w.corners; ++k)
		CHECK(w.next[k] == EDGE_OPEN || (w.bend[k] >= 0 && w.bend[k] < 0.0063), "a valley of 2 pi/1000: %g", w.bend[k]);
	scree_walls_free(&w);
}

static void crooked(void **state)
{
	(void)state;
	walls w = {0};
	vec3 o = v3(0, 0, 0), x = v3(1, 0, 0), y = v3(0, 1, 0), z = v3(0, 0, 1), back = v3(0, -1, 0);
	s = (soup){0};
	add_triangle(&s, o, x, y);
	add_triangle(&s, x, o, back);
	add_triangle(&s, o, x, z); /* a fin on the seam */
	add_triangle(&s, x, y, o); /* a copy */
	add_triangle(&s, o, x, v3(0.5, 1e-13, 0));
	add_triangle(&s, o, x, x);
	add_mesh(&w, &s, false);
	CHECK(w.facets == 3 && w.surfaces == 2 && open_edges(&w) == 6, "%d facets %d surfaces", w.facets, w.surfaces);
	CHECK(edge_is_covered(w.next[6]) && edge_cover(w.next[6]) < 2, "the foot of the fin lies on the plate: %d",
		  w.next[6]);
	/* a plate with triangles facing both ways has two surfaces as a one-sided wall, and one surface as a two-sided wall
	 */
	s = (soup){0};
	add_triangle(&s, o, x, y);
	add_triangle(&s, o, y, x);
	add_mesh(&w, &s, false);
	CHECK(w.row[1].surfaces == 2 && w.row[1].facets == 2, "%d surfaces", w.row[1].surfaces);
	for (int32_t k = w.facet[w.row[1].first_facet].first; k < w.corners; ++k)
		CHECK(w.bend[k] == -1, "folded back: %g", w.bend[k]);
	add_mesh(&w, &s, true);
	CHECK(w.row[2].surfaces == 1 && w.row[2].facets == 1, "%d surfaces", w.row[2].surfaces);
	check_facets(&w);
	fail why;
	wall d = scree_wall_default("x", 0);
	s.triangle[4] = 6;
	REFUSED(scree_walls_add_mesh(&w, d, s.vertices, s.vertex, s.triangles, s.triangle, &why),
			"triangle 1 has vertex 6, expected 0 to 5");
	s.vertex[2].y = NAN;
	REFUSED(scree_walls_add_mesh(&w, d, s.vertices, s.vertex, s.triangles, s.triangle, &why), "vertex 2: wall 'x'");
	REFUSED(scree_walls_add_mesh(&w, d, s.vertices, s.vertex, 0, s.triangle, &why), "0 triangles");
	s = (soup){0};
	add_triangle(&s, o, x, v3(2, 0, 0));
	REFUSED(scree_walls_add_mesh(&w, d, s.vertices, s.vertex, s.triangles, s.triangle, &why),
			"none of the 1 triangles");
	CHECK(w.count == 3, "refused walls leave nothing: %d", w.count);
	scree_walls_free(&w);
}

static wall_surface look_at(walls *w, const soup *mesh, bool two_sided)
{
	return scree_wall_surface(w, add_mesh(w, mesh, two_sided));
}

static void turn_over(soup *mesh, int32_t t)
{
	int32_t *c = mesh->triangle + 3 * t, swap = c[1];
	c[1] = c[2], c[2] = swap;
}

/* Reports for a box with random faults: closed or open, inside or outside, reversed triangles. */
static void surfaces_are_told(void **state)
{
	(void)state;
	walls w = {0};
	wall_surface l;
	for (int inward = 0; inward < 2; ++inward) {
		s = (soup){0};
		add_box(&s, v3(1, 2, 3), inward);
		l = look_at(&w, &s, false);
		real sign = inward ? -1 : 1;
		CHECK(l.closed && !l.open && !l.crowded && !l.turned && !l.turned_facets, "%d open", l.open);
		NEAR(l.volume, sign * 6, 1e-14, "volume");
		CHECK(sign * l.outward > 0.3, "outward %g", l.outward);
		NEAR(v3_norm(l.normal), 0, 1e-15, "normals that balance");
		NEAR(scree_wall_backs(&w, inward, v3(0.2, -0.7, 1.1)), sign, 1e-14, "all around");
		NEAR(scree_wall_backs(&w, inward, v3(0.6, -0.7, 1.1)), 0, 1e-14, "outside");
	}
	/* one of its twelve triangles is missing */
	--s.triangles;
	l = look_at(&w, &s, false);
	CHECK(!l.closed && l.open == 3 && !l.turned && l.volume == 0 && l.outward < -0.3, "%d open", l.open);
	vec3 a = s.vertex[33], b = s.vertex[34], from = l.first_open.from, to = l.first_open.to;
	CHECK(l.first_open.facet[1] == -1 && v3_norm(v3_sub(from, to)) > 0, "open edge");
	CHECK(v3_norm(v3_sub(from, a)) * v3_norm(v3_sub(from, b)) * v3_norm(v3_sub(from, s.vertex[35])) == 0,
		  "the edge is not one of the hole's");
	++s.triangles;
	/* some reversed triangles: the less frequent orientation counts as reversed */
	FOR_SEEDS(100)
	{
		random_stream r = scree_random_start(test_seed, 4);
		bool over[12];
		int32_t turned = 0;
		s = (soup){0};
		add_box(&s, v3(1, 2, 3), false);
		for (int t = 0; t < 12; ++t) {
			over[t] = scree_random_real(&r) < 0.4;
			turned += over[t];
			if (over[t]) turn_over(&s, t);
		}
		walls one = {0};
		l = look_at(&one, &s, false);
		int32_t fewer = turned < 12 - turned ? turned : 12 - turned;
		CHECK(l.turned_facets == fewer && (l.turned > 0) == (fewer > 0), "%d found, %d turned", l.turned_facets,
			  turned);
		int32_t f = l.first_turned.facet[0], g = l.first_turned.facet[1];
		CHECK(!fewer || over[f] != over[g], "facets %d and %d", f, g);
		CHECK(!fewer || turned == 6 || over[f] == (turned < 6), "facet %d is not one of the fewer", f);
		l = look_at(&one, &s, true);
		CHECK(l.closed && !l.turned, "a two-sided wall is turned alike: %d", l.turned);
		scree_walls_free(&one);
	}
	/* the triangles of a strip with half a twist cannot be oriented consistently */
	s = (soup){0};
	enum { N = 20 };
	vec3 rim[N + 1][2];
	for (int k = 0; k <= N; ++k) {
		real turn = 2 * SCREE_PI * k / N;
		for (int side = 0; side < 2; ++side) {
			real out = 3 + (side ? -1 : 1) * cos(turn / 2), up = (side ? -1 : 1) * sin(turn / 2);
			rim[k][side] = v3(out * cos(turn), out * sin(turn), up);
		}
	}
	rim[N][0] = rim[0][1], rim[N][1] = rim[0][0];
	for (int k = 0; k < N; ++k) {
		add_triangle(&s, rim[k][0], rim[k + 1][0], rim[k + 1][1]);
		add_triangle(&s, rim[k][0], rim[k + 1][1], rim[k][1]);
	}
	l = look_at(&w, &s, false);
	CHECK(l.turned == 1 && l.open == 2 * N && !l.closed, "%d turned, %d open", l.turned, l.open);
	/* three sheets with a common edge, like pages of a book */
	s = (soup){0};
	vec3 o = v3(0, 0, 0), x = v3(1, 0, 0);
	add_triangle(&s, o, x, v3(0, 1, 0));
	add_triangle(&s, x, o, v3(0, 0, 1));
	add_triangle(&s, o, x, v3(0, -1, -1));
	add_triangle(&s, o, x, x);
	l = look_at(&w, &s, false);
	CHECK(l.open == 6 && l.crowded == 1 && !l.turned && w.row[w.count - 1].dropped == 1, "%d crowded", l.crowded);
	scree_walls_free(&w);
}

/* Welding, compared with a test of every pair. */
static void weld(void **state)
{
	(void)state;
	FOR_SEEDS(200)
	{
		random_stream r = scree_random_start(test_seed, 2);
		enum { N = 120 };
		vec3 p[N];
		int32_t to[N], brute[N];
		real spread = test_seed % 2 ? 5 : 1e6;
		for (int i = 0; i < N; ++i) {
			p[i] = v3(scree_random_between(&r, 0, spread), scree_random_between(&r, 0, test_seed % 3 ? spread : 0), 0);
			if (i && scree_random_real(&r) < 0.6)
				p[i] = v3_madd(p[scree_random_bits(&r) % (uint32_t)i], scree_random_real(&r) < 0.3 ? 0 : 0.5,
							   scree_random_direction(&r));
			brute[i] = i;
		}
		for (int round = 0; round < N; ++round)
			for (int i = 0; i < N; ++i)
				for (int j = 0; j < N; ++j)
					if (v3_norm2(v3_sub(p[i], p[j])) <= 0.25 && brute[j] < brute[i]) brute[i] = brute[j];
		int32_t distinct = 0;
		for (int i = 0; i < N; ++i) distinct += brute[i] == i;
		CHECK(scree_weld(N, p, 0.5, to) == distinct, "expected %d", distinct);
		for (int i = 0; i < N; ++i) CHECK(to[i] == brute[i], "%d: %d, by all pairs %d", i, to[i], brute[i]);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(closed_forms), cmocka_unit_test(polygons),
		cmocka_unit_test(boxes),		cmocka_unit_test(plates),
		cmocka_unit_test(drum),			cmocka_unit_test(crooked),
		cmocka_unit_test(weld),			cmocka_unit_test(surfaces_are_told),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
