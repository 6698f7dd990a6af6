/* search.h: distances between triangles, for many pairs stored as arrays. The stages of a search are short vectorized
 * loops over a block of pairs. Pairs that require the next stage wait in that stage's block until the block is full, so
 * that vectors are full. This file is included once for double and once for float (kernel/triangle.h). */
#ifndef SCREE_NARROW_TRIANGLE_SEARCH_H
#define SCREE_NARROW_TRIANGLE_SEARCH_H

#include "kernel/triangle_brute.h"
#include "kernel/triangle_newton.h"
#include "narrow/triangle/triangles.h"
#include "narrow/triangle/unit.h"

/* gcc 12 crashes on some of these loops for machines that have only SSE2 and cannot select values with a mask. */
#if defined __GNUC__ && !defined __clang__ && defined __SSE2__ && !defined __SSE4_1__
#pragma GCC optimize("no-tree-vectorize")
#define TRIANGLE_SIMD
#else
#define TRIANGLE_SIMD _Pragma("omp simd")
#endif

enum {
	/* number of values in 64 bytes; blocks are padded to a multiple of this number, which is also the stride of loops,
	 * so that no remainder is left */
	TRIANGLE_LANES = 64 / sizeof(tri_number),
	TRIANGLE_NUMBERS = 18
};

/* Executes a statement for rows i = 0 .. n-1 in vectors; n must be a multiple of the number of lanes. */
#define EACH_ROW(i, n, statement)                                                                                      \
	for (int64_t k_ = 0; k_ < (n); k_ += TRIANGLE_LANES) {                                                             \
		TRIANGLE_SIMD                                                                                                  \
		for (int64_t i = k_; i < k_ + TRIANGLE_LANES; ++i) statement;                                                  \
	}

typedef tri_number triangle_row[TRIANGLES_AT_ONCE];
typedef struct triangle_block {
	int64_t count;
	int64_t pair[TRIANGLES_AT_ONCE]; /* index chosen by the caller */
	triangle_row
		c[TRIANGLE_NUMBERS]; /* three corners of a and three of b, in the pair's unit, relative to the first corner */
	triangle_row size, unit;
	triangle_row ab, ac, bb, bc;   /* weights of the points */
	triangle_row step, steps;	   /* step lengths and number of steps of Newton's method */
	triangle_row key, nx, ny, nz;  /* brute force, as in tri_best */
	triangle_row low, high, apart; /* in the unit */
} triangle_block;

/* Returns the number of rows for the loops; rows after the last pair are filled with pairs of two equal points. */
SCREE_FN int64_t block_filled(triangle_block *o)
{
	int64_t n = (o->count + TRIANGLE_LANES - 1) / TRIANGLE_LANES * TRIANGLE_LANES;
	for (int64_t i = o->count; i < n; ++i) {
		for (int k = 0; k < TRIANGLE_NUMBERS; ++k) o->c[k][i] = 0;
		o->size[i] = o->low[i] = 0;
	}
	return n;
}

/* ------------------------------------------------------------------ inputs */

#ifdef SCREE_TRIANGLE_FLOAT
typedef triangle_pairs_float triangle_source;
#else
typedef triangle_pairs triangle_source;
#endif

SCREE_FN tri3 block_corner(const triangle_block *o, int k, int64_t i)
{
	return t3(o->c[3 * k][i], o->c[3 * k + 1][i], o->c[3 * k + 2][i]);
}

SCREE_FN void put_corner(triangle_block *o, int k, int64_t i, tri3 at)
{
	o->c[3 * k][i] = at.x, o->c[3 * k + 1][i] = at.y, o->c[3 * k + 2][i] = at.z;
}

SCREE_FN tri3 source_corner(const tri_number *const c[9], int k, int64_t i)
{
	return t3(c[3 * k][i], c[3 * k + 1][i], c[3 * k + 2][i]);
}

SCREE_FN tri_pair block_pair(const triangle_block *o, int64_t i)
{
	tri_pair p = {block_corner(o, 0, i),
				  block_corner(o, 1, i),
				  block_corner(o, 2, i),
				  block_corner(o, 3, i),
				  block_corner(o, 4, i),
				  block_corner(o, 5, i),
				  o->size[i]};
	return p;
}

