/* source_state.h: counters and random streams of sources, counters of sinks. */
#ifndef SCREE_STATE_SOURCE_STATE_H
#define SCREE_STATE_SOURCE_STATE_H

#include "base/random.h"
#include "base/real.h"

struct source;

typedef struct source_state {
	int64_t made, waiting_tries; /* bodies so far; failed tries since the last one */
	random_stream random;
	real mass; /* kg of these bodies, added in their order */
} source_state;

typedef struct sink_state {
	int64_t taken;
	real mass_taken; /* kg, in the order of ids */
} sink_state;

/* Number of bodies that the source should have placed by this time; estimated from their mean mass if it has a mass
 * rate or a total mass. */
int64_t scree_source_expected(const struct source *s, const source_state *now, real time);
/* s: time for which the next body has found no free space in any step; 0 if it may just be due */
real scree_source_waits(const struct source *s, const source_state *now, real dt);

#endif
