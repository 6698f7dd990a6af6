/* Overlap regions computed from combinatorial forms (kernel/form.h): stored data does not affect results, and the
 * region equals the region obtained by clipping, up to rounding. */
#include "cut_help.h"
#include "narrow/solid/overlap_form.h"
#include "narrow/solid/overlap.h"

/* random hulls with 60 faces, a football, an icosahedron with five faces at each vertex, and a prism */
enum { HULLS = 3, FOOTBALL = HULLS, GEM, PRISM, SHAPES };

static int start(void **state)
{
	(void)state;
	static const char *name[HULLS] = {"hull 1", "hull 2", "hull 3"};
	for (uint64_t k = 0; k < HULLS; ++k) add_random(name[k], 32, k + 1);
	add_football();
	fail why;
	CHECK(scree_shapes_add_regular(&all.shape, "gem", "icosahedron", &why) == GEM, "%s", why.text);
	add_turned("prism", 20, 2, (real[]){-0.4, 0.4}, (real[]){0.5, 0.5}, 0);
	CHECK(all.shape.count == SHAPES, "shapes");
	return 0;
}

static int end(void **state)
{
	(void)state;
	stage_clear(&all);
	return 0;
}

/* Computes the region by clipping against the faces near it, starting from the first guess that succeeds, or otherwise
 * with all faces. Returns false if there is no common region. form: replaced */
static bool cut(const convex_pair *c, overlap_form *form, solid *left)
{
	static whole_cut w;
	const real slack = 1e-12 * c->scale;
	form->a = NULL;
	for (int32_t f = 0; f < c->b->faces; ++f) {
		patch unused;
		int32_t face = f;
		near_outcome found = scree_overlap_near(c, slack, &face, form, left, &unused);
		if (found != NEAR_UNKNOWN) return found == NEAR_LEFT;
	}
	cut_by_all(c, slack, &w);
	if (w.found != NEAR_LEFT) return false;
	if (!scree_form_of_solid(c, w.room.part + w.room.now, form) || !scree_form_region(c, form, left)) {
		form->a = NULL;
		*left = w.room.part[w.room.now];
	}
	return true;
}

/* Volume, areas and moments about the same point must agree. */
static void check_sums(const convex_pair *c, const solid *p, const solid *q)
{
	const real s = c->scale, near = 1e-11;
	overlap a = scree_overlap_start(ENERGY_OF_VOLUME, p, p->vertex[0], v3(0, 0, 1));
	overlap b = scree_overlap_start(ENERGY_OF_VOLUME, p, p->vertex[0], v3(0, 0, 1));
	scree_overlap_add(&a, p);
	scree_overlap_add(&b, q);
	NEAR(scree_overlap_volume(&b), scree_overlap_volume(&a), near * s * s * s, "volume");
	NEAR(v3_norm(v3_sub(a.push, b.push)), 0, near * s * s, "areas of b");
	NEAR(b.widest, a.widest, near * s * s, "widest face");
	const mat3 m[4] = {a.first, b.first, a.second, b.second};
	for (int k = 0; k < 4; k += 2) {
		NEAR(v3_norm(v3_sub(m[k].x, m[k + 1].x)), 0, near * s * s * s, "moments along x");
		NEAR(v3_norm(v3_sub(m[k].y, m[k + 1].y)), 0, near * s * s * s, "moments along y");
		NEAR(v3_norm(v3_sub(m[k].z, m[k + 1].z)), 0, near * s * s * s, "moments along z");
	}
}

typedef struct tally {
	int64_t regions, forms, kept, held;
} tally;

/* kept: the combinatorial form from an earlier pose, which is then replaced */
static void compare(const placed *a, const placed *b, overlap_form *kept, tally *t)
{
	static whole_cut w;
	static solid fresh, again;
	const convex_pair c = pair_of(a, b);
	overlap_form form, other;
	memset(&form, 0, sizeof form);
	memset(&other, 0, sizeof other);
	const bool may = form_may_exist(&c), holds = may && scree_form_region(&c, kept, &again);
	const bool any = cut(&c, &form, &fresh);
	if (!may) form.a = NULL;
	t->regions += any;
	t->kept += any && kept->a;
	t->held += holds;
	CHECK(!holds || form.a, "a kept form holds, the cuts have none");
	if (holds) {
		CHECK(memcmp(kept, &form, sizeof form) == 0, "another form than that of the cuts");
		check_solid(&fresh, &again);
	}
	if (form.a) {
		t->forms += 1;
		cut_by_all(&c, 1e-12 * c.scale, &w);
		const solid *by_cuts = w.room.part + w.room.now;
		CHECK(w.found == NEAR_LEFT, "no region by cuts");
		check_sums(&c, by_cuts, &fresh);
		CHECK(scree_form_of_solid(&c, by_cuts, &other), "no form by normals");
		CHECK(memcmp(&other, &form, sizeof form) == 0, "another form by normals");
	}
	memcpy(kept, &form, sizeof form);
}

