/* The energy guard: a run that gains energy because its step is too long is stopped, with a message that names the
 * body and the remedy, and the default step avoids this gain; a run that loses energy is stopped in the same way; a run
 * resumed from a snapshot stops at the same step; a run that conserves energy is not stopped. */
#include "base/maths.h"
#include "base/memory.h"
#include "choices/choices.h"
#include "format/snapshot.h"
#include "guard/guard.h"
#include "kernel/cohesion.h"
#include "kernel/quat.h"
#include "lab.h"
#include "model/narrow.h"
#include "model/response.h"
#include "prepare/prepare.h"
#include "test.h"

static const real G = 10, LIMIT = 0.05;

/* bodies that fall into a corner of walls with strong damping; solid: NULL for balls */
static scree_world *heap_world(const char *solid, int law, real restitution, real ratio)
{
	enum { ACROSS = 3, UP = 3 };
	const real d = 0.01, gap = 1.75 * d, wide = ACROSS * gap; /* large enough for any orientation of a cube of edge d */
	contact_rule rule = {
		.law = law, .restitution = restitution, .friction = 0.8, .stiffness = 2e4, .tangential_ratio = ratio};
	scree_world *w = lab_world(rule);
	if (law == LAW_OVERLAP) w->model.narrow = scree_narrow_find("overlap-thickness");
	fail why = {0};
	int32_t shape = solid ? scree_shapes_add_regular(&w->model.shape, "grain", solid, &why) : 0;
	CHECK(shape >= 0, "%s", why.text);
	w->model.gravity = v3(0, 0, -G);
	w->model.guard.energy = LIMIT;
	lab_plane(w, v3(0, 0, 0), v3(0, 0, 1));
	for (int k = 0; k < 2; ++k) {
		lab_plane(w, v3(0, 0, 0), v3(k, 1 - k, 0));
		lab_plane(w, v3(wide, wide, 0), v3(-k, k - 1, 0));
	}
	random_stream r = scree_random_start(11, 1);
	for (int k = 0; k < ACROSS * ACROSS * UP; ++k) {
		quat q = {scree_random_between(&r, -1, 1), scree_random_between(&r, -1, 1), scree_random_between(&r, -1, 1), 1};
		vec3 at = v3(gap * (k % ACROSS + (real)0.5), gap * (k / ACROSS % ACROSS + (real)0.5),
					 gap * (k / (ACROSS * ACROSS) + (real)0.6));
		lab_add_moving(w, shape, d, at, quat_unit(q), v3(0, 0, 0), v3(0, 0, 0));
	}
	return w;
}

/* number of steps until a guard stops the run, or 0 if this takes more than `most` */
static int64_t steps_until_stopped(scree_world *w, int64_t most)
{
	for (int64_t k = 0; k < most; ++k)
		if (!scree_step(w)) return w->state.step;
	return 0;
}

/* cases in which defects created energy: solid, law, restitution, tangential ratio, and a step that caused the defect
 */
typedef struct fed {
	const char *solid;
	int law;
	real restitution, ratio, part;
} fed;
static const fed feeding[] = {
	{"tetrahedron", LAW_LINEAR, 0.22, 1, 0.03}, {"octahedron", LAW_LINEAR, 0.22, 1, 0.05},
	{"cube", LAW_HERTZ, 0.14, 0, 0.06},			{NULL, LAW_LINEAR, 0.14, 0.3, 0.02},
	{"cube", LAW_OVERLAP, 0.1, 0, 0.06},
};
enum { FED = sizeof feeding / sizeof *feeding };

static void what_feeds_is_stopped(void **state)
{
	(void)state;
	for (int k = 0; k < FED; ++k) {
		const fed *f = feeding + k;
		fail why = {0};
		scree_world *w = heap_world(f->solid, f->law, f->restitution, f->ratio);
		CHECK(!scree_world_prepare(w, f->part, 0, &why) && strstr(why.text, "run.step.unsafe: true allows it"),
			  "row %d: not refused: %s", k, why.text);
		w->model.unsafe = true;
		CHECK(scree_world_prepare(w, f->part, 0, &why), "%s", why.text);
		int64_t stopped = steps_until_stopped(w, 60000);
		print_message("row %d: stopped at step %lld: %s\n", k, (long long)stopped, w->work.why.text);
		CHECK(stopped > 0 && stopped % ENERGY_STEPS == 0 && w->work.why.code == FAIL_GUARD, "row %d: step %lld", k,
			  (long long)stopped);
		/* while no contact exists, there is no body to name */
		CHECK(
			strstr(w->work.why.text, "energy is not conserved") &&
				(strstr(w->work.why.text, "needs the shortest step") || strstr(w->work.why.text, "set run.step below")),
			"row %d: %s", k, w->work.why.text);
		CHECK(w->state.energy_guard.worst > LIMIT, "%g", w->state.energy_guard.worst);
		scree_world_free(w);
	}
}

