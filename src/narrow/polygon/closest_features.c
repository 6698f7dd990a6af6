/* closest_features: the algorithm of Lin and Canny (1991) for convex polygons, made robust (docs/theory/polygons.md).
 *
 * Two features (corners or edges) are closest if the closest point of each feature is in the Voronoi region of the
 * other. If a point is outside a feature's region, the feature is replaced by its neighbour on that side. Additions:
 *
 * - Whether a corner faces an edge is decided only from directions, by n.t of the edge's normal and the corner's
 *   tangents, and not from the small vector between the closest points. Touching polygons are therefore handled as
 *   reliably as distant ones.
 * - A point below an edge is tested against all edges of that polygon. The point is either in front of one of these
 * edges or inside the polygon.
 * - A point counts as outside a region only beyond a tolerance. Steps are counted, and all features are tested after
 * too many steps. */
#include "narrow/polygon/pair.h"

static const real ASIDE = 1e-14;	/* relative to the scale: tolerance for a point outside a region */
static const real PARALLEL = 1e-12; /* sine of the largest angle at which edges count as parallel */
/* distance between two corners, relative to the scale, below which the direction between them does not prove that the
 * polygons are apart */
static const real CLOSE = 1e-7;

typedef struct flat_tip {
	real x, y;
	xy before, after;
} flat_tip;

SCREE_FN flat_tip tip_of(const polygon_pair *p, bool of_b, int32_t i)
{
	xy v = pair_corner(p, of_b, i);
	return (flat_tip){v.x, v.y, pair_tangent(p, of_b, i - 1), pair_tangent(p, of_b, i)};
}

/* The result of testing two features. */
typedef enum look {
	CLOSEST,
	EDGE_TO_START, /* replace the edge with its first corner */
	EDGE_TO_END,
	TIP_TO_BEFORE, /* replace the corner with the edge before it */
	TIP_TO_AFTER,
	BELOW, /* the corner is below the edge */
} look;

/* Tests whether the direction from a corner to the closest point of an edge is in the corner's region. before, after:
 * components of the direction along the edges */
SCREE_FN look leave_tip(real before, real after, real least)
{
	/* the direction is in the region if before >= least and after <= -least; otherwise the worse violation counts */
	if (before < least && least - before >= after + least) return TIP_TO_BEFORE;
	return after > -least ? TIP_TO_AFTER : CLOSEST;
}

SCREE_FN look look_tip_edge(flat_tip v, flat_edge e, bool tip_first, real scale, real *height)
{
	real px = v.x - e.x, py = v.y - e.y, x = px * e.tx + py * e.ty, aside = ASIDE * scale;
	*height = e.ty * px - e.tx * py;
	bool start = x<-aside, end = x> e.length + aside;
	if (!start && !end) {
		if (*height < -FLAT_ROUNDING * scale) return BELOW;
		/* the direction to the edge is opposite to the edge's normal */
		return leave_tip(e.tx * v.before.y - e.ty * v.before.x, e.tx * v.after.y - e.ty * v.after.x, PARALLEL);
	}
	if (tip_first) {
		real along = start ? 0 : e.length, ux = along * e.tx - px, uy = along * e.ty - py;
		look l = leave_tip(ux * v.before.x + uy * v.before.y, ux * v.after.x + uy * v.after.y, -aside);
		if (l != CLOSEST) return l;
	}
	return start ? EDGE_TO_START : EDGE_TO_END;
}

SCREE_FN void replace(int32_t *feature, int32_t by, feature_pair *f)
{
	*feature = by;
	++f->changes;
}

/* The edges next to corner i, and the corners next to edge i, as features. */
SCREE_FN int32_t edge_before(int32_t i, int32_t n) { return 2 * ring_last(i, n) + 1; }
SCREE_FN int32_t edge_after(int32_t i) { return 2 * i + 1; }
SCREE_FN int32_t edge_end(int32_t i, int32_t n) { return 2 * ring_next(i, n); }

