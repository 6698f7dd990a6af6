/* Specified and actual restitution: bodies of several shapes hit a wall, another body, a light wall that moves freely,
 * or a wheel, at any time within a step, with steps of 0.02 to 3 contact times and all responses. SCREE_TEST_FACTOR > 1
 * runs all cases. The heights that bodies reach when bouncing under gravity are also tested. */
#include "base/maths.h"
#include "choices/choices.h"
#include "kernel/quat.h"
#include "lab.h"
#include "model/law.h"
#include "model/narrow.h"
#include "model/response.h"
#include "test.h"
#include "world/internal.h"

#include <stdlib.h>
#include <string.h>

static const real D = 0.01, SPEED = 0.1, ARM = 0.2, WITHIN = 0.02;

/* A shape that hits the other body at its own lowest point, `low` diameters below the centre. */
typedef struct form {
	const char *name;
	int32_t shape;
	bool patch;
	/* rotated about z by `roll`, then about x by `tilt`; falling capsules are rotated about x by both */
	real low, tilt, roll;
	real top; /* height of the other body's top above the centre of that body */
} form;

enum { BALL, CUBE, ELLIPSOID, CAPSULE, CYLINDER, BLOCK, DISC };
static const real TO_EDGE = 0.78539816339744831, TO_CORNER = 0.95531661812450928, ACROSS = 1.5707963267948966;
/* A tilt of 0.001 degrees, which moves the contact point to a third of the width of a flat side. */
static const real LITTLE = 1.7e-5;
static const form forms[] = {
	{"ball", BALL, false, 0.5, 0, 0, 0.5},
	{"cube on a face", CUBE, true, 0.5, 0, 0, 0.5},
	{"cube on an edge", CUBE, true, 0.70710678118654757, TO_EDGE, 0, 0.5},
	{"cube on a corner", CUBE, true, 0.8660254037844386, TO_CORNER, TO_EDGE, 0.5},
	{"ellipsoid on its tip", ELLIPSOID, false, 0.75, 0, 0, 0.75},
	{"ellipsoid on its side", ELLIPSOID, false, 0.5, ACROSS, 0, 0.5},
	{"capsule on its tip", CAPSULE, false, 1, 0, 0, 1},
	{"capsule on its side", CAPSULE, false, 0.5, ACROSS, 0, 0.5},
	{"cylinder on its end", CYLINDER, false, 0.5, 0, 0, 0.5},
	{"cylinder on its end, a little tilted", CYLINDER, false, 0.5, LITTLE, 0, 0.5},
	{"cylinder on its side", CYLINDER, false, 0.5, ACROSS, 0, 0.5},
	{"cylinder on its side, a little tilted", CYLINDER, false, 0.5, ACROSS + LITTLE, 0.3, 0.5},
	{"block on a face", BLOCK, false, 0.5, 0, 0, 0.5},
	{"block on a face, a little tilted", BLOCK, false, 0.5, LITTLE, 0, 0.5},
	{"block on an edge", BLOCK, false, 0.64841977732550479, TO_EDGE, 0, 0.5},
	{"disc on its face", DISC, false, 0.2, 0, 0, 0.2},
	{"capsule on its side, a little tilted", CAPSULE, false, 0.5, ACROSS, 1e-6, 0.5},
};
enum { FORMS = sizeof forms / sizeof *forms, PHASES = 8 };
static const real asked[] = {0.9, 0.7, 0.5, 0.3, 0.1};
static const real steps[] = {0.02, 0.1, 0.2, 0.25, 0.35, 1, 2, 3};
static const char *const responses[] = {"forces", "implicit", "hard"};
enum { ASKED = sizeof asked / sizeof *asked, STEPS = sizeof steps / sizeof *steps };
enum { RESPONSES = sizeof responses / sizeof *responses };

