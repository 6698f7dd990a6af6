/* Stages of a scene: their changes apply from the step after the end of the previous stage, compared with closed forms;
 * stages end where their conditions are first met; and a run restored in the middle of any stage, with a different
 * number of threads, gives bitwise identical results. */
#include "module/library_help.h"

#include "scree/outputs.h"

#include <math.h>
#include <string.h>
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

static double kinetic(scree_sim *s)
{
	scree_ledger e;
	LIBRARY_DO(s, scree_sim_ledger(s, &e));
	return e.kinetic;
}

/* number of steps to the end of the stage, at most 1e5 */
static void end_stage(scree_sim *s, int stage)
{
	for (int k = 0; k < 100000 && scree_sim_stage(s) <= stage; ++k) LIBRARY_DO(s, scree_sim_step(s, 1));
	CHECK(scree_sim_stage(s) == stage + 1, "stage %d has not ended", stage);
}

#define STEP "run: {step: 10 us}\n"

/* ------------------------------------------------------------------ changes */

static void gravity_changes(void **state)
{
	(void)state;
	scree_sim *s = library_text(LIBRARY_BALL "world: {gravity: [0, 0, 0]}\n" STEP "stages:\n"
											 "- {name: rest, until: 10 ms}\n"
											 "- {name: fall, world: {gravity: [0, 0, -10 m/s^2]}, until: 20 ms}\n"
											 "- {name: aside, world: {gravity: [3 m/s^2, 0, 0]}, until: 10 ms}\n");
	const double z = column(s, "z")[0], x = column(s, "x")[0];
	assert_int_equal(scree_sim_stages(s), 3);
	assert_string_equal(scree_sim_stage_name(s, 1), "fall");
	LIBRARY_DO(s, scree_sim_step(s, 1000));
	assert_true(column(s, "vz")[0] == 0 && scree_sim_stage(s) == 0);
	LIBRARY_DO(s, scree_sim_step(s, 2000));
	NEAR(column(s, "vz")[0], -0.2, 1e-12, "velocity");
	NEAR(column(s, "z")[0], z - 0.002, 1e-12, "height");
	LIBRARY_DO(s, scree_sim_step(s, 1000));
	NEAR(column(s, "vz")[0], -0.2, 1e-12, "velocity that stays");
	NEAR(column(s, "vx")[0], 0.03, 1e-12, "velocity aside");
	NEAR(column(s, "x")[0], x + 0.00015, 1e-12, "path aside");
	NEAR(scree_sim_until(s), 0.04, 1e-12, "end of the run");
	scree_sim_close(s);
}

/* each motion begins where the previous motion left the wall */
static void motions_follow_one_another(void **state)
{
	(void)state;
	scree_sim *s = library_text(
		LIBRARY_BALL
		"world: {gravity: [0, 0, 0]}\n" STEP "stages:\n"
		"- {name: rest, until: 10 ms}\n"
		"- {name: move, walls: {floor: {motion: {velocity: [10 mm/s, 0, 0]}}}, until: 10 ms}\n"
		"- {name: turn, walls: {floor: {motion: {angular_velocity: 10 rad/s}}}, until: 10 ms}\n"
		"- {name: up, walls: {floor: {motion: {velocity: [0, 20 mm/s, 0], ramp: 4 ms}}}, until: 10 ms}\n"
		"- {name: shake, walls: {floor: {motion: {vibration: {amplitude: [0, 0, 1 mm], frequency: 25 Hz}}}},"
		"   until: 10 ms}\n"
		"- {name: stop, walls: {floor: {motion: {velocity: [0, 0, 0]}}}, until: 10 ms}\n");
	LIBRARY_DO(s, scree_sim_step(s, 2000));
	NEAR(wall_of(s, "floor").position[0], 1e-4, 1e-15, "first path");
	LIBRARY_DO(s, scree_sim_step(s, 1000));
	scree_wall w = wall_of(s, "floor");
	NEAR(w.position[0], 1e-4 * cos(0.1), 1e-15, "turned x");
	NEAR(w.position[1], 1e-4 * sin(0.1), 1e-15, "turned y");
	NEAR(w.orientation[3], sin(0.05), 1e-14, "orientation");
	NEAR(w.velocity[1], 10 * 1e-4 * cos(0.1), 1e-14, "velocity of its origin");
	LIBRARY_DO(s, scree_sim_step(s, 1000));
	w = wall_of(s, "floor");
	NEAR(w.position[1], 1e-4 * sin(0.1) + 0.02 * 0.008, 1e-14, "path with a ramp");
	NEAR(w.orientation[3], sin(0.05), 1e-14, "orientation that stays");
	LIBRARY_DO(s, scree_sim_step(s, 1000));
	NEAR(wall_of(s, "floor").position[2], 1e-3, 1e-14, "quarter of a vibration");
	LIBRARY_DO(s, scree_sim_step(s, 1000));
	NEAR(wall_of(s, "floor").position[2], 1e-3, 1e-14, "rest");
	NEAR(wall_of(s, "floor").velocity[2], 0, 0, "velocity at rest");
	scree_sim_close(s);
}

