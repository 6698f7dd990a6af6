/* notes.h: what a person should know of a scene before it runs: what is allowed, and weak,
 * and what its meshes are like. */
#ifndef SCREE_RUN_NOTES_H
#define SCREE_RUN_NOTES_H

#include "world/world.h"

/* Prints one line for each note; none for most scenes. until: s, the end of the run */
void scree_notes_print(const scree_world *w, real until);
/* Is the step longer than what is known to be safe, as the scene allows it to be? */
bool scree_notes_unsafe(const scree_world *w);
/* notes_start.c: of bodies that overlap before the first step */
void scree_notes_print_start(const scree_world *w);
/* notes_backs.c: of bodies, and sources, all of which start behind walls and fall through them */
void scree_notes_print_backs(const scree_world *w);

/* notes_sources.c: of sources whose region is no place for their bodies: before a run, */
void scree_notes_print_sources(const scree_world *w);
/* after each step, once for each source, as soon as it has found no place for some time, */
void scree_notes_tell_sources(scree_world *w);
/* and at the end: how many bodies came of those that should have come, where that is less */
void scree_notes_close_sources(const scree_world *w);

/* notes_servos.c: mass and greatest speed of servos, which follow from the bodies where the scene does not give them */
void scree_notes_print_servos(const scree_world *w);
/* notes_sinks.c: sinks that take all bodies, before a run and at its end */
void scree_notes_print_sinks(const scree_world *w);
void scree_notes_close_sinks(const scree_world *w);
/* notes_length.c: runs of more steps than can be waited for, and why steps are that short */
void scree_notes_print_length(const scree_world *w, real until);

#endif
