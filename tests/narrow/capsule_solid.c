/* Capsules and polyhedra: distances and overlaps compared with brute force over directions, contacts at both ends of
 * the overlapping length, and forces as the gradient of an energy. */
#include "smooth_help.h"

#include "narrow/compound.h"
#include "narrow/smooth/capsule.h"
#include "part_shapes.h"

enum {
	ROD,
	STUB,
	LONG,
	BALL,
	RODS,
	CUBE = RODS,
	TETRAHEDRON,
	DODECAHEDRON,
	PLATE,
	NEEDLE,
	PEBBLE,
	KINDS,
	CROSS = KINDS
};
static shapes all;

static int make_shapes(void **state)
{
	(void)state;
	fail why = {0};
	assert_true(scree_shapes_add_capsule(&all, "rod", 3, 1, &why) == ROD);
	assert_true(scree_shapes_add_capsule(&all, "stub", 1.1, 0.8, &why) == STUB);
	assert_true(scree_shapes_add_capsule(&all, "long", 4, 0.3, &why) == LONG);
	assert_true(scree_shapes_add_capsule(&all, "ball", 1, 1, &why) == BALL);
	add_five_solids(&all);
	add_pebble(&all, 5, 24, v3(0.8, 0.8, 0.8));
	assert_true(part_add_compound(&all, "cross", &part_cross, &why) == CROSS);
	return 0;
}

static int forget_shapes(void **state)
{
	(void)state;
	scree_shapes_free(&all);
	return 0;
}

static placed random_body(random_stream *r, int32_t shape, vec3 at)
{
	return random_pose(r, all.row + shape, at, 0.6, 1.4);
}

/* Largest gap over all directions: first over a grid, the normals of all faces, and the directions across each edge
 * and the axis, then in ever smaller steps around the best direction. */
static real greatest_gap(const placed *a, const placed *b)
{
	enum { GRID = 500 };
	const shape *o = b->shape;
	vec3 best = v3(0, 0, 1);
	real most = -INFINITY;
	/* directions from a corner, and from those points of an edge that are closest to the two ends of the axis */
	for (int32_t v = 0; v < o->vertices; ++v) {
		const vec3 corner = v3_madd(b->at, b->size, mat3_mul(b->turn, shape_vertex(o, v)));
		const capsule c = scree_capsule_of(a);
		for (int k = 0; k < 3; ++k) {
			const vec3 on = capsule_point(&c, k == 0 ? -c.half : k == 1 ? c.half : capsule_foot(&c, corner));
			const vec3 n = v3_unit(v3_sub(corner, on));
			const real s = gap_along(a, b, n);
			if (s > most) most = s, best = n;
		}
	}
	for (int k = 0; k < GRID + o->faces + 2 * o->edges; ++k) {
		const real z = 1 - (2 * k + 1) / (real)GRID, rho = sqrt(real_max(1 - z * z, 0)),
				   angle = k * 2.39996322972865332;
		vec3 n = v3(rho * cos(angle), rho * sin(angle), z);
		if (k >= GRID) n = mat3_mul(b->turn, v3_neg(shape_normal(o, (k - GRID) % o->faces)));
		if (k >= GRID + o->faces) {
			const int32_t e = (k - GRID - o->faces) / 2;
			const vec3 way = v3_sub(shape_vertex(o, o->ends[2 * e + 1]), shape_vertex(o, o->ends[2 * e]));
			const vec3 across = v3_cross(mat3_mul(b->turn, way), a->turn.z);
			if (v3_norm(across) > 1e-9) n = v3_mul((k - GRID - o->faces) % 2 ? 1 : -1, v3_unit(across));
		}
		const real s = gap_along(a, b, n);
		if (s > most) most = s, best = n;
	}
	real turn = 0;
	for (real step = 0.1; step > 1e-9; turn += 0.7) {
		const vec3 t = v3_across(best), u = v3_cross(best, t), from = best;
		bool moved = false;
		for (int k = 0; k < 12; ++k) {
			const real angle = turn + k * SCREE_PI / 6;
			const vec3 way = v3_add(v3_mul(cos(angle), t), v3_mul(sin(angle), u));
			for (real far = step; far < 0.5; far *= 2) {
				const vec3 n = v3_unit(v3_madd(from, far, way));
				const real s = gap_along(a, b, n);
				if (s <= most + 1e-15) break;
				most = s, best = n, moved = true;
			}
		}
		if (!moved) step /= 2;
	}
	return most;
}

