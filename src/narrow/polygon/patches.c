/* patches: the patches of patch.c for many pairs at once, in a single vectorized loop.
 *
 * Each pair starts from the edge and the corner of its previous contact. The neighbours of these features can prove
 * that the edge is still the edge of least penetration and the corner still the lowest above it
 * (docs/theory/polygons.md, "Many at once"). If the proof fails, or the patch has too many points, the pair is
 * processed by scree_polygon_patch. Results would therefore be the same without this file. */

#include "base/lanes.h"
#include "narrow/polygon/patch.h"

#include <stddef.h>

bool scree_polygon_patches_add(polygon_patches *p, int64_t row, const polygon_pose *a, const polygon_pose *b, real x,
							   real y, int32_t hint)
{
	if (!a->shape || !b->shape) return false;
	patch_features f = patch_features_of(hint, a->shape->corners, b->shape->corners);
	if (f.edge < 0) return false;
	const polygon_pose *e = f.of_b ? b : a, *o = f.of_b ? a : b;
	real bx = b->x - a->x + x, by = b->y - a->y + y;
	SCREE_ASSERT(p->count < TRACKED_PAIRS);
	int32_t i = p->count++, ne = e->shape->corners, no = o->shape->corners;
	p->row[i] = row;
	p->from_b[i] = f.of_b;
	p->ex[i] = f.of_b ? bx : 0, p->ey[i] = f.of_b ? by : 0, p->ox[i] = f.of_b ? 0 : bx, p->oy[i] = f.of_b ? 0 : by;
	p->ec[i] = e->c, p->es[i] = e->s, p->e_size[i] = e->size;
	p->oc[i] = o->c, p->os[i] = o->s, p->o_size[i] = o->size;
	p->scale[i] = a->radius + b->radius;
	p->inner[i] = a->inradius + b->inradius;

	/* corners -1 .. corners are valid */
	const flat_corner *k = e->shape->corner + f.edge - 1, *l = o->shape->corner + f.corner - 1;
	const flat_corner *e_before = f.edge > 0 ? k - 1 : k + (ne - 1), *e_after = f.edge + 2 <= ne ? k + 3 : k + 3 - ne;
	const flat_corner *o_before = f.corner > 0 ? l - 1 : l + (no - 1),
					  *o_after = f.corner + 2 <= no ? l + 3 : l + 3 - no;
	const flat_corner *around_e[AROUND] = {e_before, k, k + 1, k + 2, e_after};
	const flat_corner *around_c[AROUND] = {o_before, l, l + 1, l + 2, o_after};
	for (int32_t n = 0; n < AROUND; ++n) p->around_e[n][i] = around_e[n], p->around_c[n][i] = around_c[n];
	return true;
}

#ifdef SCREE_LANES
_Static_assert(offsetof(flat_corner, y) == 8 && offsetof(flat_corner, tx) == 16 && offsetof(flat_corner, ty) == 24,
			   "the four numbers are contiguous");
#endif

static void fetch_corners(pair_corners *to, const flat_corner *const *of, int32_t count)
{
	int32_t i = 0;
#ifdef SCREE_LANES
	for (; i + SCREE_LANES <= count; i += SCREE_LANES) {
		lanes part[4];
		const double *row[SCREE_LANES];
		for (int j = 0; j < SCREE_LANES; ++j) row[j] = &of[i + j]->x;
		lanes_of_halves(part, row);
		*(lanes_anywhere *)(to->x + i) = part[0], *(lanes_anywhere *)(to->y + i) = part[1];
		*(lanes_anywhere *)(to->tx + i) = part[2], *(lanes_anywhere *)(to->ty + i) = part[3];
	}
#endif
	for (; i < count; ++i) to->x[i] = of[i]->x, to->y[i] = of[i]->y, to->tx[i] = of[i]->tx, to->ty[i] = of[i]->ty;
}

/* ------------------------------------------------------------------ one pair in a vector loop */

