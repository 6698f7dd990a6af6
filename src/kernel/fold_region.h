/* fold_region.h: pressure on surfaces that meet at shallow folds (docs/theory/walls.md, "Folds under laws of depth").
 *
 * Two faces that meet at an angle of 1e-6 should act on a body like a plane. The corners of the region behind a plane
 * are the corners of the union of its facets: there are none where two facets meet. At a shallow fold, the corners on
 * the fold therefore fade. The strength of these corners is transferred to the corners at the ends of each side of the
 * body that crosses the fold. Each of the surfaces then has a contact with the nodes of all these surfaces, weighted by
 * their bonds. In a plane, all contacts have the nodes of the plane's single contact and share its stiffness.
 *
 * The share of contact i is S_i / sum over k of c_ik S_k, where S is the strength of a contact's nodes and c the bond
 * of two surfaces. The bond is 1 in a plane, where the shares add up to 1, and 0 above 30 degrees, where each contact
 * is complete. Faces share stiffness only with faces and border edges only with border edges, because faces are
 * measured by area and edges by length. */
#ifndef SCREE_KERNEL_FOLD_REGION_H
#define SCREE_KERNEL_FOLD_REGION_H

#include "kernel/facet_patch.h"
#include "kernel/surface_bond.h"

SCREE_FN real fold_bond(SCREE_GLOBAL const fold_room *r, int32_t i, int32_t k) { return r->bond[i * r->members + k]; }

/* ------------------------------------------------------------------ the surfaces within reach */

/* Finds the surfaces within reach. Includes untouched surfaces, since parts of the body may overhang them. */
SCREE_FN void fold_find_members(SCREE_GLOBAL fold_room *r, SCREE_GLOBAL const facet_patch *w)
{
	r->members = 0;
	for (int32_t first = 0, last; first < w->facets; first = last) {
		for (last = first; last < w->facets && w->facet[last].surface == w->facet[first].surface;) ++last;
		SCREE_GLOBAL const wall_facet *a = w->facet + first;
		const fold_member m = {a->surface, first, last, a->flipped, a->n, a->off};
		if (WALL_ROOM(r, member, r->members + 1)) r->member[r->members++] = m;
	}
}

/* Finds the bonds of members; returns whether any members share nodes. */
SCREE_FN bool fold_find_bonds(SCREE_GLOBAL fold_room *r, const wall_table *t)
{
	const int32_t n = r->members;
	bool any = false;
	if (!WALL_ROOM(r, bond, n * n)) return false;
	SCREE_ROLLED
	for (int32_t i = 0; i < n; ++i) {
		r->bond[i * n + i] = 1;
		SCREE_ROLLED
		for (int32_t k = 0; k < i; ++k) {
			SCREE_GLOBAL const fold_member *a = r->member + i, *b = r->member + k;
			const bool apart = a->flipped != b->flipped;
			const real bond = apart ? 0 : surface_bond_of(t, a->surface, b->surface, a->flipped).level;
			r->bond[i * n + k] = r->bond[k * n + i] = bond;
			any |= bond > 0;
		}
	}
	return any;
}

SCREE_FN int32_t fold_member_of(SCREE_GLOBAL const fold_room *r, int32_t surface)
{
	for (int32_t i = 0; i < r->members; ++i)
		if (r->member[i].surface == surface) return i;
	return -1;
}

/* ------------------------------------------------------------------ parts of the body's faces above members */

/* Returns the member beyond the facet edge that created a side, or -1. */
SCREE_FN int32_t fold_beyond(SCREE_GLOBAL const fold_room *r, const wall_table *t, SCREE_GLOBAL const facet *g,
							 int32_t side)
{
	if (side > SIDE_FACET) return -1;
	const int32_t next = t->next[g->first + SIDE_FACET - side];
	return next < 0 || t->facet[next].surface == g->surface ? -1 : fold_member_of(r, t->facet[next].surface);
}

