/* sphere_facets.h: contacts between a sphere and the facets of a wall.
 *
 * For each surface the point closest to the sphere's centre is found. If that point is inside a facet, the contact has
 * exactly the surface's normal, as on an infinite plane. A point on an edge or a corner is a contact only if it is a
 * minimum of the distance over the whole nearby wall. If the point is also on another surface that comes closer to the
 * centre, the point is an artefact of the seam between the surfaces. If the point is the closest point of both surfaces
 * (a ridge), the contact belongs to the surface with the lower number. Seams inside a surface do not count as edges.
 *
 * Two-sided facets act on the side where the centre is. Two adjacent facets are treated as a ridge or a valley if the
 * centre is in front of both or behind both. A point is within reach only if no other facet is between this point and
 * the centre.
 *
 * In a valley the sphere is in contact with two surfaces, and the closest point of each counts, even a point on the
 * valley's edge. Each contact therefore starts with zero overlap, and the force is the gradient of an energy that
 * depends on both distances. In a shallow valley the two contacts merge, as in a plane.
 *
 * On a processor, src/narrow/wall/sphere_facets.c defines SCREE_ROUNDED and the same names for any number of surfaces
 * and for other round bodies. On a device, the caller has room for all surfaces of the facets. */
#ifndef SCREE_KERNEL_SPHERE_FACETS_H
#define SCREE_KERNEL_SPHERE_FACETS_H

#include "kernel/sphere_wall.h"

/* difference, relative to the radius, below which points and distances are equal */
SCREE_CONSTANT real SPHERE_SAME = 1e-9;
/* Points within this fraction of the radius, and within rounding in the file (wall/net.h), count as on the facet. */
SCREE_CONSTANT real SPHERE_ROUGH = 1e-2;

/* The point of a surface that is closest to the sphere. */
typedef struct near_point {
	int32_t surface, row;
	int32_t inside; /* the closest point is not on an edge that bounds the surface */
	int32_t valley; /* the closest point is on an edge to a surface that rises */
	vec3 n, point;	/* the facet's normal towards the centre, and the closest point */
	real h, away;	/* height of the centre above the facet's plane; distance of the closest point */
	vec3 normal;	/* normal of the contact, for a round body that is not a ball */
} near_point;

SCREE_FN vec3 closest_on_edge(vec3 a, vec3 b, vec3 c)
{
	vec3 r = v3_sub(b, a);
	real t = v3_dot(v3_sub(c, a), r), r2 = v3_norm2(r);
	if (t <= 0 || !(r2 > 0)) return a;
	return t >= r2 ? b : v3_madd(a, t / r2, r);
}

/* Tests whether the edge to this facet is a valley, seen from c, which is behind the facet with the edge (h < 0) or in
 * front of it. From behind both facets a ridge is a valley. If c is in front of one facet and behind the other, the
 * edge is neither. */
SCREE_FN bool is_valley(const wall_table *s, SCREE_GLOBAL const facet *f, int32_t edge, vec3 c, bool behind)
{
	int32_t next = s->next[edge];
	if (next < 0 || s->facet[next].surface == f->surface) return false;
	bool behind_next = facet_height(s->facet + next, c) < 0;
	return behind == behind_next && (behind ? s->bend[edge] < 0 : s->bend[edge] > 0);
}

#ifndef SCREE_ROUNDED
/* The sphere, or another round body in its bounding ball; for the latter, `away` is the radius minus the overlap. */
typedef struct rounded {
	vec3 c;
	real radius;
	int32_t faced; /* whether its bounding ball touches a facet from the front */
} rounded;

/* The closest points of surfaces within reach, and the contacts, both in ascending order of surfaces. */
typedef struct near_points {
	int32_t nears, points, room;
	SCREE_GLOBAL near_point *near;	/* [room] */
	SCREE_GLOBAL wall_point *point; /* [room] */
} near_points;

/* Tests whether there is room for another surface. */
SCREE_FN bool near_room(const near_points *w) { return w->nears < w->room; }

SCREE_FN bool rounded_is_ball(SCREE_UNUSED const rounded *o) { return true; }
SCREE_FN vec3 rounded_farthest(SCREE_UNUSED const rounded *o, vec3 n) { return n; }
SCREE_FN bool rounded_meets(SCREE_UNUSED const rounded *o, SCREE_UNUSED const wall_table *s,
							SCREE_UNUSED SCREE_GLOBAL const facet *f, SCREE_UNUSED near_point *a)
{
	return true;
}
#endif

