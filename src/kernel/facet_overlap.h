/* facet_overlap.h: the overlap of a convex polyhedron with the facets of a wall (docs/theory/walls.md, "Folds").
 *
 * The region behind a facet ends at the facet's open borders. At a ridge the region ends halfway to the face beyond or,
 * if the centre is behind that face, at the face's plane, so that the face has no effect. In a valley the region ends
 * where the neighbour rises: nowhere at 90 degrees, and at the edge in a flat valley. Facets of one surface are
 * separated by a common plane, so their sum has no seam.
 *
 * Connected surfaces share stiffness (overlap_join.h): each has its own contact, but all have a common energy. On a
 * device the contacts are found in four steps, each of which fits into its registers: the regions of all surfaces, the
 * sums over each, their effects, and the joined effects. */
#ifndef SCREE_KERNEL_FACET_OVERLAP_H
#define SCREE_KERNEL_FACET_OVERLAP_H

#include "kernel/overlap_join.h"
#include "kernel/surface_bond.h"
#include "kernel/wall_overlap.h"
#include "kernel/wall_parts.h"
#include "kernel/wall_sides.h"

/* An edge of a facet of the surface, on a ridge. */
typedef struct overlap_ridge {
	int32_t facet, edge;
} overlap_ridge;

#ifndef SCREE_WALL_PARTS
enum { OVERLAP_MEMBERS = 16, OVERLAP_RIDGES = 96 };

/* The parts of a body behind a wall's surfaces. */
typedef struct facet_regions {
	wall_parts of;
	int32_t members, ridges, full;
	overlap_member member[OVERLAP_MEMBERS];
	overlap_ridge ridge[OVERLAP_RIDGES]; /* ridges of one surface */
} facet_regions;

SCREE_FN int32_t parts_vertices(SCREE_ROOM const parts_cutting *c) { return c->part[c->now].vertices; }
SCREE_FN vec3 parts_vertex(SCREE_ROOM const parts_cutting *c, int32_t v)
{
	SCREE_ROOM const cut_solid *s = c->part + c->now;
	return v3(s->x[v], s->y[v], s->z[v]);
}

/* Starts the sum of a member, after its axes are set. */
SCREE_FN void parts_begin(SCREE_ROOM parts_cutting *c, SCREE_GLOBAL overlap_member *m) { m->part = c->to->parts; }
#endif

/* A body at one surface. side: the side of each facet that the body is on, 1 or -1; 0 for the side of its centre */
typedef struct facet_behind {
	const near_facets *to;
	SCREE_GLOBAL const convex_solid *s;
	SCREE_GLOBAL const convex_placed *body;
	int32_t surface;
	real side;
} facet_behind;

/* ------------------------------------------------------------------ the end of the region at an edge */

/* Finds the end of the region behind a facet at a face that rises from the facet; at 90 degrees or more there is no
 * end. along: direction in that face, away from the edge */
SCREE_FN bool facet_valley_side(real cosine, vec3 along, vec3 *n)
{
	*n = along;
	return cosine > BOND_SQUARE;
}

/* Finds the end at an edge on the face of another facet; on either side of that facet, the edge is a valley between the
 * two facets. */
SCREE_FN bool facet_covered_side(SCREE_GLOBAL const facet *f, SCREE_GLOBAL const facet *on, vec3 outward, real sign,
								 vec3 *n)
{
	const real sine = v3_dot(on->normal, outward), cosine = (sine > 0 ? -sign : sign) * v3_dot(f->normal, on->normal);
	return facet_valley_side(cosine, v3_madd(v3_mul(cosine, outward), sign * real_abs(sine), f->normal), n);
}

/* Finds the outward normal of the plane at which the region behind a facet ends at edge k; returns false if there is
 * no end. sign: -1 for a view from behind */
SCREE_FN_APART bool facet_side_of(const wall_table *t, SCREE_GLOBAL const facet *f, int32_t k, real sign, vec3 centre,
								  vec3 *n)
{
	const int32_t beyond = t->next[f->first + k];
	const vec3 outward = t->outward[f->first + k];
	const real bend = t->bend[f->first + k];
	*n = outward;
	if (edge_is_covered(beyond)) return facet_covered_side(f, t->facet + edge_cover(beyond), outward, sign, n);
	if (beyond < 0) return !t->row[f->wall].internal;
	SCREE_GLOBAL const facet *g = t->facet + beyond;
	if (g->surface == f->surface) return true;
	const real cosine = v3_dot(f->normal, g->normal);
	/* direction in the face beyond, away from the edge */
	const vec3 along = v3_madd(v3_mul(cosine, outward), bend, f->normal);
	if (sign * bend > 0) return facet_valley_side(cosine, along, n);
	if (sign * facet_height(g, centre) < 0)
		*n = v3_mul(sign, g->normal);
	else if (cosine > 0)
		*n = v3_unit(v3_add(outward, along));
	else
		*n = v3_unit(v3_mul(sign, v3_sub(g->normal, f->normal)));
	return true;
}

