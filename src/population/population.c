/* population: before the search for pairs of a step, sinks remove bodies and sources add them, depending only on the
 * state (time, counters, the sources' random streams), so that a resumed run continues in the same way. */
#include "population/population.h"

#include "base/memory.h"
#include "base/sort.h"
#include "kernel/quat.h"
#include "population/stage.h"
#include "world/internal.h"
#include "world/world.h"

bool scree_sink_takes(const sink *s, vec3 p)
{
	return s->type == SINK_BELOW ? v3_dot(s->normal, p) < s->off : scree_region_holds(&s->where, p, 0);
}

typedef struct leaving {
	uint64_t id;
	real mass;
} leaving;

/* adds the masses of all parts of the world, in the order of ids, since real sums depend on order */
static void add_masses(work *w, sink_state *sink, int64_t count, const leaving *here)
{
	leaving *all = w->domain.by->gather(w->domain.at, &count, sizeof *all, here);
	sort_item *item = scree_alloc((size_t)count, sizeof *item), *tmp = scree_alloc((size_t)count, sizeof *tmp);
	for (int64_t k = 0; k < count; ++k) item[k] = (sort_item){all[k].id, (int32_t)k};
	scree_sort(item, tmp, count);
	for (int64_t k = 0; k < count; ++k) sink->mass_taken += all[item[k].value].mass;
	sink->taken += count;
	SCREE_FREE_ALL(item, tmp, all);
}

static void run_sink(const model *m, state *s, work *w, int32_t of)
{
	const sink *sink = m->population.sink + of;
	const bodies *b = &s->body;
	int32_t count = 0, k = 0;
	for (int32_t i = 0; i < b->owned; ++i) count += scree_sink_takes(sink, body_position(b, i)) ? 1 : 0;
	if (!scree_domain_any(&w->domain, count > 0)) return;
	leaving *gone = scree_alloc((size_t)count, sizeof *gone);
	int32_t *row = scree_alloc((size_t)count, sizeof *row);
	for (int32_t i = 0; i < b->owned; ++i) {
		if (!scree_sink_takes(sink, body_position(b, i))) continue;
		gone[k] = (leaving){b->id[i], b->mass[i]};
		row[k++] = i;
	}
	add_masses(w, s->sink + of, count, gone);
	scree_world_remove(m, s, w, count, row);
	SCREE_FREE_ALL(gone, row);
}

static int32_t wall_in_the_way(const model *m, const state *s, vec3 at, real radius, int32_t material,
							   ball_meets_wall_fn *meets)
{
	image crossed;
	vec3 drift;
	if (m->period.on) at = scree_periods_wrap(&m->period, &s->images, at, &crossed, &drift); /* walls have no images */
	for (int32_t k = 0; k < m->wall.count; ++k)
		if (!m->wall.row[k].removed && wall_acts_on(m->wall.row + k, material) && meets(m, s, k, at, radius)) return k;
	return -1;
}

static bool balls_touch(const model *m, const state *s, vec3 at, real radius, vec3 other, real other_radius)
{
	real sum = radius + other_radius;
	vec3 apart = m->period.on ? scree_periods_apart(&m->period, &s->images, at, other) : v3_sub(at, other);
	return v3_norm2(apart) <= sum * sum;
}

static bool body_in_the_way(const model *m, const state *s, vec3 at, real radius)
{
	const bodies *b = &s->body;
	for (int32_t i = 0; i < b->count; ++i)
		if (balls_touch(m, s, at, radius, body_position(b, i), b->radius[i])) return true;
	return false;
}

bool scree_place_is_free(const model *m, const state *s, vec3 at, real radius, int32_t material,
						 ball_meets_wall_fn *meets)
{
	return !body_in_the_way(m, s, at, radius) && wall_in_the_way(m, s, at, radius, material, meets) < 0;
}

static const mix_part *draw_part(const source *s, random_stream *r)
{
	real all = 0, sum = 0;
	for (int32_t k = 0; k < s->parts; ++k) all += s->part[k].share;
	real u = all * scree_random_real(r);
	for (int32_t k = 0; k < s->parts - 1; ++k) {
		sum += s->part[k].share;
		if (u < sum) return s->part + k;
	}
	return s->part + s->parts - 1;
}

