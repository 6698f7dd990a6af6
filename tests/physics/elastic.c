/* Balls with instantaneous collisions (docs/theory/impulses.md): conservation in a collision, comparison with the web
 * page that defines the law, and an order of collisions that does not depend on storage, broad phase, threads or ids.
 */
#include "lab.h"
#include "test.h"

#include "base/field.h"
#include "base/memory.h"
#include "base/parallel.h"
#include "broad/broad.h"
#include "choices/choices.h"
#include "kernel/impulse.h"
#include "kernel/quat.h"
#include "model/integrator.h"
#include "model/narrow.h"
#include "model/response.h"
#include "prepare/prepare.h"
#include "solver/work.h"
#include "state/contact_key.h"

#include <stdlib.h>

static scree_world *world_of(real restitution)
{
	contact_rule rule = {.restitution = restitution};
	scree_world *w = lab_world(rule);
	model_respond(&w->model, scree_response_find("elastic"));
	return w;
}

static uint64_t add(scree_world *w, real size, vec3 at, vec3 v)
{
	return lab_add_moving(w, 0, size, at, quat_one(), v, v3(0, 0, 0));
}

static vec3 random_in(random_stream *r, real wide)
{
	real x = scree_random_real(r), y = scree_random_real(r), z = scree_random_real(r);
	return v3(wide * (2 * x - 1), wide * (2 * y - 1), wide * (2 * z - 1));
}

static vec3 momentum_of_all(const scree_world *w)
{
	vec3 p = v3(0, 0, 0);
	for (int32_t i = 0; i < w->state.body.count; ++i)
		p = v3_madd(p, w->state.body.mass[i], body_velocity(&w->state.body, i));
	return p;
}

/* ------------------------------------------------------------------ two balls */

/* two overlapping balls with random velocities, after one step so short that they do not move */
static void two_balls(void **state)
{
	(void)state;
	int64_t hits = 0;
	FOR_SEEDS(400)
	{
		random_stream r = scree_random_start(test_seed, 1);
		real e = test_seed % 2 ? 1 : scree_random_real(&r), sa = 1 + scree_random_real(&r),
			 sb = 1 + scree_random_real(&r);
		scree_world *w = world_of(e > 0 ? e : 1);
		e = w->model.material.rule[0].restitution;
		vec3 apart = v3_mul((sa + sb) * (real)0.45, v3_unit(random_in(&r, 1)));
		uint64_t a = add(w, sa, v3(0, 0, 0), random_in(&r, 3)), b = add(w, sb, v3_neg(apart), random_in(&r, 3));
		int32_t i = lab_row(w, a), k = lab_row(w, b);
		vec3 va = body_velocity(&w->state.body, i), vb = body_velocity(&w->state.body, k), was = momentum_of_all(w);
		real ma = w->state.body.mass[i], mb = w->state.body.mass[k];
		lab_prepare(w, 1e-12);
		lab_steps(w, 1);
		i = lab_row(w, a), k = lab_row(w, b);
		vec3 ua = body_velocity(&w->state.body, i), ub = body_velocity(&w->state.body, k), now = momentum_of_all(w);
		vec3 d = v3_sub(body_position(&w->state.body, i), body_position(&w->state.body, k)), n = v3_unit(d);
		bool approach = v3_dot(d, v3_sub(vb, va)) > 0;
		CHECK(w->work.collisions == approach && w->work.touching == 1, "%lld", (long long)w->work.collisions);
		hits += approach;
		real scale = ma + mb;
		NEAR(v3_norm(v3_sub(now, was)), 0, 1e-14 * 3 * scale, "momentum");
		real before = ma / 2 * v3_norm2(va) + mb / 2 * v3_norm2(vb),
			 after = ma / 2 * v3_norm2(ua) + mb / 2 * v3_norm2(ub);
		real vn = v3_dot(n, v3_sub(va, vb)), un = v3_dot(n, v3_sub(ua, ub));
		real lost = approach ? (1 - e * e) / 2 * (ma * mb / (ma + mb)) * vn * vn : 0;
		NEAR(after, before - lost, 1e-13 * before, "energy");
		NEAR(un, approach ? -e * vn : vn, 1e-13, "restitution");
		vec3 across_a = v3_sub(v3_sub(ua, va), v3_mul(v3_dot(v3_sub(ua, va), n), n));
		vec3 across_b = v3_sub(v3_sub(ub, vb), v3_mul(v3_dot(v3_sub(ub, vb), n), n));
		NEAR(v3_norm(across_a), 0, 1e-14 * 10, "across, a");
		NEAR(v3_norm(across_b), 0, 1e-14 * 10, "across, b");
		NEAR(scree_world_energy(&w->model, &w->state, &w->work).residual, 0, 1e-13 * before, "ledger");
		scree_world_free(w);
	}
	CHECK(3 * hits > test_cases(400), "%lld hits", (long long)hits);
}

