/* elastic: balls collide instantaneously, like billiard balls (docs/theory/impulses.md).
 *
 * in   positions and velocities at the end of the step, contact rows; touching rows on walls
 * out  velocities after all collisions; for each row that collided, the mean force in the step, from its impulse
 *
 * The rows that touch are found in parallel. A collision changes the velocities for the ball's next collision, so rows
 * are processed by colours (solver/colours.h). The order does not depend on storage, threads or the order of ids. */
#include "model/response.h"

#include "base/memory.h"
#include "base/parallel.h"
#include "kernel/impulse.h"
#include "kernel/sphere_contact.h"
#include "solver/work.h"
#include "state/contact_key.h"
#include "state/contact_rows.h"
#include "world/world.h"

#include <string.h>

/* ------------------------------------------------------------------ touching rows */

typedef struct search {
	const model *m;
	state *s;
	work *w;
	real most[SCREE_MOST_THREADS];
} search;

/* the row of a body, or -1 if the body is held and collisions do not move it */
static int32_t moved(const bodies *b, int32_t i) { return b->inv_mass[i] > 0 ? i : -1; }

static void note(const search *o, int kind, int64_t row, int thread)
{
	const pair_list *l = o->s->pair + kind;
	const bodies *b = &o->s->body;
	const contact_key key = scree_contact_key(o->m, o->s, kind, row);
	const bool on_wall = pair_on_wall(kind);
	const int32_t other = on_wall ? -1 : moved(b, l->cb[row]);
	const uint64_t hash = contact_key_hash(&key, on_wall);
	const int32_t ghost = on_wall ? 0 : bodies_ghost(b, l->ca[row], l->cb[row]);
	scree_colours_add(o->w->solver->found + thread, (colour_item){hash, moved(b, l->ca[row]), other, ghost, kind, row});
}

/* vector to a from the image of b that a meets, both after the drift */
static vec3 apart_of(const model *m, const state *s, const work *w, int32_t a, int32_t b, int32_t code)
{
	vec3 apart = v3_sub(w->record[a].position, w->record[b].position);
	return m->period.on ? v3_sub(apart, s->images.shift[code]) : apart;
}

/* returns the code of the image of b that a meets */
static int32_t image_of_row(const model *m, const state *s, const work *w, int64_t row)
{
	const pair_list *l = s->pair + PAIR_SPHERE_SPHERE;
	if (!m->period.on) return IMAGE_NONE;
	return image_met(&m->period, &s->images, l->met[l->slot[row]], w->record[l->ca[row]].cell,
					 w->record[l->cb[row]].cell);
}

/* overlap relative to the diameter of the smaller ball; 0 or less if they do not touch */
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
	enum { AHEAD = 16 }; /* prefetch distance, since partners are scattered in memory */
	for (int64_t p = from; p < to; ++p)
		for (int64_t k = l->base[p], end = k + l->used[p]; k < end; ++k) {
			__builtin_prefetch(w->record + l->cb[k + AHEAD < end ? k + AHEAD : k]);
			if (force[k].normal != 0) force[k] = (contact_force){0}; /* clears data from the last step */
			real part = pair_overlap(search->m, s, w, k);
			l->touch[k] = part > 0;
			if (!(part > 0)) continue;
			search->most[thread] = real_max(search->most[thread], part);
			note(search, PAIR_SPHERE_SPHERE, k, thread);
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
			note(search, PAIR_SPHERE_WALL, k, thread);
		}
}

/* Collects the rows of all threads and finds their colours. Returns the number of rows in this part of the world. */
static int64_t colour_rows(const state *s, const work *w)
{
	struct solver_work *p = w->solver;
	int64_t counted = 0;
	p->touching.all.count = 0;
	for (int32_t t = 0; t < p->founds; ++t) {
		for (int64_t k = 0; k < p->found[t].count; ++k) {
			const colour_item *i = p->found[t].item + k;
			scree_colours_add(&p->touching.all, *i);
			counted += scree_contact_counted(s, i->kind, i->row);
		}
		p->found[t].count = 0;
	}
	p->touching.domain = &w->domain;
	scree_colours_find(&p->touching, s->body.count);
	return counted;
}

void scree_elastic_prepare(const model *m, state *s, work *w)
{
	(void)m;
	struct solver_work *p = w->solver;
	if (p->founds < scree_threads()) {
		p->found = scree_grow(p->found, (size_t)p->founds, (size_t)scree_threads(), sizeof *p->found);
		p->founds = scree_threads();
	}
	search search = {.m = m, .s = s, .w = w};
	scree_parallel(look_at_pairs, &search, s->pair[PAIR_SPHERE_SPHERE].pieces, 4);
	scree_parallel(look_at_walls, &search, s->pair[PAIR_SPHERE_WALL].pieces, 4);
	fixed touching = {.quanta = colour_rows(s, w)};
	w->greatest_overlap_part = 0;
	for (int t = 0; t < SCREE_MOST_THREADS; ++t)
		w->greatest_overlap_part = real_max(w->greatest_overlap_part, search.most[t]);
	scree_domain_put_sum(&w->domain, 1, &touching);
	scree_domain_put_most(&w->domain, 1, &w->greatest_overlap_part);
	scree_domain_join(&w->domain);
	w->touching = (int64_t)touching.quanta;
	scree_overlap_noted(w);
	w->collisions = 0;
}

