/* sphere_facets: contacts between a sphere and the facets of a wall.
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
 * For other round bodies (round_body in work.h) the bounding ball replaces the sphere, with the body's overlap.
 *
 * In a valley the sphere is in contact with two surfaces, and the closest point of each counts, even a point on the
 * valley's edge. Each contact therefore starts with zero overlap, and the force is the gradient of an energy that
 * depends on both distances. In a shallow valley the two contacts merge, as in a plane. */
#include "narrow/wall/work.h"

/* difference, relative to the radius, below which points and distances are equal */
static const real SAME = 1e-9;

/* Points within this fraction of the radius, and within rounding in the file (wall/net.h), count as on the facet. */
static const real ROUGH = 1e-2;

static real slack_of(const wall *w, real radius)
{
	return real_max(SAME * radius, real_min(2 * w->tolerance, ROUGH * radius));
}

typedef struct near {
	int32_t surface, row;
	bool inside;   /* the closest point is not on an edge that bounds the surface */
	bool valley;   /* the closest point is on an edge to a surface that rises */
	vec3 n, point; /* the facet's normal towards the centre, and the closest point */
	real h, away;  /* height of the centre above the facet's plane; distance of the closest point */
	vec3 normal;   /* normal of the contact, for a round body that is not a ball */
} near;

/* The sphere, or another round body in its bounding ball; for the latter, `away` is the radius minus the overlap. */
typedef struct rounded {
	vec3 c;
	real radius;
	const round_body *body; /* NULL: a sphere */
	bool faced;				/* whether its bounding ball touches a facet from the front */
} rounded;

static vec3 closest_on_edge(vec3 a, vec3 b, vec3 c)
{
	vec3 r = v3_sub(b, a);
	real t = v3_dot(v3_sub(c, a), r), r2 = v3_norm2(r);
	if (t <= 0 || !(r2 > 0)) return a;
	return t >= r2 ? b : v3_madd(a, t / r2, r);
}

/* Tests whether the edge to this facet is a valley, seen from c, which is behind the facet with the edge (h < 0) or in
 * front of it. From behind both facets a ridge is a valley. If c is in front of one facet and behind the other, the
 * edge is neither. */
static bool is_valley(const walls *s, const facet *f, int32_t edge, vec3 c, bool behind)
{
	int32_t next = s->next[edge];
	if (next < 0 || s->facet[next].surface == f->surface) return false;
	const facet *g = s->facet + next;
	bool behind_next = v3_dot(g->normal, c) - g->off < 0;
	return behind == behind_next && (behind ? s->bend[edge] < 0 : s->bend[edge] > 0);
}

/* Finds the closest point of a facet's border to c, and whether c's foot is inside the facet. */
static bool closest_on_facet(const walls *s, const facet *f, vec3 c, bool behind, vec3 *point, bool *valley)
{
	bool inside = true;
	real best = INFINITY;
	for (int32_t k = 0; k < f->corners; ++k) {
		vec3 a = s->corner[f->first + k];
		if (!(v3_dot(s->outward[f->first + k], v3_sub(c, a)) > 0)) continue;
		inside = false;
		vec3 p = closest_on_edge(a, s->corner[f->first + (k + 1 < f->corners ? k + 1 : 0)], c);
		real d = v3_norm2(v3_sub(c, p));
		if (d < best) {
			best = d;
			*point = p;
			*valley = is_valley(s, f, f->first + k, c, behind);
		}
	}
	return inside;
}

static bool on_facet(const walls *s, const facet *f, vec3 p, real slack)
{
	if (real_abs(v3_dot(f->normal, p) - f->off) > slack) return false;
	for (int32_t k = 0; k < f->corners; ++k)
		if (v3_dot(s->outward[f->first + k], v3_sub(p, s->corner[f->first + k])) > slack) return false;
	return true;
}

/* Records the closest facet within reach of each surface, in ascending order of surfaces. */
static void note_near(wall_scratch *w, near a)
{
	int32_t i = w->nears;
	for (int32_t k = 0; k < w->nears; ++k) {
		near *b = w->near + k;
		if (b->surface != a.surface) continue;
		bool better = a.inside != b->inside ? a.inside : a.away < b->away;
		if (better) *b = a;
		return;
	}
	w->near = scree_wall_room(w->near, w->nears, &w->near_capacity, sizeof *w->near);
	for (++w->nears; i > 0 && w->near[i - 1].surface > a.surface; --i) w->near[i] = w->near[i - 1];
	w->near[i] = a;
}

