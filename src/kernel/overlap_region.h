/* overlap_region.h: energy, force and torque of an overlap from the sums over its faces (overlap_faces.h;
 * docs/theory/overlap.md). The functions have no branches, so that several pairs can be computed together. */
#ifndef SCREE_KERNEL_OVERLAP_REGION_H
#define SCREE_KERNEL_OVERLAP_REGION_H

#include "kernel/thickness.h"

/* monomials: 1, x, y, z, xx, xy, xz, yy, yz, zz, xxx, xxy, xxz, xyy, xyz, xzz, yyy, yyz, yzz, zzz */
enum { X = 1, Y, Z, XX, XY, XZ, YY, YZ, ZZ, XXX, XXY, XXZ, XYY, XYZ, XZZ, YYY, YYZ, YZZ, ZZZ, MONOMIALS };

/* A region in its own axes: integrals of the monomials up to the second degree over the region, and of all monomials
 * times the normal over the second body's faces. Other members are as in `overlap`. */
typedef struct overlap_region {
	real inner[10];
	vec3 border[MONOMIALS];
	mat3 axes;
	vec3 from, push;
	real widest;
} overlap_region;

SCREE_FN vec3 either(bool first, vec3 a, vec3 b) { return v3(first ? a.x : b.x, first ? a.y : b.y, first ? a.z : b.z); }

/* Interaction of two bodies: the elastic energy E* weight depth^2/2, the force E* weight depth along normal through
 * `at`, and the couple, pitch times the force, about the normal. */
typedef struct overlap_contact {
	real depth, weight, pitch;
	real arm; /* thickness: as patch.arm; volume: 0, since scree_overlap_press computes it */
	vec3 normal, at;
	vec3 wide[2]; /* thickness: root mean square distances from `at`, along the axes of the contact */
	vec3 hold;	  /* thickness: the centre of the area of the borders */
	int32_t flat; /* 1 if one face carries nearly all of the force (bool has no size that all devices share) */
} overlap_contact;

/* Energy over E* in m^3, and force and moment about the origin over E*. Sums over all regions. */
typedef struct overlap_effect {
	real energy, nothing; /* nothing: 1e13 times the largest force that counts as zero */
	vec3 push, moment;
	vec3 middle;  /* energy times a point at the height of the contact along the normal */
	vec3 hold;	  /* energy times the centre of the area of the borders */
	real arm;	  /* energy times the arm */
	vec3 wide[2]; /* extent of the region added last */
	vec3 areas;	  /* sum of areas times normals over the borders */
	real widest;
} overlap_effect;

SCREE_FN overlap_effect overlap_no_effect(void)
{
	overlap_effect e;
	e.energy = e.nothing = e.arm = e.widest = 0;
	e.push = e.moment = e.middle = e.hold = e.areas = e.wide[0] = e.wide[1] = v3(0, 0, 0);
	return e;
}

/* Covariance of a region and derived quantities. Symmetric matrices are stored as xx, xy, xz, yy, yz, zz. */
typedef struct spread {
	bool is; /* false if the volume of the region is no more than rounding error */
	vec3 centre;
	real volume, lambda;
	real covariance[6], adjoint[6], inverse[6];
} spread;