/* With the default step, the error stays below 3 % in either direction, and no body exceeds the limit. */
static void the_default_step_feeds_nothing(void **state)
{
	(void)state;
	for (int k = 0; k < FED && k < test_cases(FED); ++k) {
		const fed *f = feeding + k;
		scree_world *w = heap_world(f->solid, f->law, f->restitution, f->ratio);
		lab_prepare(w, 0);
		int64_t steps = (int64_t)(0.05 * (real)test_few(5, 2) / w->model.dt);
		for (int64_t s = 0; s < steps; ++s) {
			CHECK(scree_step(w), "row %d: %s", k, w->work.why.text);
			if (w->state.step % 500 == 0) scree_world_watch(&w->model, &w->state, &w->work);
		}
		print_message("row %d: 1/%.0f of a contact, worst %.2g %%, step used to %.0f %%\n", k,
					  w->model.contact_time / w->model.dt, 100 * w->state.energy_guard.worst,
					  100 * w->work.heaviest.part);
		CHECK(w->state.energy_guard.worst < 0.03, "row %d: %g", k, w->state.energy_guard.worst);
		CHECK(w->work.heaviest.part > 0.05 && w->work.heaviest.part < 1.1, "row %d: %g", k, w->work.heaviest.part);
		scree_world_free(w);
	}
}

/* the world of a run resumed from a snapshot of the current state */
static scree_world *gone_on(scree_world *w)
{
	fail why = {0};
	char path[512];
	snprintf(path, sizeof path, "%s/energy_guard.snap", SCREE_BINARY);
	CHECK(scree_snapshot_write(w, &(snapshot_extra){0}, path, &why), "%s", why.text);
	scree_world *o = scree_snapshot_read(path, NULL, &why);
	CHECK(o, "%s", why.text);
	return o;
}

static void a_run_that_goes_on_stops_at_the_same_step(void **state)
{
	(void)state;
	fail why = {0};
	scree_world *w = heap_world(feeding[0].solid, feeding[0].law, feeding[0].restitution, feeding[0].ratio);
	w->model.unsafe = true;
	CHECK(scree_world_prepare(w, feeding[0].part, 0, &why), "%s", why.text);
	lab_steps(w, 777);
	scree_world *o = gone_on(w);
	int64_t stopped = steps_until_stopped(w, 60000);
	CHECK(stopped > 777 && steps_until_stopped(o, 60000) == stopped, "step %lld, %lld", (long long)stopped,
		  (long long)o->state.step);
	CHECK(o->state.energy_guard.worst == w->state.energy_guard.worst &&
			  o->state.energy_guard.worst_time == w->state.energy_guard.worst_time,
		  "another reading");
	scree_world_free(w);
	scree_world_free(o);
}

/* The energy of a ball that bounces without losses is decreased or increased between two steps: the next check detects
 * either change. */
static void loss_counts_as_gain_does(void **state)
{
	(void)state;
	for (int k = 0; k < 2; ++k) {
		scree_world *w = lab_world(lab_linear(1e4, 1, 0));
		w->model.gravity = v3(0, 0, -G);
		w->model.guard.energy = LIMIT;
		lab_plane(w, v3(0, 0, 0), v3(0, 0, 1));
		lab_add_moving(w, 0, 0.01, v3(0, 0, 0.05), (quat){1, 0, 0, 0}, v3(0, 0, 1), v3(1, 2, 3));
		lab_prepare(w, 0);
		lab_steps(w, 20 * ENERGY_STEPS);
		CHECK(w->state.energy_guard.worst < 1e-2, "a ball alone: %g", w->state.energy_guard.worst);
		real turn = k ? 1.2 : 0.8;
		w->state.body.vx[0] += turn - 1 + 0.3;
		w->state.body.vz[0] *= turn;
		int64_t stopped = steps_until_stopped(w, ENERGY_STEPS);
		CHECK(stopped, "factor %g: worst %g", turn, w->state.energy_guard.worst);
		CHECK(strstr(w->work.why.text, "in the last") || strstr(w->work.why.text, "since the start"), "%s",
			  w->work.why.text);
		scree_world_free(w);
	}
}

