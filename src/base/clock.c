#include "base/clock.h"

#include <time.h>

const char *const scree_clock_names[CLOCK_STAGES] = {"population", "drift", "broad", "narrow", "walls",
													 "law",		   "sum",	"kick",	 "solver", "output"};

static double read_clock(clockid_t which)
{
	struct timespec t;
	clock_gettime(which, &t);
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

double scree_now(void) { return read_clock(CLOCK_MONOTONIC); }

double scree_processor_time(void) { return read_clock(CLOCK_PROCESS_CPUTIME_ID); }

void scree_clock_start(clock_table *c) { c->lap = scree_now(); }

void scree_clock_lap(clock_table *c, clock_stage stage)
{
	double now = scree_now();
	if (c->lap > 0) /* 0 if never started, for example when the response of a loaded world was changed */
		c->seconds[stage] += now - c->lap;
	c->lap = now;
}
