/* Implicit steps in which bodies collide, including the first step: contacts remove exactly the energy that is
 * recorded as lost, and no body leaves with more energy than it had. */
#include "base/maths.h"
#include "choices/choices.h"
#include "kernel/quat.h"
#include "lab.h"
#include "model/law.h"
#include "model/narrow.h"
#include "model/response.h"
#include "part_shapes.h"
#include "test.h"

enum { BALL, CUBE, FORMS };
static const real D = 0.01; /* m */

static scree_world *flying(int form, const char *response, real speed, real gap)
{
	scree_world *w = lab_world(form == BALL ? lab_hertz(0.5, 0.4)
											: (contact_rule){.law = LAW_OVERLAP, .restitution = 0.5, .friction = 0.4});
	model_respond(&w->model, scree_response_find(response));
	if (form == CUBE) w->model.narrow = scree_narrow_find("overlap-thickness");
	const quat turn = quat_exp(v3(0.3, 0.2, 0.1), 1);
	lab_plane(w, v3(0, 0, 0), v3(0, 0, 1));
	const real low = form == BALL ? D / 2 : 0.01 * (0.5 + 0.27);
	lab_add_moving(w, form, D, v3(0, 0, low + gap), turn, v3(0, 0, -speed), v3(0, 0, 0));
	lab_add_moving(w, form, D, v3(0, 3 * D, low + gap), turn, v3(0, 0, -speed), v3(10, 0, 0));
	return w;
}

/* A body moves by 1/20 of its size per step: the step is 0.5 mm divided by the speed. */
static void lands(int form, const char *response, real speed, real gap)
{
	scree_world *w = flying(form, response, speed, gap);
	lab_prepare(w, 5e-4 / speed);
	const real start = lab_energy(w);
	for (int k = 0; k < 30; ++k) {
		lab_steps(w, 1);
		const energy_row e = scree_world_energy(&w->model, &w->state, &w->work);
		NEAR(e.residual, 0, 1e-9 * start, "residual of the energy");
		CHECK(e.kinetic <= (1 + 1e-9) * start, "%s: form %d at %g m/s has %g of its energy after step %d", response,
			  form, speed, e.kinetic / start, k + 1);
		/* the gap of an impact may still be open at the end of the step */
		const real mean = scree_world_mean_overlap(&w->model, &w->state, &w->work);
		CHECK(mean >= 0 && mean <= w->work.greatest_overlap_ever, "mean overlap of %g after step %d", mean, k + 1);
	}
	CHECK(w->state.body.vz[0] > 0, "form %d at %g m/s with %s does not rebound", form, speed, response);
	scree_world_free(w);
}

static void contacts_of_the_start_keep_the_energy(void **state)
{
	(void)state;
	static const char *const response[2] = {"implicit", "hard"};
	for (int r = 0; r < 2; ++r)
		for (int form = 0; form < FORMS; ++form)
			for (int k = 0; k < 4; ++k) {
				lands(form, response[r], 0.5 + 2 * k, 1e-4 * k);
				lands(form, response[r], 0.5 + 2 * k, 1e-3);
			}
}

/* A column of four bodies that falls onto a wall, with gaps that close within a step. Newton's rule applies to the
 * approach speed before the step: if each rebound counted as an approach for the next body, the topmost body would
 * leave at twice the speed. */
static void columns_bounce_no_higher(void **state)
{
	(void)state;
	for (int form = 0; form < FORMS; ++form) {
		scree_world *w = lab_world((contact_rule){.law = LAW_OVERLAP, .restitution = 0.5, .friction = 0.4});
		if (form == CUBE) w->model.narrow = scree_narrow_find("overlap-thickness");
		model_respond(&w->model, scree_response_find("implicit"));
		lab_plane(w, v3(0, 0, 0), v3(0, 0, 1));
		for (int k = 0; k < 4; ++k)
			lab_add_moving(w, form, D, v3(0, 0, (k + 0.5) * 1.02 * D), quat_exp(v3(0, 0, 0.1 * k), 1), v3(0, 0, -1),
						   v3(0, 0, 0));
		lab_prepare(w, 1e-3);
		const real start = lab_energy(w);
		for (int k = 0; k < 20; ++k) {
			lab_steps(w, 1);
			const energy_row e = scree_world_energy(&w->model, &w->state, &w->work);
			CHECK(e.kinetic <= (1 + 1e-9) * start, "form %d: %g of its energy after step %d", form, e.kinetic / start,
				  k + 1);
		}
		CHECK(w->state.body.vz[3] > 0.1, "form %d: the uppermost body leaves at %g m/s", form, w->state.body.vz[3]);
		scree_world_free(w);
	}
}

