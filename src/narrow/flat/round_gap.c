/* round_gap: finds the largest g(n) over all directions by an ascent and, if the result may be only a local maximum, by
 * branch and bound as well.
 *
 * Let theta be the angle of n, s(n) the point of support, and rho(theta) the radius of curvature of S's border (a^2 b^2
 * / h^3 for an ellipse; a polygon only adds a kink at each edge's normal). Then
 *
 *     g' = t.(r - s),  t = n rotated to the left;      g'' = -(g + rho).
 *
 * Ascent: moves uphill from a guess until g' changes sign, then takes Halley steps within that bracket, or bisects
 * where they fail. For a polygon the bracket is first cut repeatedly at the median of its edge normals until one corner
 * is left.
 *
 * Test for the global maximum: a disc with the smallest radius of curvature rolls freely inside S (Blaschke). If the
 * depth at a local maximum is less than that radius, the disc around r that touches the border there is inside S, so no
 * part of the border is nearer. This proves the maximum for separate bodies and for small overlaps.
 *
 * In other cases, the circle of directions is cut into arcs. On an arc with rho >= rho_0, the function h - rho_0 is the
 * support function of a convex figure. Therefore, at either end e
 *
 *     g(n) <= n.w_e - rho_0, w_e = r - s_e + rho_0 n_e.
 *
 * The smaller of these two sinusoids bounds g. Arcs whose bound does not exceed the best value are discarded. On arcs
 * where g is certainly concave, the maximum is found by ascent; other arcs are halved. The bound's error is of third
 * order in the arc's width (zero for discs), so few arcs remain at any level, even if r is a centre of curvature.
 *
 * The result depends only on the poses; arcs are processed in a fixed order. */
#include "narrow/flat/round.h"

/* Both bodies as the sum S in the frame of b. */
typedef struct sum {
	xy apart; /* r: from the centre of b to the centre of a */
	oval oval[2];
	int32_t ovals;
	const flat_polygon *polygon; /* NULL: none */
	real size;					 /* size of the polygon */
	real scale;					 /* rough upper bound on lengths */
	real roundest;				 /* smallest radius of curvature */
	real slender;				 /* smallest ratio of semi-axes */
} sum;

/* g and its derivatives in one direction. At an edge's normal the support is the whole edge, and g has two slopes. */
typedef struct look {
	xy n, arm;
	real gap, back, ahead; /* g, and its slopes on the clockwise and counter-clockwise sides of n */
	real h[2], rho, bend;  /* support functions of the ovals, rho, and the slope of rho (bend) */
	int32_t from, to;	   /* support corners on the clockwise and counter-clockwise sides of n */
	xy foot[2];			   /* r - s for these corners */
} look;

static const xy nowhere = {0, 0};

oval scree_flat_oval(const placed *p, mat3 frame)
{
	return scree_shape_oval(p->shape, p->size, xy_unturned(frame, xy_flat(p->turn.x)));
}

static bool between(xy low, xy n, xy high) { return xy_cross(low, n) > 0 && xy_cross(n, high) > 0; }

static look look_at(const sum *s, xy n, int32_t from, int32_t to)
{
	look l = {.n = n, .from = from, .to = to};
	xy base = s->apart, t = xy_left(n), at;
	real h = 0;
	for (int32_t k = 0; k < s->ovals; ++k) {
		const oval *o = s->oval + k;
		l.h[k] = oval_support(o, n, &at);
		real q = o->a * o->b / l.h[k], rho = q * q / l.h[k];
		l.rho += rho;
		l.bend -= 3 * rho * xy_dot(t, at) / l.h[k]; /* h' = t.s */
		h += l.h[k];
		base = xy_sub(base, at);
		if (!k) l.arm = xy_of(-at.x, -at.y);
	}
	xy corner = s->polygon ? flat_corner_at(s->polygon, from, s->size) : nowhere;
	l.gap = xy_dot(n, xy_sub(s->apart, corner)) - h;
	l.foot[0] = l.foot[1] = xy_sub(base, corner);
	l.back = l.ahead = xy_dot(t, l.foot[0]);
	if (to == from) return l;
	l.foot[1] = xy_sub(base, flat_corner_at(s->polygon, to, s->size));
	l.ahead = xy_dot(t, l.foot[1]);
	return l;
}

