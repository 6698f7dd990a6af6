/* Steps and halos: a body that passes through a halo is detected. The default step is limited by the known speeds, a
 * longer step is refused, and a body that becomes too fast stops the run before any body has passed through. */
#include "base/maths.h"
#include "base/random.h"
#include "choices/choices.h"
#include "kernel/quat.h"
#include "lab.h"
#include "model/narrow.h"
#include "model/response.h"
#include "part_shapes.h"
#include "prepare/wall_defects.h"
#include "test.h"

#include <stdlib.h>

static const real D = 0.01; /* m */
static const real THICK = 0.002;

enum { BALL, CUBE, SLAB, BULLET, TWIN };

/* A thin plate of 4 by 4 and a block, both with a halo, and a body made of two balls. */
static scree_world *thin_world(real halo)
{
	static const part_prism slab = {4, 2, square_corner, square_triangle, THICK};
	const contact_rule rule = {.law = LAW_OVERLAP, .restitution = 0.5, .friction = 0.3};
	scree_world *w = lab_world(rule);
	shapes *s = &w->model.shape;
	fail why = {0};
	const vec3 centre[2] = {v3(0, 0, 0), v3(0.2, 0, 0)};
	const real radius[2] = {0.3, 0.25};
	CHECK(part_add_surface(s, "slab", &slab, halo, &why) == SLAB, "%s", why.text);
	CHECK(part_add_surface(s, "bullet", &part_cube, halo, &why) == BULLET, "%s", why.text);
	CHECK(scree_shapes_add_clump(s, "twin", 2, centre, radius, false, &why) == TWIN, "%s", why.text);
	w->model.narrow = scree_narrow_find("overlap-thickness");
	return w;
}

/* the slab is in the plane z = 0, and a body approaches from above */
static void shoot(scree_world *w, int32_t what, real size, real from, real speed, vec3 spin, quat turn)
{
	lab_add(w, SLAB, 4 * D, v3(0, 0, 0));
	lab_add_moving(w, what, size, v3(0, 0, from), turn, v3(0, 0, -speed), spin);
}

static void the_step_is_bounded_by_halos(void **state)
{
	(void)state;
	const real halo = 1e-4, speed = 30;
	scree_world *w = thin_world(halo);
	shoot(w, BULLET, D, 3 * D, speed, v3(0, 0, 0), quat_one());
	lab_prepare(w, 0);
	NEAR(w->model.dt, 0.5 * halo * D / speed, 1e-12 * w->model.dt, "step");
	NEAR(w->model.halo_step, 2 * w->model.dt, 1e-12 * w->model.dt, "longest step");
	scree_world_free(w);
	w = thin_world(halo); /* rotation also moves corners */
	shoot(w, BULLET, D, 3 * D, speed, v3(0, 0, 1e4), quat_one());
	lab_prepare(w, 0);
	NEAR(w->model.dt, 0.5 * halo * D / (speed + 1e4 * sqrt(0.75) * D), 1e-3 * w->model.dt, "step with a spin");
	scree_world_free(w);
	w = thin_world(halo); /* a body without a halo enters the halo of the other body */
	shoot(w, CUBE, D, 3 * D, speed, v3(0, 0, 0), quat_one());
	lab_prepare(w, 0);
	NEAR(w->model.dt, 0.5 * halo * 4 * D / speed, 1e-12 * w->model.dt, "step of a cube");
	scree_world_free(w);
	w = thin_world(halo); /* a fall */
	w->model.gravity = v3(0, 0, -10);
	w->model.guard.bounded = true;
	w->model.guard.low = v3(-1, -1, -5), w->model.guard.high = v3(1, 1, 5);
	shoot(w, BULLET, D, 3 * D, speed, v3(0, 0, 0), quat_one());
	lab_prepare(w, 0);
	NEAR(w->model.dt, 0.5 * halo * D / sqrt(speed * speed + 200), 1e-12 * w->model.dt, "step of a fall");
	scree_world_free(w);
}

static void longer_steps_are_refused(void **state)
{
	(void)state;
	scree_world *w = thin_world(1e-4);
	shoot(w, BULLET, D, 3 * D, 30, v3(0, 0, 0), quat_one());
	lab_refused(w, 1.01 * 1e-4 * D / 30, "too large for halos: body 2 may be hit at 30 m/s");
	w = thin_world(1e-4);
	shoot(w, BULLET, D, 3 * D, 30, v3(0, 0, 0), quat_one());
	lab_prepare(w, 0.99 * 1e-4 * D / 30);
	scree_world_free(w);
}

