/* covers: finds sides of triangles that are on the face of another triangle to within the precision of the file. An
 * example is the foot of a plate on a floor. Bodies cannot reach such a side without touching the face, so the side is
 * not a border. A side that is partly covered is cut where the cover begins and ends. */

#include "base/memory.h"
#include "base/sort.h"
#include "wall/net.h"
#include "wall/internal.h"

/* cosine of the angle between the normals of triangles that face each other: in a one-sided wall, a triangle facing the
 * side's own triangle does not hide the side from all bodies */
static const real AGAINST = -0.99;
static const real SHARED = 0.01; /* fraction of a side above which a triangle that shares its end is a cover */

static bool keep_below(real h, real slope, real most, real *from, real *to)
{
	/* restricts the range of t to h + slope t <= most */
	if (slope > 0)
		*to = real_min(*to, (most - h) / slope);
	else if (slope < 0)
		*from = real_max(*from, (most - h) / slope);
	else if (h > most)
		return false;
	return *from < *to;
}

/* The convex polygon has the given corners and normal; its borders are moved outwards by `near`. */
bool scree_covered_part(const edge_line *e, int32_t corners, const vec3 *corner, const vec3 *outward, vec3 normal,
						real near, real *from, real *to)
{
	const vec3 way = v3_sub(e->to, e->from);
	*from = 0, *to = 1;
	real h = v3_dot(normal, v3_sub(e->from, corner[0])), slope = v3_dot(normal, way);
	if (!keep_below(h, slope, near, from, to) || !keep_below(-h, -slope, near, from, to)) return false;
	vec3 low = corner[0], high = corner[0];
	for (int32_t k = 0; k < corners; ++k) {
		vec3 out = outward[k], p = corner[k];
		if (!keep_below(v3_dot(out, v3_sub(e->from, p)), v3_dot(out, way), near, from, to)) return false;
		v3_widen(&low, &high, p);
	}
	/* at a sharp corner, the moved borders extend far beyond the corner */
	return keep_below(e->from.x - high.x, way.x, near, from, to) &&
		   keep_below(low.x - e->from.x, -way.x, near, from, to) &&
		   keep_below(e->from.y - high.y, way.y, near, from, to) &&
		   keep_below(low.y - e->from.y, -way.y, near, from, to) &&
		   keep_below(e->from.z - high.z, way.z, near, from, to) &&
		   keep_below(low.z - e->from.z, -way.z, near, from, to);
}

static int by_start(const void *p, const void *q)
{
	const cover *a = p, *b = q;
	if (a->from != b->from) return a->from < b->from ? -1 : 1;
	return a->facet < b->facet ? -1 : a->facet > b->facet;
}

/* Sorts the parts, and joins any two parts whose gap is at most the fraction `gap` of the length. */
static void join(covers *l, real gap)
{
	int32_t kept = 0;
	scree_sort_by(l->item, l->count, sizeof *l->item, by_start);
	for (int32_t k = 0; k < l->count; ++k) {
		cover *a = l->item + (kept ? kept - 1 : 0), b = l->item[k];
		if (kept && b.from <= a->to + gap) {
			if (b.to - b.from > a->longest) a->longest = b.to - b.from, a->facet = b.facet;
			a->to = real_max(a->to, b.to);
		} else {
			b.longest = b.to - b.from;
			l->item[kept++] = b;
		}
	}
	l->count = kept;
}

static bool has_corner(const net *n, int32_t t, int32_t v)
{
	return n->triangle[3 * t] == v || n->triangle[3 * t + 1] == v || n->triangle[3 * t + 2] == v;
}

/* Adds the part, on triangle u, of the side that starts at this corner. */
static void cover_by(const net *n, int32_t corner, int32_t u, covers *out)
{
	const int32_t a = n->triangle[corner], b = n->triangle[net_after(corner)];
	const bool has_a = has_corner(n, u, a), has_b = has_corner(n, u, b);
	if ((has_a && has_b) || (!n->two_sided && v3_dot(n->normal[corner / 3], n->normal[u]) < AGAINST)) return;
	const edge_line e = {n->vertex[a], n->vertex[b]};
	vec3 p[3], out_of[3];
	for (int32_t k = 0; k < 3; ++k) p[k] = net_corner(n, 3 * u + k), out_of[k] = v3_unit(net_outward(n, 3 * u + k));
	cover c = {.facet = u};
	if (!scree_covered_part(&e, 3, p, out_of, n->normal[u], n->near, &c.from, &c.to)) return;
	real length = v3_norm(v3_sub(e.to, e.from));
	if (c.to - c.from > real_max(8 * n->near / length, has_a || has_b ? SHARED : 0))
		SCREE_APPEND(out->item, out->count, out->room, c);
}

/* Finds and joins the covered parts of a side. */
static void covers_of(const net *n, net_grid *g, int32_t corner, covers *out)
{
	const vec3 a = net_corner(n, corner), b = net_corner(n, net_after(corner));
	out->count = 0;
	scree_net_ask(n, g, v3_min(a, b), v3_max(a, b));
	for (int32_t i = 0; i < g->list.count; ++i)
		if (g->list.facet[i] != corner / 3) cover_by(n, corner, g->list.facet[i], out);
	join(out, 4 * n->near / v3_norm(v3_sub(b, a)));
}

/* distance from an end, as a fraction of the side, below which a point counts as the end */
static real end_of_side(const net *n, int32_t corner)
{
	return 8 * n->near / v3_norm(v3_sub(net_corner(n, net_after(corner)), net_corner(n, corner)));
}

static void cut_at(net *n, int32_t corner, real at, net_cuts *cuts)
{
	real end = end_of_side(n, corner);
	if (!(at > end && at < 1 - end)) return;
	vec3 a = net_corner(n, corner), b = net_corner(n, net_after(corner));
	int32_t v = scree_net_vertex(n, v3_madd(a, at, v3_sub(b, a)));
	SCREE_APPEND(cuts->item, cuts->count, cuts->room, (net_cut){corner, v, at});
}

/* Marks covered border sides, and finds where to cut partly covered border sides. */
static void each_border(net *n, net_cuts *cuts)
{
	net_grid g = scree_net_grid(n);
	covers l = {0};
	for (int32_t k = 0; k < 3 * n->triangles; ++k) {
		if (n->across[k] != -1) continue;
		covers_of(n, &g, k, &l);
		const real end = end_of_side(n, k);
		for (int32_t i = 0; i < l.count; ++i) {
			if (l.item[i].from <= end && l.item[i].to >= 1 - end) {
				n->across[k] = -2 - l.item[i].facet;
			} else if (cuts) {
				cut_at(n, k, l.item[i].from, cuts);
				cut_at(n, k, l.item[i].to, cuts);
			}
		}
	}
	scree_free(l.item);
	scree_net_grid_free(&g);
}

void scree_net_cover(net *n)
{
	net_cuts cuts = {0};
	if (!scree_net_has_border(n)) return;
	each_border(n, &cuts);
	if (cuts.count) {
		scree_net_cut_sides(n, &cuts);
		scree_net_sort(n);
		scree_net_across(n, true);
		each_border(n, NULL);
	}
	scree_free(cuts.item);
}
