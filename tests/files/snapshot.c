/* Snapshots: what is loaded goes on like what was saved; equal states give equal bytes; damaged files are refused. */
#include "format/snapshot.h"
#include "base/memory.h"
#include "format/file.h"
#include "kernel/quat.h"
#include "lab.h"
#include "test.h"

#include <stdlib.h>
#include <unistd.h>

static char folder[] = "/tmp/scree_snapshot_XXXXXX";

static const char *path_of(const char *name)
{
	static char path[256];
	snprintf(path, sizeof path, "%s/%s", folder, name);
	return path;
}

/* spheres and cubes that stick and slide on a plane, in a turning tube */
static scree_world *busy_world_by(const char *integrator)
{
	contact_rule rule = lab_hertz(0.5, 0.4);
	rule.rolling_friction = 0.02;
	scree_world *w = lab_world(rule);
	fail why = {0};
	w->gravity = v3(0, 0.5, -9.81);
	lab_plane(w, v3(0, 0, 0), v3(0, 0, 1));
	wall tube = scree_wall_default("tube", 0);
	tube.motion = (wall_motion){.type = MOTION_ROTATION, .axis = v3(0, 0, 1), .rate = 3, .until = INFINITY};
	CHECK(scree_walls_add_cylinder(&w->wall, tube, v3(0, 0, 0), v3(0, 0, 1), 0.05, INFINITY, SIDE_INSIDE, &why) >= 0,
		  "%s", why.text);
	random_stream r = scree_random_start(3, 3);
	for (int k = 0; k < 27; ++k) {
		vec3 at = v3(0.016 * (k % 3 - 1), 0.016 * (k / 3 % 3 - 1), 0.007 + 0.014 * (k / 9));
		real size = k % 2 ? 0.012 : 0.007;
		lab_add_moving(w, k % 2 ? 0 : 1, size, at, scree_random_rotation(&r), v3(0.1, 0, -0.1), v3(1, 2, 3));
	}
	source s = {.name = "rain",
				.where = {.type = REGION_BOX, .low = v3(-0.02, -0.02, 0.08), .high = v3(0.02, 0.02, 0.12)},
				.rate = 400,
				.until = 1,
				.parts = 1,
				.random = scree_random_start(1, 7)};
	s.part[0] = (mix_part){.shape = 0, .share = 1, .size = {.type = SPREAD_UNIFORM, .a = 0.006, .b = 0.01}};
	w->people.source = scree_copy(&s, 1, sizeof s);
	w->people.sources = 1;
	w->guard.speed = 5;
	w->mover = scree_integrator_find(integrator);
	lab_prepare(w, 0);
	w->guard.speed = 0;
	return w;
}

static scree_world *busy_world(void) { return busy_world_by("velocity_verlet"); }

static int64_t contacts_with(const scree_world *w, bool sliding)
{
	int64_t count = 0;
	for (int kind = 0; kind < PAIR_KINDS; ++kind) {
		const pair_list *l = w->pair + kind;
		for (contact_walk c = contact_first(l); contact_more(l, &c); ++c.row) {
			contact_look look = scree_contact_look(w, kind, c.row);
			vec3 f = look.force.force, n = look.normal;
			real normal = v3_dot(f, n), across = v3_norm(v3_madd(f, -normal, n));
			if (normal > 0 && (across > 0.399999 * normal) == sliding) ++count;
		}
	}
	return count;
}

static scree_world *load(const char *path, snapshot_extra *extra)
{
	fail why = {0};
	scree_world *w = scree_snapshot_read(path, extra, &why);
	CHECK(w, "%s", why.text);
	return w;
}

static void same_bytes_saved(const scree_world *w, const scree_world *twin)
{
	fail why = {0};
	void *a, *b;
	size_t na, nb;
	CHECK(scree_snapshot_write(w, NULL, path_of("a.snap"), &why), "%s", why.text);
	CHECK(scree_snapshot_write(twin, NULL, path_of("b.snap"), &why), "%s", why.text);
	CHECK(scree_file_read(path_of("a.snap"), 1 << 30, &a, &na, &why), "%s", why.text);
	CHECK(scree_file_read(path_of("b.snap"), 1 << 30, &b, &nb, &why), "%s", why.text);
	CHECK(na == nb && !memcmp(a, b, na), "equal states, other bytes");
	scree_free(a);
	scree_free(b);
}

