/* round_area: overlaps of discs and ellipses measured by area.
 *
 * Circle and polygon. The polygon's border is traversed once, starting at a point where it leaves the circle. If the
 * polygon leaves the circle at q and re-enters it at p, the arc of the circle from q to p is part of the border of the
 * common region. The region consists of a polygon, formed by all pieces inside the circle and the chords q p, and of a
 * segment of the circle over each chord. All terms are of the same order as the result, and areas are computed relative
 * to one of the points, so no precision is lost if the overlap is thin. Each chord contributes a vector of length |q p|
 * to the gradient of the area, perpendicular to the chord at its midpoint. For a sequence of edges from p to q, the sum
 * of length times normal is the rotated chord, and the sum of moments is (|q|^2
 * - |p|^2)/2, as for a straight line. An ellipse is a circle in coordinates stretched along the ellipse's
 * axes. */
#include "narrow/flat/round.h"

#include "base/maths.h"

real scree_flat_segment(real sine, real cosine)
{
	if (!(cosine > 0 && sine < (real)0.25)) return scree_atan2(sine, cosine) - sine * cosine;
	/* the integral of 2 x^2 / sqrt(1 - x^2) as a series without cancellation; x^2 < 1/16 */
	real x2 = sine * sine, binomial = 1, power = 2 * sine * x2, sum = 0;
	for (int k = 0; k < 14; ++k) {
		sum += binomial * power / (real)(2 * k + 3);
		binomial *= (real)(2 * k + 1) / (real)(2 * k + 2);
		power *= x2;
	}
	return sum;
}

static real segment_of(real radius, real half_chord, real sagitta)
{
	return radius * radius * scree_flat_segment(half_chord / radius, (radius - sagitta) / radius);
}

/* Returns the overlap of two discs with this depth, and the sagitta of the first disc. */
static flat_lens lens(real radius_a, real radius_b, real depth)
{
	flat_lens l = {0};
	real apart = radius_a + radius_b - depth;
	if (!(depth > 0 && depth < 2 * radius_a && depth < 2 * radius_b)) return l;
	real a = depth * (2 * radius_b - depth) / (2 * apart), b = depth * (2 * radius_a - depth) / (2 * apart);
	real half = sqrt(real_max(a * (2 * radius_a - a), 0));
	l.area = segment_of(radius_a, half, a) + segment_of(radius_b, half, b);
	l.chord = 2 * half;
	l.sagitta = a;
	return l;
}

flat_lens scree_flat_lune(real radius, real around, real depth)
{
	flat_lens l = {0};
	real apart = around - radius + depth;
	if (!(depth > 0 && depth < 2 * radius && apart > radius - around)) return l;
	real inner = depth * (2 * around + depth) / (2 * apart), outer = depth * (2 * radius - depth) / (2 * apart);
	real half = sqrt(real_max(outer * (2 * around - outer), 0));
	l.area = segment_of(radius, half, inner) - segment_of(around, half, outer);
	l.chord = 2 * half;
	l.sagitta = inner;
	return l;
}

real scree_flat_radius(const placed *p)
{
	const shape *s = p->shape;
	return p->size * (s->type == SHAPE_SPHERE ? s->radius : sqrt(s->semi_x * s->semi_y));
}

/* ------------------------------------------------------------------ circle and polygon */

/* A polygon in coordinates in which an oval is the unit circle. */
typedef struct view {
	const oval *o;
	const flat_polygon *p;
	xy centre;
	real size;
} view;

typedef struct edge_cut {
	xy begin, end, entry, exit;
	bool begins_inside, enters, leaves; /* the edge enters before it leaves */
} edge_cut;

static xy seen(const view *v, int32_t k)
{
	xy r = xy_sub(flat_corner_at(v->p, k, v->size), v->centre);
	return xy_of(xy_dot(r, v->o->along) / v->o->a, xy_cross(v->o->along, r) / v->o->b);
}

