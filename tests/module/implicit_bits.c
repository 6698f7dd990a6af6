/* Implicit steps and hard contacts give bitwise identical results with any number of threads, with any broad phase,
 * without derived data, with bodies in a different order in memory, and after resuming. Without contacts, the results
 * are the same as with `response: forces`. */
#include "lab.h"
#include "part_shapes.h"
#include "test.h"

#include "base/parallel.h"
#include "broad/broad.h"
#include "choices/choices.h"
#include "kernel/cohesion.h"
#include "kernel/quat.h"
#include "model/narrow.h"
#include "model/response.h"
#include "solver/work.h"

static const real D = 0.01;
static const char *const response_name[2] = {"implicit", "hard"};
/* BALL: with rolling friction; MIXED: balls and cubes; CROSS: crosses, two of which may have several contacts; GIANT: a
 * ball with more partners than there are colours; STICKY: balls with cohesion, and cubes; WET: balls with liquid
 * bridges; BONDED: balls with bonds, some of which break */
enum { BALL, CUBE, MIXED, CROSS, GIANT, STICKY, STICKY_CUBE, WET, BONDED, KINDS, STEPS = 40 };

/* Balls on a giant ball, which rests on the floor. */
static void add_giant(scree_world *w, int balls)
{
	const vec3 middle = v3(0, 0, 4 * D);
	lab_add(w, 0, 8 * D, middle);
	for (int k = 0; k < balls; ++k) {
		const real z = 0.2 + 0.8 * (k + 0.5) / balls, r = sqrt(1 - z * z), turn = 2.399963 * k;
		const vec3 on = v3(r * scree_cos(turn), r * scree_sin(turn), z);
		lab_add_moving(w, 0, D, v3_madd(middle, 4.499 * D, on), quat_one(), v3(0.1, 0, -0.5), v3(0, 0, 0));
	}
}

/* Returns whether a body has more contacts than there are colours. */
static bool is_crowded(const scree_world *w)
{
	const colouring *c = &w->work.solver->of.colours;
	return c->first[c->colours] < c->all.count;
}

static contact_rule rule_of(int32_t kind)
{
	contact_rule rule = {.law = LAW_OVERLAP, .restitution = 0.1, .friction = 0.4};
	if (kind == BALL || kind == GIANT || kind == STICKY || kind >= WET) rule = lab_hertz(0.1, 0.4);
	if (kind == STICKY_CUBE) rule = lab_linear(1e4, 0.1, 0.4);
	if (kind == BALL) rule.rolling_friction = 0.02;
	if (kind == STICKY) rule.cohesion = COHESION_JKR, rule.surface = 0.5;
	if (kind == STICKY_CUBE) rule.cohesion = COHESION_DMT, rule.surface = 1;
	if (kind == BONDED)
		rule.bond = (bond_rule){.young = 1e6,
								.ratio = 2.5,
								.tension = 1e4,
								.shear = 1e4,
								.deviation = 0.2,
								.factor = 0.9,
								.damping = 0.1,
								.gap = 0.08 * D,
								.from = 5e-3,
								.seed = 1};
	if (kind == WET) rule.cohesion = COHESION_CAPILLARY, rule.surface = 0.5, rule.bridge = 1e-9;
	return rule;
}

static int32_t shape_of(int32_t kind, int k, int32_t cross)
{
	if (kind == MIXED) return k % 2;
	if (kind >= STICKY) return kind == STICKY_CUBE;
	return kind == CROSS ? cross : kind;
}

