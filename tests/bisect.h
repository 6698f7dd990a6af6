/* bisect.h: simple bisection by work, for tests of parts that are cut by work. */
#ifndef SCREE_TESTS_BISECT_H
#define SCREE_TESTS_BISECT_H

#include "ranks/division/partition.h"

/* Each plane is near half of the work along an axis, or anywhere, so that some parts are empty. Random numbers follow
 * from the points: the same points get the same parts. */
cut_fn bisect;

#endif
