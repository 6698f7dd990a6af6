#define _POSIX_C_SOURCE 200809L
#include "literal_loop.h"

#include "base/clock.h"
#include "base/maths.h"
#include "kernel/contact_law.h"
#include "kernel/gear.h"
#include "kernel/quat.h"
#include "kernel/turning.h"
#include "narrow/polygon/pair.h"
#include "world/world.h"

#include <pthread.h>
#include <stdlib.h>

enum { VALUES = 5, HIGHER = VALUES - 2 };

typedef struct grain {
	struct grain *next; /* next in the list of all particles */
	int32_t number, material;
	bool fixed;
	placed at;
	real angle, round, inv_mass, inv_inertia;
	real v[3], higher[3][HIGHER]; /* for x, y and the angle: scaled derivatives from the second on */
	real force[3];				  /* N, N, N m */
} grain;

struct literal_loop {
	const scree_world *world;
	int32_t count;
	int threads;
	grain *grain, *half[3]; /* start of each thread's part of the list, and the end of the list */
	double (*box)[4];
	literal_sweep *sweep;
	pthread_barrier_t together;
	double seconds[LITERAL_PHASES];
};

const char *const literal_phase_names[LITERAL_PHASES] = {"predictor", "boxes", "features", "forces", "corrector"};

/* ------------------------------------------------------------------ particles */

static real *coordinate(grain *g, int axis) { return axis == 0 ? &g->at.at.x : axis == 1 ? &g->at.at.y : &g->angle; }

static void set_turn(grain *g)
{
	quat q = {0, 0, 0, 0};
	scree_sincos(g->angle / 2, &q.z, &q.w);
	g->at.turn = quat_matrix(q);
}

static void set_box(const grain *g, double box[4])
{
	const flat_polygon *p = &g->at.shape->flat;
	real low_x = INFINITY, low_y = INFINITY, high_x = -INFINITY, high_y = -INFINITY;
	for (int32_t i = 0; i < p->corners; ++i) {
		vec3 v = mat3_mul(g->at.turn, v3(p->corner[i].x, p->corner[i].y, 0));
		low_x = real_min(low_x, v.x), high_x = real_max(high_x, v.x);
		low_y = real_min(low_y, v.y), high_y = real_max(high_y, v.y);
	}
	box[0] = g->at.at.x + g->at.size * low_x, box[1] = g->at.at.y + g->at.size * low_y;
	box[2] = g->at.at.x + g->at.size * high_x, box[3] = g->at.at.y + g->at.size * high_y;
}

static void predict(const literal_loop *l, grain *g)
{
	real dt = l->world->model.dt;
	for (int axis = 0; axis < 3 && !g->fixed; ++axis) {
		real q[VALUES] = {0, 0}, *v = g->v + axis;
		for (int k = 0; k < HIGHER; ++k) q[k + 2] = g->higher[axis][k];
		gear_predict(VALUES, q);
		for (int k = 0; k < HIGHER; ++k) g->higher[axis][k] = q[k + 2];
		*coordinate(g, axis) += dt * *v + q[0];
		*v += q[1] / dt;
		g->force[axis] = 0;
	}
	if (g->fixed) return;
	set_turn(g);
	set_box(g, l->box[g->number]);
}

static real acceleration(const literal_loop *l, const grain *g, int axis)
{
	real of_gravity = axis == 0 ? l->world->model.gravity.x : axis == 1 ? l->world->model.gravity.y : 0;
	return g->force[axis] * (axis == 2 ? g->inv_inertia : g->inv_mass) + of_gravity;
}

static void correct(const literal_loop *l, grain *g)
{
	real dt = l->world->model.dt;
	for (int axis = 0; axis < 3 && !g->fixed; ++axis) {
		real q[VALUES] = {0, 0};
		for (int k = 0; k < HIGHER; ++k) q[k + 2] = g->higher[axis][k];
		gear_correct(VALUES, GEAR_5.alpha, q, dt * dt / 2 * acceleration(l, g, axis));
		for (int k = 0; k < HIGHER; ++k) g->higher[axis][k] = q[k + 2];
		*coordinate(g, axis) += q[0];
		g->v[axis] += q[1] / dt;
	}
}

/* ------------------------------------------------------------------ collisions */

/* both bodies relative to a, which is at the origin */
static void seen(const grain *a, const grain *b, placed *pa, placed *pb)
{
	*pa = a->at;
	*pb = b->at;
	pb->at = v3_sub(b->at.at, a->at.at);
	pa->at = v3(0, 0, 0);
}

static void look_closely(const literal_loop *l, grain *g)
{
	for (literal_collision *c = literal_sweep_first(l->sweep, g->number); c; c = c->next) {
		placed a, b;
		feature_pair f;
		if (g->fixed) continue; /* its partners have higher numbers and are therefore also fixed */
		seen(g, l->grain + c->with, &a, &b);
		flat_placed fa = flat_of(&a, &a), fb = flat_of(&b, &a);
		scree_closest_features(&fa, &fb, c->hint, &f);
		c->hint = f.hint;
		c->overlap = f.overlapping;
	}
}

