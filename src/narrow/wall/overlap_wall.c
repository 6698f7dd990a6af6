/* overlap_wall: the volume of a polyhedron behind a plane or facets (docs/theory/walls.md, "Folds").
 *
 * The region behind a facet ends at the facet's open borders. At a ridge the region ends halfway to the face beyond or,
 * if the centre is behind that face, at the face's plane, so that the face has no effect. In a valley the region ends
 * where the neighbour rises: nowhere at 90 degrees, and at the edge in a flat valley. Facets of one surface are
 * separated by a common plane, so their sum has no seam.
 *
 * Connected surfaces share stiffness (overlap_join.c): each has its own contact, but all have a common energy. */
#include "base/memory.h"
#include "narrow/solid/convex_solid.h"
#include "narrow/solid/overlap.h"
#include "narrow/wall/work.h"
#include "kernel/wall_overlap.h"

/* Cuts the solid with the wall's plane through p, in the frame of the body. */
SCREE_FN bool cut(cutting *c, const placed *body, vec3 n, vec3 p)
{
	return scree_cut(c, mat3_tmul(body->turn, n), v3_dot(n, v3_sub(p, body->at)));
}

SCREE_FN vec3 deepest(const placed *body, vec3 n) { return wall_deepest(body->shape, body, n); }
SCREE_FN bool reaches(const placed *body, vec3 n, vec3 p) { return wall_reaches(body->shape, body, n, p); }

/* Returns the deepest point of the cut body along -n, in the frame of the body. The body's deepest vertex may be beyond
 * the border of a facet; relative to this vertex, sums over a thin region would be differences of large numbers. */
SCREE_FN vec3 deepest_of(const solid *left, const placed *body, vec3 n)
{
	vec3 of_body = deepest(body, n), m = view_direction(body, n), best = of_body;
	real least = INFINITY;
	for (int32_t v = 0; v < left->vertices; ++v) {
		vec3 x = left->vertex[v];
		if (v3_equal(x, of_body)) return of_body;
		real h = v3_dot(m, x);
		best = h < least ? x : best;
		least = real_min(least, h);
	}
	return best;
}

SCREE_FN void start(cutting *c, const placed *body)
{
	scree_cut_start(c, body->shape, body->size, OVERLAP_SLACK * placed_radius(body));
}

SCREE_FN real volume_of(const placed *body) { return body->shape->volume * body->size * body->size * body->size; }

SCREE_FN void set_touch(touch_list *out, int32_t surface, const placed *body, const overlap *sum, vec3 normal, real arm)
{
	overlap_contact c;
	if (!scree_overlap_contact(sum, volume_of(body), view_direction(body, normal), &c)) return;
	if (sum->of == ENERGY_OF_VOLUME) c.arm = arm;
	scree_overlap_touch(&c, sum->of, &body->turn, surface, out);
}

/* ------------------------------------------------------------------ facets */

/* angles with cosines up to this limit count as right angles */
static const real SQUARE = 1e-6;

/* Finds the end of the region behind a facet at a face that rises from the facet; at 90 degrees or more there is no
 * end. along: direction in that face, away from the edge */
static bool valley_side(real cosine, vec3 along, vec3 *n)
{
	*n = along;
	return cosine > SQUARE;
}

/* Finds the end at an edge on the face of another facet; on either side of that facet, the edge is a valley between the
 * two facets. */
static bool covered_side(const facet *f, const facet *on, vec3 outward, real sign, vec3 *n)
{
	const real sine = v3_dot(on->normal, outward), cosine = (sine > 0 ? -sign : sign) * v3_dot(f->normal, on->normal);
	return valley_side(cosine, v3_madd(v3_mul(cosine, outward), sign * real_abs(sine), f->normal), n);
}

/* Finds the outward normal of the plane at which the region behind a facet ends at edge k; returns false if there is
 * no end. sign: -1 for a view from behind */
