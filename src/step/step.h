/* step.h: the three kinds of step, and functions for contacts at the current positions, between two steps. */
#ifndef SCREE_STEP_STEP_H
#define SCREE_STEP_STEP_H

#include "base/real.h"
#include "model/declared.h"

/* The three kinds of step (world.h, scree_step); the table of responses refers to them (model/response.h). */
bool scree_step_forces(const model *m, state *s, work *w);
/* All of scree_step_forces after the drift, for a device that has moved the bodies. */
bool scree_step_after_drift(const model *m, state *s, work *w);
bool scree_step_implicit(const model *m, state *s, work *w);
bool scree_step_impulses(const model *m, state *s, work *w);

/* common.c, in the order of a step. begin: adds and removes bodies; before the first step, computes initial forces. */
void scree_step_begin(const model *m, state *s, work *w);
/* Moves bodies and walls to the end of the step; returns false, with a report, if a position is NaN or infinite. */
bool scree_step_drift(const model *m, state *s, work *w);
/* Renews pairs, contact rows and records if bodies may have moved so far that their pairs are no longer valid. */
void scree_pairs_renew(const model *m, state *s, work *w);
/* Copies the owners' values to ghosts that lack them after a kick; called where contacts are read between steps. */
void scree_ghosts_catch_up(const model *m, state *s, work *w);
/* Computes what guards test for the step that ends at this time, which is complete after the next scree_join. */
void scree_step_look(const model *m, state *s, work *w, real time);
/* In explicit steps, after the kick of bodies: the kick of a cell, and numbers of guards and all parts of the world. */
void scree_step_join(const model *m, state *s, work *w);
/* Kicks walls, and counts the step. */
void scree_step_end(const model *m, state *s, work *w);
/* Sets time and number of the step that has ended. */
void scree_step_count(const model *m, state *s);
/* Tests whether bodies are read between this step and the next, so that flying bodies must be up to date. */
bool scree_step_is_read(const model *m, const state *s, const work *w);
/* Tests all guards of a step; returns false, with a report, if the run must stop. */
bool scree_step_holds(const model *m, state *s, work *w);

/* now.c: finds contacts of bodies at their current positions, at the time of the state. _read: only if the geometry of
 * contacts does not belong to the present positions, or after loading, since snapshots do not contain the geometry. */
void scree_contacts_of_now(const model *m, state *s, work *w);
void scree_contacts_read(const model *m, state *s, work *w);
/* Computes contact forces or, in implicit steps after a search ahead, all forces on bodies. time: of the state, in s */
void scree_contacts_answer(const model *m, state *s, work *w, real time);
/* After scree_contacts_answer: computes forces on bodies and loads of walls. */
void scree_forces_of_now(const model *m, state *s, work *w);
/* After scree_contacts_answer: computes the largest overlap of bodies. */
void scree_overlaps_of_now(const model *m, state *s, work *w);

#endif
