/* world.h: all the data of a simulation, and the functions that do the work. The state is the content of a snapshot,
 * defined by step(load(save(w))) == step(w), bit for bit. Everything else is derived and may be recomputed. */
#ifndef SCREE_WORLD_WORLD_H
#define SCREE_WORLD_WORLD_H

#include "base/memory.h"
#include "kernel/bond.h"
#include "model/model.h"
#include "model/narrow.h"
#include "state/contact_key.h"
#include "state/state.h"
#include "work/work.h"

typedef struct scree_world {
	model model;
	state state;
	work work;
	bool broken;		/* an operation on the world failed halfway (see `why`); it can only be freed */
	memory_list memory; /* memory blocks of scree_world_attempt */
} scree_world;

/* Work of a stage for several threads, on the pairs of one kind or on all bodies. */
typedef struct kind_job {
	const model *m;
	state *s;
	work *w;
	int kind;
} kind_job;

scree_world *scree_world_new(void);
void scree_world_free(scree_world *w);

/* Calls work(what), which may do anything to the world. Returns false, with a message in why, if it failed
 * (base/fail.h) or if the world was broken before; the world can then only be freed. Memory allocated by the work
 * belongs to the world and is freed with it, even if the world is broken, unless the thread has its own list
 * (base/memory.h). scree_step is such an attempt; a program that builds a world itself should also use one. */
bool scree_world_attempt(scree_world *w, attempt_fn *work, void *what, fail *why);

/* A body to be added. Mass and inertia are computed from the shape, the size and the density of the material. */
typedef struct new_body {
	int32_t shape, material;
	real size;
	vec3 position;
	quat orientation; /* orientation of the user's frame; scree_world_add converts it to the principal frame */
	vec3 velocity, angular_velocity;
	int32_t flags;
	real temperature; /* temperature in K, in worlds with heat; 0 for the temperature of the model */
} new_body;

/* Arrays per body that a world has in addition to the common ones. */
field_table scree_world_asks(const model *m);
/* Adds bodies with ascending ids; returns the id of the first. The next step searches for pairs again. */
uint64_t scree_world_add(const model *m, state *s, work *w, int64_t count, const new_body *body);
/* Removes bodies in these ascending rows, with their histories and, except for ghosts, their energy in the ledger. */
void scree_world_remove(const model *m, state *s, work *w, int64_t count, const int32_t *row);
/* Gives ghosts the values of their owners. when: defined in ranks/together/domain.h */
void scree_world_follow(state *s, const work *w, share when);

/* Increases when rows are moved, added or removed, or arrays reallocated; until then, pointers and rows are valid. */
SCREE_FN uint64_t scree_world_epoch(const scree_world *w) { return w->state.body.epoch; }

/* Kinds of data that a caller has changed between two steps, by writing to the arrays or tables of the world. */
enum {
	CHANGED_POSITIONS = 1,	/* positions or orientations of bodies */
	CHANGED_VELOCITIES = 2, /* velocities or angular velocities of bodies; momenta are updated */
	CHANGED_MATERIALS = 4,	/* materials, contact rules, gravity or the fluid */
	CHANGED_WALLS = 8,		/* geometry, motion or material of walls */
	CHANGED_BODIES = 16,	/* bodies were added or removed by the two functions above */
	CHANGED_ALL = 31
};
/* Call scree_world_changing before the changes; it records the ledger. Call scree_world_changed after them; it
 * recomputes everything that depends on the changed data (constants, contacts, forces). Contacts that persist keep
 * their histories. Energy that the caller added or removed is entered as `brought`. If `changing` was not called since
 * the last step, energy that the integration created since the energy guard's last reading is also entered as
 * `brought`. Returns false if the world is now impossible, with a message in why (for `changing`, in w->work.why); the
 * world is then broken. In a divided world, all parts call both functions. */
bool scree_world_changing(scree_world *w);
bool scree_world_changed(scree_world *w, uint32_t what, fail *why);

/* A new response of contacts; neither the old nor the new response may have a solver. */
typedef struct new_response {
	const struct response *by;
	real part, step; /* as for scree_world_prepare (prepare/prepare.h); both 0 for the usual length */
} new_response;
/* Like scree_world_changed, but with a new response from the next step on (src/change/response.c). Springs of contacts
 * are kept if they have the same meaning, but no other data of the last steps (scree_response_keeps). */
