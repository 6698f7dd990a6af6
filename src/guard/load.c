/* load: demand of contacts on the time step, divided by the integrator's stability limit. All springs and dashpots of a
 * body are added up, with its true mass and moments of inertia (docs/theory/motion.md, "Packings and damping"). */
#include "guard/guard.h"

#include "base/memory.h"
#include "base/parallel.h"
#include "base/sort.h"
#include "guard/modes.h"
#include "kernel/quat.h"
#include "kernel/thickness.h"
#include "model/integrator.h"
#include "model/law.h"
#include "prepare/internal.h"
#include "state/bonds.h"
#include "world/world.h"

enum { WAYS = 6, TURNS = 24, GRAIN = 256 };

/* One contact of a body. */
typedef struct meeting {
	int32_t row; /* row in pair[kind] */
	int16_t kind, is_second;
} meeting;

/* The contacts of each body, with walls by surface, then with bodies by id, so sums are reproducible. */
typedef struct meetings {
	int64_t *first; /* [bodies+1] */
	meeting *item;
} meetings;

/* Weights of the springs and the dashpots when they are added up in a `hold`. */
typedef struct weights {
	real spring, dashpot;
} weights;

typedef struct summing {
	const model *m;
	const state *s;
	const work *w;
	const meetings *meets;
	weights of;
	real *body; /* [bodies] largest eigenvalue of a body's springs and dashpots, scaled by mass and moment of inertia */
} summing;

static int32_t wall_of(const model *m, int kind, int32_t b)
{
	return pair_on_wall(kind) ? m->wall.surface_wall[b] : -1;
}

static void add_bond(const model *m, const state *s, int64_t k, weights of, hold *h)
{
	const bond_form o = scree_bond_form(m, s, k);
	h->along += of.spring * o.along + of.dashpot * o.along_dashpot;
	h->across += of.spring * o.across + of.dashpot * o.across_dashpot;
	h->rolls += of.spring * o.bends + of.dashpot * o.bends_dashpot;
	h->twists += of.spring * o.twists + of.dashpot * o.twists_dashpot;
}

/* Stiffnesses and damping coefficients of contact row k of pair[kind], without its position. */
static hold hold_of(const summing *sum, int kind, int64_t k, const contact_look *look)
{
	const model *m = sum->m;
	const state *s = sum->s;
	const pair_list *l = s->pair + kind;
	const contact_work *now = &sum->w->pair[kind].contact;
	const bodies *b = &s->body;
	int32_t i = l->ca[k], j = l->cb[k], on = wall_of(m, kind, j);
	int32_t mb = on >= 0 ? m->wall.row[on].material : b->material[j];
	real ease = on >= 0 ? 1 / b->mass[i] : b->inv_mass[i] + b->inv_mass[j];
	real radius = on >= 0 ? b->round[i] : b->round[i] * b->round[j] / (b->round[i] + b->round[j]);
	hold h = {.normal = v3(0, 0, 0)};
	if (!(ease > 0)) return h;
	law_constants c = m->constants[b->material[i] * m->material.count + mb];
	bool patch = scree_pair_kinds[kind].patch;
	if (!patch) c.law = scree_laws[c.law].of_spheres;
	local_law r = scree_law_local(&c, radius, contact_share(now, k) / ease, l->stiff[k], look->elastic);
	real f = sum->of.spring, g = sum->of.dashpot;
	h.along = f * r.spring + g * r.dashpot;
	h.across = f * r.shear + g * r.shear_dashpot;
	h.rolls = f * r.roll + g * r.roll_dashpot;
	h.twists = f * r.twist + g * r.twist_dashpot;
	if (is_bonded(l, k)) add_bond(m, s, k, sum->of, &h);
	if (patch) h.twists += h.across * now->arm[k] * now->arm[k];
	if (patch && c.law == LAW_OVERLAP)
		h.rolls += now->arm[k] * (f * r.spring * (real)2.25 * now->arm[k] + g * r.dashpot * TILT_DASHPOT * radius);
	return h;
}

/* ------------------------------------------------------------------ contacts per body */