/* Returns the edge of a polygon above which a point is highest. */
SCREE_FN int32_t front_edge(const polygon_pair *p, bool of_b, xy v, real *height)
{
	int32_t best = 0;
	*height = -INFINITY;
	for (int32_t k = 0; k < corners_of(p, of_b); ++k) {
		real h = height_over(pair_edge(p, of_b, k), v);
		best = h > *height ? k : best;
		*height = h > *height ? h : *height;
	}
	return best;
}

/* ------------------------------------------------------------------ all features */

typedef struct nearest {
	real d2;
	int32_t fa, fb;
} nearest;

/* Returns the squared distance between corner v of one polygon and edge e of the other. end: the end of e that is the
 * closest point, or -1 if none */
SCREE_FN real tip_to_edge(xy v, flat_edge e, int32_t *end)
{
	real px = v.x - e.x, py = v.y - e.y, x = px * e.tx + py * e.ty;
	*end = x <= 0 ? 0 : x >= e.length ? 1 : -1;
	x = real_clamp(x, 0, e.length);
	real dx = px - x * e.tx, dy = py - x * e.ty;
	return dx * dx + dy * dy;
}

static void nearest_of_edges(const polygon_pair *p, int32_t k, int32_t l, nearest *best)
{
	flat_edge a = edge_of_a(p, k), b = edge_of_b(p, l);
	int32_t end;
	for (int32_t i = 0; i < 2; ++i) {
		int32_t va = i ? edge_end(k, p->na) : 2 * k, vb = i ? edge_end(l, p->nb) : 2 * l;
		real d2 = tip_to_edge(corner_of_b(p, l + i), a, &end);
		if (d2 < best->d2) *best = (nearest){d2, end < 0 ? 2 * k + 1 : end ? edge_end(k, p->na) : 2 * k, vb};
		d2 = tip_to_edge(corner_of_a(p, k + i), b, &end);
		if (d2 < best->d2) *best = (nearest){d2, va, end < 0 ? 2 * l + 1 : end ? edge_end(l, p->nb) : 2 * l};
	}
}

SCREE_FN real lowest_over(const polygon_pair *p, bool of_b, int32_t k)
{
	flat_edge e = pair_edge(p, of_b, k);
	real low = INFINITY;
	for (int32_t l = 0; l < corners_of(p, !of_b); ++l) low = real_min(low, height_over(e, pair_corner(p, !of_b, l)));
	return low;
}

/* Tests every edge of a polygon as a separating axis. Keeps the normal of the axis for corners that touch. */
SCREE_FN bool separated_by(const polygon_pair *p, bool of_b, feature_pair *f)
{
	for (int32_t k = 0; k < corners_of(p, of_b); ++k) {
		if (!(lowest_over(p, of_b, k) >= -FLAT_ROUNDING * p->scale)) continue;
		xy t = pair_tangent(p, of_b, k);
		f->n = of_b ? xy_of(t.y, -t.x) : xy_of(-t.y, t.x);
		return true;
	}
	return false;
}

/* Tests all pairs of edges if an edge separates the polygons. Returns true if the polygons are apart. */
static bool ask_all(const polygon_pair *p, feature_pair *f)
{
	++f->exhausted;
	if (!separated_by(p, false, f) && !separated_by(p, true, f)) return false;
	nearest best = {INFINITY, 0, 0};
	for (int32_t k = 0; k < p->na; ++k)
		for (int32_t l = 0; l < p->nb; ++l) nearest_of_edges(p, k, l, &best);
	f->fa = best.fa;
	f->fb = best.fb;
	return true;
}

/* ------------------------------------------------------------------ two features */

/* Finds the distance between two parallel edges that face each other, in the middle of their common range. Returns
 * false for other edges or if there is no common range. */
