/* sat_help.h: the separation of two polyhedra by brute force, over all candidate axes. */
#ifndef SCREE_TESTS_SAT_HELP_H
#define SCREE_TESTS_SAT_HELP_H

#include "kernel/quat.h"
#include "narrow/narrow.h"
#include "test.h"

SCREE_FN vec3 vertex(const placed *p, int32_t k)
{
	const shape *s = p->shape;
	return v3_add(p->at, mat3_mul(p->turn, v3_mul(p->size, v3(s->vx[k], s->vy[k], s->vz[k]))));
}

enum { SAT_POINTS = 128 };
/* a body in world coordinates, for the oracle */
typedef struct cloud {
	int32_t count;
	vec3 at[SAT_POINTS];
} cloud;

SCREE_FN void make_cloud(const placed *p, cloud *out)
{
	out->count = p->shape->vertices;
	assert_true(out->count <= SAT_POINTS);
	for (int32_t k = 0; k < out->count; ++k) out->at[k] = vertex(p, k);
}

/* the simplest method: separation of all vertices along n or -n, whichever is larger */
SCREE_FN real along(const cloud *a, const cloud *b, vec3 n)
{
	real ah = -INFINITY, al = INFINITY, bh = -INFINITY, bl = INFINITY;
	for (int32_t k = 0; k < a->count; ++k) {
		real d = v3_dot(n, a->at[k]);
		ah = d > ah ? d : ah;
		al = d < al ? d : al;
	}
	for (int32_t k = 0; k < b->count; ++k) {
		real d = v3_dot(n, b->at[k]);
		bh = d > bh ? d : bh;
		bl = d < bl ? d : bl;
	}
	return bl - ah > al - bh ? bl - ah : al - bh;
}

/* largest separation along the normals of all faces and of all pairs of edges: > 0 if the bodies are apart, otherwise
 * minus the depth */
SCREE_FN real oracle(const placed *a, const placed *b)
{
	static cloud p, q;
	make_cloud(a, &p);
	make_cloud(b, &q);
	real best = -INFINITY;
	for (int32_t f = 0; f < a->shape->faces; ++f)
		best = real_max(best, along(&p, &q, mat3_mul(a->turn, v3(a->shape->nx[f], a->shape->ny[f], a->shape->nz[f]))));
	for (int32_t f = 0; f < b->shape->faces; ++f)
		best = real_max(best, along(&p, &q, mat3_mul(b->turn, v3(b->shape->nx[f], b->shape->ny[f], b->shape->nz[f]))));
	for (int32_t i = 0; i < a->shape->edges; ++i) {
		vec3 u = v3_sub(p.at[a->shape->ends[2 * i + 1]], p.at[a->shape->ends[2 * i]]);
		for (int32_t k = 0; k < b->shape->edges; ++k) {
			vec3 w = v3_sub(q.at[b->shape->ends[2 * k + 1]], q.at[b->shape->ends[2 * k]]), n = v3_cross(u, w);
			if (v3_norm2(n) > 1e-20 * v3_norm2(u) * v3_norm2(w)) best = real_max(best, along(&p, &q, v3_unit(n)));
		}
	}
	return best;
}

#endif
