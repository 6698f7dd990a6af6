/* Liquid bridges in implicit steps and with hard contacts (docs/theory/implicit.md, "Liquid bridges"): energy,
 * pull-off, rest, impacts, hanging columns, and the ledger, compared with closed forms and with steps with forces. */
#include "choices/choices.h"
#include "kernel/cohesion.h"
#include "kernel/quat.h"
#include "lab.h"
#include "model/law.h"
#include "model/response.h"
#include "test.h"

static const real R = 0.001, TENSION = 0.072, VOLUME = 1e-12, ANGLE = 0.35;
enum { FORCES, IMPLICIT, HARD, RESPONSES };
static const char *const response_name[RESPONSES] = {"forces", "implicit", "hard"};

static scree_world *responds(int response, contact_rule r)
{
	r.cohesion = COHESION_CAPILLARY;
	r.surface = TENSION, r.bridge = VOLUME, r.wetting = ANGLE;
	scree_world *w = lab_world(r);
	model_respond(&w->model, scree_response_find(response == FORCES ? "forces" : response_name[response]));
	return w;
}

/* Below a ball at the origin, there is a plane or a held ball of the same size. */
static void support(scree_world *w, bool plane)
{
	if (plane) {
		lab_plane(w, v3(0, 0, -R), v3(0, 0, 1));
		return;
	}
	const new_body held = {
		.shape = 0, .size = 2 * R, .position = v3(0, 0, -2 * R), .orientation = quat_one(), .flags = BODY_HELD};
	scree_world_add(&w->model, &w->state, &w->work, 1, &held);
}

static real reduced(bool plane) { return plane ? R : R / 2; }
static real pull_of(bool plane) { return 4 * SCREE_PI * reduced(plane) * TENSION * cos(ANGLE); }
static real breaks_at(void) { return (1 + ANGLE / 2) * pow(VOLUME, 1.0 / 3); }
static real work_of(bool plane)
{
	return adhesion_capillary(TENSION * cos(ANGLE), VOLUME, reduced(plane), -breaks_at()).energy;
}

static void prepare(scree_world *w, real speed, real step)
{
	w->model.guard.speed = speed;
	lab_prepare(w, step);
	w->model.guard.speed = 0;
}

static real mass(void) { return 2500 * 4 * SCREE_PI / 3 * R * R * R; }

/* ------------------------------------------------------------------ apart */

typedef struct parted {
	real left, lost, time, step; /* energy left and energy lost in J; time in s when the bridge broke; step in s */
	bool holds;
} parted;

/* A touching ball moves away from its partner; energy: kinetic energy of the ball relative to the energy of the bridge.
 */
static parted part(int response, bool plane, real energy, real step)
{
	scree_world *w = responds(response, lab_hertz(0.5, 0.3));
	const real speed = sqrt(2 * energy * work_of(plane) / mass());
	support(w, plane);
	const uint64_t id = lab_add_moving(w, 0, 2 * R, v3(0, 0, -1e-10), quat_one(), v3(0, 0, speed), v3(0, 0, 0));
	prepare(w, speed, step);
	parted o = {.step = w->model.dt, .holds = true};
	for (; w->state.time < 40 * R / speed && o.holds; o.time = w->state.time) {
		lab_steps(w, 1);
		o.holds = w->work.touching > 0;
	}
	lab_steps(w, 1); /* the second half of the last pull acts during this step */
	const real v = w->state.body.vz[lab_row(w, id)];
	const energy_row e = scree_world_energy(&w->model, &w->state, &w->work);
	o.left = mass() * v * v / 2, o.lost = e.lost_normal;
	if (response != FORCES) NEAR(e.residual, 0, 1e-9 * e.brought, "residual");
	scree_world_free(w);
	return o;
}

/* Low and high speeds: the fastest ball moves farther than the length of the bridge in one step. */
static void bodies_that_part_lose_the_energy_of_the_bridge(void **state)
{
	(void)state;
	static const real energies[] = {1.1, 2, 10, 100, 5000};
	for (int response = IMPLICIT; response < RESPONSES; ++response)
		for (int k = 0; k < 10; ++k) {
			const bool plane = k & 1;
			const real energy = energies[k / 2], work = work_of(plane);
			const parted o = part(response, plane, energy, 0);
			print_message("%s, %s, energy %g: loses %.5f in steps of %g s\n", response_name[response],
						  plane ? "plane" : "ball", energy, (energy * work - o.left) / work, o.step);
			CHECK(!o.holds, "energy %g: it is held", energy);
			CHECK(energy < 5000 || o.step * sqrt(2 * energy * work / mass()) > breaks_at(), "it is slow");
			NEAR((energy * work - o.left) / work, 1, 0.01, "energy that the bridge takes");
			NEAR(o.lost / work, 1, 0.01, "in the ledger");
		}
}

