/* overlap: the overlap of two polygons, from a tracked crossing, and their contact for area laws.
 *
 * Most overlaps have two crossings: a's border enters b at one and leaves b at the other. The overlap polygon then
 * consists of a's border from the first crossing to the second and b's border from the second to the first. A proof,
 * with a margin for rounding, shows that there are no other crossings. The proof uses corners known to be inside the
 * other polygon (`proved`). The proof depends only on the two crossings and holds for no other pair, so the result does
 * not depend on how the crossings were found. Without a proof (if the overlap is deep, one polygon contains or passes
 * through the other, or sides are collinear), a is clipped against all edges of b. */

#include "base/memory.h"
#include "narrow/polygon/pair.h"

/* ratio of area to chord, relative to the scale, below which there is no contact */
static const real LEAST_DEPTH = 1e-12;

/* The edges of both polygons at which a's border enters and leaves b. */
typedef struct lens {
	int32_t ka, lb, ka2, lb2;
	int32_t inner_a, inner_b; /* numbers of corners of a and of b between the crossings */
} lens;

SCREE_FN real side_of(xy from, xy to, xy v)
{
	return (to.x - from.x) * (v.y - from.y) - (to.y - from.y) * (v.x - from.x);
}

/* Data of one polygon for the proof: the centre, the edges before and after the edges between the crossings, and the
 * outer corners of these two edges. Points to the left of all these lines are inside the polygon. */
typedef struct witness {
	flat_edge first, last; /* the edges before and after the edges between the crossings */
	xy begin, end;		   /* start of `first` and end of `last` */
	xy centre;
	bool whole, reflex;
	real slack, area;
} witness;

/* Tests whether a point v is inside the polygon. v must be inside the lines of the edges between the crossings. */
SCREE_FN bool inside(const witness *w, xy v)
{
	if (!(height_over(w->first, v) < -w->slack && height_over(w->last, v) < -w->slack)) return false;
	if (w->whole) return true;
	bool left = side_of(w->end, w->centre, v) > w->area, right = side_of(w->centre, w->begin, v) > w->area;
	return w->reflex ? left || right : left && right;
}

SCREE_FN witness witness_of(const polygon_pair *p, const lens *c, bool of_b)
{
	int32_t n = corners_of(p, of_b), inner = of_b ? c->inner_b : c->inner_a;
	int32_t before = ring_last(of_b ? c->lb2 : c->ka, n), after = ring_next(of_b ? c->lb : c->ka2, n);
	witness w = {.first = pair_edge(p, of_b, before), .last = pair_edge(p, of_b, after)};
	if (of_b) w.centre = (xy){p->x, p->y};
	w.begin = (xy){w.first.x, w.first.y};
	w.end = pair_corner(p, of_b, after + 1);
	w.whole = inner + 3 >= n;
	w.reflex = side_of(w.end, w.centre, w.begin) <= 0;
	w.slack = FLAT_ROUNDING * p->scale;
	w.area = FLAT_ROUNDING * p->scale * p->scale;
	return w;
}

/* Tests whether the closed border turns left at every corner, and by exactly one full turn in all. */
static bool turns_once(const polygon_pair *p, const lens *c)
{
	xy a1 = pair_tangent(p, false, c->ka), a2 = pair_tangent(p, false, c->ka2);
	xy b1 = tangent_of_b(p, c->lb2), b2 = tangent_of_b(p, c->lb);
	return xy_cross(a1, a2) >= 0 && xy_cross(b1, b2) >= 0 && xy_cross(b2, a1) > 0 && xy_cross(a2, b1) > 0;
}

static bool proved(const polygon_pair *p, const lens *c)
{
	crossing_heights in = crossing_of(p, c->ka, c->lb), out = crossing_of(p, c->ka2, c->lb2);
	if (!(in.a_head < 0 && in.b_head > 0 && crosses_clearly(in, p->scale))) return false;
	if (!(out.a_head > 0 && out.b_head < 0 && crosses_clearly(out, p->scale))) return false;
	if (!turns_once(p, c)) return false;
	witness in_a = witness_of(p, c, false), in_b = witness_of(p, c, true);
	for (int32_t n = c->inner_a, i = c->ka; n > 0; --n) {
		i = ring_next(i, p->na);
		if (!inside(&in_b, corner_of_a(p, i))) return false;
	}
	for (int32_t n = c->inner_b, i = c->lb2; n > 0; --n) {
		i = ring_next(i, p->nb);
		if (!inside(&in_a, corner_of_b(p, i))) return false;
	}
	return true;
}

typedef struct fan {
	xy from, last;
	real twice;
} fan;

SCREE_FN void fan_add(fan *f, xy v)
{
	xy d = {v.x - f->from.x, v.y - f->from.y};
	f->twice += xy_cross(f->last, d);
	f->last = d;
}

