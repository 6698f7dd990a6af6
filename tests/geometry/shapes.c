/* Shapes: closed forms of the solids, exact invariances, consistent tables, and refusals. */
#include "test.h"

#include "base/memory.h"
#include "kernel/quat.h"
#include "shape/shapes.h"

static vec3 stored(const shape *s, int32_t i) { return v3(s->vx[i], s->vy[i], s->vz[i]); }
static vec3 users(const shape *s, int32_t i) { return v3_add(s->centre, quat_rotate(s->frame, stored(s, i))); }

/* Volume and products of inertia from tetrahedra between the stored faces and an origin different from the engine's. */
static void integrals(const shape *s, vec3 from, real *volume, vec3 *first, real second[6])
{
	*volume = 0, *first = v3(0, 0, 0);
	for (int k = 0; k < 6; ++k) second[k] = 0;
	for (int32_t f = 0; f < s->faces; ++f)
		for (int32_t k = s->first[f] + 2; k < s->first[f + 1]; ++k) {
			vec3 p[4] = {from, stored(s, s->corner[s->first[f]]), stored(s, s->corner[k - 1]), stored(s, s->corner[k])};
			real v = v3_dot(v3_sub(p[1], from), v3_cross(v3_sub(p[2], from), v3_sub(p[3], from))) / 6;
			vec3 sum = v3_add(v3_add(p[0], p[1]), v3_add(p[2], p[3]));
			*volume += v;
			*first = v3_madd(*first, v / 4, sum);
			real c[4][3], t[3] = {sum.x, sum.y, sum.z};
			for (int i = 0; i < 4; ++i) c[i][0] = p[i].x, c[i][1] = p[i].y, c[i][2] = p[i].z;
			static const int row[6] = {0, 1, 2, 0, 0, 1}, column[6] = {0, 1, 2, 1, 2, 2};
			for (int m = 0; m < 6; ++m) {
				real q = t[row[m]] * t[column[m]];
				for (int i = 0; i < 4; ++i) q += c[i][row[m]] * c[i][column[m]];
				second[m] += v / 20 * q;
			}
		}
}

