/* Restitution in impacts on walls moved by forces: lids, wheels and servos, heavy or light compared with the bodies,
 * with forces, implicit steps and hard contacts (docs/theory/walls.md, docs/theory/implicit.md). The momentum and
 * energy of bodies and wall together are conserved, and results depend neither on threads nor on resuming. */
#include "base/maths.h"
#include "base/parallel.h"
#include "choices/choices.h"
#include "lab.h"
#include "model/narrow.h"
#include "model/response.h"
#include "test.h"
#include "world/world.h"

static const real SIZE = 0.01, ARM = 0.2, SPEED = 0.5;
typedef enum wall_kind { LID, WHEEL, SERVO, WALL_KINDS } wall_kind;
enum { BALL, CUBE };
static const char *const kind_name[] = {"lid", "wheel", "servo"};
static const char *const response_name[] = {"forces", "implicit", "hard"};

typedef struct impact {
	int response;
	wall_kind kind;
	int32_t shape;
	int bodies;
	real restitution, ratio; /* ratio: mass of the bodies divided by the mass of the wall */
	real friction, step;	 /* step: s; 0: the default */
} impact;

static wall wall_of(const impact *o, real mass)
{
	wall w = scree_wall_default(kind_name[o->kind], 0);
	const motion_type type[] = {MOTION_FREE, MOTION_WHEEL, MOTION_SERVO};
	w.motion = (wall_motion){.type = type[o->kind], .axis = {0, 1, 0}, .until = INFINITY};
	w.motion.servo = (servo_rule){.mass = mass, .low = -INFINITY, .high = INFINITY};
	if (o->kind == SERVO) w.motion.servo.force = 1e-12, w.motion.servo.max_speed = 100;
	if (o->kind == WHEEL) {
		w.motion.axis = v3(0, 0, 1), w.motion.point = v3(-ARM, 0, 0);
		w.motion.servo.mass *= ARM * ARM;
	}
	return w;
}

/* The bodies are in a row along the axis of the wheel, so that all have the same lever arm. */
static vec3 place_of(const impact *o, int k)
{
	return v3(o->kind == WHEEL ? 0 : 2 * SIZE * k, SIZE / 2 + 1e-3 * SIZE, 2 * SIZE * k);
}

static scree_world *world_of(const impact *o)
{
	contact_rule rule = o->shape == BALL ? lab_hertz(o->restitution, o->friction) : lab_linear(2e4, o->restitution, 0);
	if (o->shape == CUBE && o->response > 0) rule.law = LAW_OVERLAP;
	scree_world *w = lab_world(rule);
	fail why = {0};
	if (rule.law == LAW_OVERLAP) w->model.narrow = scree_narrow_find("overlap-thickness");
	if (o->response) model_respond(&w->model, scree_response_find(response_name[o->response]));
	const real mass = 2500 * SIZE * SIZE * SIZE * (o->shape == BALL ? SCREE_PI / 6 : 1);
	CHECK(scree_walls_add_plane(&w->model.wall, wall_of(o, mass / o->ratio), v3(0, 0, 0), v3(0, 1, 0), &why) == 0, "%s",
		  why.text);
	lab_rows(w);
	for (int k = 0; k < o->bodies; ++k)
		lab_add_moving(w, o->shape, SIZE, place_of(o, k), quat_one(), v3(0, -SPEED, 0), v3(0, 0, 0));
	lab_prepare(w, o->step);
	return w;
}

/* velocity of the wall in m/s at the points where the bodies touch it */
static real speed_of(const impact *o, const scree_world *w)
{
	return w->state.wall[0].servo.speed * (o->kind == WHEEL ? ARM : 1);
}

