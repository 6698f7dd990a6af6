/* clocks: the duration of contacts, of the flow and of the run. */
#ifndef SCREE_REPORT_CLOCKS_H
#define SCREE_REPORT_CLOCKS_H

#include "base/real.h"
#include "model/declared.h"

#include <stdio.h>

/* Prints one line that compares these durations, and proposes a response of contacts. Nothing is printed if bodies do
 * not touch or do not move. */
void scree_clocks_print(FILE *to, const scree_world *w, real until);
/* Prints one line with an estimate of the time that the run takes. */
void scree_clocks_print_time(FILE *to, const scree_world *w, real until);

#endif
