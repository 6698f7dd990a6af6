/* Changes made to a world by its caller between two steps (world/world.h): a changed world evolves exactly like a world
 * that was saved after the change and loaded again; the ledger records the energy added by the caller; pointers and
 * rows are valid while the epoch stays the same. */
#include "lab.h"
#include "test.h"

#include "base/memory.h"
#include "format/snapshot.h"
#include "kernel/quat.h"
#include "model/integrator.h"
#include "prepare/prepare.h"
#include "scene/scene.h"
#include "world/world.h"

#include <glob.h>
#include <stdlib.h>
#include <unistd.h>

static char folder[] = "/tmp/scree_changes_XXXXXX";

/* returns NULL if the build lacks a row that the scene needs */
static scree_world *world_of(const char *path)
{
	scene s = {0};
	char *report = NULL;
	if (!scree_scene_load(path, 0, NULL, &s, &report)) {
		CHECK(lab_left_out(report), "%s", report ? report : "no report");
		scree_free(report);
		return NULL;
	}
	scree_world *w = s.world;
	s.world = NULL;
	scree_scene_free(&s);
	return w;
}

static uint64_t hash_of(const scree_world *w) { return scree_world_hash(&w->model, &w->state, &w->work); }

static energy_row energy_of(const scree_world *w) { return scree_world_energy(&w->model, &w->state, &w->work); }

static scree_world *saved_and_loaded(const scree_world *w)
{
	char path[64];
	fail why = {0};
	snprintf(path, sizeof path, "%s/a.snap", folder);
	CHECK(scree_snapshot_write(w, NULL, path, &why), "%s", why.text);
	scree_world *twin = scree_snapshot_read(path, NULL, &why);
	CHECK(twin, "%s", why.text);
	return twin;
}

/* ------------------------------------------------------------------ random changes */

static void move_some(scree_world *w, random_stream *r)
{
	bodies *b = &w->state.body;
	for (int32_t i = 0; i < b->owned; ++i) {
		if (scree_random_real(r) > 0.2) continue;
		const real far = scree_random_real(r) < 0.3 ? 1 : 0.05;
		const vec3 by = v3_mul(far * b->round[i] * scree_random_real(r), scree_random_direction(r));
		b->x[i] += by.x, b->y[i] += by.y;
		if (!w->model.flat) b->z[i] += by.z;
	}
}

static void push_some(scree_world *w, random_stream *r)
{
	bodies *b = &w->state.body;
	for (int32_t i = 0; i < b->owned; ++i) {
		if (scree_random_real(r) > 0.2 || b->flags[i] & BODY_HELD) continue;
		const vec3 by = v3_mul(0.1 * scree_random_real(r), scree_random_direction(r));
		b->vx[i] += by.x, b->vy[i] += by.y, b->wz[i] += by.z;
		if (!w->model.flat) b->vz[i] += by.z, b->wx[i] -= by.x;
	}
}

static void change_materials(scree_world *w, random_stream *r)
{
	w->model.gravity = v3_mul(scree_random_between(r, 0.5, 1.1), w->model.gravity);
	for (int32_t k = 0; k < w->model.material.count * w->model.material.count; ++k)
		w->model.material.rule[k].friction *= scree_random_between(r, 0.5, 1.2);
}

/* Displaces a wall, which remains at rest. */
static void put_wall(scree_world *w, int32_t row, vec3 by)
{
	const wall_state *at = w->state.wall + row;
	w->model.wall.row[row].motion = (wall_motion){.type = MOTION_GIVEN,
												  .axis = v3(0, 0, 1),
												  .base = at->orientation,
												  .point = v3_add(at->position, by),
												  .from = w->state.time,
												  .until = INFINITY};
}

static void move_walls(scree_world *w, random_stream *r)
{
	for (int32_t k = 0; k < w->model.wall.count && w->state.body.owned; ++k) {
		const motion_type type = w->model.wall.row[k].motion.type;
		vec3 by = v3_mul(0.02 * w->state.body.round[0], scree_random_direction(r));
		if (w->model.flat) by.z = 0;
		if (type == MOTION_STILL || type == MOTION_GIVEN) put_wall(w, k, by);
	}
}

static void remove_one(scree_world *w, random_stream *r)
{
	if (w->state.body.owned < 2) return;
	const int32_t row = (int32_t)(scree_random_real(r) * w->state.body.owned);
	scree_world_remove(&w->model, &w->state, &w->work, 1, &row);
}