SCREE_FN spread spread_of(SCREE_GLOBAL const real *inner)
{
	spread s;
	real v = inner[0];
	vec3 c = v3(inner[X] / v, inner[Y] / v, inner[Z] / v);
	real xx = inner[XX] / v - c.x * c.x, xy = inner[XY] / v - c.x * c.y, xz = inner[XZ] / v - c.x * c.z;
	real yy = inner[YY] / v - c.y * c.y, yz = inner[YZ] / v - c.y * c.z, zz = inner[ZZ] / v - c.z * c.z;
	real a0 = yy * zz - yz * yz, a1 = xz * yz - xy * zz, a2 = xy * yz - xz * yy;
	real a3 = xx * zz - xz * xz, a4 = xy * xz - yz * xx, a5 = xx * yy - xy * xy;
	real trace = a0 + a3 + a5, determinant = xx * a0 + xy * a1 + xz * a2;
	s.is = (v > 0) & (determinant > 0) & (trace > 0) & (a0 > 0) & (a3 > 0) & (a5 > 0);
	s.centre = c;
	s.volume = v;
	s.lambda = determinant / trace;
	s.covariance[0] = xx, s.covariance[1] = xy, s.covariance[2] = xz;
	s.covariance[3] = yy, s.covariance[4] = yz, s.covariance[5] = zz;
	s.adjoint[0] = a0, s.adjoint[1] = a1, s.adjoint[2] = a2, s.adjoint[3] = a3, s.adjoint[4] = a4, s.adjoint[5] = a5;
	s.inverse[0] = a0 / determinant, s.inverse[1] = a1 / determinant, s.inverse[2] = a2 / determinant;
	s.inverse[3] = a3 / determinant, s.inverse[4] = a4 / determinant, s.inverse[5] = a5 / determinant;
	return s;
}

/* Pressure times V/U, as coefficients of the first ten monomials. */
SCREE_FN void pressure_of(const spread *s, real *p)
{
	const real *r = s->inverse, part = (real)0.75 * s->lambda;
	/* the square of the inverse */
	real xx = r[0] * r[0] + r[1] * r[1] + r[2] * r[2], xy = r[0] * r[1] + r[1] * r[3] + r[2] * r[4];
	real xz = r[0] * r[2] + r[1] * r[4] + r[2] * r[5], yy = r[1] * r[1] + r[3] * r[3] + r[4] * r[4];
	real yz = r[1] * r[2] + r[3] * r[4] + r[4] * r[5], zz = r[2] * r[2] + r[4] * r[4] + r[5] * r[5];
	vec3 c = s->centre;
	vec3 q = v3(xx * c.x + xy * c.y + xz * c.z, xy * c.x + yy * c.y + yz * c.z, xz * c.x + yz * c.y + zz * c.z);
	p[0] = part * v3_dot(c, q) - (real)0.25;
	p[X] = -2 * part * q.x;
	p[Y] = -2 * part * q.y;
	p[Z] = -2 * part * q.z;
	p[XX] = part * xx;
	p[XY] = 2 * part * xy;
	p[XZ] = 2 * part * xz;
	p[YY] = part * yy;
	p[YZ] = 2 * part * yz;
	p[ZZ] = part * zz;
}

/* Returns the sum of the pressure's terms times the integrals of these monomials. */
SCREE_FN vec3 pressed_by(const real *p, SCREE_GLOBAL const vec3 *b, int m0, int m1, int m2, int m3, int m4, int m5,
						 int m6, int m7, int m8, int m9)
{
	vec3 sum = v3_madd(v3_madd(v3(0, 0, 0), p[0], b[m0]), p[1], b[m1]);
	sum = v3_madd(v3_madd(sum, p[2], b[m2]), p[3], b[m3]);
	sum = v3_madd(v3_madd(sum, p[4], b[m4]), p[5], b[m5]);
	sum = v3_madd(v3_madd(sum, p[6], b[m6]), p[7], b[m7]);
	return v3_madd(v3_madd(sum, p[8], b[m8]), p[9], b[m9]);
}

/* Integrals of the pressure times the components of the normal, multiplied by the coordinates (columns of `first`) or
 * by 1 (`one`), over the second body's faces. */
typedef struct pressed {
	vec3 x, y, z, one;
} pressed;

SCREE_FN pressed press_on(SCREE_GLOBAL const vec3 *b, const real *p)
{
	pressed made = {pressed_by(p, b, X, XX, XY, XZ, XXX, XXY, XXZ, XYY, XYZ, XZZ),
					pressed_by(p, b, Y, XY, YY, YZ, XXY, XYY, XYZ, YYY, YYZ, YZZ),
					pressed_by(p, b, Z, XZ, YZ, ZZ, XXZ, XYZ, XZZ, YYZ, YZZ, ZZZ),
					pressed_by(p, b, 0, X, Y, Z, XX, XY, XZ, YY, YZ, ZZ)};
	return made;
}

