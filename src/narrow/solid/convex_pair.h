/* convex_pair.h: polyhedra of any size for kernel/separating_axis.h and kernel/face_patch.h, with vectorized loops over
 * their vertices and faces, and functions common to all steps of finding a contact. Private to the narrow phase. */
#ifndef SCREE_NARROW_SOLID_CONVEX_PAIR_H
#define SCREE_NARROW_SOLID_CONVEX_PAIR_H

#include "narrow/solid/convex_solid.h"
#include "work/pair_work.h"
#include "kernel/separating_axis.h"

SCREE_FN convex_pair convex_pair_of(const placed *a, const placed *b)
{
	return convex_pair_from(a, b, a->shape, b->shape);
}

/* Keeps what a new search would certainly find as well. edges->s is -INFINITY if the face is best. */
void scree_convex_keep(const convex_pair *c, const convex_view *a, const convex_view *b, const convex_axis *face,
					   const convex_axis *edges, uint8_t *waited, pair_kept *kept);
/* Tests whether the kept result is certain to be valid for the current poses of the bodies. */
bool scree_convex_holds(const convex_pair *c, const pair_kept *kept);

/* The patch between the reference face with code `face` and the other body below it, in world axes relative to a's
 * centre. Returns the area covered on the reference face, or 0 if the patch has no points. */
real scree_convex_face_patch(const convex_pair *c, const convex_axis *face, patch *out);

/* Computes n.p - off for all faces. */
SCREE_FN void convex_heights(const shape *s, real size, vec3 p, real *height)
{
	int32_t count = s->faces;
#pragma omp simd
	for (int32_t f = 0; f < count; ++f) height[f] = convex_height(s, size, f, p);
}

#endif
