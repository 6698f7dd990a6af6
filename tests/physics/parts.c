/* Bodies with parts: compounds conserve energy like polyhedra, a convex compound acts like the equivalent polyhedron, a
 * clump of one ball acts like a ball, hooks carry bodies that hang from them, and action equals reaction. */
#include "base/maths.h"
#include "choices/choices.h"
#include "kernel/quat.h"
#include "lab.h"
#include "model/narrow.h"
#include "part_shapes.h"
#include "test.h"

static const real D = 0.01; /* m */

enum { BALL, CUBE, CROSS, HOOK, EIGHT, PEBBLE, CUBE_OF_MESH, ONE_BALL, ADDED };

static scree_world *parts_world(real restitution, real friction)
{
	contact_rule rule = {.law = LAW_OVERLAP, .restitution = restitution, .friction = friction};
	scree_world *w = lab_world(rule);
	shapes *s = &w->model.shape;
	fail why = {0};
	const vec3 origin = v3(0, 0, 0);
	const real half = 0.5;
	CHECK(part_add_compound(s, "cross", &part_cross, &why) == CROSS, "%s", why.text);
	CHECK(part_add_compound(s, "hook", &part_hook, &why) == HOOK, "%s", why.text);
	CHECK(part_add_eight(s, "eight", &why) == EIGHT, "%s", why.text);
	CHECK(part_add_pebble(s, "pebble", false, &why) == PEBBLE, "%s", why.text);
	CHECK(part_add_compound(s, "cube of mesh", &part_cube, &why) == CUBE_OF_MESH, "%s", why.text);
	CHECK(scree_shapes_add_clump(s, "one ball", 1, &origin, &half, false, &why) == ONE_BALL, "%s", why.text);
	CHECK(part_add_pebble(s, "added", true, &why) == ADDED, "%s", why.text);
	w->model.narrow = scree_narrow_find("overlap-thickness");
	return w;
}

/* ------------------------------------------------------------------ construction of bodies from parts */

static void shapes_are_what_their_meshes_say(void **state)
{
	(void)state;
	scree_world *w = parts_world(1, 0);
	const shape *s = w->model.shape.row;
	CHECK(s[CROSS].type == SHAPE_COMPOUND && s[CROSS].parts >= 3 && s[CROSS].parts <= 5, "%d parts", s[CROSS].parts);
	CHECK(s[HOOK].type == SHAPE_COMPOUND && s[HOOK].parts >= 2 && s[HOOK].parts <= 3, "%d parts", s[HOOK].parts);
	NEAR(s[CROSS].volume, 7 * 0.25 * 0.25 * 0.25, 1e-14, "the cross is seven cubes");
	NEAR(s[HOOK].volume, (1 - 0.5 * 0.75) * 0.25, 1e-14, "the hook");
	/* the cross: two bars minus the part that they have in common */
	const real m = 0.25 * 0.25, z = m * (1 + 0.0625) / 12, c = 0.25 * m, both = 2 * z - c * (0.0625 + 0.0625) / 12;
	NEAR(s[CROSS].inertia.z, both, 1e-14, "the cross about its axis");
	for (int k = CROSS; k <= HOOK; ++k) {
		real volume = 0;
		for (int32_t p = 0; p < s[k].parts; ++p) volume += s[k].part[p].solid->volume;
		NEAR(volume, s[k].volume, 1e-13, "parts fill it");
	}
	CHECK(s[CUBE_OF_MESH].type == SHAPE_CONVEX && s[CUBE_OF_MESH].faces == 6, "a cube of triangles is a polyhedron");
	NEAR(s[EIGHT].volume, 8 * SCREE_PI / 6 / 8, 1e-13, "eight balls that touch");
	CHECK(s[ADDED].volume > 1.02 * s[PEBBLE].volume, "what lies in two balls weighs twice");
	scree_world_free(w);
}

/* ------------------------------------------------------------------ energy and momentum */

static vec3 momentum(const scree_world *w, vec3 *spin)
{
	vec3 sum = v3(0, 0, 0);
	*spin = sum;
	for (int32_t i = 0; i < w->state.body.count; ++i) {
		vec3 p = v3_mul(w->state.body.mass[i], body_velocity(&w->state.body, i));
		sum = v3_add(sum, p);
		*spin = v3_add(*spin, v3_cross(body_position(&w->state.body, i), p));
		*spin = v3_add(*spin, v3(w->state.body.lx[i], w->state.body.ly[i], w->state.body.lz[i]));
	}
	return sum;
}

/* Many elastic bodies of two kinds in a periodic cell, with the default step. Returns the largest energy drift.
 */
static real gas(int32_t one, int32_t other, int64_t *impacts)
{
	enum { SIDE = 3 };
	scree_world *w = parts_world(1, 0);
	random_stream r = scree_random_start(40 + (uint64_t)(16 * one + other), 1);
	real cell = 1.8 * D; /* no two bodies overlap at the start, whatever their orientation */
	lab_periods(w, "xyz", v3(0, 0, 0), v3(SIDE * cell, SIDE * cell, SIDE * cell));
	for (int k = 0; k < SIDE * SIDE * SIDE; ++k) {
		vec3 at = v3(cell * (k % SIDE + 0.5), cell * (k / SIDE % SIDE + 0.5), cell * (k / SIDE / SIDE + 0.5));
		vec3 spin = v3_mul(50, scree_random_direction(&r));
		vec3 velocity = scree_random_direction(&r); /* the order of draws must be the same with every compiler */
		quat turn = scree_random_rotation(&r);
		lab_add_moving(w, k % 2 ? one : other, D, at, turn, velocity, spin);
	}
	real worst = lab_elastic_gas(w, 0.05, impacts);
	scree_world_free(w);
	return worst;
}

