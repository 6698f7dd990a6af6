/* sums_scale: the quantum of force and the set of wide bodies, from data of all bodies (docs/theory/sums.md). */
#include "sum/stage.h"

#include "base/memory.h"
#include "model/law.h"
#include "model/model.h"
#include "shape/shape_forms.h"
#include "state/state.h"
#include "work/work.h"

#include <string.h>

/* largest force on a usual body in quanta: 2^52, so that the sum of a thousand such forces fits */
static const real OF_A_FORCE = (real)4503599627370496.0;
static const real WIDE = 64; /* largest allowed ratio of the force limits of two usual bodies */
/* largest force limit of a usual body in the finer quantum, so that the sum of a dozen such forces fits */
static const real MOST_OF_FINEST = (real)288230376151711744.0; /* 2^58 */
/* quantum of sums in 128 bits, in N and N m (base/fixed.h) */
static const real FIXED_QUANTUM = (real)8.0779356694631609e-28; /* 2^-90 */
/* ratio of the quanta of torque and energy, since the energy lost in a step is much less than force times size */
static const real OF_AN_ENERGY = 256;

static real power_of_two_above(real x)
{
	real p = 1;
	if (!(x > 0)) return 1;
	while (p < x) p *= 2;
	while (p / 2 >= x) p /= 2;
	return p;
}

/* bound on the force of a bond, in N, either when compressed by the largest allowed overlap or at its strength */
static real bond_bears(const model *m, int32_t i, int64_t rule, const state *s)
{
	const bond_rule *r = &m->material.rule[rule].bond;
	const real part = m->guard.overlap > 0 ? m->guard.overlap : 1, radius = s->body.round[i];
	if (!(r->tension > 0)) return 0;
	const real area = m->flat ? 2 * radius * m->thickness : SCREE_PI * radius * radius;
	const real strength = (1 + 3 * r->deviation) * real_max(r->tension, r->shear);
	return area * real_max(r->young * 2 * part, strength);
}

/* largest normal force limit of body i over all partner materials, in N: the force at its largest allowed overlap. */
static real load_of(const model *m, const state *s, int32_t i)
{
	const bodies *b = &s->body;
	real part = m->guard.overlap > 0 ? m->guard.overlap : 1, most = 0;
	bool ball = !m->flat && shape_is_pointed(m->shape.row + b->shape[i]);
	for (int32_t count = 0; count < m->material.count; ++count) {
		law_constants c = m->constants[b->material[i] * m->material.count + count];
		if (ball) c.law = scree_laws[c.law].of_spheres;
		most = real_max(most, scree_law_bears(&c, b->round[i], b->radius[i], 2 * part * b->round[i]));
		most = real_max(most, bond_bears(m, i, b->material[i] * m->material.count + count, s));
	}
	return most;
}

