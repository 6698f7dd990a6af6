/* Patches in space (solver/space_patches.h): for random bodies, springs, moving walls and friction, one relaxation
 * finds impulses that obey the laws of the step, which the test evaluates from the velocities of the bodies. Where it
 * does not, and where the patch is in an impact, many sweeps do. Creeping bodies separate within a few steps, and then
 * stop. */
#include "lab.h"
#include "test.h"

#include "choices/choices.h"
#include "model/narrow.h"
#include "model/response.h"
#include "solver/constraints.h"

enum { MOST = 20 };

typedef struct one_patch {
	struct constraints of;
	constraint row;
	constraint_point point[MOST + 1];
	space_patch packed;
	patch_points more[MOST / PATCH_LANES + 1];
	impulse_body body[2], had[2];
	real had_impulse[MOST + 1];
	vec3 had_friction;
	model m;
	state s;
	solving v;
} one_patch;

static vec3 random_vector(random_stream *r, real size)
{
	const real x = scree_random_between(r, -size, size), y = scree_random_between(r, -size, size);
	return v3(x, y, scree_random_between(r, -size, size));
}

static impulse_body random_body(random_stream *r, bool moves)
{
	impulse_body o = {.inv_mass = moves ? scree_random_between(r, 0.5, 2) : 0};
	o.inv_x = moves ? scree_random_between(r, 1, 8) : 0;
	o.inv_y = moves ? scree_random_between(r, 1, 8) : 0;
	o.inv_z = moves ? scree_random_between(r, 1, 8) : 0;
	o.inv_xy = moves ? scree_random_between(r, -0.4, 0.4) : 0;
	o.velocity = random_vector(r, 1), o.angular_velocity = random_vector(r, 2);
	return o;
}

static void set_point(one_patch *o, random_stream *r, constraint_point *p)
{
	const friction_block *f = &o->row.block;
	const real x = scree_random_between(r, -0.5, 0.5), y = scree_random_between(r, -0.5, 0.5);
	const vec3 off = v3_madd(v3_mul(x, f->along), y, f->beside);
	*p = (constraint_point){.weight = 1, .rebound = NO_IMPACT};
	p->arm_a = v3_add(o->row.arm_a, off), p->arm_b = v3_add(o->row.arm_b, off);
	p->soft = scree_random_between(r, 0.01, 1), p->goal = scree_random_between(r, -1.5, 0.5);
	p->meets = -p->goal;
	p->impulse = real_max(scree_random_between(r, -0.5, 1), 0);
}

static real response_at(const one_patch *o, const constraint_point *p)
{
	const vec3 n = o->row.normal, a = v3_cross(p->arm_a, n), b = v3_cross(p->arm_b, n);
	return o->body[0].inv_mass + v3_dot(a, inertia_response(o->body, a)) + o->body[1].inv_mass +
		   v3_dot(b, inertia_response(o->body + 1, b));
}

/* The last point, with or without an impact whose impulse may be limited. */
static void set_bounce(one_patch *o, random_stream *r, bool bounces)
{
	constraint_point *p = o->point + o->row.points - 1;
	*p = (constraint_point){.rebound = NO_IMPACT, .limit = INFINITY};
	p->arm_a = o->row.arm_a, p->arm_b = o->row.arm_b;
	p->rigid = 1 / response_at(o, p), p->meets = INFINITY;
	if (!bounces) return;
	p->rebound = scree_random_between(r, 0, 0.5);
	p->meets = p->rebound;
	if (scree_random_between(r, 0, 1) < 0.3) p->limit = scree_random_between(r, 0, 3);
}

static void set_patch(one_patch *o, random_stream *r, bool bounces)
{
	*o = (one_patch){.row = {.ref = {.kind = PAIR_CONVEX_WALL, .b = 1}, .after = 1, .small = 0.5}};
	constraint *const c = &o->row;
	o->body[0] = random_body(r, true), o->body[1] = random_body(r, test_seed % 3);
	c->normal = scree_random_direction(r);
	c->arm_a = random_vector(r, 0.5), c->arm_b = random_vector(r, 0.5);
	c->moves = random_vector(r, 0.3), c->spins = random_vector(r, 0.3);
	c->rub = test_seed % 4 ? scree_random_between(r, 0.05, 1) : 0;
	c->block = friction_block_of(o->body, c->arm_a, o->body + 1, c->arm_b, c->normal, test_seed % 5 ? 0.2 : 0, 0.1);
	if (c->rub > 0) c->friction = random_vector(r, 0.1), c->start = random_vector(r, 0.3);
	if (!(c->block.arm > 0)) c->friction.z = 0; /* the spring may be left from a time with an arm */
	c->points = 2 + (int32_t)(test_seed % MOST);
	for (int32_t k = 0; k + 1 < c->points; ++k) set_point(o, r, o->point + k);
	set_bounce(o, r, bounces);
	o->of.body = o->body, o->of.point = o->point;
	o->of.space = (space_patches){.row = &o->packed, .more = o->more, .count = 1};
	o->of.balls.quantum = 0x1p-40;
	o->s.body.owned = o->s.body.count = 2;
	o->v = (solving){.m = &o->m, .s = &o->s, .of = &o->of, .h = 1, .tau = 1};
	memcpy(o->had, o->body, sizeof o->had);
	for (int32_t k = 0; k < c->points; ++k) o->had_impulse[k] = o->point[k].impulse;
	o->had_friction = c->friction;
	scree_space_patch_set(&o->v, c);
}