/* A lid presses on a ball with one force after another; the force ramps from the old target to the new one. */
static void servos_reach_their_targets(void **state)
{
	(void)state;
	scree_sim *s = library_text(
		"scene: 1\n"
		"materials: {m: {density: 2500 kg/m^3, young: 1 MPa, poisson: 0.25}}\n"
		"shapes: {ball: {sphere: 1}}\n"
		"world: {gravity: [0, 0, 0]}\n"
		"walls:\n"
		"  floor: {plane: {point: [0, 0, 5 mm], normal: [0, 0, 1]}, material: m}\n"
		"  lid: {plane: {point: [0, 0, 15 mm], normal: [0, 0, -1]}, material: m, active: false,\n"
		"        motion: {servo: {force: 0.1 N, max_speed: 50 mm/s}}}\n"
		"fill: [{lattice: {spacing: 20 mm}, region: {box: {min: [0 m, 0 m, 0 m], max: [20 mm, 20 mm, 20 mm]}}, "
		"material: m, shape: ball, size: 10 mm}]\n"
		"stages:\n"
		"- {name: none, until: 5 ms}\n"
		"- {name: seat, walls: {lid: {active: true}}, until: 100 ms}\n"
		"- {name: load, walls: {lid: {motion: {servo: {force: 0.3 N}, ramp: 60 ms}}}, until: 120 ms}\n"
		"- {name: unload, walls: {lid: {motion: {servo: {force: 0.05 N}}}}, until: 150 ms}\n");
	const double wanted[4] = {0, 0.1, 0.3, 0.05};
	for (int k = 0; k < 3; ++k) {
		end_stage(s, k);
		if (k) NEAR(wall_of(s, "lid").force[2], wanted[k], 0.03 * wanted[k], "force at the end of a stage");
		if (k != 1) continue;
		const double middle = scree_sim_time(s) + 0.03;
		LIBRARY_DO(s, scree_sim_run_until(s, middle));
		NEAR(wall_of(s, "lid").force[2], 0.185, 0.025, "force in the middle of a ramp, in which it lags");
	}
	LIBRARY_DO(s, scree_sim_run_until(s, scree_sim_until(s)));
	NEAR(wall_of(s, "lid").force[2], wanted[3], 0.02 * wanted[3], "force at the end");
	scree_sim_close(s);
}

/* A stage limits the travel to a position that the lid passed long ago: the lid moves no farther, does not jump back,
 * and returns under its own force. */
static void travels_may_end_before_the_wall(void **state)
{
	(void)state;
	static const char *const motion[] = {"servo: {force: 1 N, mass: 1 kg, max_speed: 0.1 m/s%s}",
										 "free: {mass: 1 kg, along: [0, 0, -1], weight: false, speed: 0.1 m/s%s}"};
	for (int k = 0; k < 2; ++k) {
		char first[200], narrow[200], text[2000];
		snprintf(first, sizeof first, motion[k], "");
		snprintf(narrow, sizeof narrow, motion[k], ", travel: [0 m, 2 mm]");
		snprintf(
			text, sizeof text,
			LIBRARY_ROUND
			"world: {gravity: [0, 0, 0]}\n"
			"walls:\n"
			"  lid: {plane: {point: [0, 0, 1 m], normal: [0, 0, -1]}, material: m, motion: {%s}}\n"
			"fill: [{lattice: {spacing: 20 mm}, region: {box: {min: [0 m, 0 m, 0 m], max: [20 mm, 20 mm, 20 mm]}}, "
			"material: m, shape: ball, size: 10 mm}]\n"
			"run: {step: 20 us}\n"
			"stages:\n"
			"- {name: go, until: 300 ms}\n"
			"- {name: narrow, walls: {lid: {motion: {%s}}}, until: 20 ms}\n"
			"- {name: back, walls: {lid: {motion: {%s: {force: %s}}}}, until: 100 ms}\n",
			first, narrow, k ? "free" : "servo", k ? "-20 N" : "2 N");
		scree_sim *s = library_text(text);
		end_stage(s, 0);
		const double z = wall_of(s, "lid").position[2];
		NEAR(z, k ? -0.03 : -0.025, 1e-4, "where the stage finds the lid");
		for (int n = 0; n < 100; ++n) {
			LIBRARY_DO(s, scree_sim_step(s, 1));
			NEAR(wall_of(s, "lid").position[2], z, 0, "position beyond the end of the travel");
			NEAR(wall_of(s, "lid").velocity[2], 0, 0, "velocity there");
		}
		end_stage(s, 1);
		LIBRARY_DO(s, scree_sim_run_until(s, scree_sim_until(s)));
		const double back = wall_of(s, "lid").position[2];
		NEAR(back, k ? 0 : z, 0, "at the end");
		scree_sim_close(s);
	}
}

/* a ball falls through an inactive floor and hits an active one */
static void inactive_walls_are_not_there(void **state)
{
	(void)state;
	static const char *const scene =
		"scene: 1\n"
		"materials: {m: {density: 2500 kg/m^3, young: 1 MPa, poisson: 0.25}}\n"
		"shapes: {ball: {sphere: 1}}\n"
		"walls: {floor: {plane: {point: [0, 0, 0], normal: [0, 0, 1]}, material: m, active: false}}\n"
		"fill: [{lattice: {spacing: 20 mm}, region: {box: {min: [0 m, 0 m, 0 m], max: [20 mm, 20 mm, 20 mm]}}, "
		"material: m, shape: ball, size: 10 mm}]\n" STEP "stages:\n"
		"- {name: none, until: %s}\n"
		"- {name: floor, walls: {floor: {active: true}}, until: 10 ms}\n"
		"- {name: gone, walls: {floor: {active: false}}, until: 30 ms}\n";
	char text[1000];
	snprintf(text, sizeof text, scene, "39 ms");
	scree_sim *s = library_text(text);
	LIBRARY_DO(s, scree_sim_run_until(s, 0.039));
	NEAR(column(s, "vz")[0], -9.81 * 0.039, 1e-12, "fall");
	assert_int_equal(wall_of(s, "floor").removed, 1);
	scree_sim_close(s);
	snprintf(text, sizeof text, scene, "25 ms");
	s = library_text(text);
	LIBRARY_DO(s, scree_sim_run_until(s, 0.0319));
	NEAR(column(s, "vz")[0], -9.81 * 0.0319, 1e-12, "fall on the floor");
	LIBRARY_DO(s, scree_sim_run_until(s, 0.035));
	assert_int_equal(wall_of(s, "floor").removed, 0);
	const double before = column(s, "vz")[0];
	CHECK(before > -9.81 * 0.035 + 0.05, "the floor does not stop it: %g m/s", before);
	LIBRARY_DO(s, scree_sim_run_until(s, 0.055));
	NEAR(column(s, "vz")[0], before - 9.81 * 0.02, 1e-12, "flight after the floor is gone");
	scree_sim_close(s);
}

