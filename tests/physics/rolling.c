/* Rolling and twisting friction with forces, implicit steps and hard contacts: the law is the same with all of them,
 * and the results are known (docs/theory/laws.md, "Rolling resistance"; docs/theory/implicit.md). */
#include "base/maths.h"
#include "choices/choices.h"
#include "kernel/quat.h"
#include "lab.h"
#include "model/response.h"
#include "test.h"

static const real G = 9.81, D = 0.01, STIFF = 1e4;
enum { FORCES, IMPLICIT, HARD, RESPONSES };
static const char *const response_name[RESPONSES] = {"forces", "implicit", "hard"};
/* lengths of implicit steps, divided by the contact time */
static const real fraction[3] = {0.5, 1, 2};

static real mass_of(real d) { return 2500 * SCREE_PI / 6 * d * d * d; }

static scree_world *world_of(int response, real stiffness, real rolling, real twisting)
{
	contact_rule rule = lab_linear(stiffness, 0.3, 0.5);
	rule.rolling_friction = rolling, rule.twisting_friction = twisting;
	scree_world *w = lab_world(rule);
	model_respond(&w->model, scree_response_find(response_name[response]));
	return w;
}

/* part: ratio of the step to the contact time, or 0 for the default step */
static void begin(scree_world *w, real part)
{
	lab_prepare(w, 0);
	if (part > 0) lab_prepare(w, part * w->model.contact_time);
}

static void run_for(scree_world *w, real time) { lab_steps(w, (int64_t)(time / w->model.dt + (real)0.5)); }

/* Rotates gravity as if the plane were tilted by the angle with this tangent. */
static void tilt(scree_world *w, real tan)
{
	const real cosine = 1 / sqrt(1 + tan * tan);
	w->model.gravity = v3(G * tan * cosine, 0, -G * cosine);
}

/* A ball on a plane, at its rest overlap, that rolls at speed u and spins at rate `spin` about the vertical. */
static scree_world *ball_on_plane(scree_world *w, int response, real u, real spin)
{
	const real rests = response == HARD ? 1e-3 * D / 2 : mass_of(D) * G / STIFF;
	tilt(w, 0);
	lab_plane(w, v3(0, 0, 0), v3(0, 0, 1));
	lab_add_moving(w, 0, D, v3(0, 0, D / 2 - rests), quat_one(), v3(u, 0, 0), v3(0, u / (D / 2), spin));
	return w;
}

typedef void trial(int response, real part);

/* all responses, and implicit steps of several lengths */
static void all_steps(trial *of)
{
	for (int r = 0; r < RESPONSES; ++r)
		for (int k = 0; k < (r == IMPLICIT ? 3 : 1); ++k) of(r, r == IMPLICIT ? fraction[k] : 0);
}

/* A ball rolling at speed u decelerates at 5/7 f g and stops after a distance of u^2/(10/7 f g). */
static void rolls_to_a_stop(int response, real part)
{
	const real f = 0.1, u = 0.1, a = 5.0 / 7 * f * G;
	scree_world *w = ball_on_plane(world_of(response, STIFF, f, 0), response, u, 0);
	begin(w, part);
	run_for(w, u / a / 2);
	NEAR((u - w->state.body.vx[0]) / w->state.time / a, 1, 1e-3, "it is braked");
	run_for(w, u / a);
	NEAR(w->state.body.x[0] / (u * u / (2 * a)), 1, 2e-3, "where it stops");
	NEAR(w->state.body.vx[0] / u, 0, 1e-5, "it stops");
	scree_world_free(w);
}

/* A ball spinning about the vertical is decelerated by the torque f R m g. */
static void spins_to_a_stop(int response, real part)
{
	const real f = 0.1, spin = 20, a = f * G / (0.4 * D / 2);
	scree_world *w = ball_on_plane(world_of(response, STIFF, 0, f), response, 0, spin);
	begin(w, part);
	run_for(w, spin / a / 2);
	NEAR((spin - w->state.body.wz[0]) / w->state.time / a, 1, 1e-3, "its spin is braked");
	run_for(w, spin / a);
	NEAR(w->state.body.wz[0] / spin, 0, 1e-3, "it stops");
	scree_world_free(w);
}

/* On a gentle slope, a ball deflects its rolling spring by the angle m g R sin/k_r, with forces and with implicit steps
 * of any length. */