/* A collapsing column of bodies. */
static scree_world *collapse(int response, int32_t kind, const char *search)
{
	const contact_rule rule = rule_of(kind);
	scree_world *w = lab_world(rule);
	model_respond(&w->model, scree_response_find(response_name[response]));
	if (rule.law == LAW_OVERLAP) w->model.narrow = scree_narrow_find("overlap-thickness");
	fail why = {0};
	const int32_t cross = kind == CROSS ? part_add_compound(&w->model.shape, "cross", &part_cross, &why) : 0;
	CHECK(cross >= 0, "%s", why.text);
	w->model.search = scree_broad_find(search);
	w->model.gravity = v3(0, 0, -9.81);
	lab_plane(w, v3(0, 0, 0), v3(0, 0, 1));
	random_stream r = scree_random_start(5, 1);
	if (kind == GIANT) add_giant(w, 60);
	for (int k = 0; kind != GIANT && k < (response ? 6 : 24); ++k) {
		const real x = scree_random_between(&r, -0.05, 0.05), y = scree_random_between(&r, -0.05, 0.05);
		const vec3 at = v3(D * (1.02 * (k % 3) + x), D * (1.02 * (k / 3 % 2) + y), D * (0.5 + 0.999 * (k / 6)));
		const quat turn = quat_exp(v3(0, 0, 1), 5 * x);
		lab_add_moving(w, shape_of(kind, k, cross), D, at, turn, v3(10 * x, 10 * y, -0.5), v3(0, 0, 0));
	}
	lab_prepare(w, kind == CROSS ? 5e-4 : 1e-3); /* crosses have thin arms */
	return w;
}

/* The narrow phase skips pairs that were apart when last tested. A pair with a contact from an earlier search is not
 * skipped. */
static void check_skips(const scree_world *w)
{
	for (int kind = 0; kind < PAIR_KINDS; ++kind) {
		const pair_list *l = w->state.pair + kind;
		const slot_cache *cache = &w->work.pair[kind].cache;
		for (int32_t p = 0; cache->clear && !l->rows && p < l->pieces; ++p)
			for (int64_t k = l->base[p]; k < l->base[p] + l->used[p]; ++k)
				CHECK(!l->touch[k] || !(cache->clear[l->slot[k]] > 0), "a contact would be skipped");
	}
}

static void no_contact_is_skipped(void **state)
{
	(void)state;
	for (int r = 0; r < 2; ++r) {
		scree_world *w = collapse(r, CUBE, "grid");
		for (int k = 0; k < 3 * STEPS; ++k) {
			lab_steps(w, 1);
			check_skips(w);
		}
		scree_world_free(w);
	}
}

static uint64_t hash_of(scree_world *w)
{
	CHECK(w->state.impulse.sweeps > 3 * STEPS && w->work.touching > 1, "%lld sweeps, %lld contacts",
		  (long long)w->state.impulse.sweeps, (long long)w->work.touching);
	const uint64_t h = scree_world_hash(&w->model, &w->state, &w->work);
	scree_world_free(w);
	return h;
}

/* The bonds form during the run, and some of them break. */
static void bonds_break(void **state)
{
	(void)state;
	for (int r = 0; r < 2; ++r) {
		scree_world *w = collapse(r, BONDED, "grid");
		lab_steps(w, STEPS);
		const int64_t left = scree_world_bonds(&w->state, &w->work);
		CHECK(w->state.broken > 0 && left > 0, "%lld broke, %lld are left", (long long)w->state.broken,
			  (long long)left);
		scree_world_free(w);
	}
}

static uint64_t run_with(int response, int32_t kind, int threads, const char *search)
{
	scree_set_threads(threads);
	scree_parallel_shuffle(threads > 1 ? 11 : 0);
	scree_world *w = collapse(response, kind, search);
	lab_steps(w, STEPS);
	const uint64_t h = hash_of(w);
	scree_parallel_shuffle(0);
	scree_set_threads(0);
	return h;
}

static void threads_and_broad_phases_change_nothing(void **state)
{
	(void)state;
	const int searches = choice_count(&scree_broads);
	for (int r = 0; r < 2; ++r)
		for (int32_t kind = 0; kind < KINDS; ++kind) {
			const uint64_t first = run_with(r, kind, 1, "grid");
			for (int k = 0; k < searches; ++k) {
				if (!test_drawn(k + kind + r)) continue;
				const char *name = scree_choice_name(&scree_broads, k);
				const int threads = 1 + (k + kind) % 3;
				CHECK(run_with(r, kind, threads, name) == first, "%s, kind %d: another state with %s, %d threads",
					  response_name[r], kind, name, threads);
			}
		}
}

