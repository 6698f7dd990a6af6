/* The law area in the plane: the stored energy is a function of the poses, so the sum of kinetic and stored energy is
 * constant without damping and friction, except for the error of the integrator. The law as published is also tested.
 */
#include "base/maths.h"
#include "choices/choices.h"
#include "lab.h"
#include "model/narrow.h"
#include "shape/shapes.h"
#include "test.h"

static const real D = 0.01; /* m */

enum { DISC, EGG, SQUARE, TRIANGLE, HEPTAGON, PEBBLE, SHAPES_HERE };

static scree_world *plane_world(int law, real restitution, real friction)
{
	contact_rule rule = {.law = law, .restitution = restitution, .friction = friction};
	scree_world *w = lab_world(rule);
	fail why = {0};
	scree_shapes_free(&w->model.shape);
	w->model.flat = true;
	w->model.thickness = D;
	w->model.narrow = scree_narrow_find("overlap-area");
	static const vec3 pebble[5] = {{-0.5, -0.2, 0}, {0.3, -0.4, 0}, {0.6, 0.1, 0}, {0.1, 0.5, 0}, {-0.4, 0.3, 0}};
	bool made = scree_shapes_add_disc(&w->model.shape, "disc", &why) == DISC &&
				scree_shapes_add_ellipse(&w->model.shape, "egg", 0.6, 0.4, &why) == EGG;
	static const vec3 square[4] = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}};
	made = made && scree_shapes_add_polygon(&w->model.shape, "square", 4, square, &why) == SQUARE &&
		   scree_shapes_add_regular_polygon(&w->model.shape, "triangle", 3, &why) == TRIANGLE &&
		   scree_shapes_add_regular_polygon(&w->model.shape, "heptagon", 7, &why) == HEPTAGON &&
		   scree_shapes_add_polygon(&w->model.shape, "pebble", 5, pebble, &why) == PEBBLE;
	CHECK(made, "%s", why.text);
	return w;
}

static quat turned(real angle)
{
	quat q = {0, 0, 0, 0};
	scree_sincos(angle / 2, &q.z, &q.w);
	return q;
}

/* ------------------------------------------------------------------ conservation */

typedef struct drift {
	/* largest change in kinetic plus stored energy, relative to the initial kinetic energy, over all pairs that
	 * collided */
	real most, after;
	int64_t met;
} drift;

/* makes two spinning bodies of these shapes collide off-centre */
static void collide(int law, int32_t first, int32_t shapes, uint64_t seed, real dt, drift *o)
{
	scree_world *w = plane_world(law, 1, 0);
	random_stream r = scree_random_start(seed, 1);
	for (int k = 0; k < 2; ++k) {
		int32_t shape = first + (int32_t)(scree_random_bits(&r) % (uint32_t)shapes);
		real y = scree_random_between(&r, -0.3, 0.3) * D, angle = scree_random_between(&r, 0, 2 * SCREE_PI);
		vec3 spin = v3(0, 0, scree_random_between(&r, -100, 100));
		lab_add_moving(w, shape, D, v3(k ? 0.8 * D : -0.8 * D, y, 0), turned(angle), v3(k ? -1 : 1, 0, 0), spin);
	}
	w->model.guard.speed = 2;
	lab_prepare(w, dt);
	w->model.guard.speed = 0;
	real before = lab_energy(w), most = 0;
	bool met = false;
	for (int64_t k = 0; k < (int64_t)(0.012 / dt + 0.5); ++k) {
		lab_steps(w, 1);
		met |= w->work.touching > 0;
		most = real_max(most, real_abs(lab_energy(w) / before - 1));
	}
	for (int32_t i = 0; i < 2; ++i)
		CHECK(w->state.body.z[i] == 0 && w->state.body.vz[i] == 0 && w->state.body.wx[i] == 0 &&
				  w->state.body.wy[i] == 0 && w->state.body.qx[i] == 0 && w->state.body.qy[i] == 0,
			  "it left the plane");
	vec3 p = v3_add(v3_mul(w->state.body.mass[0], body_velocity(&w->state.body, 0)),
					v3_mul(w->state.body.mass[1], body_velocity(&w->state.body, 1)));
	vec3 all = v3((w->state.body.mass[lab_row(w, 1)] - w->state.body.mass[lab_row(w, 2)]), 0, 0);
	CHECK(v3_norm(v3_sub(p, all)) < 1e-12 * (w->state.body.mass[0] + w->state.body.mass[1]), "momentum");
	if (met) {
		CHECK(w->work.touching == 0, "still in touch");
		++o->met;
		o->most = real_max(o->most, most);
		o->after = real_max(o->after, real_abs(lab_energy(w) / before - 1));
	}
	scree_world_free(w);
}

