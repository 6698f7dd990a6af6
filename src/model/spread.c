/* spread: sizes drawn at random. The numbers depend only on the random stream. */
#include "model/sources.h"

#include "base/maths.h"

enum { TRIES = 1000 };

static real whole_power(real x, int32_t power)
{
	real product = 1;
	for (int32_t k = 0; k < power; ++k) product *= x;
	return product;
}

static real cut_of(const spread *s) { return s->cut > 0 ? s->cut : 3; }

/* mean and standard deviation of the logarithm, for a lognormal distribution with mean a and standard deviation b */
static void logarithm(const spread *s, real *mean, real *deviation)
{
	real part = s->b / s->a, variance = scree_log(1 + part * part);
	*deviation = sqrt(variance);
	*mean = scree_log(s->a) - variance / 2;
}

static real normal_within(random_stream *r, real cut)
{
	for (int i = 0; i < TRIES; ++i) {
		real z = scree_random_normal(r);
		if (real_abs(z) <= cut) return z;
	}
	return 0;
}

/* ------------------------------------------------------------------ sieve curves
 *
 * Between two sieves a and b = t a the number of bodies per unit of size falls as size^-p. If the curve is linear in
 * the size, p is 0 for fractions by number and 3 for fractions by mass (2 in the plane); if the curve is linear in the
 * logarithm, p is larger by 1. Bodies that pass the finest sieve form a class with only one size, t = 1. */

/* integral of x^power from 1 to t */
static real integral(real t, real power)
{
	return power == -1 ? scree_log(t) : (scree_pow(t, power + 1) - 1) / (power + 1);
}

real scree_sieve_draw(const spread *s, int32_t class, random_stream *r)
{
	const real from = s->size[class], t = s->size[class + 1] / from, u = scree_random_real(r), left = 1 - s->b;
	const real x = left == 0 ? scree_exp(u * scree_log(t)) : scree_pow(1 + u * (scree_pow(t, left) - 1), 1 / left);
	return from * real_clamp(x, 1, t);
}

real scree_sieve_moment(const spread *s, int32_t class, int32_t power)
{
	const real t = s->size[class + 1] / s->size[class];
	if (t == 1) return whole_power(s->size[class], power);
	return whole_power(s->size[class], power) * integral(t, power - s->b) / integral(t, -s->b);
}

/* the class in which the cumulative number of bodies reaches this fraction */
static int32_t class_of(const spread *s, real part)
{
	int32_t k = 0, last = s->classes - 1;
	while (last > 0 && !(s->share[last] > 0)) --last;
	for (; k < last && part >= s->share[k]; ++k) part -= s->share[k];
	return k;
}

spread scree_sieve(int32_t sieves, const real *size, const real *passing, bool logarithmic, int32_t power)
{
	const int32_t fines = passing[0] > 0;
	spread s = {.type = SPREAD_SIEVE, .a = size[0], .b = (real)(power + logarithmic), .classes = sieves - 1 + fines};
	real all = 0;
	s.size[0] = size[0];
	for (int32_t k = 0; k < sieves; ++k) s.size[k + fines] = size[k];
	for (int32_t k = 0; k < s.classes; ++k) {
		const int32_t above = k + 1 - fines;
		const real part = passing[above] - (above ? passing[above - 1] : 0);
		s.share[k] = part / (scree_sieve_moment(&s, k, power) / whole_power(size[0], power));
		all += s.share[k];
	}
	for (int32_t k = 0; k < s.classes; ++k) s.share[k] /= all;
	return s;
}

real scree_spread_draw(const spread *s, random_stream *r)
{
	real mean, deviation;
	switch (s->type) {
	case SPREAD_UNIFORM:
		return scree_random_between(r, s->a, s->b);
	case SPREAD_NORMAL:
		for (int i = 0; i < TRIES; ++i) {
			real x = s->a + s->b * normal_within(r, cut_of(s));
			if (x > 0) return x;
		}
		return s->a;
	case SPREAD_LOGNORMAL:
		logarithm(s, &mean, &deviation);
		return scree_exp(mean + deviation * normal_within(r, cut_of(s)));
	case SPREAD_SIEVE:
		return scree_sieve_draw(s, class_of(s, scree_random_real(r)), r);
	default:
		return s->a;
	}
}

real scree_spread_largest(const spread *s)
{
	real mean, deviation;
	switch (s->type) {
	case SPREAD_UNIFORM:
		return s->b;
	case SPREAD_NORMAL:
		return s->a + cut_of(s) * s->b;
	case SPREAD_LOGNORMAL:
		logarithm(s, &mean, &deviation);
		return scree_exp(mean + deviation * cut_of(s));
	case SPREAD_SIEVE:
		return s->size[s->classes];
	default:
		return s->a;
	}
}

real scree_spread_smallest(const spread *s)
{
	if (s->type == SPREAD_NORMAL || s->type == SPREAD_LOGNORMAL) return real_max(s->a / 10, s->a - cut_of(s) * s->b);
	return s->a;
}

/* ------------------------------------------------------------------ moments */

/* mean of f^power under the normal distribution, restricted to -cut .. cut and to positive f, by Simpson's rule */
static real normal_moment(const spread *s, int32_t power)
{
	enum { INTERVALS = 400 };
	const bool logarithmic = s->type == SPREAD_LOGNORMAL;
	real mean = s->a, deviation = s->b;
	if (logarithmic) logarithm(s, &mean, &deviation);
	const real high = cut_of(s), low = logarithmic || !(deviation > 0) ? -high : real_max(-high, -mean / deviation);
	real sum = 0, weights = 0;
	for (int k = 0; k <= INTERVALS; ++k) {
		const real z = low + (high - low) * k / INTERVALS, x = mean + deviation * z;
		const real weight = (k == 0 || k == INTERVALS ? 1 : k % 2 ? 4 : 2) * scree_exp(-z * z / 2);
		sum += weight * whole_power(logarithmic ? scree_exp(x) : x, power);
		weights += weight;
	}
	return sum / weights;
}

real scree_spread_moment(const spread *s, int32_t power)
{
	real sum = 0;
	switch (s->type) {
	case SPREAD_UNIFORM: /* (b^(n+1) - a^(n+1)) / ((n + 1) (b - a)), without the difference */
		for (int32_t k = 0; k <= power; ++k) sum += whole_power(s->a, k) * whole_power(s->b, power - k);
		return sum / (power + 1);
	case SPREAD_NORMAL:
	case SPREAD_LOGNORMAL:
		return normal_moment(s, power);
	case SPREAD_SIEVE:
		for (int32_t k = 0; k < s->classes; ++k) sum += s->share[k] * scree_sieve_moment(s, k, power);
		return sum;
	default:
		return whole_power(s->a, power);
	}
}
