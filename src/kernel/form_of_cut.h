/* form_of_cut.h: the form (form.h) of a region of two polyhedra after cuts. */
#ifndef SCREE_KERNEL_FORM_OF_CUT_H
#define SCREE_KERNEL_FORM_OF_CUT_H

#include "kernel/form.h"
#include "kernel/separating_axis.h"

/* Smallest values at faces of b: sine of the angle between two faces, and triple product of the normals of three faces
 * at a vertex. */
SCREE_CONSTANT real FORM_BLUNT_EDGE = 0.02, FORM_BLUNT_CORNER = 1e-4;
/* smallest sine of the angle between an edge and another face at its end, and smallest distance of a vertex from other
 * faces, divided by the radius */
SCREE_CONSTANT real FORM_BLUNT_END = 2e-3, FORM_FAR = 1e-4;

enum { FORM_NO_KEY = -1 };

/* ------------------------------------------------------------------ the vertices of a cut solid */

/* Loops of a solid, with members as in cut_solid. plane: faces of a, then faces of b. A processor also has loops of
 * larger solids. */
#ifdef SCREE_CONVEX_SOLID
typedef struct form_loops {
	int32_t vertices, faces;
	const int32_t *first, *plane, *corner;
} form_loops;
#else
typedef cut_solid form_loops;
#endif

/* Inserts a number into an ascending list unless the list contains it; returns false if there is no room. */
SCREE_FN bool form_insert(int32_t number, int32_t most, int32_t *list, int32_t *count)
{
	int32_t k = *count;
	while (k > 0 && list[k - 1] > number) --k;
	if (k > 0 && list[k - 1] == number) return true;
	if (*count == most) return false;
	for (int32_t i = (*count)++; i > k; --i) list[i] = list[i - 1];
	list[k] = number;
	return true;
}

/* Writes the faces that meet at a vertex in ascending order. Returns their number, or 0 if there are too many. */
SCREE_FN int32_t form_faces_at(SCREE_GLOBAL const form_loops *s, int32_t v, int32_t *face)
{
	int32_t count = 0;
	for (int32_t f = 0; f < s->faces; ++f) {
		bool meets = false;
		for (int32_t k = s->first[f]; k < s->first[f + 1]; ++k) meets |= s->corner[k] == v;
		/* rounding may have split a face */
		if (meets && !form_insert(s->plane[f], FORM_FACES, face, &count)) return 0;
	}
	return count;
}

SCREE_FN bool form_face_has(SCREE_GLOBAL const convex_solid *s, int32_t f, int32_t v)
{
	for (int32_t k = s->first[f]; k < s->first[f + 1]; ++k)
		if (s->corner[k] == v) return true;
	return false;
}

/* Returns the vertex where at least three faces of a body meet, or -1. base: number of the body's first face */
SCREE_FN int32_t form_vertex_of(SCREE_GLOBAL const convex_solid *s, int32_t base, int32_t faces, const int32_t *face)
{
	if (faces < 3) return -1;
	for (int32_t k = s->first[face[0] - base]; k < s->first[face[0] - base + 1]; ++k) {
		bool all = true;
		for (int32_t i = 1; i < faces && all; ++i) all = form_face_has(s, face[i] - base, s->corner[k]);
		if (all) return s->corner[k];
	}
	return -1;
}

SCREE_FN int32_t form_after(SCREE_GLOBAL const convex_solid *s, int32_t face, int32_t k)
{
	return s->corner[k + 1 < s->first[face + 1] ? k + 1 : s->first[face]];
}

SCREE_FN bool form_edge_of(SCREE_GLOBAL const convex_solid *s, int32_t face, int32_t other, int32_t *p, int32_t *q)
{
	for (int32_t k = s->first[face]; k < s->first[face + 1]; ++k) {
		if (s->across[k] != other) continue;
		*p = s->corner[k];
		*q = form_after(s, face, k);
		return true;
	}
	return false;
}

/* Encodes a vertex of a form as one number; the numbers have the same order as the vertices. */
SCREE_FN int32_t form_key(bool second, int32_t p, int32_t q, int32_t plane)
{
	return (int32_t)second << 24 | p << 16 | q << 8 | plane;
}

SCREE_FN int32_t form_key_of_corner(SCREE_GLOBAL const convex_solid *s, bool second, int32_t base, int32_t faces,
									const int32_t *face)
{
	const int32_t v = form_vertex_of(s, base, faces, face);
	return v < 0 ? FORM_NO_KEY : form_key(second, v, v, FORM_NONE);
}

