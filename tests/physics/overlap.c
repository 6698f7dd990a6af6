/* The law overlap: energy is conserved in impacts of all shapes with each other and with all walls, restitution is as
 * specified, blocks topple at the correct angle, and faces come to rest. */
#include "base/maths.h"
#include "choices/choices.h"
#include "kernel/cohesion.h"
#include "kernel/quat.h"
#include "kernel/thickness.h"
#include "lab.h"
#include "model/narrow.h"
#include "test.h"

static const real D = 0.01; /* m */
static const real E_STAR = 1e7 / (2 * (1 - 0.25 * 0.25));

enum { BALL, CUBE, TETRAHEDRON, OCTAHEDRON, PLATE, NEEDLE, BLOCK, PEBBLE, KINDS };

static scree_world *overlap_world(real restitution, real friction)
{
	contact_rule rule = {.law = LAW_OVERLAP, .restitution = restitution, .friction = friction};
	scree_world *w = lab_world(rule);
	fail why = {0};
	random_stream r = scree_random_start(8, 8);
	vec3 p[20];
	for (int k = 0; k < 20; ++k) {
		vec3 n = scree_random_direction(&r);
		p[k] = v3(0.5 * n.x, 0.35 * n.y, 0.4 * n.z);
	}
	CHECK(scree_shapes_add_regular(&w->model.shape, "tetrahedron", "tetrahedron", &why) == TETRAHEDRON, "%s", why.text);
	CHECK(scree_shapes_add_regular(&w->model.shape, "octahedron", "octahedron", &why) == OCTAHEDRON, "%s", why.text);
	CHECK(scree_shapes_add_box(&w->model.shape, "plate", v3(1, 1, 0.2), &why) == PLATE, "%s", why.text);
	CHECK(scree_shapes_add_box(&w->model.shape, "needle", v3(0.25, 0.25, 1), &why) == NEEDLE, "%s", why.text);
	CHECK(scree_shapes_add_box(&w->model.shape, "block", v3(1, 1, 2), &why) == BLOCK, "%s", why.text);
	CHECK(scree_shapes_add_hull(&w->model.shape, "pebble", 20, p, &why) == PEBBLE, "%s", why.text);
	w->model.narrow = scree_narrow_find("overlap-thickness");
	return w;
}

/* ------------------------------------------------------------------ energy */

/* many bodies of one kind in a periodic cell, with the default step; returns the largest energy drift and counts
 * impacts
 */
static real gas(int32_t kind, int64_t *impacts)
{
	enum { SIDE = 3 };
	scree_world *w = overlap_world(1, 0);
	random_stream r = scree_random_start(20 + (uint64_t)kind, 1);
	real cell = 1.6 * D, size = kind == TETRAHEDRON || kind == OCTAHEDRON ? 1.2 * D : D;
	lab_periods(w, "xyz", v3(0, 0, 0), v3(SIDE * cell, SIDE * cell, SIDE * cell));
	for (int k = 0; k < SIDE * SIDE * SIDE; ++k) {
		vec3 at = v3(cell * (k % SIDE + 0.5), cell * (k / SIDE % SIDE + 0.5), cell * (k / SIDE / SIDE + 0.5));
		vec3 spin = v3_mul(50, scree_random_direction(&r));
		lab_add_moving(w, kind, size, at, scree_random_rotation(&r), scree_random_direction(&r), spin);
	}
	real worst = lab_elastic_gas(w, 0.1, impacts), made = scree_world_energy(&w->model, &w->state, &w->work).made;
	CHECK(real_abs(made) < 1e-3 * lab_energy(w), "%g of the energy under geometry", made / lab_energy(w));
	scree_world_free(w);
	return worst;
}

static void gases_keep_their_energy(void **state)
{
	(void)state;
	static const int32_t kind[6] = {CUBE, TETRAHEDRON, OCTAHEDRON, PLATE, NEEDLE, PEBBLE};
	for (int k = 0; k < test_few(6, 2); ++k) {
		int64_t impacts;
		real worst = gas(kind[k], &impacts);
		print_message("kind %d: %lld impacts, energy off by %.2e\n", kind[k], (long long)impacts, worst);
		CHECK(impacts > 50, "only %lld impacts", (long long)impacts);
		CHECK(worst < 1e-3, "energy off by %g", worst);
	}
}

/* ------------------------------------------------------------------ walls */

typedef enum wall_kind { ON_PLANE, IN_DRUM, ON_POST, IN_CONE, WALL_KINDS } wall_kind;