/* Finds the contact with the plane if the body's deepest point is above the facet, otherwise with the nearest edge. */
static bool meet_round(const rounded *o, const walls *s, const facet *f, near *a)
{
	const vec3 deepest = v3_add(o->c, o->body->farthest(o->body->of, v3_neg(a->n)));
	const bool behind = a->n.x != f->normal.x || a->n.y != f->normal.y || a->n.z != f->normal.z;
	const real height = v3_dot(a->n, deepest) - (behind ? -f->off : f->off);
	if (!(height < 0)) return false;
	a->inside = is_over(s, f, deepest);
	a->normal = a->n;
	a->point = v3_madd(deepest, -height, a->n);
	real depth = a->inside ? -height : -INFINITY;
	for (int32_t k = 0; !a->inside && k < f->corners; ++k) {
		const vec3 p = s->corner[f->first + k], q = s->corner[f->first + (k + 1 < f->corners ? k + 1 : 0)];
		if (v3_norm2(v3_sub(closest_on_edge(p, q, o->c), o->c)) >= o->radius * o->radius) continue;
		const round_meeting m = o->body->segment(o->body->of, p, q);
		if (!(m.depth > depth)) continue;
		depth = m.depth, a->normal = m.normal, a->point = m.point;
		a->valley = is_valley(s, f, f->first + k, o->c, behind);
	}
	a->h = a->away = o->radius - depth;
	/* equals the contact with the plane within rounding: the point is between two facets of a surface */
	if (-height - depth <= SAME * o->radius) a->inside = true;
	return depth > 0;
}

static void look_at(wall_scratch *w, rounded *o, const walls *s, int32_t row, bool two_sided, bool from_behind)
{
	const facet *f = s->facet + row;
	const vec3 c = o->c;
	const real radius = o->radius;
	real h = v3_dot(f->normal, c) - f->off;
	if (from_behind ? h >= 0 : h < 0 && !two_sided) return;
	if (real_abs(h) >= radius || outside_box(f, c, radius)) return;
	bool flipped = h < 0 && !from_behind;
	near a = {.surface = f->surface, .row = row, .n = flipped ? v3_neg(f->normal) : f->normal, .point = c};
	a.h = a.away = real_abs(h);
	a.inside = closest_on_facet(s, f, c, h < 0, &a.point, &a.valley);
	if (a.inside) {
		a.point = v3_madd(c, -h, f->normal);
	} else {
		a.away = v3_norm(v3_sub(c, a.point));
		if (a.away >= radius) return;
		/* equals the plane's closest point within rounding: the point is between two facets of a surface */
		if (a.away * a.away - h * h <= SAME * SAME * radius * radius) a.inside = true;
	}
	if (o->body && !from_behind) {
		o->faced = true;
		if (!meet_round(o, s, f, &a)) return;
	}
	note_near(w, a);
}

/* Tests whether a facet is between the centre and this point. */
static bool is_before(const facet *f, const walls *s, vec3 c, vec3 point, real slack)
{
	real hc = v3_dot(f->normal, c) - f->off, hp = v3_dot(f->normal, point) - f->off;
	if (!(hc < 0 ? hp > slack : hp < -slack)) return false;
	vec3 at = v3_madd(c, hc / (hc - hp), v3_sub(point, c));
	for (int32_t k = f->first; k < f->first + f->corners; ++k)
		if (v3_dot(s->outward[k], v3_sub(at, s->corner[k])) > slack) return false;
	return true;
}

/* Surfaces behind another facet, such as the far face of a wedge or of a thin plate, are out of reach. */
static void drop_hidden(wall_scratch *w, vec3 c, const near_wall *to, real slack)
{
	int32_t kept = 0;
	for (int32_t k = 0; k < w->nears; ++k) {
		const near *a = w->near + k;
		bool hidden = false;
		for (int32_t i = 0; i < to->facets && !hidden; ++i) {
			const struct facet *f = facet_near(to, i);
			hidden = f->surface != a->surface && is_before(f, to->s, c, a->point, slack);
		}
		if (!hidden) w->near[kept++] = *a;
	}
	w->nears = kept;
}