bool scree_world_respond(scree_world *w, const new_response *to, uint32_t what, fail *why);

/* In worlds with a solver: applies the external force on body i to its velocity for this duration in s. */
void scree_world_push(const model *m, state *s, int32_t i, real seconds);
/* Wraps body i into the periodic cell, with the velocity it has there. */
void scree_world_wrap(const model *m, state *s, int32_t i);
vec3 scree_world_unwrapped(const model *m, const state *s, int32_t i);
/* Code of the image of body b that a meets, for slot `slot` of pair[kind] (model/periods.h). */
int32_t scree_world_image(const model *m, const state *s, int kind, int64_t slot);

/* Makes one time step. Returns false, with w->why set, if a guard stops the run or if the step failed, in which case
 * the world is `broken`. Different threads may step different worlds at the same time. */
bool scree_step(scree_world *w);
/* Makes this number of steps, or stops after the first step that returns false. The world is not read between these
 * steps, which is faster if many bodies are in free flight (work/flights.h). */
bool scree_steps(scree_world *w, int64_t steps);

/* time at the end of a step, which may be in the future, in s; computed from the last change of the time step */
SCREE_FN real scree_time_of(const model *m, const state *s, int64_t step)
{
	return s->time_from + (real)(step - s->step_from) * m->dt;
}
/* end of the interval of a step, half a step after its time, in s; intervals have no gaps, but one may be empty */
SCREE_FN real scree_time_until(const model *m, const state *s, int64_t step)
{
	if (step == s->step_from && s->until_from > 0) return s->until_from;
	return real_max(scree_time_of(m, s, step) + m->dt / 2, s->until_from);
}
/* Changes the length of the following steps. Returns false, with a message in why and nothing changed, if the length is
 * not positive, or too long for the contacts, the images or a servo, so that no scene could set it either. */
bool scree_world_set_step(scree_world *w, real dt, fail *why);
/* Tests whether the run has chosen its own step, which may then be adapted to the load of contacts. */
bool scree_world_follows(const model *m);
/* Adapts the step of a run that has chosen it. load: the largest load over all parts, divided by the limit */
bool scree_world_follow_load(scree_world *w, real load, fail *why);

/* Properties of contact row k of pair[kind], for code that reads contacts between steps; no step stores them. */
typedef struct contact_look {
	vec3 normal, at;	 /* unit normal from b to a; contact point relative to the centre of a, in m */
	real depth;			 /* m */
	contact_force force; /* for one-point contacts, computed from current positions, velocities and springs */
	real elastic;		 /* energy of the normal spring, in J */
} contact_look;
contact_look scree_contact_look(const model *m, const state *s, const work *w, int kind, int64_t k);

const struct law_constants *scree_contact_constants(const model *m, const state *s, int kind, int64_t k);

/* Advances the springs of friction, rolling and twisting of all contacts by `by` seconds of the present slip. These
 * springs are stored half a step ahead, or a whole step with implicit steps. */
void scree_contacts_shift(const model *m, state *s, const work *w, real by);
/* Advances springs of bonds, which are also half a step ahead, or at the time of the state with implicit steps. */
void scree_bonds_shift(const model *m, state *s, real by);
bond_springs scree_bond_shifted(const model *m, const state *s, int64_t k, real by);
/* time by which springs of bonds are ahead of the state, in s */
SCREE_FN real bonds_are_ahead(const model *m) { return m->implicit ? 0 : m->dt / 2; }

/* Thickness at row k (shape/thickness.h); infinite for walls, halos and two spheres, which other guards check. */
struct two_thick scree_contact_thickness(const model *m, const state *s, int kind, int64_t k);

/* Fraction of the smallest thickness by which two bodies may move relative to each other in a step; at worst, a step
 * within this limit misses an overlap of half that displacement (src/narrow/bodies_over_bodies.c). */
#define STEP_OF_THICKNESS ((real)0.125)
/* Tests whether the fastest body could have passed over the thinnest in this step. Solvers have their own bound. */
SCREE_FN bool scree_step_is_long(const model *m, const work *w)
{
	return !m->solver && 2 * real_max(w->drift_way, w->skin.step) > STEP_OF_THICKNESS * w->thinnest;
}

