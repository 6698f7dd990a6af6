/* work.h: memory that the narrow phase keeps from step to step, and functions that write contact rows and read bodies.
 * Private to src/narrow. Sharing of surface contacts among threads (docs/theory/sharing.md) does not affect results. */
#ifndef SCREE_NARROW_WORK_H
#define SCREE_NARROW_WORK_H

#include "narrow/narrow.h"
#include "narrow/surface/surface.h"
#include "state/contact_rows.h"
#include "state/pairs.h"
#include "state/patch_accounts.h"
#include "wall/facets.h"
#include "work/looks.h"
#include "work/threads.h"
#include "model/sharing.h"
#include "base/memory.h"
#include "kernel/quat.h"
#include "model/law.h"
#include "work/ways_ahead.h"
#include "world/world.h"

/* The result for one pair of bodies, or a body and a wall: rows first .. first+count-1 of the thread's list. */
typedef struct points_ahead {
	int32_t of; /* the slot, or the group for walls */
	int32_t thread, first, count;
	real apart;			  /* as returned by scree_surface_surface */
	bool crossed, shared; /* shared: whether the triangles of this pair are divided among all threads */
	real work;			  /* estimated work in triangles, or 0 if there are no triangles to divide */
} points_ahead;

typedef struct points_found {
	int64_t count, capacity;
	points_ahead *item; /* in the order of slots or groups */
	real work;			/* total work of all items */
} points_found;

/* One of a slot's contacts before it is written to a row (narrow/several_contacts.c). */
typedef struct found_contact {
	int32_t slot;
	bool touches;
	point_found of;
	real arm;
	real place; /* touch.place */
	int32_t points;
	uint64_t first;
} found_contact;

typedef struct several_scratch {
	int64_t count, capacity;
	found_contact *item; /* contacts of all slots of a piece */
	patch_list patches;	 /* patches of a slot, or points */
	point_list points;
	int32_t room;
	int32_t *of; /* [room] for each new row, the old row that it continues */
	bool *kept;	 /* [room] whether each old row continues */
	real *copy;	 /* [room] */
} several_scratch;

struct work;

/* Working memory of one thread, cleared in every step. */
typedef struct narrow_thread {
	thread_work *to; /* the thread's results for the next stages */
	several_scratch several;
	touch_list touch, probe; /* contacts with a wall, and contacts of balls along a capsule */
	facet_list near;
	feature_counts features; /* numbers of pairs of bodies in this step */
	struct known_cuts *cuts; /* cache of cut polyhedra, kept from step to step, or NULL */
	surface_scratch surface; /* memory of surfaces with a halo, and their counts since the world was created */
	point_list ahead; /* contacts of one kind of pair, found before the pieces are processed (narrow/sharing.c) */
	crossing crossed;
} narrow_thread;

struct narrow_work {
	narrow_thread *thread; /* [threads] */
	int32_t threads;
	int32_t turns;
	mat3 *turn; /* [turns] orientations in this step as matrices, for polyhedra; NULL if `poses` is used */
	struct polygon_pose *pose; /* [turns] poses of polygons, for testing many pairs at once; otherwise NULL */
	points_found found;		   /* pairs whose contacts are in narrow_thread.ahead */
	bool again;				   /* whether this is a further search in a step, for contacts not found before */
};

/* Provides a cleared narrow_thread for each thread at the start of a step. A further search keeps the points that were
 * found before. */
void scree_narrow_threads(struct work *w);

/* Tests whether an earlier search in this step found this contact. */
SCREE_FN bool is_found(const struct narrow_work *w, const pair_list *l, int64_t row)
{
	return w->again && l->touch[row];
}

/* Marks the row of a slot as not touching in this step. */
SCREE_FN void no_contact(const model *m, state *s, pair_list *l, int64_t row, narrow_thread *tmp)
{
	if (!l->touch[row]) return;
	if (m->implicit && !l->rows) { /* the solver ends contacts (src/solver/constraint_results.c) */
		l->touch[row] = 0;
		return;
	}
	const int kind = (int)(l - s->pair);
	const bool counted = scree_contact_counted(s, kind, row);
	scree_contact_release(l, row);
	if (counted && l->remembers & REMEMBERS_ACCOUNT &&
		!(l->remembers & REMEMBERS_IMPULSES)) /* contacts that end under the solver are not counted */
		patch_leave(&s->body, l, pair_on_wall(kind), row, m->dt, tmp->to->classes);
	scree_contact_end(counted ? &tmp->to->ended : NULL, l, row, m->dt);
}