/* Random stream for kind and size of body number `made`. A body without free space is tried again, not replaced by a
 * smaller one, so that the distribution of kinds and sizes is preserved even in crowded regions. */
static random_stream stream_of_body(const source_state *s, int64_t made)
{
	return scree_random_start(s->random.seed, s->random.stream ^ ((uint64_t)(made + 1) << 33));
}

static vec3 draw_place(const model *m, const source *source, real radius, random_stream *r)
{
	region where = scree_region_across(&m->period, &source->where, radius);
	return scree_region_draw(&where, r, radius);
}

real scree_source_smallest(const model *m, const source *source)
{
	real least = INFINITY;
	for (int32_t k = 0; k < source->parts; ++k)
		least =
			real_min(least, m->shape.row[source->part[k].shape].radius * scree_spread_smallest(&source->part[k].size));
	return least;
}

real scree_source_next(const model *m, const state *s, int32_t k)
{
	const source *source = m->population.source + k;
	random_stream next = stream_of_body(s->source + k, s->source[k].made);
	const mix_part *part = draw_part(source, &next);
	return m->shape.row[part->shape].radius * scree_spread_draw(&part->size, &next);
}

static bool outside(const model *m, vec3 p)
{
	const guards *g = &m->guard;
	return g->bounded && !v3_boxes_meet(g->low, g->high, p, p);
}

source_look scree_source_look(const model *m, const state *s, const source *source, real radius, int32_t places,
							  bool bodies, ball_meets_wall_fn *meets)
{
	source_look o = {.places = places, .wall = -1};
	random_stream r = scree_random_start(source->seed, 5ull << 32); /* a stream that is not used for any body */
	int32_t *hits = scree_alloc((size_t)m->wall.count, sizeof *hits);
	for (int32_t k = 0; k < places; ++k) {
		vec3 at = draw_place(m, source, radius, &r);
		int32_t wall = wall_in_the_way(m, s, at, radius, source->part[0].material, meets);
		if (outside(m, at)) {
			o.outside += 1;
		} else if (wall >= 0) {
			o.on_walls += 1;
			hits[wall] += 1;
			if (o.wall < 0 || hits[wall] > hits[o.wall]) o.wall = wall;
		} else {
			o.on_bodies += bodies && body_in_the_way(m, s, at, radius);
		}
	}
	scree_free(hits);
	return o;
}

/* ------------------------------------------------------------------ adding bodies: plan, test all, add
 *
 * All possible attempts of a step are listed first. The position of an attempt depends only on its number, since each
 * draws the same number of random numbers; the size depends on the number of bodies placed earlier. One pass over the
 * bodies, in all parts of a world, then finds the attempts that existing bodies block. */

/* a margin for rounding errors, so that balls side by side along an axis do not touch */
static const real A_LITTLE_MORE = (real)1.000001;

typedef struct candidate {
	new_body body;
	real radius, mass;
} candidate;

/* Possible attempts of a source in this step. */
typedef struct source_plan {
	int64_t owed;
	int32_t first, free;		  /* index of its first candidate; number of candidates not yet blocked by a body */
	int32_t of_try[TRIES_A_STEP]; /* first candidate of each attempt; its candidates are for 0, 1, 2, .. bodies placed
									 earlier in this step */
	random_stream before[TRIES_A_STEP + 1]; /* the source's random stream before each attempt */
	vec3 low, high;							/* box around all of its candidates */
} source_plan;

typedef struct placing {
	candidate *item;
	real *taken; /* 1 if blocked by an existing body */
	int32_t count;
	source_plan *of; /* [sources] */
	int32_t *list;	 /* free candidates, source by source; later the added bodies */
	int32_t adds;
	ball_meets_wall_fn *meets;
} placing;