static uint64_t partner_key(const state *s, const meeting *e)
{
	const pair_list *l = s->pair + e->kind;
	if (pair_on_wall(e->kind)) return (uint64_t)l->cb[e->row];
	return (1ull << 63) + s->body.id[e->is_second ? l->ca[e->row] : l->cb[e->row]];
}

static void sort_meetings(const state *s, meeting *item, int64_t count, sort_item *order, meeting *copy)
{
	for (int64_t k = 0; k < count; ++k) order[k] = (sort_item){partner_key(s, item + k), (int32_t)k};
	for (int64_t k = 0; k < count; ++k) copy[k] = item[k];
	scree_sort_short(order, count);
	for (int64_t k = 0; k < count; ++k) item[k] = copy[order[k].value];
}

static void fill_meetings(const state *s, meetings *list)
{
	for (int kind = 0; kind < PAIR_KINDS; ++kind) {
		const pair_list *l = s->pair + kind;
		for (contact_walk c = contact_first(l); contact_more(l, &c); ++c.row) {
			list->item[list->first[l->ca[c.row] + 1]++] = (meeting){(int32_t)c.row, (int16_t)kind, 0};
			if (!pair_on_wall(kind))
				list->item[list->first[l->cb[c.row] + 1]++] = (meeting){(int32_t)c.row, (int16_t)kind, 1};
		}
	}
}

static meetings find_meetings(const state *s)
{
	int32_t n = s->body.count;
	meetings list = {.first = scree_alloc((size_t)n + 2, sizeof *list.first)};
	int64_t most = 0;
	for (int kind = 0; kind < PAIR_KINDS; ++kind) {
		const pair_list *l = s->pair + kind;
		for (contact_walk c = contact_first(l); contact_more(l, &c); ++c.row) {
			++list.first[l->ca[c.row] + 2];
			if (!pair_on_wall(kind)) ++list.first[l->cb[c.row] + 2];
		}
	}
	for (int32_t i = 0; i < n; ++i) {
		most = list.first[i + 2] > most ? list.first[i + 2] : most;
		list.first[i + 2] += list.first[i + 1];
	}
	/* room for one more item, so that the array exists even without contacts */
	list.item = scree_alloc((size_t)list.first[n + 1] + 1, sizeof *list.item);
	fill_meetings(s, &list);
	sort_item *order = scree_alloc((size_t)most, sizeof *order);
	meeting *copy = scree_alloc((size_t)most, sizeof *copy);
	for (int32_t i = 0; i < n; ++i)
		sort_meetings(s, list.item + list.first[i], list.first[i + 1] - list.first[i], order, copy);
	scree_free(order);
	scree_free(copy);
	return list;
}

/* ------------------------------------------------------------------ one body */

/* m += part g g' */
static void add(real m[WAYS][WAYS], real part, const real g[WAYS])
{
	for (int r = 0; r < WAYS; ++r)
		for (int c = 0; c < WAYS; ++c) m[r][c] += part * g[r] * g[c];
}

/* Factors that convert directions of forces or torques to coordinates in which mass and moments of inertia are 1. */
typedef struct scaled {
	real slow;	/* 1/sqrt(mass) */
	vec3 turns; /* 1/sqrt(moment) about each axis */
	mat3 axes;
	bool flat;
} scaled;

static void put(const scaled *s, vec3 force, vec3 torque, real g[WAYS])
{
	vec3 t = mat3_tmul(s->axes, s->flat ? v3(0, 0, torque.z) : torque);
	g[0] = force.x * s->slow;
	g[1] = force.y * s->slow;
	g[2] = force.z * s->slow;
	g[3] = t.x * s->turns.x;
	g[4] = t.y * s->turns.y;
	g[5] = t.z * s->turns.z;
}

static void add_hold(real m[WAYS][WAYS], const scaled *s, const hold *h)
{
	vec3 n = h->normal, side = real_abs(n.x) < (real)0.7 ? v3(1, 0, 0) : v3(0, 1, 0), none = v3(0, 0, 0);
	vec3 t = s->flat ? v3(-n.y, n.x, 0) : v3_unit(v3_cross(n, side)), u = v3_cross(n, t);
	real g[WAYS];
	put(s, n, v3_cross(h->at, n), g);
	add(m, h->along, g);
	put(s, t, v3_cross(h->at, t), g);
	add(m, h->across, g);
	if (!s->flat) {
		put(s, u, v3_cross(h->at, u), g);
		add(m, h->across, g);
		put(s, none, t, g);
		add(m, h->rolls, g);
		put(s, none, n, g);
		add(m, h->twists, g);
	}
	put(s, none, u, g); /* in the plane this is z */
	add(m, h->rolls, g);
}

