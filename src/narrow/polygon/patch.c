/* patch: two convex polygons for laws that use depth: the edge of least penetration and points along it (the
 * two-dimensional counterpart of convex_convex and convex_patch; docs/theory/polygons.md).
 *
 * The separation along an edge's normal is the smallest height of the other polygon's corners above the edge. The
 * reference edge is the edge, of either polygon, with the largest separation. If separations are equal, edges of a come
 * first, then lower numbers. Not all edges are tested. Since each polygon contains a ball, the separation is at most
 * n.D minus both inradii, where D is the vector from centre to centre. Therefore only edges with a normal near D can
 * win. These edges are neighbours on the ring, and so are the lowest corners above these edges. Only edges in that
 * sector are tested, but for any hint the choice is the same as if all edges were tested. */
#include "narrow/polygon/patch.h"

#include "base/memory.h"
#include "narrow/polygon/pair.h"

typedef struct flat_axis {
	real s; /* separation, < 0: penetration */
	bool of_b;
	int32_t edge, corner; /* the other polygon's lowest corner above the edge */
} flat_axis;

/* Both polygons relative to the centre of a, in the axes of the world. */
typedef struct two_polygons {
	flat_placed body[2];
	real scale;	   /* sum of the two circumradii */
	real inner[2]; /* radii of inner balls around the centres */
} two_polygons;

typedef struct sector {
	const two_polygons *p;
	flat_axis best;
} sector;

/* Walks downhill from a given corner. Along the border, heights fall to one lowest edge or corner, then rise. */
SCREE_FN real lowest_over(const two_polygons *p, bool of_b, int32_t edge, int32_t *corner)
{
	const flat_placed *other = p->body + !of_b;
	flat_edge e = edge_of(p->body + of_b, edge);
	int32_t n = other->shape->corners, i = *corner;
	real low = height_over(e, corner_of(other, i)), h;
	while ((h = height_over(e, corner_of(other, i + 1))) < low) low = h, i = ring_next(i, n);
	if (i == *corner)
		while ((h = height_over(e, corner_of(other, i - 1))) < low) low = h, i = ring_last(i, n);
	*corner = i;
	return low;
}

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

/* Returns n.D for an edge with outward normal n, where D points to the other centre. */
SCREE_FN real facing(const two_polygons *p, bool of_b, int32_t i)
{
	const flat_placed *b = p->body + 1;
	real f = faces(tangent_of(p->body + of_b, i), b->x, b->y);
	return of_b ? -f : f;
}

/* Walks uphill from edge i to the edge whose normal is closest to the direction of the other centre. */
static int32_t front_edge(const two_polygons *p, bool of_b, int32_t i)
{
	int32_t n = p->body[of_b].shape->corners, from = i;
	real top = facing(p, of_b, i), f;
	while ((f = facing(p, of_b, i + 1)) > top) top = f, i = ring_next(i, n);
	if (i == from)
		while ((f = facing(p, of_b, i - 1)) > top) top = f, i = ring_last(i, n);
	return i;
}

static void look_along(sector *c, bool of_b, int32_t front, int32_t by, int32_t corner)
{
	const two_polygons *p = c->p;
	const flat_placed *other = p->body + !of_b;
	real margin = FLAT_ROUNDING * p->scale;
	xy centre = {other->x, other->y};
	int32_t n = p->body[of_b].shape->corners, i = front;
	for (int32_t left = n - 1; left > 0; --left) {
		i = by > 0 ? ring_next(i, n) : ring_last(i, n);
		if (facing(p, of_b, i) - p->inner[0] - p->inner[1] < c->best.s - margin) return;
		if (height_over(edge_of(p->body + of_b, i), centre) - p->inner[!of_b] < c->best.s - margin) continue;
		look_at(c, of_b, i, &corner);
	}
}

/* Returns the axis of least penetration. ia, ib: edges at which to start */
static flat_axis least_penetration(const two_polygons *p, int32_t ia, int32_t ib)
{
	sector c = {p, {-INFINITY, true, INT32_MAX, 0}};
	int32_t front_a = front_edge(p, false, ia), front_b = front_edge(p, true, ib);
	int32_t low_b = front_b, low_a = front_a; /* the lowest corners are near the front edges */
	look_at(&c, false, front_a, &low_b);
	look_at(&c, true, front_b, &low_a);
	real none = -LEAST_DEPTH * p->scale;
	for (int32_t by = 1; by >= -1 && c.best.s < none; by -= 2) {
		look_along(&c, false, front_a, by, low_b);
		look_along(&c, true, front_b, by, low_a);
	}
	return c.best;
}

/* Sections along the reference edge, from the middle outwards on one side. Both borders are in the edge's coordinates:
 * x along the tangent, height along the normal. */
typedef struct wing {
	int32_t count, room;
	section *at;
} wing;

typedef struct borders {
	const flat_placed *own, *other; /* the polygon with the reference edge, and the other polygon */
	int32_t n, other_n;
	flat_edge e;
} borders;

/* Returns a corner of one border. x is measured along the tangent times `way`. */
SCREE_FN xy own(const borders *s, int32_t i, real way) { return seen(s->e, corner_of(s->own, i), way); }
SCREE_FN xy others(const borders *s, int32_t i, real way) { return seen(s->e, corner_of(s->other, i), way); }

SCREE_FN void add_section(wing *w, section s)
{
	if (w->count < w->room) w->at[w->count] = s;
	++w->count;
}

/* Collects sections outwards (way 1: along the tangent, -1: against it), at each corner of either border, until the
 * borders cross or one turns away. i, k: the next corners of the reference body and of the other body */