/* body number `made`, without a position yet */
static candidate draw_body(const model *m, const source *source, const source_state *now, int64_t made)
{
	random_stream next = stream_of_body(now, made);
	const mix_part *part = draw_part(source, &next);
	candidate c = {.body = {.shape = part->shape,
							.material = part->material,
							.velocity = source->velocity,
							.angular_velocity = source->angular_velocity,
							.temperature = source->temperature}};
	c.body.size = scree_spread_draw(&part->size, &next);
	c.radius = m->shape.row[part->shape].radius * c.body.size;
	c.mass = m->material.row[part->material].density * scree_world_volume(m, m->shape.row + part->shape, c.body.size);
	return c;
}

static void draw_pose(const model *m, const source *source, candidate *c, random_stream *r)
{
	new_body *o = &c->body;
	o->position = draw_place(m, source, c->radius, r);
	/* a cell of variable size has no sources */
	if (m->period.shears) o->velocity = v3_add(o->velocity, scree_periods_flow(&m->period, NULL, o->position));
	o->orientation = source->orient == ORIENT_RANDOM  ? m->flat ? scree_random_turn(r) : scree_random_rotation(r)
					  : source->orient == ORIENT_GIVEN ? source->orientation
													  : quat_one();
}

/* number of candidates for a source that still has to add this number of bodies */
static int32_t candidates_of(int64_t owed)
{
	int32_t count = 0;
	for (int32_t t = 0; owed > 0 && t < TRIES_A_STEP; ++t) count += (int32_t)real_min((real)owed, t + 1);
	return count;
}

/* Returns the number of bodies that a source still has to add; exact up to the number that it may place in a step. */
static int64_t owed_by(const model *m, const state *s, int32_t row)
{
	const source *source = m->population.source + row;
	const source_state *now = s->source + row;
	if (!(source->mass_rate > 0 || source->mass_limit > 0)) return scree_source_due(source, s->time) - now->made;
	int64_t count = 0;
	for (real mass = now->mass; count < TRIES_A_STEP; ++count) {
		const real next = draw_body(m, source, now, now->made + count).mass;
		if (!scree_source_owes(source, s->time, now->made + count, mass, next)) break;
		mass += next;
	}
	return count;
}

static void plan_source(const model *m, const state *s, int32_t row, placing *p)
{
	const source *source = m->population.source + row;
	const source_state *now = s->source + row;
	source_plan *plan = p->of + row;
	candidate of[TRIES_A_STEP]; /* the next bodies */
	plan->first = p->count;
	plan->low = v3(INFINITY, INFINITY, INFINITY);
	plan->high = v3_neg(plan->low);
	plan->before[0] = now->random;
	for (int32_t t = 0; plan->owed > 0 && t < TRIES_A_STEP; ++t) {
		plan->of_try[t] = p->count;
		for (int32_t k = 0; k <= t && k < plan->owed; ++k) {
			plan->before[t + 1] = plan->before[t];
			if (k == t) of[k] = draw_body(m, source, now, now->made + k);
			candidate c = of[k];
			draw_pose(m, source, &c, plan->before + t + 1);
			vec3 at = c.body.position;
			real r = A_LITTLE_MORE * c.radius;
			plan->low = v3_min(plan->low, v3_sub(at, v3(r, r, r)));
			plan->high = v3_max(plan->high, v3_add(at, v3(r, r, r)));
			p->item[p->count++] = c;
		}
	}
	plan->free = p->count - plan->first;
}

static placing plan_all(const model *m, const state *s)
{
	const population *all = &m->population;
	placing p = {.of = scree_alloc((size_t)all->sources, sizeof *p.of)};
	size_t room = 0;
	for (int32_t k = 0; k < all->sources; ++k) {
		p.of[k].owed = owed_by(m, s, k);
		room += (size_t)candidates_of(p.of[k].owed);
	}
	p.item = scree_alloc(room, sizeof *p.item);
	p.taken = scree_alloc(room, sizeof *p.taken);
	p.list = scree_alloc(room, sizeof *p.list);
	for (int32_t k = 0; k < all->sources; ++k) plan_source(m, s, k, &p);
	return p;
}

static bool apart_along(const periods *p, int32_t axis, vec3 low, vec3 high, vec3 at, real r)
{
	return !p->axis[axis] &&
		   (v3_part(at, axis) + r < v3_part(low, axis) || v3_part(at, axis) - r > v3_part(high, axis));
}

