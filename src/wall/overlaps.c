/* overlaps: removes overlaps between triangles in one plane. Larger triangles remain whole, and overlapping parts of
 * smaller ones are cut off, so duplicate sheets are merged. In one-sided walls, equal orientation is needed. */
#include "base/memory.h"
#include "wall/net.h"

enum { CORNERS = 12, PARTS = 4096 };

typedef struct polygon_corner {
	vec3 p;
	int32_t vertex; /* vertex of the net, or -1 for a new vertex created by a cut */
} polygon_corner;

typedef struct polygon {
	int32_t corners;
	polygon_corner corner[CORNERS];
} polygon;

/* The remaining parts of a triangle. */
typedef struct parts {
	int32_t count;
	int64_t room;
	polygon *item;
} parts;

static real twice_area(const polygon *p, vec3 normal)
{
	vec3 sum = v3(0, 0, 0);
	for (int32_t k = 1; k + 1 < p->corners; ++k)
		sum = v3_add(sum, v3_cross(v3_sub(p->corner[k].p, p->corner[0].p), v3_sub(p->corner[k + 1].p, p->corner[0].p)));
	return v3_dot(sum, normal);
}

/* tests whether the polygon is thinner than the tolerance of the file everywhere */
static bool is_sliver(const net *n, const polygon *p, vec3 normal)
{
	real longest = 0;
	for (int32_t k = 0; k < p->corners; ++k)
		for (int32_t i = 0; i < k; ++i) longest = real_max(longest, v3_norm(v3_sub(p->corner[k].p, p->corner[i].p)));
	return p->corners < 3 || !(real_abs(twice_area(p, normal)) > 2 * n->near * longest);
}

static void put_corner(polygon *p, vec3 at, int32_t vertex)
{
	if (p->corners < CORNERS) p->corner[p->corners++] = (polygon_corner){at, vertex};
}

/* Splits a polygon at the plane through x perpendicular to `out`. Points within the tolerance count as on the plane. */
static void part_at(const net *n, const polygon *p, vec3 x, vec3 out, polygon *inside, polygon *outside)
{
	inside->corners = outside->corners = 0;
	for (int32_t k = 0; k < p->corners; ++k) {
		const polygon_corner *a = p->corner + k, *b = p->corner + (k + 1 < p->corners ? k + 1 : 0);
		real ha = v3_dot(out, v3_sub(a->p, x)), hb = v3_dot(out, v3_sub(b->p, x));
		if (real_abs(ha) <= n->near) ha = 0;
		if (real_abs(hb) <= n->near) hb = 0;
		if (ha <= 0) put_corner(inside, a->p, a->vertex);
		if (ha >= 0) put_corner(outside, a->p, a->vertex);
		if ((ha < 0 && hb > 0) || (ha > 0 && hb < 0)) {
			vec3 at = v3_madd(a->p, ha / (ha - hb), v3_sub(b->p, a->p));
			put_corner(inside, at, -1);
			put_corner(outside, at, -1);
		}
	}
}

static void keep(const net *n, parts *l, const polygon *p, vec3 normal)
{
	for (int32_t k = 1; k + 1 < p->corners; ++k) {
		polygon t = {3, {p->corner[0], p->corner[k], p->corner[k + 1]}};
		if (!is_sliver(n, &t, normal)) SCREE_APPEND(l->item, l->count, l->room, t);
	}
}

static bool in_plane(const net *n, const polygon *p, int32_t u)
{
	vec3 x = net_corner(n, 3 * u);
	for (int32_t k = 0; k < p->corners; ++k)
		if (real_abs(v3_dot(n->normal[u], v3_sub(p->corner[k].p, x))) > (real)1.5 * n->near) return false;
	return true;
}

/* Cuts triangle u out of a polygon, and adds the parts outside u to the list. Returns false without an overlap. */
static bool cut_out(const net *n, const polygon *p, int32_t u, vec3 normal, parts *to)
{
	polygon left = *p, inside, beyond[3];
	for (int32_t k = 0; k < 3; ++k) {
		part_at(n, &left, net_corner(n, 3 * u + k), v3_unit(net_outward(n, 3 * u + k)), &inside, beyond + k);
		if (is_sliver(n, &inside, normal)) return false;
		left = inside;
	}
	if (!in_plane(n, &left, u)) return false;
	for (int32_t k = 0; k < 3; ++k)
		if (!is_sliver(n, beyond + k, normal)) keep(n, to, beyond + k, normal);
	return true;
}

