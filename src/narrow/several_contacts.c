/* several_contacts: pairs that may have several contacts, each with its own normal. Either one member of the pair is
 * made of parts and the other is any body or wall, or the narrow phase may find several contacts for every pair. A slot
 * has one row per contact, sorted by feature, or a single row if there is no contact. The number of contacts is known
 * only after contacts are found. The rows of a piece are then rearranged, and histories are matched by feature. */
#include "narrow/narrow.h"
#include "narrow/compound.h"
#include "narrow/work.h"
#include "narrow/smooth/capsule.h"
#include "narrow/smooth/smooth.h"
#include "narrow/touch_list.h"
#include "narrow/solid/known_cuts.h"
#include "shape/shape_forms.h"

#include <string.h>

static found_contact *add_found(several_scratch *m)
{
	m->item = scree_room(m->item, m->count, &m->capacity, sizeof *m->item);
	return m->item + m->count++;
}

static struct known_cuts *cuts_of(const model *m, narrow_thread *tmp)
{
	if (m->narrow->known && !tmp->cuts) tmp->cuts = scree_known_cuts();
	return tmp->cuts;
}

static void keep_points(found_contact *f, contact_points *to, int thread, int32_t count, const vec3 *at,
						const real *deep, const real *weight, real pitch, real arm, const vec3 *hold)
{
	room_for_points(to, count + 1);
	f->arm = arm;
	f->points = count;
	f->first = (uint64_t)thread << 32 | (uint64_t)to->count;
	put_points(to, count, at, deep, weight, pitch, arm, hold);
}

static void keep_patch(const model *m, int kind, narrow_thread *tmp, int thread, int32_t slot, uint64_t feature,
					   const patch *p)
{
	found_contact *f = add_found(&tmp->several);
	const vec3 at = deepest(p->points, p->at, p->deep);
	*f = (found_contact){.slot = slot, .touches = true};
	f->of = (point_found){.feature = feature, .normal = p->normal, .at = at, .depth = p->depth};
	if (scree_pair_kinds[kind].patch)
		keep_points(f, &tmp->to->points, thread, p->points, p->at, p->deep, p->weight, p->pitch, p->arm,
					gives_hold(m) ? &p->hold : NULL);
}

static void keep_point(narrow_thread *tmp, int32_t slot, const point_found *p)
{
	*add_found(&tmp->several) = (found_contact){.slot = slot, .touches = true, .of = *p};
}

static void keep_none(narrow_thread *tmp, int32_t slot) { *add_found(&tmp->several) = (found_contact){.slot = slot}; }

/* ------------------------------------------------------------------ two bodies */

/* Calls the narrow phase for this kind of pair, or the one that finds several contacts for all kinds. */
static real find_patches(const model *m, int kind, const placed *a, const placed *b, narrow_thread *tmp)
{
	patch_list *out = &tmp->several.patches;
	out->count = 0;
	if (scree_pair_kinds[kind].several) return scree_parts_patches(m->narrow, cuts_of(m, tmp), a, b, out);
	m->narrow->several(a, b, out);
	return 0;
}

/* Keeps the first crossing in order of ids, so that the number of threads does not matter. */
static void note_crossing(const state *s, narrow_thread *tmp, bool soon, int32_t a, int32_t b, int32_t wall)
{
	const crossing here = {true, soon, a, b, wall};
	if (crossing_before(&s->body, &here, &tmp->crossed)) tmp->crossed = here;
}

static vec3 velocity_of_point(const bodies *b, int32_t i, vec3 arm)
{
	return v3_add(body_velocity(b, i), v3_cross(body_angular_velocity(b, i), arm));
}

/* Tests whether the approach in the next step is at least the remaining thickness (for a ball, the distance to its
 * centre), so that thin bodies would pass through each other unnoticed. of_b: velocity at the contact */
static bool comes_through(const model *m, const state *s, const point_found *p, real reach, int32_t a, vec3 of_b)
{
	const vec3 v = v3_sub(velocity_of_point(&s->body, a, p->at), of_b);
	return -m->dt * v3_dot(p->normal, v) > reach - p->depth;
}

static bool comes_to_wall(const model *m, const state *s, const point_found *p, real reach, int32_t a,
						  const wall_state *o)
{
	const vec3 from = v3_add(v3_sub(body_position(&s->body, a), o->position), p->at);
	return comes_through(m, s, p, reach, a, wall_velocity(o, from));
}