static void leans_on_a_slope(int response, real part)
{
	const real f = 0.1, width = f * D / 2, spring = 2.25 * STIFF * width * width, tan = 0.3 * f;
	if (response == HARD) return; /* no springs */
	scree_world *w = ball_on_plane(world_of(response, STIFF, f, 0), response, 0, 0);
	tilt(w, tan);
	begin(w, part);
	run_for(w, 0.5);
	const real sine = tan / sqrt(1 + tan * tan), lean = mass_of(D) * G * sine * D / 2 / spring;
	NEAR(2 * w->state.body.qy[0] / lean, 1, 2e-3, "angle of the rolling spring");
	NEAR(w->state.body.wy[0] * D / 2, 0, 1e-9, "it rests");
	scree_world_free(w);
}

/* A ball stays at rest on a slope with tan < f; on a steeper slope, it rolls with an acceleration of 5/7 g (sin - f
 * cos). */
static void rolls_on_steep_slopes(int response, real part)
{
	const real f = 0.1;
	for (int steep = 0; steep < 2; ++steep) {
		const real tan = f * (steep ? 1.05 : 0.95), a = 5.0 / 7 * G * (tan - f) / sqrt(1 + tan * tan);
		scree_world *w = ball_on_plane(world_of(response, STIFF, f, 0), response, 0, 0);
		tilt(w, tan);
		begin(w, part);
		run_for(w, 0.5);
		const real v = w->state.body.vx[0], since = w->state.time;
		run_for(w, 0.5);
		if (steep)
			NEAR(((w->state.body.vx[0] - v) / (w->state.time - since) - a) / (5.0 / 7 * f * G), 0, 1e-3, "it rolls");
		else
			NEAR(v, 0, 1e-7, "it rests");
		scree_world_free(w);
	}
}

/* A ball stays on top of a held ball of the same size only if 2 k_r > m g R: when the line of centres rotates by an
 * angle, the ball rolls by twice this angle, and the torque due to its weight is m g R times the angle. With hard
 * contacts, the ball remains at rest. */
static void stands_on_a_ball(int response, real part)
{
	const real f = 0.1, radius = D / 2, load = mass_of(D) * G;
	const real least = load * radius / (2 * 2.25 * f * f * (radius / 2) * (radius / 2));
	for (int stiff = 0; stiff < 2; ++stiff) {
		const real k = least * (stiff ? 1.6 : 0.6), off = 1e-3;
		scree_world *w = world_of(response, k, f, 0);
		tilt(w, 0);
		const new_body foot = {.size = D, .orientation = quat_one(), .flags = BODY_HELD};
		scree_world_add(&w->model, &w->state, &w->work, 1, &foot);
		const uint64_t id = lab_add(w, 0, D, v3(off * D, 0, D - (response == HARD ? 0 : load / k)));
		begin(w, part);
		run_for(w, 1);
		const int32_t i = lab_row(w, id);
		const bool stands = w->state.body.z[i] > 0.9 * D;
		CHECK(stands == (stiff || response == HARD), "%s, step %g: stiffness %g of the least: at %g D",
			  response_name[response], part, k / least, w->state.body.z[i] / D);
		if (stands) NEAR(w->state.body.wy[i] * radius, 0, 1e-6, "it rests");
		scree_world_free(w);
	}
}

static void balls_roll_to_a_stop(void **state)
{
	(void)state;
	all_steps(rolls_to_a_stop);
}

static void balls_spin_to_a_stop(void **state)
{
	(void)state;
	all_steps(spins_to_a_stop);
}

static void balls_lean_on_slopes(void **state)
{
	(void)state;
	all_steps(leans_on_a_slope);
}

static void balls_roll_on_steep_slopes(void **state)
{
	(void)state;
	all_steps(rolls_on_steep_slopes);
}

static void balls_stand_on_stiff_springs(void **state)
{
	(void)state;
	all_steps(stands_on_a_ball);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(balls_roll_to_a_stop),			cmocka_unit_test(balls_spin_to_a_stop),
		cmocka_unit_test(balls_lean_on_slopes),			cmocka_unit_test(balls_roll_on_steep_slopes),
		cmocka_unit_test(balls_stand_on_stiff_springs),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
