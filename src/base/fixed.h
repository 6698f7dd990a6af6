/* fixed.h: sums that no order can change. Integers of 192 bits count quanta of 2^-90 of their unit (J, N, N m): values
 * up to 1e30 fit with a resolution of 8e-28. Adding a value that does not fit makes the sum no number for good. */
#ifndef SCREE_BASE_FIXED_H
#define SCREE_BASE_FIXED_H

#include "base/real.h"

__extension__ typedef __int128 int128;

typedef struct fixed {
	int128 quanta;	/* with sign: all of a sum up to 1.4e11 */
	int64_t beyond; /* multiples of 2^128 quanta; INT64_MIN: the sum is no number */
} fixed;

void scree_fixed_add(fixed *sum, real value);
void scree_fixed_join(fixed *sum, fixed other);
real scree_fixed_value(fixed sum); /* NaN where the sum is no number */

#endif