static void two_bodies(uint64_t stream, random_stream *r, placed *a, placed *b)
{
	*r = scree_random_start(test_seed, stream);
	*a = place_random(&all, (int32_t)(test_seed % SHAPES), r, 1, 0.5, 1.5);
	*b = place_random(&all, (int32_t)(test_seed / SHAPES % SHAPES), r, 1, 0.5, 1.5);
	b->at = v3_madd(a->at, touching_way(a, b) * scree_random_between(r, 0.8, 0.97), scree_random_direction(r));
}

static void pairs_that_creep(void **state)
{
	(void)state;
	tally t = {0};
	FOR_SEEDS(400)
	{
		random_stream r;
		placed a, b;
		overlap_form kept;
		memset(&kept, 0, sizeof kept);
		two_bodies(1, &r, &a, &b);
		for (int step = 0; step < 20; ++step) {
			creep(&r, step % 2 ? &a : &b, step % 10 ? 1e-4 : 1e-2);
			compare(&a, &b, &kept, &t);
		}
	}
	print_message("%lld regions, %lld forms, %lld kept, of which %lld hold\n", (long long)t.regions, (long long)t.forms,
				  (long long)t.kept, (long long)t.held);
	CHECK(t.forms > 8 * t.regions / 10 && t.held > 7 * t.kept / 10, "forms are rare, or rarely hold");
	CHECK(t.held < t.kept, "all kept forms hold");
}

/* A vertex of one body passes through a face of the other in steps down to rounding: combinatorial forms become invalid
 * before ties occur. */
static void near_ties(void **state)
{
	(void)state;
	tally t = {0};
	FOR_SEEDS(400)
	{
		random_stream r;
		placed a, b;
		overlap_form kept;
		memset(&kept, 0, sizeof kept);
		two_bodies(2, &r, &a, &b);
		const convex_pair c = pair_of(&a, &b);
		int32_t v = (int32_t)(scree_random_bits(&r) % (uint32_t)a.shape->vertices);
		vec3 n = v3(0, 0, 0);
		real top = -INFINITY, off = 0;
		for (int32_t f = 0; f < b.shape->faces; ++f) {
			vec3 m = mat3_mul(c.turn, shape_normal(b.shape, f));
			real h = v3_dot(m, v3_sub(v3_mul(a.size, shape_vertex(a.shape, v)), c.apart)) - b.size * b.shape->off[f];
			if (h > top) top = off = h, n = m;
		}
		/* moves the face of b to the vertex */
		b.at = v3_madd(b.at, off, mat3_mul(a.turn, n));
		const vec3 at = b.at;
		for (real far = 1e-3; far > 1e-16; far *= (real)0.5) {
			b.at = v3_madd(at, far, mat3_mul(a.turn, n));
			compare(&a, &b, &kept, &t);
		}
		for (real far = 1e-16; far < 1e-3; far *= 2) {
			b.at = v3_madd(at, -far, mat3_mul(a.turn, n));
			compare(&a, &b, &kept, &t);
		}
	}
	print_message("%lld regions, %lld forms, %lld kept, of which %lld hold\n", (long long)t.regions, (long long)t.forms,
				  (long long)t.kept, (long long)t.held);
	CHECK(t.forms > 0 && t.forms < t.regions && t.held > 0, "%lld forms of %lld regions", (long long)t.forms,
		  (long long)t.regions);
}

/* ------------------------------------------------------------------ shapes that are sharp, bent or small */

/* A blade along x with an edge that bends by `bevel` at the origin. angle: half of the angle between its sides; back:
 * length of the straight part; off: offsets of a corner at the end and of a corner on the edge */
typedef struct blade {
	real angle, bevel, back, length, off[2];
} blade;

static const shape *add_blade(const char *name, const blade *o)
{
	static const int32_t first[] = {0, 3, 8, 13, 17, 20, 24};
	static const int32_t corner[] = {1, 2, 3, 4, 6, 2, 1, 0, 0, 1, 3, 7, 5, 4, 5, 7, 6, 5, 4, 0, 6, 7, 3, 2};
	const real down = o->length * scree_sin(o->bevel) / scree_cos(o->bevel),
			   u = scree_sin(o->angle) / scree_cos(o->angle);
	const vec3 p[8] = {
		v3(-o->back, 0, 0),	 v3(0, 0, o->off[1]),  v3(o->length, -down, down * u),	 v3(o->length, -down, -down * u),
		v3(-o->back, -1, u), v3(-o->back, -1, -u), v3(o->length, -1, u + o->off[0]), v3(o->length, -1, -u)};
	fail why;
	const int32_t row = scree_shapes_add_convex(&all.shape, name, 8, p, 6, first, corner, &why);
	CHECK(row >= 0, "%s", why.text);
	return all.shape.row + row;
}

