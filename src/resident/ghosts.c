/* ghosts: exchanges bodies at the border with other parts of the world, each on a device of its own (docs/ranks.md). */
#include "resident/blocks.h"

#include "base/memory.h"
#include "state/state.h"
#include "work/work.h"
#include "world/world.h"

static const int64_t column_bytes = sizeof(real);

void scree_resident_put_sent(resident *r, const work *w)
{
	if (!w->domain.by->sent) return;
	int32_t *const before = r->sent;
	r->sent = w->domain.by->sent(w->domain.at, &r->sents);
	scree_free(before);
	scree_block_put_all(r, SENT_ROWS, r->sent, r->sents * (int64_t)sizeof *r->sent);
	scree_block_room(r, SENT, r->sents * SPHERE_SENT * column_bytes);
}

/* The arrays of the columns that are sent. */
static void arrays_of(const bodies *b, real *array[SPHERE_SENT])
{
	real *const all[SPHERE_SENT] = {b->x,  b->y,  b->z,	 b->qw, b->qx, b->qy, b->qz,
									b->vx, b->vy, b->vz, b->wx, b->wy, b->wz};
	for (int c = 0; c < SPHERE_SENT; ++c) array[c] = all[c];
}

static void get_sent(resident *r, real *const array[SPHERE_SENT])
{
	const int32_t count = (int32_t)r->sents;
	real *from = scree_alloc((size_t)count * SPHERE_SENT, sizeof *from);
	LAUNCH(r, "resident_sends", (int64_t)count * SPHERE_SENT, &count, 1, RULE, BODIES, SENT_ROWS, SENT);
	scree_block_get(r, SENT, 0, from, (int64_t)count * SPHERE_SENT * column_bytes);
	for (int c = 0; c < SPHERE_SENT; ++c)
		for (int32_t k = 0; k < count; ++k) array[c][r->sent[k]] = from[c * count + k];
	scree_free(from);
}

static void put_ghosts(resident *r, const bodies *b, real *const array[SPHERE_SENT])
{
	for (int c = 0; c < SPHERE_SENT; ++c)
		scree_block_put(r, BODIES, (c * r->rule.body_stride + b->owned) * column_bytes, array[c] + b->owned,
						(b->count - b->owned) * column_bytes);
}

void scree_resident_follow(resident *r, state *s, work *w)
{
	real *array[SPHERE_SENT];
	arrays_of(&s->body, array);
	get_sent(r, array);
	scree_world_follow(s, w, SHARE_STEP);
	put_ghosts(r, &s->body, array);
}

bool scree_resident_stops(resident *r, const work *w)
{
	int64_t stop = INT64_MAX;
	scree_block_get(r, STOP, 0, &stop, sizeof stop);
	return scree_domain_any(&w->domain, stop <= 0);
}
