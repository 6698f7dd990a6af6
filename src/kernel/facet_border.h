/* facet_border.h: ways of a polyhedron out of a surface past the edges that bound the surface, in the frame of the body
 * at size 1.
 *
 * If edges that bound the surface (ridges and open edges, never seams or valleys) pass through the body, there may be a
 * shorter way out past an edge. The direction of this way is the normal of one of the body's faces, or perpendicular to
 * the edge and one of the body's edges (the axes of the separating axis theorem). The edge must be able to push in this
 * direction.
 *
 * Ownership. The contact at a ridge belongs to the surface whose normal is closest to the contact's direction. The
 * other surface fades in the same way, but does not have this contact. */
#ifndef SCREE_KERNEL_FACET_BORDER_H
#define SCREE_KERNEL_FACET_BORDER_H

#include "kernel/facet_patch.h"
#include "kernel/wall_line.h"

SCREE_CONSTANT real FACET_SLACK = 1e-9;
/* an open edge replaces the face if the way out past the edge is shorter by this factor */
SCREE_CONSTANT real BORDER_OPEN_FADE = 0.7;
/* sine below which a ridge's share of the contact is proportional to the sine squared, because a plane has no edges */
SCREE_CONSTANT real BORDER_SHARP = 0.5;

/* A way out of a surface that is shorter than the way along the surface's normal. */
typedef struct border_way {
	real d; /* length; INFINITY: none */
	vec3 m;
	real fade, sharp;
	bool own; /* the contact belongs to this surface */
} border_way;

SCREE_FN border_way border_way_of(real d, vec3 m, real fade, real sharp, bool own)
{
	const border_way o = {d, m, fade, sharp, own};
	return o;
}

/* Completes the row of a ridge whose facet beyond is g. */
SCREE_FN void border_see_ridge(SCREE_GLOBAL wall_border *b, SCREE_GLOBAL const convex_placed *body,
							   SCREE_GLOBAL const facet *g, bool flipped, real bend)
{
	const real h = facet_height(g, body->at);
	b->n2 = view_direction(body, flipped ? v3_neg(g->normal) : g->normal);
	const real level = v3_dot(b->n, b->n2);
	b->fade = sqrt(real_max(1 + level, 0) / 2);
	if (level > 0) b->sharp = real_min(bend * bend / (BORDER_SHARP * BORDER_SHARP), 1);
	if ((flipped ? -h : h) >= 0) b->surface2 = g->surface;
}

SCREE_FN_APART void border_note(const facet_meeting *m, SCREE_GLOBAL const wall_facet *a, int32_t k)
{
	SCREE_GLOBAL facet_patch *w = m->w;
	const wall_table *t = m->t;
	SCREE_GLOBAL const facet *f = t->facet + a->row;
	const int32_t next = t->next[f->first + k];
	const bool ridge = next >= 0;
	const real bend = a->flipped ? -t->bend[f->first + k] : t->bend[f->first + k];
	if (edge_is_covered(next) || (ridge && (t->facet[next].surface == f->surface || !(bend < 0)))) return;
	const wall_edge e = w->edge[a->first + k];
	const vec3 r = v3_sub(w->edge[a->first + (k + 1 < f->corners ? k + 1 : 0)].x, e.x);
	const real length = v3_norm(r);
	if (!(length > 0) || !WALL_ROOM(w, border, w->borders + 1)) return;
	SCREE_GLOBAL wall_border *b = w->border + w->borders++;
	wall_line l = {e.x, v3_mul(1 / length, r), {0, 0, 0}, 0, 0};
	const bool inside = wall_chord(m->s, length, &l);
	b->s0 = inside ? l.s0 : 1, b->s1 = inside ? l.s1 : 0;
	b->x = e.x, b->n = a->n, b->out = e.out;
	b->u = l.u;
	b->length = length;
	b->fade = BORDER_OPEN_FADE;
	b->sharp = 1;
	b->ridge = ridge;
	b->surface2 = -1;
	if (ridge) border_see_ridge(b, m->body, t->facet + next, a->flipped, bend);
}

SCREE_FN bool border_may_push(SCREE_GLOBAL const wall_border *b, vec3 m)
{
	const vec3 n = b->n, n2 = b->n2;
	const real along = v3_dot(m, n);
	if (v3_dot(m, b->out) < -FACET_SLACK) return false;
	if (!b->ridge) return !(along < -0.9);
	if (along < -FACET_SLACK && v3_dot(m, n2) < -FACET_SLACK) return false;
	/* m is between the normals on both sides of the ridge: n, m, and n2 are in this order about the edge */
	const vec3 turn = v3_cross(n, n2);
	return v3_dot(v3_cross(m, n2), turn) >= -FACET_SLACK && v3_dot(v3_cross(n, m), turn) >= -FACET_SLACK;
}

SCREE_FN bool border_owns(SCREE_GLOBAL const wall_border *b, int32_t surface, vec3 m)
{
	if (b->surface2 < 0) return true;
	const real here = v3_dot(m, b->n), there = v3_dot(m, b->n2);
	return here > there || (here == there && surface < b->surface2);
}