/* The point where the segment from a point in the unit circle to a point outside crosses the circle. */
static xy crossing(xy inside, xy outside)
{
	xy e = xy_sub(outside, inside);
	real e2 = xy_dot(e, e), b = xy_dot(inside, e), c = 1 - xy_dot(inside, inside), far = xy_cross(inside, e);
	real root = sqrt(real_max(e2 - far * far, 0));
	real t = b > 0 ? c / (b + root) : (root - b) / e2;
	return xy_madd(inside, real_clamp(t, 0, 1), e);
}

static edge_cut cut_edge(xy begin, xy end)
{
	edge_cut c = {.begin = begin, .end = end, .begins_inside = xy_dot(begin, begin) < 1};
	bool ends_inside = xy_dot(end, end) < 1;
	if (c.begins_inside || ends_inside) {
		c.leaves = !ends_inside;
		c.enters = !c.begins_inside;
		if (c.leaves) c.exit = crossing(begin, end);
		if (c.enters) c.entry = crossing(end, begin);
		return c;
	}
	xy e = xy_sub(end, begin);
	real length = xy_norm(e), far = xy_cross(begin, e) / length, foot = -xy_dot(begin, e) / length;
	if (!(foot > 0 && foot < length && far < 1 && far > -1)) return c;
	real half = sqrt((1 - far) * (1 + far));
	c.enters = c.leaves = true;
	c.entry = xy_madd(begin, real_max(foot - half, 0) / length, e);
	c.exit = xy_madd(begin, real_min(foot + half, length) / length, e);
	return c;
}

/* State of the summation of an area. `twice`: twice the area so far, relative to `from` */
typedef struct cutting {
	const view *v;
	bool outside;
	xy about, exit, from;
	real twice;
	flat_area *sum;
} cutting;

static void piece(cutting *c, xy p, xy q) { c->twice += xy_cross(xy_sub(p, c->from), xy_sub(q, c->from)); }

/* Adds the arc from the point where the polygon left the circle to the point where it re-enters the circle. */
static void close_arc(cutting *c, xy entry)
{
	const oval *o = c->v->o;
	xy chord = xy_sub(entry, c->exit), mean = xy_mul((real)0.5, xy_add(entry, c->exit)), a = o->along, b = xy_left(a);
	real half = xy_norm(chord) / 2, segment = 0;
	if (half > 0) segment = scree_flat_segment(half, xy_cross(c->exit, chord) / (2 * half));
	if (!c->outside) piece(c, c->exit, entry);
	real area = c->outside ? c->twice / 2 - segment : segment;
	if (c->outside) c->twice = 0;
	chord = xy_add(xy_mul(o->a * chord.x, a), xy_mul(o->b * chord.y, b));
	mean = xy_add(xy_mul(o->a * mean.x, a), xy_mul(o->b * mean.y, b));
	flat_area_add(c->sum, o->a * o->b * area, xy_left(chord), xy_sub(xy_add(mean, c->v->centre), c->about));
}

/* Adds an edge up to the point where it leaves the circle. */
static void arrive(cutting *c, const edge_cut *e)
{
	xy inner = e->begin;
	if (!e->begins_inside) {
		if (c->outside) piece(c, e->begin, e->enters ? e->entry : e->end);
		if (!e->enters) return;
		close_arc(c, e->entry);
		inner = e->entry;
	}
	if (!c->outside) piece(c, inner, e->leaves ? e->exit : e->end);
}

static void leave(cutting *c, const edge_cut *e)
{
	c->exit = e->exit;
	if (!c->outside) return;
	c->from = e->exit;
	piece(c, e->exit, e->end);
}

/* ------------------------------------------------------------------ runs of edges that need no test */

typedef struct cursor {
	int32_t k, left, stride;
	xy at;
} cursor;

enum { WORTH_SKIPPING = 16 };