static bool middle_of_parallel(const polygon_pair *p, flat_edge a, flat_edge b, int32_t l, feature_pair *f, real *low)
{
	real sine = a.tx * b.ty - a.ty * b.tx, cosine = a.tx * b.tx + a.ty * b.ty;
	if (real_abs(sine) > PARALLEL || cosine > 0) return false;
	xy start = {b.x, b.y}, end = corner_of_b(p, l + 1);
	real x1 = (start.x - a.x) * a.tx + (start.y - a.y) * a.ty, x0 = (end.x - a.x) * a.tx + (end.y - a.y) * a.ty;
	real h1 = height_over(a, start), h0 = height_over(a, end);
	real from = real_max(x0, 0), to = real_min(x1, a.length);
	if (!(to - from > 2 * ASIDE * p->scale)) return false;
	real x = (from + to) / 2, h = h0 + (h1 - h0) * ((x - x0) / (x1 - x0));
	*low = real_min(h0, h1);
	h = real_max(h, 0);
	f->a = xy_of(a.x + x * a.tx, a.y + x * a.ty);
	f->n = xy_of(-a.ty, a.tx);
	f->b = xy_madd(f->a, -h, f->n);
	f->distance = h;
	return true;
}

static void meet(const polygon_pair *p, int32_t k, crossing_heights h, feature_pair *f)
{
	f->overlapping = true;
	f->a = f->b = crossing_point(p, k, h.a_tail, h.a_head);
	f->n = xy_of(0, 0);
	f->distance = 0;
}

/* Called after a proof that the polygons overlap: if requested, finds a pair of edges that cross, if one exists. */
static void find_crossing(const polygon_pair *p, int32_t k, int32_t l, bool wanted, feature_pair *f)
{
	f->overlapping = true;
	f->fa = 2 * k + 1;
	f->fb = 2 * l + 1;
	f->n = xy_of(0, 0);
	f->distance = 0;
	if (!wanted) return;
	if (!scree_crossing_walk(p, true, p->na + p->nb, corner_of_b(p, l), &k, &l)) {
		++f->searched;
		crossing_list list = scree_crossing_search(p, false);
		f->nested = list.count == 0;
		k = list.enter_a >= 0 ? list.enter_a : list.leave_a;
		l = list.enter_a >= 0 ? list.enter_b : list.leave_b;
		if (f->nested) return;
	}
	f->fa = 2 * k + 1;
	f->fb = 2 * l + 1;
	meet(p, k, crossing_of(p, k, l), f);
}

/* What to do after a test of two features: continue with other features, or stop. */
typedef enum verdict { GO_ON, APART, INSIDE, LOST } verdict;

/* Handles a corner below an edge of the other polygon: continues with the edge above which this corner is highest. */
SCREE_FN verdict below(const polygon_pair *p, bool of_b, int32_t corner, feature_pair *f)
{
	real height;
	int32_t k = front_edge(p, of_b, pair_corner(p, !of_b, corner), &height);
	replace(of_b ? &f->fb : &f->fa, 2 * k + 1, f);
	*(of_b ? &f->fa : &f->fb) = 2 * corner;
	return height < -FLAT_ROUNDING * p->scale ? INSIDE : GO_ON;
}

/* Not inlined, because both functions are called in several places. */
static verdict below_a(const polygon_pair *p, int32_t corner, feature_pair *f) { return below(p, false, corner, f); }
static verdict below_b(const polygon_pair *p, int32_t corner, feature_pair *f) { return below(p, true, corner, f); }

SCREE_FN void put_over(bool of_b, flat_edge e, xy tip, real h, feature_pair *f)
{
	xy foot = {tip.x - h * e.ty, tip.y + h * e.tx};
	f->n = of_b ? xy_of(e.ty, -e.tx) : xy_of(-e.ty, e.tx);
	f->a = of_b ? tip : foot;
	f->b = of_b ? foot : tip;
	f->distance = real_max(h, 0);
}

static verdict corner_corner(const polygon_pair *p, feature_pair *f)
{
	int32_t i = f->fa >> 1, j = f->fb >> 1;
	flat_tip v = tip_of(p, false, i), w = tip_of(p, true, j);
	real ux = w.x - v.x, uy = w.y - v.y, aside = ASIDE * p->scale;
	look l = leave_tip(ux * v.before.x + uy * v.before.y, ux * v.after.x + uy * v.after.y, -aside);
	if (l != CLOSEST) {
		replace(&f->fa, l == TIP_TO_BEFORE ? edge_before(i, p->na) : edge_after(i), f);
		return GO_ON;
	}
	l = leave_tip(-(ux * w.before.x + uy * w.before.y), -(ux * w.after.x + uy * w.after.y), -aside);
	if (l != CLOSEST) {
		replace(&f->fb, l == TIP_TO_BEFORE ? edge_before(j, p->nb) : edge_after(j), f);
		return GO_ON;
	}
	real d = sqrt(ux * ux + uy * uy), inverse = d > 0 ? 1 / d : 0;
	f->a = xy_of(v.x, v.y);
	f->b = xy_of(w.x, w.y);
	f->n = xy_of(-inverse * ux, -inverse * uy);
	f->distance = d;
	return d > CLOSE * p->scale ? APART : LOST;
}

