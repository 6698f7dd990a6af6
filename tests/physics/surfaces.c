/* Surfaces with a halo: impacts conserve energy and momentum, blocks rest and slide according to Coulomb's law, hanging
 * bodies stay at rest, and a body that passes through its halo stops the run. */
#include "base/maths.h"
#include "choices/choices.h"
#include "kernel/quat.h"
#include "lab.h"
#include "model/narrow.h"
#include "narrow/stage.h"
#include "part_shapes.h"
#include "test.h"
#include "world/world.h"

static const real D = 0.01; /* m */

enum { BALL, CUBE, HOOK, CROSS, BLOCK, PEBBLE };

static scree_world *halo_world(real restitution, real friction, real halo)
{
	contact_rule rule = {.law = LAW_OVERLAP, .restitution = restitution, .friction = friction};
	scree_world *w = lab_world(rule);
	shapes *s = &w->model.shape;
	fail why = {0};
	CHECK(part_add_surface(s, "hook", &part_hook, halo, &why) == HOOK, "%s", why.text);
	CHECK(part_add_surface(s, "cross", &part_cross, halo, &why) == CROSS, "%s", why.text);
	CHECK(part_add_surface(s, "block", &part_cube, halo, &why) == BLOCK, "%s", why.text);
	CHECK(part_add_pebble(s, "pebble", false, &why) == PEBBLE, "%s", why.text);
	w->model.narrow = scree_narrow_find("overlap-thickness");
	return w;
}

/* Two elastic bodies that collide at random angles: energy and momentum after the impact. */
static void impacts_keep_energy_and_momentum(void **state)
{
	(void)state;
	static const int32_t kind[6][2] = {{HOOK, HOOK},	{CUBE, HOOK},	{BALL, CROSS},
									   {PEBBLE, CROSS}, {CROSS, BLOCK}, {HOOK, CROSS}};
	random_stream r = scree_random_start(70, 1);
	for (int k = 0; k < 30; ++k) {
		scree_world *w = halo_world(1, 0, 0.05);
		vec3 spin = v3_mul(10, scree_random_direction(&r));
		lab_add_moving(w, kind[k % 6][0], D, v3(-1.2 * D, 0, 0), scree_random_rotation(&r), v3(0.05, 0, 0), spin);
		lab_add_moving(w, kind[k % 6][1], D, v3(1.2 * D, 0.2 * D, 0), scree_random_rotation(&r), v3(-0.05, 0, 0), spin);
		w->model.guard.speed = 1;
		lab_prepare(w, 0);
		real before = lab_energy(w);
		real p0 = w->state.body.mass[0] * w->state.body.vx[0] + w->state.body.mass[1] * w->state.body.vx[1];
		lab_one_contact(w);
		real p1 = w->state.body.mass[0] * w->state.body.vx[0] + w->state.body.mass[1] * w->state.body.vx[1];
		NEAR(lab_energy(w) / before, 1, 5e-3, "energy");
		NEAR(p1 / w->state.body.mass[0], p0 / w->state.body.mass[0], 1e-9, "momentum");
		CHECK(scree_surfaces_counted(&w->work).uncertified == 0, "a distance is not proved");
		scree_world_free(w);
	}
}

/* acceleration in m/s2 of a block of edge D with a halo, on a slope inclined at this multiple of the friction angle;
 * rests: whether the final speed is only noise */
static real on_slope(real part, bool rests)
{
	const real friction = 0.3, halo = 0.01, g = 9.81;
	scree_world *w = halo_world(0.3, friction, halo);
	real s, c;
	scree_sincos(part * scree_atan2(friction, 1), &s, &c);
	w->model.gravity = v3(g * s, 0, -g * c);
	lab_plane(w, v3(0, 0, 0), v3(0, 0, 1));
	lab_add(w, BLOCK, D, v3(0, 0, (0.5 + halo) * D));
	w->model.guard.speed = 2;
	lab_prepare(w, 0);
	lab_steps(w, (int64_t)(0.4 / w->model.dt));
	real before = w->state.body.vx[0], since = w->state.time;
	lab_steps(w, (int64_t)(0.2 / w->model.dt));
	real faster = (w->state.body.vx[0] - before) / (w->state.time - since) - g * (s - friction * c);
	if (rests) CHECK(w->work.greatest_speed < 1e-6, "it moves at %g m/s", w->work.greatest_speed);
	scree_world_free(w);
	return faster;
}

static void blocks_on_slopes(void **state)
{
	(void)state;
	on_slope(0.99, true);
	NEAR(on_slope(1.1, false), 0, 0.005, "acceleration of the slide");
}

static void a_hook_hangs_in_a_hook(void **state)
{
	(void)state;
	const real halo = 0.02;
	scree_world *w = halo_world(0.5, 0.5, halo);
	lab_hook_hangs(w, HOOK, D, (0.5 + 2 * w->model.shape.row[HOOK].centre.y + 0.001 - 2 * halo) * D);
}

/* A halo too thin for the impact stops the run with an error message. */
static void what_comes_through_its_halo_stops_the_run(void **state)
{
	(void)state;
	scree_world *w = halo_world(0.5, 0.3, 1e-4);
	lab_add_moving(w, HOOK, D, v3(-D, 0, 0), quat_one(), v3(2, 0, 0), v3(0, 0, 0));
	lab_add_moving(w, CROSS, D, v3(D, 0, 0), quat_one(), v3(-2, 0, 0), v3(0, 0, 0));
	lab_prepare(w, 0);
	bool went = true;
	for (int k = 0; k < 100000 && went; ++k) went = scree_step(w);
	CHECK(!went && strstr(w->work.why.text, "through its halo"), "it goes on: %s", w->work.why.text);
	scree_world_free(w);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(impacts_keep_energy_and_momentum),
		cmocka_unit_test(blocks_on_slopes),
		cmocka_unit_test(a_hook_hangs_in_a_hook),
		cmocka_unit_test(what_comes_through_its_halo_stops_the_run),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
