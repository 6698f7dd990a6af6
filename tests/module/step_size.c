/* A time step that changes between two steps (src/change/step_size.c): the energy balance closes as well as with steps
 * of constant length, a run resumed in the middle gives bitwise identical results, images move without jumps, and
 * outputs keep their times. */
#include "lab.h"
#include "test.h"

#include "base/maths.h"
#include "choices/choices.h"
#include "format/snapshot.h"
#include "kernel/cohesion.h"
#include "kernel/quat.h"
#include "model/narrow.h"
#include "model/response.h"
#include "part_shapes.h"
#include "prepare/prepare.h"
#include "outputs/outputs.h"
#include "scene/scene.h"

#include <stdlib.h>
#include <unistd.h>

static char folder[] = "/tmp/scree_step_size_XXXXXX";

static void set_step(scree_world *w, real dt)
{
	fail why = {0};
	CHECK(scree_world_set_step(w, dt, &why), "%s", why.text);
}

static scree_world *world_of(const char *name)
{
	char path[512], *report = NULL;
	scene s = {0};
	snprintf(path, sizeof path, SCREE_SOURCE "/scenes/%s.scene.yaml", name);
	CHECK(scree_scene_load(path, 0, NULL, &s, &report), "%s", report ? report : "no report");
	scree_world *w = s.world;
	s.world = NULL;
	scree_scene_free(&s);
	return w;
}

static uint64_t hash_of(const scree_world *w) { return scree_world_hash(&w->model, &w->state, &w->work); }

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

/* Largest energy created by the integration and by contacts, relative to the energy exchanged. */
static real worst_error(scree_world *w, int64_t steps, real *worst)
{
	real most = 0;
	for (int64_t k = 0; k < steps; ++k) {
		CHECK(scree_steps(w, 1), "%s", w->work.why.text);
		const energy_row e = scree_world_energy(&w->model, &w->state, &w->work);
		most = real_max(most, real_abs(e.residual + e.made));
	}
	*worst = real_max(*worst, most);
	return most;
}

/* Makes `quarter` steps of each length: the full step, half the step, and the full step again; one of the changes is
 * followed by a snapshot, from which a twin continues. Without `changes`, covers the same time with steps of one
 * length. */
static real run_scene(const char *name, int64_t quarter, bool changes)
{
	scree_world *w = world_of(name);
	real worst = 0;
	const real dt = w->model.dt, scale = 1;
	worst_error(w, quarter, &worst);
	if (changes) set_step(w, dt / 2);
	worst_error(w, (changes ? 2 : 1) * quarter, &worst);
	if (changes) {
		set_step(w, dt);
		scree_world *twin = saved_and_loaded(w);
		for (int k = 0; k < 200; ++k) {
			lab_steps(w, 1);
			lab_steps(twin, 1);
			CHECK(hash_of(w) == hash_of(twin), "%s: %d steps after the resume", name, k + 1);
		}
		scree_world_free(twin);
	}
	worst_error(w, quarter - (changes ? 200 : 0), &worst);
	NEAR(w->state.time, 3 * (real)quarter * dt, 1e-12 * w->state.time, "time");
	const energy_row e = scree_world_energy(&w->model, &w->state, &w->work);
	const real all = scale * (e.kinetic + real_abs(e.brought) + e.lost);
	scree_world_free(w);
	return worst / all;
}

static void ledgers_close(void **state)
{
	(void)state;
	static const char *const name[] = {"settling_spheres", "settling_cubes", "flat_mix",
									   "sticky_beads",	   "servo_lid",		 "mixed_drum",
									   "linear_rolling",   "periodic_shear", "periodic_cell"};
	for (size_t k = 0; k < sizeof name / sizeof *name; ++k) {
		const real plain = run_scene(name[k], 600, false), changed = run_scene(name[k], 600, true);
		printf("%s: %.3g of the energy with one step, %.3g with three\n", name[k], plain, changed);
		CHECK(changed < 1.2 * plain + 1e-9, "%s: an error of %.3g instead of %.3g", name[k], changed, plain);
	}
}