/* Checks all properties that the header guarantees for a convex row. */
static void check_row(const shape *s)
{
	CHECK(s->type == SHAPE_CONVEX, "type %d", s->type);
	CHECK(s->vertices - s->edges + s->faces == 2, "Euler: %d - %d + %d", s->vertices, s->edges, s->faces);
	CHECK(s->corners == 2 * s->edges && s->first[s->faces] == s->corners, "%d corners, %d edges", s->corners, s->edges);
	CHECK(s->padded % 8 == 0 && s->padded >= s->vertices && s->padded < s->vertices + 8, "%d padded", s->padded);
	for (int32_t i = s->vertices; i < s->padded; ++i)
		CHECK(s->vx[i] == s->vx[0] && s->vy[i] == s->vy[0] && s->vz[i] == s->vz[0], "padding %d", i);
	real far = 0, near = 1e300;
	for (int32_t i = 0; i < s->vertices; ++i) far = real_max(far, v3_norm(stored(s, i)));
	CHECK(far == s->radius, "%g %g", far, s->radius);
	for (int32_t f = 0; f < s->faces; ++f) {
		vec3 n = v3(s->nx[f], s->ny[f], s->nz[f]);
		NEAR(v3_norm(n), 1, 1e-15, "length of a normal");
		real most = -1e300;
		for (int32_t i = 0; i < s->vertices; ++i) most = real_max(most, v3_dot(n, stored(s, i)));
		CHECK(most == s->off[f], "face %d: support %g, offset %g", f, most, s->off[f]);
		near = real_min(near, s->off[f]);
		for (int32_t k = s->first[f]; k < s->first[f + 1]; ++k)
			NEAR(v3_dot(n, stored(s, s->corner[k])), s->off[f], 3e-9 * s->radius, "corner in the plane");
	}
	CHECK(near == s->inradius && near > 0, "%g %g", near, s->inradius);
	int32_t at = 0;
	for (int32_t f = 0; f < s->faces; ++f)
		for (int32_t k = s->first[f]; k < s->first[f + 1]; ++k) {
			int32_t a = s->corner[k], b = s->corner[k + 1 < s->first[f + 1] ? k + 1 : s->first[f]], g = s->across[k];
			int32_t back = 0;
			for (int32_t j = s->first[g]; j < s->first[g + 1]; ++j)
				back += s->corner[j] == b && s->corner[j + 1 < s->first[g + 1] ? j + 1 : s->first[g]] == a &&
						s->across[j] == f;
			CHECK(back == 1, "edge %d %d of face %d: %d ways back on face %d", a, b, f, back, g);
			for (int32_t e = 0; e < s->edges; ++e)
				at +=
					s->ends[2 * e] == a && s->ends[2 * e + 1] == b && s->sides[2 * e] == f && s->sides[2 * e + 1] == g;
		}
	CHECK(at == s->edges, "%d edges found of %d", at, s->edges);
	real volume, second[6];
	vec3 first;
	integrals(s, v3(s->radius, -2 * s->radius, (real)0.3 * s->radius), &volume, &first, second);
	real r2 = s->radius * s->radius, tiny = 1e-12 * volume;
	NEAR(volume / s->volume, 1, 1e-12, "volume");
	NEAR(v3_norm(first), 0, tiny * s->radius, "centroid");
	for (int m = 3; m < 6; ++m) NEAR(second[m], 0, 5 * tiny * r2, "product of inertia");
	NEAR(second[1] + second[2], s->inertia.x, 10 * tiny * r2, "inertia x");
	NEAR(second[0] + second[2], s->inertia.y, 10 * tiny * r2, "inertia y");
	NEAR(second[0] + second[1], s->inertia.z, 10 * tiny * r2, "inertia z");
	quat q = s->frame;
	NEAR(q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z, 1, 1e-15, "frame");
}

static void sphere(void **state)
{
	(void)state;
	shapes s = {0};
	int32_t row = scree_shapes_add_sphere(&s, "ball");
	const shape *b = s.row + row;
	NEAR(b->radius, 0.5, 0, "radius");
	NEAR(b->volume, SCREE_PI / 6, 1e-16, "volume");
	NEAR(b->inertia.y, SCREE_PI / 60, 1e-16, "inertia 2/5 m r^2");
	CHECK(scree_shapes_find(&s, "ball") == row && scree_shapes_find(&s, "bal") == -1, "found %d", row);
	scree_shapes_free(&s);
}

/* Ratios of edge to circumradius, volume to edge^3, inertia to m edge^2, and inradius to edge, from any table of
 * solids. */
