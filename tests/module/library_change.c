/* The library's handle: bodies are changed, added, removed and placed; gravity and materials are set. */
#include "module/library_help.h"

#include <math.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/maths.h"

static double *column(scree_sim *s, const char *name)
{
	scree_array a;
	LIBRARY_DO(s, scree_sim_array(s, name, &a));
	return a.data;
}

static double at(scree_sim *s, const char *name, uint64_t id)
{
	const int64_t row = scree_sim_row(s, id);
	CHECK(row >= 0, "there is no body %llu", (unsigned long long)id);
	return column(s, name)[row];
}

static scree_ledger ledger_of(scree_sim *s)
{
	scree_ledger e;
	LIBRARY_DO(s, scree_sim_ledger(s, &e));
	return e;
}

#define GRAVITY "world: {gravity: [0 m/s^2, 0 m/s^2, -9.81 m/s^2]}\nrun: {until: 1 s, step: 20 us}\n"
/* a second ball, placed by a lattice in the scene */
#define SECOND                                                                                                         \
	"  - {lattice: {spacing: 20 mm}, region: {box: {min: [20 mm, 0 m, 0 m], max: [40 mm, 20 mm, 20 mm]}}, "            \
	"material: m, shape: ball, size: 8 mm, velocity: [-0.2 m/s, 0 m/s, 0.1 m/s]}\n"
#define FIRST                                                                                                          \
	LIBRARY_ROUND                                                                                                      \
	"walls: {floor: {plane: {point: [0 m, 0 m, 0 m], normal: [0, 0, 1]}, material: m}}\n"                              \
	"fill:\n"                                                                                                          \
	"  - {lattice: {spacing: 20 mm}, region: {box: {min: [0 m, 0 m, 0 m], max: [20 mm, 20 mm, 20 mm]}}, material: m, " \
	"shape: ball, size: 10 mm}\n"

static const scree_body second = {
	.shape = "ball", .material = "m", .size = 8e-3, .position = {30e-3, 10e-3, 10e-3}, .velocity = {-0.2, 0, 0.1}};

/* a body added before the first step is equivalent to one defined in the scene */
static void added_bodies_are_those_of_a_scene(void **state)
{
	(void)state;
	scree_sim *both = library_text(FIRST SECOND GRAVITY), *one = library_text(FIRST GRAVITY);
	uint64_t id = 0;
	LIBRARY_DO(one, scree_sim_add(one, 1, &second, &id));
	CHECK(id == 2 && scree_sim_bodies(one) == 2, "id %llu", (unsigned long long)id);
	CHECK(scree_sim_hash(one) == scree_sim_hash(both), "before a step");
	LIBRARY_DO(one, scree_sim_step(one, 8000)); /* they hit each other and the floor */
	LIBRARY_DO(both, scree_sim_step(both, 8000));
	CHECK(scree_sim_hash(one) == scree_sim_hash(both), "after some steps");
	CHECK(ledger_of(both).lost_friction > 0, "they did not meet");
	scree_sim_close(one);
	scree_sim_close(both);
}

/* a body removed before the first step has no effect at all */
static void removed_bodies_are_gone(void **state)
{
	(void)state;
	scree_sim *both = library_text(FIRST SECOND GRAVITY), *one = library_text(FIRST GRAVITY);
	LIBRARY_DO(both, scree_sim_remove(both, 1, (uint64_t[]){2}));
	CHECK(scree_sim_bodies(both) == 1 && scree_sim_row(both, 2) == -1, "it is still there");
	LIBRARY_DO(both, scree_sim_step(both, 4000));
	LIBRARY_DO(one, scree_sim_step(one, 4000));
	NEAR(at(both, "z", 1), at(one, "z", 1), 0, "height"), NEAR(at(both, "vz", 1), at(one, "vz", 1), 0, "velocity");
	NEAR(ledger_of(both).residual, ledger_of(one).residual, 1e-15, "residual");
	CHECK(scree_sim_remove(both, 1, (uint64_t[]){2}) == SCREE_BAD_INPUT, "removed twice");
	CHECK(scree_sim_remove(both, 1, (uint64_t[]){0}) == SCREE_BAD_INPUT, "0 is no body");
	LIBRARY_DO(both, scree_sim_remove(both, 1, (uint64_t[]){1}));
	LIBRARY_DO(both, scree_sim_step(both, 10));
	NEAR(ledger_of(both).kinetic, 0, 0, "energy of no body");
	scree_sim_close(one);
	scree_sim_close(both);
}

/* bodies are added and removed in the middle of a run: their energy counts as `brought`, and the energy balance still
 * closes */
static void the_ledger_follows(void **state)
{
	(void)state;
	scree_sim *s = library_text(FIRST GRAVITY);
	LIBRARY_DO(s, scree_sim_step(s, 3000));
	const scree_ledger before = ledger_of(s);
	scree_body three[3] = {second, second, second};
	uint64_t id;
	for (int k = 0; k < 3; ++k) three[k].position[0] += 0.02 * k;
	LIBRARY_DO(s, scree_sim_add(s, 3, three, &id));
	const double mass = at(s, "mass", id), one = mass * (9.81 * 0.01 + 0.05 / 2);
	scree_ledger now = ledger_of(s);
	NEAR(mass, 2500 * SCREE_PI / 6 * 512e-9, 1e-15, "mass");
	NEAR(now.brought - before.brought, 3 * one, 1e-14, "brought by three");
	NEAR(now.residual, before.residual, 1e-14, "residual with them");
	LIBRARY_DO(s, scree_sim_remove(s, 2, (uint64_t[]){id + 2, id}));
	now = ledger_of(s);
	NEAR(now.brought - before.brought, one, 1e-14, "brought by one");
	LIBRARY_DO(s, scree_sim_step(s, 10000)); /* it hits the first ball and the floor */
	now = ledger_of(s);
	CHECK(now.lost_friction > before.lost_friction, "nothing met");
	NEAR(now.residual, before.residual, 1e-3 * one, "residual later");
	CHECK(scree_sim_row(s, id + 1) >= 0 && scree_sim_row(s, id) == -1, "ids");
	scree_sim_close(s);
}