/* Derived data are discarded, pairs are searched for again, or bodies are sorted by position again. */
static void lost_work_changes_nothing(void **state)
{
	(void)state;
	for (int r = 0; r < 2; ++r)
		for (int32_t kind = 0; kind < KINDS; ++kind) {
			if (!test_drawn(kind + r)) continue;
			scree_world *w = collapse(r, kind, "grid"), *twin = collapse(r, kind, "grid");
			twin->model.unsorted = true;
			for (int k = 0; k < STEPS; ++k) {
				lab_steps(w, 1);
				if (k % 3 == 0) lab_lose_pairs(twin);
				if (k % 3 == 1) lab_lose_work(twin);
				if (k % 3 == 2) twin->work.skin.stale = true;
				lab_steps(twin, 1);
				if (k % 20 != 19) continue;
				CHECK(scree_world_hash(&w->model, &w->state, &w->work) ==
						  scree_world_hash(&twin->model, &twin->state, &twin->work),
					  "%s, kind %d: another state after %d steps", response_name[r], kind, k);
			}
			scree_world_free(twin);
			hash_of(w);
		}
}

/* Contacts start from the impulses of the last step, which are stored in a snapshot. */
static void resumed_runs_are_the_same(void **state)
{
	(void)state;
	for (int r = 0; r < 2; ++r)
		for (int32_t kind = 0; kind < KINDS; ++kind) {
			if (!test_drawn(kind + r + 1)) continue;
			scree_world *w = collapse(r, kind, "grid");
			lab_steps(w, STEPS / 2);
			scree_world *again = lab_resumed(w);
			lab_steps(w, STEPS / 2);
			lab_steps(again, STEPS / 2);
			CHECK(hash_of(w) == hash_of(again), "%s, kind %d: another state after a resumption", response_name[r],
				  kind);
		}
}

/* Balls with this coefficient of rolling friction, after some steps during which they fall on each other. */
static scree_world *rolled(int32_t kind, real rolling, real restitution, int32_t law)
{
	contact_rule rule = law == LAW_HERTZ ? lab_hertz(restitution, 0.4) : lab_linear(1e4, restitution, 0.4);
	rule.rolling_friction = rolling;
	scree_world *w = lab_world(rule);
	model_respond(&w->model, scree_response_find("implicit"));
	w->model.gravity = v3(0, 0, -9.81);
	lab_plane(w, v3(0, 0, 0), v3(0, 0, 1));
	if (kind == GIANT) add_giant(w, 60);
	random_stream r = scree_random_start(5, 1);
	for (int k = 0; kind == BALL && k < 24; ++k) {
		const real x = scree_random_between(&r, -0.05, 0.05), y = scree_random_between(&r, -0.05, 0.05);
		const vec3 at = v3(D * (1.02 * (k % 3) + x), D * (1.02 * (k / 3 % 2) + y), D * (0.5 + 0.999 * (k / 6)));
		lab_add_moving(w, 0, D, at, quat_one(), v3(10 * x, 10 * y, -0.5), v3(20 * y, 20 * x, 5));
	}
	lab_prepare(w, 0);
	lab_steps(w, 2);
	CHECK(kind == BALL || is_crowded(w), "few contacts");
	lab_steps(w, STEPS / 2);
	return w;
}

/* Contacts of balls are solved in special rows; with rolling friction, they are general constraints, as for any shape.
 * With negligible rolling friction, the motion, losses and springs agree with the results of the special rows up to
 * rounding.
 */