static real momentum_of(const impact *o, const scree_world *w)
{
	real sum = w->model.wall.row[0].servo.mass * w->state.wall[0].servo.speed / (o->kind == WHEEL ? ARM : 1);
	for (int32_t i = 0; i < w->state.body.count; ++i) {
		const bodies *b = &w->state.body;
		/* angular momentum about the axis, with the current lever arm */
		const real turns = (b->x[i] + ARM) * b->vy[i] - b->y[i] * b->vx[i];
		sum += b->mass[i] * (o->kind == WHEEL ? turns / ARM : b->vy[i]);
		if (o->kind == WHEEL) sum += b->iz[i] * b->wz[i] / ARM;
	}
	return sum;
}

static void near(real is, real wants, real within, const char *quantity, const char *where)
{
	CHECK(real_abs(is - wants) <= within, "%s: %s is %g, not %g", where, quantity, is, wants);
}

/* Each body must leave at e times its approach speed. */
static void leaves(const impact *o)
{
	scree_world *w = world_of(o);
	const real before = momentum_of(o, w), brought = o->bodies * w->state.body.mass[0] * SPEED * SPEED / 2;
	bool met = false;
	for (int k = 0; k < 40000 && !(met && w->work.touching == 0 && w->state.body.vy[0] > speed_of(o, w)); ++k) {
		lab_steps(w, 1);
		met |= w->state.body.vy[0] != -SPEED;
	}
	lab_steps(w, 3);
	const energy_row e = scree_world_energy(&w->model, &w->state, &w->work);
	real least = INFINITY, most = -INFINITY;
	for (int32_t i = 0; i < o->bodies; ++i) {
		const real part = (w->state.body.vy[i] - speed_of(o, w)) / SPEED;
		least = real_min(least, part), most = real_max(most, part);
	}
	char what[160];
	snprintf(what, sizeof what, "%s, %s, %d of shape %d, %g of the wall, friction %g, step %g",
			 response_name[o->response], kind_name[o->kind], o->bodies, (int)o->shape, o->ratio, o->friction,
			 w->model.dt);
	CHECK(met, "%s: they did not meet", what);
	near(least, o->restitution, 0.02, "restitution", what);
	near(most, o->restitution, 0.02, "restitution", what);
	near(momentum_of(o, w), before, (o->kind == WHEEL ? 1e-4 : 1e-9) * real_abs(before), "momentum", what);
	const real had = o->kind == SERVO ? w->model.wall.row[0].servo.mass * speed_of(o, w) * speed_of(o, w) / 2 : 0;
	CHECK(e.kinetic + had < (1 + 1e-2) * brought, "%s: %g J of %g J", what, e.kinetic + had, brought);
	if (o->restitution == 1) near(e.kinetic + had, brought, 1e-2 * brought, "energy", what);
	near(e.residual, 0, (o->response ? 1e-4 : 1e-2) * brought, "residual", what);
	scree_world_free(w);
}

static void every_ratio(impact o)
{
	for (int k = 0; k < 3; ++k)
		for (int n = 1; n <= 5; n += 4)
			for (int e = 0; e < 3; ++e) {
				o.ratio = (const real[]){1e-3, 1, 10}[k], o.bodies = n;
				o.restitution = (const real[]){0.1, 0.5, 1}[e];
				leaves(&o);
			}
}

static void balls_leave_as_asked(void **state)
{
	(void)state;
	for (int response = 0; response < 3; ++response)
		for (int kind = 0; kind < WALL_KINDS; ++kind) every_ratio((impact){.response = response, .kind = kind});
}

static void friction_and_longer_steps_change_nothing(void **state)
{
	(void)state;
	for (int response = 1; response < 3; ++response)
		for (int kind = 0; kind < SERVO; ++kind) {
			every_ratio((impact){.response = response, .kind = kind, .friction = 0.5});
			every_ratio((impact){.response = response, .kind = kind, .step = 1e-3});
		}
}

static void cubes_leave_as_asked(void **state)
{
	(void)state;
	for (int response = 1; response < 3; ++response)
		for (int kind = 0; kind < SERVO; ++kind)
			every_ratio((impact){.response = response, .kind = kind, .shape = CUBE});
}

/* ------------------------------------------------------------------ held bodies */

