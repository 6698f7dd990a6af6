/* Zoltan's parts have equal work as far as points allow, and planes divide them. A heap that a grid divides unevenly is
 * divided evenly, while it moves. Needs MPI and Zoltan, and is skipped without. */
#include "test.h"

#include <stdlib.h>

#include "base/memory.h"
#include "mpi/zoltan.h"
#include "ranks/part.h"
#include "scene/scene.h"
#include "transport/threads.h"

/* Open MPI does not free all of its memory. */
const char *__asan_default_options(void);
const char *__asan_default_options(void) { return "detect_leaks=0"; }

/* Greatest over mean work of the owners of points. `same`: they are those that Zoltan names. */
static real uneven(const weighted_points *all, int32_t parts, bool same)
{
	const partition_plan plan = {.ranks = parts, .cut = scree_zoltan_cut, .high = {1, 1, 1}};
	partition p;
	fail why;
	int32_t *part = scree_alloc((size_t)all->count, sizeof *part);
	real *work = scree_alloc((size_t)parts, sizeof *work), most = 0, sum = 0;
	CHECK(scree_zoltan_cut(parts, all, part, &why), "%s", why.text);
	CHECK(scree_partition_make(&p, &scree_partition_rcb, &plan, &why), "%s", why.text);
	CHECK(p.by->cut(&p, all, &why), "%s", why.text);
	for (int64_t k = 0; k < all->count; ++k) {
		const int32_t owner = p.by->owner(&p, all->row[k].at);
		CHECK(owner >= 0 && owner < parts && (!same || owner == part[k]), "point %lld: owner %d, not %d", (long long)k,
			  owner, part[k]);
		work[owner] += all->row[k].work;
	}
	for (int32_t n = 0; n < parts; ++n) most = real_max(most, work[n]), sum += work[n];
	scree_free(work);
	scree_free(part);
	scree_partition_free(&p);
	return most / (sum / parts);
}

static void parts_have_equal_work(void **state)
{
	(void)state;
	if (!scree_zoltan_cut) skip();
	static const int32_t parts[] = {2, 3, 5, 8, 64, 500};
	FOR_SEEDS(5)
	{
		random_stream r = scree_random_start(test_seed, 1);
		weighted_points all = {20000, scree_alloc(20000, sizeof *all.row)};
		for (int64_t k = 0; k < all.count; ++k) {
			const vec3 x = v3(scree_random_real(&r), scree_random_real(&r), scree_random_real(&r));
			all.row[k] = (weighted_point){x, 1 + 9 * (x.x > (real)0.7)};
		}
		for (size_t k = 0; k < sizeof parts / sizeof *parts; ++k) {
			/* work of one point more than the mean, at each of the planes around a part */
			const real most = 1 + 20 * 10 * (real)parts[k] / (20000 * (real)3.7);
			const real is = uneven(&all, parts[k], true);
			CHECK(is < most, "%d parts: %g, at most %g", parts[k], is, most);
		}
		scree_free(all.row);
	}
}

/* Points of a lattice, all on one line, all equal, or fewer than parts: each has one owner, and no more is possible. */
static void points_on_planes_stay_together(void **state)
{
	(void)state;
	if (!scree_zoltan_cut) skip();
	weighted_point row[1000];
	const weighted_points all = {1000, row}, few = {3, row};
	for (int k = 0; k < 1000; ++k) row[k] = (weighted_point){v3(k % 10, k / 10 % 10, k / 100), 1};
	NEAR(uneven(&all, 8, true), 1, 1e-12, "8 parts of 5 x 5 x 5 points");
	NEAR(uneven(&all, 4, true), 1, 1e-12, "4 parts of 5 x 5 x 10 points");
	NEAR(uneven(&few, 8, true), 8.0 / 3, 1e-12, "3 points");
	for (int k = 0; k < 1000; ++k) row[k].at = v3(1, k / 250, 1);
	NEAR(uneven(&all, 4, true), 1, 1e-12, "4 planes");
	NEAR(uneven(&all, 3, true), 1.5, 1e-12, "4 planes, 3 parts");
	for (int k = 0; k < 1000; ++k) row[k].at = v3(1, 1, 1);
	NEAR(uneven(&all, 16, true), 16, 1e-12, "equal points");
	const weighted_points none = {0, row};
	int32_t part[1];
	fail why;
	CHECK(!scree_zoltan_cut(2, &none, part, &why) && strstr(why.text, "does not divide 0 points"), "'%s'", why.text);
}

/* ------------------------------------------------------------------ a heap on ranks */

