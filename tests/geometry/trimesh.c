/* Closed surfaces of triangles: results for valid ones, error messages for invalid ones, masses compared with closed
 * forms, and point location compared with winding numbers. */
#include "test.h"

#include "base/orient.h"
#include "grains.h"
#include "narrow/triangle/triangles.h"
#include "shape/mesh/trimesh.h"
#include "shape/mesh/trimesh_internal.h"

static trimesh built(const grain *g)
{
	trimesh m;
	fail why = {0};
	bool good = scree_trimesh_build(&m, "grain", g->vertices, g->vertex, g->triangles, g->triangle, &why);
	CHECK(good, "%s", why.text);
	return m;
}

static grain box_grain(vec3 edge)
{
	const real x[2] = {-edge.x / 2, edge.x / 2}, y[2] = {-edge.y / 2, edge.y / 2}, z[2] = {-edge.z / 2, edge.z / 2};
	return grain_blocks(1, 1, 1, x, y, z, 1);
}

/* ------------------------------------------------------------------ exact signs */

static int sign_of(__int128 x) { return (x > 0) - (x < 0); }
/* 0 .. most */
static int64_t whole(random_stream *r, int64_t most)
{
	uint64_t bits = scree_random_bits(r) | (uint64_t)scree_random_bits(r) << 32;
	return (int64_t)(bits % (uint64_t)(most + 1));
}
static vec3 vec_of(const int64_t p[3]) { return v3((real)p[0], (real)p[1], (real)p[2]); }

static int64_t long_one(random_stream *r) { return ((int64_t)1 << 54) + (whole(r, 1 << 30) << 6); }

/* Four points, the fourth in the plane of the others or one unit away from it, compared with 128-bit arithmetic. */
static void signs(void **state)
{
	(void)state;
	int64_t flat = 0;
	FOR_SEEDS(20000)
	{
		random_stream r = scree_random_start(test_seed, 1);
		int64_t p[4][3], u[3][3], most = (int64_t)1 << (1 + scree_random_bits(&r) % 37);
		bool long_x = test_seed % 2; /* differences along x need more digits than a double provides */
		if (long_x) most = 1 << 10;
		int64_t i = whole(&r, 10) - 5, j = whole(&r, 10) - 5, off = whole(&r, 3) == 0 ? whole(&r, 1) : 0;
		if (long_x) j = 1 - i;
		for (int k = 0; k < 3; ++k) {
			for (int n = 0; n < 3; ++n) p[n][k] = whole(&r, 2 * most) - most;
			if (long_x && k == 0) p[1][0] = long_one(&r), p[2][0] = long_one(&r), p[0][0] %= 2048;
			p[3][k] = p[0][k] + i * (p[1][k] - p[0][k]) + j * (p[2][k] - p[0][k]) +
					  (long_x && k == 0 ? 0 : off * (whole(&r, 2) - 1));
			for (int n = 0; n < 3; ++n) u[n][k] = p[n + 1][k] - p[0][k];
		}
		__int128 value = 0;
		for (int k = 0; k < 3; ++k)
			value += (__int128)u[2][k] * ((__int128)u[0][(k + 1) % 3] * u[1][(k + 2) % 3] -
										  (__int128)u[0][(k + 2) % 3] * u[1][(k + 1) % 3]);
		int found = scree_orient3(vec_of(p[0]), vec_of(p[1]), vec_of(p[2]), vec_of(p[3]));
		CHECK(found == sign_of(value), "found %d, expected %d", found, sign_of(value));
		/* the same sign after a cyclic shift, and the opposite sign after swapping two points */
		CHECK(scree_orient3(vec_of(p[1]), vec_of(p[2]), vec_of(p[3]), vec_of(p[0])) == -found, "turned");
		__int128 area = (__int128)u[0][0] * u[2][1] - (__int128)u[0][1] * u[2][0];
		int plane =
			scree_orient2((real)p[0][0], (real)p[0][1], (real)p[1][0], (real)p[1][1], (real)p[3][0], (real)p[3][1]);
		CHECK(plane == sign_of(area), "in the plane: found %d, expected %d", plane, sign_of(area));
		flat += !found;
	}
	CHECK(flat > test_cases(20000) / 20, "%lld flat cases", (long long)flat);
}

