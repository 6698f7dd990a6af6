/* sums_scale: what one quantum of force is, and who is wide, from the bodies that there are (docs/theory/sums.md). */
#include "stages.h"

#include "base/memory.h"
#include "state/shape_forms.h"

#include <string.h>

/* One quantum is so small that the greatest force of a usual body is 2^52 of them: a thousand such forces fit. */
static const real OF_A_FORCE = (real)4503599627370496.0;
/* a usual body bears at most this many times what the least one does */
static const real WIDE = 64;
/* J over N m: what a step loses is much less than force times size */
static const real OF_AN_ENERGY = 256;

static real power_of_two_above(real x)
{
	real p = 1;
	if (!(x > 0)) return 1;
	while (p < x) p *= 2;
	while (p / 2 >= x) p /= 2;
	return p;
}

/* N: what body i bears of contacts with bodies of any material before it overlaps by more than it may */
static real bears(const scree_world *w, int32_t i)
{
	const bodies *b = &w->body;
	real part = w->guard.overlap > 0 ? w->guard.overlap : 1, most = 0;
	bool ball = !w->flat && shape_is_pointed(w->shape.row + b->shape[i]);
	for (int32_t m = 0; m < w->material.count; ++m) {
		law_constants c = w->constants[b->material[i] * w->material.count + m];
		if (ball) c.law = scree_laws[c.law].of_spheres;
		most = real_max(most, scree_law_bears(&c, b->round[i], b->radius[i], 2 * part * b->round[i]));
	}
	return most;
}

static void no_wide(sums *s)
{
	scree_free(s->wide);
	scree_free(s->wide_set);
	s->wide = NULL;
	s->wide_set = NULL;
}

static void room(sums *s, int32_t count)
{
	if (s->wide && s->room >= count) return;
	no_wide(s);
	s->room = count + count / 4 + 1;
	s->wide = scree_alloc((size_t)s->room, sizeof *s->wide);
	s->wide_set = scree_alloc((size_t)s->room / 64 + 1, sizeof *s->wide_set);
}

typedef struct light_body {
	real mass;
	uint64_t id;
} light_body;

static light_body lighter(light_body x, light_body y)
{
	return x.mass < y.mass || (x.mass == y.mass && x.id < y.id) ? x : y;
}

/* N: the least weight, and whose it is; infinite where nothing has one */
static real least_weight(const scree_world *w, uint64_t *id)
{
	const bodies *b = &w->body;
	light_body least = {INFINITY, 0};
	real g = v3_norm(w->gravity);
	if (!(g > 0)) return INFINITY;
	for (int32_t i = 0; i < b->owned; ++i)
		if (b->inv_mass[i] > 0) least = lighter((light_body){b->mass[i], b->id[i]}, least);
	int64_t count = 1;
	light_body *all = w->parts.by->gather(w->parts.at, &count, sizeof least, &least);
	for (int64_t k = 0; k < count; ++k) least = lighter(all[k], least);
	scree_free(all);
	*id = least.id;
	return least.mass * g;
}

static real quantum_for(real force) { return power_of_two_above(force) / OF_A_FORCE; }

/* Does a body that bears so much add in 128 bits? Where it bears far more than the least one, and where its quantum
 * would be too coarse for the lightest one. least: N, what any body bears at least; weight: of the lightest one */
static bool is_wide(real bear, real least, real weight)
{
	return bear > WIDE * least || (bear > least && quantum_for(bear) > SUMS_COARSEST * weight);
}

static void set_scale(scree_world *w)
{
	sums *s = &w->sums;
	const bodies *b = &w->body;
	real *bear = scree_alloc((size_t)b->count, sizeof *bear);
	real least = INFINITY, most[2] = {0, 0}; /* force, radius */
	for (int32_t i = 0; i < b->count; ++i) {
		bear[i] = bears(w, i);
		if (bear[i] > 0) least = real_min(least, bear[i]);
	}
	scree_domain_least(&w->parts, 1, &least);
	real weight = least_weight(w, &s->lightest);
	s->wides = 0;
	for (int32_t i = 0; i < b->count; ++i) {
		bool wide = is_wide(bear[i], least, weight);
		s->wides += wide;
		if (wide) continue;
		most[0] = real_max(most[0], bear[i]);
		most[1] = real_max(most[1], b->radius[i]);
	}
	scree_domain_most(&w->parts, 2, most);
	s->force_quantum = quantum_for(most[0]);
	s->torque_quantum = s->force_quantum * power_of_two_above(most[1]);
	s->energy_quantum = s->torque_quantum / OF_AN_ENERGY;
	s->coarsest = s->force_quantum / weight; /* 0 without weights */
	if (s->wides) {
		int32_t next = 0;
		room(s, b->count);
		for (int32_t i = 0; i < b->count; ++i) {
			bool wide = is_wide(bear[i], least, weight);
			s->wide[i] = wide ? next++ : -1;
			if (i % 64 == 0) s->wide_set[i / 64] = 0;
			s->wide_set[i / 64] |= (uint64_t)wide << i % 64;
		}
	} else {
		no_wide(s);
	}
	scree_free(bear);
}

void scree_sums_prepare(scree_world *w, bool anew)
{
	if (w->solver) return; /* no forces */
	if (anew) set_scale(w);
	for (int t = 0; t < w->scratches; ++t)
		scree_sum_rows_room(&w->scratch[t].rows, w->body.count, w->sums.wides, w->wall.count);
}

void scree_sums_forget(scree_world *w)
{
	for (int t = 0; t < w->scratches; ++t) {
		sum_rows *r = &w->scratch[t].rows;
		if (r->bodies) {
			memset(r->body, 0, (size_t)r->bodies * sizeof *r->body);
			memset(r->touched, 0, (size_t)r->bodies / SUMS_BLOCK + 1);
		}
		if (r->wides) memset(r->wide, 0, (size_t)r->wides * sizeof *r->wide);
		if (r->walls) memset(r->wall, 0, (size_t)r->walls * sizeof *r->wall);
	}
}
