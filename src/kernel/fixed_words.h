/* fixed_words.h: the quanta of a sum that does not depend on the order of its terms (base/fixed.h), in two words of 64
 * bits, for devices without integers of 128 bits. */
#ifndef SCREE_KERNEL_FIXED_WORDS_H
#define SCREE_KERNEL_FIXED_WORDS_H

#include "base/real.h"

typedef struct two_words {
	uint64_t low, high;
} two_words;

SCREE_FN two_words words_of(int64_t x)
{
	two_words w = {(uint64_t)x, x < 0 ? ~(uint64_t)0 : 0};
	return w;
}

SCREE_FN two_words words_plus(two_words a, two_words b)
{
	two_words sum = {a.low + b.low, a.high + b.high};
	sum.high += sum.low < a.low ? 1 : 0;
	return sum;
}

/* x times 2^53 */
SCREE_FN two_words words_shifted(int64_t x)
{
	two_words w = {(uint64_t)x << 53, (uint64_t)(x >> 11)};
	return w;
}

/* Tests whether one word more takes the higher word of a sum beyond its range. */
SCREE_FN bool words_exceed(uint64_t high, uint64_t more)
{
	const uint64_t sum = high + more;
	return ((high ^ sum) & (more ^ sum)) >> 63;
}

/* Tests whether fixed_words supports a value, as base/fixed.c does: a number below 1.3e11 in size. */
SCREE_FN bool fixed_is_small(real value) { return value > (real)-1.3e11 && value < (real)1.3e11; }

/* The quanta of a value, as quanta_of in base/fixed.c computes them. A large value is a multiple of 2^-26. */
SCREE_FN two_words fixed_words(real value)
{
	const real scaled = value * (real)137438953472.0; /* 2^37 */
	const two_words large = {0, (uint64_t)(int64_t)(value * (real)67108864.0)};
	if (!(real_abs(value) < (real)67108864.0)) return large;
	const int64_t high = (int64_t)scaled;
	const real low = (scaled - (real)high) * (real)9007199254740992.0; /* 2^53 */
	return words_plus(words_shifted(high), words_of((int64_t)low));
}

/* The value of a sum, rounded once, as a compiler converts an integer of 128 bits. */
SCREE_FN real words_value(two_words sum)
{
	const bool below = (int64_t)sum.high < 0;
	uint64_t low = below ? 0 - sum.low : sum.low, high = below ? ~sum.high + (sum.low ? 0 : 1) : sum.high;
	real unit = (real)1.4901161193847656e-08; /* 2^-26, for the higher word */
	if (!high && !low) return 0;
	for (; !(high >> 63); unit /= 2) {
		high = high << 1 | low >> 63;
		low <<= 1;
	}
	const real size = unit * (real)(high | (low ? 1 : 0)); /* the last bit only affects rounding */
	return below ? -size : size;
}

#endif