static quat turn_of(const form *f, bool turned)
{
	if (f->shape == CAPSULE) return quat_exp(v3(f->tilt + (turned ? f->roll : 0), 0, 0), 1);
	if (!turned) return f->shape == CUBE || f->shape == BLOCK ? quat_one() : quat_exp(v3(f->tilt, 0, 0), 1);
	return quat_mul(quat_exp(v3(f->tilt, 0, 0), 1), quat_exp(v3(0, 0, f->roll), 1));
}

/* There is one material for each restitution; the wall has the first one. */
static scree_world *world_of(const form *f, const char *response, const real restitution[ASKED])
{
	contact_rule rule = f->patch ? (contact_rule){.law = LAW_OVERLAP} : lab_hertz(1, 0);
	rule.restitution = restitution[0];
	scree_world *w = lab_world(rule);
	fail why = {0};
	shapes *s = &w->model.shape;
	const material of = w->model.material.row[0];
	for (int k = 1; k < ASKED; ++k) scree_materials_add(&w->model.material, of);
	for (int i = 0; i < ASKED; ++i)
		for (int j = i; j < ASKED; ++j) {
			rule.restitution = restitution[j];
			scree_materials_set_rule(&w->model.material, i, j, rule);
		}
	if (f->patch) w->model.narrow = scree_narrow_find("overlap-thickness");
	CHECK(scree_shapes_add_superquadric(s, "ellipsoid", v3(0.5, 0.5, 0.75), 2, 2, &why) == ELLIPSOID, "%s", why.text);
	CHECK(scree_shapes_add_capsule(s, "capsule", 2, 1, &why) == CAPSULE, "%s", why.text);
	CHECK(scree_shapes_add_superquadric(s, "cylinder", v3(0.5, 0.5, 0.5), 2, 8, &why) == CYLINDER, "%s", why.text);
	CHECK(scree_shapes_add_superquadric(s, "block", v3(0.5, 0.5, 0.5), 8, 8, &why) == BLOCK, "%s", why.text);
	CHECK(scree_shapes_add_superquadric(s, "disc", v3(0.6, 0.6, 0.2), 2, 6, &why) == DISC, "%s", why.text);
	model_respond(&w->model, scree_response_find(response));
	return w;
}

static uint64_t add(scree_world *w, const form *f, int k, bool falls, vec3 at)
{
	const new_body b = {.shape = f->shape,
						.material = k,
						.size = D,
						.position = at,
						.orientation = turn_of(f, falls),
						.velocity = v3(0, 0, falls ? -SPEED : 0)};
	return scree_world_add(&w->model, &w->state, &w->work, 1, &b);
}

/* Targets of impacts; the light wall and the wheel are as heavy as the body, so each receives half of the body's speed.
 */
typedef enum target { WALL, BODY, LIGHT_WALL, WHEEL, TARGETS } target;
static const char *const target_name[] = {"a wall", "a body", "a light wall", "a wheel"};

/* One of the bodies in a world: its restitution, and the fraction of a step after which it reaches its target. */
typedef struct falling {
	int k;
	uint64_t id, other;
	int32_t wall; /* row of the moving wall, or -1 */
} falling;

/* A case: bodies fall onto a target, with a given response and step (in contact times, or 0 for the default) */
typedef struct landing {
	const form *f;
	target on;
	const char *response;
	real step;
} landing;