static bool side_of(const walls *s, const facet *f, int32_t k, real sign, vec3 centre, vec3 *n)
{
	const int32_t beyond = s->next[f->first + k];
	const vec3 outward = s->outward[f->first + k];
	const real bend = s->bend[f->first + k];
	*n = outward;
	if (edge_is_covered(beyond)) return covered_side(f, s->facet + edge_cover(beyond), outward, sign, n);
	if (beyond < 0) return !s->row[f->wall].internal;
	const facet *g = s->facet + beyond;
	if (g->surface == f->surface) return true;
	const real cosine = v3_dot(f->normal, g->normal);
	/* direction in the face beyond, away from the edge */
	const vec3 along = v3_madd(v3_mul(cosine, outward), bend, f->normal);
	if (sign * bend > 0) return valley_side(cosine, along, n);
	if (sign * facet_height(g, centre) < 0)
		*n = v3_mul(sign, g->normal);
	else if (cosine > 0)
		*n = v3_unit(v3_add(outward, along));
	else
		*n = v3_unit(v3_mul(sign, v3_sub(g->normal, f->normal)));
	return true;
}

/* The candidates for testing: the facets of one surface, and their edges on ridges. */
typedef struct candidates {
	overlap_energy of;
	const near_wall *to;
	int32_t surface, ridges;
	overlap_ridge *ridge;
} candidates;

/* Tests whether the region of a facet with only a corner on a ridge also ends at the ridge, which is the case if the
 * facet is entirely on one side of the ridge. */
static bool ends_at(const walls *s, const facet *f, const overlap_ridge *r)
{
	const facet *g = s->facet + r->facet;
	const vec3 p = s->corner[g->first + r->edge];
	const vec3 q = s->corner[g->first + (r->edge + 1 < g->corners ? r->edge + 1 : 0)];
	bool meets = false;
	if (f == g) return false;
	for (int32_t k = f->first; k < f->first + f->corners; ++k) {
		const vec3 x = s->corner[k];
		const bool on = v3_equal(x, p) || v3_equal(x, q);
		if (!on && v3_dot(s->outward[g->first + r->edge], v3_sub(x, p)) > 0) return false;
		meets |= on;
	}
	return meets;
}

static bool behind_facet(cutting *c, const placed *body, const walls *s, const candidates *o, const facet *f, real sign)
{
	vec3 n;
	start(c, body);
	if (!cut(c, body, v3_mul(sign, f->normal), s->corner[f->first])) return false;
	for (int32_t k = 0; k < f->corners; ++k)
		if (side_of(s, f, k, sign, body->at, &n) && !cut(c, body, n, s->corner[f->first + k])) return false;
	for (int32_t i = 0; i < o->ridges; ++i) {
		const overlap_ridge *r = o->ridge + i;
		const facet *g = s->facet + r->facet;
		if (!ends_at(s, f, r) || !side_of(s, g, r->edge, sign, body->at, &n)) continue;
		if (!cut(c, body, n, s->corner[g->first + r->edge])) return false;
	}
	return true;
}

/* Returns the side from which the facet acts on the body, or 0 if it does not act. side: as in member_of */
static real acts_from(const placed *body, const candidates *o, const facet *f, real side)
{
	if (f->surface != o->surface || outside_box(f, body->at, placed_radius(body))) return 0;
	const real sign = side != 0 ? side : facet_height(f, body->at) < 0 ? -1 : 1;
	return sign < 0 && !o->to->s->row[f->wall].two_sided ? 0 : sign;
}

static void find_ridges(candidates *o, const placed *body, real side, overlap_room *r)
{
	const walls *s = o->to->s;
	o->ridges = 0;
	for (int32_t i = 0; i < o->to->facets; ++i) {
		const facet *f = facet_near(o->to, i);
		const real sign = acts_from(body, o, f, side);
		for (int32_t k = 0; sign != 0 && k < f->corners; ++k) {
			const int32_t next = s->next[f->first + k];
			if (next < 0 || s->facet[next].surface == f->surface || !(sign * s->bend[f->first + k] < 0)) continue;
			r->ridge = scree_wall_room(r->ridge, o->ridges, &r->ridge_capacity, sizeof *r->ridge);
			r->ridge[o->ridges++] = (overlap_ridge){o->to->facet[i], k};
		}
	}
	o->ridge = r->ridge;
}

