/* contacts: the contact points of a step by FFD, in an order that depends only on the state.
 *
 * in   poses, and contact rows that touch
 * out  contact points, rows of two spheres that touch, and overlaps */
#include "papers/iglberger2009/exchanges.h"

#include "base/memory.h"
#include "base/parallel.h"
#include "kernel/sphere_contact.h"
#include "state/contact_key.h"
#include "state/contact_rows.h"
#include "state/pairs.h"
#include "world/row_apart.h"
#include "world/world.h"

#include <string.h>

typedef struct search {
	const model *m;
	state *s;
	work *w;
	ffd_work *to;
	int kind;
	real most[SCREE_MOST_THREADS]; /* overlap relative to the size of the smaller body */
} search;

static vec3 apart_of(const search *o, int64_t row) { return row_apart(o->m, o->s, o->w, o->kind, row); }

static sphere_contact spheres_at(const search *o, int64_t row)
{
	const pair_list *l = o->s->pair + o->kind;
	const bodies *b = &o->s->body;
	return sphere_contact_of(apart_of(o, row), b->radius[l->ca[row]], b->radius[l->cb[row]]);
}

/* diameter of the sphere with the volume of the smaller partner */
static real size_of(const search *o, int64_t row)
{
	const pair_list *l = o->s->pair + o->kind;
	const real a = o->s->body.round[l->ca[row]];
	return 2 * (pair_on_wall(o->kind) ? a : real_min(a, o->s->body.round[l->cb[row]]));
}

/* ------------------------------------------------------------------ touching points */

static void set_point(const search *o, const ffd_meeting *from, ffd_contact *c)
{
	const contact_work *f = &o->w->pair[o->kind].contact;
	const int64_t k = from->row;
	if (scree_pair_kinds[o->kind].formula) {
		const sphere_contact at = spheres_at(o, k);
		c->normal = at.normal, c->arm[0] = at.at, c->overlap = at.depth;
		return;
	}
	c->normal = v3(f->nx[k], f->ny[k], f->nz[k]);
	c->arm[0] = v3(f->px[k], f->py[k], f->pz[k]);
	c->overlap = f->depth[k];
	if (!scree_pair_kinds[o->kind].patch) return;
	const contact_points *points = &o->w->thread[f->first[k] >> 32].points;
	const int64_t e = (int64_t)(f->first[k] & 0xffffffffu) + from->point;
	c->arm[0] = v3(points->x[e], points->y[e], points->z[e]);
	c->overlap = points->depth[e];
}

static void note(ffd_meetings *to, ffd_meeting m)
{
	if (to->count == to->capacity) {
		const int64_t capacity = 2 * to->capacity + 256;
		to->item = scree_grow(to->item, (size_t)to->count, (size_t)capacity, sizeof *to->item);
		to->capacity = capacity;
	}
	to->item[to->count++] = m;
}

static uint64_t code_of(image i)
{
	enum { BITS = 21 };
	const uint64_t middle = (uint64_t)1 << (BITS - 1);
	return (((uint64_t)i.x + middle) << 2 * BITS) ^ (((uint64_t)i.y + middle) << BITS) ^ ((uint64_t)i.z + middle);
}

static void note_row(search *o, int64_t row, int thread)
{
	const pair_list *l = o->s->pair + o->kind;
	const contact_work *c = &o->w->pair[o->kind].contact;
	const contact_key key = contact_key_of(l, pair_on_wall(o->kind), o->s->body.id, &o->m->wall, l->slot[row]);
	ffd_meeting m = {{key.a, key.b, code_of(key.image)}, row, o->kind, 0};
	/* no id of a body has this bit */
	if (pair_on_wall(o->kind)) m.key[1] = (uint64_t)l->cb[row] | (uint64_t)1 << 63;
	const int32_t points = scree_pair_kinds[o->kind].patch ? c->points[row] : 1;
	for (; m.point < points; ++m.point) note(o->to->found + thread, m);
}

/* Tests whether this part of the world has the contact: by pe's division rule, only the part that contains the
 * contact point, or the first point of a patch, has it. */
static bool is_here(const search *o, int64_t row)
{
	if (!pe_divides(o->w)) return true;
	if (pair_on_wall(o->kind)) return true;
	ffd_contact c;
	set_point(o, &(ffd_meeting){.row = row, .kind = o->kind}, &c);
	return scree_pe_has(o->w, v3_add(o->w->record[o->s->pair[o->kind].ca[row]].position, c.arm[0]));
}

static void look(void *what, int64_t from, int64_t to, int thread)
{
	search *o = what;
	pair_list *l = o->s->pair + o->kind;
	contact_work *c = &o->w->pair[o->kind].contact;
	for (int64_t p = from; p < to; ++p)
		for (int64_t k = l->base[p], end = k + l->used[p]; k < end; ++k) {
			c->force[k] = (contact_force){0};
			if (scree_pair_kinds[o->kind].formula) l->touch[k] = spheres_at(o, k).depth > 0;
			if (l->touch[k] && !is_here(o, k)) l->touch[k] = 0;
			if (!l->touch[k]) continue;
			const real depth = scree_pair_kinds[o->kind].formula ? spheres_at(o, k).depth : c->depth[k];
			o->most[thread] = real_max(o->most[thread], depth / size_of(o, k));
			note_row(o, k, thread);
		}
}

/* ------------------------------------------------------------------ their order */