/* A change by itself does not alter any current energy. */
static void energies_stay_at_a_change(void **state)
{
	(void)state;
	static const char *const name[] = {
		"settling_spheres",
		"settling_cubes",
		"mixed_drum",
#if SCREE_PAPERS
		"govender2014_turns"
#endif
	};
	for (size_t k = 0; k < sizeof name / sizeof *name; ++k) {
		scree_world *w = world_of(name[k]);
		CHECK(scree_steps(w, 1500), "%s", w->work.why.text);
		const energy_row a = scree_world_energy(&w->model, &w->state, &w->work);
		set_step(w, 0.4 * w->model.dt);
		const energy_row b = scree_world_energy(&w->model, &w->state, &w->work);
		const real tolerance = 1e-13 * (real_abs(a.brought) + a.lost + real_abs(a.wall_work));
		NEAR(a.residual, b.residual, tolerance, name[k]);
		NEAR(a.made, b.made, tolerance, name[k]);
		NEAR(a.lost, b.lost, tolerance, name[k]);
		NEAR(a.wall_work, b.wall_work, tolerance, name[k]);
		NEAR(a.elastic, b.elastic, tolerance, name[k]);
		scree_world_free(w);
	}
}

/* A ball hits a plane in implicit steps, whose length is changed during the impact. */
static scree_world *impact_with_change(int64_t steps, real ratio, bool rolls)
{
	scree_world *w = lab_world(lab_linear(1e4, 0.5, rolls ? 0.3 : 0));
	model_respond(&w->model, scree_response_find("implicit"));
	const real radius = (real)0.005;
	lab_plane(w, v3(0, 0, 0), v3(0, 0, 1));
	lab_add_moving(w, 0, 2 * radius, v3(0, 0, radius + (real)2e-4), quat_one(), v3(rolls ? 0.1 : 0, 0, (real)-0.1),
				   v3(0, 0, 0));
	w->model.guard.speed = 1;
	lab_prepare(w, 0);
	lab_steps(w, steps);
	set_step(w, ratio * w->model.dt);
	return w;
}

/* The second half of the impulse of an implicit step has already been computed: an impact that is half over ends with
 * the restitution given by the rule, whatever the length of the next step. */
static void impulses_outlive_a_change(void **state)
{
	(void)state;
	int met = 0;
	for (int64_t steps = 1; steps <= 8; ++steps)
		for (int k = 0; k < 4; ++k) {
			scree_world *w = impact_with_change(steps, k % 2 ? 4 : 0.25, k / 2);
			met += w->work.touching > 0;
			lab_steps(w, k % 2 ? 6 : 60);
			const energy_row e = scree_world_energy(&w->model, &w->state, &w->work);
			NEAR(e.kinetic + e.lost, e.brought, 1e-12 * e.brought, "kinetic energy and losses");
			/* the remaining overlap speeds the ball up */
			const real out = w->state.body.vz[0];
			CHECK(out > 0.05 - 1e-14 && out < 0.07, "it leaves with %.17g m/s", out);
			scree_world_free(w);
		}
	CHECK(met >= 4, "a step changed in %d impacts", met);
}

