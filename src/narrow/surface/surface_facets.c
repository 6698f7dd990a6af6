/* surface_facets: finds contacts between a closed surface and facets of a wall. Facets are fans of triangles, connected
 * as in the wall; the contacts between triangles are found as for two surfaces. */
#include "base/memory.h"
#include "narrow/surface/room.h"
#include "kernel/wall_rows.h"

static void *again(void *old, int32_t count, size_t size)
{
	scree_free(old);
	return scree_alloc((size_t)count, size);
}

static void make_room(surface_sheet *o, int32_t triangles, int32_t facets)
{
	if (triangles > o->capacity) {
		const int32_t n = o->capacity = triangles + triangles / 2 + 8;
		o->vertex = again(o->vertex, 3 * n, sizeof *o->vertex), o->normal = again(o->normal, n, sizeof *o->normal);
		o->corner = again(o->corner, 3 * n, sizeof *o->corner), o->across = again(o->across, 3 * n, sizeof *o->across);
		o->first = again(o->first, 3 * n, sizeof *o->first), o->row = again(o->row, 3 * n, sizeof *o->row);
		o->surface = again(o->surface, n, sizeof *o->surface), o->bend = again(o->bend, 3 * n, sizeof *o->bend);
	}
	if (facets > o->facet_capacity) {
		o->facet_capacity = facets + facets / 2 + 8;
		o->from = again(o->from, o->facet_capacity, sizeof *o->from);
	}
}

static int32_t triangles_of(const facet *f) { return f->corners - 2; }

static int32_t triangles_before(surface_sheet *o, const surface_at_wall *w)
{
	int32_t triangles = 0;
	for (int32_t i = 0; i < w->to->facets; ++i) triangles += triangles_of(facet_near(w->to, i));
	make_room(o, triangles, w->to->facets);
	for (int32_t i = 0, t = 0; i < w->to->facets; t += triangles_of(facet_near(w->to, i++))) o->from[i] = t;
	return triangles;
}

/* Returns the side of a fan that is edge k of a facet with n corners, if the fan starts with triangle t. */
static int32_t side_of(int32_t t, int32_t k, int32_t n)
{
	if (k == 0) return 3 * t;
	return k == n - 1 ? 3 * (t + n - 3) + 2 : 3 * (t + k - 1) + 1;
}

/* creates the fan of a facet: triangle i has the corners 0, i + 1, and i + 2 */
static void fan(surface_sheet *o, const walls *s, const facet *f, int32_t from)
{
	for (int32_t i = 0; i < triangles_of(f); ++i) {
		const int32_t t = from + i, row[3] = {f->first, f->first + i + 1, f->first + i + 2};
		for (int k = 0; k < 3; ++k) {
			o->vertex[3 * t + k] = s->corner[row[k]], o->corner[3 * t + k] = 3 * t + k, o->row[3 * t + k] = row[k];
			o->across[3 * t + k] = SKIN_OPEN, o->bend[3 * t + k] = 0;
		}
		o->normal[t] = f->normal, o->surface[t] = f->surface;
		if (i > 0) o->across[3 * t] = 3 * t - 1, o->across[3 * t - 1] = 3 * t;
	}
}

static int32_t candidate_of(const surface_at_wall *w, int32_t facet)
{
	int32_t low = 0, high = w->to->facets;
	while (low < high) {
		int32_t mid = low + (high - low) / 2;
		if (w->to->facet[mid] < facet)
			low = mid + 1;
		else
			high = mid;
	}
	return low < w->to->facets && w->to->facet[low] == facet ? low : -1;
}

static vec3 middle_of(const walls *s, const facet *f, int32_t k)
{
	return v3_add(s->corner[f->first + k], s->corner[f->first + (k + 1 < f->corners ? k + 1 : 0)]);
}

/* If several edges of g run opposite to edge k of f, returns the edge at the same position. */
static int32_t edge_across(const walls *s, int32_t f, int32_t k, const facet *g)
{
	const vec3 here = middle_of(s, s->facet + f, k);
	int32_t best = -1;
	real least = INFINITY;
	for (int32_t i = 0; i < g->corners; ++i) {
		real off = v3_norm2(v3_sub(middle_of(s, g, i), here));
		if (s->next[g->first + i] == f && off < least) best = i, least = off;
	}
	return best;
}

static void join(surface_sheet *o, const surface_at_wall *w, int32_t i)
{
	const walls *s = w->to->s;
	const facet *f = facet_near(w->to, i);
	for (int32_t k = 0; k < f->corners; ++k) {
		const int32_t next = s->next[f->first + k], c = next < 0 ? -1 : candidate_of(w, next);
		const int32_t edge = c < 0 ? -1 : edge_across(s, w->to->facet[i], k, s->facet + next);
		const int32_t side = side_of(o->from[i], k, f->corners);
		if (edge_is_covered(next)) o->across[side] = SKIN_COVERED;
		if (edge < 0) continue;
		o->across[side] = side_of(o->from[c], edge, s->facet[next].corners);
		o->bend[side] = s->facet[next].surface == f->surface ? 0 : -s->bend[f->first + k];
	}
}