/* The halo also limits the step with implicit contacts, which otherwise permit longer steps. */
static void implicit_steps_are_refused(void **state)
{
	(void)state;
	scree_world *w = thin_world(1e-4);
	shoot(w, BULLET, D, 3 * D, 30, v3(0, 0, 0), quat_one());
	model_respond(&w->model, scree_response_find("implicit"));
	lab_refused(w, 1.01 * 1e-4 * D / 30, "too large for halos: body 2 may be hit at 30 m/s");
}

/* Returns true if the body was stopped or thrown back, and false if it passed to the other side without a report. */
static bool is_seen(scree_world *w, int *stopped)
{
	for (int k = 0; k < 4000; ++k) {
		if (!scree_step(w)) {
			CHECK(w->work.why.code == FAIL_GUARD, "%s", w->work.why.text);
			CHECK(strstr(w->work.why.text, "halo") || strstr(w->work.why.text, "radius"), "%s", w->work.why.text);
			++*stopped;
			return true;
		}
		if (w->state.body.z[lab_row(w, 2)] < w->state.body.z[lab_row(w, 1)]) return false;
		if (w->state.body.vz[lab_row(w, 2)] > w->state.body.vz[lab_row(w, 1)]) return true;
	}
	return true;
}

/* Steps from safe to absurdly long are imposed on the world. */
static void nothing_passes_unseen(void **state)
{
	(void)state;
	static const int32_t what[4] = {BULLET, CUBE, BALL, TWIN};
	random_stream r = scree_random_start(71, 1);
	int stopped = 0, back = 0;
	for (int k = 0; k < 240; ++k) {
		const real halo = 0.05 * scree_pow(10, -3 * scree_random_real(&r)), speed = scree_random_between(&r, 0.05, 50);
		const real way = D * scree_pow(10, 3 * scree_random_real(&r) - 2.5); /* displacement of a step */
		const real size = D * scree_random_between(&r, 0.05, 1), from = scree_random_between(&r, 2, 4) * D;
		const vec3 axis = scree_random_direction(&r), spin = v3_mul(scree_random_between(&r, 0, 100), axis);
		const quat turn = scree_random_rotation(&r);
		scree_world *w = thin_world(halo);
		shoot(w, what[k % 4], size, from, speed, spin, turn);
		w->model.unsafe = true;
		lab_prepare(w, way / speed);
		const int before = stopped;
		CHECK(is_seen(w, &stopped), "%d: shape %d of %g went %g in a step of %g through a halo of %g", k, what[k % 4],
			  size, w->model.dt * speed, w->model.dt, 4 * D * halo);
		back += stopped == before;
		scree_world_free(w);
	}
	CHECK(stopped >= 40 && back >= 10, "%d were stopped, %d came back", stopped, back);
}

/* A closed plate made of wall facets that rises by more than its thickness per step. */
static void add_plate(scree_world *w, real speed)
{
	static const int32_t t[36] = {0, 2, 1, 1, 2, 3, 4, 5, 6, 5, 7, 6, 0, 1, 4, 1, 5, 4,
								  2, 6, 3, 3, 6, 7, 0, 4, 2, 2, 4, 6, 1, 3, 5, 3, 7, 5};
	vec3 v[8];
	fail why = {0};
	for (int k = 0; k < 8; ++k)
		v[k] = v3(2 * D * (k & 1 ? 1 : -1), 2 * D * (k & 2 ? 1 : -1), THICK * 2 * D * (k & 4 ? 1 : -1));
	wall plate = scree_wall_default("plate", 0);
	if (speed > 0) {
		plate.motion.type = MOTION_VELOCITY;
		plate.motion.velocity = v3(0, 0, speed);
	}
	CHECK(scree_walls_add_mesh(&w->model.wall, plate, 8, v, 12, t, &why) == 0, "%s", why.text);
}

