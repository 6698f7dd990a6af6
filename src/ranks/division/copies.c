/* copies: a rank sends a copy of a body to each neighbour whose bodies it may touch before the next search. */
#include "ranks/division/part.h"

#include "base/memory.h"
#include "base/sort.h"
#include "model/model.h"
#include "state/state.h"
#include "work/work.h"

#include <string.h>

/* ------------------------------------------------------------------ bodies for each neighbour */

/* Half the side of the box in which the body may meet other bodies before the next search, in m. */
static real half_box(const bodies *b, int32_t i, const work *w)
{
	const real rounding = (real)1e-11 * (b->radius[i] + v3_norm(body_position(b, i)));
	return b->radius[i] + b->margin[i] + w->skin.reach + rounding;
}

/* Positions of images relative to a body; the first one is the body's own position. */
typedef struct shifts {
	vec3 of[IMAGE_CODES];
	int32_t count;
	const state *s;
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
	shifts o = {.count = 1, .s = s};
	for (int32_t code = 0; m->period.on && code < IMAGE_CODES; ++code)
		if (code != IMAGE_NONE && is_possible(&m->period, image_of_code(code))) o.of[o.count++] = s->images.shift[code];
	return o;
}

/* Tests whether a box meets the cell, which contains all bodies. Points beyond its ends belong to the outer parts. */
static bool is_in_cell(const partition_plan *o, vec3 low, vec3 high)
{
	for (int32_t axis = 0; axis < 3; ++axis)
		if (o->periodic[axis] &&
			(v3_part(high, axis) < v3_part(o->low, axis) || v3_part(low, axis) > v3_part(o->high, axis)))
			return false;
	return true;
}

/* Tests whether a part of space meets a cube around a position, or around one of its images. */
static bool meets(const rank_part *o, int32_t rank, vec3 at, real half, const shifts *images)
{
	const vec3 side = v3(half, half, half);
	for (int32_t k = 0; k < images->count; ++k) {
		const vec3 there = v3_add(at, images->of[k]);
		const vec3 low = scree_rank_place(o, images->s, v3_sub(there, side));
		const vec3 high = scree_rank_place(o, images->s, v3_add(there, side));
		if (is_in_cell(&o->space.plan, low, high) && o->space.by->meets(&o->space, rank, low, high)) return true;
	}
	return false;
}

static void add_row(border *b, int32_t row)
{
	b->row = scree_room(b->row, b->rows, &b->room, sizeof *b->row);
	b->row[b->rows++] = row;
}

/* ------------------------------------------------------------------ giants */

/* Giants: the few bodies that are far larger than the others. All ranks have this list, so that other bodies are sent
 * only to the parts that they can reach and to the parts of giants that they may meet. */
typedef struct giant {
	vec3 at;
	real half; /* m: half box */
	int32_t rank;
} giant;

typedef struct giants {
	giant *item; /* [count] */
	int64_t count;
	real others; /* largest half box among all other bodies, in m */
} giants;

enum { SIZES = 64, MOST_GIANTS = 512, BODIES_PER_GIANT = 16 };
static const real SMALLEST = (real)1e-12; /* size in m below which all bodies are in one class */

/* Size classes, each twice as large as the previous one. */
static int32_t size_class(real half)
{
	int32_t class = 0;
	for (real end = SMALLEST; half >= end && class < SIZES - 1; end *= 2) ++class;
	return class;
}

/* Returns the first class of giants: this class and those above it have few bodies. */
static int32_t first_giants(const fixed number[SIZES])
{
	int128 all = 0, giants = 0;
	for (int32_t k = 0; k < SIZES; ++k) all += number[k].quanta;
	const int128 most = all / BODIES_PER_GIANT < MOST_GIANTS ? all / BODIES_PER_GIANT : MOST_GIANTS;
	int32_t first = SIZES;
	while (first > 0 && giants + number[first - 1].quanta <= most) giants += number[--first].quanta;
	return first;
}

static real *half_boxes(const state *s, const work *w)
{
	real *half = scree_alloc((size_t)s->body.owned, sizeof *half);
	for (int32_t i = 0; i < s->body.owned; ++i) half[i] = half_box(&s->body, i, w);
	return half;
}

