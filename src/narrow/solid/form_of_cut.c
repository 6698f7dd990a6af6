/* form_of_cut: forms of regions of two polyhedra after cuts (overlap_form.h; docs/theory/volume.md, "Forms"). */
#include "narrow/solid/overlap_form.h"

#include <string.h>

/* Smallest values at faces of b: sine of the angle between two faces, and triple product of the normals of three faces
 * at a vertex. */
static const real BLUNT_EDGE = 0.02, BLUNT_CORNER = 1e-4;
/* smallest sine of the angle between an edge and another face at its end, and smallest distance of a vertex from other
 * faces, divided by the radius */
static const real BLUNT_END = 2e-3, FAR = 1e-4;

enum {
	NUMBERS = 2 * FORM_NONE, /* faces of a, then faces of b */
	MOST_FACES = CUT_FACES,	 /* at one vertex */
	NO_KEY = -1,
};
_Static_assert(CUT_FACES <= 32, "a set of faces fits into the bits of a word");

/* ------------------------------------------------------------------ the vertices of a cut solid */

/* Loops of a solid. plane: faces of a, then faces of b */
typedef struct form_loops {
	int32_t vertices, faces;
	const int32_t *first, *plane, *corner;
} form_loops;

/* Faces that meet at a vertex, listed by body. Faces that do not fit are omitted. */
typedef struct near_faces {
	int32_t a, b;
	int32_t of_a[MOST_FACES], of_b[MOST_FACES];
} near_faces;

/* Adds a face unless it was already added, since rounding may have split it. */
static void add_face(int32_t face, int32_t *list, int32_t *count)
{
	for (int32_t i = 0; i < *count; ++i)
		if (list[i] == face) return;
	if (*count < MOST_FACES) list[(*count)++] = face;
}

static void find_faces(const form_loops *s, int32_t v, int32_t own, near_faces *n)
{
	n->a = n->b = 0;
	for (int32_t f = 0; f < s->faces; ++f) {
		bool meets = false;
		for (int32_t k = s->first[f]; k < s->first[f + 1]; ++k) meets |= s->corner[k] == v;
		if (!meets) continue;
		if (s->plane[f] < own)
			add_face(s->plane[f], n->of_a, &n->a);
		else
			add_face(s->plane[f] - own, n->of_b, &n->b);
	}
}

static bool face_has(const shape *s, int32_t f, int32_t v)
{
	for (int32_t k = s->first[f]; k < s->first[f + 1]; ++k)
		if (s->corner[k] == v) return true;
	return false;
}

/* Returns the vertex where at least three faces of a body meet, or -1. */
static int32_t vertex_of(const shape *s, int32_t faces, const int32_t *face)
{
	if (faces < 3) return -1;
	for (int32_t k = s->first[face[0]]; k < s->first[face[0] + 1]; ++k) {
		bool all = true;
		for (int32_t i = 1; i < faces && all; ++i) all = face_has(s, face[i], s->corner[k]);
		if (all) return s->corner[k];
	}
	return -1;
}

static bool edge_of(const shape *s, const int32_t *face, int32_t *p, int32_t *q)
{
	int32_t from = s->first[face[0]], to = s->first[face[0] + 1];
	for (int32_t k = from; k < to; ++k) {
		if (s->across[k] != face[1]) continue;
		*p = s->corner[k];
		*q = s->corner[k + 1 < to ? k + 1 : from];
		return true;
	}
	return false;
}

/* Encodes a vertex of a form as one number; the numbers have the same order as the vertices. */
static int64_t key_of(bool second, int32_t p, int32_t q, int32_t plane)
{
	return (int64_t)second << 24 | (int64_t)p << 16 | (int64_t)q << 8 | plane;
}

static int64_t key_of_corner(bool second, const shape *s, int32_t faces, const int32_t *face)
{
	int32_t v = vertex_of(s, faces, face);
	return v < 0 ? NO_KEY : key_of(second, v, v, FORM_NONE);
}

/* Returns the position of a body's vertex along the normal of a face of the other body. */
static real along_face(const convex_pair *c, bool second, int32_t v, int32_t face)
{
	if (second) return v3_dot(shape_normal(c->a, face), mat3_mul(c->turn, shape_vertex(c->b, v)));
	return v3_dot(mat3_mul(c->turn, shape_normal(c->b, face)), shape_vertex(c->a, v));
}