/* Adds a part of a side. Parts divided at seams between facets of one surface are joined. */
SCREE_FN_APART void fold_add_span(SCREE_GLOBAL fold_room *r, const fold_span *part)
{
	fold_span a = *part;
	for (int32_t k = 0; k < r->spans; ++k) {
		const fold_span b = r->span[k];
		if (b.face != a.face || b.side != a.side || b.member != a.member) continue;
		if (b.t0 > a.t1 + FACET_SEAM_GAP || a.t0 > b.t1 + FACET_SEAM_GAP) continue;
		if (b.t0 < a.t0) a.t0 = b.t0, a.before = b.before;
		if (b.t1 > a.t1) a.t1 = b.t1, a.after = b.after;
		r->span[k] = r->span[--r->spans];
		k = -1;
	}
	if (WALL_ROOM(r, span, r->spans + 1)) r->span[r->spans++] = a;
}

SCREE_FN void fold_note_side(const facet_meeting *m, int32_t i)
{
	SCREE_GLOBAL fold_room *r = facet_fold(m->w);
	const wall_corner a = m->part[i], b = m->part[i + 1 < m->part_corners ? i + 1 : 0];
	const int32_t last = m->part[i ? i - 1 : m->part_corners - 1].side;
	const facet_side line = facet_side_at(m->s, m->face, a.side);
	const real length2 = v3_norm2(line.along);
	if (!(length2 > 0)) return;
	const real t0 = v3_dot(v3_sub(a.p, line.from), line.along) / length2;
	const real t1 = v3_dot(v3_sub(b.p, line.from), line.along) / length2;
	const int32_t before = fold_beyond(r, m->t, m->g, last), after = fold_beyond(r, m->t, m->g, b.side);
	const fold_span o = {m->face, a.side, m->member, before, after, t0, t1};
	fold_add_span(r, &o);
}

SCREE_FN void fold_note_piece(const facet_meeting *m, int32_t i)
{
	SCREE_GLOBAL fold_room *r = facet_fold(m->w);
	const wall_corner a = m->part[i], b = m->part[i + 1 < m->part_corners ? i + 1 : 0];
	if (facet_seam(m->t, m->g, SIDE_FACET - a.side)) return;
	const fold_piece o = {m->face, m->member, fold_beyond(r, m->t, m->g, a.side), a.p, b.p};
	if (WALL_ROOM(r, piece, r->pieces + 1)) r->piece[r->pieces++] = o;
}

SCREE_FN_APART void fold_note_sides(const facet_meeting *m)
{
	SCREE_ROLLED
	for (int32_t i = 0; i < m->part_corners; ++i) {
		if (m->part[i].side >= 0)
			fold_note_side(m, i);
		else if (m->part[i].side <= SIDE_FACET)
			fold_note_piece(m, i);
	}
}

SCREE_FN_APART void fold_note_polygon(facet_meeting *m)
{
	SCREE_GLOBAL fold_room *r = facet_fold(m->w);
	const int32_t n = m->part_corners;
	const real part = wall_presses(&m->facing, m->s, m->face);
	wall_centroid_add(&m->sum, m->part, n, m->facing.n);
	if (!(part > 0) || !WALL_ROOM(r, polygon, r->polygons + 1) || !WALL_ROOM(r, corner, r->corners + n)) return;
	SCREE_ROLLED
	for (int32_t i = 0; i < n; ++i) {
		const fold_corner o = {m->part[i].p, m->part[i].d};
		r->corner[r->corners++] = o;
	}
	const fold_polygon o = {m->member, r->corners, part};
	r->polygon[r->polygons++] = o;
}

SCREE_FN_APART void fold_cut_face(facet_meeting *m)
{
	SCREE_ROLLED
	for (int32_t k = m->on.first; k < m->on.last; ++k) {
		if (!facet_cut_face(m, m->w->facet + k)) continue;
		fold_note_polygon(m);
		fold_note_sides(m);
	}
}

