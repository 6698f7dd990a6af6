/* convex_patch: the patch of kernel/face_patch.h for bodies of any size, vectorized over vertices and faces. */
#include "narrow/solid/convex_pair.h"

#include "base/memory.h"
#include "kernel/face_patch.h"

enum { ROOM = 64, ARRAYS = 13 };

/* Projects the vertices of the other body along n to the reference plane, and stores their distances. */
static void project_vertices(face_clip *s)
{
	const shape *o = s->inc;
	const face_stage at = *s->at;
	const real *x = o->vx, *y = o->vy, *z = o->vz;
	real *vp = s->vp, *vq = s->vq, *vd = s->vd;
	int32_t count = o->padded;
#pragma omp simd
	for (int32_t k = 0; k < count; ++k) {
		const face_point v = face_projected(&at, x[k], y[k], z[k]);
		vp[k] = v.p;
		vq[k] = v.q;
		vd[k] = v.deep;
	}
}

static void project_reference(face_clip *s)
{
	for (int32_t k = 0; k < s->at->corners; ++k) {
		const face_point v = face_of_reference(s->at, s->ref, k);
		s->rp[k] = v.p;
		s->rq[k] = v.q;
	}
}

/* Computes the cosines between inc's normals and n. */
static void set_slopes(face_clip *s)
{
	const shape *o = s->inc;
	const vec3 m = s->at->m;
	real *slope = s->slope;
	int32_t count = o->faces;
#pragma omp simd
	for (int32_t g = 0; g < count; ++g) slope[g] = face_slope_of(m, o->nx[g], o->ny[g], o->nz[g]);
}

static void divide(real *room, int32_t unit, face_clip *s)
{
	s->vp = room, s->vq = room + unit, s->vd = room + 2 * unit;
	s->rp = room + 3 * unit, s->rq = room + 4 * unit;
	s->from = (face_polygon){0, room + 5 * unit, room + 6 * unit, room + 7 * unit};
	s->to = (face_polygon){0, room + 8 * unit, room + 9 * unit, room + 10 * unit};
	s->slope = room + 11 * unit, s->side = room + 12 * unit;
}

real scree_convex_face_patch(const convex_pair *c, const convex_axis *face, patch *out)
{
	face_stage stage;
	face_set_stage(c, face->code, &stage);
	face_clip s = {.at = &stage, .ref = stage.of_b ? c->b : c->a, .inc = stage.of_b ? c->a : c->b};
	real small[ROOM * ARRAYS], *room = small;
	/* a cut adds at most one corner, and a face has at most as many corners as its body */
	int32_t unit = s.inc->padded + stage.corners + 2;
	unit = unit > s.inc->faces ? unit : s.inc->faces;
	bool large = unit > ROOM;
	if (large) room = scree_alloc((size_t)unit * ARRAYS, sizeof *room);
	divide(room, large ? unit : ROOM, &s);
	project_vertices(&s);
	project_reference(&s);
	set_slopes(&s);
	pressure on;
	pressure_start(&on);
	real area = face_patch(&s, c->scale, &on, out);
	const real arm = scree_pressure_arm(&on);
	out->arm = area > 0 ? arm : 0;
	if (large) scree_free(room);
	return area;
}
