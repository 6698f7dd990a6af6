/* net: adds, cuts, and sorts the triangles of a mesh, and joins them at their sides. */
#include "wall/net.h"

#include <string.h>

#include "base/memory.h"
#include "base/sort.h"
#include "shape/mesh/surface.h"

int32_t scree_net_vertex(net *n, vec3 p)
{
	SCREE_APPEND(n->vertex, n->vertices, n->vertex_room, p);
	return n->vertices - 1;
}

void scree_net_triangle(net *n, int32_t a, int32_t b, int32_t c, int32_t of)
{
	if (n->triangles == n->triangle_room) {
		size_t old = (size_t)n->triangles, room = old + old / 2 + 64;
		n->triangle = scree_grow(n->triangle, 3 * old, 3 * room, sizeof *n->triangle);
		n->normal = scree_grow(n->normal, old, room, sizeof *n->normal);
		n->source = scree_grow(n->source, old, room, sizeof *n->source);
		n->triangle_room = (int32_t)room;
	}
	int32_t *t = n->triangle + 3 * (size_t)n->triangles;
	t[0] = a, t[1] = b, t[2] = c;
	n->source[n->triangles] = n->source[of];
	n->normal[n->triangles++] = n->normal[of];
}

void scree_net_keep(net *n, int32_t t, int32_t *kept)
{
	memmove(n->triangle + 3 * *kept, n->triangle + 3 * t, 3 * sizeof *n->triangle);
	n->source[*kept] = n->source[t];
	n->normal[(*kept)++] = n->normal[t];
}

sized *scree_net_sizes(const net *n)
{
	sized *all = scree_alloc((size_t)n->triangles, sizeof *all);
	for (int32_t t = 0; t < n->triangles; ++t) all[t] = (sized){v3_norm(net_area(n, n->triangle + 3 * t)), {t}};
	scree_sort_by(all, n->triangles, sizeof *all, scree_sort_largest);
	return all;
}

typedef struct sourced {
	int32_t source, row;
} sourced;

void scree_net_sort(net *n)
{
	const size_t count = (size_t)n->triangles;
	sourced *order = scree_alloc(count, sizeof *order);
	int32_t *triangle = scree_alloc(3 * count, sizeof *triangle), *source = scree_alloc(count, sizeof *source);
	vec3 *normal = scree_alloc(count, sizeof *normal);
	for (int32_t t = 0; t < n->triangles; ++t) order[t] = (sourced){n->source[t], t};
	scree_sort_by(order, count, sizeof *order, scree_sort_two);
	for (int32_t t = 0; t < n->triangles; ++t) {
		const int32_t from = order[t].row;
		memcpy(triangle + 3 * (size_t)t, n->triangle + 3 * (size_t)from, 3 * sizeof *triangle);
		normal[t] = n->normal[from], source[t] = n->source[from];
	}
	scree_free(n->triangle), scree_free(n->normal), scree_free(n->source), scree_free(order);
	n->triangle = triangle, n->normal = normal, n->source = source;
	n->triangle_room = n->triangles;
}

void scree_net_drop_collapsed(net *n)
{
	int32_t kept = 0;
	for (int32_t t = 0; t < n->triangles; ++t) {
		const int32_t *c = n->triangle + 3 * t;
		if (c[0] != c[1] && c[1] != c[2] && c[2] != c[0]) scree_net_keep(n, t, &kept);
	}
	n->triangles = kept;
}

/* ------------------------------------------------------------------ near triangles */

net_grid scree_net_grid(const net *n)
{
	net_grid g = {0};
	g.boxes.facets = n->triangles;
	g.boxes.facet = scree_alloc((size_t)n->triangles, sizeof *g.boxes.facet);
	g.boxes.row = scree_alloc(1, sizeof *g.boxes.row);
	g.boxes.row->facets = n->triangles;
	for (int32_t t = 0; t < n->triangles; ++t) {
		facet *f = g.boxes.facet + t;
		f->low = f->high = net_corner(n, 3 * t);
		for (int k = 1; k < 3; ++k) v3_widen(&f->low, &f->high, net_corner(n, 3 * t + k));
	}
	g.grid = scree_facet_grid_new(&g.boxes, 0);
	return g;
}

void scree_net_ask(const net *n, net_grid *g, vec3 low, vec3 high)
{
	const vec3 reach = v3(n->near, n->near, n->near);
	scree_facet_grid_query(g->grid, &g->boxes, v3_sub(low, reach), v3_add(high, reach), &g->list);
}

void scree_net_grid_free(net_grid *g)
{
	scree_facet_grid_free(g->grid);
	scree_facet_list_free(&g->list);
	SCREE_FREE_ALL(g->boxes.facet, g->boxes.row);
}

/* ------------------------------------------------------------------ neighbours */

/* Finds the two most nearly coplanar triangles of an edge with more than two; returns false if none remain. */
static const real FLAT = 1e-3;

