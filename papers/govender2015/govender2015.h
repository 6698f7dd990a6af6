/* govender2015.h: the contact algorithms of Govender, Wilke and Kok (2015) (docs/theory/convex.md, walls.md); private
 * to this folder and its tests. */
#ifndef SCREE_PAPERS_GOVENDER2015_H
#define SCREE_PAPERS_GOVENDER2015_H

#include "narrow/narrow.h"

/* Fractions along the lines a0 + a u and b0 + b w at which the lines are closest, eqs (2)-(5); returns false if the
 * lines are parallel. */
bool scree_govender2015_closest(vec3 a0, vec3 u, vec3 b0, vec3 w, real *a, real *b);
/* Theorem 2: tests whether a point in the plane of a convex polygon is inside the polygon, by the areas of
 * triangles. */
bool scree_govender2015_inside(int32_t corners, const vec3 *corner, vec3 p);

/* A pair of penetrating edges: their lines pass each other on the wrong side. */
typedef struct govender2015_cross {
	real depth; /* > 0; INFINITY: none yet */
	vec3 n, p;	/* unit normal, towards the first body; point midway between the closest points */
} govender2015_cross;

/* Tests the edges a0 .. a0 + u of the first body and b0 .. b0 + w of the second body. Keeps the pair if its edges
 * penetrate each other by less than *best. inside: vector from the second body's centre to the first body's centre,
 * which determines the sign of the normal */
void scree_govender2015_cross(vec3 a0, vec3 u, vec3 b0, vec3 w, vec3 inside, govender2015_cross *best);

/* Algorithm 1 and Algorithm 2, with the arguments of narrow.h; hint is not used. As printed, Algorithm 1 finds edge
 * contacts between bodies that are separated by other edges. */
void scree_govender2015_convex_convex(const placed *a, const placed *b, int32_t hint, patch *out);
void scree_govender2015_convex_convex_printed(const placed *a, const placed *b, int32_t hint, patch *out);
void scree_govender2015_convex_wall(const placed *body, const near_wall *to, touch_list *out);
/* The reason why Algorithm 2 does not support this wall; NULL if it does. */
const char *scree_govender2015_refuses(const walls *s, int32_t wall);

SCREE_FN vec3 govender2015_vertex(const placed *p, int32_t v)
{
	const shape *s = p->shape;
	return v3_add(p->at, mat3_mul(p->turn, v3_mul(p->size, shape_vertex(s, v))));
}

#endif