SCREE_FN xy edge_corner(const polygon_patches *p, int32_t n, int64_t i)
{
	return corner_at(p->ex[i], p->ey[i], p->e_size[i],
					 turned_xy(p->ec[i], p->es[i], p->e[n + 1].x[i], p->e[n + 1].y[i]));
}
SCREE_FN xy corner_corner(const polygon_patches *p, int32_t n, int64_t i)
{
	return corner_at(p->ox[i], p->oy[i], p->o_size[i], turned_xy(p->oc[i], p->os[i], p->o[n].x[i], p->o[n].y[i]));
}
SCREE_FN xy edge_tangent(const polygon_patches *p, int32_t n, int64_t i)
{
	return turned_xy(p->ec[i], p->es[i], p->e[n].tx[i], p->e[n].ty[i]);
}
SCREE_FN xy corner_tangent(const polygon_patches *p, int32_t n, int64_t i)
{
	return turned_xy(p->oc[i], p->os[i], p->o[n].tx[i], p->o[n].ty[i]);
}
SCREE_FN flat_edge line_of(xy v, xy t) { return (flat_edge){v.x, v.y, t.x, t.y, 0}; }
SCREE_FN real lower(real x, real y) { return x < y ? x : y; }
SCREE_FN xy chosen(bool first, xy x, xy y) { return (xy){first ? x.x : y.x, first ? x.y : y.y}; }
SCREE_FN xy mirrored(xy v) { return (xy){-v.x, v.y}; }

/* Members are named because an array would stay in memory and prevent vectorization. */
typedef struct around {
	xy e0, e1, e2, e3, o0, o1, o2, o3, o4; /* e1: corner e, o2: corner c */
} around;

/* Tests whether the neighbours prove that a search of all edges and corners would give edge e and corner c. An edge
 * cannot win if the height of a corner of the other polygon above the edge is less than s, or if its normal points too
 * far away from the other centre. s: height of c above e; seen_by_e: the corners in coordinates of edge e */
SCREE_FN bool proved(const polygon_patches *p, const around *v, int64_t i, real s, const around *seen_by_e)
{
	real margin = FLAT_ROUNDING * p->scale[i], height_bound = s - margin, facing_bound = height_bound + p->inner[i];
	real dx = p->ox[i] - p->ex[i], dy = p->oy[i] - p->ey[i];
	/* polygon of e: heights above e-1 and e+1 are tested; edges beyond these face away */
	flat_edge last = line_of(v->e0, edge_tangent(p, 1, i)), next = line_of(v->e2, edge_tangent(p, 3, i));
	real over_last = lower(height_over(last, v->o1), lower(height_over(last, v->o2), height_over(last, v->o3)));
	real over_next = lower(height_over(next, v->o1), lower(height_over(next, v->o2), height_over(next, v->o3)));
	real far_back = faces(edge_tangent(p, 0, i), dx, dy), far_on = faces(edge_tangent(p, 4, i), dx, dy);
	/* polygon of c: heights above c-1 and c are tested; edges beyond these turn farther away on both sides */
	xy t0 = corner_tangent(p, 0, i), t1 = corner_tangent(p, 1, i), t2 = corner_tangent(p, 2, i),
	   t3 = corner_tangent(p, 3, i);
	flat_edge before = line_of(v->o1, t1), after = line_of(v->o2, t2);
	real over_before = lower(height_over(before, v->e1), height_over(before, v->e2));
	real over_after = lower(height_over(after, v->e1), height_over(after, v->e2));
	real f0 = faces(t0, -dx, -dy), f1 = faces(t1, -dx, -dy), f2 = faces(t2, -dx, -dy), f3 = faces(t3, -dx, -dy);
	bool lowest = (bool)((seen_by_e->o1.y > s + margin) & (seen_by_e->o3.y > s + margin));
	bool edges = (bool)((over_last < height_bound) & (over_next < height_bound) & (far_back < facing_bound) &
						(far_on < facing_bound));
	bool others = (bool)((over_before < height_bound) & (over_after < height_bound) & (f0 < facing_bound) &
						 (f3 < facing_bound) & (f0 < f1) & (f3 < f2));
	return (bool)(lowest & edges & others & (s < -LEAST_DEPTH * p->scale[i]));
}

