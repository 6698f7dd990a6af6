/* Cohesion in implicit steps and with hard contacts (docs/theory/implicit.md): pull-off, rest, friction without load,
 * impacts, and the ledger, compared with closed forms and with steps with forces. */
#include "base/maths.h"
#include "choices/choices.h"
#include "kernel/cohesion.h"
#include "kernel/quat.h"
#include "lab.h"
#include "model/law.h"
#include "model/narrow.h"
#include "model/response.h"
#include "shape/shapes.h"
#include "test.h"
#include "world/world.h"

static const real GAMMA = 0.05, R = 0.001, MU = 0.3;
enum { FORCES, IMPLICIT, HARD, RESPONSES };
enum { BALL, CUBE };
static const char *const response_name[RESPONSES] = {"forces", "implicit", "hard"};

static contact_rule sticky(contact_rule r, cohesion_kind kind, real surface)
{
	r.cohesion = kind;
	r.surface = surface;
	return r;
}

static scree_world *responds(int response, contact_rule rule)
{
	scree_world *w = lab_world(rule);
	model_respond(&w->model, scree_response_find(response == FORCES ? "forces" : response_name[response]));
	return w;
}

/* a two-dimensional world with squares */
static scree_world *plane_world(void)
{
	scree_world *w = responds(FORCES, sticky(lab_linear(1e3, 0.3, MU), COHESION_DMT, GAMMA));
	static const vec3 square[4] = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}};
	fail why = {0};
	scree_shapes_free(&w->model.shape);
	w->model.flat = true;
	w->model.thickness = 2 * R;
	w->model.narrow = scree_narrow_find("closest-features");
	CHECK(scree_shapes_add_polygon(&w->model.shape, "square", 4, square, &why) == 0, "%s", why.text);
	return w;
}

/* Pull-off force in N for a body of diameter 2 R below a plane or a body of the same size. DMT treats a cube like the
 * sphere of equal volume. */
static real pull_off(cohesion_kind kind, int32_t shape, bool plane)
{
	const real round = shape == BALL ? R : R * scree_pow(6 / SCREE_PI, (real)1 / 3);
	return (kind == COHESION_JKR ? 3 : 4) * SCREE_PI * GAMMA * round / (plane ? 1 : 2);
}

/* ------------------------------------------------------------------ pull-off */

typedef struct hanging {
	contact_rule rule;
	int32_t shape;
	bool plane; /* whether the body hangs from a plane rather than from a held body */
} hanging;

static scree_world *hang(int response, const hanging *o)
{
	scree_world *w = responds(response, o->rule);
	if (o->plane) {
		lab_plane(w, v3(0, 0, R), v3(0, 0, -1));
	} else {
		const new_body top = {.shape = o->shape,
							  .size = 2 * R,
							  .position = v3(0, 0, 2 * R),
							  .orientation = quat_one(),
							  .flags = BODY_HELD};
		scree_world_add(&w->model, &w->state, &w->work, 1, &top);
	}
	lab_add_moving(w, o->shape, 2 * R, v3(0, 0, 1e-9), quat_exp(v3(1e-7, 2e-7, 0), 1), v3(0, 0, 0), v3(0, 0, 0));
	w->model.guard.speed = (real)0.1;
	lab_prepare(w, 0);
	w->model.guard.speed = 0;
	return w;
}

static void set_weight(scree_world *w, uint64_t id, real weight)
{
	w->model.gravity = v3(0, 0, -weight / w->state.body.mass[lab_row(w, id)]);
}

static real turn_of(const scree_world *w, uint64_t id)
{
	const quat q = body_orientation(&w->state.body, lab_row(w, id));
	return 2 * v3_norm(v3(q.x, q.y, q.z));
}

/* Ratio of the weight at which a body of increasing weight falls to the pull-off force. Sticking faces do not rotate
 * before the fall, since attraction acts at the centre of their area. If it acted at the centre of pressure, which
 * follows the rotation, it would rotate them. */
static real falls_at(int response, const hanging *o)
{
	const real expected = pull_off(o->rule.cohesion, o->shape, o->plane), rate = response == FORCES ? 2e-6 : 2e-5;
	scree_world *w = hang(response, o);
	const uint64_t id = o->plane ? 1 : 2;
	real part = (real)0.9;
	set_weight(w, id, part * expected);
	lab_steps(w, response == FORCES ? 20000 : 200); /* comes to rest */
	const real low = w->state.body.z[lab_row(w, id)];
	CHECK(w->work.touching == 1 && real_abs(low) < (real)0.01 * R, "it does not hang: it is at %g m", low);
	for (; part < (real)1.1 && w->work.touching; part += rate) {
		set_weight(w, id, part * expected);
		lab_steps(w, 1);
		const real turn = turn_of(w, id);
		CHECK(part > (real)0.995 || turn < 1e-6, "it turned by %g at %g of the pull-off", turn, part);
	}
	scree_world_free(w);
	return part;
}

