/* rows.h: table rows for the options that implement published methods (rows.c); empty in builds without papers
 * (none.c). */
#ifndef SCREE_PAPERS_ROWS_H
#define SCREE_PAPERS_ROWS_H

#include "model/choices.h"

extern const choice_rows scree_paper_broads, scree_paper_narrows, scree_paper_integrators, scree_paper_sharings;
extern const choice_rows scree_paper_responses;
/* names of all these rows, including rows that the build omits; ends with NULL */
extern const char *const scree_paper_names[];
/* Tests whether this build omits the row of this name. */
bool scree_paper_left_out(const char *name);

#endif