/* Loads coordinates relative to the first corner. Each difference is rounded in its own last digit, so no precision is
 * lost (eq. 9). A pair with a NaN is assigned an invalid size, because comparisons would not detect the NaN. */
SCREE_FN void load_row(triangle_block *o, const triangle_source *p, int64_t first, int64_t i)
{
	const tri3 at = source_corner(p->a, 0, first + i);
	tri_pair t = {t3(0, 0, 0),
				  t3_sub(source_corner(p->a, 1, first + i), at),
				  t3_sub(source_corner(p->a, 2, first + i), at),
				  t3_sub(source_corner(p->b, 0, first + i), at),
				  t3_sub(source_corner(p->b, 1, first + i), at),
				  t3_sub(source_corner(p->b, 2, first + i), at),
				  0};
	tri3 sum = t3_add(t3_add(t.a1, t.a2), t3_add(t.b0, t3_add(t.b1, t.b2)));
	tri_number all = sum.x + sum.y + sum.z + (at.x + at.y + at.z), size = tri_pair_size(&t);
	triangle_bits unit = unit_bits(size);
	tri_number per = number_of_bits(inverse_bits(unit));
	put_corner(o, 0, i, t.a0);
	put_corner(o, 1, i, t3_mul(per, t.a1));
	put_corner(o, 2, i, t3_mul(per, t.a2));
	put_corner(o, 3, i, t3_mul(per, t.b0));
	put_corner(o, 4, i, t3_mul(per, t.b1));
	put_corner(o, 5, i, t3_mul(per, t.b2));
	o->size[i] = all - all == 0 ? size * per : (tri_number)NAN;
	o->unit[i] = number_of_bits(unit);
}

/* Loads the pairs first .. first+n-1, where n <= TRIANGLES_AT_ONCE. */
static void block_load(triangle_block *o, const triangle_source *p, int64_t first, int64_t n)
{
	int64_t full = n / TRIANGLE_LANES * TRIANGLE_LANES;
	o->count = n;
	for (int64_t i = 0; i < n; ++i) o->pair[i] = first + i;
	EACH_ROW(i, full, load_row(o, p, first, i));
	for (int64_t i = full; i < n; ++i) load_row(o, p, first, i);
}

static void block_take(triangle_block *to, const triangle_block *from, int64_t i)
{
	int64_t j = to->count++;
	to->pair[j] = from->pair[i];
	for (int k = 0; k < TRIANGLE_NUMBERS; ++k) to->c[k][j] = from->c[k][i];
	to->size[j] = from->size[i], to->unit[j] = from->unit[i], to->low[j] = from->low[i], to->steps[j] = from->steps[i];
}

/* ------------------------------------------------------------------ points and bounds */

SCREE_FN tri_places block_places(const triangle_block *o, int64_t i)
{
	return (tri_places){{o->ab[i], o->ac[i]}, {o->bb[i], o->bc[i]}};
}

SCREE_FN void put_places(triangle_block *o, int64_t i, tri_places at)
{
	o->ab[i] = at.a.b, o->ac[i] = at.a.c, o->bb[i] = at.b.b, o->bc[i] = at.b.c;
}

/* Computes bounds from the slab along the line between the centroids. */
SCREE_FN void slab_row(triangle_block *o, int64_t i)
{
	const tri_pair p = block_pair(o, i);
	tri_number third = (tri_number)1 / 3;
	tri_places at = {{third, third}, {third, third}};
	tri_bounds b = tri_bounds_of(&p, at);
	o->low[i] = b.low, o->high[i] = b.high, o->apart[i] = b.apart, o->steps[i] = 0;
	put_places(o, i, at);
}

static void block_slab(triangle_block *o)
{
	int64_t n = block_filled(o);
	EACH_ROW(i, n, slab_row(o, i));
}

/* ------------------------------------------------------------------ Newton */

