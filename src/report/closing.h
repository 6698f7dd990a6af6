/* closing.h: the closing lines of a run. */
#ifndef SCREE_REPORT_CLOSING_H
#define SCREE_REPORT_CLOSING_H

#include "base/real.h"
#include "model/declared.h"

#include <stdio.h>

/* Prints times of stages, energies, the largest overlap and counts; energy that was not conserved; the demand of
 * bodies on the time step; sources and sinks; the state's hash, which is given. */
void scree_closing_print(FILE *to, scree_world *w, uint64_t hash);
/* A line per servo of a wall or of the cell with its mean load, and warnings about those that were not as asked for. */
void scree_closing_print_servos(FILE *to, const scree_world *w);

#endif