/* Tests whether the region of a facet with only a corner on a ridge also ends at the ridge, which is the case if the
 * facet is entirely on one side of the ridge. */
SCREE_FN_APART bool facet_ends_at(const wall_table *t, SCREE_GLOBAL const facet *f, SCREE_GLOBAL const overlap_ridge *r)
{
	SCREE_GLOBAL const facet *g = t->facet + r->facet;
	const vec3 p = t->corner[g->first + r->edge], q = edge_end(t, g, r->edge);
	bool meets = false;
	if (f == g) return false;
	for (int32_t k = f->first; k < f->first + f->corners; ++k) {
		const vec3 x = t->corner[k];
		const bool on = v3_equal(x, p) || v3_equal(x, q);
		if (!on && v3_dot(t->outward[g->first + r->edge], v3_sub(x, p)) > 0) return false;
		meets |= on;
	}
	return meets;
}

/* ------------------------------------------------------------------ the region behind a surface */

/* Cuts with the wall's plane through p. */
SCREE_FN bool facet_cut(SCREE_ROOM parts_cutting *c, SCREE_GLOBAL const convex_placed *body, vec3 n, vec3 p)
{
	return parts_cut(c, view_direction(body, n), v3_dot(n, v3_sub(p, body->at)));
}

SCREE_FN_APART bool facet_part_behind(SCREE_ROOM parts_cutting *c, SCREE_GLOBAL const facet_regions *r,
									  const facet_behind *o, SCREE_GLOBAL const facet *f, real sign)
{
	const wall_table *t = o->to->s;
	vec3 n;
	parts_start(c, o->s, o->body->size, OVERLAP_SLACK * (o->body->size * o->s->radius));
	if (!facet_cut(c, o->body, v3_mul(sign, f->normal), t->corner[f->first])) return false;
	SCREE_ROLLED
	for (int32_t k = 0; k < f->corners; ++k)
		if (facet_side_of(t, f, k, sign, o->body->at, &n) && !facet_cut(c, o->body, n, t->corner[f->first + k]))
			return false;
	SCREE_ROLLED
	for (int32_t i = 0; i < r->ridges; ++i) {
		SCREE_GLOBAL const overlap_ridge *ridge = r->ridge + i;
		SCREE_GLOBAL const facet *g = t->facet + ridge->facet;
		if (!facet_ends_at(t, f, ridge) || !facet_side_of(t, g, ridge->edge, sign, o->body->at, &n)) continue;
		if (!facet_cut(c, o->body, n, t->corner[g->first + ridge->edge])) return false;
	}
	return true;
}

/* Returns the side from which the facet acts on the body, or 0 if it does not act. */
SCREE_FN real facet_acts_from(const facet_behind *o, SCREE_GLOBAL const facet *f)
{
	if (f->surface != o->surface || outside_box(f, o->body->at, o->body->size * o->s->radius)) return 0;
	const real sign = o->side != 0 ? o->side : facet_height(f, o->body->at) < 0 ? -1 : 1;
	return sign < 0 && !o->to->s->row[f->wall].two_sided ? 0 : sign;
}

SCREE_FN_APART void facet_find_ridges(SCREE_GLOBAL facet_regions *r, const facet_behind *o)
{
	const wall_table *t = o->to->s;
	r->ridges = 0;
	SCREE_ROLLED
	for (int32_t i = 0; i < o->to->facets; ++i) {
		SCREE_GLOBAL const facet *f = facet_near(o->to, i);
		const real sign = facet_acts_from(o, f);
		SCREE_ROLLED
		for (int32_t k = 0; sign != 0 && k < f->corners; ++k) {
			const int32_t next = t->next[f->first + k];
			const overlap_ridge ridge = {o->to->facet[i], k};
			if (next < 0 || t->facet[next].surface == f->surface || !(sign * t->bend[f->first + k] < 0)) continue;
			if (WALL_ROOM(r, ridge, r->ridges + 1)) r->ridge[r->ridges++] = ridge;
		}
	}
}

/* Returns the deepest point of the cut body along -n, in the frame of the body. The body's deepest vertex may be beyond
 * the border of a facet; relative to this vertex, sums over a thin region would be differences of large numbers. */