/* a sliding brick is decelerated by mu g */
static void friction_changes(void **state)
{
	(void)state;
	scree_sim *s = library_text(
		"scene: 1\n"
		"materials: {m: {density: 2500 kg/m^3, young: 1 MPa, poisson: 0.25}}\n"
		"contacts: {default: {restitution: 0.2, friction: 0.1}}\n"
		"shapes: {brick: {box: [1, 1, 0.4]}}\n"
		"walls: {floor: {plane: {point: [0, 0, 8 mm], normal: [0, 0, 1]}, material: m}}\n"
		"fill: [{lattice: {spacing: 20 mm}, region: {box: {min: [0 m, 0 m, 0 m], max: [20 mm, 20 mm, 20 mm]}}, "
		"material: m, shape: brick, size: 10 mm, velocity: [0.5 m/s, 0, 0]}]\n"
		"stages:\n"
		"- {name: smooth, until: 60 ms}\n"
		"- {name: rough, contacts: {m + m: {friction: 0.3}}, until: 60 ms}\n");
	LIBRARY_DO(s, scree_sim_run_until(s, 0.06));
	const double v = column(s, "vx")[0];
	NEAR(v, 0.5 - 0.1 * 9.81 * 0.06, 0.003, "speed on the smooth floor");
	LIBRARY_DO(s, scree_sim_run_until(s, 0.12));
	NEAR(column(s, "vx")[0], v - 0.3 * 9.81 * 0.06, 0.003, "speed on the rough floor");
	scree_sim_close(s);
}

/* A ball on a floor sticks to it when a stage adds cohesion, hangs from it when gravity is reversed, and falls when
 * cohesion ends. A run that is resumed at each change produces the same results. */
static void cohesion_begins_and_ends(void **state)
{
	(void)state;
	static const char *const kinds[] = {"jkr: 1.5 J/m^2", "dmt: 1 J/m^2", "simple: 0.1 MJ/m^3",
										"capillary: {tension: 1 N/m, volume: 1 mm^3}"};
	for (size_t k = 0; k < sizeof kinds / sizeof *kinds; ++k) {
		char text[2000], path[300];
		snprintf(path, sizeof path, "%s/cohesion_%ld.snap", SCREE_BINARY, (long)getpid());
		snprintf(
			text, sizeof text,
			"scene: 1\n"
			"materials: {m: {density: 2500 kg/m^3, young: 5 MPa, poisson: 0.25}}\n"
			"contacts: {default: {law: hertz, restitution: 0.3, friction: 0.4}}\n"
			"shapes: {ball: {sphere: 1}}\n"
			"walls: {floor: {plane: {point: [0, 0, 5 mm], normal: [0, 0, 1]}, material: m}}\n"
			"fill: [{lattice: {spacing: 20 mm}, region: {box: {min: [0 m, 0 m, 0 m], max: [20 mm, 20 mm, 20 mm]}}, "
			"material: m, shape: ball, size: 10 mm}]\n"
			"stages:\n"
			"- {name: lie, until: 60 ms}\n"
			"- {name: stick, contacts: {default: {cohesion: {%s}}}, until: 60 ms}\n"
			"- {name: hang, world: {gravity: [0, 0, 9.81 m/s^2]}, until: 100 ms}\n"
			"- {name: fall, contacts: {default: {cohesion: {dmt: 0 J/m^2}}}, until: 20 ms}\n",
			kinds[k]);
		const double end[] = {0.06, 0.12, 0.22, 0.24};
		double low = 0;
		uint64_t hash = 0;
		for (int resumed = 0; resumed < 2; ++resumed) {
			scree_sim *s = library_text(text);
			for (int stage = 0; stage < 4; ++stage) {
				LIBRARY_DO(s, scree_sim_run_until(s, end[stage]));
				if (stage == 1) low = column(s, "z")[0];
				if (stage == 2) NEAR(column(s, "z")[0], low, 2e-4, kinds[k]);
				/* faster than under gravity alone, because the contact spring pushes */
				const double fast = column(s, "vz")[0];
				if (stage == 3) CHECK(fast > 9.81 * 0.019 && fast < 0.4, "%s: %g m/s", kinds[k], fast);
				if (!resumed || stage == 3) continue;
				scree_problems *p;
				LIBRARY_DO(s, scree_sim_save(s, path));
				scree_sim_close(s);
				s = scree_sim_restore(path, 2, &p);
				CHECK(s, "%s", scree_problems_text(p));
				unlink(path);
			}
			scree_ledger e;
			LIBRARY_DO(s, scree_sim_ledger(s, &e));
			CHECK(fabs(e.residual) < 1e-3 * (e.kinetic + fabs(e.lost_normal)), "%s: residual %g J", kinds[k],
				  e.residual);
			CHECK(!resumed || hash == scree_sim_hash(s), "%s: another state after a resume", kinds[k]);
			hash = scree_sim_hash(s);
			scree_sim_close(s);
		}
	}
}