/* Returns the position of a body's vertex along the normal of a face of the other body. */
SCREE_FN real form_along(const convex_pair *c, bool second, int32_t v, int32_t face)
{
	if (second) return v3_dot(convex_normal(c->a, face), mat3_mul(c->turn, convex_vertex(c->b, v)));
	return v3_dot(mat3_mul(c->turn, convex_normal(c->b, face)), convex_vertex(c->a, v));
}

/* side, other: faces of the edge; face: the face that it crosses */
SCREE_FN int32_t form_key_of_crossing(const convex_pair *c, bool second, int32_t side, int32_t other, int32_t face)
{
	int32_t p, q;
	if (!form_edge_of(second ? c->b : c->a, side, other, &p, &q)) return FORM_NO_KEY;
	const bool rises = form_along(c, second, p, face) < form_along(c, second, q, face);
	return form_key(second, rises ? p : q, rises ? q : p, face);
}

SCREE_FN int32_t form_key_of_vertex(const convex_pair *c, int32_t faces, const int32_t *face)
{
	const int32_t own = c->a->faces;
	int32_t a = 0;
	while (a < faces && face[a] < own) ++a;
	if (a == faces) return form_key_of_corner(c->a, false, 0, faces, face);
	if (a == 0) return form_key_of_corner(c->b, true, own, faces, face);
	if (a == 2 && faces == 3) return form_key_of_crossing(c, false, face[0], face[1], face[2] - own);
	if (a == 1 && faces == 3) return form_key_of_crossing(c, true, face[1] - own, face[2] - own, face[0]);
	return FORM_NO_KEY;
}

/* Cuts by several planes through one vertex of b produce several vertices there, all with the same key. */
SCREE_FN bool form_find_vertices(const convex_pair *c, SCREE_GLOBAL const form_loops *s, overlap_form *f)
{
	int32_t key[FORM_VERTICES], face[FORM_FACES], count = 0;
	for (int32_t v = 0; v < s->vertices; ++v) {
		const int32_t k = form_key_of_vertex(c, form_faces_at(s, v, face), face);
		if (k == FORM_NO_KEY || !form_insert(k, FORM_VERTICES, key, &count)) return false;
	}
	f->vertices = (uint8_t)count;
	f->of_a = 0;
	for (int32_t v = 0; v < count; ++v) {
		if (!(key[v] >> 24)) f->of_a = (uint8_t)(v + 1);
		f->p[v] = (uint8_t)(key[v] >> 16);
		f->q[v] = (uint8_t)(key[v] >> 8);
		f->plane[v] = (uint8_t)key[v];
	}
	return true;
}

/* ------------------------------------------------------------------ the faces around each vertex */

/* Vertex v is in the faces star[first[v]] .. star[first[v+1]-1], in an order in which each face shares the edge that
 * starts at the vertex with the next face. Faces are rows of `number`, in ascending order. There is one entry for each
 * corner of the form. */
typedef struct form_stars {
	int32_t faces;
	int32_t number[FORM_FACES];
	uint32_t at[FORM_VERTICES]; /* bits of the faces */
	uint16_t star[FORM_CORNERS];
	uint8_t first[FORM_VERTICES + 1];
} form_stars;

SCREE_FN int32_t form_corner_at(SCREE_GLOBAL const convex_solid *s, int32_t face, int32_t v)
{
	for (int32_t k = s->first[face]; k < s->first[face + 1]; ++k)
		if (s->corner[k] == v) return k;
	return -1;
}

/* Adds the faces around a vertex of a body to the stars. Returns the end of the star, or -1 if there is no room. */
SCREE_FN int32_t form_star_of_corner(SCREE_GLOBAL const convex_solid *s, int32_t v, int32_t base, int32_t end,
									 form_stars *t)
{
	const int32_t begin = s->at[s->at_first[v]];
	int32_t face = begin;
	do {
		const int32_t k = form_corner_at(s, face, v);
		if (k < 0 || end == FORM_CORNERS) return -1;
		t->star[end++] = (uint16_t)(base + face);
		face = s->across[k];
	} while (face != begin);
	return end;
}

/* The same for the point where the edge from p to q crosses `plane`: the face that the edge borders counter-clockwise,
 * `plane`, and the face across the edge. */
