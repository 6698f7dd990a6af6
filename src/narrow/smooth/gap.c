/* gap: finds the direction along which two smooth bodies are farthest apart.
 *
 * For a unit vector n from a to b, s(n) = n.(b - a) - h_a(n) - h_b(-n) is the gap between the two planes normal to n
 * that touch the bodies. The maximum of s is the distance, or minus the smallest overlap. The maximum is found by a
 * Newton iteration on the sphere of directions from the direction between the centres, so it depends only on the poses.
 *
 * The bodies are balls of radius rho around smaller convex bodies, their cores, where rho is a lower bound on the radii
 * of curvature (Blaschke). If the cores are apart, their points on the planes give an upper bound on their distance,
 * and the planes give a lower bound. The two bounds are equal at the maximum, which certifies the result. */
#include "narrow/smooth/smooth.h"

enum { MOST_STEPS = 100, MOST_HALVINGS = 50 };
/* Steps may oscillate across a flat side, so shorter ones are tried after this number of steps; the best is used. */
enum { FREE_STEPS = 15 };

/* largest offset at which points of the planes count as opposite each other, and rounding error of the gap, both
 * relative to the size of both bodies */
static const real ABOVE = 1e-13, ROUNDING = 4e-15;
/* longest step, in radians, and the fraction of the predicted gain that a step must achieve */
static const real LONGEST = 0.7, GAIN = 1e-4;

typedef struct trial {
	vec3 n, t, u;
	real gap;
	support p, q;	 /* the points of a and b */
	real gt, gu;	 /* vector from the point of a to the point of b along t and u, equal to the gap's slope */
	real tt, tu, uu; /* minus the gap's second derivatives */
} trial;

/* Two bodies, or a body and a line through b, for which only perpendicular directions count. */
typedef struct couple {
	const smooth *a, *b;
	const vec3 *line;
	real scale;
} couple;

static trial trial_of(const couple *o, vec3 n)
{
	const smooth *a = o->a, *b = o->b;
	trial f = {.n = n, .t = o->line ? v3_cross(*o->line, n) : v3_across(n)};
	f.u = v3_cross(n, f.t);
	f.p = scree_smooth_support(a, n, f.t, f.u), f.q = scree_smooth_support(b, v3_neg(n), f.t, f.u);
	const support p = f.p, q = f.q;
	const vec3 way = v3_sub(b->at, a->at), apart = v3_add(way, v3_sub(q.at, p.at));
	f.gap = v3_dot(n, way) - p.reach - q.reach;
	f.gt = v3_dot(apart, f.t), f.gu = v3_dot(apart, f.u);
	f.tt = p.tt + q.tt, f.tu = p.tu + q.tu, f.uu = p.uu + q.uu;
	if (o->line) f.gu = 0, f.tu = 0, f.uu = f.tt;
	return f;
}

static real slope_of(const trial *f) { return sqrt(f->gt * f->gt + f->gu * f->gu); }

/* Computes the Newton step from a direction. On the sphere the gap itself adds to the curvature. If the resulting
 * quadratic has no maximum, the step uses only the support functions and goes uphill. */
static void newton(const trial *f, real *along_t, real *along_u)
{
	real tt = f->tt + f->gap, uu = f->uu + f->gap, det = tt * uu - f->tu * f->tu;
	if (!(tt > 0 && det > (real)1e-12 * tt * uu)) tt = f->tt, uu = f->uu, det = tt * uu - f->tu * f->tu;
	real x = f->gt, y = f->gu;
	if (tt > 0 && det > 0) {
		x = (uu * f->gt - f->tu * f->gu) / det;
		y = (tt * f->gu - f->tu * f->gt) / det;
	}
	const real length = sqrt(x * x + y * y), cut = length > LONGEST ? LONGEST / length : 1;
	*along_t = cut * x;
	*along_u = cut * y;
}

/* Tests whether a step was good: the gap increased, or stayed equal within rounding while the slope decreased. */
static bool is_better(const trial *to, const trial *from, real gain, real scale)
{
	if (to->gap - from->gap >= GAIN * gain && gain > ROUNDING * scale) return true;
	return real_abs(to->gap - from->gap) <= ROUNDING * scale && slope_of(to) < (real)0.75 * slope_of(from);
}

