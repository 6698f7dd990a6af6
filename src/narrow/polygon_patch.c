/* polygon_patch: two convex polygons as a law on depth sees them: the edge of least penetration, and points along it
 * (the counterpart of convex_convex and convex_patch in the plane; docs/theory/polygons.md).
 *
 * The separation along an edge's normal is the least height of the other polygon's corners over it; the reference edge
 * is that of the largest one over all edges of both, first those of a, then the lower number. Edges are not all looked
 * at: with balls inside both polygons the separation is at most n.D less both inradii, D from centre to centre, so that
 * only those can win whose normal is near D. They lie side by side on the ring, and the lowest corners over them, too.
 * So the choice is that of all edges, whatever the hint, and costs what the edges in that sector cost. */
#include "narrow/polygon_overlap.h"

#include "base/memory.h"
#include "narrow/closest_features.h"

static const real LEAST_DEPTH = 1e-12; /* of the scale: a penetration below it is no contact */

typedef struct flat_axis {
	real s; /* separation, < 0: penetration */
	bool of_b;
	int32_t edge, corner; /* corner of the other polygon, lowest over the edge */
} flat_axis;

typedef struct sector {
	const polygon_pair *p;
	real inner_a, inner_b; /* radii of balls inside, about the centres */
	flat_axis best;
} sector;

SCREE_FN flat_edge edge_of(const polygon_pair *p, bool of_b, int32_t i)
{
	return of_b ? edge_of_b(p, i) : edge_of_a(p, i);
}
SCREE_FN flat_vector corner_of(const polygon_pair *p, bool of_b, int32_t i)
{
	return of_b ? corner_of_b(p, i) : corner_of_a(p, i);
}

/* Downhill over an edge from a corner of the other polygon: heights fall to one lowest edge or corner, and rise. */
SCREE_FN real lowest_over(const polygon_pair *p, bool of_b, int32_t edge, int32_t *corner)
{
	flat_edge e = edge_of(p, of_b, edge);
	int32_t n = of_b ? p->na : p->nb, i = *corner;
	real low = height_over(e, corner_of(p, !of_b, i)), h;
	while ((h = height_over(e, corner_of(p, !of_b, i + 1))) < low) low = h, i = ring_next(i, n);
	if (i == *corner)
		while ((h = height_over(e, corner_of(p, !of_b, i - 1))) < low) low = h, i = ring_last(i, n);
	*corner = i;
	return low;
}

/* ties: edges of a, then the lower number */
SCREE_FN bool better(const flat_axis *x, const flat_axis *than)
{
	if (x->s != than->s) return x->s > than->s;
	return x->of_b == than->of_b ? x->edge < than->edge : than->of_b;
}

static void look_at(sector *c, bool of_b, int32_t edge, int32_t *corner)
{
	flat_axis x = {lowest_over(c->p, of_b, edge, corner), of_b, edge, *corner};
	if (better(&x, &c->best)) c->best = x;
}

/* n.D for the outward normal of an edge, D towards the other centre */
SCREE_FN real facing(const polygon_pair *p, bool of_b, int32_t i)
{
	if (!of_b) return p->a[i].ty * p->x - p->a[i].tx * p->y;
	flat_vector t = tangent_of_b(p, i);
	return t.x * p->y - t.y * p->x;
}

/* the edge that faces the other centre most, uphill from one */
static int32_t front_edge(const polygon_pair *p, bool of_b, int32_t i)
{
	int32_t n = of_b ? p->nb : p->na, from = i;
	real top = facing(p, of_b, i), f;
	while ((f = facing(p, of_b, i + 1)) > top) top = f, i = ring_next(i, n);
	if (i == from)
		while ((f = facing(p, of_b, i - 1)) > top) top = f, i = ring_last(i, n);
	return i;
}