/* ------------------------------------------------------------------ consistency of the parts */

static bool holds(const trimesh_node *n, vec3 p)
{
	return n->low.x <= p.x && p.x <= n->high.x && n->low.y <= p.y && p.y <= n->high.y && n->low.z <= p.z &&
		   p.z <= n->high.z;
}

/* the box of each leaf encloses its triangles, the box of each other node encloses the boxes of its halves, and every
 * triangle is in one leaf */
static void check_tree(const trimesh *m)
{
	int32_t next = 0, seen = 0;
	for (int32_t k = 0; k < m->nodes; ++k) {
		const trimesh_node *n = m->node + k;
		for (int32_t i = 0; !n->count && i < 2; ++i) {
			const trimesh_node *half = m->node + n->first + i;
			CHECK(n->first + i > k && n->first + i < m->nodes, "node %d of %d", n->first + i, m->nodes);
			CHECK(holds(n, half->low) && holds(n, half->high), "node %d outside of %d", n->first + i, k);
		}
		CHECK(n->count <= TRIMESH_LEAF, "%d triangles in a leaf", n->count);
		for (int32_t t = n->first; t < n->first + n->count; ++t, ++seen)
			for (int i = 0; i < 3; ++i)
				CHECK(holds(n, m->vertex[m->corner[3 * t + i]]), "triangle %d outside of node %d", t, k);
	}
	CHECK(seen == m->triangles, "%d triangles in leaves, of %d", seen, m->triangles);
	for (int32_t waiting = 1, wait[TRIMESH_DEPTH] = {0}; waiting;) {
		const trimesh_node *n = m->node + wait[--waiting];
		CHECK(!n->count || n->first == next, "leaves out of order");
		next += n->count;
		if (!n->count) wait[waiting++] = n->first + 1, wait[waiting++] = n->first;
	}
}

static vec3 at(const trimesh *m, int32_t side) { return m->vertex[m->corner[side]]; }

static void check_sides(const trimesh *m)
{
	for (int32_t side = 0; side < 3 * m->triangles; ++side) {
		int32_t t = side / 3, to = 3 * t + (side % 3 + 1) % 3, other = m->across[side], u = other / 3;
		CHECK(m->across[other] == side && u != t, "side %d is across from %d", side, other);
		CHECK(m->corner[side] == m->corner[3 * u + (other % 3 + 1) % 3] && m->corner[to] == m->corner[other],
			  "sides %d and %d", side, other);
		CHECK(m->corner[3 * t] <= m->corner[side], "triangle %d begins at %d", t, m->corner[3 * t]);
		CHECK(m->bend[side] == m->bend[other] && real_abs(m->bend[side]) <= 1, "bend %g", m->bend[side]);
		vec3 far = at(m, 3 * u + (other % 3 + 2) % 3);
		real height = v3_dot(m->normal[t], v3_sub(far, at(m, side)));
		CHECK(m->bend[side] > 0	  ? height < 0
			  : m->bend[side] < 0 ? height > 0
								  : real_abs(height) < 3e-7 * m->extent,
			  "bend %g at height %g", m->bend[side], height);
		NEAR(v3_norm(m->normal[t]), 1, 1e-15, "normal");
		NEAR(v3_dot(m->normal[t], v3_sub(at(m, to), at(m, side))), 0, 1e-14 * m->extent, "normal across side");
		CHECK(v3_norm(v3_sub(at(m, to), at(m, side))) >= m->shortest, "a side shorter than %g", m->shortest);
	}
}

static void check_surface(const trimesh *m)
{
	check_tree(m);
	check_sides(m);
}

/* ------------------------------------------------------------------ masses */

