/* form.h: the common region of two polyhedra, encoded as integers, and its vertices computed from them. All functions
 * are pure. Loops and arrays have constant bounds, and the rows of a region take less than 4 kB. A form is kept from
 * step to step, but used only if it is proven to be the form of the current region (docs/theory/volume.md, "Forms"), so
 * that results do not depend on it. */
#ifndef SCREE_KERNEL_FORM_H
#define SCREE_KERNEL_FORM_H

#include "kernel/cut.h"

/* FORM_LEAST_FACES: pairs of polyhedra with fewer faces have no form */
enum { FORM_NONE = 255, FORM_LEAST_FACES = 30 };

/* A vertex is a vertex p of a body (q = p, plane FORM_NONE), or the point where an edge of a body, from p inside the
 * other body to q outside it, crosses a face of the other body. Vertices of a and its edges come first, and are sorted
 * by p, q and plane. Faces of a come first, in ascending order; each begins with its first vertex. Thus the encoding of
 * a form is unique. steep: number of doublings of the smallest sine of the angle between edge and face. */
typedef struct overlap_form {
	const int32_t *a, *b; /* shape.corner of both shapes, as identifiers; NULL if empty */
	uint8_t vertices, of_a, faces, faces_of_a, corners;
	uint8_t p[CUT_VERTICES], q[CUT_VERTICES], plane[CUT_VERTICES], steep[CUT_VERTICES], face[CUT_FACES];
	uint8_t first[CUT_FACES + 1], corner[CUT_CORNERS]; /* as in `solid` */
} overlap_form;

enum { FORM_AT_ONCE = 8, FORM_ROWS = CUT_VERTICES + FORM_AT_ONCE };

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

#endif
