/* Packings in the plane, and packings in space with rolling resistance, come to rest with the default step for any
 * damping, and the integration does not create energy; longer steps are refused or mentioned in a note. */
#include "base/maths.h"
#include "choices/choices.h"
#include "kernel/quat.h"
#include "lab.h"
#include "model/narrow.h"
#include "prepare/prepare.h"
#include "shape/shapes.h"
#include "test.h"

static const real G = 10;

typedef struct heap_of {
	int law;
	int sides; /* 1: discs */
	real restitution, friction, ratio;
} heap_of;

static scree_world *heap_world(const heap_of *h)
{
	enum { ACROSS = 6, UP = 8 };
	const real gap = 1.02, wide = ACROSS * gap + 0.4;
	contact_rule rule = {.law = h->law, .restitution = h->restitution, .friction = h->friction};
	rule.stiffness = 2e4;
	rule.tangential_ratio = h->ratio;
	scree_world *w = lab_world(rule);
	fail why = {0};
	w->model.flat = true;
	w->model.narrow = scree_narrow_find(h->law == LAW_AREA ? "overlap-area" : "closest-features");
	w->model.material.row[0].density = 1;
	w->model.material.row[0].young = 2e5;
	int32_t s = h->sides == 1 ? scree_shapes_add_disc(&w->model.shape, "grain", &why)
							  : scree_shapes_add_regular_polygon(&w->model.shape, "grain", h->sides, &why);
	CHECK(s >= 0, "%s", why.text);
	w->model.gravity = v3(0, -G, 0);
	lab_plane(w, v3(0, 0, 0), v3(0, 1, 0));
	lab_plane(w, v3(0, 0, 0), v3(1, 0, 0));
	lab_plane(w, v3(wide, 0, 0), v3(-1, 0, 0));
	random_stream r = scree_random_start(3, 1);
	for (int k = 0; k < ACROSS * UP; ++k) {
		quat q = {0, 0, 0, 0};
		scree_sincos(scree_random_between(&r, 0, SCREE_PI), &q.z, &q.w);
		real aside = k / ACROSS % 2 ? 0.7 : 0.5;
		lab_add_moving(w, s, 1, v3(gap * (k % ACROSS + aside), gap * (k / ACROSS + 0.5), 0), q, v3(0, 0, 0),
					   v3(0, 0, 0));
	}
	return w;
}

static void rests_at_the_default_step(void **state)
{
	(void)state;
	static const heap_of heaps[] = {
		{LAW_LINEAR, 1, 0.14, 0.5, 0}, {LAW_LINEAR, 24, 0.136, 0.5, 0}, {LAW_LINEAR, 3, 0.1, 0.5, 0},
		{LAW_LINEAR, 24, 0.1, 5, 1},   {LAW_HERTZ, 4, 0.05, 0.5, 0},	{LAW_AREA, 4, 0.14, 0.5, 0},
		{LAW_AREA, 24, 0.05, 0.5, 0},  {LAW_AREA, 1, 0.14, 0.5, 0},
	};
	const int64_t count = (int64_t)(sizeof heaps / sizeof *heaps);
	for (int64_t k = 0; k < count && k < test_cases(count); ++k) {
		const heap_of *h = heaps + k;
		scree_world *w = heap_world(h);
		fail why = {0};
		CHECK(scree_world_prepare(w, 0, 0, &why), "%s", why.text);
		CHECK(w->model.dt <= w->model.safe_step, "the default step is not safe");
		lab_steps(w, (int64_t)(3 / w->model.dt));
		energy_row before = scree_world_energy(&w->model, &w->state, &w->work);
		lab_steps(w, (int64_t)(1 / w->model.dt));
		energy_row after = scree_world_energy(&w->model, &w->state, &w->work);
		real made = after.residual - before.residual, fall = w->state.body.mass[0] * G;
		print_message("law %d, %d sides, e %g: 1/%.0f of a contact, %.1e made, %.1e kinetic (m g d)\n", h->law,
					  h->sides, h->restitution, w->model.contact_time / w->model.dt, made / fall, after.kinetic / fall);
		NEAR(made / fall, 0, 1e-5, "made in a second at rest, of m g d");
		CHECK(after.kinetic < 1e-2 * fall, "%d sides: %g of m g d are still in motion", h->sides, after.kinetic / fall);
		scree_world_free(w);
	}
}

