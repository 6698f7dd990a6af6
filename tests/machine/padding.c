/* Whole runs on a device with padding around its blocks of memory: a kernel that read it would find NaN, and one that
 * wrote to it is an internal error when the device is closed (machine/machine.h). */
#include "test.h"

#include "machine/machine.h"
#include "resident/resident.h"
#include "scene/scene.h"
#include "world/world.h"

#include <stdlib.h>
#include <unistd.h>

/* sets: changes of the scene, up to a NULL */
static scree_world *world_of(const char *name, const char *const *sets)
{
	char path[512], *report = NULL;
	int32_t count = 0;
	scene s = {0};
	while (sets && sets[count]) ++count;
	snprintf(path, sizeof path, SCREE_SOURCE "/scenes/%s.scene.yaml", name);
	CHECK(scree_scene_load(path, count, sets, &s, &report), "%s", report ? report : "no report");
	scree_world *w = s.world;
	s.world = NULL;
	scree_scene_free(&s);
	return w;
}

static uint64_t hash_after(scree_world *w, int64_t steps)
{
	CHECK(scree_steps(w, steps), "%s", w->work.why.text);
	return scree_world_hash(&w->model, &w->state, &w->work);
}

static void close_device(void *of)
{
	work *w = of;
	w->device->close(w->device);
}

static void padding_is_intact(const char *name, const char *const *sets, int64_t steps)
{
	scree_world *here = world_of(name, sets), *there = world_of(name, sets);
	fail why;
	work *w = &there->work;
	w->device = scree_resident_open("opencl", (resident_ranks){0, 1, 1}, &there->model, &there->state, w, &why);
	CHECK(w->device, "%s", why.text);
	scree_machine_pad(scree_resident_counts(w).on);
	w->skin.stale = true;
	CHECK(hash_after(there, steps) == hash_after(here, steps), "%s", name);
	const int64_t made = scree_resident_counts(w).device;
	CHECK(made > steps / 2, "the device has made only %lld steps", (long long)made);
	const bool intact = scree_attempt(close_device, w, &why);
	w->device = NULL;
	CHECK(intact, "%s", why.text);
	scree_world_free(here);
	scree_world_free(there);
}

/* The same kernels as those of scenes.py, and so in the short form. */
static void spheres(void **state)
{
	(void)state;
	static const char *const sets[] = {"fill.0.velocity=[0, 0, -1 m/s]", NULL};
	padding_is_intact("settling_spheres", sets, 600);
}

static void spheres_with_cohesion(void **state)
{
	(void)state;
	if (test_short()) return;
	padding_is_intact("sticky_beads", NULL, 300);
}

static void a_wall_that_moves(void **state)
{
	(void)state;
	if (test_short()) return;
	padding_is_intact("vibrated_plate", NULL, 300);
}

static void round_walls(void **state)
{
	(void)state;
	if (test_short()) return;
	padding_is_intact("cone_hopper", NULL, 600);
}

static void periodic_space(void **state)
{
	(void)state;
	if (test_short()) return;
	padding_is_intact("periodic_shear", NULL, 300);
}

/* The same kernels as those of scenes.py. */
static void polyhedra_at_all_walls(void **state)
{
	(void)state;
	static const char *const sets[] = {
		"walls.lifter={polygon: [[-20 mm, 0, -50 mm], [20 mm, 0, -50 mm], [20 mm, 0, -47 mm], [-20 mm, 0, -47 mm]], "
		"material: steel, two_sided: true}",
		"fill.0.velocity=[0, 0, -3 m/s]", NULL};
	padding_is_intact("mixed_drum", sets, 500);
}

static void polyhedra_by_depth(void **state)
{
	(void)state;
	static const char *const sets[] = {"contacts={default: {law: hertz, restitution: 0.4, friction: 0.5}}",
									   "fill.0.velocity=[0, 0, -3 m/s]", NULL};
	if (test_short()) return;
	padding_is_intact("mixed_drum", sets, 500);
	padding_is_intact("mesh_chute", sets, 3000);
}

static char folder[] = "/tmp/scree_padding.XXXXXX";

static int begin(void **state)
{
	(void)state;
	if (!mkdtemp(folder)) return 1;
	return setenv("XDG_CACHE_HOME", folder, 1) || setenv("POCL_CACHE_DIR", folder, 0);
}

static int end(void **state)
{
	(void)state;
	char command[sizeof folder + 10];
	snprintf(command, sizeof command, "rm -r %s", folder);
	return system(command);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(spheres),
		cmocka_unit_test(spheres_with_cohesion),
		cmocka_unit_test(a_wall_that_moves),
		cmocka_unit_test(round_walls),
		cmocka_unit_test(periodic_space),
		cmocka_unit_test(polyhedra_at_all_walls),
		cmocka_unit_test(polyhedra_by_depth),
	};
	const int failed = cmocka_run_group_tests(tests, begin, end);
	fflush(NULL);
	_exit(failed != 0); /* without a test for leaks, since a driver's compiler of kernels leaks */
}
