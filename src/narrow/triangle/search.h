/* search.h: pairs pass through the stages of a search in blocks. Pairs that need the next stage wait in its block until
 * it is full, so that vectors are full. One file includes it for double and one for float (kernel/triangle.h). */
#ifndef SCREE_NARROW_TRIANGLE_SEARCH_H
#define SCREE_NARROW_TRIANGLE_SEARCH_H

#include "narrow/triangle/block.h"

#ifdef SCREE_TRIANGLE_FLOAT
typedef triangle_gap_float gap_of;
typedef int16_t steps_of;
#else
typedef triangle_gap gap_of;
typedef int32_t steps_of;
#endif

enum { ANSWERED = -1 }; /* replaces the pair in a row that has its result */

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
	/* where triangles hardly touch, rounding may show a piercing edge; a proved distance takes precedence */
	g->penetrated = stage == TRIANGLES_BY_BRUTE && o->key[i] == -1 && g->low == 0;
	g->distance = g->penetrated ? 0 : o->apart[i] * unit;
	++j->counts->by[stage];
}

/* The result of a guess, which proves nothing. If the guess is outside of the triangles, so are its points, as in
 * Krestenitis (2017). */
static void guess(triangle_job *j, triangle_block *o, int64_t i)
{
	const tri_pair p = block_pair(o, i);
	tri3 w = tri_newton_between(&p, block_places(o, i));
	o->low[i] = 0, o->high[i] = INFINITY, o->apart[i] = tri_sqrt(t3_dot(w, w));
	answer(j, o, i, TRIANGLES_BY_NEWTON);
}

/* Searches a row thoroughly; its coordinates are the same numbers in double. */
static void by_thorough(triangle_job *j, const triangle_block *o, int64_t i)
{
	double a[9], b[9];
	int64_t k = o->pair[i];
	for (int c = 0; c < 9; ++c) a[c] = j->pairs->a[c][k], b[c] = j->pairs->b[c][k];
	triangle_gap t = scree_triangles_thorough(a, b);
	gap_of *g = j->out + k;
	/* rounds bounds outwards, for float */
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

static void brute(const triangle_job *j, triangle_block *o)
{
	if (j->how->one_by_one)
		each_brute(o);
	else
		block_brute(o);
}

static void newton(const triangle_job *j, triangle_block *o)
{
	if (j->how->one_by_one)
		each_newton(o, j->how->steps, j->least);
	else
		block_newton(o, j->how->steps, j->least);
}

/* Brute force for all pairs that wait for it. */
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

/* Newton steps, and bounds from their points, for all pairs of a block that waits for them. */
static void newton_stage(triangle_job *j, triangle_block *o)
{
	newton(j, o);
	if (j->how->one_by_one)
		each_proof(o);
	else
		block_proof(o);
	for (int64_t i = 0; i < o->count; ++i) {
		if (o->pair[i] == ANSWERED) continue;
		/* if the triangles meet, brute force decides whether one pierces the other */
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

/* Writes the results of pairs that are far apart; returns the number of other pairs. */
static int64_t slab_stage(triangle_job *j, triangle_block *o)
{
	int64_t waiting = 0;
	if (j->how->one_by_one)
		each_slab(o);
	else
		block_slab(o);
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
	/* the block is nearly full: copying would cost more */
	if (j->how->steps > 0 && 4 * waiting > 3 * TRIANGLES_AT_ONCE) {
		newton_stage(j, o);
		return;
	}
	for (int64_t i = 0; i < o->count; ++i) {
		if (o->pair[i] == ANSWERED) continue;
		if (j->how->steps > 0)
			to_newton(j, o, i);
		else
			to_brute(j, o, i);
	}
}

static bool too_long(const triangle_job *j, const triangle_block *o, int64_t i)
{
	return !(o->step[i] <= j->least * o->size[i] * o->size[i]);
}

/* Algorithm 10; with batches of one pair, Algorithm 9 */
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
	/* certified: a fixed number of steps, all of them useful; the bounds decide */
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