/* A change immediately after loading has the same result as for the saved world. */
static void a_loaded_world_changes_its_step(void **state)
{
	(void)state;
	static const char *const name[] = {
		"settling_spheres",
		"settling_cubes",
		"mixed_drum",
		"flat_mix",
#if SCREE_PAPERS
		"gear_beads"
#endif
	};
	for (size_t k = 0; k < sizeof name / sizeof *name; ++k) {
		scree_world *w = world_of(name[k]);
		CHECK(scree_steps(w, 1500), "%s", w->work.why.text);
		scree_world *twin = saved_and_loaded(w);
		set_step(w, 0.6 * w->model.dt);
		set_step(twin, 0.6 * twin->model.dt);
		CHECK(hash_of(w) == hash_of(twin), "%s: another state", name[k]);
		for (int i = 0; i < 100; ++i) {
			lab_steps(w, 1);
			lab_steps(twin, 1);
			CHECK(hash_of(w) == hash_of(twin), "%s: %d steps after the change", name[k], i + 1);
		}
		const energy_row a = scree_world_energy(&w->model, &w->state, &w->work),
						 b = scree_world_energy(&twin->model, &twin->state, &twin->work);
		CHECK(!memcmp(&a, &b, sizeof a), "%s: other energies", name[k]);
		scree_world_free(w);
		scree_world_free(twin);
	}
}

/* A ball pressed onto the floor oscillates on its friction spring, which is stored half a step ahead. 400 changes of
 * the step length, at any phase, must neither add nor remove energy. */
static void springs_follow_the_step(void **state)
{
	(void)state;
	real left[2];
	for (int changes = 0; changes < 2; ++changes) {
		scree_world *w = lab_world(lab_linear(1e4, 1, 10));
		w->model.gravity = v3(0, 0, -9.81);
		lab_plane(w, v3(0, 0, 0), v3(0, 0, 1));
		const real mass = 2500 * SCREE_PI / 6 * 1e-6;
		lab_add_moving(w, 0, 0.01, v3(0, 0, 0.005 - mass * 9.81 / 1e4), quat_one(), v3(1e-4, 0, 0), v3(0, 0, 0));
		lab_prepare(w, 0);
		const real dt = w->model.dt;
		lab_steps(w, 1);
		const real before = lab_energy(w);
		for (int k = 0; k < 400; ++k) {
			if (changes) set_step(w, k % 2 ? dt : dt / 3);
			lab_steps(w, 7);
		}
		left[changes] = lab_energy(w) - before;
		scree_world_free(w);
	}
	const real moved = 2500 * SCREE_PI / 6 * 1e-6 / 2 * 1e-8;
	NEAR(left[0], 0, 0.01 * moved, "energy without changes");
	NEAR(left[1], 0, 0.02 * moved, "energy with 400 changes");
}

/* ------------------------------------------------------------------ images, outputs */

static void images_move_without_a_jump(void **state)
{
	(void)state;
	scree_world *w = world_of("periodic_shear");
	const periods *p = &w->model.period;
	const images *now = &w->state.images;
	const real dt = w->model.dt, period = v3_part(p->size, p->flow), speed = p->rate * v3_part(p->size, p->gradient);
	for (int k = 0; k < 60; ++k) {
		lab_steps(w, 37);
		const real before = now->offset;
		const int64_t turns = now->turns;
		set_step(w, dt * (k % 3 == 0 ? 0.5 : k % 3 == 1 ? 0.9 : 1));
		CHECK(now->offset == before && now->turns == turns, "a jump of the images");
		const real way = (real)now->turns * period + now->offset;
		NEAR(way, speed * w->state.time, 1e-12 * (real_abs(way) + period), "displacement of the images");
	}
	scree_world_free(w);
}

/* Each multiple of `every` has exactly one step within half a step of it. */
static void outputs_keep_their_times(void **state)
{
	(void)state;
	FOR_SEEDS(20)
	{
		random_stream r = scree_random_start(test_seed, 0);
		scree_world *w = lab_world(lab_linear(1e3, 1, 0));
		lab_add(w, 0, 0.01, v3(0, 0, 0));
		lab_prepare(w, 1e-4);
		snapshot_extra extra = {.output.history = {.on = true, .every = 1e-3 * scree_random_between(&r, 0.5, 2)}};
		outputs o = {.extra = &extra};
		const real every = extra.output.history.every;
		int64_t next = 1;
		for (int k = 0; k < 2000; ++k) {
			if (k % 50 == 49) set_step(w, 1e-4 * scree_random_between(&r, 0.2, 2));
			const bool due = scree_outputs_due(&o, w, w->state.step, w->state.step + 1);
			lab_steps(w, 1);
			CHECK(due == scree_outputs_due(&o, w, w->state.step - 1, w->state.step),
				  "due before the step, or after it alone");
			if (!due) continue;
			NEAR(w->state.time, (real)next * every, w->model.dt * 1.0001, "time of an output");
			++next;
		}
		CHECK(next == 1 + (int64_t)((w->state.time + w->model.dt / 2) / every), "%lld outputs", (long long)next - 1);
		scree_world_free(w);
	}
}

