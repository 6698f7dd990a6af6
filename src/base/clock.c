#include "base/clock.h"

#include <time.h>

const char *const scree_clock_names[CLOCK_STAGES] = {"population", "drift", "broad", "narrow", "walls",
													 "law",		   "sum",	"kick",	 "solver", "output"};

double scree_now(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

void scree_clock_start(clock_table *c) { c->lap = scree_now(); }

void scree_clock_lap(clock_table *c, clock_stage stage)
{
	double now = scree_now();
	c->seconds[stage] += now - c->lap;
	c->lap = now;
}