static void boxes(void **state)
{
	(void)state;
	for (int far = 0; far < 2; ++far) { /* the second box is far away, but its vertices are still exact */
		vec3 o = far ? v3(0x1p20, -0x1p21, 0x1p20) : v3(0, 0, 0);
		grain g = box_grain(v3(1, 2, 3));
		grain_place(&g, 1, quat_one(), o);
		trimesh m = built(&g);
		CHECK(m.vertices == 8 && m.triangles == 12, "%d vertices, %d triangles", m.vertices, m.triangles);
		trimesh_mass mass = scree_trimesh_mass(&m);
		NEAR(mass.volume, 6, 1e-14, "volume");
		NEAR(v3_norm(v3_sub(mass.centre, o)), 0, far ? 1e-9 : 1e-15, "centroid");
		const real moment[6] = {6.5, 5, 2.5, 0, 0, 0};
		for (int k = 0; k < 6; ++k) NEAR(mass.moment[k], moment[k], 1e-13, "moment");
		NEAR(m.extent, sqrt(3.5), 1e-9, "extent");
		CHECK(m.shortest == 1, "shortest side %g", m.shortest);
		int32_t flat = 0;
		for (int k = 0; k < 36; ++k) {
			CHECK(m.bend[k] == 0 || real_abs(m.bend[k] - 1) < 1e-15, "bend %.17g", m.bend[k]);
			flat += m.bend[k] == 0;
		}
		CHECK(flat == 12, "%d flat sides", flat);
		scree_trimesh_free(&m);
		grain_free(&g);
	}
}

static void tetrahedra(void **state)
{
	(void)state;
	shapes all = {0};
	fail why = {0};
	CHECK(scree_shapes_add_regular(&all, "t", "tetrahedron", &why) == 0, "%s", why.text);
	trimesh m;
	CHECK(scree_trimesh_of_convex(&m, all.row), "of a convex shape");
	check_surface(&m);
	trimesh_mass mass = scree_trimesh_mass(&m);
	real edge = m.shortest, volume = sqrt(2.0) / 12 * edge * edge * edge;
	NEAR(edge, 0.5 * 4 / sqrt(6.0), 1e-15, "edge");
	NEAR(mass.volume, volume, 1e-16, "volume");
	for (int k = 0; k < 3; ++k) {
		NEAR(mass.moment[k], volume * edge * edge / 20, 1e-17, "moment");
		NEAR(mass.moment[3 + k], 0, 1e-17, "product");
	}
	for (int k = 0; k < 12; ++k) NEAR(m.bend[k], 1, 0, "bend beyond a right angle");
	scree_trimesh_free(&m);
	scree_shapes_free(&all);
}

/* A ring of n mitred prisms whose cross section is a regular polygon with m corners, as sums over pieces of the ring
 * (shapes.md). */
static void tori(void **state)
{
	(void)state;
	const int n = 24, m = 14;
	const real ring = 0.4, tube = 0.15;
	grain g = grain_torus(n, m, ring, tube);
	quat turn = {0.5, 0.5, -0.5, 0.5};
	trimesh t = built(&g);
	real tangent = tan(SCREE_PI / n), cosine2 = 1 / (1 + tangent * tangent);
	real area = 0.5 * m * tube * tube * sin(2 * SCREE_PI / m);
	real second = area * tube * tube * (2 + cos(2 * SCREE_PI / m)) / 12;
	real volume = n * ring * area * cosine2 * 2 * tangent;
	real polar = n * (ring * ring * ring * area + 3 * ring * second) * cosine2 * cosine2 * 2 *
				 (tangent + tangent * tangent * tangent / 3);
	real axial = n * ring * second * cosine2 * 2 * tangent; /* integral of z^2 */
	trimesh_mass mass = scree_trimesh_mass(&t);
	NEAR(mass.volume, volume, 1e-15, "volume");
	NEAR(mass.moment[2], polar, 1e-15, "moment about the axis");
	NEAR(mass.moment[0], polar / 2 + axial, 1e-15, "moment across it");
	scree_trimesh_free(&t);
	/* the same at another position */
	grain_place(&g, 1, turn, v3(3, 4, 5));
	t = built(&g);
	mat3 axes = quat_matrix(turn);
	scree_trimesh_move(&t, v3(3, 4, 5), axes);
	check_surface(&t);
	mass = scree_trimesh_mass(&t);
	NEAR(mass.volume, volume, 1e-14, "volume");
	NEAR(mass.moment[2], polar, 1e-14, "moment about the axis");
	NEAR(v3_norm(mass.centre), 0, 1e-15, "centroid");
	scree_trimesh_free(&t);
	grain_free(&g);
}

enum { GRAINS = GRAIN_HOLLOWS + 4 };

