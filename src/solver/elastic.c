/* elastic: balls collide in no time, as billiard balls do (docs/theory/impulses.md).
 *
 * in   places and velocities of the end of the step, contact rows; which rows on walls touch
 * out  velocities after all collisions; of each row that collided the mean force of the step, which is what it gave
 *
 * What touches is found in parallel. Collisions follow one after another, since each of them changes what the next one
 * meets, in an order that no storage and no thread changes: pairs of bodies by the lower id, then by the other one;
 * then bodies and walls by id and surface. There are few of them: a gas has a handful of touching pairs in a hundred
 * balls. */
#include "solver/solver.h"

#include "base/memory.h"
#include "base/parallel.h"
#include "kernel/elastic.h"
#include "kernel/sphere_contact.h"
#include "stages.h"

#include <string.h>

/* ------------------------------------------------------------------ what touches */

typedef struct search {
	scree_world *w;
	int kind;
	real most[SCREE_MOST_THREADS];
} search;

static void note(meeting_list *list, meeting_row m)
{
	if (list->count == list->capacity) {
		int64_t capacity = 2 * list->capacity + 256;
		list->item = scree_grow(list->item, (size_t)list->count, (size_t)capacity, sizeof *list->item);
		list->capacity = capacity;
	}
	list->item[list->count++] = m;
}

/* from the image of b that a meets to a, both where the drift brought them */
static vec3 apart_of(const scree_world *w, int32_t a, int32_t b, int32_t code)
{
	vec3 apart = v3_sub(w->record[a].position, w->record[b].position);
	return w->period.on ? v3_sub(apart, w->period.shift[code]) : apart;
}

/* code of the image of b that a meets */
static int32_t image_of_row(const scree_world *w, int64_t row)
{
	const pair_list *l = w->pair + PAIR_SPHERE_SPHERE;
	if (!w->period.on) return IMAGE_NONE;
	return image_met(&w->period, l->met[l->slot[row]], w->record[l->ca[row]].cell, w->record[l->cb[row]].cell);
}

/* overlap over the diameter of the smaller ball; not above 0: they do not touch */
static real pair_overlap(const scree_world *w, int64_t row)
{
	const pair_list *l = w->pair + PAIR_SPHERE_SPHERE;
	int32_t a = l->ca[row], b = l->cb[row];
	real ra = w->record[a].radius, rb = w->record[b].radius;
	real d2 = v3_norm2(apart_of(w, a, b, image_of_row(w, row)));
	return d2 < (ra + rb) * (ra + rb) ? sphere_overlap(d2, ra + rb) / (2 * real_min(ra, rb)) : 0;
}

static void look_at_pairs(void *what, int64_t from, int64_t to, int thread)
{
	search *s = what;
	scree_world *w = s->w;
	pair_list *l = w->pair + PAIR_SPHERE_SPHERE;
	enum { AHEAD = 16 }; /* partners lie anywhere */
	for (int64_t p = from; p < to; ++p)
		for (int64_t k = l->base[p], end = k + l->used[p]; k < end; ++k) {
			__builtin_prefetch(w->record + l->cb[k + AHEAD < end ? k + AHEAD : k]);
			if (l->force[k].normal != 0) l->force[k] = (contact_force){0}; /* of the last step */
			real part = pair_overlap(w, k);
			l->touch[k] = part > 0;
			if (!(part > 0)) continue;
			s->most[thread] = real_max(s->most[thread], part);
			note(w->impulse.found + thread, (meeting_row){w->body.id[l->ca[k]], w->body.id[l->cb[k]], k});
		}
}

static void look_at_walls(void *what, int64_t from, int64_t to, int thread)
{
	search *s = what;
	scree_world *w = s->w;
	pair_list *l = w->pair + PAIR_SPHERE_WALL;
	for (int64_t p = from; p < to; ++p)
		for (int64_t k = l->base[p]; k < l->base[p] + l->used[p]; ++k) {
			if (l->force[k].normal != 0) l->force[k] = (contact_force){0};
			if (!l->touch[k]) continue;
			s->most[thread] = real_max(s->most[thread], l->depth[k] / (2 * w->record[l->ca[k]].radius));
			note(w->impulse.found + thread, (meeting_row){w->body.id[l->ca[k]], (uint64_t)l->cb[k], k});
		}
}

/* ------------------------------------------------------------------ in which order */

