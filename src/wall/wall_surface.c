/* wall_surface: properties of facets as a surface. Neighbours that traverse their edge in opposite directions are
 * already linked (walls.next). Only the other edges must be sorted: those with one facet, with two facets in the same
 * direction, or with more facets. Corners were welded when the mesh was read, so equal corners have equal
 * coordinates. */
#include "wall/wall_surface.h"

#include "base/maths.h"
#include "base/memory.h"
#include "base/sort.h"
#include "wall/forms.h"

/* A side of a facet without a neighbour across it. */
typedef struct border {
	vec3 low, high; /* ends of the side, with the lower corner first */
	int32_t facet;
	bool forward; /* the facet runs from low to high */
} border;

static int point_order(vec3 a, vec3 b)
{
	if (a.x != b.x) return a.x < b.x ? -1 : 1;
	if (a.y != b.y) return a.y < b.y ? -1 : 1;
	return a.z != b.z ? (a.z < b.z ? -1 : 1) : 0;
}

static int border_ends(const border *a, const border *b)
{
	int order = point_order(a->low, b->low);
	return order ? order : point_order(a->high, b->high);
}

static int border_order(const void *p, const void *q)
{
	const border *a = p, *b = q;
	int order = border_ends(a, b);
	return order ? order : a->facet < b->facet ? -1 : a->facet > b->facet;
}

/* Returns all borders of a wall, sorted by their ends; to be freed by the caller. */
static border *borders_of(const walls *s, const wall *w, int32_t *count)
{
	int64_t room = 0;
	border *all = NULL;
	*count = 0;
	for (int32_t f = 0; f < w->facets; ++f) {
		const facet *t = s->facet + w->first_facet + f;
		for (int32_t k = 0; k < t->corners; ++k) {
			if (s->next[t->first + k] != EDGE_OPEN) continue;
			vec3 p = s->corner[t->first + k], q = s->corner[t->first + (k + 1 < t->corners ? k + 1 : 0)];
			bool forward = point_order(p, q) < 0;
			SCREE_APPEND(all, *count, room, forward ? (border){p, q, f, true} : (border){q, p, f, false});
		}
	}
	scree_sort_by(all, *count, sizeof *all, border_order);
	return all;
}

/* Connected parts. Each facet is oriented like the lowest facet of its part, or in the opposite way. */
typedef struct parts {
	int32_t *to;	/* a facet nearer to the root of the part */
	bool *against;	/* whether the two facets have opposite orientations */
	int32_t *count; /* for a root: number of facets oriented oppositely minus number oriented like the root */
} parts;

static int32_t root_of(parts *p, int32_t f, bool *against)
{
	int32_t root = f;
	bool turned = false;
	for (; p->to[root] != root; root = p->to[root]) turned ^= p->against[root];
	*against = turned;
	while (f != root) { /* shorten the path for later calls */
		int32_t next = p->to[f];
		bool of_next = turned ^ p->against[f];
		p->to[f] = root;
		p->against[f] = turned;
		f = next;
		turned = of_next;
	}
	return root;
}

static void join(parts *p, int32_t f, int32_t g, bool same_way)
{
	bool a, b;
	int32_t i = root_of(p, f, &a), j = root_of(p, g, &b);
	if (i == j) return;
	p->to[i > j ? i : j] = i < j ? i : j;
	p->against[i > j ? i : j] = a ^ b ^ same_way;
}

static bool among_fewer(parts *p, int32_t f)
{
	bool against;
	int32_t root = root_of(p, f, &against);
	return against == (p->count[root] <= 0);
}

