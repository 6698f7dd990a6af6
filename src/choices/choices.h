/* choices.h: the tables of choices, by number and by name. The tables are in a layer above the stages, to whose
 * functions they refer; a row is looked up when a world is created, read or changed, and is part of the model. The
 * first row is the default. Rows that follow one paper are in papers/, which a build with SCREE_PAPERS=OFF omits. */
#ifndef SCREE_CHOICES_CHOICES_H
#define SCREE_CHOICES_CHOICES_H

#include "base/real.h"
#include "broad/broad.h"
#include "model/choices.h"
#include "model/integrator.h"
#include "model/law.h"
#include "model/narrow.h"
#include "model/response.h"
#include "model/sharing.h"

extern const choices scree_broads, scree_narrows, scree_integrators, scree_sharings, scree_responses;

SCREE_FN const broad *scree_broad_row(int k) { return scree_choice(&scree_broads, k); }
SCREE_FN const broad *scree_broad_find(const char *name) { return scree_choice_find(&scree_broads, name); }

SCREE_FN const narrow *scree_narrow_row(int k) { return scree_choice(&scree_narrows, k); }
/* A narrow phase of the calling program, found by name. NULL: none. Set it before the first world is created. */
extern const narrow *scree_narrow_guest;
const narrow *scree_narrow_find(const char *name); /* NULL: none */

SCREE_FN const integrator *scree_integrator_row(int k) { return scree_choice(&scree_integrators, k); }

SCREE_FN const sharing *scree_sharing_row(int k) { return scree_choice(&scree_sharings, k); }

SCREE_FN const response *scree_response_row(int k) { return scree_choice(&scree_responses, k); } /* first: `forces` */
SCREE_FN const response *scree_response_find(const char *name) { return scree_choice_find(&scree_responses, name); }
/* A text that says which data of contacts are kept when `is` follows `was` between steps; neither may have a solver. */
const char *scree_response_keeps(const response *was, const response *is);
/* Reason why `is` cannot follow `was` during a run; NULL if it can. */
const char *scree_response_stays(const response *was, const response *is);

/* Enums in kernels are row numbers in scree_laws (model/law.h) and scree_triangle_ways; rows from papers/ are last. */
const char *scree_law_name(int k);				   /* NULL if this build has fewer laws */
const char *scree_triangle_way_name(int k);		   /* NULL if this build has fewer methods */
int32_t scree_triangle_way_find(const char *name); /* Number of the method with this name; -1 if there is none. */

/* Tests whether this build omits the row of this name. */
bool scree_choice_left_out(const char *name);

#endif