/* Tests body i against the free candidates of a source, and removes candidates that it touches from the list. */
static void test_body(const model *m, const state *s, placing *p, source_plan *plan, int32_t *free, int32_t i)
{
	vec3 at = body_position(&s->body, i);
	real radius = s->body.radius[i], r = A_LITTLE_MORE * radius;
	const periods *q = &m->period;
	if (apart_along(q, 0, plan->low, plan->high, at, r) || apart_along(q, 1, plan->low, plan->high, at, r) ||
		apart_along(q, 2, plan->low, plan->high, at, r))
		return;
	for (int32_t n = 0; n < plan->free;) {
		const candidate *c = p->item + free[n];
		if (balls_touch(m, s, c->body.position, c->radius, at, radius)) {
			p->taken[free[n]] = 1;
			free[n] = free[--plan->free];
		} else {
			++n;
		}
	}
}

/* tests all bodies against all candidates */
static void test_all(const model *m, const state *s, const work *w, placing *p)
{
	for (int32_t k = 0; k < p->count; ++k) p->list[k] = k;
	for (int32_t i = 0; i < s->body.owned; ++i)
		for (source_plan *plan = p->of; plan < p->of + m->population.sources; ++plan)
			test_body(m, s, p, plan, p->list + plan->first, i);
	w->domain.by->most(w->domain.at, p->count, p->taken);
}

/* also tests the candidate against bodies added in this step */
static bool is_free(const model *m, const state *s, const placing *p, int32_t k)
{
	const candidate *c = p->item + k;
	if (p->taken[k] > 0) return false;
	for (int32_t a = 0; a < p->adds; ++a) {
		const candidate *o = p->item + p->list[a];
		image crossed;
		vec3 drift, at = o->body.position;
		if (m->period.on)
			at = scree_periods_wrap(&m->period, &s->images, at, &crossed, &drift); /* position in the cell */
		if (balls_touch(m, s, c->body.position, c->radius, at, o->radius)) return false;
	}
	return wall_in_the_way(m, s, c->body.position, c->radius, c->body.material, p->meets) < 0;
}

static void add_candidate(const model *m, state *s, work *w, placing *p, int32_t k)
{
	p->list[p->adds++] = k;
	if (w->domain.by->owns(w->domain.at, p->item[k].body.position))
		scree_world_add(m, s, w, 1, &p->item[k].body);
	else
		s->next_id += 1; /* another part of the world adds the body with this id */
}

static void run_source(const model *m, state *s, work *w, placing *p, source_state *source, const source_plan *plan)
{
	int32_t tries = 0, placed = 0;
	for (; placed < plan->owed && tries < TRIES_A_STEP; ++tries) {
		int32_t k = plan->of_try[tries] + placed;
		bool free = is_free(m, s, p, k);
		if (free) add_candidate(m, s, w, p, k);
		if (free) source->mass += p->item[k].mass;
		placed += free;
		source->waiting_tries = free ? 0 : source->waiting_tries + 1;
	}
	source->random = plan->before[tries];
	source->made += placed;
}

/* See stage.h. */
bool scree_sources_owe(const model *m, const state *s)
{
	for (int32_t k = 0; k < m->population.sources; ++k)
		if (owed_by(m, s, k) > 0) return true;
	return false;
}

static void run_sources(const model *m, state *s, work *w, ball_meets_wall_fn *meets)
{
	if (!scree_sources_owe(m, s)) return;
	placing p = plan_all(m, s);
	p.meets = meets;
	test_all(m, s, w, &p);
	for (int32_t k = 0; k < m->population.sources; ++k) run_source(m, s, w, &p, s->source + k, p.of + k);
	SCREE_FREE_ALL(p.item, p.taken, p.list, p.of);
}

void scree_population_run(const model *m, state *s, work *w, ball_meets_wall_fn *meets)
{
	for (int32_t k = 0; k < m->population.sinks; ++k)
		if (!m->population.sink[k].idle) run_sink(m, s, w, k);
	run_sources(m, s, w, meets);
}