/* A rock of 1.3e9 kg bouncing at 100 m/s has an energy of 6e12 J, and gains some more: this is detected, as for a small
 * ball. Energies too large for the sums stop the run with an error message. */
static void large_energies_are_watched(void **state)
{
	(void)state;
	for (int k = 0; k < 2; ++k) {
		scree_world *w = lab_world(lab_linear(1e12, 1, 0));
		w->model.gravity = v3(0, 0, -G);
		w->model.guard.energy = LIMIT;
		lab_plane(w, v3(0, 0, 0), v3(0, 0, 1));
		lab_add_moving(w, 0, 100, v3(0, 0, 60), (quat){1, 0, 0, 0}, v3(0, 0, -100), v3(0, 0, 0));
		lab_prepare(w, 0);
		for (int n = 0; n < 20 * ENERGY_STEPS; ++n) CHECK(scree_step(w), "%s", w->work.why.text);
		CHECK(scree_world_energy(&w->model, &w->state, &w->work).kinetic > 1e12 && w->state.energy_guard.worst < 1e-2,
			  "worst %g", w->state.energy_guard.worst);
		w->state.body.vz[0] *= k ? 1e12 : 1.2;
		CHECK(steps_until_stopped(w, ENERGY_STEPS), "%d: worst %g", k, w->state.energy_guard.worst);
		CHECK(strstr(w->work.why.text, k ? "energies exceed" : "energy is not conserved"), "%s", w->work.why.text);
		scree_world_free(w);
	}
}

/* Errors of methods that reproduce a paper are reported, but do not stop the run; a limit of 0 disables the check. */
static void tells_or_does_not_watch(void **state)
{
	(void)state;
	for (int k = 0; k < 2; ++k) {
		fail why = {0};
		scree_world *w = heap_world(feeding[0].solid, feeding[0].law, feeding[0].restitution, feeding[0].ratio);
		w->model.unsafe = true;
		w->model.guard.energy_reports = k == 0;
		if (k) w->model.guard.energy = 0;
		CHECK(scree_world_prepare(w, feeding[0].part, 0, &why), "%s", why.text);
		CHECK(!steps_until_stopped(w, 8000), "%s", w->work.why.text);
		CHECK(k ? w->state.energy_guard.worst == 0 : w->state.energy_guard.worst > LIMIT, "%g",
			  w->state.energy_guard.worst);
		scree_world_free(w);
	}
}

/* Energies near zero: bodies placed at rest, and a body that flies; the limit is far below the usual limit. */
static void what_is_quiet_runs_on(void **state)
{
	(void)state;
	scree_world *w = lab_world(lab_hertz(0.5, 0.5));
	w->model.gravity = v3(0, 0, -G);
	w->model.guard.energy = LIMIT;
	lab_plane(w, v3(0, 0, 0), v3(0, 0, 1));
	for (int k = 0; k < 4; ++k) lab_add(w, k % 2, 0.01, v3(0.03 * k, 0, 0.005));
	lab_prepare(w, 0);
	lab_steps(w, 40000);
	CHECK(w->state.energy_guard.count == ENERGY_READINGS, "%d readings", w->state.energy_guard.count);
	print_message("bodies at rest: worst %.2g %%\n", 100 * w->state.energy_guard.worst);
	scree_world_free(w);
	w = lab_world(lab_hertz(0.5, 0.5));
	w->model.guard.energy = 1e-6;
	lab_add_moving(w, 1, 0.01, v3(0, 0, 0), (quat){1, 0, 0, 0}, v3(1, 0, 0), v3(3, 4, 5));
	lab_add(w, 1, 0.01, v3(0, 5, 0));
	lab_prepare(w, 1e-4);
	lab_steps(w, 5000);
	scree_world_free(w);
}

