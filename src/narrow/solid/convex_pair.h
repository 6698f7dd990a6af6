/* convex_pair.h: what the parts of the contact of two polyhedra tell each other (internal to the narrow phase). */
#ifndef SCREE_NARROW_SOLID_CONVEX_PAIR_H
#define SCREE_NARROW_SOLID_CONVEX_PAIR_H

#include "narrow/narrow.h"

/* Body b in the frame of body a. */
typedef struct convex_pair {
	const placed *at_a, *at_b;
	const shape *a, *b;
	real sa, sb;  /* sizes */
	mat3 turn;	  /* b's frame to a's */
	vec3 apart;	  /* centre of b in a's frame */
	vec3 apart_b; /* centre of a in b's frame */
	real scale;	  /* of lengths, for tolerances */
} convex_pair;

/* A candidate axis and its separation. Codes: 1 + face of a, then faces of b, then edge pairs. */
typedef struct convex_axis {
	real s;
	int64_t code;
	vec3 n; /* unit, from a to b, a's frame */
} convex_axis;

/* The patch between the reference face of `face` (its code) and what of the other body reaches below it, in world axes
 * from a's centre. Returns the area that it covers on the reference face, 0 where none is left (then there are no
 * points). */
real scree_convex_face_patch(const convex_pair *c, const convex_axis *face, patch *out);

SCREE_FN vec3 convex_normal(const shape *s, int32_t f) { return v3(s->nx[f], s->ny[f], s->nz[f]); }
SCREE_FN vec3 convex_vertex(const shape *s, int32_t v) { return v3(s->vx[v], s->vy[v], s->vz[v]); }
SCREE_FN mat3 mat3_transposed(mat3 m)
{
	return (mat3){v3(m.x.x, m.y.x, m.z.x), v3(m.x.y, m.y.y, m.z.y), v3(m.x.z, m.y.z, m.z.z)};
}

#endif
