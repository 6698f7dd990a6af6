/* parallel: the only file that includes omp.h. */
#include "base/parallel.h"

#include <omp.h>

static int threads;

void scree_set_threads(int wanted)
{
	threads = wanted > 0 ? wanted : omp_get_num_procs();
	if (threads > SCREE_MOST_THREADS) threads = SCREE_MOST_THREADS;
}

int scree_threads(void)
{
	if (!threads) scree_set_threads(0);
	return threads;
}

void scree_parallel(parallel_fn *work, void *what, int64_t count, int64_t grain)
{
	if (count <= 0) return;
	int64_t pieces = (count + grain - 1) / grain;
	if (scree_threads() == 1 || pieces == 1) {
		for (int64_t k = 0; k < pieces; ++k)
			work(what, k * grain, (k + 1) * grain < count ? (k + 1) * grain : count, 0);
		return;
	}
#pragma omp parallel for schedule(dynamic, 1) num_threads(threads)
	for (int64_t k = 0; k < pieces; ++k)
		work(what, k * grain, (k + 1) * grain < count ? (k + 1) * grain : count, omp_get_thread_num());
}
