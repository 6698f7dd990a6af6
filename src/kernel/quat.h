/* quat.h: rotations from the body's frame to the world's, as unit quaternions (w, x, y, z). */
#ifndef SCREE_KERNEL_QUAT_H
#define SCREE_KERNEL_QUAT_H

#include "base/real.h"

SCREE_FN quat quat_of(real w, real x, real y, real z)
{
	quat q = {w, x, y, z};
	return q;
}
SCREE_FN quat quat_one(void) { return quat_of(1, 0, 0, 0); }
SCREE_FN quat quat_conj(quat q) { return quat_of(q.w, -q.x, -q.y, -q.z); }
/* Rotation b followed by a. */
SCREE_FN quat quat_mul(quat a, quat b)
{
	return quat_of(a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z, a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
				   a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x, a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w);
}
SCREE_FN quat quat_unit(quat q)
{
	real s = 1 / sqrt(q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z);
	return quat_of(s * q.w, s * q.x, s * q.y, s * q.z);
}
SCREE_FN mat3 quat_matrix(quat q)
{
	real xx = q.x * q.x, yy = q.y * q.y, zz = q.z * q.z;
	real xy = q.x * q.y, xz = q.x * q.z, yz = q.y * q.z;
	real wx = q.w * q.x, wy = q.w * q.y, wz = q.w * q.z;
	mat3 m;
	m.x = v3(1 - 2 * (yy + zz), 2 * (xy + wz), 2 * (xz - wy));
	m.y = v3(2 * (xy - wz), 1 - 2 * (xx + zz), 2 * (yz + wx));
	m.z = v3(2 * (xz + wy), 2 * (yz - wx), 1 - 2 * (xx + yy));
	return m;
}
SCREE_FN vec3 quat_rotate(quat q, vec3 v) { return mat3_mul(quat_matrix(q), v); }
SCREE_FN vec3 quat_unrotate(quat q, vec3 v) { return mat3_tmul(quat_matrix(q), v); }

/* The rotation by twice the vector w*h, whose length is at most 1/4. cos and sin(x)/x of the half angle x are computed
 * as series up to x^12, with an error below one unit in the last place. s2: x^2 */
SCREE_FN quat quat_series(vec3 w, real h, real s2)
{
	real c = 1 - s2 / 2 * (1 - s2 / 12 * (1 - s2 / 30 * (1 - s2 / 56 * (1 - s2 / 90 * (1 - s2 / 132)))));
	real s = 1 - s2 / 6 * (1 - s2 / 20 * (1 - s2 / 42 * (1 - s2 / 72 * (1 - s2 / 110 * (1 - s2 / 156)))));
	return quat_of(c, s * h * w.x, s * h * w.y, s * h * w.z);
}

/* The rotation by the vector 2 w*h, whose length is at most 1/2. */
SCREE_FN quat quat_exp_little(vec3 w, real h) { return quat_series(w, h, v3_norm2(w) * h * h); }

/* The rotation by the vector w*h (angle |w| h): large angles are halved repeatedly, and the result squared as often. */
SCREE_FN quat quat_exp(vec3 w, real h)
{
	real part = h / 2;
	real s2 = v3_norm2(w) * part * part;
	int squares = 0;
	while (s2 > (real)0.0625 && squares < 64) {
		s2 /= 4;
		part /= 2;
		++squares;
	}
	quat q = quat_series(w, part, s2);
	for (int i = 0; i < squares; ++i) q = quat_mul(q, q);
	return q;
}

#endif