/* If two facets traverse an edge in the same direction, finds the facets with the wrong orientation. */
static void find_turned(const walls *s, const wall *w, const border *at, int32_t count, wall_surface *l)
{
	const size_t n = (size_t)w->facets;
	parts p = {scree_alloc(n, sizeof *p.to), scree_alloc(n, sizeof *p.against), scree_alloc(n, sizeof *p.count)};
	for (int32_t f = 0; f < w->facets; ++f) p.to[f] = f;
	for (int32_t f = 0; f < w->facets; ++f) {
		const facet *t = s->facet + w->first_facet + f;
		for (int32_t k = t->first; k < t->first + t->corners; ++k)
			if (s->next[k] >= 0) join(&p, f, s->next[k] - w->first_facet, false);
	}
	for (int32_t from = 0, end; from < count; from = end) {
		for (end = from + 1; end < count && border_ends(at + from, at + end) == 0; ++end) {
		}
		if (end - from == 2) join(&p, at[from].facet, at[from + 1].facet, true);
	}
	bool against;
	for (int32_t f = 0; f < w->facets; ++f) {
		int32_t root = root_of(&p, f, &against);
		p.count[root] += against ? 1 : -1;
	}
	for (int32_t f = 0; f < w->facets; ++f) l->turned_facets += among_fewer(&p, f);
	wall_edge *e = &l->first_turned;
	if (!among_fewer(&p, e->facet[0]) && among_fewer(&p, e->facet[1])) SCREE_SWAP(e->facet[0], e->facet[1]);
	SCREE_FREE_ALL(p.to, p.against, p.count);
}

static wall_edge edge_of(const border *b, int32_t count)
{
	vec3 from = b->forward ? b->low : b->high, to = b->forward ? b->high : b->low;
	return (wall_edge){{b->facet, count > 1 ? b[1].facet : -1}, from, to};
}

static void look_at_edges(const walls *s, const wall *w, wall_surface *l)
{
	int32_t count;
	border *at = borders_of(s, w, &count);
	l->closed = true;
	for (int32_t from = 0, end; from < count; from = end) {
		int32_t forward = at[from].forward;
		for (end = from + 1; end < count && border_ends(at + from, at + end) == 0; ++end) forward += at[end].forward;
		int32_t here = end - from, *number = here == 1 ? &l->open : here == 2 ? &l->turned : &l->crowded;
		wall_edge *first = here == 1 ? &l->first_open : here == 2 ? &l->first_turned : &l->first_crowded;
		if (!(*number)++) *first = edge_of(at + from, here);
		l->closed &= 2 * forward == here;
	}
	if (l->turned) find_turned(s, w, at, count, l);
	scree_free(at);
}

wall_surface scree_wall_surface(const walls *s, int32_t row)
{
	const wall *w = s->row + row;
	const facet *t = s->facet + w->first_facet;
	wall_surface l = {.facets = w->facets};
	scree_wall_bounds(s, w, NULL, &l.low, &l.high);
	look_at_edges(s, w, &l);
	vec3 middle = v3_mul((real)0.5, v3_add(l.low, l.high));
	real area = 0, arm = 0;
	for (int32_t f = 0; f < w->facets; ++f)
		for (int32_t k = 1; k + 1 < t[f].corners; ++k) {
			const vec3 *p = s->corner + t[f].first;
			vec3 twice = v3_cross(v3_sub(p[k], p[0]), v3_sub(p[k + 1], p[0])),
				 centre = v3_add(v3_add(p[0], p[k]), p[k + 1]);
			vec3 apart = v3_madd(v3_mul((real)1 / 3, centre), -1, middle);
			l.volume += v3_dot(twice, apart) / 6;
			l.normal = v3_add(l.normal, twice);
			area += v3_norm(twice);
			arm += v3_norm(twice) * v3_norm(apart);
		}
	l.outward = arm > 0 ? 6 * l.volume / arm : 0;
	if (area > 0) l.normal = v3_mul(1 / area, l.normal);
	if (!l.closed) l.volume = 0;
	return l;
}

/* Solid angle of a triangle as seen from the origin (van Oosterom and Strackee 1983); > 0 if its back is visible */
static real solid_angle(vec3 a, vec3 b, vec3 c)
{
	real x = v3_norm(a), y = v3_norm(b), z = v3_norm(c);
	real over = v3_dot(a, v3_cross(b, c));
	real under = x * y * z + v3_dot(a, b) * z + v3_dot(b, c) * x + v3_dot(c, a) * y;
	return over == 0 && under == 0 ? 0 : 2 * scree_atan2(over, under);
}

real scree_wall_backs(const walls *s, int32_t row, vec3 p)
{
	const wall *w = s->row + row;
	real sum = 0;
	for (int32_t f = 0; f < w->facets; ++f) {
		const facet *t = s->facet + w->first_facet + f;
		const vec3 *c = s->corner + t->first;
		for (int32_t k = 1; k + 1 < t->corners; ++k)
			sum += solid_angle(v3_sub(c[0], p), v3_sub(c[k], p), v3_sub(c[k + 1], p));
	}
	return sum / (4 * SCREE_PI);
}
