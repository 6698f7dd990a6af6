/* Snapshots: what is loaded goes on bit for bit; equal states give equal bytes; damage is refused with a sentence. */
#include "base/memory.h"
#include "base/random.h"
#include "format/file.h"
#include "format/snapshot.h"
#include "kernel/quat.h"
#include "lab.h"
#include "test.h"

#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static char folder[64];

static int make_folder(void **state)
{
	(void)state;
	snprintf(folder, sizeof folder, "/tmp/scree_snapshot_XXXXXX");
	return mkdtemp(folder) ? 0 : -1;
}

static int remove_folder(void **state)
{
	(void)state;
	char command[128];
	snprintf(command, sizeof command, "rm -r %s", folder);
	return system(command);
}

static const char *path_of(const char *name)
{
	static char path[4][192];
	static int next;
	next = (next + 1) % 4;
	snprintf(path[next], sizeof path[next], "%s/%s", folder, name);
	return path[next];
}

static void add_walls(scree_world *w)
{
	fail why = {0};
	lab_plane(w, v3(0, 0, 0), v3(0, 0, 1));
	wall tube = scree_wall_default("tube", 0);
	tube.motion =
		(wall_motion){.type = MOTION_ROTATION, .axis = {0, 0, 1}, .rate = 3, .ramp = 0.01, .until = (real)INFINITY};
	CHECK(scree_walls_add_cylinder(&w->wall, tube, v3(0, 0, -1), v3(0, 0, 1), 0.06, 3, SIDE_INSIDE, &why) >= 0, "%s",
		  why.text);
	wall step = scree_wall_default("step", 0);
	step.two_sided = true;
	const vec3 corner[] = {{-0.03, -0.03, 0.01}, {0.03, -0.03, 0.01}, {0.03, 0.03, 0.02}, {-0.03, 0.03, 0.02}};
	const int32_t triangle[] = {0, 1, 2, 0, 2, 3};
	CHECK(scree_walls_add_mesh(&w->wall, step, 4, corner, 2, triangle, &why) >= 0, "%s", why.text);
}

/* balls and cubes that fall, roll and stick in a turning tube, some come from a source, some leave by a sink */
static scree_world *busy_world(int64_t steps)
{
	contact_rule rule = lab_hertz(0.5, 0.4);
	rule.rolling_friction = 0.05;
	scree_world *w = lab_world(rule);
	w->gravity = v3(0, 0, -9.81);
	add_walls(w);
	random_stream r = scree_random_start(7, 1);
	for (int k = 0; k < 60; ++k) {
		vec3 at = v3(0.018 * (k % 4) - 0.027, 0.018 * (k / 4 % 4) - 0.027, 0.03 + 0.016 * (k / 16));
		real size = scree_random_between(&r, 0.008, 0.010);
		vec3 spin = v3_mul(5, scree_random_direction(&r)), speed = v3(0, 0, -0.5);
		lab_add_moving(w, k % 2, size, at, scree_random_rotation(&r), speed, spin);
	}
	population *p = &w->people;
	p->source = scree_alloc(1, sizeof *p->source);
	p->sources = 1;
	*p->source = (source){.name = "rain",
						  .where = {.type = REGION_BOX, .low = {-0.03, -0.03, 0.15}, .high = {0.03, 0.03, 0.2}},
						  .rate = 1200,
						  .until = 10,
						  .parts = 1,
						  .part = {{0, 1, {SPREAD_UNIFORM, 0.006, 0.008, 0}}},
						  .orient = ORIENT_RANDOM,
						  .orientation = {1, 0, 0, 0},
						  .seed = 11,
						  .random = scree_random_start(11, 0)};
	p->sink = scree_alloc(1, sizeof *p->sink);
	p->sinks = 1;
	*p->sink = (sink){.name = "corner", .type = SINK_BELOW, .normal = {1, 0, 1}, .off = -0.035};
	lab_prepare(w, 5e-5);
	lab_steps(w, steps);
	return w;
}

static scree_world *loaded(const char *path, snapshot_extra *extra)
{
	fail why = {0};
	scree_world *w = scree_snapshot_read(path, extra, &why);
	CHECK(w != NULL, "%s", why.text);
	return w;
}

static void save(const scree_world *w, const snapshot_extra *extra, const char *path)
{
	fail why = {0};
	CHECK(scree_snapshot_write(w, extra, path, &why), "%s", why.text);
}

static void same_bytes(const char *one, const char *two)
{
	unsigned char *a, *b;
	size_t n, m;
	fail why = {0};
	CHECK(scree_file_read(one, &a, &n, &why) && scree_file_read(two, &b, &m, &why), "%s", why.text);
	CHECK(n == m && !memcmp(a, b, n), "%s (%zu bytes) and %s (%zu bytes) differ", one, n, two, m);
	scree_free(a);
	scree_free(b);
}

