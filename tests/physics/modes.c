/* The load that contacts place on the step is determined by the stiffest collective motion of all bodies, which is
 * known for rows of balls. */
#include "base/maths.h"
#include "guard/guard.h"
#include "lab.h"
#include "prepare/prepare.h"
#include "test.h"

static const real STIFFNESS = 1e4, SIZE = 0.01;

/* A row of frictionless touching balls. */
static scree_world *row_of(int balls, real restitution)
{
	scree_world *w = lab_world(lab_linear(STIFFNESS, restitution, 0));
	const int32_t ball = scree_shapes_add_sphere(&w->model.shape, "ball");
	for (int k = 0; k < balls; ++k) lab_add(w, ball, SIZE, v3(0.999 * SIZE * k, 0, 0));
	return w;
}

/* The load for steps of dt, determined after a short step. */
static real load_after_a_step(scree_world *w, real dt)
{
	fail why = {0};
	w->model.unsafe = true;
	w->model.guard.energy = 0;
	CHECK(scree_world_prepare(w, 0, dt / 1000, &why), "%s", why.text);
	lab_steps(w, 1);
	w->model.dt = dt;
	return scree_world_load(&w->model, &w->state, &w->work).part;
}

/* The stiffest motion of n balls in a row, 2 + 2 cos(pi/n) times k/m. */
static real stiffest(int n)
{
	real s, c;
	scree_sincos(SCREE_PI / n, &s, &c);
	return 2 + 2 * c;
}

static void rows_have_their_stiffest_motion(void **state)
{
	(void)state;
	static const int balls[] = {2, 3, 5, 20, 60};
	for (int k = 0; k < 5; ++k) {
		scree_world *w = row_of(balls[k], 1);
		const real mass = w->state.body.mass[0], dt = sqrt(mass / STIFFNESS);
		const real load = load_after_a_step(w, dt), right = stiffest(balls[k]) / 4;
		print_message("%d balls: load %.4f, %.4f by the stiffest motion\n", balls[k], load, right);
		CHECK(load > 0.995 * right && load < 1.035 * right, "%d balls: %g, %g expected", balls[k], load, right);
		scree_world_free(w);
	}
}

/* A cubic lattice consists of rows: without friction, its stiffest motion is as stiff as the stiffest motion of a
 * single row. */
static void lattices_have_that_of_their_rows(void **state)
{
	(void)state;
	enum { SIDE = 6 };
	scree_world *w = lab_world(lab_linear(STIFFNESS, 1, 0));
	const int32_t ball = scree_shapes_add_sphere(&w->model.shape, "ball");
	for (int k = 0; k < SIDE * SIDE * SIDE; ++k) {
		const vec3 at = v3(k % SIDE, k / SIDE % SIDE, k / SIDE / SIDE);
		lab_add(w, ball, SIZE, v3_mul(0.999 * SIZE, at));
	}
	const real dt = sqrt(w->state.body.mass[0] / STIFFNESS);
	const real load = load_after_a_step(w, dt), right = stiffest(SIDE) / 4;
	CHECK(load > 0.995 * right && load < 1.035 * right, "%g, %g expected", load, right);
	scree_world_free(w);
}

/* Dashpots contribute in proportion to the step, and springs in proportion to its square. */
static void dashpots_count(void **state)
{
	(void)state;
	scree_world *w = row_of(40, 0.1);
	const real mass = w->state.body.mass[0], dt = 0.2 * sqrt(mass / STIFFNESS);
	const real load = load_after_a_step(w, dt);
	const real damped = 2 * w->model.constants->damping * sqrt(STIFFNESS * mass / 2);
	const real right = stiffest(40) / mass * (damped * dt + STIFFNESS * dt * dt / 4);
	CHECK(load > 0.995 * right && load < 1.035 * right, "%g, %g expected", load, right);
	scree_world_free(w);
}

/* Small loads equal the bound from pairs, which is at most twice the bound from individual bodies. */
static void small_loads_are_bounds(void **state)
{
	(void)state;
	scree_world *w = row_of(20, 1);
	const real mass = w->state.body.mass[0], dt = 0.3 * sqrt(mass / STIFFNESS);
	const real load = load_after_a_step(w, dt), right = stiffest(20) / 4 * 0.09;
	CHECK(load >= right && load < 1.1 * right, "%g, %g expected", load, right);
	scree_world_free(w);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(rows_have_their_stiffest_motion),
		cmocka_unit_test(lattices_have_that_of_their_rows),
		cmocka_unit_test(dashpots_count),
		cmocka_unit_test(small_loads_are_bounds),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
