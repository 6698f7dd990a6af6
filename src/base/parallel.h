/* parallel.h: the only access to threads. */
#ifndef SCREE_BASE_PARALLEL_H
#define SCREE_BASE_PARALLEL_H

#include <stdint.h>

/* work on items from .. to-1; thread counts from 0. Results must not depend on the division of items or on the
 * threads. */
typedef void parallel_fn(void *what, int64_t from, int64_t to, int thread);

/* Calls work over 0 .. count-1 in pieces of grain, on all threads; returns when all are done. If other callers use
 * the threads, or there is only one piece, the caller does all. */
void scree_parallel(parallel_fn *work, void *what, int64_t count, int64_t grain);
enum { SCREE_MOST_THREADS = 64 };
/* threads for jobs of the calling thread; 0: as many as the machine has; at most SCREE_MOST_THREADS */
void scree_set_threads(int threads);
int scree_threads(void);

/* For tests: from now on pieces are taken in an order set by the seed; 0: in sequence. */
void scree_parallel_shuffle(uint64_t seed);

#endif
