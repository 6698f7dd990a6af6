/* stage.h: the stage that finds pairs that may touch, and chooses contact rows. */
#ifndef SCREE_BROAD_STAGE_H
#define SCREE_BROAD_STAGE_H

#include "broad/broad.h"
#include "model/declared.h"

/* Finds pairs that may touch before the next call; histories are matched by key. */
void scree_bodies_to_pairs(const model *m, state *s, work *w);
/* Tests whether any body has moved so far that the pairs are no longer valid. */
bool scree_pairs_stale(const model *m, const state *s, const work *w);
/* Like scree_pairs_stale, but only for this part of the world. */
bool scree_pairs_stale_here(const model *m, const state *s, const work *w);
/* Chooses contact rows for pairs that may touch before the next call. */
void scree_pairs_to_rows(const model *m, state *s, work *w);
bool scree_rows_stale(const work *w); /* tests whether any body has moved so far that the rows are no longer valid */
/* Length in m that a period must exceed, so that bodies of this radius meet through at most one image while a search is
 * valid: twice the diameter, the reach of cohesion and the skin. */
real scree_skin_least_period(const model *m, real largest);
struct broad_work *scree_broad_work_new(void);
void scree_broad_work_free(struct broad_work *w);
broad_search *scree_work_search(const work *w);

#endif