SCREE_FN void newton_start_row(triangle_block *o, int64_t i)
{
	put_places(o, i, tri_newton_start());
	o->steps[i] = 0;
	o->step[i] = INFINITY;
}

/* Makes a Newton step for each row whose previous step was longer than this limit (squared). */
SCREE_FN void newton_row(triangle_block *o, int64_t i, tri_number least)
{
	const tri_pair p = block_pair(o, i);
	bool goes = o->step[i] > least * p.size * p.size;
	tri_newton t = tri_newton_step(&p, block_places(o, i));
	o->ab[i] = goes ? t.at.a.b : o->ab[i];
	o->ac[i] = goes ? t.at.a.c : o->ac[i];
	o->bb[i] = goes ? t.at.b.b : o->bb[i];
	o->bc[i] = goes ? t.at.b.c : o->bc[i];
	o->step[i] = goes ? t.step : o->step[i];
	o->steps[i] += goes ? (tri_number)1 : 0;
}

/* Computes points inside the triangles, near the closest points, and bounds from these and earlier points. Three loops
 * allow the processor to divide for one row while it multiplies for others. */
SCREE_FN void projected_row(triangle_block *o, int64_t i)
{
	const tri_pair p = block_pair(o, i);
	put_places(o, i, tri_projected(&p, block_places(o, i)));
}
SCREE_FN void edged_row(triangle_block *o, int64_t i)
{
	const tri_pair p = block_pair(o, i);
	put_places(o, i, tri_edged(&p, block_places(o, i)));
}
SCREE_FN void proof_row(triangle_block *o, int64_t i)
{
	const tri_pair p = block_pair(o, i);
	tri_bounds b = tri_bounds_of(&p, block_places(o, i));
	o->low[i] = tri_max(o->low[i], b.low), o->high[i] = b.high, o->apart[i] = b.apart;
}

/* Makes at most this number of Newton steps, but stops after a step shorter than the square root of `least`. */
static void block_newton(triangle_block *o, int steps, tri_number least)
{
	int64_t n = block_filled(o);
	EACH_ROW(i, n, newton_start_row(o, i));
	for (int step = 0; step < steps; ++step) {
		int64_t moving = 0;
		EACH_ROW(i, n, newton_row(o, i, least));
		for (int64_t i = 0; i < o->count; ++i) moving += o->step[i] > least * o->size[i] * o->size[i];
		if (!moving) break;
	}
}

static void block_proof(triangle_block *o)
{
	int64_t n = block_filled(o);
	EACH_ROW(i, n, projected_row(o, i));
	EACH_ROW(i, n, edged_row(o, i));
	EACH_ROW(i, n, proof_row(o, i));
}

/* ------------------------------------------------------------------ brute force */

SCREE_FN tri_best block_best(const triangle_block *o, int64_t i)
{
	return (tri_best){o->key[i], block_places(o, i), t3(o->nx[i], o->ny[i], o->nz[i])};
}

SCREE_FN void put_best(triangle_block *o, int64_t i, const tri_best *b)
{
	o->key[i] = b->key;
	put_places(o, i, b->at);
	o->nx[i] = b->n.x, o->ny[i] = b->n.y, o->nz[i] = b->n.z;
}

SCREE_FN void none_row(triangle_block *o, int64_t i)
{
	const tri_best none = tri_best_none();
	put_best(o, i, &none);
}

SCREE_FN void sides_row(triangle_block *o, int64_t i, int e)
{
	tri3 p = block_corner(o, e, i), u = t3_sub(block_corner(o, (e + 1) % 3, i), p);
	tri3 q = block_corner(o, 3, i), r = block_corner(o, 4, i), s = block_corner(o, 5, i);
	tri_best b = tri_best_of(block_best(o, i), tri_best_of_sides(p, u, e, q, t3_sub(r, q), 0));
	b = tri_best_of(b, tri_best_of_sides(p, u, e, r, t3_sub(s, r), 1));
	b = tri_best_of(b, tri_best_of_sides(p, u, e, s, t3_sub(q, s), 2));
	put_best(o, i, &b);
}

