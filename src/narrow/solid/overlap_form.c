/* overlap_form: forms of regions of two polyhedra, and the regions from their forms (overlap_form.h;
 * docs/theory/volume.md, "Forms"). */
#include "narrow/solid/overlap_form.h"

#include "kernel/form_of_cut.h"

#include <string.h>

enum { AT_ONCE = FORM_AT_ONCE };
_Static_assert(sizeof(form_rows) <= 4096, "a region from its form needs at most 4 kB");

SCREE_FN int32_t rounded_up(int32_t n) { return (n + AT_ONCE - 1) & ~(AT_ONCE - 1); }

/* Writes vertices from .. to-1 to rows from `row` on, and returns how many are on faces of the other body. */
SCREE_FN int32_t gather_rows(const overlap_form *f, const shape *s, const shape *other, int32_t from, int32_t to,
							 int32_t row, form_rows *r)
{
	const int32_t end = row + rounded_up(to - from);
	int32_t crossings = 0;
	for (int32_t v = from; v < to; ++v, ++row) crossings += form_gather(f, v, s, other, row, r);
	for (; row < end; ++row) {
		r->px[row] = r->py[row] = r->pz[row] = r->qx[row] = r->qy[row] = r->qz[row] = 0;
		r->nx[row] = r->ny[row] = r->nz[row] = r->off[row] = 0;
		r->steep[row] = -1;
	}
	return crossings;
}

/* Returns the number of edges that possibly do not cross their faces. from, to: multiples of AT_ONCE */
SCREE_FN int32_t place_rows(const form_frame *m, real clear, int32_t from, int32_t to, form_rows *r)
{
	real bad = 0;
	for (; from < to; from += AT_ONCE)
#pragma omp simd reduction(+ : bad)
		for (int32_t k = from; k < from + AT_ONCE; ++k) bad += form_place(m, clear, k, r);
	return (int32_t)bad;
}

typedef real wide __attribute__((vector_size(AT_ONCE * sizeof(real))));
typedef int64_t wide_count __attribute__((vector_size(AT_ONCE * sizeof(int64_t))));

/* Counts pairs of a point and a face, in the shape's frame, in which the point is certainly below the face. */
SCREE_FN int64_t count_below(const shape *s, real size, real clear, int32_t points, const real *x, const real *y,
							 const real *z)
{
	const int32_t padded = shape_padded_faces(s); /* zeros, so that no point is below these faces */
	wide_count below = {0};
	for (int32_t f = 0; f < padded; f += AT_ONCE) {
		wide nx, ny, nz, off;
		memcpy(&nx, s->nx + f, sizeof nx);
		memcpy(&ny, s->ny + f, sizeof ny);
		memcpy(&nz, s->nz + f, sizeof nz);
		memcpy(&off, s->off + f, sizeof off);
		off = size * off - clear;
		for (int32_t v = 0; v < points; ++v) below -= (wide_count)(nx * x[v] + ny * y[v] + nz * z[v] <= off);
	}
	int64_t count = 0;
	for (int k = 0; k < AT_ONCE; ++k) count += below[k];
	return count;
}

/* A vertex is not below a face that contains it, so counts agree only if all vertices are below all other faces. */
SCREE_FN bool place_vertices(const convex_pair *c, const overlap_form *f, form_rows *r)
{
	const real clear = FORM_CLEAR * c->scale;
	const int32_t of_a = f->of_a, of_b = f->vertices - of_a;
	const form_frame a = form_frame_of(c, false), b = form_frame_of(c, true);
	r->middle = rounded_up(of_a);
	r->end = r->middle + rounded_up(of_b);
	int32_t on_b = gather_rows(f, c->a, c->b, 0, of_a, 0, r);
	int32_t on_a = gather_rows(f, c->b, c->a, of_a, f->vertices, r->middle, r), bad = 0;
	bad += place_rows(&a, clear, 0, r->middle, r) + place_rows(&b, clear, r->middle, r->end, r);
	if (bad > 0) return false;
	const int32_t k = r->middle;
	return count_below(c->b, c->sb, clear, of_a, r->qx, r->qy, r->qz) == of_a * c->b->faces - on_b &&
		   count_below(c->a, c->sa, clear, of_b, r->qx + k, r->qy + k, r->qz + k) == of_b * c->a->faces - on_a;
}

bool scree_form_region(const convex_pair *c, const overlap_form *f, solid *left)
{
	form_rows r;
	if (f->a != c->a->corner || f->b != c->b->corner || !place_vertices(c, f, &r)) return false;
	const int32_t of_a = f->of_a, shift = r.middle - of_a;
	left->vertices = f->vertices;
	left->faces = f->faces;
	left->corners = f->corners;
	for (int32_t v = 0; v < of_a; ++v) left->vertex[v] = v3(r.px[v], r.py[v], r.pz[v]);
	for (int32_t v = of_a; v < f->vertices; ++v)
		left->vertex[v] = v3(r.qx[v + shift], r.qy[v + shift], r.qz[v + shift]);
	for (int32_t k = 0; k < f->corners; ++k) left->corner[k] = f->corner[k];
	for (int32_t k = 0; k <= f->faces; ++k) left->first[k] = f->first[k];
	for (int32_t k = 0; k < f->faces; ++k) {
		bool second = k >= f->faces_of_a;
		left->second[k] = second;
		left->normal[k] = second ? mat3_mul(c->turn, shape_normal(c->b, f->face[k])) : shape_normal(c->a, f->face[k]);
	}
	return true;
}

/* ------------------------------------------------------------------ the form */

static bool find_form(const convex_pair *c, const form_loops *s, overlap_form *f)
{
	f->a = f->b = NULL;
	if (c->a->vertices > FORM_NONE || c->b->vertices > FORM_NONE) return false;
	if (c->a->faces >= FORM_NONE || c->b->faces >= FORM_NONE || !form_find(c, s, f)) return false;
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

/* Returns the face with this normal, or -1; faces of b are numbered after the faces of a. */
static int32_t face_with(const convex_pair *c, bool second, vec3 n)
{
	for (int32_t f = 0; second && f < c->b->faces; ++f)
		if (v3_equal(mat3_mul(c->turn, shape_normal(c->b, f)), n)) return c->a->faces + f;
	for (int32_t f = 0; !second && f < c->a->faces; ++f)
		if (v3_equal(shape_normal(c->a, f), n)) return f;
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