static void drifts(int law, int32_t first, int32_t shapes, const char *what, int64_t pairs, drift o[3])
{
	const real step[3] = {4e-6, 2e-6, 1e-6};
	for (int k = 0; k < 3; ++k) {
		o[k] = (drift){0, 0, 0};
		FOR_SEEDS(pairs) collide(law, first, shapes, test_seed, step[k], o + k);
		print_message("%s, step %g us: %lld met; greatest drift %.2e, afterwards %.2e\n", what, 1e6 * step[k],
					  (long long)o[k].met, o[k].most, o[k].after);
	}
	CHECK(o[0].met > test_cases(pairs) / 2, "only %lld met", (long long)o[0].met);
}

static void elastic_polygons_keep_their_energy(void **state)
{
	(void)state;
	drift o[3];
	drifts(LAW_AREA, SQUARE, SHAPES_HERE - SQUARE, "polygons", 60, o);
	CHECK(o[2].after < 2e-6, "afterwards %g", o[2].after);
	if (test_cases(60) < 60) return; /* with few pairs, the worst pair differs between step lengths */
	for (int k = 0; k < 2; ++k)
		CHECK(o[k + 1].most < 0.35 * o[k].most, "half the step leaves %g of the drift", o[k + 1].most / o[k].most);
}

static void and_so_do_all_shapes(void **state)
{
	(void)state;
	drift o[3];
	drifts(LAW_AREA, 0, SHAPES_HERE, "all shapes", 60, o);
	/* areas of round bodies are accurate to about 1e-9 of the body's area: no step, however short, reduces the drift
	 * below about 1e-6 */
	CHECK(o[0].most < 4e-4 && o[2].most < 1e-5 && o[2].after < 1e-5, "drift %g, %g, afterwards %g", o[0].most,
		  o[2].most, o[2].after);
}

/* Tillemans and Herrmann's force has no potential: no step is short enough to remove the drift */
static void the_literal_law_does_not(void **state)
{
	(void)state;
	drift o[3];
	drifts(LAW_AREA_LITERAL, SQUARE, SHAPES_HERE - SQUARE, "literal", 20, o);
	CHECK(o[2].after > 1e-3 && o[2].after > 0.5 * o[0].after, "literal law: %g and %g", o[0].after, o[2].after);
}

/* ------------------------------------------------------------------ order of the integrator */

/* A rotated pebble that overlaps a line deeply, always with the same chord: no feature changes, and the path is smooth.
 * Returns the position of the pebble after 2 ms. */
static void smooth_path(real dt, real out[3])
{
	scree_world *w = plane_world(LAW_AREA, 1, 0);
	lab_plane(w, v3(0, 0, 0), v3(0, 1, 0));
	lab_add_moving(w, TRIANGLE, D, v3(0, 0.43 * D, 0), turned(SCREE_PI / 3 + 0.2), v3(0.1, 0, 0), v3(0, 0, 3));
	w->model.gravity = v3(0, -9.81, 0);
	lab_prepare(w, dt);
	for (int64_t k = 0; k < (int64_t)(0.002 / dt + 0.5); ++k) {
		lab_steps(w, 1);
		CHECK(w->work.touching == 1, "it came off");
	}
	out[0] = w->state.body.x[0];
	out[1] = w->state.body.y[0];
	out[2] = w->state.body.wz[0];
	scree_world_free(w);
}

