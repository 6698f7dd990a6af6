/* Polyhedra and compounds over folds of a mesh with depth-based contact laws: contacts with connected surfaces share
 * their stiffness, so a fold of 1e-6 acts like a plane, and a valley of 90 degrees has two contacts
 * (docs/theory/walls.md, "Folds under laws of depth"). */
#include "base/maths.h"
#include "choices/choices.h"
#include "kernel/cohesion.h"
#include "kernel/quat.h"
#include "lab.h"
#include "part_shapes.h"
#include "test.h"

static const real SIZE = 0.01, FAR = 0.1;

enum { HERTZ, LINEAR, POWER, LAWS_HERE };
static const char *const law_name[LAWS_HERE] = {"hertz", "linear", "power"};
static const real exponent[LAWS_HERE] = {1.5, 1, 1.5};

enum { HULL, COMPOUND, BODIES_HERE };
static const char *const body_name[BODIES_HERE] = {"hull", "compound"};

static contact_rule rule_of(int law, real restitution, real friction)
{
	if (law == LINEAR) return lab_linear(1e4, restitution, friction);
	if (law == HERTZ) return lab_hertz(restitution, friction);
	const power_rule power = {.stiffness = 1e6, .damping = restitution < 1 ? 100 : 0, .tangential = 0.1};
	return (contact_rule){.law = LAW_POWER, .friction = friction, .restitution = 1, .power = power};
}

/* Two faces that meet at the y axis and rise by this angle, half of the fold angle, on both sides; if the angle is
 * negative, they fall. */
static void add_fold(scree_world *w, real rise)
{
	real s, c;
	scree_sincos(rise, &s, &c);
	const real a = FAR * c, h = FAR * s;
	const vec3 p[6] = {{-a, -FAR, h}, {0, -FAR, 0}, {0, FAR, 0}, {-a, FAR, h}, {a, -FAR, h}, {a, FAR, h}};
	const int32_t t[12] = {0, 1, 2, 0, 2, 3, 1, 4, 5, 1, 5, 2};
	fail why = {0};
	CHECK(scree_walls_add_mesh(&w->model.wall, scree_wall_default("fold", 0), 6, p, 4, t, &why) >= 0, "%s", why.text);
}

/* A cube whose lower face is horizontal, at this distance below the fold. */
static scree_world *cube_world(contact_rule rule, int body, real rise, real below, vec3 velocity, vec3 spin)
{
	scree_world *w = lab_world(rule);
	fail why = {0};
	int32_t shape = 1;
	if (body == COMPOUND) shape = part_add_compound(&w->model.shape, "compound", &part_cube, &why);
	CHECK(shape >= 0, "%s", why.text);
	w->model.narrow = scree_narrow_find("separating-plane");
	add_fold(w, rise);
	lab_add_moving(w, shape, SIZE, v3(0, 0.0007, SIZE / 2 - below), quat_one(), velocity, spin);
	return w;
}

/* force from the wall on a cube at rest */
static vec3 force_at(int law, int body, real rise, real below)
{
	scree_world *w = cube_world(rule_of(law, 1, 0), body, rise, below, v3(0, 0, 0), v3(0, 0, 0));
	lab_prepare(w, 1e-12);
	lab_steps(w, 1);
	const vec3 f = v3_neg(scree_wall_load(&w->model, &w->state, &w->work, 0).force);
	scree_world_free(w);
	return f;
}

static real power_of(real x, real of) { return x > 0 ? scree_pow(x, of) : 0; }

/* Ratio of the force from a valley to the force at a depth of 1. Each of the two contacts has the corners of one half
 * of the lower face, which is cut at the fold perpendicular to the wall's face. It also has the corners of one side of
 * the cube, which is inclined to the wall by the wall's slope. */
static real valley_force(real rise, real below, real of)
{
	real s, c;
	scree_sincos(rise, &s, &c);
	const real near = below / c, far = below * c + SIZE / 2 * s, bottom = (SIZE / 2 - below * s / c) * c,
			   side = (below + SIZE / 2 * s / c) * s, a = bottom * near, b = (bottom + side) * far;
	const real mean = (a * power_of(near, of) + b * power_of(far, of)) / (a + b), cosine = 2 * c * c - 1,
			   bond = real_max(1 - 4 * (1 - cosine * cosine), 0);
	return 2 * c * mean / (1 + (cosine > 0 ? bond : 0));
}