/* Tests whether the closest point of surface k is also a minimum of the distance when other surfaces are included. */
static bool is_minimum(const wall_scratch *w, int32_t k, const near_wall *to, real slack)
{
	const near *a = w->near + k;
	for (int32_t j = 0; j < w->nears; ++j) {
		const near *b = w->near + j;
		if (j == k || b->away > a->away + slack) continue;
		bool same_point = v3_norm2(v3_sub(a->point, b->point)) <= 4 * slack * slack;
		if (same_point && !b->inside && j > k) continue;
		for (int32_t i = 0; i < to->facets; ++i) {
			const struct facet *f = facet_near(to, i);
			if (f->surface == b->surface && on_facet(to->s, f, a->point, slack)) return false;
		}
	}
	return true;
}

/* A contact of the sphere: row of the surface, unit normal, depth, and position relative to the centre. */
typedef struct dent {
	int32_t surface;
	vec3 n, at;
	real depth;
} dent;

static vec3 middle_of(const rounded *o, vec3 n, real depth)
{
	if (!o->body) return v3_mul(depth / 2 - o->radius, n);
	return v3_madd(o->body->farthest(o->body->of, v3_neg(n)), depth / 2, n);
}

static dent dent_of(const near *a, const rounded *o)
{
	const vec3 c = o->c;
	const real radius = o->radius;
	vec3 n = a->n;
	real away = a->h;
	if (o->body) {
		const real depth = radius - a->away;
		return (dent){a->surface, a->normal, middle_of(o, a->normal, depth), depth};
	}
	if (!a->inside) {
		vec3 r = v3_sub(c, a->point);
		away = a->away;
		n = away > SAME * radius ? v3_mul(1 / away, r) : a->n;
	}
	return (dent){a->surface, n, v3_mul(-(radius + away) / 2, n), radius - away};
}

/* Tests whether another wall supports the sphere at the closest point, which is on or next to a border. A point at a
 * corner is on both edges. */
static bool is_carried(const near *a, const walls *s, vec3 c, real slack)
{
	if (!s->meets) return false;
	const facet *f = s->facet + a->row;
	slack = real_max(slack, real_min(s->meet_near, ROUGH * a->away));
	for (int32_t k = f->first; k < f->first + f->corners; ++k) {
		if (s->meets[k] < 0 || real_abs(v3_dot(s->outward[k], v3_sub(a->point, s->corner[k]))) > slack) continue;
		const wall_border_point o = {k, a->surface, a->point, c, a->inside ? OVER_SURFACE : OVER_NONE};
		if (scree_wall_carries(s, &o, slack)) return true;
	}
	return false;
}

/* ------------------------------------------------------------------ shallow valleys */

/* Sine of the normals' angle (30 degrees) below which a valley is shallow (docs/theory/walls.md, "Shallow valleys"). */
static const real SHALLOW = 0.5;
/* Overlaps are blended if they differ by less than this fraction of their size times the sine of the fold. */
static const real OVER = 0.2;

/* n: a mean of unit normals; the more they differ, the shorter n and the smaller the force */
static void turn_dent(dent *d, vec3 n, real depth, const rounded *o)
{
	const real length = v3_norm(n);
	d->n = v3_mul(1 / length, n);
	d->depth = length * depth;
	d->at = middle_of(o, d->n, d->depth);
}

/* Mixes the deepest contact with another contact in a shallow valley. The contacts swap roles smoothly where both are
 * equally deep. The larger overlap is adjusted with *normal and *more. The smaller overlap is reduced, possibly to
 * zero; the reduction is larger in shallower valleys. */
static void join_shallow(const dent *deepest, vec3 *normal, real *more, dent *other, const rounded *o)
{
	const vec3 apart = v3_sub(other->n, deepest->n);
	const real bend = v3_norm(v3_cross(deepest->n, other->n)), wide = bend / SHALLOW;
	if (!(v3_dot(deepest->n, other->n) > 0) || !(wide < 1)) return;
	const real width = OVER * bend * (1 - wide) * deepest->depth, left = width - (deepest->depth - other->depth);
	const real less = o->radius * (1 - wide) * (1 - wide);
	if (left > 0) {
		const real bump = left * left / (4 * width), over = left / (2 * width);
		*normal = v3_madd(*normal, over, apart);
		*more += bump;
		turn_dent(other, v3_madd(other->n, -over, apart), other->depth - bump - less, o);
	} else {
		other->depth -= less;
		other->at = middle_of(o, other->n, other->depth);
	}
}