static void change(scree_world *w, uint32_t what, random_stream *r)
{
	fail why = {0};
	CHECK(scree_world_changing(w), "%s", w->work.why.text);
	if (what & CHANGED_BODIES) remove_one(w, r);
	if (what & CHANGED_POSITIONS) move_some(w, r);
	if (what & CHANGED_VELOCITIES) push_some(w, r);
	if (what & CHANGED_MATERIALS) change_materials(w, r);
	if (what & CHANGED_WALLS) move_walls(w, r);
	CHECK(scree_world_changed(w, what, &why), "%s", why.text);
}

static int64_t steps_made;

/* Makes this number of steps in both worlds, unless the same guard stops both. Returns false if they were stopped. */
static bool step_both(scree_world *w, scree_world *twin, int steps, const char *name)
{
	for (int k = 0; k < steps; ++k, ++steps_made) {
		const bool a = scree_step(w), b = scree_step(twin);
		CHECK(a == b, "%s: one of both stopped: %s%s", name, w->work.why.text, twin->work.why.text);
		CHECK(hash_of(w) == hash_of(twin), "%s: another state %d steps after the change", name, k + 1);
		if (!a) return false;
	}
	const energy_row x = energy_of(w), y = energy_of(twin);
	CHECK(!memcmp(&x, &y, sizeof x), "%s: other energies", name);
	return true;
}

/* `residual` and `made` stay the same, so the guard is not triggered; the energy that the caller added is in `brought`.
 */
static void books_go_on(const energy_row *a, const energy_row *b, const char *name)
{
	const real all = real_abs(a->potential) + real_abs(b->potential) + a->kinetic + b->kinetic + a->springs +
					 b->springs + real_abs(a->brought) + real_abs(b->brought) + real_abs(a->wall_work) + a->lost;
	const real tolerance = 1e-12 * all;
	NEAR(a->residual, b->residual, tolerance, name);
	NEAR(a->made, b->made, tolerance, name);
	NEAR(a->lost, b->lost, tolerance, name);
	NEAR(a->lost_friction, b->lost_friction, tolerance, name);
	NEAR(a->wall_work, b->wall_work, tolerance, name);
	NEAR(b->brought - a->brought, b->kinetic + b->potential + b->elastic - a->kinetic - a->potential - a->elastic,
		 tolerance, name);
}

/* The same change to a loaded world: its rows are in a different order, so all bodies are changed in the same way. */
static void change_loaded(const scree_world *w, uint32_t what, random_stream r, const char *name)
{
	scree_world *twin = saved_and_loaded(w);
	CHECK(scree_world_changing(twin), "%s: %s", name, twin->work.why.text);
	const energy_row before = energy_of(twin), saved = energy_of(w);
	if (!w->model.integrator->gear) CHECK(!memcmp(&before, &saved, sizeof before), "%s: other energies", name);
	change(twin, what ? what : CHANGED_VELOCITIES, &r);
	const energy_row after = energy_of(twin);
	books_go_on(&before, &after, name);
	scree_world_free(twin);
}

static void change_a_scene(const char *path, random_stream *r, int64_t *changed)
{
	const char *name = strrchr(path, '/') + 1;
	scree_world *w = world_of(path);
	if (!w) return;
	w->model.guard.overlap = 0;
	w->model.guard.energy = 0; /* in this test, bodies may overlap to any depth */
	bool holds = true;
	for (int k = 0; k < 4 && holds; ++k) {
		const int steps = k ? 10 : 100 + (int)(200 * scree_random_real(r));
		CHECK(scree_steps(w, steps), "%s: %s", name, w->work.why.text);
		CHECK(scree_world_changing(w), "%s: %s", name, w->work.why.text);
		const energy_row before = energy_of(w);
		const uint32_t what = 1 + (uint32_t)(scree_random_real(r) * CHANGED_ALL);
		if (k == 2) change_loaded(w, what & ~(uint32_t)CHANGED_BODIES, *r, name);
		change(w, what, r);
		const energy_row after = energy_of(w);
		books_go_on(&before, &after, name);
		scree_world *twin = saved_and_loaded(w);
		CHECK(hash_of(w) == hash_of(twin), "%s: another state is loaded", name);
		holds = step_both(w, twin, 20, name);
		scree_world_free(twin);
		++*changed;
	}
	scree_world_free(w);
}

static void changed_worlds_step_like_loaded_ones(void **state)
{
	(void)state;
	glob_t found;
	int64_t changed = 0;
	steps_made = 0;
	assert_int_equal(glob(SCREE_SOURCE "/scenes/*.scene.yaml", 0, NULL, &found), 0);
	FOR_SEEDS(2)
	{
		random_stream r = scree_random_start(test_seed, 0);
		for (size_t k = 0; k < found.gl_pathc; ++k)
			if (test_drawn((int64_t)k)) change_a_scene(found.gl_pathv[k], &r, &changed);
	}
	CHECK(changed > test_drawn_of(60) && 2 * steps_made > 20 * changed, "%lld changes, %lld steps", (long long)changed,
		  (long long)steps_made);
	globfree(&found);
}

