/* sides: finds the side of a two-sided surface that a body is on (docs/theory/walls.md, "Sides of folded surfaces").
 *
 * Above the surface, a body is on the side where its centre is. Past one of the surface's folds, the neighbouring face
 * also matters. The outer side of a ridge is in front of at least one of its two faces, and the inner side is behind
 * both faces. A centre behind one face and in front of the other is therefore outside, and the face that it is behind
 * has no effect, as if this face were one-sided. For a valley the opposite is true. */
#include "narrow/wall/work.h"

/* edges count as equally near, as at a corner, if their distances differ by less than this fraction */
static const real AS_NEAR = 1e-9;

static real distance2(vec3 a, vec3 b, vec3 p)
{
	const vec3 r = v3_sub(b, a), way = v3_sub(p, a);
	const real length2 = v3_norm2(r), t = length2 > 0 ? real_clamp(v3_dot(way, r) / length2, 0, 1) : 0;
	return v3_norm2(v3_madd(way, -t, r));
}

static bool is_border(const walls *s, const facet *f, int32_t k)
{
	const int32_t next = s->next[f->first + k];
	return next < 0 || s->facet[next].surface != f->surface;
}

static real edge_distance2(const walls *s, const facet *f, int32_t k, vec3 p)
{
	return distance2(s->corner[f->first + k], s->corner[f->first + (k + 1 < f->corners ? k + 1 : 0)], p);
}

/* Returns the squared distance to the surface's nearest point. */
static real surface_distance2(const near_wall *to, int32_t surface, vec3 p)
{
	const walls *s = to->s;
	real least = INFINITY;
	for (int32_t i = 0; i < to->facets; ++i) {
		const facet *f = facet_near(to, i);
		if (f->surface != surface) continue;
		const real h = v3_dot(f->normal, p) - f->off;
		if (is_over(s, f, p)) least = real_min(least, h * h);
		for (int32_t k = 0; k < f->corners; ++k) least = real_min(least, edge_distance2(s, f, k, p));
	}
	return least;
}

static surface_place past_edge(const walls *s, const facet *f, int32_t k, vec3 centre)
{
	const int32_t next = s->next[f->first + k];
	if (edge_is_covered(next)) return PLACE_PAST_FOLD;
	if (next < 0) return PLACE_PAST_BORDER;
	const facet *g = s->facet + next;
	const real side = v3_dot(f->normal, centre) - f->off < 0 ? -1 : 1;
	const bool valley = side * s->bend[f->first + k] > 0;
	return valley && side * (v3_dot(g->normal, centre) - g->off) < 0 ? PLACE_BEYOND : PLACE_PAST_FOLD;
}

/* Above a sharp fold, a centre is above both faces, and the nearer face decides. */
static surface_place over_surface(const near_wall *to, const facet *over, vec3 p)
{
	const walls *s = to->s;
	const real h = v3_dot(over->normal, p) - over->off;
	for (int32_t i = 0; i < to->facets; ++i) {
		const facet *f = facet_near(to, i);
		for (int32_t k = 0; f->surface == over->surface && k < f->corners; ++k) {
			if (!is_border(s, f, k) || past_edge(s, f, k, p) != PLACE_BEYOND) continue;
			const int32_t beyond = s->facet[s->next[f->first + k]].surface;
			if (surface_distance2(to, beyond, p) < h * h) return PLACE_BEYOND;
		}
	}
	return PLACE_OVER;
}

surface_place scree_place_at_surface(const near_wall *to, int32_t surface, vec3 centre)
{
	const walls *s = to->s;
	real least = INFINITY;
	for (int32_t i = 0; i < to->facets; ++i) {
		const facet *f = facet_near(to, i);
		if (f->surface != surface) continue;
		if (is_over(s, f, centre)) return over_surface(to, f, centre);
		for (int32_t k = 0; k < f->corners; ++k)
			if (is_border(s, f, k)) least = real_min(least, edge_distance2(s, f, k, centre));
	}
	surface_place place = PLACE_PAST_FOLD;
	for (int32_t i = 0; i < to->facets; ++i) {
		const facet *f = facet_near(to, i);
		for (int32_t k = 0; f->surface == surface && k < f->corners; ++k) {
			if (!is_border(s, f, k) || edge_distance2(s, f, k, centre) > (1 + AS_NEAR) * least) continue;
			const surface_place here = past_edge(s, f, k, centre);
			if (here > place) place = here;
		}
	}
	return place;
}