static void gaps_are_those_of_all_directions(void **state)
{
	(void)state;
	int64_t touching = 0, deep = 0, found_by_brute = 0, count = 0;
	FOR_SEEDS(600)
	{
		random_stream r = scree_random_start(test_seed, 1);
		const placed a = random_body(&r, one_of(&r, RODS), v3(0.1, 0.2, 0.3));
		placed b = random_body(&r, RODS + one_of(&r, KINDS - RODS), v3(0, 0, 0));
		const vec3 n = scree_random_direction(&r);
		const real part = scree_random_between(&r, test_seed % 2 ? 0.5 : 0.1, 1);
		b.at = v3_madd(a.at, part * (reach_of(&a, n) + reach_of(&b, v3_neg(n))), n);
		const real brute = greatest_gap(&a, &b), gap = scree_capsule_gap(&a, &b), radius = a.size * a.shape->semi_x;
		CHECK(gap >= brute - 1e-10, "gap %.12g, over all directions %.12g", gap, brute);
		NEAR(scree_capsule_gap(&b, &a), gap, 1e-12, "gap, exchanged");
		point_list found = {0};
		scree_parts_points(&a, &b, 1, 1, 10, 1, &found);
		const point_found *p = found.item + found.count - 1;
		assert_true(found.count > 0);
		CHECK(found.count <= 3, "%d contacts", found.count);
		if (found.count == 1) {
			NEAR(-p->depth, gap, 1e-12, "overlap");
			NEAR(gap_along(&a, &b, v3_neg(p->normal)), gap, 1e-9, "gap along the normal");
		}
		real sum = 0;
		for (int32_t k = 0; k < found.count; ++k) sum += real_max(found.item[k].depth, 0);
		if (gap < 0) CHECK(sum > -gap - 1e-9 && sum < -2 * gap + 1e-9, "overlaps %g of %g", sum, -gap);
		touching += gap < 0, deep += gap < -radius, found_by_brute += gap < brute + 1e-6, ++count;
		scree_point_list_free(&found);
	}
	printf("# %lld touch, %lld of them through the axis, %lld of %lld found by "
		   "brute force, too\n",
		   (long long)touching, (long long)deep, (long long)found_by_brute, (long long)count);
	if (count >= 600) CHECK(touching > count / 3 && deep > count / 20 && found_by_brute > 3 * count / 4, "cases");
}

/* ------------------------------------------------------------------ known
 * poses */

static int32_t contacts(vec3 at, vec3 turn, int32_t solid, point_list *out)
{
	const placed rod = {all.row + LONG, at, quat_matrix(quat_exp(turn, 1)), 1};
	const placed on = {all.row + solid, v3(0, 0, 0), quat_matrix(quat_one()), 1};
	out->count = 0;
	scree_parts_points(&on, &rod, 1, 0.15, 0, 1, out);
	return out->count;
}