SCREE_FN_APART void fold_cut_body(facet_meeting *m, int32_t i)
{
	SCREE_GLOBAL fold_room *r = facet_fold(m->w);
	const facet_range on = {r->member[i].first, r->member[i].last};
	const wall_centroid none = {{0, 0, 0}, {0, 0, 0}, 0};
	facet_start(m, r->member[i].n, r->member[i].off);
	m->on = on, m->member = i;
	SCREE_ROLLED
	for (int32_t f = 0; f < m->s->faces; ++f) {
		const bool cut = facet_start_face(m, f);
		if (cut) fold_cut_face(m);
		facet_fold(m->w)->middle[i * m->s->faces + f] = cut ? m->sum : none;
	}
}

/* ------------------------------------------------------------------ flatness of folds under the body */

SCREE_FN real fold_depth(SCREE_GLOBAL const fold_member *m, vec3 p) { return m->off - v3_dot(m->n, p); }

/* Returns the centroid of the body's whole region above member i. */
SCREE_FN_APART vec3 fold_middle_of_all(SCREE_GLOBAL const fold_room *r, int32_t faces, int32_t i)
{
	real area = 0;
	vec3 sum = v3(0, 0, 0);
	SCREE_ROLLED
	for (int32_t f = 0; f < faces; ++f) {
		SCREE_GLOBAL const wall_centroid *c = r->middle + i * faces + f;
		area += c->area;
		sum = v3_add(sum, v3_madd(c->moment, c->area, c->from));
	}
	return area > 0 ? v3_mul(1 / area, sum) : sum;
}

/* The flatness of a fold is 1 if the overlap is large compared with the fold's departure e = 2 a b/(a + b) from the
 * line between the ends, with the heights a and b of each centroid above the other plane. */
SCREE_FN real fold_flatness(SCREE_GLOBAL const fold_member *m, SCREE_GLOBAL const fold_member *o, vec3 c, vec3 d)
{
	const real dm = fold_depth(m, c), dd = fold_depth(o, d);
	const real a = real_abs(fold_depth(o, c) - dm), b = real_abs(fold_depth(m, d) - dd);
	const real e = a + b > 0 ? 2 * a * b / (a + b) : 0;
	return dm + dd > 0 ? real_max(1 - 4 * e / (dm + dd), 0) : 0;
}

SCREE_FN void fold_weaken_bonds(SCREE_GLOBAL fold_room *r, int32_t faces)
{
	const int32_t n = r->members;
	SCREE_ROLLED
	for (int32_t i = 0; i < n; ++i) {
		SCREE_ROLLED
		for (int32_t k = 0; k < i; ++k) {
			if (!(fold_bond(r, i, k) > 0)) continue;
			const vec3 c = fold_middle_of_all(r, faces, i), d = fold_middle_of_all(r, faces, k);
			r->bond[i * n + k] *= fold_flatness(r->member + i, r->member + k, c, d);
			r->bond[k * n + i] = r->bond[i * n + k];
		}
	}
}

/* ------------------------------------------------------------------ nodes */

SCREE_FN_APART void fold_add_node(SCREE_GLOBAL fold_room *r, int32_t member, vec3 p, real area)
{
	const real d = fold_depth(r->member + member, p);
	const fold_node o = {member, p, d, area * d};
	if (!(area > 0 && d > 0)) return;
	if (WALL_ROOM(r, node, r->nodes + 1)) r->node[r->nodes++] = o;
}

/* Returns the centroid of the area of a body's face above member i and the members bonded to i. */
SCREE_FN_APART vec3 fold_middle_of(SCREE_GLOBAL const fold_room *r, int32_t faces, int32_t i, int32_t face)
{
	SCREE_GLOBAL const wall_centroid *own = r->middle + i * faces + face;
	const vec3 from = own->from;
	real area = 0;
	vec3 moment = v3(0, 0, 0);
	SCREE_ROLLED
	for (int32_t k = 0; k < r->members; ++k) {
		SCREE_GLOBAL const wall_centroid *c = r->middle + k * faces + face;
		const real part = fold_bond(r, i, k);
		if (!(part > 0 && c->area > 0)) continue;
		area += part * c->area;
		moment = v3_madd(moment, part, v3_madd(c->moment, c->area, v3_sub(c->from, from)));
	}
	return area > 0 ? v3_madd(from, 1 / area, moment) : from;
}

