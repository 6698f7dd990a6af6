#include "law/block.h"

#include "base/lanes.h"

#include <stddef.h>

/* ------------------------------------------------------------------ prefetches */

soon scree_soon(const rows *r, int64_t first, int64_t n, int64_t far)
{
	const int64_t end = r->from + r->count;
	int64_t from = first + far, to = end;
	if (from >= end) from += r->next - end, to = r->next + r->next_count;
	const int64_t left = to - from;
	return (soon){from, left < 0 ? 0 : left < n ? left : n};
}

void scree_fetch_records(const job *j, const soon *s, size_t offset)
{
	const body_record *const record = j->record;
	const int32_t *const of = j->list->cb + s->from;
	for (int64_t i = 0; i < s->count; ++i) __builtin_prefetch((const char *)(record + of[i]) + offset);
}

void scree_fetch_sums(const job *j, const soon *s)
{
	const body_sum *const sum = j->own->rows.body;
	const int32_t *const of = j->list->cb + s->from;
	for (int64_t i = 0; i < s->count; ++i) __builtin_prefetch(sum + of[i], 1);
}

SCREE_FN void fetch_column(const void *column, size_t size, const soon *s)
{
	const char *const from = (const char *)column + (size_t)s->from * size, *const to = from + (size_t)s->count * size;
	for (const char *at = from; at < to; at += 64) __builtin_prefetch(at, 1);
}

/* Prefetches histories, which have more columns than the hardware prefetcher can follow. */
void scree_fetch_history(const pair_list *l, const soon *s)
{
	fetch_column(l->sx, sizeof *l->sx, s);
	fetch_column(l->sy, sizeof *l->sy, s);
	fetch_column(l->sz, sizeof *l->sz, s);
	fetch_column(l->stiff, sizeof *l->stiff, s);
	fetch_column(l->bent, sizeof *l->bent, s);
	fetch_column(l->touch, sizeof *l->touch, s);
}

void scree_fetch_partners(const pair_list *l, const soon *s)
{
	fetch_column(l->ca, sizeof *l->ca, s);
	fetch_column(l->cb, sizeof *l->cb, s);
}

/* ------------------------------------------------------------------ two bodies */

SCREE_FN partners partners_of(const body_record *a, const body_record *b)
{
	partners p = {v3_sub(a->velocity, b->velocity),
				  a->angular_velocity,
				  b->angular_velocity,
				  v3_sub(a->position, b->position),
				  a->round,
				  b->round,
				  a->inv_mass,
				  b->inv_mass};
	return p;
}

#ifdef SCREE_LANES
/* offsets in a record: the first eight numbers are loaded together, and then the other three */
enum { HEAD_PLACE, HEAD_ROUND = 3, HEAD_VELOCITY, HEAD_INV_MASS = 7, HEAD };
_Static_assert(offsetof(body_record, round) == 8 * HEAD_ROUND && offsetof(body_record, velocity) == 8 * HEAD_VELOCITY &&
				   offsetof(body_record, inv_mass) == 8 * HEAD_INV_MASS &&
				   offsetof(body_record, angular_velocity) == 8 * HEAD,
			   "eight rows are read at once");

SCREE_FN void heads_of(lanes_real to[8], const body_record *record, const int32_t *of)
{
	lanes head[8];
	for (int j = 0; j < 8; ++j) head[j] = *(const lanes *)(record + of[j]);
	lanes_transpose(head);
	for (int j = 0; j < 8; ++j) to[j] = (lanes_real)head[j];
}

SCREE_FN void spins_of(real to[3][BLOCK], int64_t i, const body_record *record, const int32_t *of)
{
	const double *row[8];
	lanes spin[4];
	for (int j = 0; j < 8; ++j) row[j] = &record[of[j]].angular_velocity.x;
	lanes_of_halves(spin, row);
	for (int c = 0; c < 3; ++c) *(lanes_anywhere *)(to[c] + i) = spin[c];
}