static real greatest_value(real m[WAYS][WAYS])
{
	real v[WAYS], value = 0;
	for (int r = 0; r < WAYS; ++r)
		v[r] = 1 + (real)0.1 * r; /* the start vector does not lie in any plane of symmetry */
	for (int k = 0; k < TURNS; ++k) {
		real to[WAYS] = {0}, size = 0;
		for (int r = 0; r < WAYS; ++r) {
			for (int c = 0; c < WAYS; ++c) to[r] += m[r][c] * v[c];
			size += to[r] * to[r];
		}
		value = sqrt(size);
		if (!(value > 0)) return 0;
		for (int r = 0; r < WAYS; ++r) v[r] = to[r] / value;
	}
	return value;
}

/* Contact `e` as it acts on body i. */
static hold hold_at(const summing *sum, const meeting *e)
{
	const model *m = sum->m;
	const state *s = sum->s;
	const pair_list *l = s->pair + e->kind;
	contact_look c = scree_contact_look(m, s, sum->w, e->kind, e->row);
	hold h = hold_of(sum, e->kind, e->row, &c);
	h.normal = c.normal;
	h.at = h.there = c.at;
	h.partner = -1;
	if (pair_on_wall(e->kind)) return h;
	const int32_t a = l->ca[e->row], b = l->cb[e->row], other = e->is_second ? a : b;
	vec3 apart = v3_sub(body_position(&s->body, a), body_position(&s->body, b));
	if (m->period.on) apart = v3_sub(apart, s->images.shift[scree_world_image(m, s, e->kind, l->slot[e->row])]);
	*(e->is_second ? &h.at : &h.there) = v3_add(c.at, apart);
	if (s->body.inv_mass[other] > 0) h.partner = other;
	return h;
}

static real load_of_body(const summing *sum, int32_t i)
{
	const model *m = sum->m;
	const state *s = sum->s;
	const bodies *b = &s->body;
	if (b->inv_mass[i] == 0) return 0;
	scaled o = {sqrt(b->inv_mass[i]), v3(1 / sqrt(b->ix[i]), 1 / sqrt(b->iy[i]), 1 / sqrt(b->iz[i])),
				quat_matrix(body_orientation(b, i)), m->flat};
	real matrix[WAYS][WAYS] = {{0}};
	for (int64_t k = sum->meets->first[i]; k < sum->meets->first[i + 1]; ++k) {
		const meeting *e = sum->meets->item + k;
		hold h = hold_at(sum, e);
		add_hold(matrix, &o, &h);
	}
	real drag = m->fluid.on ? sum->of.dashpot * scree_step_braking(m, s, i) : 0;
	return greatest_value(matrix) + drag;
}

static void load_of_bodies(void *what, int64_t from, int64_t to, int thread)
{
	summing *s = what;
	(void)thread;
	for (int64_t i = from; i < to; ++i) s->body[i] = load_of_body(s, (int32_t)i);
}

/* ------------------------------------------------------------------ all bodies */

/* Displacement of a wall's point, at `at` relative to body i, per displacement or angle of the driven motion. */
static vec3 way_of_wall(const model *m, const state *s, int32_t k, int32_t i, vec3 at)
{
	const wall_motion *o = &m->wall.row[k].motion;
	if (!motion_is_turned(o->type)) return o->axis;
	return v3_cross(o->axis, v3_sub(v3_add(body_position(&s->body, i), at), o->point));
}

/* Load on walls that bodies push, over all parts of the world: springs and dashpots divided by the wall's mass.
 * Other walls do not yield. The caller frees. */
