/* trimesh_tree: the tree of boxes of a surface. Nodes are halved across the longest side of the box around their
 * triangles' midpoints, down to leaves of four triangles. Triangles are sorted by the midpoint of their box along that
 * side, then along the other two axes and then by vertices. The tree therefore does not depend on the given order of
 * triangles. Halves consist of whole leaves, so most leaves are full. */

#include "base/memory.h"
#include "base/sort.h"
#include "shape/mesh/trimesh_internal.h"

typedef struct item {
	vec3 low, high;
	real middle[3]; /* midpoint of the triangle's box, times two */
	int32_t corner[3], given;
} item;

static int order(const item *a, const item *b, int axis)
{
	for (int k = 0; k < 3; ++k) {
		real p = a->middle[(axis + k) % 3], q = b->middle[(axis + k) % 3];
		if (p != q) return p < q ? -1 : 1;
	}
	for (int k = 0; k < 3; ++k)
		if (a->corner[k] != b->corner[k]) return a->corner[k] < b->corner[k] ? -1 : 1;
	return 0;
}
static int order_x(const void *p, const void *q) { return order(p, q, 0); }
static int order_y(const void *p, const void *q) { return order(p, q, 1); }
static int order_z(const void *p, const void *q) { return order(p, q, 2); }

static item item_of(const trimesh *m, int32_t t, int32_t given)
{
	const int32_t *c = m->corner + 3 * t;
	int first = c[0] < c[1] ? (c[0] < c[2] ? 0 : 2) : (c[1] < c[2] ? 1 : 2);
	item o = {.given = given};
	for (int k = 0; k < 3; ++k) o.corner[k] = c[(first + k) % 3];
	vec3 p = m->vertex[c[0]], q = m->vertex[c[1]], r = m->vertex[c[2]];
	o.low = v3_min(v3_min(p, q), r);
	o.high = v3_max(v3_max(p, q), r);
	o.middle[0] = o.low.x + o.high.x, o.middle[1] = o.low.y + o.high.y, o.middle[2] = o.low.z + o.high.z;
	return o;
}

static int longest_axis(const item *at, int32_t count)
{
	real low[3], high[3];
	for (int k = 0; k < 3; ++k) low[k] = high[k] = at->middle[k];
	for (int32_t i = 1; i < count; ++i)
		for (int k = 0; k < 3; ++k) {
			low[k] = real_min(low[k], at[i].middle[k]);
			high[k] = real_max(high[k], at[i].middle[k]);
		}
	real x = high[0] - low[0], y = high[1] - low[1], z = high[2] - low[2];
	return x >= y && x >= z ? 0 : y >= z ? 1 : 2;
}

/* creates the box of these triangles and, if there are too many for a leaf, two halves; *count is then the number in
 * the first half */
static trimesh_node node_of(item *at, int32_t from, int32_t *count)
{
	static int (*const by[3])(const void *, const void *) = {order_x, order_y, order_z};
	trimesh_node n = {at[from].low, at[from].high, from, *count};
	for (int32_t i = from + 1; i < from + *count; ++i) {
		n.low = v3_min(n.low, at[i].low);
		n.high = v3_max(n.high, at[i].high);
	}
	scree_sort_by(at + from, *count, sizeof *at, by[longest_axis(at + from, *count)]);
	if (*count <= TRIMESH_LEAF) return n;
	*count = (*count / 2 + TRIMESH_LEAF / 2) / TRIMESH_LEAF * TRIMESH_LEAF;
	n.count = 0;
	return n;
}

typedef struct part {
	int32_t node, from, count;
} part;

static void grow_nodes(trimesh *m, item *at)
{
	part wait[TRIMESH_DEPTH];
	int waiting = 0;
	m->nodes = 1;
	wait[waiting++] = (part){0, 0, m->triangles};
	while (waiting) {
		part p = wait[--waiting];
		int32_t first = p.count;
		m->node[p.node] = node_of(at, p.from, &first);
		if (m->node[p.node].count) continue;
		m->node[p.node].first = m->nodes;
		SCREE_ASSERT(waiting + 2 <= TRIMESH_DEPTH);
		wait[waiting++] = (part){m->nodes + 1, p.from + first, p.count - first};
		wait[waiting++] = (part){m->nodes, p.from, first};
		m->nodes += 2;
	}
}

void scree_trimesh_plant(trimesh *m, int32_t *given)
{
	item *at = scree_alloc((size_t)m->triangles, sizeof *at);
	for (int32_t t = 0; t < m->triangles; ++t) at[t] = item_of(m, t, given ? given[t] : t);
	scree_free(m->node);
	m->node = scree_alloc(2 * (size_t)m->triangles, sizeof *m->node);
	grow_nodes(m, at);
	m->node = scree_grow(m->node, (size_t)m->nodes, (size_t)m->nodes, sizeof *m->node);
	for (int32_t t = 0; t < m->triangles; ++t) {
		for (int k = 0; k < 3; ++k) m->corner[3 * t + k] = at[t].corner[k];
		if (given) given[t] = at[t].given;
	}
	scree_free(at);
}
