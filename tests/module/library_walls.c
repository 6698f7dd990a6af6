/* The library's handle: walls moved by a program. */
#include "module/library_help.h"

#include <math.h>
#include <stdlib.h>
#include <unistd.h>

static double *column(scree_sim *s, const char *name)
{
	scree_array a;
	LIBRARY_DO(s, scree_sim_array(s, name, &a));
	return a.data;
}

static scree_wall wall_of(scree_sim *s, const char *name)
{
	scree_wall w;
	LIBRARY_DO(s, scree_sim_wall(s, scree_sim_find_wall(s, name), &w));
	return w;
}

static scree_ledger ledger_of(scree_sim *s)
{
	scree_ledger e;
	LIBRARY_DO(s, scree_sim_ledger(s, &e));
	return e;
}

static void move(scree_sim *s, const char *name, double vx, double vz, double wz)
{
	LIBRARY_DO(s, scree_sim_move_wall(s, scree_sim_find_wall(s, name), (double[3]){vx, 0, vz}, (double[3]){0, 0, wz}));
}

#define BOX(motion)                                                                                                    \
	"scene: 1\n"                                                                                                       \
	"materials: {m: {density: 2500 kg/m^3, young: 1 MPa, poisson: 0.25}}\n"                                            \
	"contacts: {default: {restitution: 0.5, friction: 0.5}}\n"                                                         \
	"shapes: {ball: {sphere: 1}, brick: {box: [1, 0.8, 0.6]}}\n"                                                       \
	"walls:\n"                                                                                                         \
	"  box: {box: {min: [0 m, 0 m, 0 m], max: [60 mm, 60 mm, 0.5 m], open: [z_min, z_max]}, material: m}\n"            \
	"  floor: {plane: {point: [0 m, 0 m, 0 m], normal: [0, 0, 1]}, material: m" motion "}\n"                           \
	"fill: [{lattice: {spacing: 15 mm}, region: {box: {min: [0 m, 0 m, 0 m], max: [60 mm, 60 mm, 30 mm]}}, "           \
	"material: m, mix: [{shape: ball, size: 10 mm}, {shape: brick, size: 11 mm}], seed: 4}]\n"                         \
	"run: {until: 1 s}\n"

/* a wall moved by a program from the first step on behaves like a wall moved by the scene: the same trajectories up to
 * rounding while motion is not yet chaotic, and the same work */
static void a_moved_wall_is_that_of_a_scene(void **state)
{
	(void)state;
	scree_sim *by[2] = {library_text(BOX("")), library_text(BOX(", motion: {velocity: [0 m/s, 0 m/s, 80 mm/s]}"))};
	move(by[0], "floor", 0, 0.08, 0);
	for (int k = 0; k < 2; ++k) LIBRARY_DO(by[k], scree_sim_step(by[k], 2000));
	const scree_wall a = wall_of(by[0], "floor"), b = wall_of(by[1], "floor");
	NEAR(a.position[2], b.position[2], 1e-15, "position"), NEAR(a.velocity[2], 0.08, 0, "velocity");
	for (uint64_t id = 1; id <= (uint64_t)scree_sim_bodies(by[0]); ++id)
		NEAR(column(by[0], "z")[scree_sim_row(by[0], id)], column(by[1], "z")[scree_sim_row(by[1], id)], 1e-9,
			 "height");
	CHECK(ledger_of(by[1]).wall_work > 0, "it does not work");
	NEAR(ledger_of(by[0]).wall_work, ledger_of(by[1]).wall_work, 1e-7 * ledger_of(by[1]).wall_work, "work");
	scree_sim_close(by[0]);
	scree_sim_close(by[1]);
}

/* the pose is the integral of the velocity set by the program, and does not jump */
static void poses_follow_velocities(void **state)
{
	(void)state;
	scree_sim *s = library_text(BOX(", motion: {velocity: [0 m/s, 0 m/s, -10 mm/s]}"));
	const double dt = scree_sim_step_length(s);
	double z = 0, x = 0, angle = 0;
	LIBRARY_DO(s, scree_sim_step(s, 50));
	z = -0.01 * 50 * dt;
	NEAR(wall_of(s, "floor").position[2], z, 1e-15, "position by the scene");
	for (int k = 0; k < 12; ++k) {
		const double vx = 0.01 * (k % 3 - 1), vz = 0.02 * (k % 4 - 1.5), wz = k % 5 - 2;
		move(s, "floor", vx, vz, wz);
		scree_wall w = wall_of(s, "floor");
		NEAR(w.position[0], x, 1e-14, "x when set"), NEAR(w.position[2], z, 1e-14, "z when set");
		LIBRARY_DO(s, scree_sim_step(s, 7 + k));
		x += vx * (7 + k) * dt, z += vz * (7 + k) * dt, angle += wz * (7 + k) * dt;
		w = wall_of(s, "floor");
		NEAR(w.position[0], x, 1e-14, "x"), NEAR(w.position[2], z, 1e-14, "z");
		NEAR(w.orientation[0], cos(angle / 2), 1e-13, "cosine"), NEAR(w.orientation[3], sin(angle / 2), 1e-13, "sine");
		NEAR(w.velocity[2], vz, 0, "velocity"), NEAR(w.angular_velocity[2], wz, 1e-15, "angular velocity");
	}
	scree_sim_close(s);
}

