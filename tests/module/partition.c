/* Partitions of space: each point has one owner, borders belong to one side, each box is assigned to the parts of all
 * its points, and parts that are close to each other are neighbours. */
#include "test.h"

#include "base/memory.h"
#include "ranks/division/partition.h"

enum { MOST = 200 }; /* ranks */

static partition made(const partition_row *by, const partition_plan *plan)
{
	partition p;
	fail why;
	CHECK(scree_partition_make(&p, by, plan, &why), "%s", why.text);
	return p;
}

/* A random plan for a row of the table, in boxes with unusual positions and sizes. */
static partition random_partition(random_stream *r, bool hexagons)
{
	partition_plan o = {.low = {scree_random_between(r, -3, 1), scree_random_between(r, -3, 1), -0.3}};
	o.high = v3_add(o.low, v3(scree_random_between(r, 0.1, 4), scree_random_between(r, 0.1, 4), 1.7));
	if (hexagons) {
		const int32_t n = (int32_t)(scree_random_bits(r) % 6);
		o.ranks = 1 + 3 * n * (n + 1);
		return made(&scree_partition_hexagons, &o);
	}
	o.ranks = 1;
	for (int axis = 0; axis < 3; ++axis) {
		o.periodic[axis] = scree_random_bits(r) % 2;
		o.parts[axis] = 1 + (int32_t)(scree_random_bits(r) % 5);
		o.ranks *= o.parts[axis];
	}
	return made(&scree_partition_grid, &o);
}

static real along(random_stream *r, real low, real high)
{
	const real out = (real)0.2 * (high - low);
	return scree_random_between(r, low - out, high + out);
}

/* A point in the box, or slightly outside it along non-periodic axes. */
static vec3 random_point(random_stream *r, const partition_plan *o)
{
	vec3 at;
	for (int32_t axis = 0; axis < 3; ++axis) {
		const real low = v3_part(o->low, axis), high = v3_part(o->high, axis);
		*v3_along(&at, axis) = o->periodic[axis] ? scree_random_between(r, low, high) : along(r, low, high);
	}
	return at;
}

/* ------------------------------------------------------------------ owners */

/* Finds the part along an axis from its borders, each of which belongs to the part above it. */
static int32_t part_by_hand(const partition_plan *o, int32_t axis, real x)
{
	const real low = v3_part(o->low, axis), size = v3_part(o->high, axis) - low;
	int32_t part = 0;
	for (int32_t k = 1; k < o->parts[axis]; ++k) part += x >= low + size * k / o->parts[axis];
	return part;
}

static void check_grid_owner(const partition *p, vec3 at)
{
	const partition_plan *o = &p->plan;
	const int32_t x = part_by_hand(o, 0, at.x), y = part_by_hand(o, 1, at.y), z = part_by_hand(o, 2, at.z);
	const int32_t wanted = x + o->parts[0] * (y + o->parts[1] * z), owner = p->by->owner(p, at);
	CHECK(owner == wanted, "(%.17g, %.17g, %.17g): rank %d, not %d", at.x, at.y, at.z, owner, wanted);
	int32_t met = 0;
	for (int32_t rank = 0; rank < o->ranks; ++rank) met += p->by->meets(p, rank, at, at);
	CHECK(met == 1 && p->by->meets(p, owner, at, at), "a point meets %d parts", met);
}

/* points on a border, and points at the nearest numbers on either side of it */
static void check_grid_borders(const partition *p, vec3 at, int32_t axis)
{
	const partition_plan *o = &p->plan;
	const real low = v3_part(o->low, axis), size = v3_part(o->high, axis) - low;
	for (int32_t k = 0; k <= o->parts[axis]; ++k) {
		const real border = low + size * k / o->parts[axis];
		const real x[3] = {border, nextafter(border, -INFINITY), nextafter(border, INFINITY)};
		for (int n = 0; n < 3; ++n) {
			*v3_along(&at, axis) = x[n];
			check_grid_owner(p, at);
		}
	}
}

