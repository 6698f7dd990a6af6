/* Cone complementarity (Anitescu 2006, Tasora and Anitescu 2011): contacts with associated friction, so that each step
 * is a convex problem. Row S3.29 of docs/seeds.md explains, with numbers from this test, why this method is not a
 * response in scree: a block that begins to slide jumps, and a sliding block floats at a gap of h mu v. With `implicit`
 * and `hard`, the block stays on the plane and slides according to Coulomb's law. */
#include "lab.h"
#include "test.h"

#include "base/maths.h"
#include "choices/choices.h"
#include "model/narrow.h"
#include "model/response.h"

#include <stdlib.h>
#include <string.h>

static const real D = 0.01, MU = 0.5, G = 9.81, H = 1e-3, SPEED = 2;
enum { POINTS = 4, SWEEPS = 20000 };

/* A cube of mass 1 above a plane, whose four lower corners are the contacts. */
typedef struct block {
	vec3 velocity, spin;
	real gap[POINTS];	  /* m */
	vec3 impulse[POINTS]; /* N s */
} block;

static vec3 corner(int k) { return v3((k & 1 ? D : -D) / 2, (k & 2 ? D : -D) / 2, -D / 2); }
static real inertia(void) { return D * D / 6; }

static void push(block *o, int k, vec3 impulse)
{
	o->velocity = v3_add(o->velocity, impulse);
	o->spin = v3_madd(o->spin, 1 / inertia(), v3_cross(corner(k), impulse));
}

/* The nearest point in the cone |tangent| <= mu normal. */
static vec3 onto_cone(vec3 p)
{
	const real across = sqrt(p.x * p.x + p.y * p.y);
	if (across <= MU * p.z) return p;
	if (MU * across <= -p.z) return v3(0, 0, 0);
	const real z = (p.z + MU * across) / (1 + MU * MU);
	return v3(MU * z * p.x / across, MU * z * p.y / across, z);
}

/* Computes the velocities that result from these impulses instead of the previous ones. */
static void give(block *o, const vec3 *impulse)
{
	for (int k = 0; k < POINTS; ++k) {
		push(o, k, v3_sub(impulse[k], o->impulse[k]));
		o->impulse[k] = impulse[k];
	}
}

/* The gradient of the convex problem: velocities of the corners, plus the speeds that would close the gaps. */
static void gradient(const block *o, vec3 *to)
{
	for (int k = 0; k < POINTS; ++k)
		to[k] = v3_add(v3_add(o->velocity, v3_cross(o->spin, corner(k))), v3(0, 0, o->gap[k] / H));
}

/* Accelerated projected gradient method (Nesterov; Mazhar et al. 2015) restarted where the gradient changes direction.
 */
static void solve(block *o)
{
	const real most = POINTS * (1 + 3 * D * D / 4 / inertia()); /* bound on the largest eigenvalue */
	vec3 x[POINTS], slope[POINTS];
	real theta = 1;
	memcpy(x, o->impulse, sizeof x);
	for (int n = 0; n < SWEEPS; ++n) {
		const real next = (1 + sqrt(1 + 4 * theta * theta)) / 2, beta = (theta - 1) / next;
		vec3 ahead[POINTS];
		real turns = 0;
		gradient(o, slope);
		for (int k = 0; k < POINTS; ++k) {
			const vec3 to = onto_cone(v3_madd(o->impulse[k], -1 / most, slope[k])), by = v3_sub(to, x[k]);
			turns += v3_dot(slope[k], by);
			ahead[k] = v3_madd(to, beta, by);
			x[k] = to;
		}
		give(o, turns > 0 ? x : ahead);
		theta = turns > 0 ? 1 : next;
	}
	give(o, x);
}

/* Makes a step with gravity, contacts, and the remaining gaps. */
static void step(block *o)
{
	memset(o->impulse, 0, sizeof o->impulse);
	o->velocity.z -= G * H;
	solve(o);
	for (int k = 0; k < POINTS; ++k) o->gap[k] += H * v3_add(o->velocity, v3_cross(o->spin, corner(k))).z;
}

