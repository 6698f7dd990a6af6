/* modes: largest eigenvalue of all contacts together (Lanczos 1950). The number of threads and the order of rows have
 * no effect: the start vector depends on ids, contacts have a fixed order, and products of vectors are integer sums. */
#include "guard/modes.h"

#include "base/memory.h"
#include "base/parallel.h"
#include "base/random.h"
#include "kernel/quat.h"
#include "model/model.h"
#include "state/pairs.h"
#include "state/state.h"

enum { WAYS = 6, GRAIN = 256, ROUNDS = 20 };
static const real FOUND = (real)1.03; /* after ROUNDS, eigenvalues are at most a few per cent low (measured in piles) */

/* The motion of one body, in coordinates in which its mass and moments of inertia are 1. */
typedef struct way {
	real x[WAYS];
} way;

/* The same motion in ordinary coordinates. */
typedef struct move {
	vec3 shift, turn;
} move;

typedef struct lanczos {
	const held_bodies *o;
	const domain *d;
	way *now, *before, *next; /* [bodies] */
	move *move;				  /* [bodies], of `now` */
	real along, back;		  /* diagonal and off-diagonal entries of the small matrix */
} lanczos;

/* ------------------------------------------------------------------ one body */

static vec3 turns_of(const bodies *b, int32_t i)
{
	return v3(1 / sqrt(b->ix[i]), 1 / sqrt(b->iy[i]), 1 / sqrt(b->iz[i]));
}

static move move_of(const model *m, const bodies *b, int32_t i, const way *q)
{
	const real slow = sqrt(b->inv_mass[i]);
	const vec3 ease = turns_of(b, i);
	vec3 turn = mat3_mul(quat_matrix(body_orientation(b, i)), v3(ease.x * q->x[3], ease.y * q->x[4], ease.z * q->x[5]));
	if (m->flat) turn = v3(0, 0, turn.z);
	return (move){v3(slow * q->x[0], slow * q->x[1], slow * q->x[2]), turn};
}

/* The inverse of move_of, for a force and a torque. */
static way way_of(const model *m, const bodies *b, int32_t i, vec3 force, vec3 torque)
{
	const real slow = sqrt(b->inv_mass[i]);
	const vec3 ease = turns_of(b, i);
	const vec3 t = mat3_tmul(quat_matrix(body_orientation(b, i)), m->flat ? v3(0, 0, torque.z) : torque);
	return (way){{force.x * slow, force.y * slow, force.z * slow, t.x * ease.x, t.y * ease.y, t.z * ease.z}};
}

static vec3 with_normal(vec3 x, vec3 n, real across, real along)
{
	return v3_add(v3_mul(across, x), v3_mul((along - across) * v3_dot(x, n), n));
}

static way answer_of(const lanczos *l, int32_t i)
{
	const held_bodies *o = l->o;
	const move mine = l->move[i];
	vec3 force = v3(0, 0, 0), torque = v3(0, 0, 0);
	for (int64_t k = o->first[i]; k < o->first[i + 1]; ++k) {
		const hold *h = o->hold + k;
		vec3 shift = v3_add(mine.shift, v3_cross(mine.turn, h->at)), turn = mine.turn;
		if (h->partner >= 0) {
			const move *other = l->move + h->partner;
			shift = v3_sub(shift, v3_add(other->shift, v3_cross(other->turn, h->there)));
			turn = v3_sub(turn, other->turn);
		}
		const vec3 f = with_normal(shift, h->normal, h->across, h->along);
		force = v3_add(force, f);
		torque = v3_add(torque, v3_add(v3_cross(h->at, f), with_normal(turn, h->normal, h->rolls, h->twists)));
	}
	return way_of(o->m, &o->s->body, i, force, torque);
}

/* ------------------------------------------------------------------ all bodies */

static bool takes_part(const lanczos *l, int32_t i)
{
	return l->o->s->body.inv_mass[i] > 0 && l->o->first[i] < l->o->first[i + 1];
}

/* Sets the initial motion to random numbers that are derived from ids. */
static void start(void *what, int64_t from, int64_t to, int thread)
{
	lanczos *l = what;
	(void)thread;
	for (int64_t i = from; i < to; ++i) {
		random_stream r = scree_random_start(1, l->o->s->body.id[i]);
		for (int c = 0; c < WAYS && takes_part(l, (int32_t)i); ++c) l->next[i].x[c] = scree_random_between(&r, -1, 1);
	}
}

static void move_bodies(void *what, int64_t from, int64_t to, int thread)
{
	lanczos *l = what;
	(void)thread;
	for (int64_t i = from; i < to; ++i)
		if (takes_part(l, (int32_t)i)) l->move[i] = move_of(l->o->m, &l->o->s->body, (int32_t)i, l->now + i);
}