static void a_grid_owns_each_point_once(void **state)
{
	(void)state;
	FOR_SEEDS(100)
	{
		random_stream r = scree_random_start(test_seed, 1);
		const partition p = random_partition(&r, false);
		for (int n = 0; n < 50; ++n) check_grid_owner(&p, random_point(&r, &p.plan));
		for (int32_t axis = 0; axis < 3; ++axis) check_grid_borders(&p, random_point(&r, &p.plan), axis);
	}
	const partition_plan o = {.ranks = 2, .parts = {2, 1, 1}, .low = {-1, -1, -1}, .high = {1, 1, 1}};
	const partition p = made(&scree_partition_grid, &o);
	CHECK(p.by->owner(&p, v3(-0.0, 0, 0)) == 1 && p.by->owner(&p, v3(0.0, 0, 0)) == 1, "zeros have two owners");
	CHECK(p.by->owner(&p, v3(-1e300, 0, 0)) == 0 && p.by->owner(&p, v3(INFINITY, 0, 0)) == 1, "outer parts end");
	CHECK(p.by->owner(&p, v3(NAN, NAN, NAN)) == 0, "no number has no owner");
}

/* Centres in rows, as described in the comment in hexagons.c. */
static int32_t centres_by_hand(const partition *p, vec3 centre[MOST])
{
	int32_t count = 0, n = p->rings;
	for (int32_t r = -n; r <= n; ++r)
		for (int32_t q = -n; q <= n; ++q)
			if (q + r >= -n && q + r <= n)
				centre[count++] = v3_add(p->middle, v3_mul(p->apart, v3(q + r / 2.0, r * sqrt(3) / 2, 0)));
	return count;
}

static real plane_distance(vec3 a, vec3 b) { return v3_norm(v3(a.x - b.x, a.y - b.y, 0)); }

static void check_nearest(const partition *p, vec3 at, real tolerance)
{
	vec3 centre[MOST];
	const int32_t count = centres_by_hand(p, centre), owner = p->by->owner(p, at);
	real least = INFINITY;
	CHECK(count == p->plan.ranks && owner >= 0 && owner < count, "%d centres, owner %d", count, owner);
	for (int32_t k = 0; k < count; ++k) least = real_min(least, plane_distance(centre[k], at));
	NEAR(plane_distance(centre[owner], at), least, tolerance, "distance of the owner's centre");
	CHECK(p->by->meets(p, owner, at, at), "a point does not meet the part of its owner");
}

static void hexagons_own_the_points_nearest_to_them(void **state)
{
	(void)state;
	FOR_SEEDS(100)
	{
		random_stream r = scree_random_start(test_seed, 2);
		const partition p = random_partition(&r, true);
		vec3 centre[MOST];
		const int32_t count = centres_by_hand(&p, centre);
		for (int32_t k = 0; k < count; ++k)
			CHECK(p.by->owner(&p, centre[k]) == k, "the centre of %d belongs to %d", k, p.by->owner(&p, centre[k]));
		for (int n = 0; n < 200; ++n) check_nearest(&p, random_point(&r, &p.plan), 1e-12);
		for (int n = 0; n < 50; ++n) {
			const vec3 far = v3_mul(1e3, v3_sub(random_point(&r, &p.plan), p.middle));
			check_nearest(&p, v3_add(p.middle, far), 1e-8);
			/* points halfway between two centres, and at the nearest numbers on either side */
			const int32_t a = (int32_t)(scree_random_bits(&r) % (uint32_t)count), b = (a + 1) % count;
			vec3 half = v3_mul(0.5, v3_add(centre[a], centre[b]));
			check_nearest(&p, half, 1e-12);
			half.x = nextafter(half.x, -INFINITY);
			check_nearest(&p, half, 1e-12);
		}
		const int32_t owner = p.by->owner(&p, v3(NAN, INFINITY, 0));
		CHECK(owner >= 0 && owner < count, "no number has the owner %d", owner);
	}
}

/* ------------------------------------------------------------------ boxes and neighbours */

