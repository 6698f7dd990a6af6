/* elastic: balls collide instantaneously, like billiard balls (docs/theory/impulses.md).
 *
 * in   positions and velocities at the end of the step, contact rows; touching rows on walls
 * out  velocities after all collisions; for each row that collided the mean force of the step, from its impulse
 *
 * Touching rows are found in parallel. Collisions are computed one after another, since each changes the velocities
 * for the next, in an order independent of storage and threads: pairs of bodies by the lower id, then by the other
 * one; then bodies and walls by id and surface. They are few: a gas has a handful of touching pairs per hundred
 * balls. */
#include "model/response.h"

#include "base/memory.h"
#include "base/parallel.h"
#include "kernel/elastic.h"
#include "kernel/sphere_contact.h"
#include "solver/work.h"
#include "world/world.h"

#include <string.h>

/* ------------------------------------------------------------------ touching rows */

typedef struct search {
	const model *m;
	state *s;
	work *w;
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

/* vector from the image of b that a meets to a, both after the drift */
static vec3 apart_of(const model *m, const state *s, const work *w, int32_t a, int32_t b, int32_t code)
{
	vec3 apart = v3_sub(w->record[a].position, w->record[b].position);
	return m->period.on ? v3_sub(apart, s->images.shift[code]) : apart;
}

/* code of the image of b that a meets */
static int32_t image_of_row(const model *m, const state *s, const work *w, int64_t row)
{
	const pair_list *l = s->pair + PAIR_SPHERE_SPHERE;
	if (!m->period.on) return IMAGE_NONE;
	return image_met(&m->period, &s->images, l->met[l->slot[row]], w->record[l->ca[row]].cell,
					 w->record[l->cb[row]].cell);
}

/* overlap over the diameter of the smaller ball; 0 or less: they do not touch */
static real pair_overlap(const model *m, const state *s, const work *w, int64_t row)
{
	const pair_list *l = s->pair + PAIR_SPHERE_SPHERE;
	int32_t a = l->ca[row], b = l->cb[row];
	real ra = w->record[a].radius, rb = w->record[b].radius;
	real d2 = v3_norm2(apart_of(m, s, w, a, b, image_of_row(m, s, w, row)));
	return d2 < (ra + rb) * (ra + rb) ? sphere_overlap(d2, ra + rb) / (2 * real_min(ra, rb)) : 0;
}

static void look_at_pairs(void *what, int64_t from, int64_t to, int thread)
{
	search *search = what;
	state *s = search->s;
	work *w = search->w;
	pair_list *l = s->pair + PAIR_SPHERE_SPHERE;
	contact_force *force = w->pair[PAIR_SPHERE_SPHERE].contact.force;
	enum { AHEAD = 16 }; /* prefetch distance: partners lie anywhere in memory */
	for (int64_t p = from; p < to; ++p)
		for (int64_t k = l->base[p], end = k + l->used[p]; k < end; ++k) {
			__builtin_prefetch(w->record + l->cb[k + AHEAD < end ? k + AHEAD : k]);
			if (force[k].normal != 0) force[k] = (contact_force){0}; /* left from the last step */
			real part = pair_overlap(search->m, s, w, k);
			l->touch[k] = part > 0;
			if (!(part > 0)) continue;
			search->most[thread] = real_max(search->most[thread], part);
			note(w->solver->found + thread, (meeting_row){s->body.id[l->ca[k]], s->body.id[l->cb[k]], k});
		}
}

static void look_at_walls(void *what, int64_t from, int64_t to, int thread)
{
	search *search = what;
	state *s = search->s;
	work *w = search->w;
	const pair_list *l = s->pair + PAIR_SPHERE_WALL;
	contact_work *c = &w->pair[PAIR_SPHERE_WALL].contact;
	for (int64_t p = from; p < to; ++p)
		for (int64_t k = l->base[p]; k < l->base[p] + l->used[p]; ++k) {
			if (c->force[k].normal != 0) c->force[k] = (contact_force){0};
			if (!l->touch[k]) continue;
			search->most[thread] = real_max(search->most[thread], c->depth[k] / (2 * w->record[l->ca[k]].radius));
			note(w->solver->found + thread, (meeting_row){s->body.id[l->ca[k]], (uint64_t)l->cb[k], k});
		}
}

/* ------------------------------------------------------------------ order of collisions */

static void room_to_sort(struct solver_work *p, int64_t count)
{
	if (p->sort_room >= count) return;
	p->sort_room = count + count / 2;
	for (int k = 0; k < 2; ++k) {
		scree_free(p->sort[k]);
		p->sort[k] = scree_alloc((size_t)p->sort_room, sizeof *p->sort[k]);
	}
}

/* Rows of all threads, sorted by the second key and then by the first one: the sort is stable. */
static void put_in_order(struct solver_work *p, meeting_list *out)
{
	meeting_list all = p->found[0]; /* collects the rows of all threads in the first thread's list */
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

void scree_elastic_prepare(const model *m, state *s, work *w)
{
	(void)m;
	struct solver_work *p = w->solver;
	SCREE_ASSERT(s->body.owned == s->body.count); /* sequential over all pairs: only for a world in one part */
	if (p->founds < scree_threads()) {
		p->found = scree_grow(p->found, (size_t)p->founds, (size_t)scree_threads(), sizeof *p->found);
		p->founds = scree_threads();
	}
	search search = {.m = m, .s = s, .w = w};
	scree_parallel(look_at_pairs, &search, s->pair[PAIR_SPHERE_SPHERE].pieces, 4);
	put_in_order(p, &p->pairs);
	scree_parallel(look_at_walls, &search, s->pair[PAIR_SPHERE_WALL].pieces, 4);
	put_in_order(p, &p->walls);
	w->greatest_overlap_part = 0;
	for (int t = 0; t < SCREE_MOST_THREADS; ++t)
		w->greatest_overlap_part = real_max(w->greatest_overlap_part, search.most[t]);
	w->greatest_overlap_ever = real_max(w->greatest_overlap_ever, w->greatest_overlap_part);
	w->touching = p->pairs.count + p->walls.count;
	w->collisions = 0;
}

/* ------------------------------------------------------------------ collisions */

static void push(bodies *b, int32_t i, vec3 impulse)
{
	vec3 v = v3_madd(body_velocity(b, i), b->inv_mass[i], impulse);
	b->vx[i] = v.x;
	b->vy[i] = v.y;
	b->vz[i] = v.z;
}

static void note_force(const model *m, work *w, int kind, int64_t row, vec3 impulse)
{
	w->pair[kind].contact.force[row] = (contact_force){v3_mul(1 / m->dt, impulse), {0, 0, 0}, v3_norm(impulse) / m->dt};
	w->collisions += 1;
}

static real restitution_of(const model *m, int32_t a, int32_t b)
{
	return m->material.rule[a * m->material.count + b].restitution;
}

/* Held bodies keep their velocity, like walls. The velocities of held bodies and of images that move do work. */
static void collide_pair(const model *m, state *s, work *w, int64_t row)
{
	bodies *o = &s->body;
	const pair_list *l = s->pair + PAIR_SPHERE_SPHERE;
	int32_t a = l->ca[row], b = l->cb[row], image = image_of_row(m, s, w, row);
	vec3 apart = elastic_apart(apart_of(m, s, w, a, b, image), o->radius[a] + o->radius[b]);
	vec3 drift = m->period.on ? s->images.drift[image] : v3(0, 0, 0);
	vec3 closing = v3_sub(v3_add(body_velocity(o, b), drift), body_velocity(o, a));
	elastic_hit h = elastic_collide(apart, closing, o->inv_mass[a] + o->inv_mass[b],
									restitution_of(m, o->material[a], o->material[b]));
	if (!(v3_norm2(h.impulse) > 0)) return;
	real work = v3_dot(h.impulse, drift);
	if (o->inv_mass[a] == 0) work -= v3_dot(h.impulse, body_velocity(o, a));
	if (o->inv_mass[b] == 0) work += v3_dot(h.impulse, body_velocity(o, b));
	push(o, a, h.impulse);
	push(o, b, v3_neg(h.impulse));
	scree_fixed_add(&s->energy.lost_normal, h.lost);
	scree_fixed_add(&s->energy.wall_work, work);
	note_force(m, w, PAIR_SPHERE_SPHERE, row, h.impulse);
}

static void collide_wall(const model *m, state *s, work *w, int64_t row)
{
	bodies *o = &s->body;
	const pair_list *l = s->pair + PAIR_SPHERE_WALL;
	const contact_work *c = &w->pair[PAIR_SPHERE_WALL].contact;
	int32_t a = l->ca[row];
	const int32_t k = m->wall.surface_wall[l->cb[row]];
	const wall_state *wall = s->wall + k;
	vec3 normal = v3(c->nx[row], c->ny[row], c->nz[row]);
	/* Velocity of the wall under the centre of the ball. A rotating wall moves along its normal there as at the
	 * contact. */
	vec3 moves = wall_velocity(wall, v3_sub(w->record[a].position, wall->position));
	elastic_hit h = elastic_collide(normal, v3_sub(moves, body_velocity(o, a)), o->inv_mass[a],
									restitution_of(m, o->material[a], m->wall.row[k].material));
	if (!(v3_norm2(h.impulse) > 0)) return;
	push(o, a, h.impulse);
	scree_fixed_add(&s->energy.lost_normal, h.lost);
	scree_fixed_add(&s->energy.wall_work, v3_dot(h.impulse, moves));
	note_force(m, w, PAIR_SPHERE_WALL, row, h.impulse);
}

bool scree_elastic_sweep(const model *m, state *s, work *w)
{
	const struct solver_work *p = w->solver;
	for (int64_t k = 0; k < p->pairs.count; ++k) collide_pair(m, s, w, p->pairs.item[k].row);
	for (int64_t k = 0; k < p->walls.count; ++k) collide_wall(m, s, w, p->walls.item[k].row);
	return false; /* all collisions are done in the first sweep */
}

/* ------------------------------------------------------------------ overlaps */

/* Shifts a body. This is no motion: the ledger counts the change of gravitational energy as made. */
static void shift(const model *m, state *s, work *w, int32_t i, vec3 by)
{
	bodies *b = &s->body;
	broad_skin *skin = &w->skin;
	real way = v3_norm(by);
	if (b->inv_mass[i] == 0 || !(way > 0)) return;
	vec3 had = body_position(b, i), to = v3_add(had, by);
	b->x[i] = to.x;
	b->y[i] = to.y;
	b->z[i] = to.z;
	b->way[i] += way;
	skin->beyond = real_max(skin->beyond, 0); /* rows are chosen again */
	scree_fixed_add(&s->energy.made, b->mass[i] * (v3_dot(m->gravity, had) - v3_dot(m->gravity, to)));
}

/* uses the overlap that is left after earlier pairs were separated */
static void part_pair(const model *m, state *s, work *w, int64_t row)
{
	const bodies *o = &s->body;
	const pair_list *l = s->pair + PAIR_SPHERE_SPHERE;
	int32_t a = l->ca[row], b = l->cb[row], image = image_of_row(m, s, w, row);
	real radii = o->radius[a] + o->radius[b], soft = o->inv_mass[a] + o->inv_mass[b];
	vec3 apart = v3_sub(body_position(o, a), body_position(o, b));
	if (m->period.on) apart = v3_sub(apart, s->images.shift[image]);
	real overlap = sphere_overlap(v3_norm2(apart), radii);
	if (!(overlap > 0) || !(soft > 0)) return;
	vec3 by = v3_mul(m->correction * overlap / soft, v3_unit(elastic_apart(apart, radii)));
	shift(m, s, w, a, v3_mul(o->inv_mass[a], by));
	shift(m, s, w, b, v3_mul(-o->inv_mass[b], by));
}

static void part_wall(const model *m, state *s, work *w, int64_t row)
{
	const contact_work *c = &w->pair[PAIR_SPHERE_WALL].contact;
	int32_t a = s->pair[PAIR_SPHERE_WALL].ca[row];
	vec3 normal = v3(c->nx[row], c->ny[row], c->nz[row]);
	real overlap = c->depth[row] - v3_dot(normal, v3_sub(body_position(&s->body, a), w->record[a].position));
	if (overlap > 0) shift(m, s, w, a, v3_mul(m->correction * overlap, normal));
}

void scree_elastic_done(const model *m, state *s, work *w)
{
	struct solver_work *p = w->solver;
	s->impulse.collisions += w->collisions;
	if (!(m->correction > 0)) return;
	for (int64_t k = 0; k < p->pairs.count; ++k) part_pair(m, s, w, p->pairs.item[k].row);
	for (int64_t k = 0; k < p->walls.count; ++k) part_wall(m, s, w, p->walls.item[k].row);
}
