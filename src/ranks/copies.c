/* copies: a rank sends a copy of a body to each neighbour whose bodies it may touch before the next search. */
#include "ranks/part.h"

#include "base/memory.h"

#include <string.h>

/* ------------------------------------------------------------------ bodies for each neighbour */

/* m: half the side of a box in which the body meets others until the next search. */
static real half_box(const bodies *b, int32_t i, const work *w)
{
	const real rounding = (real)1e-11 * (b->radius[i] + v3_norm(body_position(b, i)));
	return b->radius[i] + b->margin[i] + w->skin.reach + rounding;
}

static real greatest_half(const state *s, const work *w)
{
	real most = 0;
	for (int32_t i = 0; i < s->body.owned; ++i) most = real_max(most, half_box(&s->body, i, w));
	scree_domain_most(&w->domain, 1, &most);
	return most;
}

/* Positions of images relative to a body, the first one its own. */
typedef struct shifts {
	vec3 of[IMAGE_CODES];
	int32_t count;
} shifts;

static bool is_possible(const periods *p, image e)
{
	for (int32_t d = 0; d < 3; ++d) {
		const int32_t most = !p->axis[d] ? 0 : p->shears && d == p->flow ? IMAGE_MOST : 1, n = image_along(e, d);
		if (n < -most || n > most) return false;
	}
	return true;
}

static shifts shifts_of(const model *m, const state *s)
{
	shifts o = {.count = 1};
	for (int32_t code = 0; m->period.on && code < IMAGE_CODES; ++code)
		if (code != IMAGE_NONE && is_possible(&m->period, image_of_code(code))) o.of[o.count++] = s->images.shift[code];
	return o;
}

static bool meets(const rank_part *o, int32_t rank, vec3 at, real half, const shifts *images)
{
	const vec3 side = v3(half, half, half);
	for (int32_t k = 0; k < images->count; ++k) {
		const vec3 there = v3_add(at, images->of[k]);
		if (o->space.by->meets(&o->space, rank, v3_sub(there, side), v3_add(there, side))) return true;
	}
	return false;
}

static void add_row(border *b, int32_t row)
{
	if (b->rows == b->room) {
		const int32_t room = 2 * b->room + 64;
		b->row = scree_grow(b->row, (size_t)b->rows, (size_t)room, sizeof *b->row);
		b->room = room;
	}
	b->row[b->rows++] = row;
}

/* In a sheared world parts pass each other: all are neighbours. */
static void find_neighbours(rank_part *o, const model *m, real reach)
{
	scree_rank_part_free(o);
	o->neighbour =
		o->space.by->neighbours(&o->space, o->c->rank, m->period.shears ? (real)INFINITY : reach, &o->neighbours);
	o->border = scree_alloc((size_t)o->neighbours, sizeof *o->border);
}

static void choose_rows(rank_part *o, const model *m, const state *s, const work *w)
{
	const real most = greatest_half(s, w);
	const shifts images = shifts_of(m, s);
	find_neighbours(o, m, 2 * most);
	for (int32_t i = 0; i < s->body.owned; ++i)
		for (int32_t k = 0; k < o->neighbours; ++k)
			if (meets(o, o->neighbour[k], body_position(&s->body, i), half_box(&s->body, i, w) + most, &images))
				add_row(o->border + k, i);
}

/* ------------------------------------------------------------------ messages */

typedef struct copying {
	rank_part *part;
	state *s;
	share when;
} copying;

border *scree_border_with(rank_part *o, int32_t rank)
{
	int32_t k = 0;
	while (o->neighbour[k] != rank) ++k;
	return o->border + k;
}

static void encode(void *what, int32_t to, message *m)
{
	const copying *o = what;
	const border *b = scree_border_with(o->part, to);
	const size_t size = (size_t)b->rows * scree_bodies_packed(&o->s->body, o->when);
	if (b->rows)
		scree_bodies_pack(&o->s->body, o->when, b->rows, b->row, scree_message_segment(m, SEGMENT_BODIES, size));
}

/* Bodies of a message: none, or a segment of whole bodies. */
static bool read_bodies(const bodies *b, share when, message_reader *r, segment *s, int32_t *count, fail *why)
{
	*s = (segment){.tag = SEGMENT_BODIES};
	scree_message_next(r, s);
	const size_t each = scree_bodies_packed(b, when);
	*count = (int32_t)(s->size / each);
	if (s->tag == SEGMENT_BODIES && s->size % each == 0 && s->size / each < INT32_MAX / 2) return true;
	return scree_fail(why, FAIL_IO, "rank %d: a message of rank %d has wrong bodies", r->head.to, r->head.from);
}

static bool decode(void *what, int32_t from, message_reader *r, fail *why)
{
	const copying *o = what;
	border *b = scree_border_with(o->part, from);
	bodies *to = &o->s->body;
	segment s;
	int32_t count;
	if (!read_bodies(to, o->when, r, &s, &count, why)) return false;
	if (o->when == SHARE_BIRTH) {
		scree_bodies_reserve(to, to->count + count);
		scree_bodies_clear(to, to->count, to->count + count);
		b->first = to->count, b->copies = count;
		to->count += count;
	} else if (count != b->copies) {
		return scree_fail(why, FAIL_IO, "rank %d: %d updates of rank %d for %d copies", r->head.to, count, from,
						  b->copies);
	}
	scree_bodies_unpack(to, o->when, b->first, count, s.bytes);
	return true;
}

static void exchange_copies(rank_part *part, state *s, share when)
{
	copying o = {part, s, when};
	const exchange x = {.phase = when == SHARE_BIRTH ? PHASE_COPIES : PHASE_UPDATE,
						.step = s->step,
						.neighbours = part->neighbours,
						.neighbour = part->neighbour,
						.encode = encode,
						.decode = decode,
						.what = &o};
	fail why;
	part->step = s->step;
	scree_ranks_need(scree_exchange(part->c, &x, &why), &why);
}

void scree_owners_to_copies(void *at, const model *m, state *s, work *w)
{
	rank_part *o = at;
	s->body.count = s->body.owned;
	choose_rows(o, m, s, w);
	exchange_copies(o, s, SHARE_BIRTH);
	if (o->kept) scree_kept_contacts_settle(o, m, s, w);
}

void scree_copies_follow(void *at, state *s) { exchange_copies(at, s, SHARE_STEP); }