/* Returns the span beyond the end of span i on the same side, or -1. */
SCREE_FN int32_t fold_next_span(SCREE_GLOBAL const fold_room *r, int32_t i, bool forth)
{
	SCREE_GLOBAL const fold_span *e = r->span + i;
	const int32_t to = forth ? e->after : e->before;
	int32_t best = -1;
	real least = INFINITY;
	for (int32_t k = 0; to >= 0 && k < r->spans; ++k) {
		SCREE_GLOBAL const fold_span *g = r->span + k;
		if (g->face != e->face || g->side != e->side || g->member != to) continue;
		if ((forth ? g->before : g->after) != e->member) continue;
		const real gap = real_abs(forth ? g->t0 - e->t1 : e->t0 - g->t1);
		if (gap < least) least = gap, best = k;
	}
	return best;
}

/* Adds nodes at the end of a span with the strength that remains at the fold, and passes the rest to the next span. */
SCREE_FN_APART void fold_add_end(SCREE_GLOBAL fold_room *r, SCREE_GLOBAL const convex_solid *s, int32_t i, bool forth,
								 real area)
{
	const facet_side line = facet_side_at(s, r->span[i].face, r->span[i].side);
	for (int32_t folds = 0; i >= 0 && folds <= r->members; ++folds) {
		SCREE_GLOBAL const fold_span *e = r->span + i;
		const int32_t next = fold_next_span(r, i, forth);
		const real bond = next < 0 ? 0 : fold_bond(r, e->member, r->span[next].member), t = forth ? e->t1 : e->t0;
		const vec3 p = v3_madd(line.from, t <= FACET_GAP ? 0 : t >= 1 - FACET_GAP ? 1 : t, line.along);
		fold_add_node(r, e->member, p, (1 - bond) * area);
		area *= bond;
		i = bond > 0 ? next : -1;
	}
}

SCREE_FN_APART void fold_nodes_of_span(SCREE_GLOBAL fold_room *r, SCREE_GLOBAL const convex_solid *s, int32_t k)
{
	const fold_span e = r->span[k];
	const facet_side line = facet_side_at(s, e.face, e.side);
	const real area = wall_share(r->member[e.member].n, fold_middle_of(r, s->faces, e.member, e.face),
								 v3_madd(line.from, e.t0, line.along), v3_madd(line.from, e.t1, line.along));
	fold_add_end(r, s, k, false, area);
	fold_add_end(r, s, k, true, area);
}

SCREE_FN_APART void fold_nodes_of_piece(SCREE_GLOBAL fold_room *r, int32_t faces, int32_t k)
{
	const fold_piece e = r->piece[k];
	const real left = 1 - (e.beyond < 0 ? 0 : fold_bond(r, e.member, e.beyond));
	const vec3 middle = fold_middle_of(r, faces, e.member, e.face);
	const real area = left * wall_share(r->member[e.member].n, middle, e.p, e.q);
	fold_add_node(r, e.member, e.p, area);
	fold_add_node(r, e.member, e.q, area);
}

/* After facets are gathered, finds the nodes of a body above all surfaces that it touches. */
SCREE_FN void fold_region(SCREE_GLOBAL facet_patch *w, SCREE_GLOBAL const convex_solid *s, const wall_table *t)
{
	SCREE_GLOBAL fold_room *r = facet_fold(w);
	facet_meeting m;
	m.w = w, m.s = s, m.t = t;
	fold_find_members(r, w);
	if (r->members < 2 || !fold_find_bonds(r, t) || !WALL_ROOM(r, middle, r->members * s->faces)) {
		r->members = 0;
		return;
	}
	r->spans = r->pieces = r->polygons = r->corners = r->nodes = 0;
	SCREE_ROLLED
	for (int32_t i = 0; i < r->members; ++i) fold_cut_body(&m, i);
	fold_weaken_bonds(r, s->faces);
	SCREE_ROLLED
	for (int32_t k = 0; k < r->spans; ++k) fold_nodes_of_span(r, s, k);
	SCREE_ROLLED
	for (int32_t k = 0; k < r->pieces; ++k) fold_nodes_of_piece(r, s->faces, k);
}

