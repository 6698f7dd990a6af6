/* step.h: the three kinds of step, and the work before the first step of a world. */
#ifndef SCREE_STEP_H
#define SCREE_STEP_H

#include "model/model.h"
#include "state/state.h"
#include "work/work.h"
#include "world/world.h"

/* step_common.c, in the order of a step. drift: moves bodies and walls to the end of the step; false, with a report, if
 * a position is not a number. */
bool scree_step_drift(const model *m, state *s, work *w);
/* Renews pairs, contact rows and records when bodies may have left the reach of their pairs. */
void scree_pairs_renew(const model *m, state *s, work *w);
/* Copies the owners' current values to ghosts. */
void scree_ghosts_follow(const model *m, state *s, work *w);
/* The same, if ghosts have the values before a kick: where contacts are read between steps. */
void scree_ghosts_catch_up(const model *m, state *s, work *w);
/* Time and number of the step that has ended. */
void scree_step_count(const model *m, state *s);
/* Looks for what guards test, in the step that ends at this time; the answers come with the next scree_domain_join. */
void scree_step_look(const model *m, state *s, work *w, real time);
/* Tests all guards of a step; false, with a report, if the run must stop. */
bool scree_step_holds(const model *m, state *s, work *w);
/* Forces of contacts by their laws, or, in implicit steps, all forces on bodies: contacts are found ahead first. time:
 * s, of positions and velocities */
void scree_contacts_answer(const model *m, state *s, work *w, real time);
/* step_implicit.c: external forces, and impulses of the contacts ahead */
void scree_contacts_to_impulses(const model *m, state *s, work *w, real time);
/* Contacts of bodies where they are, at the time of the state; and forces on bodies, after the law. _read: only if the
 * geometry of contacts is not that of the present positions, or that of a loaded world, which is not saved. */
void scree_contacts_of_now(const model *m, state *s, work *w);
void scree_contacts_read(const model *m, state *s, work *w);
void scree_forces_of_now(const model *m, state *s, work *w);
/* Forces of the fluid and of a program, when the numbers of all parts of the world are there. */
void scree_external_forces_joined(const model *m, state *s, work *w);
/* The greatest overlap of bodies, after the law. */
void scree_overlaps_of_now(const model *m, state *s, work *w);
/* All stages between a drift and a kick, with bodies where they are: before the first step, and for a world just
 * loaded, whose contacts have not been read yet. Springs of friction advance by one step. */
void scree_forces_of_the_start(const model *m, state *s, work *w);
/* step_restored.c: contacts whose histories come from another run, in a world before its first step. find: these
 * histories, or NULL, before the law evaluates the contacts. settle: puts back histories and their part of the
 * ledger, after the law. end: puts back the forces on bodies, after all else, and frees b. */
typedef struct restored restored;
restored *scree_restored_find(state *s, const work *w);
void scree_restored_settle(const model *m, state *s, work *w, restored *b, const ledger *before);
void scree_restored_end(state *s, restored *b);
/* changes.c: the law evaluates the present contacts, and accounts stay. ahead: s, by which their springs are ahead as
 * after the law; less if they are earlier */
void scree_contacts_evaluate(const model *m, state *s, work *w, real ahead);
/* step_response.c: another response between two steps. _change: prepares the world for it, with springs at the time of
 * the state; between: no step is made by it; came: the response before; false with a message. _evaluate: forces of
 * contacts, which have been found, by the new response, or by implicit steps after any change. */
bool scree_response_change(scree_world *w, const new_response *to, bool between, const response **came, fail *why);
void scree_response_evaluate(const model *m, state *s, work *w, const response *came);
/* step_size.c: from here on, time continues in steps of another length than that of the model. */
void scree_time_restep(const model *m, state *s);
/* The three kinds of step (world.h, scree_step). */
bool scree_step_forces(const model *m, state *s, work *w);
bool scree_step_implicit(const model *m, state *s, work *w);
bool scree_step_impulses(const model *m, state *s, work *w);

#endif
