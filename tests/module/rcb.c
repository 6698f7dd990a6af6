/* Parts divided by work: each point belongs to the owner of its box, points on planes belong to one side, and parts
 * that are close to each other are neighbours. */
#include "test.h"

#include "base/memory.h"
#include "bisect.h"

enum { MOST = 40, POINTS = 120 };

/* Random points, some of them equal, with the parts given by `bisect` and the boxes between its planes. */
typedef struct division {
	partition p;
	weighted_point row[POINTS];
	int64_t points;
	int32_t part_of[POINTS];
	part_box part[MOST];
	real reach;
} division;

/* Makes the boxes of parts first .. first+parts-1 from their planes in order; returns the first plane of the next
 * parts. */
static const cut_plane *boxes_by_hand(const cut_plane *plane, int32_t first, int32_t parts, part_box in, part_box *part)
{
	if (parts == 1) {
		part[first] = in;
		return plane;
	}
	const int32_t lower = plane->middle - first;
	part_box upper = in;
	*v3_along(&in.high, plane->axis) = real_min(v3_part(in.high, plane->axis), plane->at);
	*v3_along(&upper.low, plane->axis) = real_max(v3_part(in.low, plane->axis), plane->at);
	const cut_plane *next = boxes_by_hand(plane + 1, first, lower, in, part);
	return boxes_by_hand(next, first + lower, parts - lower, upper, part);
}

static division *divided(uint64_t seed)
{
	division *o = scree_alloc(1, sizeof *o);
	random_stream r = scree_random_start(seed, 1);
	partition_plan plan = {.ranks = 1 + (int32_t)(scree_random_bits(&r) % MOST), .high = {4, 3, 2}, .cut = bisect};
	for (int axis = 0; axis < 3; ++axis) plan.periodic[axis] = scree_random_bits(&r) % 2;
	for (int k = 0; k < POINTS; ++k) {
		o->row[k].at = v3(4 * scree_random_real(&r), 3 * scree_random_real(&r), 2 * scree_random_real(&r));
		o->row[k].work = 1 + scree_random_real(&r);
		if (k && seed % 3 == 0) o->row[k].at.x = o->row[k - 1].at.x;
		if (k && seed % 5 == 0 && k % 2) o->row[k].at = o->row[k - 1].at;
	}
	o->points = 1 + (int64_t)(scree_random_bits(&r) % POINTS);
	const weighted_points all = {o->points, o->row};
	const part_box space = {{-INFINITY, -INFINITY, -INFINITY}, {INFINITY, INFINITY, INFINITY}};
	fail why;
	o->reach = scree_random_real(&r);
	CHECK(scree_partition_make(&o->p, &scree_partition_rcb, &plan, &why), "%s", why.text);
	CHECK(o->p.by->owner(&o->p, v3(1, 1, 1)) == 0, "before the first cut");
	CHECK(o->p.by->cut(&o->p, &all, &why), "%s", why.text);
	bisect(plan.ranks, &all, o->part_of, &why);
	const cut_plane *end = boxes_by_hand(o->p.plane, 0, plan.ranks, space, o->part);
	CHECK(end == o->p.plane + plan.ranks - 1, "planes of %d parts", plan.ranks);
	return o;
}

static void end(division *o)
{
	scree_partition_free(&o->p);
	scree_free(o);
}

static bool is_in(const part_box *b, vec3 at)
{
	for (int32_t axis = 0; axis < 3; ++axis)
		if (!(v3_part(at, axis) > v3_part(b->low, axis) && v3_part(at, axis) <= v3_part(b->high, axis))) return false;
	return true;
}

/* returns -1 if the point is not in exactly one box */
static int32_t owner_by_hand(const division *o, vec3 at)
{
	int32_t owner = -1, found = 0;
	for (int32_t k = 0; k < o->p.plan.ranks; ++k)
		if (is_in(o->part + k, at)) owner = k, ++found;
	return found == 1 ? owner : -1;
}

static void check_owner(const division *o, vec3 at)
{
	const int32_t wanted = owner_by_hand(o, at), owner = o->p.by->owner(&o->p, at);
	CHECK(owner == wanted, "(%.17g, %.17g, %.17g): rank %d, not %d", at.x, at.y, at.z, owner, wanted);
	for (int32_t rank = 0; rank < o->p.plan.ranks; ++rank)
		CHECK(o->p.by->meets(&o->p, rank, at, at) == (rank == owner), "rank %d, owner %d", rank, owner);
}