static void add_wall(scree_world *w, wall_kind kind)
{
	fail why = {0};
	wall o = scree_wall_default("wall", 0);
	int32_t row = 0;
	vec3 x = v3(1, 0, 0);
	if (kind == ON_PLANE) lab_plane(w, v3(0, 0, 0), v3(0, 0, 1));
	if (kind == IN_DRUM)
		row = scree_walls_add_cylinder(&w->model.wall, o, v3(-1, 0, 3 * D), x, 3 * D, INFINITY, SIDE_INSIDE, &why);
	if (kind == ON_POST)
		row = scree_walls_add_cylinder(&w->model.wall, o, v3(-1, 0, -2 * D), x, 2 * D, 2, SIDE_OUTSIDE, &why);
	if (kind == IN_CONE)
		row = scree_walls_add_cone(&w->model.wall, o, v3(-0.1, 0, 3 * D), x, 2.5 * D, 3.5 * D, 0.2, SIDE_INSIDE, &why);
	CHECK(row == 0, "%s", why.text);
}

typedef struct bounce {
	real part, speed; /* fractions of the energy and of the speed along z that remain */
} bounce;

static bounce fall(int32_t shape, wall_kind on, quat turn, real restitution, real friction, real dt, real speed)
{
	scree_world *w = overlap_world(restitution, friction);
	add_wall(w, on);
	lab_add_moving(w, shape, D, v3(0, 0, 1.2 * D), turn, v3(0, 0, -speed), v3(0, 0, 0));
	w->model.guard.speed = 2;
	lab_prepare(w, dt);
	real before = lab_energy(w);
	bool met = false;
	for (int64_t k = 0;
		 k < (int64_t)(0.04 / w->model.dt / speed) && !(met && !w->work.touching && w->state.body.vz[0] > 0); ++k) {
		lab_steps(w, 1);
		met |= w->work.touching > 0;
	}
	CHECK(met && !w->work.touching, "it has not bounced");
	bounce o = {lab_energy(w) / before, w->state.body.vz[0] / speed};
	scree_world_free(w);
	return o;
}

/* at any angle, flat or slightly tilted, the energy is conserved; with friction and damping, it only decreases */
static void what_falls_on_walls_keeps_its_energy(void **state)
{
	(void)state;
	static const int32_t kind[4] = {CUBE, TETRAHEDRON, PLATE, PEBBLE};
	real worst = 0;
	FOR_SEEDS(64)
	{
		random_stream r = scree_random_start(test_seed, 2);
		quat base = test_seed / 16 % 2 ? scree_random_rotation(&r) : quat_one();
		real angle = 0.1;
		for (uint64_t k = 0; k < test_seed / 32 % 8; ++k) angle /= 10;
		quat turn = quat_mul(quat_exp(v3_mul(angle, scree_random_direction(&r)), 1), base);
		wall_kind on = (wall_kind)(test_seed % WALL_KINDS);
		int32_t shape = kind[test_seed / 4 % 4];
		bounce o = fall(shape, on, turn, 1, 0, 2e-6, 1);
		worst = real_max(worst, real_abs(o.part - 1));
		bounce soft = fall(shape, on, turn, 0.6, 0.4, 2e-6, 1);
		CHECK(soft.part < 0.999, "damping takes nothing: %g", soft.part);
	}
	print_message("bodies on walls: energy off by %.2e\n", worst);
	CHECK(worst < 5e-4, "energy off by %g", worst);
}

/* a central impact on a face, an edge and a corner, fast or slow, has the specified restitution */
static void restitution_is_what_was_asked_for(void **state)
{
	(void)state;
	quat edge = quat_exp(v3(SCREE_PI / 4, 0, 0), 1);
	quat corner = quat_mul(quat_exp(v3(0, -scree_atan2(1, sqrt(2.0)), 0), 1), edge);
	const quat turn[3] = {quat_one(), edge, corner};
	const real wanted[5] = {0.1, 0.98, 0.2, 0.5, 0.8};
	for (int k = 0; k < 3; ++k) {
		for (int i = 0; i < test_few(5, 2); ++i) {
			bounce fast = fall(CUBE, ON_PLANE, turn[k], wanted[i], 0, 1e-6, 1);
			bounce slow = fall(CUBE, ON_PLANE, turn[k], wanted[i], 0, 1e-6, 0.2);
			NEAR(fast.speed, wanted[i], 2e-3, "restitution at 1 m/s");
			NEAR(slow.speed, wanted[i], 2e-3, "restitution at 0.2 m/s");
		}
	}
}

/* ------------------------------------------------------------------ rest */

