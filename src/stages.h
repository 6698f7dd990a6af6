/* stages.h: the stages of a step, in order (step_forces.c, step_impulses.c). Each reads and writes arrays of the world
 * and knows no other. */
#ifndef SCREE_STAGES_H
#define SCREE_STAGES_H

#include "base/parallel.h"
#include "world/world.h"

/* population/: before the pairs of a step: takes out, then adds. True when anything changed. */
bool scree_population_run(const model *m, state *s, work *w);
/* motion/: of integrators that keep derivatives: the second, of bodies from .. to-1, from the forces as they stand. */
void scree_motion_start(const model *m, state *s, int64_t from, int64_t to);
/* motion/: half a kick and a whole move; velocities become those predicted for the end of the step. */
void scree_forces_to_motion_drift(const model *m, state *s, work *w);
/* motion/: those bodies put off their steps from here on, if nobody looks at them soon; and make those that they have
 * put off. */
void scree_flights_begin(state *s, work *w);
void scree_flights_land(const model *m, state *s, work *w);
/* motion/: of worlds with periods: bodies that left the cell come in on the other side. */
void scree_bodies_to_cells(const model *m, state *s, work *w);
/* motion/: half a kick and a whole move of walls that press with a given force, by the load of the last step. */
void scree_servos_drift(walls *s, real time, real dt);
/* motion/: the other half of their kick, by the new load. */
void scree_servos_kick(walls *s, real time, real dt);
/* broad/: which pairs may touch before the next call; histories follow by key. */
void scree_bodies_to_pairs(const model *m, state *s, work *w);
/* has anything left the reach of the pairs? */
bool scree_pairs_stale(const model *m, const state *s, const work *w);
/* broad/: contact rows for those pairs that may touch before the next call. */
void scree_pairs_to_rows(const model *m, state *s, work *w);
/* broad/: which bodies can meet nothing for some steps: they get no rows. The inner skin may become wider. */
void scree_pairs_to_flights(const model *m, state *s, work *w);
/* how far bodies may move before these are chosen anew */
void scree_rows_margins(const model *m, state *s, work *w);
/* has anything left the reach of these? */
bool scree_rows_stale(const work *w);
/* step_pairs.c: the four above: pairs, rows and records when something may have left their reach */
void scree_pairs_renew(const model *m, state *s, work *w);
/* step_pairs.c: ghosts as their owners have them now: after the drift, and after the kick for those who look at
 * contacts between steps */
void scree_ghosts_follow(state *s, work *w);
/* motion/: what the next stages ask of partners, packed anew: the drift did it, but bodies lie in another order now. */
void scree_bodies_to_records(state *s, work *w);
/* motion/: of ghosts alone, which others have moved. */
void scree_ghosts_to_records(state *s, work *w);
/* narrow/, broad/: what they keep from step to step; the memory of a search, and its counts */
struct narrow_work *scree_narrow_work_new(void);
void scree_narrow_work_free(struct narrow_work *w);
struct broad_work *scree_broad_work_new(void);
void scree_broad_work_free(struct broad_work *w);
broad_search *scree_work_search(const work *w);
/* narrow/: how pairs of triangles were told apart since the world was made or loaded. */
surface_counts scree_surfaces_counted(const work *w);
/* narrow/: which rows touch, with what normal, overlap and points. Two spheres are left to the law: one formula. */
void scree_pairs_to_contacts(const model *m, state *s, work *w);
/* narrow/: is an overlap of two bodies so deep beside their thickness that they may come through each other? */
void scree_bodies_into_bodies(const model *m, state *s, work *w);
/* narrow/: did a body come over another one within this step? */
void scree_bodies_over_bodies(const model *m, state *s, work *w);
/* narrow/: the first of two by ids is kept; of the same bodies the deepest */
void scree_keep_first_passing(const bodies *b, const passing *a, passing *first);
/* narrow/: the least thickness between two bodies, where bodies came or went */
void scree_thinnest_renew(const model *m, state *s, work *w);
/* narrow/: has the centre of a body come to the other side of a wall in the step that ends at this time? */
void scree_bodies_through_walls(const model *m, state *s, work *w, real time);
/* law/: forces and torques of every contact; contacts that ended leave their energies to the ledger. */
void scree_contacts_to_forces(const model *m, state *s, work *w);
/* law/: hands what contact row k of a list remembers to the ledger (NULL: another part of the world counts it) and
 * forgets it: it does not touch any more */
void scree_contact_end(ledger *to, pair_list *l, int64_t k, real dt);
/* sum/: room for the sums; anew: bodies came or went, or lie in another order: what a quantum of force is, who is wide.
 */
void scree_sums_prepare(const model *m, state *s, work *w, bool anew);
/* sum/: what contacts have added is as if they had not. */
void scree_sums_forget(work *w);
/* sum/: forces to bodies and to walls that move. */
void scree_forces_to_bodies(const model *m, state *s, work *w);
/* sum/: of worlds with a fluid: drag and buoyancy, beside the forces of contacts. */
void scree_fluid_to_bodies(const model *m, state *s, work *w);
/* motion/: the other half of the kick. */
void scree_forces_to_motion_kick(const model *m, state *s, work *w);
/* motion/: of steps by impulses, whose solver has made the velocities: greatest speed, and whether a body is outside.
 */
void scree_bodies_to_guards(const model *m, state *s, work *w);

/* All stages between a drift and a kick, for bodies where they are: before the first step, and of a world just loaded,
 * whose contacts nobody has looked at. Springs of friction go on by a step. */
void scree_forces_of_the_start(const model *m, state *s, work *w);

/* step_brought.c: contacts of a world before its first step that remember another run: NULL, or what they remember,
 * found before the law evaluates them; their part of the ledger and the histories as they came, after it; and the
 * forces on bodies, after all else. The last call frees it. */
typedef struct brought brought;
brought *scree_brought_find(state *s);
void scree_brought_settle(const model *m, state *s, work *w, brought *b, const ledger *before);
void scree_brought_end(state *s, brought *b);

/* The two kinds of step (world.h, scree_step). */
bool scree_step_forces(const model *m, state *s, work *w);
bool scree_step_impulses(const model *m, state *s, work *w);

#endif