/* ------------------------------------------------------------------ what is refused */

static void refused(scree_world *w, real dt, const char *words)
{
	fail why = {0};
	const real before = w->model.dt;
	CHECK(!scree_world_set_step(w, dt, &why), "a step of %g s was accepted", dt);
	CHECK(strstr(why.text, words), "found '%s'", why.text);
	CHECK(w->model.dt == before && w->state.step_from == 0 && !w->broken, "something has changed");
}

static void long_steps_are_refused(void **state)
{
	(void)state;
	scree_world *w = world_of("settling_spheres");
	lab_steps(w, 10);
	refused(w, 0, "expected a positive number");
	refused(w, -1e-6, "expected a positive number");
	refused(w, NAN, "expected a positive number");
	refused(w, INFINITY, "expected a positive number");
	refused(w, 1.01 * w->model.safe_step, "the time step");
	w->model.unsafe = true;
	set_step(w, 1.01 * w->model.safe_step);
	scree_world_free(w);
	w = world_of("periodic_shear");
	w->model.unsafe = true;
	lab_steps(w, 10);
	const periods *p = &w->model.period;
	refused(w, v3_part(p->size, p->flow) / w->state.images.speed, "shear");
	scree_world_free(w);
	w = world_of("servo_lid");
	lab_steps(w, 10);
	refused(w, 50 * w->model.dt, "the time step");
	scree_world_free(w);
}

/* ------------------------------------------------------------------ limits checked at the start */

/* A world that one of the limits causes to be refused at the start of a run if the step is too long. */
typedef struct bounded {
	const char *name, *words;
	void (*fill)(scree_world *w);
	real longer; /* a step in s that is refused */
} bounded;

static const real BALL = 0.002;

static void fill_bridges(scree_world *w)
{
	contact_rule *r = w->model.material.rule;
	r->cohesion = COHESION_CAPILLARY;
	r->surface = 0.072, r->bridge = 1e-12, r->wetting = 0.35;
	lab_add(w, 0, BALL, v3(0, 0, 1.1 * BALL));
}

/* a relaxation time of 10 us */
static void fill_drag(scree_world *w)
{
	w->model.fluid =
		(fluid){.on = true, .density = 1, .viscosity = 2500 * BALL * BALL / (18 * (real)1e-5), .drag = DRAG_STOKES};
	lab_add(w, 0, BALL, v3(0, 0, 1.1 * BALL));
}

static void fill_heat(scree_world *w)
{
	w->model.material.row->conductivity = 4000, w->model.material.row->capacity = 10;
	w->model.temperature = 300;
	lab_add(w, 0, BALL, v3(0, 0, 1.1 * BALL));
}

/* a body whose halo is 1/5000 of its size approaches at 1 m/s */
static void fill_halo(scree_world *w)
{
	fail why = {0};
	const int32_t shape = part_add_surface(&w->model.shape, "slab", &part_cube, 2e-4, &why);
	CHECK(shape >= 0, "%s", why.text);
	w->model.narrow = scree_narrow_find("overlap-thickness");
	w->model.material.rule->law = LAW_OVERLAP;
	lab_add_moving(w, shape, BALL, v3(0, 0, 4 * BALL), quat_one(), v3(0, 0, -1), v3(0, 0, 0));
}

