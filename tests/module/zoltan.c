/* Zoltan's parts have equal work, as far as the points permit, and are separated by planes. A moving heap that a grid
 * divides unevenly is divided evenly. Skipped without MPI and Zoltan. */
#include "test.h"

#include <stdlib.h>

#include "base/memory.h"
#include "rank_threads.h"
#include "ranks/division/part.h"
#include "ranks/mpi/zoltan.h"
#include "scene/scene.h"
#include "world/world.h"

/* Open MPI does not free all of its memory. The sanitizer calls this function when the program ends. */
static int leaks_allowed;
int __lsan_is_turned_off(void);
int __lsan_is_turned_off(void) { return leaks_allowed; }

/* Ratio of the largest work of an owner of points to the mean. If `same` is true, the owners must be those named by
 * Zoltan. */
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
			/* a part may exceed the mean by the work of one point per plane around it */
			const real most = 1 + 20 * 10 * (real)parts[k] / (20000 * (real)3.7);
			const real is = uneven(&all, parts[k], true);
			CHECK(is < most, "%d parts: %g, at most %g", parts[k], is, most);
		}
		scree_free(all.row);
	}
}

/* Lattice points, all on one line, all equal, or fewer than parts: each point has one owner, and the work could not be
 * divided more evenly. */
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
	CHECK(!scree_zoltan_cut(2, &none, part, &why) && strstr(why.text, "cannot divide 0 points"), "'%s'", why.text);
}

/* ------------------------------------------------------------------ a heap on ranks */

/* MOST_GATHERED: limit on the number of bytes that a rank sends before the first step; all bodies would need 60 kB */
enum { RANKS = 16, MOST_GATHERED = 20000 };
/* Limit on the ratio of the largest work to the mean; it exceeds the ratio that dividing the heap achieves, so the heap
 * is not divided again. */
static const real STRICT = (real)1.02;

/* A run of a scene on ranks. */
typedef struct trial {
	const char *file;
	int steps;
	const partition_row *by;
	partition_plan plan;
	real spoiled;		/* displacement of the first plane after the first division, in m */
	real first, last;	/* ratio of the largest work to the mean, after ten steps and at the end */
	int64_t cuts, left; /* left: number of bodies that have left the first rank */
	uint64_t hash;
} trial;

/* Removes the bodies of other ranks. */
static void divide(const trial *o, scree_world *w, rank_part *part)
{
	const bodies *b = &w->state.body;
	int32_t *gone = scree_alloc((size_t)b->count, sizeof *gone), count = 0;
	scree_ranks_cut(part, &w->state);
	if (o->spoiled > 0) part->space.plane->at += o->spoiled;
	for (int32_t i = 0; i < b->count; ++i)
		if (part->space.by->owner(&part->space, body_position(b, i)) != part->c->rank) gone[count++] = i;
	scree_world_remove(&w->model, &w->state, &w->work, count, gone);
	scree_free(gone);
}

static void look(trial *o, const rank_part *part, const scree_world *w, int step)
{
	const bool first = step == 10, last = step == o->steps;
	const real is = first || last ? scree_ranks_uneven(part, &w->state, &w->work) : 0;
	const uint64_t hash = last ? scree_world_hash(&w->model, &w->state, &w->work) : 0;
	if (part->c->rank) return;
	if (first) o->first = is;
	if (last) o->last = is, o->hash = hash, o->cuts = part->cuts, o->left = part->left;
}