SCREE_FN real squared_by(const real *m, vec3 n)
{
	return m[0] * n.x * n.x + m[3] * n.y * n.y + m[5] * n.z * n.z +
		   2 * (m[1] * n.x * n.y + m[2] * n.x * n.z + m[4] * n.y * n.z);
}

/* Computes the two axes of the spread perpendicular to n; their lengths are root mean square distances. */
SCREE_FN void axes_across(const spread *s, vec3 n, vec3 *wide)
{
	const real *c = s->covariance;
	vec3 x = v3_across(n), y = v3_cross(n, x);
	vec3 cx = v3(c[0] * x.x + c[1] * x.y + c[2] * x.z, c[1] * x.x + c[3] * x.y + c[4] * x.z,
				 c[2] * x.x + c[4] * x.y + c[5] * x.z);
	real xx = v3_dot(x, cx), xy = v3_dot(y, cx), yy = squared_by(c, y);
	real mean = (xx - yy) / 2, root = sqrt(mean * mean + xy * xy), large = (xx + yy) / 2 + root;
	real small = real_max((xx + yy) / 2 - root, 0), u = mean > 0 ? mean + root : xy, v = mean > 0 ? xy : root - mean;
	real length = sqrt(u * u + v * v);
	vec3 e = length > 0 ? v3_madd(v3_mul(u / length, x), v / length, y) : x;
	wide[0] = v3_mul(sqrt(large), e);
	wide[1] = v3_mul(sqrt(small), v3_cross(n, e));
}

/* Returns the mean distance, perpendicular to n, of the overlap's points from its centre, for friction against
 * rotation: the root mean square distance times 0.94 for a disc or a square, and down to 0.865 for a line. The error is
 * 1 % for rectangles, ellipses and polygons with at least four corners, and 2 % for thin ellipses and triangles. */
SCREE_FN real arm_of(const spread *s, vec3 push, real force)
{
	vec3 n = v3_mul(1 / force, push);
	const real *c = s->covariance;
	real sum = c[0] + c[3] + c[5] - squared_by(c, n); /* sum of the variances along both axes perpendicular to n */
	real product = squared_by(s->adjoint, n), uneven = real_clamp(1 - 4 * product / (sum * sum), 0, 1);
	real arm = sqrt(real_max(sum, 0)) * ((real)0.94 - uneven * ((real)0.055 + (real)0.02 * uneven * uneven));
	return force > 0 ? arm : 0;
}

/* Centre of the second body's border, as seen along the force; if there is no force, the centre of the region. */
SCREE_FN vec3 centre_of_area(SCREE_GLOBAL const overlap_region *r, const spread *s)
{
	vec3 n = mat3_tmul(r->axes, r->push);
	SCREE_GLOBAL const vec3 *b = r->border;
	real area = (b[0].x * n.x + b[0].y * n.y) + (b[0].z * n.z + 0);
	real x = (b[X].x * n.x + b[X].y * n.y) + (b[X].z * n.z + 0), y = (b[Y].x * n.x + b[Y].y * n.y) + (b[Y].z * n.z + 0);
	real z = (b[Z].x * n.x + b[Z].y * n.y) + (b[Z].z * n.z + 0);
	return either(area > 0, v3(x / area, y / area, z / area), s->centre);
}

