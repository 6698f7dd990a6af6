/* principal: computes principal axes by Jacobi's method (Golub and Van Loan, 8.5) with a fixed order of rotations and
 * only + - * / sqrt, so the frame is the same on every machine. The axes are not sorted: they are the nearest to the
 * user's axes, or exactly those axes if the inertia is already diagonal (boxes, and bodies with equal moments). */
#include "shape/principal.h"

#include "kernel/quat.h"

static const real DIAGONAL = 1e-12; /* products of inertia, relative to the trace, that count as zero */

void scree_add_tetrahedron(moments *to, vec3 u, vec3 v, vec3 w)
{
	real volume = v3_dot(u, v3_cross(v, w)) / 6, part = volume / 20, *second = to->second.m;
	vec3 s = v3_add(u, v3_add(v, w));
	to->volume += volume;
	to->first = v3_madd(to->first, volume / 4, s);
	second[0] += part * (s.x * s.x + u.x * u.x + v.x * v.x + w.x * w.x);
	second[1] += part * (s.y * s.y + u.y * u.y + v.y * v.y + w.y * w.y);
	second[2] += part * (s.z * s.z + u.z * u.z + v.z * v.z + w.z * w.z);
	second[3] += part * (s.x * s.y + u.x * u.y + v.x * v.y + w.x * w.y);
	second[4] += part * (s.x * s.z + u.x * u.z + v.x * v.z + w.x * w.z);
	second[5] += part * (s.y * s.z + u.y * u.z + v.y * v.z + w.y * w.z);
}

/* Applies one Jacobi rotation to a in the plane (p, q), and accumulates it in the columns of r. */
static void rotate(real a[3][3], real r[3][3], int p, int q)
{
	if (a[p][q] == 0) return;
	int o = 3 - p - q;
	real theta = (a[q][q] - a[p][p]) / (2 * a[p][q]);
	real t = (theta < 0 ? -1 : 1) / (real_abs(theta) + sqrt(theta * theta + 1));
	real c = 1 / sqrt(t * t + 1), s = t * c;
	a[p][p] -= t * a[p][q];
	a[q][q] += t * a[p][q];
	a[p][q] = a[q][p] = 0;
	real ap = a[o][p], aq = a[o][q];
	a[o][p] = a[p][o] = c * ap - s * aq;
	a[o][q] = a[q][o] = s * ap + c * aq;
	for (int i = 0; i < 3; ++i) {
		real rp = r[i][p], rq = r[i][q];
		r[i][p] = c * rp - s * rq;
		r[i][q] = s * rp + c * rq;
	}
}

/* Returns the quaternion with w >= 0. The divisor is the largest component (Shepperd 1978). */
static quat quat_of_matrix(real r[3][3])
{
	real trace = r[0][0] + r[1][1] + r[2][2];
	quat q;
	if (trace >= r[0][0] && trace >= r[1][1] && trace >= r[2][2])
		q = quat_of(1 + trace, r[2][1] - r[1][2], r[0][2] - r[2][0], r[1][0] - r[0][1]);
	else if (r[0][0] >= r[1][1] && r[0][0] >= r[2][2])
		q = quat_of(r[2][1] - r[1][2], 1 + 2 * r[0][0] - trace, r[1][0] + r[0][1], r[0][2] + r[2][0]);
	else if (r[1][1] >= r[2][2])
		q = quat_of(r[0][2] - r[2][0], r[1][0] + r[0][1], 1 + 2 * r[1][1] - trace, r[2][1] + r[1][2]);
	else
		q = quat_of(r[1][0] - r[0][1], r[0][2] + r[2][0], r[2][1] + r[1][2], 1 + 2 * r[2][2] - trace);
	q = quat_unit(q);
	return q.w < 0 ? quat_of(-q.w, -q.x, -q.y, -q.z) : q;
}

quat scree_principal_frame(sym3 s)
{
	real trace = s.m[0] + s.m[1] + s.m[2];
	real off = real_max(real_abs(s.m[3]), real_max(real_abs(s.m[4]), real_abs(s.m[5])));
	if (off <= DIAGONAL * trace) return quat_one();
	real a[3][3] = {{s.m[0], s.m[3], s.m[4]}, {s.m[3], s.m[1], s.m[5]}, {s.m[4], s.m[5], s.m[2]}};
	real r[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
	/* convergence is quadratic and takes 3 to 6 sweeps; the limit costs nothing, because zero rotations are skipped */
	for (int sweep = 0; sweep < 20; ++sweep) {
		rotate(a, r, 0, 1);
		rotate(a, r, 0, 2);
		rotate(a, r, 1, 2);
	}
	return quat_of_matrix(r);
}

vec3 scree_inertia_of(sym3 s)
{
	const vec3 inertia = v3(s.m[1] + s.m[2], s.m[0] + s.m[2], s.m[0] + s.m[1]);
	real mean = (inertia.x + inertia.y + inertia.z) / 3, apart = 0;
	const real each[3] = {inertia.x, inertia.y, inertia.z};
	for (int k = 0; k < 3; ++k) apart = real_max(apart, real_abs(each[k] - mean));
	return apart <= DIAGONAL * mean ? v3(mean, mean, mean) : inertia;
}