static void sources_sinks_and_steps_change(void **state)
{
	(void)state;
	scree_sim *s = library_text(
		LIBRARY_BALL
		"world: {gravity: [0, 0, 0]}\n"
		"sources: [{name: feed, region: {box: {min: [100 mm, 0, 100 mm], max: [200 mm, 100 mm, 200 mm]}}, rate: 500 "
		"1/s, "
		"material: m, shape: ball, size: 4 mm, active: false}]\n"
		"sinks: [{name: drain, below: {z: 50 mm}, active: false}]\n" STEP "stages:\n"
		"- {name: none, until: 10 ms}\n"
		"- {name: feed, sources: {feed: {active: true}}, until: 20 ms}\n"
		"- {name: more, sources: {feed: {rate: 1000 1/s}}, run: {step: 5 us}, until: 10 ms}\n"
		"- {name: drain, sources: {feed: {active: false}}, sinks: {drain: {active: true}}, until: 10 ms}\n");
	const int64_t bodies[4] = {1, 11, 21, 20};
	const double ends[4] = {0.01, 0.03, 0.04, 0.05};
	for (int k = 0; k < 4; ++k) {
		LIBRARY_DO(s, scree_sim_run_until(s, ends[k]));
		CHECK(llabs(scree_sim_bodies(s) - bodies[k]) <= (k == 1 || k == 2), "stage %d: %lld bodies", k,
			  (long long)scree_sim_bodies(s));
		NEAR(scree_sim_step_length(s), k < 2 ? 1e-5 : 5e-6, 0, "step");
		NEAR(scree_sim_time(s), ends[k], 1e-12, "time");
	}
	scree_sim_close(s);
}

/* A stage that makes a material stiffer may also shorten the step accordingly. */
static void a_stiffer_stage_has_its_own_step(void **state)
{
	(void)state;
	static const char *const step[] = {"0.2 us", "{fraction: 0.02}"};
	for (int k = 0; k < 2; ++k) {
		char text[2000];
		snprintf(text, sizeof text,
				 LIBRARY_BALL "run: {step: 40 us}\nstages:\n"
							  "- {name: soft, until: 1 ms}\n"
							  "- {name: stiff, materials: {m: {young: 20 GPa}}, run: {step: %s}, until: 0.1 ms}\n",
				 step[k]);
		scree_sim *s = library_text(text);
		LIBRARY_DO(s, scree_sim_run_until(s, 0.0011));
		double young = 0;
		LIBRARY_DO(s, scree_sim_material(s, "m", "young", &young));
		NEAR(young, 20e9, 0, "Young's modulus");
		CHECK(scree_sim_step_length(s) < 5e-6, "steps of %g s", scree_sim_step_length(s));
		scree_sim_close(s);
	}
}

/* A brick on a belt is accelerated by mu g up to the speed of the belt, and stops when the belt stops. The work done
 * by the belt equals twice the kinetic energy, because friction dissipates the same amount. */
static void belts_carry(void **state)
{
	(void)state;
	scree_sim *s = library_text(
		"scene: 1\n"
		"materials: {m: {density: 2500 kg/m^3, young: 1 MPa, poisson: 0.25}}\n"
		"contacts: {default: {restitution: 0.2, friction: 0.3}}\n"
		"shapes: {brick: {box: [1, 1, 0.4]}}\n"
		"walls:\n"
		"  belt: {plane: {point: [0, 0, 8 mm], normal: [0, 0, 1]}, material: m,\n"
		"         motion: {surface_velocity: [0.2 m/s, 0, 0], from: 20 ms}}\n"
		"fill: [{lattice: {spacing: 20 mm}, region: {box: {min: [0 m, 0 m, 0 m], max: [20 mm, 20 mm, 20 mm]}}, "
		"material: m, shape: brick, size: 10 mm}]\n"
		"stages:\n"
		"- {name: on, until: 150 ms}\n"
		"- {name: off, walls: {belt: {motion: {surface_velocity: [0, 0, 0]}}}, until: 50 ms}\n");
	const double mass = 2500 * 0.4e-6;
	scree_ledger e;
	LIBRARY_DO(s, scree_sim_run_until(s, 0.05));
	NEAR(column(s, "vx")[0], 0.3 * 9.81 * 0.03, 0.003, "speed while it slips");
	LIBRARY_DO(s, scree_sim_run_until(s, 0.15));
	NEAR(column(s, "vx")[0], 0.2, 1e-3, "speed of the belt");
	NEAR(wall_of(s, "belt").position[0], 0, 0, "position of the belt");
	LIBRARY_DO(s, scree_sim_ledger(s, &e));
	NEAR(e.wall_work, mass * 0.04, 0.05 * mass * 0.04, "work of the belt");
	LIBRARY_DO(s, scree_sim_run_until(s, 0.17));
	NEAR(column(s, "vx")[0], 0.2 - 0.3 * 9.81 * 0.02, 0.003, "speed on the belt at rest");
	scree_sim_close(s);
}

