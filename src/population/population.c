/* population: sinks take bodies out, sources add them, before the pairs of a step. Everything is planned from the state
 * alone (time, counters, the sources' own random streams), so that a resumed run goes on alike. */
#include "population/population.h"

#include "base/memory.h"
#include "base/sort.h"
#include "kernel/quat.h"
#include "stages.h"

static bool taken_by(const sink *s, vec3 p)
{
	return s->type == SINK_BELOW ? v3_dot(s->normal, p) < s->off : scree_region_holds(&s->where, p, 0);
}

/* in the order of ids, since the mass is a sum of reals */
static bool run_sink(scree_world *w, sink *s)
{
	const bodies *b = &w->body;
	int32_t count = 0;
	for (int32_t i = 0; i < b->count; ++i) count += taken_by(s, body_position(b, i)) ? 1 : 0;
	if (!count) return false;
	sort_item *item = scree_alloc((size_t)count, sizeof *item), *tmp = scree_alloc((size_t)count, sizeof *tmp);
	int32_t *row = scree_alloc((size_t)count, sizeof *row), k = 0;
	for (int32_t i = 0; i < b->count; ++i) {
		if (!taken_by(s, body_position(b, i))) continue;
		row[k] = i;
		item[k++] = (sort_item){b->id[i], i};
	}
	scree_sort(item, tmp, count);
	for (k = 0; k < count; ++k) s->mass_taken += b->mass[item[k].value];
	s->taken += count;
	scree_world_remove(w, count, row);
	scree_free(item);
	scree_free(tmp);
	scree_free(row);
	return true;
}

static bool wall_in_the_way(const scree_world *w, int32_t k, vec3 at, real radius)
{
	const wall *o = w->wall.row + k;
	vec3 p = quat_unrotate(o->turn, v3_sub(at, o->place)), grown = v3(radius, radius, radius);
	facet_list near = {0};
	touch_list found = {0};
	if (o->type == WALL_FACETS) scree_facet_grid_query(w->grid[k], &w->wall, v3_sub(p, grown), v3_add(p, grown), &near);
	scree_sphere_wall(p, radius, &w->wall, k, near.count, near.facet, &found);
	bool hit = found.count > 0;
	scree_facet_list_free(&near);
	scree_touch_list_free(&found);
	return hit;
}

int32_t scree_place_wall(const scree_world *w, vec3 at, real radius)
{
	image crossed;
	vec3 drift;
	if (w->period.on) at = scree_periods_wrap(&w->period, at, &crossed, &drift); /* walls do not repeat */
	for (int32_t k = 0; k < w->wall.count; ++k)
		if (!w->wall.row[k].removed && wall_in_the_way(w, k, at, radius)) return k;
	return -1;
}

static bool body_in_the_way(const scree_world *w, vec3 at, real radius)
{
	const bodies *b = &w->body;
	for (int32_t i = 0; i < b->count; ++i) {
		real sum = radius + b->radius[i];
		vec3 apart =
			w->period.on ? scree_periods_apart(&w->period, at, body_position(b, i)) : v3_sub(at, body_position(b, i));
		if (v3_norm2(apart) <= sum * sum) return true;
	}
	return false;
}

bool scree_place_is_free(const scree_world *w, vec3 at, real radius)
{
	return !body_in_the_way(w, at, radius) && scree_place_wall(w, at, radius) < 0;
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

/* Kind and size of body number `made` have a stream of their own: a body that finds no place is tried again, not
 * replaced by a smaller one, so that shares and sizes hold where there is little room. */
static random_stream stream_of_next(const source *s)
{
	return scree_random_start(s->random.seed, s->random.stream ^ ((uint64_t)(s->made + 1) << 33));
}

static vec3 draw_place(const scree_world *w, const source *s, real radius, random_stream *r)
{
	region where = scree_region_across(&w->period, &s->where, radius);
	return scree_region_draw(&where, r, radius);
}

/* one try; true when a body was added */
static bool try_to_add(scree_world *w, source *s)
{
	random_stream next = stream_of_next(s);
	const mix_part *part = draw_part(s, &next);
	new_body o = {.shape = part->shape, .material = s->material, .velocity = s->velocity, .spin = s->spin};
	o.size = scree_spread_draw(&part->size, &next);
	real radius = w->shape.row[o.shape].radius * o.size;
	o.position = draw_place(w, s, radius, &s->random);
	if (w->period.shears) o.velocity = v3_add(o.velocity, scree_periods_flow(&w->period, o.position));
	o.orientation = s->orient == ORIENT_RANDOM
						? w->flat ? scree_random_turn(&s->random) : scree_random_rotation(&s->random)
					: s->orient == ORIENT_GIVEN ? s->orientation
												: quat_one();
	if (!scree_place_is_free(w, o.position, radius)) return false;
	scree_world_add(w, 1, &o);
	s->made += 1;
	return true;
}

real scree_source_smallest(const scree_world *w, const source *s)
{
	real least = INFINITY;
	for (int32_t k = 0; k < s->parts; ++k)
		least = real_min(least, w->shape.row[s->part[k].shape].radius * scree_spread_smallest(&s->part[k].size));
	return least;
}

real scree_source_next(const scree_world *w, const source *s)
{
	random_stream next = stream_of_next(s);
	const mix_part *part = draw_part(s, &next);
	return w->shape.row[part->shape].radius * scree_spread_draw(&part->size, &next);
}

static bool outside(const scree_world *w, vec3 p)
{
	const guards *g = &w->guard;
	return g->bounded && !(p.x >= g->low.x && p.x <= g->high.x && p.y >= g->low.y && p.y <= g->high.y &&
						   p.z >= g->low.z && p.z <= g->high.z);
}

source_look scree_source_look(const scree_world *w, const source *s, real radius, int32_t places)
{
	source_look o = {.places = places, .wall = -1};
	random_stream r = scree_random_start(s->seed, 5ull << 32); /* of no body */
	int32_t *hits = scree_alloc((size_t)w->wall.count, sizeof *hits);
	for (int32_t k = 0; k < places; ++k) {
		vec3 at = draw_place(w, s, radius, &r);
		int32_t wall = scree_place_wall(w, at, radius);
		if (outside(w, at)) {
			o.outside += 1;
		} else if (wall >= 0) {
			o.on_walls += 1;
			hits[wall] += 1;
			if (o.wall < 0 || hits[wall] > hits[o.wall]) o.wall = wall;
		} else {
			o.on_bodies += body_in_the_way(w, at, radius) ? 1 : 0;
		}
	}
	scree_free(hits);
	return o;
}

static bool run_source(scree_world *w, source *s)
{
	int64_t due = scree_source_due(s, w->time);
	bool added = false;
	for (int tries = 0; s->made < due && tries < TRIES_A_STEP; ++tries) {
		bool placed = try_to_add(w, s);
		added |= placed;
		s->waiting_tries = placed ? 0 : s->waiting_tries + 1;
	}
	return added;
}

bool scree_population_run(scree_world *w)
{
	bool changed = false;
	for (int32_t k = 0; k < w->people.sinks; ++k) changed |= run_sink(w, w->people.sink + k);
	for (int32_t k = 0; k < w->people.sources; ++k) changed |= run_source(w, w->people.source + k);
	return changed;
}
