/* peaks: finds the planes around a tube at which the depth of a smooth body inside has a local maximum.
 *
 * Between the planes at two angles the depth is bounded from above: the extent of a convex body along a sum of
 * vectors is at most the sum of the extents. Within a known angle of a plane, the body's deepest point also stays on
 * the same side of the axis, because it always moves in the same direction as the normal. Intervals of the angle are
 * therefore halved, or shortened by that angle, until they contain one maximum, no extremum, or only points without
 * depth. A missed peak exceeds the surrounding depth by less than a small fraction of the body's size
 * (docs/theory/smooth.md). */
#include "base/maths.h"
#include "narrow/smooth/smooth.h"

enum { MOST_PENDING = 64, HALVINGS = 40 };
/* height, relative to the body's radius, below which maxima may be missed */
static const real LEAST_HEIGHT = 1e-6;
/* length, in rad, above which intervals are halved immediately */
static const real LONG = 1.6;
/* an interval is shortened rather than halved if this removes at least the given fraction */
static const real PART = 0.25;

typedef struct search {
	const tube *o;
	tube_plane *peak;
	int count;
	real widest; /* largest distance of the body's points from the tube's axis, in m */
	real least;	 /* length, in rad, below which intervals are not divided */
} search;

static real most_depth(const tube *o, const tube_plane *a, const tube_plane *b)
{
	real s, c;
	scree_sincos((b->angle - a->angle) / 2, &s, &c);
	const real even = ((a->depth + b->depth) / 2 + o->level + o->bulge) / c, odd = (b->depth - a->depth) / (2 * s);
	if (even > 0 && real_abs(odd) * c < even * s) return sqrt(even * even + odd * odd) - o->bulge - o->level;
	return real_max(a->depth, b->depth);
}

/* Width of the interval without an extremum, above the angle if the point is displaced upwards, otherwise below it. */
static real clear_of(const search *k, const tube_plane *p)
{
	return 2 * scree_atan2(real_abs(p->aside), k->widest + p->off);
}

static real aside_of(const void *of, real angle) { return scree_tube_plane(of, angle).aside; }

static void add_peak(search *k, const tube_plane *p)
{
	tube_plane *last = k->count ? k->peak + k->count - 1 : NULL;
	if (!(p->depth > 0)) return;
	if (last && p->angle - last->angle < k->least) {
		if (p->depth > last->depth) *last = *p;
		return;
	}
	if (k->count < TUBE_PEAKS) k->peak[k->count++] = *p;
}

/* Completes the interval between two planes, or returns false and an angle at which to divide the interval. */
static bool is_settled(search *k, const tube_plane *a, const tube_plane *b, real *at)
{
	const real width = b->angle - a->angle;
	*at = a->angle + width / 2;
	if (width > LONG) return false;
	if (!(most_depth(k->o, a, b) > 0)) return true;
	const real up = a->aside > 0 ? clear_of(k, a) : 0, down = b->aside < 0 ? clear_of(k, b) : 0;
	if (a->aside > 0 && !(b->aside > 0)) {
		if (up + down < width - k->least) {
			if (up > PART * width || down > PART * width) *at = up > down ? a->angle + up : b->angle - down;
			return false;
		}
		const real x[2] = {a->angle, b->angle}, y[2] = {a->aside, b->aside};
		const tube_plane p = scree_tube_plane(k->o, scree_smooth_zero(aside_of, k->o, x, y));
		add_peak(k, &p);
		return true;
	}
	if (up + down >= width - k->least) return true;
	if (up > PART * width || down > PART * width) *at = up > down ? a->angle + up : b->angle - down;
	return false;
}

static void search_between(search *k, tube_plane a, const tube_plane *end)
{
	tube_plane next[MOST_PENDING];
	int pending = 1;
	next[0] = *end;
	while (pending) {
		real at;
		if (is_settled(k, &a, next + pending - 1, &at) || pending == MOST_PENDING)
			a = next[--pending];
		else
			next[pending++] = scree_tube_plane(k->o, at);
	}
}

/* Returns half of the arc, centred at the body, of the circle that the body may reach; < 0 if there is none. */
static real half_arc(const tube *o, bool *all)
{
	const real far = o->c * v3_norm(o->beside), need = o->level - o->s->radius;
	*all = need < -far || (need <= 0 && far == 0);
	if (*all) return SCREE_PI;
	if (!(need < far)) return -1;
	return scree_atan2(sqrt(real_max((far - need) * (far + need), 0)), need);
}

int scree_tube_peaks(const tube *o, tube_plane peak[TUBE_PEAKS], bool *all_around)
{
	search k = {.o = o, .peak = peak, .widest = v3_norm(o->beside) + o->s->radius};
	const real half = half_arc(o, all_around);
	if (half < 0) return 0;
	k.least = sqrt(2 * LEAST_HEIGHT * o->s->radius / k.widest);
	const tube_plane from = scree_tube_plane(o, o->facing - half), middle = scree_tube_plane(o, o->facing);
	tube_plane to = scree_tube_plane(o, o->facing + half);
	if (*all_around) to = from, to.angle = o->facing + half; /* bitwise the same plane at both ends of the circle */
	search_between(&k, from, &middle);
	search_between(&k, middle, &to);
	if (!k.count) add_peak(&k, &middle); /* the body is rotationally symmetric */
	return k.count;
}

/* Uses bisection: on flat sides `aside` is discontinuous, so its magnitude is meaningless. */
tube_plane scree_tube_valley(const tube *o, const tube_plane *a, const tube_plane *b)
{
	const real way = (b->angle - a->angle) / 1024;
	real low = a->angle + way, high = b->angle - way;
	tube_plane p = *a;
	for (int k = 0; k < HALVINGS; ++k) {
		p = scree_tube_plane(o, (low + high) / 2);
		*(p.aside < 0 ? &low : &high) = p.angle;
	}
	return p;
}