/* Held bodies in front of a 10 g wall: the wall is a wheel or lid arriving at this speed, or a servo with a force of
 * 0.3 N. */
static scree_world *before_held(const impact *o)
{
	contact_rule rule = o->shape == BALL ? lab_hertz(o->restitution, o->friction) : lab_linear(2e4, o->restitution, 0);
	if (o->shape == CUBE && o->response > 0) rule.law = LAW_OVERLAP;
	scree_world *w = lab_world(rule);
	fail why = {0};
	if (rule.law == LAW_OVERLAP) w->model.narrow = scree_narrow_find("overlap-thickness");
	if (o->response) model_respond(&w->model, scree_response_find(response_name[o->response]));
	wall moves = wall_of(o, 0.01);
	moves.motion.servo.speed = o->kind == WHEEL ? SPEED / ARM : SPEED;
	if (o->kind == SERVO) moves.motion.servo.force = 0.3, moves.motion.servo.damping = 1;
	CHECK(scree_walls_add_plane(&w->model.wall, moves, v3(0, 0, 0), v3(0, 1, 0), &why) == 0, "%s", why.text);
	lab_rows(w);
	for (int k = 0; k < o->bodies; ++k) lab_add(w, o->shape, SIZE, place_of(o, k));
	for (int32_t i = 0; i < w->state.body.count; ++i) {
		w->state.body.flags[i] |= BODY_HELD;
		w->state.body.inv_mass[i] = 0;
	}
	lab_prepare(w, o->step);
	return w;
}

static void rebounds_from_held(const impact *o)
{
	scree_world *w = before_held(o);
	char what[120];
	snprintf(what, sizeof what, "%s, %s, %d held of shape %d", response_name[o->response], kind_name[o->kind],
			 o->bodies, (int)o->shape);
	for (int k = 0; k < 20000 && !(speed_of(o, w) < 0 && w->work.touching == 0); ++k) lab_steps(w, 1);
	near(speed_of(o, w), -o->restitution * SPEED, 0.02 * SPEED, "speed of the wall", what);
	near(w->state.body.vy[0], 0, 0, "speed of the body", what);
	scree_world_free(w);
}

static void walls_rebound_from_held_bodies(void **state)
{
	(void)state;
	for (int response = 0; response < 3; ++response)
		for (int kind = 0; kind < SERVO; ++kind)
			for (int32_t shape = BALL; shape <= CUBE; ++shape)
				for (int n = 1; n <= 4; n += 3)
					for (int e = 0; e < 2; ++e) {
						const impact o = {.response = response, .kind = kind, .shape = shape, .bodies = n};
						impact with = o;
						with.restitution = e ? 1 : 0.5, with.step = response ? 3e-3 : 2e-6, with.friction = 0.3;
						rebounds_from_held(&with);
					}
}

static void a_servo_presses_on_held_bodies(void **state)
{
	(void)state;
	for (int response = 0; response < 3; ++response) {
		const impact o = {
			.response = response, .kind = SERVO, .bodies = 3, .restitution = 0.3, .step = response ? 5e-4 : 1e-5};
		scree_world *w = before_held(&o);
		while (w->state.time < 0.3) lab_steps(w, 10);
		near(-w->state.wall[0].force.y, 0.3, 1e-3, "load", response_name[response]);
		near(w->state.wall[0].velocity.y, 0, 1e-4, "speed", response_name[response]);
		CHECK(w->state.wall[0].position.y < 0.01 * SIZE, "%s: it went through", response_name[response]);
		scree_world_free(w);
	}
}

/* ------------------------------------------------------------------ between packings */