/* Points on a plane, and at the nearest numbers on either side of it. */
static void points_have_one_owner(void **state)
{
	(void)state;
	FOR_SEEDS(200)
	{
		division *o = divided(test_seed);
		for (int k = 0; k < POINTS; ++k) check_owner(o, o->row[k].at);
		for (int64_t k = 0; k < o->points; ++k)
			CHECK(o->p.by->owner(&o->p, o->row[k].at) == o->part_of[k], "point %lld of part %d", (long long)k,
				  o->part_of[k]);
		for (const cut_plane *c = o->p.plane; c < o->p.plane + o->p.plan.ranks - 1; ++c) {
			const real x[3] = {c->at, nextafter(c->at, INFINITY), nextafter(c->at, -INFINITY)};
			for (int k = 0; k < 12; ++k) {
				vec3 at = o->row[k].at;
				*v3_along(&at, c->axis) = x[k % 3];
				check_owner(o, at);
			}
		}
		const int32_t owner = o->p.by->owner(&o->p, v3(NAN, 1e300, -1e300));
		CHECK(owner >= 0 && owner < o->p.plan.ranks, "no number has the owner %d", owner);
		end(o);
	}
}

/* Returns whether a part has any volume inside the cell; an empty part may be on any of the planes around it. */
static bool has_space(const division *o, const part_box *b)
{
	bool has = true;
	for (int32_t axis = 0; axis < 3; ++axis) {
		const real size = v3_part(o->p.plan.high, axis), low = v3_part(b->low, axis), high = v3_part(b->high, axis);
		has &= low < high && (!o->p.plan.periodic[axis] || (low < size && high > 0));
	}
	return has;
}

static vec3 point(random_stream *r)
{
	return v3(4 * scree_random_real(r), 3 * scree_random_real(r), 2 * scree_random_real(r));
}

/* A box is assigned to exactly the parts that it overlaps. */
static void boxes_meet_what_they_overlap(void **state)
{
	(void)state;
	FOR_SEEDS(200)
	{
		division *o = divided(test_seed);
		random_stream r = scree_random_start(test_seed, 2);
		for (int n = 0; n < 100; ++n) {
			const vec3 one = n % 3 ? point(&r) : o->row[n].at, two = n % 2 ? point(&r) : o->row[n + 1].at;
			const vec3 low = v3_min(one, two), high = v3_max(one, two);
			for (int32_t rank = 0; rank < o->p.plan.ranks; ++rank) {
				const part_box *b = o->part + rank;
				bool meets = has_space(o, b);
				if (!meets) continue;
				for (int32_t axis = 0; axis < 3; ++axis)
					meets &=
						v3_part(high, axis) > v3_part(b->low, axis) && v3_part(low, axis) <= v3_part(b->high, axis);
				CHECK(o->p.by->meets(&o->p, rank, low, high) == meets, "rank %d of %d", rank, o->p.plan.ranks);
			}
		}
		end(o);
	}
}

/* distance along an axis between two boxes, in m, computed independently; the smallest over all images */
static real gap(const division *o, int32_t axis, const part_box *a, const part_box *b)
{
	const real size = v3_part(o->p.plan.high, axis);
	real least = INFINITY;
	for (int image = -1; image <= 1; ++image) {
		const bool periodic = o->p.plan.periodic[axis];
		const real shift = image * size;
		real end[4] = {v3_part(a->low, axis), v3_part(a->high, axis), v3_part(b->low, axis), v3_part(b->high, axis)};
		for (int k = 0; k < 4 && periodic; ++k) end[k] = real_min(real_max(end[k], 0), size);
		if (image && !periodic) continue;
		least = real_min(least, real_max(end[2] + shift - end[1], end[0] - end[3] - shift));
	}
	return least;
}

static bool has(const int32_t *list, int32_t count, int32_t rank)
{
	for (int32_t k = 0; k < count; ++k)
		if (list[k] == rank) return true;
	return false;
}