static void lying_rods_touch_at_both_ends(void **state)
{
	(void)state;
	const vec3 along_x = v3(0, SCREE_PI / 2, 0);
	point_list p = {0};
	assert_int_equal(contacts(v3(0, 0, 0.24), along_x, PLATE, &p), 2); /* the rod extends beyond both borders */
	for (int k = 0; k < 2; ++k) {
		NEAR(p.item[k].depth, 0.01, 1e-12, "overlap");
		NEAR(p.item[k].at.x, k ? 1.2 : -1.2, 1e-9, "at a border");
		NEAR(p.item[k].normal.z, -1, 1e-12, "from the rod to the plate");
	}
	assert_int_equal(contacts(v3(0.9, 0, 0.24), along_x, PLATE, &p), 2); /* the rod extends beyond one border */
	NEAR(p.item[0].at.x, 0.9 - 1.85, 1e-9, "at its end");
	NEAR(p.item[1].at.x, 1.2, 1e-9, "at a border");
	/* above an edge of the plate and parallel to it, where the rod touches neither face */
	const real off = 0.14 / sqrt(2);
	assert_int_equal(contacts(v3(0, 1.1 + off, 0.1 + off), along_x, PLATE, &p), 2);
	NEAR(p.item[0].at.x, -1.2, 1e-9, "at a corner");
	NEAR(p.item[1].depth, 0.01, 1e-12, "overlap");
	/* across an edge of a cube, and standing on its tip */
	assert_int_equal(contacts(v3(0.5 + off, 0, 0.5 + off), v3(0, -SCREE_PI / 4, 0), CUBE, &p), 1);
	NEAR(p.item[0].depth, 0.01, 1e-12, "across an edge");
	assert_int_equal(contacts(v3(0.1, 0.2, 0.5 + 1.85 + 0.14), v3(0, 0, 0), CUBE, &p), 1);
	NEAR(p.item[0].depth, 0.01, 1e-12, "on its tip");
	scree_point_list_free(&p);
}

/* Contacts with a compound are sorted by feature number, whose two halves identify the parts of the two bodies. */
static void features_identify_parts(void **state)
{
	(void)state;
	const placed cross = {all.row + CROSS, v3(0, 0, 0), quat_matrix(quat_one()), 1};
	int64_t several = 0;
	FOR_SEEDS(300)
	{
		random_stream r = scree_random_start(test_seed, 3);
		const vec3 at = v3(scree_random_between(&r, -0.5, 0.5), scree_random_between(&r, -0.5, 0.5), 0.125 + 0.149);
		const vec3 turn = v3(0, SCREE_PI / 2, scree_random_between(&r, 0, 3));
		const quat q = quat_mul(quat_exp(v3(0, 0, turn.z), 1), quat_exp(v3(0, turn.y, 0), 1));
		const placed rod = {all.row + LONG, at, quat_matrix(q), 1};
		point_list p = {0};
		scree_parts_points(&rod, &cross, 1, 1, 0, 1, &p);
		several += p.count > 2;
		for (int32_t k = 0; k < p.count; ++k) {
			const uint64_t feature = p.item[k].feature;
			const placed part = scree_part(&cross, (int32_t)(feature & UINT32_MAX));
			CHECK(!k || feature > p.item[k - 1].feature, "features do not rise");
			CHECK((feature & UINT32_MAX) < (uint64_t)cross.shape->parts, "part %d", (int)(feature & UINT32_MAX));
			const real gap = scree_capsule_gap(&rod, &part);
			CHECK(gap < 0 && gap > -0.001 - 1e-9, "part %d: a gap of %g", (int)(feature & UINT32_MAX), gap);
		}
		scree_point_list_free(&p);
	}
	CHECK(several > test_cases(300) / 4, "%lld poses with more than two contacts", (long long)several);
}

/* ------------------------------------------------------------------ energy */

/* Poses on a closed path around a position in which a rod rests on a polyhedron: it slides, rotates and rocks. */
typedef struct loop {
	vec3 at, turn;		/* in the middle */
	vec3 slides, turns; /* amplitudes */
	int32_t rod, solid;
	real phase;
} loop;

static placed on_loop(const loop *w, real t, quat *q)
{
	const vec3 wave = v3(sin(2 * SCREE_PI * t), sin(4 * SCREE_PI * t + w->phase), sin(2 * SCREE_PI * t + w->phase));
	const vec3 other = v3(cos(2 * SCREE_PI * t), sin(2 * SCREE_PI * t + w->phase), cos(4 * SCREE_PI * t));
	const vec3 at = v3_add(w->at, v3(w->slides.x * wave.x, w->slides.y * wave.y, w->slides.z * wave.z));
	const vec3 turn = v3(w->turns.x * other.x, w->turns.y * other.y, w->turns.z * other.z);
	*q = quat_mul(quat_exp(turn, 1), quat_exp(w->turn, 1));
	return (placed){all.row + w->rod, at, quat_matrix(*q), 1};
}