/* The trial with the larger gap, or with the smaller slope if gaps are equal within rounding. */
static const trial *better_of(const trial *x, const trial *y, real scale)
{
	if (real_abs(x->gap - y->gap) > ROUNDING * scale) return x->gap > y->gap ? x : y;
	return slope_of(x) <= slope_of(y) ? x : y;
}

/* Returns the normal of a superquadric at the point to which a step moves its contact point. Along a flat side the
 * normal hardly changes while the point moves far, so moving the point is more accurate than rotating the normal. The
 * step moves the outward normal by x along t and y along u. */
static vec3 normal_after(const smooth *s, const support *of, const trial *f, real sign, real x, real y)
{
	const real tt = of->tt - s->round, uu = of->uu - s->round;
	vec3 to = v3_madd(of->at, -s->round * sign, f->n);
	to = v3_madd(to, sign * (tt * x + of->tu * y), f->t);
	to = v3_madd(to, sign * (of->tu * x + uu * y), f->u);
	return v3_mul(sign, mat3_mul(s->turn, scree_smooth_normal(s, mat3_tmul(s->turn, to))));
}

static bool has_flat_sides(const smooth *s) { return s->power_xy > 2 || s->power_z > 2; }

/* Returns the best direction after a step of the normal, or of the contact point on either boxy body. */
static trial stepped(const couple *o, const trial *f, real x, real y)
{
	trial best = trial_of(o, v3_unit(v3_madd(v3_madd(f->n, x, f->t), y, f->u)));
	for (int k = 0; k < 2; ++k) {
		const smooth *s = k ? o->b : o->a;
		if (!has_flat_sides(s) || o->line) continue;
		const trial other = trial_of(o, normal_after(s, k ? &f->q : &f->p, f, k ? -1 : 1, x, y));
		best = *better_of(&best, &other, o->scale);
	}
	return best;
}

/* Tries 1/2, 1/4, .. of the step (x, y), as long as the gap grows. */
static trial shorter(const couple *o, const trial *f, trial to, real x, real y)
{
	for (int k = 0; k < MOST_HALVINGS; ++k) {
		const trial less = stepped(o, f, x /= 2, y /= 2);
		if (!(less.gap > to.gap)) break;
		to = less;
	}
	return to;
}

static bool step(const couple *o, trial *f, bool careful)
{
	real x, y;
	newton(f, &x, &y);
	const real rise = f->gt * x + f->gu * y;
	for (int k = 0; k < MOST_HALVINGS; ++k, x /= 2, y /= 2) {
		const trial to = stepped(o, f, x, y);
		if (v3_equal(to.n, f->n)) return false;
		if (!is_better(&to, f, rise / (real)((int64_t)1 << k), o->scale)) continue;
		*f = careful ? shorter(o, f, to, x, y) : to;
		return true;
	}
	return false;
}

static trial climb(const couple *o, vec3 n, int32_t *steps)
{
	const bool flat = has_flat_sides(o->a) || has_flat_sides(o->b);
	trial f = trial_of(o, n);
	for (int k = 0; k < MOST_STEPS && slope_of(&f) > ABOVE * o->scale; ++k, ++*steps)
		if (!step(o, &f, flat && k >= FREE_STEPS)) break;
	return f;
}

/* the component of v perpendicular to a line, as a unit vector */
static vec3 across(vec3 v, vec3 line)
{
	const vec3 rest = v3_madd(v, -v3_dot(v, line), line);
	return v3_norm2(rest) > (real)1e-24 * v3_norm2(v) ? v3_unit(rest) : v3_across(line);
}

static void climb_if_better(const couple *o, vec3 from, trial *best, int32_t *steps)
{
	const trial f = climb(o, o->line ? across(from, *o->line) : from, steps);
	if (f.gap > best->gap + ROUNDING * o->scale) *best = f;
}