static vec3 slip_of_point(const one_patch *o, vec3 arm_a, vec3 arm_b)
{
	const vec3 on_b = v3_add(velocity_at(o->body + 1, arm_b), v3_add(o->row.moves, v3_cross(o->row.spins, arm_a)));
	return v3_sub(velocity_at(o->body, arm_a), on_b);
}

static real separation_at(const one_patch *o, const constraint_point *p)
{
	return v3_dot(slip_of_point(o, p->arm_a, p->arm_b), o->row.normal);
}

/* amount by which a point violates its law */
static real error_of_point(const one_patch *o, const constraint_point *p)
{
	return real_abs(p->impulse - real_max(-(separation_at(o, p) + p->goal) / p->soft, 0));
}

static real error_of_points(const one_patch *o, real *pressed)
{
	real error = 0;
	*pressed = o->point[o->row.points - 1].impulse;
	for (int32_t k = 0; k + 1 < o->row.points; ++k) {
		error = real_max(error, error_of_point(o, o->point + k));
		*pressed += o->point[k].impulse;
	}
	return error;
}

/* slip, and the rate at which the springs of friction yield */
static vec3 gives(const one_patch *o)
{
	const friction_block *f = &o->row.block;
	const vec3 u = slip_of_point(o, o->row.arm_a, o->row.arm_b);
	const vec3 w = v3_sub(v3_sub(o->body[0].angular_velocity, o->body[1].angular_velocity), o->row.spins);
	const vec3 slip = v3(v3_dot(u, f->along), v3_dot(u, f->beside), f->arm * v3_dot(w, o->row.normal));
	const vec3 left = v3_madd(slip, f->soft, v3_sub(o->row.friction, o->row.start));
	return v3(left.x, left.y, f->arm > 0 ? left.z : 0);
}

/* Friction stops the slip within its bound, or has the size of its bound and opposes the slip. Returns whether it
 * slides. */
static bool check_friction(const one_patch *o, real pressed, real tolerance)
{
	const real size = v3_norm(o->row.friction), cap = o->row.rub * pressed;
	const vec3 left = gives(o);
	CHECK(size <= cap + tolerance, "friction of %g with a bound of %g", size, cap);
	if (size < cap - tolerance) {
		NEAR(v3_norm(left), 0, tolerance, "slip that sticks");
		return false;
	}
	CHECK(v3_dot(left, o->row.friction) <= tolerance, "friction drives the slip");
	return true;
}

/* The bodies have received the changes in the impulses and no others. */
static void check_pushes(const one_patch *o)
{
	const constraint *c = &o->row;
	const friction_block *f = &c->block;
	const vec3 none = v3(0, 0, 0), by = v3_sub(c->friction, o->had_friction);
	impulse_body to[2] = {o->had[0], o->had[1]};
	for (int32_t k = 0; k < c->points; ++k) {
		const vec3 along = v3_mul(o->point[k].impulse - o->had_impulse[k], c->normal);
		push_body(to, along, o->point[k].arm_a, none);
		push_body(to + 1, v3_neg(along), o->point[k].arm_b, none);
	}
	const vec3 across = v3_madd(v3_mul(by.x, f->along), by.y, f->beside), couple = v3_mul(f->arm * by.z, c->normal);
	push_body(to, across, c->arm_a, couple);
	push_body(to + 1, v3_neg(across), c->arm_b, v3_neg(couple));
	for (int k = 0; k < 2; ++k) {
		NEAR(v3_norm(v3_sub(to[k].velocity, o->body[k].velocity)), 0, 1e-8, "velocity");
		NEAR(v3_norm(v3_sub(to[k].angular_velocity, o->body[k].angular_velocity)), 0, 1e-8, "angular velocity");
	}
}