static void check_refused(scree_sim *s, scree_body b, const char *words)
{
	const uint64_t hash = scree_sim_hash(s);
	CHECK(scree_sim_add(s, 1, &b, NULL) == SCREE_BAD_INPUT, "added in spite of: %s", words);
	CHECK(strstr(scree_sim_error(s), words), "%s", scree_sim_error(s));
	CHECK(scree_sim_hash(s) == hash, "it is changed: %s", words);
}

static void refused_bodies_change_nothing(void **state)
{
	(void)state;
	scree_sim *s = library_text(FIRST GRAVITY);
	for (int steps = 0; steps < 2; ++steps) {
		scree_body b = second;
		b.shape = "cube", check_refused(s, b, "shape 'cube'"), b = second;
		b.material = NULL, check_refused(s, b, "material ''"), b = second;
		b.size = 0, check_refused(s, b, "size of 0"), b = second;
		b.size = (double)NAN, check_refused(s, b, "size"), b = second;
		b.position[1] = (double)INFINITY, check_refused(s, b, "not a number"), b = second;
		b.velocity[2] = (double)NAN, check_refused(s, b, "not a number"), b = second;
		b.orientation[0] = (double)NAN, check_refused(s, b, "orientation"), b = second;
		/* contacts of a tiny ball are too brief for the time step */
		b.size = 1e-6, check_refused(s, b, "the time step");
		CHECK(scree_sim_add(s, -1, &second, NULL) == SCREE_BAD_INPUT, "-1 bodies");
		CHECK(scree_sim_add(s, INT64_MAX, &second, NULL) == SCREE_BAD_INPUT, "too many");
		CHECK(scree_sim_add(s, 1, NULL, NULL) == SCREE_BAD_INPUT, "no body");
		CHECK(scree_sim_add(s, 0, NULL, NULL) == SCREE_DONE, "none at all");
		CHECK(scree_sim_remove(s, 2, (uint64_t[]){1, 1}) == SCREE_BAD_INPUT, "twice the same");
		const scree_body pair[2] = {second, {.shape = "ball"}};
		CHECK(scree_sim_add(s, 2, pair, NULL) == SCREE_BAD_INPUT && scree_sim_bodies(s) == 1, "one of two");
		LIBRARY_DO(s, scree_sim_step(s, 3000));
	}
	scree_sim_close(s);
}

/* ------------------------------------------------------------------ arrays */

/* writing velocities changes `brought`; the ball then moves according to its equation of motion */
static void velocities_can_be_written(void **state)
{
	(void)state;
	scree_sim *s = library_text(FIRST GRAVITY);
	for (int announced = 0; announced < 2; ++announced) {
		LIBRARY_DO(s, scree_sim_step(s, 100));
		const scree_ledger before = ledger_of(s);
		if (announced) LIBRARY_DO(s, scree_sim_changing(s));
		column(s, "vx")[0] = 0.5;
		column(s, "vz")[0] = 2;
		column(s, "wy")[0] = 100;
		LIBRARY_DO(s, scree_sim_changed(s, SCREE_VELOCITIES));
		const scree_ledger now = ledger_of(s);
		const double mass = at(s, "mass", 1), turning = 0.4 * mass * 25e-6 * 1e4 / 2;
		NEAR(now.kinetic, mass * 4.25 / 2 + turning, 1e-12, "kinetic");
		NEAR(now.brought - before.brought, now.kinetic - before.kinetic, 1e-12, "brought");
		const double z = at(s, "z", 1), x = at(s, "x", 1), t = 1000 * scree_sim_step_length(s);
		LIBRARY_DO(s, scree_sim_step(s, 1000));
		NEAR(at(s, "z", 1), z + 2 * t - 9.81 / 2 * t * t, 1e-12, "height");
		NEAR(at(s, "x", 1), x + 0.5 * t, 1e-12, "path");
		NEAR(at(s, "wy", 1), 100, 1e-10, "angular velocity");
		NEAR(ledger_of(s).residual, 0, 1e-12, "residual");
	}
	scree_sim_close(s);
}

/* orientations are written in the axes of the scene, as quaternions of any length */
static void orientations_can_be_written(void **state)
{
	(void)state;
	scree_sim *s = library_text(
		"scene: 1\nmaterials: {m: {density: 2500 kg/m^3, young: 1 MPa, poisson: 0.25}}\n"
		"contacts: {default: {restitution: 0.5, friction: 0.3}}\n"
		"shapes: {l: {clump: {centers: [[0, 0, 0], [1, 0, 0], [2, 0, 0], [0, 1, 0.5]], radii: [0.6, 0.6, 0.6, 0.6]}}}\n"
		"walls: {floor: {plane: {point: [0 m, 0 m, -1 m], normal: [0, 0, 1]}, material: m}}\n"
		"fill: [{lattice: {spacing: 60 mm}, region: {box: {min: [0 m, 0 m, 0 m], max: [60 mm, 60 mm, 60 mm]}}, "
		"material: m, shape: l, size: 10 mm}]\nrun: {until: 1 s}\n");
	column(s, "qw")[0] = 3;
	column(s, "qx")[0] = 0;
	column(s, "qy")[0] = 4;
	LIBRARY_DO(s, scree_sim_changed(s, SCREE_POSITIONS));
	NEAR(at(s, "qw", 1), 0.6, 1e-14, "qw"), NEAR(at(s, "qy", 1), 0.8, 1e-14, "qy");
	LIBRARY_DO(s, scree_sim_place(s, 1, NULL, (double[4]){0, 0, 0, -2}, NULL, NULL));
	NEAR(fabs(at(s, "qz", 1)), 1, 1e-14, "qz"), NEAR(at(s, "qw", 1), 0, 1e-14, "qw");
	NEAR(at(s, "size", 1), 10e-3, 1e-17, "size of the scene");
	column(s, "qw")[0] = column(s, "qx")[0] = column(s, "qy")[0] = column(s, "qz")[0] = 0;
	CHECK(scree_sim_changed(s, SCREE_POSITIONS) == SCREE_BAD_INPUT, "no orientation");
	scree_sim_close(s);
}

