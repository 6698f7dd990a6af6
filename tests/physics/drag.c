/* Drag from a fluid: drag too stiff for the step is refused with a specific error message, before or during the run;
 * otherwise drag decelerates bodies correctly. */
#include "choices/choices.h"
#include "kernel/quat.h"
#include "lab.h"
#include "model/integrator.h"
#include "prepare/prepare.h"
#include "model/response.h"
#include "test.h"

static const char *const integrators[] = {"velocity_verlet",
#if SCREE_PAPERS
										  "gear4", "gear5", "gear6"
#endif
};
enum { INTEGRATORS = sizeof integrators / sizeof *integrators };

/* a ball with a relaxation time of `part` s, moving at 1 m/s through a fluid at rest */
static scree_world *braked_world(const char *integrator, real relaxation)
{
	const real d = 0.01;
	scree_world *w = lab_world(lab_hertz(0.5, 0.5));
	w->model.integrator = scree_choice_find(&scree_integrators, integrator);
	w->model.fluid =
		(fluid){.on = true, .density = 1, .viscosity = 2500 * d * d / (18 * relaxation), .drag = DRAG_STOKES};
	lab_add_moving(w, 0, d, v3(0, 0, 0), quat_one(), v3(1, 0, 0), v3(0, 0, 0));
	return w;
}

static void stiff_drag_is_refused(void **state)
{
	(void)state;
	for (int k = 0; k < INTEGRATORS; ++k) {
		const real relaxation = 1e-3;
		scree_world *w = braked_world(integrators[k], relaxation);
		lab_refused(w, relaxation, "too large for the drag of the fluid: the relaxation time of body 1 is 0.001 s");
		w = braked_world(integrators[k], relaxation);
		fail why = {0};
		CHECK(!scree_world_prepare(w, 0, relaxation, &why), "accepted");
		real longest = w->model.drag_step;
		scree_world_free(w);
		/* with the longest accepted step, the speed decays exponentially, up to an error of the order of the method */
		w = braked_world(integrators[k], relaxation);
		lab_prepare(w, longest * 0.999);
		for (int step = 0; step < 200; ++step) {
			real before = real_abs(w->state.body.vx[0]);
			lab_steps(w, 1);
			CHECK(real_abs(w->state.body.vx[0]) <= before || before < 1e-9,
				  "%s: faster in step %d: %g m/s after %g m/s", integrators[k], step, w->state.body.vx[0], before);
		}
		scree_world_free(w);
	}
}

/* If no step is specified, drag determines the default step where drag is stiffer than contacts. */
static void the_default_follows_drag(void **state)
{
	(void)state;
	for (int k = 0; k < INTEGRATORS; ++k) {
		const real relaxation = 1e-6;
		scree_world *w = braked_world(integrators[k], relaxation);
		lab_plane(w, v3(0, 0, -1), v3(0, 0, 1));
		lab_prepare(w, 0);
		CHECK(w->model.dt <= 0.1000001 * relaxation && w->model.dt >= 0.05 * relaxation, "%s: %g s", integrators[k],
			  w->model.dt);
		lab_steps(w, (int64_t)(relaxation / w->model.dt));
		NEAR(w->state.body.vx[0] / exp(-w->state.time / relaxation), 1, 1e-2, "exponential");
		scree_world_free(w);
	}
}

/* In implicit steps, contacts do not limit the step, but drag does. */
static void implicit_steps_follow_drag(void **state)
{
	(void)state;
	const real relaxation = 1e-6;
	for (int given = 0; given < 2; ++given) {
		scree_world *w = braked_world("velocity_verlet", relaxation);
		lab_plane(w, v3(0, 0, -1), v3(0, 0, 1));
		model_respond(&w->model, scree_response_find("implicit"));
		if (given) {
			lab_refused(w, relaxation, "too large for the drag of the fluid: the relaxation time of body 1 is 1e-06 s");
			continue;
		}
		lab_prepare(w, 0);
		CHECK(w->model.dt <= 0.1000001 * relaxation, "the step is %g s", w->model.dt);
		lab_steps(w, (int64_t)(relaxation / w->model.dt));
		NEAR(w->state.body.vx[0] / exp(-w->state.time / relaxation), 1, 1e-2, "exponential");
		scree_world_free(w);
	}
}

/* With Schiller and Naumann's law, drag becomes stiffer with speed, so an accelerating ball reaches a speed at which
 * the step is too long. */
static void drag_that_grows_stops_the_run(void **state)
{
	(void)state;
	for (int k = 0; k < INTEGRATORS; ++k) {
		scree_world *w = braked_world(integrators[k], 10);
		w->model.fluid.drag = DRAG_SCHILLER_NAUMANN;
		w->model.fluid.density = 1000;
		w->model.gravity = v3(0, 0, -1e5);
		w->state.body.vx[0] = 0;
		lab_prepare(w, 1e-3);
		bool goes_on = true;
		int steps = 0;
		while (goes_on && ++steps < 1000) goes_on = scree_step(w);
		CHECK(!goes_on, "%s: nothing stops it", integrators[k]);
		CHECK(strstr(w->work.why.text, "the drag of the fluid on body 1 has a relaxation time of"), "%s",
			  w->work.why.text);
		CHECK(w->work.why.code == FAIL_GUARD, "code %d", (int)w->work.why.code);
		scree_world_free(w);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(stiff_drag_is_refused),
		cmocka_unit_test(the_default_follows_drag),
		cmocka_unit_test(implicit_steps_follow_drag),
		cmocka_unit_test(drag_that_grows_stops_the_run),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
