/* spread: sizes drawn at random. The numbers are functions of the stream alone. */
#include "model/sources.h"

#include "base/maths.h"

enum { TRIES = 1000 };

static real cut_of(const spread *s) { return s->cut > 0 ? s->cut : 3; }

/* mean and deviation of the logarithm, for a lognormal size of mean a and deviation b */
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
	default:
		return s->a;
	}
}

real scree_spread_smallest(const spread *s)
{
	if (s->type == SPREAD_ONE || s->type == SPREAD_UNIFORM) return s->a;
	return real_max(s->a / 10, s->a - cut_of(s) * s->b);
}