/* Mean overlap of all overlapping contacts, as a fraction of the size of the smaller body; 0 if there are none. */
real scree_world_mean_overlap(const model *m, const state *s, const work *w);

contact_key scree_contact_key(const model *m, const state *s, int kind, int64_t k);

/* Load of all bodies on a wall in this step, in N, and in N m about its position; rows of moving walls contain it. */
typedef struct wall_load {
	vec3 force, torque;
	int64_t contacts;
} wall_load;
wall_load scree_wall_load(const model *m, const state *s, const work *w, int32_t wall);

/* Vector from the centre of b, or of its image, to the centre of a; for a wall, from the contact point. */
vec3 scree_contact_branch(const model *m, const state *s, const work *w, int kind, int64_t k);
/* sum of the normal forces of all contacts with a wall, in N */
real scree_wall_push(const model *m, const state *s, const work *w, int32_t wall);

/* Tests whether the friction of contact row k has reached the Coulomb cone. */
bool scree_contact_slides(const model *m, const state *s, const work *w, int kind, int64_t k);
int64_t scree_world_bonds(const state *s, const work *w);
bond_form scree_bond_form(const model *m, const state *s, int64_t k);
/* motion of the two spheres of contact row k, at the current positions and velocities */
bond_motion scree_bond_motion(const model *m, const state *s, int64_t k);
int64_t scree_world_sliding(const model *m, const state *s, const work *w);

/* fraction of the cell's volume filled by bodies; overlaps are counted twice */
real scree_world_solid_fraction(const model *m, const state *s, const work *w);
/* Stress in a periodic cell, in Pa, positive in compression: xx, yy, zz, xy, xz, yz (docs/theory/periodic.md). */
void scree_world_stress(const model *m, const state *s, const work *w, real stress[6]);

/* Number of contacts between two polyhedra in the last step: contacts along a face's normal (Type 1 of Govender, Wilke
 * and Kok 2015), and contacts along the common normal of two edges (Type 2). */
typedef struct contact_types {
	int64_t face, edge;
} contact_types;
contact_types scree_world_contact_types(const model *m, const state *s, const work *w);

/* largest speed of all bodies at the current time, in m/s; the kick of a step computes it */
real scree_world_greatest_speed(const state *s, const work *w);

/* scree_world_sum adds a count over all parts of the world; scree_world_bodies counts the bodies in all parts. */
int64_t scree_world_sum(const scree_world *w, int64_t here);
int64_t scree_world_bodies(const scree_world *w);

/* energies at the current time, over all parts; may be called at any step */
energy_row scree_world_energy(const model *m, const state *s, const work *w);

/* Heat from 0 K in all parts, in J (state/ledger.h): thermal = brought + walls + friction, except for rounding */
typedef struct heat_row {
	real thermal, walls, friction, brought;
} heat_row;
heat_row scree_world_heat(const model *m, const state *s, const work *w);

/* space of the world's pairs, which determines their kinds (state/pair_kinds.h) */
SCREE_FN pair_place scree_world_place(const model *m)
{
	return !m->flat ? PAIRS_IN_SPACE : m->narrow->gives ? PAIRS_IN_PLANE_BY_AREA : PAIRS_IN_PLANE;
}

/* Tests whether crossing x precedes crossing y in the order of the ids of their bodies. */
SCREE_FN bool crossing_before(const bodies *b, const crossing *x, const crossing *y)
{
	if (!x->found || !y->found) return x->found;
	if (x->a != y->a) return b->id[x->a] < b->id[y->a];
	if (x->wall != y->wall) return x->wall < y->wall;
	return x->b != y->b && b->id[x->b] < b->id[y->b];
}

/* Tests whether a slot of this kind may have several contacts. */
SCREE_FN bool scree_world_several(const model *m, int kind)
{
	const pair_row *row = scree_pair_kinds + kind;
	return row->several || (m->narrow->several && !row->formula && !row->on_wall);
}

/* hash of the state; does not depend on the order of rows (it uses ids) or on the division of the world */
uint64_t scree_world_hash(const model *m, const state *s, const work *w);
/* Sum of the hashes of bodies from .. to-1, to be added over parts. repeats: whether to hash crossed cells */
uint64_t scree_bodies_hash(const bodies *b, int32_t from, int32_t to, bool repeats);

#endif
