/* rim: contacts between a smooth body and the circles at both ends of a tube. Beyond both the side and the end of the
 * tube, the body touches the rim where the distance from the circle is smallest. */
#include "base/maths.h"
#include "narrow/smooth/smooth.h"

/* number of samples on the arc within a body's reach */
enum { SAMPLES = 24 };
/* smaller slopes are rounding error */
static const real LEVEL = 1e-9;

typedef struct rim {
	const tube *o;
	smooth body; /* relative to the circle's centre */
	real radius;
	real end; /* -1 at the first end, 1 at the second end */
} rim;

typedef struct rim_point {
	real angle;
	vec3 radial;
	smooth_gap gap; /* from the body to the point */
	real slope;		/* derivative of the gap along the circle */
} rim_point;

static rim_point point_of(const rim *r, real angle)
{
	real s, c;
	rim_point p = {.angle = angle};
	scree_sincos(angle, &s, &c);
	p.radial = v3_add(v3_mul(c, r->o->x), v3_mul(s, r->o->y));
	const smooth point = smooth_point(v3_mul(r->radius, p.radial));
	p.gap = scree_smooth_gap(&r->body, &point);
	p.slope = v3_dot(p.gap.normal, v3_sub(v3_mul(c, r->o->y), v3_mul(s, r->o->x)));
	return p;
}

static real minus_slope(const void *of, real angle) { return -point_of(of, angle).slope; }

static void touch_point(const rim *r, const rim_point *p)
{
	const tube *o = r->o;
	const vec3 n = v3_neg(p->gap.normal); /* from the wall to the body */
	const vec3 away = v3_mul(r->end, v3_madd(v3_mul(o->c, o->w->axis), o->sine, p->radial));
	if (v3_dot(n, away) >= 0) /* otherwise the body touches the side, not the rim */
		scree_tube_touch(o, n, p->gap.on_a, -p->gap.gap, p->angle);
}

/* Returns half of the arc, centred at the body, within the body's radius; < 0 if there is none. */
static real half_arc(const rim *r, real off, real high)
{
	const real both = 2 * off * r->radius, reach = r->body.radius;
	const real need = off * off + r->radius * r->radius + high * high - reach * reach;
	if (need >= both) return -1;
	return need <= -both ? SCREE_PI : scree_atan2(sqrt((both - need) * (both + need)), need);
}

/* Adds contacts where the gap is smallest: between a sample where the gap decreases and the next non-level sample where
 * it increases. Returns the number of contacts. whole: whether the samples cover a whole circle */
static int touch_minima(const rim *r, const rim_point p[SAMPLES + 1], bool whole)
{
	int found = 0;
	for (int k = 0; k < SAMPLES; ++k) {
		if (!(p[k].slope < -LEVEL)) continue;
		const int most = whole ? k + SAMPLES : SAMPLES;
		int next = k + 1;
		while (next < most && real_abs(p[next % SAMPLES].slope) <= LEVEL) ++next;
		const rim_point *const q = next <= SAMPLES ? p + next : p + next % SAMPLES;
		if (!(q->slope > LEVEL)) continue;
		const real turn = next > SAMPLES ? 2 * SCREE_PI : 0;
		const real x[2] = {p[k].angle, q->angle + turn}, y[2] = {-p[k].slope, -q->slope};
		const rim_point least = point_of(r, scree_smooth_zero(minus_slope, r, x, y));
		touch_point(r, &least);
		++found;
	}
	return found;
}

/* Adds one contact, as for a sphere, for a rotationally symmetric body. */
static void touch_lowest(const rim *r, const rim_point p[SAMPLES + 1])
{
	int lowest = 0;
	for (int k = 1; k < SAMPLES; ++k)
		if (p[k].gap.gap < p[lowest].gap.gap) lowest = k;
	touch_point(r, p + lowest);
}

static void meet_rim(const rim *r)
{
	const tube *o = r->o;
	const real half = half_arc(r, v3_norm(o->beside), v3_dot(r->body.at, o->w->axis));
	if (half < 0) return;
	if (!(r->radius > 0)) { /* apex of a cone */
		const rim_point p = point_of(r, o->facing);
		touch_point(r, &p);
		return;
	}
	const bool whole = half >= SCREE_PI;
	rim_point p[SAMPLES + 1];
	for (int k = 0; k <= SAMPLES; ++k) {
		const real angle = o->facing + half * ((real)2 * k / SAMPLES - 1);
		p[k] = k < SAMPLES || !whole ? point_of(r, angle) : p[0];
		p[k].angle = angle;
	}
	if (!touch_minima(r, p, whole) && whole) touch_lowest(r, p);
}

void scree_tube_rims(const tube *o)
{
	for (int end = 0; end < 2; ++end) {
		rim r = {o, *o->s, end && o->w->type == WALL_CONE ? o->w->radius2 : o->w->radius, end ? 1 : -1};
		r.body.at = v3_madd(o->from, end ? -o->w->length : 0, o->w->axis);
		meet_rim(&r);
	}
}
