/* form_region.h: the common region of two polyhedra, computed from its form (form.h), if the form is proven for the
 * present poses. A processor computes several vertices at once (src/narrow/solid/overlap_form.c), a device one after
 * another. */
#ifndef SCREE_KERNEL_FORM_REGION_H
#define SCREE_KERNEL_FORM_REGION_H

#include "kernel/form.h"
#include "kernel/separating_axis.h"

/* relative to the size: least depth of each vertex of a proven form below all faces that do not meet there */
SCREE_CONSTANT real FORM_CLEAR = 1e-6;
/* smallest sine of the angle between an edge and the face that it crosses */
SCREE_CONSTANT real FORM_STEEP = 1e-3;
/* largest distance of corners from their faces, divided by the radius */
SCREE_CONSTANT real FORM_EVEN = 1e-12;
/* smallest ratio of the sizes of the two bodies */
SCREE_CONSTANT real FORM_LEAST_PART = 0.01;

#ifdef SCREE_CONVEX_SOLID
enum { FORM_AT_ONCE = 8, FORM_ROWS = FORM_VERTICES + FORM_AT_ONCE };
#else
enum { FORM_ROWS = 1 };
#endif

/* Ends of edges, and the faces that these edges cross, as arrays. p is a vertex in the frame of its own body, q in the
 * frame of the other body. Rows of b begin at a multiple of FORM_AT_ONCE; unused rows before it are corners at 0. */
typedef struct form_rows {
	int32_t middle, end;
	/* points and planes of the shapes, for size 1, each in its own frame */
	real px[FORM_ROWS], py[FORM_ROWS], pz[FORM_ROWS], qx[FORM_ROWS], qy[FORM_ROWS], qz[FORM_ROWS], nx[FORM_ROWS],
		ny[FORM_ROWS], nz[FORM_ROWS], off[FORM_ROWS];
	real steep[FORM_ROWS]; /* smallest sine of the angle between edge and face; -1 for a vertex of a body */
} form_rows;

/* The frame of one body, with the rotation and centre of the other body in this frame. */
typedef struct form_frame {
	mat3 turn;
	vec3 apart;
	real size, other_size;
} form_frame;

SCREE_FN form_frame form_frame_of(const convex_pair *c, bool second)
{
	form_frame m = {c->turn, c->apart, c->sa, c->sb};
	if (!second) return m;
	m.turn = mat3_transposed(c->turn);
	m.apart = v3_neg(mat3_tmul(c->turn, c->apart));
	m.size = c->sb;
	m.other_size = c->sa;
	return m;
}

/* Tests whether regions of these bodies are computed from forms: the bodies have similar sizes and many faces, and
 * distances and angles of a form are large compared with deviations of the faces from planes. */
SCREE_FN bool form_may_exist(const convex_pair *c)
{
	SCREE_GLOBAL const convex_solid *a = c->a, *b = c->b;
	const bool even = a->uneven <= FORM_EVEN * a->radius && b->uneven <= FORM_EVEN * b->radius;
	return a->faces + b->faces >= FORM_LEAST_FACES && even &&
		   real_min(c->sa * a->radius, c->sb * b->radius) >= FORM_LEAST_PART * c->scale;
}

/* Writes a vertex of body s to a row. Returns 1 if it is on a face of the other body, else 0. */
SCREE_FN int32_t form_gather(const overlap_form *f, int32_t v, SCREE_GLOBAL const convex_solid *s,
							 SCREE_GLOBAL const convex_solid *other, int32_t row, form_rows *r)
{
	const bool corner = f->plane[v] == FORM_NONE;
	const int32_t p = f->p[v], q = f->q[v], k = corner ? 0 : f->plane[v];
	r->px[row] = s->vx[p], r->py[row] = s->vy[p], r->pz[row] = s->vz[p];
	r->qx[row] = s->vx[q], r->qy[row] = s->vy[q], r->qz[row] = s->vz[q];
	r->nx[row] = other->nx[k], r->ny[row] = other->ny[k], r->nz[row] = other->nz[k], r->off[row] = other->off[k];
	r->steep[row] = corner ? -1 : FORM_STEEP * (real)(1 << f->steep[v]);
	return !corner;
}