/* ------------------------------------------------------------------ collisions */

/* Sums and counts over the rows that a thread has processed. */
typedef struct tally {
	fixed lost, work, made; /* J */
	int64_t collisions;
	bool shifts; /* a body was shifted */
} tally;

struct collisions;
typedef void row_fn(const struct collisions *o, const colour_item *i, tally *t);

typedef struct collisions {
	const model *m;
	state *s;
	work *w;
	row_fn *row;			 /* function that processes a touching row */
	const colour_item *item; /* touching rows */
	tally thread[SCREE_MOST_THREADS];
} collisions;

static void push(bodies *b, int32_t i, vec3 impulse)
{
	if (b->inv_mass[i] == 0) return; /* several threads may read the velocity of a held body */
	vec3 v = v3_madd(body_velocity(b, i), b->inv_mass[i], impulse);
	b->vx[i] = v.x;
	b->vy[i] = v.y;
	b->vz[i] = v.z;
}

static void note_hit(const collisions *o, const colour_item *i, elastic_hit hit, real work, tally *t)
{
	const real per = 1 / o->m->dt;
	const bool counted = scree_contact_counted(o->s, i->kind, i->row);
	if (counted) scree_fixed_add(&t->lost, hit.lost), scree_fixed_add(&t->work, work);
	o->w->pair[i->kind].contact.force[i->row] =
		(contact_force){v3_mul(per, hit.impulse), {0, 0, 0}, v3_norm(hit.impulse) / o->m->dt};
	t->collisions += counted;
}

static real restitution_of(const model *m, int32_t a, int32_t b)
{
	return m->material.rule[a * m->material.count + b].restitution;
}

/* Like walls, held bodies keep their velocity. Moving held bodies and images do work on the balls. */
static void collide_pair(const collisions *c, const colour_item *i, tally *t)
{
	const model *m = c->m;
	bodies *o = &c->s->body;
	const pair_list *l = c->s->pair + PAIR_SPHERE_SPHERE;
	int32_t a = l->ca[i->row], b = l->cb[i->row], image = image_of_row(m, c->s, c->w, i->row);
	vec3 apart = elastic_apart(apart_of(m, c->s, c->w, a, b, image), o->radius[a] + o->radius[b], i->hash & 1);
	vec3 drift = m->period.on ? c->s->images.drift[image] : v3(0, 0, 0);
	vec3 closing = v3_sub(v3_add(body_velocity(o, b), drift), body_velocity(o, a));
	elastic_hit h = elastic_collide(apart, closing, o->inv_mass[a] + o->inv_mass[b],
									restitution_of(m, o->material[a], o->material[b]));
	if (!(v3_norm2(h.impulse) > 0)) return;
	real work = v3_dot(h.impulse, drift);
	if (o->inv_mass[a] == 0) work -= v3_dot(h.impulse, body_velocity(o, a));
	if (o->inv_mass[b] == 0) work += v3_dot(h.impulse, body_velocity(o, b));
	push(o, a, h.impulse);
	push(o, b, v3_neg(h.impulse));
	note_hit(c, i, h, work, t);
}

static vec3 wall_normal(const work *w, int64_t row)
{
	const contact_work *c = &w->pair[PAIR_SPHERE_WALL].contact;
	return v3(c->nx[row], c->ny[row], c->nz[row]);
}

static void collide_wall(const collisions *c, const colour_item *i, tally *t)
{
	const model *m = c->m;
	bodies *o = &c->s->body;
	const pair_list *l = c->s->pair + PAIR_SPHERE_WALL;
	int32_t a = l->ca[i->row];
	const int32_t k = m->wall.surface_wall[l->cb[i->row]];
	const wall_state *wall = c->s->wall + k;
	/* Below the ball's centre, a rotating wall has the same velocity along its normal as at the contact. */
	vec3 moves = wall_velocity(wall, v3_sub(c->w->record[a].position, wall->position));
	elastic_hit h = elastic_collide(wall_normal(c->w, i->row), v3_sub(moves, body_velocity(o, a)), o->inv_mass[a],
									restitution_of(m, o->material[a], m->wall.row[k].material));
	if (!(v3_norm2(h.impulse) > 0)) return;
	push(o, a, h.impulse);
	note_hit(c, i, h, v3_dot(h.impulse, moves), t);
}

