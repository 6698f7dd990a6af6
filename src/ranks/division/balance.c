/* balance: divides the world again when the work of its parts has become uneven. The work is estimated from the
 * contacts of bodies. The estimate only determines where bodies are computed, so it does not affect results. */
#include "ranks/division/part.h"

#include "base/memory.h"
#include "state/pairs.h"
#include "state/state.h"
#include "work/work.h"

#include <string.h>

/* ------------------------------------------------------------------ work of bodies */

/* ns per step for a body without contacts, and for a contact row, touching or not; rounded from timings of packings */
static const real work_of_body = 40;
static const real work_of_contact[PAIR_KINDS] = {
	[PAIR_SPHERE_SPHERE] = 30,	  [PAIR_SPHERE_CONVEX] = 300,		  [PAIR_CONVEX_CONVEX] = 600,
	[PAIR_SPHERE_WALL] = 150,	  [PAIR_CONVEX_WALL] = 700,			  [PAIR_SEVERAL_PATCHES] = 2000,
	[PAIR_SEVERAL_POINTS] = 1000, [PAIR_SEVERAL_PATCHES_WALL] = 2000, [PAIR_SEVERAL_POINTS_WALL] = 800,
};

/* Two owned bodies share the work of a contact row. If one of them is a copy, its owner does the same work. */
static void add_row(const pair_list *l, int kind, int64_t row, int32_t owned, real *work)
{
	const int32_t a = l->ca[row], b = pair_on_wall(kind) ? INT32_MAX : l->cb[row];
	const real each = work_of_contact[kind] / (a < owned && b < owned ? 2 : 1);
	if (a < owned) work[a] += each;
	if (b < owned) work[b] += each;
}

static real *work_of_bodies(const state *s)
{
	const int32_t owned = s->body.owned;
	real *work = scree_alloc((size_t)owned, sizeof *work);
	for (int32_t i = 0; i < owned; ++i) work[i] = work_of_body;
	for (int kind = 0; kind < PAIR_KINDS; ++kind) {
		const pair_list *l = s->pair + kind;
		for (int32_t p = 0; p < l->pieces; ++p)
			for (int64_t row = l->base[p]; row < l->base[p] + l->used[p]; ++row) add_row(l, kind, row, owned, work);
	}
	return work;
}

typedef struct rank_work {
	real most, mean; /* ns per step */
	int64_t bodies;	 /* sum over ranks */
} rank_work;

static rank_work compare(const domain *d, int32_t ranks, int32_t owned, const real *work)
{
	real here = 0;
	for (int32_t i = 0; i < owned; ++i) here += work[i];
	fixed all[2] = {{.quanta = (int64_t)here}, {.quanta = owned}};
	scree_domain_most(d, 1, &here);
	d->by->add(d->at, 2, all);
	scree_domain_need(d, all[0].quanta >= 0 && all[1].quanta >= owned && all[1].quanta <= INT64_MAX, "add",
					  "impossible number of bodies or amount of work");
	return (rank_work){here, (real)all[0].quanta / ranks, (int64_t)all[1].quanta};
}

static real ratio(rank_work o) { return o.bodies ? o.most / o.mean : 1; }

real scree_ranks_uneven(const rank_part *o, const state *s, const work *w)
{
	real *work = work_of_bodies(s);
	const rank_work all = compare(&w->domain, o->c->ranks, s->body.owned, work);
	scree_free(work);
	return ratio(all);
}

/* ------------------------------------------------------------------ cuts */

/* Above this number of bodies the first rank receives only some bodies, which represent the work of the others. */
enum { MOST_POINTS = 1 << 20 };

/* Returns one point for every `of` bodies, which are close in memory and therefore in space. */
static rank_rows sample(const rank_part *o, const state *s, const real *work, int64_t of)
{
	const bodies *b = &s->body;
	const int64_t count = (b->owned + of - 1) / of;
	weighted_point *p = scree_alloc((size_t)count, sizeof *p);
	for (int32_t i = 0; i < b->owned; ++i) p[i / of].work += work[i];
	for (int64_t k = 0; k < count; ++k) {
		const int64_t middle = k * of + of / 2;
		p[k].at = scree_rank_place(o, s, body_position(b, middle < b->owned ? (int32_t)middle : b->owned - 1));
	}
	return (rank_rows){p, (size_t)count * sizeof *p};
}

