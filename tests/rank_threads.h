/* rank_threads.h: ranks in one process, each a thread with a small stack, of which only a few run at a time. Hundreds
 * of ranks fit, each with its own attempts, memory lists and number of threads. A rank passes its turn on while it
 * waits for a message; so it is certain when no rank can continue, and then every wait ends. */
#ifndef SCREE_TESTS_RANK_THREADS_H
#define SCREE_TESTS_RANK_THREADS_H

#include "ranks/messages/transport.h"

/* Work of a rank. A failure inside ends it (base/fail.h) and is reported to the others. */
typedef void rank_fn(channel *c, void *what);

typedef struct thread_ranks {
	int32_t ranks;
	int32_t at_once; /* ranks that run at a time; with 1 a run depends on the seed alone */
	uint64_t seed;	 /* order in which ranks run and messages are found; 0: first come, first served */
	rank_fn *work;
	void *what;
} thread_ranks;

extern const transport_row scree_transport_threads;

/* Runs all ranks to their ends. why: [ranks] failures that ended the work of ranks, code 0: none; or NULL. False, with
 * an error message in why[0], if the system refuses the threads; then no rank has run. */
bool scree_thread_ranks_run(const thread_ranks *o, fail *why);

#endif
