/* surface_surface: two closed surfaces. Their trees select triangles that may be near each other (trees.c); bounds of
 * distances select those that are near; minima.c finds the features that touch. */
#include "base/memory.h"
#include "narrow/surface/room.h"

/* relative to the sizes of two bodies, in space: largest error of a coordinate in float, and of a distance between two
 * coordinates */
static const real FLOAT_ROUNDED = (real)5e-7;

struct surface_room *scree_surface_room(surface_scratch *s)
{
	if (!s->room) s->room = scree_alloc(1, sizeof *s->room);
	s->room->waiting = s->room->minima = 0;
	return s->room;
}

static void free_places(surface_places *p) { scree_free(p->place), scree_free(p->known); }

void scree_surface_scratch_free(surface_scratch *s)
{
	if (s->room) {
		surface_sheet *o = &s->room->sheet;
		free_places(&s->room->of_a), free_places(&s->room->of_b);
		scree_surface_trees_free(s->room);
		SCREE_FREE_ALL(s->room->minimum, o->vertex, o->normal, o->corner, o->across, o->first, o->row, o->surface,
					   o->bend, o->from);
	}
	scree_free(s->room);
	*s = (surface_scratch){0};
}

void scree_surface_forget(surface_places *p, int32_t vertices, skin *s)
{
	if (vertices > p->capacity) {
		int32_t capacity = vertices + vertices / 2;
		free_places(p);
		p->place = scree_alloc((size_t)capacity, sizeof *p->place);
		p->known = scree_alloc((size_t)capacity, sizeof *p->known);
		p->capacity = capacity, p->now = 0;
	}
	if (!++p->now) { /* after 2^32 calls */
		memset(p->known, 0, (size_t)p->capacity * sizeof *p->known);
		p->now = 1;
	}
	s->place = p->place, s->known = p->known, s->now = p->now;
}

skin scree_skin_of(const placed_surface *p, vec3 origin, surface_places *places)
{
	const trimesh *m = p->of;
	skin s = {.triangles = m->triangles,
			  .vertex = m->vertex,
			  .normal = m->normal,
			  .corner = m->corner,
			  .across = m->across,
			  .plane = m->plane,
			  .first = m->first,
			  .bend = m->bend,
			  .at = v3_sub(p->at, origin),
			  .turn = p->turn,
			  .size = p->size,
			  .halo = p->halo};
	scree_surface_forget(places, m->vertices, &s);
	return s;
}

/* ------------------------------------------------------------------ triangles */

static void put(struct surface_room *r, bool in_float, int row, const skin *s, int32_t t)
{
	const int32_t i = r->waiting;
	for (int k = row; k < row + 9; k += 3) {
		const vec3 p = skin_corner(s, 3 * t + (k - row) / 3);
		if (in_float)
			r->c_float[k][i] = (float)p.x, r->c_float[k + 1][i] = (float)p.y, r->c_float[k + 2][i] = (float)p.z;
		else
			r->c[k][i] = p.x, r->c[k + 1][i] = p.y, r->c[k + 2][i] = p.z;
	}
}

void scree_surface_pair(surface_job *j, int32_t ta, int32_t tb)
{
	struct surface_room *r = j->room;
	r->ta[r->waiting] = ta, r->tb[r->waiting] = tb;
	put(r, j->how.in_float, 0, &j->a, ta);
	put(r, j->how.in_float, 9, &j->b, tb);
	if (++r->waiting == scree_triangles_at_once((enum triangle_way)j->how.way, j->how.batch)) scree_surface_compare(j);
}

/* Result of a search for one pair of triangles, for both precisions. */
typedef struct verdict {
	real low, distance;
	bool penetrated;
} verdict;

static verdict verdict_of(const surface_job *j, int32_t i)
{
	const struct surface_room *r = j->room;
	if (!j->how.in_float) return (verdict){r->gap[i].low, r->gap[i].distance, r->gap[i].penetrated};
	const triangle_gap_float *g = r->gap_float + i;
	return (verdict){real_max((real)g->low - j->rounded, 0), (real)g->distance, g->penetrated};
}

static void distances(surface_job *j, triangle_counts *by)
{
	struct surface_room *r = j->room;
	triangle_search how = scree_triangles_chosen(j->how, j->reach + j->rounded);
	if (j->how.in_float) {
		triangle_pairs_float pairs = {.count = r->waiting};
		for (int k = 0; k < 9; ++k) pairs.a[k] = r->c_float[k], pairs.b[k] = r->c_float[9 + k];
		scree_triangles_float(&pairs, &how, r->gap_float, by);
	} else {
		triangle_pairs pairs = {.count = r->waiting};
		for (int k = 0; k < 9; ++k) pairs.a[k] = r->c[k], pairs.b[k] = r->c[9 + k];
		scree_triangles(&pairs, &how, r->gap, by);
	}
}

/* Whether two triangles cross. Newton's method alone does not distinguish triangles that touch from triangles that
 * cross. */