static real reach_of(const model *m, const state *s, int32_t i, const point_found *f, bool first)
{
	const shape *form = m->shape.row + s->body.shape[i];
	if (form->type == SHAPE_SURFACE) return form->halo * s->body.size[i];
	return shape_is_pointed(form) ? (first ? f->ra : f->rb) : 0;
}

static void note_surfaces(const model *m, const state *s, const work *w, int kind, int32_t slot, const points_here *f,
						  narrow_thread *tmp)
{
	const pair_list *l = s->pair + kind;
	const int32_t a = l->a[slot], b = l->b[slot];
	const vec3 way = way_to(m, s, w, kind, slot),
			   drift = m->period.on ? s->images.drift[scree_world_image(m, s, kind, slot)] : v3(0, 0, 0);
	bool soon = false;
	if (m->shape.row[s->body.shape[b]].type != SHAPE_SURFACE) return;
	for (int32_t k = 0; k < f->count; ++k) {
		const point_found *p = f->point + k;
		const vec3 of_b = v3_add(velocity_of_point(&s->body, b, v3_sub(p->at, way)), drift);
		soon |= comes_through(m, s, p, reach_of(m, s, a, p, true) + reach_of(m, s, b, p, false), a, of_b);
	}
	if (f->crossed || soon) note_crossing(s, tmp, !f->crossed, a, b, -1);
}

static real points_of_slot(const model *m, state *s, work *w, int kind, int32_t k, narrow_thread *tmp, int thread)
{
	const points_here f = scree_points_of(m, s, w, kind, k, thread);
	note_surfaces(m, s, w, kind, k, &f, tmp);
	for (int32_t c = 0; c < f.count; ++c) keep_point(tmp, k, f.point + c);
	return f.apart;
}

static real patches_of_slot(const model *m, state *s, work *w, int kind, int32_t k, narrow_thread *tmp, int thread)
{
	const pair_list *l = s->pair + kind;
	const placed a = placed_of(m, s, w, l->a[k], v3(0, 0, 0)),
				 b = placed_of(m, s, w, l->b[k], way_to(m, s, w, kind, k));
	const patch_list *out = &tmp->several.patches;
	const real apart = find_patches(m, kind, &a, &b, tmp);
	for (int32_t c = 0; c < out->count; ++c) {
		SCREE_ASSERT(c == 0 || out->feature[c] > out->feature[c - 1]);
		keep_patch(m, kind, tmp, thread, k, out->feature[c], out->item + c);
	}
	return apart;
}

static void look_at_slot(const model *m, state *s, work *w, int kind, int32_t k, narrow_thread *tmp, int thread)
{
	const pair_list *l = s->pair + kind;
	slot_cache *c = &w->pair[kind].cache;
	const int64_t before = tmp->several.count;
	const bool points = scree_pair_kinds[kind].several && !scree_pair_kinds[kind].patch;
	const bool surface = m->shape.row[s->body.shape[l->b[k]]].type == SHAPE_SURFACE; /* without a reach */
	const real reach = points && !surface ? reach_ahead(m, s, w, l->a[k], l->b[k]) : 0;
	if (still_clear_by(l, c, &s->body, k, reach)) { /* the pair did not touch before either */
		keep_none(tmp, k);
		return;
	}
	const real apart = (points ? points_of_slot : patches_of_slot)(m, s, w, kind, k, tmp, thread);
	if (tmp->several.count == before) keep_none(tmp, k);
	note_distance(l, c, s, w, k, tmp->several.count == before + 1 && !tmp->several.item[before].touches ? apart : 0);
}

/* ------------------------------------------------------------------ a body and a wall */

/* Appends to a slot a contact of part `feature` with the wall, given in the wall's frame. at: centre of the part,
 * relative to the body's centre */
static void keep_touch(const model *m, int kind, narrow_thread *tmp, int thread, int32_t slot, uint64_t feature,
					   const mat3 *turn, const touch *t, vec3 at, real radius)
{
	touch_list *list = &tmp->touch;
	vec3 *points = list->at + t->first;
	const real *deep = list->deep + t->first;
	for (int32_t i = 0; i < t->points; ++i) points[i] = mat3_mul(*turn, v3_add(points[i], at));
	found_contact *f = add_found(&tmp->several);
	*f = (found_contact){.slot = slot, .touches = true, .place = t->place};
	f->of = (point_found){.feature = feature, .depth = t->depth, .ra = radius, .rb = radius};
	f->of.normal = mat3_mul(*turn, t->normal);
	f->of.at = deepest(t->points, points, deep);
	if (!scree_pair_kinds[kind].patch) return;
	const vec3 hold = mat3_mul(*turn, v3_add(t->hold, at));
	f->of.part = t->part;
	keep_points(f, &tmp->to->points, thread, t->points, points, deep, list->weight + t->first, t->pitch, t->arm,
				gives_hold(m) ? &hold : NULL);
}

