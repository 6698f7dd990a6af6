/* parts_merge: merges parts with a common face whose union is convex. The union of two convex polyhedra with a common
 * face is convex if no corner of either polyhedron is beyond any other plane of the other. The common face is then the
 * same loop in both polyhedra. Pairs with the largest common faces are merged first. */
#include "shape/parts/parts.h"

#include "base/memory.h"
#include "base/sort.h"

/* tests whether face f of a has the corners of face g of b in reverse order */
static bool same_loop(const parts_solid *a, int32_t f, const parts_solid *b, int32_t g)
{
	int32_t count = a->first[f + 1] - a->first[f], at = 0;
	if (b->first[g + 1] - b->first[g] != count) return false;
	const int32_t *p = a->corner + a->first[f], *q = b->corner + b->first[g];
	while (at < count && q[at] != p[0]) ++at;
	if (at == count) return false;
	for (int32_t k = 0; k < count; ++k)
		if (p[k] != q[(at - k + count) % count]) return false;
	return true;
}

static bool within_planes(const parts_space *s, const parts_solid *a, int32_t but, const parts_solid *b)
{
	for (int32_t f = 0; f < a->faces; ++f)
		for (int32_t k = 0; f != but && k < b->first[b->faces]; ++k)
			if (parts_beyond(s, b->corner[k], a->side[f]) > 0) return false;
	return true;
}

static bool may_merge(const parts_space *s, const parts_solid *a, const parts_solid *b, int32_t *f, int32_t *g)
{
	for (*f = 0; *f < a->faces; ++*f)
		for (*g = 0; *g < b->faces; ++*g)
			if (a->side[*f] == (b->side[*g] ^ 1) && same_loop(a, *f, b, *g))
				return within_planes(s, a, *f, b) && within_planes(s, b, *g, a);
	return false;
}

static void copy_loops(const parts_solid *p, int32_t but, parts_solid *to)
{
	for (int32_t f = 0; f < p->faces; ++f) {
		if (f == but) continue;
		int32_t count = p->first[f + 1] - p->first[f], from = to->first[to->faces];
		memcpy(to->corner + from, p->corner + p->first[f], (size_t)count * sizeof *to->corner);
		to->side[to->faces++] = p->side[f];
		to->first[to->faces] = from + count;
	}
}

static bool merged(const parts_space *s, const parts_solid *a, int32_t f, const parts_solid *b, int32_t g,
				   parts_solid *out)
{
	parts_solid all = scree_parts_solid_with(a->faces + b->faces, a->first[a->faces] + b->first[b->faces]);
	copy_loops(a, f, &all);
	copy_loops(b, g, &all);
	bool good = scree_parts_solid_join(s->points, &all, out);
	scree_parts_solid_free(&all);
	return good;
}

/* Merges each part at most once. Returns the number of merges. */
static int32_t merge_round(parts_space *s, parts_list *l)
{
	int32_t count = 0, done = 0, f, g;
	int64_t room = 0;
	sized *c = NULL; /* pairs of parts that may be merged, sorted by the area of their common face */
	for (int32_t i = 0; i < l->count; ++i)
		for (int32_t j = i + 1; j < l->count; ++j) {
			if (!may_merge(s, l->solid + i, l->solid + j, &f, &g)) continue;
			SCREE_APPEND(c, count, room, (sized){v3_norm(scree_parts_solid_area(s->point, l->solid + i, f)), {i, j}});
		}
	scree_sort_by(c, count, sizeof *c, scree_sort_largest);
	bool *used = scree_alloc((size_t)l->count, sizeof *used);
	for (int32_t k = 0; k < count; ++k) {
		const int32_t i = c[k].row[0], j = c[k].row[1];
		parts_solid *a = l->solid + i, *b = l->solid + j, both;
		if (used[i] || used[j]) continue;
		used[i] = used[j] = true;
		if (!may_merge(s, a, b, &f, &g) || !merged(s, a, f, b, g, &both)) continue;
		scree_parts_solid_free(a);
		scree_parts_solid_free(b);
		*a = both;
		++done;
	}
	scree_free(c), scree_free(used);
	int32_t kept = 0;
	for (int32_t i = 0; i < l->count; ++i)
		if (l->solid[i].faces) l->solid[kept++] = l->solid[i];
	l->count = kept;
	return done;
}

void scree_parts_merge(parts_space *s, parts_list *l)
{
	while (merge_round(s, l) > 0) continue;
}