/* Adds the chord c2 - c1 from the point where a's border enters b to the point where it leaves b. */
SCREE_FN void add_chord(flat_overlap *o, xy c1, xy c2)
{
	const xy d = xy_sub(c2, c1), m = xy_mul((real)0.5, xy_add(c1, c2));
	const real length = xy_norm(d);
	o->g = xy_add(o->g, xy_left(d));
	o->moment += xy_dot(d, m);
	o->middle = xy_madd(o->middle, length, m);
	o->length += length;
}

static void march(const polygon_pair *p, const lens *c, flat_overlap *o, flat_ring *ring)
{
	crossing_heights h1 = crossing_of(p, c->ka, c->lb), h2 = crossing_of(p, c->ka2, c->lb2);
	xy c1 = crossing_point(p, c->ka, h1.a_tail, h1.a_head);
	xy c2 = crossing_point(p, c->ka2, h2.a_tail, h2.a_head);
	fan f = {c1, {0, 0}, 0};
	ring_add(ring, c1, false);
	for (int32_t n = c->inner_a, i = c->ka; n > 0; --n) {
		i = ring_next(i, p->na);
		fan_add(&f, corner_of_a(p, i));
		ring_add(ring, corner_of_a(p, i), false);
	}
	fan_add(&f, c2);
	ring_add(ring, c2, true);
	for (int32_t n = c->inner_b, i = c->lb2; n > 0; --n) {
		i = ring_next(i, p->nb);
		fan_add(&f, corner_of_b(p, i));
		ring_add(ring, corner_of_b(p, i), true);
	}
	o->area = f.twice / 2;
	o->marched = true;
	add_chord(o, c1, c2);
}

/* Keeps the part of the polygon not above edge l of b (Sutherland and Hodgman 1974). Corners up to `slack` above the
 * edge are also kept, so that collinear sides remain sides of a. */
static void cut(const polygon_pair *p, int32_t l, real slack, const flat_ring *from, flat_ring *to, real *height)
{
	flat_edge e = edge_of_b(p, l);
	bool outside = false;
	int32_t crossings = 0; /* a line crosses a convex polygon at most twice; more is rounding error */
	for (int32_t i = 0; i < from->count; ++i) {
		height[i] = height_over(e, ring_at(from, i));
		outside |= height[i] > slack;
	}
	to->count = 0;
	for (int32_t i = 0; i < from->count; ++i) {
		int32_t k = ring_next(i, from->count);
		bool keep = height[i] <= slack, keep_next = height[k] <= slack;
		if (keep) ring_add(to, ring_at(from, i), from->second[i]);
		if (!outside || keep == keep_next || crossings++ > 1) continue;
		int32_t in = keep ? i : k, out = keep ? k : i;
		real t = real_clamp(height[in] / (height[in] - height[out]), 0, 1);
		ring_add_between(to, from, in, out, t, keep || from->second[i]);
	}
}

static void sum_ring(const flat_ring *r, flat_overlap *o)
{
	if (r->count < 3) return;
	fan f = {ring_at(r, 0), {0, 0}, 0};
	int32_t start = -1;
	for (int32_t i = 0; i < r->count; ++i) {
		fan_add(&f, ring_at(r, i));
		if (!r->second[i] && r->second[i > 0 ? i - 1 : r->count - 1]) start = i;
	}
	o->area = f.twice / 2;
	if (start < 0) return; /* no chord, because one polygon is inside the other */
	for (int32_t n = 0, i = start, begin = start; n < r->count; ++n) {
		int32_t k = ring_next(i, r->count);
		if (!r->second[i] && r->second[k]) /* a's border leaves b at k */
			add_chord(o, ring_at(r, begin), ring_at(r, k));
		if (r->second[i] && !r->second[k]) begin = k;
		i = k;
	}
}

enum { ROOM = 64 };

/* Clips a against all edges of b that may extend into a. */
static void cut_all(const polygon_pair *p, flat_overlap *o, flat_ring *ring)
{
	int32_t unit = p->na + 2 * p->nb + 2;
	real small[5 * ROOM], *room = small;
	bool small_side[2 * ROOM], *side = small_side;
	if (unit > ROOM) {
		room = scree_alloc((size_t)unit * 5, sizeof *room);
		side = scree_alloc((size_t)unit * 2, sizeof *side);
	}
	flat_ring now = {0, room, room + unit, side}, next = {0, room + 2 * unit, room + 3 * unit, side + unit};
	for (int32_t i = 0; i < p->na; ++i) ring_add(&now, corner_of_a(p, i), false);
	for (int32_t l = 0; l < p->nb && now.count; ++l) {
		cut(p, l, FLAT_ROUNDING * p->scale, &now, &next, room + 4 * unit);
		flat_ring swap = now;
		now = next;
		next = swap;
	}
	sum_ring(&now, o);
	for (int32_t i = 0; ring && i < now.count; ++i) ring_add(ring, ring_at(&now, i), now.second[i]);
	if (room != small) SCREE_FREE_ALL(room, side);
}