SCREE_FN verdict edge_corner(const polygon_pair *p, bool of_b, feature_pair *f)
{
	int32_t *edge = of_b ? &f->fb : &f->fa, *tip = of_b ? &f->fa : &f->fb, k = *edge >> 1, j = *tip >> 1;
	flat_edge e = pair_edge(p, of_b, k);
	flat_tip w = tip_of(p, !of_b, j);
	real h;
	switch (look_tip_edge(w, e, of_b, p->scale, &h)) {
	case CLOSEST:
		break;
	case EDGE_TO_START:
		replace(edge, 2 * k, f);
		return GO_ON;
	case EDGE_TO_END:
		replace(edge, edge_end(k, corners_of(p, of_b)), f);
		return GO_ON;
	case TIP_TO_BEFORE:
		replace(tip, edge_before(j, corners_of(p, !of_b)), f);
		return GO_ON;
	case TIP_TO_AFTER:
		replace(tip, edge_after(j), f);
		return GO_ON;
	case BELOW:
		return of_b ? below_b(p, j, f) : below_a(p, j, f);
	}
	put_over(of_b, e, (xy){w.x, w.y}, h, f);
	return APART;
}

/* Not inlined, like the two functions above. */
static verdict edge_of_a_corner(const polygon_pair *p, feature_pair *f) { return edge_corner(p, false, f); }
static verdict edge_of_b_corner(const polygon_pair *p, feature_pair *f) { return edge_corner(p, true, f); }

static verdict edge_edge(const polygon_pair *p, feature_pair *f)
{
	int32_t k = f->fa >> 1, l = f->fb >> 1;
	real low, in = -FLAT_ROUNDING * p->scale;
	flat_edge b = edge_of_b(p, l);
	if (middle_of_parallel(p, edge_of_a(p, k), b, l, f, &low)) return low >= in ? APART : below_a(p, l, f);
	crossing_heights h = crossing_of(p, k, l);
	if (crosses(h, p->scale)) {
		meet(p, k, h, f);
		return INSIDE;
	}
	/* if the edge faces away, this avoids walking around half of the border */
	if (h.a_tail < in && h.a_head < in) return below_b(p, k, f);
	if (h.b_tail < in && h.b_head < in) return below_a(p, l, f);
	nearest best = {INFINITY, 0, 0};
	nearest_of_edges(p, k, l, &best);
	f->changes += (best.fa != f->fa) + (best.fb != f->fb);
	f->fa = best.fa;
	f->fb = best.fb;
	return GO_ON;
}

SCREE_FN verdict look_once(const polygon_pair *p, feature_pair *f)
{
	++f->sweeps;
	if (f->fa & 1) return f->fb & 1 ? edge_edge(p, f) : edge_of_a_corner(p, f);
	return f->fb & 1 ? edge_of_b_corner(p, f) : corner_corner(p, f);
}

/* ------------------------------------------------------------------ start */

/* Returns the corner farthest along a direction in the polygon's own frame: tests a few corners, then walks uphill from
 * the best. */
static int32_t furthest(const flat_corner *c, int32_t count, real x, real y)
{
	int32_t best = 0, stride = 1;
	while (stride * stride < count) ++stride;
	real top = -INFINITY, value;
	for (int32_t i = 0; i < count; i += stride) {
		value = x * c[i].x + y * c[i].y;
		best = value > top ? i : best;
		top = value > top ? value : top;
	}
	for (int32_t by = -1; by <= 1; by += 2)
		for (int32_t i = best + by; (value = x * c[i].x + y * c[i].y) > top;) {
			top = value;
			best = i = i < 0 ? count - 1 : i >= count ? 0 : i;
			i += by;
		}
	return best;
}

