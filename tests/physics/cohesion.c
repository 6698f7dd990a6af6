/* Cohesion and torsional resistance: closed forms, pull-off, energy over the lifetime of a bond, and decay of a spin.
 */
#include "kernel/cohesion.h"
#include "kernel/quat.h"
#include "lab.h"
#include "test.h"

static const real GAMMA = 0.05, R = 0.001;

static contact_rule sticky(cohesion_kind kind, real surface, real restitution)
{
	contact_rule r = lab_hertz(restitution, 0.3);
	r.cohesion = kind;
	r.surface = surface;
	return r;
}

/* Johnson, Kendall and Roberts: the force is 8/9 of the pull-off force at zero overlap, the pull-off force at y^3 =
 * 1/2, and 5/9 of the pull-off force where the contact snaps; the force is the derivative of the energy */
static void jkr_is_the_closed_form(void **state)
{
	(void)state;
	FOR_SEEDS(2000)
	{
		random_stream r = scree_random_start(test_seed, 1);
		real gamma = pow(10, scree_random_between(&r, -3, 1)), young = pow(10, scree_random_between(&r, 5, 11));
		real radius = pow(10, scree_random_between(&r, -6, -1));
		real length = jkr_length(gamma, young, radius), pull = 3 * SCREE_PI * gamma * radius;
		real a0 = pow(9 * SCREE_PI * gamma * radius * radius / young, 1.0 / 3);
		NEAR(length, a0 * a0 / radius, 1e-13 * length, "a0^2 / R");
		NEAR(adhesion_jkr(gamma, radius, length, 0).force, -8.0 / 9 * pull, 1e-12 * pull, "force at no overlap");
		NEAR(adhesion_jkr(gamma, radius, length, 0).energy, 0, 1e-12 * pull * length, "energy at first touch");
		real worst = pow(0.5, 4.0 / 3) - 2.0 / 3 * pow(0.5, 1.0 / 3); /* y^3 = 1/2 */
		NEAR(adhesion_jkr(gamma, radius, length, worst * length).force, -pull, 1e-10 * pull, "pull-off");
		NEAR(adhesion_jkr(gamma, radius, length, -JKR_SNAP * length).force, -5.0 / 9 * pull, 1e-3 * pull,
			 "where it snaps");
		const real shown = scree_random_between(&r, JKR_HOLDS, pow(10, scree_random_between(&r, -1, 5)));
		const jkr_spring spring = jkr_spring_at(pull, radius, length, shown * length);
		const adhesion whole = adhesion_jkr(gamma, radius, length, shown * length);
		NEAR(spring.force - pull, whole.force, 1e-12 * (spring.force + pull), "pull-off and spring");
		const jkr_spring more = jkr_spring_at(pull, radius, length, (shown + 1e-6) * length);
		NEAR((more.force - spring.force) / (1e-6 * length), (more.slope + spring.slope) / 2,
			 1e-4 * (pull / length + more.slope), "its slope");
		real deep = scree_random_between(&r, -0.27, 4) * length, h = 1e-6 * length;
		adhesion low = adhesion_jkr(gamma, radius, length, deep - h),
				 high = adhesion_jkr(gamma, radius, length, deep + h);
		adhesion at = adhesion_jkr(gamma, radius, length, deep);
		NEAR((high.energy - low.energy) / (2 * h), at.force, 1e-4 * (real_abs(at.force) + pull), "slope of the energy");
		/* relation between the contact radius and the overlap: delta = a^2/R - sqrt(4 pi gamma a / E*) */
		NEAR(at.radius * at.radius / radius - sqrt(4 * SCREE_PI * gamma * at.radius / young), deep, 1e-9 * length,
			 "overlap");
	}
}

/* A sphere hangs from a plane or another sphere, and its weight increases slowly until it falls; returns the largest
 * force */
static real pull_off(contact_rule rule, bool plane)
{
	scree_world *w = lab_world(rule);
	if (plane) {
		lab_plane(w, v3(0, 0, 0), v3(0, 0, -1));
	} else {
		new_body top = {
			.shape = 0, .size = 2 * R, .position = v3(0, 0, R), .orientation = quat_one(), .flags = BODY_HELD};
		scree_world_add(&w->model, &w->state, &w->work, 1, &top);
	}
	uint64_t id = lab_add(w, 0, 2 * R, v3(0, 0, -R + 1e-9));
	/* with the Hertzian step for an impact at 0.1 m/s, grains as small as this oscillate on their bond */
	w->model.guard.speed = 0.1;
	lab_prepare(w, 0);
	w->model.guard.speed = 0;
	int32_t row = lab_row(w, id);
	real most = 6 * SCREE_PI * rule.surface * R / w->state.body.mass[row];
	int64_t steps = 400000;
	real force = 0, weight = 0;
	int kind = plane ? PAIR_SPHERE_WALL : PAIR_SPHERE_SPHERE;
	for (int64_t k = 0; k < steps; ++k) {
		w->model.gravity = v3(0, 0, -most * (real)k / (real)steps);
		lab_steps(w, 1);
		contact_walk c = contact_first(w->state.pair + kind);
		if (k > 100 && !contact_more(w->state.pair + kind, &c)) break;
		if (k > 100)
			force = real_min(force, scree_contact_look(&w->model, &w->state, &w->work, kind, c.row).force.normal);
		weight = -w->model.gravity.z * w->state.body.mass[lab_row(w, id)];
	}
	CHECK(w->work.touching == 0, "it never fell");
	NEAR(weight, -force, 0.01 * weight, "the weight that it bore, and a little more while it came off");
	scree_world_free(w);
	return -force;
}