/* Does for eight contacts at a time what partners_of does for one. */
SCREE_FN void gather_eight(block *o, int64_t i, const body_record *record, const int32_t *ca, const int32_t *cb)
{
	lanes_real a[8], b[8];
	heads_of(a, record, ca);
	heads_of(b, record, cb);
	real *const apart[3] = {o->x + i, o->y + i, o->z + i}, *const v[3] = {o->vx + i, o->vy + i, o->vz + i};
	for (int c = 0; c < 3; ++c) *(lanes_real *)apart[c] = a[HEAD_PLACE + c] - b[HEAD_PLACE + c];
	for (int c = 0; c < 3; ++c) *(lanes_real *)v[c] = a[HEAD_VELOCITY + c] - b[HEAD_VELOCITY + c];
	*(lanes_real *)(o->ra + i) = a[HEAD_ROUND], *(lanes_real *)(o->rb + i) = b[HEAD_ROUND];
	*(lanes_real *)(o->ma + i) = a[HEAD_INV_MASS], *(lanes_real *)(o->mb + i) = b[HEAD_INV_MASS];
	spins_of(o->wa, i, record, ca);
	spins_of(o->wb, i, record, cb);
}
#endif

static void gather_bodies(block *o, const job *j, int64_t first, int64_t n)
{
	const int32_t *ca = j->list->ca + first, *cb = j->list->cb + first;
	int64_t i = 0;
#ifdef SCREE_LANES
	for (; i + SCREE_LANES <= n; i += SCREE_LANES) gather_eight(o, i, j->record, ca + i, cb + i);
#endif
	for (; i < n; ++i) {
		partners p = partners_of(j->record + ca[i], j->record + cb[i]);
		put_partners(o, i, &p);
	}
}

/* Shifts b to its image, in periodic worlds. */
static void shift_images(block *o, const job *j, int64_t first, int64_t n)
{
	for (int64_t i = 0; i < n; ++i) {
		int32_t code = o->image[i] = image_at(j, first + i);
		const vec3 shift = j->images->shift[code], drift = j->images->drift[code];
		o->x[i] -= shift.x, o->y[i] -= shift.y, o->z[i] -= shift.z;
		o->vx[i] -= drift.x, o->vy[i] -= drift.y, o->vz[i] -= drift.z;
	}
}

/* ------------------------------------------------------------------ a body and a wall */

/* Returns a wall as a partner in the body's frame: its velocity is the wall's velocity at the body's centre. */
SCREE_FN partners partners_on_wall(const body_record *a, const wall_state *w)
{
	vec3 apart = v3_sub(a->position, w->position), moves = wall_velocity(w, apart);
	partners p = {
		v3_sub(a->velocity, moves), a->angular_velocity, w->angular_velocity, apart, a->round, a->round, a->mass, 0};
	return p;
}

static void gather_on_walls(block *o, const job *j, int64_t first, int64_t n)
{
	const int32_t *ca = j->list->ca + first, *cb = j->list->cb + first;
	for (int64_t i = 0; i < n; ++i) {
		partners p = partners_on_wall(j->record + ca[i], j->wall_now + j->wall->surface_wall[cb[i]]);
		put_partners(o, i, &p);
	}
}

/* Replaces the radii of clumps with the radii of the balls in contact. */
static void put_radii(block *o, const contact_work *c, int64_t first, int64_t n)
{
	for (int64_t i = 0; i < n; ++i) o->ra[i] = c->ra[first + i], o->rb[i] = c->rb[first + i];
}

void scree_gather_partners(block *o, const job *j, int64_t first, int64_t n, bool on_wall)
{
	if (on_wall)
		gather_on_walls(o, j, first, n);
	else
		gather_bodies(o, j, first, n);
	if (!on_wall && j->period) shift_images(o, j, first, n);
	if (j->contact->ra) put_radii(o, j->contact, first, n);
}

void scree_gather_reduced(block *o, const contact_work *c, int64_t first, int64_t n, bool on_wall)
{
#pragma omp simd
	for (int64_t i = 0; i < n; ++i) {
		partners p = get_partners(o, i);
		o->radius[i] = reduced_radius(&p, on_wall);
		o->mass[i] = reduced_mass(&p, on_wall);
	}
	if (c->depth)
		for (int64_t i = 0; i < n; ++i) o->part[i] = contact_part(c, first + i);
	if (!c->share) return;
	for (int64_t i = 0; i < n; ++i) o->mass[i] *= c->share[first + i];
}