/* never returns the same memory twice, so a block that is freed and allocated again has a different address */
static void *never_twice(void *context, void *block, size_t size)
{
	static _Alignas(64) unsigned char arena[1 << 26];
	static _Atomic size_t used;
	(void)context;
	if (block) return NULL;
	const size_t at = atomic_fetch_add(&used, (size + 63) & ~(size_t)63);
	return at + size <= sizeof arena ? arena + at : NULL;
}

/* Columns that are copies keep their addresses while the epoch is unchanged, and contain the values as of the last
 * call. */
static void copies_stay_where_they_are(void **state)
{
	(void)state;
	scree_on_memory(never_twice, NULL);
	scree_sim *s = library_text(FIRST GRAVITY);
	LIBRARY_DO(s, scree_sim_place(s, 1, NULL, NULL, NULL, (double[3]){0, 50, 0}));
	LIBRARY_DO(s, scree_sim_step(s, 1));
	const double *qw = column(s, "qw"), first = qw[0];
	const uint64_t epoch = scree_sim_epoch(s);
	LIBRARY_DO(s, scree_sim_step(s, 100));
	CHECK(scree_sim_epoch(s) == epoch, "the epoch changed, so that this shows nothing");
	const double *size = column(s, "size");
	CHECK(qw == column(s, "qw") && size == column(s, "size"), "they have moved");
	NEAR(qw[0], cos(50 * scree_sim_time(s) / 2), 1e-9, "orientation after the steps");
	CHECK(qw[0] != first, "it did not turn");
	scree_sim_close(s);
	scree_on_memory(NULL, NULL);
}

static void orientations_belong_to_positions(void **state)
{
	(void)state;
	scree_sim *s = library_text(FIRST GRAVITY);
	LIBRARY_DO(s, scree_sim_step(s, 1));
	column(s, "vx")[0] = 0.1;
	column(s, "qy")[0] = 1;
	CHECK(scree_sim_changed(s, SCREE_VELOCITIES) == SCREE_BAD_INPUT, "the orientation is lost");
	CHECK(strstr(scree_sim_error(s), "SCREE_POSITIONS"), "%s", scree_sim_error(s));
	LIBRARY_DO(s, scree_sim_changed(s, SCREE_VELOCITIES | SCREE_POSITIONS));
	NEAR(at(s, "qy", 1), sqrt(0.5), 1e-12, "qy"), NEAR(at(s, "vx", 1), 0.1, 0, "vx");
	LIBRARY_DO(s, scree_sim_changed(s, SCREE_VELOCITIES));
	scree_sim_close(s);
}

static void values_that_cannot_be_are_refused(void **state)
{
	(void)state;
	scree_sim *s = library_text(FIRST GRAVITY);
	LIBRARY_DO(s, scree_sim_step(s, 10));
	const double x = column(s, "x")[0];
	column(s, "x")[0] = (double)NAN;
	CHECK(scree_sim_changed(s, SCREE_POSITIONS) == SCREE_BAD_INPUT && strstr(scree_sim_error(s), "body 1"), "%s",
		  scree_sim_error(s));
	CHECK(scree_sim_step(s, 1) == SCREE_BAD_INPUT && scree_sim_steps(s) == 10, "it steps with a NaN");
	CHECK(scree_sim_set_gravity(s, (double[3]){0, 0, 0}) == SCREE_BAD_INPUT, "it is changed with a NaN");
	CHECK(scree_sim_remove(s, 1, (uint64_t[]){99}) == SCREE_BAD_INPUT, "there is no such body");
	CHECK(scree_sim_wall(s, 99, NULL) == SCREE_BAD_INPUT && strstr(scree_sim_error(s), "wall 99"), "no such wall");
	CHECK(scree_sim_step(s, 1) == SCREE_BAD_INPUT && strstr(scree_sim_error(s), "body 1"), "the reason is: %s",
		  scree_sim_error(s));
	column(s, "x")[0] = x;
	LIBRARY_DO(s, scree_sim_changed(s, SCREE_POSITIONS));
	LIBRARY_DO(s, scree_sim_step(s, 1));
	CHECK(scree_sim_changed(s, 4) == SCREE_BAD_INPUT, "unknown changes");
	scree_sim_close(s);

	scree_sim *fresh = library_text(FIRST GRAVITY);
	column(fresh, "vx")[0] = (double)INFINITY;
	CHECK(scree_sim_changed(fresh, SCREE_VELOCITIES) == SCREE_BAD_INPUT, "infinite velocity before the first step");
	(void)scree_sim_hash(fresh);
	scree_cursor c = {0};
	scree_contact k;
	CHECK(!scree_sim_next_contact(fresh, &c, &k), "there is a contact");
	scree_sim_close(fresh);
}

static void flat_worlds_stay_flat(void **state)
{
	(void)state;
	scree_sim *s = library_text(
		"scene: 1\nworld: {dimension: 2}\nmaterials: {m: {density: 2500 kg/m^3, young: 1 MPa}}\n"
		"shapes: {d: {disc: 1}}\nwalls: {floor: {line: {point: [0 m, 0 m], normal: [0, 1]}, material: m}}\n"
		"fill: [{lattice: {spacing: 20 mm}, region: {box: {min: [0 m, 0 m], max: [20 mm, 20 mm]}}, material: m, "
		"shape: d, size: 10 mm}]\nrun: {until: 1 s}\n");
	CHECK(scree_sim_place(s, 1, (double[3]){0, 0.1, 0.1}, NULL, NULL, NULL) == SCREE_BAD_INPUT, "out of the plane");
	CHECK(scree_sim_place(s, 1, NULL, NULL, NULL, (double[3]){1, 0, 0}) == SCREE_BAD_INPUT, "out of the plane");
	CHECK(scree_sim_set_gravity(s, (double[3]){0, 0, -9.81}) == SCREE_BAD_INPUT, "gravity out of the plane");
	const scree_body b = {.shape = "d", .material = "m", .size = 0.01, .position = {0.1, 0.1, 0.1}};
	CHECK(scree_sim_add(s, 1, &b, NULL) == SCREE_BAD_INPUT, "added out of the plane");
	LIBRARY_DO(s, scree_sim_place(s, 1, (double[3]){0, 0.1, 0}, (double[4]){1, 0, 0, 1}, NULL, (double[3]){0, 0, 5}));
	LIBRARY_DO(s, scree_sim_step(s, 10));
	NEAR(at(s, "wz", 1), 5, 1e-12, "angular velocity");
	scree_sim_close(s);
}