static grain grain_of(int kind)
{
	switch (kind) {
	case GRAIN_HOLLOWS:
		return grain_letter('L');
	case GRAIN_HOLLOWS + 1:
		return grain_letter('+');
	case GRAIN_HOLLOWS + 2:
		return grain_torus(40, 20, 0.4, 0.1);
	case GRAIN_HOLLOWS + 3:
		return box_grain(v3(1, 2, 3));
	default:
		return grain_hollow(kind);
	}
}

static void grains(void **state)
{
	(void)state;
	for (int kind = 0; kind < GRAINS; ++kind) {
		grain g = grain_of(kind);
		trimesh m = built(&g), again;
		check_surface(&m);
		NEAR(scree_trimesh_mass(&m).volume, grain_volume(&g), 1e-14, "volume");
		fail why = {0};
		CHECK(scree_trimesh_load(&again, "grain", m.vertices, m.vertex, m.triangles, m.corner, &why), "%s", why.text);
		CHECK(!memcmp(m.corner, again.corner, 12 * (size_t)m.triangles) &&
				  !memcmp(m.across, again.across, 12 * (size_t)m.triangles) &&
				  !memcmp(m.bend, again.bend, 24 * (size_t)m.triangles) &&
				  !memcmp(m.normal, again.normal, 24 * (size_t)m.triangles) && m.nodes == again.nodes &&
				  !memcmp(m.node, again.node, (size_t)m.nodes * sizeof *m.node) && m.shortest == again.shortest &&
				  m.extent == again.extent,
			  "grain %d comes back as another one", kind);
		scree_trimesh_free(&again);
		scree_trimesh_free(&m);
		grain_free(&g);
	}
}

/* ------------------------------------------------------------------ what is refused */

static void add_box(grain *g, vec3 at, real edge)
{
	grain b = box_grain(v3(edge, edge, edge));
	int32_t first = g->vertices;
	for (int32_t i = 0; i < b.vertices; ++i) grain_vertex(g, v3_add(at, b.vertex[i]));
	for (int32_t t = 0; t < b.triangles; ++t)
		grain_triangle(g, first + b.triangle[3 * t], first + b.triangle[3 * t + 1], first + b.triangle[3 * t + 2]);
	grain_free(&b);
}

static void refused(const grain *g, const char *const *words)
{
	trimesh m;
	fail why = {0};
	CHECK(!scree_trimesh_build(&m, "grain", g->vertices, g->vertex, g->triangles, g->triangle, &why),
		  "not refused: '%s'", words[0]);
	for (; *words; ++words) CHECK(strstr(why.text, *words), "expected '%s' in: %s", *words, why.text);
	CHECK(why.code == FAIL_INPUT && !m.vertex && !m.node, "code %d", why.code);
}
#define REFUSED(g, ...) refused((g), (const char *const[]){"shape 'grain'", __VA_ARGS__, NULL})