/* A complete elastic bounce happens between two checks, which miss the contact: the energy of the ball counts, even
 * next to two bodies with almost no energy. */
static void a_bounce_that_no_reading_sees(void **state)
{
	(void)state;
	for (int others = 0; others < 2; ++others) {
		scree_world *w = lab_world(lab_hertz(1, 0));
		w->model.guard.energy = LIMIT;
		lab_plane(w, v3(0, 0, 0), v3(0, 0, 1));
		lab_add_moving(w, 0, 0.01, v3(0, 0, 0.00501), quat_one(), v3(0, 0, -1), v3(0, 0, 0));
		for (int k = 0; k < 2 * others; ++k) lab_add(w, 0, 0.01, v3(1 + 0.0099999 * k, 0, 1));
		lab_prepare(w, 0);
		lab_steps(w, 20000);
		CHECK(w->state.body.vz[0] > 0.99, "the ball did not bounce: %g m/s", w->state.body.vz[0]);
		scree_world_free(w);
	}
}

/* A fast distant ball, flying or spinning, does not mask errors. */
static void a_fast_ball_hides_nothing(void **state)
{
	(void)state;
	for (int k = 0; k < 2; ++k) {
		fail why = {0};
		scree_world *w = heap_world(feeding[0].solid, feeding[0].law, feeding[0].restitution, feeding[0].ratio);
		w->model.unsafe = true;
		lab_add_moving(w, 0, 0.02, v3(0.02, 0.02, 1), (quat){1, 0, 0, 0}, v3(0, 0, k ? 0 : 20), v3(k ? 5000 : 0, 0, 0));
		CHECK(scree_world_prepare(w, feeding[0].part, 0, &why), "%s", why.text);
		const int64_t stopped = steps_until_stopped(w, 9000);
		const energy_row e = scree_world_energy(&w->model, &w->state, &w->work);
		CHECK(stopped && strstr(w->work.why.text, "energy is not conserved"), "ball %d: not stopped, worst %g", k,
			  w->state.energy_guard.worst);
		CHECK(e.kinetic > 20 * (e.lost_normal + e.lost_friction), "ball %d: it is not fast", k);
		print_message("ball %d: %s\n", k, w->work.why.text);
		scree_world_free(w);
	}
}

/* Octahedra fall into a corner, while eight falling 3.6 kg balls lose 1e8 times the energy that the octahedra
 * exchange. With a narrow phase from a paper, the octahedra create energy: this is still detected, since it is
 * compared with the energy exchanged by bodies of similar energy. With this engine's own narrow phase, the run
 * continues. */
static void what_gentle_contacts_make_is_seen_beside_violent_ones(void **state)
{
	(void)state;
	for (int k = !SCREE_PAPERS; k < 2; ++k) {
		scree_world *w = heap_world("octahedron", LAW_LINEAR, 0.5, 0.3);
		w->model.narrow = scree_narrow_find(k ? "separating-plane" : "separating-plane/govender2015");
		for (int i = 0; i < 8; ++i)
			lab_add_moving(w, 0, 0.14, v3(0.02, 0.02, 5 + 0.3 * i), quat_one(), v3(0, 0, -15), v3(0, 0, 0));
		lab_prepare(w, 0);
		lab_steps(w, 777);
		scree_world *o = gone_on(w);
		const int64_t stopped = steps_until_stopped(w, 60000);
		CHECK(k || steps_until_stopped(o, 60000) == stopped, "step %lld, resumed %lld", (long long)stopped,
			  (long long)o->state.step);
		const energy_row e = scree_world_energy(&w->model, &w->state, &w->work);
		print_message("%s: worst %.2g %%, made %.2g J of %.2g J lost\n", k ? "own" : "paper",
					  100 * w->state.energy_guard.worst, e.made, e.lost_normal + e.lost_friction);
		CHECK(k ? !stopped : stopped > 0, "%d: step %lld: %s", k, (long long)stopped, w->work.why.text);
		CHECK(k || strstr(w->work.why.text, "in contacts of bodies whose kinetic energy was"), "%s", w->work.why.text);
		CHECK(e.made < 1e-2 * (e.lost_normal + e.lost_friction), "the balls hide nothing");
		scree_world_free(w);
		scree_world_free(o);
	}
}