static void nothing_passes_a_wall_unseen(void **state)
{
	(void)state;
	random_stream r = scree_random_start(72, 1);
	int stopped = 0, back = 0;
	for (int k = 0; k < 120; ++k) {
		const real halo = 0.05 * scree_pow(10, -scree_random_real(&r)), size = D * scree_random_between(&r, 0.05, 1);
		const real speed = 0.02 * scree_pow(100, scree_random_real(&r)); /* speed of both */
		const real way = halo * size * scree_pow(10, (k % 4 == 3 ? 1 : 4) * scree_random_real(&r) - 1);
		const real share = k % 4 == 0 ? 1 : k % 4 == 1 ? scree_random_real(&r) : 0; /* the plate's */
		const quat turn = k % 4 == 3 ? quat_one() : scree_random_rotation(&r);		/* a plate, or a block */
		scree_world *w = thin_world(halo);
		add_plate(w, share * speed);
		lab_add_moving(w, k % 4 == 3 ? SLAB : BULLET, size, v3(0, 0, 1.2 * size + way), turn,
					   v3(0, 0, -(1 - share) * speed), v3(0, 0, 0));
		w->model.unsafe = true;
		lab_prepare(w, way / speed);
		bool seen = false, goes = true;
		for (int n = 0; n < 4000 && goes && !seen; ++n) {
			goes = scree_step(w);
			CHECK(goes || w->work.why.code == FAIL_GUARD, "%s", w->work.why.text);
			seen = w->state.body.vz[0] > share * speed;
			if (goes && w->state.body.z[0] < w->state.wall[0].position.z) break;
		}
		CHECK(!goes || seen, "%d: %g went %g in a step of %g through a halo of %g", k, size, way, w->model.dt,
			  size * halo);
		stopped += !goes, back += seen;
		scree_world_free(w);
	}
	CHECK(stopped >= 20 && back >= 3, "%d were stopped, %d came back", stopped, back);
}

/* The step is valid at the start, but a force then accelerates the body. */
static void faster_bodies_are_stopped(void **state)
{
	(void)state;
	const real halo = 0.005;
	scree_world *w = thin_world(halo);
	w->model.gravity = v3(0, 0, -1e4);
	shoot(w, BULLET, D, 2000 * D, 1, v3(0, 0, 0), quat_one());
	w->state.body.flags[lab_row(w, 1)] |= BODY_HELD;
	w->model.unsafe = true;
	lab_prepare(w, 1e-6);
	bool goes = true;
	int64_t steps = 0;
	for (; goes && steps < 100000; ++steps) goes = scree_step(w);
	CHECK(!goes && strstr(w->work.why.text, "body 2 moves"), "it goes on: %s", w->work.why.text);
	const real v = w->state.body.vz[lab_row(w, 2)];
	NEAR(-v * w->model.dt, halo * D, 0.01 * halo * D, "way of the step that was stopped");
	/* a batch of many steps is stopped in the same step */
	scree_world *o = thin_world(halo);
	o->model.gravity = w->model.gravity;
	shoot(o, BULLET, D, 2000 * D, 1, v3(0, 0, 0), quat_one());
	o->state.body.flags[lab_row(o, 1)] |= BODY_HELD;
	o->model.unsafe = true;
	lab_prepare(o, 1e-6);
	CHECK(!scree_steps(o, 100000), "it goes on");
	CHECK(o->state.step == w->state.step && o->state.body.vz[lab_row(o, 2)] == v, "step %lld, not %lld",
		  (long long)o->state.step, (long long)w->state.step);
	scree_world_free(o);
	scree_world_free(w);
}

/* No body had a halo when the run began. */
static void bodies_added_later_are_watched(void **state)
{
	(void)state;
	scree_world *w = thin_world(0.005);
	lab_add(w, BALL, D, v3(0, 0, 5 * D));
	w->model.unsafe = true;
	lab_prepare(w, 1e-6);
	lab_steps(w, 10);
	lab_add_moving(w, BULLET, D, v3(5 * D, 0, 0), quat_one(), v3(1.01 * 0.005 * D / 1e-6, 0, 0), v3(0, 0, 0));
	CHECK(!scree_step(w) && strstr(w->work.why.text, "body 2 moves"), "it goes on: %s", w->work.why.text);
	scree_world_free(w);
}

/* Two blocks at rest, far apart, in a cell whose images move past by several halo thicknesses in a step of 1 us. */
static scree_world *sheared_blocks(real halos)
{
	const real halo = 0.005, cell = 20 * D;
	scree_world *w = thin_world(halo);
	lab_periods(w, "xyz", v3(0, 0, 0), v3(cell, cell, cell));
	w->model.period.shears = true, w->model.period.flow = 0, w->model.period.gradient = 2;
	w->model.period.rate = halos * halo * D / 1e-6 / cell;
	for (int k = 0; k < 2; ++k) lab_add(w, BULLET, D, v3(D * (4 + 8 * k), 2 * D, 2 * D));
	return w;
}

