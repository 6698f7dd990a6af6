/* clump_near: the point of a surface of triangles nearest to a given point. The search visits the nearer of two boxes
 * first, and skips boxes that are farther than the best result. */
#include "kernel/triangle.h"
#include "shape/clump/clump_internal.h"

static real box_apart2(const trimesh_node *n, vec3 p)
{
	real x = real_max(0, real_max(n->low.x - p.x, p.x - n->high.x));
	real y = real_max(0, real_max(n->low.y - p.y, p.y - n->high.y));
	real z = real_max(0, real_max(n->low.z - p.z, p.z - n->high.z));
	return x * x + y * y + z * z;
}

static void look_at(const trimesh *m, vec3 p, int32_t t, near_surface *best, real *best2)
{
	const int32_t *c = &m->corner[3 * (int64_t)t];
	vec3 a = m->vertex[c[0]], b = v3_sub(m->vertex[c[1]], a), d = v3_sub(m->vertex[c[2]], a), r = v3_sub(a, p);
	tri_weights w = tri_closest(t3(r.x, r.y, r.z), t3(b.x, b.y, b.z), t3(d.x, d.y, d.z));
	vec3 way = v3_madd(v3_madd(r, w.b, b), w.c, d);
	real apart2 = v3_norm2(way);
	if (!(apart2 < *best2)) return;
	*best2 = apart2;
	best->at = v3_add(p, way);
	best->triangle = t;
}

near_surface scree_trimesh_near(const trimesh *m, vec3 p, int32_t hint)
{
	enum { MOST = 128 };
	near_surface best = {.triangle = hint};
	real best2 = (real)INFINITY, apart2[MOST];
	int32_t wait[MOST];
	int waiting = 1;
	look_at(m, p, hint, &best, &best2);
	wait[0] = 0;
	apart2[0] = box_apart2(&m->node[0], p);
	while (waiting > 0) {
		--waiting;
		const trimesh_node *n = &m->node[wait[waiting]];
		if (!(apart2[waiting] < best2)) continue;
		for (int32_t k = 0; k < n->count; ++k) look_at(m, p, n->first + k, &best, &best2);
		if (n->count > 0) continue;
		real one = box_apart2(&m->node[n->first], p), two = box_apart2(&m->node[n->first + 1], p);
		SCREE_ASSERT(waiting + 2 <= MOST);
		bool swap = one < two; /* the nearer one is taken off the stack first */
		wait[waiting] = n->first + (swap ? 1 : 0), apart2[waiting++] = swap ? two : one;
		wait[waiting] = n->first + (swap ? 0 : 1), apart2[waiting++] = swap ? one : two;
	}
	best.apart = sqrt(best2);
	return best;
}