/* coincident centres: no division by zero and no added energy; the contact's hash determines the direction, +x or -x */
static void one_point(void **state)
{
	(void)state;
	for (int kind = 0; kind < 4; ++kind) {
		const real far = kind / 2, way = kind % 2 ? -1 : 1;
		scree_world *w = world_of(1);
		vec3 at = v3(0.1, 0.2, 0);
		uint64_t a = add(w, 1, at, v3(-way, 0.5, 0)),
				 b = add(w, 1, v3_add(at, v3(0, far * 1e-160, 0)), v3(2 * way, 0, 0));
		const contact_key key = {.a = a, .b = b};
		const bool meets = (contact_key_hash(&key, false) & 1) == (way > 0);
		lab_prepare(w, 1e-300);
		lab_steps(w, 1);
		const bodies *o = &w->state.body;
		int32_t i = lab_row(w, a), k = lab_row(w, b);
		CHECK(o->vx[i] == (meets ? 2 * way : -way) && o->vx[k] == (meets ? -way : 2 * way), "%g %g", o->vx[i],
			  o->vx[k]);
		CHECK(o->vy[i] == 0.5 && o->vy[k] == 0 && o->vz[i] == 0, "%g %g", o->vy[i], o->vy[k]);
		scree_world_free(w);
	}
}

/* ------------------------------------------------------------------ the page */

/* The page "Grouping the particles" in C: collision() with equal masses, and reflecting walls. */
typedef struct page_ball {
	real x, y, vx, vy;
} page_ball;

static void page_collision(page_ball *p, int i, int j, real diameter)
{
	real dy = p[i].y - p[j].y;
	if (!(real_abs(dy) < diameter)) return;
	real dx = p[i].x - p[j].x, d2 = dx * dx + dy * dy;
	if (!(d2 < diameter * diameter)) return;
	real dvx = p[j].vx - p[i].vx, dvy = p[j].vy - p[i].vy, dvs = dx * dvx + dy * dvy;
	if (!(dvs > 0)) return;
	dvs = dvs / d2;
	dvx = dvs * dx;
	dvy = dvs * dy;
	p[i].vx += dvx;
	p[i].vy += dvy;
	p[j].vx -= dvx;
	p[j].vy -= dvy;
}

enum { PAGE = 64 };

/* walls 0 to 3: left, right, low, high */
static bool page_at_wall(const page_ball *p, int wall, real r, const real size[2])
{
	const real at = wall < 2 ? p->x : p->y;
	return wall % 2 ? at > size[wall / 2] - r : at < r;
}

static void page_wall(page_ball *p, int wall)
{
	real *v = wall < 2 ? &p->vx : &p->vy;
	if (wall % 2 ? *v > 0 : *v < 0) *v = -*v;
}

/* Two balls that touch, or a ball that touches wall number j - PAGE. */
typedef struct page_touch {
	uint64_t hash;
	int i, j, colour;
} page_touch;

static page_touch page_touch_of(int i, int j)
{
	const contact_key key = {.a = (uint64_t)i + 1, .b = j < PAGE ? (uint64_t)j + 1 : (uint64_t)(j - PAGE)};
	return (page_touch){contact_key_hash(&key, j >= PAGE), i, j, 0};
}

static int page_list(const page_ball *p, real d, const real size[2], page_touch *out)
{
	int n = 0;
	for (int i = 0; i < PAGE; ++i) {
		for (int j = i + 1; j < PAGE; ++j) {
			const real dx = p[i].x - p[j].x, dy = p[i].y - p[j].y;
			if (dx * dx + dy * dy < d * d) out[n++] = page_touch_of(i, j);
		}
		for (int wall = 0; wall < 4; ++wall)
			if (page_at_wall(p + i, wall, d / 2, size)) out[n++] = page_touch_of(i, PAGE + wall);
	}
	return n;
}

