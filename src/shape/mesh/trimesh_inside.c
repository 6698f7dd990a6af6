/* trimesh_inside: tests whether a point is inside: it is if its ray along x leaves the surface more often than it
 * enters.
 *
 * All signs are exact. If the ray meets a side or a vertex, the point counts as moved by an infinitesimal amount along
 * y, and by a far smaller one along z (Edelsbrunner and Muecke 1990): every ray then meets only the interior of
 * triangles. */
#include "base/orient.h"
#include "shape/mesh/trimesh_internal.h"

/* orientation of p, a, b seen along x, with p moved: never 0 unless a and b coincide in this view */
static int turn_of(vec3 p, vec3 a, vec3 b)
{
	int turn = scree_orient2(p.y, p.z, a.y, a.z, b.y, b.z);
	if (turn) return turn;
	if (a.z != b.z) return a.z > b.z ? 1 : -1;
	return (b.y > a.y) - (b.y < a.y);
}

static bool on_ray(const trimesh_node *n, vec3 p)
{
	return p.x <= n->high.x && n->low.y <= p.y && p.y <= n->high.y && n->low.z <= p.z && p.z <= n->high.z;
}

/* 1: the ray leaves the surface here, -1: it enters, 0: it misses */
static int crossing(vec3 a, vec3 b, vec3 c, vec3 p)
{
	int turn = turn_of(p, a, b);
	if (!turn || turn_of(p, b, c) != turn || turn_of(p, c, a) != turn) return 0;
	/* the outside of a triangle that is counter-clockwise seen along x is ahead: p must be behind its plane */
	return scree_orient3(a, b, c, p) == -turn ? turn : 0;
}

int scree_trimesh_inside(const trimesh *m, vec3 p)
{
	int32_t wait[TRIMESH_DEPTH];
	int waiting = 0, leaves = 0;
	wait[waiting++] = 0;
	while (waiting) {
		const trimesh_node *n = m->node + wait[--waiting];
		if (!on_ray(n, p)) continue;
		if (!n->count) {
			wait[waiting++] = n->first;
			wait[waiting++] = n->first + 1;
			continue;
		}
		for (int32_t t = n->first; t < n->first + n->count; ++t) {
			const int32_t *k = m->corner + 3 * t;
			vec3 a = m->vertex[k[0]], b = m->vertex[k[1]], c = m->vertex[k[2]];
			if (v3_boxes_meet(n->low, n->high, p, p) && scree_triangle_holds(a, b, c, p)) return 0;
			leaves += crossing(a, b, c, p);
		}
	}
	return leaves > 0 ? 1 : -1;
}