static int64_t key_of_crossing(const convex_pair *c, bool second, const int32_t *sides, int32_t face)
{
	int32_t p, q;
	if (!edge_of(second ? c->b : c->a, sides, &p, &q)) return NO_KEY;
	bool rises = along_face(c, second, p, face) < along_face(c, second, q, face);
	return key_of(second, rises ? p : q, rises ? q : p, face);
}

static int64_t key_of_vertex(const convex_pair *c, const near_faces *n)
{
	if (n->b == 0) return key_of_corner(false, c->a, n->a, n->of_a);
	if (n->a == 0) return key_of_corner(true, c->b, n->b, n->of_b);
	if (n->a == 2 && n->b == 1) return key_of_crossing(c, false, n->of_a, n->of_b[0]);
	if (n->a == 1 && n->b == 2) return key_of_crossing(c, true, n->of_b, n->of_a[0]);
	return NO_KEY;
}

/* Inserts a key into an ascending list unless the list contains it; returns false if there is no room. */
static bool add_key(int64_t key, int64_t *list, int32_t *count)
{
	int32_t k = *count;
	while (k > 0 && list[k - 1] > key) --k;
	if (k > 0 && list[k - 1] == key) return true;
	if (*count == CUT_VERTICES) return false;
	for (int32_t i = (*count)++; i > k; --i) list[i] = list[i - 1];
	list[k] = key;
	return true;
}