static void room_to_sort(impulses *p, int64_t count)
{
	if (p->sort_room >= count) return;
	p->sort_room = count + count / 2;
	for (int k = 0; k < 2; ++k) {
		scree_free(p->sort[k]);
		p->sort[k] = scree_alloc((size_t)p->sort_room, sizeof *p->sort[k]);
	}
}

/* What all threads found, by the second key and then by the first one: the sort is stable. */
static void put_in_order(impulses *p, meeting_list *out)
{
	meeting_list all = p->found[0]; /* the first thread's list holds the others' as well */
	for (int32_t t = 1; t < p->founds; ++t) {
		for (int64_t k = 0; k < p->found[t].count; ++k) note(&all, p->found[t].item[k]);
		p->found[t].count = 0;
	}
	room_to_sort(p, all.count);
	for (int64_t k = 0; k < all.count; ++k) p->sort[0][k] = (sort_item){all.item[k].second, (int32_t)k};
	scree_sort(p->sort[0], p->sort[1], all.count);
	for (int64_t k = 0; k < all.count; ++k) p->sort[0][k].key = all.item[p->sort[0][k].value].first;
	scree_sort(p->sort[0], p->sort[1], all.count);
	out->count = 0;
	for (int64_t k = 0; k < all.count; ++k) note(out, all.item[p->sort[0][k].value]);
	all.count = 0;
	p->found[0] = all;
}

void scree_elastic_prepare(scree_world *w)
{
	impulses *p = &w->impulse;
	SCREE_ASSERT(w->body.owned == w->body.count); /* one pair after the other, of all: a world in one part */
	if (p->founds < scree_threads()) {
		p->found = scree_grow(p->found, (size_t)p->founds, (size_t)scree_threads(), sizeof *p->found);
		p->founds = scree_threads();
	}
	search s = {.w = w};
	scree_parallel(look_at_pairs, &s, w->pair[PAIR_SPHERE_SPHERE].pieces, 4);
	put_in_order(p, &p->pairs);
	scree_parallel(look_at_walls, &s, w->pair[PAIR_SPHERE_WALL].pieces, 4);
	put_in_order(p, &p->walls);
	w->greatest_overlap_part = 0;
	for (int t = 0; t < SCREE_MOST_THREADS; ++t)
		w->greatest_overlap_part = real_max(w->greatest_overlap_part, s.most[t]);
	w->greatest_overlap_ever = real_max(w->greatest_overlap_ever, w->greatest_overlap_part);
	w->touching = p->pairs.count + p->walls.count;
	p->now = 0;
}

/* ------------------------------------------------------------------ collisions */

static void push(bodies *b, int32_t i, vec3 impulse)
{
	vec3 v = v3_madd(body_velocity(b, i), b->inv_mass[i], impulse);
	b->vx[i] = v.x;
	b->vy[i] = v.y;
	b->vz[i] = v.z;
}

static void note_force(scree_world *w, pair_list *l, int64_t row, vec3 impulse)
{
	l->force[row] = (contact_force){v3_mul(1 / w->dt, impulse), {0, 0, 0}, v3_norm(impulse) / w->dt};
	w->impulse.now += 1;
}

static real restitution_of(const scree_world *w, int32_t a, int32_t b)
{
	return w->material.rule[a * w->material.count + b].restitution;
}

/* What is held gives way as little as a wall, and what moves as it is told does work, as images do that move. */
static void collide_pair(scree_world *w, int64_t row)
{
	bodies *o = &w->body;
	pair_list *l = w->pair + PAIR_SPHERE_SPHERE;
	int32_t a = l->ca[row], b = l->cb[row], image = image_of_row(w, row);
	vec3 apart = elastic_apart(apart_of(w, a, b, image), o->radius[a] + o->radius[b]);
	vec3 drift = w->period.on ? w->period.drift[image] : v3(0, 0, 0);
	vec3 closing = v3_sub(v3_add(body_velocity(o, b), drift), body_velocity(o, a));
	elastic_hit h = elastic_collide(apart, closing, o->inv_mass[a] + o->inv_mass[b],
									restitution_of(w, o->material[a], o->material[b]));
	if (!(v3_norm2(h.impulse) > 0)) return;
	real work = v3_dot(h.impulse, drift);
	if (o->inv_mass[a] == 0) work -= v3_dot(h.impulse, body_velocity(o, a));
	if (o->inv_mass[b] == 0) work += v3_dot(h.impulse, body_velocity(o, b));
	push(o, a, h.impulse);
	push(o, b, v3_neg(h.impulse));
	scree_fixed_add(&w->energy.lost_normal, h.lost);
	scree_fixed_add(&w->energy.wall_work, work);
	note_force(w, l, row, h.impulse);
}