static void a_pressure_is_a_force_on_an_area(void **state)
{
	(void)state;
	static const char *const scene =
		"scene: 1\n"
		"materials: {m: {density: 2500 kg/m^3, young: 1 MPa, poisson: 0.25}}\n"
		"shapes: {ball: {sphere: 1}}\n"
		"walls:\n"
		"  floor: {plane: {point: [0, 0, 5 mm], normal: [0, 0, 1]}, material: m}\n"
		"  lid: {plane: {point: [0, 0, 15 mm], normal: [0, 0, -1]}, material: m,\n"
		"        motion: {servo: {%s, max_speed: 50 mm/s}}}\n"
		"fill: [{lattice: {spacing: 20 mm}, region: {box: {min: [0 m, 0 m, 0 m], max: [20 mm, 20 mm, 20 mm]}}, "
		"material: m, shape: ball, size: 10 mm}]\n"
		"stages:\n"
		"- {name: one, until: 10 ms}\n"
		"- {name: two, walls: {lid: {motion: {servo: {%s}}}}, until: 10 ms}\n";
	const char *const by[2][2] = {{"force: 0.25 N", "force: 0.5 N"},
								  {"pressure: 2500 Pa, area: 1 cm^2", "pressure: 5 kPa"}};
	uint64_t hash[2];
	for (int k = 0; k < 2; ++k) {
		char text[1200];
		snprintf(text, sizeof text, scene, by[k][0], by[k][1]);
		scree_sim *s = library_text(text);
		LIBRARY_DO(s, scree_sim_run_until(s, 0.02));
		hash[k] = scree_sim_hash(s);
		scree_sim_close(s);
	}
	CHECK(hash[0] == hash[1], "the hashes differ");
}

/* ------------------------------------------------------------------ ends */

#define HEAP                                                                                                           \
	"scene: 1\n"                                                                                                       \
	"materials: {m: {density: 2500 kg/m^3, young: 1 MPa, poisson: 0.25}}\n"                                            \
	"shapes: {ball: {sphere: 1}}\n"                                                                                    \
	"walls: {box: {box: {min: [0, 0, 0], max: [40 mm, 40 mm, 1 m], open: [z_max]}, material: m}}\n"                    \
	"fill: [{region: {box: {min: [0, 0, 0], max: [40 mm, 40 mm, 60 mm]}}, count: 30, material: m, shape: ball, "       \
	"size: 8 mm}]\n"

/* the condition is met at the end of the stage, and was not met at the previous test */
static void energies_and_speeds_end_stages(void **state)
{
	(void)state;
	scree_sim *s = library_text(HEAP "stages:\n"
									 "- {name: fall, until: {kinetic_energy: 200 uJ, at_least: 50 ms, at_most: 2 s}}\n"
									 "- {name: rest, until: {speed: 20 mm/s, at_most: 2 s}}\n"
									 "- {name: still, until: {speed: 20 mm/s, for: 15 ms, at_most: 2 s}}\n"
									 "- {name: heavy, until: {force: 0.15 N, wall: box.z_min, at_most: 2 s}}\n"
									 "- {name: end, until: 1 ms}\n");
	double before = 1, now = 1;
	for (; scree_sim_stage(s) == 0; before = now, now = kinetic(s)) LIBRARY_DO(s, scree_sim_step(s, 100));
	/* the last batch of 100 steps belongs to the next stage, which began after the previous batch */
	CHECK(before < 200e-6 && scree_sim_time(s) > 0.05, "kinetic energy %g J at the end", before);
	end_stage(s, 1);
	scree_progress_row row;
	LIBRARY_DO(s, scree_sim_progress(s, &row));
	CHECK(row.speed < 0.03, "speed %g m/s", row.speed);
	const double from = scree_sim_time(s);
	end_stage(s, 2);
	CHECK(scree_sim_time(s) - from >= 0.015, "it held for %g s", scree_sim_time(s) - from);
	end_stage(s, 3);
	const double weight = 30 * 2500 * 3.14159265 / 6 * 512e-9 * 9.81;
	NEAR(wall_of(s, "box.z_min").force[2], -weight, 0.1 * weight, "weight on the floor");
	scree_sim_close(s);
}

static void a_limit_stops_or_goes_on(void **state)
{
	(void)state;
	scree_sim *s = library_text(HEAP "stages: [{name: fall, until: {kinetic_energy: 1e-12 J, at_most: 10 ms}}]\n");
	assert_int_equal(scree_sim_run_until(s, 1), SCREE_GUARD);
	CHECK(strstr(scree_sim_error(s), "stage fall has not ended within at_most, 0.01 s"), "%s", scree_sim_error(s));
	assert_int_equal(scree_sim_step(s, 1), SCREE_GUARD);
	scree_sim_close(s);
	s = library_text(HEAP "stages:\n"
						  "- {name: fall, until: {kinetic_energy: 1e-12 J, at_most: 10 ms, then: continue}}\n"
						  "- {name: rest, until: 1 ms}\n");
	LIBRARY_DO(s, scree_sim_run_until(s, 0.0105));
	assert_int_equal(scree_sim_stage(s), 1);
	NEAR(scree_sim_until(s), 0.011, 1e-12, "end of the run");
	scree_sim_close(s);
}

#define PRESSED                                                                                                        \
	"scene: 1\n"                                                                                                       \
	"run: {step: 5 us}\n"                                                                                              \
	"materials: {m: {density: 2500 kg/m^3, young: 1 MPa, poisson: 0.25}}\n"                                            \
	"contacts: {default: {restitution: 0.9}}\n"                                                                        \
	"shapes: {ball: {sphere: 1}}\n"                                                                                    \
	"world: {gravity: [0, 0, 0]}\n"                                                                                    \
	"walls:\n"                                                                                                         \
	"  floor: {plane: {point: [0, 0, 5 mm], normal: [0, 0, 1]}, material: m}\n"                                        \
	"  lid: {plane: {point: [0, 0, 16 mm], normal: [0, 0, -1]}, material: m, motion: {velocity: [0, 0, -1 m/s]}}\n"    \
	"fill: [{lattice: {spacing: 20 mm}, region: {box: {min: [0 m, 0 m, 0 m], max: [20 mm, 20 mm, 20 mm]}}, "           \
	"material: m, shape: ball, size: 10 mm}]\n"