/* ------------------------------------------------------------------ the closest point of each surface */

SCREE_FN real sphere_slack(SCREE_GLOBAL const table_wall *w, real radius)
{
	return real_max(SPHERE_SAME * radius, real_min(2 * w->tolerance, SPHERE_ROUGH * radius));
}

/* Finds the closest point of a facet's border to the centre, and whether the centre's foot is inside the facet. */
SCREE_FN void closest_on_facet(const wall_table *s, SCREE_GLOBAL const facet *f, vec3 c, bool behind, near_point *out)
{
	real best = INFINITY;
	out->inside = 1;
	for (int32_t k = 0; k < f->corners; ++k) {
		if (!(beyond_edge(s, f->first + k, c) > 0)) continue;
		out->inside = 0;
		vec3 p = closest_on_edge(s->corner[f->first + k], edge_end(s, f, k), c);
		real d = v3_norm2(v3_sub(c, p));
		if (!(d < best)) continue;
		best = d;
		out->point = p;
		out->valley = is_valley(s, f, f->first + k, c, behind);
	}
}

/* Records the closest facet within reach of each surface, in ascending order of surfaces. */
SCREE_FN void note_near(near_points *w, const near_point *a)
{
	for (int32_t k = 0; k < w->nears; ++k) {
		SCREE_GLOBAL near_point *b = w->near + k;
		if (b->surface != a->surface) continue;
		bool better = a->inside != b->inside ? a->inside : a->away < b->away;
		if (better) *b = *a;
		return;
	}
	if (!near_room(w)) return;
	int32_t i = w->nears++;
	for (; i > 0 && w->near[i - 1].surface > a->surface; --i) w->near[i] = w->near[i - 1];
	w->near[i] = *a;
}

/* Finds the facet's closest point; returns false if it is out of reach. h: height of the centre above the facet */
SCREE_FN bool reach_facet(const rounded *o, const wall_table *s, SCREE_GLOBAL const facet *f, real h, near_point *a)
{
	const vec3 c = o->c;
	a->point = c;
	a->normal = v3(0, 0, 0);
	a->valley = 0;
	a->h = a->away = real_abs(h);
	closest_on_facet(s, f, c, h < 0, a);
	if (a->inside) {
		a->point = v3_madd(c, -h, f->normal);
		return true;
	}
	a->away = v3_norm(v3_sub(c, a->point));
	/* equals the plane's closest point within rounding: the point is between two facets of a surface */
	if (a->away * a->away - h * h <= SPHERE_SAME * SPHERE_SAME * o->radius * o->radius) a->inside = 1;
	return a->away < o->radius;
}

SCREE_FN void look_at_facet(near_points *w, rounded *o, const near_facets *to, int32_t i, bool from_behind)
{
	SCREE_GLOBAL const facet *f = facet_near(to, i);
	const real h = facet_height(f, o->c);
	near_point a;
	if (from_behind ? h >= 0 : h < 0 && !wall_of_facets(to)->two_sided) return;
	if (real_abs(h) >= o->radius || outside_box(f, o->c, o->radius)) return;
	a.surface = f->surface;
	a.row = to->facet[i];
	a.n = h < 0 && !from_behind ? v3_neg(f->normal) : f->normal;
	if (!reach_facet(o, to->s, f, h, &a)) return;
	if (!rounded_is_ball(o) && !from_behind) {
		o->faced = true;
		if (!rounded_meets(o, to->s, f, &a)) return;
	}
	note_near(w, &a);
}

/* ------------------------------------------------------------------ the points that count */

/* Tests whether a facet is between the centre and this point. */
SCREE_FN bool is_before(SCREE_GLOBAL const facet *f, const wall_table *s, vec3 c, vec3 point, real slack)
{
	real hc = facet_height(f, c), hp = facet_height(f, point);
	if (!(hc < 0 ? hp > slack : hp < -slack)) return false;
	return is_within(s, f, v3_madd(c, hc / (hc - hp), v3_sub(point, c)), slack);
}

/* Surfaces behind another facet, such as the far face of a wedge or of a thin plate, are out of reach. */
SCREE_FN void drop_hidden(near_points *w, vec3 c, const near_facets *to, real slack)
{
	int32_t kept = 0;
	for (int32_t k = 0; k < w->nears; ++k) {
		SCREE_GLOBAL const near_point *a = w->near + k;
		bool hidden = false;
		for (int32_t i = 0; i < to->facets && !hidden; ++i) {
			SCREE_GLOBAL const facet *f = facet_near(to, i);
			hidden = f->surface != a->surface && is_before(f, to->s, c, a->point, slack);
		}
		if (!hidden) w->near[kept++] = *a;
	}
	w->nears = kept;
}