/* Returns the slot of a contact with a surface; the surfaces of a group are in the same order as its slots. */
static int32_t slot_of(const pair_list *l, const wall_group *g, int32_t surface)
{
	int64_t k = g->slot;
	while (k < g->slot + g->slots && l->b[k] != surface) ++k;
	SCREE_ASSERT(k < g->slot + g->slots); /* otherwise contacts with surfaces that are not candidates would be lost */
	return (int32_t)k;
}

/* A query about the parts of a body near a wall, in the wall's frame. */
typedef struct parts_at_wall {
	const model *m;
	int kind;
	const wall_group *g;
	const placed *body;
	const mat3 *turn;
	const near_wall *to;
	real round, reach; /* the body's radius for laws, and the distance at which points are contacts, in m */
	real power;		   /* exponent of the overlap in the force */
} parts_at_wall;

/* Finds the contacts of a part with the wall. Returns the part's radius for laws. */
static real find_touches(const parts_at_wall *j, int32_t p, const placed *part, narrow_thread *tmp)
{
	touch_list *list = &tmp->touch;
	real radius = part->size / 2;
	if (placed_is_capsule(j->body)) {
		radius = j->body->size * j->body->shape->semi_x;
		scree_capsule_wall(part, p, j->reach, j->to, &tmp->probe, list);
	} else if (placed_is_smooth(part)) {
		radius = j->round;
		scree_smooth_wall(part, j->reach, j->power, j->to, list);
	} else if (scree_pair_kinds[j->kind].patch) {
		j->m->narrow->convex_wall(part, j->to, list);
	} else {
		scree_sphere_wall(part->at, radius + j->reach, j->to, list);
	}
	if (j->reach > 0) scree_touches_shrink(list, j->reach);
	return radius;
}

/* Bodies at predicted poses also get contacts across a gap that may close when velocities change. */
static void touch_with_parts(const parts_at_wall *j, const pair_list *l, narrow_thread *tmp, int thread)
{
	const touch_list *list = &tmp->touch;
	const bool bar = placed_is_capsule(j->body);
	for (int32_t p = 0; p < (bar ? CAPSULE_PARTS : scree_parts_of(j->body)); ++p) {
		const placed part = bar ? *j->body : scree_part(j->body, p);
		const real radius = find_touches(j, p, &part, tmp);
		for (int32_t t = 0; t < list->count; ++t)
			if (list->item[t].depth > -j->reach)
				keep_touch(j->m, j->kind, tmp, thread, slot_of(l, j->g, list->item[t].surface),
						   (uint64_t)(p + list->item[t].feature), j->turn, list->item + t, v3_sub(part.at, j->body->at),
						   radius);
	}
}

static void touch_with_surface(const model *m, state *s, work *w, int kind, const wall_group *g, const mat3 *turn,
							   narrow_thread *tmp, int thread)
{
	const points_here f = scree_points_of(m, s, w, kind, (int32_t)(g - w->near[kind].group), thread);
	const real halo = m->shape.row[s->body.shape[g->body]].halo * s->body.size[g->body];
	bool soon = false;
	for (int32_t c = 0; c < f.count; ++c) {
		point_found p = f.point[c];
		p.normal = mat3_mul(*turn, p.normal);
		p.at = mat3_mul(*turn, p.at);
		soon |= comes_to_wall(m, s, &p, halo, g->body, s->wall + g->wall);
		keep_point(tmp, slot_of(s->pair + kind, g, p.surface), &p);
	}
	if (f.crossed || soon) note_crossing(s, tmp, !f.crossed, g->body, -1, g->wall);
}

/* ------------------------------------------------------------------ a smooth body and a round wall */

/* A contact that moves farther than this around the axis in one step counts as a new contact. */
static const real FARTHEST = SCREE_PI / 4;
enum { NO_NUMBER = -1 };

static real angle_between(real x, real y)
{
	const real d = real_abs(x - y);
	return real_min(d, 2 * SCREE_PI - d);
}

static bool is_taken(const pair_list *l, const wall_group *g, const several_scratch *m, int64_t from, uint64_t number)
{
	const int32_t first = l->row[g->slot];
	for (int64_t c = from; c < m->count; ++c)
		if (m->item[c].of.feature == number) return true;
	for (int32_t r = first; l->place && r < first + slot_rows(l, g->slot); ++r)
		if (l->touch[r] && l->feature[r] == number) return true;
	return false;
}