SCREE_FN int32_t form_star_of_crossing(SCREE_GLOBAL const convex_solid *s, int32_t p, int32_t q, int32_t base,
									   int32_t plane, int32_t end, form_stars *t)
{
	for (int32_t i = s->at_first[p]; i < s->at_first[p + 1]; ++i) {
		const int32_t face = s->at[i], k = form_corner_at(s, face, p);
		if (k < 0 || form_after(s, face, k) != q) continue;
		if (end + 3 > FORM_CORNERS) return -1;
		t->star[end] = (uint16_t)(base + face);
		t->star[end + 1] = (uint16_t)plane;
		t->star[end + 2] = (uint16_t)(base + s->across[k]);
		return end + 3;
	}
	return -1;
}

SCREE_FN int32_t form_star_of(const convex_pair *c, const overlap_form *f, int32_t v, int32_t end, form_stars *t)
{
	const int32_t own = c->a->faces, plane = f->plane[v];
	const bool second = v >= f->of_a;
	SCREE_GLOBAL const convex_solid *s = second ? c->b : c->a;
	if (plane == FORM_NONE) return form_star_of_corner(s, f->p[v], second ? own : 0, end, t);
	return form_star_of_crossing(s, f->p[v], f->q[v], second ? own : 0, second ? plane : plane + own, end, t);
}

SCREE_FN bool form_find_stars(const convex_pair *c, const overlap_form *f, form_stars *t)
{
	int32_t end = 0;
	t->faces = t->first[0] = 0;
	for (int32_t v = 0; v < f->vertices; ++v) {
		const int32_t from = end;
		end = form_star_of(c, f, v, end, t);
		if (end < 0) return false;
		t->first[v + 1] = (uint8_t)end;
		for (int32_t i = from; i < end; ++i)
			if (!form_insert(t->star[i], FORM_FACES, t->number, &t->faces)) return false;
	}
	for (int32_t v = 0; v < f->vertices; ++v) {
		t->at[v] = 0;
		for (int32_t i = t->first[v]; i < t->first[v + 1]; ++i) {
			int32_t row = 0;
			while (t->number[row] != t->star[i]) ++row;
			t->star[i] = (uint16_t)row;
			t->at[v] |= (uint32_t)1 << row;
		}
	}
	return true;
}

/* The other end of a face's edge that starts at v, or -1 if there is not exactly one such edge. */
SCREE_FN int32_t form_next_vertex(const overlap_form *f, const form_stars *t, int32_t face, int32_t v)
{
	int32_t i = t->first[v], found = -1;
	while (t->star[i] != face) ++i;
	const int32_t across = t->star[i + 1 < t->first[v + 1] ? i + 1 : t->first[v]];
	const uint32_t both = (uint32_t)1 << face | (uint32_t)1 << across;
	for (int32_t w = 0; w < f->vertices; ++w) {
		if (w == v || (t->at[w] & both) != both) continue;
		if (found >= 0) return -1;
		found = w;
	}
	return found;
}

/* Writes the loop of a face, which must pass through each vertex of the face once. */
SCREE_FN bool form_add_loop(overlap_form *f, const form_stars *t, int32_t face)
{
	int32_t begin = -1, members = 0, passed = 0;
	for (int32_t v = f->vertices - 1; v >= 0; --v)
		if (t->at[v] >> face & 1) begin = v, ++members;
	int32_t v = begin;
	do {
		if (passed == members || f->corners == FORM_CORNERS) return false;
		f->corner[f->corners++] = (uint8_t)v;
		++passed;
		v = form_next_vertex(f, t, face, v);
		if (v < 0) return false;
	} while (v != begin);
	return passed == members && members >= 3;
}

/* ------------------------------------------------------------------ shapes that are not too sharp */

SCREE_FN vec3 form_star_normal(SCREE_GLOBAL const convex_solid *s, const form_stars *t, int32_t i, int32_t base)
{
	return convex_normal(s, t->number[t->star[i]] - base);
}

/* Tests whether any three of the faces of b at a vertex meet at angles so large that displacing their planes by slack
 * and rounding error moves their vertex by much less than FORM_CLEAR. */
SCREE_FN bool form_is_blunt_corner(SCREE_GLOBAL const convex_solid *s, const form_stars *t, int32_t v, int32_t base)
{
	const int32_t from = t->first[v], to = t->first[v + 1];
	for (int32_t i = from; i < to; ++i)
		for (int32_t j = i + 1; j < to; ++j) {
			const vec3 across = v3_cross(form_star_normal(s, t, i, base), form_star_normal(s, t, j, base));
			for (int32_t k = j + 1; k < to; ++k)
				if (real_abs(v3_dot(across, form_star_normal(s, t, k, base))) < FORM_BLUNT_CORNER) return false;
		}
	return true;
}