static void near_parts_are_neighbours(void **state)
{
	(void)state;
	FOR_SEEDS(200)
	{
		division *o = divided(test_seed);
		int32_t *list[MOST], count[MOST];
		const int32_t ranks = o->p.plan.ranks;
		for (int32_t a = 0; a < ranks; ++a) list[a] = o->p.by->neighbours(&o->p, a, o->reach, count + a);
		for (int32_t a = 0; a < ranks; ++a)
			for (int32_t b = 0; b < ranks; ++b) {
				real farthest = -INFINITY;
				const bool is = has(list[a], count[a], b);
				CHECK(is == has(list[b], count[b], a), "rank %d is a neighbour of %d, and not the reverse", a, b);
				if (!has_space(o, o->part + a) || !has_space(o, o->part + b)) continue;
				for (int32_t axis = 0; axis < 3; ++axis)
					farthest = real_max(farthest, gap(o, axis, o->part + a, o->part + b));
				CHECK(is == (a != b && farthest <= o->reach) || real_abs(farthest - o->reach) < 1e-12,
					  "ranks %d and %d of %d: %g apart, reach %g", a, b, ranks, farthest, o->reach);
			}
		for (int32_t a = 0; a < ranks; ++a) {
			for (int32_t k = 1; k < count[a]; ++k) CHECK(list[a][k - 1] < list[a][k], "neighbours of %d: order", a);
			scree_free(list[a]);
		}
		end(o);
	}
}

/* ------------------------------------------------------------------ refusals */

/* Puts one part inside another. */
static bool mixed(int32_t parts, const weighted_points *p, int32_t *part, fail *why)
{
	(void)parts, (void)why;
	for (int64_t k = 0; k < p->count; ++k) part[k] = k == 1;
	return true;
}

static bool outside(int32_t parts, const weighted_points *p, int32_t *part, fail *why)
{
	(void)why;
	for (int64_t k = 0; k < p->count; ++k) part[k] = parts;
	return true;
}

/* Puts points on one plane into two parts. */
static bool tied(int32_t parts, const weighted_points *p, int32_t *part, fail *why)
{
	(void)parts, (void)why;
	for (int64_t k = 0; k < p->count; ++k) part[k] = k > 0;
	p->row[1].at = p->row[0].at;
	return true;
}

static bool broken(int32_t parts, const weighted_points *p, int32_t *part, fail *why)
{
	(void)parts, (void)p, (void)part;
	return scree_fail(why, FAIL_INTERNAL, "no planes today");
}

static void wrong_cuts_are_refused(void **state)
{
	(void)state;
	weighted_point row[3] = {{{0, 0, 0}, 1}, {{1, 1, 1}, 1}, {{2, 2, 2}, 1}};
	const weighted_points all = {3, row};
	partition_plan plan = {.ranks = 2, .high = {1, 1, 1}};
	partition p;
	fail why;
	CHECK(!scree_partition_make(&p, scree_partition_find("rcb"), &plan, &why), "made without a library");
	CHECK(strstr(why.text, "built without"), "'%s'", why.text);
	plan.cut = mixed;
	CHECK(scree_partition_make(&p, &scree_partition_rcb, &plan, &why), "%s", why.text);
	CHECK(!p.by->cut(&p, &all, &why) && strstr(why.text, "planes do not separate the 2 parts of equal work"), "'%s'",
		  why.text);
	p.plan.cut = outside;
	CHECK(!p.by->cut(&p, &all, &why) && strstr(why.text, "a point belongs to no part"), "'%s'", why.text);
	p.plan.cut = broken;
	CHECK(!p.by->cut(&p, &all, &why) && strstr(why.text, "no planes today"), "'%s'", why.text);
	CHECK(!p.plane && p.by->owner(&p, v3(1, 1, 1)) == 0, "it was cut");
	for (int32_t rank = 0; rank < 2; ++rank) {
		int32_t count;
		scree_free(p.by->neighbours(&p, rank, 1, &count));
		CHECK(count == 0, "rank %d has %d neighbours before the first cut", rank, count);
	}
	p.plan.cut = tied;
	CHECK(p.by->cut(&p, &all, &why), "%s", why.text);
	CHECK(p.by->owner(&p, row[1].at) == 0 && p.by->owner(&p, row[2].at) == 1, "owners of points on a plane");
	scree_partition_free(&p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(points_have_one_owner),
		cmocka_unit_test(boxes_meet_what_they_overlap),
		cmocka_unit_test(near_parts_are_neighbours),
		cmocka_unit_test(wrong_cuts_are_refused),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
