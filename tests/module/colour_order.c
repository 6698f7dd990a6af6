/* The contacts of a colour may be solved in any order (src/solver/colours.h): a step of `implicit`, `hard` and
 * `elastic` finds the same velocities, bit by bit, after its contacts were shuffled within their colours; it does not
 * after two colours were exchanged. Contacts of balls, which are solved side by side, come into other lanes. */
#include "lab.h"
#include "test.h"

#include "base/memory.h"
#include "kernel/quat.h"
#include "model/narrow.h"
#include "model/response.h"
#include "solver/work.h"

#include <string.h>

static const real D = 0.01;
enum { BALL, CUBE, SHAPES, STEPS = 12 };

/* A block of bodies with small gaps and velocities at random falls on a plane. */
static scree_world *pile(const char *response_name, int32_t shape)
{
	const contact_rule overlap = {.law = LAW_OVERLAP, .restitution = 0.2, .friction = 0.4};
	const response *row = scree_response_find(response_name);
	scree_world *w = lab_world(shape == CUBE ? overlap : lab_hertz(0.2, row->implicit ? 0.4 : 0));
	model_respond(&w->model, row);
	if (shape == CUBE) w->model.narrow = scree_narrow_find("overlap-thickness");
	w->model.gravity = v3(0, 0, -9.81);
	w->model.unsafe = true; /* a start with overlaps */
	lab_plane(w, v3(0, 0, 0), v3(0, 0, 1));
	random_stream r = scree_random_start(3, 1);
	const int side = shape == BALL ? 6 : 3;
	for (int k = 0; k < side * side * side; ++k) {
		const real x = scree_random_between(&r, -0.02, 0.02), y = scree_random_between(&r, -0.02, 0.02);
		const vec3 at = v3(k % side + x, k / side % side + y, k / side / side + 0.499);
		lab_add_moving(w, shape, D, v3_mul(0.998 * D, at), quat_exp(v3(0, 0, 1), x), v3(5 * x, 5 * y, -0.1),
					   v3(0, 0, 0));
	}
	lab_prepare(w, 0);
	lab_steps(w, STEPS);
	return w;
}

static void exchange(colour_item *x, colour_item *y)
{
	const colour_item had = *x;
	*x = *y;
	*y = had;
}

static int64_t end_of(const colouring *c, int32_t colour) { return c->first[colour + 1]; }

/* Returns the number of contacts in colours of eight and more. */
static int64_t shuffle_within(colouring *c)
{
	random_stream r = scree_random_start(9, 1);
	int64_t many = 0;
	for (int32_t n = 0; n < c->colours; ++n) {
		const int64_t first = c->first[n], count = end_of(c, n) - first;
		for (int64_t k = count - 1; k > 0; --k)
			exchange(c->all.item + first + k, c->all.item + first + (int64_t)(scree_random_real(&r) * (real)(k + 1)));
		if (count >= 8) many += count;
	}
	return many;
}

/* Exchanges the first two colours. */
static void exchange_colours(colouring *c)
{
	const int64_t first = end_of(c, 0), all = end_of(c, 1);
	colour_item *had = scree_alloc((size_t)all, sizeof *had);
	memcpy(had, c->all.item, (size_t)all * sizeof *had);
	memcpy(c->all.item, had + first, (size_t)(all - first) * sizeof *had);
	memcpy(c->all.item + all - first, had, (size_t)first * sizeof *had);
	c->first[1] = all - first;
	scree_free(had);
}

static colouring *colours_of(scree_world *w)
{
	struct solver_work *o = w->work.solver;
	return w->model.solver ? &o->touching : &o->of.colours;
}

/* Solves the last step again, from the velocities before it. */
static void solve_implicit(scree_world *w)
{
	struct constraints *c = &w->work.solver->of;
	solving v = {.m = &w->model, .s = &w->state, .w = &w->work, .of = c, .h = w->model.dt, .tau = w->model.dt};
	v.first = true;
	for (int64_t i = 0; i < w->state.body.count; ++i)
		c->body[i].velocity = c->before[i].linear, c->body[i].angular_velocity = c->before[i].angular;
	c->sweeps = 0;
	scree_constraints_sweep(&v);
	CHECK(c->sweeps > 2, "%d sweeps", c->sweeps);
}

/* All bodies turn round, so that those that have separated collide again. */
static void solve_elastic(scree_world *w)
{
	bodies *b = &w->state.body;
	for (int32_t i = 0; i < b->count; ++i) b->vx[i] = -b->vx[i], b->vy[i] = -b->vy[i], b->vz[i] = -b->vz[i];
	w->work.collisions = 0;
	w->model.solver->sweep(&w->model, &w->state, &w->work);
	CHECK(w->work.collisions > 20, "%lld collisions", (long long)w->work.collisions);
}

static void solve(scree_world *w) { (w->model.solver ? solve_elastic : solve_implicit)(w); }

static vec3 velocity_of(const scree_world *w, int32_t i)
{
	return w->model.solver ? body_velocity(&w->state.body, i) : w->work.solver->of.body[i].velocity;
}

static int different(const scree_world *w, const scree_world *twin)
{
	int n = 0;
	for (int32_t i = 0; i < w->state.body.count; ++i) {
		const vec3 a = velocity_of(w, i), b = velocity_of(twin, i);
		n += memcmp(&a, &b, sizeof a) != 0;
	}
	const struct constraints *c = &w->work.solver->of, *d = &twin->work.solver->of;
	return n + (c->sweeps != d->sweeps) + (c->left != d->left) + (c->pressed != d->pressed);
}

static void any_order(const char *response, int32_t shape)
{
	scree_world *w = pile(response, shape), *shuffled = pile(response, shape), *other = pile(response, shape);
	CHECK(colours_of(w)->colours > 2, "%d colours", colours_of(w)->colours);
	const int64_t many = shuffle_within(colours_of(shuffled));
	CHECK(shape == CUBE || many > 40, "only %lld contacts are in colours of eight and more", (long long)many);
	exchange_colours(colours_of(other));
	solve(w), solve(shuffled), solve(other);
	CHECK(different(w, shuffled) == 0, "%s, shape %d: shuffled contacts change %d numbers", response, shape,
		  different(w, shuffled));
	CHECK(different(w, other) > 0, "%s, shape %d: the order of colours changes nothing", response, shape);
	scree_world_free(w), scree_world_free(shuffled), scree_world_free(other);
}

static void contacts_of_a_colour_have_no_order(void **state)
{
	(void)state;
	for (int32_t shape = 0; shape < SHAPES; ++shape) {
		any_order("implicit", shape);
		any_order("hard", shape);
	}
	any_order("elastic", BALL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(contacts_of_a_colour_have_no_order)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