/* A ball at rest is hit by another ball, or by the image of a ball in sheared space, which moves by 1/20 of its
 * diameter per step. Returns the velocity of the ball after the impact. */
static vec3 hit(bool shears, real speed)
{
	const real size = 4 * D, high = shears ? size : 0;
	scree_world *w = lab_world(lab_hertz(0.5, 0.4));
	model_respond(&w->model, scree_response_find("implicit"));
	if (shears) {
		lab_periods(w, "xyz", v3(0, 0, 0), v3(size, size, size));
		w->model.period.shears = true;
		w->model.period.gradient = 1, w->model.period.rate = speed / size;
	}
	lab_add(w, BALL, D, v3(D, 0.2 * D, 2 * D));
	lab_add_moving(w, BALL, D, v3(3 * D, high - 0.2 * D, 2 * D), quat_one(), v3(shears ? 0 : -speed, 0, 0),
				   v3(0, 0, 0));
	lab_prepare(w, 0.05 * D / speed);
	lab_steps(w, 40);
	const energy_row e = scree_world_energy(&w->model, &w->state, &w->work);
	NEAR(e.residual, 0, 1e-12 * e.kinetic, "residual of the energy");
	const vec3 v = body_velocity(&w->state.body, lab_row(w, 1));
	scree_world_free(w);
	return v;
}

static void images_move_on_in_a_step(void **state)
{
	(void)state;
	for (int k = 0; k < 4; ++k) {
		const real speed = 0.1 + k;
		const vec3 by_ball = hit(false, speed), by_image = hit(true, speed);
		CHECK(by_ball.x < -0.2 * speed && by_ball.y > 0.1 * speed, "the ball moves at %g, %g m/s", by_ball.x,
			  by_ball.y);
		/* there are more sweeps if bodies are at rest */
		NEAR(v3_norm(v3_sub(by_image, by_ball)), 0, 1e-8 * speed, "velocity by an image, less that by a ball");
	}
}

/* The friction spring stores at most the energy that it received, even if the impulse comes from an impact, for which
 * the law is too soft. A cube lands obliquely on a corner: lost energy does not return, except for the energy of the
 * overlap after the impact, and that which the linear spring of a step stores in addition to the law. */
static void friction_holds_what_it_took(void **state)
{
	(void)state;
	for (int k = 0; k < 8; ++k) {
		scree_world *w = lab_world((contact_rule){.law = LAW_VOLUME, .restitution = 0.5, .friction = 0.4});
		w->model.narrow = scree_narrow_find("overlap-volume");
		model_respond(&w->model, scree_response_find("implicit"));
		lab_plane(w, v3(0, 0, 0), v3(0, 0, 1));
		lab_add_moving(w, CUBE, D, v3(0, 0, 1.2 * D), quat_exp(v3(0.3 + 0.2 * k, 0.2, 0.1), 1), v3(1, 0.2, -1),
					   v3(0, 0, 0));
		lab_prepare(w, 1e-3);
		const real start = lab_energy(w);
		real lost = 0;
		for (int n = 0; n < 20; ++n) {
			lab_steps(w, 1);
			const energy_row e = scree_world_energy(&w->model, &w->state, &w->work);
			CHECK(e.lost >= lost - 0.2 * start, "%d: %g of the energy returns in step %d", k, (lost - e.lost) / start,
				  n + 1);
			lost = e.lost;
		}
		CHECK(lost > 0.1 * start, "%g is lost", lost / start);
		scree_world_free(w);
	}
}

/* Bodies with several convex parts: if contacts of parts end within a step, the energy of their springs counts as lost.
 */