/* the edges to one side of the front edge, as far as they can win */
static void look_along(sector *c, bool of_b, int32_t front, int32_t by, int32_t corner)
{
	const polygon_pair *p = c->p;
	real margin = FLAT_ROUNDING * p->scale, inner = of_b ? c->inner_a : c->inner_b;
	flat_vector centre = of_b ? (flat_vector){0, 0} : (flat_vector){p->x, p->y};
	int32_t n = of_b ? p->nb : p->na, i = front;
	for (int32_t left = n - 1; left > 0; --left) {
		i = by > 0 ? ring_next(i, n) : ring_last(i, n);
		if (facing(p, of_b, i) - c->inner_a - c->inner_b < c->best.s - margin) return;
		if (height_over(edge_of(p, of_b, i), centre) - inner < c->best.s - margin) continue;
		look_at(c, of_b, i, &corner);
	}
}

/* The axis of least penetration; edges and corners nearby where to begin. */
static flat_axis least_penetration(const polygon_pair *p, real inner_a, real inner_b, int32_t ia, int32_t ib)
{
	sector c = {p, inner_a, inner_b, {-INFINITY, true, INT32_MAX, 0}};
	int32_t front_a = front_edge(p, false, ia), front_b = front_edge(p, true, ib);
	int32_t low_b = front_b, low_a = front_a; /* the lowest corners are near */
	look_at(&c, false, front_a, &low_b);
	look_at(&c, true, front_b, &low_a);
	real none = -LEAST_DEPTH * p->scale;
	for (int32_t by = 1; by >= -1 && c.best.s < none; by -= 2) {
		look_along(&c, false, front_a, by, low_b);
		look_along(&c, true, front_b, by, low_a);
	}
	return c.best;
}

/* ------------------------------------------------------------------ points */

/* Both borders as the reference edge sees them: x along its tangent, height along its normal; overlap is the height of
 * the reference body's border less that of the other one's. The list is made of two wings, from the middle outwards. */
typedef struct section {
	real x, top, low;
} section;

typedef struct wing {
	int32_t count, room;
	section *at;
} wing;

typedef struct borders {
	const polygon_pair *p;
	bool of_b; /* the reference edge is b's */
	int32_t n, other_n;
	flat_edge e;
} borders;

/* a corner of the reference body, and of the other one; x to the right is that along the tangent times way */
SCREE_FN flat_vector seen(const borders *s, flat_vector v, real way)
{
	return (flat_vector){way * ((v.x - s->e.x) * s->e.tx + (v.y - s->e.y) * s->e.ty), height_over(s->e, v)};
}
SCREE_FN flat_vector own(const borders *s, int32_t i, real way) { return seen(s, corner_of(s->p, s->of_b, i), way); }
SCREE_FN flat_vector others(const borders *s, int32_t i, real way)
{
	return seen(s, corner_of(s->p, !s->of_b, i), way);
}

/* height at x of the line from the corner to the left in the border's order to the one to the right, whichever way one
 * goes: the same bits */
SCREE_FN real height_at(flat_vector v, flat_vector w, real x, bool forward)
{
	if (!forward) {
		flat_vector swap = v;
		v = w, w = swap;
	}
	return v.y + (w.y - v.y) * ((x - v.x) / (w.x - v.x));
}

SCREE_FN void add_section(wing *w, section s)
{
	if (w->count < w->room) w->at[w->count] = s;
	++w->count;
}

/* From a section outwards (way 1: along the tangent, -1: against it), corner by corner of either border, to where they
 * cross, or one of them turns away. i and k are the next corners, of the reference body and of the other one. */
