/* The region of two polyhedra of many faces, found from those near it, is bitwise that of cuts by all faces: any guess
 * of the first face, deep and barely touching bodies, faces in one plane, equal corners. */
#include "base/memory.h"
#include "narrow/solid/known_cuts.h"
#include "narrow/solid/overlap_near.h"
#include "wall_help.h"

/* random hulls of 60 and 246 faces, a football (32 faces, three at each of 60 vertices), a prism and a double pyramid
 * of 40 sides, a hull of points on four circles with faces of many corners */
enum { HULL = 0, LARGE = 4, FOOTBALL, PRISM, PYRAMID, DRUM, SHAPES };

static stage all;
static known_cuts *known;

static void add_points(const char *name, int32_t points, const vec3 *p)
{
	fail why;
	CHECK(scree_shapes_add_hull(&all.shape, name, points, p, &why) >= 0, "%s", why.text);
}

static void add_random(const char *name, int32_t points, uint64_t seed)
{
	random_stream r = scree_random_start(seed, 31);
	vec3 p[128];
	for (int32_t k = 0; k < points; ++k) p[k] = v3_mul((real)0.5, scree_random_direction(&r));
	add_points(name, points, p);
}

static void add_football(void)
{
	const real g = (1 + sqrt(5)) / 2;
	const vec3 base[3] = {v3(0, 1, 3 * g), v3(1, 2 + g, 2 * g), v3(g, 2, 2 * g + 1)};
	vec3 p[72];
	int32_t n = 0;
	for (int32_t k = 0; k < 3; ++k)
		for (int32_t sign = 0; sign < 8; ++sign) {
			if (k == 0 && sign & 1) continue; /* its first number is 0 */
			vec3 v = v3_mul((real)0.1, base[k]);
			v = v3(sign & 1 ? -v.x : v.x, sign & 2 ? -v.y : v.y, sign & 4 ? -v.z : v.z);
			p[n++] = v, p[n++] = v3(v.z, v.x, v.y), p[n++] = v3(v.y, v.z, v.x);
		}
	add_points("football", n, p);
}