/* Checks a giant, since another rank may send an invalid rank or position. */
static void need_giant(const rank_part *o, const giant *g)
{
	if (g->rank >= 0 && g->rank < o->c->ranks && g->half > 0 && v3_norm2(g->at) < INFINITY) return;
	scree_break_off(FAIL_IO,
					"rank %d: another rank has sent an invalid large body of rank %d of %d, with a box of %g m at %g m",
					o->c->rank, g->rank, o->c->ranks, 2 * g->half, v3_norm(g->at));
}

static void need_sizes(const domain *d, const real most[SIZES], const fixed number[SIZES])
{
	bool right = true;
	for (int32_t k = 0; k < SIZES; ++k)
		right &= most[k] < INFINITY && number[k].quanta >= 0 && number[k].quanta <= INT64_MAX && !number[k].beyond;
	scree_domain_need(d, right, "add", "impossible numbers of bodies per size");
}

static giants find_giants(const rank_part *o, const state *s, const work *w, const real *half)
{
	fixed number[SIZES] = {{0}};
	real most[SIZES] = {0};
	giants all = {.others = 0};
	for (int32_t i = 0; i < s->body.owned; ++i) {
		const int32_t class = size_class(half[i]);
		number[class].quanta += 1;
		most[class] = real_max(most[class], half[i]);
	}
	w->domain.by->both(w->domain.at, SIZES, most, SIZES, number);
	need_sizes(&w->domain, most, number);
	const int32_t first = first_giants(number);
	bool any = false;
	for (int32_t k = 0; k < first; ++k) all.others = real_max(all.others, most[k]);
	for (int32_t k = first; k < SIZES; ++k) any = any || number[k].quanta > 0;
	if (!any) return all;
	giant *here = scree_alloc((size_t)s->body.owned, sizeof *here);
	for (int32_t i = 0; i < s->body.owned; ++i)
		if (half[i] > all.others) here[all.count++] = (giant){body_position(&s->body, i), half[i], o->c->rank};
	all.item = w->domain.by->gather(w->domain.at, &all.count, sizeof *all.item, here);
	scree_free(here);
	for (int64_t k = 0; k < all.count; ++k) need_giant(o, all.item + k);
	return all;
}

/* Tests whether spheres around two bodies, or images, may meet before the next search (broad/bodies_to_pairs.c). */
static bool touch(vec3 a, vec3 b, real reach, const shifts *images)
{
	for (int32_t k = 0; k < images->count; ++k)
		if (v3_norm2(v3_sub(v3_add(a, images->of[k]), b)) <= reach * reach * (1 + (real)1e-12)) return true;
	return false;
}

/* Tests whether the giant may meet small bodies or giants of a rank. The result is bit-identical on all ranks. */
static bool comes_to(const rank_part *o, const giants *all, int64_t which, int32_t rank, const shifts *images)
{
	const giant *g = all->item + which;
	if (meets(o, rank, g->at, g->half + all->others, images)) return true;
	for (int64_t k = 0; k < all->count; ++k) {
		const giant *a = all->item + (k < which ? k : which), *b = all->item + (k < which ? which : k);
		if (all->item[k].rank == rank && touch(a->at, b->at, a->half + b->half, images)) return true;
	}
	return false;
}

/* ------------------------------------------------------------------ neighbours */

static int by_rank(const void *a, const void *b)
{
	const int32_t x = *(const int32_t *)a, y = *(const int32_t *)b;
	return (x > y) - (x < y);
}

static void add_neighbour(rank_part *o, int32_t rank)
{
	if (scree_rank_is_neighbour(o, rank)) return;
	o->neighbour = scree_grow(o->neighbour, (size_t)o->neighbours, (size_t)o->neighbours + 1, sizeof *o->neighbour);
	o->neighbour[o->neighbours++] = rank;
}

/* Moves giants of other ranks that may meet bodies of this rank to the front; returns the number of such giants. */
static int64_t add_neighbours_by_giants(rank_part *o, giants *all, const shifts *images)
{
	const int32_t here = o->c->rank;
	int64_t near = 0;
	bool *comes = scree_alloc((size_t)all->count, sizeof *comes);
	for (int64_t g = 0; g < all->count; ++g) {
		for (int32_t k = 0; k < o->c->ranks && all->item[g].rank == here; ++k)
			if (k != here && comes_to(o, all, g, k, images)) add_neighbour(o, k);
		comes[g] = all->item[g].rank != here && comes_to(o, all, g, here, images);
		if (comes[g]) add_neighbour(o, all->item[g].rank);
	}
	for (int64_t g = 0; g < all->count; ++g)
		if (comes[g]) all->item[near++] = all->item[g];
	scree_free(comes);
	return near;
}

