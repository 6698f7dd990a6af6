/* wall_sides.h: finds the side of a two-sided surface that a body is on (docs/theory/walls.md, "Sides of folded
 * surfaces").
 *
 * Above the surface, a body is on the side where its centre is. Past one of the surface's folds, the neighbouring face
 * also matters. The outer side of a ridge is in front of at least one of its two faces, and the inner side is behind
 * both faces. A centre behind one face and in front of the other is therefore outside, and the face that it is behind
 * has no effect, as if this face were one-sided. For a valley the opposite is true. */
#ifndef SCREE_KERNEL_WALL_SIDES_H
#define SCREE_KERNEL_WALL_SIDES_H

#include "kernel/item.h"
#include "kernel/wall_rows.h"

/* Position of a body's centre relative to a surface. */
typedef enum surface_place {
	PLACE_OVER,		   /* above one of the surface's facets */
	PLACE_PAST_FOLD,   /* past a fold, on the same side of both faces of the fold */
	PLACE_PAST_BORDER, /* past an open border */
	PLACE_BEYOND	   /* past a fold, on the other face's side, where the body has no contact with this surface */
} surface_place;

/* edges count as equally near, as at a corner, if their distances differ by less than this fraction */
SCREE_CONSTANT real SIDES_AS_NEAR = 1e-9;

SCREE_FN real sides_distance2(vec3 a, vec3 b, vec3 p)
{
	const vec3 r = v3_sub(b, a), way = v3_sub(p, a);
	const real length2 = v3_norm2(r), t = length2 > 0 ? real_clamp(v3_dot(way, r) / length2, 0, 1) : 0;
	return v3_norm2(v3_madd(way, -t, r));
}

SCREE_FN bool is_border(const wall_table *s, SCREE_GLOBAL const facet *f, int32_t k)
{
	const int32_t next = s->next[f->first + k];
	return next < 0 || s->facet[next].surface != f->surface;
}

SCREE_FN real edge_distance2(const wall_table *s, SCREE_GLOBAL const facet *f, int32_t k, vec3 p)
{
	return sides_distance2(s->corner[f->first + k], edge_end(s, f, k), p);
}

/* Returns the squared distance to the surface's nearest point. */
SCREE_FN_APART real surface_distance2(const near_facets *to, int32_t surface, SCREE_GLOBAL const vec3 *at)
{
	const wall_table *s = to->s;
	const vec3 p = *at;
	real least = INFINITY;
	for (int32_t i = 0; i < to->facets; ++i) {
		SCREE_GLOBAL const facet *f = facet_near(to, i);
		if (f->surface != surface) continue;
		const real h = v3_dot(f->normal, p) - f->off;
		if (is_over(s, f, p)) least = real_min(least, h * h);
		for (int32_t k = 0; k < f->corners; ++k) least = real_min(least, edge_distance2(s, f, k, p));
	}
	return least;
}

SCREE_FN surface_place place_past_edge(const wall_table *s, SCREE_GLOBAL const facet *f, int32_t k, vec3 centre)
{
	const int32_t next = s->next[f->first + k];
	if (edge_is_covered(next)) return PLACE_PAST_FOLD;
	if (next < 0) return PLACE_PAST_BORDER;
	SCREE_GLOBAL const facet *g = s->facet + next;
	const real side = v3_dot(f->normal, centre) - f->off < 0 ? -1 : 1;
	const bool valley = side * s->bend[f->first + k] > 0;
	return valley && side * (v3_dot(g->normal, centre) - g->off) < 0 ? PLACE_BEYOND : PLACE_PAST_FOLD;
}

/* Above a sharp fold, a centre is above both faces, and the nearer face decides. */
SCREE_FN_APART surface_place place_over_surface(const near_facets *to, SCREE_GLOBAL const facet *over,
												SCREE_GLOBAL const vec3 *at)
{
	const wall_table *s = to->s;
	const vec3 p = *at;
	const real h = v3_dot(over->normal, p) - over->off;
	for (int32_t i = 0; i < to->facets; ++i) {
		SCREE_GLOBAL const facet *f = facet_near(to, i);
		for (int32_t k = 0; f->surface == over->surface && k < f->corners; ++k) {
			if (!is_border(s, f, k) || place_past_edge(s, f, k, p) != PLACE_BEYOND) continue;
			const int32_t beyond = s->facet[s->next[f->first + k]].surface;
			if (surface_distance2(to, beyond, at) < h * h) return PLACE_BEYOND;
		}
	}
	return PLACE_OVER;
}

SCREE_FN_APART surface_place place_at_surface(const near_facets *to, int32_t surface, SCREE_GLOBAL const vec3 *at)
{
	const wall_table *s = to->s;
	const vec3 centre = *at;
	real least = INFINITY;
	for (int32_t i = 0; i < to->facets; ++i) {
		SCREE_GLOBAL const facet *f = facet_near(to, i);
		if (f->surface != surface) continue;
		if (is_over(s, f, centre)) return place_over_surface(to, f, at);
		for (int32_t k = 0; k < f->corners; ++k)
			if (is_border(s, f, k)) least = real_min(least, edge_distance2(s, f, k, centre));
	}
	surface_place place = PLACE_PAST_FOLD;
	for (int32_t i = 0; i < to->facets; ++i) {
		SCREE_GLOBAL const facet *f = facet_near(to, i);
		for (int32_t k = 0; f->surface == surface && k < f->corners; ++k) {
			if (!is_border(s, f, k) || edge_distance2(s, f, k, centre) > (1 + SIDES_AS_NEAR) * least) continue;
			const surface_place here = place_past_edge(s, f, k, centre);
			if (here > place) place = here;
		}
	}
	return place;
}

#endif