static const real RISE[] = {0.01, 0.05, 0.1, 0.2, 0.27, 0.3, 0.5, 0.7, SCREE_PI / 4};
enum { RISES = sizeof RISE / sizeof *RISE };

/* A flat fold causes one contact, a right angle causes two, and the force changes continuously between these cases. If
 * the angle between the faces is at least 30 degrees, each contact has its own corners; in flatter folds, it has the
 * corners of the whole face of the cube. */
static void valleys_share_by_their_angle(void **state)
{
	(void)state;
	const real below = 0.02 * SIZE;
	for (int law = 0; law < LAWS_HERE; ++law)
		for (int body = 0; body < BODIES_HERE; ++body) {
			const real plane = force_at(law, body, 0, below).z, one = plane / power_of(below, exponent[law]);
			for (real rise = 1e-7; rise < 2e-3; rise *= 10)
				NEAR(force_at(law, body, rise, below).z / plane, 1, 40 * rise, "force in a flat valley");
			for (int k = 0; k < RISES; ++k) {
				const vec3 f = force_at(law, body, RISE[k], below);
				const real right = one * valley_force(RISE[k], below, exponent[law]);
				const real off = RISE[k] > 0.265 ? 1e-9 : 0.15;
				CHECK(real_abs(f.z / right - 1) < off, "%s, %s, rises by %g: %g of the force that it should have",
					  law_name[law], body_name[body], RISE[k], f.z / right);
				NEAR(f.x, 0, 1e-6 * right, "to neither side");
			}
		}
}

/* A very flat ridge acts like a plane, and a ridge of 30 degrees or more like a single edge; the force changes
 * continuously in between.
 */
static void ridges_share_by_their_angle(void **state)
{
	(void)state;
	const real below = 0.02 * SIZE;
	for (int law = 0; law < LAWS_HERE; ++law)
		for (int body = 0; body < BODIES_HERE; ++body) {
			const real plane = force_at(law, body, 0, below).z;
			for (real rise = 1e-7; rise < 2e-3; rise *= 10)
				NEAR(force_at(law, body, -rise, below).z / plane, 1, 40 * rise, "force on a flat ridge");
			NEAR(force_at(law, body, -0.27, below).z / plane, 1, 1e-9, "force on an edge");
		}
}

static void nothing_jumps_with_the_angle(void **state)
{
	(void)state;
	const real below = 0.02 * SIZE;
	for (int law = 0; law < LAWS_HERE; ++law) {
		const real plane = force_at(law, HULL, 0, below).z;
		real before = force_at(law, HULL, -0.3, below).z;
		for (int k = -299; k <= 300; ++k) {
			const real force = force_at(law, HULL, 0.001 * k, below).z;
			CHECK(k > 0 || (force > 0.7 * plane && force < 1.25 * plane), "a ridge that falls by %g: %g of a plane's",
				  -0.001 * k, force / plane);
			NEAR(force, before, 0.04 * real_max(force, before), "force at angles 0.001 apart");
			before = force;
		}
	}
}

/* Bodies slide, rotate and roll on a fold of 1e-5 as if on a plane, with and without attraction. */
static void glide(int law, int body, real rise, real friction, real attraction, vec3 *velocity, vec3 *spin)
{
	contact_rule rule = rule_of(law, 0.4, friction);
	if (law != POWER) rule.rolling_friction = 0.05;
	if (attraction > 0) rule.cohesion = COHESION_DMT, rule.surface = attraction;
	scree_world *w = cube_world(rule, body, rise, 0.001 * SIZE, v3(0.01, 0.02, -0.01), v3(0, 0, 2));
	w->model.gravity = v3(0, 0, -9.81);
	w->model.guard.speed = 0.05;
	lab_prepare(w, 0);
	lab_steps(w, (int64_t)(2e-3 / w->model.dt));
	*velocity = body_velocity(&w->state.body, 0), *spin = body_angular_velocity(&w->state.body, 0);
	scree_world_free(w);
}