static void gases_keep_their_energy(void **state)
{
	(void)state;
	static const int32_t kind[6][2] = {{PEBBLE, HOOK}, {HOOK, CUBE},  {CROSS, CROSS},
									   {HOOK, CROSS},  {CROSS, BALL}, {PEBBLE, PEBBLE}};
	for (int k = 0; k < test_few(6, 2); ++k) {
		int64_t impacts;
		real worst = gas(kind[k][0], kind[k][1], &impacts);
		print_message("kinds %d and %d: %lld impacts, energy off by %.2e\n", kind[k][0], kind[k][1], (long long)impacts,
					  worst);
		CHECK(impacts > 30, "only %lld impacts", (long long)impacts);
		CHECK(worst < 1e-3, "energy off by %g", worst);
	}
}

/* Two bodies that collide, with friction and losses: momentum and angular momentum are conserved. */
static void actions_are_reactions(void **state)
{
	(void)state;
	static const int32_t kind[6][2] = {{CROSS, CROSS},	{HOOK, CUBE},  {CROSS, BALL},
									   {EIGHT, PEBBLE}, {EIGHT, HOOK}, {CUBE, PEBBLE}};
	for (int k = 0; k < 6; ++k) {
		scree_world *w = parts_world(0.5, 0.4);
		random_stream r = scree_random_start(60, (uint64_t)k);
		lab_add_moving(w, kind[k][0], D, v3(-0.9 * D, 0, 0), scree_random_rotation(&r), v3(0.5, 0.1, 0), v3(20, 5, 3));
		lab_add_moving(w, kind[k][1], D, v3(0.9 * D, 0.2 * D, 0.1 * D), scree_random_rotation(&r), v3(-0.5, 0, 0),
					   v3(-9, 0, 8));
		w->model.guard.speed = 2;
		lab_prepare(w, 0);
		vec3 spin0, spin1, p0 = momentum(w, &spin0);
		int64_t steps = lab_one_contact(w);
		vec3 p1 = momentum(w, &spin1);
		CHECK(steps > 10, "pair %d: %lld steps of contact", k, (long long)steps);
		real m = w->state.body.mass[0];
		CHECK(v3_norm(v3_sub(p1, p0)) < 1e-9 * m, "pair %d: momentum off by %g", k, v3_norm(v3_sub(p1, p0)) / m);
		CHECK(v3_norm(v3_sub(spin1, spin0)) < 1e-7 * m * D, "pair %d: its moment off by %g", k,
			  v3_norm(v3_sub(spin1, spin0)) / (m * D));
		scree_world_free(w);
	}
}

/* ------------------------------------------------------------------ the same body built in another way */

/* Two bodies of this shape on a slope with friction, one on top of the other; returns their positions after some time.
 */
static void slide(int32_t shape, vec3 at[2])
{
	scree_world *w = parts_world(0.4, 0.3);
	w->model.gravity = v3(9.81 * 0.5, 0, -9.81 * 0.86602540378443865);
	lab_plane(w, v3(0, 0, 0), v3(0, 0, 1));
	lab_add(w, shape, D, v3(0, 0, 0.5 * D));
	lab_add(w, shape, D, v3(0.1 * D, 0, 1.5 * D));
	w->model.guard.speed = 2;
	lab_prepare(w, 1e-5);
	lab_steps(w, 8000);
	for (int i = 0; i < 2; ++i) at[i] = body_position(&w->state.body, lab_row(w, (uint64_t)i + 1));
	scree_world_free(w);
}

static void a_convex_mesh_is_its_polyhedron(void **state)
{
	(void)state;
	vec3 solid[2], mesh[2];
	slide(CUBE, solid);
	slide(CUBE_OF_MESH, mesh);
	CHECK(solid[0].x > 0.005, "it has slid");
	for (int i = 0; i < 2; ++i) NEAR(v3_norm(v3_sub(solid[i], mesh[i])), 0, 1e-9 * D, "a cube");
}

static void a_clump_of_one_ball_is_a_ball(void **state)
{
	(void)state;
	vec3 ball[2], clump[2];
	slide(BALL, ball);
	slide(ONE_BALL, clump);
	CHECK(ball[0].x > 0.005, "it has rolled");
	for (int i = 0; i < 2; ++i) NEAR(v3_norm(v3_sub(ball[i], clump[i])), 0, 1e-6 * D, "a ball");
}

/* Coulomb's law: whether a block rests or slides depends on the slope, not on how the block is built. */
static void blocks_on_slopes(void **state)
{
	(void)state;
	static const int32_t kind[4] = {HOOK, EIGHT, CROSS, CUBE_OF_MESH};
	for (int k = 0; k < test_few(4, 1); ++k)
		lab_block_on_slopes(parts_world(0.3, 0.3), parts_world(0.3, 0.3), kind[k], D, 0.3,
							kind[k] == EIGHT ? 2e-3 : 1e-3);
}

/* ------------------------------------------------------------------ non-convex bodies */

static void a_hook_hangs_in_a_hook(void **state)
{
	(void)state;
	scree_world *w = parts_world(0.3, 0.5);
	lab_hook_hangs(w, HOOK, D, (0.5 + 2 * w->model.shape.row[HOOK].centre.y + 0.002) * D);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(shapes_are_what_their_meshes_say),
		cmocka_unit_test(gases_keep_their_energy),
		cmocka_unit_test(actions_are_reactions),
		cmocka_unit_test(a_convex_mesh_is_its_polyhedron),
		cmocka_unit_test(a_clump_of_one_ball_is_a_ball),
		cmocka_unit_test(blocks_on_slopes),
		cmocka_unit_test(a_hook_hangs_in_a_hook),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