static void answer(void *what, int64_t from, int64_t to, int thread)
{
	lanczos *l = what;
	(void)thread;
	for (int64_t i = from; i < to; ++i) {
		if (!takes_part(l, (int32_t)i)) continue;
		const way a = answer_of(l, (int32_t)i);
		for (int c = 0; c < WAYS; ++c) l->next[i].x[c] = a.x[c] - l->back * l->before[i].x[c];
	}
}

static void subtract(void *what, int64_t from, int64_t to, int thread)
{
	lanczos *l = what;
	(void)thread;
	for (int64_t i = from; i < to; ++i)
		for (int c = 0; c < WAYS; ++c) l->next[i].x[c] -= l->along * l->now[i].x[c];
}

static real product(const lanczos *l, const way *a, const way *b)
{
	fixed sum = {0};
	for (int32_t i = 0; i < l->o->s->body.owned; ++i) {
		real one = 0;
		for (int c = 0; c < WAYS; ++c) one += a[i].x[c] * b[i].x[c];
		scree_fixed_add(&sum, one);
	}
	l->d->by->add(l->d->at, 1, &sum);
	return scree_fixed_value(sum);
}

/* Divides `next` by its length, and makes the result the current vector. */
static void turn_over(lanczos *l, real length)
{
	way *old = l->before;
	for (int32_t i = 0; i < l->o->s->body.owned; ++i)
		for (int c = 0; c < WAYS; ++c) l->next[i].x[c] /= length;
	l->before = l->now;
	l->now = l->next;
	l->next = old;
}

/* Makes ghosts move like the bodies that they copy. */
static void move_ghosts(lanczos *l)
{
	enum { NUMBERS = sizeof(move) / sizeof(real) };
	body_columns moves = {.count = NUMBERS, .stride = sizeof(move)};
	for (int c = 0; c < NUMBERS; ++c) moves.of[c] = &l->move->shift.x + c;
	if (l->d->by->share) l->d->by->share(l->d->at, &moves, NULL, 0);
}

/* ------------------------------------------------------------------ the small matrix */

/* Number of eigenvalues above x of a symmetric tridiagonal matrix with this diagonal and side, by a Sturm sequence. */
static int above(int n, const real *diagonal, const real *side, real x)
{
	static const real LEAST = (real)1e-300;
	int count = 0;
	real d = 1;
	for (int k = 0; k < n; ++k) {
		d = diagonal[k] - x - (k ? side[k - 1] * side[k - 1] / d : 0);
		if (real_abs(d) < LEAST) d = LEAST;
		count += d > 0;
	}
	return count;
}

static real greatest_of(int n, const real *diagonal, const real *side)
{
	real low = diagonal[0], high = 0;
	for (int k = 0; k < n; ++k) {
		low = real_max(low, diagonal[k]);
		high = real_max(high, diagonal[k] + (k ? side[k - 1] : 0) + (k + 1 < n ? side[k] : 0));
	}
	for (int k = 0; k < 40; ++k) {
		const real middle = (low + high) / 2;
		*(above(n, diagonal, side, middle) ? &low : &high) = middle;
	}
	return high;
}

/* Returns the number of rows of the small matrix. */
static int fill(lanczos *l, real *diagonal, real *side)
{
	static const real EXACT = (real)1e-9;
	const int64_t owned = l->o->s->body.owned;
	scree_parallel(start, l, owned, GRAIN);
	real length = sqrt(product(l, l->next, l->next));
	for (int k = 0; k < ROUNDS; ++k) {
		if (!(length > 0)) return k;
		turn_over(l, length);
		l->back = k ? length : 0;
		scree_parallel(move_bodies, l, owned, GRAIN);
		move_ghosts(l);
		scree_parallel(answer, l, owned, GRAIN);
		l->along = diagonal[k] = product(l, l->now, l->next);
		scree_parallel(subtract, l, owned, GRAIN);
		side[k] = length = sqrt(product(l, l->next, l->next));
		if (length < EXACT * diagonal[k]) return k + 1;
	}
	return ROUNDS;
}

real scree_greatest_mode(const held_bodies *o, const domain *d)
{
	const size_t n = (size_t)o->s->body.count + 1;
	way *rows = scree_alloc(3 * n, sizeof *rows);
	real diagonal[ROUNDS] = {0}, side[ROUNDS] = {0};
	lanczos l = {
		.o = o, .d = d, .now = rows, .before = rows + n, .next = rows + 2 * n, .move = scree_alloc(n, sizeof(move))};
	const int found = fill(&l, diagonal, side);
	scree_free(l.move);
	scree_free(rows);
	return found ? FOUND * greatest_of(found, diagonal, side) : 0;
}