static int by_hash(const void *x, const void *y)
{
	const page_touch *p = x, *q = y;
	return (p->hash > q->hash) - (p->hash < q->hash);
}

static bool page_share(const page_touch *s, const page_touch *t)
{
	return s->i == t->i || s->i == t->j || s->j == t->i || (s->j == t->j && s->j < PAGE);
}

/* The page loops over all pairs i < j once. The engine's order: each contact, in the order of hashes, is given the
 * smallest colour not used by any contact of its two balls; contacts are then processed colour by colour. */
static int page_order(const page_ball *p, real d, const real size[2], page_touch *out)
{
	const int n = page_list(p, d, size, out);
	qsort(out, (size_t)n, sizeof *out, by_hash);
	for (int k = 0; k < n; ++k)
		for (int j = 0; j < k;) {
			const bool taken = out[j].colour == out[k].colour && page_share(out + j, out + k);
			out[k].colour += taken;
			j = taken ? 0 : j + 1;
		}
	return n;
}

static int page_collisions(page_ball *p, real d, const real size[2])
{
	page_touch touch[PAGE * PAGE];
	const int n = page_order(p, d, size, touch);
	int last = 0;
	for (int k = 0; k < n; ++k) last = touch[k].colour > last ? touch[k].colour : last;
	for (int colour = 0; colour <= last; ++colour)
		for (int k = 0; k < n; ++k) {
			if (touch[k].colour != colour) continue;
			if (touch[k].j < PAGE)
				page_collision(p, touch[k].i, touch[k].j, d);
			else
				page_wall(p + touch[k].i, touch[k].j - PAGE);
		}
	return last;
}

/* A dense gas in a box in the plane, under gravity: the page and the engine produce the same run. Rounding differs,
 * since the engine supports unequal masses, and each collision amplifies it about tenfold. */
static void like_the_page(void **state)
{
	(void)state;
	enum { N = PAGE, STEPS = 150 };
	const real d = 0.01, wide = 0.12, high = 0.12, dt = 2e-4, g = 9.81, size[2] = {wide, high};
	int several = 0; /* number of steps in which a ball touches two others */
	FOR_SEEDS(5)
	{
		page_ball p[N];
		random_stream r = scree_random_start(test_seed, 2);
		scree_world *w = world_of(1);
		w->model.gravity = v3(0, -g, 0);
		lab_plane(w, v3(0, 0, 0), v3(1, 0, 0)), lab_plane(w, v3(wide, 0, 0), v3(-1, 0, 0));
		lab_plane(w, v3(0, 0, 0), v3(0, 1, 0)), lab_plane(w, v3(0, high, 0), v3(0, -1, 0));
		for (int k = 0; k < N; ++k) {
			vec3 v = random_in(&r, 1);
			p[k] = (page_ball){0.012 + 0.0135 * (k % 8), 0.012 + 0.0135 * (k / 8), v.x, v.y};
			add(w, d, v3(p[k].x, p[k].y, 0), v3(v.x, v.y, 0));
		}
		lab_prepare(w, dt);
		for (int s = 0; s < STEPS; ++s) {
			for (int k = 0; k < N; ++k) {
				p[k].x += p[k].vx * dt;
				p[k].y += p[k].vy * dt - g * dt * dt / 2;
				p[k].vy -= g * dt;
			}
			several += page_collisions(p, d, size) > 0;
		}
		lab_steps(w, STEPS);
		CHECK(w->state.impulse.collisions > 100, "%lld collisions", (long long)w->state.impulse.collisions);
		for (int k = 0; k < N; ++k) {
			int32_t i = lab_row(w, (uint64_t)k + 1);
			NEAR(w->state.body.x[i], p[k].x, 1e-9, "x");
			NEAR(w->state.body.y[i], p[k].y, 1e-9, "y");
			CHECK(w->state.body.z[i] == 0 && w->state.body.vz[i] == 0, "it left the plane");
		}
		scree_world_free(w);
	}
	CHECK(several > 0, "no ball touches two others");
}

/* ------------------------------------------------------------------ many */

enum { GAS = 200 };