static void bodies_hang_up_to_the_pull_off(void **state)
{
	(void)state;
	const contact_rule hertz = lab_hertz(0.3, MU), linear = lab_linear(1e3, 0.3, MU);
	const hanging all[6] = {
		{sticky(hertz, COHESION_JKR, GAMMA), BALL, true},  {sticky(hertz, COHESION_JKR, GAMMA), BALL, false},
		{sticky(hertz, COHESION_DMT, GAMMA), BALL, true},  {sticky(linear, COHESION_DMT, GAMMA), BALL, false},
		{sticky(linear, COHESION_DMT, GAMMA), CUBE, true}, {sticky(linear, COHESION_DMT, GAMMA), CUBE, false}};
	for (int k = 0; k < 6; ++k)
		for (int response = FORCES; response < RESPONSES; ++response) {
			if (!test_drawn(k + response)) continue;
			const real part = falls_at(response, all + k);
			print_message("%d by %s: falls at %.5f of the pull-off\n", k, response_name[response], part);
			NEAR(part, 1, response == FORCES ? 5e-3 : 1e-3, "pull-off");
		}
}

typedef struct growing {
	/* pull-off force in N; rate in 1/s; ratio of the load in the last step to the pull-off force */
	real most, rate, load;
	real grows;	  /* load per step */
	real tension; /* ratio of the largest tension in any step to the pull-off force */
} growing;

/* Pulls all bodies down with an increasing force that starts at half of the pull-off force. */
static void pull_down(const state *s, real time, real *const force[6], void *with)
{
	growing *o = with;
	o->load = (real)0.5 + o->rate * real_max(0, time - (real)0.1);
	for (int32_t i = 0; i < s->body.count; ++i) force[2][i] = -o->load * o->most;
}

/* A ball hangs from a plane until it falls. part: ratio of the step to the default step; time: time in s during which
 * the force increases by the pull-off force. */
static growing pulled_apart(int response, contact_rule rule, real part, real time)
{
	scree_world *w = hang(response, &(hanging){rule, BALL, true});
	growing o = {.most = pull_off(rule.cohesion, BALL, true), .rate = 1 / time};
	w->model.applied = pull_down, w->model.applied_context = &o;
	lab_prepare(w, part * w->model.dt);
	while (o.load < (real)1.5 && (o.load < (real)0.6 || w->work.touching)) {
		lab_steps(w, 1);
		if (!w->work.touching) continue;
		o.tension = real_max(o.tension, -scree_wall_push(&w->model, &w->state, &w->work, 0) / o.most);
	}
	o.grows = w->model.dt / time;
	scree_world_free(w);
	return o;
}

/* A force that grows from step to step brackets the pull-off force: the largest tension in a step is below the pull-off
 * force by at most one increment, and when the ball detaches, the applied force exceeds the pull-off force by the
 * amount it grew during detachment. The tension is 0.94 times the pull-off force if the force grows by 6 % of the
 * pull-off force per step. Both forces converge to the pull-off force as the rate decreases, with steps of 0.1 to 2
 * contact times, and with strong and weak damping. */