/* Assigns the number of an old contact to the nearest new contact without a number. */
static bool continue_nearest(const pair_list *l, const wall_group *g, const several_scratch *m, int64_t from)
{
	const int32_t first = l->row[g->slot];
	found_contact *best = NULL;
	uint64_t number = 0;
	real least = FARTHEST;
	for (int32_t r = first; r < first + slot_rows(l, g->slot); ++r) {
		bool continued = !l->touch[r];
		for (int64_t c = from; c < m->count; ++c) continued |= m->item[c].of.feature == l->feature[r];
		for (int64_t c = from; c < m->count && !continued; ++c) {
			const real way = angle_between(m->item[c].place, l->place[r]);
			if (m->item[c].of.feature != (uint64_t)NO_NUMBER || !(way < least)) continue;
			best = m->item + c, number = l->feature[r], least = way;
		}
	}
	if (best) best->of.feature = number;
	return best != NULL;
}

/* Contacts with round walls move around the axis, appear, and vanish, so shape and pose cannot number them. A contact
 * near its position in the last step keeps its number, and a new contact is given the lowest free number. */
static void number_by_place(const pair_list *l, const wall_group *g, several_scratch *m, int64_t from)
{
	for (int64_t c = from; c < m->count; ++c) m->item[c].of.feature = (uint64_t)NO_NUMBER;
	while (l->place && continue_nearest(l, g, m, from)) continue;
	for (int64_t c = from; c < m->count; ++c) {
		uint64_t number = 0;
		if (m->item[c].of.feature != (uint64_t)NO_NUMBER) continue;
		while (is_taken(l, g, m, from, number)) ++number;
		m->item[c].of.feature = number;
	}
}

/* ------------------------------------------------------------------ all contacts between a body and a wall */

static bool comes_before(const found_contact *x, const found_contact *y)
{
	return x->slot != y->slot ? x->slot < y->slot : x->of.feature < y->of.feature;
}

/* Sorts the contacts from `from` onwards by slot and feature. Slots of the group without contacts also get entries. */
static void sort_group(narrow_thread *tmp, const wall_group *g, int64_t from)
{
	several_scratch *m = &tmp->several;
	const int64_t touching = m->count;
	for (int64_t k = g->slot; k < g->slot + g->slots; ++k) {
		bool any = false;
		for (int64_t c = from; c < touching && !any; ++c) any = m->item[c].slot == k;
		if (!any) keep_none(tmp, (int32_t)k);
	}
	for (int64_t i = from + 1; i < m->count; ++i) {
		const found_contact x = m->item[i];
		int64_t k = i;
		for (; k > from && comes_before(&x, m->item + k - 1); --k) m->item[k] = m->item[k - 1];
		m->item[k] = x;
	}
}

static void look_at_group(const model *m, state *s, work *w, int kind, const wall_group *g, narrow_thread *tmp,
						  int thread)
{
	const mat3 turn = quat_matrix(s->wall[g->wall].orientation);
	const int64_t from = tmp->several.count;
	const placed body = placed_at_wall(m, s, w, g, turn);
	const real reach = m->implicit && !scree_pair_kinds[kind].patch ? w->ahead.most[g->body] : 0;
	const near_wall to = wall_near(m, w->near + kind, g);
	const real power = power_between(m, s->body.material[g->body], m->wall.row[g->wall].material);
	const parts_at_wall parts = {m, kind, g, &body, &turn, &to, s->body.round[g->body], reach, power};
	const wall_type type = m->wall.row[g->wall].type;
	if (body.shape->type == SHAPE_SURFACE)
		touch_with_surface(m, s, w, kind, g, &turn, tmp, thread);
	else
		touch_with_parts(&parts, s->pair + kind, tmp, thread);
	if (placed_is_smooth(&body) && (type == WALL_CYLINDER || type == WALL_CONE))
		number_by_place(s->pair + kind, g, &tmp->several, from);
	sort_group(tmp, g, from);
}

/* ------------------------------------------------------------------ rows */

/* Returns the row in a slot's old range whose contact had this feature, or -1. */
static int32_t old_row(const pair_list *l, const found_contact *f)
{
	for (int32_t r = l->row[f->slot], end = r + slot_rows(l, f->slot); f->touches && r < end; ++r)
		if (l->touch[r] && l->feature[r] == f->of.feature) return r;
	return -1;
}