static void it_falls_at_the_pull_off(void **state)
{
	(void)state;
	/* the reduced radius of two spheres is R / 2 */
	real jkr = 3 * SCREE_PI * GAMMA, dmt = 4 * SCREE_PI * GAMMA;
	NEAR(pull_off(sticky(COHESION_JKR, GAMMA, 0.3), true), jkr * R, 0.005 * jkr * R, "JKR, plane");
	NEAR(pull_off(sticky(COHESION_JKR, GAMMA, 0.3), false), jkr * R / 2, 0.005 * jkr * R, "JKR, two spheres");
	NEAR(pull_off(sticky(COHESION_DMT, GAMMA, 0.3), true), dmt * R, 0.004 * dmt * R, "DMT, plane");
	NEAR(pull_off(sticky(COHESION_DMT, GAMMA, 0.3), false), dmt * R / 2, 0.004 * dmt * R, "DMT, two spheres");
}

/* at rest on a plane without gravity, attraction and spring force balance */
static void simple_cohesion_is_an_area_times_its_density(void **state)
{
	(void)state;
	real density = 1e5;
	scree_world *w = lab_world(sticky(COHESION_SIMPLE, density, 0.3));
	lab_plane(w, v3(0, 0, 0), v3(0, 0, 1));
	lab_add_moving(w, 0, 2 * R, v3(0, 0, R), quat_one(), v3(0, 0, -1e-3), v3(0, 0, 0));
	w->model.guard.speed = 0.1;
	lab_prepare(w, 0);
	lab_steps(w, 400000);
	/* K sqrt(d) d = 2 pi R density d */
	real k = w->model.constants[0].stiffness * sqrt(R), d = 2 * SCREE_PI * R * density / k;
	NEAR(R - w->state.body.z[0], d * d, 1e-3 * d * d, "overlap at rest");
	scree_world_free(w);
}

/* Energy that an elastic head-on impact loses, or gains (DMT), beyond the energy of its bond, as a fraction of this
 * energy (JKR) or of the pull times the largest overlap (DMT). The result is the largest value over 16 instants of
 * first contact within a step. */
static real wrong_by(cohesion_kind kind, bool plane, int64_t steps)
{
	real worst = 0;
	for (int phase = 0; phase < 16; ++phase) {
		scree_world *w = lab_world(sticky(kind, GAMMA, 1));
		real v = 0.05, gap = 1e-6 * (1 + 0.1 * phase);
		if (plane) lab_plane(w, v3(0, 0, 0), v3(0, 0, 1));
		lab_add_moving(w, 0, 2 * R, v3(0, 0, R + gap), quat_one(), v3(0, 0, -v), v3(0, 0, 0));
		if (!plane) lab_add_moving(w, 0, 2 * R, v3(0, 0, -R - gap), quat_one(), v3(0, 0, v), v3(0, 0, 0));
		real speed = plane ? v : 2 * v, radius = plane ? R : R / 2;
		w->model.guard.speed = speed;
		lab_prepare(w, 0);
		lab_prepare(w, w->model.contact_time / (real)steps);
		w->model.guard.speed = 0;
		/* bodies cross the gap in a whole number of steps plus this fraction of a step; otherwise the phase would be
		 * random */
		real way = speed * w->model.dt, whole = floor(gap * (plane ? 1 : 2) / way);
		real start = (whole + (phase + 0.5) / 16) * way / (plane ? 1 : 2);
		w->state.body.z[0] = R + start;
		if (!plane) w->state.body.z[1] = -R - start;
		bool touched = false;
		for (int64_t k = 0; k < 100000 && (!touched || w->work.touching); ++k) {
			lab_steps(w, 1);
			touched |= w->work.touching > 0;
		}
		CHECK(touched && !w->work.touching, "no impact, or it never ended");
		lab_steps(w, 1); /* the last force acts for another half step */
		real young = 0.75 * w->model.constants[0].stiffness, length = jkr_length(GAMMA, young, radius);
		real bond = adhesion_jkr(GAMMA, radius, length, -JKR_SNAP * length).energy;
		real mass = plane ? w->state.body.mass[0] : w->state.body.mass[0] / 2;
		real deep = pow(1.25 * mass * speed * speed / (w->model.constants[0].stiffness * sqrt(radius)), 0.4);
		energy_row e = scree_world_energy(&w->model, &w->state, &w->work);
		real scale = kind == COHESION_JKR ? bond : 4 * SCREE_PI * GAMMA * radius * deep;
		real wrong = e.brought - e.kinetic - (kind == COHESION_JKR ? bond : 0);
		worst = real_max(worst, real_abs(wrong) / scale);
		real rounding = (real)w->state.step * w->work.sums.energy_quantum / 2; /* see docs/theory/sums.md */
		if (kind == COHESION_JKR) NEAR(e.lost_normal, bond, 1e-12 * bond + rounding, "what the bond took");
		real order = 200.0 / (real)steps;
		CHECK(real_abs(e.residual) < 3e-4 * order * e.brought, "residual %g of %g", e.residual, e.brought);
		scree_world_free(w);
	}
	return worst;
}