/* Tests whether t may be cut by the larger triangle u. */
static bool may_lie_on(const net *n, int32_t t, int32_t u)
{
	real along = v3_dot(n->normal[t], n->normal[u]);
	if (!(n->two_sided ? real_abs(along) > (real)0.9 : along > (real)0.9)) return false;
	int shared = 0;
	for (int i = 0; i < 3; ++i)
		for (int k = 0; k < 3; ++k) shared += n->triangle[3 * t + i] == n->triangle[3 * u + k];
	if (shared < 2) return true;
	for (int k = 0; k < 3; ++k) /* neighbours share an edge and do not overlap */
		if (n->across[3 * t + k] >= 0 && n->across[3 * t + k] / 3 == u)
			return v3_dot(net_outward(n, 3 * t + k), net_outward(n, n->across[3 * t + k])) > 0;
	return true;
}

/* tests whether t is entirely beyond a side of u */
static bool beyond_a_side(const net *n, int32_t t, int32_t u)
{
	for (int32_t k = 3 * u; k < 3 * u + 3; ++k) {
		vec3 out = net_outward(n, k), x = net_corner(n, k);
		real least = INFINITY;
		for (int32_t i = 3 * t; i < 3 * t + 3; ++i) least = real_min(least, v3_dot(out, v3_sub(net_corner(n, i), x)));
		if (least >= 0 || least * least <= n->near * n->near * v3_norm2(out)) return true;
	}
	return false;
}

static int32_t *ranks(const net *n)
{
	sized *all = scree_net_sizes(n);
	int32_t *rank = scree_alloc((size_t)n->triangles, sizeof *rank);
	for (int32_t k = 0; k < n->triangles; ++k) rank[all[k].row[0]] = k;
	scree_free(all);
	return rank;
}

/* Finds the parts of t outside the larger triangles in `near`. Returns false if all of t remains. */
static bool what_is_left(const net *n, int32_t t, const facet_list *near, const int32_t *rank, parts *l, parts *room)
{
	bool any = false;
	l->count = 0;
	polygon whole = {.corners = 3};
	for (int k = 0; k < 3; ++k) whole.corner[k] = (polygon_corner){net_corner(n, 3 * t + k), n->triangle[3 * t + k]};
	for (int32_t i = 0; i < near->count; ++i) {
		int32_t u = near->facet[i];
		if (rank[u] >= rank[t] || !may_lie_on(n, t, u)) continue;
		if (beyond_a_side(n, t, u) || beyond_a_side(n, u, t)) continue;
		if (!any) {
			any = cut_out(n, &whole, u, n->normal[t], l);
			continue;
		}
		room->count = 0;
		for (int32_t k = 0; k < l->count; ++k)
			if (l->count > PARTS || !cut_out(n, l->item + k, u, n->normal[t], room))
				keep(n, room, l->item + k, n->normal[t]);
		SCREE_SWAP(*l, *room);
	}
	return any;
}

static void put_parts(net *n, int32_t t, const parts *l)
{
	for (int32_t k = 0; k < l->count; ++k) {
		int32_t v[3];
		for (int i = 0; i < 3; ++i) {
			const polygon_corner *c = l->item[k].corner + i;
			v[i] = c->vertex >= 0 ? c->vertex : scree_net_vertex(n, c->p);
		}
		scree_net_triangle(n, v[0], v[1], v[2], t);
	}
}

bool scree_net_part_overlaps(net *n)
{
	int32_t had = n->triangles, *rank = ranks(n), kept = 0;
	net_grid g = scree_net_grid(n);
	parts left = {0}, room = {0};
	bool *gone = scree_alloc((size_t)had, sizeof *gone), any = false;
	for (int32_t t = 0; t < had; ++t) {
		const facet *f = g.boxes.facet + t;
		scree_net_ask(n, &g, f->low, f->high);
		gone[t] = what_is_left(n, t, &g.list, rank, &left, &room);
		if (!gone[t]) continue;
		any = true;
		if (!n->found.doubled++) n->found.first_doubled = net_corner(n, 3 * t);
		put_parts(n, t, &left);
	}
	for (int32_t t = 0; any && t < n->triangles; ++t)
		if (t >= had || !gone[t]) scree_net_keep(n, t, &kept);
	if (any) n->triangles = kept;
	scree_net_grid_free(&g);
	scree_free(left.item), scree_free(room.item), scree_free(rank), scree_free(gone);
	return any;
}
