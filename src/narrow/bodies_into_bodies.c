/* bodies_into_bodies: finds contacts so deep, relative to the thickness of the two bodies, that the bodies may pass
 * through each other. If the depth exceeds half of their combined thickness, the shortest way out is on the other side,
 * and the law pushes the bodies that way (docs/theory/overlap.md, "Bodies do not pass through each other").
 *
 * in   rows of touching pairs, and their depths           out  the largest overlap, and the first pair beyond the limit
 *
 * The depth in laws that use volume or area is not the geometric depth, which is larger by at most a known factor. The
 * geometric depth is computed only if this bound is too large. */
#include "narrow/stage.h"

#include "base/parallel.h"
#include "narrow/compound.h"
#include "narrow/work.h"
#include "ranks/together/domain.h"
#include "shape/thickness.h"

enum { GRAIN = 1024 };

typedef struct job {
	const model *m;
	state *s;
	work *w;
	int kind;
	real deeper; /* bound on the ratio of the geometric depth to the law's depth */
	real most[SCREE_MOST_THREADS];
	passing first[SCREE_MOST_THREADS];
} job;

/* Returns a bound on the ratio of the geometric depth to the law's depth. When one convex body moves relative to
 * another, the cube root of their common volume V is a concave function of the displacement (Brunn and Minkowski), and
 * so is the square root of their common area A. The separating translation is therefore at most 3 V/A, or 2 A/G in the
 * plane. Under the law `overlap`, the translation at corners is 3/2 times the depth; the largest measured factor is
 * 1.57 (tests/narrow/depths.c). */
static real deeper_than(overlap_kind gives) { return gives == OVERLAP_DEPTH ? 1 : gives == OVERLAP_VOLUME ? 3 : 2; }

void scree_keep_first_passing(const bodies *b, const passing *a, passing *first)
{
	if (!a->found) return;
	const bool before = !first->found || b->id[a->a] < b->id[first->a] ||
						(a->a == first->a && b->id[a->b] < b->id[first->b]) ||
						(a->a == first->a && a->b == first->b && a->depth > first->depth);
	if (before) *first = *a;
}

static real depth_in_space(const model *m, const state *s, const work *w, int kind, int64_t row)
{
	const pair_list *l = s->pair + kind;
	const placed a = placed_of(m, s, w, l->ca[row], v3(0, 0, 0)),
				 b = placed_of(m, s, w, l->cb[row], way_to(m, s, w, kind, l->slot[row]));
	const uint64_t feature = scree_pair_kinds[kind].several ? l->feature[row] : 0;
	const placed p = scree_part(&a, (int32_t)(feature >> 32)), q = scree_part(&b, (int32_t)(feature & UINT32_MAX));
	return -scree_gap(&p, &q, m->flat);
}

static bool both_held(const bodies *b, int32_t i, int32_t k) { return b->inv_mass[i] == 0 && b->inv_mass[k] == 0; }

static void look_at_row(job *j, int64_t row, int thread)
{
	const model *m = j->m;
	const state *s = j->s;
	const work *w = j->w;
	const pair_list *l = s->pair + j->kind;
	const contact_work *c = &w->pair[j->kind].contact;
	const int32_t a = l->ca[row], b = l->cb[row];
	const real limit = m->guard.overlap;
	if (both_held(&s->body, a, b)) return;
	const two_thick thick = scree_contact_thickness(m, s, j->kind, row);
	const real allowed = limit > 0 ? real_min(limit * thick.least, thick.safe) : INFINITY;
	real depth = c->depth[row];
	if (j->deeper > 1 && scree_pair_kinds[j->kind].patch && j->deeper * depth > allowed)
		depth = depth_in_space(m, s, w, j->kind, row);
	j->most[thread] = real_max(j->most[thread], depth / thick.least);
	if (!(depth > allowed)) return;
	const passing p = {.found = true,
					   .a = a,
					   .b = b,
					   .depth = depth,
					   .thick = thick.least,
					   .limit = allowed / thick.least,
					   .at = v3_add(body_position(&s->body, a), v3(c->px[row], c->py[row], c->pz[row]))};
	scree_keep_first_passing(&s->body, &p, j->first + thread);
}

static void look_at_pieces(void *what, int64_t from, int64_t to, int thread)
{
	job *j = what;
	const pair_list *l = j->s->pair + j->kind;
	const real *depth = j->w->pair[j->kind].contact.depth;
	const real limit = j->m->guard.overlap, within = limit > 0 ? real_min(limit, LEAST_SAFE) / j->deeper : INFINITY;
	for (int64_t p = from; p < to; ++p)
		for (int64_t row = l->base[p], end = row + l->used[p]; row < end; ++row) {
			const real least = real_min(j->most[thread], within) * j->w->thinnest;
			if (l->touch[row] && !(depth[row] <= least)) look_at_row(j, row, thread);
		}
}

static void note_overlap(SCREE_UNUSED const model *m, SCREE_UNUSED state *s, work *w) { scree_overlap_noted(w); }

void scree_bodies_into_bodies(const model *m, state *s, work *w)
{
	w->passed = (passing){0};
	job j = {.m = m, .s = s, .w = w, .deeper = deeper_than(m->narrow->gives)};
	for (int t = 0; t < SCREE_MOST_THREADS; ++t) j.most[t] = w->greatest_overlap_part;
	for (j.kind = 0; j.kind < PAIR_KINDS; ++j.kind) {
		const pair_list *l = s->pair + j.kind;
		if (pair_on_wall(j.kind) || scree_pair_kinds[j.kind].formula || !l->count) continue;
		scree_parallel(look_at_pieces, &j, l->pieces, scree_pair_list_grain(l, GRAIN));
	}
	real most = 0;
	for (int t = 0; t < SCREE_MOST_THREADS; ++t) {
		most = real_max(most, j.most[t]);
		scree_keep_first_passing(&s->body, j.first + t, &w->passed);
	}
	w->greatest_overlap_part = most;
	scree_domain_put_most(&w->domain, 1, &w->greatest_overlap_part);
	scree_after_join(w, note_overlap);
}

/* Returns the smallest combined thickness of this shape and any shape at least as thick, in m at size 1. */
static real least_between(const shape *s)
{
	const thick_piece p = {s->thick, s->parts > 1};
	return s->type == SHAPE_SURFACE ? INFINITY : thick_in_steps(two_thick_of(p, p));
}

void scree_thinnest_renew(const model *m, state *s, work *w)
{
	const bodies *b = &s->body;
	real least = INFINITY;
	for (int32_t i = 0; i < b->owned; ++i)
		least = real_min(least, least_between(m->shape.row + b->shape[i]) * b->size[i]);
	scree_domain_least(&w->domain, 1, &least);
	w->thinnest = least;
}