/* a ball is lifted: its potential energy counts as `brought`, even if lifting ends a contact that stores energy */
static void energy_of_placed_bodies_is_brought(void **state)
{
	(void)state;
	scree_sim *s = library_text(FIRST GRAVITY);
	LIBRARY_DO(s, scree_sim_step(s, 50000)); /* it rests on the floor */
	const scree_ledger before = ledger_of(s);
	CHECK(before.elastic > 0, "it does not rest");
	const double mass = at(s, "mass", 1), z = at(s, "z", 1);
	LIBRARY_DO(s, scree_sim_place(s, 1, (double[3]){0.2, 0.1, z + 0.03}, NULL, (double[3]){0, 0, 0}, NULL));
	const scree_ledger now = ledger_of(s);
	NEAR(now.brought - before.brought, mass * 9.81 * 0.03 - before.elastic - before.kinetic, 1e-12, "brought");
	NEAR(now.elastic, 0, 0, "energy of the contact that was");
	NEAR(now.residual, before.residual, 1e-12, "residual");
	NEAR(at(s, "x", 1), 0.2, 0, "x");
	LIBRARY_DO(s, scree_sim_step(s, 1000));
	const double t = 1000 * scree_sim_step_length(s);
	NEAR(at(s, "z", 1), z + 0.03 - 9.81 / 2 * t * t, 1e-12, "it falls");
	CHECK(scree_sim_place(s, 2, NULL, NULL, NULL, NULL) == SCREE_BAD_INPUT, "there is no body 2");
	scree_sim_close(s);
}

/* a loaded world is changed before its first step, and the remaining contacts keep their histories */
static void restored_worlds_can_be_changed(void **state)
{
	(void)state;
	char path[] = "/tmp/scree_changed_XXXXXX";
	assert_true(close(mkstemp(path)) == 0);
	scree_sim *s = library_text(FIRST SECOND GRAVITY);
	LIBRARY_DO(s, scree_sim_step(s, 50000));
	LIBRARY_DO(s, scree_sim_save(s, path));
	scree_sim *r = scree_sim_restore(path, 1, NULL);
	for (int k = 0; k < 2; ++k) {
		scree_sim *o = k ? r : s;
		LIBRARY_DO(o,
				   scree_sim_place(o, 2, (double[3]){0.3, 0.3, 0.1}, NULL, (double[3]){0, 0, 0}, (double[3]){0, 0, 0}));
		LIBRARY_DO(o, scree_sim_step(o, 2000));
	}
	CHECK(scree_sim_hash(r) == scree_sim_hash(s), "the changed worlds differ");
	NEAR(ledger_of(r).residual, ledger_of(s).residual, 1e-15, "residual");
	CHECK(ledger_of(r).elastic > 0, "the first ball has left the floor");
	scree_sim *fewer = scree_sim_restore(path, 1, NULL); /* a body with a contact is removed before the first step */
	LIBRARY_DO(fewer, scree_sim_remove(fewer, 1, (uint64_t[]){2}));
	LIBRARY_DO(fewer, scree_sim_step(fewer, 100));
	CHECK(scree_sim_row(fewer, 1) == 0 && scree_sim_row(fewer, 2) == -1, "rows");
	scree_sim_close(fewer);
	scree_sim_close(s);
	scree_sim_close(r);
	unlink(path);
}

/* a brick that is far too fast stops the run at once, before its path is sampled at intervals of its thickness */
static void motion_beyond_sense_stops_the_run(void **state)
{
	(void)state;
	for (int turns = 0; turns < 2; ++turns) {
		scree_sim *s = library_text(
			"scene: 1\nmaterials: {m: {density: 2500 kg/m^3, young: 1 MPa}}\nshapes: {brick: {box: [1, 0.8, 0.5]}}\n"
			"walls: {floor: {plane: {point: [0 m, 0 m, -1 m], normal: [0, 0, 1]}, material: m}}\n"
			"fill: [{lattice: {spacing: 15 mm}, region: {box: {min: [0 m, 0 m, 0 m], max: [30 mm, 15 mm, 15 mm]}}, "
			"material: m, shape: brick, size: 10 mm}]\nrun: {until: 1 s}\n");
		LIBRARY_DO(s, scree_sim_step(s, 10));
		const double fast[3] = {turns ? 0 : 1e18, 0, turns ? 1e18 : 0};
		LIBRARY_DO(s, scree_sim_place(s, 1, NULL, NULL, turns ? NULL : fast, turns ? fast : NULL));
		CHECK(scree_sim_step(s, 10) == SCREE_GUARD, "it continues: %s", scree_sim_error(s));
		CHECK(scree_sim_steps(s) <= 12, "%lld steps", (long long)scree_sim_steps(s));
		scree_sim_close(s);
	}
}

/* ------------------------------------------------------------------ the cell of a periodic world */

#define CELL                                                                                                           \
	"scene: 1\n"                                                                                                       \
	"materials: {m: {density: 2500 kg/m^3, young: 1 MPa, poisson: 0.25}}\n"                                            \
	"shapes: {ball: {sphere: 1}}\n"                                                                                    \
	"fill:\n"                                                                                                          \
	"  - {region: {box: {min: [0 m, 0 m, 0 m], max: [30 mm, 30 mm, 30 mm]}}, count: 75, material: m, shape: ball, "    \
	"size: 6 mm, seed: 3}\n"                                                                                           \
	"world: {gravity: [0, 0, 0], domain: {min: [0, 0, 0], max: [30 mm, 30 mm, 30 mm]}, periodic: [x, y, z], "          \
	"strain_rate: [-9 1/s, -9 1/s, -9 1/s]}\nrun: {until: 1 s, step: 20 us}\n"