SCREE_FN void faces_row(triangle_block *o, int64_t i, bool face_of_b)
{
	int f = face_of_b ? 3 : 0, c = 3 - f;
	tri_best b =
		tri_best_of_face(block_corner(o, f, i), block_corner(o, f + 1, i), block_corner(o, f + 2, i),
						 block_corner(o, c, i), block_corner(o, c + 1, i), block_corner(o, c + 2, i), face_of_b);
	b = tri_best_of(block_best(o, i), b);
	put_best(o, i, &b);
}

SCREE_FN void best_row(triangle_block *o, int64_t i)
{
	const tri_pair p = block_pair(o, i);
	tri_best b = block_best(o, i);
	b.at = tri_places_inside(b.at);
	tri_bounds t = tri_best_bounds(&p, &b);
	put_places(o, i, b.at);
	o->low[i] = tri_max(o->low[i], t.low), o->high[i] = t.high, o->apart[i] = t.apart;
}

/* side and face are compile-time constants, because loops that look them up for each row are not vectorized */
static void block_brute(triangle_block *o)
{
	int64_t n = block_filled(o);
	EACH_ROW(i, n, none_row(o, i));
	EACH_ROW(i, n, sides_row(o, i, 0));
	EACH_ROW(i, n, sides_row(o, i, 1));
	EACH_ROW(i, n, sides_row(o, i, 2));
	EACH_ROW(i, n, faces_row(o, i, false));
	EACH_ROW(i, n, faces_row(o, i, true));
	EACH_ROW(i, n, best_row(o, i));
}

/* ------------------------------------------------------------------ the same loops, one pair at a time */

/* not inlined, because the compiler would vectorize an inlined copy */
__attribute__((noinline)) static void slab_one(triangle_block *o, int64_t i) { slab_row(o, i); }
__attribute__((noinline)) static void proof_one(triangle_block *o, int64_t i)
{
	projected_row(o, i);
	edged_row(o, i);
	proof_row(o, i);
}

static void each_slab(triangle_block *o)
{
	for (int64_t i = 0; i < o->count; ++i) slab_one(o, i);
}

static void each_newton(triangle_block *o, int steps, tri_number least)
{
	for (int64_t i = 0; i < o->count; ++i) {
		newton_start_row(o, i);
		for (int k = 0; k < steps && o->step[i] > least * o->size[i] * o->size[i]; ++k) newton_row(o, i, least);
	}
}

static void each_proof(triangle_block *o)
{
	for (int64_t i = 0; i < o->count; ++i) proof_one(o, i);
}

static void each_brute(triangle_block *o)
{
	for (int64_t i = 0; i < o->count; ++i) {
		none_row(o, i);
		for (int e = 0; e < 3; ++e) sides_row(o, i, e);
		faces_row(o, i, false);
		faces_row(o, i, true);
		best_row(o, i);
	}
}

#ifdef SCREE_TRIANGLE_FLOAT
typedef triangle_gap_float gap_of;
typedef int16_t steps_of;
#else
typedef triangle_gap gap_of;
typedef int32_t steps_of;
#endif

enum { ANSWERED = -1 }; /* replaces the pair in a row whose result is complete */

typedef struct triangle_job {
	const triangle_source *pairs;
	const triangle_search *how;
	gap_of *out;
	triangle_counts *counts;
	int64_t batch, at_once;
	tri_number least;	/* square of the step length after which Newton's method stops */
	tri_number contact; /* at least the contact distance of `how` */
	triangle_block here, steps, brute;
} triangle_job;

/* ------------------------------------------------------------------ outputs */

static void answer(triangle_job *j, const triangle_block *o, int64_t i, enum triangle_stage stage)
{
	gap_of *g = j->out + o->pair[i];
	tri_number unit = o->unit[i];
	g->low = o->low[i] * unit, g->high = o->high[i] * unit;
	g->a_b = o->ab[i], g->a_c = o->ac[i], g->b_b = o->bb[i], g->b_c = o->bc[i];
	g->steps = (steps_of)o->steps[i];
	g->stage = (uint8_t)stage;
	/* if triangles barely touch, an edge may seem to pierce due to rounding; a proved distance takes precedence */
	g->penetrated = stage == TRIANGLES_BY_BRUTE && o->key[i] == -1 && g->low == 0;
	g->distance = g->penetrated ? 0 : o->apart[i] * unit;
	++j->counts->by[stage];
}

