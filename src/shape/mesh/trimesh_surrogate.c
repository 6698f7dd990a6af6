/* trimesh_surrogate: one triangle that represents the triangles of a node, if these are few. The surrogate is parallel
 * to the mean plane of these triangles and equally wide, or somewhat narrower if this reduces the largest distance. The
 * distance from a convex body is a convex function, so its maximum on a triangle is at a corner. The largest distance
 * of a corner from the surrogate, plus rounding, is thus a proven bound for all points. */
#include "base/memory.h"
#include "kernel/triangle.h"
#include "shape/mesh/trimesh_internal.h"

/* Surfaces with fewer triangles have no surrogates, because boxes are then equally good (docs/theory/halo.md). Nodes
 * with more than SURROGATE_MOST triangles are too curved. */
enum { SURROGATES_FROM = 1000, SURROGATE_MOST = 64, TURNS = 3, SIZES = 3 };

/* cosine and sine of 40 degrees: a third of the angle by which an equilateral triangle is rotated onto itself */
static const real COSINE = (real)0.76604444311897804, SINE = (real)0.64278760968653933;
static const real HALF_ROOT = (real)0.86602540378443865; /* half of the square root of 3 */
static const real SHRINKS[SIZES] = {1, (real)0.8, (real)0.6};
static const real WIDE = (real)0.05;	 /* cost of a surrogate's width relative to the cost of its distance */
static const real ROUNDED = (real)1e-14; /* accuracy of positions and distances, relative to the extent */

typedef struct below {
	const trimesh *m;
	int32_t first, last; /* range of triangles; `last` is one past the last triangle */
} below;

static vec3 corner_of(const below *o, int32_t side) { return o->m->vertex[o->m->corner[side]]; }

static below below_of(const trimesh *m, int32_t node)
{
	const trimesh_node *low = m->node + node, *high = low;
	while (!low->count) low = m->node + low->first;
	while (!high->count) high = m->node + high->first + 1;
	return (below){m, low->first, high->first + high->count};
}

static vec3 mean_normal(const below *o)
{
	vec3 sum = v3(0, 0, 0);
	for (int32_t t = o->first; t < o->last; ++t) {
		const vec3 p = corner_of(o, 3 * t);
		sum = v3_add(sum, v3_cross(v3_sub(corner_of(o, 3 * t + 1), p), v3_sub(corner_of(o, 3 * t + 2), p)));
	}
	return sum;
}

static real distance_from(const vec3 *c, vec3 p)
{
	const vec3 r = v3_sub(c[0], p), e = v3_sub(c[1], c[0]), f = v3_sub(c[2], c[0]);
	const tri_weights w = tri_closest(t3(r.x, r.y, r.z), t3(e.x, e.y, e.z), t3(f.x, f.y, f.z));
	return v3_norm(v3_madd(v3_madd(r, w.b, e), w.c, f));
}

static real farthest(const below *o, const vec3 *c)
{
	real most = 0;
	for (int32_t k = 3 * o->first; k < 3 * o->last; ++k) most = real_max(most, distance_from(c, corner_of(o, k)));
	return most + ROUNDED * o->m->extent;
}

/* the equilateral triangle around all, with a side along x, halfway between the lowest and the highest corner */
static void around(const below *o, vec3 x, vec3 z, vec3 *c)
{
	const vec3 y = v3_cross(z, x);
	real low = INFINITY, high = -INFINITY, side[3] = {-INFINITY, -INFINITY, -INFINITY};
	for (int32_t k = 3 * o->first; k < 3 * o->last; ++k) {
		const vec3 p = corner_of(o, k);
		const real px = v3_dot(x, p), py = v3_dot(y, p), pz = v3_dot(z, p);
		low = real_min(low, pz), high = real_max(high, pz);
		side[0] = real_max(side[0], -py);
		side[1] = real_max(side[1], HALF_ROOT * px + py / 2);
		side[2] = real_max(side[2], -HALF_ROOT * px + py / 2);
	}
	const real base = -side[0];
	const real across[3] = {-(side[2] - base / 2) / HALF_ROOT, (side[1] - base / 2) / HALF_ROOT,
							(side[1] - side[2]) / (2 * HALF_ROOT)};
	const real up[3] = {base, base, side[1] + side[2]};
	for (int k = 0; k < 3; ++k) c[k] = v3_madd(v3_madd(v3_mul((low + high) / 2, z), across[k], x), up[k], y);
}

static void shrink(const vec3 *c, real by, vec3 *to)
{
	const vec3 middle = v3_mul((real)1 / 3, v3_add(c[0], v3_add(c[1], c[2])));
	for (int k = 0; k < 3; ++k) to[k] = v3_madd(middle, by, v3_sub(c[k], middle));
}

static trimesh_surrogate surrogate_of(const below *o)
{
	trimesh_surrogate best = {.radius = INFINITY};
	const vec3 sum = mean_normal(o);
	if (o->last - o->first > SURROGATE_MOST || !(v3_norm(sum) > 0)) return best;
	const vec3 z = v3_unit(sum), least = v3_norm2(v3_cross(z, v3(1, 0, 0))) > (real)0.25 ? v3(1, 0, 0) : v3(0, 1, 0);
	vec3 x = v3_unit(v3_cross(z, least));
	real cost = INFINITY;
	for (int turn = 0; turn < TURNS; ++turn) {
		vec3 whole[3], c[3];
		around(o, x, z, whole);
		for (int k = 0; k < SIZES; ++k) {
			shrink(whole, SHRINKS[k], c);
			const real radius = farthest(o, c), costs = radius + WIDE * v3_norm(v3_sub(c[1], c[0]));
			if (costs < cost) cost = costs, best = (trimesh_surrogate){{c[0], c[1], c[2]}, z, radius};
		}
		x = v3_madd(v3_mul(COSINE, x), SINE, v3_cross(z, x));
	}
	return best;
}

void scree_trimesh_make_surrogates(trimesh *m)
{
	scree_free(m->surrogate);
	m->surrogate = NULL;
	if (m->triangles < SURROGATES_FROM) return;
	m->surrogate = scree_alloc((size_t)m->nodes, sizeof *m->surrogate);
	for (int32_t k = 0; k < m->nodes; ++k) {
		const below o = below_of(m, k);
		m->surrogate[k] = surrogate_of(&o);
	}
}