static void the_integrator_has_its_order_on_a_smooth_path(void **state)
{
	(void)state;
	real exact[3], at[3], error[3];
	smooth_path(1.25e-7, exact);
	for (int k = 0; k < 3; ++k) {
		smooth_path(1.6e-5 / (1 << k), at);
		error[k] = real_abs(at[0] - exact[0]) / D + real_abs(at[1] - exact[1]) / D + real_abs(at[2] - exact[2]) / 100;
	}
	print_message("smooth path: errors %.3e %.3e %.3e: orders %.3f %.3f\n", error[0], error[1], error[2],
				  scree_log(error[0] / error[1]) / scree_log(2), scree_log(error[1] / error[2]) / scree_log(2));
	for (int k = 0; k < 2; ++k) NEAR(scree_log(error[k] / error[k + 1]) / scree_log(2), 2, 0.05, "order");
}

/* ------------------------------------------------------------------ known answers */

static real fall(int32_t shape, real angle, real restitution, real speed)
{
	scree_world *w = plane_world(LAW_AREA, restitution, 0);
	lab_plane(w, v3(0, 0, 0), v3(0, 1, 0));
	lab_add_moving(w, shape, D, v3(0, 0.75 * D, 0), turned(angle), v3(0, -speed, 0), v3(0, 0, 0));
	w->model.guard.speed = 2;
	lab_prepare(w, 1e-6);
	bool met = false;
	for (int64_t k = 0; k < (int64_t)(0.03 / 1e-6 / speed) && !(met && !w->work.touching && w->state.body.vy[0] > 0);
		 ++k) {
		lab_steps(w, 1);
		met |= w->work.touching > 0;
	}
	CHECK(met && !w->work.touching, "it has not bounced");
	real after = w->state.body.vy[0] / speed;
	scree_world_free(w);
	return after;
}

/* for each kind of overlap: a flat side, a corner, a disc, and an ellipse on either axis */
static void restitution_is_what_was_asked_for(void **state)
{
	(void)state;
	const struct {
		int32_t shape;
		real angle;
	} way[5] = {{SQUARE, 0}, {SQUARE, SCREE_PI / 4}, {DISC, 0}, {EGG, 0}, {EGG, SCREE_PI / 2}};
	const real wanted[3] = {0.2, 0.5, 0.98};
	for (int k = 0; k < 5; ++k)
		for (int i = 0; i < 3; ++i) {
			NEAR(fall(way[k].shape, way[k].angle, wanted[i], 1), wanted[i], 2e-3, "restitution at 1 m/s");
			NEAR(fall(way[k].shape, way[k].angle, wanted[i], 0.2), wanted[i], 2e-3, "restitution at 0.2 m/s");
		}
}

/* A square flat on a line has A = a d and G = a, so Y a^2 d/l^2 = m g with l = 4 sqrt(a^2/pi); on another square, l is
 * half of this. */
static void at_rest_the_force_is_the_weight(void **state)
{
	(void)state;
	scree_world *w = plane_world(LAW_AREA, 0.3, 0.5);
	lab_plane(w, v3(0, 0, 0), v3(0, 1, 0));
	w->model.gravity = v3(0, -9.81, 0);
	lab_add(w, SQUARE, D, v3(0, 0.5 * D, 0));
	lab_add(w, SQUARE, D, v3(0, 1.5 * D, 0));
	lab_prepare(w, 0);
	lab_steps(w, (int64_t)(0.2 / w->model.dt));
	real young = D * 1e7 / (2 * (1 - 0.25 * 0.25)), weight = 2500 * D * D * D * 9.81, l2 = 16 * D * D / SCREE_PI;
	NEAR(w->state.body.mass[0], 2500 * D * D * D, 1e-12 * w->state.body.mass[0], "mass");
	NEAR(w->state.body.iz[0], w->state.body.mass[0] * D * D / 6, 1e-12 * w->state.body.iz[0], "moment of inertia");
	real low = w->state.body.y[lab_row(w, 1)], high = w->state.body.y[lab_row(w, 2)];
	NEAR(D / 2 - low, 2 * weight * l2 / (young * D * D), 1e-9, "overlap with the line");
	NEAR(D - (high - low), weight * l2 / 4 / (young * D * D), 1e-9, "overlap of the squares");
	NEAR(scree_wall_load(&w->model, &w->state, &w->work, 0).force.y, -2 * weight, 1e-6 * weight, "force on the line");
	CHECK(w->work.greatest_speed < 1e-7, "something moves at %g m/s", w->work.greatest_speed);
	scree_world_free(w);
}