static void solids(void **state)
{
	(void)state;
	real g = (1 + sqrt(5)) / 2;
	const struct {
		const char *name;
		int32_t vertices, edges, faces;
		real radius, volume, inertia, inradius;
	} known[] = {
		{"tetrahedron", 4, 6, 4, sqrt(6) / 4, sqrt(2) / 12, 0.05, sqrt(6) / 12},
		{"cube", 8, 12, 6, sqrt(3) / 2, 1, 1.0 / 6, 0.5},
		{"octahedron", 6, 12, 8, sqrt(2) / 2, sqrt(2) / 3, 0.1, sqrt(6) / 6},
		{"dodecahedron", 20, 30, 12, sqrt(3) * g / 2, (15 + 7 * sqrt(5)) / 4, (39 * g + 28) / 150,
		 sqrt((25 + 11 * sqrt(5)) / 10) / 2},
		{"icosahedron", 12, 30, 20, sqrt(g * sqrt(5)) / 2, 5 * (3 + sqrt(5)) / 12, g * g / 10,
		 sqrt(3) / 12 * (3 + sqrt(5))},
	};
	shapes s = {0};
	fail why;
	for (size_t k = 0; k < sizeof known / sizeof *known; ++k) {
		int32_t row = scree_shapes_add_regular(&s, known[k].name, known[k].name, &why);
		CHECK(row == (int32_t)k, "%s", why.text);
		const shape *p = s.row + row;
		real edge = k == 1 ? 1 : 0.5 / known[k].radius;
		CHECK(p->vertices == known[k].vertices && p->edges == known[k].edges && p->faces == known[k].faces, "%s",
			  p->name);
		NEAR(p->radius, edge * known[k].radius, 1e-15, p->name);
		NEAR(p->inradius, edge * known[k].inradius, 2e-15, p->name);
		NEAR(p->volume, edge * edge * edge * known[k].volume, 2e-15, p->name);
		real moment = p->volume * edge * edge * known[k].inertia;
		NEAR(p->inertia.x, moment, 2e-15, p->name);
		NEAR(p->inertia.y, moment, 2e-15, p->name);
		NEAR(p->inertia.z, moment, 2e-15, p->name);
		CHECK(p->frame.w == 1 && v3_norm(p->centre) < 1e-15, "%s keeps the user's axes", p->name);
		check_row(p);
	}
	CHECK(scree_shapes_add_regular(&s, "a", "sphere", &why) == -1 && strstr(why.text, "unknown solid 'sphere'"), "%s",
		  why.text);
	scree_shapes_free(&s);
}

static const int32_t box_first[] = {0, 4, 8, 12, 16, 20, 24};
static const int32_t box_corner[] = {0, 2, 3, 1, 0, 1, 5, 4, 0, 4, 6, 2, 1, 3, 7, 5, 2, 6, 7, 3, 4, 5, 7, 6};

static void box_vertices(vec3 edge, quat turn, vec3 at, vec3 *out)
{
	for (int i = 0; i < 8; ++i) {
		vec3 p = v3((i & 1 ? 0.5 : -0.5) * edge.x, (i & 2 ? 0.5 : -0.5) * edge.y, (i & 4 ? 0.5 : -0.5) * edge.z);
		out[i] = v3_add(at, quat_rotate(turn, p));
	}
}

static void boxes(void **state)
{
	(void)state;
	shapes s = {0};
	fail why;
	int32_t row = scree_shapes_add_box(&s, "brick", v3(2, 3, 5), &why);
	CHECK(row == 0, "%s", why.text);
	const shape *p = s.row;
	NEAR(p->volume, 30, 1e-14, "volume");
	NEAR(p->inertia.x, 30.0 / 12 * (9 + 25), 1e-12, "m/12 (b^2 + c^2)");
	NEAR(p->inertia.y, 30.0 / 12 * (4 + 25), 1e-12, "m/12 (a^2 + c^2)");
	NEAR(p->inertia.z, 30.0 / 12 * (4 + 9), 1e-12, "m/12 (a^2 + b^2)");
	CHECK(p->inradius == 1 && p->off[0] == 2.5 && p->frame.w == 1, "%g %g", p->inradius, p->off[0]);
	check_row(p);
	CHECK(scree_shapes_add_box(&s, "b", v3(1, 0, 1), &why) == -1 && strstr(why.text, "positive"), "%s", why.text);
	CHECK(scree_shapes_add_box(&s, "b", v3(1, NAN, 1), &why) == -1, "%s", why.text);
	CHECK(scree_shapes_add_box(&s, "b", v3(1, 1e-8, 1), &why) == -1 && strstr(why.text, "too thin"), "%s", why.text);
	scree_shapes_free(&s);
}