/* balls of the given sizes in a cube 8 diameters wide */
static scree_world *gas(real restitution, bool walls, real small)
{
	scree_world *w = world_of(restitution);
	random_stream r = scree_random_start(7, 3);
	const real side = 8;
	if (!walls) lab_periods(w, "xyz", v3(0, 0, 0), v3(side, side, side));
	for (int k = 0; walls && k < 6; ++k) {
		vec3 n = v3(k % 3 == 0, k % 3 == 1, k % 3 == 2);
		lab_plane(w, v3_mul(k < 3 ? 0 : side, n), k < 3 ? n : v3_neg(n));
	}
	for (int k = 0; k < GAS; ++k) {
		vec3 at = v3(0.7 + 1.3 * (k % 6), 0.7 + 1.3 * (k / 6 % 6), 0.7 + 1.3 * (k / 36));
		add(w, k % 3 ? 1 : small, at, random_in(&r, 1));
	}
	return w;
}

static void nothing_is_lost(void **state)
{
	(void)state;
	scree_world *w = gas(1, false, 0.6);
	lab_prepare(w, 0.02);
	energy_row before = scree_world_energy(&w->model, &w->state, &w->work);
	vec3 p = momentum_of_all(w);
	lab_steps(w, 10000);
	energy_row after = scree_world_energy(&w->model, &w->state, &w->work);
	CHECK(w->state.impulse.collisions > 10 * GAS, "%lld collisions", (long long)w->state.impulse.collisions);
	NEAR(after.kinetic / before.kinetic, 1, 1e-12, "energy");
	NEAR(after.lost_normal, 0, 0, "lost");
	real mass = 0;
	for (int32_t i = 0; i < w->state.body.count; ++i) mass += w->state.body.mass[i];
	NEAR(v3_norm(v3_sub(momentum_of_all(w), p)), 0, 1e-12 * mass, "momentum");
	scree_world_free(w);
}

/* balls with e < 1 in a box under gravity, with and without correction: the ledger balances up to rounding */
static void ledger_is_even(void **state)
{
	(void)state;
	for (int corrected = 0; corrected < 2; ++corrected) {
		scree_world *w = gas(0.8, true, 0.6);
		w->model.gravity = v3(0.3, 0, -1);
		w->model.correction = (real)0.3 * corrected;
		lab_prepare(w, 0.01);
		lab_steps(w, 2000);
		energy_row e = scree_world_energy(&w->model, &w->state, &w->work);
		CHECK(e.lost_normal > 0.1 * e.brought && w->state.impulse.collisions > 1000, "%g of %g", e.lost_normal,
			  e.brought);
		CHECK((e.made != 0) == (corrected != 0) && e.wall_work == 0, "made %g, walls %g", e.made, e.wall_work);
		NEAR(e.residual, 0, 1e-11 * real_abs(e.brought), "residual");
		scree_world_free(w);
	}
}

/* with any order of storage, any broad phase, any number of threads, and pairs searched for rarely or in every step */
static void order_is_fixed(void **state)
{
	(void)state;
	enum { STEPS = 400 };
	for (int walls = 0; walls < 2; ++walls) {
		scree_world *w = gas(0.9, walls, 0.6);
		w->model.gravity = v3(0, 0, -0.2 * walls);
		w->model.correction = (real)0.1;
		uint64_t golden = lab_hash_after(w, 0.02, STEPS);
		for (int b = 0; scree_broad_row(b); ++b)
			for (int threads = 1; threads <= 3; threads += 2) {
				w = gas(0.9, walls, 0.6);
				w->model.gravity = v3(0, 0, -0.2 * walls);
				w->model.correction = (real)0.1;
				w->model.search = scree_broad_row(b);
				w->model.unsorted = true;
				int32_t was[GAS], tmp[2 * GAS];
				for (int k = 0; k < GAS; ++k) was[k] = (k * 77 + 5 * b) % GAS;
				scree_fields_permute(scree_body_table, &w->state.body, was, GAS, tmp);
				scree_set_threads(threads);
				CHECK(lab_hash_after(w, 0.02, STEPS) == golden, "%s, %d threads", scree_broad_row(b)->name, threads);
				scree_set_threads(0);
			}
		w = gas(0.9, walls, 0.6);
		w->model.gravity = v3(0, 0, -0.2 * walls);
		w->model.correction = (real)0.1;
		lab_prepare(w, 0.02);
		for (int s = 0; s < STEPS; ++s) {
			w->work.skin.stale = true;
			lab_steps(w, 1);
		}
		CHECK(scree_world_hash(&w->model, &w->state, &w->work) == golden, "pairs found in every step");
		scree_world_free(w);
	}
}

