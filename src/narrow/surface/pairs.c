/* pairs: compares pairs of triangles that may be near, in batches; minima.c finds the features that touch. */
#include "base/memory.h"
#include "narrow/surface/room.h"
#include "narrow/triangle/triangles.h"

struct surface_room *scree_surface_room(surface_scratch *s)
{
	if (!s->room) s->room = scree_alloc(1, sizeof *s->room);
	s->room->waiting = s->room->minima = 0;
	return s->room;
}

void scree_surface_places_free(surface_places *p) { scree_free(p->place), scree_free(p->known); }

void scree_surface_forget(surface_places *p, int32_t vertices, skin *s)
{
	if (vertices > p->capacity) {
		int32_t capacity = vertices + vertices / 2;
		scree_surface_places_free(p);
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
	if (++r->waiting == triangles_at_once((enum triangle_way)j->how.way, j->how.batch)) scree_surface_compare(j);
}

/* The result of a search for one pair of triangles, used for both precisions. */
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

/* Tests whether two triangles cross. Newton's method cannot distinguish touching triangles from crossing ones. */
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

/* Decides a pair. If a method gives no bounds, the computed distance is used. */
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