static void start_features(const polygon_pair *p, feature_pair *f)
{
	f->fa = 2 * furthest(p->a, p->na, p->x, p->y);
	f->fb = 2 * furthest(p->b, p->nb, -(p->c * p->x + p->s * p->y), p->s * p->x - p->c * p->y);
}

/* Computes the points, the normal, and the distance between the two closest features after all features were tested. */
static void conclude(const polygon_pair *p, feature_pair *f)
{
	xy v = corner_of_a(p, f->fa >> 1), w = corner_of_b(p, f->fb >> 1);
	if (f->fa & 1) {
		flat_edge e = edge_of_a(p, f->fa >> 1);
		put_over(false, e, w, height_over(e, w), f);
	} else if (f->fb & 1) {
		flat_edge e = edge_of_b(p, f->fb >> 1);
		put_over(true, e, v, height_over(e, v), f);
	} else {
		real dx = v.x - w.x, dy = v.y - w.y, d = sqrt(dx * dx + dy * dy);
		f->a = v;
		f->b = w;
		f->distance = d;
		if (d > FLAT_ROUNDING * p->scale) f->n = xy_of(dx / d, dy / d);
	}
}

static void finish_slowly(const polygon_pair *p, verdict v, bool crossing, feature_pair *f)
{
	if (v == INSIDE && f->overlapping) return; /* edges cross */
	if (v != INSIDE && ask_all(p, f)) {
		conclude(p, f);
		return;
	}
	find_crossing(p, f->fa >> 1, f->fb >> 1, crossing, f);
}

enum { FOLLOWED = 32 }; /* maximum number of edges along which a crossing is tracked */

/* Usually, the edges that crossed in the last call still cross, or their neighbours do. */
SCREE_FN verdict follow_crossing(const polygon_pair *p, feature_pair *f)
{
	int32_t k = f->fa >> 1, l = f->fb >> 1;
	++f->sweeps;
	crossing_heights h = crossing_of(p, k, l);
	if (!crosses(h, p->scale)) {
		if (!scree_crossing_walk(p, true, FOLLOWED, corner_of_b(p, l), &k, &l)) return GO_ON;
		f->changes += (2 * k + 1 != f->fa) + (2 * l + 1 != f->fb);
		f->fa = 2 * k + 1;
		f->fb = 2 * l + 1;
		h = crossing_of(p, k, l);
	}
	meet(p, k, h, f);
	return INSIDE;
}

void scree_features_track(const polygon_pair *p, int32_t hint, bool crossing, feature_pair *f)
{
	f->sweeps = f->changes = f->exhausted = f->searched = 0;
	f->overlapping = f->nested = false;
	if (!features_unpack(p, hint, &f->fa, &f->fb)) start_features(p, f);
	bool crossed = f->fa & f->fb & features_crossed(hint);
	verdict v = crossed ? follow_crossing(p, f) : look_once(p, f);
	if (v == GO_ON)
		for (int32_t most = 2 * (p->na + p->nb) + 8; (v = look_once(p, f)) == GO_ON && --most > 0;)
			;
	if (v != APART) finish_slowly(p, v, crossing, f);
	f->hint = features_pack(f->fa, f->fb) + (f->overlapping && !f->nested ? FEATURES_CROSSED : 0);
}

/* Rotates a vector from a's frame to the axes of the poses. */
SCREE_FN xy turned_out(const flat_placed *a, xy v) { return xy_of(a->c * v.x - a->s * v.y, a->s * v.x + a->c * v.y); }

void scree_closest_features(const flat_placed *a, const flat_placed *b, int32_t hint, feature_pair *out)
{
	polygon_pair p = polygon_pair_of(a, b);
	scree_features_track(&p, hint, true, out);
	out->a = turned_out(a, out->a);
	out->b = turned_out(a, out->b);
	out->n = turned_out(a, out->n);
}
