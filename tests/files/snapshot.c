/* Snapshots: a loaded state continues like the saved one; equal states produce equal bytes; damaged files are refused.
 */
#include "base/maths.h"
#include "base/memory.h"
#include "choices/choices.h"
#include "forge.h"
#include "format/file.h"
#include "format/snapshot.h"
#include "kernel/quat.h"
#include "lab.h"
#include "model/integrator.h"
#include "prepare/prepare.h"
#include "scene/scene.h"
#include "scree/world.h"
#include "state/names.h"
#include "test.h"

#include <glob.h>
#include <stdlib.h>
#include <unistd.h>

static char folder[] = "/tmp/scree_snapshot_XXXXXX";

static const char *path_of(const char *name)
{
	static char path[256];
	snprintf(path, sizeof path, "%s/%s", folder, name);
	return path;
}

/* spheres and cubes that stick and slide on a plane, in a rotating tube */
static scree_world *busy_world_by(const char *integrator)
{
	contact_rule rule = lab_hertz(0.5, 0.4);
	rule.rolling_friction = 0.02;
	scree_world *w = lab_world(rule);
	fail why = {0};
	w->model.gravity = v3(0, 0.5, -9.81);
	lab_plane(w, v3(0, 0, 0), v3(0, 0, 1));
	wall tube = scree_wall_default("tube", 0);
	tube.motion = (wall_motion){.type = MOTION_ROTATION, .axis = v3(0, 0, 1), .rate = 3, .until = INFINITY};
	CHECK(scree_walls_add_cylinder(&w->model.wall, tube, v3(0, 0, 0), v3(0, 0, 1), 0.05, INFINITY, SIDE_INSIDE, &why) >=
			  0,
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
				.seed = 1};
	s.part[0] = (mix_part){.shape = 0, .share = 1, .size = {.type = SPREAD_UNIFORM, .a = 0.006, .b = 0.01}};
	w->model.population.source = scree_copy(&s, 1, sizeof s);
	w->model.population.sources = 1;
	w->model.guard.speed = 5;
	w->model.integrator = scree_choice_find(&scree_integrators, integrator);
	lab_prepare(w, 0);
	if (w->model.integrator->gear) lab_prepare(w, w->model.safe_step); /* the longest safe step, to cover more time */
	w->model.guard.speed = 0;
	return w;
}

static scree_world *busy_world(void) { return busy_world_by("velocity_verlet"); }

