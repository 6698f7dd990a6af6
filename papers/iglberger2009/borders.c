/* borders: contacts between two bodies that have different owners. Both owners have such a contact, with bitwise
 * identical data, and each owner solves the problem of its own body. The result of the other owner is sent to the code
 * that needs it: friction, which acts after both responses, and the ledger. */
#include "papers/iglberger2009/exchanges.h"

#include "base/memory.h"
#include "state/state.h"
#include "work/work.h"

#include <string.h>

static ffd_result result_of(const ffd_contact *c, const bodies *b, int side)
{
	const int32_t i = c->body[side];
	ffd_result r = {.point = c->point,
					.side = side,
					.press = c->press[side],
					.rub = c->rub[side],
					.velocity = body_velocity(b, i),
					.spin = body_angular_velocity(b, i)};
	memcpy(r.key, c->key, sizeof r.key);
	return r;
}

/* The contact to which a result belongs; -1 if none. */
static int64_t find(const ffd_work *of, const ffd_result *r)
{
	ffd_contact wanted = {.point = r->point};
	int64_t low = 0, high = of->count;
	memcpy(wanted.key, r->key, sizeof wanted.key);
	while (low < high) {
		const int64_t k = low + (high - low) / 2;
		if (scree_ffd_order(of->contact + k, &wanted) < 0)
			low = k + 1;
		else
			high = k;
	}
	return low < of->count && !scree_ffd_order(of->contact + low, &wanted) ? low : -1;
}

typedef struct ffd_results {
	const ffd_work *of;
	const bodies *b;
} ffd_results;

/* Tests whether a result of another rank can be used: a `fault` function of domain_records. */
static const char *result_fault(const void *context, int32_t from, const void *record)
{
	(void)from;
	const ffd_results *o = context;
	ffd_result r;
	memcpy(&r, record, sizeof r);
	const int64_t k = find(o->of, &r);
	if (k < 0) return "a contact is unknown on this rank";
	if (r.side < 0 || r.side > 1) return "the side of a contact is neither 0 nor 1";
	const int32_t i = o->of->contact[k].body[r.side];
	if (!(i >= o->b->owned && i < o->b->count)) return "a body does not belong to another rank";
	const real of[] = {r.press,		 r.rub.x,	   r.rub.y,	 r.rub.z,  r.velocity.x,
					   r.velocity.y, r.velocity.z, r.spin.x, r.spin.y, r.spin.z};
	return o->of->finite && !ffd_all_finite(of, sizeof of / sizeof *of) ? "an impulse or a velocity is not finite"
																		: NULL;
}

/* Stores results and velocities of ghosts. */
static void take_results(ffd_work *of, bodies *b, int64_t count, const ffd_result *r)
{
	for (; count-- > 0; ++r) {
		ffd_contact *c = of->contact + find(of, r);
		const int32_t i = c->body[r->side];
		c->press[r->side] = r->press;
		c->rub[r->side] = r->rub;
		b->vx[i] = r->velocity.x, b->vy[i] = r->velocity.y, b->vz[i] = r->velocity.z;
		b->wx[i] = r->spin.x, b->wy[i] = r->spin.y, b->wz[i] = r->spin.z;
	}
}

/* Tests whether a side of this contact belongs to another rank; if so, sets the side, and the row of the ghost or, by
 * pe's rule, the rank. */
static bool is_shared(const ffd_contact *c, int32_t owned, bool by_pe, int *side, int32_t *to)
{
	const int first = by_pe ? c->body[0] != FFD_ELSEWHERE : c->body[0] < owned;
	*side = first ? 0 : 1;
	*to = by_pe ? c->from : c->body[1 - *side];
	return by_pe ? c->body[1 - *side] == FFD_ELSEWHERE : *to >= owned;
}

void scree_ffd_share_results(state *s, const work *w, ffd_work *of)
{
	const domain *d = &w->domain;
	const bool by_pe = pe_divides(w);
	if (!d->by->deliver) return;
	ffd_result *out = scree_alloc((size_t)of->count, sizeof *out);
	int32_t *to = scree_alloc((size_t)of->count, sizeof *to);
	int64_t count = 0;
	int side;
	for (const ffd_contact *c = of->contact; c < of->contact + of->count; ++c)
		if (is_shared(c, s->body.owned, by_pe, &side, to + count)) out[count++] = result_of(c, &s->body, side);
	const ffd_results context = {of, &s->body};
	const domain_records send = {
		.count = count, .size = sizeof *out, .row = to, .record = out, .fault = result_fault, .context = &context};
	ffd_result *in =
		by_pe ? scree_records_to_ranks(d->at, PHASE_RECORDS, &send, to, &count) : d->by->deliver(d->at, &send, &count);
	take_results(of, &s->body, count, in);
	scree_free(in);
	scree_free(out);
	scree_free(to);
}
