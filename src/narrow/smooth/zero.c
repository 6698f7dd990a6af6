/* zero: finds the zero of a decreasing function. */
#include "narrow/smooth/smooth.h"

/* TURNS_A_HALF: number of rounds in which the width of an interval must halve */
enum { MOST_TURNS = 240, TURNS_A_HALF = 4 };
/* slope, relative to the slopes at the ends of an interval, below which a slope counts as zero */
static const real FLAT = 1e-15;

real scree_smooth_zero(smooth_slope *slope, const void *of, const real x[2], const real y[2])
{
	real a = x[0], b = x[1], fa = y[0], fb = y[1], best = fa < -fb ? a : b, least = real_min(fa, -fb), wide = b - a;
	const real enough = FLAT * real_max(fa, -fb);
	int moved = 0; /* 1 if the last step moved a, -1 if it moved b */
	for (int k = 1; k <= MOST_TURNS && least > enough; ++k) {
		real m = (a * fb - b * fa) / (fb - fa);
		if (k % TURNS_A_HALF == 0) {
			if (2 * (b - a) > wide) m = (a + b) / 2;
			wide = b - a;
		}
		if (!(m > a && m < b)) m = (a + b) / 2;
		if (!(m > a && m < b)) break;
		const real f = slope(of, m);
		if (real_abs(f) < least) best = m, least = real_abs(f);
		if (f > 0) {
			if (moved > 0) fb /= 2;
			a = m, fa = f, moved = 1;
		} else {
			if (moved < 0) fa /= 2;
			b = m, fb = f, moved = -1;
		}
	}
	return best;
}