/* Returns false if there is no overlap; the contribution of the region to the effect is then meaningless. */
SCREE_FN bool region_effect(SCREE_GLOBAL const overlap_region *r, overlap_effect *e)
{
	real p[10];
	spread s = spread_of(r->inner);
	pressure_of(&s, p);
	pressed of = press_on(r->border, p);
	real u = thickness_energy(s.volume, s.lambda), scale = u / s.volume;
	vec3 push = of.one, moment = v3(of.y.z - of.z.y, of.z.x - of.x.z, of.x.y - of.y.x);
	real force = v3_norm(push), arm = arm_of(&s, push, force);
	vec3 wide[2];
	axes_across(&s, v3_mul(1 / force, push), wide);
	push = v3_mul(scale, mat3_mul(r->axes, push));
	moment = v3_madd(v3_cross(r->from, push), scale, mat3_mul(r->axes, moment));
	e->energy += u;
	e->nothing += scale * r->widest;
	e->push = v3_add(e->push, push);
	e->moment = v3_add(e->moment, moment);
	e->middle = v3_madd(e->middle, u, v3_add(r->from, mat3_mul(r->axes, s.centre)));
	e->hold = v3_madd(e->hold, u, v3_add(r->from, mat3_mul(r->axes, centre_of_area(r, &s))));
	e->arm += u * arm;
	e->wide[0] = mat3_mul(r->axes, either(force > 0, wide[0], v3(0, 0, 0)));
	e->wide[1] = mat3_mul(r->axes, either(force > 0, wide[1], v3(0, 0, 0)));
	e->areas = v3_add(e->areas, r->push);
	e->widest = real_max(e->widest, r->widest);
	return s.is;
}

/* ------------------------------------------------------------------ the contact */

#define OVERLAP_FLAT ((real)0.99) /* fraction of the loaded area above which a face counts as the whole contact */
/* A force below this fraction of the largest face is rounding error, and is replaced to avoid division by zero. */
#define OVERLAP_NO_PUSH			((real)1e-13)
#define OVERLAP_AS_GOOD_AS_NONE ((real)1e-20)

/* Normal and pitch of the contact. If one body is inside the other, or pierces it, there may be a couple without a
 * force. The axis of the couple is then the normal, and the force is nearly zero. */
SCREE_FN void overlap_screw(const overlap_effect *e, vec3 otherwise, SCREE_GLOBAL overlap_contact *c)
{
	real pushed = v3_norm(e->push), couple = v3_norm(e->moment), none = OVERLAP_AS_GOOD_AS_NONE * e->nothing;
	bool pushes = pushed > OVERLAP_NO_PUSH * e->nothing;
	real force = pushes ? pushed : none;
	vec3 middle = v3_mul(1 / e->energy, e->middle);
	vec3 n = v3_mul(1 / pushed, e->push), foot = v3_mul(1 / pushed, v3_cross(n, e->moment));
	vec3 turned = either(couple > 0, v3_mul(1 / couple, e->moment), otherwise);
	c->normal = either(pushes, n, turned);
	c->pitch = pushes ? v3_dot(n, e->moment) / pushed : couple / none;
	c->at = either(pushes, v3_madd(foot, v3_dot(n, middle), n), middle);
	const bool flat = e->widest >= OVERLAP_FLAT * v3_norm(e->areas);
	c->flat = (pushes & flat) ? 1 : 0;
	vec3 hold = v3_mul(1 / e->energy, e->hold);
	c->hold = v3_madd(hold, v3_dot(c->normal, v3_sub(middle, hold)), c->normal);
	c->arm = e->arm / e->energy;
	c->wide[0] = v3_madd(e->wide[0], -v3_dot(e->wide[0], c->normal), c->normal);
	c->wide[1] = v3_madd(e->wide[1], -v3_dot(e->wide[1], c->normal), c->normal);
	c->depth = 2 * e->energy / force;
	c->weight = force * force / (2 * e->energy);
}

SCREE_FN void overlap_spread_points(const overlap_contact *c, vec3 *point)
{
	const real far = (real)1.5811388300841898; /* root of 5/2 */
	point[0] = c->at;
	point[1] = v3_madd(c->at, far, c->wide[0]);
	point[2] = v3_madd(c->at, -far, c->wide[0]);
	point[3] = v3_madd(c->at, far, c->wide[1]);
	point[4] = v3_madd(c->at, -far, c->wide[1]);
}

#endif
