/* polygon_patch: two convex polygons as a law on depth sees them: the edge of least penetration, and points along it
 * (the counterpart of convex_convex and convex_patch in the plane; docs/theory/polygons.md).
 *
 * The separation along an edge's normal is the least height of the other polygon's corners over it; the reference edge
 * is that of the largest one over all edges of both, first those of a, then the lower number. Edges are not all looked
 * at: with balls inside both polygons the separation is at most n.D less both inradii, D from centre to centre, so that
 * only those can win whose normal is near D. They lie side by side on the ring, and the lowest corners over them, too. So
 * the choice is that of all edges, whatever the hint, and costs what the edges in that sector cost. */
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

/* The other polygon's border below the reference edge: places along the edge's tangent, overlaps, lengths. */
typedef struct border {
	int32_t count;
	real total;
	real *x, *deep, *weight;
} border;

typedef struct stretch {
	real x0, d0, x1, d1; /* x0 >= x1 */
} stretch;

/* what of a straight piece lies below the edge and beside neither end; false: nothing */
static bool clip(stretch *s, real length)
{
	if (s->d0 <= 0 && s->d1 <= 0) return false;
	if (s->d0 < 0) {
		s->x0 += (s->x1 - s->x0) * (s->d0 / (s->d0 - s->d1));
		s->d0 = 0;
	} else if (s->d1 < 0) {
		s->x1 = s->x0 + (s->x1 - s->x0) * (s->d0 / (s->d0 - s->d1));
		s->d1 = 0;
	}
	if (!(s->x0 > 0 && s->x1 < length && s->x1 < s->x0)) return false;
	real slope = (s->d1 - s->d0) / (s->x1 - s->x0);
	if (s->x0 > length) {
		s->d0 = real_max(s->d0 + slope * (length - s->x0), 0);
		s->x0 = length;
	}
	if (s->x1 < 0) {
		s->d1 = real_max(s->d1 - slope * s->x1, 0);
		s->x1 = 0;
	}
	return s->x1 < s->x0;
}

static void add_stretch(border *b, const stretch *s)
{
	if (!b->count) {
		b->x[0] = s->x0;
		b->deep[0] = s->d0;
		b->weight[0] = 0;
		b->count = 1;
	}
	real half = (s->x0 - s->x1) / 2;
	b->weight[b->count - 1] += half;
	b->x[b->count] = s->x1;
	b->deep[b->count] = s->d1;
	b->weight[b->count++] = half;
	b->total += 2 * half;
}

/* a corner as the reference edge sees it */
SCREE_FN flat_vector seen(flat_edge e, flat_vector v)
{
	return (flat_vector){(v.x - e.x) * e.tx + (v.y - e.y) * e.ty, -height_over(e, v)};
}

/* The corners between which the border is below the edge and looks at it: from the lowest one both ways. */
static int32_t find_ends(const polygon_pair *p, const flat_axis *r, flat_edge e, int32_t *begin)
{
	int32_t n = r->of_b ? p->na : p->nb, pieces = 0, i = r->corner, k = i;
	flat_vector v = seen(e, corner_of(p, !r->of_b, i)), w = v, next;
	while (v.y > 0 && v.x < e.length && (next = seen(e, corner_of(p, !r->of_b, i - 1))).x > v.x && pieces < n - 1)
		v = next, i = ring_last(i, n), ++pieces;
	while (w.y > 0 && w.x > 0 && (next = seen(e, corner_of(p, !r->of_b, k + 1))).x < w.x && pieces < n - 1)
		w = next, k = ring_next(k, n), ++pieces;
	*begin = i;
	return pieces;
}

static void collect(const polygon_pair *p, const flat_axis *r, flat_edge e, int32_t begin, int32_t pieces, border *b)
{
	int32_t n = r->of_b ? p->na : p->nb, i = begin;
	flat_vector v = seen(e, corner_of(p, !r->of_b, i));
	for (; pieces > 0; --pieces) {
		i = ring_next(i, n);
		flat_vector w = seen(e, corner_of(p, !r->of_b, i));
		stretch s = {v.x, v.y, w.x, w.y};
		if (clip(&s, e.length)) add_stretch(b, &s);
		v = w;
	}
	if (b->total > 0) return;
	v = seen(e, corner_of(p, !r->of_b, r->corner));
	b->count = 1;
	b->x[0] = real_clamp(v.x, 0, e.length);
	b->deep[0] = v.y;
	b->weight[0] = b->total = 1;
}

/* Neighbouring points as one of the same force and moment, where there are more than a patch holds. */
static void emit(const placed *a, flat_edge e, const border *b, patch *out)
{
	int32_t group = b->count <= PATCH_POINTS ? 1 : (b->count + PATCH_POINTS / 2 - 1) / (PATCH_POINTS / 2);
	for (int32_t i = 0; i < b->count;) {
		real weight = 0, force = 0, x = 0, plain = 0;
		for (int32_t end = i + group; i < end && i < b->count; ++i) {
			weight += b->weight[i];
			force += b->weight[i] * b->deep[i];
			x += b->weight[i] * b->deep[i] * b->x[i];
			plain += b->weight[i] * b->x[i];
		}
		int32_t k = out->points++;
		real deep = group == 1 ? b->deep[i - 1] : force / weight;
		real at = group == 1 ? b->x[i - 1] : force > 0 ? x / force : plain / weight;
		vec3 v = v3(e.x + at * e.tx - deep / 2 * e.ty, e.y + at * e.ty + deep / 2 * e.tx, 0);
		out->at[k] = mat3_mul(a->turn, v);
		out->deep[k] = deep;
		out->weight[k] = weight / b->total;
	}
}

static void set_patch(const polygon_pair *p, const flat_axis *r, const placed *a, patch *out)
{
	flat_edge e = edge_of(p, r->of_b, r->edge);
	real small[3 * PATCH_POINTS], *room = small;
	int32_t begin, pieces = find_ends(p, r, e, &begin), unit = pieces + 1;
	if (unit > PATCH_POINTS) room = scree_alloc((size_t)unit * 3, sizeof *room);
	border b = {.x = room, .deep = room + unit, .weight = room + 2 * unit};
	collect(p, r, e, begin, pieces, &b);
	emit(a, e, &b, out);
	if (room != small) scree_free(room);
	out->normal = mat3_mul(a->turn, r->of_b ? v3(e.ty, -e.tx, 0) : v3(-e.ty, e.tx, 0));
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
	if (r.s < -LEAST_DEPTH * p.scale) {
		out->axis = hint;
		set_patch(&p, &r, a, out);
		return;
	}
	scree_features_track(&p, hint, false, &f);
	set_apart(&p, &f, out);
}