static void run_rank(channel *c, void *what)
{
	trial *o = what;
	scene at;
	fail why;
	rank_part part = {.c = c};
	char *report = NULL, path[400];
	snprintf(path, sizeof path, "%s/tests/module/ranks/%s", SCREE_SOURCE, o->file);
	if (!scree_scene_load(path, 0, NULL, &at, &report)) scree_break_off(FAIL_INPUT, "%s", report ? report : "");
	scree_world *w = at.world;
	scree_ranks_need(scree_partition_make(&part.space, o->by, &o->plan, &why), &why);
	w->work.domain = (domain){.by = &scree_domain_ranks, .at = &part, .first = c->rank == 0};
	divide(o, w, &part);
	scree_ranks_need(scree_world_prepare(w, 0, w->model.dt, &why), &why);
	if (c->bytes[PHASE_GATHER] > MOST_GATHERED)
		scree_break_off(FAIL_INTERNAL, "%lld bytes are gathered", (long long)c->bytes[PHASE_GATHER]);
	for (int k = 1; k <= o->steps; ++k) {
		scree_ranks_need(scree_step(w), &w->work.why);
		look(o, &part, w, k);
	}
	scree_partition_free(&part.space);
	scree_rank_part_free(&part);
	scree_scene_free(&at);
}

static void run(trial *o)
{
	const thread_ranks all = {o->plan.ranks, 1, 1, run_rank, o};
	fail why[RANKS];
	o->plan.cut = scree_zoltan_cut;
	CHECK(scree_thread_ranks_run(&all, why), "%d ranks", o->plan.ranks);
	for (int k = 0; k < o->plan.ranks; ++k) CHECK(!why[k].code, "rank %d: %s", k, why[k].text);
	print_message("%s, %s: greatest over mean work %.4g at first, %.4g at the end; %lld cuts, %lld bodies left\n",
				  o->file, o->by->name, o->first, o->last, (long long)o->cuts, (long long)o->left);
}

static trial heap_by(const partition_row *by)
{
	trial o = {.file = "heap.scene.yaml", .steps = test_short() ? 500 : 1500, .by = by};
	o.plan = (partition_plan){.ranks = RANKS,
							  .balance = STRICT,
							  .parts = {4, 4, 1},
							  .low = {-0.12, -0.12, -0.001},
							  .high = {0.12, 0.12, 0.06}};
	run(&o);
	return o;
}

static void a_heap_is_divided_evenly(void **state)
{
	(void)state;
	if (!scree_zoltan_cut) skip();
	const trial grid = heap_by(&scree_partition_grid), even = heap_by(&scree_partition_rcb);
	CHECK(grid.last > 3, "grid: %g", grid.last);
	CHECK(even.last <= (real)1.1 && even.left < 20, "rcb: %g, %lld bodies", even.last, (long long)even.left);
	CHECK(even.last > STRICT && even.cuts == 1, "rcb: %g, %lld cuts", even.last, (long long)even.cuts);
	CHECK(even.hash == grid.hash, "%016llx and %016llx", (unsigned long long)even.hash, (unsigned long long)grid.hash);
}

/* Parts that have become uneven are divided again, once, at the next search. */
static void uneven_parts_are_cut_again(void **state)
{
	(void)state;
	if (!scree_zoltan_cut) skip();
	trial o = {.file = "heap.scene.yaml",
			   .steps = test_short() ? 1000 : 1500,
			   .by = &scree_partition_rcb,
			   .spoiled = (real)0.015};
	o.plan = (partition_plan){.ranks = 2, .low = {-0.12, -0.12, -0.001}, .high = {0.12, 0.12, 0.06}};
	trial never = o;
	never.plan.balance = 100;
	run(&o);
	run(&never);
	CHECK(never.last > (real)1.3 && never.cuts == 1, "%g after %lld cuts", never.last, (long long)never.cuts);
	CHECK(o.last < (real)1.1 && o.cuts == 2, "%g after %lld cuts", o.last, (long long)o.cuts);
	CHECK(o.hash == never.hash, "%016llx and %016llx", (unsigned long long)o.hash, (unsigned long long)never.hash);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(parts_have_equal_work),
		cmocka_unit_test(points_on_planes_stay_together),
		cmocka_unit_test(a_heap_is_divided_evenly),
		cmocka_unit_test(uneven_parts_are_cut_again),
	};
	leaks_allowed = 1;
	return cmocka_run_group_tests(tests, NULL, NULL);
}