static void no_wide(sums *s)
{
	SCREE_FREE_ALL(s->wide, s->wide_set);
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

/* the smallest weight of all bodies, in N, and the id of that body; infinite if no body has weight. */
static real least_weight(const model *m, const state *s, const work *w, uint64_t *id)
{
	const bodies *b = &s->body;
	light_body least = {INFINITY, 0};
	real g = v3_norm(m->gravity);
	if (!(g > 0)) return INFINITY;
	for (int32_t i = 0; i < b->owned; ++i)
		if (b->inv_mass[i] > 0) least = lighter((light_body){b->mass[i], b->id[i]}, least);
	int64_t count = 1;
	light_body *all = w->domain.by->gather(w->domain.at, &count, sizeof least, &least);
	for (int64_t k = 0; k < count; ++k) least = lighter(all[k], least);
	scree_free(all);
	*id = least.id;
	return least.mass * g;
}

static real quantum_for(real force) { return power_of_two_above(force) / OF_A_FORCE; }

/* Bounds over all bodies. */
typedef struct scale_bounds {
	real least;	   /* smallest force limit of all bodies, in N */
	real smallest; /* m, least radius */
	real weight;   /* weight of the lightest body, in N */
	real finest;   /* quantum in N of the lightest body if the usual one is too coarse for all bodies; otherwise 0 */
} scale_bounds;

static scale_bounds bounds_of(real least, real smallest, real weight)
{
	scale_bounds o = {least, smallest, weight, 0};
	if (!(least < INFINITY)) return o; /* no body has a force limit */
	if (quantum_for(least) > SUMS_COARSEST * weight) o.finest = power_of_two_above(SUMS_COARSEST * weight) / 2;
	return o;
}

/* Tests whether a body with this force limit needs 128-bit sums: its limit is far above the smallest one, and 64 bits
 * cannot hold both its forces and the quantum that the lightest body needs. */
static bool is_wide(real bear, const scale_bounds *o)
{
	if (o->finest > 0) return bear > WIDE * o->least || bear > MOST_OF_FINEST * o->finest;
	return bear > WIDE * o->least || (bear > o->least && quantum_for(bear) > SUMS_COARSEST * o->weight);
}

/* force, radius: largest force limit and largest radius of usual bodies, or of all bodies if all are wide */
static void set_quanta(sums *s, const scale_bounds *o, real force, real radius, bool all_wide)
{
	s->force_quantum = quantum_for(force);
	if (o->finest > 0 && !all_wide) s->force_quantum = real_min(s->force_quantum, o->finest);
	s->torque_quantum = s->force_quantum * power_of_two_above(radius);
	s->energy_quantum = s->torque_quantum / OF_AN_ENERGY;
	s->rounded = all_wide ? FIXED_QUANTUM : s->force_quantum;
	s->coarsest = s->rounded / o->weight; /* 0 if no body has weight */
	if (all_wide) s->coarsest = real_max(s->coarsest, FIXED_QUANTUM / (o->weight * o->smallest)); /* for torques */
}

static void mark_wide(sums *s, const real *bear, int32_t count, const scale_bounds *o)
{
	int32_t next = 0;
	room(s, count);
	for (int32_t i = 0; i < count; ++i) {
		bool wide = is_wide(bear[i], o);
		s->wide[i] = wide ? next++ : -1;
		if (i % 64 == 0) s->wide_set[i / 64] = 0;
		s->wide_set[i / 64] |= (uint64_t)wide << i % 64;
	}
}

/* Checks the values, since another part may send arbitrary numbers. */
static void need_scale(const domain *d, const real least[2], const real most[4])
{
	bool right = least[0] > 0 && least[1] > 0;
	for (int k = 0; k < 4; ++k) right &= most[k] >= 0 && most[k] < INFINITY;
	scree_domain_need(d, right, "greatest", "impossible force limits or radii of bodies");
}

static void set_scale(const model *m, state *s, work *w)
{
	sums *sums = &w->sums;
	const bodies *b = &s->body;
	real *bear = scree_alloc((size_t)b->count, sizeof *bear);
	real least[2] = {INFINITY, INFINITY}; /* force limit, radius */
	for (int32_t i = 0; i < b->count; ++i) {
		bear[i] = load_of(m, s, i);
		if (bear[i] > 0) least[0] = real_min(least[0], bear[i]);
		least[1] = real_min(least[1], b->radius[i]);
	}
	scree_domain_least(&w->domain, 2, least);
	const scale_bounds o = bounds_of(least[0], least[1], least_weight(m, s, w, &sums->lightest));
	real most[4] = {0, 0, 0, 0}; /* force limit and radius of usual bodies, and then of all bodies */
	sums->wides = 0;
	for (int32_t i = 0; i < b->count; ++i) {
		const bool wide = is_wide(bear[i], &o);
		sums->wides += wide;
		for (int k = wide ? 2 : 0; k < 4; k += 2) {
			most[k] = real_max(most[k], bear[i]);
			most[k + 1] = real_max(most[k + 1], b->radius[i]);
		}
	}
	scree_domain_most(&w->domain, 4, most);
	need_scale(&w->domain, least, most);
	const bool all_wide = !(most[0] > 0) && most[2] > 0;
	set_quanta(sums, &o, most[all_wide ? 2 : 0], most[all_wide ? 3 : 1], all_wide);
	if (sums->wides)
		mark_wide(sums, bear, b->count, &o);
	else
		no_wide(sums);
	scree_free(bear);
}

void scree_sums_prepare(const model *m, state *s, work *w, bool renew)
{
	if (m->solver) return; /* no forces */
	if (renew) set_scale(m, s, w);
	for (int t = 0; t < w->threads; ++t)
		scree_sum_rows_room(&w->thread[t].rows, s->body.count, w->sums.wides, m->wall.count);
}

void scree_sums_forget(work *w)
{
	for (int t = 0; t < w->threads; ++t) {
		sum_rows *r = &w->thread[t].rows;
		if (r->bodies) {
			memset(r->body, 0, (size_t)r->bodies * sizeof *r->body);
			memset(r->touched, 0, (size_t)r->bodies / SUMS_BLOCK + 1);
		}
		if (r->wides) memset(r->wide, 0, (size_t)r->wides * sizeof *r->wide);
		if (r->walls) memset(r->wall, 0, (size_t)r->walls * sizeof *r->wall);
	}
}