/* Cuts by several planes through one vertex of b produce several vertices there, all with the same key. */
static bool find_vertices(const convex_pair *c, const form_loops *s, overlap_form *f)
{
	int64_t key[CUT_VERTICES];
	int32_t count = 0;
	for (int32_t v = 0; v < s->vertices; ++v) {
		near_faces n;
		find_faces(s, v, c->a->faces, &n);
		int64_t k = key_of_vertex(c, &n);
		if (k == NO_KEY || !add_key(k, key, &count)) return false;
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

/* The faces around each vertex, in an order in which each face shares the edge that starts at the vertex with the next
 * face. Faces are rows of `number`, in ascending order. */
typedef struct form_stars {
	int32_t faces;
	int32_t number[CUT_FACES];
	int32_t degree[CUT_VERTICES], star[CUT_VERTICES][MOST_FACES];
	uint32_t at[CUT_VERTICES]; /* bits of the faces */
} form_stars;

static int32_t corner_at(const shape *s, int32_t face, int32_t v)
{
	for (int32_t k = s->first[face]; k < s->first[face + 1]; ++k)
		if (s->corner[k] == v) return k;
	return -1;
}

static int32_t after(const shape *s, int32_t face, int32_t k)
{
	return s->corner[k + 1 < s->first[face + 1] ? k + 1 : s->first[face]];
}

/* Returns the number of faces, or 0 if there are too many. base: number of the body's first face */
static int32_t star_of_corner(const shape *s, int32_t v, int32_t base, int32_t *star)
{
	int32_t n = 0, begin = s->at[s->at_first[v]], face = begin;
	do {
		int32_t k = corner_at(s, face, v);
		if (k < 0 || n == MOST_FACES) return 0;
		star[n++] = base + face;
		face = s->across[k];
	} while (face != begin);
	return n;
}

/* Writes the faces around the point where the edge from p to q crosses `plane`: the face that the edge borders
 * counter-clockwise, `plane`, and the face across the edge. */
static int32_t star_of_crossing(const shape *s, int32_t p, int32_t q, int32_t base, int32_t plane, int32_t *star)
{
	for (int32_t i = s->at_first[p]; i < s->at_first[p + 1]; ++i) {
		int32_t face = s->at[i], k = corner_at(s, face, p);
		if (k < 0 || after(s, face, k) != q) continue;
		star[0] = base + face;
		star[1] = plane;
		star[2] = base + s->across[k];
		return 3;
	}
	return 0;
}

static bool find_stars(const convex_pair *c, const overlap_form *f, form_stars *t)
{
	const int32_t own = c->a->faces;
	int8_t row[NUMBERS];
	memset(row, -1, sizeof row);
	t->faces = 0;
	for (int32_t v = 0; v < f->vertices; ++v) {
		bool second = v >= f->of_a, corner = f->plane[v] == FORM_NONE;
		const shape *s = second ? c->b : c->a;
		int32_t base = second ? own : 0, plane = f->plane[v] + (second ? 0 : own);
		t->degree[v] = corner ? star_of_corner(s, f->p[v], base, t->star[v])
							  : star_of_crossing(s, f->p[v], f->q[v], base, plane, t->star[v]);
		if (t->degree[v] == 0) return false;
		for (int32_t i = 0; i < t->degree[v]; ++i) row[t->star[v][i]] = 0;
	}
	for (int32_t n = 0; n < own + c->b->faces; ++n) {
		if (row[n] < 0) continue;
		if (t->faces == CUT_FACES) return false;
		row[n] = (int8_t)t->faces;
		t->number[t->faces++] = n;
	}
	for (int32_t v = 0; v < f->vertices; ++v) {
		t->at[v] = 0;
		for (int32_t i = 0; i < t->degree[v]; ++i) {
			t->star[v][i] = row[t->star[v][i]];
			t->at[v] |= (uint32_t)1 << t->star[v][i];
		}
	}
	return true;
}

/* The other end of a face's edge that starts at v, or -1 if there is not exactly one such edge. */
static int32_t next_vertex(const overlap_form *f, const form_stars *t, int32_t face, int32_t v)
{
	int32_t i = 0, found = -1;
	while (t->star[v][i] != face) ++i;
	int32_t across = t->star[v][i + 1 < t->degree[v] ? i + 1 : 0];
	const uint32_t both = (uint32_t)1 << face | (uint32_t)1 << across;
	for (int32_t w = 0; w < f->vertices; ++w) {
		if (w == v || (t->at[w] & both) != both) continue;
		if (found >= 0) return -1;
		found = w;
	}
	return found;
}

/* Writes the loop of a face, which must pass through each vertex of the face once. */
static bool add_loop(overlap_form *f, const form_stars *t, int32_t face)
{
	int32_t begin = -1, members = 0, passed = 0;
	for (int32_t v = f->vertices - 1; v >= 0; --v)
		if (t->at[v] >> face & 1) begin = v, ++members;
	int32_t v = begin;
	do {
		if (passed == members || f->corners == CUT_CORNERS) return false;
		f->corner[f->corners++] = (uint8_t)v;
		++passed;
		v = next_vertex(f, t, face, v);
		if (v < 0) return false;
	} while (v != begin);
	return passed == members && members >= 3;
}

/* Tests whether any three of these faces of b meet at angles so large that displacing their planes by slack and
 * rounding error moves their vertex by much less than CLEAR. */
static bool is_blunt_corner(int32_t faces, const vec3 *n)
{
	for (int32_t i = 0; i < faces; ++i)
		for (int32_t j = i + 1; j < faces; ++j) {
			vec3 across = v3_cross(n[i], n[j]);
			for (int32_t k = j + 1; k < faces; ++k)
				if (real_abs(v3_dot(across, n[k])) < BLUNT_CORNER) return false;
		}
	return true;
}

/* Tests whether a vertex of a body is far below all faces that do not meet at the vertex. */
static bool is_far(const shape *s, int32_t v)
{
	const vec3 at = shape_vertex(s, v);
	for (int32_t f = 0; f < s->faces; ++f)
		if (v3_dot(shape_normal(s, f), at) - s->off[f] > -FAR * s->radius && !face_has(s, f, v)) return false;
	return true;
}

/* Tests whether the angle between an edge and each face at its end p, except the edge's own faces, has at least this
 * sine. */
static bool is_blunt_end(const shape *s, int32_t p, int32_t q, real sine)
{
	const vec3 edge = v3_sub(shape_vertex(s, q), shape_vertex(s, p));
	const real least = sine * v3_norm(edge);
	for (int32_t k = s->at_first[p]; k < s->at_first[p + 1]; ++k)
		if (real_abs(v3_dot(shape_normal(s, s->at[k]), edge)) < least && !face_has(s, s->at[k], q)) return false;
	return is_far(s, p);
}

/* Returns how often the smallest sine between an edge of b and a face must be doubled before displacing the planes of
 * the edge moves the point by much less than CLEAR; -1 if too often. sine: sine of the angle between the edge's
 * faces */
static int32_t doublings(real sine)
{
	for (int32_t k = 0; k < 8; ++k)
		if (sine * (real)(1 << k) >= BLUNT_EDGE) return k;
	return -1;
}

/* At a knife edge of b, displacing its faces moves the edge by 1/sine as much, so faces at its ends must be steeper. */
static bool is_blunt_edge(const shape *s, overlap_form *f, int32_t v, real sine)
{
	const int32_t doubled = doublings(sine);
	if (doubled < 0) return false;
	f->steep[v] = (uint8_t)doubled;
	const real least = real_max(BLUNT_END, BLUNT_CORNER / sine);
	return is_blunt_end(s, f->p[v], f->q[v], least) && is_blunt_end(s, f->q[v], f->p[v], least);
}

/* Tests whether both shapes satisfy the conditions of the proof. Planes of a are not displaced, since b cuts a. */
static bool is_blunt(const convex_pair *c, overlap_form *f, const form_stars *t)
{
	for (int32_t v = 0; v < f->vertices; ++v) {
		const bool second = v >= f->of_a, corner = f->plane[v] == FORM_NONE;
		const shape *s = second ? c->b : c->a;
		const int32_t base = second ? c->a->faces : 0;
		vec3 n[MOST_FACES];
		f->steep[v] = 0;
		n[0] = n[2] = v3(0, 0, 0);
		for (int32_t i = 0; second && i < t->degree[v]; i += corner ? 1 : 2)
			n[i] = shape_normal(s, t->number[t->star[v][i]] - base);
		const bool blunt = corner ? is_far(s, f->p[v]) && (!second || is_blunt_corner(t->degree[v], n))
								  : is_blunt_edge(s, f, v, second ? v3_norm(v3_cross(n[0], n[2])) : 1);
		if (!blunt) return false;
	}
	return true;
}

static bool find_loops(const convex_pair *c, overlap_form *f)
{
	form_stars t;
	if (!find_stars(c, f, &t) || !is_blunt(c, f, &t)) return false;
	f->faces = (uint8_t)t.faces;
	f->faces_of_a = f->corners = f->first[0] = 0;
	for (int32_t i = 0; i < t.faces; ++i) {
		bool second = t.number[i] >= c->a->faces;
		f->faces_of_a = (uint8_t)(f->faces_of_a + !second);
		f->face[i] = (uint8_t)(t.number[i] - (second ? c->a->faces : 0));
		if (!add_loop(f, &t, i)) return false;
		f->first[i + 1] = f->corners;
	}
	return 2 * (f->vertices + f->faces) - f->corners == 4; /* Euler's formula for two corners per edge */
}

static bool find_form(const convex_pair *c, const form_loops *s, overlap_form *f)
{
	f->a = f->b = NULL;
	if (c->a->vertices > FORM_NONE || c->b->vertices > FORM_NONE) return false;
	if (c->a->faces >= FORM_NONE || c->b->faces >= FORM_NONE) return false;
	if (!find_vertices(c, s, f) || !find_loops(c, f)) return false;
	f->a = c->a->corner;
	f->b = c->b->corner;
	return true;
}

bool scree_form_of_cut(const convex_pair *c, const cut_solid *s, overlap_form *f)
{
	int32_t first[CUT_FACES + 1], plane[CUT_FACES], corner[CUT_CORNERS];
	for (int32_t i = 0; i <= s->faces; ++i) first[i] = s->first[i];
	for (int32_t i = 0; i < s->faces; ++i) plane[i] = s->plane[i];
	for (int32_t k = 0; k < s->corners; ++k) corner[k] = s->corner[k];
	return find_form(c, &(form_loops){s->vertices, s->faces, first, plane, corner}, f);
}

static bool same(vec3 a, vec3 b) { return a.x == b.x && a.y == b.y && a.z == b.z; }

/* Returns the face with this normal, or -1; faces of b are numbered after the faces of a. */
static int32_t face_with(const convex_pair *c, bool second, vec3 n)
{
	for (int32_t f = 0; second && f < c->b->faces; ++f)
		if (same(mat3_mul(c->turn, shape_normal(c->b, f)), n)) return c->a->faces + f;
	for (int32_t f = 0; !second && f < c->a->faces; ++f)
		if (same(shape_normal(c->a, f), n)) return f;
	return -1;
}

bool scree_form_of_solid(const convex_pair *c, const solid *s, overlap_form *f)
{
	int32_t plane[SOLID_FACES], corner[SOLID_CORNERS];
	f->a = f->b = NULL;
	for (int32_t i = 0; i < s->faces; ++i) {
		plane[i] = face_with(c, s->second[i], s->normal[i]);
		if (plane[i] < 0) return false;
	}
	for (int32_t k = 0; k < s->corners; ++k) corner[k] = s->corner[k];
	return find_form(c, &(form_loops){s->vertices, s->faces, s->first, plane, corner}, f);
}
