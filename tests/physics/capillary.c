/* Liquid bridges: the closed form of Willett and others (2000) compared with the toroidal approximation; the distances
 * at which bridges form and break; their force and their energy. */
#include "kernel/cohesion.h"
#include "kernel/quat.h"
#include "lab.h"
#include "prepare/prepare.h"
#include "test.h"

#include <stdlib.h>

static const real R = 1e-3, TENSION = 0.072, VOLUME = 1e-12, ANGLE = 0.35;

static contact_rule wet(bool hertz)
{
	contact_rule r = hertz ? lab_hertz(0.5, 0.3) : lab_linear(100, 0.5, 0.3);
	r.cohesion = COHESION_CAPILLARY;
	r.surface = TENSION, r.bridge = VOLUME, r.wetting = ANGLE;
	return r;
}

static real breaks_at(void) { return (1 + ANGLE / 2) * pow(VOLUME, 1.0 / 3); }

/* force in N, from eq. 12 of the paper; wide: R for two equal spheres, 2R for a sphere and a plane */
static real force_at(real apart, real wide)
{
	const real s = real_max(apart, 0) * sqrt(wide / VOLUME);
	return 2 * SCREE_PI * wide * TENSION * cos(ANGLE) / (1 + 1.05 * s + 2.5 * s * s);
}

/* J: by Simpson's rule */
static real work_to(real apart, real wide)
{
	enum { PARTS = 2000 };
	real sum = 0;
	for (int k = 0; k <= PARTS; ++k)
		sum += (k == 0 || k == PARTS ? 1 : k % 2 ? 4 : 2) * force_at(apart * k / PARTS, wide);
	return sum * apart / PARTS / 3;
}

static void the_curve_is_that_of_the_paper(void **state)
{
	(void)state;
	FOR_SEEDS(500)
	{
		random_stream r = scree_random_start(test_seed, 1);
		const real radius = pow(10, scree_random_between(&r, -6, -1)), wide = 2 * radius;
		const real volume = pow(10, scree_random_between(&r, -6, -3)) * wide * wide * wide;
		const real apart = scree_random_between(&r, 0, 1) * pow(volume, 1.0 / 3), top = 2 * SCREE_PI * wide * TENSION;
		const adhesion a = adhesion_capillary(TENSION, volume, radius, -apart);
		const real s = apart * sqrt(wide / volume);
		NEAR(a.force, top / (1 + 1.05 * s + 2.5 * s * s), 1e-12 * top, "eq. 12 of Willett et al. (2000)");
		/* Derjaguin's approximation for a bridge of constant curvature */
		const real about = top * (s > 0 ? 1 - 1 / sqrt(1 + 2 / (SCREE_PI * s * s)) : 1);
		NEAR(a.force, about, 0.04 * top, "toroidal bridge");
		const real h = 1e-5 * pow(volume, 1.0 / 3);
		const real more = adhesion_capillary(TENSION, volume, radius, -apart - h).energy;
		const real less = adhesion_capillary(TENSION, volume, radius, -apart + h).energy;
		NEAR((more - less) / (2 * h), a.force, 1e-4 * top, "slope of the energy");
		NEAR(adhesion_capillary(TENSION, volume, radius, 0).energy, 0, 0, "energy at touch");
	}
	for (real x = 1e-6; x < 1e6; x *= 1.7) NEAR(bridge_atan(x), atan(x), 4e-15 * atan(x), "inverse tangent");
}

typedef struct pulled {
	real worst, broke, lost, residual; /* N; m; J */
	int64_t before;					   /* number of steps with a contact before the bodies touch, which must be 0 */
} pulled;