SCREE_FN void set_contact(pair_list *l, contact_work *c, int64_t row, vec3 n, vec3 at, real depth)
{
	c->nx[row] = n.x;
	c->ny[row] = n.y;
	c->nz[row] = n.z;
	c->px[row] = at.x;
	c->py[row] = at.y;
	c->pz[row] = at.z;
	c->depth[row] = depth;
	l->touch[row] = 1;
}

SCREE_FN void room_for_points(contact_points *p, int32_t count)
{
	if (p->count + count <= p->capacity) return;
	int64_t capacity = (p->count + count) * 3 / 2 + 1024;
	real **array[6] = {&p->x, &p->y, &p->z, &p->depth, &p->weight, &p->pitch};
	for (int a = 0; a < 6; ++a) *array[a] = scree_grow(*array[a], (size_t)p->count, (size_t)capacity, sizeof(real));
	p->capacity = capacity;
}

/* Records that the points of a row begin at the end of the pool. */
SCREE_FN void begin_points(contact_work *c, int64_t row, const contact_points *p, int thread, int32_t count, real arm)
{
	c->arm[row] = arm;
	c->points[row] = count;
	c->first[row] = (uint64_t)thread << 32 | (uint64_t)p->count;
}

SCREE_FN void add_point(contact_points *p, vec3 at, real deep, real weight, real pitch)
{
	int64_t e = p->count++;
	p->x[e] = at.x;
	p->y[e] = at.y;
	p->z[e] = at.z;
	p->depth[e] = deep;
	p->weight[e] = weight;
	p->pitch[e] = pitch;
}

/* The centre of the area, at which a uniform pressure, or equal parallel springs with these weights, would act. */
SCREE_FN vec3 middle_of(int32_t count, const vec3 *at, const real *weight)
{
	vec3 sum = v3(0, 0, 0);
	real all = 0;
	for (int32_t i = 0; i < count; ++i) {
		sum = v3_madd(sum, weight[i], at[i]);
		all += weight[i];
	}
	return v3_mul(1 / all, sum);
}

SCREE_FN void put_points(contact_points *p, int32_t count, const vec3 *at, const real *deep, const real *weight,
						 real pitch, real arm, const vec3 *hold)
{
	for (int32_t i = 0; i < count; ++i) add_point(p, at[i], deep[i], weight[i], pitch);
	if (arm > 0) add_point(p, hold ? *hold : middle_of(count, at, weight), 0, 0, 0);
}

/* Writes the points of a row. hold: NULL if the centre of the area can be computed from the weights */
SCREE_FN void set_points(contact_work *c, int64_t row, contact_points *p, int thread, int32_t count, const vec3 *at,
						 const real *deep, const real *weight, real pitch, real arm, const vec3 *hold)
{
	room_for_points(p, count + 1);
	begin_points(c, row, p, thread, count, arm);
	put_points(p, count, at, deep, weight, pitch, arm, hold);
}

/* Tests whether the narrow phase computes the point where friction acts. In the plane this makes no difference. */
SCREE_FN bool gives_hold(const model *m) { return m->narrow->gives == OVERLAP_THICKNESS && !m->flat; }

SCREE_FN placed placed_of(const model *m, const state *s, const work *w, int32_t i, vec3 at)
{
	const bodies *b = &s->body;
	mat3 turn = w->narrow->turn ? w->narrow->turn[i] : quat_matrix(body_orientation(b, i));
	return (placed){m->shape.row + b->shape[i], at, turn, b->size[i]};
}

/* Returns the body of a group in the frame of the group's wall, which has this orientation. */
SCREE_FN placed placed_at_wall(const model *m, const state *s, const work *w, const wall_group *g, mat3 turn)
{
	const vec3 from = s->wall[g->wall].position;
	placed p = placed_of(m, s, w, g->body, mat3_tmul(turn, v3_sub(body_position(&s->body, g->body), from)));
	p.turn = (mat3){mat3_tmul(turn, p.turn.x), mat3_tmul(turn, p.turn.y), mat3_tmul(turn, p.turn.z)};
	return p;
}