/* Balls in a row: two balls moving towards a ball at rest between them touch it in the same step. The middle ball
 * moves away from the ball that collides with it last. If collisions were in the order of ids, the middle ball would
 * always move to the same side. */
static void order_of_ids_has_no_effect(void **state)
{
	(void)state;
	enum { ROWS = 200 };
	scree_world *w = world_of(1);
	for (int k = 0; k < ROWS; ++k)
		for (int i = -1; i <= 1; ++i) add(w, 1, v3(0.99 * i, 3 * k, 0), v3(-i, 0, 0));
	lab_prepare(w, 1e-9);
	lab_steps(w, 1);
	int right = 0;
	for (int k = 0; k < ROWS; ++k) {
		const real v = w->state.body.vx[lab_row(w, (uint64_t)(3 * k + 2))];
		NEAR(real_abs(v), 1, 1e-14, "speed of the ball between");
		right += v > 0;
	}
	CHECK(w->work.collisions == 2 * ROWS, "%lld collisions", (long long)w->work.collisions);
	CHECK(right > ROWS / 3 && right < 2 * ROWS / 3, "%d of %d to the right", right, ROWS);
	scree_world_free(w);
}

/* a crowd of overlapping balls around a giant that touches far more than 32 of them */
static scree_world *crowd(void)
{
	enum { SIDE = 14 };
	scree_world *w = world_of(0.9);
	random_stream r = scree_random_start(5, 3);
	w->model.correction = (real)0.2;
	add(w, 6, v3(6, 6, 6), random_in(&r, 0.1));
	for (int k = 0; k < SIDE * SIDE * SIDE; ++k) {
		const vec3 at = v3(0.95 * (k % SIDE), 0.95 * (k / SIDE % SIDE), 0.95 * (k / SIDE / SIDE));
		const real far = v3_norm(v3_sub(at, v3(6, 6, 6)));
		if (far > 3.2) add(w, 1, at, random_in(&r, 1));
	}
	return w;
}

/* contacts of a colour are processed by several threads */
static void crowds_are_shared(void **state)
{
	(void)state;
	uint64_t golden = 0;
	for (int threads = 1; threads <= 4; ++threads) {
		scree_world *w = crowd();
		const vec3 p = momentum_of_all(w);
		scree_set_threads(threads);
		scree_parallel_shuffle((uint64_t)threads - 1);
		lab_prepare(w, 0.01);
		lab_steps(w, 4);
		scree_parallel_shuffle(0);
		scree_set_threads(0);
		const uint64_t hash = scree_world_hash(&w->model, &w->state, &w->work);
		if (threads == 1) golden = hash;
		CHECK(hash == golden, "%d threads", threads);
		CHECK(w->work.touching > 3000 && w->work.collisions > 1000, "%lld touch, %lld collisions",
			  (long long)w->work.touching, (long long)w->work.collisions);
		const colouring *c = &w->work.solver->touching;
		CHECK(c->first[1] > 500 && c->first[c->colours] < c->all.count - COLOUR_PARTNERS,
			  "%lld of colour 0, block at %lld", (long long)c->first[1], (long long)c->first[c->colours]);
		real mass = 0;
		for (int32_t i = 0; i < w->state.body.count; ++i) mass += w->state.body.mass[i];
		NEAR(v3_norm(v3_sub(momentum_of_all(w), p)), 0, 1e-12 * mass, "momentum");
		energy_row e = scree_world_energy(&w->model, &w->state, &w->work);
		NEAR(e.residual, 0, 1e-11 * real_abs(e.brought), "residual");
		scree_world_free(w);
	}
}

/* ------------------------------------------------------------------ walls */