/* Computes the sums of the overlap with one surface; returns false if there is none. side: the side of each facet that
 * the body is on, 1 or -1; 0 for the side of the body's centre */
static bool member_of(candidates *o, const placed *body, real side, overlap_room *r, overlap_member *m)
{
	const walls *s = o->to->s;
	cutting c;
	bool any = false;
	pressure on;
	pressure_start(&on);
	find_ridges(o, body, side, r);
	for (int32_t i = 0; i < o->to->facets; ++i) {
		const facet *f = facet_near(o->to, i);
		const real sign = acts_from(body, o, f, side);
		if (sign == 0) continue;
		const vec3 n = v3_mul(sign, f->normal);
		if (!reaches(body, n, s->corner[f->first]) || !behind_facet(&c, body, s, o, f, sign)) continue;
		const solid *left = c.part + c.now;
		if (!any) {
			m->surface = o->surface;
			m->behind = sign < 0;
			m->along = view_direction(body, n);
			scree_overlap_begin(&m->sum, o->of, left, deepest_of(left, body, n), m->along);
			m->height = v3_dot(m->along, m->sum.from) + sign * facet_height(f, body->at);
		}
		any = true;
		scree_overlap_add(&m->sum, left);
		if (o->of == ENERGY_OF_VOLUME) scree_overlap_press(left, m->along, &on);
	}
	m->arm = scree_pressure_arm(&on);
	return any;
}

static real energy_of(const overlap_member *m, const placed *body)
{
	overlap_contact c;
	return scree_overlap_contact(&m->sum, volume_of(body), m->along, &c) ? c.weight * c.depth * c.depth : 0;
}

/* A body that overhangs a two-sided surface's border is on the side with the lower energy (as in convex_facets.c). */
static bool find_member(candidates *o, const placed *body, overlap_room *r, overlap_member *m)
{
	if (!member_of(o, body, 0, r, m)) return false;
	const bool two_sided = o->to->s->row[o->to->wall].two_sided;
	const surface_place place = two_sided ? scree_place_at_surface(o->to, o->surface, body->at) : PLACE_OVER;
	if (place != PLACE_PAST_BORDER) return place != PLACE_BEYOND;
	overlap_member back;
	if (!member_of(o, body, 1, r, m) || !member_of(o, body, -1, r, &back)) return false;
	if (energy_of(&back, body) < energy_of(m, body)) *m = back;
	return true;
}

/* Finds the bonds of members; returns false if no members are connected. */
static bool find_bonds(const walls *s, overlap_room *r)
{
	const int32_t n = r->members;
	bool any = false;
	r->bond = scree_wall_least(r->bond, n * n, &r->bond_capacity, sizeof *r->bond);
	for (int32_t i = 0; i < n; ++i)
		for (int32_t k = 0; k < n; ++k) {
			const overlap_member *a = r->member + i, *b = r->member + k;
			surface_bond bond = {.part = i == k ? 1 : 0, .convex = true};
			if (i != k && a->behind == b->behind) bond = scree_surface_bond(s, a->surface, b->surface, a->behind);
			r->bond[i * n + k] = (overlap_bond){bond.part, !bond.convex};
			any |= i != k && bond.part > 0;
		}
	return any;
}

static overlap_room *room_of(touch_list *out)
{
	wall_scratch *w = scree_wall_scratch(out);
	if (!w->joint) w->joint = scree_alloc(1, sizeof *w->joint);
	return w->joint;
}

