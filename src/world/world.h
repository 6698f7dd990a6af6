/* world.h: all the data of a simulation, and who does the work.
 *
 * State is what a snapshot holds: step(load(save(w))) == step(w), bit for bit, is its definition. Everything else is
 * derived and may be thrown away and made again. */
#ifndef SCREE_WORLD_WORLD_H
#define SCREE_WORLD_WORLD_H

#include "base/memory.h"
#include "model/model.h"
#include "model/narrow.h"
#include "state/contact_key.h"
#include "state/state.h"
#include "work/work.h"

typedef struct scree_world {
	model model;
	state state;
	work work;
	bool broken;		/* what was done to it broke off: it is in any state, and can only be freed; `why` says what */
	memory_list memory; /* blocks of scree_world_attempt */
} scree_world;

scree_world *scree_world_new(void);
void scree_world_free(scree_world *w);

/* Calls work(what), which may do anything to the world. False, with the sentence, when it broke off (base/fail.h), or
 * when the world is broken from before; it then can only be freed. Memory that is taken inside is the world's, and goes
 * with it, even that of a broken one, unless the thread has a list of its own (base/memory.h). scree_step is such an
 * attempt; a program that builds a world by itself does it in one. */
bool scree_world_attempt(scree_world *w, attempt_fn *work, void *what, fail *why);

/* A body to be added. Mass and inertia follow from shape, size and the material's density. */
typedef struct new_body {
	int32_t shape, material;
	real size;
	vec3 position;
	quat orientation; /* of the user's frame of the shape; scree_world_add turns it to the principal frame */
	vec3 velocity, angular_velocity;
	int32_t flags;
} new_body;

/* Adds bodies with rising ids; returns the first id. Pairs are found anew in the next step. */
uint64_t scree_world_add(const model *m, state *s, work *w, int64_t count, const new_body *body);
/* Takes bodies out by rows (ascending), histories too; what energy they had leaves the ledger. Ghosts go in silence. */
void scree_world_remove(const model *m, state *s, work *w, int64_t count, const int32_t *row);

/* Puts body i into the cell of the periods, with the velocity that it has there. */
void scree_world_wrap(state *s, int32_t i);
/* Where body i would be if it had never been put back. */
vec3 scree_world_unwrapped(const state *s, int32_t i);
/* Code of the image of body b that a meets, of slot `slot` of pair[kind] (model/periods.h). */
int32_t scree_world_image(const state *s, int kind, int64_t slot);

/* One time step, by forces or by impulses. False with w->why set when a guard stops the run, or when the step broke
 * off: then the world is `broken`. Different worlds may be stepped by different threads at the same time. */
bool scree_step(scree_world *w);
/* So many of them, or as many as there are until the first that returns false. Nobody looks at the world in between,
 * which makes it faster where many bodies fly (work/flights.h). */
bool scree_steps(scree_world *w, int64_t steps);

/* What contact row k of pair[kind] is, for those who look at it between steps: not written by the step itself. */
typedef struct contact_look {
	vec3 normal, at;	 /* from b to a; m, from the centre of a */
	real depth;			 /* m */
	contact_force force; /* of contacts with one point by positions, velocities and springs of now */
	real elastic;		 /* J, in the normal spring */
} contact_look;
contact_look scree_contact_look(const model *m, const state *s, int kind, int64_t k);

/* Is contact row k counted here, or where the other body is owned? One with a wall is the body's. */
SCREE_FN bool scree_contact_counted(const state *s, int kind, int64_t k)
{
	const pair_list *l = s->pair + kind;
	return pair_on_wall(kind) || bodies_counted(&s->body, l->ca[k], l->cb[k]);
}

/* The thickness of the bodies of contact row k, where they meet (shape/thickness.h); infinite for walls, surfaces with
 * a halo and two spheres, which have other guards. */
struct two_thick scree_contact_thickness(const model *m, const state *s, int kind, int64_t k);

/* Part of the least thickness by which two bodies may move against each other in a step, so that it cannot hide more
 * than half of it (src/narrow/bodies_over_bodies.c). */
#define STEP_OF_THICKNESS ((real)0.125)
/* Did bodies move so far in this step that one could have come over another? By the fastest and the thinnest alone.
 * Solvers have a bound of their own. */
SCREE_FN bool scree_step_is_long(const model *m, const work *w)
{
	return !m->solver && 2 * real_max(w->drift_way, w->skin.step) > STEP_OF_THICKNESS * w->thinnest;
}

/* What names it. */
contact_key scree_contact_key(const state *s, int kind, int64_t k);

/* What all bodies do to a wall in this step: N, and N m about its place. Moving walls have it in their row, too. */
typedef struct wall_load {
	vec3 force, torque;
	int64_t contacts;
} wall_load;
wall_load scree_wall_load(const model *m, const state *s, const work *w, int32_t wall);

/* Contacts that slide: their friction is as great as the Coulomb cone lets it be. The others stick. */
int64_t scree_world_sliding(const model *m, const state *s, const work *w);

/* Stress in the cell of a world with periods, Pa, compression positive: xx, yy, zz, xy, xz, yz
 * (docs/theory/periodic.md)
 */
void scree_world_stress(const model *m, const state *s, const work *w, real stress[6]);

/* Of the contacts between two polyhedra in the last step those along a face's normal (Type 1 of Govender, Wilke and Kok
 * 2015) and those along the normal of two edges (Type 2). */
typedef struct contact_types {
	int64_t face, edge;
} contact_types;
contact_types scree_world_contact_types(const model *m, const state *s, const work *w);

/* of this moment, at whatever step; of all parts */
energy_row scree_world_energy(const model *m, const state *s, const work *w);

/* where its pairs are: what kinds of them there are (state/pair_kinds.h) */
SCREE_FN pair_place scree_world_place(const model *m)
{
	return !m->flat ? PAIRS_IN_SPACE : m->narrow->gives ? PAIRS_IN_PLANE_BY_AREA : PAIRS_IN_PLANE;
}

/* Does x come before y by the ids of who crosses? */
SCREE_FN bool crossing_before(const bodies *b, const crossing *x, const crossing *y)
{
	if (!x->found || !y->found) return x->found;
	if (x->a != y->a) return b->id[x->a] < b->id[y->a];
	if (x->wall != y->wall) return x->wall < y->wall;
	return x->b != y->b && b->id[x->b] < b->id[y->b];
}

/* May a slot of this kind have several contacts? */
SCREE_FN bool scree_world_many(const model *m, int kind)
{
	const pair_row *row = scree_pair_kinds + kind;
	return row->many || (m->narrow->many && !row->formula && !row->on_wall);
}

/* hash of the state, independent of the order of rows: by ids, and of how the world is divided */
uint64_t scree_world_hash(const model *m, const state *s, const work *w);
/* Of the bodies from .. to-1: the sum of a hash of each, so that those of the parts of a world add up to that of the
 * whole. repeats: some axis does, and the cells that bodies have crossed are counted. */
uint64_t scree_bodies_hash(const bodies *b, int32_t from, int32_t to, bool repeats);

#endif