/* Tests whether a vertex of a body is far below all faces that do not meet at the vertex. */
SCREE_FN bool form_is_far(SCREE_GLOBAL const convex_solid *s, int32_t v)
{
	const vec3 at = convex_vertex(s, v);
	for (int32_t f = 0; f < s->faces; ++f)
		if (v3_dot(convex_normal(s, f), at) - s->off[f] > -FORM_FAR * s->radius && !form_face_has(s, f, v))
			return false;
	return true;
}

/* Tests whether the angle between an edge and each face at its end p, except the edge's own faces, has at least this
 * sine. */
SCREE_FN bool form_is_blunt_end(SCREE_GLOBAL const convex_solid *s, int32_t p, int32_t q, real sine)
{
	const vec3 edge = v3_sub(convex_vertex(s, q), convex_vertex(s, p));
	const real least = sine * v3_norm(edge);
	for (int32_t k = s->at_first[p]; k < s->at_first[p + 1]; ++k)
		if (real_abs(v3_dot(convex_normal(s, s->at[k]), edge)) < least && !form_face_has(s, s->at[k], q)) return false;
	return form_is_far(s, p);
}

/* Returns how often the smallest sine between an edge of b and a face must be doubled before displacing the planes of
 * the edge moves the point by much less than FORM_CLEAR; -1 if too often. sine: sine of the angle between the edge's
 * faces */
SCREE_FN int32_t form_doublings(real sine)
{
	for (int32_t k = 0; k < 8; ++k)
		if (sine * (real)(1 << k) >= FORM_BLUNT_EDGE) return k;
	return -1;
}

/* At a knife edge of b, displacing its faces moves the edge by 1/sine as much, so faces at its ends must be steeper. */
SCREE_FN bool form_is_blunt_edge(SCREE_GLOBAL const convex_solid *s, overlap_form *f, int32_t v, real sine)
{
	const int32_t doubled = form_doublings(sine);
	if (doubled < 0) return false;
	f->steep[v] = (uint8_t)doubled;
	const real least = real_max(FORM_BLUNT_END, FORM_BLUNT_CORNER / sine);
	return form_is_blunt_end(s, f->p[v], f->q[v], least) && form_is_blunt_end(s, f->q[v], f->p[v], least);
}

/* Tests whether a vertex satisfies the conditions of the proof. Planes of a are not displaced, since b cuts a. */
SCREE_FN bool form_is_blunt(const convex_pair *c, overlap_form *f, const form_stars *t, int32_t v)
{
	const bool second = v >= f->of_a;
	SCREE_GLOBAL const convex_solid *s = second ? c->b : c->a;
	const int32_t base = second ? c->a->faces : 0, i = t->first[v];
	f->steep[v] = 0;
	if (f->plane[v] == FORM_NONE) return form_is_far(s, f->p[v]) && (!second || form_is_blunt_corner(s, t, v, base));
	const vec3 across = v3_cross(form_star_normal(s, t, i, base), form_star_normal(s, t, i + 2, base));
	return form_is_blunt_edge(s, f, v, second ? v3_norm(across) : 1);
}

/* ------------------------------------------------------------------ the form */

SCREE_FN bool form_find_loops(const convex_pair *c, overlap_form *f)
{
	form_stars t;
	if (!form_find_stars(c, f, &t)) return false;
	for (int32_t v = 0; v < f->vertices; ++v)
		if (!form_is_blunt(c, f, &t, v)) return false;
	f->faces = (uint8_t)t.faces;
	f->faces_of_a = f->corners = f->first[0] = 0;
	for (int32_t i = 0; i < t.faces; ++i) {
		const bool second = t.number[i] >= c->a->faces;
		f->faces_of_a = (uint8_t)(f->faces_of_a + !second);
		f->face[i] = (uint8_t)(t.number[i] - (second ? c->a->faces : 0));
		if (!form_add_loop(f, &t, i)) return false;
		f->first[i + 1] = f->corners;
	}
	return 2 * (f->vertices + f->faces) - f->corners == 4; /* Euler's formula for two corners per edge */
}

/* Finds the form of a region. Returns false if elements of the bodies nearly coincide or if there is no room. */
SCREE_FN bool form_find(const convex_pair *c, SCREE_GLOBAL const form_loops *s, overlap_form *f)
{
	return form_find_vertices(c, s, f) && form_find_loops(c, f);
}

#endif