SCREE_FN_APART vec3 facet_deepest(SCREE_ROOM const parts_cutting *c, const facet_behind *o, vec3 n)
{
	const vec3 of_body = wall_deepest(o->s, o->body, n), m = view_direction(o->body, n);
	vec3 best = of_body;
	real least = INFINITY;
	SCREE_ROLLED
	for (int32_t v = 0; v < parts_vertices(c); ++v) {
		const vec3 x = parts_vertex(c, v);
		if (v3_equal(x, of_body)) return of_body;
		const real h = v3_dot(m, x);
		best = h < least ? x : best;
		least = real_min(least, h);
	}
	return best;
}

/* Finds the region behind one surface; returns false if there is none. sum: number of its sum */
SCREE_FN_APART bool facet_member_of(SCREE_ROOM parts_cutting *c, SCREE_GLOBAL facet_regions *r, const facet_behind *o,
									int32_t sum, SCREE_GLOBAL overlap_member *m)
{
	bool any = false;
	facet_find_ridges(r, o);
	SCREE_ROLLED
	for (int32_t i = 0; i < o->to->facets; ++i) {
		SCREE_GLOBAL const facet *f = facet_near(o->to, i);
		const real sign = facet_acts_from(o, f);
		if (sign == 0) continue;
		const vec3 n = v3_mul(sign, f->normal);
		if (!wall_reaches(o->s, o->body, n, o->to->s->corner[f->first]) || !facet_part_behind(c, r, o, f, sign))
			continue;
		if (!any) {
			m->surface = o->surface;
			m->behind = sign < 0;
			m->along = view_direction(o->body, n);
			m->from = facet_deepest(c, o, n);
			m->height = v3_dot(m->along, m->from) + sign * facet_height(f, o->body->at);
			parts_begin(c, m);
		}
		any = true;
		parts_add(c, sum, m->along);
	}
	return any;
}

SCREE_FN surface_place facet_place(const facet_behind *o)
{
	return wall_of_facets(o->to)->two_sided ? place_at_surface(o->to, o->surface, &o->body->at) : PLACE_OVER;
}

/* Finds the bond of two members, which is 1 for a member with itself; returns whether different members are bound. */
SCREE_FN bool facet_find_bond(const wall_table *t, SCREE_GLOBAL const overlap_member *a,
							  SCREE_GLOBAL const overlap_member *b, SCREE_GLOBAL overlap_bond *out)
{
	out->part = a == b ? 1 : 0;
	out->apart = 0;
	if (a == b || a->behind != b->behind) return false;
	const surface_bond bond = surface_bond_of(t, a->surface, b->surface, a->behind);
	out->part = bond.part;
	out->apart = !bond.convex;
	return bond.part > 0;
}

/* ------------------------------------------------------------------ on a device */

#ifndef SCREE_WALL_PARTS
/* Contacts, and memory for finding them. */
typedef struct facet_joint {
	int32_t members;
	overlap_member member[OVERLAP_MEMBERS];
	overlap_bond bond[OVERLAP_MEMBERS * OVERLAP_MEMBERS];
	overlap_view view[OVERLAP_MEMBERS];
	overlap_effect effect[OVERLAP_MEMBERS];
	real shared[OVERLAP_MEMBERS];
} facet_joint;

typedef struct facet_overlaps {
	int32_t members;
	int32_t any[OVERLAP_MEMBERS], surface[OVERLAP_MEMBERS]; /* any: whether the member has an overlap */
	overlap_contact contact[OVERLAP_MEMBERS];
} facet_overlaps;

/* Adds the region behind a surface. */
SCREE_FN_APART bool facet_take(SCREE_ROOM parts_cutting *c, SCREE_GLOBAL facet_regions *r, facet_behind *o, real side)
{
	o->side = side;
	if (!WALL_ROOM(r, member, r->members + 1)) return false;
	r->member[r->members].either = 0;
	if (!facet_member_of(c, r, o, r->members, r->member + r->members)) return false;
	++r->members;
	return true;
}

/* Drops the members from this number on. */
SCREE_FN void facet_drop(SCREE_GLOBAL facet_regions *r, int32_t members)
{
	if (r->members == members) return;
	r->of.parts = r->member[members].part;
	r->of.sum[r->of.parts] = -1;
	r->members = members;
}

/* A body that overhangs a two-sided surface's border is on the side with the lower energy, so both regions are found.
 */