static void spread(const borders *s, section from, int32_t i, int32_t k, real way, wing *out)
{
	int32_t by = way > 0 ? 1 : -1;
	from.x *= way;
	flat_vector v0 = own(s, i - by, way), v1 = own(s, i, way), w0 = others(s, k + by, way), w1 = others(s, k, way);
	for (int32_t left = s->n + s->other_n; left > 0 && v1.x > v0.x && w1.x > w0.x; --left) {
		bool mine = v1.x <= w1.x;
		section to = {mine ? v1.x : w1.x, v1.y, w1.y};
		if (mine)
			to.low = height_at(w0, w1, to.x, by > 0);
		else
			to.top = height_at(v0, v1, to.x, by > 0);
		real d0 = from.top - from.low, d1 = to.top - to.low;
		if (!(d1 > 0)) {
			real t = d0 / (d0 - d1), h = from.top + t * (to.top - from.top);
			add_section(out, (section){way * (from.x + t * (to.x - from.x)), h, h});
			return;
		}
		add_section(out, (section){way * to.x, to.top, to.low});
		from = to;
		if (mine) {
			i = by > 0 ? ring_next(i, s->n) : ring_last(i, s->n);
			v0 = v1, v1 = own(s, i, way);
		} else {
			k = by > 0 ? ring_last(k, s->other_n) : ring_next(k, s->other_n);
			w0 = w1, w1 = others(s, k, way);
		}
	}
}

/* Where the wings meet: at the lowest corner of the other border, or, where that is one end of an edge that lies along
 * the reference edge and reaches beyond it, at the end of the reference edge. */
static section middle(const borders *s, int32_t edge, int32_t corner, int32_t next[4])
{
	flat_vector w = others(s, corner, 1), v = own(s, edge, 1), u = own(s, edge + 1, 1);
	int32_t after = ring_next(corner, s->other_n), before = ring_last(corner, s->other_n);
	int32_t end = ring_next(edge, s->n);
	next[0] = end, next[1] = before; /* to the right */
	next[2] = edge, next[3] = after; /* to the left */
	if (w.x > u.x) {
		flat_vector to = others(s, after, 1);
		if (!(to.x < u.x)) return (section){u.x, u.y, w.y};
		next[0] = ring_next(end, s->n);
		next[1] = corner;
		return (section){u.x, u.y, height_at(to, w, u.x, true)};
	}
	if (w.x < v.x) {
		flat_vector to = others(s, before, 1);
		if (!(to.x > v.x)) return (section){v.x, v.y, w.y};
		next[2] = ring_last(edge, s->n);
		next[3] = corner;
		return (section){v.x, v.y, height_at(w, to, v.x, true)};
	}
	return (section){w.x, height_at(v, u, w.x, true), w.y};
}

/* Several neighbouring sections as one point of the same force and moment, where there are more than a patch holds;
 * weights by length. */
static void emit(const placed *a, flat_edge e, const section *at, int32_t count, patch *out)
{
	int32_t group = count <= PATCH_POINTS ? 1 : (count + PATCH_POINTS / 2 - 1) / (PATCH_POINTS / 2);
	real total = at[count - 1].x - at[0].x, inverse = total > 0 ? 1 / total : 0;
	for (int32_t i = 0; i < count;) {
		real weight = 0, force = 0, x = 0, y = 0;
		for (int32_t end = i + group; i < end && i < count; ++i) {
			real w = ((i + 1 < count ? at[i + 1].x : at[i].x) - (i > 0 ? at[i - 1].x : at[i].x)) / 2 * inverse;
			real deep = at[i].top - at[i].low;
			weight += w;
			force += w * deep;
			x += w * deep * at[i].x;
			y += w * deep * (at[i].top + at[i].low) / 2;
		}
		int32_t k = out->points++;
		bool lump = group > 1 && force > 0;
		out->deep[k] = lump ? force / weight : at[i - 1].top - at[i - 1].low;
		out->weight[k] = weight;
		x = lump ? x / force : at[i - 1].x;
		y = lump ? y / force : (at[i - 1].top + at[i - 1].low) / 2;
		out->at[k] = mat3_mul(a->turn, v3(e.x + x * e.tx + y * e.ty, e.y + x * e.ty - y * e.tx, 0));
	}
	if (!(total > 0)) out->points = 1, out->weight[0] = 1;
}

enum { ROOM = 512 };

