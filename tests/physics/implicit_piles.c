/* Bodies at rest on each other, in implicit steps and with hard contacts (docs/theory/implicit.md): stacks, piles, a
 * lid, and a row of balls. */
#include "base/maths.h"
#include "choices/choices.h"
#include "kernel/quat.h"
#include "lab.h"
#include "model/narrow.h"
#include "model/response.h"
#include "test.h"

#include <stdlib.h>

static const real G = 9.81, D = 0.01;
static const char *const response_name[2] = {"implicit", "hard"};
enum { BALL, CUBE };

static scree_world *world_of(int response, int32_t shape, real restitution, real friction)
{
	const contact_rule overlap = {.law = LAW_OVERLAP, .restitution = restitution, .friction = friction};
	scree_world *w = lab_world(shape == BALL ? lab_hertz(restitution, friction) : overlap);
	if (shape != BALL) w->model.narrow = scree_narrow_find("overlap-thickness");
	model_respond(&w->model, scree_response_find(response_name[response]));
	return w;
}

static scree_world *on_floor(int response, int32_t shape)
{
	scree_world *w = world_of(response, shape, 0.3, 0.4);
	w->model.gravity = v3(0, 0, -G);
	lab_plane(w, v3(0, 0, 0), v3(0, 0, 1));
	return w;
}

/* largest distance in m of a cube from its given position on the axis of the stack, and largest rotation of a cube */
static real worst_of_stack(const scree_world *w, const real *height, real *turn)
{
	const bodies *b = &w->state.body;
	real off = 0;
	*turn = 0;
	for (int32_t i = 0; i < b->count; ++i) {
		const quat q = body_orientation(b, i);
		off = real_max(off, v3_norm(v3_sub(body_position(b, i), v3(0, 0, height[b->id[i] - 1]))));
		*turn = real_max(*turn, 2 * v3_norm(v3(q.x, q.y, q.z)));
	}
	return off;
}

/* A stack of cubes is motionless, even over 1e5 steps (SCREE_TEST_FACTOR=143). A hard contact with the floor overlaps
 * at rest by 0.2 g h^2 per cube above it, and a hard contact between two cubes by 0.4 g h^2 per cube; the total is 0.2
 * n^2 g h^2. */
static void stacks_stand(void **state)
{
	(void)state;
	enum { CUBES = 10 };
	for (int r = 0; r < 2; ++r) {
		scree_world *w = on_floor(r, CUBE);
		real height[CUBES], turn;
		for (int k = 0; k < CUBES; ++k) lab_add(w, CUBE, D, v3(0, 0, D * (k + (real)0.5)));
		lab_prepare(w, 0);
		lab_steps(w, 700);
		for (int k = 0; k < CUBES; ++k) height[k] = w->state.body.z[lab_row(w, (uint64_t)k + 1)];
		const real sinks = D * (CUBES - (real)0.5) - height[CUBES - 1];
		if (r) NEAR(sinks / (0.2 * CUBES * CUBES * G * w->model.dt * w->model.dt), 1, 1e-4, "overlaps of hard cubes");
		lab_steps(w, test_cases(700));
		const real off = worst_of_stack(w, height, &turn);
		print_message("%s: a stack of %d moves by %.1e of the size and turns by %.1e\n", response_name[r], CUBES,
					  off / D, turn);
		NEAR(off, 0, (r ? 1e-9 : 1e-5) * D, "it moves");
		NEAR(turn, 0, r ? 1e-12 : 1e-6, "it turns");
		scree_world_free(w);
	}
}

/* A brick wall in running bond, with `wide` bricks per layer, and one fewer in every other layer. */
static scree_world *wall_of_bricks(int response, int layers, int wide)
{
	scree_world *w = on_floor(response, CUBE);
	fail why = {0};
	const int32_t brick = scree_shapes_add_box(&w->model.shape, "brick", v3(1, 0.5, 0.5), &why);
	for (int l = 0; l < layers; ++l)
		for (int k = 0; k < wide - l % 2; ++k)
			lab_add(w, brick, D, v3(1.001 * D * (k + (real)0.5 * (l % 2)), 0, D * (real)0.5 * (l + (real)0.5)));
	lab_prepare(w, 0);
	return w;
}

static void walls_of_bricks_stand(void **state)
{
	(void)state;
	const bool all = test_factor() > 1; /* then 115 bricks */
	for (int r = 0; r < 2; ++r) {
		scree_world *w = wall_of_bricks(r, all ? 10 : 4, all ? 12 : 3);
		const bodies *b = &w->state.body;
		vec3 *from = calloc((size_t)b->count + 1, sizeof *from);
		for (int32_t i = 0; i < b->count; ++i) from[b->id[i]] = body_position(b, i);
		lab_steps(w, 200 + test_cases(100));
		real off = 0;
		for (int32_t i = 0; i < b->count; ++i)
			off = real_max(off, v3_norm(v3_sub(body_position(b, i), from[b->id[i]])));
		print_message("%s: a wall of %d bricks moves by at most %.2e of their length\n", response_name[r],
					  (int)b->count, off / D);
		CHECK(off < 0.02 * D, "a brick has moved by %g", off / D);
		free(from);
		scree_world_free(w);
	}
}

/* makes a pile of 27 bodies in a box; returns the fraction of their weight that the side walls do not support, averaged
 * over some steps */
