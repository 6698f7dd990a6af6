/* stage.h: the stage that finds pairs that may touch, and chooses contact rows. */
#ifndef SCREE_BROAD_STAGE_H
#define SCREE_BROAD_STAGE_H

#include "broad/broad.h"
#include "kernel/image.h"
#include "kernel/margin.h"
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
/* For searches on a device. Chooses the skin for the next search, and returns the rule for all margins. */
margin_rule scree_skin_choose(const model *m, const state *s, work *w);
/* Starts the period in which new pairs are valid, which lasts until a margin is used up. walls_at: time of the wall
 * poses in the search; slots: number of pairs of bodies */
void scree_skin_start(const model *m, const state *s, work *w, real walls_at, int64_t slots);
/* Makes room for groups and their facets, which the caller sets; for _give below. */
struct wall_groups *scree_wall_groups_room(work *w, int kind, int64_t groups, int64_t facets);
/* Replaces the slots of a kind by these pairs, sorted. Each has a contact row, whose history the caller sets.
 * met: images in periodic space, for pairs of bodies; otherwise NULL */
void scree_pair_list_give(state *s, work *w, int kind, int64_t count, const int32_t *a, const int32_t *b,
						  const image *met);
struct broad_work *scree_broad_work_new(void);
void scree_broad_work_free(struct broad_work *w);
broad_search *scree_work_search(const work *w);

#endif