static void bridges_hold_slow_bodies(void **state)
{
	(void)state;
	for (int response = IMPLICIT; response < RESPONSES; ++response)
		for (int plane = 0; plane < 2; ++plane)
			CHECK(part(response, plane, 0.9, 0).holds, "it is not held by %s", response_name[response]);
}

/* time that a ball that is just fast enough takes to break the bridge; it agrees with the time for forces to second
 * order in the step */
static void bodies_part_as_by_forces(void **state)
{
	(void)state;
	for (int plane = 0; plane < 2; ++plane) {
		const parted forces = part(FORCES, plane, 1.2, 0), usual = part(IMPLICIT, plane, 1.2, 0);
		const parted half = part(IMPLICIT, plane, 1.2, usual.step / 2);
		print_message("parts in %g s, by forces in %g s; steps of %g s\n", usual.time, forces.time, usual.step);
		NEAR(usual.time / forces.time, 1, 2 * usual.step / forces.time, "time to part");
		NEAR(half.time / forces.time, 1, usual.step / forces.time, "time to part with half of the step");
	}
}

/* ------------------------------------------------------------------ rest */

static void bridges_and_springs_agree_at_rest(void **state)
{
	(void)state;
	for (int k = 0; k < 8; ++k) {
		const int response = k & 1 ? HARD : IMPLICIT;
		const bool plane = k & 2, hertz = k & 4;
		scree_world *w = responds(response, hertz ? lab_hertz(0.3, 0.3) : lab_linear(1e3, 0.3, 0.3));
		support(w, plane);
		const uint64_t id = lab_add(w, 0, 2 * R, v3(0, 0, -1e-9));
		prepare(w, 0.1, 0);
		lab_steps(w, 3000);
		real expected = scree_law_pulled_in(w->model.constants, reduced(plane));
		if (response == HARD) expected = pull_of(plane) * 0.025 * w->model.dt * w->model.dt / mass();
		NEAR(-w->state.body.z[lab_row(w, id)] / expected, 1, 1e-6, "overlap at rest");
		scree_world_free(w);
	}
}

/* ratio of m g to the pull at which a ball falls off a plane or another ball */
static real falls_at(int response, bool plane)
{
	scree_world *w = responds(response, lab_hertz(0.3, 0.3));
	support(w, plane);
	const uint64_t id = lab_add(w, 0, 2 * R, v3(0, 0, -1e-9));
	prepare(w, 0.1, 0);
	real load = 0.9;
	w->model.gravity = v3(0, 0, load * pull_of(plane) / mass());
	lab_steps(w, 300);
	CHECK(w->work.touching == 1, "it does not hang");
	for (; load < 1.1 && w->state.body.z[lab_row(w, id)] < breaks_at(); load += 2e-5) {
		w->model.gravity = v3(0, 0, load * pull_of(plane) / mass());
		lab_steps(w, 1);
	}
	lab_steps(w, 3);
	CHECK(w->work.touching == 0, "it hangs on");
	scree_world_free(w);
	return load;
}

static void balls_hang_up_to_the_pull(void **state)
{
	(void)state;
	for (int response = IMPLICIT; response < RESPONSES; ++response)
		for (int plane = 0; plane < 2; ++plane) {
			const real load = falls_at(response, plane);
			print_message("%s: falls at %.5f of the pull\n", response_name[response], load);
			NEAR(load, 1, 2e-3, "pull-off");
		}
}

/* Three balls hang one below the other: each contact is pressed together by the pull of its bridge minus the weight
 * below it. */
static void a_column_hangs(void **state)
{
	(void)state;
	enum { BALLS = 3 };
	for (int k = 0; k < 2; ++k) {
		const real part = k ? 1.1 : 0.5; /* ratio of the weight of two balls to the pull between two balls */
		scree_world *w = responds(IMPLICIT, lab_hertz(0.3, 0.3));
		lab_plane(w, v3(0, 0, 0), v3(0, 0, -1));
		uint64_t id[BALLS];
		for (int n = 0; n < BALLS; ++n) id[n] = lab_add(w, 0, 2 * R, v3(0, 0, -R * (1 + 2 * n) + 1e-9 * (n + 1)));
		prepare(w, 0.1, 0);
		lab_steps(w, 500);
		const real weight = part * pull_of(false) / 2;
		w->model.gravity = v3(0, 0, -weight / mass());
		lab_steps(w, 4000);
		CHECK((w->work.touching == BALLS) == (k == 0), "%lld contacts", (long long)w->work.touching);
		real above = 0;
		for (int n = 0; n < BALLS && k == 0; ++n) {
			const real z = w->state.body.z[lab_row(w, id[n])], overlap = n ? z - above + 2 * R : z + R;
			const real force = pull_of(n == 0) - weight * (BALLS - n);
			const real stiffness = w->model.constants->stiffness * sqrt(reduced(n == 0));
			NEAR(overlap, pow(force / stiffness, 2.0 / 3), 1e-4 * overlap, "overlap under the weight below");
			above = z;
		}
		scree_world_free(w);
	}
}

