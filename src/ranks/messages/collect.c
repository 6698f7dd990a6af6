/* collect: gathers the rows of all ranks by messages along a binary tree, and packs the numbers passed to `both`. */
#include "ranks/messages/transport.h"

#include "base/memory.h"

#include <string.h>

/* ------------------------------------------------------------------ largest numbers and sums in one row */

void scree_joint_terms_pack(joint_term *to, int32_t mosts, const real *most, int32_t sums, const fixed *sum)
{
	for (int32_t k = 0; k < mosts; ++k) {
		to[k] = (joint_term){0};
		memcpy(&to[k].quanta, most + k, sizeof *most);
	}
	for (int32_t k = 0; k < sums; ++k) to[mosts + k] = (joint_term){sum[k].quanta, sum[k].beyond, 1};
}

void scree_joint_terms_unpack(const joint_term *from, int32_t mosts, real *most, int32_t sums, fixed *sum)
{
	for (int32_t k = 0; k < mosts; ++k) memcpy(most + k, &from[k].quanta, sizeof *most);
	for (int32_t k = 0; k < sums; ++k) sum[k] = (fixed){from[mosts + k].quanta, from[mosts + k].beyond};
}

void scree_joint_terms_join(int32_t count, joint_term *to, const joint_term *other)
{
	for (int32_t k = 0; k < count; ++k) {
		fixed sum = {to[k].quanta, to[k].beyond};
		real x, y;
		if (to[k].is_sum) {
			scree_fixed_join(&sum, (fixed){other[k].quanta, other[k].beyond});
			to[k].quanta = sum.quanta, to[k].beyond = sum.beyond;
			continue;
		}
		memcpy(&x, &to[k].quanta, sizeof x);
		memcpy(&y, &other[k].quanta, sizeof y);
		greatest_join(1, &x, &y);
		memcpy(&to[k].quanta, &x, sizeof x);
	}
}

/* ------------------------------------------------------------------ rows of all ranks */

typedef struct family {
	int32_t parent, child[2], children;
} family;

static family family_of(const channel *c)
{
	const int32_t first = 2 * c->rank + 1;
	return (family){(c->rank - 1) / 2, {first, first + 1}, first + 1 < c->ranks ? 2 : first < c->ranks ? 1 : 0};
}

/* Adds the rows of this rank and those sent by its children to a message, with one segment per rank. */
static void add_rows(message *m, const rank_rows *all, int32_t ranks)
{
	for (int32_t k = 0; k < ranks; ++k)
		if (all[k].bytes) memcpy(scree_message_segment(m, (uint64_t)k, all[k].size), all[k].bytes, all[k].size);
}

static bool take_rows(channel *c, const envelope *e, rank_rows *all, fail *why)
{
	message_reader r;
	segment s;
	if (!scree_channel_receive(c, e, &r, why)) return false;
	while (scree_message_next(&r, &s)) {
		if (s.tag >= (uint64_t)c->ranks) {
			scree_fail(why, FAIL_IO,
					   "rank %d: a message from rank %d has rows of rank %llu, but there are only %d ranks", c->rank,
					   r.head.from, (unsigned long long)s.tag, c->ranks);
			scree_channel_fail(c, why);
			return false;
		}
		if (s.tag == (uint64_t)c->rank) continue; /* a rank uses its own values, whatever other ranks send */
		scree_free(all[s.tag].bytes);
		all[s.tag] = (rank_rows){scree_copy(s.bytes, s.size, 1), s.size};
	}
	return true;
}

static bool take_up(channel *c, const family *f, rank_rows *all, fail *why)
{
	const envelope up = {PHASE_GATHER, 0, f->children, f->child};
	SCREE_ASSERT(!c->failed);
	scree_channel_begin(c, 3, 2);
	for (int32_t k = 0; k < f->children; ++k)
		if (!take_rows(c, &up, all, why)) return false;
	if (c->rank > 0) {
		add_rows(scree_channel_write(c, 2, f->parent, PHASE_GATHER, 0), all, c->ranks);
		scree_channel_send(c, 2);
	}
	return true;
}

bool scree_tree_collect(channel *c, rank_rows *all, fail *why)
{
	const family f = family_of(c);
	if (!take_up(c, &f, all, why)) return false;
	c->by->sent(c);
	return true;
}

bool scree_tree_gather(channel *c, rank_rows *all, fail *why)
{
	const family f = family_of(c);
	const envelope down = {PHASE_GATHER, 0, 1, &f.parent};
	if (!take_up(c, &f, all, why)) return false;
	c->heard[0] = false; /* a message from a child may already have arrived */
	if (c->rank > 0 && !take_rows(c, &down, all, why)) return false;
	for (int32_t k = 0; k < f.children; ++k) {
		add_rows(scree_channel_write(c, k, f.child[k], PHASE_GATHER, 0), all, c->ranks);
		scree_channel_send(c, k);
	}
	c->by->sent(c);
	return true;
}
