/* rows.h: the rows of papers in the tables of choices (rows.c); empty in builds without papers (none.c). */
#ifndef SCREE_PAPERS_ROWS_H
#define SCREE_PAPERS_ROWS_H

#include "model/choices.h"

extern const choice_rows scree_paper_broads, scree_paper_narrows, scree_paper_integrators, scree_paper_sharings;
extern const choice_rows scree_paper_responses;
/* names of all these rows, including those that are left out; NULL ends them */
extern const char *const scree_paper_names[];
/* Tests whether the build has left out the row of this name. */
bool scree_paper_left_out(const char *name);

#endif