/* Boxes of edge 1 with one fault each; vertices 0 .. 7 and triangles are numbered as in grain_blocks. */
static void refusals(void **state)
{
	(void)state;
	grain g = box_grain(v3(1, 1, 1));
	grain_vertex(&g, v3(9, 9, 9));
	REFUSED(&g, "vertex 8 at (9, 9, 9) belongs to no triangle (1 such vertex)",
			"expected each vertex in some triangle");
	g.vertices = 8;
	g.triangle[4] = 8;
	REFUSED(&g, "triangle 1 names vertex 8, expected 0 to 7");
	g.triangle[4] = g.triangle[3];
	REFUSED(&g, "triangle 1 of vertices 0, 0, ", "has one vertex twice, expected three vertices");
	g.triangle[4] = 2;
	g.vertex[3].y = NAN;
	REFUSED(&g, "vertex 3 is (", "nan", "expected finite numbers");
	g.vertex[3].y = 1e31;
	REFUSED(&g, "vertex 3 is (");
	grain_free(&g);

	g = box_grain(v3(1, 1, 1));
	--g.triangles;
	REFUSED(&g, ": the surface has a hole there (3 such sides)", "expected two triangles at each side");
	g.triangles = 3;
	REFUSED(&g, "3 triangles and 8 vertices, a closed surface needs at least 4");
	g.triangles = 12;
	grain_triangle(&g, g.triangle[7], g.triangle[8], g.triangle[6]); /* triangle 2 again */
	REFUSED(&g, "belongs to 3 triangles, among them 2 and ", "(3 such sides)");
	grain_free(&g);

	g = box_grain(v3(1, 1, 1));
	int32_t swap = g.triangle[15];
	g.triangle[15] = g.triangle[16], g.triangle[16] = swap;
	REFUSED(&g, "is traversed in the same direction by triangles ", "5", "one of them is reversed (3 such sides)");
	for (int t = 0; t < 12; ++t) {
		swap = g.triangle[3 * t];
		g.triangle[3 * t] = g.triangle[3 * t + 1], g.triangle[3 * t + 1] = swap;
	}
	swap = g.triangle[15];
	g.triangle[15] = g.triangle[16], g.triangle[16] = swap;
	REFUSED(&g, "is inside out: its volume is -1, expected corners of triangles counter-clockwise seen from outside");
	grain_free(&g);

	g = box_grain(v3(1, 1, 1)); /* triangle 0 has zero height: a vertex at the midpoint of its longest side */
	int32_t a = g.triangle[0], b = g.triangle[1], c = g.triangle[2];
	int32_t mid = grain_vertex(&g, v3_mul(0.5, v3_add(g.vertex[a], g.vertex[c])));
	g.triangle[0] = a, g.triangle[1] = b, g.triangle[2] = mid;
	grain_triangle(&g, mid, b, c);
	grain_triangle(&g, a, mid, c);
	REFUSED(&g, "triangle 13 of vertices 0, 8, ", "has no height, expected three corners that are not collinear");
	grain_free(&g);

	g = box_grain(v3(1, 1, 1)); /* a repeated vertex */
	b = g.triangle[0];
	grain_vertex(&g, g.vertex[b]);
	g.triangle[0] = 8;
	REFUSED(&g, "vertices 0 and 8 both lie at (-0.5, -0.5, -0.5) (1 such pair)", "expected each position once");
	grain_free(&g);

	g = box_grain(v3(1, 1, 1)); /* two boxes that share a corner */
	add_box(&g, v3(1, 1, 1), 1);
	int32_t top = -1, low = -1;
	for (int32_t i = 0; i < 16; ++i)
		if (v3_norm(v3_sub(g.vertex[i], v3(0.5, 0.5, 0.5))) == 0) *(top < 0 ? &top : &low) = i;
	for (int32_t k = 36; k < 72; ++k) {
		if (g.triangle[k] == low)
			g.triangle[k] = top;
		else if (g.triangle[k] > low)
			--g.triangle[k];
	}
	memmove(g.vertex + low, g.vertex + low + 1, (size_t)(15 - low) * sizeof *g.vertex);
	g.vertices = 15;
	REFUSED(&g, "at (0.5, 0.5, 0.5) has ", "several sheets of the surface meet at this point, expected one");
	grain_free(&g);

	g = box_grain(v3(1, 1, 1));
	add_box(&g, v3(3, 0, 0), 1);
	add_box(&g, v3(6, 0, 0), 1);
	REFUSED(&g, "triangle 12 of vertices", "is not connected to triangle 0: there are 3 closed surfaces");
	grain_free(&g);
}

static void flat_body(void **state)
{
	(void)state;
	grain g = {0};
	grain_vertex(&g, v3(0, 0, 0)), grain_vertex(&g, v3(1, 0, 0)), grain_vertex(&g, v3(0, 1, 0));
	grain_vertex(&g, v3(1, 1, 1e-15));
	grain_triangle(&g, 0, 2, 1), grain_triangle(&g, 0, 1, 3), grain_triangle(&g, 1, 2, 3), grain_triangle(&g, 2, 0, 3);
	REFUSED(&g, "encloses no volume");
	grain_free(&g);
}

/* a box with a dent: the middle of its top moved to (0, 0, z) */
static grain dented(real z)
{
	const real x[3] = {-0.5, 0, 0.5}, h[2] = {-0.5, 0.5};
	grain g = grain_blocks(2, 2, 1, x, x, h, 15);
	for (int32_t i = 0; i < g.vertices; ++i)
		if (g.vertex[i].x == 0 && g.vertex[i].y == 0 && g.vertex[i].z > 0) g.vertex[i].z = z;
	return g;
}