static real *load_of_walls(const summing *sum, const domain *d)
{
	const model *m = sum->m;
	const state *s = sum->s;
	fixed *sums = scree_alloc((size_t)m->wall.count, sizeof *sums);
	real *load = scree_alloc((size_t)m->wall.count, sizeof *load);
	for (int kind = 0; kind < PAIR_KINDS; ++kind) {
		const pair_list *l = s->pair + kind;
		if (!pair_on_wall(kind)) continue;
		for (contact_walk c = contact_first(l); contact_more(l, &c); ++c.row) {
			int32_t k = wall_of(m, kind, l->cb[c.row]);
			const wall *o = m->wall.row + k;
			if (!motion_is_driven(o->motion.type)) continue;
			contact_look look = scree_contact_look(m, s, sum->w, kind, c.row);
			hold h = hold_of(sum, kind, c.row, &look);
			const vec3 way = way_of_wall(m, s, k, l->ca[c.row], look.at);
			const real all = motion_is_turned(o->motion.type) ? v3_norm2(way) : 1;
			real along = v3_dot(way, look.normal);
			along *= along;
			scree_fixed_add(sums + k, (along * h.along + (all - along) * h.across) / o->servo.mass);
		}
	}
	d->by->add(d->at, m->wall.count, sums);
	for (int32_t k = 0; k < m->wall.count; ++k) load[k] = scree_fixed_value(sums[k]);
	scree_free(sums);
	return load;
}

/* for Gear's integrators: packings oscillate only above this value of the sum in join, measured as 1.5 to 2 */
static const real QUIET_UP_TO = 1.5;

/* Adds the largest load among a body's partners to the body's own load. Let A and B be the largest eigenvalues of two
 * bodies. No mode of all bodies exceeds the largest A + B of a touching pair (as for the Laplacian of a graph, Anderson
 * and Morley 1985), and the largest mode is at least the largest A. */
static void join(const summing *sum, const real *push, real quiet, real *pair)
{
	const state *s = sum->s;
	for (int32_t i = 0; i < s->body.count; ++i) pair[i] = sum->body[i];
	for (int kind = 0; kind < PAIR_KINDS; ++kind) {
		const pair_list *l = s->pair + kind;
		for (contact_walk c = contact_first(l); contact_more(l, &c); ++c.row) {
			int32_t i = l->ca[c.row], j = l->cb[c.row], k = wall_of(sum->m, kind, j);
			real both = (sum->body[i] + (k >= 0 ? push[k] : sum->body[j])) / quiet;
			pair[i] = real_max(pair[i], both);
			if (k < 0) pair[j] = real_max(pair[j], both);
		}
	}
}

/* ------------------------------------------------------------------ ghosts */

/* Only the owner of a body has all contacts of this body. */
static void load_of_ghosts(const summing *sum, const domain *d)
{
	const body_columns load = {.count = 1, .stride = sizeof *sum->body, .of = {sum->body}};
	if (d->by->share) d->by->share(d->at, &load, NULL, 0);
}

/* Load of each body plus the largest among its partners; the caller frees it. walls: the largest load of a wall */
static real *loads(const summing *of, const domain *d, real quiet, real *walls)
{
	summing sum = *of;
	sum.body = scree_alloc((size_t)sum.s->body.count, sizeof *sum.body);
	real *pair = scree_alloc((size_t)sum.s->body.count, sizeof *pair);
	scree_parallel(load_of_bodies, &sum, sum.s->body.owned, GRAIN);
	load_of_ghosts(&sum, d);
	real *push = load_of_walls(&sum, d);
	join(&sum, push, quiet, pair);
	for (int32_t k = 0; k < sum.m->wall.count; ++k) *walls = real_max(*walls, push[k]);
	scree_free(push);
	scree_free(sum.body);
	return pair;
}

static step_load most_of(const summing *sum, const real *part)
{
	const bodies *b = &sum->s->body;
	step_load most = {.body = -1};
	for (int32_t i = 0; i < b->owned; ++i) {
		bool more = part[i] > most.part || (part[i] == most.part && most.body >= 0 && b->id[i] < b->id[most.body]);
		if (more) most = (step_load){.part = part[i], .body = i};
	}
	if (most.body < 0) return most;
	most.id = b->id[most.body];
	most.contacts = sum->meets->first[most.body + 1] - sum->meets->first[most.body];
	most.time = sum->s->time;
	most.dt = sum->m->dt;
	return most;
}

