/* parts_merge: merges parts with a common face whose union is convex.
 *
 * The union of two convex polyhedra with a common face is convex if neither has a corner beyond another plane of the
 * other one. The common face is then the same loop in both. Pairs with the largest common faces are merged first. */
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

/* Finds the common face of two parts; false if the parts may not be merged. */
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
	parts_solid all = {0};
	all.first = scree_alloc((size_t)(a->faces + b->faces) + 1, sizeof *all.first);
	all.side = scree_alloc((size_t)a->faces + (size_t)b->faces, sizeof *all.side);
	all.corner = scree_alloc((size_t)a->first[a->faces] + (size_t)b->first[b->faces], sizeof *all.corner);
	copy_loops(a, f, &all);
	copy_loops(b, g, &all);
	bool good = scree_parts_solid_join(s->points, &all, out);
	scree_parts_solid_free(&all);
	return good;
}

/* two parts that may be merged */
typedef struct couple {
	real area;
	int32_t a, b;
} couple;

static int largest_first(const void *p, const void *q)
{
	const couple *a = p, *b = q;
	if (a->area != b->area) return a->area > b->area ? -1 : 1;
	if (a->a != b->a) return a->a < b->a ? -1 : 1;
	return a->b < b->b ? -1 : a->b > b->b;
}

/* Merges each part at most once. Returns the number of merges. */
static int32_t merge_round(parts_space *s, parts_list *l)
{
	int32_t count = 0, room = 0, done = 0, f, g;
	couple *c = NULL;
	for (int32_t i = 0; i < l->count; ++i)
		for (int32_t j = i + 1; j < l->count; ++j) {
			if (!may_merge(s, l->solid + i, l->solid + j, &f, &g)) continue;
			if (count == room) {
				room = 2 * room + 32;
				c = scree_grow(c, (size_t)count, (size_t)room, sizeof *c);
			}
			c[count++] = (couple){v3_norm(scree_parts_solid_area(s, l->solid + i, f)), i, j};
		}
	scree_sort_by(c, count, sizeof *c, largest_first);
	bool *used = scree_alloc((size_t)l->count, sizeof *used);
	for (int32_t k = 0; k < count; ++k) {
		parts_solid *a = l->solid + c[k].a, *b = l->solid + c[k].b, both;
		if (used[c[k].a] || used[c[k].b]) continue;
		used[c[k].a] = used[c[k].b] = true;
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