/* Tests whether a point is on one of the surface's facets. */
SCREE_FN bool is_on_surface(const near_facets *to, int32_t surface, vec3 p, real slack)
{
	for (int32_t i = 0; i < to->facets; ++i) {
		SCREE_GLOBAL const facet *f = facet_near(to, i);
		if (f->surface != surface || real_abs(facet_height(f, p)) > slack) continue;
		if (is_within(to->s, f, p, slack)) return true;
	}
	return false;
}

/* Tests whether the closest point of surface k is also a minimum of the distance when other surfaces are included. */
SCREE_FN bool is_minimum(const near_points *w, int32_t k, const near_facets *to, real slack)
{
	SCREE_GLOBAL const near_point *a = w->near + k;
	for (int32_t j = 0; j < w->nears; ++j) {
		SCREE_GLOBAL const near_point *b = w->near + j;
		if (j == k || b->away > a->away + slack) continue;
		bool same_point = v3_norm2(v3_sub(a->point, b->point)) <= 4 * slack * slack;
		if (same_point && !b->inside && j > k) continue;
		if (is_on_surface(to, b->surface, a->point, slack)) return false;
	}
	return true;
}

/* Tests whether another wall supports the sphere at the closest point, which is on or next to a border. A point at a
 * corner is on both edges. */
SCREE_FN bool is_carried(SCREE_GLOBAL const near_point *a, const wall_table *s, vec3 c, real slack)
{
	if (!s->meets) return false;
	SCREE_GLOBAL const facet *f = s->facet + a->row;
	slack = real_max(slack, real_min(s->meet_near, SPHERE_ROUGH * a->away));
	for (int32_t k = f->first; k < f->first + f->corners; ++k) {
		if (s->meets[k] < 0 || real_abs(beyond_edge(s, k, a->point)) > slack) continue;
		const wall_border_point o = {k, a->surface, a->point, c, a->inside ? OVER_SURFACE : OVER_NONE};
		if (wall_carries(s, &o, slack)) return true;
	}
	return false;
}

SCREE_FN vec3 rounded_middle(const rounded *o, vec3 n, real depth)
{
	if (rounded_is_ball(o)) return v3_mul(depth / 2 - o->radius, n);
	return v3_madd(rounded_farthest(o, v3_neg(n)), depth / 2, n);
}

SCREE_FN wall_point point_of_near(SCREE_GLOBAL const near_point *a, const rounded *o)
{
	const bool far = a->away > SPHERE_SAME * o->radius;
	if (!rounded_is_ball(o)) {
		const real depth = o->radius - a->away;
		wall_point p = {a->surface, a->normal, rounded_middle(o, a->normal, depth), depth};
		return p;
	}
	if (a->inside) return sphere_point(o->radius, a->n, a->h, a->surface);
	return sphere_point(o->radius, far ? v3_mul(1 / a->away, v3_sub(o->c, a->point)) : a->n, a->away, a->surface);
}

/* ------------------------------------------------------------------ shallow valleys */

/* Sine of the normals' angle (30 degrees) below which a valley is shallow (docs/theory/walls.md, "Shallow valleys"). */
SCREE_CONSTANT real VALLEY_SHALLOW = 0.5;
/* Overlaps are blended if they differ by less than this fraction of their size times the sine of the fold. */
SCREE_CONSTANT real VALLEY_OVER = 0.2;

/* n: a mean of unit normals; the more they differ, the shorter n and the smaller the force */
SCREE_FN void turn_point(SCREE_GLOBAL wall_point *d, vec3 n, real depth, const rounded *o)
{
	const real length = v3_norm(n);
	const vec3 normal = v3_mul(1 / length, n);
	d->normal = normal;
	d->depth = length * depth;
	d->at = rounded_middle(o, normal, length * depth);
}

/* Mixes the deepest contact with another contact in a shallow valley. The contacts swap roles smoothly where both are
 * equally deep. The larger overlap is adjusted with *normal and *more. The smaller overlap is reduced, possibly to
 * zero; the reduction is larger in shallower valleys. */