/* Stages may end long before the latest possible end of the run. */
static void run_to_end(scree_sim *s)
{
	while (scree_sim_steps_until(s, scree_sim_until(s)) > 0) LIBRARY_DO(s, scree_sim_step(s, 1));
}

/* A load condition ends a stage at the first step that meets it, however steps are batched; if the load must be held
 * for some time, a short peak does not end the stage. */
static void loads_end_stages_at_once(void **state)
{
	(void)state;
	static const char *const end[] = {"force: 1 N, wall: floor", "pressure: 10 kPa, area: 1 cm^2, wall: floor"};
	for (int k = 0; k < 2; ++k) {
		char text[1600];
		snprintf(text, sizeof text,
				 PRESSED "stages:\n- {name: press, until: {%s, at_most: 1 s}}\n- {name: end, until: 20 us}\n", end[k]);
		scree_sim *s = library_text(text);
		double force[3] = {0};
		for (int n = 0; n < 100000 && scree_sim_stage(s) == 0; ++n) {
			force[0] = force[1], force[1] = force[2], force[2] = fabs(wall_of(s, "floor").force[2]);
			LIBRARY_DO(s, scree_sim_step(s, 1));
		}
		CHECK(force[1] < 1 && force[2] >= 1 && force[2] < 1.05, "%s: %g N, then %g N", end[k], force[1], force[2]);
		run_to_end(s);
		const uint64_t hash = scree_sim_hash(s);
		const double time = scree_sim_time(s);
		scree_sim_close(s);
		s = library_text(text);
		LIBRARY_DO(s, scree_sim_run_until(s, time));
		CHECK(scree_sim_hash(s) == hash, "%s: another state in many steps at once", end[k]);
		scree_sim_close(s);
	}
	scree_sim *s = library_text(PRESSED "stages:\n"
										"- {name: press, until: {force: 1 N, wall: floor, for: 1 s, at_most: 2 s}}\n"
										"- {name: end, until: 1 ms}\n");
	LIBRARY_DO(s, scree_sim_run_until(s, 3e-3));
	assert_int_equal(scree_sim_stage(s), 0);
	scree_sim_close(s);
}

/* saves and restores the simulation */
static scree_sim *again(scree_sim *s)
{
	char path[300];
	scree_problems *p;
	snprintf(path, sizeof path, "%s/stages_again_%ld.snap", SCREE_BINARY, (long)getpid());
	LIBRARY_DO(s, scree_sim_save(s, path));
	scree_sim_close(s);
	s = scree_sim_restore(path, 1, &p);
	CHECK(s, "%s", scree_problems_text(p));
	unlink(path);
	return s;
}

/* A ball between a floor and a lid that moves down and up, so the force on the lid rises and falls. */
#define SHAKEN                                                                                                         \
	LIBRARY_ROUND                                                                                                      \
	"world: {gravity: [0, 0, 0]}\n"                                                                                    \
	"walls:\n"                                                                                                         \
	"  floor: {plane: {point: [0, 0, 5 mm], normal: [0, 0, 1]}, material: m}\n"                                        \
	"  lid: {plane: {point: [0, 0, 15 mm], normal: [0, 0, -1]}, material: m,\n"                                        \
	"        motion: {vibration: {amplitude: [0, 0, -0.1 mm], frequency: 100 Hz}}}\n"                                  \
	"fill: [{lattice: {spacing: 20 mm}, region: {box: {min: [0, 0, 0], max: [20 mm, 20 mm, 20 mm]}}, "                 \
	"material: m, shape: ball, size: 10 mm}]\n"                                                                        \
	"run: {until: 20 ms, step: 10 us}\n"
enum { SHAKEN_STEPS = 1900 };

static double force_on_lid(scree_sim *s)
{
	scree_wall w;
	LIBRARY_DO(s, scree_sim_wall(s, scree_sim_find_wall(s, "lid"), &w));
	return fabs(w.force[2]);
}

/* first step, from `from` on, with a force of at least `limit`, or -1 if there is none */
static int64_t first_step(const double *force, int64_t from, double limit)
{
	for (int64_t k = from; k <= SHAKEN_STEPS; ++k)
		if (force[k] >= limit) return k;
	return -1;
}

/* last step of a stage with this end condition, or -1 if the time limit of the stage stops the run */
static int64_t ended_at(const char *until)
{
	char text[1600];
	snprintf(text, sizeof text, SHAKEN "stages:\n- {name: press, until: {%s}}\n- {name: rest}\n", until);
	scree_sim *s = library_text(text);
	int64_t step = -1;
	while (scree_sim_stage(s) == 0 && !scree_sim_step(s, 1))
		step = scree_sim_steps(s) - 1; /* this step already belongs to the next stage */
	if (scree_sim_is_late(s)) step = -1;
	scree_sim_close(s);
	return step;
}

/* A stage with a force condition ends at the first step in which the force reaches its target, but never before
 * at_least; a target reached earlier must be reached again. */