/* A ball touches another ball or a plane, and the two are then pulled apart at velocities prescribed in each step. */
static pulled approach_and_leave(bool hertz, bool plane)
{
	scree_world *w = lab_world(wet(hertz));
	fail why = {0};
	if (plane) {
		lab_plane(w, v3(0, 0, 0), v3(0, 0, 1));
	} else {
		new_body held = {
			.shape = 0, .size = 2 * R, .position = v3(0, 0, -R), .orientation = quat_one(), .flags = BODY_HELD};
		scree_world_add(&w->model, &w->state, &w->work, 1, &held);
	}
	const uint64_t id = lab_add_moving(w, 0, 2 * R, v3(0, 0, 1.06 * R), quat_one(), v3(0, 0, -0.05), v3(0, 0, 0));
	w->model.guard.energy = 0;
	CHECK(scree_world_prepare(w, 0, 2e-6, &why), "%s", why.text);
	const int kind = plane ? PAIR_SPHERE_WALL : PAIR_SPHERE_SPHERE;
	pulled o = {0};
	bool met = false;
	for (int k = 0; k < 20000; ++k) {
		const int32_t row = lab_row(w, id);
		w->state.body.vz[row] = met ? 0.05 : -0.05;
		lab_steps(w, 1);
		const pair_list *l = w->state.pair + kind;
		contact_walk c = contact_first(l);
		const bool touches = contact_more(l, &c);
		const real apart = w->state.body.z[lab_row(w, id)] - R;
		if (!touches && met) break;
		if (!touches) continue;
		o.before += !met && apart > 0;
		if (apart < -1e-6) met = true;
		o.broke = apart;
		if (!met || apart < 0) continue;
		const contact_look look = scree_contact_look(&w->model, &w->state, &w->work, kind, c.row);
		o.worst = real_max(o.worst, real_abs(look.force.normal + force_at(apart, plane ? 2 * R : R)));
	}
	o.lost = scree_fixed_value(w->state.energy.lost_normal);
	scree_world_free(w);
	return o;
}

static void bridges_form_at_touch_and_break_at_a_distance(void **state)
{
	(void)state;
	for (int k = 0; k < 4; ++k) {
		const bool plane = k & 1;
		const pulled o = approach_and_leave(k & 2, plane);
		const real top = force_at(0, plane ? 2 * R : R);
		NEAR(o.worst, 0, 1e-9 * top, "force over separation");
		NEAR(o.broke, breaks_at(), 2 * 0.05 * 2e-6, "where it breaks: Lian et al. (1993)");
		CHECK(o.before == 0, "%lld steps with a bridge before the touch", (long long)o.before);
	}
}

/* A ball that moves away fast loses the work done by the bridge and by its dashpot. */
static void a_bridge_takes_its_energy(void **state)
{
	(void)state;
	for (int k = 0; k < 4; ++k) {
		const bool plane = k & 1;
		contact_rule rule = wet(k & 2);
		rule.restitution = 1;
		scree_world *w = lab_world(rule);
		if (plane) {
			lab_plane(w, v3(0, 0, 0), v3(0, 0, 1));
		} else {
			new_body held = {
				.shape = 0, .size = 2 * R, .position = v3(0, 0, -R), .orientation = quat_one(), .flags = BODY_HELD};
			scree_world_add(&w->model, &w->state, &w->work, 1, &held);
		}
		const uint64_t id = lab_add_moving(w, 0, 2 * R, v3(0, 0, 1.03 * R), quat_one(), v3(0, 0, -0.5), v3(0, 0, 0));
		lab_prepare(w, 2e-7);
		bool met = false;
		for (int i = 0; i < 20000 && !(met && !w->work.touching); ++i) lab_steps(w, 1), met |= w->work.touching > 0;
		lab_steps(w, 5);
		const int32_t row = lab_row(w, id);
		const real mass = w->state.body.mass[row], work = work_to(breaks_at(), plane ? 2 * R : R);
		const energy_row e = scree_world_energy(&w->model, &w->state, &w->work);
		const real left = mass * w->state.body.vz[row] * w->state.body.vz[row] / 2;
		NEAR(left, mass * 0.25 / 2 - work, 0.01 * work, "energy after it broke");
		NEAR(e.lost_normal, work, 0.001 * work, "in the ledger");
		NEAR(e.residual + e.made, 0, 0.01 * work, "error of the ledger");
		scree_world_free(w);
	}
}

