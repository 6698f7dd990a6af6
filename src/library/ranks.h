/* ranks.h: simulations that are divided among the processes of a launcher; private to src/library. */
#ifndef SCREE_LIBRARY_RANKS_H
#define SCREE_LIBRARY_RANKS_H

#include "library/internal.h"

/* All ranks, before and after a simulation is divided; the only part in a single process. */
domain scree_ranks_domain(void);
/* Whether the call has succeeded at all ranks; else s->why is the reason at all of them. */
bool scree_ranks_agree(bool here, fail *why);
/* The channel of this rank to the others; NULL: there are none. */
struct channel *scree_ranks_channel(void);
/* Whether this process is one of several ranks. */
bool scree_ranks_have_begun(void);
/* Whether all ranks have this number. */
bool scree_ranks_same(uint64_t hash);
/* The world and the plan that rank 0 has, without bodies and contacts, at the other ranks. False, with s->why. */
bool scree_sim_from_first(scree_sim *s);
/* Replaces finite numbers by those of rank 0, if it alone has the bodies yet: between scree_ranks_divide and the first
 * step of a simulation that it opened for all. All ranks call it. */
void scree_sim_as_first(const scree_sim *s, int count, double *x);
/* The number of threads of a rank that may use this many, all of its node. */
int scree_ranks_share(int threads);
/* Tells the other ranks that the work of this one was broken off. */
void scree_ranks_tell(const fail *why);

/* Keeps this rank's part, before the first step of a simulation that scree_ranks_divide has planned. */
void scree_sim_divide(scree_sim *s);
/* Whether it is so at any rank of a divided simulation. */
bool scree_sim_any(scree_sim *s, bool here);
/* The world of all ranks at rank 0, NULL at others; the world itself if it is not divided. All ranks call both. */
scree_world *scree_sim_whole(scree_sim *s);
void scree_sim_whole_end(scree_sim *s, scree_world *whole);

#endif
