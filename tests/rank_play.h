/* rank_play.h: rounds of messages and sums between ranks; all contents are functions of the ranks and the round, so
 * each rank can check everything it receives. */
#ifndef SCREE_TESTS_RANK_PLAY_H
#define SCREE_TESTS_RANK_PLAY_H

#include "ranks/messages/transport.h"

typedef struct play_plan {
	uint64_t seed;
	int64_t rounds;
	int32_t reach; /* number of neighbours on each side in a ring of ranks */
	size_t most;   /* bytes of a segment */
} play_plan;

/* Returns false, with an error message, if the transport reports a failure, or if a message has wrong content ("wrong
 * content"). */
bool rank_play(channel *c, const play_plan *p, fail *why);

/* Maxima and sums with NaN, infinity, and large terms that cancel. As rank_play. */
bool rank_sums(channel *c, fail *why);

/* Neighbours of a rank in a ring, each once, in ascending order of rank; returns their number, at most 2 * reach. */
int32_t rank_neighbours(int32_t rank, int32_t ranks, int32_t reach, int32_t *neighbour);

#endif