/* a ball hangs from a plane by a bridge, as long as its weight is below the force at contact */
static void a_bridge_bears_its_force(void **state)
{
	(void)state;
	for (int k = 0; k < 2; ++k) {
		scree_world *w = lab_world(wet(true));
		lab_plane(w, v3(0, 0, 0), v3(0, 0, -1));
		const uint64_t id = lab_add(w, 0, 2 * R, v3(0, 0, -R + 1e-8));
		lab_prepare(w, 0);
		const real mass = w->state.body.mass[lab_row(w, id)], pull = 4 * SCREE_PI * R * TENSION * cos(ANGLE);
		real part = 0;
		while (part < (k ? 1.02 : 0.98)) {
			part += 1e-4;
			w->model.gravity = v3(0, 0, -part * pull / mass);
			lab_steps(w, 4);
		}
		lab_steps(w, 20000);
		CHECK((w->state.body.z[lab_row(w, id)] < -R - breaks_at()) == (k == 1), "weight of %g of the pull: z %g", part,
			  w->state.body.z[lab_row(w, id)]);
		scree_world_free(w);
	}
}

static uint64_t hash_of(const scree_world *w) { return scree_world_hash(&w->model, &w->state, &w->work); }

/* balls fall into a box; some bridges span a gap */
static void a_resumed_heap_has_the_same_bits(void **state)
{
	(void)state;
	scree_world *w = lab_world(wet(true));
	lab_plane(w, v3(0, 0, 0), v3(0, 0, 1));
	for (int k = 0; k < 48; ++k)
		lab_add_moving(w, 0, 2 * R,
					   v3((2.02 * (k % 4) + 0.01 * (k % 7)) * R, 2.02 * (k / 4 % 4) * R, (1.1 + 2.02 * (k / 16)) * R),
					   quat_one(), v3(0.2 * sin(k), 0.2 * cos(k), 0.1 * sin(3 * k)), v3(0, 0, 0));
	w->model.gravity = v3(0, 0, -9.81);
	lab_prepare(w, 0);
	lab_steps(w, 1500);
	int64_t bridges = 0;
	for (int kind = 0; kind < PAIR_KINDS; ++kind)
		for (contact_walk c = contact_first(w->state.pair + kind); contact_more(w->state.pair + kind, &c); ++c.row)
			bridges += scree_contact_look(&w->model, &w->state, &w->work, kind, c.row).depth < 0;
	CHECK(bridges > 0, "%lld bridges at a distance", (long long)bridges);
	const energy_row e = scree_world_energy(&w->model, &w->state, &w->work);
	NEAR(e.residual + e.made, 0, 0.01 * (e.lost + e.springs), "error of the ledger");
	scree_world *copy = lab_resumed(w);
	CHECK(hash_of(w) == hash_of(copy), "the snapshot");
	lab_steps(w, 1500);
	lab_steps(copy, 1500);
	CHECK(hash_of(w) == hash_of(copy), "the steps after it");
	scree_world_free(copy);
	scree_world_free(w);
}

static void other_shapes_are_refused(void **state)
{
	(void)state;
	scree_world *w = lab_world(wet(true));
	lab_add(w, 1, 2 * R, v3(0, 0, 0));
	lab_refused(w, 1e-7, "cohesion capillary supports spheres only");
	contact_rule dry = wet(true);
	dry.bridge = 0;
	w = lab_world(dry);
	lab_add(w, 0, 2 * R, v3(0, 0, 0));
	lab_refused(w, 1e-7, "capillary cohesion needs a volume above 0");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_curve_is_that_of_the_paper),
		cmocka_unit_test(bridges_form_at_touch_and_break_at_a_distance),
		cmocka_unit_test(a_bridge_takes_its_energy),
		cmocka_unit_test(a_bridge_bears_its_force),
		cmocka_unit_test(a_resumed_heap_has_the_same_bits),
		cmocka_unit_test(other_shapes_are_refused),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
