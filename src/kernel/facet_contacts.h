/* facet_contacts.h: contacts of a convex polyhedron with facets by depth, in the frame of the body at size 1.
 *
 * Touch. A surface is touched if one of its facets, clipped to the body's half spaces, has a point in common with it.
 * Candidates must include all facets in the bounding sphere's box; more candidates do not affect the result.
 *
 * Face. The region of the body behind the surface's plane, bounded by the surface's facets (facet_patch.h), pushes
 * along the surface's normal.
 *
 * Edge. If a way out past an edge (facet_border.h) is shorter by the factor `fade`, the edge replaces the face. Between
 * 1 and `fade`, both are mixed, so that the force is continuous when a body tips over an edge.
 *
 * On a device, the steps are kernels: facets within reach (facet_gather), folds (fold_region), the contact with each
 * surface (facet_meet), and what remains (facet_finish). */
#ifndef SCREE_KERNEL_FACET_CONTACTS_H
#define SCREE_KERNEL_FACET_CONTACTS_H

#include "kernel/facet_border.h"
#include "kernel/fold_region.h"
#include "kernel/wall_sides.h"

/* ------------------------------------------------------------------ the facets within reach */

/* Keeps the part of a ring of points on one side of a plane; returns the number of its points. */
SCREE_FN int32_t facet_cut_ring(SCREE_GLOBAL const vec3 *in, int32_t n, vec3 m, real off, SCREE_GLOBAL vec3 *out)
{
	vec3 a = in[n - 1];
	real ha = off - v3_dot(m, a);
	int32_t made = 0;
	SCREE_ROLLED
	for (int32_t k = 0; k < n; ++k) {
		const vec3 b = in[k];
		const real hb = off - v3_dot(m, b);
		if ((ha < 0 && hb > 0) || (ha > 0 && hb < 0)) out[made++] = v3_madd(a, ha / (ha - hb), v3_sub(b, a));
		if (hb >= 0) out[made++] = b;
		a = b;
		ha = hb;
	}
	return made;
}

/* True if a facet's polygon, in w->edge, has a point in common with the body reduced by `less` on all sides. */
SCREE_FN_APART bool facet_meets_body(SCREE_GLOBAL facet_patch *w, SCREE_GLOBAL const convex_solid *s, int32_t first,
									 int32_t corners, real less)
{
	const int32_t most = corners + s->faces + 1;
	if (!WALL_ROOM(w, ring, 2 * most)) return false;
	SCREE_GLOBAL vec3 *in = w->ring, *out = in + most;
	int32_t n = corners;
	for (int32_t k = 0; k < n; ++k) in[k] = w->edge[first + k].x;
	SCREE_ROLLED
	for (int32_t f = 0; f < s->faces && n; ++f) {
		n = facet_cut_ring(in, n, wall_face_normal(s, f), s->off[f] - less, out);
		SCREE_GLOBAL vec3 *swap = in;
		in = out;
		out = swap;
	}
	return n > 0;
}

SCREE_FN void facet_add(SCREE_GLOBAL facet_patch *w, const wall_facet *f)
{
	int32_t i = w->facets;
	if (!WALL_ROOM(w, facet, w->facets + 1)) return;
	++w->facets;
	for (; i > 0 && w->facet[i - 1].surface > f->surface; --i) w->facet[i] = w->facet[i - 1];
	w->facet[i] = *f;
}

/* Copies corners and outward vectors; returns false if there is no room. */
SCREE_FN bool facet_see_edges(SCREE_GLOBAL facet_patch *w, SCREE_GLOBAL const convex_placed *body, const wall_table *t,
							  SCREE_GLOBAL const facet *f)
{
	if (!WALL_ROOM(w, edge, w->edges + f->corners)) return false;
	SCREE_ROLLED
	for (int32_t k = f->first; k < f->first + f->corners; ++k) {
		SCREE_GLOBAL wall_edge *e = w->edge + w->edges++;
		e->x = view_point(body, t->corner[k]);
		e->out = view_direction(body, t->outward[k]);
	}
	return true;
}

SCREE_FN bool facet_has_border(const wall_table *t, SCREE_GLOBAL const facet *f)
{
	for (int32_t k = 0; k < f->corners; ++k)
		if (is_border(t, f, k)) return true;
	return false;
}

/* Tests whether a facet of this surface is known to be touched. */
SCREE_FN bool facet_surface_touched(SCREE_GLOBAL const facet_patch *w, int32_t surface)
{
	for (int32_t k = 0; k < w->facets; ++k)
		if (w->facet[k].surface == surface && w->facet[k].touched) return true;
	return false;
}

