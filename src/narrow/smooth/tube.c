/* tube: a smooth body and a cylinder or a cone, from inside or outside.
 *
 * A tube is the envelope of the planes that touch it along a straight line from end to end, one for each angle around
 * the axis. From inside, the body touches at each angle where its overlap with the plane is greatest among its
 * neighbours, if its deepest point lies between the ends; a long body across the tube touches twice. From outside it
 * touches where its gap from the plane is greatest. Beyond an end it may touch the rim, a circle, from the outside of
 * both the tube and the end: there the distance of the body from the circle's points is least. */
#include "base/maths.h"
#include "narrow/smooth/support.h"
#include "narrow/smooth/wall.h"

enum { ANGLES = 24, MOST_TURNS = 80 };
/* relative to the slope at the ends of an interval: a slope of zero */
static const real FLAT = 1e-15;

typedef struct tube {
	const smooth *s;
	const wall *w;
	vec3 from; /* the body's centre, from the first end */
	vec3 x, y; /* perpendicular to the axis */
	bool inside, endless;
	real c, sine; /* cosine and sine of the angle between side and axis */
	real side;	  /* m, length of the straight line on the surface */
	/* the rim that is tested */
	vec3 centre;
	real radius;
} tube;

/* ------------------------------------------------------------------ zeros */

real scree_smooth_zero(smooth_slope *slope, const void *of, const real x[2], const real y[2])
{
	real a = x[0], b = x[1], fa = y[0], fb = y[1], best = fa < -fb ? a : b, least = real_min(fa, -fb);
	const real enough = FLAT * real_max(fa, -fb);
	for (int k = 0; k < MOST_TURNS && least > enough; ++k) {
		real m = (a * fb - b * fa) / (fb - fa);
		if (!(m > a && m < b)) m = (a + b) / 2;
		if (!(m > a && m < b)) break;
		const real f = slope(of, m);
		if (real_abs(f) < least) best = m, least = real_abs(f);
		if (f > 0) {
			a = m, fa = f, fb /= 2;
		} else {
			b = m, fb = f, fa /= 2;
		}
	}
	return best;
}

/* ------------------------------------------------------------------ planes along the side */

typedef struct tube_plane {
	vec3 out;	 /* normal, away from the axis */
	vec3 radial; /* unit, away from the axis */
	vec3 across; /* unit, along the circle */
	vec3 at;	 /* the body's point that is deepest behind the plane, from its centre */
	real depth;	 /* m */
	real slope;	 /* derivative of depth over the angle */
} tube_plane;

static tube_plane plane_at(const tube *o, real angle)
{
	real s, c;
	tube_plane p;
	scree_sincos(angle, &s, &c);
	p.radial = v3_add(v3_mul(c, o->x), v3_mul(s, o->y));
	p.across = v3_sub(v3_mul(c, o->y), v3_mul(s, o->x));
	p.out = v3_madd(v3_mul(o->c, p.radial), -o->sine, o->w->axis);
	const vec3 push = o->inside ? p.out : v3_neg(p.out);
	const smooth_plane t = scree_smooth_plane(o->s, push, p.across);
	const real sign = o->inside ? 1 : -1;
	p.at = t.at;
	p.depth = t.reach + sign * (v3_dot(p.out, o->from) - o->w->radius * o->c);
	p.slope = sign * o->c * v3_dot(p.across, v3_add(o->from, t.at));
	return p;
}

static real slope_inside(const void *of, real angle) { return plane_at(of, angle).slope; }
static real slope_outside(const void *of, real angle) { return -plane_at(of, angle).slope; }

/* coordinate on the surface's straight line, from the first end */
static real along_side(const tube *o, const tube_plane *p)
{
	const vec3 at = v3_add(o->from, p->at);
	return (v3_dot(at, p->radial) - o->w->radius) * o->sine + v3_dot(at, o->w->axis) * o->c;
}

static void touch_plane(const tube *o, const tube_plane *p, touch_list *out)
{
	const real along = along_side(o, p);
	if (!o->endless && !(along >= 0 && along <= o->side)) return;
	const real h = v3_dot(p->out, o->from) - o->w->radius * o->c; /* > 0: the centre is outside */
	if (!o->endless && (o->inside ? h > 0 : h < 0)) return;		  /* it has passed the wall */
	scree_smooth_touch(out, o->w->first_surface, o->inside ? v3_neg(p->out) : p->out, p->at, p->depth);
}

static real angle_of(int k) { return 2 * SCREE_PI * k / ANGLES; }