/* A ball bouncing between floor and lid with e = 1: flight is a parabola up to rounding, and energy is conserved. */
static void bounces(void **state)
{
	(void)state;
	scree_world *w = world_of(1);
	w->model.gravity = v3(0, 0, -9.81);
	lab_plane(w, v3(0, 0, 0), v3(0, 0, 1));
	lab_plane(w, v3(0, 0, 2), v3(0, 0, -1));
	add(w, 0.1, v3(0, 0, 1), v3(0.3, 0, 5));
	lab_prepare(w, 1e-3);
	real e0 = scree_world_energy(&w->model, &w->state, &w->work).kinetic +
			  scree_world_energy(&w->model, &w->state, &w->work).potential;
	lab_steps(w, 100);
	NEAR(w->state.body.z[0], 1 + 0.5 - 9.81 * 0.01 / 2, 1e-13, "parabola");
	NEAR(w->state.body.vz[0], 5 - 0.981, 1e-13, "its speed");
	lab_steps(w, 20000);
	energy_row e = scree_world_energy(&w->model, &w->state, &w->work);
	CHECK(w->state.impulse.collisions > 40, "%lld bounces", (long long)w->state.impulse.collisions);
	NEAR((e.kinetic + e.potential) / e0, 1, 1e-11, "energy");
	NEAR(w->state.body.vx[0], 0.3, 0, "along the walls");
	scree_world_free(w);
}

/* a moving wall: v' = -e v + (1 + e) u, and its work is recorded in the ledger */
static void moving_wall(void **state)
{
	(void)state;
	scree_world *w = world_of(0.7);
	int32_t p = lab_plane(w, v3(0, 0, 0), v3(0, 0, 1));
	w->model.wall.row[p].motion = (wall_motion){.type = MOTION_VELOCITY, .velocity = {0.5, 0, 2}, .until = INFINITY};
	lab_add_moving(w, 0, 0.1, v3(0, 0, 0.3), quat_one(), v3(1, 0, -3), v3(0, 5, 0));
	lab_prepare(w, 1e-3);
	lab_steps(w, 80);
	CHECK(w->state.impulse.collisions == 1, "%lld", (long long)w->state.impulse.collisions);
	NEAR(w->state.body.vz[0], 0.7 * 3 + 1.7 * 2, 1e-13, "speed");
	NEAR(w->state.body.vx[0], 1, 0, "along");
	NEAR(w->state.body.wy[0], 5, 1e-14, "spin");
	NEAR(scree_world_energy(&w->model, &w->state, &w->work).wall_work, w->state.body.mass[0] * 1.7 * 5 * 2,
		 1e-12 * w->state.body.mass[0], "work");
	NEAR(scree_world_energy(&w->model, &w->state, &w->work).residual, 0, 1e-12 * w->state.body.mass[0], "residual");
	scree_world_free(w);
}

/* The mean force on the walls of a box is the momentum transferred per unit time; images of a sheared gas do work. */
static void loads_and_images(void **state)
{
	(void)state;
	scree_world *w = world_of(1);
	int32_t floor = lab_plane(w, v3(0, 0, 0), v3(0, 0, 1));
	add(w, 0.1, v3(0, 0, 0.06), v3(0, 0, -2));
	lab_prepare(w, 1e-3);
	real felt = 0;
	for (int s = 0; s < 20; ++s) {
		lab_steps(w, 1);
		felt += scree_wall_load(&w->model, &w->state, &w->work, floor).force.z * w->model.dt;
	}
	NEAR(felt, -4 * w->state.body.mass[0], 1e-12 * w->state.body.mass[0], "impulse on the wall");
	scree_world_free(w);

	w = gas(0.9, false, 0.6);
	w->model.period.shears = true, w->model.period.rate = (real)0.2, w->model.period.flow = 0,
	w->model.period.gradient = 1;
	lab_prepare(w, 0.01);
	lab_steps(w, 1500);
	energy_row e = scree_world_energy(&w->model, &w->state, &w->work);
	CHECK(real_abs(e.wall_work) > 0.01 * e.brought && w->state.impulse.collisions > 500, "%g", e.wall_work);
	NEAR(e.residual, 0, 1e-11 * e.brought, "residual of a sheared gas");
	scree_world_free(w);
}

/* Under gravity, a ball with e < 1 comes to rest, and then sinks by g dt^2 (1 - e)/(2 (1 + e)) per step, since
 * collisions do not remove overlaps; with a correction, it stays at the same height. */
