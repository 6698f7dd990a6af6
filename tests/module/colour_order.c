/* The contacts of a colour may be solved in any order (src/solver/colours.h): a step of `implicit`, `hard` and
 * `elastic` finds the same velocities, bit for bit, after its contacts have been shuffled within their colours;
 * swapping two colours does change the velocities. The shuffle moves contacts of balls, which are solved side by side,
 * to other SIMD lanes. */
#include "lab.h"
#include "test.h"

#include "base/memory.h"
#include "choices/choices.h"
#include "kernel/quat.h"
#include "law/stage.h"
#include "model/narrow.h"
#include "model/response.h"
#include "motion/stage.h"
#include "narrow/narrow.h"
#include "narrow/stage.h"
#include "solver/work.h"

#include <string.h>

static const real D = 0.01;
enum { BALL, CUBE, SHAPES, STEPS = 12 };

/* A block of bodies with small gaps and random velocities falls on a plane. */
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

static void leave(colouring *c) { (void)c; }

static void shuffle_within(colouring *c)
{
	random_stream r = scree_random_start(9, 1);
	for (int32_t n = 0; n < c->colours; ++n) {
		colour_item *first = c->all.item + c->first[n];
		for (int64_t k = end_of(c, n) - c->first[n] - 1; k > 0; --k)
			exchange(first + k, first + (int64_t)(scree_random_real(&r) * (real)(k + 1)));
	}
}

/* Swaps the first two colours. */
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

typedef void reorder_fn(colouring *);

/* Computes velocities as in the first step, for a half step from the current state. */
static void solve_implicit(scree_world *w, reorder_fn *reorder)
{
	const model *m = &w->model;
	struct constraints *c = &w->work.solver->of;
	solving v = {.m = m, .s = &w->state, .w = &w->work, .of = c, .h = m->dt, .tau = m->dt / 2, .gravity = 9.81};
	v.first = true;
	bodies *b = &w->state.body;
	real *const to[6] = {b->fx, b->fy, b->fz, b->tx, b->ty, b->tz};
	for (int k = 0; k < 6; ++k) memset(to[k], 0, (size_t)b->count * sizeof(real));
	scree_bodies_ahead(m, v.s, v.w);
	scree_pairs_to_contacts(m, v.s, v.w);
	scree_contacts_to_shares(m, v.s, v.w);
	scree_constraints_bodies(&v);
	scree_constraints_add(&v, 0);
	CHECK(c->colours.colours > 2, "%d colours", c->colours.colours);
	reorder(&c->colours);
	scree_ball_rows_place(&v, 0);
	scree_constraints_set(&v, 0);
	scree_constraints_move_freely(&v);
	c->sweeps = 0;
	scree_constraints_solve(&v);
	scree_bodies_back(m, v.s, v.w);
	CHECK(c->sweeps > 2 && c->pressed > 0, "%d sweeps, %g N s", c->sweeps, c->pressed);
}

/* All velocities are reversed, so that bodies that have separated collide again. */
static void solve_elastic(scree_world *w, reorder_fn *reorder)
{
	bodies *b = &w->state.body;
	for (int32_t i = 0; i < b->count; ++i) b->vx[i] = -b->vx[i], b->vy[i] = -b->vy[i], b->vz[i] = -b->vz[i];
	w->work.collisions = 0;
	reorder(&w->work.solver->touching);
	w->model.solver->sweep(&w->model, &w->state, &w->work);
	CHECK(w->work.collisions > 20, "%lld collisions", (long long)w->work.collisions);
}

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

static scree_world *solved(const char *response, int32_t shape, reorder_fn *reorder)
{
	scree_world *w = pile(response, shape);
	(w->model.solver ? solve_elastic : solve_implicit)(w, reorder);
	return w;
}

static void any_order(const char *response, int32_t shape)
{
	scree_world *w = solved(response, shape, leave), *shuffled = solved(response, shape, shuffle_within),
				*other = solved(response, shape, exchange_colours);
	const colouring *c = w->model.solver ? &w->work.solver->touching : &w->work.solver->of.colours;
	CHECK(shape == CUBE || end_of(c, 0) > 8, "%lld contacts in a colour", (long long)end_of(c, 0));
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
