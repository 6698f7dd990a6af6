/* mixed_bits.h: a hash of one word. */
#ifndef SCREE_KERNEL_MIXED_BITS_H
#define SCREE_KERNEL_MIXED_BITS_H

#include "base/real.h"

SCREE_FN uint64_t mixed_bits(uint64_t x)
{
	x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
	x = (x ^ x >> 27) * 0x94d049bb133111ebu;
	return x ^ x >> 31;
}

#endif