/* ------------------------------------------------------------------ nodes of one surface */

SCREE_FN bool fold_is_bound(SCREE_GLOBAL const fold_room *r, int32_t i)
{
	for (int32_t k = 0; k < r->members; ++k)
		if (k != i && fold_bond(r, i, k) > 0) return true;
	return false;
}

SCREE_FN_APART real fold_arm(SCREE_GLOBAL const fold_room *r, SCREE_GLOBAL wall_patch *w, int32_t i)
{
	wall_press(w, r->member[i].n);
	SCREE_ROLLED
	for (int32_t k = 0, c = 0; k < r->polygons; ++k) {
		SCREE_GLOBAL const fold_polygon *o = r->polygon + k;
		const real part = o->part * fold_bond(r, i, o->member);
		const int32_t first = c;
		SCREE_ROLLED
		for (; c < o->end; ++c)
			if (part > 0) wall_press_at(w, r->corner[c].p, part * r->corner[c].d);
		if (part > 0 && c > first) wall_press_close(w);
	}
	return wall_arm(w);
}

/* Replaces the nodes and the arm of a surface by those of all surfaces bound to it, if it shares any. */
SCREE_FN_APART void fold_nodes(SCREE_GLOBAL facet_patch *w, int32_t surface, bool flipped)
{
	SCREE_GLOBAL const fold_room *r = facet_fold(w);
	SCREE_GLOBAL wall_patch *p = facet_nodes(w);
	const int32_t i = fold_member_of(r, surface);
	if (i < 0 || (r->member[i].flipped != 0) != flipped || !fold_is_bound(r, i)) return;
	p->nodes = 0;
	SCREE_ROLLED
	for (int32_t k = 0; k < r->nodes; ++k) {
		SCREE_GLOBAL const fold_node *a = r->node + k;
		const real bond = fold_bond(r, i, a->member);
		if (bond > 0) wall_add_node(p, a->p, r->member[i].n, a->d, bond * a->s);
	}
	p->arm = fold_arm(r, p, i);
}

/* ------------------------------------------------------------------ shares of contacts */

SCREE_FN real fold_touch_bond(SCREE_GLOBAL const facet_patch *w, const wall_table *t,
							  SCREE_GLOBAL const wall_touches *l, int32_t i, int32_t k)
{
	const bool behind = w->extent[i].behind;
	if (i == k) return 1;
	if (behind != (w->extent[k].behind != 0)) return 0;
	return surface_bond_of(t, l->item[i].surface, l->item[k].surface, behind).level;
}

SCREE_FN real fold_part_in(real own, real all) { return all > 0 ? own / all : 1; }

/* Divides stiffness among contacts with connected surfaces. */
SCREE_FN_APART void fold_parts(SCREE_GLOBAL const facet_patch *w, const wall_table *t, SCREE_GLOBAL wall_touches *out)
{
	SCREE_GLOBAL const touch_extent *e = w->extent;
	for (int32_t i = 0; i < out->count; ++i) {
		real faces = 0, edges = 0;
		for (int32_t k = 0; k < out->count; ++k) {
			const real bond = fold_touch_bond(w, t, out, i, k);
			faces += bond * e[k].faces;
			edges += bond * e[k].edges;
		}
		const real part = fold_part_in(e[i].faces, faces);
		out->item[i].part = part + e[i].mix * (fold_part_in(e[i].edges, edges) - part);
	}
}

#endif