static int64_t contacts_with(const scree_world *w, bool sliding)
{
	int64_t count = 0;
	for (int kind = 0; kind < PAIR_KINDS; ++kind) {
		const pair_list *l = w->state.pair + kind;
		for (contact_walk c = contact_first(l); contact_more(l, &c); ++c.row) {
			contact_look look = scree_contact_look(&w->model, &w->state, &w->work, kind, c.row);
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
	/* until the bodies have reached the plane */
	while (w->state.time < 50 * w->model.contact_time) lab_steps(w, 1);
	const int times = test_short() ? 3 : 5;
	for (int k = 0; k < times; ++k) {
		lab_steps(w, 200 + scree_random_bits(&r) % 400);
		CHECK(scree_snapshot_write(w, NULL, path_of("a.snap"), &why), "%s", why.text);
		sliding += contacts_with(w, true);
		sticking += contacts_with(w, false);
		scree_world *twin = load(path_of("a.snap"), NULL);
		CHECK(scree_world_hash(&w->model, &w->state, &w->work) ==
				  scree_world_hash(&twin->model, &twin->state, &twin->work),
			  "loading changed the state");
		same_bytes_saved(w, twin);
		for (int i = 0; i < 100; ++i) {
			lab_steps(w, 1);
			lab_steps(twin, 1);
			CHECK(scree_world_hash(&w->model, &w->state, &w->work) ==
					  scree_world_hash(&twin->model, &twin->state, &twin->work),
				  "step %d after the resume differs", i);
		}
		same_bytes_saved(w, twin);
		energy_row a = scree_world_energy(&w->model, &w->state, &w->work),
				   b = scree_world_energy(&twin->model, &twin->state, &twin->work);
		CHECK(!memcmp(&a, &b, sizeof a), "energies differ");
		scree_world_free(w);
		w = twin;
	}
	CHECK(sliding > 2 * times && sticking > 2 * times, "too few contacts slide (%lld) or stick (%lld)",
		  (long long)sliding, (long long)sticking);
	CHECK(w->state.source[0].made > 5, "the source made only %lld", (long long)w->state.source[0].made);
	CHECK(!strcmp(w->model.integrator->name, integrator), "another integrator: %s", w->model.integrator->name);
	scree_world_free(w);
}

static void resume_is_as_if_never_stopped(void **state)
{
	(void)state;
	resume_by("velocity_verlet");
}

#if SCREE_PAPERS
/* the derivatives of gear4 are also part of the state */
static void resume_by_gear_is_as_if_never_stopped(void **state)
{
	(void)state;
	resume_by("gear4");
	if (!test_short()) resume_by("gear6");
}
#endif

static void equal_states_give_equal_bytes(void **state)
{
	(void)state;
	fail why = {0};
	scree_world *w = busy_world();
	lab_steps(w, 500);
	const int64_t steps[2] = {0, 7};
	snapshot_extra extra = {.title = scree_copy_text("a title"), .resolved = scree_copy_text("scene: 1\n")};
	const real times[2] = {0, 0.25};
	extra.frames = (vtk_frames){.count = 2,
								.room = 2,
								.step = scree_copy(steps, 2, sizeof *steps),
								.time = scree_copy(times, 2, sizeof *times)};
	extra.output.images.times = 2;
	extra.output.images.at[1] = 0.5;
	snprintf(extra.output.images.color, sizeof extra.output.images.color, "size");
	CHECK(scree_snapshot_write(w, &extra, path_of("a.snap"), &why), "%s", why.text);
	snapshot_extra back = {0};
	scree_world *twin = load(path_of("a.snap"), &back);
	assert_string_equal(back.title, "a title");
	assert_string_equal(back.resolved, "scene: 1\n");
	assert_true(back.frames.count == 2 && back.frames.step[1] == 7 && back.frames.time[1] == 0.25 &&
				back.output.images.at[1] == 0.5 && !strcmp(back.output.images.color, "size"));
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
	lab_prepare(w, 1e-4); /* with a single body, the default step cannot be determined */
	assert_false(scree_snapshot_write(w, NULL, "/no/such/folder/a.snap", &why));
	assert_true(why.code == FAIL_IO && strstr(why.text, "/no/such/folder/a.snap"));
	assert_null(scree_snapshot_read("/no/such/file", NULL, &why));
	assert_true(why.code == FAIL_IO);
	scree_world_free(w);
}

/* A guard has removed bodies after the step: the remaining contacts must refer to current rows. */
static void a_world_that_lost_bodies_comes_back(void **state)
{
	(void)state;
	fail why = {0};
	scree_world *w = lab_world(lab_hertz(0.5, 0.4));
	w->model.gravity = v3(0, 0, -9.81);
	lab_plane(w, v3(0, 0, 0), v3(0, 0, 1));
	for (int k = 0; k < 4; ++k)
		lab_add_moving(w, 0, 0.01, v3(-0.02 * k, -0.3498, 0.01), quat_one(), v3(0, -9, 0), v3(0, 0, 0));
	for (int k = 0; k < 8; ++k) lab_add(w, 0, 0.01, v3(0.03 * (k / 2), 0, 0.0049 + 0.0098 * (k % 2)));
	w->model.guard = (guards){.bounded = true, .low = v3(-1, -0.35, -1), .high = v3(1, 1, 2)};
	lab_prepare(w, 5e-5);
	bool lost = false;
	for (int k = 0; k < 200 && !lost; ++k) {
		lab_steps(w, 1);
		lost = w->state.lost > 0;
	}
	CHECK(lost && w->state.body.count == 8 && w->work.touching >= 8, "%lld lost, %lld contacts",
		  (long long)w->state.lost, (long long)w->work.touching);
	CHECK(scree_snapshot_write(w, NULL, path_of("a.snap"), &why), "%s", why.text);
	scree_world *twin = load(path_of("a.snap"), NULL);
	CHECK(scree_world_hash(&w->model, &w->state, &w->work) == scree_world_hash(&twin->model, &twin->state, &twin->work),
		  "loading changed the state");
	lab_steps(w, 100);
	lab_steps(twin, 100);
	CHECK(scree_world_hash(&w->model, &w->state, &w->work) == scree_world_hash(&twin->model, &twin->state, &twin->work),
		  "the steps after the resume differ");
	scree_world_free(w);
	scree_world_free(twin);
}

/* the step was valid at the start, so resuming must not be refused because bodies now fall faster */
static void faster_bodies_do_not_stop_a_resume(void **state)
{
	(void)state;
	fail why = {0};
	scree_world *w = lab_world(lab_hertz(0.5, 0.4));
	w->model.gravity = v3(0, 0, -9.81);
	lab_plane(w, v3(0, 0, 0), v3(0, 0, 1));
	lab_add_moving(w, 0, 0.01, v3(0, 0, 50), quat_one(), v3(0, 0, -0.01), v3(0, 0, 0));
	CHECK(scree_world_prepare(w, 0.1, 0, &why), "%s", why.text);
	for (int k = 0; k < 50 && w->state.body.vz[0] > -1; ++k) lab_steps(w, 200);
	CHECK(w->state.body.vz[0] < -0.5, "it does not fall: %g m/s", w->state.body.vz[0]);
	CHECK(scree_snapshot_write(w, NULL, path_of("a.snap"), &why), "%s", why.text);
	scree_world *twin = load(path_of("a.snap"), NULL);
	CHECK(twin->model.dt == w->model.dt, "the step changed");
	scree_world_free(w);
	scree_world_free(twin);
}

/* a sphere that claims to have a face: row 0 of the shape section, after count, name, type and 13 numbers */
static void a_sphere_has_no_faces(void **state)
{
	(void)state;
	enum { FACES = 4 + 48 + SCREE_NAME + 13 * 8 + 2 * 4 };
	fail why = {0};
	scree_world *w = busy_world();
	CHECK(scree_snapshot_write(w, NULL, path_of("a.snap"), &why), "%s", why.text);
	uint8_t *bytes;
	size_t length, begin[FORGE_MOST + 1];
	assert_true(scree_file_read(path_of("a.snap"), 1 << 30, (void **)&bytes, &length, &why));
	uint64_t sections = forge_sections(bytes, length, begin), k = 0;
	while (k < sections && strcmp((char *)bytes + FORGE_HEAD + k * FORGE_ROW, "shapes") != 0) ++k;
	assert_true(k < sections && bytes[begin[k] + FACES] == 0);
	bytes[begin[k] + FACES] = 1;
	forge_hashes(bytes, length);
	assert_null(scree_snapshot_parse("a.snap", bytes, length, NULL, &why));
	assert_string_equal(why.text, "a.snap: section shapes: a round shape or a polygon has faces of a polyhedron");
	scree_free(bytes);
	scree_world_free(w);
}

/* first occurrence of these bytes in a section, or NULL */
static uint8_t *find_in(uint8_t *file, size_t length, const char *section, const char *text)
{
	size_t begin[FORGE_MOST + 1], wide = strlen(text) + 1;
	uint64_t sections = forge_sections(file, length, begin), k = 0;
	while (k < sections && strcmp((char *)file + FORGE_HEAD + k * FORGE_ROW, section) != 0) ++k;
	for (size_t at = begin[k]; k < sections && at + wide <= begin[k + 1]; ++at)
		if (!memcmp(file + at, text, wide)) return file + at;
	return NULL;
}

/* Overwrites the first occurrence of `from` in a section with `to`; the error message must contain these words. */
static void refused_in(const uint8_t *bytes, size_t length, const char *section, const char *from, const char *to,
					   const char *words)
{
	fail why = {0};
	uint8_t *file = scree_copy(bytes, length, 1), *at = find_in(file, length, section, from);
	CHECK(at && strlen(from) == strlen(to), "there is no %s", from);
	memcpy(at, to, strlen(to));
	forge_hashes(file, length);
	CHECK(!scree_snapshot_parse("a.snap", file, length, NULL, &why), "%s for %s was accepted", to, from);
	CHECK(strstr(why.text, words), "%s for %s: %s", to, from, why.text);
	scree_free(file);
}

static void refused_with(const uint8_t *bytes, size_t length, const char *from, const char *to, const char *words)
{
	refused_in(bytes, length, "contacts", from, to, words);
}

/* without the last column of sphere pairs, so that torsion has a spring but no stored energy */
static void refused_without_a_column(const uint8_t *bytes, size_t length)
{
	fail why = {0};
	uint8_t *file = scree_copy(bytes, length, 1);
	uint8_t *kind = find_in(file, length, "contacts", "sphere_sphere"),
			*last = find_in(file, length, "contacts", "twisted");
	uint8_t *first = find_in(file, length, "contacts", "sx");
	int32_t count, columns;
	assert_true(kind && first && last && kind < first && first < last);
	memcpy(&count, kind + SCREE_PAIR_NAME, 4);
	memcpy(&columns, first - 4, 4);
	size_t wide = 32 + SCREE_NAME + 8 * (size_t)count;
	CHECK(count >= 0 && columns == 11, "%d contacts, %d columns", count, columns);
	columns -= 1;
	memcpy(first - 4, &columns, 4);
	memmove(last, last + wide, length - (size_t)(last - file) - wide);
	for (size_t k = 0;; ++k) {
		uint8_t *row = file + FORGE_HEAD + k * FORGE_ROW;
		if (strcmp((char *)row, "contacts") != 0) continue;
		uint64_t size;
		memcpy(&size, row + 16, 8);
		size -= wide;
		memcpy(row + 16, &size, 8);
		break;
	}
	forge_hashes(file, length - wide);
	assert_null(scree_snapshot_parse("a.snap", file, length - wide, NULL, &why));
	assert_string_equal(
		why.text,
		"a.snap: section contacts: the contact history lacks the column 'twisted', which its other columns need");
	scree_free(file);
}

/* kinds of pairs and columns of contacts are read by name; unknown names are refused */
static void unknown_names_are_refused(void **state)
{
	(void)state;
	fail why = {0};
	scree_world *w = busy_world();
	lab_steps(w, 500);
	CHECK(scree_snapshot_write(w, NULL, path_of("a.snap"), &why), "%s", why.text);
	uint8_t *bytes;
	size_t length;
	assert_true(scree_file_read(path_of("a.snap"), 1 << 30, (void **)&bytes, &length, &why));
	refused_with(bytes, length, "sphere_sphere", "sphere_person",
				 "contacts of the kind 'sphere_person', which this version");
	refused_with(bytes, length, "sphere_convex", "sphere_sphere", "contacts of one kind twice");
	refused_with(bytes, length, "convex_wall", "sphere_wall", "contacts of one kind twice");
	refused_with(bytes, length, "bent", "bend",
				 "the contact history has the column 'bend', which this version does not support");
	refused_with(bytes, length, "sy", "sx", "a column of contacts is invalid");
	refused_without_a_column(bytes, length);
	scree_free(bytes);
	scree_world_free(w);
}

static void earlier_versions_are_named(void **state)
{
	(void)state;
	fail why = {0};
	scree_world *w = busy_world();
	CHECK(scree_snapshot_write(w, NULL, path_of("a.snap"), &why), "%s", why.text);
	uint8_t *bytes;
	size_t length;
	assert_true(scree_file_read(path_of("a.snap"), 1 << 30, (void **)&bytes, &length, &why));
	assert_true(bytes[15] == 'e');
	bytes[15] = '2';
	assert_null(scree_snapshot_parse("a.snap", bytes, length, NULL, &why));
	CHECK(strstr(why.text, "written by an earlier version of scree (snapshot 2, this one reads 6 to 14)"), "%s",
		  why.text);
	bytes[15] = '9' + 1;
	assert_null(scree_snapshot_parse("a.snap", bytes, length, NULL, &why));
	CHECK(strstr(why.text, "this is not a scree snapshot of version 6 to 14"), "%s", why.text);
	scree_free(bytes);
	scree_world_free(w);
}

/* Removes bytes from a section, making it shorter. */
static void cut(uint8_t *file, size_t *length, int section, size_t at, size_t bytes)
{
	size_t begin[FORGE_MOST + 1];
	uint64_t size;
	assert_true(forge_sections(file, *length, begin) > (uint64_t)section);
	uint8_t *const row = file + FORGE_HEAD + section * FORGE_ROW + 16, *const from = file + begin[section] + at;
	memmove(from, from + bytes, *length - begin[section] - at - bytes);
	memcpy(&size, row, sizeof size);
	size -= bytes;
	memcpy(row, &size, sizeof size);
	*length -= bytes;
}

/* removes bytes at the end of a section */
static void cut_end(uint8_t *file, size_t *length, int section, size_t bytes)
{
	size_t begin[FORGE_MOST + 1];
	assert_true(forge_sections(file, *length, begin) > (uint64_t)section);
	cut(file, length, section, begin[section + 1] - begin[section] - bytes, bytes);
}

enum { NUMBERS = 0, SHAPES = 3, WALLS = 5, POPULATION = 6, PERIODS = 7, PLAN = 9 };

/* Before version 14, superquadrics had only one exponent. */
static void version_13_is_read(void **state)
{
	(void)state;
	for (int k = 0; k < 3; ++k) {
		if (test_short() && k != 1) continue;
		fail why = {0};
		scree_world *w = lab_world(lab_hertz(0.5, 0.3));
		const int32_t row =
			scree_shapes_add_superquadric(&w->model.shape, "boxy", v3(0.5, 0.4, 0.6), k == 2 ? 2 : 4, 4, &why);
		lab_add(w, row, 0.1, v3(0.5, 0.5, 0.5));
		lab_prepare(w, 1e-4);
		lab_steps(w, 20);
		CHECK(scree_snapshot_write(w, NULL, path_of("a.snap"), &why), "%s", why.text);
		uint8_t *bytes;
		size_t length;
		assert_true(scree_file_read(path_of("a.snap"), 1 << 30, (void **)&bytes, &length, &why));
		if (k == 1) cut_end(bytes, &length, SHAPES, sizeof(real)), bytes[15] = 'd';
		forge_hashes(bytes, length);
		scree_world *twin = scree_snapshot_parse("a.snap", bytes, length, NULL, &why);
		CHECK(twin, "%s", why.text);
		const shape *s = twin->model.shape.row + row;
		assert_true(s->power_xy == (k == 2 ? 2 : 4) && s->power_z == 4);
		scree_free(bytes);
		scree_world_free(w);
		scree_world_free(twin);
	}
}

/* PNG pictures, the default, need no bytes in a snapshot; any other format is stored by name in an extra section. */
static void formats_of_pictures_are_kept(void **state)
{
	(void)state;
	fail why = {0};
	scree_world *w = busy_world();
	snapshot_extra extra = {0}, back = {0};
	uint8_t *bytes;
	size_t length, plain = 0;
	for (int k = 0; k < FORMATS; ++k) {
		extra.output.images.format = (picture_format)k;
		CHECK(scree_snapshot_write(w, &extra, path_of("a.snap"), &why), "%s", why.text);
		assert_true(scree_file_read(path_of("a.snap"), 1 << 30, (void **)&bytes, &length, &why));
		if (k == FORMAT_PNG) plain = length;
		assert_int_equal(length - plain, k == FORMAT_PNG ? 0 : 32 + SCREE_NAME);
		scree_world *twin = scree_snapshot_parse("a.snap", bytes, length, &back, &why);
		CHECK(twin, "%s", why.text);
		assert_int_equal(back.output.images.format, k);
		scree_snapshot_extra_free(&back);
		scree_world_free(twin);
		if (k == FORMAT_PDF) {
			refused_in(bytes, length, "plan", "pdf", "bmp", "unknown picture format");
			refused_in(bytes, length, "plan", "format", "formal", "an addition that this version does not support");
		}
		scree_free(bytes);
	}
	scree_world_free(w);
}

/* The colour ranges of a run are stored in an extra section; without it, each picture has its own range. */
static void ranges_of_colours_are_kept(void **state)
{
	(void)state;
	fail why = {0};
	scree_world *w = busy_world();
	snapshot_extra extra = {0}, back = {0};
	picture_scales *of = &extra.output.images.scales;
	for (int on = 0; on < 2; ++on) {
		of->on = on == 1;
		for (int k = 0; k < SCALES; ++k) of->range[k][0] = -k, of->range[k][1] = 1 + 2 * k;
		CHECK(scree_snapshot_write(w, &extra, path_of("a.snap"), &why), "%s", why.text);
		scree_world *twin = scree_snapshot_read(path_of("a.snap"), &back, &why);
		CHECK(twin, "%s", why.text);
		assert_int_equal(back.output.images.scales.on, on);
		if (on) assert_memory_equal(back.output.images.scales.range, of->range, sizeof of->range);
		scree_snapshot_extra_free(&back);
		scree_world_free(twin);
	}
	const real wrong[][2] = {{3, 3}, {3, 2}, {-INFINITY, 1}, {0, INFINITY}, {0, 1e33}};
	for (size_t k = 0; k < sizeof wrong / sizeof *wrong; ++k) {
		memcpy(of->range[SCALES - 1], wrong[k], sizeof wrong[k]);
		if (scree_snapshot_write(w, &extra, path_of("a.snap"), &why))
			CHECK(!scree_snapshot_read(path_of("a.snap"), &back, &why), "range %zu was read", k);
		CHECK(why.text[0], "no sentence");
		scree_snapshot_extra_free(&back);
	}
	scree_world_free(w);
}

/* Measures in the history are also stored in an optional section, which plans without measures do not have. */
static void measures_in_the_history_are_kept(void **state)
{
	(void)state;
	fail why = {0};
	scree_world *w = busy_world();
	snapshot_extra extra = {0}, back = {0};
	uint8_t *bytes;
	size_t length, plain = 0;
	extra.output.measures = extra.measures = 2;
	for (int k = 0; k < 2; ++k) {
		measure_plan *p = extra.output.measure + k;
		*p = (measure_plan){.every = 1 - k, .cells = {1, 1, 1}, .classes = 1, .material = -1};
		snprintf(p->name, sizeof p->name, "m%d", k);
		snprintf(extra.measure[k].name, sizeof extra.measure[k].name, "m%d", k);
	}
	for (int in = 0; in < 2; ++in) {
		measure_plan *p = extra.output.measure + 1;
		p->history = p->no_table = in;
		if (in) extra.measure[1].in_history = (flow_mark){true, 0.25, 3, 17};
		extra.output.images.format = in ? FORMAT_PDF : FORMAT_PNG; /* both additions */
		CHECK(scree_snapshot_write(w, &extra, path_of("a.snap"), &why), "%s", why.text);
		assert_true(scree_file_read(path_of("a.snap"), 1 << 30, (void **)&bytes, &length, &why));
		if (!in) plain = length;
		assert_int_equal(length - plain, in * (32 + SCREE_NAME + 32 + 2 * 2 + 2 * (1 + 3 * 8)));
		scree_world *twin = scree_snapshot_parse("a.snap", bytes, length, &back, &why);
		CHECK(twin, "%s", why.text);
		for (int k = 0; k < 2; ++k) {
			assert_int_equal(back.output.measure[k].history, k && in);
			assert_int_equal(back.output.measure[k].no_table, k && in);
			assert_int_equal(back.measure[k].in_history.count, k && in ? 17 : 0);
		}
		NEAR(back.measure[1].in_history.time, in ? 0.25 : 0, 0, "time of the last row");
		assert_int_equal(back.output.images.format, in ? FORMAT_PDF : FORMAT_PNG);
		scree_snapshot_extra_free(&back);
		scree_world_free(twin);
		if (in)
			refused_in(bytes, length, "plan", "history of measures", "habitat of measures",
					   "an addition that this version does not support");
		scree_free(bytes);
	}
	extra.output.measure[1].cells[2] = 2;
	CHECK(scree_snapshot_write(w, &extra, path_of("a.snap"), &why), "%s", why.text);
	CHECK(!scree_snapshot_read(path_of("a.snap"), &back, &why), "it is read");
	CHECK(strstr(why.text, "a measure with several rows is in the history"), "%s", why.text);
	scree_world_free(w);
}

/* deforms: whether the cell changes size */
static void as_version_12(uint8_t *file, size_t *length, bool deforms)
{
	if (deforms) cut_end(file, length, PERIODS, 1 + sizeof(int32_t) + sizeof(real));
	file[15] = 'c';
	forge_hashes(file, *length);
}

/* Before version 13, implicit steps did not store friction springs, as a note in the report says. */
static void lost_springs_are_told(void **state)
{
	(void)state;
	static const char scene[] =
		"scene: 1\nmaterials: {stone: {density: 2500 kg/m^3, young: 1 MPa}}\n"
		"shapes: {ball: {sphere: {diameter: 1}}}\n"
		"fill: [{lattice: {spacing: 2 mm, count: [1, 1, 1]}, region: {box: {min: [0, 0, 0], max: [1 m, 1 m, 1 m]}}, "
		"material: stone, shape: ball, size: 1 mm}]\n"
		"run: {until: 1 s, step: 1 ms, response: implicit}\n";
	scree_problems *problems = NULL;
	scree_sim *s = scree_sim_open(&(scree_open_options){.text = scene, .threads = 1}, &problems);
	CHECK(s, "%s", scree_problems_text(problems));
	assert_int_equal(scree_sim_step(s, 3), SCREE_DONE);
	assert_int_equal(scree_sim_save(s, path_of("now.snap")), SCREE_DONE);
	scree_sim_close(s);
	fail why = {0};
	uint8_t *bytes;
	size_t length;
	scree_world *w = scree_snapshot_read(path_of("now.snap"), NULL, &why);
	CHECK(w, "%s", why.text);
	const snapshot_extra bare = {.title = "", .resolved = (char *)(uintptr_t)scene}; /* older than colour ranges */
	CHECK(scree_snapshot_write(w, &bare, path_of("now.snap"), &why), "%s", why.text);
	scree_world_free(w);
	assert_true(scree_file_read(path_of("now.snap"), 1 << 30, (void **)&bytes, &length, &why));
	as_version_12(bytes, &length, false);
	assert_true(scree_file_write(path_of("before.snap"), bytes, length, &why));
	scree_free(bytes);
	for (int before = 0; before < 2; ++before) {
		s = scree_sim_restore(path_of(before ? "before.snap" : "now.snap"), 1, &problems);
		CHECK(s, "%s", scree_problems_text(problems));
		assert_true((strstr(scree_sim_notes(s), "begin without them") != NULL) == (before == 1));
		scree_sim_close(s);
	}
	unlink(path_of("now.snap"));
	unlink(path_of("before.snap"));
}

/* Before version 13, the stresses of a cell were constant. */
static void version_12_is_read(void **state)
{
	(void)state;
	fail why = {0};
	scree_world *w = lab_world(lab_linear(1e4, 0.5, 0));
	lab_periods(w, "xyz", v3(0, 0, 0), v3(1, 1, 1));
	w->model.period.deforms = true;
	w->model.cell.rate = v3(-1, 0, 0.5);
	lab_add(w, 0, 0.1, v3(0.5, 0.5, 0.5));
	lab_prepare(w, 1e-4);
	lab_steps(w, 20);
	CHECK(scree_snapshot_write(w, NULL, path_of("a.snap"), &why), "%s", why.text);
	uint8_t *bytes;
	size_t length;
	assert_true(scree_file_read(path_of("a.snap"), 1 << 30, (void **)&bytes, &length, &why));
	as_version_12(bytes, &length, true);
	scree_world *twin = scree_snapshot_parse("a.snap", bytes, length, NULL, &why);
	CHECK(twin, "%s", why.text);
	assert_true(scree_world_hash(&w->model, &w->state, &w->work) ==
				scree_world_hash(&twin->model, &twin->state, &twin->work));
	scree_free(bytes);
	scree_world_free(w);
	scree_world_free(twin);
}

/* Before version 12, pictures had fewer options: six flags, four words, and the number of colours. */
static void as_version_11(uint8_t *file, size_t *length)
{
	cut_end(file, length, PLAN, 6 + 4 * SCREE_NAME + sizeof(int32_t));
	file[15] = 'b';
}

/* Version 8 had only one material per source, and no sources by mass, counting planes, trajectories or films. Walls had
 * no tables, only one motion each, and no materials of their own. Before version 10, no cell could change size. */
static void as_version_8(uint8_t *file, size_t *length, const scree_world *w)
{
	const population *p = &w->model.population;
	size_t bytes = 0;
	for (int32_t k = 0; k < p->sources; ++k) bytes += (size_t)p->source[k].parts * sizeof(int32_t) + 5 * sizeof(real);
	as_version_11(file, length);
	cut_end(file, length, PLAN, 3 + 9 * sizeof(int64_t));
	cut_end(file, length, PERIODS, 1);
	cut_end(file, length, POPULATION, bytes + sizeof(int32_t));
	cut_end(file, length, WALLS, (size_t)w->model.wall.count * (4 * sizeof(int32_t) + 2));
	file[15] = '8';
}

/* Version 7 had no stages, no motions that begin during a run, no idle sources and sinks, no record, no measures, no
 * table of contacts, and no count of bodies per file. */
static void as_version_7(uint8_t *file, size_t *length, const scree_world *w)
{
	const population *p = &w->model.population;
	as_version_8(file, length, w);
	cut_end(file, length, PLAN, 3 * sizeof(int32_t) + 2 + 6 * sizeof(int64_t));
	cut_end(file, length, POPULATION, (size_t)p->sources * (sizeof(int64_t) + 1) + (size_t)p->sinks);
	cut_end(file, length, WALLS, (size_t)w->model.wall.count);
	cut_end(file, length, NUMBERS, sizeof(int32_t));
	file[15] = '7';
}

static void version_11_is_read(void **state)
{
	(void)state;
	fail why = {0};
	scree_world *w = busy_world();
	snapshot_extra extra = {0}, back = {0};
	extra.output.images.no_title = true;
	extra.output.images.map = MAP_GREYS;
	CHECK(scree_snapshot_write(w, &extra, path_of("a.snap"), &why), "%s", why.text);
	uint8_t *bytes;
	size_t length;
	assert_true(scree_file_read(path_of("a.snap"), 1 << 30, (void **)&bytes, &length, &why));
	for (int old = 0; old < 2; ++old) {
		if (old) as_version_11(bytes, &length);
		forge_hashes(bytes, length);
		scree_world *twin = scree_snapshot_parse("a.snap", bytes, length, &back, &why);
		CHECK(twin, "%s", why.text);
		assert_true(back.output.images.map == (old ? MAP_AUTO : MAP_GREYS) && back.output.images.no_title == !old);
		scree_snapshot_extra_free(&back);
		scree_world_free(twin);
	}
	scree_free(bytes);
	scree_world_free(w);
}

/* Before version 11, stages did not store the cell in which they began. */
static void version_10_is_read(void **state)
{
	(void)state;
	fail why = {0};
	scree_world *w = busy_world();
	w->state.stage = (stage_state){.count = 1, .since = -1, .reference = 3, .cell = v3(1, 2, 3)};
	lab_steps(w, 20);
	CHECK(scree_snapshot_write(w, NULL, path_of("a.snap"), &why), "%s", why.text);
	uint8_t *bytes;
	size_t length;
	assert_true(scree_file_read(path_of("a.snap"), 1 << 30, (void **)&bytes, &length, &why));
	as_version_11(bytes, &length);
	cut_end(bytes, &length, NUMBERS, 3 * sizeof(real));
	bytes[15] = 'a';
	forge_hashes(bytes, length);
	scree_world *twin = scree_snapshot_parse("a.snap", bytes, length, NULL, &why);
	CHECK(twin, "%s", why.text);
	assert_true(twin->state.stage.reference == 3 && v3_norm2(twin->state.stage.cell) == 0);
	assert_true(scree_world_hash(&w->model, &w->state, &w->work) ==
				scree_world_hash(&twin->model, &twin->state, &twin->work));
	scree_free(bytes);
	scree_world_free(w);
	scree_world_free(twin);
}

static void version_8_is_read(void **state)
{
	(void)state;
	fail why = {0};
	scree_world *w = busy_world();
	lab_steps(w, 20);
	CHECK(scree_snapshot_write(w, NULL, path_of("a.snap"), &why), "%s", why.text);
	uint8_t *bytes;
	size_t length;
	assert_true(scree_file_read(path_of("a.snap"), 1 << 30, (void **)&bytes, &length, &why));
	as_version_8(bytes, &length, w);
	forge_hashes(bytes, length);
	snapshot_extra back = {0};
	scree_world *twin = scree_snapshot_parse("a.snap", bytes, length, &back, &why);
	CHECK(twin, "%s", why.text);
	assert_true(twin->model.flow.count == 0 && !back.output.table[PLAN_TABLES - 1].on);
	assert_true(scree_world_hash(&w->model, &w->state, &w->work) ==
				scree_world_hash(&twin->model, &twin->state, &twin->work));
	scree_snapshot_extra_free(&back);
	scree_free(bytes);
	scree_world_free(w);
	scree_world_free(twin);
}

/* Version 6 had no record of changes of the time step, no flag for the first step, and no frame times. */
static void version_6_is_read(void **state)
{
	(void)state;
	enum { AFTER_STEP = 24, AFTER_RATE = 68 };
	fail why = {0};
	scree_world *w = busy_world();
	lab_steps(w, 700);
	const int64_t steps[2] = {0, 300};
	const real times[2] = {0, 300 * w->model.dt};
	snapshot_extra extra = {.frames = {.count = 2,
									   .room = 2,
									   .step = scree_copy(steps, 2, sizeof *steps),
									   .time = scree_copy(times, 2, sizeof *times)}};
	CHECK(scree_snapshot_write(w, &extra, path_of("a.snap"), &why), "%s", why.text);
	uint8_t *bytes;
	size_t length, begin[FORGE_MOST + 1];
	assert_true(scree_file_read(path_of("a.snap"), 1 << 30, (void **)&bytes, &length, &why));
	assert_true(forge_sections(bytes, length, begin) == PLAN + 1);
	as_version_7(bytes, &length, w);
	cut_end(bytes, &length, PLAN, sizeof times);
	cut(bytes, &length, PERIODS, AFTER_RATE, 2 * sizeof(int64_t));
	cut(bytes, &length, NUMBERS, AFTER_STEP, 3 * sizeof(int64_t) + 1);
	bytes[15] = '6';
	forge_hashes(bytes, length);
	snapshot_extra back = {0};
	scree_world *twin = scree_snapshot_parse("a.snap", bytes, length, &back, &why);
	CHECK(twin, "%s", why.text);
	assert_true(twin->state.begun && back.frames.count == 2 && back.frames.time[1] == times[1]);
	for (int k = 0; k < 50; ++k) {
		lab_steps(w, 1);
		lab_steps(twin, 1);
		CHECK(scree_world_hash(&w->model, &w->state, &w->work) ==
				  scree_world_hash(&twin->model, &twin->state, &twin->work),
			  "step %d differs", k);
	}
	scree_snapshot_extra_free(&extra);
	scree_snapshot_extra_free(&back);
	scree_free(bytes);
	scree_world_free(w);
	scree_world_free(twin);
}

/* Data that a loader recomputes for comparison is identical, even for thin shapes and crumpled meshes. */
static void all_shapes_and_meshes_come_back(void **state)
{
	(void)state;
	enum { POINTS = 24 };
	FOR_SEEDS(4)
	{
		fail why = {0};
		random_stream r = scree_random_start(test_seed, 9);
		scree_world *w = lab_world(lab_linear(1e4, 0.5, 0.5));
		for (int k = 0; k < 60; ++k) {
			vec3 p[POINTS],
				scale = v3(1, scree_exp(-scree_random_between(&r, 0, 6)), scree_exp(-scree_random_between(&r, 0, 6)));
			quat turn = scree_random_rotation(&r);
			for (int i = 0; i < POINTS; ++i) {
				vec3 d = scree_random_direction(&r);
				p[i] = v3_add(v3(k, 0, 0), quat_rotate(turn, v3(scale.x * d.x, scale.y * d.y, scale.z * d.z)));
			}
			int32_t count = 4 + (int32_t)(scree_random_bits(&r) % (POINTS - 3));
			CHECK(scree_shapes_add_hull(&w->model.shape, "hull", count, p, &why) >= 0, "%s", why.text);
		}
		for (int k = 0; k < 8; ++k) {
			vec3 p[POINTS];
			int32_t corner[3 * POINTS];
			for (int i = 0; i < POINTS; ++i) p[i] = v3_mul(scree_random_real(&r), scree_random_direction(&r));
			for (int i = 0; i < 3 * POINTS; ++i) corner[i] = (int32_t)(scree_random_bits(&r) % POINTS);
			wall o = scree_wall_default("crumpled", 0);
			o.two_sided = k % 2;
			CHECK(scree_walls_add_mesh(&w->model.wall, o, POINTS, p, POINTS, corner, &why) >= 0, "%s", why.text);
		}
		lab_add(w, 2, 0.01, v3(0, 0, 9));
		lab_prepare(w, 1e-8);
		CHECK(scree_snapshot_write(w, NULL, path_of("a.snap"), &why), "%s", why.text);
		scree_world *twin = load(path_of("a.snap"), NULL);
		same_bytes_saved(w, twin);
		scree_world_free(w);
		scree_world_free(twin);
	}
}

/* Each number in a snapshot is replaced, one at a time, by an invalid value, with correct hashes: the snapshot is
 * either refused with an error message, or yields a usable world. */
static void forged_files_are_refused_or_harmless(void **state)
{
	(void)state;
	glob_t found;
	assert_int_equal(glob("scenes/*.scene.yaml", 0, NULL, &found), 0);
	int64_t refused = 0, taken = 0;
	for (size_t i = 0; i < found.gl_pathc; ++i) {
		if (!test_drawn((int64_t)i)) continue;
		const char *path = found.gl_pathv[i];
		fail why = {0};
		scene s;
		char *report = NULL;
		if (!scree_scene_load(path, 0, NULL, &s, &report)) {
			CHECK(lab_left_out(report), "%s:\n%s", path, report);
			scree_free(report);
			continue;
		}
		lab_steps(s.world, 30);
		uint64_t hash = scree_world_hash(&s.world->model, &s.world->state, &s.world->work);
		snapshot_extra extra = {.title = s.title, .resolved = s.resolved, .run = s.run, .output = s.output};
		CHECK(scree_snapshot_write(s.world, &extra, path_of("a.snap"), &why), "%s", why.text);
		scree_scene_free(&s);
		uint8_t *bytes;
		size_t length, begin[FORGE_MOST + 1];
		CHECK(scree_file_read(path_of("a.snap"), 1 << 30, (void **)&bytes, &length, &why), "%s", why.text);
		uint64_t sections = forge_sections(bytes, length, begin);
		CHECK(sections > 5 && begin[sections] == length, "%d sections", (int)sections);
		scree_world *as_it_is = load(path_of("a.snap"), NULL);
		CHECK(scree_world_hash(&as_it_is->model, &as_it_is->state, &as_it_is->work) == hash,
			  "%s: loading changed the state", path);
		scree_world_free(as_it_is);
		FOR_SEEDS(60)
		{
			random_stream r = scree_random_start(test_seed, 100 + i);
			uint64_t k = scree_random_bits(&r) % sections, size = begin[k + 1] - begin[k];
			size_t at = scree_random_bits(&r) % size;
			uint8_t *file = scree_copy(bytes, length, 1);
			forge_number(file + begin[k] + at, size - at, scree_random_bits(&r));
			forge_hashes(file, length);
			why.text[0] = 0;
			int64_t used = scree_memory_used();
			scree_world *w = scree_snapshot_parse("forged", file, length, NULL, &why);
			CHECK(w || !strncmp(why.text, "forged: ", 8), "%s: no sentence", path);
			++*(w ? &taken : &refused);
			if (w)
				forge_use(w,
						  test_seed % 32 == 1 ? path_of("b.snap") : NULL); /* rarely, because writing to disk is slow */
			scree_world_free(w);
			CHECK(scree_memory_used() == used, "%s: %lld bytes left", path, (long long)(scree_memory_used() - used));
			scree_free(file);
		}
		scree_free(bytes);
	}
	CHECK(refused > 0 && taken > 0, "%lld refused, %lld taken", (long long)refused, (long long)taken);
	globfree(&found);
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
		cmocka_unit_test(resume_is_as_if_never_stopped),
#if SCREE_PAPERS
		cmocka_unit_test(resume_by_gear_is_as_if_never_stopped),
#endif
		cmocka_unit_test(equal_states_give_equal_bytes),
		cmocka_unit_test(a_world_that_lost_bodies_comes_back),
		cmocka_unit_test(faster_bodies_do_not_stop_a_resume),
		cmocka_unit_test(damaged_files_are_refused),
		cmocka_unit_test(files_that_cannot_be_written_say_so),
		cmocka_unit_test(forged_files_are_refused_or_harmless),
		cmocka_unit_test(a_sphere_has_no_faces),
		cmocka_unit_test(unknown_names_are_refused),
		cmocka_unit_test(earlier_versions_are_named),
		cmocka_unit_test(version_13_is_read),
		cmocka_unit_test(formats_of_pictures_are_kept),
		cmocka_unit_test(ranges_of_colours_are_kept),
		cmocka_unit_test(measures_in_the_history_are_kept),
		cmocka_unit_test(version_12_is_read),
		cmocka_unit_test(lost_springs_are_told),
		cmocka_unit_test(version_11_is_read),
		cmocka_unit_test(version_10_is_read),
		cmocka_unit_test(version_8_is_read),
		cmocka_unit_test(version_6_is_read),
		cmocka_unit_test(all_shapes_and_meshes_come_back),
	};
	return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