/* Stores in of[r] the old row of the piece that the new row r continues. Old rows without a continuation have ended. */
static void match(const model *m, state *s, pair_list *l, int32_t piece, narrow_thread *tmp, int32_t *of, bool *kept)
{
	several_scratch *o = &tmp->several;
	int64_t base = l->base[piece];
	memset(kept, 0, (size_t)l->used[piece] * sizeof *kept);
	for (int64_t r = 0; r < o->count; ++r) {
		int32_t old = old_row(l, o->item + r);
		of[r] = old < 0 ? -1 : old - (int32_t)base;
		if (old >= 0) kept[of[r]] = true;
	}
	for (int32_t old = 0; old < l->used[piece]; ++old)
		if (!kept[old]) no_contact(m, s, l, base + old, tmp);
}

static void set_row(pair_list *l, contact_work *c, int64_t row, const found_contact *f)
{
	l->slot[row] = f->slot;
	l->ca[row] = l->a[f->slot];
	l->cb[row] = l->b[f->slot];
	l->feature[row] = f->of.feature;
	if (!f->touches) return;
	set_contact(l, c, row, f->of.normal, f->of.at, f->of.depth);
	if (c->ra) c->ra[row] = f->of.ra, c->rb[row] = f->of.rb;
	if (c->part) c->part[row] = f->of.part;
	if (l->place) l->place[row] = f->place;
	c->arm[row] = f->arm;
	c->points[row] = f->points;
	c->first[row] = f->first;
}

static void lay_out(const model *m, state *s, pair_list *l, contact_work *c, int32_t piece, narrow_thread *tmp)
{
	several_scratch *o = &tmp->several;
	int64_t base = l->base[piece];
	int32_t count = (int32_t)o->count, had = l->used[piece], room = count > had ? count : had;
	if (o->room <= room) { /* also called if there are no rows, so that the arrays exist */
		SCREE_FREE_ALL(o->of, o->kept, o->copy);
		o->room = room + room / 4 + 16;
		o->of = scree_alloc((size_t)o->room, sizeof *o->of);
		o->kept = scree_alloc((size_t)o->room, sizeof *o->kept);
		o->copy = scree_alloc((size_t)o->room, sizeof *o->copy);
	}
	match(m, s, l, piece, tmp, o->of, o->kept);
	scree_pair_rows_move(l, base, had, count, o->of, o->copy);
	for (int32_t r = 0; r < count; ++r) {
		const found_contact *f = o->item + r;
		bool next = r && f->slot == f[-1].slot;
		if (!next) l->row[f->slot] = (int32_t)base + r, l->rows[f->slot] = 0;
		l->rows[f->slot] += 1;
		set_row(l, c, base + r, f);
	}
	l->used[piece] = count;
}

/* Tests the slots of a piece that have rows; returns the number of these slots. */
static int64_t look_at_pairs(const model *m, state *s, work *w, int kind, int32_t piece, narrow_thread *tmp, int thread)
{
	const pair_list *l = s->pair + kind;
	int64_t slots = 0, base = l->base[piece];
	for (int64_t row = base; row < base + l->used[piece]; ++row) {
		if (row > base && l->slot[row] == l->slot[row - 1]) continue;
		look_at_slot(m, s, w, kind, l->slot[row], tmp, thread);
		++slots;
	}
	return slots;
}

static int64_t look_at_walls(const model *m, state *s, work *w, int kind, int32_t piece, narrow_thread *tmp, int thread)
{
	const wall_groups *g = w->near + kind;
	int64_t slots = 0;
	for (int64_t k = g->piece[piece]; k < g->piece[piece + 1]; ++k) {
		if (s->pair[kind].row[g->group[k].slot] < 0) continue; /* the body is in free flight */
		look_at_group(m, s, w, kind, g->group + k, tmp, thread);
		slots += g->group[k].slots;
	}
	return slots;
}

void scree_several_contacts(const model *m, state *s, work *w, int kind, int32_t piece, int thread)
{
	pair_list *l = s->pair + kind;
	narrow_thread *tmp = w->narrow->thread + thread;
	const int64_t points = tmp->to->points.count, base = l->base[piece];
	tmp->several.count = 0;
	const int64_t slots = (pair_on_wall(kind) ? look_at_walls : look_at_pairs)(m, s, w, kind, piece, tmp, thread);
	/* slots without a row may need one before the next search, so slots with several rows must leave room */
	int64_t wanted = tmp->several.count + (l->piece[piece + 1] - l->piece[piece]) - slots;
	l->wants[piece] = wanted > l->base[piece + 1] - base ? (int32_t)wanted : 0;
	if (l->wants[piece])
		tmp->to->points.count = points;
	else
		lay_out(m, s, l, &w->pair[kind].contact, piece, tmp);
}