/* All points of a box belong to parts listed for the box. Few other parts are in the list. */
static void boxes_meet_the_owners_of_their_points(void **state)
{
	(void)state;
	int64_t named[2] = {0}, needed[2] = {0};
	FOR_SEEDS(400)
	{
		const bool hexagons = test_seed % 2;
		random_stream r = scree_random_start(test_seed, 3);
		const partition p = random_partition(&r, hexagons);
		bool owns[MOST] = {false};
		const vec3 one = random_point(&r, &p.plan), two = random_point(&r, &p.plan);
		const vec3 other = v3_madd(one, scree_random_real(&r), v3_sub(two, one));
		const vec3 low = v3_min(one, other), high = v3_max(one, other), size = v3_sub(high, low);
		for (int n = 0; n < 500; ++n) {
			vec3 at = v3(scree_random_real(&r), scree_random_real(&r), scree_random_real(&r));
			if (n < 8) at = v3(n & 1, n >> 1 & 1, n >> 2); /* corners */
			owns[p.by->owner(&p, v3(low.x + at.x * size.x, low.y + at.y * size.y, low.z + at.z * size.z))] = true;
		}
		for (int32_t rank = 0; rank < p.plan.ranks; ++rank) {
			const bool meets = p.by->meets(&p, rank, low, high);
			CHECK(meets || !owns[rank], "rank %d of %d owns points of a box that does not meet it", rank, p.plan.ranks);
			named[hexagons] += meets, needed[hexagons] += owns[rank];
		}
	}
	for (int k = 0; k < 2; ++k)
		CHECK((real)named[k] < 1.1 * (real)needed[k], "row %d: %lld parts are met, %lld needed", k, (long long)named[k],
			  (long long)needed[k]);
}

static bool has(const int32_t *list, int32_t count, int32_t rank)
{
	for (int32_t k = 0; k < count; ++k)
		if (list[k] == rank) return true;
	return false;
}

/* Images above the cell are displaced by the shear. */
static vec3 wrapped(const partition *p, vec3 at)
{
	const partition_plan *o = &p->plan;
	const sliding_images *s = &p->slide;
	const real up = s->on ? v3_part(at, s->gradient) : 0;
	if (s->on && up < v3_part(o->low, s->gradient)) *v3_along(&at, s->flow) += s->by;
	if (s->on && up >= v3_part(o->high, s->gradient)) *v3_along(&at, s->flow) -= s->by;
	for (int32_t axis = 0; axis < 3; ++axis) {
		const real low = v3_part(o->low, axis), high = v3_part(o->high, axis);
		real *x = v3_along(&at, axis);
		if (!o->periodic[axis]) continue;
		while (*x < low) *x += high - low;
		while (*x >= high) *x -= high - low;
	}
	return at;
}

/* Adds a shear if two axes are periodic. */
static void shear(partition *p, random_stream *r)
{
	const int32_t flow = (int32_t)(scree_random_bits(r) % 3),
				  gradient = (flow + 1 + (int32_t)(scree_random_bits(r) % 2)) % 3;
	if (!p->plan.periodic[flow] || !p->plan.periodic[gradient]) return;
	const real size = v3_part(p->plan.high, flow) - v3_part(p->plan.low, flow);
	p->slide = (sliding_images){true, flow, gradient, scree_random_between(r, -size, size)};
}

/* If two points are at most `reach` apart along each axis, including across a periodic border, their owners are
 * neighbours. */
