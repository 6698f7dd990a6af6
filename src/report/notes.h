/* notes.h: notes on a scene before it runs: settings that are allowed but weak, and properties of its meshes. */
#ifndef SCREE_REPORT_NOTES_H
#define SCREE_REPORT_NOTES_H

#include "base/real.h"
#include "model/declared.h"

#include <stdio.h>

/* Prints one line for each note; none for most scenes. until: s, the end of the run */
void scree_notes_print(FILE *to, const scree_world *w, real until);
/* Whether the step, as the scene allows, is longer than is known to be safe. */
bool scree_notes_unsafe(const scree_world *w);
/* notes_backs.c: notes on bodies, and on sources with all their bodies, that start behind walls and fall through
 * them */
void scree_notes_print_backs(FILE *to, const scree_world *w);

/* notes_sources.c, before a run: notes on sources whose region has no free position for their bodies */
void scree_notes_print_sources(FILE *to, const scree_world *w);
/* notes_sources.c, after each step: whether a source has found no position for some time that was not reported yet;
 * and the report on each of them, once */
bool scree_notes_blocked(const scree_world *w);
void scree_notes_print_blocked(FILE *to, scree_world *w);
/* notes_sources.c, at the end: number of bodies placed and planned, where some are missing */
void scree_notes_close_sources(FILE *to, const scree_world *w);

/* notes_held.c: held bodies that, by this time, will run into bodies or walls with which they have no contacts */
void scree_notes_print_held(FILE *to, const scree_world *w, real until);
/* notes_sinks.c: notes on sinks that take all bodies, before a run and at its end */
void scree_notes_print_sinks(FILE *to, const scree_world *w);
void scree_notes_close_sinks(FILE *to, const scree_world *w);
/* overlaps beyond the range of the laws that are expected until this time */
void scree_notes_print_overlaps(FILE *to, const scree_world *w, real until);

#endif