static scree_cell cell_of(scree_sim *s)
{
	scree_cell c;
	LIBRARY_DO(s, scree_sim_cell(s, &c));
	return c;
}

static void a_cell_follows_a_given_rate(void **state)
{
	(void)state;
	scree_sim *s = library_text(CELL);
	scree_cell c = cell_of(s);
	CHECK(c.deforms && c.size[2] == 0.03 && c.strain[0] == 0 && c.strain_rate[1] == -9 && !c.servo[0], "at the start");
	NEAR(c.rate[0], -9, 1e-12, "rate at the start");
	for (int d = 0; d < 3; ++d) c.strain_rate[d] = -1 - d;
	LIBRARY_DO(s, scree_sim_set_cell(s, &c));
	NEAR(cell_of(s).rate[0], -9, 1e-12, "the rate changes in a step");
	LIBRARY_DO(s, scree_sim_step(s, 1));
	for (int d = 0; d < 3; ++d) NEAR(cell_of(s).rate[d], -1 - d, 1e-12, "rate after a step");
	const scree_cell from = cell_of(s);
	LIBRARY_DO(s, scree_sim_step(s, 1000));
	for (int d = 0; d < 3; ++d) {
		c = cell_of(s);
		NEAR(c.strain[d] - from.strain[d], (-1 - d) * 0.02, 1e-9, "strain");
		NEAR(c.size[d], 0.03 * exp(c.strain[d]), 1e-12, "size");
		NEAR(c.low[d] + c.size[d] / 2, 0.015, 1e-12, "centre");
	}
	scree_sim_close(s);
}

/* a change by a program produces the same bits as the same change by a stage, even after a snapshot */
static void a_cell_is_set_as_by_a_stage(void **state)
{
	(void)state;
	static const char path[] = SCREE_BINARY "/library_cell.snap";
	scree_problems *problems;
	scree_sim *staged =
		library_text(CELL "stages:\n  - {name: a, until: 6 ms}\n  - {name: b, until: 1 s, world: {strain_rate: "
						  "[0, 0, -4 1/s], servo: {stress: [3 kPa, 1 kPa, 0], axes: [x, y], max_rate: "
						  "5 1/s, lag: 1 ms}}}\n");
	scree_sim *s = library_text(CELL "stages:\n  - {name: a, until: 6 ms}\n  - {name: b, until: 1 s}\n");
	LIBRARY_DO(staged, scree_sim_step(staged, 1300));
	LIBRARY_DO(s, scree_sim_step(s, 300));
	scree_cell c = cell_of(s);
	c = (scree_cell){
		.strain_rate = {0, 0, -4}, .servo = {1, 1, 0}, .stress = {3e3, 1e3, 0}, .max_rate = 5, .lag = 1e-3};
	LIBRARY_DO(s, scree_sim_set_cell(s, &c));
	LIBRARY_DO(s, scree_sim_step(s, 500));
	LIBRARY_DO(s, scree_sim_save(s, path));
	scree_sim *back = scree_sim_restore(path, 1, &problems);
	CHECK(back, "%s", scree_problems_text(problems));
	double stress[6];
	/* computes contacts and their forces, without changing anything */
	LIBRARY_DO(back, scree_sim_stress(back, stress));
	c = cell_of(back);
	CHECK(c.servo[0] && c.stress[1] == 1e3 && c.strain_rate[2] == -4 && c.max_rate == 5 && c.lag == 1e-3, "restored");
	LIBRARY_DO(back, scree_sim_step(back, 500));
	LIBRARY_DO(s, scree_sim_step(s, 500));
	CHECK(stress[0] > 10, "no stress: %g Pa", stress[0]);
	CHECK(scree_sim_hash(s) == scree_sim_hash(staged), "not as by the stage");
	CHECK(scree_sim_hash(s) == scree_sim_hash(back), "the run continues otherwise");
	unlink(path);
	scree_sim_close(s), scree_sim_close(back), scree_sim_close(staged);
}

static void check_cell_refused(scree_sim *s, const scree_cell *c, const char *words)
{
	const uint64_t hash = scree_sim_hash(s);
	const scree_cell before = cell_of(s);
	CHECK(scree_sim_set_cell(s, c) == SCREE_BAD_INPUT, "it is taken: %s", words);
	CHECK(strstr(scree_sim_error(s), words), "%s: %s", words, scree_sim_error(s));
	const scree_cell after = cell_of(s);
	CHECK(!memcmp(&before, &after, sizeof before) && scree_sim_hash(s) == hash, "it has changed: %s", words);
}

static void no_force(const scree_force_rows *rows, void *context) { (void)rows, (void)context; }

static void impossible_cells_are_refused(void **state)
{
	(void)state;
	scree_sim *s = library_text(CELL), *still = library_text(FIRST GRAVITY);
	scree_cell c;
	LIBRARY_DO(s, scree_sim_step(s, 50));
	check_cell_refused(s, NULL, "no cell");
	check_cell_refused(s, &(scree_cell){.servo = {1, 0, 0}}, "expected a stress above 0");
	check_cell_refused(s, &(scree_cell){.stress = {0, 1, 0}}, "the axis has no servo");
	check_cell_refused(s, &(scree_cell){.servo = {1, 0, 0}, .stress = {1e3}, .strain_rate = {1}},
					   "follows from the stress");
	check_cell_refused(s, &(scree_cell){.strain_rate = {(double)NAN}}, "not a number");
	check_cell_refused(s, &(scree_cell){.servo = {1}, .stress = {1e3}, .lag = -1}, "lag -1 s");
	check_cell_refused(s, &(scree_cell){.strain_rate = {0, 0, 100}}, "expected at most 0.1 %");
	LIBRARY_DO(s, scree_sim_on_force(s, no_force, NULL));
	check_cell_refused(s, &(scree_cell){.servo = {1}, .stress = {1e3}}, "they would count as stress");
	CHECK(scree_sim_cell(still, &c) == SCREE_BAD_INPUT, "a cell without periods");
	CHECK(scree_sim_set_cell(still, &(scree_cell){.max_rate = 0}) == SCREE_BAD_INPUT, "a cell without periods is set");
	CHECK(strstr(scree_sim_error(still), "the size of the cell is fixed"), "%s", scree_sim_error(still));
	scree_sim_close(s), scree_sim_close(still);
}