static void crossings(void **state)
{
	(void)state;
	static const struct {
		real z;
		bool good;
	} dents[] = {{0.5, true}, {1.5, true}, {0, true}, {-0.5 + 0x1p-50, true}, {-0.5 - 0x1p-50, false}, {-2, false}};
	for (size_t k = 0; k < sizeof dents / sizeof *dents; ++k) {
		grain g = dented(dents[k].z);
		trimesh m;
		fail why = {0};
		bool good = scree_trimesh_build(&m, "dent", g.vertices, g.vertex, g.triangles, g.triangle, &why);
		CHECK(good == dents[k].good, "dent to %g: %s", dents[k].z, why.text);
		CHECK(good || (strstr(why.text, "crosses itself: triangle ") && strstr(why.text, "such pair") &&
					   strstr(why.text, ", -0.5) (")),
			  "%s", why.text);
		scree_trimesh_free(&m);
		CHECK(scree_trimesh_load(&m, "dent", g.vertices, g.vertex, g.triangles, g.triangle, &why), "%s", why.text);
		scree_trimesh_free(&m);
		grain_free(&g);
	}
}

/* ------------------------------------------------------------------ triangles that meet */

static double apart(const vec3 p[3], vec3 a, vec3 b, vec3 c)
{
	const vec3 q[3] = {a, b, c};
	double x[9], y[9];
	for (int k = 0; k < 3; ++k) {
		x[3 * k] = p[k].x, x[3 * k + 1] = p[k].y, x[3 * k + 2] = p[k].z;
		y[3 * k] = q[k].x, y[3 * k + 1] = q[k].y, y[3 * k + 2] = q[k].z;
	}
	return scree_triangles_thorough(x, y).distance;
}

static vec3 between(vec3 a, vec3 b, real s) { return v3_madd(a, s, v3_sub(b, a)); }

/* Triangles on a small lattice, which often touch or are coplanar: their distances are compared with the results of
 * another method. If two triangles share a vertex, 1/1000 of the second one is cut off at that vertex before the test.
 */
static void triangle_pairs_meet(void **state)
{
	(void)state;
	int met[2] = {0};
	FOR_SEEDS(20000)
	{
		random_stream r = scree_random_start(test_seed, 2);
		vec3 p[6];
		int32_t c[6];
		int share = (int)(test_seed % 2);
		do {
			for (int k = 0; k < 6; ++k) p[k] = v3((real)whole(&r, 4), (real)whole(&r, 4), (real)whole(&r, 4)), c[k] = k;
			if (share) p[3] = p[0], c[3] = 0;
		} while (scree_triangle_height(p[0], p[1], p[2]) < 0.1 || scree_triangle_height(p[3], p[4], p[5]) < 0.1);
		double distance;
		if (share) {
			vec3 from = between(p[3], p[4], 1e-3), to = between(p[3], p[5], 1e-3);
			distance = real_min(apart(p, from, p[4], p[5]), apart(p, from, p[5], to));
		} else
			distance = apart(p, p[3], p[4], p[5]);
		/* the triangles in any order, starting at any of their vertices */
		int i = (int)whole(&r, 2), j = (int)whole(&r, 2);
		int32_t t[3] = {c[i], c[(i + 1) % 3], c[(i + 2) % 3]},
				u[3] = {c[3 + j], c[3 + (j + 1) % 3], c[3 + (j + 2) % 3]};
		vec3 *vertex = p;
		bool cross = scree_triangles_cross(vertex, t, u);
		CHECK(cross == (distance < 1e-9), "%d at a distance of %g", cross, distance);
		CHECK(cross == scree_triangles_cross(vertex, u, t), "depends on the order");
		met[share] += cross;
	}
	CHECK(met[0] > test_cases(20000) / 40 && met[1] > test_cases(20000) / 40, "%d and %d pairs that meet", met[0],
		  met[1]);
}

/* ------------------------------------------------------------------ inside */

/* solid angle of the surface divided by 4 pi (van Oosterom and Strackee 1983): 1 inside, 0 outside */
static double winding(const trimesh *m, vec3 o)
{
	double sum = 0;
	for (int32_t t = 0; t < m->triangles; ++t) {
		vec3 a = v3_sub(at(m, 3 * t), o), b = v3_sub(at(m, 3 * t + 1), o), c = v3_sub(at(m, 3 * t + 2), o);
		double x = v3_norm(a), y = v3_norm(b), z = v3_norm(c);
		sum += 2 * atan2(v3_dot(a, v3_cross(b, c)), x * y * z + v3_dot(a, b) * z + v3_dot(b, c) * x + v3_dot(c, a) * y);
	}
	return sum / (4 * SCREE_PI);
}