/* adds to the force sum of a particle, to which the other thread may add at the same time */
static void add_force(literal_loop *l, grain *g, vec3 force, real torque)
{
	if (g->fixed) return;
	literal_sweep_lock(l->sweep, g->number);
	g->force[0] += force.x;
	g->force[1] += force.y;
	g->force[2] += torque;
	literal_sweep_unlock(l->sweep, g->number);
}

/* the law `area` as in the engine (law/each_patch.h and kernel/contact.h), for one point in the plane */
static void push(literal_loop *l, grain *a, grain *b, literal_collision *c, const patch *p)
{
	const scree_world *w = l->world;
	const law_constants *of = w->model.constants + a->material * w->model.material.count + b->material;
	real round = b->fixed ? a->round : a->round * b->round / (a->round + b->round);
	contact_constants k = constants_of(LAW_AREA, of, round, 1 / (a->inv_mass + b->inv_mass));
	real weight = p->weight[0] * p->weight[0] / (16 * round * round);
	vec3 n = p->normal, at = p->at[0], from_b = v3_sub(at, v3_sub(b->at.at, a->at.at));
	vec3 v = v3(a->v[0] - b->v[0] - a->v[2] * at.y + b->v[2] * from_b.y,
				a->v[1] - b->v[1] + a->v[2] * at.x - b->v[2] * from_b.x, 0);
	vec3 vt = v3_madd(v, -v3_dot(v, n), n);
	normal_part normal = normal_by(LAW_AREA, &k, weight, p->deep[0], v3_dot(v, n));
	vec3 force = v3_mul(normal.force, n);
	stiffening s = stiffening_of(c->stiff, weight);
	c->stiff = weight;
	if (k.friction > 0) {
		vec3 spring = carried(&s, v3(c->spring[0], c->spring[1], 0), vt, w->model.dt);
		const slip held = {spring, 0}, rate = {vt, 0};
		const stretch trial = stretch_of(held, rate, n, false, w->model.dt);
		slider t = slide(trial, c->stored * s.ratio, s.fresh, rate, false, k.shear * weight,
						 k.shear_damping * sqrt(k.mass * weight), k.friction * normal.force, w->model.dt);
		c->spring[0] = t.spring.x, c->spring[1] = t.spring.y, c->stored = t.stored;
		force = v3_add(force, t.force);
	}
	add_force(l, a, force, v3_cross(at, force).z);
	add_force(l, b, v3_neg(force), -v3_cross(from_b, force).z);
}

static void push_all(literal_loop *l, grain *g)
{
	for (literal_collision *c = literal_sweep_first(l->sweep, g->number); c; c = c->next) {
		placed a, b;
		patch p;
		p.points = 0;
		p.features = (feature_counts){0};
		if (c->overlap) {
			seen(g, l->grain + c->with, &a, &b);
			scree_polygon_overlap(&a, &b, c->hint, &p);
			c->hint = p.axis;
		}
		if (p.points)
			push(l, g, l->grain + c->with, c, &p);
		else
			c->overlap = 0, c->spring[0] = c->spring[1] = c->stiff = c->stored = 0;
	}
}

/* ------------------------------------------------------------------ a step */

typedef struct worker {
	literal_loop *loop;
	int64_t steps;
	int number;
} worker;

typedef void grain_fn(literal_loop *l, grain *g);

static void do_predict(literal_loop *l, grain *g) { predict(l, g); }
static void do_features(literal_loop *l, grain *g) { look_closely(l, g); }
static void do_forces(literal_loop *l, grain *g) { push_all(l, g); }
static void do_correct(literal_loop *l, grain *g) { correct(l, g); }

/* half of the list or the whole list */
static void walk(literal_loop *l, int thread, grain_fn *work)
{
	grain *end = l->threads == 2 ? l->half[thread + 1] : NULL;
	for (grain *g = l->half[thread]; g != end; g = g->next) work(l, g);
}

/* waits until both threads have finished their part of a phase */
static void synchronise(literal_loop *l, int thread, int phase, double *began)
{
	if (l->threads == 2) pthread_barrier_wait(&l->together);
	if (thread) return;
	double now = scree_now();
	l->seconds[phase] += now - *began;
	*began = now;
}

static void *run_half(void *what)
{
	worker *me = what;
	literal_loop *l = me->loop;
	int t = me->number;
	double began = scree_now();
	for (int64_t k = 0; k < me->steps; ++k) {
		walk(l, t, do_predict);
		synchronise(l, t, 0, &began);
		for (int axis = t; axis < 2; axis += l->threads) literal_sweep_axis(l->sweep, axis);
		synchronise(l, t, 1, &began);
		walk(l, t, do_features);
		synchronise(l, t, 2, &began);
		walk(l, t, do_forces);
		synchronise(l, t, 3, &began);
		walk(l, t, do_correct);
		synchronise(l, t, 4, &began);
	}
	return NULL;
}

