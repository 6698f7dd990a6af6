/* sums_scale: what one quantum of force is, and who is wide, from the bodies that there are (docs/theory/sums.md). */
#include "stages.h"

#include "base/memory.h"

#include <string.h>

/* One quantum is so small that the greatest force of a usual body is 2^52 of them: a thousand such forces fit. */
static const real OF_A_FORCE = (real)4503599627370496.0;
/* a wide body bears more than this many times what the least one does */
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
	bool ball = !w->flat && w->shape.row[b->shape[i]].type == SHAPE_SPHERE;
	for (int32_t m = 0; m < w->material.count; ++m) {
		law_constants c = w->constants[b->material[i] * w->material.count + m];
		if (ball) c.law = scree_laws[c.law].of_spheres;
		most = real_max(most, scree_law_bears(&c, b->round[i], b->radius[i], 2 * part * b->round[i]));
	}
	return most;
}

static void room(sums *s, int32_t count)
{
	if (s->wide && s->room >= count) return;
	scree_free(s->wide);
	s->room = count + count / 4 + 1;
	s->wide = scree_alloc((size_t)s->room, sizeof *s->wide);
}

static void look_at_weights(scree_world *w)
{
	sums *s = &w->sums;
	const bodies *b = &w->body;
	real least = INFINITY, g = v3_norm(w->gravity);
	s->coarsest = 0;
	for (int32_t i = 0; g > 0 && i < b->count; ++i) {
		if (b->inv_mass[i] == 0 || b->mass[i] > least || (b->mass[i] == least && b->id[i] > s->lightest)) continue;
		least = b->mass[i];
		s->lightest = b->id[i];
		s->coarsest = s->force_quantum / (b->mass[i] * g);
	}
}

static void set_scale(scree_world *w)
{
	sums *s = &w->sums;
	const bodies *b = &w->body;
	real *bear = scree_alloc((size_t)b->count, sizeof *bear);
	real least = INFINITY, greatest = 0, radius = 0;
	for (int32_t i = 0; i < b->count; ++i) {
		bear[i] = bears(w, i);
		if (bear[i] > 0) least = real_min(least, bear[i]);
	}
	s->wides = 0;
	for (int32_t i = 0; i < b->count; ++i) {
		bool wide = bear[i] > WIDE * least;
		s->wides += wide;
		if (wide) continue;
		greatest = real_max(greatest, bear[i]);
		radius = real_max(radius, b->radius[i]);
	}
	s->force_quantum = power_of_two_above(greatest) / OF_A_FORCE;
	s->torque_quantum = s->force_quantum * power_of_two_above(radius);
	s->energy_quantum = s->torque_quantum / OF_AN_ENERGY;
	look_at_weights(w);
	if (s->wides) {
		int32_t next = 0;
		room(s, b->count);
		for (int32_t i = 0; i < b->count; ++i) s->wide[i] = bear[i] > WIDE * least ? next++ : -1;
	} else {
		scree_free(s->wide);
		s->wide = NULL;
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
