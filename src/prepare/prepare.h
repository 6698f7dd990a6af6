/* prepare.h: what a world derives from what it was given, before its first step or after it was loaded, and whether it
 * can have it. */
#ifndef SCREE_PREPARE_PREPARE_H
#define SCREE_PREPARE_PREPARE_H

#include "state/contact_key.h"
#include "world/world.h"

/* Call once after set-up or loading: derives the constants of the laws, checks or sets the step.
 * step_part: the step wanted as a part of the shortest contact time (0: 1/50), with a solver as the part of the
 * smallest diameter that the fastest body moves (0: 1/20); step: seconds, or 0 to use the part. */
bool scree_world_prepare(scree_world *w, real step_part, real step, fail *why);

/* Gives pairs their history after loading: the next search for pairs hands it over by key. */
void scree_world_restore_pairs(model *m, state *s, work *w, int kind, int64_t count, const contact_key *key,
							   const pair_list *history);

/* The histories of contacts by their keys, in order, to be given to scree_world_restore_contacts. */
typedef struct kept_contacts {
	int64_t count[PAIR_KINDS];
	contact_key *key[PAIR_KINDS];
	pair_list history[PAIR_KINDS];
} kept_contacts;
/* of all contacts that remember something; NULL: none does */
kept_contacts *scree_world_keep_contacts(const state *s);
/* Room for so many contacts of a kind, with what contacts of the world remember. */
void scree_kept_contacts_room(kept_contacts *o, const state *s, int kind, int64_t count);
/* Gives them back and frees them. */
void scree_world_restore_contacts(model *m, state *s, work *w, kept_contacts *o);

/* Is every period longer than two cut-offs of the bodies that there are or will be, and may its walls stand there? */
bool scree_world_periods_check(const model *m, const state *s, const work *w, fail *why);
/* Does the integrator turn all shapes of bodies that there are or will be? */
bool scree_world_turns_check(const model *m, const state *s, fail *why);
/* What walls that press with a given force take from the bodies of the start: mass, stiffness of a contact, limit of
 * speed. False when the step cannot follow them. */
bool scree_world_servos_set(model *m, state *s, fail *why);
/* Finds the contacts of a world before its first step and notes in `start` what overlaps; nothing else changes. */
void scree_world_look_at_start(model *m, state *s, work *w);
/* Before the first step: contacts, forces, energies and overlaps as they are at t = 0, for all that reads the world.
 * Afterwards all of it must be hidden again before a step is made or a snapshot is written; forces stay. */
typedef struct start_shown {
	ledger energy;
	clock_table clock;
	kept_contacts *came; /* with their histories, from another run; NULL: none did */
} start_shown;
start_shown scree_world_show_start(model *m, state *s, work *w);
void scree_world_hide_start(model *m, state *s, work *w, const start_shown *before);

/* of the smallest diameter: what the fastest body moves in a step by impulses unless another step is given */
static const real SCREE_USUAL_WAY = (real)0.05;
/* The part of scree_world_prepare for worlds with a solver: can it have this world, and the step. */
bool scree_world_impulses_prepare(model *m, state *s, work *w, real part, real step, fail *why);

#endif