static void spread(const borders *s, section from, int32_t i, int32_t k, real way, wing *out)
{
	int32_t by = way > 0 ? 1 : -1;
	from.x *= way;
	xy v0 = own(s, i - by, way), v1 = own(s, i, way), w0 = others(s, k + by, way), w1 = others(s, k, way);
	for (int32_t left = s->n + s->other_n; left > 0 && v1.x > v0.x && w1.x > w0.x; --left) {
		bool mine, crossed;
		section to = next_section(from, v0, v1, w0, w1, by > 0, &mine, &crossed);
		add_section(out, (section){way * to.x, to.top, to.low});
		if (crossed) return;
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

/* Returns the section where both wings start: at the lowest corner of the other border, or at an end of the reference
 * edge if that corner is beyond the end. */
static section middle(const borders *s, int32_t edge, int32_t corner, int32_t next[4])
{
	xy w = others(s, corner, 1), v = own(s, edge, 1), u = own(s, edge + 1, 1);
	int32_t after = ring_next(corner, s->other_n), before = ring_last(corner, s->other_n);
	int32_t end = ring_next(edge, s->n);
	next[0] = end, next[1] = before; /* next corners to the right */
	next[2] = edge, next[3] = after; /* next corners to the left */
	if (w.x > u.x) {
		xy to = others(s, after, 1);
		if (!(to.x < u.x)) return (section){u.x, u.y, w.y};
		next[0] = ring_next(end, s->n);
		next[1] = corner;
		return (section){u.x, u.y, height_at(to, w, u.x, true)};
	}
	if (w.x < v.x) {
		xy to = others(s, before, 1);
		if (!(to.x > v.x)) return (section){v.x, v.y, w.y};
		next[2] = ring_last(edge, s->n);
		next[3] = corner;
		return (section){v.x, v.y, height_at(w, to, v.x, true)};
	}
	return (section){w.x, height_at(v, u, w.x, true), w.y};
}

/* Writes sections as points. If there are more sections than points in a patch, neighbouring sections are merged into
 * one point with the same force and moment. Weights are proportional to length. */
static void emit(flat_edge e, const section *at, int32_t count, patch *out)
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
		xy mid = unseen(e, x, y);
		out->at[k] = v3(mid.x, mid.y, 0);
	}
	if (!(total > 0)) out->points = 1, out->weight[0] = 1;
}

enum { ROOM = 512 };

/* Writes both wings as unit sections from left to right, and returns their number, which may exceed the room. */
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

static void set_patch(const two_polygons *p, const flat_axis *r, patch *out)
{
	const flat_placed *own = p->body + r->of_b, *other = p->body + !r->of_b;
	borders s = {own, other, own->shape->corners, other->shape->corners, edge_of(own, r->edge)};
	section small[ROOM], *room = small;
	int32_t next[4];
	section from = middle(&s, r->edge, r->corner, next);
	int32_t count = sections(&s, from, next, room, ROOM);
	if (count > ROOM) {
		room = scree_alloc((size_t)count, sizeof *room);
		count = sections(&s, from, next, room, count);
	}
	emit(s.e, room, count, out);
	if (room != small) scree_free(room);
	out->normal = r->of_b ? v3(s.e.ty, -s.e.tx, 0) : v3(-s.e.ty, s.e.tx, 0);
	out->depth = -r->s;
}

static bool still_below(const two_polygons *p, patch_features f)
{
	return lowest_over(p, f.of_b, f.edge, &f.corner) < -LEAST_DEPTH * p->scale;
}

static void closest_features(const two_polygons *p, int32_t hint, feature_pair *out)
{
	polygon_pair seen_from_a = polygon_pair_of(p->body, p->body + 1);
	scree_features_track(&seen_from_a, hint, false, out);
}

static void set_apart(const two_polygons *p, const feature_pair *f, patch *out)
{
	features_count(&out->features, out->axis, f->hint, f->changes, f->exhausted, f->searched);
	out->axis = f->hint;
	out->depth = f->overlapping ? 0 : -real_max(f->distance - FLAT_ROUNDING * p->scale, 0);
}

void scree_polygon_patch(const placed *a, const placed *b, int32_t hint, patch *out)
{
	two_polygons p = {.body = {flat_of(a, a), flat_of(b, a)}};
	const flat_placed *pa = p.body, *pb = p.body + 1;
	p.scale = pa->size * pa->shape->radius + pb->size * pb->shape->radius;
	p.inner[0] = pa->size * pa->shape->inradius;
	p.inner[1] = pb->size * pb->shape->inradius;
	feature_pair f;
	if (begin_patch(pb->x, pb->y, p.scale, hint, out)) return;
	f.changes = f.exhausted = f.searched = 0;
	patch_features from = patch_features_of(hint, pa->shape->corners, pb->shape->corners);
	int32_t ia = from.of_b ? from.corner : from.edge, ib = from.of_b ? from.edge : from.corner;
	if (from.edge < 0 || !still_below(&p, from)) {
		closest_features(&p, hint, &f);
		ia = f.fa >> 1, ib = f.fb >> 1;
		if (!f.overlapping) {
			set_apart(&p, &f, out);
			return;
		}
	}
	flat_axis r = least_penetration(&p, ia, ib);
	hint = r.of_b ? features_pack(2 * r.corner, 2 * r.edge + 1) : features_pack(2 * r.edge + 1, 2 * r.corner);
	features_count(&out->features, out->axis, hint, f.changes, f.exhausted, f.searched);
	if (r.s < -LEAST_DEPTH * p.scale) {
		out->axis = hint;
		set_patch(&p, &r, out);
		return;
	}
	closest_features(&p, hint, &f);
	set_apart(&p, &f, out);
}