static void fill_servo(scree_world *w)
{
	fail why = {0};
	wall lid = scree_wall_default("lid", 0);
	lid.motion = (wall_motion){.type = MOTION_SERVO, .axis = {0, 0, -1}, .until = INFINITY};
	lid.motion.servo = (servo_rule){.force = 3, .damping = 1, .mass = 1e-7, .low = -INFINITY, .high = INFINITY};
	CHECK(scree_walls_add_plane(&w->model.wall, lid, v3(0, 0, 3 * BALL), v3(0, 0, -1), &why) >= 0, "%s", why.text);
	lab_rows(w);
	lab_add(w, 0, BALL, v3(0, 0, 1.1 * BALL));
}

static scree_world *bounded_world(const bounded *o, const char *response)
{
	scree_world *w = lab_world(lab_hertz(0.5, 0.3));
	model_respond(&w->model, scree_response_find(response ? response : "forces"));
	lab_plane(w, v3(0, 0, 0), v3(0, 0, 1));
	o->fill(w);
	return w;
}

/* A step that would be refused at the start of a run is also refused later, with the same message, unless the run is
 * marked unsafe. */
static void refused_as_at_the_start(const bounded *o, const char *response)
{
	fail start = {0};
	scree_world *w = bounded_world(o, response);
	CHECK(!scree_world_prepare(w, 0, o->longer, &start), "%s: a start with %g s was accepted", o->name, o->longer);
	CHECK(strstr(start.text, o->words), "%s: found '%s'", o->name, start.text);
	scree_world_free(w);
	w = bounded_world(o, response);
	lab_prepare(w, o->longer / 1000);
	lab_steps(w, 3);
	refused(w, o->longer, start.text);
	w->model.unsafe = true;
	set_step(w, o->longer);
	scree_world_free(w);
}

static void bounds_of_the_start_hold_later(void **state)
{
	(void)state;
	static const bounded all[] = {
		{"bridges", "too large for liquid bridges of stuff and stuff", fill_bridges, 1e-3},
		{"drag", "too large for the drag of the fluid: the relaxation time of body 1 is", fill_drag, 1e-5},
		{"heat", "too large for the conduction of heat", fill_heat, 1e-5},
		{"halo", "too large for halos: body 1 may be hit at 1 m/s", fill_halo, 1e-6},
		{"servo", "oscillates too fast for steps of", fill_servo, 5e-6},
	};
	for (size_t k = 0; k < 4; ++k) {
		refused_as_at_the_start(all + k, "implicit");
		refused_as_at_the_start(all + k, "hard");
	}
	refused_as_at_the_start(all + 2, NULL); /* heat with forces */
	refused_as_at_the_start(all + 4, NULL); /* in implicit steps, the solver moves walls whatever their mass */
	for (int k = 0; k < 2; ++k) {
		scree_world *w = bounded_world(all + 4, k ? "hard" : "implicit");
		lab_prepare(w, all[4].longer);
		scree_world_free(w);
	}
}

/* The largest step that the error message permits, in s. */
static real allowed_by(const char *sentence)
{
	const char *at = strstr(sentence, "at most ");
	CHECK(at, "no bound in '%s'", sentence);
	return strtod(at + strlen("at most "), NULL);
}

/* A new step is tested against the current speeds of the bodies, and the error message contains the numbers of the
 * test: a body ten times as fast as at the start permits only a tenth of the step. */