/* Gravity tilts gradually over 0.4 s; returns whether a block of 1 x 1 x 2 has toppled 0.4 s later. */
static bool topples(real young, real degrees)
{
	scree_world *w = overlap_world(0.1, 2);
	w->model.material.row[0].young = young;
	lab_plane(w, v3(0, 0, 0), v3(0, 0, 1));
	w->model.gravity = v3(0, 0, -9.81);
	lab_add(w, BLOCK, D, v3(0, 0, D));
	w->model.guard.speed = 0.1;
	lab_prepare(w, 0);
	w->model.guard.speed = 0;
	real up = 1;
	for (real t = 0; t < 0.8 && up > 0.9; t += w->model.dt) {
		real s, c, angle = degrees * real_min(t / 0.4, 1);
		scree_sincos(angle * SCREE_PI / 180, &s, &c);
		w->model.gravity = v3(9.81 * s, 0, -9.81 * c);
		lab_steps(w, 1);
		up = 1 - 2 * (w->state.body.qx[0] * w->state.body.qx[0] + w->state.body.qy[0] * w->state.body.qy[0]);
	}
	scree_world_free(w);
	return up < 0.9;
}

/* rigid-body theory: atan(1/2) = 26.565 degrees */
static void a_block_topples_where_it_should(void **state)
{
	(void)state;
	CHECK(!topples(1e8, 26.0) && topples(1e8, 26.9), "100 MPa");
	if (test_few(2, 1) < 2) return;
	CHECK(!topples(5e6, 24.6) && topples(5e6, 26.9), "5 MPa");
}

/* flat: 2 kappa E* D d = m g */
static void at_rest_the_force_is_the_weight(void **state)
{
	(void)state;
	scree_world *w = overlap_world(0.3, 0.5);
	lab_plane(w, v3(0, 0, 0), v3(0, 0, 1));
	w->model.gravity = v3(0, 0, -9.81);
	for (int k = 0; k < 3; ++k) lab_add(w, CUBE, D, v3(0, 0, (0.5 + k) * D));
	lab_prepare(w, 0);
	lab_steps(w, (int64_t)(0.2 / w->model.dt));
	real weight = w->state.body.mass[0] * 9.81, z = 0;
	for (int k = 0; k < 3; ++k) {
		real now = w->state.body.z[lab_row(w, (uint64_t)k + 1)], sinks = (k ? D : D / 2) - (now - z);
		z = now;
		real expected = (3 - k) * weight / (E_STAR * thickness_flat(D * D));
		NEAR(sinks, expected, 1e-4 * expected, "overlap");
	}
	NEAR(scree_wall_load(&w->model, &w->state, &w->work, 0).force.z, -3 * weight, 1e-6 * weight, "force on the plane");
	CHECK(w->work.greatest_speed < 1e-7, "something moves at %g m/s", w->work.greatest_speed);
	scree_world_free(w);
}

static void a_block_on_a_slope(void **state)
{
	(void)state;
	lab_block_on_slopes(overlap_world(0.3, 0.5), overlap_world(0.3, 0.5), CUBE, D, 0.5, 0.01);
}

/* A lightly damped body near the steepest slope on which friction holds it: at first, it rocks slightly sideways. If
 * friction acted at the centre of pressure while the body sticks, the body would keep rocking, and creep by about 0.4
 * mm/s. */
static void a_cube_rests_on_a_steep_slope(void **state)
{
	(void)state;
	scree_world *w = overlap_world(0.5, 0.7);
	w->model.material.row[0].young = 5e7;
	real s, c;
	scree_sincos(31 * SCREE_PI / 180, &s, &c);
	lab_plane(w, v3(0, 0, 0), v3(0, 0, 1));
	w->model.gravity = v3(9.81 * s, 0, -9.81 * c);
	lab_add(w, CUBE, 2 * D, v3(0, 0, D));
	w->model.guard.speed = 0.1;
	lab_prepare(w, 0);
	w->model.guard.speed = 0;
	lab_steps(w, (int64_t)(1.5 / w->model.dt));
	real x = w->state.body.x[0];
	lab_steps(w, (int64_t)(0.5 / w->model.dt));
	NEAR(w->state.body.x[0], x, 1e-10, "it creeps");
	CHECK(w->work.greatest_speed < 1e-9, "it shakes at %g m/s", w->work.greatest_speed);
	scree_world_free(w);
}

/* ------------------------------------------------------------------ tilt */

/* Deceleration rate in 1/s due to the contact of a body that overlaps a plane by 1/1000 of its size and moves at these
 * velocities. A body moving in the opposite direction has the same spring forces. */