static void a_block_on_a_slope(void **state)
{
	(void)state;
	lab_block_on_slopes(plane_world(LAW_AREA, 0.3, 0.3), plane_world(LAW_AREA, 0.3, 0.3), SQUARE, D, 0.3, 0.02);
}

/* The default step is 1/50 of the shortest contact time, which belongs to a contact along the longest edge. */
static void the_step_knows_long_edges(void **state)
{
	(void)state;
	for (int pair = 0; pair < 2; ++pair) {
		scree_world *w = plane_world(LAW_AREA, 1, 0);
		if (!pair) lab_plane(w, v3(0, 0, 0), v3(0, 1, 0));
		lab_add_moving(w, SQUARE, D, v3(0, 0.51 * D, 0), turned(0), v3(0, pair ? 0 : -0.05, 0), v3(0, 0, 0));
		if (pair) lab_add_moving(w, SQUARE, D, v3(0, 1.52 * D, 0), turned(0), v3(0, -0.05, 0), v3(0, 0, 0));
		lab_prepare(w, 0);
		int64_t steps = lab_one_contact(w);
		CHECK(steps > 46 && steps < 54, "the contact took %lld steps", (long long)steps);
		scree_world_free(w);
	}
}

static void what_does_not_go_together(void **state)
{
	(void)state;
	scree_world *w = plane_world(LAW_AREA, 1, 0);
	w->model.narrow = scree_narrow_find("closest-features");
	lab_refused(w, 0, "the law area needs run.narrow_phase: overlap-area");
	w = plane_world(LAW_LINEAR, 1, 0);
	scree_materials_set_rule(&w->model.material, 0, 0, lab_linear(1000, 1, 0));
	lab_refused(w, 0, "the law linear needs run.narrow_phase: closest-features for all contacts, not overlap-area");
	w = plane_world(LAW_VOLUME, 1, 0);
	lab_refused(w, 0, "the law volume is available only in worlds of dimension 3");
	w = plane_world(LAW_AREA, 1, 0);
	w->model.narrow = scree_narrow_row(0);
	lab_refused(w, 0, "separating-plane is available only in worlds of dimension 3");
	w = plane_world(LAW_AREA, 1, 0);
	lab_plane(w, v3(0, 0, 0), v3(0, 0, 1));
	lab_refused(w, 0, "cannot be in a world of dimension 2");
	w = plane_world(LAW_AREA, 1, 0);
	fail why;
	lab_add(w, scree_shapes_add_box(&w->model.shape, "box", v3(1, 1, 1), &why), D, v3(0, 0, 0));
	lab_refused(w, 0, "the shape 'box' cannot be in a world of dimension 2");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(elastic_polygons_keep_their_energy),
		cmocka_unit_test(and_so_do_all_shapes),
		cmocka_unit_test(the_literal_law_does_not),
		cmocka_unit_test(the_integrator_has_its_order_on_a_smooth_path),
		cmocka_unit_test(restitution_is_what_was_asked_for),
		cmocka_unit_test(at_rest_the_force_is_the_weight),
		cmocka_unit_test(a_block_on_a_slope),
		cmocka_unit_test(the_step_knows_long_edges),
		cmocka_unit_test(what_does_not_go_together),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