/* A piston moving freely between balls below and above it. */
static scree_world *piston(int response)
{
	scree_world *w = lab_world(lab_hertz(0.4, 0.5));
	const real wide = 4.2 * SIZE;
	fail why = {0};
	if (response) model_respond(&w->model, scree_response_find(response_name[response]));
	w->model.gravity = v3(0, -9.81, 0);
	lab_plane(w, v3(0, 0, 0), v3(0, 1, 0));
	lab_plane(w, v3(0, 0, 0), v3(1, 0, 0));
	lab_plane(w, v3(0, 0, 0), v3(0, 0, 1));
	lab_plane(w, v3(wide, 0, 0), v3(-1, 0, 0));
	lab_plane(w, v3(0, 0, wide), v3(0, 0, -1));
	impact o = {.kind = LID};
	wall lid = wall_of(&o, 0.05);
	lid.two_sided = true;
	lid.motion.servo.weight = true;
	const vec3 corner[4] = {{0, 0, 0}, {0, 0, wide}, {wide, 0, wide}, {wide, 0, 0}};
	vec3 at[4];
	for (int k = 0; k < 4; ++k) at[k] = v3_add(corner[k], v3(0, 3.3 * SIZE, 0));
	CHECK(scree_walls_add_polygon(&w->model.wall, lid, 4, at, &why) == 5, "%s", why.text);
	lab_rows(w);
	random_stream r = scree_random_start(3, 3);
	for (int k = 0; k < 96; ++k) {
		const real x = k % 4 + 0.55, z = k / 4 % 4 + 0.55, y = k / 16, off = scree_random_between(&r, -0.02, 0.02);
		const real up = k < 48 ? y + 0.55 : y + 1.05;
		lab_add(w, 0, SIZE * scree_random_between(&r, 0.9, 0.94),
				v3(SIZE * 1.02 * (x + off), SIZE * 1.02 * up, SIZE * 1.02 * (z - off)));
	}
	lab_prepare(w, 0);
	return w;
}

static void a_piston_rests_between_packings(void **state)
{
	(void)state;
	for (int response = 1; response < 3; ++response) {
		scree_world *w = piston(response);
		while (w->state.time < 1.2) lab_steps(w, 50);
		const energy_row e = scree_world_energy(&w->model, &w->state, &w->work);
		real above = 0, all = 0;
		const real height = w->state.wall[5].position.y + 3.3 * SIZE;
		for (int32_t i = 0; i < w->state.body.count; ++i) {
			all += 9.81 * w->state.body.mass[i];
			if (w->state.body.y[i] > height) above += 9.81 * w->state.body.mass[i];
		}
		near(-w->state.wall[5].force.y, -0.05 * 9.81, 0.01 * 0.05 * 9.81, "its load", response_name[response]);
		near(w->state.wall[5].velocity.y, 0, 1e-4, "it rests", response_name[response]);
		CHECK(above > 0.3 * all, "%s: balls have passed it", response_name[response]);
		near(e.residual, 0, 1e-2 * e.lost, "residual", response_name[response]);
		scree_world_free(w);
	}
}

static void threads_and_resumes_change_nothing(void **state)
{
	(void)state;
	const int before = scree_threads();
	for (int response = 0; response < 3; ++response) {
		uint64_t hash[3];
		for (int k = 0; k < 3; ++k) {
			scree_set_threads(k == 1 ? 3 : 1);
			scree_world *w = piston(response);
			lab_steps(w, 60);
			if (k == 2) {
				scree_world *again = lab_resumed(w);
				scree_world_free(w);
				w = again;
			}
			lab_steps(w, 60);
			hash[k] = scree_world_hash(&w->model, &w->state, &w->work);
			scree_world_free(w);
		}
		CHECK(hash[0] == hash[1], "%s: three threads give another state", response_name[response]);
		CHECK(hash[0] == hash[2], "%s: a resume gives another state", response_name[response]);
	}
	scree_set_threads(before);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(balls_leave_as_asked),
		cmocka_unit_test(friction_and_longer_steps_change_nothing),
		cmocka_unit_test(cubes_leave_as_asked),
		cmocka_unit_test(walls_rebound_from_held_bodies),
		cmocka_unit_test(a_servo_presses_on_held_bodies),
		cmocka_unit_test(a_piston_rests_between_packings),
		cmocka_unit_test(threads_and_resumes_change_nothing),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