static void a_loaded_world_goes_on_bit_for_bit(void **state)
{
	(void)state;
	scree_world *w = busy_world(0);
	int64_t contacts = 0;
	for (int k = 0; k < 6; ++k) { /* also before the first step */
		save(w, NULL, path_of("a.snap"));
		scree_world *v = loaded(path_of("a.snap"), NULL);
		CHECK(scree_world_hash(v) == scree_world_hash(w), "the loaded state differs, save %d", k);
		energy_row e = scree_world_energy(w), f = scree_world_energy(v);
		CHECK(!memcmp(&e, &f, sizeof e), "the ledger differs, save %d", k);
		save(v, NULL, path_of("b.snap"));
		same_bytes(path_of("a.snap"), path_of("b.snap"));
		lab_steps(w, 200);
		lab_steps(v, 200);
		CHECK(scree_world_hash(v) == scree_world_hash(w), "200 steps after save %d the states differ", k);
		save(w, NULL, path_of("a.snap"));
		save(v, NULL, path_of("b.snap"));
		same_bytes(path_of("a.snap"), path_of("b.snap"));
		contacts = w->touching;
		scree_world_free(v);
		lab_steps(w, 800);
	}
	energy_row e = scree_world_energy(w);
	CHECK(e.lost_friction > 0 && e.lost_rolling > 0, "nothing slid or rolled: %g, %g", e.lost_friction, e.lost_rolling);
	CHECK(contacts > 40, "only %lld contacts: the test shows nothing", (long long)contacts);
	CHECK(w->people.source->made > 0 && w->people.sink->taken > 0, "nothing came or went: %lld, %lld",
		  (long long)w->people.source->made, (long long)w->people.sink->taken);
	scree_world_free(w);
}

static void the_plan_comes_back(void **state)
{
	(void)state;
	scree_world *w = busy_world(10);
	char title[] = "a \xc3\xa4 title", resolved[] = "title: x\nrun: {until: 1 s}\n", path[] = "drum.scene.yaml";
	snapshot_extra e = {
		.scene_path = path, .title = title, .resolved = resolved, .frames = 3, .images = 4, .history_rows = 5};
	e.run = (run_plan){.until = (real)INFINITY, .step_part = 0.02, .snapshot_every = 60, .snapshots_kept = 2};
	e.output.vtk = (vtk_plan){.on = true, .every = 0.1, .fields = 2, .field = {"velocity", "contacts"}};
	e.output.history = (history_plan){.on = true, .every = 0.2, .values = 1, .value = {"kinetic"}};
	e.output.images = (image_plan){.on = true,
								   .times = 2,
								   .at = {0.5, 1},
								   .width = 640,
								   .height = 480,
								   .color = "speed",
								   .has_range = true,
								   .range = {0, 2},
								   .has_camera = true,
								   .eye = {1, 2, 3},
								   .up = {0, 0, 1},
								   .fov = 0.5,
								   .walls = LOOK_SOLID,
								   .has_cut = true,
								   .cut_normal = {0, 1, 0},
								   .samples = 9};
	save(w, &e, path_of("p.snap"));
	snapshot_extra f = {0};
	scree_world *v = loaded(path_of("p.snap"), &f);
	CHECK(!strcmp(f.title, e.title) && !strcmp(f.resolved, e.resolved) && !strcmp(f.scene_path, e.scene_path), "texts");
	CHECK(f.frames == 3 && f.images == 4 && f.history_rows == 5, "counters");
	CHECK(f.run.until == e.run.until && f.run.step_part == e.run.step_part && f.run.snapshot_every == 60 &&
			  f.run.snapshots_kept == 2,
		  "run");
	CHECK(f.output.vtk.on && f.output.vtk.every == 0.1 && f.output.vtk.fields == 2 &&
			  !strcmp(f.output.vtk.field[1], "contacts"),
		  "vtk");
	CHECK(f.output.history.on && f.output.history.every == 0.2 && !strcmp(f.output.history.value[0], "kinetic"),
		  "history");
	const image_plan *p = &f.output.images;
	CHECK(p->on && p->times == 2 && p->at[1] == 1 && p->width == 640 && p->height == 480 &&
			  !strcmp(p->color, "speed") && p->has_range && p->range[1] == 2 && p->has_camera && p->eye.z == 3 &&
			  p->up.z == 1 && p->fov == 0.5 && p->walls == LOOK_SOLID && p->has_cut && p->cut_normal.y == 1 &&
			  p->samples == 9,
		  "images");
	save(v, &f, path_of("q.snap"));
	same_bytes(path_of("p.snap"), path_of("q.snap"));
	scree_snapshot_extra_free(&f);
	scree_world_free(v);
	scree_world_free(w);
}