/* Preparing a world again between two steps does not affect results in any scene. */
static void prepare_a_scene(const char *path)
{
	const char *name = strrchr(path, '/') + 1;
	scree_world *w = world_of(path), *twin = world_of(path);
	fail why = {0};
	if (!w) return;
	CHECK(scree_world_prepare(twin, 0, twin->model.dt, &why), "%s: %s", name, why.text);
	for (int k = 0; k < 25; ++k) {
		CHECK(scree_steps(w, 13), "%s: %s", name, w->work.why.text);
		CHECK(scree_steps(twin, 13), "%s: %s", name, twin->work.why.text);
		CHECK(hash_of(w) == hash_of(twin), "%s: another state after step %lld", name, (long long)w->state.step);
		CHECK(scree_world_prepare(twin, 0, k % 2 ? twin->model.dt : 0, &why), "%s: %s", name, why.text);
		CHECK(hash_of(w) == hash_of(twin), "%s: another state without a step", name);
		CHECK(w->model.dt == twin->model.dt, "%s: another step", name);
		const energy_row x = energy_of(w), y = energy_of(twin);
		CHECK(!memcmp(&x, &y, sizeof x), "%s: other energies", name);
	}
	CHECK(!scree_world_prepare(twin, 0, 0.9 * twin->model.dt, &why), "%s: another step was accepted", name);
	scree_world_free(w);
	scree_world_free(twin);
}

static void preparing_again_changes_nothing(void **state)
{
	(void)state;
	glob_t found;
	assert_int_equal(glob(SCREE_SOURCE "/scenes/*.scene.yaml", 0, NULL, &found), 0);
	for (size_t k = 0; k < found.gl_pathc; ++k)
		if (test_drawn((int64_t)k + 1)) prepare_a_scene(found.gl_pathv[k]);
	assert_true(found.gl_pathc > 20);
	globfree(&found);
}

/* ------------------------------------------------------------------ known answers */

/* A ball in flight: its energy follows from its speed, and the energy of a new contact from overlap and stiffness. */
static void energy_of_changes_is_brought(void **state)
{
	(void)state;
	const real k = 1e4, size = 0.01;
	for (int announced = 0; announced < 2; ++announced) {
		fail why = {0};
		scree_world *w = lab_world(lab_linear(k, 1, 0));
		lab_plane(w, v3(0, 0, 0), v3(0, 0, 1));
		lab_add_moving(w, 0, size, v3(0, 0, 0.1), quat_one(), v3(1, 0, 0), v3(0, 0, 0));
		lab_prepare(w, 0);
		lab_steps(w, 10);
		const real mass = w->state.body.mass[0], before = energy_of(w).brought;
		NEAR(before, mass / 2, 1e-15, "brought");
		if (announced) scree_world_changing(w);
		w->state.body.vx[0] = 3;
		CHECK(scree_world_changed(w, CHANGED_VELOCITIES, &why), "%s", why.text);
		NEAR(energy_of(w).brought - before, mass / 2 * 8, 1e-14, "by a speed");
		NEAR(w->work.greatest_speed, 3, 0, "greatest speed");
		const real moving = energy_of(w).brought, depth = 0.01 * size;
		lab_steps(w, 1);
		if (announced) scree_world_changing(w);
		w->state.body.z[0] = size / 2 - depth;
		CHECK(scree_world_changed(w, CHANGED_POSITIONS, &why), "%s", why.text);
		NEAR(energy_of(w).brought - moving, k / 2 * depth * depth, 1e-14, "by an overlap");
		NEAR(w->state.body.fz[0], k * depth, 1e-6 * k * depth, "force");
		lab_steps(w, 2000);
		NEAR(w->state.body.vz[0], depth * sqrt(k / mass), 0.001 * depth * sqrt(k / mass), "thrown off");
		scree_world_free(w);
	}
}

/* A ball at rest at a given height, above a floor at another given height. */
static scree_world *ball_over_floor(real height, real floor)
{
	scree_world *w = lab_world(lab_linear(1e4, 1, 0));
	lab_plane(w, v3(0, 0, floor), v3(0, 0, 1));
	lab_add(w, 0, 0.01, v3(0, 0, height));
	lab_prepare(w, 1e-5);
	return w;
}

