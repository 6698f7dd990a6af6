#include "base/fixed.h"

static const real SCALE = 1237940039285380274899124224.0; /* 2^90 */
static const real BEYOND = 274877906944.0;				  /* 2^38, the value of 2^128 quanta */
static const real SMALL = 1.3e11, LARGEST = 1e30;

/* quanta of a value with |value| < SMALL */
static int128 quanta_of(real value)
{
	/* value = high + low, where high is a multiple of 2^-37: both conversions to 64 bits are exact or rounded once */
	real scaled = value * 137438953472.0; /* 2^37: below 2^74, still exact */
	if (!(scaled > -9.2e18 && scaled < 9.2e18)) return (int128)(value * SCALE);
	int64_t high = (int64_t)scaled;
	real low = (scaled - (real)high) * 9007199254740992.0; /* 2^53 */
	return (int128)high * ((int128)1 << 53) + (int64_t)low;
}

/* All steps are exact: a double of this size has no bits below 2^-16. */
static fixed large(real value)
{
	if (!(value > -LARGEST && value < LARGEST)) return (fixed){0, FIXED_NO_NUMBER}; /* includes NaN */
	const int64_t beyond = (int64_t)(value / BEYOND);
	const real rest = value - (real)beyond * BEYOND; /* below 2^38: its quanta may need 129 bits */
	fixed sum = {quanta_of(rest / 2), beyond};
	scree_fixed_join(&sum, (fixed){quanta_of(rest / 2), 0});
	return sum;
}

void scree_fixed_add(fixed *sum, real value)
{
	const bool small = value > -SMALL && value < SMALL;
	scree_fixed_join(sum, small ? (fixed){quanta_of(value), 0} : large(value));
}

void scree_fixed_join(fixed *sum, fixed other)
{
	const bool none = sum->beyond == FIXED_NO_NUMBER || other.beyond == FIXED_NO_NUMBER, up = other.quanta > 0;
	int128 total; /* sum of the low 128 bits of both numbers */
	int64_t carry = __builtin_add_overflow(sum->quanta, other.quanta, &total) ? (up ? 1 : -1) : 0;
	sum->quanta = total;
	if (none || __builtin_add_overflow(sum->beyond, carry, &carry) ||
		__builtin_add_overflow(other.beyond, carry, &sum->beyond))
		sum->beyond = FIXED_NO_NUMBER;
}

real scree_fixed_value(fixed sum)
{
	if (sum.beyond == FIXED_NO_NUMBER) return (real)NAN;
	const real low = (real)sum.quanta / SCALE;
	return sum.beyond ? (real)sum.beyond * BEYOND + low : low;
}
