/* parts_flatten: moves vertices onto the planes of their faces. Planes are fitted to the corners of their triangles,
 * and corners are moved to their planes by least squares, until planes and corners agree. A corner of three planes
 * converges immediately; other corners also move the planes. Planes with only one triangle impose no conditions. */
#include "shape/parts/convex_parts.h"

#include "base/memory.h"
#include "base/sort.h"
#include "shape/parts/parts.h"

enum { TURNS = 500 };
static const real STIFF = 1e-10; /* stiffness that holds a corner in place in directions along its planes */
static const real SETTLED = 1e-14;

/* a corner and a plane that contains it */
typedef struct place {
	int32_t plane, corner;
} place;

/* finds each pair of a corner and a plane once, except planes with three corners; returns the number of pairs */
static int32_t find_places(const parts_mesh *m, place *p)
{
	int32_t count = 0, kept = 0;
	for (int32_t k = 0; k < 3 * m->triangles; ++k) p[k] = (place){m->side[k / 3] >> 1, m->corner[k]};
	scree_sort_by(p, 3 * (int64_t)m->triangles, sizeof *p, scree_sort_two);
	for (int32_t k = 0; k < 3 * m->triangles; ++k)
		if (k == 0 || scree_sort_two(p + k, p + count - 1) != 0) p[count++] = p[k];
	for (int32_t k = 0, end; k < count; k = end) {
		for (end = k; end < count && p[end].plane == p[k].plane;) ++end;
		for (int32_t n = k; end - k > 3 && n < end; ++n) p[kept++] = p[n];
	}
	return kept;
}

/* fits planes to the areas and corners of their triangles */
static void fit_planes(parts_space *s, const parts_mesh *m, vec3 *area, vec3 *middle, real *weight)
{
	for (int32_t k = 0; k < s->planes; ++k) area[k] = middle[k] = v3(0, 0, 0), weight[k] = 0;
	for (int32_t t = 0; t < m->triangles; ++t) {
		const int32_t *c = m->corner + 3 * t, k = m->side[t] >> 1;
		vec3 a = s->point[c[0]], b = s->point[c[1]], d = s->point[c[2]];
		vec3 own = v3_cross(v3_sub(b, a), v3_sub(d, a));
		real w = v3_norm(own);
		area[k] = v3_madd(area[k], m->side[t] & 1 ? -1 : 1, own);
		middle[k] = v3_madd(middle[k], w / 3, v3_add(a, v3_add(b, d)));
		weight[k] += w;
	}
	for (int32_t k = 0; k < s->planes; ++k) {
		if (!(weight[k] > 0)) continue;
		s->plane[k].normal = v3_unit(area[k]);
		s->plane[k].off = v3_dot(s->plane[k].normal, middle[k]) / weight[k];
	}
}

/* solves the symmetric system m x = b, m = xx yy zz xy yz zx, positive definite (Cholesky) */
static vec3 solve(const real m[6], vec3 b)
{
	real a = sqrt(m[0]), u = m[3] / a, v = m[5] / a;
	real d = sqrt(m[1] - u * u), w = (m[4] - u * v) / d;
	real f = sqrt(m[2] - v * v - w * w);
	real x = b.x / a, y = (b.y - u * x) / d, z = (b.z - v * x - w * y) / f;
	z /= f;
	y = (y - w * z) / d;
	return v3((x - u * y - v * z) / a, y, z);
}

/* moves each corner to its planes; returns the largest displacement */
static real move_corners(parts_space *s, const place *p, int32_t count, real *matrix, vec3 *right)
{
	real most = 0;
	for (int32_t k = 0; k < s->points; ++k) {
		right[k] = v3(0, 0, 0);
		for (int n = 0; n < 6; ++n) matrix[6 * k + n] = n < 3 ? STIFF : 0;
	}
	for (int32_t k = 0; k < count; ++k) {
		vec3 n = s->plane[p[k].plane].normal;
		real off = parts_height(s, p[k].corner, p[k].plane), *m = matrix + 6 * p[k].corner;
		most = real_max(most, real_abs(off));
		right[p[k].corner] = v3_madd(right[p[k].corner], -off, n);
		m[0] += n.x * n.x, m[1] += n.y * n.y, m[2] += n.z * n.z, m[3] += n.x * n.y, m[4] += n.y * n.z,
			m[5] += n.z * n.x;
	}
	for (int32_t k = 0; k < s->points; ++k) s->point[k] = v3_add(s->point[k], solve(matrix + 6 * k, right[k]));
	return most;
}

static real settle(parts_space *s, const parts_mesh *m)
{
	size_t planes = (size_t)s->planes, points = (size_t)s->points;
	place *p = scree_alloc(3 * (size_t)m->triangles, sizeof *p);
	vec3 *area = scree_alloc(planes, sizeof *area), *middle = scree_alloc(planes, sizeof *middle);
	real *weight = scree_alloc(planes, sizeof *weight), *matrix = scree_alloc(6 * points, sizeof *matrix), off = 1;
	vec3 *right = scree_alloc(points, sizeof *right);
	int32_t count = find_places(m, p);
	for (int turn = 0; off > SETTLED && turn < TURNS; ++turn) {
		fit_planes(s, m, area, middle, weight);
		off = move_corners(s, p, count, matrix, right);
	}
	scree_free(p), scree_free(area), scree_free(middle), scree_free(weight), scree_free(matrix), scree_free(right);
	return off;
}

bool scree_convex_parts_flatten(const char *name, int32_t vertices, vec3 *vertex, int32_t triangles,
								const int32_t *triangle, real within, real *moved, fail *why)
{
	vec3 low = vertex[0], high = low;
	for (int32_t k = 1; k < vertices; ++k) v3_widen(&low, &high, vertex[k]);
	vec3 centre = v3_mul((real)0.5, v3_add(low, high)), wide = v3_sub(high, centre);
	real scale = v3_greatest(wide);
	if (!(scale > 0)) return scree_refuse(why, "mesh '%s': all its vertices are at one point", name);
	vec3 *point = scree_alloc((size_t)vertices, sizeof *point);
	for (int32_t k = 0; k < vertices; ++k) point[k] = v3_mul(1 / scale, v3_sub(vertex[k], centre));
	parts_space s = scree_parts_space_start(vertices, point, within / scale);
	parts_mesh m;
	bool good = scree_parts_mesh_start(&m, &s, triangles, triangle);
	if (!good) scree_refuse(why, "mesh '%s' is open: some of its edges do not belong to two triangles", name);
	real off = good ? settle(&s, &m) : 0, far = 0;
	for (int32_t k = 0; k < vertices; ++k) far = real_max(far, v3_norm(v3_sub(s.point[k], point[k])));
	*moved = far * scale;
	if (good && !(off <= 100 * SETTLED && far <= 10 * within / scale))
		good = scree_refuse(
			why, "mesh '%s': its faces cannot be made flat: vertices that were moved by %g are still %g off the planes",
			name, *moved, off * scale);
	for (int32_t k = 0; good && k < vertices; ++k) {
		vec3 d = v3_sub(s.point[k], point[k]);
		if (v3_norm2(d) > 0) vertex[k] = v3_madd(vertex[k], scale, d);
	}
	scree_parts_mesh_free(&m);
	scree_parts_space_free(&s);
	scree_free(point);
	return good;
}