static void collide_wall(scree_world *w, int64_t row)
{
	bodies *o = &w->body;
	pair_list *l = w->pair + PAIR_SPHERE_WALL;
	int32_t a = l->ca[row];
	const wall *s = w->wall.row + w->wall.surface_wall[l->cb[row]];
	vec3 normal = v3(l->nx[row], l->ny[row], l->nz[row]);
	/* of the surface; a turning wall moves along its normal under the centre as it does at the contact */
	vec3 moves = v3_add(s->velocity, v3_cross(s->angular_velocity, v3_sub(w->record[a].position, s->position)));
	elastic_hit h = elastic_collide(normal, v3_sub(moves, body_velocity(o, a)), o->inv_mass[a],
									restitution_of(w, o->material[a], s->material));
	if (!(v3_norm2(h.impulse) > 0)) return;
	push(o, a, h.impulse);
	scree_fixed_add(&w->energy.lost_normal, h.lost);
	scree_fixed_add(&w->energy.wall_work, v3_dot(h.impulse, moves));
	note_force(w, l, row, h.impulse);
}

bool scree_elastic_sweep(scree_world *w)
{
	const impulses *p = &w->impulse;
	for (int64_t k = 0; k < p->pairs.count; ++k) collide_pair(w, p->pairs.item[k].row);
	for (int64_t k = 0; k < p->walls.count; ++k) collide_wall(w, p->walls.item[k].row);
	return false; /* each of them is over */
}

/* ------------------------------------------------------------------ overlaps */

/* Gravity did or took work that no motion did. */
static void shift(scree_world *w, int32_t i, vec3 by)
{
	bodies *b = &w->body;
	broad_skin *m = &w->skin;
	real way = v3_norm(by);
	if (b->inv_mass[i] == 0 || !(way > 0)) return;
	vec3 had = body_position(b, i), to = v3_add(had, by);
	b->x[i] = to.x;
	b->y[i] = to.y;
	b->z[i] = to.z;
	b->way[i] += way;
	m->beyond = real_max(m->beyond, 0); /* rows are chosen anew */
	scree_fixed_add(&w->energy.made, b->mass[i] * (v3_dot(w->gravity, had) - v3_dot(w->gravity, to)));
}

/* overlaps as they are after those before them in the order were taken back */
static void part_pair(scree_world *w, int64_t row)
{
	const bodies *o = &w->body;
	const pair_list *l = w->pair + PAIR_SPHERE_SPHERE;
	int32_t a = l->ca[row], b = l->cb[row], image = image_of_row(w, row);
	real radii = o->radius[a] + o->radius[b], soft = o->inv_mass[a] + o->inv_mass[b];
	vec3 apart = v3_sub(body_position(o, a), body_position(o, b));
	if (w->period.on) apart = v3_sub(apart, w->period.shift[image]);
	real overlap = sphere_overlap(v3_norm2(apart), radii);
	if (!(overlap > 0) || !(soft > 0)) return;
	vec3 by = v3_mul(w->impulse.correction * overlap / soft, v3_unit(elastic_apart(apart, radii)));
	shift(w, a, v3_mul(o->inv_mass[a], by));
	shift(w, b, v3_mul(-o->inv_mass[b], by));
}

static void part_wall(scree_world *w, int64_t row)
{
	const pair_list *l = w->pair + PAIR_SPHERE_WALL;
	int32_t a = l->ca[row];
	vec3 normal = v3(l->nx[row], l->ny[row], l->nz[row]);
	real overlap = l->depth[row] - v3_dot(normal, v3_sub(body_position(&w->body, a), w->record[a].position));
	if (overlap > 0) shift(w, a, v3_mul(w->impulse.correction * overlap, normal));
}

void scree_elastic_done(scree_world *w)
{
	impulses *p = &w->impulse;
	p->collisions += p->now;
	if (!(p->correction > 0)) return;
	for (int64_t k = 0; k < p->pairs.count; ++k) part_pair(w, p->pairs.item[k].row);
	for (int64_t k = 0; k < p->walls.count; ++k) part_wall(w, p->walls.item[k].row);
}