/* Forces and motion are as in a world that was opened with the wall in its new position, and are bitwise equal if the
 * geometry is the same. */
static void steps_like_opened(scree_world *w, real floor, real tolerance)
{
	scree_world *opened = ball_over_floor(w->state.body.z[0], floor);
	const bodies *a = &w->state.body, *b = &opened->state.body;
	for (int k = 0; k < 300; ++k) {
		lab_steps(w, 1);
		lab_steps(opened, 1);
		NEAR(a->fz[0], b->fz[0], tolerance * 1e4, "force");
		NEAR(a->z[0], b->z[0], tolerance, "height");
		CHECK(w->work.touching == opened->work.touching, "step %d: %lld contacts", k, (long long)w->work.touching);
	}
	CHECK(a->vz[0] > 0.05, "not thrown off: %g m/s", a->vz[0]);
	scree_world_free(opened);
}

/* A floor is raised from far away up to a ball at rest, by changing its geometry or its motion, and then lowered again.
 */
static void callers_move_walls(void **state)
{
	(void)state;
	const real k = 1e4, height = 1.006, depth = 1e-4, raised = height - 0.005 + depth;
	for (int by_motion = 0; by_motion < 2; ++by_motion) {
		fail why = {0};
		scree_world *w = ball_over_floor(height, 0);
		lab_steps(w, 10);
		const energy_row before = energy_of(w);
		for (int up = 1; up >= 0; --up) {
			CHECK(scree_world_changing(w), "%s", w->work.why.text);
			if (by_motion)
				put_wall(w, 0, v3(0, 0, up ? raised : -raised));
			else
				w->model.wall.row[0].point.z = up ? raised : 0;
			CHECK(scree_world_changed(w, CHANGED_WALLS, &why), "%s", why.text);
			const energy_row now = energy_of(w);
			NEAR(w->state.body.fz[0], up ? k * depth : 0, 1e-9 * k * depth, "force");
			CHECK(w->work.touching == up, "%lld contacts", (long long)w->work.touching);
			NEAR(now.brought - before.brought, up ? k / 2 * depth * depth : 0, 1e-15, "brought");
			NEAR(now.elastic, up ? k / 2 * depth * depth : 0, 1e-15, "elastic");
			NEAR(now.residual, before.residual, 1e-15, "residual");
			CHECK(now.wall_work == before.wall_work, "the wall works without a step");
		}
		if (by_motion)
			put_wall(w, 0, v3(0, 0, raised));
		else
			w->model.wall.row[0].point.z = raised;
		CHECK(scree_world_changed(w, CHANGED_WALLS, &why), "%s", why.text);
		steps_like_opened(w, raised, by_motion ? 1e-15 : 0);
		scree_world_free(w);
	}
}

/* A floor that the caller turns into a servo must have the constants of a servo; otherwise it is refused. */
static void callers_set_motions_of_walls(void **state)
{
	(void)state;
	for (int light = 0; light < 2; ++light) {
		fail why = {0};
		memory_list all = {0}; /* freeing a broken world frees only its own list */
		scree_memory_into(&all);
		scree_world *w = ball_over_floor(0.006, 0);
		lab_steps(w, 10);
		w->model.wall.row[0].motion =
			(wall_motion){.type = MOTION_SERVO,
						  .axis = v3(0, 0, 1),
						  .servo = {.force = 1, .mass = light ? 1e-9 : 0.5, .low = -1, .high = 1, .max_speed = 0.1},
						  .from = w->state.time,
						  .until = INFINITY};
		CHECK(scree_world_changed(w, CHANGED_WALLS, &why) == !light, "light: %d; %s", light, why.text);
		CHECK(w->broken == light && (!light || strstr(why.text, "oscillates too fast")), "light: %d; %s", light,
			  why.text);
		if (!light) {
			NEAR(w->model.wall.row[0].servo.mass, 0.5, 0, "mass");
			NEAR(w->model.wall.row[0].servo.max_speed, 0.1, 0, "greatest speed");
			lab_steps(w, 100);
			NEAR(w->state.wall[0].velocity.z, 100 * w->model.dt / 0.5, 1e-6, "speed of a wall that is pushed by 1 N");
		}
		scree_world_free(w);
		scree_memory_into(NULL);
		scree_memory_drop(&all);
	}
}