static void near_parts_are_neighbours(void **state)
{
	(void)state;
	FOR_SEEDS(300)
	{
		random_stream r = scree_random_start(test_seed, 4);
		partition p = random_partition(&r, test_seed % 3 == 0);
		const vec3 size = v3_sub(p.plan.high, p.plan.low);
		shear(&p, &r);
		const real reach = scree_random_real(&r) * (real)0.45 * real_min(size.x, size.y);
		int32_t *list[MOST], count[MOST];
		for (int32_t rank = 0; rank < p.plan.ranks; ++rank)
			list[rank] = p.by->neighbours(&p, rank, reach, count + rank);
		for (int n = 0; n < 2000; ++n) {
			const vec3 one = random_point(&r, &p.plan);
			const vec3 by =
				v3(scree_random_between(&r, -1, 1), scree_random_between(&r, -1, 1), scree_random_between(&r, -1, 1));
			const vec3 two = wrapped(&p, v3_madd(one, reach, by));
			const int32_t a = p.by->owner(&p, one), b = p.by->owner(&p, two);
			CHECK(a == b || has(list[a], count[a], b), "ranks %d and %d of %d, reach %g", a, b, p.plan.ranks, reach);
		}
		for (int32_t a = 0; a < p.plan.ranks; ++a) {
			CHECK(!has(list[a], count[a], a), "rank %d is its own neighbour", a);
			for (int32_t k = 0; k < count[a]; ++k) {
				const int32_t b = list[a][k];
				CHECK(k == 0 || list[a][k - 1] < b, "neighbours of rank %d are not in order", a);
				CHECK(has(list[b], count[b], a), "rank %d is a neighbour of %d, and not the reverse", b, a);
			}
		}
		for (int32_t rank = 0; rank < p.plan.ranks; ++rank) scree_free(list[rank]);
	}
}

static int32_t greatest_count(const partition *p, real reach)
{
	int32_t most = 0;
	for (int32_t rank = 0; rank < p->plan.ranks; ++rank) {
		int32_t count;
		scree_free(p->by->neighbours(p, rank, reach, &count));
		most = count > most ? count : most;
	}
	return most;
}

/* Iglberger and Rüde (2009), Table 3: N x 1 x 1, N x 2 x 1, N x M x 1, N x M x K; and the columns of Fig. 2. */
static void parts_have_the_neighbours_of_the_paper(void **state)
{
	(void)state;
	static const struct {
		int32_t parts[3], neighbours;
	} rows[] = {{{1, 1, 1}, 0}, {{2, 1, 1}, 1}, {{128, 1, 1}, 2}, {{64, 2, 1}, 5}, {{32, 4, 1}, 8}, {{8, 4, 4}, 26}};
	for (size_t k = 0; k < sizeof rows / sizeof *rows; ++k) {
		const int32_t *n = rows[k].parts;
		const partition_plan o = {.ranks = n[0] * n[1] * n[2], .parts = {n[0], n[1], n[2]}, .high = {n[0], n[1], n[2]}};
		const partition p = made(&scree_partition_grid, &o);
		const int32_t most = greatest_count(&p, (real)0.01);
		CHECK(most == rows[k].neighbours, "%d x %d x %d: %d neighbours", n[0], n[1], n[2], most);
	}
	for (int32_t rings = 0; rings <= 5; ++rings) {
		const partition_plan o = {.ranks = 1 + 3 * rings * (rings + 1), .high = {60, 60, 100}};
		const partition p = made(&scree_partition_hexagons, &o);
		const int32_t most = greatest_count(&p, (real)0.01 * p.apart);
		CHECK(most == (rings ? 6 : 0), "%d hexagons: %d neighbours", o.ranks, most);
	}
}

/* Across the border of a sheared cell, a part has two neighbours, or three if the borders of parts coincide. */
static void sliding_parts_have_few_neighbours(void **state)
{
	(void)state;
	static const struct {
		real slide;
		int32_t first, most; /* number of neighbours of rank 0, and largest number of neighbours of any rank */
	} rows[] = {{0, 8, 8}, {(real)2.3, 7, 8}, {2, 8, 8}, {-3, 8, 8}, {(real)-2.3, 7, 8}};
	const partition_plan o = {.ranks = 64, .parts = {8, 8, 1}, .high = {8, 8, 1}, .periodic = {true, true, false}};
	partition p = made(&scree_partition_grid, &o);
	CHECK(greatest_count(&p, (real)0.01) == 8, "periodic: %d neighbours", greatest_count(&p, (real)0.01));
	for (size_t k = 0; k < sizeof rows / sizeof *rows; ++k) {
		int32_t first;
		p.slide = (sliding_images){true, 0, 1, rows[k].slide};
		scree_free(p.by->neighbours(&p, 0, (real)0.01, &first));
		const int32_t most = greatest_count(&p, (real)0.01);
		CHECK(first == rows[k].first && most == rows[k].most, "slide %g: %d neighbours, most %d", rows[k].slide, first,
			  most);
	}
}

