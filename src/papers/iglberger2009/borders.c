/* borders: contacts of two bodies with two owners. Both owners have such a contact, with the same bits, and each solves
 * the problem of its own body. What else needs the other's result gets it here: friction that acts after the response
 * of both, and the books. */
#include "papers/iglberger2009/ffd.h"

#include "base/memory.h"

#include <string.h>

/* The result of one body at a contact. */
typedef struct result {
	uint64_t key[3];
	int64_t point;
	real press;
	vec3 rub, velocity, spin;
} result;

/* The side of a ghost; -1: there is none. */
static int ghost_side(const ffd_contact *c, int32_t owned)
{
	return c->body[0] >= owned ? 0 : c->body[1] >= owned ? 1 : -1;
}

static const ffd_meeting *meeting_of(const ffd_work *of, int64_t k) { return of->found[0].item + of->sort[0][k].value; }

static result result_of(const ffd_work *of, const bodies *b, int64_t k, int side)
{
	const ffd_contact *c = of->contact + k;
	const ffd_meeting *m = meeting_of(of, k);
	const int32_t i = c->body[side];
	result r = {.point = m->point,
				.press = c->press[side],
				.rub = c->rub[side],
				.velocity = body_velocity(b, i),
				.spin = body_angular_velocity(b, i)};
	memcpy(r.key, m->key, sizeof r.key);
	return r;
}

/* Whether contact k comes before this result in the order of contacts. */
static bool is_before(const ffd_work *of, int64_t k, const result *r)
{
	const ffd_meeting *m = meeting_of(of, k);
	for (int n = 0; n < 3; ++n)
		if (m->key[n] != r->key[n]) return m->key[n] < r->key[n];
	return m->point < r->point;
}

static int64_t find(const ffd_work *of, const result *r)
{
	int64_t low = 0, high = of->count;
	while (low < high) {
		const int64_t k = low + (high - low) / 2;
		if (is_before(of, k, r))
			low = k + 1;
		else
			high = k;
	}
	return low;
}

static void take(ffd_work *of, bodies *b, const result *r)
{
	const int64_t k = find(of, r);
	SCREE_ASSERT(k < of->count && !memcmp(meeting_of(of, k)->key, r->key, sizeof r->key));
	ffd_contact *c = of->contact + k;
	const int side = ghost_side(c, b->owned);
	const int32_t i = c->body[side];
	c->press[side] = r->press;
	c->rub[side] = r->rub;
	b->vx[i] = r->velocity.x, b->vy[i] = r->velocity.y, b->vz[i] = r->velocity.z;
	b->wx[i] = r->spin.x, b->wy[i] = r->spin.y, b->wz[i] = r->spin.z;
}

void scree_ffd_share_results(state *s, const work *w, ffd_work *of)
{
	const domain *d = &w->domain;
	if (!d->by->deliver) return;
	result *out = scree_alloc((size_t)of->count, sizeof *out);
	int32_t *to = scree_alloc((size_t)of->count, sizeof *to);
	int64_t count = 0;
	for (int64_t k = 0; k < of->count; ++k) {
		const int side = ghost_side(of->contact + k, s->body.owned);
		if (side < 0) continue;
		to[count] = of->contact[k].body[side];
		out[count++] = result_of(of, &s->body, k, 1 - side);
	}
	result *in = d->by->deliver(d->at, &count, sizeof *in, to, out);
	for (int64_t k = 0; k < count; ++k) take(of, &s->body, in + k);
	scree_free(in);
	scree_free(out);
	scree_free(to);
}