/* The facet as seen from the body. */
SCREE_FN wall_facet facet_seen(SCREE_GLOBAL const convex_placed *body, const near_facets *to, int32_t i, bool flipped)
{
	SCREE_GLOBAL const facet *f = facet_near(to, i);
	const real h = facet_height(f, body->at);
	const wall_facet o = {to->facet[i],
						  f->surface,
						  flipped,
						  0,
						  0,
						  view_direction(body, flipped ? v3_neg(f->normal) : f->normal),
						  (flipped ? h : -h) / body->size};
	return o;
}

/* Tests whether the body reaches the facet's plane. */
SCREE_FN_APART bool facet_is_reached(SCREE_GLOBAL const convex_solid *s, SCREE_GLOBAL const convex_placed *body,
									 const near_facets *to, int32_t i, bool flipped)
{
	const wall_facet o = facet_seen(body, to, i, flipped);
	return wall_reach(s, v3_mul(o.off, o.n), o.n) > 0;
}

/* from_behind: whether to find only facets with the body's centre behind them */
SCREE_FN_APART void facet_look_at(SCREE_GLOBAL facet_patch *w, SCREE_GLOBAL const convex_solid *s,
								  SCREE_GLOBAL const convex_placed *body, const near_facets *to, int32_t i,
								  bool from_behind)
{
	SCREE_GLOBAL const facet *f = facet_near(to, i);
	const bool two_sided = wall_of_facets(to)->two_sided;
	const real bound = body->size * s->radius, h = facet_height(f, body->at);
	if (from_behind ? h >= 0 : h < 0 && !two_sided) return;
	if (real_abs(h) >= bound || outside_box(f, body->at, bound)) return;
	const bool flipped = h < 0 && !from_behind;
	if (!facet_is_reached(s, body, to, i, flipped)) return;
	if (two_sided && place_at_surface(to, f->surface, &body->at) == PLACE_BEYOND) return;
	const int32_t first = w->edges;
	if (!facet_see_edges(w, body, to->s, f)) return;
	/* a facet without borders needs no test if its surface is already touched */
	const bool known = !from_behind && facet_surface_touched(w, f->surface);
	/* a facet touched only at its edge is not inside the body */
	const bool touched = (known && !facet_has_border(to->s, f)) ||
						 facet_meets_body(w, s, first, f->corners, from_behind ? FACET_SLACK : 0);
	wall_facet o = facet_seen(body, to, i, flipped);
	o.touched = touched, o.first = first;
	facet_add(w, &o);
}

/* Copies facets within reach, sorted by surface, then by row. Untouched facets may be below overhanging parts of the
 * body, but only in its bounding sphere. */
SCREE_FN void facet_gather(SCREE_GLOBAL facet_patch *w, SCREE_GLOBAL const convex_solid *s,
						   SCREE_GLOBAL const convex_placed *body, const near_facets *to, bool from_behind)
{
	w->facets = w->edges = 0;
	SCREE_ROLLED
	for (int32_t i = 0; i < to->facets; ++i) facet_look_at(w, s, body, to, i, from_behind);
}

/* ------------------------------------------------------------------ one surface */

/* The ways out of a surface: along the surface's normal, with nodes in w, and past the surface's border. */
typedef struct facet_ways {
	real face;
	border_way past;
} facet_ways;

SCREE_FN_APART void facet_ways_out(facet_meeting *m, facet_ways *o)
{
	o->face = facet_region(m);
	border_shortest_way(m, &o->past);
}

SCREE_FN bool facet_centre_is_over(const facet_meeting *m)
{
	int32_t i = m->on.first;
	while (i < m->on.last && !is_over(m->t, m->t->facet + m->w->facet[i].row, m->body->at)) ++i;
	return i < m->on.last;
}

SCREE_FN_APART void facet_turn_over(const facet_meeting *m)
{
	for (int32_t i = m->on.first; i < m->on.last; ++i) {
		SCREE_GLOBAL wall_facet *a = m->w->facet + i;
		a->flipped = !a->flipped;
		a->n = v3_neg(a->n);
		a->off = -a->off;
	}
}

SCREE_FN real facet_shorter(const facet_ways *o) { return real_min(o->face, o->past.d); }

/* The ways out of a surface. If the body overhangs the border of a two-sided surface, it is on the side with the
 * shorter way out: a body that tips over the border stays on its side while its centre sinks below the surface. */
SCREE_FN_APART void facet_ways_of(facet_meeting *m, facet_ways *o)
{
	real there = INFINITY;
	if (m->t->row[m->t->facet[m->a->row].wall].two_sided && !facet_centre_is_over(m)) {
		facet_turn_over(m);
		facet_ways_out(m, o);
		there = facet_shorter(o);
		facet_turn_over(m);
	}
	/* computed last, so that the nodes of this way, which is usually the shorter, remain in w */
	facet_ways_out(m, o);
	if (!(there < facet_shorter(o))) return;
	facet_turn_over(m);
	facet_ways_out(m, o);
}