/* Returns 0 if the edge certainly crosses the face, by at least `clear` (m), or for a vertex of a body; otherwise 1. */
SCREE_FN real form_place(const form_frame *m, real clear, int32_t k, form_rows *r)
{
	const mat3 t = m->turn;
	const vec3 to = m->apart;
	const real size = m->size, other = m->other_size;
	/* the face in the frame of the edge */
	real nx = t.x.x * r->nx[k] + t.y.x * r->ny[k] + t.z.x * r->nz[k];
	real ny = t.x.y * r->nx[k] + t.y.y * r->ny[k] + t.z.y * r->nz[k];
	real nz = t.x.z * r->nx[k] + t.y.z * r->ny[k] + t.z.z * r->nz[k];
	real off = other * r->off[k] + (nx * to.x + ny * to.y + nz * to.z);
	real px = size * r->px[k], py = size * r->py[k], pz = size * r->pz[k];
	real ux = size * r->qx[k] - px, uy = size * r->qy[k] - py, uz = size * r->qz[k] - pz;
	real height = nx * px + ny * py + nz * pz - off, rise = nx * ux + ny * uy + nz * uz;
	real square = ux * ux + uy * uy + uz * uz, steep = r->steep[k];
	bool crosses = (height < -clear) & (height + rise > clear) & (rise * rise > steep * steep * square);
	bool corner = steep < 0;
	real part = corner ? 0 : -height / (corner ? 1 : rise);
	real x = px + part * ux, y = py + part * uy, z = pz + part * uz;
	real dx = x - to.x, dy = y - to.y, dz = z - to.z;
	r->px[k] = x, r->py[k] = y, r->pz[k] = z;
	r->qx[k] = t.x.x * dx + t.x.y * dy + t.x.z * dz;
	r->qy[k] = t.y.x * dx + t.y.y * dy + t.y.z * dz;
	r->qz[k] = t.z.x * dx + t.z.y * dy + t.z.z * dz;
	return (corner | crosses) ? 0 : 1;
}

#ifndef SCREE_CONVEX_SOLID
/* Counts the faces of a body that a point in its frame is certainly below. */
SCREE_FN int32_t form_below(SCREE_GLOBAL const convex_rows *s, real size, real clear, vec3 p)
{
	int32_t count = 0;
	SCREE_ROLLED
	for (int32_t f = 0; f < s->faces; ++f) count += v3_dot(convex_normal(s, f), p) <= size * s->off[f] - clear;
	return count;
}

/* Computes a vertex in the frame of a. Returns whether it is proven: not below the face that contains it, if there is
 * one, and below all others. */
SCREE_FN bool form_vertex(const convex_pair *c, const overlap_form *f, int32_t v, vec3 *at)
{
	const bool second = v >= f->of_a;
	const form_frame m = form_frame_of(c, second);
	const real clear = FORM_CLEAR * c->scale;
	SCREE_GLOBAL const convex_rows *s = second ? c->b : c->a, *other = second ? c->a : c->b;
	form_rows r;
	const int32_t crossings = form_gather(f, v, s, other, 0, &r);
	if (form_place(&m, clear, 0, &r) > 0) return false;
	const vec3 p = v3(r.px[0], r.py[0], r.pz[0]), q = v3(r.qx[0], r.qy[0], r.qz[0]);
	*at = second ? q : p;
	return form_below(other, m.other_size, clear, q) == other->faces - crossings;
}

/* Computes the region, or returns false and writes nothing if the form is not proven. */
SCREE_FN bool form_region(const convex_pair *c, const overlap_form *f, SCREE_GLOBAL cut_solid *out)
{
	vec3 at;
	SCREE_ROLLED
	for (int32_t i = 0; i < 2 * f->vertices; ++i) { /* the vertices are computed twice, and written the second time */
		const int32_t v = i < f->vertices ? i : i - f->vertices;
		if (!form_vertex(c, f, v, &at)) return false;
		if (i >= f->vertices) out->x[v] = at.x, out->y[v] = at.y, out->z[v] = at.z;
	}
	out->vertices = f->vertices;
	out->faces = f->faces;
	out->corners = f->corners;
	for (int32_t k = 0; k < f->corners; ++k) out->corner[k] = f->corner[k];
	for (int32_t k = 0; k <= f->faces; ++k) out->first[k] = f->first[k];
	for (int32_t k = 0; k < f->faces; ++k)
		out->plane[k] = (uint16_t)(f->face[k] + (k < f->faces_of_a ? 0 : c->a->faces));
	return true;
}
#endif

#endif
