/* notes.h: prints lines of text about a scene before its run, and about the run at its end. */
#ifndef SCREE_REPORT_NOTES_H
#define SCREE_REPORT_NOTES_H

#include "base/fail.h"
#include "base/memory.h"
#include "base/real.h"
#include "base/shown.h"
#include "model/declared.h"

#include <stdio.h>

/* Prints one line for each note; most scenes have none. until: end of the run, in s */
void scree_notes_print(FILE *to, const scree_world *w, real until);
/* Tests whether the step is longer than is known to be safe, which a scene may permit. */
bool scree_notes_unsafe(const scree_world *w);
/* notes_backs.c: notes on bodies that start behind walls and fall through, and on sources whose bodies all do so */
void scree_notes_print_backs(FILE *to, const scree_world *w);

/* notes_population.c, before a run: notes on sources without a free position for their bodies */
void scree_notes_print_sources(FILE *to, const scree_world *w);
/* notes_population.c, after each step: finds and reports, once, sources without a free position for some time */
bool scree_notes_blocked(const scree_world *w);
void scree_notes_print_blocked(FILE *to, scree_world *w);
/* notes_population.c, at the end: numbers of bodies placed and planned, if bodies are missing */
void scree_notes_close_sources(FILE *to, const scree_world *w);

/* notes_held.c: notes on held bodies that will, by this time, meet bodies or walls with which they have no contacts */
void scree_notes_print_held(FILE *to, const scree_world *w, real until);
/* notes_population.c: notes, before a run and at its end, on sinks that remove all bodies */
void scree_notes_print_sinks(FILE *to, const scree_world *w);
void scree_notes_close_sinks(FILE *to, const scree_world *w);
/* prints the overlaps expected until this time, if they are beyond the range of the laws */
void scree_notes_print_overlaps(FILE *to, const scree_world *w, real until);

void scree_summary_print_run(FILE *to, const scree_world *w); /* summary.c: prints the lines at the start of a run */
/* prints the lines of a check, with each pair of materials; until: end of the run, in s */
void scree_summary_print_check(FILE *to, const scree_world *w, real until);

/* summary.c: prints one line with an estimate of the time that the run takes */
void scree_clocks_print_time(FILE *to, const scree_world *w, real until);

typedef enum overlap_cause {
	STIFFNESS_OF_IMPACT,
	STIFFNESS_OF_LOAD,
	STIFFNESS_OF_BOTH /* either: unknown */
} overlap_cause;
/* prints by how much the stiffness of these materials, the impact speed or the pressure must change to bring an overlap
 * of this size, as a fraction of the smaller body, within the range of the laws. */
void scree_stiffness_print(FILE *to, const scree_world *w, const int32_t material[2], real part, overlap_cause by);

/* closing.c: prints times of stages, energies, the largest overlap and counts; energy that was not conserved; the time
 * step that bodies required; sources and sinks; and the given hash of the state. */
void scree_closing_print(FILE *to, scree_world *w, uint64_t hash);
/* prints the mean load of each servo of a wall or of the cell, and warnings about loads that miss their targets */
void scree_closing_print_servos(FILE *to, const scree_world *w);

/* tables.c: prints the rows of a table (NULL: all tables); returns false with an error message for an unknown table */
bool scree_tables_print(FILE *to, const char *table, fail *why);

#endif
