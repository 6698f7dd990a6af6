/* bodies_through_walls: finds bodies whose centre crossed a wall in this step. Once the centre is behind the wall, the
 * contact ends or pushes the body to the other side, and no other test reports this.
 *
 * in   positions and walls, before the drift and now     out  world.breach: the first body in order of id
 *
 * In the wall's frame, each centre moves along a straight line in a step, and this path is tested against the wall's
 * surface. The result does not depend on neighbour lists, which contain all facets within a body's radius. Bodies that
 * move by more than their radius, or across a periodic boundary, are tested against all facets along their path. */
#include "narrow/stage.h"

#include "base/parallel.h"
#include "kernel/quat.h"
#include "model/model.h"
#include "narrow/wall/work.h"
#include "narrow/work.h"
#include "shape/shape_forms.h"
#include "state/state.h"
#include "work/work.h"

enum { GRAIN = 256 };

/* enlargement of facets relative to the radius, as in wall/sphere_facets.c */
static const real SLACK = 1e-9;

typedef struct job {
	const model *m;
	state *s;
	work *w;
	int kind; /* kind in world.near */
	breach first[SCREE_MOST_THREADS];
} job;

static centre_way way_at(const state *s, const work *w, int32_t i, int32_t k, vec3 from, vec3 to)
{
	const wall_work *o = w->wall + k;
	return (centre_way){quat_unrotate(o->orientation_before, v3_sub(from, o->position_before)),
						world_to_wall(s->wall + k, to), SLACK * s->body.radius[i]};
}

static vec3 position_before(const bodies *b, int32_t i) { return v3(b->ox[i], b->oy[i], b->oz[i]); }

/* Keeps the first breach in order of body id and wall, so that the number of threads does not matter. */
static void keep_first(const state *s, const breach *a, breach *first)
{
	const uint64_t *id = s->body.id;
	if (!a->found) return;
	if (!first->found || id[a->body] < id[first->body] || (a->body == first->body && a->wall < first->wall))
		*first = *a;
}

static void note(const state *s, int32_t i, int32_t k, const wall_crossing *c, breach *first)
{
	vec3 at = wall_to_world(s->wall + k, c->at);
	breach a = {.found = true, .body = i, .wall = k, .at = at, .from_behind = c->from_behind};
	keep_first(s, &a, first);
}

/* A closed wall of facets does not obstruct a body that leaves the enclosed solid. */
static bool acts_this_way(const model *m, int32_t k, const wall_crossing *c)
{
	const wall *o = m->wall.row + k;
	return !c->from_behind || o->two_sided || o->type != WALL_FACETS || !wall_closed(&m->wall, o);
}

/* Keeps the crossed facet with the lowest row; the crossing points of other facets differ only by rounding error. */
static void try_facets(const model *m, const state *s, int32_t i, int32_t k, const centre_way *c, int32_t facets,
					   const int32_t *facet, breach *first)
{
	vec3 step = v3_sub(c->to, c->from);
	real far2 = v3_norm2(step) * (real)1.0001;
	wall_crossing x;
	for (int32_t n = 0; n < facets; ++n) {
		const struct facet *f = m->wall.facet + facet[n];
		real h = v3_dot(f->normal, c->to) - f->off;
		if (h * h > far2 || !scree_crosses_facet(&m->wall, facet[n], c, &x) || !acts_this_way(m, k, &x)) continue;
		note(s, i, k, &x, first);
		return;
	}
}

/* Tests whether the force on this shape depends on a measure of the overlap other than depth. For spheres in 3D, every
 * law uses depth. */
static bool by_overlap(const model *m, const shape *form)
{
	return m->narrow->gives != OVERLAP_DEPTH && (m->flat || !shape_is_pointed(form));
}

/* Tests whether a body crosses a wall without facets. Walls with only one side push bodies back with a force that
 * depends on depth. Under laws that use volume or area, there is no force once the whole body is behind the wall. */
static void try_form(const model *m, const state *s, int32_t i, int32_t k, const centre_way *c, breach *first)
{
	const wall *o = m->wall.row + k;
	wall_crossing x = {c->to, false};
	bool lost = by_overlap(m, m->shape.row + s->body.shape[i]) && scree_behind_form(o, c->to) > s->body.radius[i];
	if (lost || scree_crosses_form(o, c, &x)) note(s, i, k, &x, first);
}

bool scree_wall_can_be_passed(const model *m, const wall *o)
{
	bool any = scree_wall_has_sides(o);
	for (int32_t k = 0; k < m->shape.count && !any; ++k) any = by_overlap(m, m->shape.row + k);
	return any && !o->removed;
}

static bool is_fast(const state *s, int32_t i, const centre_way *c)
{
	real r = s->body.radius[i];
	return !(v3_norm2(v3_sub(c->to, c->from)) < r * r);
}

static real least_distance(const walls *s, int32_t facets, const int32_t *facet, vec3 p)
{
	real least = INFINITY;
	for (int32_t n = 0; n < facets; ++n) {
		const struct facet *f = s->facet + facet[n];
		real x = real_max(f->low.x - p.x, p.x - f->high.x), y = real_max(f->low.y - p.y, p.y - f->high.y);
		real box = real_max(real_max(x, y), real_max(f->low.z - p.z, p.z - f->high.z));
		least = real_min(least, real_max(box, real_abs(v3_dot(f->normal, p) - f->off)));
	}
	return least;
}

