/* parallel.h: threads, through this one door. */
#ifndef SCREE_BASE_PARALLEL_H
#define SCREE_BASE_PARALLEL_H

#include <stdint.h>

/* work on items from .. to-1; thread counts from 0. Must not depend on how items are cut or on which thread runs. */
typedef void parallel_fn(void *what, int64_t from, int64_t to, int thread);

/* Calls work over 0 .. count-1 in pieces of grain, on all threads; returns when all are done. When
 * others use the threads, and when there is one piece, all are done by the caller. */
void scree_parallel(parallel_fn *work, void *what, int64_t count, int64_t grain);
enum { SCREE_MOST_THREADS = 64 };
/* of jobs that this thread of the program has; 0: as many as the machine has; at most SCREE_MOST_THREADS */
void scree_set_threads(int threads);
int scree_threads(void);

/* For tests: from here on pieces are taken in an order that the seed chooses; 0: one after the other. */
void scree_parallel_shuffle(uint64_t seed);

#endif