static void refused(const unsigned char *bytes, size_t length, const char *what, size_t where)
{
	fail why = {0};
	scree_world *w = scree_snapshot_parse("it.snap", bytes, length, NULL, &why);
	CHECK(w == NULL, "%s at %zu was not noticed", what, where);
	CHECK(strstr(why.text, "it.snap") && why.code == FAIL_INPUT, "the sentence does not name the file: %s", why.text);
}

static void damage_is_refused(void **state)
{
	(void)state;
	scree_world *w = busy_world(600);
	save(w, NULL, path_of("d.snap"));
	scree_world_free(w);
	unsigned char *bytes;
	size_t length;
	fail why = {0};
	CHECK(scree_file_read(path_of("d.snap"), &bytes, &length, &why), "%s", why.text);
	int64_t used = scree_memory_used();
	FOR_SEEDS(2000)
	{
		random_stream r = scree_random_start(test_seed, 3);
		/* half of the flips in the header and in the table */
		size_t at = (size_t)(scree_random_real(&r) * (real)length);
		if (test_seed % 4 == 0) at = (size_t)(scree_random_real(&r) * 40);
		if (test_seed % 4 == 1) at = length - 1 - (size_t)(scree_random_real(&r) * 328);
		unsigned char bit = (unsigned char)(1u << (scree_random_bits(&r) % 8));
		bytes[at] ^= bit;
		refused(bytes, length, "a flipped bit", at);
		bytes[at] ^= bit;
	}
	size_t stride = length / 500 + 1;
	for (size_t n = 0; n < length; n += n < 400 || length - n < 400 ? 1 : stride) refused(bytes, n, "the end", n);
	CHECK(scree_memory_used() == used, "refusals lose memory");
	bytes[length / 2] ^= 1;
	CHECK(!scree_snapshot_parse("it.snap", bytes, length, NULL, &why) && strstr(why.text, "section '"),
		  "no section named: %s", why.text);
	scree_free(bytes);
}

static void other_files_are_refused(void **state)
{
	(void)state;
	fail why = {0};
	CHECK(scree_file_write(path_of("n.snap"), "no snapshot at all, but a text of some length", 45, &why), "%s",
		  why.text);
	CHECK(!scree_snapshot_read(path_of("n.snap"), NULL, &why) && strstr(why.text, "no snapshot of scree"), "%s",
		  why.text);
	CHECK(!scree_snapshot_read(path_of("missing.snap"), NULL, &why) && why.code == FAIL_IO, "%s", why.text);
	CHECK(!scree_snapshot_read(folder, NULL, &why) && why.code == FAIL_IO, "%s", why.text);
	scree_world *w = busy_world(0);
	CHECK(!scree_snapshot_write(w, NULL, path_of("no/such/folder.snap"), &why) && why.code == FAIL_IO, "%s", why.text);
	scree_world_free(w);
}

static void a_second_name_keeps_the_old_file(void **state)
{
	(void)state;
	fail why = {0};
	unsigned char *bytes;
	size_t length;
	CHECK(scree_file_keep(path_of("k"), path_of("k.old"), &why), "nothing to keep: %s", why.text);
	CHECK(access(path_of("k.old"), F_OK) != 0, "kept what is not there");
	const char *text[] = {"one", "two", "three"};
	for (int k = 0; k < 3; ++k) {
		CHECK(scree_file_keep(path_of("k"), path_of("k.old"), &why), "%s", why.text);
		CHECK(scree_file_keep(path_of("k"), path_of("k.old"), &why), "twice: %s", why.text);
		CHECK(scree_file_write(path_of("k"), text[k], strlen(text[k]), &why), "%s", why.text);
		CHECK(scree_file_read(path_of("k"), &bytes, &length, &why) && !strcmp((char *)bytes, text[k]), "new file");
		scree_free(bytes);
		if (!k) continue;
		CHECK(scree_file_read(path_of("k.old"), &bytes, &length, &why) && !strcmp((char *)bytes, text[k - 1]),
			  "old file");
		scree_free(bytes);
	}
	char command[128];
	snprintf(command, sizeof command, "test -z \"$(ls %s | grep tmp)\"", folder);
	CHECK(system(command) == 0, "temporary files are left");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_loaded_world_goes_on_bit_for_bit),
		cmocka_unit_test(the_plan_comes_back),
		cmocka_unit_test(damage_is_refused),
		cmocka_unit_test(other_files_are_refused),
		cmocka_unit_test(a_second_name_keeps_the_old_file),
	};
	return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
