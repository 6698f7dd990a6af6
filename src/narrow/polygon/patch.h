/* patch.h: building blocks of patches of two polygons. patch.c uses them for one pair at a time, patches.c for many
 * pairs together; the same formulas give the same bits. Polygons keep their orientation along the axes of the world and
 * are relative to the centre of the first one. */
#ifndef SCREE_NARROW_POLYGON_PATCH_H
#define SCREE_NARROW_POLYGON_PATCH_H

#include "narrow/polygon/overlap.h"

/* relative to scale: a smaller penetration counts as no contact */
#define LEAST_DEPTH ((real)1e-12)

SCREE_FN xy turned(real c, real s, real x, real y) { return (xy){c * x - s * y, s * x + c * y}; }
SCREE_FN xy corner_at(real x, real y, real size, xy v) { return (xy){x + size * v.x, y + size * v.y}; }

SCREE_FN xy tangent_of(const flat_placed *p, int32_t i)
{
	const flat_corner *k = p->shape->corner + i;
	return turned(p->c, p->s, k->tx, k->ty);
}
SCREE_FN xy corner_of(const flat_placed *p, int32_t i)
{
	const flat_corner *k = p->shape->corner + i;
	return corner_at(p->x, p->y, p->size, turned(p->c, p->s, k->x, k->y));
}
SCREE_FN flat_edge edge_of(const flat_placed *p, int32_t i)
{
	xy v = corner_of(p, i), t = tangent_of(p, i);
	return (flat_edge){v.x, v.y, t.x, t.y, 0};
}

/* n.D for the outward normal n of an edge with this tangent. */
SCREE_FN real faces(xy t, real x, real y) { return t.y * x - t.x * y; }

/* ------------------------------------------------------------------ sections */

/* A point along the reference edge where either border has a corner, or where the borders cross. The overlap is the
 * height of the reference body's border over the reference edge, less that of the other body's border. */
typedef struct section {
	real x, top, low;
} section;

/* A point in the coordinates of the edge. */
SCREE_FN xy seen(flat_edge e, xy v, real way)
{
	return (xy){way * ((v.x - e.x) * e.tx + (v.y - e.y) * e.ty), height_over(e, v)};
}
SCREE_FN xy unseen(flat_edge e, real x, real y) { return (xy){e.x + x * e.tx + y * e.ty, e.y + x * e.ty - y * e.tx}; }

/* Height at x of the line through v and w. The two wings traverse the line in opposite directions; `forward`
 * distinguishes the ends, so that both get the same bits. */
SCREE_FN real height_at(xy v, xy w, real x, bool forward)
{
	real vx = forward ? v.x : w.x, vy = forward ? v.y : w.y, wx = forward ? w.x : v.x, wy = forward ? w.y : v.y;
	return vy + (wy - vy) * ((x - vx) / (wx - vx));
}

/* The next section outwards, between corners v0 and v1 of the reference body's border and w0 and w1 of the other
 * border. mine: it is at v1, otherwise at w1; crossed: the borders cross before it */
SCREE_FN section next_section(section from, xy v0, xy v1, xy w0, xy w1, bool forward, bool *mine, bool *crossed)
{
	bool m = v1.x <= w1.x;
	xy p0 = {m ? w0.x : v0.x, m ? w0.y : v0.y}, p1 = {m ? w1.x : v1.x, m ? w1.y : v1.y};
	real x = m ? v1.x : w1.x, y = height_at(p0, p1, x, forward), top = m ? v1.y : y, low = m ? y : w1.y;
	real d0 = from.top - from.low, d1 = top - low;
	bool c = !(d1 > 0);
	real t = d0 / (d0 - d1), h = from.top + t * (top - from.top);
	*mine = m;
	*crossed = c;
	return (section){c ? from.x + t * (x - from.x) : x, c ? h : top, c ? h : low};
}

/* ------------------------------------------------------------------ features */

/* An edge of one polygon and a corner of the other below it, as stored in the hint of a contact. */
typedef struct patch_features {
	int32_t edge, corner; /* edge < 0: the hint holds something else */
	bool of_b;			  /* the edge belongs to b */
} patch_features;

SCREE_FN patch_features patch_features_of(int32_t hint, int32_t corners_a, int32_t corners_b)
{
	uint32_t h = (uint32_t)hint - 1U;
	int32_t fa = (int32_t)(h % (2 * POLYGON_CORNERS)), fb = (int32_t)(h / (2 * POLYGON_CORNERS));
	bool of_b = fb & 1, none = !((fa ^ fb) & 1) || fa >= 2 * corners_a || fb >= 2 * corners_b;
	return (patch_features){none ? -1 : (of_b ? fb : fa) >> 1, (of_b ? fa : fb) >> 1, of_b};
}

#endif