/* MOST_LEFT: bodies that leave a rank, as long as parts are cut once, before the first step.
 * MOST_GATHERED: bytes that a rank sends before the first step; the bodies would be 60 kB */
enum { RANKS = 16, STEPS = 1500, MOST_GATHERED = 20000, MOST_LEFT = 20 };

typedef struct heap {
	partition_plan plan;
	const partition_row *by;
	real first, last; /* greatest over mean work, after some steps and at the end */
	int64_t cuts;
	uint64_t hash;
} heap;

/* Bodies of other ranks go. */
static void divide(scree_world *w, rank_part *part)
{
	const bodies *b = &w->state.body;
	int32_t *gone = scree_alloc((size_t)b->count, sizeof *gone), count = 0;
	scree_ranks_cut(part, &w->state);
	for (int32_t i = 0; i < b->count; ++i)
		if (part->space.by->owner(&part->space, body_position(b, i)) != part->c->rank) gone[count++] = i;
	scree_world_remove(&w->model, &w->state, &w->work, count, gone);
	scree_free(gone);
}

static void run_heap(void *what)
{
	void **both = what;
	channel *c = both[0];
	heap *o = both[1];
	scene at;
	fail why;
	rank_part part = {.c = c};
	char *report = NULL;
	if (!scree_scene_load(SCREE_SOURCE "/tests/module/ranks/heap.scene.yaml", 0, NULL, &at, &report))
		scree_break_off(FAIL_INPUT, "%s", report ? report : "");
	scree_world *w = at.world;
	scree_ranks_need(scree_partition_make(&part.space, o->by, &o->plan, &why), &why);
	w->work.domain = (domain){.by = &scree_domain_ranks, .at = &part, .first = c->rank == 0};
	divide(w, &part);
	scree_ranks_need(scree_world_prepare(w, 0, w->model.dt, &why), &why);
	if (c->bytes[PHASE_GATHER] > MOST_GATHERED)
		scree_break_off(FAIL_INTERNAL, "%lld bytes are gathered", (long long)c->bytes[PHASE_GATHER]);
	for (int k = 0; k < STEPS; ++k) {
		scree_ranks_need(scree_step(w), &w->work.why);
		const real is = k == 9 || k == STEPS - 1 ? scree_ranks_uneven(&part, &w->state, &w->work) : 0;
		if (!c->rank && k == 9) o->first = is;
		if (!c->rank && k == STEPS - 1) o->last = is;
	}
	if (part.left > MOST_LEFT) scree_break_off(FAIL_INTERNAL, "%lld bodies have changed owners", (long long)part.left);
	const uint64_t hash = scree_world_hash(&w->model, &w->state, &w->work);
	if (!c->rank) o->hash = hash, o->cuts = part.cuts;
	scree_partition_free(&part.space);
	scree_rank_part_free(&part);
	scree_scene_free(&at);
}

static void run_rank(channel *c, void *what)
{
	void *both[2] = {c, what};
	run_heap(both);
}

static heap heap_by(const partition_row *by)
{
	heap o = {.by = by};
	o.plan = (partition_plan){.ranks = RANKS,
							  .parts = {4, 4, 1},
							  .low = {-0.12, -0.12, -0.001},
							  .high = {0.12, 0.12, 0.06},
							  .cut = scree_zoltan_cut};
	const thread_ranks all = {RANKS, 1, 1, run_rank, &o};
	fail why[RANKS];
	CHECK(scree_thread_ranks_run(&all, why), "%d ranks", RANKS);
	for (int k = 0; k < RANKS; ++k) CHECK(!why[k].code, "rank %d: %s", k, why[k].text);
	return o;
}

static void a_heap_is_divided_evenly(void **state)
{
	(void)state;
	if (!scree_zoltan_cut) skip();
	const heap grid = heap_by(&scree_partition_grid), even = heap_by(&scree_partition_rcb);
	print_message("greatest over mean work: grid %.3g, rcb %.3g at first and %.4g after %lld cuts\n", grid.last,
				  even.first, even.last, (long long)even.cuts);
	CHECK(grid.last > 3, "grid: %g", grid.last);
	CHECK(even.last <= (real)1.1, "rcb: %g", even.last);
	CHECK(even.hash == grid.hash, "%016llx and %016llx", (unsigned long long)even.hash, (unsigned long long)grid.hash);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(parts_have_equal_work),
		cmocka_unit_test(points_on_planes_stay_together),
		cmocka_unit_test(a_heap_is_divided_evenly),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
