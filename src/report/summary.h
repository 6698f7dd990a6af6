/* summary.h: numbers of bodies, shapes and walls, the time step, materials, as text. */
#ifndef SCREE_REPORT_SUMMARY_H
#define SCREE_REPORT_SUMMARY_H

#include "base/real.h"
#include "model/declared.h"

#include <stdio.h>

/* the lines at the start of a run */
void scree_summary_print_run(FILE *to, const scree_world *w);
/* the lines of a check, with each pair of materials; until: s, the end of the run */
void scree_summary_print_check(FILE *to, const scree_world *w, real until);

#endif