SCREE_FN void facet_find_region(SCREE_ROOM parts_cutting *c, SCREE_GLOBAL facet_regions *r, facet_behind *o)
{
	const int32_t before = r->members, planes = c->planes;
	if (!facet_take(c, r, o, 0)) return;
	const surface_place place = facet_place(o);
	if (place != PLACE_PAST_BORDER && place != PLACE_BEYOND) return;
	facet_drop(r, before);
	c->planes = planes;
	if (place == PLACE_BEYOND) return;
	if (facet_take(c, r, o, 1) && facet_take(c, r, o, -1))
		r->member[before + 1].either = 1;
	else
		facet_drop(r, before);
}

SCREE_FN overlap_outcome facet_regions_of(SCREE_GLOBAL const convex_pose *body, SCREE_GLOBAL const convex_rows *s,
										  const near_facets *to, SCREE_ROOM parts_cutting *c,
										  SCREE_GLOBAL facet_regions *out)
{
	facet_behind o = {to, s, body, -1, 0};
	parts_clear(c, &out->of);
	out->members = out->full = 0;
	SCREE_ROLLED
	while ((o.surface = facet_next_surface(to, o.surface)) >= 0) facet_find_region(c, out, &o);
	if (out->full || out->of.full) return OVERLAP_TOO_LARGE;
	return out->members ? OVERLAP_FOUND : OVERLAP_NONE;
}

/* Computes the sums of one member. */
SCREE_FN void facet_sum_of(SCREE_GLOBAL const convex_rows *s, SCREE_GLOBAL const facet_regions *r, int32_t member,
						   SCREE_GLOBAL overlap_sums *out)
{
	SCREE_GLOBAL const overlap_member *m = r->member + member;
	if (member < r->members) parts_sum(s, &r->of, m->part, m->from, m->along, out);
}

/* Computes the contact of one member alone. */
SCREE_FN void facet_effect_of(SCREE_GLOBAL const facet_regions *r, int32_t member, SCREE_GLOBAL const overlap_sums *sum,
							  SCREE_GLOBAL facet_overlaps *out)
{
	if (member >= r->members) return;
	overlap_effect e = overlap_no_effect();
	out->any[member] = region_effect(&sum->region, &e);
	overlap_screw(&e, r->member[member].along, out->contact + member);
}

SCREE_FN real facet_energy(SCREE_GLOBAL const facet_overlaps *o, int32_t k)
{
	return o->any[k] ? o->contact[k].weight * o->contact[k].depth * o->contact[k].depth : 0;
}

/* Keeps one of two members for the two sides of a surface. */
SCREE_FN void facet_choose(SCREE_GLOBAL const facet_regions *r, SCREE_GLOBAL const overlap_sums *sum,
						   SCREE_GLOBAL facet_joint *j, SCREE_GLOBAL facet_overlaps *out)
{
	j->members = 0;
	SCREE_ROLLED
	for (int32_t k = 0; k < r->members; ++k) {
		const bool either = r->member[k].either;
		if (either && !(facet_energy(out, k) < facet_energy(out, j->members - 1))) continue;
		const int32_t n = either ? j->members - 1 : j->members++;
		j->member[n] = r->member[k];
		j->view[n].own = sum[k].region;
		j->view[n].height = r->member[k].height;
		out->any[n] = out->any[k];
		out->contact[n] = out->contact[k];
		out->surface[n] = r->member[k].surface;
	}
	out->members = j->members;
}

SCREE_FN bool facet_find_bonds(const wall_table *t, SCREE_GLOBAL facet_joint *j)
{
	const int32_t n = j->members;
	bool any = false;
	SCREE_ROLLED
	for (int32_t i = 0; i < n; ++i) {
		SCREE_ROLLED
		for (int32_t k = 0; k < n; ++k) any |= facet_find_bond(t, j->member + i, j->member + k, j->bond + i * n + k);
	}
	return any;
}

/* Replaces the contacts of members alone by those of joined members. sum: the sums of all members */
SCREE_FN void facet_join(SCREE_GLOBAL const facet_regions *r, SCREE_GLOBAL const overlap_sums *sum, const wall_table *t,
						 SCREE_GLOBAL facet_joint *j, SCREE_GLOBAL facet_overlaps *out)
{
	facet_choose(r, sum, j, out);
	if (j->members < 2 || !facet_find_bonds(t, j)) return;
	SCREE_ROLLED
	for (int32_t k = 0; k < j->members; ++k) j->effect[k] = overlap_no_effect();
	join_effects(j->view, j->bond, j->members, j->effect);
	join_share_energy(j->effect, j->bond, j->members, j->shared);
	SCREE_ROLLED
	for (int32_t k = 0; k < j->members; ++k) {
		const overlap_effect e = j->effect[k];
		out->any[k] = e.energy > 0;
		if (e.energy > 0) overlap_screw(&e, j->member[k].along, out->contact + k);
	}
}
#endif

#endif
