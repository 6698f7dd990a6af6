/* Implicit steps in which bodies meet, the first one among them: what contacts take from bodies is what they lose, and
 * no body leaves with more than it came with. */
#include "base/maths.h"
#include "kernel/quat.h"
#include "lab.h"
#include "model/law.h"
#include "model/narrow.h"
#include "model/response.h"
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

/* A step, in which a body passes a twentieth of its size, has a length of 0.5 mm over the speed. */
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

/* A column of four bodies that falls on a wall, with gaps that close within a step. Newton's rule applies to the
 * approach before the step: if each rebound counted for the next body, the uppermost would leave at twice the speed. */
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

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(contacts_of_the_start_keep_the_energy),
		cmocka_unit_test(columns_bounce_no_higher),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