static bool go_through(const surface_job *j, int32_t ta, int32_t tb)
{
	double c[18];
	triangle_pairs one = {.count = 1};
	for (int k = 0; k < 6; ++k) {
		const vec3 p = k < 3 ? skin_corner(&j->a, 3 * ta + k) : skin_corner(&j->b, 3 * tb + k - 3);
		c[3 * k] = p.x, c[3 * k + 1] = p.y, c[3 * k + 2] = p.z;
	}
	for (int k = 0; k < 9; ++k) one.a[k] = c + k, one.b[k] = c + 9 + k;
	const triangle_search brute = {.way = TRIANGLES_BRUTE, .one_by_one = true, .contact = j->reach};
	triangle_gap g;
	triangle_counts uncounted = {{0}};
	scree_triangles(&one, &brute, &g, &uncounted);
	return g.penetrated;
}

static bool crosses(const surface_job *j, const verdict *g, bool proves, int32_t i)
{
	if (proves && !j->how.in_float) return g->penetrated;
	const real close = proves ? 2 * j->rounded : j->reach / 64;
	return (g->penetrated || !(g->distance > close)) && go_through(j, j->room->ta[i], j->room->tb[i]);
}

/* Decides a pair. A method without bounds uses the distance that it found. */
static void judge(surface_job *j, int32_t i)
{
	const struct surface_room *r = j->room;
	const verdict g = verdict_of(j, i);
	const bool proves = scree_triangle_ways[j->how.way].proves;
	j->least = real_min(j->least, g.low);
	if (crosses(j, &g, proves, i))
		j->crossed = true;
	else if (!((proves ? g.low : g.distance) > j->reach))
		scree_surface_minima(j, r->ta[i], r->tb[i]);
}

void scree_surface_compare(surface_job *j)
{
	struct surface_room *r = j->room;
	if (!r->waiting) return;
	triangle_counts by = {{0}};
	distances(j, &by);
	j->counts->slab += by.by[TRIANGLES_BY_SLAB], j->counts->newton += by.by[TRIANGLES_BY_NEWTON];
	j->counts->brute += by.by[TRIANGLES_BY_BRUTE], j->counts->thorough += by.by[TRIANGLES_BY_THOROUGH];
	j->counts->uncertified += by.by[TRIANGLES_UNCERTIFIED];
	for (int32_t i = 0; i < r->waiting; ++i) judge(j, i);
	r->waiting = 0;
}

/* ------------------------------------------------------------------ one inside the other */

static bool holds(const placed_surface *a, const placed_surface *b)
{
	vec3 p = v3_add(v3_sub(b->at, a->at), mat3_mul(b->turn, v3_mul(b->size, b->of->vertex[0])));
	p = v3_mul(1 / a->size, mat3_tmul(a->turn, p));
	const trimesh_node *n = a->of->node;
	return p.x > n->low.x && p.x < n->high.x && p.y > n->low.y && p.y < n->high.y && p.z > n->low.z &&
		   p.z < n->high.z && scree_trimesh_inside(a->of, p) > 0;
}

static real snap_of(const placed_surface *a, const placed_surface *b)
{
	real shortest = real_min(a->of->shortest * a->size, b->of->shortest * b->size);
	return SURFACE_SNAP * shortest + SURFACE_ROUNDED * (a->of->extent * a->size + b->of->extent * b->size);
}

real scree_surface_surface(const placed_surface *a, const placed_surface *b, surface_scratch *scratch, point_list *out,
						   bool *crossed)
{
	const real reach = a->halo + b->halo,
			   rounded = SURFACE_ROUNDED * (a->of->extent * a->size + b->of->extent * b->size);
	const real apart = scree_surface_boxes_apart(a, b) - rounded;
	*crossed = false;
	if (apart > reach) {
		++scratch->counts.boxes;
		return apart - reach;
	}
	surface_job j = {.reach = reach,
					 .snap = snap_of(a, b),
					 .least = INFINITY,
					 .room = scree_surface_room(scratch),
					 .how = scratch->how,
					 .counts = &scratch->counts,
					 /* batches would depend on the division among threads */
					 .team = scratch->how.way == TRIANGLES_BATCHES ? NULL : scratch->team};
	if (j.how.in_float) j.rounded = FLOAT_ROUNDED * (reach + a->of->extent * a->size + b->of->extent * b->size);
	j.a = scree_skin_of(a, a->at, &j.room->of_a), j.b = scree_skin_of(b, a->at, &j.room->of_b);
	scree_surface_trees(&j, a, b, reach + rounded);
	const int32_t before = out->count;
	const real shortest = real_min(a->of->shortest * a->size, b->of->shortest * b->size);
	const surface_rule rule = {reach, shortest, a->round, b->round};
	scree_surface_contacts(j.room, &rule, j.counts, out);
	if (out->count == before && !j.crossed) j.crossed = holds(a, b) || holds(b, a);
	*crossed = j.crossed;
	return out->count > before || j.crossed ? 0 : real_max(j.least - rounded - reach, 0);
}