static void forces_end_stages_at_their_step(void **state)
{
	(void)state;
	double force[SHAKEN_STEPS + 1] = {0}, most = 0;
	char until[200];
	scree_sim *s = library_text(SHAKEN);
	for (int k = 1; k <= SHAKEN_STEPS; ++k) {
		LIBRARY_DO(s, scree_sim_step(s, 1));
		force[k] = force_on_lid(s);
		most = fmax(most, force[k]);
	}
	scree_sim_close(s);
	const double limit = most / 2;
	const int64_t early = first_step(force, 1, limit), again = first_step(force, 600, limit);
	CHECK(early > 20 && early < 250 && again > 900, "reached at steps %lld and %lld", (long long)early,
		  (long long)again);
	const struct {
		const char *more;
		int64_t step;
	} of[] = {{"at_most: 20 ms", early},
			  {"at_least: 0.05 ms, at_most: 20 ms", early},
			  {"at_least: 1 ms, at_most: 20 ms", 100}, /* it still holds */
			  {"at_least: 6 ms, at_most: 20 ms", again},
			  {"at_least: 6 ms, at_most: 9 ms", -1}};
	CHECK(force[100] > limit && force[600] < limit, "%g and %g N", force[100], force[600]);
	for (size_t k = 0; k < sizeof of / sizeof *of; ++k) {
		snprintf(until, sizeof until, "force: %.17g N, wall: lid, %s", limit, of[k].more);
		const int64_t step = ended_at(until);
		CHECK(step == of[k].step, "%s: ended at step %lld, expected %lld", until, (long long)step,
			  (long long)of[k].step);
	}
	snprintf(until, sizeof until, "force: %.17g N, wall: lid, at_most: 18 ms", 1.01 * most);
	CHECK(ended_at(until) == -1, "%s: it ended", until);
}

/* A run stopped by its time limit, if given more time, reaches the state of a run that had this time from the start;
 * otherwise it is stopped again at once. */
static void a_late_run_continues(void **state)
{
	(void)state;
	static const char *const set[] = {"stages.0.until.at_most=2s"}, *const shorter[] = {
																		"stages.0.until.at_most=52.5ms"};
	static const char *const end[] = {"kinetic_energy: 300 uJ, at_least: 52 ms",
									  "unchanged: contacts, within: 0.01 %, for: 30 ms"};
	for (int k = 0; k < 2; ++k) {
		char text[1600];
		static const char *const form =
			HEAP "stages:\n- {name: fall, until: {%s, at_most: %s}}\n- {name: rest, until: 1 ms}\n";
		snprintf(text, sizeof text, form, end[k], "2 s");
		scree_sim *s = library_text(text);
		run_to_end(s);
		const uint64_t hash = scree_sim_hash(s);
		const double time = scree_sim_time(s);
		CHECK(time > 0.06 && time < 1, "%s: it ends at %g s", end[k], time);
		scree_sim_close(s);
		snprintf(text, sizeof text, form, end[k], "53 ms");
		s = library_text(text);
		assert_int_equal(scree_sim_run_until(s, 1), SCREE_GUARD);
		assert_true(scree_sim_is_late(s));
		const int64_t step = scree_sim_steps(s);
		s = again(s);
		assert_true(!scree_sim_is_late(s));
		assert_int_equal(scree_sim_step(s, 1), SCREE_GUARD);
		assert_true(scree_sim_is_late(s) && scree_sim_steps(s) == step);
		s = again(s);
		LIBRARY_DO(s, scree_sim_change_plan(s, 1, shorter, NULL));
		assert_int_equal(scree_sim_step(s, 1), SCREE_GUARD);
		assert_true(scree_sim_steps(s) == step);
		s = again(s);
		LIBRARY_DO(s, scree_sim_change_plan(s, 1, set, NULL));
		LIBRARY_DO(s, scree_sim_run_until(s, time));
		CHECK(scree_sim_hash(s) == hash, "%s: %016llx with more time, %016llx in one run", end[k],
			  (unsigned long long)scree_sim_hash(s), (unsigned long long)hash);
		scree_sim_close(s);
	}
}

/* A finished run continues if its last stage is extended, and is bitwise identical to a run that had this end from the
 * start; after other changes it remains finished. */
static void an_ended_run_takes_a_later_end(void **state)
{
	(void)state;
	static const char *const form =
		LIBRARY_BALL STEP "stages:\n- {name: one, until: 10 ms}\n- {name: two, until: %s}\n";
	static const char *const later[] = {"stages.1.until=30ms"}, *const sooner[] = {"stages.1.until=5ms"},
							 *const other[] = {"run.snapshot.every=1s"}, *const all[] = {"run.until=45ms"};
	char text[1600];
	snprintf(text, sizeof text, form, "30 ms");
	scree_sim *s = library_text(text);
	LIBRARY_DO(s, scree_sim_run_until(s, scree_sim_until(s)));
	const uint64_t hash = scree_sim_hash(s);
	scree_sim_close(s);
	snprintf(text, sizeof text, form, "10 ms");
	s = library_text(text);
	LIBRARY_DO(s, scree_sim_run_until(s, scree_sim_until(s)));
	NEAR(scree_sim_time(s), 0.02, 1e-12, "end");
	const char *const *const stays[] = {sooner, other};
	for (int k = 0; k < 2; ++k) {
		s = again(s);
		LIBRARY_DO(s, scree_sim_change_plan(s, 1, stays[k], NULL));
		NEAR(scree_sim_until(s), 0.02, 1e-12, *stays[k]);
	}
	s = again(s);
	LIBRARY_DO(s, scree_sim_change_plan(s, 1, later, NULL));
	run_to_end(s);
	NEAR(scree_sim_time(s), 0.04, 1e-12, "end");
	CHECK(scree_sim_hash(s) == hash, "%016llx, not %016llx", (unsigned long long)scree_sim_hash(s),
		  (unsigned long long)hash);
	s = again(s);
	LIBRARY_DO(s, scree_sim_change_plan(s, 1, all, NULL));
	NEAR(scree_sim_until(s), 0.045, 1e-12, "end that is given");
	scree_sim_close(s);
}