/* Returns the work done by the contacts of a rod along a closed loop; size: sum of the magnitudes of the contributions.
 */
static real work_on(const loop *w, int steps, bool hertz, real *size)
{
	const placed solid = {all.row + w->solid, v3(0, 0, 0), quat_matrix(quat_one()), 1};
	real sum = 0;
	*size = 0;
	for (int k = 0; k < steps; ++k) {
		quat q, before, after;
		const placed rod = on_loop(w, (k + 0.5) / steps, &q);
		const placed from = on_loop(w, (real)k / steps, &before), to = on_loop(w, (k + 1.0) / steps, &after);
		const quat d = quat_mul(after, quat_conj(before));
		const vec3 way = v3_sub(to.at, from.at), turned = v3_mul(d.w < 0 ? -2 : 2, v3(d.x, d.y, d.z));
		point_list p = {0};
		scree_parts_points(&rod, &solid, 1, 1, 0, hertz ? 1.5 : 1, &p);
		for (int32_t c = 0; c < p.count; ++c) {
			const real deep = p.item[c].depth;
			const vec3 f = v3_mul(hertz ? deep * sqrt(deep) : deep, p.item[c].normal);
			const real work = v3_dot(f, way) + v3_dot(v3_cross(p.item[c].at, f), turned);
			sum += work, *size += fabs(work);
		}
		scree_point_list_free(&p);
	}
	return sum;
}

/* Frictionless forces do no work along a closed path on which a rod slides with its end beyond a border, rotates and
 * rocks. If the part common to the rod and a face or edge is shorter than a quarter of the radius, the forces do a
 * little work (docs/theory/smooth.md), for example when the rod slides sideways off a face. */
static void no_work_along_closed_paths(void **state)
{
	(void)state;
	real worst = 0;
	int64_t counted = 0;
	FOR_SEEDS(60)
	{
		random_stream r = scree_random_start(test_seed, 2);
		const bool sideways = test_seed % 3 == 0;
		loop w = {.rod = test_seed % 2 ? LONG : ROD, .solid = PLATE, .turn = v3(0, SCREE_PI / 2, 0)};
		const real radius = w.rod == LONG ? 0.15 : 0.5;
		w.at = v3(scree_random_between(&r, 0, 1), scree_random_between(&r, -0.4, 0.4), 0.1 + 0.97 * radius);
		w.slides = v3(scree_random_between(&r, 0, 0.4), scree_random_between(&r, 0, 0.3), 0.02 * radius);
		w.turns = v3(0, scree_random_between(&r, 0, 0.02), scree_random_between(&r, 0, 0.2));
		if (sideways) w.at.y = 1.1, w.slides.y = scree_random_between(&r, 0, 0.5) * radius, w.turns.z *= 0.1;
		w.phase = scree_random_between(&r, 0, 6);
		real size;
		const real work = work_on(&w, 4000, test_seed % 4 < 2, &size);
		if (!(size > 1e-6)) continue;
		++counted;
		CHECK(fabs(work) < (sideways ? 0.1 : 0.01) * size, "work %g of %g, sideways: %d", work, size, sideways);
		worst = real_max(worst, fabs(work) / size);
	}
	printf("# worst work %.2g of its parts, %lld paths\n", worst, (long long)counted);
	CHECK(counted > test_cases(60) / 3, "%lld paths touch", (long long)counted);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(gaps_are_those_of_all_directions),
		cmocka_unit_test(lying_rods_touch_at_both_ends),
		cmocka_unit_test(features_identify_parts),
		cmocka_unit_test(no_work_along_closed_paths),
	};
	return cmocka_run_group_tests(tests, make_shapes, forget_shapes);
}