static look look_anywhere(const sum *s, xy n)
{
	int32_t k = s->polygon ? scree_flat_farthest(s->polygon, n) : 0;
	return look_at(s, n, k, k);
}

/* Evaluates g near a direction in which this corner is the farthest. */
static look look_near(const sum *s, xy n, int32_t corner)
{
	const flat_polygon *p = s->polygon;
	if (p && !between(flat_edge_normal(p, flat_before(p, corner)), n, flat_edge_normal(p, corner)))
		return look_anywhere(s, n);
	return look_at(s, n, corner, corner);
}

static look look_along_edge(const sum *s, int32_t k)
{
	return look_at(s, flat_edge_normal(s->polygon, k), k, flat_after(s->polygon, k));
}

static bool is_top(const look *l) { return l->back >= 0 && l->ahead <= 0; }

/* Returns n rotated by an angle with this tangent. */
static xy turned_by(xy n, real tangent) { return xy_unit(xy_madd(n, tangent, xy_left(n))); }

/* Returns the edge with the median normal among the edges between two directions, of which there is at least one. */
static int32_t middle_edge(const sum *s, const look *low, const look *high)
{
	int32_t count = high->from - low->to;
	if (count < 0) count += s->polygon->corners;
	int32_t k = low->to + count / 2;
	return k < s->polygon->corners ? k : k - s->polygon->corners;
}

/* The tangent of the third-order Halley step to the maximum, exact for discs. g must be concave at l. */
static real step_from(const look *l, real slope)
{
	real curved = l->gap + l->rho, newton = slope / curved;
	return newton / (1 + real_clamp(newton * l->bend / (2 * curved), (real)-0.5, 1));
}

/* Returns the direction after a Halley step from l, or the middle of the bracket, and the length of the step. */
static xy next_direction(const look *low, const look *high, const look *l, real slope, bool halve, real *step)
{
	*step = 1;
	if (!halve && l->gap + l->rho > 0) {
		real way = step_from(l, slope);
		xy n = turned_by(l->n, way);
		if (between(low->n, n, high->n)) {
			*step = real_abs(way);
			return n;
		}
	}
	return xy_unit(xy_add(low->n, high->n));
}

/* Finds the maximum between two directions, where g rises counter-clockwise at the first and falls at the second. */
static look top_between(const sum *s, look low, look high, bool from_low)
{
	real blur = (real)4e-16 * s->scale;
	while (low.to != high.from) {
		look l = look_along_edge(s, middle_edge(s, &low, &high));
		if (is_top(&l)) return l;
		*(l.ahead > 0 ? &low : &high) = l;
	}
	bool slow = false;
	look l = from_low ? low : high;
	real slope = from_low ? low.ahead : high.back, step;
	for (int32_t k = 0; k < 200; ++k) {
		if (l.from == l.to && real_abs(slope) <= blur && l.gap + l.rho > 0) return l;
		xy n = next_direction(&low, &high, &l, slope, slow, &step);
		if (!between(low.n, n, high.n)) return l; /* no representable number is between low and high */
		look m = look_at(s, n, low.to, low.to);
		/* after a step this short only rounding error remains */
		if (step < (real)1e-6 * s->slender || is_top(&m)) return m;
		slow = real_abs(m.ahead) > real_abs(slope) / 2;
		slope = m.ahead;
		l = m;
		*(l.ahead > 0 ? &low : &high) = l;
	}
	return l;
}

/* Finds a maximum uphill from l. The first step is at most `step` (a tangent). After a step that does not halve the
 * slope, the next step is twice as long, until the slope changes sign and a bracket is found. */
static look climb(const sum *s, look l, real step)
{
	if (is_top(&l)) return l;
	bool left = l.ahead > 0;
	real blur = (real)4e-16 * s->scale, least = (real)1e-15;
	for (int32_t k = 0; k < 64; ++k, least *= 8) {
		real slope = left ? l.ahead : l.back;
		bool concave = l.gap + l.rho > 0;
		/* smaller slopes result from rounding of the direction */
		if (concave && real_abs(slope) <= blur && l.from == l.to) return l;
		real way = concave ? real_abs(step_from(&l, slope)) : 1;
		way = real_min(real_max(way, least), step);
		look m = look_near(s, turned_by(l.n, left ? way : -way), left ? l.to : l.from);
		if (is_top(&m)) return m;
		if (left && !(m.ahead > 0)) return top_between(s, l, m, false);
		if (!left && !(m.back < 0)) return top_between(s, m, l, true);
		if (real_abs(left ? m.ahead : m.back) > real_abs(slope) / 2) least = real_max(least, 2 * way);
		l = m;
		step = real_min(8 * step, 1);
	}
	return l;
}