/* Returns the lowest of the corners at one position where an edge starts, or -1 if the surface there is flat. */
static int32_t first_around(const skin *s, int32_t corner)
{
	int32_t least = INT32_MAX, c = corner;
	bool edge = false;
	for (int way = 0; way < 2; ++way) {
		for (c = corner; c >= 0;) {
			least = c < least ? c : least;
			edge = edge || side_is_edge(s, c) || side_is_edge(s, side_last(c));
			c = way == 0 ? s->across[side_last(c)] : s->across[c] < 0 ? -1 : side_next(s->across[c]);
			if (c == corner) break;
		}
		if (c == corner) break; /* all corners have been passed */
	}
	return edge ? least : -1;
}

typedef struct sheet_job {
	const surface_at_wall *w;
	surface_sheet *o;
	const skin *s;
} sheet_job;

static void make_fans(void *what, int64_t from, int64_t to, SCREE_UNUSED int thread)
{
	const sheet_job *k = what;
	const walls *s = k->w->to->s;
	for (int64_t i = from; i < to; ++i) fan(k->o, s, facet_near(k->w->to, (int32_t)i), k->o->from[i]);
}

static void join_fans(void *what, int64_t from, int64_t to, SCREE_UNUSED int thread)
{
	const sheet_job *k = what;
	for (int64_t i = from; i < to; ++i) join(k->o, k->w, (int32_t)i);
}

static void name_corners(void *what, int64_t from, int64_t to, SCREE_UNUSED int thread)
{
	const sheet_job *k = what;
	for (int64_t c = 3 * from; c < 3 * to; ++c) k->o->first[c] = first_around(k->s, (int32_t)c);
}

static skin sheet_of(const surface_job *j, const surface_at_wall *w)
{
	surface_sheet *o = &j->room->sheet;
	sheet_job k = {w, o, NULL};
	const int32_t triangles = triangles_before(o, w);
	scree_surface_each(j->team, make_fans, &k, w->to->facets);
	scree_surface_each(j->team, join_fans, &k, w->to->facets);
	skin s = {.triangles = triangles,
			  .vertex = o->vertex,
			  .normal = o->normal,
			  .corner = o->corner,
			  .across = o->across,
			  .first = o->first,
			  .bend = o->bend,
			  .at = v3_neg(w->a->at),
			  .turn = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}},
			  .size = 1,
			  .rough = 2 * w->wall->tolerance,
			  .two_sided = w->wall->two_sided,
			  .row = o->row,
			  .surface = o->surface};
	k.s = &s;
	scree_surface_each(j->team, name_corners, &k, triangles);
	scree_surface_forget(&j->room->of_b, 3 * triangles, &s);
	return s;
}

typedef struct box {
	vec3 low, high;
} box;

/* Returns an enlarged box around a triangle of the wall, in the frame of a's surface with size 1. */
static box box_of(const surface_job *j, const placed_surface *a, int32_t t, real grow)
{
	box b = {v3(INFINITY, INFINITY, INFINITY), v3(-INFINITY, -INFINITY, -INFINITY)};
	for (int k = 0; k < 3; ++k) {
		const vec3 p = v3_mul(1 / a->size, mat3_tmul(a->turn, skin_corner(&j->b, 3 * t + k)));
		b.low = v3(real_min(b.low.x, p.x - grow), real_min(b.low.y, p.y - grow), real_min(b.low.z, p.z - grow));
		b.high = v3(real_max(b.high.x, p.x + grow), real_max(b.high.y, p.y + grow), real_max(b.high.z, p.z + grow));
	}
	return b;
}

static bool meets(const trimesh_node *n, const box *b)
{
	return n->low.x <= b->high.x && n->high.x >= b->low.x && n->low.y <= b->high.y && n->high.y >= b->low.y &&
		   n->low.z <= b->high.z && n->high.z >= b->low.z;
}

static void walk(surface_job *j, const trimesh *m, const box *b, int32_t tb)
{
	int32_t wait[TRIMESH_DEPTH], waiting = 0, asked = 0;
	wait[waiting++] = 0;
	while (waiting) {
		const trimesh_node *n = m->node + wait[--waiting];
		if (!meets(n, b)) continue;
		for (int32_t t = n->first; t < n->first + n->count; ++t) scree_surface_pair(j, t, tb);
		asked += n->count;
		if (n->count) continue;
		wait[waiting++] = n->first + 1;
		wait[waiting++] = n->first;
	}
	j->counts->tree += m->triangles - asked;
}

static void walk_from(surface_job *j, const void *what, int32_t from, int32_t to)
{
	const placed_surface *a = what;
	const real grow = (j->reach + j->snap) / a->size;
	for (int32_t t = from; t < to; ++t) {
		const box b = box_of(j, a, t, grow);
		walk(j, a->of, &b, t);
	}
}

void scree_surface_facets(surface_job *j, const surface_at_wall *o)
{
	if (!o->to->facets) return;
	j->b = sheet_of(j, o);
	j->walls = o->to->s;
	scree_surface_walk(j, walk_from, o->a, j->b.triangles);
}