static const shape *add_round_prism(void)
{
	enum { SIDES = 28 };
	vec3 p[2 * SIDES];
	for (int k = 0; k < SIDES; ++k) {
		real si, co;
		scree_sincos(2 * SCREE_PI * (k + 0.3) / SIDES, &si, &co);
		p[k] = v3(0, 1.5 * co, 1.5 * si), p[SIDES + k] = v3(-3, 1.5 * co, 1.5 * si);
	}
	add_points("round prism", 2 * SIDES, p);
	return all.shape.row + all.shape.count - 1;
}

/* Places the shape with its points as given. */
static placed as_given(const shape *s, real size, vec3 at)
{
	return (placed){.shape = s, .size = size, .turn = quat_matrix(s->frame), .at = v3_madd(at, size, s->centre)};
}

/* The end of a knife edge, or of an edge between non-planar faces, passes through a face of the other body: a
 * combinatorial form would be valid there, but clipping would not find the region. */
static void sharp_and_bent_blades(void **state)
{
	(void)state;
	static const blade row[] = {
		{1e-4, 0.00201, 0.5, 0.5, {0, 0}},		{3e-4, 0.00201, 0.5, 0.5, {0, 0}},
		{2e-3, 0.00201, 0.5, 0.5, {0, 0}},		{1e-2, 0.00201, 0.5, 0.5, {0, 0}},
		{0.0102, 0.0051, 0.5, 0.5, {4e-10, 0}}, {0.0102, 0.0051, 0.5, 0.5, {-4e-10, 0}},
		{0.0102, 0.0051, 0.5, 0.5, {0, 4e-10}}, {0.0102, 0.0051, 0.5, 0.5, {0, -4e-10}},
		{0.1, 0.1, 0.5, 0.5, {0, 0}},
	};
	static const real at[] = {1000, 100, 10, 5, 3, 2, 1.5, 1.2, 1.05, 0.9};
	tally t = {0};
	add_round_prism();
	const int32_t prism = all.shape.count - 1;
	for (size_t k = 0; k < sizeof row / sizeof *row; ++k) {
		char name[40];
		snprintf(name, sizeof name, "blade %d", (int)k);
		const shape *s = add_blade(name, row + k), *other = all.shape.row + prism;
		const placed b = as_given(s, 1, v3(0, 0, 0));
		overlap_form kept;
		memset(&kept, 0, sizeof kept);
		for (size_t i = 0; i < sizeof at / sizeof *at; ++i) {
			const placed a = as_given(other, 1, v3(-1e-6 * other->radius * at[i], 0, 0));
			compare(&a, &b, &kept, &t);
		}
	}
	CHECK(t.held > 5, "%lld forms of %lld regions", (long long)t.forms, (long long)t.regions);
}

/* A small blade inside a large body: a combinatorial form from one pose is used in other poses and with other sizes. */
static void small_blades(void **state)
{
	(void)state;
	static const blade small = {1e-4, 0.6, 2e-4, 1, {0, 0}}, wide = {0.3, 0.6, 0.3, 1, {0, 0}};
	static const real size[] = {0.3, 0.03, 3e-3, 3e-4, 3e-5, 1e-5, 3e-6};
	tally t = {0};
	add_round_prism();
	const int32_t prism = all.shape.count - 1;
	for (int sharp = 0; sharp < 2; ++sharp) {
		const shape *s = add_blade(sharp ? "sharp" : "wide", sharp ? &small : &wide);
		const placed a = as_given(all.shape.row + prism, 1, v3(0, 0, 0));
		overlap_form first;
		memset(&first, 0, sizeof first);
		for (size_t k = 0; k < sizeof size / sizeof *size; ++k)
			for (int i = 0; i < 200; ++i) {
				random_stream r = scree_random_start((uint64_t)i, 3);
				placed b = as_given(s, size[k], v3_madd(v3(-1.5, 0, 0), (real)0.8, scree_random_direction(&r)));
				b.turn = quat_matrix(scree_random_rotation(&r));
				overlap_form kept = first;
				compare(&a, &b, &kept, &t);
				if (!first.a && kept.a) first = kept;
			}
	}
	CHECK(t.held > 200, "%lld forms of %lld regions", (long long)t.forms, (long long)t.regions);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(pairs_that_creep),
		cmocka_unit_test(near_ties),
		cmocka_unit_test(sharp_and_bent_blades),
		cmocka_unit_test(small_blades),
	};
	return cmocka_run_group_tests(tests, start, end);
}