/* Refines the extremum between sample k and the next one. */
static tube_plane refined(const tube *o, int k, const real slope[2])
{
	const real angle[2] = {angle_of(k), angle_of(k + 1)};
	const real sign = o->inside ? 1 : -1, y[2] = {sign * slope[0], sign * slope[1]};
	return plane_at(o, scree_smooth_zero(o->inside ? slope_inside : slope_outside, o, angle, y));
}

/* From inside, each greatest depth is a contact; from outside, the least depth is the only one. */
static void meet_side(const tube *o, touch_list *out)
{
	real slope[ANGLES + 1];
	bool found = false;
	tube_plane least = {.depth = INFINITY};
	for (int k = 0; k <= ANGLES; ++k) slope[k] = k < ANGLES ? plane_at(o, angle_of(k)).slope : slope[0];
	for (int k = 0; k < ANGLES; ++k) {
		const bool turns = o->inside ? slope[k] > 0 && slope[k + 1] <= 0 : slope[k] < 0 && slope[k + 1] >= 0;
		if (!turns) continue;
		const tube_plane p = refined(o, k, slope + k);
		if (o->inside) touch_plane(o, &p, out);
		if (p.depth < least.depth) least = p;
		found = true;
	}
	if (!found) least = plane_at(o, 0); /* the body is the same all around */
	if (!o->inside || !found) touch_plane(o, &least, out);
}

/* ------------------------------------------------------------------ rims */

typedef struct rim_point {
	vec3 radial, across;
	smooth_gap gap; /* from the body to the point */
	real slope;		/* derivative of the gap over the angle */
} rim_point;

static rim_point rim_at(const tube *o, real angle)
{
	real s, c;
	rim_point p;
	scree_sincos(angle, &s, &c);
	p.radial = v3_add(v3_mul(c, o->x), v3_mul(s, o->y));
	p.across = v3_sub(v3_mul(c, o->y), v3_mul(s, o->x));
	smooth body = *o->s;
	body.at = v3_sub(o->from, o->centre);
	const smooth point = smooth_point(v3_mul(o->radius, p.radial));
	p.gap = scree_smooth_gap(&body, &point);
	p.slope = o->radius * v3_dot(p.gap.normal, p.across);
	return p;
}

static real slope_of_rim(const void *of, real angle) { return -rim_at(of, angle).slope; }

/* end: along the surface's straight line, away from the tube */
static void touch_rim(const tube *o, const rim_point *p, real end, touch_list *out)
{
	const vec3 n = v3_neg(p->gap.normal); /* from the wall to the body */
	const vec3 away = v3_mul(end, v3_madd(v3_mul(o->c, o->w->axis), o->sine, p->radial));
	if (v3_dot(n, away) < 0) return; /* the body touches the side, not the rim */
	scree_smooth_touch(out, o->w->first_surface, n, p->gap.on_a, -p->gap.gap);
}

static void meet_rim(tube *o, vec3 centre, real radius, real end, touch_list *out)
{
	o->centre = centre, o->radius = radius;
	const vec3 d = v3_sub(o->from, centre);
	const real z = v3_dot(d, o->w->axis), rho = v3_norm(v3_madd(d, -z, o->w->axis)) - radius;
	if (z * z + rho * rho > o->s->radius * o->s->radius) return;
	real slope[ANGLES + 1];
	for (int k = 0; k <= ANGLES; ++k) slope[k] = k < ANGLES ? rim_at(o, angle_of(k)).slope : slope[0];
	for (int k = 0; k < ANGLES; ++k) {
		if (!(slope[k] < 0 && slope[k + 1] >= 0)) continue;
		const real angle[2] = {angle_of(k), angle_of(k + 1)}, y[2] = {-slope[k], -slope[k + 1]};
		const rim_point p = rim_at(o, scree_smooth_zero(slope_of_rim, o, angle, y));
		touch_rim(o, &p, end, out);
	}
}

void scree_smooth_tube(const smooth *s, const wall *w, touch_list *out)
{
	tube o = {.s = s, .w = w, .from = v3_sub(s->at, w->point), .x = v3_across(w->axis)};
	o.y = v3_cross(w->axis, o.x);
	o.inside = w->side == SIDE_INSIDE;
	o.endless = !(w->length < INFINITY);
	const real taper = w->type == WALL_CONE ? w->radius2 - w->radius : 0;
	o.side = o.endless ? INFINITY : sqrt(w->length * w->length + taper * taper);
	o.c = o.endless ? 1 : w->length / o.side;
	o.sine = o.endless ? 0 : taper / o.side;
	meet_side(&o, out);
	if (o.endless) return;
	meet_rim(&o, v3(0, 0, 0), w->radius, -1, out);
	meet_rim(&o, v3_mul(w->length, w->axis), w->type == WALL_CONE ? w->radius2 : w->radius, 1, out);
}