/* Two balls that stick together are at rest: their stored energy is negative, and the sums are rounded. */
static void what_sticks_and_rests_runs_on(void **state)
{
	(void)state;
	for (int k = 0; k < 2; ++k) {
		contact_rule rule = lab_hertz(0.2, 0.5);
		rule.cohesion = k ? COHESION_DMT : COHESION_JKR;
		rule.surface = 0.05;
		scree_world *w = lab_world(rule);
		w->model.guard.energy = LIMIT;
		for (int i = 0; i < 2; ++i) lab_add(w, 0, 0.01, v3(0, 0, 0.009998 * i));
		lab_prepare(w, 0);
		for (int s = 0; s < 40000; ++s) CHECK(scree_step(w), "%d: %s", k, w->work.why.text);
		scree_world_free(w);
	}
}

/* A slowly tilting plane lifts a block: the energy scale is the block's weight times its size. */
static void a_block_that_is_tilted_runs_on(void **state)
{
	(void)state;
	for (int k = 0; k < 2; ++k) {
		scree_world *w = lab_world(k ? lab_hertz(0.3, 2) : lab_linear(1e6, 0.3, 2));
		w->model.gravity = v3(0, 0, -G);
		w->model.guard.energy = LIMIT;
		lab_plane(w, v3(0, 0, 0), v3(0, 0, 1));
		wall_motion *m = &w->model.wall.row[0].motion;
		m->type = MOTION_ROTATION, m->axis = v3(0, 1, 0), m->rate = 0.3, m->from = 0.02, m->ramp = 0.05;
		lab_add(w, 1, 0.02, v3(0, 0, 0.01));
		lab_prepare(w, 0);
		while (w->state.time < 0.1 * (real)test_few(12, 4)) CHECK(scree_step(w), "%d: %s", k, w->work.why.text);
		CHECK(w->state.energy_guard.worst > 0 && w->state.energy_guard.worst < LIMIT / 2, "%d: %g", k,
			  w->state.energy_guard.worst);
		scree_world_free(w);
	}
}

/* Energy created after the last check is tested at the end of the run; this test stores nothing. */
static void the_end_is_judged(void **state)
{
	(void)state;
	for (int k = 0; k < 2; ++k) {
		scree_world *w = lab_world(lab_linear(1e4, 1, 0));
		w->model.gravity = v3(0, 0, -G);
		w->model.guard.energy = LIMIT;
		lab_plane(w, v3(0, 0, 0), v3(0, 0, 1));
		lab_add_moving(w, 0, 0.01, v3(0, 0, 0.05), quat_one(), v3(0, 0, -1), v3(0, 0, 0));
		lab_prepare(w, 0);
		lab_steps(w, 20 * ENERGY_STEPS + 7);
		if (k) w->state.body.vz[0] *= 1.2;
		lab_steps(w, 200);
		const energy_guard had = w->state.energy_guard;
		const real energy = w->state.body.energy[0];
		const bool holds = scree_energy_holds_at_end(&w->model, &w->state, &w->work);
		CHECK(holds == !k, "%d: %s", k, w->work.why.text);
		CHECK(!k || strstr(w->work.why.text, "energy is not conserved"), "%s", w->work.why.text);
		CHECK(!memcmp(&had, &w->state.energy_guard, sizeof had) && energy == w->state.body.energy[0],
			  "the guard remembers the end");
		scree_world_free(w);
	}
}

/* A heap that has fallen and come to rest gains spurious energy, which friction dissipates at once. Compared with the
 * losses of the whole fall, this energy would be missed; compared with the losses in the same period, it is detected. A
 * heap at rest without spurious energy passes the test. */