static void a_growing_force_brackets_the_pull_off(void **state)
{
	(void)state;
	const real part[4] = {0.1, 0.5, 1, 2}, restitution[3] = {0.1, 0.5, 0.9};
	for (int k = 0; k < 36; ++k) {
		if (!test_drawn(k + k / 4)) continue; /* the sample includes cases with each law and restitution */
		const contact_rule spring =
			k / 12 == 2 ? lab_linear(1e3, restitution[k % 3], MU) : lab_hertz(restitution[k % 3], MU);
		const contact_rule rule = sticky(spring, k / 12 == 1 ? COHESION_JKR : COHESION_DMT, GAMMA);
		real fast = 0;
		for (int slow = 0; slow < 3; ++slow) {
			const growing o = pulled_apart(IMPLICIT, rule, part[k / 3 % 4], 0.1 * (1 << 2 * slow));
			CHECK(o.load > 1, "row %d: it left at %g of the pull-off", k, o.load);
			CHECK(o.tension < 1 + 1e-9 && o.tension > 1 - o.grows, "row %d: tension %g, force grows by %g", k,
				  o.tension, o.grows);
			if (slow)
				CHECK(o.load - 1 < 0.6 * fast + 2 * o.grows, "row %d: %g after %g at four times the rate", k,
					  o.load - 1, fast);
			fast = o.load - 1;
		}
		NEAR(fast, 0, 2e-3, "a slow force has the pull-off");
	}
	const growing quick = pulled_apart(IMPLICIT, sticky(lab_linear(1e3, 0.5, MU), COHESION_DMT, GAMMA), 1, 6e-3);
	CHECK(quick.tension < 0.98 && quick.load > 1, "a force that grows by %g per step: tension %g, left at %g",
		  quick.grows, quick.tension, quick.load);
}

/* A tilted cube or square with a face inside a plane or a body: overlaps of its corners differ by one fifth, and the
 * centre of the contact area is the centre of the face. */
static void attraction_acts_at_the_centre_of_the_area(void **state)
{
	(void)state;
	for (int k = 0; k < 4; ++k) {
		const bool flat = k & 1, plane = k & 2;
		const real deep = (real)1e-3 * R;
		scree_world *w = flat ? plane_world() : responds(FORCES, sticky(lab_linear(1e3, 0.3, MU), COHESION_DMT, GAMMA));
		const int32_t shape = flat ? 0 : CUBE;
		const vec3 lean = flat ? v3(0, 0, (real)0.1 * deep / R) : v3((real)0.1 * deep / R, 0, 0);
		if (plane)
			lab_plane(w, v3(0, 0, 0), flat ? v3(0, 1, 0) : v3(0, 0, 1));
		else
			lab_add(w, shape, 2 * R, flat ? v3(0, -R, 0) : v3(0, 0, -R));
		lab_add_moving(w, shape, 2 * R, flat ? v3(0, R - deep, 0) : v3(0, 0, R - deep), quat_exp(lean, 1), v3(0, 0, 0),
					   v3(0, 0, 0));
		lab_prepare(w, 0);
		lab_steps(w, 1);
		const int kind = plane ? PAIR_CONVEX_WALL : PAIR_CONVEX_CONVEX;
		contact_walk c = contact_first(w->state.pair + kind);
		CHECK(contact_more(w->state.pair + kind, &c), "no contact");
		const contact_work *found = &w->work.pair[kind].contact;
		const contact_points *points = &w->work.thread[found->first[c.row] >> 32].points;
		const int64_t first = (int64_t)(found->first[c.row] & 0xffffffffu), end = first + found->points[c.row];
		real low = INFINITY, high = 0;
		for (int64_t i = first; i < end; ++i)
			low = real_min(low, points->depth[i]), high = real_max(high, points->depth[i]);
		const vec3 at = area_centre(points, first, end, plane);
		CHECK(high > (real)1.15 * low, "case %d: overlaps of %g and %g", k, low, high);
		NEAR((flat ? at.x : at.y) / R, 0, 1e-3, "centre of the area");
		scree_world_free(w);
	}
}

/* ------------------------------------------------------------------ rest */

/* If bodies have no weight, only attraction presses them together. */
static void attraction_and_springs_agree_at_rest(void **state)
{
	(void)state;
	const contact_rule hertz = lab_hertz(0.3, MU), linear = lab_linear(1e3, 0.3, MU);
	const contact_rule all[4] = {sticky(hertz, COHESION_JKR, GAMMA), sticky(hertz, COHESION_DMT, GAMMA),
								 sticky(linear, COHESION_DMT, GAMMA), sticky(hertz, COHESION_SIMPLE, 1e5)};
	for (int k = 0; k < 4; ++k)
		for (int response = IMPLICIT; response < RESPONSES; ++response) {
			const hanging o = {all[k], BALL, true};
			scree_world *w = hang(response, &o);
			lab_steps(w, 3000);
			const law_constants *c = w->model.constants;
			real expected = scree_law_pulled_in(c, R);
			if (response == HARD && all[k].cohesion == COHESION_SIMPLE)
				expected = c->stiffness * sqrt(R * expected) * expected;
			else if (response == HARD)
				expected = pull_off(all[k].cohesion, BALL, true);
			if (response == HARD) expected *= (real)0.025 * w->model.dt * w->model.dt / w->state.body.mass[0];
			NEAR(w->state.body.z[0] / expected, 1, 1e-6, "overlap at rest");
			scree_world_free(w);
		}
}