/* Finds the overlap from a crossing of either kind; returns false if the overlap is not proved. */
static bool lens_at(const polygon_pair *p, int32_t k, int32_t l, bool all_known, crossing_list all, lens *c)
{
	crossing_heights h = crossing_of(p, k, l);
	bool enters = h.a_head < -FLAT_ROUNDING * p->scale;
	int32_t k2 = k, l2 = l;
	if (all_known) {
		k = all.enter_a, l = all.enter_b;
		k2 = all.leave_a, l2 = all.leave_b;
	} else {
		xy near = crossing_point(p, k, h.a_tail, h.a_head);
		if (!scree_crossing_walk(p, !enters, p->na + p->nb, near, &k2, &l2)) return false;
		if (!enters) {
			int32_t swap = k;
			k = k2, k2 = swap;
			swap = l;
			l = l2, l2 = swap;
		}
	}
	*c = (lens){k, l, k2, l2, k2 - k, l - l2};
	if (c->inner_a < 0) c->inner_a += p->na;
	if (c->inner_b < 0) c->inner_b += p->nb;
	return proved(p, c);
}

static bool find_lens(const polygon_pair *p, const feature_pair *f, lens *c, int32_t *borders)
{
	crossing_list none = {0};
	if (!f->nested && lens_at(p, f->fa >> 1, f->fb >> 1, false, none, c)) return true;
	++*borders;
	crossing_list all = scree_crossing_search(p, true);
	return all.count == 2 && all.enter_a >= 0 && all.leave_a >= 0 && lens_at(p, all.enter_a, all.enter_b, true, all, c);
}

bool scree_flat_overlap(const polygon_pair *p, int32_t hint, flat_overlap *o, flat_ring *ring, real *apart)
{
	feature_pair f;
	lens c;
	scree_features_track(p, hint, true, &f);
	*o = (flat_overlap){.hint = f.hint, .changes = f.changes, .all = f.exhausted, .borders = f.searched};
	*apart = f.distance;
	if (!f.overlapping) return false;
	if (find_lens(p, &f, &c, &o->borders)) {
		o->hint = features_pack(2 * c.ka + 1, 2 * c.lb + 1) + FEATURES_CROSSED;
		march(p, &c, o, ring);
	} else {
		cut_all(p, o, ring);
	}
	real g = real_max(xy_norm(o->g), LEAST_DEPTH * p->scale);
	if (!(o->area > LEAST_DEPTH * p->scale * g)) {
		o->area = 0;
		return false;
	}
	if (o->length > 0) o->middle = xy_of(o->middle.x / o->length, o->middle.y / o->length);
	return true;
}

/* Returns the point where the resultant acts: on its line of action, inside both bodies, and as near as possible to the
 * middle of the chords. If there is only one chord, this point is its midpoint. */
static xy line_of_action(const polygon_pair *p, const flat_overlap *o, real g)
{
	xy at = o->middle;
	if (o->marched || !(g > 0)) return at;
	real off = (o->moment - xy_cross(at, o->g)) / g; /* remaining lever arm of the resultant */
	off = real_clamp(off, -p->scale, p->scale);
	return (xy){at.x + off * o->g.y / g, at.y - off * o->g.x / g};
}

void scree_polygon_overlap(const placed *a, const placed *b, int32_t hint, patch *out)
{
	flat_placed fa = flat_of(a, a), fb = flat_of(b, a);
	polygon_pair p = polygon_pair_of(&fa, &fb);
	if (begin_patch(p.x, p.y, p.scale, hint, out)) return;
	flat_overlap o;
	real apart;
	bool touching = scree_flat_overlap(&p, hint, &o, NULL, &apart);
	out->axis = o.hint;
	features_count(&out->features, hint, o.hint, o.changes, o.all, o.borders);
	out->depth = -real_max(apart - FLAT_ROUNDING * p.scale, 0);
	if (!touching) return;
	real g = xy_norm(o.g), least = LEAST_DEPTH * p.scale;
	xy at = line_of_action(&p, &o, g);
	/* one polygon is inside the other or passes straight through it: no force, and an arbitrary normal */
	vec3 n = g > least ? v3(o.g.x / g, o.g.y / g, 0) : v3_unit(v3(-p.x, -p.y, 0));
	if (!(v3_norm2(n) > 0)) n = v3(0, 1, 0);
	g = real_max(g, least);
	out->points = 1;
	out->normal = mat3_mul(a->turn, n);
	out->at[0] = mat3_mul(a->turn, v3(at.x, at.y, 0));
	out->depth = out->deep[0] = o.area / g;
	out->weight[0] = g;
}