/* Returns the border's share of the contact with a surface. */
SCREE_FN real facet_mix_of(const facet_ways *o)
{
	const border_way *past = &o->past;
	if (!(past->d < INFINITY)) return 0;
	if (!(o->face > 0)) return past->sharp;
	if (!(past->d < o->face)) return 0;
	return past->sharp * (past->fade < 1 ? real_clamp((1 - past->d / o->face) / (1 - past->fade), 0, 1) : 1);
}

SCREE_FN_APART void facet_mix_border(const facet_meeting *m, const border_way *past, touch_extent *e)
{
	SCREE_GLOBAL wall_patch *w = facet_nodes(m->w);
	const int32_t faces = w->nodes;
	const real arm = w->arm;
	wall_scale_to(w, 0, faces, 1 - e->mix);
	border_nodes(m, past);
	e->edges = e->mix * wall_strength(w, faces, w->nodes);
	wall_scale_to(w, faces, w->nodes, e->mix);
	w->arm = (1 - e->mix) * arm + e->mix * w->arm;
}

/* Computes the contact with one surface. */
SCREE_FN_APART void facet_meet(facet_meeting *m, SCREE_GLOBAL wall_touches *out)
{
	SCREE_GLOBAL facet_patch *w = m->w;
	SCREE_GLOBAL const wall_patch *nodes = facet_nodes(w);
	facet_ways o;
	facet_ways_of(m, &o);
	const real mix = facet_mix_of(&o), factor = o.past.own ? 1 : 1 - mix;
	touch_extent e = {factor * wall_strength(nodes, 0, nodes->nodes), 0, o.past.own ? mix : 0, m->a->flipped};
	fold_nodes(w, m->a->surface, m->a->flipped);
	if (e.mix > 0) facet_mix_border(m, &o.past, &e);
	const int32_t before = out->count;
	if (!WALL_ROOM(w, extent, before + 1) || !facet_touch(w, out, m->a->surface, m->body, factor)) return;
	const vec3 normal = m->t->facet[m->a->row].normal;
	/* exactly the wall's normal */
	if (e.mix == 0) out->item[before].normal = m->a->flipped ? v3_neg(normal) : normal;
	w->extent[before] = e;
}

SCREE_FN void facet_meet_all(SCREE_GLOBAL facet_patch *w, SCREE_GLOBAL const convex_solid *s,
							 SCREE_GLOBAL const convex_placed *body, const near_facets *to,
							 SCREE_GLOBAL wall_touches *out)
{
	facet_meeting m;
	m.w = w, m.s = s, m.body = body, m.t = to->s;
	m.on.first = m.on.last = 0;
	SCREE_ROLLED
	for (; m.on.first < w->facets; m.on.first = m.on.last) {
		const int32_t surface = w->facet[m.on.first].surface;
		while (m.on.last < w->facets && w->facet[m.on.last].surface == surface) ++m.on.last;
		m.a = w->facet + m.on.first;
		while (m.a < w->facet + m.on.last && !m.a->touched) ++m.a;
		if (m.a < w->facet + m.on.last) facet_meet(&m, out);
	}
}

/* ------------------------------------------------------------------ all surfaces */

SCREE_FN_APART void facet_plane_region(SCREE_GLOBAL wall_patch *w, SCREE_GLOBAL const convex_solid *s,
									   SCREE_GLOBAL const wall_facet *a)
{
	wall_depths(w, s, a->n, a->off);
	w->nodes = 0;
	wall_plane_region(w, s, a->n);
	w->arm = wall_arm(w);
}

/* Pushes a body in a closed mesh out through the nearest plane if its centre is behind all facets that it touches. */
SCREE_FN_APART void facet_push_out(SCREE_GLOBAL facet_patch *w, SCREE_GLOBAL const convex_solid *s,
								   SCREE_GLOBAL const convex_placed *body, const near_facets *to,
								   SCREE_GLOBAL wall_touches *out)
{
	facet_gather(w, s, body, to, true);
	int32_t best = -1;
	for (int32_t i = 0; i < w->facets; ++i)
		if (w->facet[i].touched && (best < 0 || w->facet[i].off < w->facet[best].off)) best = i;
	if (best < 0 || !wall_closed(to->s, wall_of_facets(to))) return;
	SCREE_GLOBAL const wall_facet *a = w->facet + best;
	facet_plane_region(facet_nodes(w), s, a);
	facet_touch(w, out, a->surface, body, 1);
}

SCREE_FN void facet_finish(SCREE_GLOBAL facet_patch *w, SCREE_GLOBAL const convex_solid *s,
						   SCREE_GLOBAL const convex_placed *body, const near_facets *to,
						   SCREE_GLOBAL wall_touches *out)
{
	bool touched = false;
	for (int32_t i = 0; i < w->facets; ++i) touched |= w->facet[i].touched != 0;
	if (!touched && to->facets && !wall_of_facets(to)->two_sided) facet_push_out(w, s, body, to, out);
	if (touched && out->count > 1) fold_parts(w, to->s, out);
}

#endif