static block sliding(real gap) { return (block){.velocity = v3(SPEED, 0, 0), .gap = {gap, gap, gap, gap}}; }

/* In this case, the block rests on the plane. Friction needs a normal impulse, which results from the motion associated
 * with friction itself: a fraction mu^2/(1 + mu^2) of the speed is lost in the first step, and the block takes off with
 * mu times the rest. */
static void a_block_that_begins_to_slide_jumps(void **state)
{
	(void)state;
	block o = sliding(0);
	step(&o);
	const real along = (SPEED - MU * G * H) / (1 + MU * MU);
	NEAR(o.velocity.x, along, 1e-9, "it loses speed");
	NEAR(o.velocity.z, MU * along, 1e-9, "it jumps");
	NEAR(v3_norm(o.spin), 0, 1e-6, "it does not tilt");
	print_message(
		"cone complementarity: a block of %g mm that begins to slide with %g m/s, mu %g, step %g s: %.3g %% of "
		"its speed are lost at once, and it jumps %.3g times its size\n",
		1e3 * D, SPEED, MU, H, 100 * (1 - o.velocity.x / SPEED), o.velocity.z * o.velocity.z / (2 * G) / D);
}

/* After that, the block follows Coulomb's law at a gap of h mu v. */
static void a_block_that_slides_keeps_a_gap(void **state)
{
	(void)state;
	block o = sliding(H * MU * SPEED);
	for (int n = 1; n <= 100; ++n) {
		step(&o);
		for (int k = 0; k < POINTS; ++k) NEAR(o.gap[k], H * MU * o.velocity.x, 1e-9 * D, "gap");
		/* the block sinks as the gap shrinks, and therefore presses slightly less */
		NEAR(SPEED - o.velocity.x, MU * G * n * H, 0.01 * SPEED, "it slows down by friction");
	}
	print_message("a block that slides with %.3g m/s keeps a gap of %.3g %% of its size\n", o.velocity.x,
				  100 * o.gap[0] / D);
}

/* A cube at rest on the plane is given this speed, with one of scree's responses and steps of h. */
static scree_world *on_plane(const char *response, real *rest)
{
	scree_world *w = lab_world((contact_rule){.law = LAW_OVERLAP, .restitution = 0.3, .friction = MU});
	model_respond(&w->model, scree_response_find(response));
	w->model.narrow = scree_narrow_find("overlap-thickness");
	w->model.gravity = v3(0, 0, -G);
	lab_plane(w, v3(0, 0, 0), v3(0, 0, 1));
	lab_add(w, 1, D, v3(0, 0, D / 2));
	lab_prepare(w, H);
	lab_steps(w, 500);
	*rest = w->state.body.z[0];
	w->state.body.vx[0] = SPEED;
	lab_steps(w, 1); /* friction starts acting halfway through this step */
	return w;
}

static void blocks_of_scree_stay_on_the_plane(void **state)
{
	(void)state;
	static const char *const response[2] = {"implicit", "hard"};
	for (int r = 0; r < 2; ++r) {
		real rest, most = 0;
		scree_world *w = on_plane(response[r], &rest);
		const real begins = w->state.body.vx[0];
		for (int n = 1; n <= 100; ++n) {
			lab_steps(w, 1);
			most = real_max(most, real_abs(w->state.body.z[0] - rest));
			NEAR(w->state.body.vx[0], begins - MU * G * n * H, 1e-4 * SPEED, "it slows down by friction");
		}
		print_message("%s: %.2g %% of its size off the height at rest\n", response[r], 100 * most / D);
		/* a block with hard contacts tilts on its contact */
		CHECK(most < (r ? 2e-4 : 1e-5) * D, "%s: %g of its size off the height at rest", response[r], most / D);
		scree_world_free(w);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(a_block_that_begins_to_slide_jumps),
									   cmocka_unit_test(a_block_that_slides_keeps_a_gap),
									   cmocka_unit_test(blocks_of_scree_stay_on_the_plane)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
