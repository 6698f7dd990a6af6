/* parallel.h: the only interface to threads. */
#ifndef SCREE_BASE_PARALLEL_H
#define SCREE_BASE_PARALLEL_H

#include <stdint.h>

/* processes items from .. to-1 in thread 0, 1, ...; results must not depend on the division of items or on threads */
typedef void parallel_fn(void *what, int64_t from, int64_t to, int thread);

/* Calls work over 0 .. count-1 in pieces of `grain` items, on all threads; returns when all are done. If other callers
 * use the threads, or if there is only one piece, the caller does all the work. */
void scree_parallel(parallel_fn *work, void *what, int64_t count, int64_t grain);
enum { SCREE_MOST_THREADS = 64 };
/* number of threads for jobs of the calling thread, at most SCREE_MOST_THREADS; 0 for as many as the machine has */
void scree_set_threads(int threads);
int scree_threads(void);

void scree_parallel_shuffle(uint64_t seed); /* for tests: seed for the order of pieces; 0: in sequence */

#endif