void literal_loop_run(literal_loop *l, int64_t steps)
{
	worker me[2] = {{l, steps, 0}, {l, steps, 1}};
	pthread_t second;
	if (l->threads == 2 && pthread_create(&second, NULL, run_half, me + 1)) abort();
	run_half(me);
	if (l->threads == 2) pthread_join(second, NULL);
}

/* ------------------------------------------------------------------ the start */

/* in the order of ids, regardless of their rows */
static void add_body(literal_loop *l, int32_t i)
{
	const bodies *b = &l->world->state.body;
	quat q = body_orientation(b, i);
	int32_t number = (int32_t)b->id[i] - 1;
	grain *g = l->grain + number;
	*g = (grain){.number = number,
				 .material = b->material[i],
				 .at = {l->world->model.shape.row + b->shape[i], body_position(b, i), {{0}}, b->size[i]},
				 .angle = 2 * scree_atan2(q.z, q.w),
				 .round = b->round[i],
				 .inv_mass = b->inv_mass[i],
				 .inv_inertia = 1 / b->iz[i],
				 .v = {b->vx[i], b->vy[i], b->wz[i]}};
}

static void add_wall(literal_loop *l, int32_t i, const wall *w)
{
	l->grain[i] =
		(grain){.number = i, .material = w->material, .fixed = true, .at = {w->form, w->form->centre, {{0}}, 1}};
}

static int32_t polygons_of(const walls *s)
{
	int32_t count = 0;
	for (int32_t k = 0; k < s->count; ++k) count += s->row[k].type == WALL_POLYGON;
	return count;
}

/* initial second derivatives, without which the first steps would be of lower order */
static void start_forces(literal_loop *l)
{
	real dt = l->world->model.dt;
	for (grain *g = l->grain; g; g = g->next) look_closely(l, g);
	for (grain *g = l->grain; g; g = g->next) push_all(l, g);
	for (grain *g = l->grain; g; g = g->next)
		for (int axis = 0; axis < 3 && !g->fixed; ++axis) g->higher[axis][0] = dt * dt / 2 * acceleration(l, g, axis);
}

literal_loop *literal_loop_new(const scree_world *w, int threads)
{
	literal_loop *l = calloc(1, sizeof *l);
	if (!l) abort();
	int32_t n = w->state.body.count + polygons_of(&w->model.wall), next = w->state.body.count;
	l->world = w;
	l->count = n;
	l->threads = threads;
	l->grain = calloc((size_t)n, sizeof *l->grain);
	l->box = calloc((size_t)n, sizeof *l->box);
	if (!l->grain || !l->box) abort();
	for (int32_t i = 0; i < w->state.body.count; ++i) add_body(l, i);
	for (int32_t k = 0; k < w->model.wall.count; ++k)
		if (w->model.wall.row[k].type == WALL_POLYGON) add_wall(l, next++, w->model.wall.row + k);
	for (int32_t i = 0; i < n; ++i) {
		l->grain[i].next = i + 1 < n ? l->grain + i + 1 : NULL;
		set_turn(l->grain + i);
		set_box(l->grain + i, l->box[i]);
	}
	l->half[0] = l->grain;
	l->half[1] = l->grain + n / 2;
	l->sweep = literal_sweep_new(n, (const double(*)[4])l->box, 1);
	pthread_barrier_init(&l->together, NULL, 2);
	start_forces(l);
	return l;
}

/* ------------------------------------------------------------------ what is known */

void literal_loop_pose(const literal_loop *l, int32_t i, double pose[3])
{
	pose[0] = l->grain[i].at.at.x;
	pose[1] = l->grain[i].at.at.y;
	pose[2] = l->grain[i].angle;
}

int32_t literal_loop_count(const literal_loop *l) { return l->count; }
const double (*literal_loop_boxes(const literal_loop *l))[4] { return (const double(*)[4])l->box; }
const literal_sweep *literal_loop_sweep(const literal_loop *l) { return l->sweep; }
const double *literal_loop_seconds(const literal_loop *l) { return l->seconds; }

int64_t literal_loop_overlaps(const literal_loop *l)
{
	int64_t count = 0;
	for (int32_t i = 0; i < l->count; ++i)
		for (const literal_collision *c = literal_sweep_first(l->sweep, i); c; c = c->next) count += c->overlap;
	return count;
}

void literal_loop_free(literal_loop *l)
{
	literal_sweep_free(l->sweep);
	pthread_barrier_destroy(&l->together);
	free(l->grain);
	free(l->box);
	free(l);
}