static void rests(void **state)
{
	(void)state;
	for (int corrected = 0; corrected < 2; ++corrected) {
		const real e = 0.5, dt = 1e-4, g = 9.81;
		scree_world *w = world_of(e);
		w->model.gravity = v3(0, 0, -g);
		w->model.correction = (real)0.2 * corrected;
		lab_plane(w, v3(0, 0, 0), v3(0, 0, 1));
		add(w, 0.1, v3(0, 0, 0.06), v3(0, 0, 0));
		lab_prepare(w, dt);
		lab_steps(w, 10000);
		real z = w->state.body.z[0];
		lab_steps(w, 1000);
		real sunk = 1000 * g * dt * dt * (1 - e) / (2 * (1 + e));
		NEAR(z - w->state.body.z[0], corrected ? 0 : sunk, 1e-3 * sunk, "way down");
		NEAR(w->state.body.z[0], 0.05, corrected ? 2e-6 : 1e-2, "height");
		scree_world_free(w);
	}
}

/* ------------------------------------------------------------------ what is refused */

static void refusals(void **state)
{
	(void)state;
	scree_world *w = world_of(1);
	w->model.material.rule[0].friction = 0.1;
	lab_refused(w, 1e-3, "friction");
	w = world_of(1);
	lab_add(w, 1, 0.1, v3(0, 0, 0));
	lab_refused(w, 1e-3, "'cube'");
#if SCREE_PAPERS
	w = world_of(1);
	w->model.integrator = scree_choice_find(&scree_integrators, "symplectic_euler");
	lab_refused(w, 1e-3, "integrator");
#endif
	w = world_of(1);
	w->model.fluid.on = true;
	lab_refused(w, 1e-3, "fluid");
	w = world_of(1);
	add(w, 0.1, v3(0, 0, 0), v3(10, 0, 0));
	lab_refused(w, 0.01, "too large");
	/* a body that becomes too fast stops the run */
	w = world_of(1);
	w->model.gravity = v3(0, 0, -1000);
	add(w, 0.1, v3(0, 0, 0), v3(1, 0, 0));
	lab_prepare(w, 1e-3);
	int64_t steps = 0;
	while (steps < 100 && scree_step(w)) ++steps;
	CHECK(steps > 40 && steps < 60 && strstr(w->work.why.text, "may be missed"), "%lld %s", (long long)steps,
		  w->work.why.text);
	scree_world_free(w);
}

/* ------------------------------------------------------------------ the step */

/* A two-dimensional world with a source of discs along this segment. */
static scree_world *raining(vec3 from, vec3 to, real size, vec3 velocity)
{
	scree_world *w = world_of(1);
	source s = {.name = "rain", .rate = 1, .until = INFINITY, .parts = 1, .velocity = velocity};
	s.where = (region){.type = REGION_SEGMENT, .flat = true, .low = from, .high = to};
	s.part[0] = (mix_part){.share = 1, .size = {.a = size}};
	w->model.flat = true, w->model.thickness = 1, w->model.narrow = scree_narrow_find("closest-features");
	w->model.population.source = scree_copy(&s, 1, sizeof s);
	w->model.population.sources = 1;
	lab_rows(w);
	return w;
}

/* The default step is derived from a fall through the space that bodies occupy, including the segment of a source,
 * whichever end is given first. A body at the origin enlarges this space. */
static void step_by_a_segment(void **state)
{
	(void)state;
	const real size = 0.01, g = 9.81, speed = 2;
	const vec3 end[2] = {{5, 3, 0}, {6, 1, 0}};
	for (int k = 0; k < 4; ++k) {
		const bool turned = k % 2, body = k / 2;
		scree_world *w = raining(end[turned], end[!turned], size, v3(0, -speed, 0));
		w->model.gravity = v3(0, -g, 0);
		if (body) add(w, size, v3(0, 0, 0), v3(0, 0, 0));
		lab_prepare(w, 0);
		const real way = body ? sqrt((real)45) : sqrt((real)5);
		NEAR(w->model.dt, SCREE_USUAL_WAY * size / sqrt(speed * speed + 2 * g * way), 1e-12 * w->model.dt, "step");
		scree_world_free(w);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(two_balls),
		cmocka_unit_test(one_point),
		cmocka_unit_test(like_the_page),
		cmocka_unit_test(nothing_is_lost),
		cmocka_unit_test(ledger_is_even),
		cmocka_unit_test(order_is_fixed),
		cmocka_unit_test(order_of_ids_has_no_effect),
		cmocka_unit_test(crowds_are_shared),
		cmocka_unit_test(bounces),
		cmocka_unit_test(moving_wall),
		cmocka_unit_test(loads_and_images),
		cmocka_unit_test(rests),
		cmocka_unit_test(refusals),
		cmocka_unit_test(step_by_a_segment),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
