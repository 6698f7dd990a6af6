/* Patches in the plane (solver/plane_patches.h): for random bodies, springs, moving walls and friction, the impulses
 * obey the laws of the step, which the test evaluates from the velocities of the bodies. */
#include "test.h"

#include "solver/constraints.h"

enum { MOST = 6 };

typedef struct one_patch {
	struct constraints of;
	constraint row;
	constraint_point point[MOST + 1];
	plane_patch plane;
	impulse_body body[2], had[2];
	real had_friction, had_impulse[MOST];
	model m;
	state s;
	pair_list pair[PAIR_KINDS];
	solving v;
} one_patch;

static impulse_body random_body(random_stream *r, bool moves)
{
	impulse_body o = {.inv_mass = moves ? scree_random_between(r, 0.5, 2) : 0};
	o.inv_z = moves ? scree_random_between(r, 0.5, 8) : 0;
	o.velocity = v3(scree_random_between(r, -1, 1), scree_random_between(r, -1, 1), 0);
	o.angular_velocity.z = scree_random_between(r, -2, 2);
	return o;
}

static vec3 in_plane(random_stream *r, real size)
{
	return v3(scree_random_between(r, -size, size), scree_random_between(r, -size, size), 0);
}

static void set_point(one_patch *o, random_stream *r, constraint_point *p)
{
	const vec3 off = v3_mul(scree_random_between(r, -0.5, 0.5), o->row.block.beside);
	*p = (constraint_point){.weight = 1, .rebound = NO_IMPACT};
	p->arm_a = v3_add(o->row.arm_a, off), p->arm_b = v3_add(o->row.arm_b, off);
	p->soft = scree_random_between(r, 0.01, 1), p->goal = scree_random_between(r, -1.5, 0.5);
	p->meets = -p->goal * scree_random_between(r, 1, 1.5); /* a dashpot stops pulling before the spring does */
	p->impulse = real_max(scree_random_between(r, -0.5, 1), 0);
}

static void set_patch(one_patch *o, random_stream *r)
{
	*o = (one_patch){.row = {.ref = {.kind = PAIR_CONVEX_WALL, .b = 1}, .after = 1, .small = 0.5}};
	constraint *const c = &o->row;
	const real angle = scree_random_between(r, 0, 2 * SCREE_PI);
	o->body[0] = random_body(r, true), o->body[1] = random_body(r, test_seed % 3);
	c->normal = v3(scree_cos(angle), scree_sin(angle), 0);
	c->arm_a = in_plane(r, 0.7), c->arm_b = in_plane(r, 0.7);
	c->moves = in_plane(r, 0.5), c->spins = v3(0, 0, scree_random_between(r, -0.5, 0.5));
	const real soft = scree_random_between(r, 0.01, 1);
	c->block = friction_block_of(o->body, c->arm_a, o->body + 1, c->arm_b, c->normal, 0, soft);
	c->rub = test_seed % 5 ? scree_random_between(r, 0, 1) : 0;
	c->points = 1 + (int32_t)(1 + test_seed % MOST);
	for (int32_t k = 0; k + 1 < c->points; ++k) set_point(o, r, o->point + k);
	o->point[c->points - 1] = (constraint_point){.rebound = NO_IMPACT};
	c->friction.y = scree_random_between(r, -0.2, 0.2), c->start.y = scree_random_between(r, -0.2, 0.2);
	o->of.body = o->body, o->of.point = o->point, o->of.balls.quantum = 1e-12;
	o->m.flat = true;
	o->s.pair = o->pair;
	o->v = (solving){.m = &o->m, .s = &o->s, .of = &o->of, .h = 1, .tau = 1};
	memcpy(o->had, o->body, sizeof o->had);
	o->had_friction = c->friction.y;
	for (int32_t k = 0; k + 1 < c->points; ++k) o->had_impulse[k] = o->point[k].impulse;
	scree_plane_patch_set(&o->v, c, &o->plane);
}

static vec3 surfaces_at(const one_patch *o, vec3 arm_a, vec3 arm_b)
{
	const vec3 wall = v3_add(o->row.moves, v3_cross(o->row.spins, arm_a));
	return v3_sub(v3_sub(velocity_at(o->body, arm_a), velocity_at(o->body + 1, arm_b)), wall);
}

/* amount by which a point violates its law, which is a spring and dashpot where the predicted surfaces overlap */
static real error_of_point(const one_patch *o, const constraint_point *p)
{
	const real u = v3_dot(surfaces_at(o, p->arm_a, p->arm_b), o->row.normal), spring = -(u + p->goal) / p->soft;
	const real law = real_max(u < p->meets ? spring : 0, 0), broken = real_abs(p->impulse - law);
	const bool between = p->impulse >= 0 && p->impulse <= spring; /* allowed if the surfaces just touch */
	return between ? real_min(broken, real_abs(u - p->meets)) : broken;
}