/* A square wall below a body; the wall moves along z or about an axis next to it. */
static int32_t add_light(scree_world *w, const landing *o, real x, real y)
{
	const real mass = 2500 * D * D * D * w->model.shape.row[o->f->shape].volume, half = (real)1.4 * D;
	const vec3 corner[4] = {
		{x - half, y - half, 0}, {x + half, y - half, 0}, {x + half, y + half, 0}, {x - half, y + half, 0}};
	fail why = {0};
	char name[24];
	snprintf(name, sizeof name, "wall%d", (int)w->model.wall.count);
	wall to = scree_wall_default(name, 0);
	to.motion = (wall_motion){.type = MOTION_FREE, .axis = {0, 0, 1}, .until = INFINITY};
	to.motion.servo = (servo_rule){.mass = mass, .low = -INFINITY, .high = INFINITY};
	if (o->on == WHEEL) {
		to.motion.type = MOTION_WHEEL, to.motion.axis = v3(0, -1, 0), to.motion.point = v3(x - ARM, y, 0);
		to.motion.servo.mass *= ARM * ARM;
	}
	const int32_t k = scree_walls_add_polygon(&w->model.wall, to, 4, corner, &why);
	CHECK(k >= 0, "%s", why.text);
	return k;
}

/* Returns the ratio of separation speed to approach speed. */
static real rebound_of(const scree_world *w, const landing *l, const falling *o)
{
	const real up = w->state.body.vz[lab_row(w, o->id)];
	const real turned = l->on == WHEEL ? ARM : 1, wall = o->wall < 0 ? 0 : w->state.wall[o->wall].servo.speed * turned;
	return (up - wall - (o->other ? w->state.body.vz[lab_row(w, o->other)] : 0)) / SPEED;
}

static void judge(const landing *o, const scree_world *w, const falling *all, int count)
{
	for (int k = 0; k < ASKED; ++k) {
		real least = INFINITY, most = -INFINITY;
		for (const falling *b = all; b < all + count; ++b) {
			if (b->k != k) continue;
			const real e = rebound_of(w, o, b);
			least = real_min(least, e), most = real_max(most, e);
		}
		const real off = real_max(most - asked[k], asked[k] - least);
		const char *const on = target_name[o->on];
		if (getenv("SCREE_TEST_TABLE"))
			printf("%-37s on %-12s %-8s %4g: %g as %.3f to %.3f%s\n", o->f->name, on, o->response, o->step, asked[k],
				   least, most, off > WITHIN ? " *" : "");
		else
			CHECK(off <= WITHIN, "%s on %s by %s in steps of %g: %g as %g to %g", o->f->name, on, o->response, o->step,
				  asked[k], least, most);
	}
}

static void lands(const landing *o)
{
	enum { PAST = 2, LATER = 8 };
	const form *f = o->f;
	scree_world *w = world_of(f, o->response, asked);
	falling all[ASKED * PHASES];
	int count = 0;
	if (o->on == WALL) lab_plane(w, v3(0, 0, 0), v3(0, 0, 1));
	if (o->on >= LIGHT_WALL)
		for (int n = 0; n < ASKED * PHASES; ++n)
			all[n].wall = add_light(w, o, 3 * D * (n / PHASES), 3 * D * (n % PHASES));
	lab_rows(w);
	for (int k = 0; k < ASKED; ++k)
		for (int p = 0; p < PHASES; ++p) {
			const real x = 3 * D * k, y = 3 * D * p;
			falling *b = all + count++;
			*b = (falling){.k = k, .wall = o->on >= LIGHT_WALL ? b->wall : -1};
			if (o->on == BODY) b->other = add(w, f, k, false, v3(x, y, -f->top * D));
			b->id = add(w, f, k, true, v3(x, y, (f->low + 1) * D));
		}
	lab_prepare(w, 0);
	const real time = w->model.contact_time, h = o->step > 0 ? o->step * time : w->model.dt;
	for (int n = 0; n < count; ++n)
		w->state.body.z[lab_row(w, all[n].id)] = f->low * D + (PAST + ((real)(n % PHASES) + 0.5) / PHASES) * SPEED * h;
	lab_lose_work(w);
	lab_prepare(w, h);
	lab_steps(w, (int64_t)(PAST + LATER + 4 * LATER * time / h));
	judge(o, w, all, count);
	scree_world_free(w);
}

/* A single hard contact of a tilted body is a rigid impact at the border of the body, after which the body rotates. */
static bool is_rigid_tilt(const landing *o) { return strstr(o->f->name, "tilted") && !strcmp(o->response, "hard"); }