/* ------------------------------------------------------------------ friction without load */

/* acceleration in m/s^2 of a cube that sticks to a wall and whose weight is this fraction of the largest friction */
static real slides_with(int response, real part)
{
	scree_world *w = responds(response, sticky(lab_linear(1e3, 0.3, MU), COHESION_DMT, GAMMA));
	lab_plane(w, v3(-R, 0, 0), v3(1, 0, 0));
	lab_add(w, CUBE, 2 * R, v3(-1e-9, 0, 0));
	w->model.guard.speed = (real)0.1;
	lab_prepare(w, 0);
	w->model.guard.speed = 0;
	const real time = w->model.contact_time * 200,
			   cap = MU * pull_off(COHESION_DMT, CUBE, true) / w->state.body.mass[0];
	lab_steps(w, (int64_t)(time / w->model.dt));
	w->model.gravity = v3(0, 0, -part * cap);
	lab_steps(w, (int64_t)(time / w->model.dt));
	const real from = w->state.body.vz[0], since = w->state.time;
	lab_steps(w, (int64_t)(time / w->model.dt));
	const real slides = (from - w->state.body.vz[0]) / (w->state.time - since) / cap;
	CHECK(w->work.touching == 1, "it fell off the wall");
	scree_world_free(w);
	return slides;
}

static void friction_without_load_is_that_of_the_pull(void **state)
{
	(void)state;
	for (int response = FORCES; response < RESPONSES; ++response) {
		const real rests = slides_with(response, (real)0.98), slides = slides_with(response, (real)1.02);
		NEAR(rests, 0, 1e-9, "acceleration below the greatest friction");
		NEAR(slides, (real)0.02, 1e-6, "acceleration above it");
	}
}

/* ------------------------------------------------------------------ impacts */

/* Ratio of the energy lost in an elastic impact to the energy of the bond. */
static real bond_taken(int response, bool plane, real speed)
{
	scree_world *w = responds(response, sticky(lab_hertz(1, 0), COHESION_JKR, GAMMA));
	const real part = plane ? 1 : (real)0.5, radius = plane ? R : R / 2;
	if (plane) lab_plane(w, v3(0, 0, -R), v3(0, 0, 1));
	lab_add_moving(w, BALL, 2 * R, v3(0, 0, (real)0.1 * R), quat_one(), v3(0, 0, -part * speed), v3(0, 0, 0));
	if (!plane)
		lab_add_moving(w, BALL, 2 * R, v3(0, 0, (real)-2.1 * R), quat_one(), v3(0, 0, part * speed), v3(0, 0, 0));
	w->model.guard.speed = speed;
	lab_prepare(w, 0);
	w->model.guard.speed = 0;
	lab_steps(w, (int64_t)((40 * w->model.contact_time + (real)0.4 * R / speed) / w->model.dt));
	CHECK(!w->work.touching, "they stick");
	const real length = jkr_length(GAMMA, (real)0.75 * w->model.constants[0].stiffness, radius);
	const real bond = adhesion_jkr(GAMMA, radius, length, -JKR_SNAP * length).energy;
	const energy_row e = scree_world_energy(&w->model, &w->state, &w->work);
	if (response != FORCES) NEAR(e.residual, 0, 1e-9 * bond, "residual");
	NEAR(e.lost_normal, bond, (response == FORCES ? 1e-9 : 0.02) * bond, "loss in the ledger");
	scree_world_free(w);
	return (e.brought - e.kinetic) / bond;
}

static void impacts_lose_the_energy_of_the_bond(void **state)
{
	(void)state;
	for (int response = FORCES; response < RESPONSES; ++response)
		for (int plane = 0; plane < 2; ++plane)
			NEAR(bond_taken(response, plane, (real)0.05), 1, response == FORCES ? 0.05 : 0.02, "energy of the bond");
}

static scree_world *impact(int response, contact_rule rule, real speed)
{
	scree_world *w = responds(response, rule);
	lab_plane(w, v3(0, 0, -R), v3(0, 0, 1));
	lab_add_moving(w, BALL, 2 * R, v3(0, 0, (real)0.05 * R), quat_one(), v3(0, 0, -speed), v3(0, 0, 0));
	w->model.guard.speed = speed;
	lab_prepare(w, 0);
	w->model.guard.speed = 0;
	return w;
}