static weighted_points join(const rank_rows *of, int32_t ranks)
{
	weighted_points all = {0};
	size_t size = 0;
	for (int32_t k = 0; k < ranks; ++k) size += of[k].size;
	char *to = scree_alloc(size, 1);
	all.row = (weighted_point *)to;
	all.count = (int64_t)(size / sizeof *all.row);
	for (int32_t k = 0; k < ranks; ++k) {
		if (of[k].size % sizeof *all.row)
			scree_break_off(FAIL_IO, "rank 0: the points from rank %d end in the middle of a point", k);
		if (of[k].size) memcpy(to, of[k].bytes, of[k].size);
		to += of[k].size;
	}
	for (const weighted_point *p = all.row; p < all.row + all.count; ++p)
		if (!(p->work > 0 && p->work < INFINITY && v3_norm2(p->at) < INFINITY))
			scree_break_off(
				FAIL_IO,
				"rank 0 has received an invalid point from another rank, with %g ns of work, %g m from the origin",
				p->work, v3_norm(p->at));
	return all;
}

static void free_rows(rank_rows *all, int32_t ranks)
{
	for (int32_t k = 0; k < ranks; ++k) scree_free(all[k].bytes);
	scree_free(all);
}

/* Returns the largest work of a part, divided by the mean. */
static real uneven(const partition *p, const weighted_points *all)
{
	real *work = scree_alloc((size_t)p->plan.ranks, sizeof *work), most = 0, sum = 0;
	for (int64_t k = 0; k < all->count; ++k) work[p->by->owner(p, all->row[k].at)] += all->row[k].work;
	for (int32_t k = 0; k < p->plan.ranks; ++k) most = real_max(most, work[k]), sum += work[k];
	scree_free(work);
	return most / (sum / p->plan.ranks);
}

/* The first rank chooses the cuts; returns the resulting unevenness. */
static real cut_here(partition *p, const rank_rows *all)
{
	const weighted_points points = join(all, p->plan.ranks);
	fail why;
	scree_ranks_need(p->by->cut(p, &points, &why), &why);
	const real reached = uneven(p, &points);
	scree_free(points.row);
	return reached;
}

/* The first rank sends its planes to the others. */
static void spread_planes(partition *p, channel *c)
{
	const size_t size = (size_t)(p->plan.ranks - 1) * sizeof *p->plane;
	rank_rows *all = scree_alloc((size_t)c->ranks, sizeof *all);
	fail why;
	if (c->rank == 0) all[0] = (rank_rows){scree_copy(p->plane, 1, size), size};
	scree_ranks_need(scree_tree_gather(c, all, &why), &why);
	if (all[0].size != size)
		scree_break_off(FAIL_IO, "rank %d: expected %zu bytes of planes, received %zu", c->rank, all[0].size, size);
	if (!scree_rcb_planes_divide(all[0].bytes, 0, c->ranks))
		scree_break_off(FAIL_IO, "rank %d: the planes from rank 0 do not divide space into %d parts", c->rank,
						c->ranks);
	if (c->rank > 0) {
		scree_partition_free(p);
		p->plane = all[0].bytes;
		all[0].bytes = NULL;
	}
	free_rows(all, c->ranks);
}

/* own: points of this rank */
static void cut_again(rank_part *o, rank_rows own)
{
	channel *c = o->c;
	rank_rows *all = scree_alloc((size_t)c->ranks, sizeof *all);
	fail why;
	all[c->rank] = own;
	scree_ranks_need(scree_tree_collect(c, all, &why), &why);
	o->reached = c->rank == 0 ? cut_here(&o->space, all) : 0;
	free_rows(all, c->ranks);
	spread_planes(&o->space, c);
	scree_ranks_need(c->by->greatest(c, 1, &o->reached, &why), &why);
	o->cuts += 1;
}

static int64_t bodies_per_point(int64_t bodies) { return 1 + bodies / MOST_POINTS; }

void scree_ranks_cut(rank_part *o, const state *s)
{
	real bodies_of_all = (real)s->body.owned;
	if (!o->space.by->cut) return;
	scree_ranks_most(o, 1, &bodies_of_all);
	if (!(bodies_of_all > 0)) return;
	real *work = work_of_bodies(s);
	cut_again(o, o->c->rank ? (rank_rows){NULL, 0} : sample(o, s, work, bodies_per_point(s->body.owned)));
	scree_free(work);
}

/* Tests whether to cut again. Another cut is useless if the parts are hardly less even now than after the last one:
 * bodies may lie on one plane, or a few bodies may have most of the work. */
static bool is_due(const rank_part *o, real uneven)
{
	const real worse = (real)1.05;
	return !o->space.plane || (uneven > o->space.plan.balance && uneven > worse * o->reached);
}

void scree_ranks_balance(rank_part *o, const state *s, const work *w)
{
	if (!o->space.by->cut) return;
	real *work = work_of_bodies(s);
	const rank_work all = compare(&w->domain, o->c->ranks, s->body.owned, work);
	if (all.bodies && is_due(o, ratio(all))) cut_again(o, sample(o, s, work, bodies_per_point(all.bodies)));
	scree_free(work);
}