static void resume_by(const char *integrator)
{
	fail why = {0};
	scree_world *w = busy_world_by(integrator);
	random_stream r = scree_random_start(5, 5);
	int64_t sliding = 0, sticking = 0;
	while (w->time < 50 * w->contact_time) lab_steps(w, 1); /* down to the plane */
	for (int k = 0; k < 5; ++k) {
		lab_steps(w, 200 + scree_random_bits(&r) % 400);
		CHECK(scree_snapshot_write(w, NULL, path_of("a.snap"), &why), "%s", why.text);
		sliding += contacts_with(w, true);
		sticking += contacts_with(w, false);
		scree_world *twin = load(path_of("a.snap"), NULL);
		CHECK(scree_world_hash(w) == scree_world_hash(twin), "loading changed the state");
		same_bytes_saved(w, twin);
		for (int i = 0; i < 100; ++i) {
			lab_steps(w, 1);
			lab_steps(twin, 1);
			CHECK(scree_world_hash(w) == scree_world_hash(twin), "step %d after the resume differs", i);
		}
		same_bytes_saved(w, twin);
		energy_row a = scree_world_energy(w), b = scree_world_energy(twin);
		CHECK(!memcmp(&a, &b, sizeof a), "energies differ");
		scree_world_free(w);
		w = twin;
	}
	CHECK(sliding > 10 && sticking > 10, "too few contacts slide (%lld) or stick (%lld)", (long long)sliding,
		  (long long)sticking);
	CHECK(w->people.source[0].made > 5, "the source made only %lld", (long long)w->people.source[0].made);
	CHECK(!strcmp(w->mover->name, integrator), "another integrator: %s", w->mover->name);
	scree_world_free(w);
}

static void resume_is_as_if_never_stopped(void **state)
{
	(void)state;
	resume_by("velocity_verlet");
}

/* their derivatives are state, too */
static void resume_by_gear_is_as_if_never_stopped(void **state)
{
	(void)state;
	resume_by("gear4");
	resume_by("gear6");
}

static void equal_states_give_equal_bytes(void **state)
{
	(void)state;
	fail why = {0};
	scree_world *w = busy_world();
	lab_steps(w, 500);
	const int64_t steps[2] = {0, 7};
	snapshot_extra extra = {.title = scree_copy_text("a title"), .resolved = scree_copy_text("scene: 1\n")};
	extra.frames = (vtk_frames){.count = 2, .room = 2, .step = scree_copy(steps, 2, sizeof *steps)};
	extra.output.images.times = 2;
	extra.output.images.at[1] = 0.5;
	snprintf(extra.output.images.color, sizeof extra.output.images.color, "size");
	CHECK(scree_snapshot_write(w, &extra, path_of("a.snap"), &why), "%s", why.text);
	snapshot_extra back = {0};
	scree_world *twin = load(path_of("a.snap"), &back);
	assert_string_equal(back.title, "a title");
	assert_string_equal(back.resolved, "scene: 1\n");
	assert_true(back.frames.count == 2 && back.frames.step[1] == 7 && back.output.images.at[1] == 0.5 &&
				!strcmp(back.output.images.color, "size"));
	CHECK(scree_snapshot_write(twin, &back, path_of("b.snap"), &why), "%s", why.text);
	void *a, *b;
	size_t na, nb;
	assert_true(scree_file_read(path_of("a.snap"), 1 << 30, &a, &na, &why));
	assert_true(scree_file_read(path_of("b.snap"), 1 << 30, &b, &nb, &why));
	assert_true(na == nb && !memcmp(a, b, na));
	scree_free(a);
	scree_free(b);
	scree_snapshot_extra_free(&extra);
	scree_snapshot_extra_free(&back);
	scree_world_free(w);
	scree_world_free(twin);
}

static void damaged_files_are_refused(void **state)
{
	(void)state;
	fail why = {0};
	scree_world *w = busy_world();
	lab_steps(w, 300);
	CHECK(scree_snapshot_write(w, NULL, path_of("a.snap"), &why), "%s", why.text);
	uint8_t *bytes;
	size_t length;
	assert_true(scree_file_read(path_of("a.snap"), 1 << 30, (void **)&bytes, &length, &why));
	random_stream r = scree_random_start(8, 8);
	FOR_SEEDS(2000)
	{
		size_t at = (size_t)(scree_random_real(&r) * (real)length);
		uint8_t bit = (uint8_t)(1u << scree_random_bits(&r) % 8);
		bytes[at] ^= bit;
		why.text[0] = 0;
		scree_world *bad = scree_snapshot_parse("a.snap", bytes, length, NULL, &why);
		CHECK(!bad, "a flipped bit at byte %zu was accepted", at);
		CHECK(!strncmp(why.text, "a.snap: section ", 16), "the message names no section: %s", why.text);
		bytes[at] ^= bit;
	}
	for (size_t n = 0; n < length; n = n < 600 ? n + 1 : n + 997)
		CHECK(!scree_snapshot_parse("a.snap", bytes, n, NULL, &why), "a file cut at %zu was accepted", n);
	scree_free(bytes);
	scree_world_free(w);
}

