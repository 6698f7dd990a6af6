/* rank_threads.h: ranks in one process, each of which is a thread with a small stack; only a few of these threads run
 * at a time. Hundreds of ranks are possible, each with its own attempts, memory lists and number of threads. A rank
 * passes on its turn while it waits for a message, so a deadlock (no rank can continue) is always detected; all waits
 * then return. */
#ifndef SCREE_TESTS_RANK_THREADS_H
#define SCREE_TESTS_RANK_THREADS_H

#include "ranks/messages/transport.h"

/* Work of a rank. A failure in this function ends it (base/fail.h) and is reported to the other ranks. */
typedef void rank_fn(channel *c, void *what);

typedef struct thread_ranks {
	int32_t ranks;
	int32_t at_once; /* number of ranks that run at a time; with 1, a run depends only on the seed */
	uint64_t seed; /* seed for the order in which ranks run and messages are received; 0 for first come, first served */
	rank_fn *work;
	void *what;
} thread_ranks;

extern const transport_row scree_transport_threads;

/* Runs all ranks until they end. why: [ranks] failures that ended the work of ranks, with code 0 for ranks without a
 * failure; or NULL. Returns false, with an error message in why[0], if the system refuses to create the threads; in
 * this case, no rank has run. */
bool scree_thread_ranks_run(const thread_ranks *o, fail *why);

#endif
