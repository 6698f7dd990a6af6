/* Cylinders with flat ends and sharp edges: their mass, the angle up to which they fall back onto an end, and their
 * rolling. */
#include "lab.h"
#include "test.h"

#include <math.h>

#include "choices/choices.h"
#include "kernel/quat.h"
#include "model/response.h"

static const real PI = 3.141592653589793, SIZE = 0.05, G = 9.81;

static int32_t add_can(scree_world *w, real length, real diameter, int32_t facets)
{
	fail why = {0};
	const int32_t row = scree_shapes_add_prism(&w->model.shape, "can", length, diameter, facets, &why);
	CHECK(row >= 0, "%s", why.text);
	return row;
}

/* A prism with n flats whose cross section has the area of the circle: the squared distance of its corners is R^2 (2 pi
 * / n) / sin(2 pi / n), and the square of its radius of gyration is R^2 (2 + cos(2 pi / n)) / 6. */
static void masses_are_those_of_the_prism(void **state)
{
	(void)state;
	const int32_t flats[] = {8, 9, 31, 48, 100, 248};
	const real lengths[] = {0.05, 0.8660254037844386, 1, 30};
	for (int k = 0; k < 24; ++k) {
		const int32_t n = flats[k % 6];
		const real l = lengths[k / 6], d = 0.7, part = 2 * PI / n, r2 = d * d / 4 * part / sin(part);
		scree_world *w = lab_world(lab_hertz(0.3, 0.8));
		const shape *s = w->model.shape.row + add_can(w, l, d, n);
		const real mass = PI / 4 * d * d * l, round = r2 * (2 + cos(part)) / 6;
		NEAR(s->volume / mass, 1, 1e-12, "volume");
		NEAR(s->inertia.z / (mass * round), 1, 1e-11, "moment about the axis");
		NEAR(s->inertia.x / (mass * (round / 2 + l * l / 12)), 1, 1e-11, "moment across");
		NEAR(s->inertia.y / s->inertia.x, 1, 1e-11, "both moments across");
		NEAR(round / (d * d / 8), 1, 2 / ((real)n * n * n), "that of a cylinder, to the fourth power of 1/n");
		NEAR(s->radius, sqrt(r2 + l * l / 4), 1e-12 * s->radius, "corners");
		NEAR(s->frame.w, 1, 0, "its axes are those of the scene");
		CHECK(s->faces == n + 2, "%d faces", s->faces);
		scree_world_free(w);
	}
}

/* Ratio of the height of a can's axis to its length, at rest after the can was released tilted on an edge. */
static real let_go(int response, int32_t facets, real diameter, real degrees, int law)
{
	static const char *const name[3] = {"forces", "implicit", "hard"};
	scree_world *w = lab_world(law ? lab_hertz(0.3, 0.8) : lab_linear(2e4, 0.3, 0.8));
	fail why = {0};
	const vec3 semi = v3(diameter / 2, diameter / 2, 0.5);
	const int32_t row = facets ? add_can(w, 1, diameter, facets)
							   : scree_shapes_add_superquadric(&w->model.shape, "round", semi, 2, 8, &why);
	const real tilt = degrees * PI / 180, up = SIZE / 2 * (cos(tilt) + 1.01 * diameter * sin(tilt));
	w->model.gravity = v3(0, 0, -G);
	model_respond(&w->model, scree_response_find(name[response]));
	lab_plane(w, v3(0, 0, 0), v3(0, 0, 1));
	lab_add_moving(w, row, SIZE, v3(0, 0, up), quat_exp(v3(0, tilt, 0), 1), v3(0, 0, 0), v3(0, 0, 0));
	lab_prepare(w, response ? 1e-3 : 2e-5);
	lab_steps(w, response ? 3000 : 150000);
	const bodies *b = &w->state.body;
	NEAR(v3_norm(body_velocity(b, 0)), 0, 2e-3, name[response]);
	const real high = b->z[0] / SIZE;
	scree_world_free(w);
	return high;
}

/* The angle beyond which a can falls over is atan(d / l): 26.57 degrees and 45 degrees. */
static void it_stands_up_to_its_angle(void **state)
{
	(void)state;
	for (int k = 0; k < 6; ++k) {
		if (!test_drawn(k + 1)) continue;
		const int response = k / 2, law = k % 2;
		NEAR(let_go(response, 48, 0.5, 25, law), 0.5, 0.002, "25 degrees: it falls back on its end");
		NEAR(let_go(response, 48, 0.5, 28, law), 0.25, 0.002, "28 degrees: it falls over");
	}
	NEAR(let_go(0, 48, 1, 44, 1), 0.5, 0.004, "44 degrees, as wide as long");
	if (!test_short())
		NEAR(let_go(0, 31, 1, 46.5, 1), 0.497, 0.003, "46.5 degrees: on its side, by the height of a flat");
	NEAR(let_go(1, 0, 0.5, 25, 1), 0.25, 0.005, "with rounded edges it falls over at 25 degrees");
}