static void sheared_images_are_watched(void **state)
{
	(void)state;
	for (int fast = 0; fast < 2; ++fast) {
		scree_world *w = sheared_blocks(fast ? 2.02 : 1.98);
		w->model.unsafe = true;
		lab_prepare(w, 1e-6);
		CHECK(scree_step(w) == !fast, "fast %d: %s", fast, w->work.why.text);
		CHECK(!fast || strstr(w->work.why.text, "displacement of images"), "%s", w->work.why.text);
		scree_world_free(w);
	}
	scree_world *w = sheared_blocks(2);
	lab_prepare(w, 0);
	NEAR(w->model.dt, 0.5e-6, 1e-15, "step of a sheared world");
	scree_world_free(w);
}

/* A block rests on a plane that rotates slowly about a point near it, as far from the origin as allowed: the step and
 * the searches for pairs are the same as near the origin. */
static void far_walls_turn_as_near_ones(void **state)
{
	(void)state;
	real step[3];
	int64_t searches[3];
	for (int k = 0; k < 3; ++k) {
		const real far = k ? k > 1 ? 1e5 : 1e3 : 0;
		scree_world *w = thin_world(0.01);
		lab_plane(w, v3(far, far, 0), v3(0, 0, 1));
		wall_motion *m = &w->model.wall.row[0].motion;
		m->type = MOTION_ROTATION, m->axis = v3(0, 1, 0), m->rate = 0.5, m->point = v3(far + D, far, 0);
		lab_add_moving(w, BULLET, D, v3(far, far, 0.6 * D), quat_one(), v3(0, 0, -0.1), v3(0, 0, 0));
		lab_prepare(w, 0);
		step[k] = w->model.dt;
		const int64_t before = w->work.rebuilds;
		lab_steps(w, 1000);
		searches[k] = w->work.rebuilds - before;
		NEAR(step[k], step[0], 1e-6 * step[0], "step");
		CHECK(searches[k] <= searches[0] + 2, "%d searches, not %d", (int)searches[k], (int)searches[0]);
		scree_world_free(w);
	}
	CHECK(searches[0] < 300, "%d searches", (int)searches[0]);
}

/* Thin plates whose halos are thicker than the plates: within the halo they could pass through each other in one step,
 * although neither moves by as much as the thickness of its halo. */
static void thin_plates_do_not_pass(void **state)
{
	(void)state;
	const real halo = 0.02, e = halo * 4 * D; /* ten plates */
	int stopped = 0;
	for (int k = 0; k < 20; ++k) {
		scree_world *w = thin_world(halo);
		lab_add(w, SLAB, 4 * D, v3(0, 0, 0));
		const real gap = (0.05 + 0.045 * k) * 2 * e, way = 0.98 * e;
		lab_add_moving(w, SLAB, 4 * D, v3(0, 0, gap + THICK * 4 * D), quat_one(), v3(0, 0, -1), v3(0, 0, 0));
		w->model.unsafe = true;
		lab_prepare(w, way);
		CHECK(is_seen(w, &stopped), "%d: a plate went through a plate from a gap of %g of both halos", k,
			  gap / (2 * e));
		scree_world_free(w);
	}
	CHECK(stopped > 0, "nothing was stopped");
}

/* ------------------------------------------------------------------ impacts that a halo can stop */

/* A block falls by 2 cm onto a corner, with its centre directly above it: the hardest impact possible. */
static scree_world *corner_world(real halo, real young, real restitution, enum law_row law)
{
	contact_rule rule = {.law = law, .restitution = restitution, .friction = 0.3, .stiffness = young * D / 20};
	scree_world *w = lab_world(rule);
	w->model.material.row[0].young = young;
	fail why = {0};
	CHECK(part_add_surface(&w->model.shape, "block", &part_cube, halo, &why) == SLAB, "%s", why.text);
	const quat on_a_corner = quat_of(0.88807383397711526, 0.32505758367186816, -0.32505758367186816, 0);
	lab_plane(w, v3(0, 0, 0), v3(0, 0, 1));
	w->model.gravity = v3(0, 0, -9.81);
	lab_add_moving(w, SLAB, D, v3(0, 0, 0.02), on_a_corner, v3(0, 0, 0), v3(0, 0, 0));
	if (law == LAW_OVERLAP) w->model.narrow = scree_narrow_find("overlap-thickness");
	lab_prepare(w, 0);
	return w;
}