static void what_burns_at_rest_is_seen(void **state)
{
	(void)state;
	for (int k = 0; k < 2; ++k) {
		scree_world *w = heap_world(NULL, LAW_HERTZ, 0.5, 0.3);
		for (int32_t i = 0; i < w->state.body.count; ++i) w->state.body.vz[i] = -2;
		lab_prepare(w, 0);
		lab_steps(w, 60 * ENERGY_STEPS);
		random_stream r = scree_random_start(5, 1);
		int64_t stopped = 0;
		for (int n = 0; n < 12 * ENERGY_STEPS && !stopped; ++n) {
			for (int32_t i = 0; k && n % 10 == 0 && i < w->state.body.count; ++i)
				w->state.body.vx[i] += scree_random_between(&r, -2e-3, 2e-3);
			if (!scree_step(w)) stopped = w->state.step;
		}
		const energy_row e = scree_world_energy(&w->model, &w->state, &w->work);
		print_message("%s: residual %.2g J of %.2g J lost, worst %.2g %%: %s\n", k ? "fed" : "at rest", e.residual,
					  e.lost, 100 * w->state.energy_guard.worst, stopped ? w->work.why.text : "runs on");
		CHECK(k ? stopped > 0 : !stopped, "%s", w->work.why.text);
		CHECK(!k || strstr(w->work.why.text, "exchanged or lost in this time"), "%s", w->work.why.text);
		CHECK(real_abs(e.residual) < LIMIT * e.lost, "it is too much for this test");
		scree_world_free(w);
	}
}

/* Two grains at rest below a lid that oscillates on a spring with far more energy, or only the lid, with all
 * responses: the integration error of the lid does not count as an error of contacts. The lid does not mask such
 * errors either: spurious energy of the grains is detected. */
static void a_lid_on_a_spring_runs_on_and_hides_nothing(void **state)
{
	(void)state;
	static const char *const name[3] = {"forces", "implicit", "hard"};
	for (int k = 0; k < 8; ++k) {
		const bool alone = k == 6 || k == 7, kicked = k == 3 || k == 4 || k == 5;
		scree_world *w = lab_world(lab_hertz(0.3, 0.5));
		fail why = {0};
		model_respond(&w->model, scree_response_find(name[k % 3]));
		w->model.gravity = v3(0, 0, -G);
		w->model.guard.energy = LIMIT;
		lab_plane(w, v3(0, 0, 0), v3(0, 0, 1));
		wall lid = scree_wall_default("lid", 0);
		lid.motion = (wall_motion){.type = MOTION_FREE, .axis = v3(0, 0, 1), .until = INFINITY};
		lid.motion.servo = (servo_rule){.mass = 20, .spring = 5e4, .speed = 1, .low = -INFINITY, .high = INFINITY};
		CHECK(scree_walls_add_plane(&w->model.wall, lid, v3(0, 0, 0.2), v3(0, 0, -1), &why) == 1, "%s", why.text);
		lab_rows(w);
		for (int i = 0; !alone && i < 2; ++i) lab_add(w, 0, 0.01, v3(0.02 * i, 0, 0.0051));
		lab_prepare(w, k % 3 ? 5e-4 : 1e-5);
		int64_t stopped = 0;
		for (int n = 0; n < 10 * ENERGY_STEPS && !stopped; ++n) {
			if (kicked && n == 8 * ENERGY_STEPS + 3) w->state.body.vx[0] = 5;
			if (!scree_step(w)) stopped = w->state.step;
		}
		print_message("%s%s: worst %.2g %%\n", name[k % 3],
					  alone	   ? ", alone"
					  : kicked ? ", kicked"
							   : "",
					  100 * w->state.energy_guard.worst);
		CHECK(!stopped == !kicked, "%d: %s", k, w->work.why.text);
		scree_world_free(w);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_feeds_is_stopped),
		cmocka_unit_test(the_default_step_feeds_nothing),
		cmocka_unit_test(a_run_that_goes_on_stops_at_the_same_step),
		cmocka_unit_test(loss_counts_as_gain_does),
		cmocka_unit_test(large_energies_are_watched),
		cmocka_unit_test(tells_or_does_not_watch),
		cmocka_unit_test(what_is_quiet_runs_on),
		cmocka_unit_test(a_bounce_that_no_reading_sees),
		cmocka_unit_test(a_fast_ball_hides_nothing),
		cmocka_unit_test(what_gentle_contacts_make_is_seen_beside_violent_ones),
		cmocka_unit_test(what_sticks_and_rests_runs_on),
		cmocka_unit_test(a_block_that_is_tilted_runs_on),
		cmocka_unit_test(the_end_is_judged),
		cmocka_unit_test(what_burns_at_rest_is_seen),
		cmocka_unit_test(a_lid_on_a_spring_runs_on_and_hides_nothing),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
