/* report.h: maxima, and sums of 128 bits in two words, to which all items of a kernel contribute. Only kernels include
 * this header. */
#ifndef SCREE_KERNEL_REPORT_H
#define SCREE_KERNEL_REPORT_H

#include "kernel/fixed_words.h"
#include "kernel/item.h"

#ifdef SCREE_KERNEL
/* Sets the maximum. Most items find a larger number there already, without an atomic operation. */
SCREE_ITEM_FN void report_most(SCREE_GLOBAL uint64_t *to, real x)
{
	const uint64_t bits = bits_of(x);
	uint64_t was = *to, seen = was;
	while (bits > was && (seen = atomic_swap(to, was, bits)) != was) was = seen;
}

/* Adds to a sum; returns false if it is then out of range. */
SCREE_ITEM_FN bool report_plus(SCREE_GLOBAL uint64_t *to, two_words x)
{
	const uint64_t before = x.low ? atomic_plus(to, x.low) : 0, more = x.high + (before + x.low < before ? 1 : 0);
	return !more || !words_exceed(atomic_plus(to + 1, more), more);
}

/* The same for a value in quanta of `fixed` (base/fixed.h), which may be too large itself, or no number. */
SCREE_ITEM_FN bool report_value(SCREE_GLOBAL uint64_t *to, real value)
{
	return fixed_is_small(value) && report_plus(to, fixed_words(value));
}
#endif

#endif