static real load_of_pile(int response, int32_t shape)
{
	scree_world *w = on_floor(response, shape);
	const real wide = 0.016;
	lab_plane(w, v3(-wide, 0, 0), v3(1, 0, 0));
	lab_plane(w, v3(wide, 0, 0), v3(-1, 0, 0));
	lab_plane(w, v3(0, -wide, 0), v3(0, 1, 0));
	lab_plane(w, v3(0, wide, 0), v3(0, -1, 0));
	random_stream r = scree_random_start(6, 1);
	for (int k = 0; k < 27; ++k) {
		const vec3 at = v3(0.0104 * (k % 3 - 1), 0.0104 * (k / 3 % 3 - 1), 0.006 + 0.011 * (k / 9));
		lab_add_moving(w, shape, 0.9 * D, at, quat_one(), v3_mul(0.1, scree_random_direction(&r)), v3(0, 0, 0));
	}
	lab_prepare(w, 0);
	lab_steps(w, 4000);
	real weight = 0, load = 0;
	for (int32_t i = 0; i < w->state.body.count; ++i) weight += w->state.body.mass[i] * G;
	for (int k = 0; k < 50; ++k) {
		lab_steps(w, 1);
		for (int i = 0; i < 5; ++i) load -= scree_wall_load(&w->model, &w->state, &w->work, i).force.z / 50;
	}
	const energy_row e = scree_world_energy(&w->model, &w->state, &w->work);
	CHECK(w->work.greatest_speed < 5e-3, "not at rest: %g m/s", w->work.greatest_speed);
	NEAR(e.residual, 0, 1e-3 * e.brought, "ledger");
	CHECK(e.lost_normal + e.lost_friction > 0 && e.made == 0, "lost %g and %g", e.lost_normal, e.lost_friction);
	scree_world_free(w);
	return load / weight - 1;
}

static void walls_hold_the_weight(void **state)
{
	(void)state;
	NEAR(load_of_pile(0, BALL), 0, 1e-5, "balls, implicit");
	NEAR(load_of_pile(0, CUBE), 0, 1e-4, "cubes, implicit");
	NEAR(load_of_pile(1, BALL), 0, 1e-4, "balls, hard");
}

static wall lid_of(real force)
{
	wall lid = scree_wall_default("lid", 0);
	lid.motion = (wall_motion){.type = MOTION_SERVO, .axis = {0, 0, -1}, .until = INFINITY};
	lid.motion.servo = (servo_rule){.force = force, .damping = 1, .mass = 1, .low = -INFINITY, .high = INFINITY};
	return lid;
}

/* A lid presses on a body with the given force, within this relative tolerance. */
static void lid_presses(int response, int32_t shape, real tolerance)
{
	const real force = 3, gap = 1e-4;
	fail why = {0};
	scree_world *w = world_of(response, shape, 0.3, 0.4);
	lab_plane(w, v3(0, 0, 0), v3(0, 0, 1));
	const int32_t lid = scree_walls_add_plane(&w->model.wall, lid_of(force), v3(0, 0, D + gap), v3(0, 0, -1), &why);
	CHECK(lid >= 0, "%s", why.text);
	lab_rows(w);
	lab_add(w, shape, D, v3(0, 0, D / 2));
	lab_prepare(w, 0);
	lab_steps(w, 1800); /* the solver moves the lid with its contacts, and the solver's error decays slowly */
	NEAR(w->state.wall[lid].force.z / force, 1, tolerance, "force on the lid");
	NEAR(scree_wall_load(&w->model, &w->state, &w->work, 0).force.z / force, -1, tolerance, "force on the floor");
	NEAR(w->state.wall[lid].velocity.z, 0, 1e-12 + tolerance * 0.02, "it has come to rest");
	scree_world_free(w);
}

static void lids_reach_their_force(void **state)
{
	(void)state;
	lid_presses(0, BALL, 1e-12);
	lid_presses(0, CUBE, 5e-3);
	lid_presses(1, BALL, 2e-2);
}

/* Newton's rule for each contact: all balls of a row leave, rather than only the last one as with elastic balls. */
static void a_row_of_balls_moves_as_a_whole(void **state)
{
	(void)state;
	enum { BALLS = 5 };
	const real v = 0.1;
	for (int r = 0; r < 2; ++r) {
		scree_world *w = world_of(r, BALL, 1, 0);
		for (int k = 0; k < BALLS; ++k)
			lab_add_moving(w, BALL, D, v3(D * k - (k ? 0 : 1e-5), 0, 0), quat_one(), v3(k ? 0 : v, 0, 0), v3(0, 0, 0));
		w->model.guard.speed = v;
		lab_prepare(w, 0);
		w->model.guard.speed = 0;
		lab_steps(w, 100);
		real sum = 0, last = -1;
		for (int k = 0; k < BALLS; ++k) {
			const real u = w->state.body.vx[lab_row(w, (uint64_t)k + 1)] / v;
			sum += u;
			CHECK(u > last && u < 0.6 && u > -0.6, "ball %d moves at %g", k, u);
			last = u;
		}
		const energy_row e = scree_world_energy(&w->model, &w->state, &w->work);
		NEAR(sum, 1, 1e-14, "momentum");
		CHECK(e.kinetic < e.brought, "%g of the energy", e.kinetic / e.brought);
		NEAR(e.residual, 0, 1e-14 * e.brought, "ledger");
		scree_world_free(w);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(stacks_stand),
		cmocka_unit_test(walls_of_bricks_stand),
		cmocka_unit_test(walls_hold_the_weight),
		cmocka_unit_test(lids_reach_their_force),
		cmocka_unit_test(a_row_of_balls_moves_as_a_whole),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
