/* links: connections between the surfaces of a wall for bodies on them (docs/theory/walls.md, "Folds"). Two surfaces
 * that meet at an edge are linked. The strength of the link is 1 at a ridge, the cosine of the angle between the
 * normals in a valley, and 0 in a valley of 90 degrees or more. Two surfaces that do not meet are linked with the
 * strength of the weakest link on the strongest path between them. Links are added from the strongest to the weakest; a
 * link that joins two trees becomes a branch (Kruskal 1956). The weakest link on the strongest path is therefore the
 * link that joined the trees of the two surfaces. Seen from behind, ridges are valleys, so each wall has two
 * forests. */

#include "base/memory.h"
#include "base/sort.h"
#include "wall/walls.h"
#include "kernel/surface_bond.h"

/* Returns the strength of the link between facets f and g at edge k of f; g is across this edge or contains it. */
static real fold_part(const walls *s, const facet *f, int32_t k, const facet *g, real sign)
{
	const real cosine = v3_dot(f->normal, g->normal);
	if (edge_is_covered(s->next[k])) return sign * v3_dot(g->normal, s->outward[k]) < 0 ? bond_of_valley(cosine) : 0;
	return sign * s->bend[k] < 0 ? 1 : bond_of_valley(cosine);
}

/* Finds the folds of a wall, each with two surfaces and the strength of their link. sign: -1 for a view from behind */
static int32_t folds_of(const walls *s, const wall *w, real sign, sized *out)
{
	int32_t count = 0;
	for (int32_t f = w->first_facet; f < w->first_facet + w->facets; ++f)
		for (int32_t k = s->facet[f].first; k < s->facet[f].first + s->facet[f].corners; ++k) {
			const int32_t next = s->next[k], g = edge_is_covered(next) ? edge_cover(next) : next;
			if (next == EDGE_OPEN || s->facet[g].wall != s->facet[f].wall) continue;
			if (s->facet[g].surface == s->facet[f].surface) continue;
			const real part = fold_part(s, s->facet + f, k, s->facet + g, sign);
			if (part > 0) out[count++] = (sized){part, {s->facet[f].surface, s->facet[g].surface}};
		}
	return count;
}

static int32_t root_of(const surface_link *link, int32_t i)
{
	while (link[i].up >= 0) i = link[i].up;
	return i;
}

/* Joins trees fold by fold. The root of the smaller becomes a child of the larger's root, so that paths are short. */
static void grow_forest(const walls *s, const wall *w, real sign, surface_link *link)
{
	int32_t corners = 0;
	for (int32_t f = w->first_facet; f < w->first_facet + w->facets; ++f) corners += s->facet[f].corners;
	sized *fold = scree_alloc((size_t)corners + 1, sizeof *fold);
	int32_t *size = scree_alloc((size_t)w->surfaces, sizeof *size), folds = folds_of(s, w, sign, fold),
			base = w->first_surface;
	for (int32_t i = 0; i < w->surfaces; ++i) {
		link[base + i] = (surface_link){-1, INT32_MAX, 0};
		size[i] = 1;
	}
	scree_sort_by(fold, folds, sizeof *fold, scree_sort_largest);
	for (int32_t k = 0; k < folds; ++k) {
		int32_t a = root_of(link, fold[k].row[0]), b = root_of(link, fold[k].row[1]);
		if (a == b) continue;
		if (size[a - base] > size[b - base]) SCREE_SWAP(a, b);
		link[a] = (surface_link){b, k, fold[k].size};
		size[b - base] += size[a - base];
	}
	SCREE_FREE_ALL(fold, size);
}

void scree_wall_link(walls *s, const wall *w)
{
	for (int32_t i = w->first_surface; i < w->first_surface + w->surfaces; ++i) {
		s->face[i] = (surface_face){{0, 0, 0}, {0, 0, 0}};
		for (int side = 0; side < 2; ++side) s->link[side][i] = (surface_link){-1, INT32_MAX, 0};
	}
	if (w->type != WALL_FACETS) return;
	for (int32_t f = w->first_facet + w->facets - 1; f >= w->first_facet; --f) {
		const facet *o = s->facet + f;
		vec3 middle = v3(0, 0, 0);
		for (int32_t k = o->first; k < o->first + o->corners; ++k)
			middle = v3_madd(middle, 1 / (real)o->corners, s->corner[k]);
		s->face[o->surface] = (surface_face){o->normal, middle};
	}
	grow_forest(s, w, 1, s->link[0]);
	if (w->two_sided) grow_forest(s, w, -1, s->link[1]);
}

void scree_walls_link(walls *s)
{
	for (int k = 0; k < 2; ++k) s->link[k] = scree_alloc((size_t)s->surface_capacity + 1, sizeof *s->link[k]);
	s->face = scree_alloc((size_t)s->surface_capacity + 1, sizeof *s->face);
	for (int32_t k = 0; k < s->count; ++k) scree_wall_link(s, s->row + k);
}
