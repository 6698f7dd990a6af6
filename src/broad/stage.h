/* stage.h: pairs that may touch, and contact rows: what a step calls. */
#ifndef SCREE_BROAD_STAGE_H
#define SCREE_BROAD_STAGE_H

#include "broad/broad.h"
#include "model/model.h"
#include "state/state.h"
#include "work/work.h"

/* which pairs may touch before the next call; histories follow by key. */
void scree_bodies_to_pairs(const model *m, state *s, work *w);
/* has anything left the reach of the pairs? */
bool scree_pairs_stale(const model *m, const state *s, const work *w);
/* contact rows for those pairs that may touch before the next call. */
void scree_pairs_to_rows(const model *m, state *s, work *w);
/* which bodies can meet nothing for some steps: they get no rows. The inner skin may become wider. */
void scree_pairs_to_flights(const model *m, state *s, work *w);
/* how far bodies may move before these are chosen anew */
void scree_rows_margins(const model *m, state *s, work *w);
/* has anything left the reach of these? */
bool scree_rows_stale(const work *w);
struct broad_work *scree_broad_work_new(void);
void scree_broad_work_free(struct broad_work *w);
broad_search *scree_work_search(const work *w);

#endif