/* energy in J needed to separate a body from a plane, starting at rest without load */
static real well_of(const law_constants *c, contact_rule rule)
{
	const real at = scree_law_pulled_in(c, R), length = jkr_length(GAMMA, (real)0.75 * c->stiffness, R);
	const real spring = c->stiffness * (rule.law == LAW_HERTZ ? sqrt(R * at) * (real)0.4 : (real)0.5) * at * at;
	if (rule.cohesion == COHESION_JKR) return -adhesion_jkr(GAMMA, R, length, at).energy;
	if (rule.cohesion == COHESION_DMT) return -adhesion_dmt(GAMMA, R, at).energy - spring;
	return -adhesion_simple(rule.surface, R, at).energy - spring;
}

/* Ratio of the speed after an impact on a plane to the speed before it, or 0 if the ball sticks. part: ratio of the
 * energy of the ball to the depth of the potential well */
static real rebound(int response, contact_rule rule, real part)
{
	scree_world *w = impact(response, rule, (real)0.05);
	const real speed = sqrt(2 * part * well_of(w->model.constants, rule) / w->state.body.mass[0]);
	scree_world_free(w);
	w = impact(response, rule, speed);
	lab_steps(w, (int64_t)((R / speed + 20 * w->model.contact_time) / w->model.dt));
	const real after = w->work.touching ? 0 : w->state.body.vz[0] / speed;
	scree_world_free(w);
	return after;
}

/* With attraction, impacts lose more energy than Newton's rule predicts, and slow bodies stick, as with forces. */
static void impacts_rebound_or_stick_as_by_forces(void **state)
{
	(void)state;
	for (int k = 0; k < 8; ++k) {
		const contact_rule hertz = lab_hertz(k & 1 ? 0.8 : 0.5, 0), linear = lab_linear(1e3, k & 1 ? 0.8 : 0.5, 0);
		const contact_rule rule[4] = {sticky(hertz, COHESION_JKR, GAMMA), sticky(hertz, COHESION_DMT, GAMMA),
									  sticky(hertz, COHESION_SIMPLE, 2e5), sticky(linear, COHESION_DMT, GAMMA)};
		for (real part = 2; part < 200; part *= 4) {
			const real forces = rebound(FORCES, rule[k / 2], part);
			NEAR(rebound(IMPLICIT, rule[k / 2], part), forces, 0.02, "implicit, compared with forces");
			NEAR(rebound(HARD, rule[k / 2], part), forces, forces > 0 ? 0.02 : 0.07, "hard, compared with forces");
		}
	}
}

/* Balls and cubes that fall on each other and stick: all energy is accounted for in the ledger, and they form a single
 * lump. */
static void lumps_keep_their_energy(void **state)
{
	(void)state;
	for (int response = IMPLICIT; response < RESPONSES; ++response)
		for (int32_t shape = BALL; shape <= CUBE; ++shape) {
			scree_world *w = responds(response, sticky(lab_linear(1e3, 0.3, MU), COHESION_DMT, 4 * GAMMA));
			lab_plane(w, v3(0, 0, 0), v3(0, 0, -1));
			for (int k = 0; k < 8; ++k)
				lab_add_moving(w, shape, 2 * R, v3((real)0.02 * R * (k % 2), 0, -R * (1 + (real)2.1 * k)), quat_one(),
							   v3(0, 0, (real)0.02 * (k + 1)), v3(0, 0, 0));
			lab_prepare(w, 0);
			lab_steps(w, 3000);
			const energy_row e = scree_world_energy(&w->model, &w->state, &w->work);
			NEAR(e.residual, 0, 1e-9 * e.brought, "residual");
			CHECK(w->work.touching >= 5 && e.kinetic < (real)0.1 * e.brought, "%lld contacts, kinetic energy of %g J",
				  (long long)w->work.touching, e.kinetic);
			scree_world_free(w);
		}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(bodies_hang_up_to_the_pull_off),
		cmocka_unit_test(a_growing_force_brackets_the_pull_off),
		cmocka_unit_test(attraction_acts_at_the_centre_of_the_area),
		cmocka_unit_test(attraction_and_springs_agree_at_rest),
		cmocka_unit_test(friction_without_load_is_that_of_the_pull),
		cmocka_unit_test(impacts_lose_the_energy_of_the_bond),
		cmocka_unit_test(impacts_rebound_or_stick_as_by_forces),
		cmocka_unit_test(lumps_keep_their_energy),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