/* ------------------------------------------------------------------ branch and bound */

typedef struct arc {
	look low, high;
	real bound;
} arc;

/* The ovals' smallest radius of curvature. cosine: cosine of half the angle between the directions */
static real least_rho(const sum *s, const look *low, const look *high, real cosine)
{
	real rho = 0;
	for (int32_t k = 0; k < s->ovals; ++k) {
		const oval *o = s->oval + k;
		/* h is convex, so between the ends it is at most the chord */
		real most = real_min(real_max(low->h[k], high->h[k]) / cosine, real_max(o->a, o->b)), q = o->a * o->b / most;
		rho += q * q / most;
	}
	return real_min(rho, s->scale);
}

/* Returns the largest n.w over an arc shorter than half a circle. */
static real sinusoid(xy w, xy low, xy high)
{
	if (between(low, w, high)) return xy_norm(w);
	return real_max(xy_dot(low, w), xy_dot(high, w));
}

static real half_cosine(const look *low, const look *high)
{
	return sqrt(real_max((1 + xy_dot(low->n, high->n)) / 2, 0));
}

static real bound_of(const look *low, const look *high, real rho)
{
	xy w = xy_madd(low->foot[1], rho, low->n), v = xy_madd(high->foot[0], rho, high->n), d = xy_sub(v, w);
	/* both sinusoids have the same value in the direction perpendicular to d */
	xy m = xy_left(d);
	if (xy_dot(m, xy_add(low->n, high->n)) < 0) m = xy_mul(-1, m);
	if (!between(low->n, m, high->n)) return real_min(sinusoid(w, low->n, high->n), sinusoid(v, low->n, high->n)) - rho;
	m = xy_unit(m);
	return real_max(sinusoid(w, low->n, m), sinusoid(v, m, high->n)) - rho;
}

static arc arc_between(const sum *s, look low, look high)
{
	return (arc){low, high, bound_of(&low, &high, least_rho(s, &low, &high, half_cosine(&low, &high)))};
}

/* Tests whether g is concave on a whole arc that has only one support corner. */
static bool is_concave(const sum *s, const arc *a)
{
	real cosine = half_cosine(&a->low, &a->high), least = real_min(a->low.gap, a->high.gap);
	if (least < 0) least /= cosine;
	return least + least_rho(s, &a->low, &a->high, cosine) > 0;
}

static void take_higher(look *best, const look *l)
{
	if (l->gap > best->gap) *best = *l;
}

enum { ARCS = 256 };

/* Creates the first four arcs, starting at the best direction. */
static int32_t first_arcs(const sum *s, const look *best, arc *list)
{
	xy n = best->n;
	look q[3] = {look_anywhere(s, xy_left(n)), look_anywhere(s, xy_mul(-1, n)),
				 look_anywhere(s, xy_mul(-1, xy_left(n)))};
	list[0] = arc_between(s, q[1], q[2]);
	list[1] = arc_between(s, q[0], q[1]);
	list[2] = arc_between(s, q[2], *best);
	list[3] = arc_between(s, *best, q[0]);
	return 4;
}

static look middle_of(const sum *s, const arc *a)
{
	if (a->low.to != a->high.from) return look_along_edge(s, middle_edge(s, &a->low, &a->high));
	return look_at(s, xy_unit(xy_add(a->low.n, a->high.n)), a->low.to, a->low.to);
}

