/* shares.h: the contacts of one pair share its mass. */
#ifndef SCREE_LAW_SHARES_H
#define SCREE_LAW_SHARES_H

#include "law/job.h"

/* Writes `share` of contact rows from .. end-1 of a list, which hold whole pairs. Called after the narrow phase and
 * before the loop of the law. */
void scree_law_shares(const job *j, int kind, int64_t from, int64_t end);
/* The shares of contacts with walls that forces move, after those of the pairs (wall_shares.c). */
void scree_law_wall_shares(const model *m, const state *s, work *w);

#endif
