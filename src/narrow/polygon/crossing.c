/* crossing: the points where the borders of two convex polygons cross. */
#include "narrow/polygon/pair.h"

#include "base/memory.h"

enum { ROOM = 256 }; /* number of corners that fit on the stack; for more, memory is allocated */

/* Returns the direction in which to move along the border to find an edge that leads from outside to inside. */
SCREE_FN int32_t entering(real tail, real head, real in) { return tail < in ? -1 : head < in ? 0 : 1; }
/* Returns the direction in which to move along the border to find an edge that leads from inside to outside. */
SCREE_FN int32_t leaving(real tail, real head, real in) { return head < in ? 1 : tail < in ? 0 : -1; }

SCREE_FN real distance2(xy p, xy q) { return (p.x - q.x) * (p.x - q.x) + (p.y - q.y) * (p.y - q.y); }

SCREE_FN int32_t ring_move(int32_t i, int32_t by, int32_t count)
{
	return by > 0 ? ring_next(i, count) : ring_last(i, count);
}

/* For each edge, finds the direction along the border towards an edge that crosses the other edge's line. If both edges
 * should move, only the edge with the nearer next corner moves, so that neither strays along its border. */
bool scree_crossing_walk(const polygon_pair *p, bool enters, int32_t most, xy near, int32_t *k, int32_t *l)
{
	real in = -FLAT_ROUNDING * p->scale;
	int32_t turns = 0, last_a = 0, last_b = 0;
	for (; most >= 0; --most) {
		crossing_heights h = crossing_of(p, *k, *l);
		int32_t a = enters ? entering(h.a_tail, h.a_head, in) : leaving(h.a_tail, h.a_head, in);
		int32_t b = enters ? leaving(h.b_tail, h.b_head, in) : entering(h.b_tail, h.b_head, in);
		if (!a && !b) return crosses(h, p->scale);
		if (a && b) {
			xy va = corner_of_a(p, a > 0 ? *k + 1 : *k), vb = corner_of_b(p, b > 0 ? *l + 1 : *l);
			bool a_first = distance2(va, near) <= distance2(vb, near);
			*(a_first ? &b : &a) = 0;
		}
		if (a) {
			turns += a == -last_a;
			last_a = a;
			*k = ring_move(*k, a, p->na);
		} else {
			turns += b == -last_b;
			last_b = b;
			*l = ring_move(*l, b, p->nb);
		}
		if (turns > 3) return false;
	}
	return false;
}

/* Finds crossings with edge k from the heights of all corners of b above edge k: b's border crosses the line of edge k
 * where the sign changes. */
static void search_edge(const polygon_pair *p, int32_t k, const real *bx, const real *by, real *height, bool clearly,
						crossing_list *list)
{
	flat_edge e = edge_of_a(p, k);
	for (int32_t l = 0; l <= p->nb; ++l) height[l] = e.ty * (bx[l] - e.x) - e.tx * (by[l] - e.y);
	real in = -FLAT_ROUNDING * p->scale;
	for (int32_t l = 0; l < p->nb; ++l) {
		if ((height[l] < in) == (height[l + 1] < in)) continue;
		crossing_heights h = crossing_of(p, k, l);
		if (!(clearly ? crosses_clearly(h, p->scale) : crosses(h, p->scale))) continue;
		++list->count;
		bool enters = h.a_head < in;
		int32_t *at = enters ? &list->enter_a : &list->leave_a;
		if (*at >= 0) continue;
		*at = k;
		*(enters ? &list->enter_b : &list->leave_b) = l;
	}
}

crossing_list scree_crossing_search(const polygon_pair *p, bool clearly)
{
	crossing_list list = {0, -1, -1, -1, -1};
	real small[3 * (ROOM + 1)], *room = small;
	int32_t unit = p->nb + 1;
	if (p->nb > ROOM) room = scree_alloc((size_t)unit * 3, sizeof *room);
	real *bx = room, *by = room + unit, *height = room + 2 * unit;
	for (int32_t l = 0; l <= p->nb; ++l) {
		xy v = corner_of_b(p, l);
		bx[l] = v.x;
		by[l] = v.y;
	}
	for (int32_t k = 0; k < p->na; ++k) search_edge(p, k, bx, by, height, clearly, &list);
	if (room != small) scree_free(room);
	return list;
}
