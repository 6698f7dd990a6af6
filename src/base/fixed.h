/* fixed.h: sums that no order can change. 128-bit integers count quanta of 2^-90 of their unit (J, N, N m), so that
 * values up to 1.4e11 fit with a resolution of 8e-28; adding a value that does not fit marks the sum as overflowed for
 * good. */
#ifndef SCREE_BASE_FIXED_H
#define SCREE_BASE_FIXED_H

#include "base/real.h"

__extension__ typedef __int128 int128;

typedef struct fixed {
	int128 quanta;
	int64_t overflowed; /* not 0: the value means nothing */
} fixed;

void scree_fixed_add(fixed *sum, real value);
void scree_fixed_join(fixed *sum, fixed other);
real scree_fixed_value(fixed sum); /* NaN when overflowed */

#endif