/* The largest load of all parts of the world. */
static step_load greatest(const domain *d, const step_load *here)
{
	step_load most = {.body = -1};
	int64_t parts = 1;
	step_load *part = d->by->gather(d->at, &parts, sizeof *part, here);
	for (int64_t k = 0; k < parts; ++k)
		if (part[k].part > most.part || (part[k].part == most.part && part[k].part > 0 && part[k].id < most.id))
			most = part[k];
	scree_free(part);
	return most;
}

/* Load for Gear's integrators, from equation (12), in which springs and dashpots are separate. */
static step_load load_by_gear(const summing *sum, const domain *d)
{
	const gear_rule *r = sum->m->integrator->gear;
	summing springs = *sum, dashpots = *sum;
	real walls = 0;
	springs.of = (weights){1, 0};
	dashpots.of = (weights){0, 1};
	real *first = loads(&springs, d, QUIET_UP_TO, &walls), *second = loads(&dashpots, d, QUIET_UP_TO, &walls);
	for (int32_t i = 0; i < sum->s->body.owned; ++i)
		first[i] = sum->m->dt * (r->limit[0] * sqrt(first[i]) + r->limit[1] * second[i] / 2);
	const step_load here = most_of(sum, first);
	scree_free(first);
	scree_free(second);
	return greatest(d, &here);
}

/* ------------------------------------------------------------------ all bodies together */

static const real NEAR = (real)0.7; /* the mode of all bodies is computed only if the bound from pairs exceeds this */

typedef struct holding {
	const summing *sum;
	hold *hold;
} holding;

static void find_holds(void *what, int64_t from, int64_t to, int thread)
{
	const holding *o = what;
	const meetings *list = o->sum->meets;
	(void)thread;
	for (int64_t k = list->first[from]; k < list->first[to]; ++k) o->hold[k] = hold_at(o->sum, list->item + k);
}

/* Load of the stiffest motion of all bodies together. */
static real load_together(const summing *sum, const domain *d)
{
	const int32_t owned = sum->s->body.owned;
	const meetings *list = sum->meets;
	hold *hold = scree_alloc((size_t)list->first[owned] + 1, sizeof *hold);
	scree_parallel(find_holds, &(holding){sum, hold}, owned, GRAIN);
	const real load = scree_greatest_mode(&(held_bodies){sum->m, sum->s, list->first, hold}, d);
	scree_free(hold);
	return load;
}

static real greatest_drag(const summing *sum, const domain *d)
{
	real most = 0;
	for (int32_t i = 0; i < sum->s->body.owned && sum->m->fluid.on; ++i)
		most = real_max(most, sum->of.dashpot * scree_step_braking(sum->m, sum->s, i));
	scree_domain_most(d, 1, &most);
	return most;
}

/* Load for velocity Verlet, from equation (13), with one sum of springs and dashpots. A wall adds at most its load. */
static step_load load_by_verlet(const summing *sum, const domain *d)
{
	real walls = 0;
	real *part = loads(sum, d, 1, &walls);
	const step_load here = most_of(sum, part);
	step_load most = greatest(d, &here);
	scree_free(part);
	if (most.part > NEAR) most.part = real_min(most.part, load_together(sum, d) + walls + greatest_drag(sum, d));
	return most;
}

step_load scree_world_load(const model *m, const state *s, const work *w)
{
	const domain *d = &w->domain;
	if (m->solver || m->implicit || scree_domain_any(d, w->skin.stale)) return (step_load){.body = -1};
	meetings list = find_meetings(s);
	const summing sum = {m, s, w, &list, {m->dt * m->dt / 4, m->dt}, NULL};
	const step_load most = m->integrator->gear ? load_by_gear(&sum, d) : load_by_verlet(&sum, d);
	scree_free(list.first);
	scree_free(list.item);
	return most;
}

step_load scree_world_watch(const model *m, state *s, work *w)
{
	const step_load now = scree_world_load(m, s, w);
	if (now.part > w->heaviest.part) w->heaviest = now;
	return now;
}