/* A guess proves nothing. If it is outside the triangles, so are the points, as in Krestenitis (2017). */
static void guess(triangle_job *j, triangle_block *o, int64_t i)
{
	const tri_pair p = block_pair(o, i);
	tri3 w = tri_newton_between(&p, block_places(o, i));
	o->low[i] = 0, o->high[i] = INFINITY, o->apart[i] = tri_sqrt(t3_dot(w, w));
	answer(j, o, i, TRIANGLES_BY_NEWTON);
}

/* Searches a row thoroughly, with the same coordinates converted to double. */
static void by_thorough(triangle_job *j, const triangle_block *o, int64_t i)
{
	double a[9], b[9];
	int64_t k = o->pair[i];
	for (int c = 0; c < 9; ++c) a[c] = j->pairs->a[c][k], b[c] = j->pairs->b[c][k];
	triangle_gap t = scree_triangles_thorough(a, b);
	gap_of *g = j->out + k;
	/* rounds bounds outwards in single precision */
	real outwards = sizeof(tri_number) < sizeof(real) ? 2 * (real)TRI_ROUNDING : 0;
	g->low = (tri_number)(t.low * (1 - outwards)), g->high = (tri_number)(t.high * (1 + outwards));
	g->distance = (tri_number)t.distance;
	g->a_b = (tri_number)t.a_b, g->a_c = (tri_number)t.a_c, g->b_b = (tri_number)t.b_b, g->b_c = (tri_number)t.b_c;
	g->steps = (steps_of)o->steps[i];
	g->penetrated = t.penetrated;
	bool known = g->high - g->low <= (tri_number)j->how->tolerance * o->size[i] * o->unit[i] || g->low > j->contact;
	g->stage = known ? TRIANGLES_BY_THOROUGH : TRIANGLES_UNCERTIFIED;
	++j->counts->by[g->stage];
}

/* ------------------------------------------------------------------ the stages */

static bool far_apart(const triangle_job *j, const triangle_block *o, int64_t i)
{
	return o->low[i] * o->unit[i] > j->contact;
}

static bool certain(const triangle_job *j, const triangle_block *o, int64_t i)
{
	return far_apart(j, o, i) || o->high[i] - o->low[i] <= (tri_number)j->how->tolerance * o->size[i];
}

static void brute(const triangle_job *j, triangle_block *o) { (j->how->one_by_one ? each_brute : block_brute)(o); }

static void newton(const triangle_job *j, triangle_block *o)
{
	(j->how->one_by_one ? each_newton : block_newton)(o, j->how->steps, j->least);
}

static void brute_stage(triangle_job *j)
{
	triangle_block *o = &j->brute;
	brute(j, o);
	for (int64_t i = 0; i < o->count; ++i) {
		if (j->how->way != TRIANGLES_CERTIFIED || certain(j, o, i))
			answer(j, o, i, TRIANGLES_BY_BRUTE);
		else
			by_thorough(j, o, i);
	}
	o->count = 0;
}

static void to_brute(triangle_job *j, const triangle_block *o, int64_t i)
{
	block_take(&j->brute, o, i);
	if (j->brute.count == TRIANGLES_AT_ONCE) brute_stage(j);
}

static void newton_stage(triangle_job *j, triangle_block *o)
{
	newton(j, o);
	(j->how->one_by_one ? each_proof : block_proof)(o);
	for (int64_t i = 0; i < o->count; ++i) {
		if (o->pair[i] == ANSWERED) continue;
		/* if the triangles touch, brute force determines whether one pierces the other */
		if (o->low[i] > 0 && certain(j, o, i))
			answer(j, o, i, TRIANGLES_BY_NEWTON);
		else
			to_brute(j, o, i);
	}
	o->count = 0;
}