/* Gives the same result as `spread` in patch.c, for at most three sections. */
typedef struct short_wing {
	section first, second, third; /* in coordinates of the wing: x grows outwards */
	real count;
	bool complete; /* there are at most three sections, and all corners needed for them are given */
} short_wing;

SCREE_FN short_wing spread_short(section from, xy v0, xy v1, xy v2, bool has_v2, xy w0, xy w1, xy w2, bool forward)
{
	short_wing o;
	bool mine, crossed, mine2, crossed2, mine3, crossed3;
	bool goes = (bool)((v1.x > v0.x) & (w1.x > w0.x));
	o.first = next_section(from, v0, v1, w0, w1, forward, &mine, &crossed);
	xy a0 = chosen(mine, v1, v0), a1 = chosen(mine, v2, v1), b0 = chosen(mine, w0, w1), b1 = chosen(mine, w1, w2);
	bool known = (bool)(!mine | has_v2), goes2 = (bool)((a1.x > a0.x) & (b1.x > b0.x));
	o.second = next_section(o.first, a0, a1, b0, b1, forward, &mine2, &crossed2);
	/* a third section, if each border has one corner before it */
	bool each = (bool)((mine != mine2) & has_v2), goes3 = (bool)((v2.x > v1.x) & (w2.x > w1.x));
	o.third = next_section(o.second, v1, v2, w1, w2, forward, &mine3, &crossed3);
	o.count = goes ? (crossed ? 1 : goes2 ? (crossed2 ? 2 : goes3 ? 3 : 2) : 1) : 0;
	bool third = (bool)(each & (!goes3 | crossed3));
	o.complete = (bool)(!goes | crossed | (known & (!goes2 | crossed2 | third)));
	return o;
}

SCREE_FN void put_point(polygon_patches *p, int32_t n, int64_t i, flat_edge e, section s, real weight)
{
	xy at = unseen(e, s.x, (s.top + s.low) / 2);
	p->x[n][i] = at.x;
	p->y[n][i] = at.y;
	p->deep[n][i] = s.top - s.low;
	p->weight[n][i] = weight;
}

SCREE_FN void deeper(const polygon_patches *p, int32_t n, int64_t i, real *deep, real *x, real *y)
{
	bool more = p->deep[n][i] > *deep;
	*deep = more ? p->deep[n][i] : *deep;
	*x = more ? p->x[n][i] : *x;
	*y = more ? p->y[n][i] : *y;
}

SCREE_FN section pick(bool first, section x, section y)
{
	return (section){first ? x.x : y.x, first ? x.top : y.top, first ? x.low : y.low};
}