static void find_neighbours(rank_part *o, const model *m, const state *s, giants *all, const shifts *images)
{
	const periods *p = &m->period;
	scree_rank_part_free(o);
	o->space.slide = (sliding_images){p->shears, p->flow, p->gradient, s->images.offset};
	const vec3 by = scree_rank_stretch(o, s);
	const real reach = 2 * all->others * real_max(by.x, real_max(by.y, by.z));
	o->neighbour = o->space.by->neighbours(&o->space, o->c->rank, reach, &o->neighbours);
	all->count = add_neighbours_by_giants(o, all, images);
	scree_sort_by(o->neighbour, o->neighbours, sizeof *o->neighbour, by_rank);
	o->border = scree_alloc((size_t)o->neighbours, sizeof *o->border);
}

static bool meets_giant(const giants *near, int32_t rank, vec3 at, real half, const shifts *images)
{
	for (int64_t g = 0; g < near->count; ++g)
		if (near->item[g].rank == rank && touch(at, near->item[g].at, half + near->item[g].half, images)) return true;
	return false;
}

static void choose_rows(rank_part *o, const model *m, const state *s, const work *w)
{
	const shifts images = shifts_of(m, s);
	real *half = half_boxes(s, w);
	giants near = find_giants(o, s, w, half);
	find_neighbours(o, m, s, &near, &images);
	for (int32_t i = 0; i < s->body.owned; ++i)
		for (int32_t k = 0; k < o->neighbours; ++k) {
			const vec3 at = body_position(&s->body, i);
			if (meets(o, o->neighbour[k], at, half[i] + near.others, &images) ||
				meets_giant(&near, o->neighbour[k], at, half[i], &images))
				add_row(o->border + k, i);
		}
	scree_free(near.item);
	scree_free(half);
}

/* ------------------------------------------------------------------ messages */

typedef struct copying {
	rank_part *part;
	const model *m; /* NULL if copies exist and only move */
	state *s;
	share when;
	bool finite; /* velocities must be finite */
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

/* Reads the bodies in a message, which contains either none or one segment of whole bodies. */
static bool read_bodies(const bodies *b, share when, message_reader *r, segment *s, int32_t *count, fail *why)
{
	*s = (segment){.tag = SEGMENT_BODIES};
	scree_message_next(r, s);
	const size_t each = scree_bodies_packed(b, when);
	*count = (int32_t)(s->size / each);
	if (s->tag == SEGMENT_BODIES && s->size % each == 0 && s->size / each < INT32_MAX / 2) return true;
	return scree_fail(why, FAIL_IO, "rank %d: a message from rank %d has wrong bodies", r->head.to, r->head.from);
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
		return scree_fail(why, FAIL_IO, "rank %d: %d updates from rank %d for %d copies", r->head.to, count, from,
						  b->copies);
	}
	scree_bodies_unpack(to, o->when, b->first, count, s.bytes);
	const char *fault = o->m ? scree_ranks_bodies_fault(o->m, o->s, o->when, b->first, count)
							 : scree_ranks_pose_fault(to, b->first, count);
	if (!fault && o->finite) fault = scree_ranks_motion_fault(to, o->when, b->first, count);
	return !fault ||
		   scree_fail(why, FAIL_IO, "rank %d: a message from rank %d has wrong bodies: %s, phase %s, step %lld",
					  r->head.to, from, fault, scree_phase_names[r->head.phase], (long long)r->head.step);
}

static void exchange_copies(copying o)
{
	rank_part *part = o.part;
	state *s = o.s;
	const share when = o.when;
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
	exchange_copies((copying){.part = o, .m = m, .s = s, .when = SHARE_BIRTH});
	if (o->kept) scree_kept_contacts_settle(o, m, s, w);
}

void scree_copies_follow(void *at, state *s, share when, bool finite)
{
	exchange_copies((copying){.part = at, .s = s, .when = when, .finite = finite});
}

int32_t *scree_rows_of_copies(void *at, int64_t *count)
{
	const rank_part *o = at;
	int64_t rows = 0;
	for (int32_t k = 0; k < o->neighbours; ++k) rows += o->border[k].rows;
	int32_t *row = scree_alloc((size_t)rows, sizeof *row);
	*count = 0;
	for (int32_t k = 0; k < o->neighbours; ++k)
		for (int32_t n = 0; n < o->border[k].rows; ++n) row[(*count)++] = o->border[k].row[n];
	return row;
}