static void to_newton(triangle_job *j, const triangle_block *o, int64_t i)
{
	block_take(&j->steps, o, i);
	if (j->steps.count == TRIANGLES_AT_ONCE) newton_stage(j, &j->steps);
}

/* Stores the results for pairs that are far apart; returns the number of other pairs. */
static int64_t slab_stage(triangle_job *j, triangle_block *o)
{
	int64_t waiting = 0;
	(j->how->one_by_one ? each_slab : block_slab)(o);
	for (int64_t i = 0; i < o->count; ++i) {
		bool apart = far_apart(j, o, i);
		if (apart) {
			answer(j, o, i, TRIANGLES_BY_SLAB);
			o->pair[i] = ANSWERED;
		}
		waiting += !apart;
	}
	return waiting;
}

static void certified(triangle_job *j)
{
	triangle_block *o = &j->here;
	int64_t waiting = slab_stage(j, o);
	/* the block is nearly full, and copying its rows would take longer */
	if (j->how->steps > 0 && 4 * waiting > 3 * TRIANGLES_AT_ONCE) {
		newton_stage(j, o);
		return;
	}
	for (int64_t i = 0; i < o->count; ++i) {
		if (o->pair[i] == ANSWERED) continue;
		(j->how->steps > 0 ? to_newton : to_brute)(j, o, i);
	}
}

static bool too_long(const triangle_job *j, const triangle_block *o, int64_t i)
{
	return !(o->step[i] <= j->least * o->size[i] * o->size[i]);
}

/* Algorithm 10, or Algorithm 9 if batches consist of one pair */
static void hybrid(triangle_job *j, int64_t batch)
{
	triangle_block *o = &j->here;
	newton(j, o);
	for (int64_t from = 0, to; from < o->count; from = to) {
		to = from + batch < o->count ? from + batch : o->count;
		bool redo = false;
		for (int64_t i = from; i < to; ++i) {
			redo = redo || too_long(j, o, i);
			o->low[i] = 0;
		}
		for (int64_t i = from; i < to; ++i) {
			if (redo)
				to_brute(j, o, i);
			else
				guess(j, o, i);
		}
	}
}

static void one_way(triangle_job *j)
{
	triangle_block *o = &j->here;
	switch (j->how->way) {
	case TRIANGLES_BRUTE:
		for (int64_t i = 0; i < o->count; ++i) o->low[i] = o->steps[i] = 0;
		brute(j, o);
		for (int64_t i = 0; i < o->count; ++i) answer(j, o, i, TRIANGLES_BY_BRUTE);
		break;
	case TRIANGLES_PENALTY:
		newton(j, o);
		for (int64_t i = 0; i < o->count; ++i) guess(j, o, i);
		break;
	case TRIANGLES_HYBRID:
		hybrid(j, 1);
		break;
	case TRIANGLES_BATCHES:
		hybrid(j, j->batch);
		break;
	default:
		certified(j);
	}
}

static void search(triangle_job *j)
{
	for (int64_t first = 0; first < j->pairs->count; first += j->at_once) {
		int64_t left = j->pairs->count - first;
		block_load(&j->here, j->pairs, first, left < j->at_once ? left : j->at_once);
		one_way(j);
	}
	if (j->steps.count) newton_stage(j, &j->steps);
	if (j->brute.count) brute_stage(j);
}

static void search_pairs(const triangle_source *p, const triangle_search *s, gap_of *out, triangle_counts *counts)
{
	triangle_job j;
	/* certified: a fixed number of steps; the bounds decide */
	tri_number t = s->way == TRIANGLES_CERTIFIED ? 0 : (tri_number)s->tolerance;
	j.pairs = p, j.how = s, j.out = out, j.counts = counts;
	j.batch = s->batch > 0 ? s->batch : TRIANGLES_AT_ONCE;
	j.at_once = triangles_at_once(s->way, s->batch);
	j.least = t * t;
	j.contact = (tri_number)s->contact;
	j.contact += 2 * TRI_ROUNDING * j.contact;
	j.here.count = j.steps.count = j.brute.count = 0;
	search(&j);
}

#endif