/* ------------------------------------------------------------------ plans */

static void grids_are_chosen_for_the_least_cut(void **state)
{
	(void)state;
	static const struct {
		int32_t ranks;
		vec3 size;
		bool flat;
		int32_t parts[3];
	} rows[] = {
		{16, {128, 128, 16}, false, {4, 4, 1}}, {128, {128, 128, 16}, false, {16, 8, 1}},
		{8, {1, 1, 1}, false, {2, 2, 2}},		{6, {1, 1, 5}, false, {1, 1, 6}},
		{2, {1, 1, 1}, false, {2, 1, 1}},		{7, {1, 1, 1}, false, {7, 1, 1}},
		{12, {4, 3, 0}, true, {4, 3, 1}},		{1, {0, 0, 0}, false, {1, 1, 1}},
		{3, {2, 0, 0}, false, {3, 1, 1}},		{2, {1.5, 1, 1}, false, {2, 1, 1}},
	};
	for (size_t k = 0; k < sizeof rows / sizeof *rows; ++k) {
		const partition_plan o = {.ranks = rows[k].ranks, .high = rows[k].size, .flat = rows[k].flat};
		const int32_t *is = made(&scree_partition_grid, &o).plan.parts, *wanted = rows[k].parts;
		CHECK(is[0] == wanted[0] && is[1] == wanted[1] && is[2] == wanted[2], "%d ranks: %d x %d x %d", o.ranks, is[0],
			  is[1], is[2]);
	}
	/* a periodic axis has a second border */
	const partition_plan o = {.ranks = 2, .high = {1.5, 1, 1}, .periodic = {true, false, false}};
	const int32_t *is = made(&scree_partition_grid, &o).plan.parts;
	CHECK(is[0] == 1 && is[1] == 2, "periodic along x: %d x %d x %d", is[0], is[1], is[2]);
}

static void refused(const char *name, const partition_plan *o, const char *words)
{
	partition p;
	fail why;
	CHECK(!scree_partition_make(&p, scree_partition_find(name), o, &why), "made, instead of '%s'", words);
	CHECK(strstr(why.text, words), "'%s', not '%s'", why.text, words);
}

static void impossible_plans_are_refused(void **state)
{
	(void)state;
	const vec3 one = {1, 1, 1};
	refused("grid", &(partition_plan){.ranks = 16, .high = one, .parts = {4, 4, 2}},
			"4 x 4 x 2 parts does not match 16 ranks");
	refused("grid", &(partition_plan){.ranks = 4, .high = one, .parts = {-2, -2, 1}}, "does not match 4 ranks");
	refused("grid", &(partition_plan){.ranks = 4, .high = {1, INFINITY, 1}}, "needs bounds along y");
	refused("grid", &(partition_plan){.ranks = 4, .high = {1, 1, -1}}, "needs bounds along z");
	refused("hexagons", &(partition_plan){.ranks = 90, .high = one}, "ranks, not 90");
	refused("hexagons", &(partition_plan){.ranks = 7, .high = one, .periodic = {false, true, false}},
			"periodic along x or y");
	refused("hexagons", &(partition_plan){.ranks = 7, .high = {1, 0, 1}}, "need a box with a positive width");
	CHECK(!scree_partition_find("slices"), "a row that is not there");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_grid_owns_each_point_once),
		cmocka_unit_test(hexagons_own_the_points_nearest_to_them),
		cmocka_unit_test(boxes_meet_the_owners_of_their_points),
		cmocka_unit_test(near_parts_are_neighbours),
		cmocka_unit_test(parts_have_the_neighbours_of_the_paper),
		cmocka_unit_test(sliding_parts_have_few_neighbours),
		cmocka_unit_test(grids_are_chosen_for_the_least_cut),
		cmocka_unit_test(impossible_plans_are_refused),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