static void rows_of_balls_are_constraints(void **state)
{
	(void)state;
	for (int k = 0; k < 8; ++k) {
		const int32_t kind = k & 1 ? GIANT : BALL, law = k & 2 ? LAW_HERTZ : LAW_LINEAR;
		const real e = k & 4 ? 0.1 : 0.9;
		scree_world *w = rolled(kind, 0, e, law), *twin = rolled(kind, 1e-200, e, law);
		const bodies *a = &w->state.body, *b = &twin->state.body;
		CHECK(w->work.touching == twin->work.touching, "case %d: %lld contacts, %lld", k, (long long)w->work.touching,
			  (long long)twin->work.touching);
		for (uint64_t id = 1; id <= (uint64_t)a->count; ++id) {
			const int32_t i = lab_row(w, id), j = lab_row(twin, id);
			NEAR(v3_norm(v3_sub(body_position(a, i), body_position(b, j))), 0, 1e-10 * D, "position");
			NEAR(v3_norm(v3_sub(body_velocity(a, i), body_velocity(b, j))), 0, 1e-8, "velocity");
			NEAR(v3_norm(v3_sub(body_angular_velocity(a, i), body_angular_velocity(b, j))), 0, 1e-8 / D, "spin");
		}
		const energy_row x = scree_world_energy(&w->model, &w->state, &w->work);
		const energy_row y = scree_world_energy(&twin->model, &twin->state, &twin->work);
		CHECK(y.lost > 0.05 * y.kinetic, "case %d: %g lost, %g kinetic", k, y.lost, y.kinetic);
		NEAR(x.lost_normal + x.lost_method, y.lost_normal + y.lost_method, 1e-9 * y.lost, "lost along normals");
		NEAR(x.lost_normal, y.lost_normal, 1e-9 * y.lost, "lost by the law");
		NEAR(x.lost_friction, y.lost_friction, 1e-9 * y.lost, "lost by friction");
		NEAR(x.elastic, y.elastic, 1e-9 * y.lost, "springs");
		scree_world_free(w);
		scree_world_free(twin);
	}
}

/* Asymmetric bodies spinning in free flight. */
static scree_world *flight(const char *response)
{
	scree_world *w = lab_world(lab_hertz(0.5, 0.4));
	fail why = {0};
	CHECK(scree_shapes_add_box(&w->model.shape, "brick", v3(1, 0.6, 0.3), &why) == 2, "%s", why.text);
	model_respond(&w->model, scree_response_find(response));
	w->model.gravity = v3(1, 2, -9.81);
	random_stream r = scree_random_start(6, 1);
	for (int k = 0; k < 6; ++k)
		lab_add_moving(w, k % 3, D, v3(0.1 * k, 0, 0), scree_random_rotation(&r), scree_random_direction(&r),
					   v3_mul(80, scree_random_direction(&r)));
	w->model.unsafe = true; /* nothing is hit */
	lab_prepare(w, 1e-3);
	return w;
}

/* Torque-free rotation with three different moments of inertia, and free fall, are the same as with the response
 * `forces`. */
static void free_flight_is_that_of_forces(void **state)
{
	(void)state;
	for (int r = 0; r < 2; ++r) {
		scree_world *w = flight("forces"), *twin = flight(response_name[r]);
		lab_steps(w, 500);
		lab_steps(twin, 500);
		const bodies *a = &w->state.body, *b = &twin->state.body;
		const real *const of[][2] = {{a->x, b->x},	 {a->y, b->y},	 {a->z, b->z},	 {a->vx, b->vx}, {a->vy, b->vy},
									 {a->vz, b->vz}, {a->qw, b->qw}, {a->qx, b->qx}, {a->qy, b->qy}, {a->qz, b->qz},
									 {a->wx, b->wx}, {a->wy, b->wy}, {a->wz, b->wz}, {a->lx, b->lx}};
		for (size_t k = 0; k < sizeof of / sizeof *of; ++k)
			for (uint64_t id = 1; id <= 6; ++id) {
				const real x = of[k][0][lab_row(w, id)], y = of[k][1][lab_row(twin, id)];
				CHECK(x == y, "%s: column %zu of body %d is off by %g", response_name[r], k, (int)id, x - y);
			}
		scree_world_free(w);
		scree_world_free(twin);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(threads_and_broad_phases_change_nothing),
									   cmocka_unit_test(lost_work_changes_nothing),
									   cmocka_unit_test(bonds_break),
									   cmocka_unit_test(no_contact_is_skipped),
									   cmocka_unit_test(resumed_runs_are_the_same),
									   cmocka_unit_test(rows_of_balls_are_constraints),
									   cmocka_unit_test(free_flight_is_that_of_forces)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
