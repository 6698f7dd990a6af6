/* maths: each function reduces its argument to a small interval, either exactly or with a split constant, and evaluates
 * a Taylor series there, truncated where terms fall below half a unit in the last place. The functions are slower than
 * a tuned libm and are used only for set-up values and wall motions, outside inner loops. */
#include "base/maths.h"

#include <string.h>

static real from_bits(uint64_t bits)
{
	real x;
	memcpy(&x, &bits, sizeof x);
	return x;
}

/* 2^n for n from -1022 to 1023 */
static real power_of_two(int n) { return from_bits((uint64_t)(n + 1023) << 52); }

static const real not_a_number = (real)NAN;

real scree_floor(real x) { return real_floor(x); }

/* pi/2 in three parts: the first two have 33 bits each, so that products with integers below 2^20 are exact */
static const real HALF_PI_1 = 0x1.921fb544p+0, HALF_PI_2 = 0x1.0b4611a6p-34, HALF_PI_3 = 0x1.3198a2e037073p-69;

static real sin_series(real x)
{
	real s = x * x, t = 0;
	for (int k = 21; k > 1; k -= 2) t = -s / (real)(k * (k - 1)) * (1 + t);
	return x + x * t;
}

static real cos_series(real x)
{
	real s = x * x, t = 0;
	for (int k = 20; k > 0; k -= 2) t = -s / (real)(k * (k - 1)) * (1 + t);
	return 1 + t;
}

void scree_sincos(real x, real *sine, real *cosine)
{
	if (!(x > -1e9 && x < 1e9)) {
		*sine = *cosine = not_a_number;
		return;
	}
	real n = scree_floor(x / (HALF_PI_1 + HALF_PI_2) + (real)0.5);
	/* n may need 30 bits: it is split so that each product with a 33-bit constant is exact */
	real high = (real)(int64_t)(n / 1048576) * 1048576, low = n - high; /* rounded towards 0: high is 0 for small n */
	real r = ((((x - high * HALF_PI_1) - low * HALF_PI_1) - high * HALF_PI_2) - low * HALF_PI_2) - n * HALF_PI_3;
	real s = sin_series(r), c = cos_series(r);
	int64_t quadrant = (int64_t)n & 3;
	*sine = quadrant == 0 ? s : quadrant == 1 ? c : quadrant == 2 ? -s : -c;
	*cosine = quadrant == 0 ? c : quadrant == 1 ? -s : quadrant == 2 ? -c : s;
}

real scree_sin(real x)
{
	real s, c;
	scree_sincos(x, &s, &c);
	return s;
}

real scree_cos(real x)
{
	real s, c;
	scree_sincos(x, &s, &c);
	return c;
}

/* ln 2 in two parts, the first of which has 32 bits */
static const real LN2_1 = 0x1.62e42feep-1, LN2_2 = 0x1.a39ef35793c76p-33;

real scree_exp(real x)
{
	if (x != x) return x;
	if (x > 709.782712893384) return (real)INFINITY;
	if (x < -745.2) return 0;
	real n = scree_floor(x / (LN2_1 + LN2_2) + (real)0.5);
	real r = (x - n * LN2_1) - n * LN2_2, t = 0;
	for (int k = 17; k > 0; --k) t = r / (real)k * (1 + t);
	int e = (int)n, half = e / 2;
	return (1 + t) * power_of_two(half) * power_of_two(e - half);
}

real scree_log(real x)
{
	if (x != x || x < 0) return not_a_number;
	if (x == 0) return -(real)INFINITY;
	if (x > 1.7976931348623157e308) return x;
	int e = 0;
	if (x < 2.2250738585072014e-308) {
		x *= 18014398509481984.0; /* 2^54: scales subnormal numbers to normal ones */
		e = -54;
	}
	e += (int)(bits_of(x) >> 52) - 1023;
	real m = from_bits((bits_of(x) & 0xfffffffffffffULL) | 0x3ff0000000000000ULL);
	if (m > 1.4142135623730951) {
		m /= 2;
		++e;
	}
	/* log m = 2 atanh((m-1)/(m+1)) */
	real f = m - 1, s = f / (2 + f), z = s * s, t = 0;
	for (int k = 27; k >= 3; k -= 2) t = z * (1 / (real)k + t);
	/* log(1+f) = f - f s + 2 s t: the leading f is exact */
	return (real)e * LN2_1 + (f - (f * s - ((real)e * LN2_2 + 2 * s * t)));
}

/* atan on [0, tan(pi/16)] from its series */
static real atan_series(real x)
{
	real z = x * x, t = 0;
	for (int k = 27; k >= 3; k -= 2) t = -z * (1 / (real)k + t);
	return x + x * t;
}

/* atan on [0, 1] */
static real atan_unit(real x)
{
	/* atan x = atan c + atan((x-c)/(1+xc)), with c = tan(pi/8) and tan(pi/4) */
	static const real tan8 = 0.41421356237309503, pi8 = 0.39269908169872414, pi4 = 0.78539816339744828;
	if (x <= 0.198912367379658) return atan_series(x);
	if (x <= 0.66817863791929888) {
		real y = (x - tan8) / (1 + x * tan8);
		return pi8 + (y < 0 ? -atan_series(-y) : atan_series(y));
	}
	real y = (1 - x) / (1 + x);
	return pi4 - atan_series(y);
}

real scree_atan2(real y, real x)
{
	if (x != x || y != y) return not_a_number;
	real ax = real_abs(x), ay = real_abs(y), angle;
	if (ax == 0 && ay == 0)
		angle = 0;
	else if (ay <= ax)
		angle = atan_unit(ay > 1.7976931348623157e308 ? 1 : ay / ax);
	else
		angle = SCREE_PI / 2 - atan_unit(ay > 1.7976931348623157e308 ? 0 : ax / ay);
	if (x < 0) angle = SCREE_PI - angle;
	return y < 0 ? -angle : angle;
}

real scree_pow(real x, real y)
{
	real whole = scree_floor(y);
	if (whole == y && y >= -64 && y <= 64) { /* exact for small powers of exact numbers */
		real result = 1, base = x;
		for (int n = (int)real_abs(y); n; n >>= 1) {
			if (n & 1) result *= base;
			base *= base;
		}
		return y < 0 ? 1 / result : result;
	}
	if (y == (real)0.5) return sqrt(x);
	if (x == 0) return y > 0 ? 0 : (real)INFINITY;
	return scree_exp(y * scree_log(x)); /* relative error: about |y log x| units in the last place */
}