/* A can with this many flats, resting on one of them on a plane. */
static scree_world *lying(int response, int32_t facets, real restitution)
{
	static const char *const name[3] = {"forces", "implicit", "hard"};
	scree_world *w = lab_world(lab_hertz(restitution, 0.8));
	const int32_t row = add_can(w, 1, 1, facets);
	const quat turn = quat_mul(quat_exp(v3(PI / 2, 0, 0), 1), quat_exp(v3(0, 0, PI / 2), 1));
	w->model.gravity = v3(0, 0, -G);
	model_respond(&w->model, scree_response_find(name[response]));
	lab_plane(w, v3(0, 0, 0), v3(0, 0, 1));
	lab_add_moving(w, row, SIZE, v3(0, 0, SIZE / 2), turn, v3(0, 0, 0), v3(0, 0, 0));
	lab_prepare(w, response ? 2e-4 : 2e-5);
	return w;
}

static void steepen(scree_world *w, real slope) { w->model.gravity = v3(G * sin(slope), 0, -G * cos(slope)); }

static void run_for(scree_world *w, real time) { lab_steps(w, (int64_t)(time / w->model.dt)); }

/* Speed after half a second on a slope, relative to the speed of a cylinder with an acceleration of 2/3 g sin t. */
static real run_down(int response, int32_t facets, real slope, real restitution)
{
	scree_world *w = lying(response, facets, restitution);
	steepen(w, slope);
	run_for(w, 0.5);
	const real speed = w->state.body.vx[0];
	scree_world_free(w);
	return speed / (2.0 / 3 * G * sin(slope) * 0.5);
}

/* Returns whether the can stays at rest on a plane that has been tilted slowly. */
static bool rests_on(int response, int32_t facets, real slope)
{
	scree_world *w = lying(response, facets, 0.3);
	run_for(w, 0.1);
	for (int k = 1; k < 101; ++k) {
		steepen(w, slope * k / 100);
		run_for(w, 0.01);
	}
	run_for(w, 0.5);
	const real speed = v3_norm(body_velocity(&w->state.body, 0));
	CHECK(speed < 1e-3 || speed > 0.05, "it creeps at %g m/s", speed);
	scree_world_free(w);
	return speed < 1e-3;
}

/* Without losses, the can rolls like a cylinder. Flats lose at most as much as an inelastic corner, 2/3 (1 - cos 2
 * pi/n) of the angular velocity per flat: w' = a - 2 pi / (3 n) w^2, whose solution is a tanh. */
static void it_rolls(void **state)
{
	(void)state;
	const real slope = 0.2, turn = 2.0 / 3 * G * sin(slope) / (SIZE / 2) * 0.25; /* a t^2 */
	NEAR(run_down(0, 48, slope, 1), 1, 0.005, "restitution 1, 48 flats");
	if (!test_short()) NEAR(run_down(0, 248, slope, 1), 1, 0.005, "restitution 1, 248 flats");
	for (int k = 0; k < 6; ++k) {
		if (!test_drawn(k)) continue;
		const int n = k % 2 ? 48 : 24;
		const real x = sqrt(2 * PI / (3 * n) * turn), least = tanh(x) / x, got = run_down(k / 2, n, slope, 0.3);
		CHECK(got > least - 0.01 && got < 1, "response %d, %d flats: %g of the speed, at least %g", k / 2, n, got,
			  least);
	}
	CHECK(run_down(2, 248, slope, 0.3) > 0.97, "more flats, less loss");
	for (int r = 0; r < 3; ++r) {
		/* on a hard flat, the can stays at rest up to 180 degrees / n; a soft flat yields on the downhill side */
		CHECK(rests_on(r, 24, 0.6 * PI / 24), "it rests on a flat, response %d", r);
		CHECK(!rests_on(r, 24, 1.1 * PI / 24), "and rolls on slopes above 180 degrees / n, response %d", r);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(masses_are_those_of_the_prism),
		cmocka_unit_test(it_stands_up_to_its_angle),
		cmocka_unit_test(it_rolls),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