/* ------------------------------------------------------------------ gravity and materials */

static void gravity_can_be_set(void **state)
{
	(void)state;
	scree_sim *s = library_text(FIRST GRAVITY);
	double g[3];
	LIBRARY_DO(s, scree_sim_step(s, 500));
	const double z = at(s, "z", 1), v = at(s, "vz", 1), t = 500 * scree_sim_step_length(s);
	LIBRARY_DO(s, scree_sim_set_gravity(s, (double[3]){1, 0, 0}));
	scree_sim_gravity(s, g);
	NEAR(g[0], 1, 0, "g"), NEAR(g[2], 0, 0, "g");
	const double x = at(s, "x", 1);
	LIBRARY_DO(s, scree_sim_step(s, 500));
	NEAR(at(s, "z", 1), z + v * t, 1e-13, "height"), NEAR(at(s, "x", 1), x + t * t / 2, 1e-13, "path");
	NEAR(ledger_of(s).residual, 0, 1e-14, "residual");
	CHECK(scree_sim_set_gravity(s, (double[3]){0, (double)NAN, 0}) == SCREE_BAD_INPUT, "no number");
	CHECK(scree_sim_set_gravity(s, NULL) == SCREE_BAD_INPUT, "no gravity");
	scree_sim_close(s);
}

/* The end of a step uses the gravity of this step, and the next step uses the gravity set in between: if gravity
 * changes at every step, a falling ball has the velocity sum g dt, and moves by v dt + g dt^2/2 in each step. */
static void gravity_of_each_step_counts_in_this_step(void **state)
{
	(void)state;
	static const char *const ways[] = {"forces", "implicit", "hard", "elastic"};
	for (size_t way = 0; way < sizeof ways / sizeof *ways; ++way) {
		char text[1000];
		snprintf(text, sizeof text,
				 "scene: 1\nworld: {gravity: [0, 0, -10 m/s^2]}\nmaterials: {m: {density: 1 g/cm^3, young: 5 MPa}}\n"
				 "contacts: {default: {restitution: 0.5}}\nshapes: {s: {sphere: {diameter: 1}}}\nfill: [{region: {box: "
				 "{min: [0, 0, 0], max: [1 cm, 1 cm, 1 cm]}}, lattice: {spacing: 1 cm}, material: m, shape: s, size: 8 "
				 "mm}]\nrun: {until: 1 s, step: {time: 1 ms, unsafe: true}, response: %s}\n",
				 ways[way]);
		scree_sim *s = library_text(text);
		double z = at(s, "z", 1), v = 0;
		for (int k = 0; k < 40; ++k) {
			const double g = 2 * (k % 5) - 10, dt = 1e-3;
			LIBRARY_DO(s, scree_sim_set_gravity(s, (double[3]){0, 0, g}));
			LIBRARY_DO(s, scree_sim_step(s, 1));
			z += v * dt + g * dt * dt / 2, v += g * dt;
			CHECK(fabs(at(s, "vz", 1) - v) < 1e-12 && fabs(at(s, "z", 1) - z) < 1e-14, "%s, step %d: %g m/s for %g",
				  ways[way], k, at(s, "vz", 1), v);
		}
		NEAR(ledger_of(s).residual, 0, 1e-17, ways[way]);
		scree_sim_close(s);
	}
}

/* ratio of the speeds after and before an impact, with the restitution set while the ball falls */
static double rebound(double restitution)
{
	scree_sim *s = library_text(FIRST GRAVITY);
	double is = -1, fastest = 0, back = 0;
	LIBRARY_DO(s, scree_sim_step(s, 100));
	LIBRARY_DO(s, scree_sim_set_contact_rule(s, "m", "m", "restitution", restitution));
	LIBRARY_DO(s, scree_sim_contact_rule(s, "m", "m", "restitution", &is));
	NEAR(is, restitution, 0, "restitution");
	for (int k = 0; k < 4000 && !(back > 0 && at(s, "fz", 1) == 0); ++k) {
		LIBRARY_DO(s, scree_sim_step(s, 1));
		const double v = at(s, "vz", 1);
		fastest = fmin(fastest, v), back = fmax(back, v);
	}
	scree_sim_close(s);
	return -back / fastest;
}

static void rules_can_be_set(void **state)
{
	(void)state;
	NEAR(rebound(1), 1, 0.01, "restitution 1");
	NEAR(rebound(0.8), 0.8, 0.01, "restitution 0.8");
	NEAR(rebound(0.3), 0.3, 0.02, "restitution 0.3");
}

static void check_rule_refused(scree_sim *s, const char *key, double value, const char *words)
{
	const uint64_t hash = scree_sim_hash(s);
	double before = -1, after = -2;
	scree_sim_contact_rule(s, "m", "m", key, &before);
	CHECK(scree_sim_set_contact_rule(s, "m", "m", key, value) == SCREE_BAD_INPUT, "%s: %g", key, value);
	CHECK(strstr(scree_sim_error(s), words), "%s", scree_sim_error(s));
	scree_sim_contact_rule(s, "m", "m", key, &after);
	CHECK((before == after || after == -2) && scree_sim_hash(s) == hash, "%s is changed", key);
}