/* Returns the global maximum; best is a local maximum. */
static look search(const sum *s, look best)
{
	arc list[ARCS];
	real small = (real)1e-14 * s->scale;
	int32_t count = first_arcs(s, &best, list);
	while (count > 0) {
		arc a = list[--count];
		if (a.bound <= best.gap + small) continue;
		if (a.low.to == a.high.from) {
			if (is_concave(s, &a)) {
				look l =
					a.low.ahead > 0 && a.high.back < 0 ? top_between(s, a.low, a.high, a.low.gap > a.high.gap) : a.low;
				take_higher(&best, &l);
				take_higher(&best, &a.high);
				continue;
			}
			if (xy_cross(a.low.n, a.high.n) < (real)1e-7) continue;
		}
		look l = middle_of(s, &a);
		take_higher(&best, &l);
		arc left = arc_between(s, a.low, l), right = arc_between(s, l, a.high);
		bool left_first = left.bound > right.bound;
		SCREE_ASSERT(count + 2 <= ARCS);
		list[count++] = left_first ? right : left;
		list[count++] = left_first ? left : right;
	}
	/* best may not be the end of an ascent; its value then differs from the maximum only by rounding error */
	look l = climb(s, best, (real)1e-6);
	return l.gap >= best.gap - small ? l : best;
}

/* ------------------------------------------------------------------ the gap between two bodies */

static sum sum_of(const placed *a, const placed *b)
{
	sum s = {.apart = xy_unturned(b->turn, xy_of(a->at.x - b->at.x, a->at.y - b->at.y)), .ovals = 1};
	s.size = b->size;
	s.slender = 1;
	s.oval[0] = scree_flat_oval(a, b->turn);
	if (b->shape->type == SHAPE_POLYGON)
		s.polygon = &b->shape->flat;
	else
		s.oval[s.ovals++] = scree_flat_oval(b, b->turn);
	s.scale = xy_norm(s.apart) + placed_radius(a) + placed_radius(b);
	for (int32_t k = 0; k < s.ovals; ++k) {
		real small = real_min(s.oval[k].a, s.oval[k].b), large = real_max(s.oval[k].a, s.oval[k].b);
		s.roundest += small * small / large;
		s.slender = real_min(s.slender, small / large);
	}
	return s;
}

/* The normal of an ellipse similar to S (the tightest around S for two ellipses) where it crosses the ray to r. */
static xy guess(const sum *s)
{
	real trace[2] = {1, 1}, weight[2] = {1, 1}, xx = 0, mixed = 0, yy = 0;
	real far = xy_norm(s->apart);
	if (!(far > 0)) return xy_of(1, 0);
	if (s->polygon) return xy_unit(s->apart);
	for (int32_t k = 0; k < s->ovals; ++k) trace[k] = s->oval[k].a * s->oval[k].a + s->oval[k].b * s->oval[k].b;
	weight[0] = 1 / sqrt(trace[0]);
	weight[1] = 1 / sqrt(trace[1]);
	for (int32_t k = 0; k < s->ovals; ++k) {
		const oval *o = s->oval + k;
		real p = weight[k] * o->a * o->a, q = weight[k] * o->b * o->b;
		xx += p * o->along.x * o->along.x + q * o->along.y * o->along.y;
		yy += p * o->along.y * o->along.y + q * o->along.x * o->along.x;
		mixed += (p - q) * o->along.x * o->along.y;
	}
	xy n = xy_of(yy * s->apart.x - mixed * s->apart.y, xx * s->apart.y - mixed * s->apart.x);
	real length = xy_norm(n);
	return length > 0 ? xy_mul(1 / length, n) : xy_mul(1 / far, s->apart);
}

flat_gap scree_flat_gap(const placed *a, const placed *b)
{
	sum s = sum_of(a, b);
	look l = climb(&s, look_anywhere(&s, guess(&s)), 1);
	if (!(l.gap + s.roundest > (real)1e-12 * s.scale)) l = search(&s, l);
	return (flat_gap){l.gap, xy_turned(b->turn, l.n), xy_turned(b->turn, l.arm)};
}

void scree_flat_depth_round_round(const placed *a, const placed *b, SCREE_UNUSED int32_t hint, patch *out)
{
	flat_gap g = scree_flat_gap(a, b);
	if (flat_begin(out, g.n, -g.gap)) flat_point(out, xy_madd(g.arm, -g.gap / 2, g.n), -g.gap, 1);
}

void scree_flat_depth_round_polygon(const placed *a, const placed *b, int32_t hint, patch *out)
{
	scree_flat_depth_round_round(a, b, hint, out);
}
