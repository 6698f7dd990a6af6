/* quanta.h: numbers as whole quanta. Integers have a sum that no order changes (docs/theory/sums.md). Values. */
#ifndef SCREE_KERNEL_QUANTA_H
#define SCREE_KERNEL_QUANTA_H

#include "base/real.h"

#include <string.h>

SCREE_FN uint64_t bits_of(real x)
{
	uint64_t bits;
	memcpy(&bits, &x, sizeof bits);
	return bits;
}

/* the integer nearest to x, of two the even one; |x| < 2^51: adding 1.5 * 2^52 leaves no room for a fraction */
SCREE_FN int64_t quanta_small(real x)
{
	const real ones = (real)6755399441055744.0;
	return (int64_t)(bits_of(x + ones) - bits_of(ones));
}

/* The same for |x| < 2^61, in two parts, multiples of 2^26 first: every width of vectors has what this asks for. What
 * is not below that, or not a number, gives an integer without meaning: who calls holds x against QUANTA_MOST. */
SCREE_FN int64_t quanta_of(real x)
{
	const real ones = (real)6755399441055744.0, parts = (real)453347182355485940514816.0; /* 1.5 * 2^52, 1.5 * 2^78 */
	real high = x + parts, low = (x - (high - parts)) + ones;							  /* the difference is exact */
	return (int64_t)((bits_of(high) << 26) + bits_of(low) - ((bits_of(parts) << 26) + bits_of(ones)));
}
/* of an integer without meaning, too */
SCREE_FN int64_t opposite(int64_t quanta) { return (int64_t)(0 - (uint64_t)quanta); }

static const real QUANTA_MOST = (real)2305843009213693952.0; /* 2^61 */

#endif