/* circles of points about the z-axis, and points on it */
static void add_turned(const char *name, int32_t sides, int32_t circles, const real *height, const real *radius,
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

static int start(void **state)
{
	(void)state;
	known = scree_known_cuts();
	static const char *name[LARGE] = {"hull 1", "hull 2", "hull 3", "hull 4"};
	for (uint64_t k = 0; k < LARGE; ++k) add_random(name[k], 32, k);
	add_random("large", 125, 9);
	add_football();
	add_turned("prism", 40, 2, (real[]){-0.4, 0.4}, (real[]){0.5, 0.5}, 0);
	add_turned("pyramid", 40, 1, (real[]){0}, (real[]){0.5}, 0.5);
	add_turned("drum", 16, 4, (real[]){-0.5, -0.2, 0.2, 0.5}, (real[]){0.3, 0.5, 0.5, 0.3}, 0);
	CHECK(all.shape.count == SHAPES && all.shape.row[HULL].faces == 60 && all.shape.row[LARGE].faces == 246, "shapes");
	return 0;
}

static int end(void **state)
{
	(void)state;
	scree_free(known);
	stage_clear(&all);
	return 0;
}

/* ------------------------------------------------------------------ the reference */

static convex_pair pair_of(const placed *a, const placed *b)
{
	convex_pair c = {.at_a = a, .at_b = b, .a = a->shape, .b = b->shape, .sa = a->size, .sb = b->size};
	c.turn = (mat3){mat3_tmul(a->turn, b->turn.x), mat3_tmul(a->turn, b->turn.y), mat3_tmul(a->turn, b->turn.z)};
	c.apart = mat3_tmul(a->turn, v3_sub(b->at, a->at));
	c.scale = real_max(c.sa * c.a->radius, c.sb * c.b->radius);
	return c;
}

typedef struct whole_cut {
	near_outcome found;
	int32_t first; /* the face of b that left the least of a */
	patch apart;
	cutting room;
} whole_cut;

/* Cuts a by all faces of b in the order of overlap_convex.c: each face that leaves less than all before comes first. */
static void cut_by_all(const convex_pair *c, real slack, whole_cut *w)
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

static bool same(vec3 a, vec3 b) { return a.x == b.x && a.y == b.y && a.z == b.z; }

static void check_solid(const solid *p, const solid *q)
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

static void check_patch(const patch *p, const patch *q, bool holds)
{
	CHECK(p->points == q->points, "%d points, alone %d", q->points, p->points);
	CHECK(p->points ? p->depth == q->depth : !(q->depth > 0), "depth %g, alone %g", q->depth, p->depth);
	if (!p->points) return;
	CHECK(same(p->normal, q->normal) && p->pitch == q->pitch && p->arm == q->arm, "normal, pitch or arm");
	CHECK(!holds || same(p->hold, q->hold), "where friction holds");
	for (int32_t k = 0; k < p->points; ++k)
		CHECK(same(p->at[k], q->at[k]) && p->deep[k] == q->deep[k] && p->weight[k] == q->weight[k], "point %d", k);
}

/* how often which result was found, and how many regions there were */
typedef struct tally {
	int64_t asked, of[NEAR_UNKNOWN + 1];
} tally;

static void compare(const placed *a, const placed *b, int32_t *guess, tally *t)
{
	static whole_cut w;
	static solid left;
	const convex_pair c = pair_of(a, b);
	const real slack = 1e-12 * c.scale;
	patch apart = {0};
	cut_by_all(&c, slack, &w);
	near_outcome found = scree_overlap_near(&c, slack, guess, &left, &apart);
	t->asked += w.found == NEAR_LEFT;
	t->of[found] += 1;
	if (found == NEAR_UNKNOWN) {
		if (w.found == NEAR_LEFT && w.first >= 0) *guess = w.first;
		return;
	}
	CHECK(found == w.found, "outcome %d, of all cuts %d", (int)found, (int)w.found);
	if (found == NEAR_APART)
		CHECK(apart.depth == w.apart.depth && apart.axis == w.apart.axis, "distance %g, of all %g", -apart.depth,
			  -w.apart.depth);
	if (found != NEAR_LEFT) return;
	CHECK(*guess == w.first, "first face %d, of all cuts %d", *guess, w.first);
	check_solid(w.room.part + w.room.now, &left);
}

/* the same by the functions of the narrow phase, which keep hints; axis: of the last call, for both energies */
static void compare_contacts(const placed *a, const placed *b, int32_t axis[2])
{
	static patch p, q;
	scree_overlap_convex_convex(a, b, 0, &p);
	scree_overlap_known(a, b, axis[0], known, &q);
	check_patch(&p, &q, false);
	axis[0] = q.axis;
	scree_thickness_convex_convex(a, b, 0, &p);
	scree_thickness_known(a, b, axis[1], known, &q);
	check_patch(&p, &q, true);
	axis[1] = q.axis;
}

/* ------------------------------------------------------------------ pairs */

static void two_bodies(uint64_t stream, random_stream *r, placed *a, placed *b)
{
	*r = scree_random_start(test_seed, stream);
	*a = place_random(&all, (int32_t)(test_seed % SHAPES), r, 1, 0.5, 1.5);
	*b = place_random(&all, (int32_t)(test_seed / SHAPES % SHAPES), r, 1, 0.5, 1.5);
}

static real touching_way(const placed *a, const placed *b)
{
	return a->size * a->shape->radius + b->size * b->shape->radius;
}

static void creep(random_stream *r, placed *b, real by)
{
	mat3 m = quat_matrix(turn_about(scree_random_direction(r), by * scree_random_between(r, -1, 1)));
	b->at = v3_add(b->at, v3_mul(by, scree_random_direction(r)));
	b->turn = (mat3){mat3_mul(m, b->turn.x), mat3_mul(m, b->turn.y), mat3_mul(m, b->turn.z)};
}

/* pairs that move slowly and sometimes jump, from apart to deep, most of them as deep as in a packing */
static void slow_pairs(void **state)
{
	(void)state;
	tally t = {0};
	FOR_SEEDS(200)
	{
		random_stream r;
		placed a, b;
		two_bodies(1, &r, &a, &b);
		real part = test_seed % 4 ? scree_random_between(&r, 0.87, 0.97) : scree_random_between(&r, 0, 1);
		b.at = v3_madd(a.at, part * touching_way(&a, &b), scree_random_direction(&r));
		int32_t guess = 0, axis[2] = {0, 0};
		for (int step = 0; step < 20; ++step) {
			creep(&r, step % 2 ? &a : &b, step % 10 ? 1e-5 : 0.02);
			compare(&a, &b, &guess, &t);
			compare_contacts(&a, &b, axis);
		}
	}
	CHECK(t.of[NEAR_LEFT] > t.asked / 4, "%lld of %lld regions from the faces near them", (long long)t.of[NEAR_LEFT],
		  (long long)t.asked);
	CHECK(t.of[NEAR_APART] > 0, "no face separates bodies");
}

/* any face as guess, also one that the other body does not have */
static void any_guess(void **state)
{
	(void)state;
	tally t = {0};
	FOR_SEEDS(1500)
	{
		random_stream r;
		placed a, b;
		two_bodies(2, &r, &a, &b);
		b.at = v3_madd(a.at, touching_way(&a, &b) * scree_random_between(&r, 0.8, 1), scree_random_direction(&r));
		int32_t guess = (int32_t)(scree_random_bits(&r) % 260);
		for (int k = 0; k < 3; ++k) compare(&a, &b, &guess, &t);
	}
	CHECK(t.of[NEAR_LEFT] > t.asked / 4 && t.of[NEAR_APART] > 0 && t.of[NEAR_UNKNOWN] > 0, "%lld found of %lld",
		  (long long)t.of[NEAR_LEFT], (long long)t.asked);
}

/* Overlaps down to rounding: b goes to the distance at which the bodies begin to touch, and further by a little. */
static void barely_touching(void **state)
{
	(void)state;
	tally t = {0};
	FOR_SEEDS(150)
	{
		static patch p;
		random_stream r;
		placed a, b;
		two_bodies(3, &r, &a, &b);
		const vec3 way = scree_random_direction(&r);
		const real far = touching_way(&a, &b);
		real in = 0, out = far;
		for (int k = 0; k < 50; ++k) {
			b.at = v3_madd(a.at, (in + out) / 2, way);
			scree_overlap_convex_convex(&a, &b, 0, &p);
			*(p.points ? &in : &out) = (in + out) / 2;
		}
		int32_t guess = 0, axis[2] = {0, 0};
		real deep = 0.03 * far;
		for (int k = 0; k < 24; ++k, deep *= k % 12 ? 0.1 : -1e11) {
			b.at = v3_madd(a.at, in - deep, way);
			compare(&a, &b, &guess, &t);
			compare_contacts(&a, &b, axis);
		}
	}
	CHECK(t.of[NEAR_LEFT] > t.asked / 2, "%lld found of %lld", (long long)t.of[NEAR_LEFT], (long long)t.asked);
}

/* Equal bodies with parallel faces and edges in line: heights are rounding, and corners go to either side. */
static void faces_in_line(void **state)
{
	(void)state;
	tally t = {0};
	FOR_SEEDS(1500)
	{
		random_stream r = scree_random_start(test_seed, 4);
		placed a = place(&all, (int32_t)(test_seed % SHAPES), v3(0, 0, 0), quat_of(1, 0, 0, 0), 1), b = a;
		const shape *s = a.shape;
		vec3 off = v3_mul(1e-12, random_in(&r, 3));
		switch (test_seed / SHAPES % 4) {
		case 0: /* in the same place, or shifted by one edge */
			if (test_seed % 2) off = v3_add(off, v3_sub(shape_vertex(s, s->ends[1]), shape_vertex(s, s->ends[0])));
			break;
		case 1: /* one above the other; at the drum's and the prism's ends face on face */
			off.z += 2 * (s->vz[0] < 0 ? -s->vz[0] : s->vz[0]) * (1 - 1e-3 * (real)(test_seed % 5));
			break;
		case 2: /* corners of one in faces of the other */
			off = v3_add(off, v3_mul(scree_random_between(&r, 0.9, 1), shape_vertex(s, (int32_t)(test_seed % 11))));
			break;
		default: /* mirrored at a face, which both have then */
		{
			int32_t f = (int32_t)(test_seed % (uint64_t)s->faces);
			off = v3_add(off, v3_mul(2 * s->off[f] * (1 - 1e-4 * (real)(test_seed % 3)), shape_normal(s, f)));
			mat3 half = quat_matrix(turn_about(v3_across(shape_normal(s, f)), SCREE_PI));
			if (test_seed % 2) b.turn = half;
		}
		}
		b.at = off;
		if (test_seed % 3 == 0) creep(&r, &b, 1e-12);
		int32_t axis[2] = {0, 0}, guess = (int32_t)(scree_random_bits(&r) % (uint32_t)s->faces);
		for (int k = 0; k < 2; ++k) compare(&a, &b, &guess, &t), compare_contacts(&a, &b, axis);
	}
	CHECK(t.of[NEAR_LEFT] > t.asked / 16, "%lld found of %lld", (long long)t.of[NEAR_LEFT], (long long)t.asked);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(slow_pairs),
		cmocka_unit_test(any_guess),
		cmocka_unit_test(barely_touching),
		cmocka_unit_test(faces_in_line),
	};
	return cmocka_run_group_tests(tests, start, end);
}
