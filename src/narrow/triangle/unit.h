/* unit.h: powers of two near a size. Scaling by a power of two preserves all digits, and squares of the scaled numbers
 * neither underflow nor overflow. */
#ifndef SCREE_NARROW_TRIANGLE_UNIT_H
#define SCREE_NARROW_TRIANGLE_UNIT_H

#include "kernel/triangle.h"

#ifdef SCREE_TRIANGLE_FLOAT
typedef uint32_t triangle_bits;
enum { MANTISSA = 23, EXPONENTS = 0xff };
#else
typedef uint64_t triangle_bits;
enum { MANTISSA = 52, EXPONENTS = 0x7ff };
#endif

SCREE_FN tri_number number_of_bits(triangle_bits bits)
{
	tri_number x;
	memcpy(&x, &bits, sizeof x);
	return x;
}

/* Returns the largest power of two with a finite inverse that does not exceed a size > 0. */
SCREE_FN triangle_bits unit_bits(tri_number size)
{
	triangle_bits bits;
	memcpy(&bits, &size, sizeof bits);
	triangle_bits least = (triangle_bits)1 << MANTISSA, most = (triangle_bits)(EXPONENTS - 2) << MANTISSA;
	bits &= (triangle_bits)EXPONENTS << MANTISSA;
	bits = bits < least ? least : bits;
	return bits > most ? most : bits;
}

SCREE_FN triangle_bits inverse_bits(triangle_bits unit) { return ((triangle_bits)(EXPONENTS - 1) << MANTISSA) - unit; }

#endif
