/* Frictionless patches in space (solver/constraint_patch.c): for random bodies, springs and walls, one relaxation finds
 * impulses that obey the laws of the step, which the test evaluates from the velocities of the bodies. Creeping bodies
 * separate within a few steps, and then stop. */
#include "lab.h"
#include "test.h"

#include "choices/choices.h"
#include "model/narrow.h"
#include "model/response.h"
#include "solver/constraints.h"

enum { MOST = 6 };

typedef struct one_patch {
	struct constraints of;
	constraint row;
	constraint_point point[MOST + 1];
	impulse_body body[2], had[2];
	real had_impulse[MOST];
	model m;
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

static void set_patch(one_patch *o, random_stream *r)
{
	*o = (one_patch){.row = {.ref = {.kind = PAIR_CONVEX_CONVEX, .b = 1}, .after = 1, .small = 0.5}};
	constraint *const c = &o->row;
	o->body[0] = random_body(r, true), o->body[1] = random_body(r, test_seed % 3);
	c->normal = scree_random_direction(r);
	c->arm_a = random_vector(r, 0.5), c->arm_b = random_vector(r, 0.5);
	c->moves = random_vector(r, 0.3);
	c->block = friction_block_of(o->body, c->arm_a, o->body + 1, c->arm_b, c->normal, 0.2, 0.1);
	c->points = 2 + (int32_t)(test_seed % MOST);
	for (int32_t k = 0; k + 1 < c->points; ++k) set_point(o, r, o->point + k);
	o->point[c->points - 1] = (constraint_point){.rebound = NO_IMPACT};
	o->of.body = o->body, o->of.point = o->point;
	o->v = (solving){.m = &o->m, .of = &o->of, .h = 1, .tau = 1};
	memcpy(o->had, o->body, sizeof o->had);
	for (int32_t k = 0; k + 1 < c->points; ++k) o->had_impulse[k] = o->point[k].impulse;
	scree_constraint_patch_set(&o->v, c);
}

/* amount by which a point violates its law */
static real error_of_point(const one_patch *o, const constraint_point *p)
{
	const vec3 slip = v3_sub(velocity_at(o->body, p->arm_a), v3_add(velocity_at(o->body + 1, p->arm_b), o->row.moves));
	return real_abs(p->impulse - real_max(-(v3_dot(slip, o->row.normal) + p->goal) / p->soft, 0));
}

/* The bodies have received these impulses along the normal and no others. */
static void check_pushes(const one_patch *o)
{
	impulse_body to[2] = {o->had[0], o->had[1]};
	const vec3 none = v3(0, 0, 0);
	for (int32_t k = 0; k + 1 < o->row.points; ++k) {
		const vec3 by = v3_mul(o->point[k].impulse - o->had_impulse[k], o->row.normal);
		push_body(to, by, o->point[k].arm_a, none);
		push_body(to + 1, v3_neg(by), o->point[k].arm_b, none);
	}
	for (int k = 0; k < 2; ++k) {
		NEAR(v3_norm(v3_sub(to[k].velocity, o->body[k].velocity)), 0, 1e-9, "velocity");
		NEAR(v3_norm(v3_sub(to[k].angular_velocity, o->body[k].angular_velocity)), 0, 1e-9, "angular velocity");
	}
}

static void one_relaxation_obeys_the_laws(void **state)
{
	(void)state;
	int64_t at_once = 0, cases = 0, pressed_some = 0;
	FOR_SEEDS(4000)
	{
		static one_patch o;
		random_stream r = scree_random_start(test_seed, 1);
		real pressed = 0, change = 0, error = 0, sum = 0;
		set_patch(&o, &r);
		CHECK(o.row.direct, "the patch is not solved at once");
		++cases;
		if (!scree_constraint_patch_relax(&o.v, &o.row, &pressed, &change)) continue;
		++at_once;
		for (int32_t k = 0; k + 1 < o.row.points; ++k) {
			error = real_max(error, error_of_point(&o, o.point + k));
			sum += o.point[k].impulse;
		}
		NEAR(error, 0, 1e-9, "laws of the points");
		NEAR(pressed, sum, 1e-9, "sum of impulses");
		CHECK(v3_norm(o.row.friction) == 0, "friction without a coefficient");
		pressed_some += sum > 0;
		check_pushes(&o);
	}
	CHECK(at_once > cases * 19 / 20, "%lld of %lld solved at once", (long long)at_once, (long long)cases);
	CHECK(pressed_some > cases / 2, "only %lld patches press", (long long)pressed_some);
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
									   cmocka_unit_test(bodies_that_creep_part_and_stop)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