/* If the cores overlap, finds the best direction reached from the bodies' axes and diagonals. */
static void climb_from_axes(const couple *o, trial *best, int32_t *steps)
{
	const smooth *of[2] = {o->a, o->b};
	for (int k = 0; k < 2; ++k) {
		const mat3 m = of[k]->turn;
		if (!(of[k]->semi.x > 0)) continue;
		for (int side = -1; side < 2; side += 2) {
			climb_if_better(o, v3_mul(side, m.x), best, steps);
			climb_if_better(o, v3_mul(side, m.y), best, steps);
			climb_if_better(o, v3_mul(side, m.z), best, steps);
		}
		for (int corner = 0; corner < 8; ++corner) {
			const vec3 xy = v3_madd(v3_mul(corner & 1 ? 1 : -1, m.x), corner & 2 ? 1 : -1, m.y);
			climb_if_better(o, v3_unit(v3_madd(xy, corner & 4 ? 1 : -1, m.z)), best, steps);
		}
	}
}

/* An upper bound on the distance minus the gap, infinite if the cores overlap. sharp: sum of the radii of curvature */
static real slack_of(const trial *f, real sharp)
{
	const real core = f->gap + sharp, slope = slope_of(f);
	if (!(core > 0)) return INFINITY;
	return slope > 0 ? slope * slope / (sqrt(core * core + slope * slope) + core) : 0;
}

/* nearby: find only the local maximum uphill from this direction */
static smooth_gap gap_from(const couple *o, vec3 from, bool nearby)
{
	const real sharp = o->a->sharp + o->b->sharp;
	smooth_gap out = {.steps = 1};
	trial f = climb(o, from, &out.steps);
	if (!nearby && !(slack_of(&f, sharp) <= SMOOTH_SLACK * o->scale)) climb_from_axes(o, &f, &out.steps);
	const real core = f.gap + sharp;
	out.normal = f.n, out.gap = f.gap, out.on_a = f.p.at;
	out.slack = slack_of(&f, sharp);
	out.sure = core > 0 && out.slack <= SMOOTH_SLACK * o->scale;
	return out;
}

static smooth_gap gap_of(const couple *o, vec3 from) { return gap_from(o, from, false); }

smooth_gap scree_smooth_from(const smooth *s, vec3 point, vec3 from, bool nearby)
{
	const smooth end = smooth_point(point);
	return gap_from(&(couple){s, &end, NULL, s->radius}, from, nearby);
}

smooth_gap scree_smooth_gap(const smooth *a, const smooth *b)
{
	const couple o = {a, b, NULL, a->radius + b->radius};
	const vec3 way = v3_sub(b->at, a->at);
	return gap_of(&o, v3_norm2(way) > 0 ? v3_unit(way) : v3(1, 0, 0));
}

static smooth_line end_of(const smooth *s, vec3 p, vec3 q, bool second)
{
	const smooth end = smooth_point(second ? q : p);
	return (smooth_line){scree_smooth_gap(s, &end), end.at, second};
}

smooth_gap scree_smooth_line_gap(const smooth *s, vec3 p, vec3 line)
{
	const smooth here = smooth_point(p);
	return gap_of(&(couple){s, &here, &line, s->radius}, across(v3_sub(p, s->at), line));
}

/* The nearest point of the line if it is between the ends, otherwise an end. If the line passes through the core but
 * the segment does not, the other end is not on that side of the body, so the nearest point is an end. */
smooth_line scree_smooth_segment(const smooth *s, vec3 p, vec3 q)
{
	const vec3 along = v3_sub(q, p), line = v3_unit(along);
	smooth_line m = {.gap = scree_smooth_line_gap(s, p, line)};
	m.part = v3_dot(v3_sub(v3_add(s->at, m.gap.on_a), p), line) / v3_norm(along);
	m.point = v3_madd(p, m.part, along);
	if (!(m.part > 0 && m.part < 1)) return end_of(s, p, q, m.part >= 1);
	for (int k = 0; k < 2 && !(m.gap.gap > -s->sharp); ++k) {
		const smooth_line end = end_of(s, p, q, k == 1);
		if (v3_dot(end.gap.normal, along) * (k ? -1 : 1) >= 0) return end;
	}
	return m;
}
