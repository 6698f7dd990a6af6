/* borders: contacts of two bodies with two owners. Both owners have such a contact, with the same bits, and each solves
 * the problem of its own body. Other users of the partner's result get it here: friction, which acts after both
 * responses, and the ledger. */
#include "papers/iglberger2009/ffd.h"

#include "base/memory.h"

#include <string.h>

int scree_ffd_order(const void *a, const void *b)
{
	const ffd_contact *x = a, *y = b;
	for (int n = 0; n < 3; ++n)
		if (x->key[n] != y->key[n]) return x->key[n] < y->key[n] ? -1 : 1;
	return (x->point > y->point) - (x->point < y->point);
}

ffd_result scree_ffd_result(const ffd_contact *c, const bodies *b, int side)
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

/* The contact of a result; -1: there is none. */
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

static bool is_finite(vec3 v) { return v.x - v.x + (v.y - v.y) + (v.z - v.z) == 0; }

const char *scree_ffd_result_fault(const void *context, int32_t from, const void *record)
{
	(void)from;
	const ffd_results *o = context;
	ffd_result r;
	memcpy(&r, record, sizeof r);
	const int64_t k = find(o->of, &r);
	if (k < 0) return "a contact is none of this rank";
	if (r.side < 0 || r.side > 1) return "a contact has two sides";
	const int32_t i = o->of->contact[k].body[r.side];
	if (!(i >= o->b->owned && i < o->b->count)) return "a body is not one of another rank";
	if (o->of->finite && !(is_finite(r.rub) && is_finite(r.velocity) && is_finite(r.spin) && r.press - r.press == 0))
		return "an impulse or a velocity is none";
	return NULL;
}

void scree_ffd_take_results(ffd_work *of, bodies *b, int64_t count, const ffd_result *r)
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

void scree_ffd_share_results(state *s, const work *w, ffd_work *of)
{
	const domain *d = &w->domain;
	if (!d->by->deliver) return;
	ffd_result *out = scree_alloc((size_t)of->count, sizeof *out);
	int32_t *to = scree_alloc((size_t)of->count, sizeof *to);
	int64_t count = 0;
	for (const ffd_contact *c = of->contact; c < of->contact + of->count; ++c) {
		const int ghost = c->body[0] >= s->body.owned ? 0 : 1;
		if (c->body[ghost] < s->body.owned) continue;
		to[count] = c->body[ghost];
		out[count++] = scree_ffd_result(c, &s->body, 1 - ghost);
	}
	const ffd_results context = {of, &s->body};
	const domain_records send = {.count = count,
								 .size = sizeof *out,
								 .row = to,
								 .record = out,
								 .fault = scree_ffd_result_fault,
								 .context = &context};
	ffd_result *in = d->by->deliver(d->at, &send, &count);
	scree_ffd_take_results(of, &s->body, count, in);
	scree_free(in);
	scree_free(out);
	scree_free(to);
}