/* The attraction starts and ends abruptly. The attraction acts during the fraction of the step in which there is
 * contact, so the energy error is not of first order (the pull times half of the displacement per step), but of second
 * order with DMT, as without attraction, and of order 3/2 with JKR, whose force ends with an infinite slope, like a
 * square root. */
static void an_impact_loses_the_energy_of_the_bond(void **state)
{
	(void)state;
	for (int kind = COHESION_JKR; kind <= COHESION_DMT; ++kind)
		for (int plane = 0; plane < 2; ++plane) {
			real coarse = wrong_by(kind, plane, 200), fine = wrong_by(kind, plane, 800);
			print_message("%s, %s: wrong by %.3g at 200 steps, %.3g at 800\n", kind == COHESION_JKR ? "jkr" : "dmt",
						  plane ? "plane" : "sphere", coarse, fine);
			CHECK(fine < coarse / (kind == COHESION_JKR ? 7 : 12), "%g at 200 steps, %g at 800", coarse, fine);
			CHECK(coarse < 0.03, "%g at 200 steps", coarse);
		}
	/* too slow to separate again */
	scree_world *w = lab_world(sticky(COHESION_JKR, GAMMA, 0.5));
	lab_add_moving(w, 0, 2 * R, v3(0, 0, R + 1e-7), quat_one(), v3(0, 0, -1e-4), v3(0, 0, 0));
	lab_add_moving(w, 0, 2 * R, v3(0, 0, -R - 1e-7), quat_one(), v3(0, 0, 1e-4), v3(0, 0, 0));
	w->model.guard.speed = 0.1;
	lab_prepare(w, 0);
	lab_steps(w, 100000);
	CHECK(w->work.touching == 1, "slow ones stay together");
	scree_world_free(w);
}

/* spin about the normal: w0 - 5 mu_t g t / (2 R) */
static void a_spin_about_the_normal_decays(void **state)
{
	(void)state;
	for (int law = 0; law < 2; ++law) {
		contact_rule rule = law ? lab_hertz(0.5, 0.5) : lab_linear(1e4, 0.5, 0.5);
		rule.twisting_friction = 0.05;
		scree_world *w = lab_world(rule);
		lab_plane(w, v3(0, 0, 0), v3(0, 0, 1));
		w->model.gravity = v3(0, 0, -9.81);
		lab_add_moving(w, 0, 0.02, v3(0, 0, 0.01), quat_one(), v3(0, 0, 0), v3(0, 0, 100));
		lab_prepare(w, 0);
		lab_steps(w, (int64_t)(0.2 / w->model.dt)); /* settles first */
		real t = w->state.time, before = w->state.body.wz[0];
		lab_steps(w, (int64_t)(0.2 / w->model.dt));
		real expected = 5 * 0.05 * 9.81 * (w->state.time - t) / (2 * 0.01);
		NEAR(before - w->state.body.wz[0], expected, 0.002 * expected, "decay of the spin");
		lab_steps(w, (int64_t)(1 / w->model.dt));
		NEAR(w->state.body.wz[0], 0, 1e-4, "it stops");
		energy_row e = scree_world_energy(&w->model, &w->state, &w->work);
		CHECK(e.lost_rolling > 0.9 * 0.4 * w->state.body.mass[0] * 1e-4 * 100 * 100 / 2, "lost %g", e.lost_rolling);
		CHECK(real_abs(e.residual) < 0.01 * e.lost_rolling, "residual %g of %g", e.residual, e.lost_rolling);
		scree_world_free(w);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(jkr_is_the_closed_form),
		cmocka_unit_test(it_falls_at_the_pull_off),
		cmocka_unit_test(simple_cohesion_is_an_area_times_its_density),
		cmocka_unit_test(an_impact_loses_the_energy_of_the_bond),
		cmocka_unit_test(a_spin_about_the_normal_decays),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