/* both wings into room for unit sections, from left to right; the count, which may be more than there is room for */
static int32_t sections(const borders *s, section from, const int32_t next[4], section *room, int32_t unit)
{
	wing left = {0, unit, room};
	spread(s, from, next[2], next[3], -1, &left);
	if (left.count + 1 > unit) return left.count + s->n + s->other_n + 2;
	for (int32_t i = 0, k = left.count - 1; i < k; ++i, --k) {
		section swap = room[i];
		room[i] = room[k];
		room[k] = swap;
	}
	room[left.count] = from;
	wing right = {0, unit - left.count - 1, room + left.count + 1};
	spread(s, from, next[0], next[1], 1, &right);
	return left.count + 1 + right.count;
}

static void set_patch(const polygon_pair *p, const flat_axis *r, const placed *a, patch *out)
{
	borders s = {p, r->of_b, r->of_b ? p->nb : p->na, r->of_b ? p->na : p->nb, edge_of(p, r->of_b, r->edge)};
	section small[ROOM], *room = small;
	int32_t next[4];
	section from = middle(&s, r->edge, r->corner, next);
	int32_t count = sections(&s, from, next, room, ROOM);
	if (count > ROOM) {
		room = scree_alloc((size_t)count, sizeof *room);
		count = sections(&s, from, next, room, count);
	}
	emit(a, s.e, room, count, out);
	if (room != small) scree_free(room);
	out->normal = mat3_mul(a->turn, r->of_b ? v3(s.e.ty, -s.e.tx, 0) : v3(-s.e.ty, s.e.tx, 0));
	out->depth = -r->s;
}

/* ------------------------------------------------------------------ the pair */

/* An edge of one and a corner of the other that is below it: what a contact leaves as its hint. */
static bool still_below(const polygon_pair *p, int32_t fa, int32_t fb)
{
	if (!((fa ^ fb) & 1)) return false;
	bool of_b = fb & 1;
	int32_t edge = (of_b ? fb : fa) >> 1, corner = (of_b ? fa : fb) >> 1;
	return lowest_over(p, of_b, edge, &corner) < -LEAST_DEPTH * p->scale;
}

static void set_apart(const polygon_pair *p, const feature_pair *f, patch *out)
{
	features_count(&out->features, out->axis, f->hint, f->changes, f->exhausted, f->searched);
	out->axis = f->hint;
	out->depth = f->overlapping ? 0 : -real_max(f->distance - FLAT_ROUNDING * p->scale, 0);
}

void scree_polygon_patch(const placed *a, const placed *b, int32_t hint, patch *out)
{
	flat_placed pa = flat_of(a, a), pb = flat_of(b, a);
	polygon_pair p = polygon_pair_of(&pa, &pb);
	real way2 = p.x * p.x + p.y * p.y;
	int32_t fa, fb;
	feature_pair f;
	out->points = 0;
	out->pitch = 0;
	out->axis = hint;
	if (way2 > p.scale * p.scale) {
		out->depth = p.scale - sqrt(way2);
		return;
	}
	f.changes = f.exhausted = f.searched = 0;
	if (!features_unpack(&p, hint, &fa, &fb) || !still_below(&p, fa, fb)) {
		scree_features_track(&p, hint, false, &f);
		fa = f.fa, fb = f.fb;
		if (!f.overlapping) {
			set_apart(&p, &f, out);
			return;
		}
	}
	flat_axis r = least_penetration(&p, a->size * pa.shape->inradius, b->size * pb.shape->inradius, fa >> 1, fb >> 1);
	hint = r.of_b ? features_pack(2 * r.corner, 2 * r.edge + 1) : features_pack(2 * r.edge + 1, 2 * r.corner);
	features_count(&out->features, out->axis, hint, f.changes, f.exhausted, f.searched);
	if (r.s < -LEAST_DEPTH * p.scale) {
		out->axis = hint;
		set_patch(&p, &r, a, out);
		return;
	}
	scree_features_track(&p, hint, false, &f);
	set_apart(&p, &f, out);
}
