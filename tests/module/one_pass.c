/* The end of a step and the beginning of the next in one pass over the bodies (step_one_pass.c): the bits are those of
 * a pass a stage, whatever bounds the world, whoever moves its bodies, and wherever somebody looks. */
#include "lab.h"
#include "test.h"

#include "base/parallel.h"
#include "base/random.h"
#include "format/snapshot.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { SIDE = 5, STEPS = 400 };
static const real SIZE = 0.01, PITCH = 0.0115;

/* what is different in a world; those from FALLS_BACK on take several passes in every step */
typedef enum manner {
	PLAIN,
	CUBES,
	SHAKEN,
	REPEATED,
	WIDE,
	LEAVES,
	TOO_FAST,
	LITERAL,
	FALLS_BACK,
	GEAR = FALLS_BACK,
	FLUID,
	MANNERS
} manner;

static void add_bodies(scree_world *w, random_stream *r, manner how)
{
	const real speed = 1;
	for (int k = 0; k < SIDE * SIDE * SIDE; ++k) {
		vec3 at = v3(k % SIDE + (real)0.5, k / SIDE % SIDE + (real)0.5, k / SIDE / SIDE + (real)0.5);
		at = v3_madd(v3_mul(PITCH, at), scree_random_between(r, 0, SIZE / 30), scree_random_direction(r));
		int32_t shape = how == CUBES && scree_random_real(r) < 0.5;
		vec3 v = v3_mul(scree_random_between(r, 0, speed), scree_random_direction(r));
		vec3 spin = v3_mul(scree_random_between(r, 0, speed / SIZE), scree_random_direction(r));
		real size = SIZE * scree_random_between(r, how == WIDE ? 0.05 : 0.5, shape ? 0.7 : 1);
		lab_add_moving(w, shape, size, at, scree_random_rotation(r), v, spin);
		if (scree_random_real(r) < 0.02 && how != GEAR) w->body.flags[w->body.count - 1] |= BODY_HELD;
	}
}

/* the same for the same seed */
static scree_world *heap(uint64_t seed)
{
	const manner how = (manner)(seed % MANNERS);
	random_stream r = scree_random_start(seed, 0);
	const real edge = SIDE * PITCH;
	scree_world *w = lab_world(lab_linear(1e3, scree_random_between(&r, 0.3, 1), 0.3));
	w->gravity = v3(0, 0, -10);
	w->guard.overlap = 0;
	int32_t floor = lab_plane(w, v3(0, 0, 0), v3(0, 0, 1));
	w->wall.row[floor].two_sided = true;
	if (how == SHAKEN)
		w->wall.row[floor].motion =
			(wall_motion){.type = MOTION_VIBRATION, .amplitude = v3(0, 0, 0.001), .frequency = 90, .until = INFINITY};
	if (how == REPEATED) lab_periods(w, "xy", v3(0, 0, 0), v3(edge, edge, edge));
	w->guard.bounded = how == LEAVES;
	w->guard.lost_is_error = seed % 3 == 0;
	w->guard.low = v3(0, 0, -edge);
	w->guard.high = v3(edge, edge, edge);
	if (how == LITERAL) w->mover = scree_integrator_find("govender2014");
	if (how == GEAR) w->mover = scree_integrator_find("gear5");
	if (how == FLUID) w->fluid = (fluid){.on = true, .buoyancy = true, .density = 1000, .viscosity = 1e-3};
	add_bodies(w, &r, how);
	if (how == TOO_FAST) w->guard.speed = 1.05;
	lab_prepare(w, 0);
	return w;
}

static void look(const scree_world *w, const scree_world *twin)
{
	CHECK(w->step == twin->step && scree_world_hash(w) == scree_world_hash(twin),
		  "another state after step %lld or %lld", (long long)w->step, (long long)twin->step);
	CHECK(w->greatest_speed == twin->greatest_speed, "%.17g and %.17g m/s", w->greatest_speed, twin->greatest_speed);
	CHECK(w->lost == twin->lost && w->touching == twin->touching, "%lld lost, %lld contacts", (long long)w->lost,
		  (long long)w->touching);
	CHECK(!twin->drifted, "the next step has begun");
}

static scree_world *resumed(scree_world *w)
{
	char path[] = "/tmp/scree_one_pass_XXXXXX";
	fail why = {0};
	int file = mkstemp(path);
	CHECK(file >= 0 && !close(file), "no file");
	CHECK(scree_snapshot_write(w, NULL, path, &why), "%s", why.text);
	scree_world_free(w);
	w = scree_snapshot_read(path, NULL, &why);
	CHECK(w, "%s", why.text);
	w->passes = PASSES_ONE;
	unlink(path);
	return w;
}

typedef struct counts {
	int64_t joined[MANNERS], lost, stopped, touching;
} counts;

static void run_both(uint64_t seed, counts *all)
{
	random_stream r = scree_random_start(seed, 1);
	const manner how = (manner)(seed % MANNERS);
	scree_world *w = heap(seed), *twin = heap(seed);
	bool holds = true;
	w->passes = PASSES_SEVERAL;
	twin->passes = PASSES_ONE;
	while (holds && w->step < STEPS) {
		int64_t batch = 1 + (int64_t)scree_random_between(&r, 0, 60), before = twin->one_passes;
		bool alone = true;
		scree_set_threads(1 + (int)(seed / MANNERS % 2));
		holds = scree_steps(twin, batch);
		scree_set_threads(1);
		for (int64_t k = 0; k < batch && alone; ++k) alone = scree_step(w);
		CHECK(alone == holds && (holds || !strcmp(w->why.text, twin->why.text)), "%s, or %s", w->why.text,
			  twin->why.text);
		look(w, twin);
		all->joined[how] += twin->one_passes - before;
		if (holds && scree_random_real(&r) < 0.1) twin = resumed(twin);
	}
	CHECK(w->one_passes == 0, "several passes were asked for");
	all->lost += w->lost;
	all->stopped += !holds;
	all->touching += w->touching;
	scree_world_free(w);
	scree_world_free(twin);
}

static void nobody_can_tell_one_pass_from_several(void **state)
{
	(void)state;
	counts all = {0};
	FOR_SEEDS(4 * MANNERS) run_both(test_seed, &all);
	for (int how = FALLS_BACK; how < MANNERS; ++how)
		CHECK(!all.joined[how], "manner %d: other stages work on bodies in between", how);
	if (test_cases(4 * MANNERS) < 4 * MANNERS) return;
	for (int how = 0; how < FALLS_BACK; ++how)
		CHECK(all.joined[how] > 100, "manner %d: %lld steps in one pass", how, (long long)all.joined[how]);
	CHECK(all.lost > 4 && all.stopped > 0 && all.touching > 100, "%lld lost, %lld stopped, %lld contacts",
		  (long long)all.lost, (long long)all.stopped, (long long)all.touching);
}

/* who looks after each step finds its own state */
static void single_steps_take_several(void **state)
{
	(void)state;
	scree_world *w = heap(PLAIN);
	w->passes = PASSES_ONE;
	lab_steps(w, 50);
	CHECK(w->one_passes == 0, "%lld in one pass", (long long)w->one_passes);
	CHECK(scree_steps(w, 50), "%s", w->why.text);
	CHECK(w->one_passes > 40, "%lld of 50 in one pass", (long long)w->one_passes);
	scree_world_free(w);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(nobody_can_tell_one_pass_from_several),
		cmocka_unit_test(single_steps_take_several),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