/* a bed of balls on a floor that the program moves up and down: the balance between the wall's work and the energy of
 * the bed closes, as it does for a wall moved by the scene */
static void the_work_is_in_the_ledger(void **state)
{
	(void)state;
	scree_sim *s = library_text(BOX(""));
	LIBRARY_DO(s, scree_sim_run_until(s, 0.3));
	const scree_ledger rest = ledger_of(s);
	double most = 0, work = 0;
	for (int k = 0; k < 400; ++k) {
		const double v = 0.1 * cos(k * 0.1), z = wall_of(s, "floor").position[2];
		move(s, "floor", 0, v, 0);
		LIBRARY_DO(s, scree_sim_step(s, 10));
		work += -wall_of(s, "floor").force[2] * (wall_of(s, "floor").position[2] - z);
		most = fmax(most, fabs(ledger_of(s).wall_work - rest.wall_work));
	}
	const scree_ledger e = ledger_of(s);
	CHECK(most > 1e-4, "the floor did work of %g J", most);
	NEAR(e.wall_work - rest.wall_work, work, 0.15 * most, "force times way");
	NEAR(e.residual, rest.residual, 1e-3 * most, "residual");
	NEAR(e.brought, rest.brought, 1e-3 * most, "brought");
	scree_sim_close(s);
}

/* friction on a floor that slides under resting balls: the floor drags them along, and the search for pairs follows a
 * wall that moves far with changing velocities */
static void bodies_meet_a_wall_that_comes(void **state)
{
	(void)state;
	scree_sim *s = library_text(
		LIBRARY_BALL "world: {gravity: [0 m/s^2, 0 m/s^2, 0 m/s^2]}\nrun: {until: 1 s, guard: {overlap: 5 %}}\n");
	const double z = *column(s, "z"), dt = scree_sim_step_length(s);
	for (int k = 0; *column(s, "z") == z && k < 100000; ++k) { /* the floor approaches from 5 mm below */
		move(s, "floor", 0, k % 2 ? 0.11 : 0.09, 0);
		LIBRARY_DO(s, scree_sim_step(s, 1 + k % 3));
	}
	NEAR(scree_sim_time(s), 5e-3 / 0.1, 2e-3 + 4 * dt, "time of the impact");
	for (int k = 0; k < 300; ++k) LIBRARY_DO(s, scree_sim_step(s, 10));
	NEAR(*column(s, "vz"), 0.1 + 0.5 * 0.1, 0.02, "it bounces off with the restitution, as seen by the wall");
	scree_sim_close(s);
}

static void a_restored_wall_moves_on(void **state)
{
	(void)state;
	char path[] = "/tmp/scree_walls_XXXXXX";
	assert_true(close(mkstemp(path)) == 0);
	scree_sim *s = library_text(BOX(""));
	LIBRARY_DO(s, scree_sim_step(s, 1000));
	move(s, "floor", 0.02, 0.05, 3);
	LIBRARY_DO(s, scree_sim_step(s, 333));
	move(s, "floor", 0.01, 0.03, 1);
	LIBRARY_DO(s, scree_sim_step(s, 77));
	LIBRARY_DO(s, scree_sim_save(s, path));
	scree_sim *r = scree_sim_restore(path, 2, NULL);
	assert_non_null(r);
	CHECK(scree_sim_hash(r) == scree_sim_hash(s), "restored");
	for (int k = 0; k < 2; ++k) {
		scree_sim *o = k ? r : s;
		LIBRARY_DO(o, scree_sim_step(o, 200));
		move(o, "floor", 0, -0.01, -1);
		LIBRARY_DO(o, scree_sim_step(o, 200));
	}
	CHECK(scree_sim_hash(r) == scree_sim_hash(s), "continued");
	NEAR(wall_of(r, "floor").position[2], wall_of(s, "floor").position[2], 0, "position");
	scree_sim_close(r);
	scree_sim_close(s);
	unlink(path);
}

static void wrong_motions_are_refused(void **state)
{
	(void)state;
	scree_sim *s = library_text(BOX(""));
	const uint64_t hash = scree_sim_hash(s);
	const double bad[3] = {0, 0, (double)NAN}, good[3] = {0, 0, 0.1};
	CHECK(scree_sim_move_wall(s, 99, good, NULL) == SCREE_BAD_INPUT, "wall 99");
	CHECK(scree_sim_move_wall(s, -1, good, NULL) == SCREE_BAD_INPUT, "wall -1");
	CHECK(scree_sim_move_wall(s, 0, bad, NULL) == SCREE_BAD_INPUT, "velocity");
	CHECK(scree_sim_move_wall(s, 0, NULL, bad) == SCREE_BAD_INPUT, "angular velocity");
	CHECK(scree_sim_hash(s) == hash, "it is changed");
	scree_sim_close(s);
	s = library_open("scenes/periodic_bricks.scene.yaml", 1);
	CHECK(scree_sim_move_wall(s, 0, NULL, good) == SCREE_BAD_INPUT, "a wall turns among periods");
	scree_sim_close(s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_moved_wall_is_that_of_a_scene), cmocka_unit_test(poses_follow_velocities),
		cmocka_unit_test(the_work_is_in_the_ledger),	   cmocka_unit_test(bodies_meet_a_wall_that_comes),
		cmocka_unit_test(a_restored_wall_moves_on),		   cmocka_unit_test(wrong_motions_are_refused),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