/* A cube at rest on the floor is moved sideways, and stays at rest. */
static void persisting_contacts_keep_their_histories(void **state)
{
	(void)state;
	fail why = {0};
	scree_world *w = lab_world(lab_hertz(0.5, 0.5));
	w->model.gravity = v3(1, 0, -9.81);
	lab_plane(w, v3(0, 0, 0), v3(0, 0, 1));
	lab_add(w, 1, 0.01, v3(0, 0, 0.00499999));
	lab_prepare(w, 0);
	lab_steps(w, 20000);
	const real push = w->state.body.fx[0], lies = w->state.body.z[0];
	NEAR(push, -w->state.body.mass[0], 1e-3 * w->state.body.mass[0], "friction holds it");
	scree_world_changing(w);
	w->state.body.y[0] += 0.5;
	CHECK(scree_world_changed(w, CHANGED_POSITIONS, &why), "%s", why.text);
	NEAR(w->state.body.fx[0], push, 1e-6 * real_abs(push), "friction after the change");
	const real speed = v3_norm(body_velocity(&w->state.body, 0));
	lab_steps(w, 2000);
	NEAR(v3_norm(body_velocity(&w->state.body, 0)), 0, 2 * speed + 1e-9, "speed");
	NEAR(w->state.body.z[0], lies, 1e-9, "height");
	NEAR(w->state.body.fx[0], push, 1e-3 * real_abs(push), "friction");
	scree_world_free(w);
}

/* A body that the caller moves through a two-sided wall does not count as having crossed it. */
static void a_moved_body_has_crossed_nothing(void **state)
{
	(void)state;
	fail why = {0};
	scree_world *w = lab_world(lab_linear(1e4, 1, 0));
	const int32_t wall = lab_plane(w, v3(0, 0, 0), v3(0, 0, 1));
	w->model.wall.row[wall].two_sided = true;
	lab_add(w, 0, 0.01, v3(0, 0, 0.006));
	lab_prepare(w, 0);
	lab_steps(w, 5);
	w->state.body.z[0] = -0.006;
	CHECK(scree_world_changed(w, CHANGED_POSITIONS, &why), "%s", why.text);
	lab_steps(w, 5);
	scree_world_free(w);
}

/* ------------------------------------------------------------------ epoch */

/* Pointers and rows, as a reader of the world would store them. */
typedef struct view {
	uint64_t epoch;
	int32_t count;
	const real *x;
	uint64_t *id;
} view;

static view view_of(const scree_world *w)
{
	const bodies *b = &w->state.body;
	return (view){scree_world_epoch(w), b->count, b->x, scree_copy(b->id, (size_t)b->count, sizeof *b->id)};
}

/* Returns whether the view has expired; if it has not, everything in it must be unchanged. */
static bool is_over(const scree_world *w, const view *v)
{
	const bodies *b = &w->state.body;
	if (scree_world_epoch(w) != v->epoch) return true;
	CHECK(b->count == v->count && b->x == v->x && !memcmp(b->id, v->id, sizeof *b->id * (size_t)b->count),
		  "rows moved within an epoch, step %lld", (long long)w->state.step);
	return false;
}

static void rows_hold_for_an_epoch(void **state)
{
	(void)state;
	scree_world *w = world_of(SCREE_SOURCE "/scenes/rain.scene.yaml");
	random_stream r = scree_random_start(3, 0);
	int64_t over = 0, steps = 0;
	view v = view_of(w);
	for (int k = 0; k < 3000; ++k) {
		const uint64_t before = scree_world_epoch(w);
		const int32_t count = w->state.body.count;
		CHECK(scree_step(w), "%s", w->work.why.text);
		if (k % 500 == 499) remove_one(w, &r);
		CHECK(count == w->state.body.count || scree_world_epoch(w) > before, "bodies came or went in an epoch");
		++steps;
		if (!is_over(w, &v)) continue;
		++over;
		scree_free(v.id);
		v = view_of(w);
	}
	CHECK(over > 5 && 2 * over < steps, "%lld epochs in %lld steps", (long long)over, (long long)steps);
	scree_free(v.id);
	scree_world_free(w);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(changed_worlds_step_like_loaded_ones),
		cmocka_unit_test(preparing_again_changes_nothing),
		cmocka_unit_test(energy_of_changes_is_brought),
		cmocka_unit_test(callers_move_walls),
		cmocka_unit_test(callers_set_motions_of_walls),
		cmocka_unit_test(persisting_contacts_keep_their_histories),
		cmocka_unit_test(a_moved_body_has_crossed_nothing),
		cmocka_unit_test(rows_hold_for_an_epoch),
	};
	if (!mkdtemp(folder)) return 1;
	const int failed = cmocka_run_group_tests(tests, NULL, NULL);
	char path[64];
	snprintf(path, sizeof path, "%s/a.snap", folder);
	remove(path);
	rmdir(folder);
	return failed;
}