static real error_of_friction(const one_patch *o)
{
	const constraint *c = &o->row;
	real pressed = 0;
	for (int32_t k = 0; k + 1 < c->points; ++k) pressed += o->point[k].impulse;
	const real most = c->rub * pressed, size = real_abs(c->friction.y);
	const real slip = v3_dot(surfaces_at(o, c->arm_a, c->arm_b), c->block.beside);
	const real gives = slip + c->block.soft * (c->friction.y - c->start.y);
	if (size > most + 1e-12) return size - most;
	return real_min(real_abs(gives), most - size + real_max(gives * c->friction.y, 0));
}

static real error_of(one_patch *o)
{
	scree_plane_patch_unpack(&o->v, &o->row, &o->plane);
	real error = error_of_friction(o);
	for (int32_t k = 0; k + 1 < o->row.points; ++k) error = real_max(error, error_of_point(o, o->point + k));
	return error;
}

/* The bodies have received these impulses and no others. */
static void check_pushes(const one_patch *o)
{
	impulse_body to[2] = {o->had[0], o->had[1]};
	const constraint *c = &o->row;
	const vec3 none = v3(0, 0, 0), across = v3_mul(c->friction.y - o->had_friction, c->block.beside);
	push_body(to, across, c->arm_a, none);
	push_body(to + 1, v3_neg(across), c->arm_b, none);
	for (int32_t k = 0; k + 1 < c->points; ++k) {
		const vec3 by = v3_mul(o->point[k].impulse - o->had_impulse[k], c->normal);
		push_body(to, by, o->point[k].arm_a, none);
		push_body(to + 1, v3_neg(by), o->point[k].arm_b, none);
	}
	for (int k = 0; k < 2; ++k) {
		NEAR(v3_norm(v3_sub(to[k].velocity, o->body[k].velocity)), 0, 1e-9, "velocity");
		NEAR(to[k].angular_velocity.z, o->body[k].angular_velocity.z, 1e-9, "angular velocity");
	}
}

static void impulses_obey_the_laws(void **state)
{
	(void)state;
	int64_t at_once = 0, late = 0, cases = 0, sticks = 0, slides = 0;
	real worst = 0;
	FOR_SEEDS(4000)
	{
		static one_patch o;
		random_stream r = scree_random_start(test_seed, 1);
		set_patch(&o, &r);
		CHECK(o.plane.points == o.row.points - 1, "it is not packed");
		scree_plane_patch_sweep(&o.v, &o.plane, 0);
		at_once += error_of(&o) < 1e-10;
		for (int k = 0; k < 200; ++k) scree_plane_patch_sweep(&o.v, &o.plane, 0);
		late += error_of(&o) > 1e-8;
		worst = real_max(worst, error_of(&o));
		check_pushes(&o);
		slides += o.row.friction.y != 0 && (o.plane.state & 3), sticks += !(o.plane.state & 3);
		++cases;
	}
	print_message("%lld of %lld solved by one sweep; greatest error after 200: %.2g\n", (long long)at_once,
				  (long long)cases, worst);
	CHECK(slides > cases / 20 && sticks > cases / 20, "cases of one kind alone: %lld, %lld", (long long)sticks,
		  (long long)slides);
	CHECK(at_once > cases * 19 / 20, "%lld solved by one sweep", (long long)at_once);
	/* points that just touch converge slowly */
	CHECK(late <= cases / 500, "%lld not solved by 200 sweeps", (long long)late);
	NEAR(worst, 0, 1e-2, "error after many sweeps");
}

static void others_are_not_packed(void **state)
{
	(void)state;
	static one_patch o;
	random_stream r = scree_random_start(1, 1);
	set_patch(&o, &r);
	CHECK(o.plane.points > 0, "a patch of springs");
	o.point[o.row.points - 1].rebound = 0.1;
	scree_plane_patch_set(&o.v, &o.row, &o.plane);
	CHECK(o.plane.points == 0, "an impact");
	o.point[o.row.points - 1].rebound = NO_IMPACT, o.row.roll.lever = 0.1;
	scree_plane_patch_set(&o.v, &o.row, &o.plane);
	CHECK(o.plane.points == 0, "rolling friction");
	o.row.roll.lever = 0, o.row.pull.kind = COHESION_DMT;
	scree_plane_patch_set(&o.v, &o.row, &o.plane);
	CHECK(o.plane.points == 0, "attraction");
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(impulses_obey_the_laws),
									   cmocka_unit_test(others_are_not_packed)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
