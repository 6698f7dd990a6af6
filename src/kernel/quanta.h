/* quanta.h: numbers as whole quanta. Integers have a sum that no order changes (docs/theory/sums.md). Values. */
#ifndef SCREE_KERNEL_QUANTA_H
#define SCREE_KERNEL_QUANTA_H

#include "base/real.h"

#include <string.h>

/* the integer nearest to x, of two the even one; |x| < 2^51: adding 1.5 * 2^52 leaves no room for a fraction */
SCREE_FN int64_t quanta_small(real x)
{
	const real shift = (real)6755399441055744.0;
	real moved = x + shift;
	int64_t bits, zero;
	memcpy(&bits, &moved, sizeof bits);
	memcpy(&zero, &shift, sizeof zero);
	return bits - zero;
}

/* The same for |x| < 2^61, in two parts: every width of vectors has what it asks for. What is not below that, or not a
 * number, gives an integer without meaning: who calls holds x against QUANTA_MOST. */
SCREE_FN int64_t quanta_of(real x)
{
	const real part = 67108864, shift = (real)6755399441055744.0; /* 2^26 */
	real high = (x * (1 / part) + shift) - shift;				  /* exact from here on */
	return (int64_t)((uint64_t)quanta_small(high) << 26) + quanta_small(x - high * part);
}
static const real QUANTA_MOST = (real)2305843009213693952.0; /* 2^61 */

#endif