SCREE_FN void look_at_pair(polygon_patches *p, int64_t i)
{
	around v = {edge_corner(p, 0, i),	edge_corner(p, 1, i),	edge_corner(p, 2, i),
				edge_corner(p, 3, i),	corner_corner(p, 0, i), corner_corner(p, 1, i),
				corner_corner(p, 2, i), corner_corner(p, 3, i), corner_corner(p, 4, i)};
	flat_edge e = line_of(v.e1, edge_tangent(p, 2, i));
	around w = {seen(e, v.e0, 1), seen(e, v.e1, 1), seen(e, v.e2, 1), seen(e, v.e3, 1), seen(e, v.o0, 1),
				seen(e, v.o1, 1), seen(e, v.o2, 1), seen(e, v.o3, 1), seen(e, v.o4, 1)};
	real s = w.o2.y;
	bool holds = proved(p, &v, i, s, &w);

	/* the middle section, as in patch.c; the corner may be beyond an end of the edge */
	xy begin = w.e1, end = w.e2, c = w.o2;
	bool right_of = c.x > end.x, left_of = c.x < begin.x, beyond = (bool)(right_of | left_of);
	real at = right_of ? end.x : left_of ? begin.x : c.x;
	real along = beyond ? (right_of ? end.y : begin.y) : height_at(begin, end, c.x, true);
	xy l0 = chosen(right_of, w.o3, c), l1 = chosen(right_of, c, w.o1);
	section from = {at, along, beyond ? height_at(l0, l1, at, true) : c.y};
	/* <= 0 if c is beyond an end of e and its edge does not reach back; this rare case needs the full search */
	real reach = right_of ? end.x - w.o3.x : left_of ? w.o1.x - begin.x : 1;

	short_wing right =
		spread_short(from, chosen(right_of, end, begin), chosen(right_of, w.e3, end), w.e3, !right_of,
					 chosen(right_of, w.o3, c), chosen(right_of, c, w.o1), chosen(right_of, w.o1, w.o0), true);
	section start = {-from.x, from.top, from.low};
	xy back = mirrored(begin), far = mirrored(w.e0), m = mirrored(c), o1 = mirrored(w.o1), o3 = mirrored(w.o3),
	   o4 = mirrored(w.o4);
	short_wing left =
		spread_short(start, chosen(left_of, back, mirrored(end)), chosen(left_of, far, back), far, !left_of,
					 chosen(left_of, o1, m), chosen(left_of, m, o3), chosen(left_of, o3, o4), false);
	left.first.x = -left.first.x;
	left.second.x = -left.second.x;
	left.third.x = -left.third.x;
	holds = (bool)(holds & right.complete & left.complete);

	/* missing points of a wing coincide with the next inner point and have zero weight */
	section l = pick(left.count > 0, left.first, from), l2 = pick(left.count > 1, left.second, l);
	section r = pick(right.count > 0, right.first, from), r2 = pick(right.count > 1, right.second, r);
	section l3 = pick(left.count > 2, left.third, l2), r3 = pick(right.count > 2, right.third, r2);
	real total = r3.x - l3.x, inverse = 1 / total;
	holds = (bool)(holds & (total > 0) & (reach > 0));
	put_point(p, 0, i, e, l3, (l2.x - l3.x) / 2 * inverse);
	put_point(p, 1, i, e, l2, (l.x - l3.x) / 2 * inverse);
	put_point(p, 2, i, e, l, (from.x - l2.x) / 2 * inverse);
	put_point(p, 3, i, e, from, (r.x - l.x) / 2 * inverse);
	put_point(p, 4, i, e, r, (r2.x - from.x) / 2 * inverse);
	put_point(p, 5, i, e, r2, (r3.x - r.x) / 2 * inverse);
	put_point(p, 6, i, e, r3, (r3.x - r2.x) / 2 * inverse);
	real deep = p->deep[0][i], x = p->x[0][i], y = p->y[0][i];
	deeper(p, 1, i, &deep, &x, &y);
	deeper(p, 2, i, &deep, &x, &y);
	deeper(p, 3, i, &deep, &x, &y);
	deeper(p, 4, i, &deep, &x, &y);
	deeper(p, 5, i, &deep, &x, &y);
	deeper(p, 6, i, &deep, &x, &y);
	p->deepest_x[i] = x;
	p->deepest_y[i] = y;
	p->left[i] = left.count;
	p->right[i] = right.count;
	p->nx[i] = p->from_b[i] > 0 ? e.ty : -e.ty;
	p->ny[i] = p->from_b[i] > 0 ? -e.tx : e.tx;
	p->depth[i] = -s;
	p->holds[i] = holds ? 1 : 0;
}

void scree_polygon_patches(polygon_patches *p)
{
	int64_t count = p->count;
	for (int32_t n = 0; n < AROUND; ++n) {
		fetch_corners(p->e + n, p->around_e[n], p->count);
		fetch_corners(p->o + n, p->around_c[n], p->count);
	}
#pragma omp simd
	for (int64_t i = 0; i < count; ++i) look_at_pair(p, i);
}
