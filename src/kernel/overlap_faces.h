/* overlap_faces.h: integrals of polynomials over the faces of an overlap (docs/theory/overlap.md), from which energy
 * and force follow (overlap_region.h). A face is a fan of triangles. Points are in the axes of the region. */
#ifndef SCREE_KERNEL_OVERLAP_FACES_H
#define SCREE_KERNEL_OVERLAP_FACES_H

#include "kernel/fours.h"
#include "kernel/overlap_region.h"

#define OVERLAP_SLACK ((real)1e-12) /* heights below this multiple of the larger body's size are rounding error */

/* Four points integrate polynomials of the third degree over a triangle (Hammer, Marlowe and Stroud 1956). */
typedef struct face_points {
	fours weight, x, y, z;
} face_points;

SCREE_FN face_points face_points_of(int32_t pass, real weight, vec3 a, vec3 b, vec3 c)
{
	const fours part = fours_of(pass, (real)-27 / 48, (real)25 / 48, (real)25 / 48, (real)25 / 48);
	const fours at_a = fours_of(pass, (real)1 / 3, (real)0.6, (real)0.2, (real)0.2);
	const fours at_b = fours_of(pass, (real)1 / 3, (real)0.2, (real)0.6, (real)0.2);
	const fours at_c = fours_of(pass, (real)1 / 3, (real)0.2, (real)0.2, (real)0.6);
	face_points p = {weight * part, a.x * at_a + b.x * at_b + c.x * at_c, a.y * at_a + b.y * at_b + c.y * at_c,
					 a.z * at_a + b.z * at_b + c.z * at_c};
	return p;
}

/* Adds the integrals of w times the monomials up to the second degree. */
SCREE_FN void face_add_squares(fours *sum, fours w, const face_points *p)
{
	fours wx = w * p->x, wy = w * p->y, wz = w * p->z;
	sum[0] += w;
	sum[X] += wx;
	sum[Y] += wy;
	sum[Z] += wz;
	sum[XX] += wx * p->x;
	sum[XY] += wx * p->y;
	sum[XZ] += wx * p->z;
	sum[YY] += wy * p->y;
	sum[YZ] += wy * p->z;
	sum[ZZ] += wz * p->z;
}

SCREE_FN real triangle_area_along(vec3 n, vec3 a, vec3 b, vec3 c)
{
	return v3_dot(n, v3_cross(v3_sub(b, a), v3_sub(c, a))) / 2;
}

/* Adds the integrals of z times the monomials up to the second degree over a triangle of a face of the first body,
 * which bounds the region. weight: area of the triangle times the z component of its normal */
SCREE_FN void face_bound(int32_t pass, fours *inner, real weight, vec3 a, vec3 b, vec3 c)
{
	face_points p = face_points_of(pass, weight, a, b, c);
	face_add_squares(inner, p.weight * p.z, &p);
}

/* Adds the integrals of the monomials, either up to the second degree or of the third degree, over a triangle of a face
 * of the second body, which bounds the region and carries the pressure. */
SCREE_FN void face_push_squares(int32_t pass, fours *sum, real area, vec3 a, vec3 b, vec3 c)
{
	face_points p = face_points_of(pass, area, a, b, c);
	face_add_squares(sum, p.weight, &p);
}

SCREE_FN void face_push_cubes(int32_t pass, fours *sum, real area, vec3 a, vec3 b, vec3 c)
{
	face_points p = face_points_of(pass, area, a, b, c);
	fours wx = p.weight * p.x, wy = p.weight * p.y, wz = p.weight * p.z;
	fours xx = wx * p.x, xy = wx * p.y, yy = wy * p.y, zz = wz * p.z;
	sum[XXX] += xx * p.x;
	sum[XXY] += xx * p.y;
	sum[XXZ] += xx * p.z;
	sum[XYY] += xy * p.y;
	sum[XYZ] += xy * p.z;
	sum[XZZ] += zz * p.x;
	sum[YYY] += yy * p.y;
	sum[YYZ] += yy * p.z;
	sum[YZZ] += zz * p.y;
	sum[ZZZ] += zz * p.z;
}

/* Adds integrals of z times the monomials over a face of the second body to those over the region. z: of its normal */
SCREE_FN void face_inner(SCREE_GLOBAL fours *inner, SCREE_GLOBAL const fours *sum, real z)
{
	inner[0] += z * sum[Z];
	inner[X] += z * sum[XZ];
	inner[Y] += z * sum[YZ];
	inner[Z] += z * sum[ZZ];
	inner[XX] += z * sum[XXZ];
	inner[XY] += z * sum[XYZ];
	inner[XZ] += z * sum[XZZ];
	inner[YY] += z * sum[YYZ];
	inner[YZ] += z * sum[YZZ];
	inner[ZZ] += z * sum[ZZZ];
}

/* Factor of integral k over the region, by the divergence theorem along z. */
SCREE_FN real inner_part(int32_t k)
{
	if (k == ZZ) return (real)1 / 3;
	return k == Z || k == XZ || k == YZ ? (real)0.5 : 1;
}

/* Returns the component of `way` perpendicular to the unit vector `along`. The projection is done twice, since the
 * rounding error along that vector may be as large as a short perpendicular component. */
SCREE_FN vec3 flat_part(vec3 way, vec3 along)
{
	vec3 once = v3_madd(way, -v3_dot(way, along), along);
	return v3_madd(once, -v3_dot(once, along), along);
}

/* Axes of a region that is thin perpendicular to `along`. way: vector to its farthest vertex. An overlap at an edge is
 * thin in two directions; in other axes, covariances would be differences between squares of its length. */
SCREE_FN mat3 region_axes(vec3 way, vec3 along)
{
	vec3 x = flat_part(way, along);
	real length = v3_norm(x);
	mat3 axes;
	axes.x = length > 0 ? v3_mul(1 / length, x) : v3_across(along);
	axes.y = v3_cross(along, axes.x);
	axes.z = along;
	return axes;
}

#endif