/* Returns whether the falling body passes through its halo. */
static bool goes_through(scree_world *w)
{
	bool went = true;
	while (went && w->state.time < 0.1) went = scree_step(w);
	CHECK(went || strstr(w->work.why.text, "through its halo"), "%s", w->work.why.text);
	scree_world_free(w);
	return !went;
}

static real number_after(const char *text, const char *words)
{
	const char *at = strstr(text, words);
	CHECK(at != NULL, "no '%s' in: %s", words, text);
	return strtod(at + strlen(words), NULL);
}

static void what_a_halo_does_not_stand_is_told_with_a_cure(void **state)
{
	(void)state;
	static const enum law_row laws[3] = {LAW_OVERLAP, LAW_HERTZ, LAW_LINEAR};
	static const real e[3] = {0.9, 0.5, 0.2};
	for (int k = 0; k < 9; ++k) {
		const enum law_row law = laws[k % 3];
		const real young = 1e7, restitution = e[k / 3];
		char text[640];
		scree_world *w = corner_world(0.002, young, restitution, law);
		CHECK(scree_halo_defect(&w->model, &w->state, &w->work.domain, text, sizeof text),
			  "law %d: nothing is told of a halo of 0.002", law);
		CHECK(goes_through(w), "law %d, e %g: it stands what it should not", law, restitution);
		const real halo = number_after(text, "set the halo of shape block to ");
		w = corner_world(halo, young, restitution, law);
		CHECK(!scree_halo_defect(&w->model, &w->state, &w->work.domain, text, sizeof text),
			  "the halo that was named is not enough: %s", text);
		CHECK(!goes_through(w), "law %d, e %g: it does not stand what it should with a halo of %g", law, restitution,
			  halo);
		/* an impact that begins at the plane would be stopped within 0.8 times the halo, but this one begins at the
		 * corner
		 */
		w = corner_world(0.6 * halo, young, restitution, law);
		CHECK(scree_halo_defect(&w->model, &w->state, &w->work.domain, text, sizeof text),
			  "nothing is told of 0.6 of the halo that is safe");
		CHECK(goes_through(w), "law %d, e %g: 0.6 of the halo that is safe is enough", law, restitution);
	}
	char text[640];
	scree_world *w = corner_world(0.002, 1e7, 0.5, LAW_OVERLAP);
	CHECK(scree_halo_defect(&w->model, &w->state, &w->work.domain, text, sizeof text), "nothing is told");
	scree_world_free(w);
	w = corner_world(0.002, number_after(text, "set young of material stuff to "), 0.5, LAW_OVERLAP);
	CHECK(!scree_halo_defect(&w->model, &w->state, &w->work.domain, text, sizeof text),
		  "the modulus that was named is not enough: %s", text);
	CHECK(!goes_through(w), "it goes through with the modulus that was named");
}

/* No warning is given for bodies at rest, bodies that fly away, or bodies with nothing below to fall on. */
static void other_halos_are_not_told_of(void **state)
{
	(void)state;
	char text[640];
	scree_world *w = corner_world(0.002, 1e9, 0.5, LAW_OVERLAP);
	scree_world_free(w);
	for (int k = 0; k < 3; ++k) {
		w = thin_world(0.05);
		if (k != 1) w->model.gravity = v3(0, 0, k ? 9.81 : -9.81); /* in case 2, away from the plane */
		lab_plane(w, v3(0, 0, 0), v3(0, 0, 1));
		lab_add(w, BULLET, D, v3(0, 0, (k ? 50 : 0.56) * D));
		lab_prepare(w, 0);
		CHECK(!scree_halo_defect(&w->model, &w->state, &w->work.domain, text, sizeof text), "case %d: %s", k, text);
		scree_world_free(w);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_step_is_bounded_by_halos),
		cmocka_unit_test(longer_steps_are_refused),
		cmocka_unit_test(implicit_steps_are_refused),
		cmocka_unit_test(nothing_passes_unseen),
		cmocka_unit_test(nothing_passes_a_wall_unseen),
		cmocka_unit_test(faster_bodies_are_stopped),
		cmocka_unit_test(bodies_added_later_are_watched),
		cmocka_unit_test(sheared_images_are_watched),
		cmocka_unit_test(far_walls_turn_as_near_ones),
		cmocka_unit_test(thin_plates_do_not_pass),
		cmocka_unit_test(what_a_halo_does_not_stand_is_told_with_a_cure),
		cmocka_unit_test(other_halos_are_not_told_of),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
