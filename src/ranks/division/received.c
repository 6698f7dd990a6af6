/* received: tests whether bodies and contacts from another rank can be used. The hash of a message shows that it
 * arrived intact; contents are checked here before use as indices. Errors name the rank at fault. */
#include "ranks/division/part.h"

#include "model/model.h"
#include "state/pairs.h"
#include "state/state.h"

#include <string.h>

/* limit, as in snapshots, so that squares and cubes of numbers stay in the range of doubles */
static const real MOST = 1e100;
enum { MOST_PERIODS = 1 << 28 }; /* limit, so that sums of counts do not overflow */

static bool bounded(real x) { return real_abs(x) <= MOST; } /* false for NaN */
static bool positive(real x) { return x > 0 && bounded(x); }

static bool all_bounded(const real *x, int32_t from, int32_t end)
{
	bool right = true;
	for (int32_t i = from; i < end; ++i) right &= bounded(x[i]);
	return right;
}

static bool all_finite(const real *x, int32_t from, int32_t end)
{
	real none = 0;
#pragma omp simd reduction(+ : none)
	for (int32_t i = from; i < end; ++i) none += x[i] - x[i]; /* 0, or NaN */
	return none == 0;
}

static bool all_within(const int32_t *x, int32_t from, int32_t end, int32_t least, int32_t most)
{
	bool right = true;
	for (int32_t i = from; i < end; ++i) right &= x[i] >= least && x[i] <= most;
	return right;
}

/* ------------------------------------------------------------------ bodies */

/* Tests all numbers of these bodies that are sent on this occasion. */
static bool all_numbers(const bodies *b, share when, int32_t from, int32_t end,
						bool (*test)(const real *x, int32_t from, int32_t end))
{
	bool right = true;
	for (int f = 0; f < scree_body_rows(b); ++f) {
		const field *o = scree_body_row(b, f);
		if (o->when <= when && o->type == KIND_F64) right &= test(scree_field_array(b, o), from, end);
	}
	return right;
}

static bool body_is_right(const bodies *b, int32_t i)
{
	const quat q = body_orientation(b, i);
	const real turns = q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z, alike = (real)1e-6;
	return positive(b->radius[i]) && positive(b->round[i]) && positive(b->size[i]) && positive(b->mass[i]) &&
		   b->inv_mass[i] >= 0 && b->margin[i] >= 0 && b->ix[i] > 0 && b->iy[i] > 0 && b->iz[i] > 0 &&
		   real_abs(turns - 1) <= alike;
}

const char *scree_ranks_pose_fault(const bodies *b, int32_t from, int32_t count)
{
	const int32_t end = from + count;
	const real *const number[] = {b->x, b->y, b->z, b->qw, b->qx, b->qy, b->qz, b->way};
	const int32_t *const periods[] = {b->cell_x, b->cell_y, b->cell_z};
	bool right = true;
	for (size_t k = 0; k < sizeof number / sizeof *number; ++k) right &= all_bounded(number[k], from, end);
	for (size_t k = 0; k < sizeof periods / sizeof *periods; ++k)
		right &= all_within(periods[k], from, end, -MOST_PERIODS, MOST_PERIODS);
	return right ? NULL : "a position or orientation is not finite";
}

const char *scree_ranks_motion_fault(const bodies *b, share when, int32_t from, int32_t count)
{
	const bool right = all_numbers(b, when, from, from + count, all_finite);
	return right ? NULL : "a velocity or another number of a body is not finite";
}

const char *scree_ranks_index_fault(const model *m, const state *s, const bodies *b, int32_t from, int32_t count)
{
	const int32_t end = from + count;
	if (!all_within(b->shape, from, end, 0, m->shape.count - 1)) return "a body has a shape that does not exist";
	if (!all_within(b->material, from, end, 0, m->material.count - 1))
		return "a body has a material that does not exist";
	if (!all_within(b->flags, from, end, 0, BODY_HELD) || !all_within(b->stirred, from, end, 0, 1))
		return "a body has unknown flags";
	for (int32_t i = from; i < end; ++i)
		if (!b->id[i] || b->id[i] >= s->next_id) return "a body has an id that was never given";
	return NULL;
}

const char *scree_ranks_bodies_fault(const model *m, const state *s, share when, int32_t from, int32_t count)
{
	const char *fault = scree_ranks_pose_fault(&s->body, from, count);
	if (!fault && !all_numbers(&s->body, when, from, from + count, all_bounded))
		fault = "a number of a body is not finite";
	if (!fault) fault = scree_ranks_index_fault(m, s, &s->body, from, count);
	for (int32_t i = from; !fault && i < from + count; ++i)
		if (!body_is_right(&s->body, i)) return "a size, mass or orientation of a body is invalid";
	return fault;
}

/* ------------------------------------------------------------------ contacts */

static const char *wall_fault(const model *m, const contact_key *k)
{
	if (k->b >= (uint64_t)m->wall.count) return "a contact refers to a wall that does not exist";
	if (k->feature >= (uint64_t)m->wall.row[k->b].surfaces) return "a contact refers to a surface that does not exist";
	return NULL;
}

static const char *key_fault(const model *m, const state *s, int kind, const contact_key *k)
{
	const bool wall = pair_on_wall(kind), still = wall || !m->period.on;
	const image e = k->image, none = {0, 0, 0};
	if (!k->a || k->a >= s->next_id || (!wall && (!k->b || k->b >= s->next_id || k->a == k->b)))
		return "a contact has an id that was never given";
	if (still && image_order(e, none)) return "a contact refers to an image that does not exist";
	if (!all_within((const int32_t[3]){e.x, e.y, e.z}, 0, 3, -MOST_PERIODS, MOST_PERIODS))
		return "a contact refers to an image out of reach";
	return wall ? wall_fault(m, k) : NULL;
}

static bool history_is_right(const char *bytes, size_t size)
{
	bool right = true;
	for (size_t at = 0; at < size; at += sizeof(real)) {
		real x;
		memcpy(&x, bytes + at, sizeof x);
		right &= bounded(x);
	}
	return right;
}

const char *scree_ranks_contacts_fault(const model *m, const state *s, int kind, size_t each, size_t size,
									   const char *bytes, bool finite)
{
	if (size % each) return "they end in the middle of a contact";
	for (const char *at = bytes; at < bytes + size; at += each) {
		contact_key k;
		memcpy(&k, at, sizeof k);
		const char *fault = key_fault(m, s, kind, &k);
		if (fault) return fault;
		if (finite && !history_is_right(at + sizeof k, each - sizeof k))
			return "the history of a contact is not finite";
	}
	return NULL;
}