static void find_contacts(overlap_room *r, const placed *body, bool joined)
{
	if (joined) {
		scree_overlap_join(r, volume_of(body));
		return;
	}
	for (int32_t k = 0; k < r->members; ++k) {
		overlap_member *m = r->member + k;
		m->any = scree_overlap_contact(&m->sum, volume_of(body), m->along, &m->contact);
	}
}

static void at_facets(const placed *body, const near_wall *to, overlap_energy of, touch_list *out)
{
	overlap_room *r = room_of(out);
	candidates o = {.of = of, .to = to, .surface = -1};
	r->members = 0;
	while ((o.surface = next_surface(to, o.surface)) >= 0) {
		r->member = scree_wall_room(r->member, r->members, &r->member_capacity, sizeof *r->member);
		r->members += find_member(&o, body, r, r->member + r->members);
	}
	find_contacts(r, body, r->members > 1 && find_bonds(to->s, r));
	for (int32_t k = 0; k < r->members; ++k) {
		overlap_member *m = r->member + k;
		if (!m->any) continue;
		if (of == ENERGY_OF_VOLUME) m->contact.arm = m->arm;
		scree_overlap_touch(&m->contact, of, &body->turn, m->surface, out);
	}
}

/* ------------------------------------------------------------------ all walls */

static bool is_known(const wall *w)
{
	const wall_type t = w->type; /* polygons are in worlds in the plane only */
	return t == WALL_PLANE || t == WALL_CYLINDER || t == WALL_CONE || t == WALL_FACETS || t == WALL_POLYGON;
}

const char *scree_thickness_refuses(const walls *s, int32_t wall)
{
	const struct wall *w = s->row + wall;
	if (!is_known(w)) return "it supports planes, boxes, cylinders, cones, polygons and meshes";
	for (int32_t f = w->first_facet; w->type == WALL_FACETS && f < w->first_facet + w->facets; ++f)
		if (s->facet[f].corners > OVERLAP_CORNERS) return "it supports polygons of up to 250 corners";
	return NULL;
}

const char *scree_overlap_refuses(const walls *s, int32_t wall)
{
	const struct wall *w = s->row + wall;
	if (!is_known(w) || w->type == WALL_CYLINDER || w->type == WALL_CONE)
		return "it supports planes, boxes, polygons and meshes; a cylinder can be made of facets";
	return scree_thickness_refuses(s, wall);
}

static void at_plane(const placed *body, const wall *w, overlap_energy of, touch_list *out)
{
	vec3 n;
	cutting c;
	if (!wall_plane_faces(body->shape, body, w, &n)) return;
	start(&c, body);
	if (!cut(&c, body, n, w->point)) return;
	overlap sum = scree_overlap_start(of, c.part + c.now, deepest(body, n), view_direction(body, n));
	scree_overlap_add(&sum, c.part + c.now);
	pressure on;
	pressure_start(&on);
	if (of == ENERGY_OF_VOLUME) scree_overlap_press(c.part + c.now, view_direction(body, n), &on);
	set_touch(out, w->first_surface, body, &sum, n, scree_pressure_arm(&on));
}

static void contacts_of(const placed *body, const near_wall *to, overlap_energy of, touch_list *out)
{
	const struct wall *w = to->s->row + to->wall;
	out->count = out->points = 0;
	if (w->removed) return;
	if (w->type == WALL_PLANE) at_plane(body, w, of, out);
	if (of == ENERGY_OF_THICKNESS && (w->type == WALL_CYLINDER || w->type == WALL_CONE))
		scree_thickness_round(body, w, out);
	if (w->type == WALL_FACETS) at_facets(body, to, of, out);
}

void scree_overlap_convex_wall(const placed *body, const near_wall *to, touch_list *out)
{
	contacts_of(body, to, ENERGY_OF_VOLUME, out);
}

void scree_thickness_convex_wall(const placed *body, const near_wall *to, touch_list *out)
{
	contacts_of(body, to, ENERGY_OF_THICKNESS, out);
}