static void new_steps_are_tested_by_present_speeds(void **state)
{
	(void)state;
	static const bounded halo = {"halo", "", fill_halo, 0};
	static const char *const response[] = {NULL, "implicit", "hard"};
	for (int k = 0; k < 3; ++k) {
		fail slow = {0}, fast = {0}, none = {0};
		scree_world *w = bounded_world(&halo, response[k]);
		lab_prepare(w, 1e-9);
		lab_steps(w, 3);
		CHECK(!scree_world_set_step(w, 1e-6, &slow), "a step of 1 us was allowed");
		CHECK(strstr(slow.text, "body 1 may be hit at 1 m/s"), "%s", slow.text);
		w->state.body.vz[0] = -10;
		CHECK(!scree_world_set_step(w, (real)0.5 * allowed_by(slow.text), &fast), "allowed by the speed of the start");
		CHECK(strstr(fast.text, "body 1 may be hit at 10 m/s"), "%s", fast.text);
		NEAR(allowed_by(fast.text) / allowed_by(slow.text), 0.1, 0.02, "the bound");
		CHECK(scree_world_set_step(w, (real)0.99 * allowed_by(fast.text), &none), "%s", none.text);
		scree_world_free(w);
	}
}

/* the default implicit step for balls on a steel floor, in s */
static real step_of_materials(const char *materials)
{
	char path[64], *report = NULL;
	snprintf(path, sizeof path, "%s/order.scene.yaml", folder);
	FILE *to = fopen(path, "w");
	CHECK(to, "%s", path);
	fprintf(to,
			"scene: 1\nworld: {gravity: [0, 0, -9.81 m/s^2]}\nmaterials:\n%s"
			"contacts: {default: {law: hertz, restitution: 0.5, friction: 0.3}}\nshapes: {ball: {sphere: 1}}\n"
			"walls: {floor: {plane: {point: [0, 0, 0], normal: [0, 0, 1]}, material: steel}}\n"
			"fill:\n  - {lattice: 2.1 mm, region: {box: {min: [0, 0, 0], max: [10 mm, 10 mm, 10 mm]}}, shape: ball, "
			"size: 2 mm, material: glass}\nrun: {until: 1 s, response: implicit, guard: {speed: 1e-3 m/s}}\n",
			materials);
	fclose(to);
	scene s = {0};
	CHECK(scree_scene_load(path, 0, NULL, &s, &report), "%s", report ? report : "no report");
	const real dt = s.world->model.dt;
	scree_scene_free(&s);
	remove(path);
	return dt;
}

/* The limit due to the fall of the smallest body takes all materials into account, not only the first one. */
static void order_of_materials_changes_no_step(void **of)
{
	(void)of;
	const char *glass = "  glass: {density: 2500 kg/m^3, young: 0.02 MPa, poisson: 0.3}\n";
	const char *steel = "  steel: {density: 7800 kg/m^3, young: 0.02 MPa, poisson: 0.3}\n";
	char text[2][512];
	snprintf(text[0], sizeof text[0], "%s%s", glass, steel);
	snprintf(text[1], sizeof text[1], "%s%s", steel, glass);
	const real first = step_of_materials(text[0]), second = step_of_materials(text[1]);
	NEAR(second / first, 1, 1e-12, "the step with the wall's material first");
	CHECK(first <= (real)0.051 * sqrt(2e-3 / 9.81), "%g s is longer than the bound by the fall", first);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(ledgers_close),
		cmocka_unit_test(energies_stay_at_a_change),
		cmocka_unit_test(impulses_outlive_a_change),
		cmocka_unit_test(a_loaded_world_changes_its_step),
		cmocka_unit_test(springs_follow_the_step),
		cmocka_unit_test(images_move_without_a_jump),
		cmocka_unit_test(outputs_keep_their_times),
		cmocka_unit_test(long_steps_are_refused),
		cmocka_unit_test(bounds_of_the_start_hold_later),
		cmocka_unit_test(new_steps_are_tested_by_present_speeds),
		cmocka_unit_test(order_of_materials_changes_no_step),
	};
	if (!mkdtemp(folder)) return 1;
	const int failed = cmocka_run_group_tests(tests, NULL, NULL);
	char path[64];
	snprintf(path, sizeof path, "%s/a.snap", folder);
	remove(path);
	rmdir(folder);
	return failed;
}
