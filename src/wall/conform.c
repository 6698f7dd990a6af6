/* conform: makes neighbours of a mesh share corners and sides that meet only to within the precision of its file.
 * Cracks: border corners closer to each other than the tolerance are merged. T junctions: a side that contains corners
 * of other triangles is cut at these corners, together with its triangle. The parts keep the normal of the whole
 * triangle, because a corner may be off the side by up to the tolerance, which would tilt a sliver arbitrarily. Corners
 * inside a surface are not moved, so a mesh without borders is unchanged. */
#include "base/memory.h"
#include "base/sort.h"
#include "shape/mesh/surface.h"
#include "wall/net.h"

static bool *on_border(const net *n)
{
	bool *is = scree_alloc((size_t)n->vertices, sizeof *is);
	for (int32_t k = 0; k < 3 * n->triangles; ++k)
		if (n->across[k] < 0) is[n->triangle[k]] = is[n->triangle[net_after(k)]] = true;
	return is;
}

static void note(int32_t *count, vec3 *first, vec3 p)
{
	if (!(*count)++) *first = p;
}

static void close_cracks(net *n)
{
	bool *border = on_border(n);
	int32_t count = 0, *row = scree_alloc((size_t)n->vertices, sizeof *row);
	vec3 *p = scree_alloc((size_t)n->vertices, sizeof *p);
	for (int32_t v = 0; v < n->vertices; ++v)
		if (border[v]) row[count] = v, p[count++] = n->vertex[v];
	int32_t *among = scree_alloc((size_t)count, sizeof *among), *to = scree_alloc((size_t)n->vertices, sizeof *to);
	bool moved = count > scree_weld(count, p, n->near, among);
	for (int32_t v = 0; v < n->vertices; ++v) to[v] = v;
	for (int32_t k = 0; k < count; ++k) {
		to[row[k]] = row[among[k]];
		if (among[k] != k) note(&n->found.cracks, &n->found.first_crack, p[k]);
	}
	for (int32_t k = 0; moved && k < 3 * n->triangles; ++k) n->triangle[k] = to[n->triangle[k]];
	if (moved) scree_net_drop_collapsed(n), scree_net_across(n, !n->two_sided);
	scree_free(border), scree_free(row), scree_free(p), scree_free(among), scree_free(to);
}

/* tests whether point p is on the side that starts at this corner, away from the ends */
static bool lies_on(const net *n, int32_t corner, vec3 p, real *at)
{
	vec3 a = net_corner(n, corner), way = v3_sub(net_corner(n, net_after(corner)), a), r = v3_sub(p, a);
	real length2 = v3_norm2(way), t = v3_dot(r, way) / length2, length = sqrt(length2);
	if (!(t * length > n->near && (1 - t) * length > n->near)) return false;
	*at = t;
	return v3_norm2(v3_madd(r, -t, way)) <= n->near * n->near;
}

static void find_junctions(net *n, net_cuts *cuts)
{
	bool *border = on_border(n);
	net_grid g = scree_net_grid(n);
	for (int32_t v = 0; v < n->vertices; ++v) {
		if (!border[v]) continue;
		bool any = false;
		scree_net_ask(n, &g, n->vertex[v], n->vertex[v]);
		for (int32_t i = 0; i < g.list.count; ++i)
			for (int32_t k = 3 * g.list.facet[i]; k < 3 * g.list.facet[i] + 3; ++k) {
				net_cut c = {k, v, 0};
				if (n->across[k] >= 0 || n->triangle[k] == v || n->triangle[net_after(k)] == v) continue;
				if (!lies_on(n, k, n->vertex[v], &c.at)) continue;
				SCREE_APPEND(cuts->item, cuts->count, cuts->room, c);
				any = true;
			}
		if (any) note(&n->found.junctions, &n->found.first_junction, n->vertex[v]);
	}
	scree_net_grid_free(&g);
	scree_free(border);
}

void scree_net_conform(net *n)
{
	net_cuts cuts = {0};
	scree_net_across(n, !n->two_sided);
	if (!scree_net_has_border(n)) return;
	close_cracks(n);
	if (scree_net_part_overlaps(n)) {
		int32_t cracks = n->found.cracks;
		scree_net_across(n, !n->two_sided);
		close_cracks(n);
		n->found.cracks = cracks; /* the second call closes cracks caused by the cuts, which are not counted */
	}
	find_junctions(n, &cuts);
	scree_net_cut_sides(n, &cuts);
	scree_net_sort(n);
	scree_net_across(n, !n->two_sided);
	scree_free(cuts.item);
}