static void files_that_cannot_be_written_say_so(void **state)
{
	(void)state;
	fail why = {0};
	scree_world *w = lab_world(lab_linear(1e4, 0.5, 0.5));
	lab_add(w, 0, 0.01, v3(0, 0, 0));
	lab_prepare(w, 1e-4); /* a body alone has nothing that would tell a step */
	assert_false(scree_snapshot_write(w, NULL, "/no/such/folder/a.snap", &why));
	assert_true(why.code == FAIL_IO && strstr(why.text, "/no/such/folder/a.snap"));
	assert_null(scree_snapshot_read("/no/such/file", NULL, &why));
	assert_true(why.code == FAIL_IO);
	scree_world_free(w);
}

/* bodies that a guard has taken out after the step: the contacts that stay are those of the rows of now */
static void a_world_that_lost_bodies_comes_back(void **state)
{
	(void)state;
	fail why = {0};
	scree_world *w = lab_world(lab_hertz(0.5, 0.4));
	w->gravity = v3(0, 0, -9.81);
	lab_plane(w, v3(0, 0, 0), v3(0, 0, 1));
	for (int k = 0; k < 4; ++k)
		lab_add_moving(w, 0, 0.01, v3(-0.02 * k, -0.3498, 0.01), quat_one(), v3(0, -9, 0), v3(0, 0, 0));
	for (int k = 0; k < 8; ++k) lab_add(w, 0, 0.01, v3(0.03 * (k / 2), 0, 0.0049 + 0.0098 * (k % 2)));
	w->guard = (guards){.bounded = true, .low = v3(-1, -0.35, -1), .high = v3(1, 1, 2)};
	lab_prepare(w, 5e-5);
	bool lost = false;
	for (int k = 0; k < 200 && !lost; ++k) {
		lab_steps(w, 1);
		lost = w->lost > 0;
	}
	CHECK(lost && w->body.count == 8 && w->touching >= 8, "%lld lost, %lld contacts", (long long)w->lost,
		  (long long)w->touching);
	CHECK(scree_snapshot_write(w, NULL, path_of("a.snap"), &why), "%s", why.text);
	scree_world *twin = load(path_of("a.snap"), NULL);
	CHECK(scree_world_hash(w) == scree_world_hash(twin), "loading changed the state");
	lab_steps(w, 100);
	lab_steps(twin, 100);
	CHECK(scree_world_hash(w) == scree_world_hash(twin), "the steps after the resume differ");
	scree_world_free(w);
	scree_world_free(twin);
}

/* the step was right at the start; that bodies fall faster now must not refuse the resume */
static void faster_bodies_do_not_stop_a_resume(void **state)
{
	(void)state;
	fail why = {0};
	scree_world *w = lab_world(lab_hertz(0.5, 0.4));
	w->gravity = v3(0, 0, -9.81);
	lab_plane(w, v3(0, 0, 0), v3(0, 0, 1));
	lab_add_moving(w, 0, 0.01, v3(0, 0, 50), quat_one(), v3(0, 0, -0.01), v3(0, 0, 0));
	CHECK(scree_world_prepare(w, 0.1, 0, &why), "%s", why.text);
	for (int k = 0; k < 50 && w->body.vz[0] > -1; ++k) lab_steps(w, 200);
	CHECK(w->body.vz[0] < -0.5, "it does not fall: %g m/s", w->body.vz[0]);
	CHECK(scree_snapshot_write(w, NULL, path_of("a.snap"), &why), "%s", why.text);
	scree_world *twin = load(path_of("a.snap"), NULL);
	CHECK(twin->dt == w->dt, "the step changed");
	scree_world_free(w);
	scree_world_free(twin);
}

static int make_folder(void **state)
{
	(void)state;
	return mkdtemp(folder) ? 0 : -1;
}

static int remove_folder(void **state)
{
	(void)state;
	unlink(path_of("a.snap"));
	unlink(path_of("b.snap"));
	return rmdir(folder);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(resume_is_as_if_never_stopped),	   cmocka_unit_test(resume_by_gear_is_as_if_never_stopped),
		cmocka_unit_test(equal_states_give_equal_bytes),	   cmocka_unit_test(a_world_that_lost_bodies_comes_back),
		cmocka_unit_test(faster_bodies_do_not_stop_a_resume),  cmocka_unit_test(damaged_files_are_refused),
		cmocka_unit_test(files_that_cannot_be_written_say_so),
	};
	return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
