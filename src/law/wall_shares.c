/* wall_shares: the mass that dashpots damp in contacts with walls that are moved by forces (docs/theory/walls.md,
 * "Restitution on walls that yield").
 *
 * A wall of mass M moves away from a body of mass m that hits it. Body and wall oscillate with the reduced mass m M/(m
 * + M), so a dashpot for the mass m would dissipate too much. Contacts that press a wall in the same direction share
 * its mass: body i oscillates with the mass
 *
 *     m_i / (1 + a_i sum_j m_j a_j / M),
 *
 * where a_i is the displacement of the contact point along the normal per unit displacement of the wall, and j runs
 * over all contacts that press the wall in this direction. The formula is exact for equal bodies that hit a lid at the
 * same time. Held bodies do not move, so only the wall oscillates against them, with the mass M/(a_i sum_j a_j). The
 * sums are integers, so the shares do not depend on the number of threads or parts of the world. */
#include "base/memory.h"
#include "base/parallel.h"
#include "kernel/wall_share.h"
#include "law/block.h"
#include "law/stage.h"

typedef struct yielding {
	const model *m;
	const state *s;
	work *w;
	int kind;
	fixed *sum; /* [threads][walls][PUSH_WAYS] sums of mass times travel, in kg */
} yielding;

static int32_t wall_of(const yielding *y, int64_t k) { return y->m->wall.surface_wall[y->s->pair[y->kind].cb[k]]; }

static real way_of(const yielding *y, int64_t k)
{
	const contact_work *c = &y->w->pair[y->kind].contact;
	const wall_motion *o = &y->m->wall.row[wall_of(y, k)].motion;
	const vec3 at = v3_add(y->w->record[y->s->pair[y->kind].ca[k]].position, v3(c->px[k], c->py[k], c->pz[k]));
	const wall_axis along = {o->axis, o->point, motion_is_turned(o->type)};
	return wall_way(&along, v3(c->nx[k], c->ny[k], c->nz[k]), at);
}

static bool presses(const yielding *y, int64_t k)
{
	return (y->s->pair + y->kind)->touch[k] && motion_is_driven(y->m->wall.row[wall_of(y, k)].motion.type);
}

static bool is_held(const yielding *y, int64_t k) { return y->s->body.inv_mass[y->s->pair[y->kind].ca[k]] == 0; }

/* The mass of a held body is replaced by 1. */
static real mass_of(const yielding *y, int64_t k)
{
	if (is_held(y, k)) return contact_share(&y->w->pair[y->kind].contact, k);
	return y->s->body.mass[y->s->pair[y->kind].ca[k]] * contact_share(&y->w->pair[y->kind].contact, k);
}

/* Contacts found at the predicted poses of an implicit step may not load the wall. Contacts with held bodies are
 * counted nevertheless, since the solver needs their shares (solver/yielding_walls.c). */
static bool counts(const yielding *y, int64_t k) { return is_held(y, k) || y->w->pair[y->kind].contact.depth[k] > 0; }

static void add_piece(void *what, int64_t from, int64_t to, int thread)
{
	const yielding *y = what;
	const pair_list *l = y->s->pair + y->kind;
	fixed *const sum = y->sum + (size_t)thread * PUSH_WAYS * (size_t)y->m->wall.count;
	for (int64_t p = from; p < to; ++p)
		for (int64_t k = l->base[p]; k < l->base[p] + l->used[p]; ++k) {
			if (!presses(y, k) || !counts(y, k) || l->ca[k] >= y->s->body.owned) continue;
			const real way = way_of(y, k);
			const int group = wall_push(way) + (is_held(y, k) ? PUSH_HELD : 0);
			scree_fixed_add(sum + PUSH_WAYS * wall_of(y, k) + group, mass_of(y, k) * real_abs(way));
		}
}

static void share_piece(void *what, int64_t from, int64_t to, SCREE_UNUSED int thread)
{
	const yielding *y = what;
	const pair_list *l = y->s->pair + y->kind;
	for (int64_t p = from; p < to; ++p)
		for (int64_t k = l->base[p]; k < l->base[p] + l->used[p]; ++k) {
			if (!presses(y, k)) continue;
			const int32_t on = wall_of(y, k);
			const wall *o = y->m->wall.row + on;
			const real way = way_of(y, k), own = counts(y, k) ? 0 : mass_of(y, k) * real_abs(way);
			real *const share = y->w->pair[y->kind].contact.share + k;
			if (!scree_driven_follows(o, y->s->wall + on, y->s->time, wall_push(way))) continue;
			const int group = wall_push(way) + (is_held(y, k) ? PUSH_HELD : 0);
			const real all = real_abs(way) * (own + scree_fixed_value(y->sum[PUSH_WAYS * on + group]));
			if (is_held(y, k))
				*share = share_of_held(*share, all, o->servo.mass, y->s->body.mass[l->ca[k]]);
			else
				*share = share_of_wall(*share, all, o->servo.mass);
		}
}

/* Adds the sums of all threads and all parts of the world. */
static void join(const yielding *y)
{
	const size_t count = PUSH_WAYS * (size_t)y->m->wall.count;
	const domain *d = &y->w->domain;
	for (size_t t = 1; t < (size_t)y->w->threads; ++t)
		for (size_t k = 0; k < count; ++k) scree_fixed_join(y->sum + k, y->sum[t * count + k]);
	d->by->add(d->at, (int32_t)count, y->sum);
}

static void each_kind(yielding *y, parallel_fn *by)
{
	for (y->kind = 0; y->kind < PAIR_KINDS; ++y->kind) {
		const pair_list *l = y->s->pair + y->kind;
		if (pair_on_wall(y->kind) && l->count && y->w->pair[y->kind].contact.share) scree_parallel(by, y, l->pieces, 1);
	}
}

void scree_law_wall_shares(const model *m, const state *s, work *w)
{
	yielding y = {.m = m, .s = s, .w = w};
	y.sum = scree_alloc((size_t)w->threads * PUSH_WAYS * (size_t)m->wall.count, sizeof *y.sum);
	each_kind(&y, add_piece);
	join(&y);
	each_kind(&y, share_piece);
	scree_free(y.sum);
}