SCREE_FN void join_shallow(SCREE_GLOBAL const wall_point *deepest, vec3 *normal, real *more,
						   SCREE_GLOBAL wall_point *other, const rounded *o)
{
	const vec3 apart = v3_sub(other->normal, deepest->normal);
	const real bend = v3_norm(v3_cross(deepest->normal, other->normal)), wide = bend / VALLEY_SHALLOW;
	if (!(v3_dot(deepest->normal, other->normal) > 0) || !(wide < 1)) return;
	const real width = VALLEY_OVER * bend * (1 - wide) * deepest->depth;
	const real left = width - (deepest->depth - other->depth), less = o->radius * (1 - wide) * (1 - wide);
	if (left > 0) {
		const real bump = left * left / (4 * width), over = left / (2 * width);
		*normal = v3_madd(*normal, over, apart);
		*more += bump;
		turn_point(other, v3_madd(other->normal, -over, apart), other->depth - bump - less, o);
	} else {
		other->depth -= less;
		other->at = rounded_middle(o, other->normal, other->depth);
	}
}

/* A flat floor has one contact and a wedge two, with a smooth transition in between. */
SCREE_FN void join_valleys(near_points *w, const rounded *o)
{
	SCREE_GLOBAL wall_point *all = w->point, *deepest = all;
	for (int32_t k = 1; k < w->points; ++k)
		if (all[k].depth > deepest->depth) deepest = all + k;
	vec3 normal = deepest->normal;
	real more = 0;
	int32_t surface = deepest->surface;
	for (int32_t k = 0; k < w->points; ++k) {
		if (all + k == deepest) continue;
		join_shallow(deepest, &normal, &more, all + k, o);
		if (!(all[k].depth > 0) && all[k].surface < surface) surface = all[k].surface;
	}
	if (more > 0) turn_point(deepest, normal, deepest->depth + more, o);
	/* always the same surface of the valley, whichever contact is deeper, so that the contact keeps its identity */
	deepest->surface = surface;
}

/* Keeps contacts with overlaps, in ascending order of surfaces. */
SCREE_FN void sort_points(near_points *w)
{
	int32_t kept = 0;
	for (int32_t k = 0; k < w->points; ++k) {
		const wall_point p = w->point[k];
		int32_t i = kept;
		if (!(p.depth > 0)) continue;
		for (; i > 0 && w->point[i - 1].surface > p.surface; --i) w->point[i] = w->point[i - 1];
		w->point[i] = p;
		++kept;
	}
	w->points = kept;
}

/* ------------------------------------------------------------------ the contacts */

/* Pushes a body in a closed mesh out through the nearest facet if its centre is behind all facets within reach. */
SCREE_FN void push_out_of_facets(near_points *w, rounded *o, const near_facets *to)
{
	for (int32_t i = 0; i < to->facets; ++i) look_at_facet(w, o, to, i, true);
	int32_t best = -1;
	for (int32_t k = 0; k < w->nears; ++k)
		if (w->near[k].inside && (best < 0 || w->near[k].h < w->near[best].h)) best = k;
	if (best < 0 || !wall_closed(to->s, wall_of_facets(to))) return;
	const vec3 n = w->near[best].n;
	const real h = w->near[best].h;
	wall_point p = sphere_point(o->radius, n, -h, w->near[best].surface);
	if (!rounded_is_ball(o)) {
		p.depth = h - v3_dot(n, rounded_farthest(o, v3_neg(n)));
		p.at = rounded_middle(o, n, p.depth);
	}
	w->point[w->points++] = p;
}

/* Finds all contacts with a wall's facets. */
SCREE_FN void meet_facets(near_points *w, rounded *o, const near_facets *to)
{
	const bool two_sided = wall_of_facets(to)->two_sided;
	w->nears = w->points = 0;
	for (int32_t i = 0; i < to->facets; ++i) look_at_facet(w, o, to, i, false);
	if (!w->nears && !o->faced && to->facets && !two_sided) {
		push_out_of_facets(w, o, to);
		return;
	}
	const real slack = sphere_slack(wall_of_facets(to), o->radius);
	if (two_sided && w->nears > 1) drop_hidden(w, o->c, to, slack);
	for (int32_t k = 0; k < w->nears; ++k) {
		SCREE_GLOBAL const near_point *a = w->near + k;
		if (is_carried(a, to->s, o->c, slack)) continue;
		if (!a->inside && !a->valley && !is_minimum(w, k, to, slack)) continue;
		const wall_point p = point_of_near(a, o);
		if (p.depth > 0) w->point[w->points++] = p;
	}
	if (w->points > 1) join_valleys(w, o);
	sort_points(w);
}

#endif
