/* Sources add bodies in the specified shares and sizes, even where there is little room. */
#include "lab.h"
#include "test.h"

#include "base/memory.h"
#include "narrow/narrow.h"
#include "population/population.h"
#include "population/stage.h"
#include "world/world.h"

/* equal shares of small and large spheres are added to a region so narrow that only some attempts find room for a
 * large one */
static scree_world *crowded(uint64_t seed)
{
	scree_world *w = lab_world(lab_linear(1e4, 0.5, 0.5));
	source s = {.name = "rain", .rate = 4000, .until = INFINITY, .parts = 2, .orient = ORIENT_ALIGNED, .seed = seed};
	s.where = (region){.type = REGION_BOX, .low = v3(-0.02, -0.02, 0), .high = v3(0.02, 0.02, 0.02)};
	s.part[0] = (mix_part){.shape = 0, .share = 1, .size = {.type = SPREAD_UNIFORM, .a = 0.002, .b = 0.004}};
	s.part[1] = (mix_part){.shape = 0, .share = 1, .size = {.type = SPREAD_UNIFORM, .a = 0.010, .b = 0.012}};
	s.velocity = v3(0, 0, -1);
	w->model.population.source = scree_alloc(1, sizeof s);
	w->model.population.source[0] = s;
	w->model.population.sources = 1;
	lab_rows(w);
	return w;
}

static void shares_hold_where_there_is_little_room(void **state)
{
	(void)state;
	FOR_SEEDS(4)
	{
		scree_world *w = crowded(test_seed);
		int64_t large = 0, blocked = 0;
		real small_size = 0;
		for (int step = 0; step < (test_short() ? 1500 : 3000); ++step) {
			/* four bodies are added per step; in each step, the previous bodies fall by 1 mm */
			w->state.time = step * 1e-3;
			for (int32_t i = 0; i < w->state.body.count; ++i) w->state.body.z[i] -= 1e-3;
			scree_population_run(&w->model, &w->state, &w->work, scree_ball_meets_wall);
			blocked += w->state.source[0].waiting_tries;
		}
		for (int32_t i = 0; i < w->state.body.count; ++i) {
			bool is_large = w->state.body.size[i] > 0.007;
			large += is_large;
			small_size += is_large ? 0 : w->state.body.size[i];
		}
		real n = w->state.body.count, part = (real)large / n, mean = small_size / (real)(w->state.body.count - large);
		CHECK(n > 1000 && blocked > 1000, "%g bodies, %lld tries in vain", n, (long long)blocked);
		/* four standard deviations for a fair coin, and for the mean of uniform sizes (width / sqrt(12 n)) */
		NEAR(part, 0.5, 4 * 0.5 / sqrt(n), "share of large bodies");
		NEAR(mean, 0.003, 4 * 0.002 / sqrt(12 * n / 2), "mean size of the small");
		scree_world_free(w);
	}
}

/* The time a source has waited is computed from its counters and the step, and reading it changes nothing. */
static void a_source_without_a_place_waits(void **state)
{
	(void)state;
	FOR_SEEDS(4)
	{
		scree_world *w = crowded(test_seed);
		source *s = w->model.population.source;
		source_state *now = w->state.source;
		lab_plane(w, v3(0, 0, 0.1), v3(0, 0, 1)); /* far above the region */
		w->model.dt = 1e-3;
		CHECK(scree_source_waits(s, now, w->model.dt) == 0, "waits before it began");
		for (int step = 0; step < 400; ++step) {
			random_stream before = now->random;
			real radius = scree_source_next(&w->model, &w->state, 0);
			source_look look = scree_source_look(&w->model, &w->state, s, radius, 50, true, scree_ball_meets_wall);
			CHECK(look.on_walls == 50 && look.wall == 0 && !look.on_bodies && !look.outside,
				  "on walls %d, on bodies %d", look.on_walls, look.on_bodies);
			CHECK(!memcmp(&before, &now->random, sizeof before), "the look drew from the source's own numbers");
			CHECK(radius >= scree_source_smallest(&w->model, s) && radius <= 0.006, "next: %g", radius);
			w->state.time = step * w->model.dt;
			scree_population_run(&w->model, &w->state, &w->work, scree_ball_meets_wall);
			real waits = scree_source_waits(s, now, w->model.dt);
			CHECK(now->made == 0 && scree_source_due(s, w->state.time) == 4 * step + 1, "%lld of %lld",
				  (long long)now->made, (long long)scree_source_due(s, w->state.time));
			CHECK(step + 1 < 250 ? waits == 0 : real_abs(waits - (step + 1) * w->model.dt) < 1e-9,
				  "step %d: waits for %g s", step, waits);
		}
		w->model.wall.row[0].removed = true;
		scree_population_run(&w->model, &w->state, &w->work, scree_ball_meets_wall);
		CHECK(now->made > 0 && scree_source_waits(s, now, w->model.dt) == 0, "%lld bodies", (long long)now->made);
		for (int bodies = 0; bodies < 2; ++bodies) { /* bodies fill the region, but there is no wall in it */
			source_look look = scree_source_look(&w->model, &w->state, s, 0.03, 50, bodies, scree_ball_meets_wall);
			CHECK(look.on_bodies == 50 * bodies && !look.on_walls, "%d on bodies", look.on_bodies);
		}
		s->rate = 1; /* ten bodies would have been added in ten seconds */
		now->waiting_tries = 16 * 9000;
		CHECK(scree_source_waits(s, now, w->model.dt) == 0, "a slow source waits too soon");
		now->waiting_tries = 16 * 10001;
		CHECK(scree_source_waits(s, now, w->model.dt) > 10, "a slow source does not wait");
		s->limit = 7;
		CHECK(scree_source_due(s, 1e300) == 7 && scree_source_due(s, s->from - 1) == 0, "due");
		scree_world_free(w);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(shares_hold_where_there_is_little_room),
		cmocka_unit_test(a_source_without_a_place_waits),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
