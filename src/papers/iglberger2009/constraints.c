/* constraints: communications 1 and 3 of Algorithm 2: forces and constraints on copies go to the owners. The rank whose
 * part a contact point is in sets up the constraints of both bodies. (Fig. 5: the owner of a body may not know the
 * other one.) */
#include "papers/iglberger2009/exchanges.h"

#include "base/memory.h"
#include "base/sort.h"

#include <string.h>

/* A constraint of a contact on one of its bodies. */
typedef struct constraint {
	uint64_t body; /* id */
	int32_t from, side;
	ffd_contact contact;
} constraint;

bool scree_pe_has(const work *w, vec3 at) { return !scree_pe_divides(w) || w->domain.by->owns(w->domain.at, at); }

static int32_t owner_of(const rank_part *o, const bodies *b, int32_t i)
{
	return o->space.by->owner(&o->space, body_position(b, i));
}

void *scree_pe_send_forces(void *at, int64_t *count, size_t size, const int32_t *row, const void *forces)
{
	rank_part *part = at;
	int32_t *to = scree_alloc((size_t)*count, sizeof *to);
	for (int64_t k = 0; k < *count; ++k) to[k] = owner_of(part, ((const pe_part *)part->own)->b, row[k]);
	void *in = scree_records_to_ranks(part, PHASE_FORCES, count, size, to, forces);
	scree_free(to);
	return in;
}

/* ------------------------------------------------------------------ to owners */

/* Velocity of the contact point of a side that is held; of one that responds, zero. */
static vec3 held_velocity(const ffd_contact *c, const bodies *b, int side)
{
	const int32_t i = c->body[side];
	if (b->inv_mass[i] > 0) return v3(0, 0, 0);
	return v3_add(body_velocity(b, i), v3_cross(body_angular_velocity(b, i), c->arm[side]));
}

/* The constraint on a copy. The other body is elsewhere for its owner. */
static constraint constraint_of(const rank_part *part, const ffd_contact *c, const bodies *b, int side)
{
	constraint o = {b->id[c->body[side]], part->c->rank, side, *c};
	o.contact.moves = held_velocity(c, b, 1 - side);
	o.contact.body[side] = o.contact.body[1 - side] = FFD_ELSEWHERE;
	return o;
}

static int32_t row_of(const sort_item *owned, int32_t count, uint64_t id)
{
	const int64_t k = scree_sort_find(owned, 0, count, id);
	SCREE_ASSERT(k < count && owned[k].key == id);
	return owned[k].value;
}

static sort_item *rows_by_id(const bodies *b)
{
	sort_item *item = scree_alloc((size_t)b->owned, sizeof *item), *tmp = scree_alloc((size_t)b->owned, sizeof *tmp);
	for (int32_t i = 0; i < b->owned; ++i) item[i] = (sort_item){b->id[i], i};
	scree_sort(item, tmp, b->owned);
	scree_free(tmp);
	return item;
}

/* The contacts of other ranks join those of this one, in their order. */
static void join(ffd_work *of, const bodies *b, int64_t count, const constraint *in)
{
	sort_item *owned = rows_by_id(b);
	scree_ffd_room(of, of->count + count);
	for (const constraint *k = in; k < in + count; ++k) {
		ffd_contact *c = of->contact + of->count++;
		SCREE_ASSERT(k->side == 0 || k->side == 1);
		*c = k->contact;
		c->body[1 - k->side] = FFD_ELSEWHERE;
		c->body[k->side] = row_of(owned, b->owned, k->body);
		c->from = k->from;
	}
	scree_sort_by(of->contact, of->count, sizeof *of->contact, scree_ffd_order);
	scree_free(owned);
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
	constraint *in = scree_records_to_ranks(part, PHASE_CONSTRAINTS, &count, sizeof *in, to, out);
	join(of, b, count, in);
	scree_free(in);
	scree_free(out);
	scree_free(to);
}

/* ------------------------------------------------------------------ and back */

void scree_pe_return_results(state *s, const work *w, ffd_work *of)
{
	ffd_result *out = scree_alloc((size_t)of->count, sizeof *out);
	int32_t *to = scree_alloc((size_t)of->count, sizeof *to);
	int64_t count = 0;
	for (const ffd_contact *c = of->contact; c < of->contact + of->count; ++c) {
		const int side = c->body[0] == FFD_ELSEWHERE ? 1 : 0;
		if (c->body[1 - side] != FFD_ELSEWHERE) continue;
		to[count] = c->from;
		out[count++] = scree_ffd_result(c, &s->body, side);
	}
	ffd_result *in = scree_records_to_ranks(w->domain.at, PHASE_RECORDS, &count, sizeof *in, to, out);
	scree_ffd_take_results(of, &s->body, count, in);
	scree_free(in);
	scree_free(out);
	scree_free(to);
}