/* ------------------------------------------------------------------ bits */

static const char SCENE[] = "scenes/stages.scene.yaml";

static void any_step_continues(void **state)
{
	(void)state;
	enum { ALL = 1987 };
	scree_sim *s = library_open(SCENE, 2);
	LIBRARY_DO(s, scree_sim_run_until(s, scree_sim_until(s)));
	assert_int_equal(scree_sim_stage(s), 5);
	const int64_t all = scree_sim_steps(s);
	const uint64_t hash = scree_sim_hash(s);
	scree_sim_close(s);
	/* steps at which stages end, and steps just before and after */
	const int64_t at[] = {1, 399, 400, 401, 450, 666, 667, 668, 967, 1286, 1287, 1288, 1587, 1588, 1900};
	for (size_t k = 0; k < sizeof at / sizeof *at; ++k)
		if (test_drawn((int64_t)k + 1)) library_continues(SCENE, at[k], hash, all);
	for (int k = 0; k < 5; ++k) {
		if (!test_drawn(k + 2)) continue;
		s = library_open(SCENE, 1 + k);
		LIBRARY_DO(s, scree_sim_run_until(s, scree_sim_until(s)));
		CHECK(scree_sim_hash(s) == hash, "%d threads: %016llx", 1 + k, (unsigned long long)scree_sim_hash(s));
		scree_sim_close(s);
	}
}

/* ------------------------------------------------------------------ changes to a restored run */

static scree_sim *restored(int threads)
{
	char path[300];
	scree_problems *p;
	snprintf(path, sizeof path, "%s/stages_set_%ld.snap", SCREE_BINARY, (long)getpid());
	scree_sim *s = library_open("scenes/servo_lid.scene.yaml", 1);
	LIBRARY_DO(s, scree_sim_step(s, 1000));
	LIBRARY_DO(s, scree_sim_save(s, path));
	scree_sim_close(s);
	s = scree_sim_restore(path, threads, &p);
	CHECK(s, "%s", scree_problems_text(p));
	unlink(path);
	return s;
}

/* a change by --set and a change by a program give bitwise identical results */
static void a_set_is_a_change_of_a_program(void **state)
{
	(void)state;
	scree_sim *by[2] = {restored(1), restored(3)};
	const char *const set[] = {"world.gravity=[0, 1 m/s^2, -9 m/s^2]"};
	LIBRARY_DO(by[0], scree_sim_set_gravity(by[0], (double[3]){0, 1, -9}));
	LIBRARY_DO(by[1], scree_sim_change_plan(by[1], 1, set, NULL));
	for (int k = 0; k < 2; ++k) LIBRARY_DO(by[k], scree_sim_step(by[k], 500));
	CHECK(scree_sim_hash(by[0]) == scree_sim_hash(by[1]), "the hashes differ");
	CHECK(strstr(scree_sim_resolved(by[1]), "-9 m/s^2"), "the scene has the old value");
	for (int k = 0; k < 2; ++k) scree_sim_close(by[k]);
}

static void sets_change_targets_and_are_refused(void **state)
{
	(void)state;
	scree_problems *p;
	scree_sim *s = restored(2);
	const char *const fill[] = {"fill.0.seed=3"}, *const form[] = {"walls.lid.plane.point=[0, 0, 1 m]"};
	const char *const wrong[] = {"world.gravity=3 m"}, *const force[] = {"walls.lid.motion.servo.force=3 N"};
	assert_int_equal(scree_sim_change_plan(s, 1, fill, &p), SCREE_BAD_INPUT);
	CHECK(!p && strstr(scree_sim_error(s), "cannot change during a run"), "%s", scree_sim_error(s));
	assert_int_equal(scree_sim_change_plan(s, 1, form, &p), SCREE_BAD_INPUT);
	assert_int_equal(scree_sim_change_plan(s, 1, wrong, &p), SCREE_BAD_INPUT);
	CHECK(p && strstr(scree_problems_text(p), "gravity"), "%s", scree_problems_text(p));
	scree_problems_free(p);
	LIBRARY_DO(s, scree_sim_change_plan(s, 1, force, NULL));
	LIBRARY_DO(s, scree_sim_run_until(s, test_short() ? 0.05 : 0.4));
	NEAR(fabs(wall_of(s, "lid").force[2]), 3, 0.15, "force on the lid");
	scree_sim_close(s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(gravity_changes),
		cmocka_unit_test(motions_follow_one_another),
		cmocka_unit_test(servos_reach_their_targets),
		cmocka_unit_test(travels_may_end_before_the_wall),
		cmocka_unit_test(inactive_walls_are_not_there),
		cmocka_unit_test(friction_changes),
		cmocka_unit_test(cohesion_begins_and_ends),
		cmocka_unit_test(sources_sinks_and_steps_change),
		cmocka_unit_test(a_stiffer_stage_has_its_own_step),
		cmocka_unit_test(belts_carry),
		cmocka_unit_test(a_pressure_is_a_force_on_an_area),
		cmocka_unit_test(energies_and_speeds_end_stages),
		cmocka_unit_test(a_limit_stops_or_goes_on),
		cmocka_unit_test(loads_end_stages_at_once),
		cmocka_unit_test(a_late_run_continues),
		cmocka_unit_test(forces_end_stages_at_their_step),
		cmocka_unit_test(an_ended_run_takes_a_later_end),
		cmocka_unit_test(any_step_continues),
		cmocka_unit_test(a_set_is_a_change_of_a_program),
		cmocka_unit_test(sets_change_targets_and_are_refused),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
