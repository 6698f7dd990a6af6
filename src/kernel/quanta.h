/* quanta.h: numbers as whole quanta. Integer sums are independent of order (docs/theory/sums.md). Values. */
#ifndef SCREE_KERNEL_QUANTA_H
#define SCREE_KERNEL_QUANTA_H

#include "base/real.h"

/* The integer nearest to x, ties to even, for |x| < 2^51. It works since the sum with 1.5 * 2^52 has no fraction
 * bits. */
SCREE_FN int64_t quanta_small(real x)
{
	const real ones = (real)6755399441055744.0;
	return (int64_t)(bits_of(x + ones) - bits_of(ones));
}

/* The nearest integer for |x| < 2^61, in two parts (multiples of 2^26 first), with operations of all vector widths.
 * Greater values and NaN give a meaningless integer: the caller compares x with QUANTA_MOST. */
SCREE_FN int64_t quanta_of(real x)
{
	const real ones = (real)6755399441055744.0, parts = (real)453347182355485940514816.0; /* 1.5 * 2^52, 1.5 * 2^78 */
	real high = x + parts, low = (x - (high - parts)) + ones;							  /* the difference is exact */
	return (int64_t)((bits_of(high) << 26) + bits_of(low) - ((bits_of(parts) << 26) + bits_of(ones)));
}
/* -quanta, without undefined behaviour for meaningless integers. */
SCREE_FN int64_t opposite(int64_t quanta) { return (int64_t)(0 - (uint64_t)quanta); }

SCREE_CONSTANT real QUANTA_MOST = (real)2305843009213693952.0; /* 2^61 */

#endif
