/* Moving walls in implicit steps and with hard contacts (docs/theory/implicit.md): the ledger for bodies that these
 * walls carry along. */
#include "base/maths.h"
#include "choices/choices.h"
#include "kernel/cohesion.h"
#include "lab.h"
#include "model/narrow.h"
#include "model/response.h"
#include "test.h"

static const real G = 9.81, D = 0.01;
static const char *const response_name[2] = {"implicit", "hard"};
enum { BALL, CUBE };

/* A body on a plate that oscillates at 1 Hz with this maximum velocity, or a body that sticks to the plate from below.
 */
static scree_world *on_plate(int response, int32_t shape, vec3 fastest, bool below)
{
	const real frequency = 2;
	contact_rule rule = {.law = LAW_OVERLAP, .restitution = 0.3, .friction = 0.5};
	if (shape == BALL) rule = lab_hertz(0.3, 0.5);
	if (below) rule = lab_linear(1e4, 0.3, 0.5), rule.cohesion = COHESION_DMT, rule.surface = 1.5;
	scree_world *w = lab_world(rule);
	fail why = {0};
	if (rule.law == LAW_OVERLAP) w->model.narrow = scree_narrow_find("overlap-thickness");
	model_respond(&w->model, scree_response_find(response_name[response]));
	w->model.gravity = v3(0, 0, -G);
	wall plate = scree_wall_default("plate", 0);
	plate.motion = (wall_motion){.type = MOTION_VIBRATION, .frequency = frequency, .until = INFINITY};
	plate.motion.amplitude = v3_mul(1 / (2 * SCREE_PI * frequency), fastest);
	CHECK(scree_walls_add_plane(&w->model.wall, plate, v3(0, 0, 0), v3(0, 0, below ? -1 : 1), &why) == 0, "%s",
		  why.text);
	lab_rows(w);
	lab_add(w, shape, D, v3(0, 0, below ? 8e-4 * D - D / 2 : D / 2));
	lab_prepare(w, 1e-3);
	return w;
}

/* The plate gives a body kinetic energy and then takes it back. A body that is carried along loses no energy:
 * its velocities before and after a step correspond to the velocity of the plate halfway through the step. */
static void carried(int response, int32_t shape, vec3 fastest, bool below)
{
	scree_world *w = on_plate(response, shape, fastest, below);
	lab_steps(w, 500);
	const energy_row had = scree_world_energy(&w->model, &w->state, &w->work);
	real most = 0, residual = 0;
	for (int k = 0; k < 2000; ++k) {
		lab_steps(w, 1);
		const energy_row e = scree_world_energy(&w->model, &w->state, &w->work);
		most = real_max(most, e.kinetic), residual = real_max(residual, real_abs(e.residual - had.residual));
	}
	const energy_row e = scree_world_energy(&w->model, &w->state, &w->work);
	const real lost = e.lost - had.lost;
	print_message("%s, shape %d, along %g %g %g: lost %.2e, residual %.2e of the kinetic energy\n",
				  response_name[response], shape, fastest.x, fastest.y, fastest.z, lost / most, residual / most);
	CHECK(most > 1e-8 && w->work.touching == 1, "it does not move, or not with the plate");
	NEAR(had.residual, 0, (response ? 0.1 : 0.05) * (most + real_abs(had.elastic)),
		 "ledger of the start, when the plate has its greatest velocity");
	NEAR(residual, 0, 0.01 * most, "ledger");
	NEAR(lost, 0, 0.02 * most, "lost in four periods");
	scree_world_free(w);
}

static void bodies_are_carried_along(void **state)
{
	(void)state;
	for (int r = 0; r < 2; ++r)
		for (int32_t shape = BALL; shape <= CUBE; ++shape) {
			carried(r, shape, v3(0, 0, 0.2), false);
			carried(r, shape, v3(0, 0, 0.004), true); /* at a higher velocity, the first step would tear the body off */
			if (shape == CUBE) carried(r, shape, v3(0.12, 0.1, 0), false);
			if (shape == CUBE) carried(r, shape, v3(0.012, 0.01, 0), true);
		}
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(bodies_are_carried_along)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
