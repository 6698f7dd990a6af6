/* step.h: the three kinds of step, and what they do with bodies where they are, between two steps. */
#ifndef SCREE_STEP_STEP_H
#define SCREE_STEP_STEP_H

#include "base/real.h"
#include "model/declared.h"

/* The three kinds of step (world.h, scree_step); rows of responses name them (model/response.h). */
bool scree_step_forces(const model *m, state *s, work *w);
bool scree_step_implicit(const model *m, state *s, work *w);
bool scree_step_impulses(const model *m, state *s, work *w);

/* common.c, in the order of a step. begin: bodies come and go; before the first step, its first forces. */
void scree_step_begin(const model *m, state *s, work *w);
/* Moves bodies and walls to the end of the step; false, with a report, if a position is not a number. */
bool scree_step_drift(const model *m, state *s, work *w);
/* Renews pairs, contact rows and records when bodies may have left the reach of their pairs. */
void scree_pairs_renew(const model *m, state *s, work *w);
/* Copies the owners' values to ghosts if these have the values before a kick: where contacts are read between steps. */
void scree_ghosts_catch_up(const model *m, state *s, work *w);
/* Looks for what guards test, in the step that ends at this time; the answers come with the next scree_join. */
void scree_step_look(const model *m, state *s, work *w, real time);
/* Steps with forces, after the kick of bodies: that of a cell, what guards test, and the numbers of all parts of the
 * world. */
void scree_step_join(const model *m, state *s, work *w);
/* And the kick of walls; the step is counted. */
void scree_step_end(const model *m, state *s, work *w);
/* Time and number of the step that has ended. */
void scree_step_count(const model *m, state *s);
/* Whether bodies are read between this step and the next: flying bodies must then be where they belong. */
bool scree_step_is_read(const model *m, const state *s, const work *w);
/* Tests all guards of a step; false, with a report, if the run must stop. */
bool scree_step_holds(const model *m, state *s, work *w);

/* now.c: contacts of bodies where they are, at the time of the state. _read: only if the geometry of contacts is not
 * that of the present positions, or that of a loaded world, which is not saved. */
void scree_contacts_of_now(const model *m, state *s, work *w);
void scree_contacts_read(const model *m, state *s, work *w);
/* Forces of contacts by their laws, or, in implicit steps, all forces on bodies: contacts are found ahead first. time:
 * s, of positions and velocities */
void scree_contacts_answer(const model *m, state *s, work *w, real time);
/* Forces on bodies and loads of walls, after that. */
void scree_forces_of_now(const model *m, state *s, work *w);
/* The greatest overlap of bodies, after that. */
void scree_overlaps_of_now(const model *m, state *s, work *w);

#endif