static void materials_have_the_ranges_of_a_scene(void **state)
{
	(void)state;
	scree_sim *s = library_text(FIRST GRAVITY);
	double young = 0, density = 0;
	for (int64_t steps = 0; steps < 2; ++steps) {
		check_rule_refused(s, "restitution", 0, "expected above 0, at most 1");
		check_rule_refused(s, "friction", -0.1, "friction");
		check_rule_refused(s, "friction", (double)NAN, "friction");
		check_rule_refused(s, "stiffness", 1e4, "does not use it");
		check_rule_refused(s, "frction", 1, "no number 'frction'");
		CHECK(scree_sim_set_contact_rule(s, "m", "n", "friction", 1) == SCREE_BAD_INPUT, "material n");
		CHECK(scree_sim_set_contact_rule(s, NULL, "m", NULL, 1) == SCREE_BAD_INPUT, "NULL");
		CHECK(scree_sim_set_material(s, "m", "poisson", 0.6) == SCREE_BAD_INPUT, "Poisson's ratio");
		const uint64_t hash = scree_sim_hash(s);
		CHECK(scree_sim_set_material(s, "m", "young", 1e11) == SCREE_BAD_INPUT, "the step is too long for it");
		CHECK(strstr(scree_sim_error(s), "step"), "%s", scree_sim_error(s));
		LIBRARY_DO(s, scree_sim_material(s, "m", "young", &young));
		NEAR(young, 1e6, 0, "Young's modulus"), CHECK(scree_sim_hash(s) == hash, "it is changed");
		LIBRARY_DO(s, scree_sim_material(s, "m", "density", &density));
		NEAR(density, 2500, 0, "density");
		LIBRARY_DO(s, scree_sim_step(s, 100));
	}
	scree_sim_close(s);
}

/* a softer ball at rest has a larger overlap, according to Hertz's law */
static void stiffness_can_be_set(void **state)
{
	(void)state;
	scree_sim *s = library_text(FIRST GRAVITY);
	LIBRARY_DO(s, scree_sim_step(s, 60000));
	const double before = 5e-3 - at(s, "z", 1);
	LIBRARY_DO(s, scree_sim_set_material(s, "m", "young", 0.25e6));
	LIBRARY_DO(s, scree_sim_step(s, 60000));
	NEAR((5e-3 - at(s, "z", 1)) / before, pow(4, 2.0 / 3), 2e-3, "overlaps");
	NEAR(ledger_of(s).residual, 0, 1e-8, "residual");
	scree_sim_close(s);
}

/* ------------------------------------------------------------------ the time step */

static void the_step_can_be_set(void **state)
{
	(void)state;
	char path[] = "/tmp/scree_step_XXXXXX";
	assert_true(close(mkstemp(path)) == 0);
	scree_sim *s = library_text(FIRST GRAVITY);
	const double dt = scree_sim_step_length(s);
	LIBRARY_DO(s, scree_sim_step(s, 100));
	LIBRARY_DO(s, scree_sim_set_step_length(s, dt / 4));
	LIBRARY_DO(s, scree_sim_step(s, 200));
	const double t = 150 * dt;
	NEAR(scree_sim_time(s), t, 1e-15, "time"), NEAR(scree_sim_step_length(s), dt / 4, 0, "step");
	NEAR(at(s, "z", 1), 10e-3 - 9.81 / 2 * t * t, 1e-13, "height");
	CHECK(scree_sim_steps(s) == 300, "%lld steps", (long long)scree_sim_steps(s));
	LIBRARY_DO(s, scree_sim_run_until(s, 0.8)); /* at rest on the floor */
	NEAR(scree_sim_time(s), 0.8, dt, "run_until");
	LIBRARY_DO(s, scree_sim_save(s, path));
	scree_sim *r = scree_sim_restore(path, 1, NULL);
	for (int k = 0; k < 2; ++k) {
		scree_sim *o = k ? r : s;
		const double residual = ledger_of(o).residual;
		LIBRARY_DO(o, scree_sim_set_step_length(o, dt / 2));
		LIBRARY_DO(o, scree_sim_step(o, 500));
		NEAR(ledger_of(o).residual, residual, 1e-12, "residual");
	}
	NEAR(at(r, "z", 1), at(s, "z", 1), 1e-12, "height of the restored ball");
	const double wrong[] = {0, -1, (double)NAN, (double)INFINITY, 1};
	for (int k = 0; k < 5; ++k) CHECK(scree_sim_set_step_length(s, wrong[k]) == SCREE_BAD_INPUT, "%g s", wrong[k]);
	NEAR(scree_sim_step_length(s), dt / 2, 0, "a refused step is not set");
	LIBRARY_DO(s, scree_sim_step(s, 1));
	scree_sim_close(s);
	scree_sim_close(r);
	unlink(path);
}

/* ------------------------------------------------------------------ changes that need a shorter step */

/* a ball at rest above a floor; the arguments are appended to the material, the contacts, the world and the run */
static scree_sim *begun(const char *material, const char *contacts, const char *world, const char *run)
{
	char text[2000];
	snprintf(text, sizeof text,
			 "scene: 1\n"
			 "materials: {m: {density: 2500 kg/m^3, young: 1 MPa, poisson: 0.25%s}}\n"
			 "contacts: {default: {restitution: 0.5%s}}\n"
			 "shapes: {ball: {sphere: 1}}\n"
			 "walls: {floor: {plane: {point: [0 m, 0 m, 0 m], normal: [0, 0, 1]}, material: m}}\n"
			 "fill: [{lattice: {spacing: 20 mm}, region: {box: {min: [0 m, 0 m, 0 m], max: [20 mm, 20 mm, 20 mm]}}, "
			 "material: m, shape: ball, size: 10 mm}]\n"
			 "world: {gravity: [0 m/s^2, 0 m/s^2, 0 m/s^2]%s}\n"
			 "run: {until: 1 s, %s}\n",
			 material, contacts, world, run);
	scree_sim *s = library_text(text);
	LIBRARY_DO(s, scree_sim_step(s, 10));
	return s;
}

/* adding a small body is refused and undone; the change `set`, if given, is also refused */
static void check_both_refused(scree_sim *s, double size, const char *set, const char *words)
{
	scree_body b = second;
	b.size = size, check_refused(s, b, words);
	LIBRARY_DO(s, scree_sim_step(s, 10));
	CHECK(!set || scree_sim_change_plan(s, 1, &set, NULL) == SCREE_BAD_INPUT, "accepted: %s", set);
	CHECK(!set || strstr(scree_sim_error(s), words), "%s", scree_sim_error(s));
	scree_sim_close(s);
}