/* The sample includes each shape, response and step. */
static bool is_chosen(int64_t number) { return test_factor() > 1 || (number % 7 == 0 && test_drawn(number / 7)); }

static void bodies_rebound_as_asked(void **state)
{
	(void)state;
	int64_t number = 0;
	for (int n = 0; n < FORMS; ++n)
		for (target on = WALL; on < TARGETS; ++on)
			for (int r = 0; r < RESPONSES; ++r)
				for (int s = 0; s < (r ? STEPS : 1); ++s) {
					const landing o = {forms + n, on, responses[r], r ? steps[s] : 0};
					if (is_chosen(number++) && !is_rigid_tilt(&o)) lands(&o);
				}
}

/* ------------------------------------------------------------------ under gravity */

/* Bodies that fall onto a plane from height HIGH, or start a fraction of a step earlier. */
typedef struct bouncing {
	const form *f;
	scree_world *w;
	uint64_t id[ASKED * PHASES];
	real energy[ASKED * PHASES]; /* initial energy in J/kg */
} bouncing;

static const real HIGH = 0.002, G = 9.81;

/* energy of the body with this number in J/kg; 0 if it is at rest and touches the plane */
static real energy_of(const bouncing *b, int n)
{
	const int32_t i = lab_row(b->w, b->id[n]);
	real potential, kinetic = scree_energy_of_body(&b->w->model, &b->w->state, i, &potential);
	return (kinetic + potential) / b->w->state.body.mass[i] - G * b->f->low * D;
}

/* step: step in contact times, or 0 for the default */
static bouncing start_of(const form *f, const char *response, real step, const real restitution[ASKED])
{
	bouncing b = {.f = f, .w = world_of(f, response, restitution)};
	b.w->model.gravity = v3(0, 0, -G);
	lab_plane(b.w, v3(0, 0, 0), v3(0, 0, 1));
	lab_rows(b.w);
	for (int n = 0; n < ASKED * PHASES; ++n)
		b.id[n] = add(b.w, f, n / PHASES, true, v3(3 * D * (n / PHASES), 3 * D * (n % PHASES), (f->low + 1) * D));
	lab_prepare(b.w, 0);
	const real h = step > 0 ? step * b.w->model.contact_time : b.w->model.dt, speed = sqrt(2 * G * HIGH);
	bodies *o = &b.w->state.body;
	for (int n = 0; n < ASKED * PHASES; ++n) {
		const int64_t i = lab_row(b.w, b.id[n]);
		o->z[i] = f->low * D + HIGH + ((real)(n % PHASES) + 0.5) / PHASES * speed * h, o->vz[i] = 0;
	}
	lab_lose_work(b.w);
	lab_prepare(b.w, h);
	for (int n = 0; n < ASKED * PHASES; ++n) b.energy[n] = energy_of(&b, n);
	return b;
}

/* Fraction of energy that a body retains after its first bounce, averaged over phases and converted to a restitution.
 */
static void rise(bouncing *b, real mean[ASKED])
{
	const real speed = sqrt(2 * G * HIGH);
	real has[ASKED * PHASES] = {0};
	for (int64_t s = 0; s < (int64_t)((real)1.9 * speed / G / b->w->model.dt) + 10; ++s) {
		lab_steps(b->w, 1);
		for (int n = 0; n < ASKED * PHASES; ++n)
			if (has[n] > 0 || b->w->state.body.vz[lab_row(b->w, b->id[n])] > 0)
				has[n] = real_max(has[n], energy_of(b, n));
	}
	for (int k = 0; k < ASKED; ++k) mean[k] = 0;
	for (int n = 0; n < ASKED * PHASES; ++n) mean[n / PHASES] += sqrt(has[n] / b->energy[n]) / PHASES;
	scree_world_free(b->w);
}

