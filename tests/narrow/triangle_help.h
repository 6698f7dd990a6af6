/* triangle_help.h: pairs of triangles of many kinds, and the distance between them by a second method in long double.
 */
#ifndef SCREE_TESTS_TRIANGLE_HELP_H
#define SCREE_TESTS_TRIANGLE_HELP_H

#include "test.h"

#include "kernel/quat.h"
#include "narrow/triangle/triangles.h"

typedef long double wide;
typedef struct wide3 {
	wide x, y, z;
} wide3;

static inline wide3 w3_sub(wide3 a, wide3 b) { return (wide3){a.x - b.x, a.y - b.y, a.z - b.z}; }
static inline wide3 w3_madd(wide3 a, wide s, wide3 b) { return (wide3){a.x + s * b.x, a.y + s * b.y, a.z + s * b.z}; }
static inline wide w3_dot(wide3 a, wide3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
static inline wide3 w3_cross(wide3 a, wide3 b)
{
	return (wide3){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
/* long double, so that squares of double values neither underflow nor overflow */
static inline wide w3_norm(wide3 a) { return sqrtl(w3_dot(a, a)); }

/* ------------------------------------------------------------------ the second way
 *
 * Two features, each an affine space of up to two dimensions: their closest points solve a least-squares problem,
 * which is solved by Gram-Schmidt orthogonalization with pivoting, followed by a second solution for the residual. The
 * result, projected onto the triangles, is a distance between two of their points, so it is never less than the true
 * distance; and the smallest one over corner-edge, edge-edge, corner-face and edge-face pairs is the true distance,
 * since the closest points are interior points of one of these pairs. */

static wide bounded(wide x) { return x < 0 ? 0 : x > 1 ? 1 : x; }

/* the n <= 3 numbers x that minimise |r + sum x d|; columns that are combinations of the others up to rounding are
 * skipped */
__attribute__((always_inline)) static inline void solve_least(wide3 r, const wide3 d[3], int n, wide x[3])
{
	wide3 q[3], left[3];
	int order[3], rank = 0;
	bool used[3] = {false, false, false};
	wide part[3][3] = {{0}};
	for (int k = 0; k < n; ++k) left[k] = d[k];
	for (; rank < n; ++rank) {
		int best = -1;
		wide most = 0;
		for (int k = 0; k < n; ++k) {
			wide square = used[k] ? 0 : w3_dot(left[k], left[k]);
			if (!used[k] && (best < 0 || square > most)) best = k, most = square;
		}
		if (!(most > 1e-34L * w3_dot(d[best], d[best]))) break;
		wide norm = sqrtl(most);
		used[best] = true, order[rank] = best;
		q[rank] = (wide3){left[best].x / norm, left[best].y / norm, left[best].z / norm};
		/* columns are orthogonalized twice, so that they are perpendicular to q up to the last digit */
		for (int k = 0; k < n; ++k)
			for (int twice = 0; twice < 2 && !used[k]; ++twice) {
				wide along = w3_dot(left[k], q[rank]);
				left[k] = w3_madd(left[k], -along, q[rank]);
				part[rank][k] += along;
			}
		part[rank][best] = norm;
	}
	for (int again = 0; again < 4; ++again) {
		wide3 rest = r;
		wide y[3] = {0};
		for (int k = 0; k < n; ++k) rest = w3_madd(rest, x[k], d[k]);
		for (int k = rank - 1; k >= 0; --k) {
			y[k] = -w3_dot(rest, q[k]);
			for (int l = k + 1; l < rank; ++l) y[k] -= part[k][order[l]] * y[l];
			y[k] /= part[k][order[k]];
		}
		bool moved = false;
		for (int k = 0; k < rank; ++k) {
			wide was = x[order[k]];
			x[order[k]] += y[k];
			moved = moved || fabsl(x[order[k]] - was) > 0x1p-62L * fabsl(was);
		}
		if (!moved) return;
	}
}

/* optimises along one direction after another, each within its bounds, starting at x; for the two weights of a face,
 * `face` is that face */
static wide settled(wide3 r, const wide3 d[3], int n, const int of_face[2], wide x[3])
{
	for (int k = 0; k < n; ++k) x[k] = bounded(x[k]);
	if (of_face[0] >= 0 && x[of_face[0]] + x[of_face[1]] > 1) {
		wide sum = x[of_face[0]] + x[of_face[1]];
		x[of_face[0]] /= sum, x[of_face[1]] = 1 - x[of_face[0]];
	}
	for (int k = 0; k < n; ++k) r = w3_madd(r, x[k], d[k]);
	return w3_norm(r);
}

__attribute__((always_inline)) static inline void lesser(wide *best, wide3 r, const wide3 d[3], int n, bool face)
{
	int of_face[2] = {face ? 0 : -1, face ? 1 : -1};
	wide x[3] = {0, 0, 0};
	solve_least(r, d, n, x);
	wide one = settled(r, d, n, of_face, x);
	*best = one < *best ? one : *best;
}

/* Returns whether all points of r + s u, and of r + s u - t v with 0 <= s, t <= 1, are farther from the origin than
 * this. */
static bool beyond(wide far, wide3 r, wide3 u, wide3 v)
{
	wide3 middle = w3_madd(w3_madd(r, 0.5L, u), -0.5L, v);
	return w3_norm(middle) - 0.5L * (w3_norm(u) + w3_norm(v)) > far;
}

/* Returns whether both ends of an edge are certainly on the same side of a face, despite rounding. The edge then does
 * not pass through the face, and its closest point is either an end or above an edge of the face. */
static bool one_side(const wide3 face[2], wide3 r, wide3 s)
{
	wide3 n = w3_cross(face[0], face[1]);
	wide far = fmaxl(w3_norm(r), w3_norm(s)), sure = 1e-17L * w3_norm(face[0]) * w3_norm(face[1]) * far;
	wide up = w3_dot(n, r), down = w3_dot(n, s);
	return (up > sure && down > sure) || (up < -sure && down < -sure);
}

/* Returns whether all points of r + s u + t v, for any s and t, are certainly farther from the origin than this,
 * despite rounding. */
static bool plane_beyond(wide far, wide3 r, wide3 u, wide3 v)
{
	wide3 n = w3_cross(u, v);
	return fabsl(w3_dot(n, r)) - 1e-17L * w3_norm(u) * w3_norm(v) * w3_norm(r) > far * w3_norm(n);
}

static void corner_and_edge(wide *best, const wide3 p[6], int corner, int edge)
{
	const wide3 *t = corner < 3 ? p + 3 : p;
	wide3 r = w3_sub(t[edge], p[corner]), d[3] = {w3_sub(t[(edge + 1) % 3], t[edge])};
	if (!beyond(*best, r, d[0], (wide3){0, 0, 0})) lesser(best, r, d, 1, false);
}

static void two_edges(wide *best, const wide3 p[6], int e, int f)
{
	const wide3 *a = p, *b = p + 3;
	wide3 r = w3_sub(a[e], b[f]), d[3] = {w3_sub(a[(e + 1) % 3], a[e]), w3_sub(b[f], b[(f + 1) % 3])};
	if (!plane_beyond(*best, r, d[0], d[1])) lesser(best, r, d, 2, false);
}

/* a corner above a face, and the edge from this corner through the face */
static void corner_and_face(wide *best, const wide3 p[6], int corner)
{
	const wide3 *t = corner < 3 ? p + 3 : p, *c = corner < 3 ? p : p + 3;
	int i = corner % 3, j = (i + 1) % 3;
	wide3 r = w3_sub(t[0], c[i]), d[3] = {w3_sub(t[1], t[0]), w3_sub(t[2], t[0]), w3_sub(c[i], c[j])};
	if (!plane_beyond(*best, r, d[0], d[1])) lesser(best, r, d, 2, true);
	if (!one_side(d, r, w3_sub(t[0], c[j]))) lesser(best, r, d, 3, true);
}

/* The distance between triangles p[0..2] and p[3..5]. Pairs whose lower bounds exceed a distance already found are not
 * solved. */
static wide true_distance(const wide3 p[6])
{
	wide best = INFINITY;
	for (int c = 0; c < 6; ++c)
		for (int e = 0; e < 3; ++e) corner_and_edge(&best, p, c, e);
	for (int c = 0; c < 6; ++c) corner_and_face(&best, p, c);
	for (int e = 0; e < 3; ++e)
		for (int f = 0; f < 3; ++f) two_edges(&best, p, e, f);
	return best;
}

/* ------------------------------------------------------------------ pairs */

enum pair_kind {
	ANYHOW,		 /* near or far */
	PARALLEL,	 /* two edges at small angles down to zero, and two parallel edges */
	COPLANAR,	 /* disjoint, overlapping, or one inside the other */
	SHARING,	 /* with a common corner, a common edge, or identical */
	NEEDLES,	 /* increasingly thin, down to zero thickness */
	DEGENERATE,	 /* points and segments */
	OVER_FACE,	 /* a corner above a face, with a gap from 0 to 1 */
	OVER_EDGE,	 /* two crossed edges, with a gap from 0 to 1 */
	AT_CORNER,	 /* a corner near an edge or a corner, with a gap from 0 to 1 */
	CROSSING,	 /* one triangle crosses the other, deeply or slightly */
	LARGE_SMALL, /* triangles of very different sizes */
	ELSEWHERE,	 /* far from the origin */
	PAIR_KINDS
};

/* 10^-x, x from 0 to n, or 0 */
static real tiny(random_stream *r, real n)
{
	uint32_t which = scree_random_bits(r) % 8;
	real x = 1;
	if (which == 0) return 0;
	for (real k = scree_random_between(r, 0, n); k > 0; --k) x *= k < 1 ? 1 - (real)0.9 * k : (real)0.1;
	return x;
}

/* in separate statements, because compilers choose the order in which they evaluate arguments */
static vec3 somewhere(random_stream *r, real size)
{
	vec3 o;
	o.x = scree_random_between(r, -size, size);
	o.y = scree_random_between(r, -size, size);
	o.z = scree_random_between(r, -size, size);
	return o;
}

static real quarter(real x) { return (real)(int64_t)(4 * x) / 4; }
static vec3 low_digits(vec3 a) { return v3(quarter(a.x), quarter(a.y), quarter(a.z)); }

/* corners p[0..2] and p[3..5] */
static void make_kind(random_stream *r, enum pair_kind kind, vec3 p[6])
{
	real gap = tiny(r, 16), angle = tiny(r, 17);
	for (int k = 0; k < 6; ++k) p[k] = somewhere(r, 1);
	switch (kind) {
	case ANYHOW: {
		real far = scree_random_between(r, 0, 8);
		vec3 away = v3_mul(far, scree_random_direction(r));
		for (int k = 3; k < 6; ++k) p[k] = v3_add(p[k], away);
		break;
	}
	case PARALLEL: {
		vec3 along = v3_sub(p[1], p[0]), from = v3_madd(p[0], scree_random_between(r, -2, 2), along);
		p[3] = v3_madd(from, gap, scree_random_direction(r));
		p[4] = v3_madd(p[3], scree_random_between(r, -2, 2), along);
		p[4] = v3_madd(p[4], angle, somewhere(r, 1));
		break;
	}
	case COPLANAR:
		for (int k = 0; k < 6; ++k) p[k].z = (real)0.25 * (k > 2) * gap;
		break;
	case SHARING: {
		uint32_t shared = scree_random_bits(r) % 4, turn = scree_random_bits(r);
		for (uint32_t k = 0; k < shared; ++k) p[3 + (k + turn) % 3] = v3_madd(p[k], angle, somewhere(r, 1));
		break;
	}
	case NEEDLES:
		p[2] = v3_madd(p[0], scree_random_between(r, -1, 2), v3_sub(p[1], p[0]));
		p[2] = v3_madd(p[2], angle, somewhere(r, 1));
		if (scree_random_bits(r) % 2) {
			p[5] = v3_madd(p[3], scree_random_between(r, 0, 1), v3_sub(p[4], p[3]));
			p[5] = v3_madd(p[5], gap, somewhere(r, 1));
		}
		break;
	case DEGENERATE: {
		uint32_t how = scree_random_bits(r);
		if (how & 1) p[1] = p[0];
		if (how & 2) p[2] = p[how & 16 ? 0 : 1];
		if (how & 4) p[4] = p[3];
		if (how & 8) p[5] = p[4];
		if (how & 32) p[3] = p[0];
		break;
	}
	case OVER_FACE: {
		vec3 n = v3_unit(v3_cross(v3_sub(p[1], p[0]), v3_sub(p[2], p[0])));
		real b = scree_random_real(r), c = scree_random_real(r);
		vec3 foot = v3_madd(v3_madd(p[0], b, v3_sub(p[1], p[0])), c * (1 - b), v3_sub(p[2], p[0]));
		real height = v3_dot(n, foot);
		p[3] = v3_madd(foot, gap, n);
		for (int k = 4; k < 6; ++k) {
			real up = v3_dot(n, p[k]) - height;
			p[k] = v3_madd(p[k], (up < 0 ? -2 * up : 0) + gap, n);
			if (scree_random_bits(r) % 3 == 0) p[k] = v3_madd(p[k], height + gap - v3_dot(n, p[k]), n);
		}
		break;
	}
	case OVER_EDGE: {
		real tilt = scree_random_between(r, 0, 1);
		tilt *= tiny(r, 12);
		p[0] = v3(-1, 0, 0), p[1] = v3(scree_random_between(r, 0, 1), 0, 0), p[2].z = -tiny(r, 12);
		vec3 along = v3(scree_random_between(r, -1, 1), tilt, 0);
		p[3] = v3(-along.x, -along.y, gap), p[4] = v3(along.x, along.y, gap), p[5].z = gap + tiny(r, 12);
		break;
	}
	case AT_CORNER: {
		vec3 on = scree_random_bits(r) % 2 ? p[0] : v3_madd(p[0], scree_random_real(r), v3_sub(p[1], p[0]));
		vec3 out = v3_unit(v3_sub(on, p[2]));
		p[3] = v3_madd(v3_madd(on, gap, out), gap * angle, somewhere(r, 1));
		for (int k = 4; k < 6; ++k) p[k] = v3_madd(p[3], 1, somewhere(r, 1));
		if (scree_random_bits(r) % 2)
			for (int k = 4; k < 6; ++k) p[k] = v3_madd(p[k], 2 * real_abs(v3_dot(v3_sub(p[k], p[3]), out)), out);
		break;
	}
	case CROSSING: {
		vec3 inside = v3_mul((real)1 / 3, v3_add(p[0], v3_add(p[1], p[2])));
		vec3 way = scree_random_direction(r);
		p[3] = v3_madd(inside, gap, way);
		uint32_t beyond = scree_random_bits(r) % 2;
		p[4] = v3_madd(inside, -gap - scree_random_real(r) * beyond, way);
		break;
	}
	case LARGE_SMALL: {
		vec3 end = p[1 + scree_random_bits(r) % 2], at = v3_madd(p[0], scree_random_real(r), v3_sub(end, p[0]));
		for (int k = 3; k < 6; ++k) p[k] = v3_madd(v3_madd(at, angle, p[k]), gap, scree_random_direction(r));
		break;
	}
	default: {
		vec3 away = v3_mul(1 / (gap + (real)1e-9), scree_random_direction(r));
		for (int k = 0; k < 6; ++k) p[k] = v3_add(p[k], away);
	}
	}
}

/* A pair of one of these kinds, in either order; some pairs are on a coarse lattice with many coincidences, and some
 * are rotated. */
static void make_pair(random_stream *r, enum pair_kind kind, vec3 p[6])
{
	vec3 q[6];
	uint32_t how = scree_random_bits(r), turn = scree_random_bits(r);
	mat3 m = quat_matrix(scree_random_rotation(r));
	make_kind(r, kind, q);
	for (int k = 0; k < 6; ++k) {
		if (how % 8 == 0) q[k] = low_digits(q[k]);
		if (how % 8 > 3) q[k] = mat3_mul(m, q[k]);
	}
	for (uint32_t k = 0; k < 6; ++k)
		p[(k + (how & 64 ? 3 : 0)) % 6] = q[k < 3 ? (k + turn) % 3 : 3 + (k + turn / 4) % 3];
}

#endif