static bool near_plane(const trimesh *m, vec3 p)
{
	for (int32_t t = 0; t < m->triangles; ++t)
		if (real_abs(v3_dot(m->normal[t], v3_sub(p, at(m, 3 * t)))) < 1e-13) return true;
	return false;
}

static void inside(void **state)
{
	(void)state;
	int found[2] = {0};
	FOR_SEEDS(GRAINS * 4)
	{
		random_stream r = scree_random_start(test_seed, 3);
		grain g = grain_of((int)(test_seed % GRAINS));
		if (test_seed > GRAINS) grain_place(&g, 1, scree_random_rotation(&r), v3(1, 2, 3));
		trimesh m = built(&g);
		vec3 low = m.node->low, high = m.node->high;
		for (int k = 0; k < 500; ++k) {
			vec3 p = v3(scree_random_between(&r, low.x, high.x), scree_random_between(&r, low.y, high.y),
						scree_random_between(&r, low.z, high.z));
			vec3 v = m.vertex[k % m.vertices], w = m.vertex[(k / 2) % m.vertices];
			/* including rays through vertices and along sides */
			if (k % 4 == 1) p.y = v.y, p.z = v.z;
			if (k % 4 == 2) p.y = v.y, p.z = w.z;
			if (k % 4 == 3) p = between(v, w, 0.5);
			double by_winding = winding(&m, p);
			int in = scree_trimesh_inside(&m, p);
			if (in == 0) {
				bool on = false;
				for (int32_t t = 0; t < m.triangles; ++t)
					on = on || scree_triangle_holds(at(&m, 3 * t), at(&m, 3 * t + 1), at(&m, 3 * t + 2), p);
				CHECK(on, "(%g, %g, %g) is on no triangle", p.x, p.y, p.z);
				continue;
			}
			if (k % 4 == 3 && near_plane(&m, p)) continue; /* on the surface up to rounding */
			CHECK(in == (by_winding > 0.5 ? 1 : -1), "(%g, %g, %g): %d, winding number %g", p.x, p.y, p.z, in,
				  by_winding);
			++found[in > 0];
		}
		for (int32_t i = 0; i < m.vertices; ++i)
			CHECK(scree_trimesh_inside(&m, m.vertex[i]) == 0, "vertex %d is not on the surface", i);
		CHECK(scree_trimesh_inside(&m, v3_add(high, v3(1e-9, 0, 0))) < 0, "beyond all");
		scree_trimesh_free(&m);
		grain_free(&g);
	}
	CHECK(found[0] > 25 * test_cases(GRAINS * 4) && found[1] > 25 * test_cases(GRAINS * 4), "%d outside, %d inside",
		  found[0], found[1]);
	/* exactly on it, or one unit in the last place away */
	grain g = box_grain(v3(1, 1, 1));
	trimesh m = built(&g);
	const vec3 on[] = {{0.5, 0, 0}, {0.5, 0.125, 0.25}, {0.5, 0.5, 0.1}, {0, -0.5, 0}, {0.1, 0.2, -0.5}};
	for (size_t k = 0; k < sizeof on / sizeof *on; ++k) {
		CHECK(scree_trimesh_inside(&m, on[k]) == 0, "point %zu", k);
		CHECK(scree_trimesh_inside(&m, v3_mul(1 - 0x1p-53, on[k])) > 0, "point %zu, inside", k);
		CHECK(scree_trimesh_inside(&m, v3_mul(1 + 0x1p-52, on[k])) < 0, "point %zu, outside", k);
	}
	scree_trimesh_free(&m);
	grain_free(&g);
}

/* ------------------------------------------------------------------ moved and reordered */