/* ------------------------------------------------------------------ impacts */

/* Ratio of the speed after an impact to the speed before it, or 0 if the ball sticks. energy: ratio of the initial
 * energy to the energy of the bridge; gap: initial gap in m */
static real rebound(int response, bool plane, real restitution, real energy, real gap)
{
	scree_world *w = responds(response, lab_hertz(restitution, 0));
	const real speed = sqrt(2 * energy * work_of(plane) / mass());
	support(w, plane);
	const uint64_t id = lab_add_moving(w, 0, 2 * R, v3(0, 0, gap), quat_one(), v3(0, 0, -speed), v3(0, 0, 0));
	prepare(w, speed, 0);
	lab_steps(w, (int64_t)((20 * R / speed + 40 * w->model.contact_time) / w->model.dt));
	const real after = w->work.touching ? 0 : w->state.body.vz[lab_row(w, id)] / speed;
	const energy_row e = scree_world_energy(&w->model, &w->state, &w->work);
	if (response != FORCES) NEAR(e.residual, 0, 1e-9 * e.brought, "residual");
	scree_world_free(w);
	return after;
}

static void impacts_rebound_or_stick_as_by_forces(void **state)
{
	(void)state;
	real worst = 0;
	for (int k = 0; k < 8; ++k) {
		if (test_short() && k % 3) continue;
		const bool plane = k & 1;
		const real e = k & 2 ? 0.8 : 0.5, gap = (k & 4 ? 0.05 : 0.0531) * R;
		for (real energy = 0.6; energy < 1000; energy *= test_short() ? 27 : 3) {
			const real forces = rebound(FORCES, plane, e, energy, gap);
			for (int response = IMPLICIT; response < RESPONSES; ++response) {
				const real now = rebound(response, plane, e, energy, gap);
				print_message("%s, %s, e %g, energy %g: %.4f, by forces %.4f\n", response_name[response],
							  plane ? "plane" : "ball", e, energy, now, forces);
				NEAR(energy * now * now, energy * forces * forces, 0.02 + 0.005 * energy, "energy after the impact");
				worst = real_max(worst, real_abs(now - forces));
			}
		}
	}
	print_message("worst %.4f\n", worst);
}

/* ------------------------------------------------------------------ many */

/* Balls fall into a heap; some bridges span a gap, and all energy is accounted for in the ledger. */
static void heaps_keep_their_energy(void **state)
{
	(void)state;
	for (int response = IMPLICIT; response < RESPONSES; ++response) {
		scree_world *w = responds(response, lab_hertz(0.5, 0.3));
		lab_plane(w, v3(0, 0, 0), v3(0, 0, 1));
		for (int k = 0; k < 48; ++k)
			lab_add_moving(
				w, 0, 2 * R,
				v3((2.02 * (k % 4) + 0.01 * (k % 7)) * R, 2.02 * (k / 4 % 4) * R, (1.1 + 2.02 * (k / 16)) * R),
				quat_one(), v3(0.2 * sin(k), 0.2 * cos(k), 0.1 * sin(3 * k)), v3(0, 0, 0));
		w->model.gravity = v3(0, 0, -9.81);
		prepare(w, 0.5, 0);
		int64_t bridges = 0;
		while (w->state.time < 0.02) {
			lab_steps(w, 1);
			for (int kind = 0; kind < PAIR_KINDS; ++kind)
				for (contact_walk c = contact_first(w->state.pair + kind); contact_more(w->state.pair + kind, &c);
					 ++c.row)
					bridges += scree_contact_look(&w->model, &w->state, &w->work, kind, c.row).depth < -0.01 * R;
		}
		CHECK(bridges > 100, "%lld bridges at a distance", (long long)bridges);
		const energy_row e = scree_world_energy(&w->model, &w->state, &w->work);
		NEAR(e.residual, 0, 1e-3 * e.lost, "residual");
		CHECK(e.lost > 0.5 * (e.brought - e.potential), "%g J lost", e.lost);
		scree_world_free(w);
	}
}

static void long_steps_are_refused(void **state)
{
	(void)state;
	scree_world *w = responds(IMPLICIT, lab_hertz(0.5, 0.3));
	support(w, true);
	lab_add(w, 0, 2 * R, v3(0, 0, 0));
	lab_refused(w, 1e-3, "is too large for liquid bridges of stuff and stuff");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(bodies_that_part_lose_the_energy_of_the_bridge),
		cmocka_unit_test(bridges_hold_slow_bodies),
		cmocka_unit_test(bodies_part_as_by_forces),
		cmocka_unit_test(bridges_and_springs_agree_at_rest),
		cmocka_unit_test(balls_hang_up_to_the_pull),
		cmocka_unit_test(a_column_hangs),
		cmocka_unit_test(impacts_rebound_or_stick_as_by_forces),
		cmocka_unit_test(heaps_keep_their_energy),
		cmocka_unit_test(long_steps_are_refused),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