/* Steps beyond the known safe limit are refused, unless the world permits them. */
static void longer_steps_are_refused(void **state)
{
	(void)state;
	static const heap_of damped = {LAW_LINEAR, 24, 0.1, 0.5, 0}, bouncing = {LAW_LINEAR, 24, 0.5, 0.5, 0};
	for (int k = 0; k < 2; ++k) {
		scree_world *w = heap_world(k ? &bouncing : &damped);
		fail why = {0};
		bool taken = scree_world_prepare(w, 0.05, 0, &why);
		CHECK(taken == (k == 1), "restitution %g: %s", k ? 0.5 : 0.1, taken ? "was taken" : why.text);
		if (!taken) CHECK(strstr(why.text, "for damping and integrator velocity_verlet"), "%s", why.text);
		if (!taken) CHECK(strstr(why.text, "run.step.unsafe: true allows it"), "%s", why.text);
		w->model.unsafe = true;
		CHECK(scree_world_prepare(w, 0.05, 0, &why), "%s", why.text);
		scree_world_free(w);
	}
}

/* balls with rolling and twisting resistance in a corner formed by three planes, and two more planes */
static scree_world *rough_world(real resists, real restitution)
{
	enum { ACROSS = 3, UP = 5 };
	const real d = 0.01, gap = 1.02 * d, wide = ACROSS * gap + 0.3 * d;
	contact_rule rule = lab_linear(1e4, restitution, 0.5);
	rule.rolling_friction = resists;
	rule.twisting_friction = resists;
	scree_world *w = lab_world(rule);
	w->model.gravity = v3(0, 0, -G);
	lab_plane(w, v3(0, 0, 0), v3(0, 0, 1));
	for (int k = 0; k < 2; ++k) {
		lab_plane(w, v3(0, 0, 0), v3(k, 1 - k, 0));
		lab_plane(w, v3(wide, wide, 0), v3(-k, k - 1, 0));
	}
	for (int k = 0; k < ACROSS * ACROSS * UP; ++k) {
		int layer = k / (ACROSS * ACROSS);
		real aside = layer % 2 ? 0.75 : 0.5;
		lab_add(w, 0, d,
				v3(gap * (k % ACROSS + aside), gap * (k / ACROSS % ACROSS + aside), gap * (layer + (real)0.5)));
	}
	return w;
}

/* A step above the measured stability limit of packings is also refused in space, and the default is short enough. */
static void what_resists_rolling_rests(void **state)
{
	(void)state;
	static const real row[][2] = {{100, 0.1}, {1, 0.1}, {1, 0.3}, {0.5, 0.1}};
	const int64_t count = (int64_t)(sizeof row / sizeof *row);
	for (int64_t k = 0; k < count && k < test_cases(count); ++k) {
		scree_world *w = rough_world(row[k][0], row[k][1]);
		lab_prepare(w, 0);
		lab_steps(w, (int64_t)(0.4 / w->model.dt));
		energy_row before = scree_world_energy(&w->model, &w->state, &w->work);
		lab_steps(w, (int64_t)(0.1 / w->model.dt));
		energy_row after = scree_world_energy(&w->model, &w->state, &w->work);
		real made = after.residual - before.residual, fall = w->state.body.mass[0] * G * 0.01;
		print_message("rolling friction %g, e %g: 1/%.0f of a contact, %.1e made, %.1e kinetic (m g d)\n", row[k][0],
					  row[k][1], w->model.contact_time / w->model.dt, made / fall, after.kinetic / fall);
		NEAR(made / fall, 0, 1e-5, "made in a tenth of a second, of m g d");
		lab_refused(rough_world(row[k][0], row[k][1]), 1.1 * w->model.turning_step, "too large for rolling_friction");
		scree_world_free(w);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(rests_at_the_default_step),
		cmocka_unit_test(longer_steps_are_refused),
		cmocka_unit_test(what_resists_rolling_rests),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