/* A box rotated and moved by the user has the same moments, and the inverse motion restores the user's vertices. */
static void turned(void **state)
{
	(void)state;
	FOR_SEEDS(300)
	{
		random_stream r = scree_random_start(test_seed, 1);
		shapes s = {0};
		fail why;
		real unit = scree_random_between(&r, -6, 6);
		unit = unit < -2 ? 1e-3 : unit > 2 ? 1e3 : 1;
		vec3 edge = v3(unit * scree_random_between(&r, 0.1, 1), unit * scree_random_between(&r, 0.1, 1),
					   unit * scree_random_between(&r, 0.1, 1));
		vec3 at = v3_mul(unit * scree_random_between(&r, 0, 10), scree_random_direction(&r)), vertex[8];
		quat turn = test_seed % 5 ? scree_random_rotation(&r) : quat_one();
		box_vertices(edge, turn, at, vertex);
		CHECK(scree_shapes_add_convex(&s, "box", 8, vertex, 6, box_first, box_corner, &why) == 0, "%s", why.text);
		const shape *p = s.row;
		check_row(p);
		NEAR(p->volume / (edge.x * edge.y * edge.z), 1, 1e-13, "volume");
		NEAR(v3_norm(v3_sub(p->centre, at)), 0, 1e-14 * unit * 10, "centroid");
		real m = p->volume / 12, x = edge.x * edge.x, y = edge.y * edge.y, z = edge.z * edge.z;
		real sum = p->inertia.x + p->inertia.y + p->inertia.z, cross = p->inertia.x * p->inertia.y * p->inertia.z;
		NEAR(sum / (2 * m * (x + y + z)), 1, 1e-12, "trace of the inertia");
		NEAR(cross / (m * m * m * (x + y) * (y + z) * (z + x)), 1, 1e-11, "determinant of the inertia");
		for (int32_t i = 0; i < 8; ++i)
			NEAR(v3_norm(v3_sub(users(p, i), vertex[i])), 0, 2e-14 * unit, "the user's vertex");
		if (test_seed % 5 == 0) CHECK(p->frame.w == 1, "a box in line keeps its axes, w %.17g", p->frame.w);
		scree_shapes_free(&s);
	}
}

/* An irregular tetrahedron, whose volume is given by the determinant. Its inertia tensor is not diagonal. */
static void tetrahedra(void **state)
{
	(void)state;
	static const int32_t first[] = {0, 3, 6, 9, 12}, corner[] = {0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3};
	int made = 0;
	FOR_SEEDS(300)
	{
		random_stream r = scree_random_start(test_seed, 2);
		shapes s = {0};
		fail why;
		vec3 p[4];
		for (int i = 0; i < 4; ++i) p[i] = v3_mul(scree_random_between(&r, 0.5, 1), scree_random_direction(&r));
		real volume = v3_dot(v3_sub(p[1], p[0]), v3_cross(v3_sub(p[2], p[0]), v3_sub(p[3], p[0]))) / 6;
		int32_t row = scree_shapes_add_convex(&s, "t", 4, p, 4, first, corner, &why);
		if (volume < 0) CHECK(row == -1 && strstr(why.text, "inside out"), "volume %g", volume);
		if (row == 0) {
			++made;
			NEAR(s.row->volume, volume, 1e-15, "volume");
			vec3 mean = v3_mul(0.25, v3_add(v3_add(p[0], p[1]), v3_add(p[2], p[3])));
			NEAR(v3_norm(v3_sub(mean, s.row->centre)), 0, 1e-13 / volume * 1e-2, "centroid is the mean of the corners");
			check_row(s.row);
		}
		scree_shapes_free(&s);
	}
	CHECK(made > test_cases(100), "%d", made);
}

typedef struct broken {
	int32_t vertices, faces;
	const vec3 *vertex;
	const int32_t *first, *corner;
	const char *says;
} broken;

static void refuse(const broken *b)
{
	shapes s = {0};
	fail why = {0};
	int64_t used = scree_memory_used();
	CHECK(scree_shapes_add_convex(&s, "x", b->vertices, b->vertex, b->faces, b->first, b->corner, &why) == -1,
		  "taken, expected '%s'", b->says);
	CHECK(strstr(why.text, b->says) && why.code == FAIL_INPUT, "'%s' lacks '%s'", why.text, b->says);
	CHECK(s.count == 0 && used == scree_memory_used(), "memory is given back");
	scree_shapes_free(&s);
}

