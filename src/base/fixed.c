#include "base/fixed.h"

static const real SCALE = 1237940039285380274899124224.0; /* 2^90 */
static const real LARGEST = 1.3e11;

void scree_fixed_add(fixed *sum, real value)
{
	if (!(value > -LARGEST && value < LARGEST)) { /* NaN too */
		sum->overflowed = 1;
		return;
	}
	/* value = high + low with high a multiple of 2^-37: both conversions to 64 bits are then exact or rounded once */
	real scaled = value * 137438953472.0; /* 2^37: below 2^74, still exact */
	int128 quanta;
	if (scaled > -9.2e18 && scaled < 9.2e18) {
		int64_t high = (int64_t)scaled;
		real low = (scaled - (real)high) * 9007199254740992.0; /* 2^53 */
		quanta = (int128)high * ((int128)1 << 53) + (int64_t)low;
	} else {
		quanta = (int128)(value * SCALE);
	}
	int128 total;
	if (__builtin_add_overflow(sum->quanta, quanta, &total)) sum->overflowed = 1;
	sum->quanta = total;
}

void scree_fixed_join(fixed *sum, fixed other)
{
	int128 total;
	if (__builtin_add_overflow(sum->quanta, other.quanta, &total)) sum->overflowed = 1;
	sum->quanta = total;
	sum->overflowed |= other.overflowed;
}

real scree_fixed_value(fixed sum) { return sum.overflowed ? (real)NAN : (real)sum.quanta / SCALE; }