static void moved(void **state)
{
	(void)state;
	FOR_SEEDS(GRAINS * 4)
	{
		random_stream r = scree_random_start(test_seed, 4);
		grain g = grain_of((int)(test_seed % GRAINS));
		trimesh m = built(&g);
		trimesh_mass before = scree_trimesh_mass(&m);
		quat turn = scree_random_rotation(&r);
		vec3 from = v3(0.1, 0.2, -0.3);
		scree_trimesh_move(&m, from, quat_matrix(turn));
		check_surface(&m);
		trimesh_mass after = scree_trimesh_mass(&m);
		NEAR(after.volume / before.volume, 1, 1e-13, "volume");
		NEAR(v3_norm(v3_sub(after.centre, quat_unrotate(turn, v3_sub(before.centre, from)))), 0, 1e-14, "centroid");
		real traces = after.moment[0] + after.moment[1] + after.moment[2] - before.moment[0] - before.moment[1] -
					  before.moment[2];
		NEAR(traces / before.moment[0], 0, 1e-13, "trace of the moments");
		scree_trimesh_free(&m);
		grain_free(&g);
	}
}

static void any_order(void **state)
{
	(void)state;
	FOR_SEEDS(GRAINS * 2)
	{
		random_stream r = scree_random_start(test_seed, 5);
		grain g = grain_of((int)(test_seed % GRAINS));
		trimesh m = built(&g);
		for (int32_t t = 0; t < g.triangles; ++t) {
			int32_t u = (int32_t)whole(&r, g.triangles - 1), turn = (int32_t)whole(&r, 2), c[3];
			memcpy(c, g.triangle + 3 * t, sizeof c);
			memcpy(g.triangle + 3 * t, g.triangle + 3 * u, sizeof c);
			for (int k = 0; k < 3; ++k) g.triangle[3 * u + k] = c[(k + turn) % 3];
		}
		trimesh n = built(&g);
		CHECK(!memcmp(m.corner, n.corner, 12 * (size_t)m.triangles) && m.nodes == n.nodes &&
				  !memcmp(m.across, n.across, 12 * (size_t)m.triangles) &&
				  !memcmp(m.node, n.node, (size_t)m.nodes * sizeof *m.node),
			  "another order gives another surface");
		scree_trimesh_free(&n);
		scree_trimesh_free(&m);
		grain_free(&g);
	}
}

static void of_convex(void **state)
{
	(void)state;
	shapes all = {0};
	fail why = {0};
	static const char *const solids[] = {"tetrahedron", "cube", "octahedron", "dodecahedron", "icosahedron"};
	scree_shapes_add_sphere(&all, "sphere");
	for (int k = 0; k < 5; ++k) CHECK(scree_shapes_add_regular(&all, solids[k], solids[k], &why) >= 0, "%s", why.text);
	FOR_SEEDS(50)
	{
		random_stream r = scree_random_start(test_seed, 6);
		vec3 p[60];
		int count = 4 + (int)whole(&r, 56);
		for (int k = 0; k < count; ++k) p[k] = scree_random_direction(&r);
		char name[20];
		snprintf(name, sizeof name, "hull %d", (int)test_seed);
		CHECK(scree_shapes_add_hull(&all, name, count, p, &why) >= 0, "%s", why.text);
	}
	trimesh m;
	CHECK(!scree_trimesh_of_convex(&m, all.row), "of a sphere");
	for (int32_t k = 1; k < all.count; ++k) {
		const shape *s = all.row + k;
		CHECK(scree_trimesh_of_convex(&m, s), "of '%s'", s->name);
		check_surface(&m);
		trimesh_mass mass = scree_trimesh_mass(&m);
		CHECK(m.triangles == s->corners - 2 * s->faces && m.vertices == s->vertices, "%d triangles", m.triangles);
		NEAR(mass.volume / s->volume, 1, 1e-12, "volume");
		NEAR(mass.moment[0] / s->inertia.x, 1, 1e-12, "moment");
		for (int32_t i = 0; i < 3 * m.triangles; ++i) CHECK(m.bend[i] >= 0, "a hollow side of a convex body");
		scree_trimesh_free(&m);
	}
	scree_shapes_free(&all);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(signs),	 cmocka_unit_test(boxes),	  cmocka_unit_test(tetrahedra),
		cmocka_unit_test(tori),		 cmocka_unit_test(grains),	  cmocka_unit_test(refusals),
		cmocka_unit_test(flat_body), cmocka_unit_test(crossings), cmocka_unit_test(triangle_pairs_meet),
		cmocka_unit_test(inside),	 cmocka_unit_test(moved),	  cmocka_unit_test(any_order),
		cmocka_unit_test(of_convex),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