static void a_flat_fold_is_a_plane_to_friction(void **state)
{
	(void)state;
	for (int k = 0; k < LAWS_HERE * BODIES_HERE * 4; ++k) {
		const int law = k % LAWS_HERE, body = k / LAWS_HERE % BODIES_HERE, how = k / LAWS_HERE / BODIES_HERE;
		const real friction = how & 1 ? 0.8 : 0.2, attraction = how & 2 && law != POWER ? 0.01 : 0;
		vec3 v, spin, w, turn;
		glide(law, body, 0, friction, attraction, &v, &spin);
		for (real rise = -1e-5; rise < 2e-5; rise += 2e-5) {
			glide(law, body, rise, friction, attraction, &w, &turn);
			NEAR(v3_norm(v3_sub(w, v)), 0, 2e-4, "velocity after it slid, 0.02 at first");
			NEAR(v3_norm(v3_sub(turn, spin)), 0, 0.02, "spin after it slid, 2 at first");
		}
	}
}

/* Ratio of the speed at which a cube leaves a fold, after falling flat onto it, to its impact speed; the change in its
 * energy, and the fraction of this change that is not in the ledger. */
static real bounce(int law, int body, real rise, real restitution, real aside, real *energy, real *unknown)
{
	const real speed = 0.1;
	scree_world *w = cube_world(rule_of(law, restitution, 0), body, rise, -1e-5, v3(0, 0, -speed), v3(0, 0, 0));
	w->state.body.x[0] = aside * SIZE;
	real s, c;
	scree_sincos(real_max(rise, 0), &s, &c);
	w->state.body.z[0] += (0.5 + aside) * SIZE * s / c;
	w->model.guard.speed = 2 * speed;
	lab_prepare(w, 0);
	lab_prepare(w, w->model.dt / 2);
	const real before = lab_energy(w);
	lab_one_contact(w);
	const energy_row e = scree_world_energy(&w->model, &w->state, &w->work);
	*energy = lab_energy(w) / before - 1;
	*unknown = e.residual / before;
	const real v = w->state.body.vz[0] / speed;
	scree_world_free(w);
	return v;
}

static void it_bounces_as_asked(void **state)
{
	(void)state;
	static const real rise[] = {1e-6, 1e-4, 1e-3, 0.01, 0.1, 0.3, 0.7, -1e-4, -1e-3, -0.01, -0.1};
	static const real asked[3] = {1, 0.9, 0.3};
	for (int k = 0; k < 2 * 11 * 3; ++k) {
		const int law = k % 2, fold = k / 2 % 11;
		const real e = asked[k / 22], up = rise[fold];
		real energy, unknown;
		const real v = bounce(law, fold % 2, up, e, 0, &energy, &unknown);
		CHECK(real_abs(v - e) < 0.025, "%s, rises by %g: asked for %g, %g", law_name[law], up, e, v);
		if (e == 1) NEAR(energy, 0, 1e-4, "energy of an elastic impact over a fold");
		NEAR(unknown, 0, 2e-3, "residual");
	}
}

/* Next to the fold, a cube rotates while in contact, and stiffness is transferred from one contact to the other: the
 * loss is recorded in the ledger, and is less than one twentieth. */
static void beside_the_fold_the_ledger_has_the_rest(void **state)
{
	(void)state;
	static const real rise[] = {1e-6, 1e-4, 1e-3, 0.01, 0.1, 0.3, 0.7, -1e-4, -1e-3, -0.01, -0.1, -0.3};
	for (int k = 0; k < 2 * 12; ++k) {
		real energy, unknown;
		bounce(k % 2, k / 2 % 2, rise[k / 2], 1, 0.31, &energy, &unknown);
		CHECK(energy < 1e-3 && energy > -0.05, "rises by %g: energy changed by %g", rise[k / 2], energy);
		NEAR(unknown, 0, 2e-3, "residual");
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(valleys_share_by_their_angle), cmocka_unit_test(ridges_share_by_their_angle),
		cmocka_unit_test(nothing_jumps_with_the_angle), cmocka_unit_test(a_flat_fold_is_a_plane_to_friction),
		cmocka_unit_test(it_bounces_as_asked),			cmocka_unit_test(beside_the_fold_the_ledger_has_the_rest),
	};
	return cmocka_run_group_tests_name("folds by depth", tests, NULL, NULL);
}
