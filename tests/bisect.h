/* bisect.h: simple bisection by work, for tests that divide bodies into parts of equal work. */
#ifndef SCREE_TESTS_BISECT_H
#define SCREE_TESTS_BISECT_H

#include "ranks/division/partition.h"

/* Each cutting plane halves the work along an axis approximately, or has a random position, so some parts are empty.
 * Random numbers are derived from the points: the same points are divided into the same parts. */
cut_fn bisect;

#endif