static void changes_are_tested_by_all_bounds(void **state)
{
	(void)state;
	static const char *const by[] = {"response: implicit, step: 0.1 ms", "response: hard, step: 0.1 ms"};
	static const char WET[] = ", cohesion: {capillary: {tension: 72 mN/m, volume: 1e-11 m^3}}";
	static const char HOT[] = ", conductivity: 40 W/m/K, heat_capacity: 5 J/kg/K";
	static const char bridges[] = "too large for liquid bridges of m and m", heat[] = "too large for the conduction of";
	static const char wetter[] = "contacts.default.cohesion={capillary: {tension: 7200 N/m, volume: 1e-11 m^3}}";
	for (int k = 0; k < 2; ++k) {
		check_both_refused(begun("", WET, "", by[k]), 1e-5, wetter, bridges);
		check_both_refused(begun(HOT, "", ", temperature: 300 K", by[k]), 1e-5, NULL, heat);
	}
	check_both_refused(begun(HOT, "", ", temperature: 300 K", "step: 20 us"), 1e-4, NULL, heat);
}

/* Heat flows neither between held bodies nor between held bodies and walls at rest: a program may not add a held body,
 * or move one, to a position where heat would have to flow. Moving bodies may be placed there, and so may held bodies
 * that do not conduct heat. */
static scree_sim *hot_pair(const char *heat, int64_t steps)
{
	char text[1200];
	snprintf(
		text, sizeof text,
		"scene: 1\nmaterials: {m: {density: 2500 kg/m^3, young: 1 MPa, poisson: 0.25%s}}\n"
		"contacts: {default: {restitution: 0.5}}\nshapes: {ball: {sphere: 1}}\n"
		"walls: {floor: {plane: {point: [0, 0, 0], normal: [0, 0, 1]}, material: m%s}}\n"
		"fill: [{lattice: {spacing: 20 mm}, region: {box: {min: [0, 0, 0], max: [20 mm, 20 mm, 20 mm]}}, material: m, "
		"shape: ball, size: 10 mm, held: true}]\nrun: {until: 1 s, step: 10 us}\n",
		*heat ? ", conductivity: 1 W/m/K, heat_capacity: 800 J/kg/K" : "", *heat ? ", temperature: 400 K" : "");
	scree_sim *s = library_text(text);
	if (steps) LIBRARY_DO(s, scree_sim_step(s, steps));
	return s;
}

static void heat_refuses_held_bodies_that_touch(void **state)
{
	(void)state;
	for (int64_t steps = 0; steps < 20; steps += 10) {
		scree_sim *s = hot_pair("heat", steps);
		scree_body b = {.shape = "ball", .material = "m", .size = 10e-3, .position = {19e-3, 10e-3, 10e-3}, .held = 1};
		const uint64_t hash = scree_sim_hash(s);
		CHECK(scree_sim_add(s, 1, &b, NULL) == SCREE_BAD_INPUT &&
				  strstr(scree_sim_error(s), "heat does not pass between held bodies"),
			  "after %lld steps a body that touches another one: %s", (long long)steps, scree_sim_error(s));
		b.position[0] = 40e-3, b.position[2] = 4e-3;
		CHECK(scree_sim_add(s, 1, &b, NULL) == SCREE_BAD_INPUT &&
				  strstr(scree_sim_error(s), "touches wall 'floor', and heat does not pass"),
			  "one that touches the wall: %s", scree_sim_error(s));
		CHECK(scree_sim_bodies(s) == 1 && scree_sim_hash(s) == hash, "a refused body has changed the world");
		b.position[2] = 6e-3;
		uint64_t id;
		LIBRARY_DO(s, scree_sim_add(s, 1, &b, &id)); /* a gap */
		const double touches[3] = {19e-3, 10e-3, 10e-3}, gap[3] = {21e-3, 10e-3, 10e-3};
		CHECK(scree_sim_place(s, id, touches, NULL, (double[]){0, 0, 1}, NULL) == SCREE_BAD_INPUT, "it was placed");
		NEAR(at(s, "x", id), 40e-3, 0, "x of a body that was not placed");
		NEAR(at(s, "vz", id), 0, 0, "its velocity");
		LIBRARY_DO(s, scree_sim_place(s, id, gap, NULL, NULL, NULL));
		b.held = 0, b.position[0] = 10e-3, b.position[2] = 19.9e-3;
		LIBRARY_DO(s, scree_sim_add(s, 1, &b, NULL)); /* it moves */
		LIBRARY_DO(s, scree_sim_step(s, 10));
		scree_sim_close(s);
		s = hot_pair("", steps);
		b.held = 1, b.position[0] = 19e-3, b.position[2] = 4e-3;
		LIBRARY_DO(s, scree_sim_add(s, 1, &b, NULL)); /* nothing conducts */
		scree_sim_close(s);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(added_bodies_are_those_of_a_scene),
		cmocka_unit_test(removed_bodies_are_gone),
		cmocka_unit_test(the_ledger_follows),
		cmocka_unit_test(refused_bodies_change_nothing),
		cmocka_unit_test(velocities_can_be_written),
		cmocka_unit_test(orientations_can_be_written),
		cmocka_unit_test(copies_stay_where_they_are),
		cmocka_unit_test(orientations_belong_to_positions),
		cmocka_unit_test(values_that_cannot_be_are_refused),
		cmocka_unit_test(flat_worlds_stay_flat),
		cmocka_unit_test(energy_of_placed_bodies_is_brought),
		cmocka_unit_test(restored_worlds_can_be_changed),
		cmocka_unit_test(motion_beyond_sense_stops_the_run),
		cmocka_unit_test(a_cell_follows_a_given_rate),
		cmocka_unit_test(a_cell_is_set_as_by_a_stage),
		cmocka_unit_test(impossible_cells_are_refused),
		cmocka_unit_test(gravity_can_be_set),
		cmocka_unit_test(gravity_of_each_step_counts_in_this_step),
		cmocka_unit_test(rules_can_be_set),
		cmocka_unit_test(materials_have_the_ranges_of_a_scene),
		cmocka_unit_test(stiffness_can_be_set),
		cmocka_unit_test(the_step_can_be_set),
		cmocka_unit_test(changes_are_tested_by_all_bounds),
		cmocka_unit_test(heat_refuses_held_bodies_that_touch),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
