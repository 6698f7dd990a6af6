/* convex_pair.h: data and functions shared by all steps of finding the contact between two polyhedra. Private to the
 * narrow phase. */
#ifndef SCREE_NARROW_SOLID_CONVEX_PAIR_H
#define SCREE_NARROW_SOLID_CONVEX_PAIR_H

#include "narrow/narrow.h"
#include "work/pair_work.h"

/* Body b in the frame of body a. */
typedef struct convex_pair {
	const placed *at_a, *at_b;
	const shape *a, *b;
	real sa, sb;  /* sizes */
	mat3 turn;	  /* rotation from b's frame to a's frame */
	vec3 apart;	  /* centre of b in a's frame */
	vec3 apart_b; /* centre of a in b's frame; only for depth (convex_convex.c) */
	real scale;	  /* scale of lengths, for tolerances */
} convex_pair;

SCREE_FN convex_pair convex_pair_of(const placed *a, const placed *b)
{
	convex_pair c = {.at_a = a, .at_b = b, .a = a->shape, .b = b->shape, .sa = a->size, .sb = b->size};
	c.turn = (mat3){mat3_tmul(a->turn, b->turn.x), mat3_tmul(a->turn, b->turn.y), mat3_tmul(a->turn, b->turn.z)};
	c.apart = mat3_tmul(a->turn, v3_sub(b->at, a->at));
	c.scale = real_max(c.sa * c.a->radius, c.sb * c.b->radius);
	return c;
}

/* A candidate axis and its separation. Codes start with 1 + face of a, followed by faces of b and pairs of edges. */
typedef struct convex_axis {
	real s;
	int64_t code;
	vec3 n; /* unit vector from a to b, in a's frame */
} convex_axis;

/* A body in its own frame, and the position of the other body. */
typedef struct convex_view {
	const shape *self, *other;
	real size, other_size;
	vec3 at;	   /* centre of the other body */
	mat3 turn;	   /* rotation from the other body's frame to this one */
	real ball;	   /* radius of a ball inside the other body, around its centre */
	int32_t front; /* the face above which the other body's centre is highest */
	/* [faces] heights of that centre above the faces; heights minus the radius of the ball are upper bounds on the
	 * separation */
	real *middle;
	real *deepest; /* [faces] heights of the other body's vertex that is deepest below the front face */
} convex_view;

/* margin, relative to scale, by which an edge axis must beat the faces, since faces win ties */
static const real CONVEX_TIE = 1e-9;

/* Keeps the part of a search's result that a new search would certainly find as well. edges->s is -INFINITY if the face
 * is best. */
void scree_convex_keep(const convex_pair *c, const convex_view *a, const convex_view *b, const convex_axis *face,
					   const convex_axis *edges, uint8_t *waited, pair_kept *kept);
/* Tests whether the kept result is certain to be valid for the current poses of the bodies. */
bool scree_convex_holds(const convex_pair *c, const pair_kept *kept);

/* Computes the patch between the reference face with code `face` and the part of the other body below it, in world axes
 * relative to a's centre. Returns the area that the patch covers on the reference face, or 0 if the patch has no
 * points. */
real scree_convex_face_patch(const convex_pair *c, const convex_axis *face, patch *out);

SCREE_FN mat3 mat3_transposed(mat3 m)
{
	return (mat3){v3(m.x.x, m.y.x, m.z.x), v3(m.x.y, m.y.y, m.z.y), v3(m.x.z, m.y.z, m.z.z)};
}

/* Minimum of n.v over the unit shape's vertices. */
SCREE_FN real convex_lowest(const shape *s, vec3 n)
{
	real low = INFINITY;
	const real *x = s->vx, *y = s->vy, *z = s->vz;
	int32_t count = s->padded & ~7; /* the mask lets the compiler infer that there is no remainder */
#pragma omp simd reduction(min : low)
	for (int32_t k = 0; k < count; ++k) {
		real d = n.x * x[k] + n.y * y[k] + n.z * z[k];
		low = d < low ? d : low;
	}
	return low;
}

/* Returns n.p - off for a face of a body, in the body's frame. */
SCREE_FN real convex_height(const shape *s, real size, int32_t f, vec3 p)
{
	return s->nx[f] * p.x + s->ny[f] * p.y + s->nz[f] * p.z - size * s->off[f];
}

/* Computes n.p - off for all faces. */
SCREE_FN void convex_heights(const shape *s, real size, vec3 p, real *height)
{
	int32_t count = s->faces;
#pragma omp simd
	for (int32_t f = 0; f < count; ++f) height[f] = convex_height(s, size, f, p);
}

/* Separation along face f. middle: height of the other body's centre above the face */
SCREE_FN real convex_face_separation(const convex_view *v, int32_t f, real middle)
{
	return middle + v->other_size * convex_lowest(v->other, mat3_tmul(v->turn, shape_normal(v->self, f)));
}

SCREE_FN vec3 convex_edge(const shape *s, int32_t e)
{
	return v3_sub(shape_vertex(s, s->ends[2 * e + 1]), shape_vertex(s, s->ends[2 * e]));
}

/* Returns the start of an edge, in a's frame. */
SCREE_FN vec3 convex_edge_start_a(const convex_pair *c, int32_t e)
{
	return v3_mul(c->sa, shape_vertex(c->a, c->a->ends[2 * e]));
}

SCREE_FN vec3 convex_edge_start_b(const convex_pair *c, int32_t e)
{
	return v3_add(c->apart, v3_mul(c->sb, mat3_mul(c->turn, shape_vertex(c->b, c->b->ends[2 * e]))));
}

/* Returns the two edges of an edge axis. */
SCREE_FN void convex_edges_of(const convex_pair *c, int64_t code, int32_t *ea, int32_t *eb)
{
	int64_t pair = code - 1 - c->a->faces - c->b->faces;
	*ea = (int32_t)(pair / c->b->edges);
	*eb = (int32_t)(pair % c->b->edges);
}

/* Finds the closest points of two lines p + s u and q + t w, with d = p - q, as values of s and t. */
SCREE_FN void convex_closest(vec3 u, vec3 w, vec3 d, real *s, real *t)
{
	real uu = v3_norm2(u), ww = v3_norm2(w), uw = v3_dot(u, w), ud = v3_dot(u, d), wd = v3_dot(w, d);
	real den = uu * ww - uw * uw;
	den =
		den > 0 ? den : uu * ww; /* edges are not parallel, since the axis was valid, but the rounded value may be 0 */
	*s = (uw * wd - ww * ud) / den;
	*t = (uu * wd - uw * ud) / den;
}

#endif