/* Tests whether the next m edges are certain to stay on the side of the circle on which they begin. */
static bool stay(const view *v, const cursor *c, int32_t m, xy *end)
{
	int32_t n = v->p->corners, last = (c->k + m) % n;
	*end = seen(v, last);
	xy p = c->at, q = *end, chord = xy_sub(q, p);
	bool inside = xy_dot(p, p) < 1;
	real length = xy_norm(chord);
	/* the edges are to the right of the chord */
	if (!inside && xy_cross(p, chord) >= length) return true;
	/* edges that turn by at most 90 degrees are inside the circle that has the chord as diameter */
	xy first = xy_sub(seen(v, flat_after(v->p, c->k)), p), turned = xy_sub(q, seen(v, flat_before(v->p, last)));
	if (!(xy_cross(first, turned) >= 0 && xy_dot(first, turned) >= 0)) return false;
	real middle = xy_norm(xy_add(p, q)) / 2;
	return inside ? middle + length / 2 < 1 : middle - length / 2 > 1;
}

/* Skips edges that stay on one side of the circle, in strides that grow and shrink. Returns false if the next edge
 * requires a test. */
static bool skip(const view *v, cursor *c)
{
	if (v->p->corners < WORTH_SKIPPING) return false;
	for (; c->stride > 1; c->stride /= 2) {
		xy end;
		if (c->stride > c->left || !stay(v, c, c->stride, &end)) continue;
		c->k = (c->k + c->stride) % v->p->corners;
		c->left -= c->stride;
		c->at = end;
		c->stride *= 2;
		return true;
	}
	c->stride = 2;
	return false;
}

static edge_cut next_edge(const view *v, cursor *c)
{
	c->k = flat_after(v->p, c->k);
	--c->left;
	edge_cut e = cut_edge(c->at, seen(v, c->k));
	c->at = e.end;
	return e;
}

void scree_flat_cut(const oval *o, xy centre, const flat_polygon *p, real size, bool outside, xy about, flat_area *sum)
{
	view v = {o, p, centre, size};
	cursor at = {0, p->corners, 4, seen(&v, 0)};
	edge_cut e = {0};
	while (at.left > 0 && !e.leaves)
		if (!skip(&v, &at)) e = next_edge(&v, &at);
	if (!e.leaves) return;
	cutting c = {.v = &v, .outside = outside, .about = about, .from = e.exit, .sum = sum};
	leave(&c, &e);
	at.left = p->corners - 1;
	while (at.left > 0) {
		/* edges on the other side contribute nothing */
		if ((xy_dot(at.at, at.at) < 1) == outside && skip(&v, &at)) continue;
		edge_cut f = next_edge(&v, &at);
		arrive(&c, &f);
		if (f.leaves) leave(&c, &f);
	}
	arrive(&c, &e);
	if (!outside) sum->area += o->a * o->b * c.twice / 2;
}

void scree_flat_area_turn(flat_area *sum, mat3 turn)
{
	sum->push = xy_turned(turn, sum->push);
	sum->feet = xy_turned(turn, sum->feet);
}

void scree_flat_area_round_round(const placed *a, const placed *b, SCREE_UNUSED int32_t hint, patch *out)
{
	flat_gap g = scree_flat_gap(a, b);
	if (!flat_begin(out, g.n, -g.gap)) return;
	flat_lens l = lens(scree_flat_radius(a), scree_flat_radius(b), -g.gap);
	flat_area sum = {0};
	if (l.chord > 0) flat_area_add(&sum, l.area, xy_mul(l.chord, g.n), xy_madd(g.arm, l.sagitta, g.n));
	flat_area_patch(&sum, g.n, out);
}

void scree_flat_area_round_polygon(const placed *a, const placed *b, SCREE_UNUSED int32_t hint, patch *out)
{
	flat_gap g = scree_flat_gap(a, b);
	if (!flat_begin(out, g.n, -g.gap)) return;
	oval o = scree_flat_oval(a, b->turn);
	xy centre = xy_unturned(b->turn, xy_of(a->at.x - b->at.x, a->at.y - b->at.y));
	flat_area sum = {0};
	scree_flat_cut(&o, centre, &b->shape->flat, b->size, false, centre, &sum);
	scree_flat_area_turn(&sum, b->turn);
	flat_area_patch(&sum, g.n, out);
}
