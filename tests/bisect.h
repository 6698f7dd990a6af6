/* bisect.h: simple bisection by work, for tests that divide bodies into parts with equal work. */
#ifndef SCREE_TESTS_BISECT_H
#define SCREE_TESTS_BISECT_H

#include "ranks/division/partition.h"

/* Each cutting plane either roughly halves the work along an axis or has a random position, so some parts are empty.
 * Random numbers are derived from the points, so the same points are always divided into the same parts. */
cut_fn bisect;

#endif