/* A flat floor has one contact and a wedge two, with a smooth transition in between. */
static void join_valleys(dent *all, int32_t count, const rounded *o)
{
	dent *deepest = all;
	for (int32_t k = 1; k < count; ++k)
		if (all[k].depth > deepest->depth) deepest = all + k;
	vec3 normal = deepest->n;
	real more = 0;
	int32_t surface = deepest->surface;
	for (int32_t k = 0; k < count; ++k) {
		if (all + k == deepest) continue;
		join_shallow(deepest, &normal, &more, all + k, o);
		if (!(all[k].depth > 0) && all[k].surface < surface) surface = all[k].surface;
	}
	if (more > 0) turn_dent(deepest, normal, deepest->depth + more, o);
	/* always the same surface of the valley, whichever contact is deeper, so that the contact keeps its identity */
	deepest->surface = surface;
}

static void store_all(dent *all, int32_t count, const rounded *o, touch_list *out)
{
	if (count > 1) join_valleys(all, count, o);
	int32_t last = -1;
	for (int32_t stored = 0; stored < count; ++stored) { /* sorts contacts in ascending order of surfaces */
		const dent *next = NULL;
		for (int32_t k = 0; k < count; ++k)
			if (all[k].depth > 0 && all[k].surface > last && (!next || all[k].surface < next->surface)) next = all + k;
		if (!next) return;
		last = next->surface;
		scree_touch_point(out, last, next->n, next->at, next->depth);
	}
}

/* Pushes a body in a closed mesh out through the nearest facet if its centre is behind all facets within reach. */
static void push_out(wall_scratch *w, rounded *o, const near_wall *to, touch_list *out)
{
	for (int32_t i = 0; i < to->facets; ++i) look_at(w, o, to->s, to->facet[i], false, true);
	const near *best = NULL;
	for (int32_t k = 0; k < w->nears; ++k)
		if (w->near[k].inside && (!best || w->near[k].h < best->h)) best = w->near + k;
	if (!best || !wall_closed(to->s, to->s->row + to->wall)) return;
	vec3 at = v3_mul(-(o->radius - best->h) / 2, best->n);
	real depth = o->radius + best->h;
	if (o->body) {
		depth = best->h - v3_dot(best->n, o->body->farthest(o->body->of, v3_neg(best->n)));
		at = middle_of(o, best->n, depth);
	}
	scree_touch_point(out, best->surface, best->n, at, depth);
}

static void meet_facets(rounded *o, const near_wall *to, touch_list *out)
{
	const struct wall *row = to->s->row + to->wall;
	wall_scratch *w = scree_wall_scratch(out);
	w->nears = 0;
	for (int32_t i = 0; i < to->facets; ++i) look_at(w, o, to->s, to->facet[i], row->two_sided, false);
	if (!w->nears && !o->faced && to->facets && !row->two_sided) {
		push_out(w, o, to, out);
		return;
	}
	const real slack = slack_of(row, o->radius);
	if (row->two_sided && w->nears > 1) drop_hidden(w, o->c, to, slack);
	w->dent = scree_wall_least(w->dent, w->nears, &w->dent_capacity, sizeof *w->dent);
	int32_t count = 0;
	for (int32_t k = 0; k < w->nears; ++k) {
		const near *a = w->near + k;
		if (is_carried(a, to->s, o->c, slack)) continue;
		if (a->inside || a->valley || is_minimum(w, k, to, slack)) w->dent[count++] = dent_of(a, o);
		if (count && !(w->dent[count - 1].depth > 0)) --count;
	}
	store_all(w->dent, count, o, out);
}

void scree_sphere_facets(vec3 sphere, real radius, const near_wall *to, touch_list *out)
{
	meet_facets(&(rounded){sphere, radius, NULL, false}, to, out);
}

void scree_round_facets(const round_body *body, vec3 centre, real radius, const near_wall *to, touch_list *out)
{
	meet_facets(&(rounded){centre, radius, body, false}, to, out);
}