static bool flat_pair(const net *n, const side *at, int64_t count, bool alike, const side **a, const side **b)
{
	real best = -1 + FLAT * FLAT;
	bool found = false;
	for (int64_t i = 0; i < count; ++i)
		for (int64_t j = i + 1; j < count; ++j) {
			real across = v3_dot(v3_unit(net_outward(n, at[i].corner)), v3_unit(net_outward(n, at[j].corner)));
			real turned = v3_dot(n->normal[at[i].corner / 3], n->normal[at[j].corner / 3]);
			if (at[i].forward == at[j].forward)
				across = -across, turned = -turned; /* as if one of the two triangles were reversed */
			if (n->across[at[i].corner] >= 0 || n->across[at[j].corner] >= 0) continue;
			if ((alike && at[i].forward == at[j].forward) || !(turned > 0) || !(across < best)) continue;
			best = across, found = true;
			*a = at + i, *b = at + j;
		}
	return found;
}

static void pair_up(net *n, const side *a, const side *b)
{
	n->across[a->corner] = b->corner;
	n->across[b->corner] = a->corner;
}

static void pair_several(net *n, const side *at, int64_t count, bool alike)
{
	const side *a = NULL, *b = NULL;
	if (count > 64) return;
	while (flat_pair(n, at, count, alike, &a, &b)) pair_up(n, a, b);
	for (int64_t k = 0; a && k < count; ++k)
		if (n->across[at[k].corner] < 0) n->across[at[k].corner] = -2 - a->corner / 3;
}

void scree_net_across(net *n, bool alike)
{
	int64_t count = 3 * (int64_t)n->triangles;
	side *at = scree_sides(n->triangles, n->triangle);
	scree_free(n->across);
	n->across = scree_alloc((size_t)count, sizeof *n->across);
	for (int64_t k = 0; k < count; ++k) n->across[k] = -1;
	for (int64_t from = 0; from < count;) {
		int64_t end = scree_sides_end(at, count, from);
		if (end - from == 2 && (!alike || at[from].forward != at[from + 1].forward))
			pair_up(n, at + from, at + from + 1);
		else if (end - from > 2)
			pair_several(n, at + from, end - from, alike);
		from = end;
	}
	scree_free(at);
}

bool scree_net_has_border(const net *n)
{
	for (int64_t k = 0; k < 3 * (int64_t)n->triangles; ++k)
		if (n->across[k] < 0) return true;
	return false;
}

/* ------------------------------------------------------------------ cuts */

static int cut_order(const void *p, const void *q)
{
	const net_cut *a = p, *b = q;
	if (a->corner != b->corner) return a->corner < b->corner ? -1 : 1;
	if (a->at != b->at) return a->at < b->at ? -1 : 1;
	return a->vertex < b->vertex ? -1 : a->vertex > b->vertex;
}

/* The cuts on one side of a triangle. */
typedef struct cut_range {
	const net_cut *first;
	int32_t count;
} cut_range;

/* Divides a triangle with cuts on its sides ab, bc, and ca into fans, each from the corner opposite a cut side. */
static void cut_up(net *n, int32_t a, int32_t b, int32_t c, cut_range ab, cut_range bc, cut_range ca, int32_t of)
{
	const cut_range none = {NULL, 0};
	for (int turn = 0; turn < 2 && !ab.count; ++turn) {
		int32_t corner = a;
		cut_range sides = ab;
		a = b, b = c, c = corner;
		ab = bc, bc = ca, ca = sides;
	}
	if (!ab.count) {
		scree_net_triangle(n, a, b, c, of);
		return;
	}
	int32_t last = ab.first[ab.count - 1].vertex;
	cut_up(n, a, ab.first->vertex, c, none, none, ca, of);
	for (int32_t k = 0; k + 1 < ab.count; ++k) scree_net_triangle(n, ab.first[k].vertex, ab.first[k + 1].vertex, c, of);
	cut_up(n, last, b, c, none, bc, none, of);
}

static cut_range range_of(const net_cuts *l, int32_t *from, int32_t corner)
{
	cut_range r = {l->item + *from, 0};
	while (*from < l->count && l->item[*from].corner == corner) ++*from, ++r.count;
	return r;
}

void scree_net_cut_sides(net *n, net_cuts *l)
{
	if (!l->count) return;
	scree_sort_by(l->item, l->count, sizeof *l->item, cut_order);
	int32_t kept = 0;
	for (int32_t k = 0; k < l->count; ++k)
		if (!k || l->item[k].corner != l->item[kept - 1].corner || l->item[k].vertex != l->item[kept - 1].vertex)
			l->item[kept++] = l->item[k];
	l->count = kept;
	int32_t from = 0, had = n->triangles;
	for (int32_t t = 0; t < had; ++t) {
		const int32_t a = n->triangle[3 * t], b = n->triangle[3 * t + 1], c = n->triangle[3 * t + 2];
		cut_range side[3];
		for (int k = 0; k < 3; ++k) side[k] = range_of(l, &from, 3 * t + k);
		if (!side[0].count && !side[1].count && !side[2].count) continue;
		cut_up(n, a, b, c, side[0], side[1], side[2], t);
		n->triangle[3 * t + 1] = a; /* collapsed, because the parts are at the end of the list of triangles */
	}
	scree_net_drop_collapsed(n);
	l->count = 0;
}