SCREE_FN_APART void border_try(SCREE_GLOBAL const convex_solid *s, SCREE_GLOBAL const wall_border *b, int32_t surface,
							   vec3 m, border_way *best)
{
	m = v3_madd(m, -v3_dot(m, b->u), b->u);
	const real n = v3_norm(m);
	if (!(n > 1e-9)) return;
	m = v3_mul(1 / n, m);
	if (!border_may_push(b, m)) return;
	const real d = wall_reach(s, b->x, m);
	if (d < best->d) *best = border_way_of(d, m, b->fade, b->sharp, border_owns(b, surface, m));
}

/* Tests the ways out past an edge in directions perpendicular to this edge and to one of the body's edges. */
SCREE_FN_APART void border_past_edge(SCREE_GLOBAL const convex_solid *s, SCREE_GLOBAL const wall_border *b,
									 int32_t surface, border_way *best)
{
	const vec3 u = b->u;
	SCREE_ROLLED
	for (int32_t k = 0; k < s->edges; ++k) {
		const vec3 r = v3_sub(wall_vertex(s, s->ends[2 * k + 1]), wall_vertex(s, s->ends[2 * k]));
		const vec3 m = v3_cross(u, r);
		if (v3_norm2(m) <= FACET_SLACK * v3_norm2(r)) continue;
		border_try(s, b, surface, m, best);
		border_try(s, b, surface, v3_neg(m), best);
	}
	SCREE_ROLLED
	for (int32_t f = 0; f < s->faces; ++f)
		if (real_abs(v3_dot(wall_face_normal(s, f), u)) < 1e-6)
			border_try(s, b, surface, v3_neg(wall_face_normal(s, f)), best);
	if (!b->ridge) return;
	/* along the normal of the surface beyond the ridge; the contact then belongs to that surface */
	const real d = wall_reach(s, b->x, b->n2);
	if (d < best->d) *best = border_way_of(d, b->n2, b->fade, b->sharp, b->surface2 < 0);
}

/* Tests the way out along the normal of face f if a corner of the surface is deepest behind this face. */
SCREE_FN_APART void border_past_corner(const facet_meeting *at, int32_t f, border_way *best)
{
	SCREE_GLOBAL const facet_patch *w = at->w;
	SCREE_GLOBAL const convex_solid *s = at->s;
	const vec3 m = v3_neg(wall_face_normal(s, f));
	real most = 0, fade = 0, sharp = 0;
	bool inside = false, own = true;
	SCREE_ROLLED
	for (int32_t i = 0; i < w->borders; ++i) {
		SCREE_GLOBAL const wall_border *b = w->border + i;
		if (v3_dot(b->n, m) < (b->ridge ? -FACET_SLACK : -0.9)) return;
		const real d0 = s->off[f] + v3_dot(m, b->x), d1 = d0 + b->length * v3_dot(m, b->u);
		const real d = real_max(d0, d1);
		if (d > most + FACET_SLACK) {
			most = d;
			inside = b->s0 <= b->s1 && (d0 > d1 ? b->s0 <= 0 : b->s1 >= b->length);
			own = true;
			fade = sharp = 0;
		}
		if (d >= most - FACET_SLACK) {
			own = own && border_owns(b, at->a->surface, m);
			fade = real_max(fade, b->fade);
			sharp = real_max(sharp, b->sharp);
		}
	}
	if (inside && most > 0 && most < best->d) *best = border_way_of(most, m, fade, sharp, own);
}

/* Finds the borders of the surface's facets, and the shortest way out past them. */
SCREE_FN_APART void border_shortest_way(const facet_meeting *m, border_way *best)
{
	SCREE_GLOBAL facet_patch *w = m->w;
	*best = border_way_of(INFINITY, v3(0, 0, 0), 1, 1, false);
	w->borders = 0;
	for (int32_t i = m->on.first; i < m->on.last; ++i)
		for (int32_t k = 0; w->facet[i].touched && k < m->t->facet[w->facet[i].row].corners; ++k)
			border_note(m, w->facet + i, k);
	for (int32_t i = 0; i < w->borders; ++i)
		if (w->border[i].s0 <= w->border[i].s1) border_past_edge(m->s, w->border + i, m->a->surface, best);
	for (int32_t f = 0; f < m->s->faces && w->borders; ++f) border_past_corner(m, f, best);
}

/* Adds the nodes of all border edges, and computes their lever arm, for a body pushed past them. */
SCREE_FN_APART void border_nodes(const facet_meeting *m, const border_way *past)
{
	SCREE_GLOBAL wall_patch *w = facet_nodes(m->w);
	wall_press(w, past->m);
	for (int32_t i = 0; i < m->w->borders; ++i) {
		SCREE_GLOBAL const wall_border *b = m->w->border + i;
		wall_line l = {b->x, b->u, past->m, 0, 0};
		if (wall_shadow(m->s, b->length, &l)) wall_line_nodes(w, m->s, &l);
	}
	w->arm = wall_arm(w);
}

#endif