/* Puts all points into the list of the first thread; `sort` then sorts them. */
static void put_in_order(ffd_work *to, bool images)
{
	ffd_meetings *all = to->found;
	for (int t = 1; t < SCREE_MOST_THREADS; ++t) {
		for (int64_t k = 0; k < to->found[t].count; ++k) note(all, to->found[t].item[k]);
		to->found[t].count = 0;
	}
	scree_ffd_room(to, all->count);
	to->count = all->count;
	for (int64_t k = 0; k < to->count; ++k) to->sort[0][k].value = (int32_t)k;
	for (int key = images ? 2 : 1; key >= 0; --key) { /* the sort is stable, so the last key has precedence */
		for (int64_t k = 0; k < to->count; ++k) to->sort[0][k].key = all->item[to->sort[0][k].value].key[key];
		scree_sort(to->sort[0], to->sort[1], to->count);
	}
}

/* ------------------------------------------------------------------ geometry */

static void set_partner(const search *o, int64_t k, ffd_contact *c)
{
	const pair_list *l = o->s->pair + o->kind;
	const bodies *b = &o->s->body;
	const int32_t i = l->ca[k], j = l->cb[k];
	const bool on_wall = pair_on_wall(o->kind);
	const int32_t wall = on_wall ? o->m->wall.surface_wall[j] : -1;
	const int32_t other = on_wall ? o->m->wall.row[wall].material : b->material[j];
	const contact_rule *rule = o->m->material.rule + b->material[i] * o->m->material.count + other;
	c->friction = rule->friction, c->restitution = rule->restitution;
	c->body[0] = i, c->body[1] = on_wall ? -1 : j;
	c->moves = v3(0, 0, 0);
	if (on_wall) {
		const vec3 at = v3_add(o->w->record[i].position, c->arm[0]);
		c->moves = wall_velocity(o->s->wall + wall, v3_sub(at, o->s->wall[wall].position));
	} else {
		c->arm[1] = v3_add(c->arm[0], apart_of(o, k));
	}
}

static void set_contacts(void *what, int64_t from, int64_t to, int thread)
{
	(void)thread;
	search o = *(search *)what; /* a copy, since contacts may be of any kind */
	for (int64_t k = from; k < to; ++k) {
		const ffd_meeting *m = o.to->found[0].item + o.to->sort[0][k].value;
		ffd_contact *c = o.to->contact + k;
		o.kind = m->kind;
		memcpy(c->key, m->key, sizeof c->key);
		c->row = m->row, c->kind = m->kind, c->point = m->point, c->from = 0;
		set_point(&o, m, c);
		set_partner(&o, m->row, c);
	}
}

/* ------------------------------------------------------------------ all of it */

void scree_ffd_contacts_to_bodies(ffd_work *to, const bodies *b)
{
	int64_t *end = to->first + 1; /* index at which the entries of each body end, after summation of the counts */
	for (int32_t i = 0; i <= b->count; ++i) to->first[i] = 0;
	for (int64_t k = 0; k < 2 * to->count; ++k) {
		const int32_t i = to->contact[k / 2].body[k % 2];
		if (i >= 0) end[i] += 1;
	}
	for (int32_t i = 1; i < b->count; ++i) end[i] += end[i - 1];
	const int64_t all = to->first[b->count];
	for (int64_t k = 2 * to->count - 1; k >= 0; --k) { /* backwards, so that each end moves to the start */
		const int32_t i = to->contact[k / 2].body[k % 2];
		if (i >= 0) to->side[--end[i]] = k;
	}
	for (int32_t i = 0; i < b->count; ++i) to->first[i] = end[i];
	to->first[b->count] = all;
}

static void room_for_bodies(ffd_work *to, const bodies *b)
{
	if (to->first && b->capacity <= to->bodies) return; /* a world without bodies also needs `first` */
	to->bodies = b->capacity;
	scree_free(to->first), scree_free(to->velocity), scree_free(to->spin), scree_free(to->end);
	scree_free(to->rubbed);
	to->rubbed = scree_alloc((size_t)to->bodies, sizeof *to->rubbed);
	to->first = scree_alloc((size_t)to->bodies + 1, sizeof *to->first);
	to->velocity = scree_alloc((size_t)to->bodies, sizeof *to->velocity);
	to->spin = scree_alloc((size_t)to->bodies, sizeof *to->spin);
	to->end = scree_alloc((size_t)to->bodies, sizeof *to->end);
}

/* Number of touching rows counted by this part of the world. */
static int64_t count_rows(const ffd_work *of, const state *s)
{
	int64_t count = 0;
	for (int64_t k = 0; k < of->count; ++k) {
		const ffd_contact *c = of->contact + k;
		const bool first = k == 0 || c->row != c[-1].row || c->kind != c[-1].kind;
		count += first && scree_contact_counted(s, c->kind, c->row);
	}
	return count;
}

void scree_ffd_prepare(const model *m, state *s, work *w)
{
	search o = {.m = m, .s = s, .w = w, .to = scree_ffd_work(w)};
	o.to->found[0].count = 0;
	for (o.kind = 0; o.kind < PAIR_KINDS; ++o.kind)
		if (s->pair[o.kind].count > 0) scree_parallel(look, &o, s->pair[o.kind].pieces, 4);
	put_in_order(o.to, m->period.on);
	room_for_bodies(o.to, &s->body);
	scree_parallel(set_contacts, &o, o.to->count, 64);
	w->greatest_overlap_part = 0;
	for (int t = 0; t < SCREE_MOST_THREADS; ++t)
		w->greatest_overlap_part = real_max(w->greatest_overlap_part, o.most[t]);
	fixed touching = {.quanta = count_rows(o.to, s)};
	scree_domain_put_most(&w->domain, 1, &w->greatest_overlap_part);
	scree_domain_put_sum(&w->domain, 1, &touching);
	scree_domain_join(&w->domain);
	w->touching = (int64_t)touching.quanta;
	scree_overlap_noted(w);
	w->collisions = 0;
}