/* Soft contacts under gravity lose more than 1 - e^2, because gravity compresses the contacts; this is also true with
 * forces. */
static void bodies_rise_as_by_forces(void **state)
{
	enum { SOFT = 3 }; /* the specified restitutions for which bodies rise by much more than the overlap */
	static const real longer[] = {0.2, 0.35, 1};
	(void)state;
	for (int n = 0; n < FORMS; ++n) {
		if (test_factor() <= 1 && (n % 3 != 0 || !test_drawn(n / 3))) continue;
		if (strstr(forms[n].name, "tilted") || strstr(forms[n].name, " edge") || strstr(forms[n].name, "corner"))
			continue; /* these shapes rotate during the bounce */
		real by_forces[ASKED], has[ASKED];
		bouncing b = start_of(forms + n, "forces", 0, asked);
		rise(&b, by_forces);
		for (int s = 0; s < 3; ++s) {
			b = start_of(forms + n, "implicit", longer[s], asked);
			rise(&b, has);
			for (int k = 0; k < SOFT; ++k)
				CHECK(real_abs(has[k] - by_forces[k]) < WITHIN, "%s, steps of %g, %g: %g, by forces %g", forms[n].name,
					  longer[s], asked[k], has[k], by_forces[k]);
		}
	}
}

static bool touches_nothing(const bouncing *b, int n)
{
	return b->w->state.body.z[lab_row(b->w, b->id[n])] > (b->f->low + (real)0.05) * D;
}

/* Steps have any length, and bodies reach the plane at any time within a step. */
static void elastic_bodies_keep_their_energy(void **state)
{
	/* the ellipsoid on its side, and the block */
	static const form *const of[] = {forms + BALL, forms + 5, forms + 12};
	static const real some[] = {0.1, 0.25, 0.38, 1, 3}, elastic[ASKED] = {1, 1, 1, 1, 1};
	(void)state;
	for (int n = 0; n < 3; ++n)
		for (int s = 0; s < 5; ++s) {
			if (!test_drawn(5 * n + s)) continue;
			bouncing b = start_of(of[n], "implicit", some[s], elastic);
			int seen = 0;
			for (int part = 0; part < 40; ++part) { /* 10 bounces */
				lab_steps(b.w, (int64_t)((real)0.01 / b.w->model.dt) + 1);
				for (int i = 0; i < ASKED * PHASES; ++i) {
					if (!touches_nothing(&b, i)) continue;
					const real part_of = energy_of(&b, i) / b.energy[i];
					++seen;
					CHECK(real_abs(part_of - 1) < (real)1e-3, "%s, steps of %g: %g of its energy", of[n]->name, some[s],
						  part_of);
				}
			}
			CHECK(seen > 40 * ASKED, "%d readings", seen);
			scree_world_free(b.w);
		}
}

/* The guard reads energies during some impacts, while the contact stores energy that it will return. */
static void guard_lets_a_ball_bounce(void **state)
{
	static const real some[] = {0.05, 0.2, 0.3};
	(void)state;
	for (int s = 0; s < 3; ++s) {
		if (!test_drawn(s)) continue;
		scree_world *w = lab_world(lab_hertz(1, 0));
		model_respond(&w->model, scree_response_find("implicit"));
		w->model.gravity = v3(0, 0, -G);
		lab_plane(w, v3(0, 0, 0), v3(0, 0, 1));
		w->model.guard.energy = 0.05;
		lab_add(w, 0, D, v3(0, 0, D));
		lab_prepare(w, 0);
		lab_prepare(w, some[s] * w->model.contact_time);
		lab_steps(w, 60000);
		scree_world_free(w);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(bodies_rebound_as_asked), cmocka_unit_test(bodies_rise_as_by_forces),
		cmocka_unit_test(elastic_bodies_keep_their_energy), cmocka_unit_test(guard_lets_a_ball_bounce)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
