/* add.h: what the contacts of a block do, added to both partners in whole quanta, in whatever order
 * (docs/theory/sums.md). */
#ifndef SCREE_LAW_ADD_H
#define SCREE_LAW_ADD_H

#include "law/block.h"

SCREE_FN void add_row(body_sum *to, const int64_t from[8][BLOCK], int64_t i)
{
	uint64_t *q = (uint64_t *)to; /* unsigned: what overflows is found out, and is no trap */
	for (int c = 0; c < 8; ++c) q[c] += (uint64_t)from[c][i];
}

/* Items 0 .. n-1, each to the row of its body. Eight at a time are turned, so that each body costs one load, one
 * addition and one store. */
SCREE_FN void add_rows(sum_rows *rows, const int64_t from[8][BLOCK], const int32_t *of, int64_t n)
{
	int64_t k = 0;
#ifdef SCREE_LANES
	for (; k + 8 <= n; k += 8) {
		lanes r[8];
		lanes any = {0};
		for (int c = 0; c < 8; ++c) {
			r[c] = *(const lanes_anywhere *)(from[c] + k);
			any |= r[c];
		}
		uint64_t some = 0;
		for (int c = 0; c < 8; ++c) some |= any[c];
		if (!some) continue; /* none of them touches */
		lanes_transpose(r);
		for (int c = 0; c < 8; ++c) {
			*(lanes *)(rows->body + of[k + c]) += r[c];
			rows->touched[of[k + c] / SUMS_BLOCK] = 1;
		}
	}
#endif
	for (; k < n; ++k) {
		add_row(rows->body + of[k], from, k);
		rows->touched[of[k] / SUMS_BLOCK] = 1;
	}
}

SCREE_FN void add_vec3(fixed to[3], vec3 v)
{
	scree_fixed_add(to + 0, v.x);
	scree_fixed_add(to + 1, v.y);
	scree_fixed_add(to + 2, v.z);
}

/* One partner of item i that is wide; the force comes as it is, or as so many quanta as its partner gets. */
SCREE_FN void add_wide(wide_sum *to, const sums *s, const int64_t from[8][BLOCK], int64_t i)
{
	for (int c = 0; c < 3; ++c) scree_fixed_add(to->force + c, s->force_quantum * (real)from[c][i]);
	for (int c = 0; c < 3; ++c) scree_fixed_add(to->torque + c, s->torque_quantum * (real)from[3 + c][i]);
}

SCREE_FN void add_wide_pair(wide_sum *a, wide_sum *b, const block *o, int64_t i)
{
	vec3 f = v3(o->fx[i], o->fy[i], o->fz[i]), t = v3(o->tx[i], o->ty[i], o->tz[i]);
	add_vec3(a->force, f);
	add_vec3(a->torque, t);
	if (!b) return;
	add_vec3(b->force, v3_neg(f));
	add_vec3(b->torque, torque_on(f, t, v3(o->x[i], o->y[i], o->z[i])));
}

/* one contact in a world with wide bodies; b: -1, a wall. False when its partners cannot bear it. */
SCREE_FN bool add_mixed(thread_scratch *own, const sums *s, const block *o, int64_t i, int32_t a, int32_t b)
{
	int32_t wa = s->wide[a], wb = b >= 0 ? s->wide[b] : wa;
	sum_rows *rows = &own->rows;
	if (wa >= 0 && wb >= 0) {
		add_wide_pair(rows->wide + wa, b >= 0 ? rows->wide + wb : NULL, o, i);
		return true;
	}
	if (wa >= 0)
		add_wide(rows->wide + wa, s, o->to_a, i);
	else
		add_row(rows->body + a, o->to_a, i);
	if (b >= 0 && wb >= 0) add_wide(rows->wide + wb, s, o->to_b, i);
	if (b >= 0 && wb < 0) add_row(rows->body + b, o->to_b, i);
	rows->touched[a / SUMS_BLOCK] = 1;
	if (b >= 0) rows->touched[b / SUMS_BLOCK] = 1;
	return o->most[i] < QUANTA_MOST;
}

/* Walls that move, and those that press with a force, are told at once; still ones when somebody asks. */
SCREE_FN void add_to_wall(thread_scratch *own, const job *j, const block *o, int64_t i, int64_t k)
{
	int32_t row = j->wall->surface_wall[j->list->cb[k]];
	if (j->wall->row[row].motion.type == MOTION_STILL || !j->list->touch[k]) return;
	wall_sum *to = own->rows.wall + row;
	vec3 f = v3(o->fx[i], o->fy[i], o->fz[i]), t = v3(o->tx[i], o->ty[i], o->tz[i]);
	add_vec3(to->force, v3_neg(f));
	add_vec3(to->torque, torque_on(f, t, v3(o->x[i], o->y[i], o->z[i])));
	to->contacts += 1;
}

/* Items 0 .. n-1 are contact rows first .. first+n-1. */
SCREE_FN void add_block(const job *j, const block *o, int64_t first, int64_t n, bool on_wall)
{
	const pair_list *l = j->list;
	thread_scratch *own = j->own;
	const int32_t *ca = l->ca + first, *cb = l->cb + first;
	int64_t bad = 0;
	if (j->sums->wide) {
		for (int64_t i = 0; i < n; ++i) bad += !add_mixed(own, j->sums, o, i, ca[i], on_wall ? -1 : cb[i]);
	} else {
		for (int64_t i = 0; i < n; ++i) bad += !(o->most[i] < QUANTA_MOST);
		add_rows(&own->rows, o->to_a, ca, n);
		if (!on_wall) add_rows(&own->rows, o->to_b, cb, n);
	}
	own->tally.unbearable += bad;
	if (on_wall && j->walls_move)
		for (int64_t i = 0; i < n; ++i) add_to_wall(own, j, o, i, first + i);
	if (!on_wall && j->period && j->period->shears)
		for (int64_t i = 0; i < n; ++i)
			if (!j->divided || !counted_elsewhere(j, first + i, on_wall))
				scree_fixed_add(&own->tally.images,
								v3_dot(v3(o->fx[i], o->fy[i], o->fz[i]), j->period->drift[o->image[i]]));
}

#endif