static void collide(const collisions *o, const colour_item *i, tally *t)
{
	(i->kind == PAIR_SPHERE_SPHERE ? collide_pair : collide_wall)(o, i, t);
}

static void each_row(void *what, int64_t from, int64_t to, int thread)
{
	collisions *o = what;
	for (int64_t k = from; k < to; ++k) o->row(o, o->item + k, o->thread + thread);
}

/* Processes all touching rows: each colour in parallel, and the last block row by row. */
static void process(const model *m, state *s, work *w, row_fn *row, const body_columns *values)
{
	const colouring *c = &w->solver->touching;
	collisions o = {.m = m, .s = s, .w = w, .row = row, .item = c->all.item};
	scree_colours_each(c, each_row, &o, values);
	o.item += c->first[c->colours];
	scree_colours_last(c, each_row, &o, values);
	for (int k = 0; k < SCREE_MOST_THREADS; ++k) {
		const tally *t = o.thread + k;
		scree_fixed_join(&s->energy.lost_normal, t->lost);
		scree_fixed_join(&s->energy.wall_work, t->work);
		scree_fixed_join(&s->energy.made, t->made);
		w->collisions += t->collisions;
		if (t->shifts) w->skin.beyond = real_max(w->skin.beyond, 0); /* the rows are chosen again afterwards */
	}
}

bool scree_elastic_sweep(const model *m, state *s, work *w)
{
	const bodies *b = &s->body;
	/* forces given by a program may not be numbers, which the guards report */
	const body_columns velocities = {
		.count = 3, .finite = !m->applied, .stride = sizeof(real), .of = {b->vx, b->vy, b->vz}};
	process(m, s, w, collide, &velocities);
	w->collisions = scree_domain_count(&w->domain, w->collisions);
	return false; /* the first sweep performs all collisions */
}

/* ------------------------------------------------------------------ overlaps */

/* Shifts a body. This shift is not motion, so the ledger counts the change in gravitational energy as created. */
static void shift(const collisions *o, int32_t i, vec3 by, tally *t)
{
	bodies *b = &o->s->body;
	const vec3 gravity = o->m->gravity;
	real way = v3_norm(by);
	if (b->inv_mass[i] == 0 || !(way > 0)) return;
	vec3 had = body_position(b, i), to = v3_add(had, by);
	b->x[i] = to.x;
	b->y[i] = to.y;
	b->z[i] = to.z;
	b->way[i] += way;
	t->shifts = true;
	if (i < b->owned) scree_fixed_add(&t->made, b->mass[i] * (v3_dot(gravity, had) - v3_dot(gravity, to)));
}

/* separates a pair, using the overlap that remains after earlier pairs have been separated */
static void part_pair(const collisions *c, const colour_item *i, tally *t)
{
	const bodies *o = &c->s->body;
	const pair_list *l = c->s->pair + PAIR_SPHERE_SPHERE;
	int32_t a = l->ca[i->row], b = l->cb[i->row], image = image_of_row(c->m, c->s, c->w, i->row);
	real radii = o->radius[a] + o->radius[b], soft = o->inv_mass[a] + o->inv_mass[b];
	vec3 apart = v3_sub(body_position(o, a), body_position(o, b));
	if (c->m->period.on) apart = v3_sub(apart, c->s->images.shift[image]);
	real overlap = sphere_overlap(v3_norm2(apart), radii);
	if (!(overlap > 0) || !(soft > 0)) return;
	vec3 by = v3_mul(c->m->correction * overlap / soft, v3_unit(elastic_apart(apart, radii, i->hash & 1)));
	shift(c, a, v3_mul(o->inv_mass[a], by), t);
	shift(c, b, v3_mul(-o->inv_mass[b], by), t);
}

static void part_wall(const collisions *c, const colour_item *i, tally *t)
{
	const contact_work *k = &c->w->pair[PAIR_SPHERE_WALL].contact;
	int32_t a = c->s->pair[PAIR_SPHERE_WALL].ca[i->row];
	const vec3 normal = wall_normal(c->w, i->row), from = c->w->record[a].position;
	real overlap = k->depth[i->row] - v3_dot(normal, v3_sub(body_position(&c->s->body, a), from));
	if (overlap > 0) shift(c, a, v3_mul(c->m->correction * overlap, normal), t);
}

static void part(const collisions *o, const colour_item *i, tally *t)
{
	(i->kind == PAIR_SPHERE_SPHERE ? part_pair : part_wall)(o, i, t);
}

void scree_elastic_done(const model *m, state *s, work *w)
{
	s->impulse.collisions += w->collisions;
	const bodies *b = &s->body;
	const body_columns positions = {
		.count = 4, .finite = !m->applied, .stride = sizeof(real), .of = {b->x, b->y, b->z, b->way}};
	if (m->correction > 0) process(m, s, w, part, &positions);
}