SCREE_FN near_wall wall_near(const model *m, const wall_groups *near, const wall_group *g)
{
	return (near_wall){&m->wall, g->wall, g->facets, g->facets ? near->facet + g->facet : NULL};
}

/* Returns the exponent of the overlap in the force of a one-point contact. */
SCREE_FN real power_between(const model *m, int32_t material_a, int32_t material_b)
{
	return scree_law_power(m->constants[material_a * m->material.count + material_b].law);
}

/* Returns the deepest point of a patch, which represents the patch in images and files. */
SCREE_FN vec3 deepest(int32_t count, const vec3 *at, const real *deep)
{
	int32_t best = 0;
	for (int32_t i = 1; i < count; ++i)
		if (deep[i] > deep[best]) best = i;
	return at[best];
}

/* Returns the vector from the centre of a slot's first body to the centre of the second body or its image. */
SCREE_FN vec3 way_to(const model *m, const state *s, const work *w, int kind, int64_t k)
{
	const pair_list *l = s->pair + kind;
	vec3 r = v3_sub(w->record[l->b[k]].position, w->record[l->a[k]].position);
	return m->period.on ? v3_add(r, s->images.shift[scree_world_image(m, s, kind, k)]) : r;
}

/* True if the bodies have moved by less than their distance at the last test minus `reach`. */
SCREE_FN bool still_clear_by(const pair_list *l, const slot_cache *c, const bodies *b, int64_t k, real reach)
{
	return c->clear[k] > 0 && b->way[l->a[k]] + b->way[l->b[k]] + reach < c->clear[k];
}

SCREE_FN bool still_clear(const pair_list *l, const slot_cache *c, const bodies *b, int64_t k)
{
	return still_clear_by(l, c, b, k, 0);
}

/* distance, in m, at which two bodies at predicted poses count as touching; 0 except in implicit steps */
SCREE_FN real reach_ahead(const model *m, const state *s, const work *w, int32_t i, int32_t j)
{
	return m->implicit ? closes_ahead(&s->body, &w->ahead, i, j, more_ahead(m, s), m->dt) : 0;
}

/* Stores the distance between the bodies of a pair, slightly reduced, since sums of displacements are rounded. Bodies
 * at predicted poses move back, and then ahead again in another direction. */
SCREE_FN void note_distance(const pair_list *l, slot_cache *c, const state *s, const work *w, int64_t k, real distance)
{
	const int32_t a = l->a[k], b = l->b[k];
	const real *way = s->body.way, *far = w->ahead.far;
	const real clear = way[a] + way[b] - (far ? 2 * (far[a] + far[b]) : 0) + (real)0.999999 * distance;
	c->clear[k] = distance > 0 && clear > 0 ? clear : 0;
}

/* several_contacts.c: finds contacts for all slots with rows in a piece if bodies may have several. Without room, sets
 * l->wants and leaves the piece unchanged; the call is repeated after the piece is enlarged. */
void scree_several_contacts(const model *m, state *s, work *w, int kind, int32_t piece, int thread);

/* Keeps the first of two passages in order of body ids, or the deeper passage if the bodies are the same. */
void scree_keep_first_passing(const bodies *b, const passing *a, passing *first);

typedef struct points_here {
	const point_found *point; /* valid until the thread's next call */
	int32_t count;
	real apart;	  /* as returned by scree_surface_surface */
	bool crossed; /* the surfaces cross */
} points_here;

/* Returns contacts of a slot, or of a wall's group (in the wall's frame) if the body is a surface. */
points_here scree_points_of(const model *m, state *s, work *w, int kind, int32_t of, int thread);
/* Finds contacts for this kind of pair in advance if the world divides pairs among threads. */
void scree_share_pairs(const model *m, state *s, work *w, int kind);
/* Returns how many of `count` items a thread processes at a time. small: this number if items are distributed
 * dynamically */
int64_t scree_sharing_grain(const sharing *s, int64_t count, int64_t small);

#endif
