/* constraints: communications 1 and 3 of Algorithm 2, which send forces and constraints on copies to the owners. The
 * rank whose part contains a contact point sets up the constraints of both bodies. As Figure 5 shows, the owner of one
 * body may not have the other body. */
#include "papers/iglberger2009/exchanges.h"

#include "base/memory.h"
#include "base/sort.h"
#include "state/id_table.h"
#include "state/state.h"

#include <string.h>

/* A constraint that a contact imposes on one of its bodies. */
typedef struct constraint {
	uint64_t body; /* id */
	int32_t from, side;
	ffd_contact contact;
} constraint;

bool scree_pe_has(const work *w, vec3 at) { return !pe_divides(w) || w->domain.by->owns(w->domain.at, at); }

static int32_t owner_of(const rank_part *o, const bodies *b, int32_t i)
{
	return o->space.by->owner(&o->space, body_position(b, i));
}

void *scree_pe_send_forces(void *at, const domain_records *out, int64_t *came)
{
	rank_part *part = at;
	int32_t *to = scree_alloc((size_t)out->count, sizeof *to);
	for (int64_t k = 0; k < out->count; ++k) to[k] = owner_of(part, ((const pe_part *)part->own)->b, out->row[k]);
	void *in = scree_records_to_ranks(part, PHASE_FORCES, out, to, came);
	scree_free(to);
	return in;
}

/* ------------------------------------------------------------------ to owners */

/* Velocity of the contact point of a held side; zero for a side that responds. */
static vec3 held_velocity(const ffd_contact *c, const bodies *b, int side)
{
	const int32_t i = c->body[side];
	if (b->inv_mass[i] > 0) return v3(0, 0, 0);
	return v3_add(body_velocity(b, i), v3_cross(body_angular_velocity(b, i), c->arm[side]));
}

/* The constraint that acts on a copy. The owner sees the other body at a different position. */
static constraint constraint_of(const rank_part *part, const ffd_contact *c, const bodies *b, int side)
{
	constraint o = {b->id[c->body[side]], part->c->rank, side, *c};
	o.contact.moves = held_velocity(c, b, 1 - side);
	o.contact.body[side] = o.contact.body[1 - side] = FFD_ELSEWHERE;
	return o;
}

/* ------------------------------------------------------------------ constraints of other ranks */

typedef struct receiver {
	id_table owned; /* rows of owned bodies */
	bool finite;	/* numbers must be finite */
} receiver;

static bool vectors_are_finite(const ffd_contact *c)
{
	const vec3 of[] = {c->normal, c->arm[0], c->arm[1], c->moves, c->aim[0], c->aim[1], c->rub[0], c->rub[1]};
	return ffd_all_finite(&of[0].x, 3 * sizeof of / sizeof *of);
}

static const char *numbers_fault(const ffd_contact *c)
{
	const real alike = (real)1e-6;
	const real of[] = {c->overlap,	c->friction, c->restitution, c->closing[0], c->closing[1],
					   c->wants[0], c->wants[1], c->press[0],	 c->press[1]};
	if (!vectors_are_finite(c) || !ffd_all_finite(of, sizeof of / sizeof *of))
		return "a value of a contact is not finite";
	if (real_abs(v3_norm2(c->normal) - 1) > alike) return "a normal is not a unit vector";
	return c->friction >= 0 && c->restitution >= 0 ? NULL : "a coefficient of a contact is negative";
}

static const char *constraint_fault(const void *context, int32_t from, const void *record)
{
	const receiver *o = context;
	constraint k;
	memcpy(&k, record, sizeof k);
	if (k.from != from) return "a contact does not belong to its sender";
	if (k.side < 0 || k.side > 1) return "the side of a contact is neither 0 nor 1";
	if (id_value(&o->owned, k.body) < 0) return "this rank does not own a body";
	return o->finite ? numbers_fault(&k.contact) : NULL;
}

/* Merges the contacts of other ranks with the contacts of this rank, keeping them sorted. */
static void join(ffd_work *of, const receiver *o, int64_t count, const constraint *in)
{
	scree_ffd_room(of, of->count + count);
	for (const constraint *k = in; k < in + count; ++k) {
		ffd_contact *c = of->contact + of->count++;
		*c = k->contact;
		c->body[1 - k->side] = FFD_ELSEWHERE;
		c->body[k->side] = id_value(&o->owned, k->body);
		c->from = k->from;
	}
	scree_sort_by(of->contact, of->count, sizeof *of->contact, scree_ffd_order);
}

void scree_pe_send_constraints(state *s, const work *w, ffd_work *of)
{
	rank_part *part = w->domain.at;
	const bodies *b = &s->body;
	constraint *out = scree_alloc(2 * (size_t)of->count, sizeof *out);
	int32_t *to = scree_alloc(2 * (size_t)of->count, sizeof *to);
	int64_t count = 0;
	for (const ffd_contact *c = of->contact; c < of->contact + of->count; ++c)
		for (int side = 0; side < 2; ++side) {
			if (c->body[side] < b->owned || c->closing[side] < 0) continue;
			to[count] = owner_of(part, b, c->body[side]);
			out[count++] = constraint_of(part, c, b, side);
		}
	const receiver here = {scree_ids_of_rows(b, 0, b->owned), of->finite};
	const domain_records send = {
		.count = count, .size = sizeof *out, .record = out, .fault = constraint_fault, .context = &here};
	constraint *in = scree_records_to_ranks(part, PHASE_CONSTRAINTS, &send, to, &count);
	join(of, &here, count, in);
	scree_free(here.owned.item);
	scree_free(in);
	scree_free(out);
	scree_free(to);
}