static void look_at_facets(const model *m, state *s, work *w, wall_group *g, const int32_t *facet, breach *first)
{
	const bodies *b = &s->body;
	const wall *o = m->wall.row + g->wall;
	/* displacements due to solvers are not included in path lengths */
	bool rests = o->motion.type == MOTION_STILL && !m->solver;
	if (rests && b->way[g->body] < g->apart) return;
	centre_way c = way_at(s, w, g->body, g->wall, position_before(b, g->body), body_position(b, g->body));
	if (is_fast(s, g->body, &c)) return;
	try_facets(m, s, g->body, g->wall, &c, g->facets, facet, first);
	if (first->found) return; /* a later call finds the crossing again */
	g->apart = b->way[g->body] + (real)0.99 * least_distance(&m->wall, g->facets, facet, c.to) - c.slack;
}

static void look_at_groups(void *what, int64_t from, int64_t to, int thread)
{
	job *j = what;
	const model *m = j->m;
	state *s = j->s;
	work *w = j->w;
	const bodies *b = &s->body;
	const wall_groups *near = w->near + j->kind;
	for (int64_t n = from; n < to; ++n) {
		wall_group *g = near->group + n;
		const wall *o = m->wall.row + g->wall;
		if (!w->wall[g->wall].watched) continue;
		if (o->type == WALL_FACETS) {
			look_at_facets(m, s, w, g, near->facet + g->facet, j->first + thread);
		} else {
			centre_way c = way_at(s, w, g->body, g->wall, position_before(b, g->body), body_position(b, g->body));
			try_form(m, s, g->body, g->wall, &c, j->first + thread);
		}
	}
}

static void sweep(const model *m, state *s, int32_t i, int32_t k, const centre_way *c, facet_list *tmp, breach *first)
{
	if (m->wall.row[k].type != WALL_FACETS) {
		try_form(m, s, i, k, c, first);
		return;
	}
	vec3 a = c->from, b = c->to, wide = v3(c->slack, c->slack, c->slack);
	vec3 low = v3_min(a, b);
	vec3 high = v3_max(a, b);
	scree_facet_grid_query(m->grid[k], &m->wall, v3_sub(low, wide), v3_add(high, wide), tmp);
	try_facets(m, s, i, k, c, tmp->count, tmp->facet, first);
}

static void sweep_bodies(void *what, int64_t from, int64_t to, int thread)
{
	job *j = what;
	const model *m = j->m;
	state *s = j->s;
	work *w = j->w;
	const bodies *b = &s->body;
	facet_list *tmp = &w->narrow->thread[thread].near;
	const bool driven = scree_walls_driven(&m->wall);
	for (int32_t i = (int32_t)from; i < (int32_t)to; ++i) {
		const bool held = b->inv_mass[i] == 0; /* held bodies interact only with walls moved by forces */
		if (held && !driven) continue;
		vec3 old = position_before(b, i), now = body_position(b, i), was = old;
		image crossed = {0, 0, 0};
		vec3 drift;
		if (m->period.on) was = scree_periods_wrap(&m->period, &s->images, old, &crossed, &drift);
		bool came_in = crossed.x || crossed.y || crossed.z;
		for (int32_t k = 0; k < m->wall.count; ++k) {
			const wall_work *o = w->wall + k;
			if (held && !motion_is_driven(m->wall.row[k].motion.type)) continue;
			if (!o->watched || !(came_in || o->swept) || !wall_acts_on(m->wall.row + k, b->material[i])) continue;
			centre_way c = way_at(s, w, i, k, old, now);
			if (is_fast(s, i, &c)) sweep(m, s, i, k, &c, tmp, j->first + thread);
			if (!came_in) continue;
			/* the path up to the point where the body left the cell */
			c = way_at(s, w, i, k, was, v3_add(was, v3_sub(now, old)));
			sweep(m, s, i, k, &c, tmp, j->first + thread);
		}
	}
}

/* Marks walls that a body can cross; returns whether there are any such walls. */
static bool find_watched(const model *m, work *w)
{
	bool any = false;
	for (int32_t k = 0; k < m->wall.count; ++k) {
		w->wall[k].watched = scree_wall_can_be_passed(m, m->wall.row + k);
		any |= w->wall[k].watched;
	}
	return any;
}

/* Marks walls relative to which a body may move by more than its radius in this step; returns whether any exist. */
static bool find_swept(const model *m, const state *s, work *w, real time)
{
	const real rounding = (real)1.0001;
	bool any = false;
	for (int32_t k = 0; k < m->wall.count; ++k) {
		wall_work *o = w->wall + k;
		const wall *l = m->wall.row + k;
		real way = w->skin.step + scree_wall_travel(l, w->middle, w->reach, time - m->dt, time);
		if (motion_is_driven(l->motion.type))
			way += scree_driven_way(l, w->middle, w->reach, s->wall[k].servo.way - o->from);
		o->swept = m->solver || !(rounding * way < w->skin.smallest); /* a solver may move a body by any distance */
		any |= o->swept && o->watched;
	}
	return any;
}

void scree_bodies_through_walls(const model *m, state *s, work *w, real time)
{
	w->breach = (breach){0};
	if (!find_watched(m, w)) return;
	job j = {.m = m, .s = s, .w = w};
	for (j.kind = 0; j.kind < PAIR_KINDS; ++j.kind)
		if (pair_on_wall(j.kind)) scree_parallel(look_at_groups, &j, w->near[j.kind].count, GRAIN);
	if (find_swept(m, s, w, time) || m->period.on) scree_parallel(sweep_bodies, &j, s->body.owned, GRAIN);
	for (int t = 0; t < SCREE_MOST_THREADS; ++t) keep_first(s, j.first + t, &w->breach);
}