static void refusals(void **state)
{
	(void)state;
	vec3 cube[9];
	box_vertices(v3(1, 1, 1), quat_one(), v3(0, 0, 0), cube);
	int32_t c[24];
#define CUBE(says) (&(broken){8, 6, cube, box_first, c, says})
	memcpy(c, box_corner, sizeof c);
	cube[8] = v3(0, 0, 0);
	refuse(&(broken){3, 4, cube, box_first, c, "expected at least 4 of each"});
	refuse(&(broken){9, 6, cube, box_first, c, "vertex 8 is in 0 faces"});
	refuse(&(broken){8, 5, cube, box_first, c, "is open: no other face shares"});
	c[3] = 8, refuse(CUBE("corner 3 of face 0 is vertex 8, expected 0 to 7"));
	c[3] = -1, refuse(CUBE("is vertex -1"));
	c[3] = 2, refuse(CUBE("face 0 has vertex 2 twice"));
	c[1] = 1, c[2] = 3, c[3] = 2, refuse(CUBE("expected opposite ways"));
	memcpy(c, box_corner, sizeof c);
	int32_t two[] = {0, 4, 8, 12, 16, 20, 22};
	refuse(&(broken){8, 6, cube, two, c, "face 5 has 2 corners"});
	int32_t tri[] = {0, 4, 8, 12, 16, 20, 23};
	refuse(&(broken){8, 6, cube, tri, c, "open: no other face shares the edge"});
	for (int f = 0; f < 6; ++f)
		for (int k = 0; k < 4; ++k) c[4 * f + k] = box_corner[4 * f + 3 - k];
	refuse(CUBE("inside out"));
	memcpy(c, box_corner, sizeof c);
	cube[7].z = NAN, refuse(CUBE("vertex 7 is (0.5, 0.5, nan)"));
	cube[7].z = 1e200, refuse(CUBE("finite numbers up to 1e30"));
	cube[7].z = 0.501, refuse(CUBE("is not planar"));
	cube[7].z = 0.5;
	for (int i = 4; i < 8; ++i) cube[i].z = -0.5;
	refuse(CUBE("is flat"));
	/* a roof whose ridge is pushed in, a closed surface of planar triangles */
	vec3 dent[] = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}, {0.5, 0.5, 1}, {0.5, 0.5, 0.3}};
	int32_t dent_first[] = {0, 3, 6, 9, 12, 15, 18, 21, 24};
	int32_t dent_corner[] = {0, 1, 4, 1, 2, 4, 2, 3, 4, 3, 0, 4, 1, 0, 5, 2, 1, 5, 3, 2, 5, 0, 3, 5};
	refuse(&(broken){6, 8, dent, dent_first, dent_corner, "is not convex: vertex 2 is"});
	dent[5].z = 0;
	refuse(&(broken){6, 8, dent, dent_first, dent_corner, "lie in one plane"});
	/* two tetrahedra side by side */
	vec3 pair[8] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
	int32_t pair_first[9], pair_corner[24] = {0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3};
	for (int i = 0; i < 4; ++i) pair[4 + i] = v3_add(pair[i], v3(5, 0, 0));
	for (int i = 0; i < 9; ++i) pair_first[i] = 3 * i;
	for (int i = 0; i < 12; ++i) pair_corner[12 + i] = 4 + pair_corner[i];
	refuse(&(broken){8, 8, pair, pair_first, pair_corner, "vertices - edges + faces is 4"});
	shapes s = {0};
	fail why;
	CHECK(scree_shapes_add_convex(&s, "a name that is longer than the forty-seven bytes it may have", 4, pair, 4,
								  pair_first, pair_corner, &why) == -1 &&
			  strstr(why.text, "expected at most 47"),
		  "%s", why.text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(sphere), cmocka_unit_test(solids),		cmocka_unit_test(boxes),
		cmocka_unit_test(turned), cmocka_unit_test(tetrahedra), cmocka_unit_test(refusals),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