static real slowed(int32_t shape, vec3 edge, vec3 velocity, vec3 spin)
{
	real after[2];
	for (int k = 0; k < 2; ++k) {
		real way = k ? -1 : 1;
		scree_world *w = overlap_world(0.4, 0);
		lab_plane(w, v3(0, 0, 0), v3(0, 0, 1));
		lab_add_moving(w, shape, D, v3(0, 0, 0.499 * edge.z * D), quat_one(), v3_mul(way, velocity), v3_mul(way, spin));
		w->model.guard.speed = 1;
		lab_prepare(w, 1e-9);
		lab_steps(w, 1);
		after[k] = v3_norm(velocity) > 0 ? w->state.body.vz[0] / velocity.z : w->state.body.wx[0] / spin.x;
		scree_world_free(w);
	}
	return (1 - (after[0] - after[1]) / 2) / 1e-9;
}

/* Tilting has the damping ratio of the contact: the ratio of the tilting dashpot to the normal dashpot is 1.7748 s R,
 * with s = b/sqrt(12) for a face of width b, and R the radius of a ball of equal volume (docs/theory/overlap.md,
 * "Tilt"). */
static void tilt_is_damped_as_the_contact_is(void **state)
{
	(void)state;
	static const struct {
		int32_t shape;
		vec3 edge;
	} box[] = {{CUBE, {1, 1, 1}}, {PLATE, {1, 1, 0.2}}, {NEEDLE, {0.25, 0.25, 1}}, {BLOCK, {1, 1, 2}}};
	for (size_t k = 0; k < sizeof box / sizeof *box; ++k) {
		vec3 l = box[k].edge;
		real normal = slowed(box[k].shape, l, v3(0, 0, 1e-4), v3(0, 0, 0));
		real tilt = slowed(box[k].shape, l, v3(0, 0, 0), v3(0.01, 0, 0));
		real radius = scree_pow(0.75 / SCREE_PI * l.x * l.y * l.z, 1.0 / 3), inertia = (l.y * l.y + l.z * l.z) / 12;
		real expected = normal * sqrt(2.25 * 1.4) * l.y / sqrt(12.0) * radius / inertia;
		NEAR(tilt, expected, 1e-4 * expected, "dashpot of tilt");
	}
}

/* ------------------------------------------------------------------ code shared with other laws */

/* for spheres, the law is identical to hertz, to the last bit */
static void spheres_are_hertz(void **state)
{
	(void)state;
	real x[2][30];
	for (int k = 0; k < 2; ++k) {
		scree_world *w = overlap_world(0.6, 0.4);
		if (k) {
			scree_materials_set_rule(&w->model.material, 0, 0, lab_hertz(0.6, 0.4));
			w->model.narrow = scree_narrow_row(0);
		}
		w->model.gravity = v3(0, 0, -9.81);
		lab_plane(w, v3(0, 0, 0), v3(0, 0, 1));
		for (int i = 0; i < 30; ++i)
			lab_add(w, BALL, D,
					v3((i % 3) * 1.1 * D + 0.01 * D * (i / 9), (i / 3 % 3) * 1.1 * D, (0.7 + 1.1 * (i / 9)) * D));
		lab_prepare(w, 0);
		lab_steps(w, 3000);
		for (int i = 0; i < 30; ++i) x[k][i] = w->state.body.x[lab_row(w, (uint64_t)i + 1)];
		scree_world_free(w);
	}
	CHECK(!memcmp(x[0], x[1], sizeof x[0]), "other bits");
}

static void what_does_not_go_together(void **state)
{
	(void)state;
	scree_world *w = overlap_world(1, 0);
	lab_add(w, CUBE, D, v3(0, 0, 0));
	w->model.narrow = scree_narrow_row(0);
	lab_refused(w, 0, "the law overlap needs run.narrow_phase: overlap-thickness for all contacts");
	w = overlap_world(1, 0);
	contact_rule sticky = {.law = LAW_OVERLAP, .restitution = 1, .cohesion = COHESION_DMT, .surface = 1};
	scree_materials_set_rule(&w->model.material, 0, 0, sticky);
	lab_refused(w, 0, "law overlap does not support cohesion");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(gases_keep_their_energy),			 cmocka_unit_test(what_falls_on_walls_keeps_its_energy),
		cmocka_unit_test(restitution_is_what_was_asked_for), cmocka_unit_test(a_block_topples_where_it_should),
		cmocka_unit_test(at_rest_the_force_is_the_weight),	 cmocka_unit_test(a_block_on_a_slope),
		cmocka_unit_test(a_cube_rests_on_a_steep_slope),	 cmocka_unit_test(spheres_are_hertz),
		cmocka_unit_test(tilt_is_damped_as_the_contact_is),	 cmocka_unit_test(what_does_not_go_together),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