static void one_relaxation_obeys_the_laws(void **state)
{
	(void)state;
	int64_t at_once = 0, cases = 0, pressed_some = 0, slides = 0, sticks = 0;
	FOR_SEEDS(4000)
	{
		static one_patch o;
		random_stream r = scree_random_start(test_seed, 1);
		real pressed = 0, change = 0, sum;
		set_patch(&o, &r, false);
		CHECK(o.packed.blocks > 0, "the patch is not packed");
		++cases;
		if (!scree_space_patch_relax(&o.v, &o.packed, &pressed, &change)) continue;
		++at_once;
		scree_space_patch_unpack(&o.v, &o.row, &o.packed);
		NEAR(error_of_points(&o, &sum), 0, 1e-8, "laws of the points");
		NEAR(pressed, sum, 1e-9, "sum of impulses");
		if (o.row.rub > 0 && sum > 0) *(check_friction(&o, sum, 1e-8) ? &slides : &sticks) += 1;
		if (!(o.row.rub > 0)) CHECK(v3_norm(o.row.friction) < 1e-15, "friction without a coefficient");
		pressed_some += sum > 0;
		check_pushes(&o);
	}
	print_message("%lld of %lld at once: %lld slide, %lld stick\n", (long long)at_once, (long long)cases,
				  (long long)slides, (long long)sticks);
	CHECK(at_once > cases * 9 / 10, "%lld of %lld solved at once", (long long)at_once, (long long)cases);
	CHECK(pressed_some > cases / 2, "only %lld patches press", (long long)pressed_some);
	CHECK(slides > cases / 20 && sticks > cases / 20, "cases of one kind alone");
}

/* The impact gives its rebound, or its limit if that is less. */
static void check_bounce(const one_patch *o, real pressed)
{
	const constraint_point *p = o->point + o->row.points - 1;
	const real separation = separation_at(o, p), springs = pressed - p->impulse;
	const bool limited = p->impulse > 0 && p->impulse >= real_max(p->limit - springs, 0) - 1e-6;
	CHECK(separation > p->rebound - 1e-6 || limited || p->impulse + springs >= p->limit - 1e-6,
		  "separates at %g instead of %g", separation, p->rebound);
	CHECK(!(p->impulse > 1e-6) || separation < p->rebound + 1e-6, "an impulse beyond the rebound");
}

static void sweeps_obey_the_laws(void **state)
{
	(void)state;
	int64_t settled = 0, cases = 0, bounced = 0;
	FOR_SEEDS(1000)
	{
		static one_patch o;
		random_stream r = scree_random_start(test_seed, 2);
		real pressed = 0, change = 1, sum;
		set_patch(&o, &r, test_seed % 2);
		for (int k = 0; k < 4000 && change > 1e-11; ++k) {
			change = 0;
			scree_space_patch_relax(&o.v, &o.packed, &pressed, &change);
		}
		++cases;
		scree_space_patch_unpack(&o.v, &o.row, &o.packed);
		check_pushes(&o);
		if (change > 1e-11) continue;
		++settled;
		NEAR(error_of_points(&o, &sum), 0, 1e-6, "laws of the points");
		NEAR(pressed, sum, 1e-9, "sum of impulses");
		if (o.row.rub > 0) check_friction(&o, sum, 1e-6);
		if (o.packed.bounces) check_bounce(&o, sum), bounced += o.point[o.row.points - 1].impulse > 0;
	}
	print_message("%lld of %lld settle, %lld rebound\n", (long long)settled, (long long)cases, (long long)bounced);
	CHECK(settled > cases * 9 / 10, "%lld of %lld settle", (long long)settled, (long long)cases);
	CHECK(bounced > cases / 20, "only %lld rebound", (long long)bounced);
}

/* ------------------------------------------------------------------ creeping */

static real left_edge(const scree_world *w, uint64_t id) { return w->state.body.x[lab_row(w, id)]; }

static void bodies_that_creep_part_and_stop(void **state)
{
	(void)state;
	scree_world *w = lab_world(lab_linear(1e5, 0.01, 0));
	const uint64_t a = lab_add(w, 1, 0.1, v3(0, 0, 0)), b = lab_add(w, 1, 0.1, v3(0.098, 0.01, 0.02));
	w->model.material.rule[0] = (contact_rule){.law = LAW_OVERLAP, .restitution = 0.01};
	w->model.narrow = scree_narrow_find("overlap-thickness");
	w->model.unsafe = w->model.creeps = true;
	model_respond(&w->model, scree_response_find("hard"));
	lab_prepare(w, 1e-3);
	lab_steps(w, 5);
	CHECK(w->work.greatest_overlap_part < 1e-4, "an overlap of %g of the size after 5 steps",
		  w->work.greatest_overlap_part);
	const real gap = left_edge(w, b) - left_edge(w, a);
	CHECK(gap > 0.0995 && gap < 0.1002, "they are %g m apart instead of 0.1", gap);
	NEAR(left_edge(w, a) + left_edge(w, b), 0.098, 1e-12, "centre of mass");
	lab_steps(w, 20);
	NEAR(left_edge(w, b) - left_edge(w, a), gap, 2e-5, "they stop");
	scree_world_free(w);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(one_relaxation_obeys_the_laws),
									   cmocka_unit_test(sweeps_obey_the_laws),
									   cmocka_unit_test(bodies_that_creep_part_and_stop)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