static void contacts_of_parts_lose_their_springs(void **state)
{
	(void)state;
	scree_world *w = lab_world((contact_rule){.law = LAW_OVERLAP, .restitution = 0.3, .friction = 0.4});
	fail why = {0};
	w->model.narrow = scree_narrow_find("overlap-thickness");
	model_respond(&w->model, scree_response_find("implicit"));
	const int32_t cross = part_add_compound(&w->model.shape, "cross", &part_cross, &why);
	CHECK(cross >= 0, "%s", why.text);
	w->model.gravity = v3(0, 0, -9.81);
	lab_plane(w, v3(0, 0, 0), v3(0, 0, 1));
	random_stream r = scree_random_start(5, 1);
	for (int k = 0; k < 8; ++k)
		lab_add_moving(w, cross, D, v3(0, 0, (k + 0.7) * 1.5 * D), scree_random_rotation(&r), v3(0, 0, -1),
					   v3(0, 0, 0));
	lab_prepare(w, 0);
	const real start = lab_energy(w);
	lab_steps(w, (int64_t)(0.3 / w->model.dt));
	const energy_row e = scree_world_energy(&w->model, &w->state, &w->work);
	NEAR(e.made, 0, 1e-12 * start, "made");
	NEAR(e.residual, 0, 1e-4 * start, "ledger");
	CHECK(e.lost > 0.5 * start, "lost %g of its energy", e.lost / start);
	scree_world_free(w);
}

/* An oblique impact without gravity, either of a ball or of a cube on a corner or an edge, which is softer than a
 * face, so the cube rotates during the impact. step: step in contact times, or 0 for the default. Returns the kinetic
 * energy afterwards and the work of friction, each divided by the initial energy. */
static real falls(int form, const char *response, uint64_t seed, real friction, real step, real *rubbed)
{
	const contact_rule rule = form == BALL
								  ? lab_hertz((real)0.3, friction)
								  : (contact_rule){.law = LAW_OVERLAP, .restitution = (real)0.3, .friction = friction};
	scree_world *w = lab_world(rule);
	if (form == CUBE) w->model.narrow = scree_narrow_find("overlap-thickness");
	model_respond(&w->model, scree_response_find(response));
	lab_plane(w, v3(0, 0, 0), v3(0, 0, 1));
	random_stream r = scree_random_start(7, seed);
	lab_add_moving(w, form, D, v3(0, 0, D), scree_random_rotation(&r), v3(form == BALL ? (real)0.3 : 0, 0, -1),
				   v3(0, 0, 0));
	lab_prepare(w, 0);
	if (step > 0) lab_prepare(w, step * w->model.contact_time);
	const real start = lab_energy(w);
	lab_steps(w, (int64_t)((real)0.03 / w->model.dt));
	const energy_row e = scree_world_energy(&w->model, &w->state, &w->work);
	*rubbed = e.lost_friction / start;
	scree_world_free(w);
	return e.kinetic / start;
}

/* Implicit steps converge to steps with forces, in the remaining energy and in the work of friction: friction springs
 * do not store dashpot forces, and they lose force when a contact becomes softer. With the default step, soft corners
 * also follow the law: under Newton's rule, a cube would keep a quarter of its energy instead of 0.14 to 0.18. */
static void short_steps_are_steps_by_forces(void **state)
{
	(void)state;
	for (uint64_t k = 0; k < 8; ++k)
		for (int form = k > 0 ? CUBE : BALL; form < FORMS; ++form)
			for (int f = 0; f < 2; ++f) {
				const real friction = f ? (real)0.5 : 0;
				real rubbed, by_fine, by_long;
				const real forces = falls(form, "forces", k, friction, 0, &rubbed);
				const real fine = falls(form, "implicit", k, friction, (real)0.02, &by_fine);
				const real with_long = falls(form, "implicit", k, friction, 0, &by_long);
				NEAR(fine, forces, 4e-3, form == CUBE ? "kinetic energy of a cube" : "kinetic energy of a ball");
				NEAR(by_fine, rubbed, 4e-3, form == CUBE ? "friction of a cube" : "friction of a ball");
				if (f) NEAR(with_long, forces, 0.06, "kinetic energy with the default step");
				if (!f) NEAR(by_long, 0, 1e-12, "lost by no friction");
			}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(contacts_of_the_start_keep_the_energy), cmocka_unit_test(columns_bounce_no_higher),
		cmocka_unit_test(friction_holds_what_it_took),			 cmocka_unit_test(images_move_on_in_a_step),
		cmocka_unit_test(contacts_of_parts_lose_their_springs),	 cmocka_unit_test(short_steps_are_steps_by_forces),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
