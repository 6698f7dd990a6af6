/* overlap_faces.h: integrals of polynomials over the faces of an overlap (docs/theory/overlap.md), from which energy
 * and force follow (overlap_region.h). Points are in the axes of the region, relative to one of its lowest points. */
#ifndef SCREE_KERNEL_OVERLAP_FACES_H
#define SCREE_KERNEL_OVERLAP_FACES_H

#include "kernel/overlap_region.h"
#include "kernel/triple.h"

#define OVERLAP_SLACK ((real)1e-12) /* heights below this multiple of the larger body's size are rounding error */

/* Integrals of the monomials over a face, in triples: `squares` of xx, yy, zz; `products` of xy, yz, zx; `cubes` of
 * xxx, yyy, zzz; `firsts` of xxy, yyz, zzx; `seconds` of xyy, yzz, zxx. The sum of `all` is that of xyz. */
typedef struct face_moments {
	real area;
	triple linear, squares, products, cubes, firsts, seconds, all;
} face_moments;

/* Integrals over a region, in the same way; each is smaller than the true value by a factor (overlap_inner). */
typedef struct region_moments {
	real volume;
	triple linear, squares, products;
} region_moments;

SCREE_FN region_moments region_moments_none(void)
{
	region_moments m;
	m.volume = 0;
	m.linear = m.squares = m.products = triple_zero();
	return m;
}

/* A face is a fan of triangles, whose corners are given one after the other. Points are relative to the first corner:
 * the integral of a monomial of degree k is then 2/(k + 2) of the triangle's area times the mean over the edge opposite
 * to this corner (Chin et al. 2015), which only depends on the edge's two ends u and v. With s = u + v, the means of x,
 * xy and xyz are s_x/2, (u_x u_y + v_x v_y + s_x s_y)/6, and the sum of s_x (u_y u_z + v_y v_z)/12 over the three
 * pairs. */
typedef struct face_fan {
	triple first, normal;		  /* first corner; z, x and y of the normal */
	triple at, squares, products; /* the corner before, and products of its coordinates */
} face_fan;

/* What is integrated over a face: the area, monomials up to the second degree, or also of the third degree. */
enum { FACE_AREA, FACE_SQUARES, FACE_CUBES };

SCREE_FN void fan_reach(face_fan *f, triple p)
{
	f->at = p;
	f->squares = triple_mul(p, p);
	f->products = triple_mul(p, triple_next(p));
}

SCREE_FN face_fan fan_of(vec3 n, triple first, triple second)
{
	face_fan f;
	f.first = first;
	f.normal = triple_of(v3(n.z, n.x, n.y));
	fan_reach(&f, triple_sub(second, first));
	return f;
}

SCREE_FN face_moments moments_none(void)
{
	face_moments m;
	m.area = 0;
	m.linear = m.squares = m.products = m.cubes = m.firsts = m.seconds = m.all = triple_zero();
	return m;
}

/* Adds the next triangle to sums that fan_close turns into integrals. */
SCREE_FN void fan_add(face_moments *m, face_fan *f, triple corner, int what)
{
	const triple u = f->at, v = triple_sub(corner, f->first), uu = f->squares, uv = f->products;
	/* twice the area of the triangle */
	const real w = triple_dot(f->normal, triple_sub(triple_mul(u, triple_next(v)), triple_mul(triple_next(u), v)));
	m->area += w;
	f->at = v;
	if (what == FACE_AREA) return;
	fan_reach(f, v);
	const triple s = triple_add(u, v), ws = triple_times(w, s);
	const triple squares = triple_times(w, triple_add(uu, f->squares));
	const triple products = triple_times(w, triple_add(uv, f->products));
	m->linear = triple_add(m->linear, ws);
	m->squares = triple_add(m->squares, triple_with(squares, ws, s));
	m->products = triple_add(m->products, triple_with(products, ws, triple_next(s)));
	if (what == FACE_SQUARES) return;
	const triple twice = triple_add(s, s), next = triple_next(s);
	m->cubes = triple_with(m->cubes, s, squares);
	m->firsts = triple_with(triple_with(m->firsts, twice, products), next, squares);
	m->seconds = triple_with(triple_with(m->seconds, triple_next(twice), products), s, triple_next(squares));
	m->all = triple_with(m->all, s, triple_next(products));
}

/* Moves integrals of the third degree from the first corner to the origin. own: integrals about that corner up to the
 * second degree; m: those about the origin */
SCREE_FN void fan_move_cubes(face_moments *m, const face_moments *own, triple o)
{
	const triple on = triple_next(o), x = own->linear, y = triple_next(x);
	const triple squares = triple_add(own->squares, own->squares), products = triple_add(own->products, own->products);
	const triple cubes = triple_times((real)1 / 20, m->cubes), firsts = triple_times((real)1 / 60, m->firsts);
	const triple seconds = triple_times((real)1 / 60, m->seconds), all = triple_times((real)1 / 60, m->all);
	m->cubes = triple_with(cubes, o, triple_add(triple_with(squares, o, x), m->squares));
	m->firsts = triple_with(triple_with(firsts, o, triple_with(products, o, y)), on, m->squares);
	m->seconds = triple_with(triple_with(seconds, on, triple_with(products, on, x)), o, triple_next(m->squares));
	const vec3 at = triple_vector(o), p = triple_vector(own->products), moved = triple_vector(m->products);
	const real yz = at.y * (p.z + at.z * triple_vector(x).x) + at.z * p.x;
	m->all = triple_add(all, triple_of(v3(at.x * moved.y, yz, 0)));
}

/* Turns sums about the first corner into integrals about the origin. */
SCREE_FN void fan_close(face_moments *m, const face_fan *f, int what)
{
	face_moments own;
	m->area /= 2;
	if (what == FACE_AREA) return;
	const triple o = f->first;
	own.linear = triple_times((real)1 / 6, m->linear);
	own.squares = triple_times((real)1 / 24, m->squares);
	own.products = triple_times((real)1 / 24, m->products);
	m->linear = triple_madd(own.linear, m->area, o);
	m->squares = triple_with(own.squares, o, triple_add(own.linear, m->linear));
	m->products = triple_with(triple_with(own.products, o, triple_next(own.linear)), triple_next(o), m->linear);
	if (what == FACE_CUBES) fan_move_cubes(m, &own, o);
}

/* Adds the integrals over the cone between the origin and a face. n: the normal of the face. The height of the cone is
 * the mean over the face, in which rounding errors of the corners cancel in part. */
SCREE_FN region_moments region_with(region_moments r, const face_moments *m, vec3 n)
{
	const real height = m->area > 0 ? v3_dot(n, triple_vector(m->linear)) / m->area : 0;
	r.volume += height * m->area;
	r.linear = triple_madd(r.linear, height, m->linear);
	r.squares = triple_madd(r.squares, height, m->squares);
	r.products = triple_madd(r.products, height, m->products);
	return r;
}

SCREE_FN bool at_origin(triple p)
{
	const vec3 v = triple_vector(p);
	return v.x == 0 && v.y == 0 && v.z == 0;
}

/* Integrals over the region. The cone's integral of a monomial of degree k is 1/(k + 3) of height times face. */
SCREE_FN void overlap_inner(const region_moments *m, SCREE_GLOBAL real *inner)
{
	const real third = (real)1 / 3, fourth = (real)1 / 4, fifth = (real)1 / 5;
	const vec3 linear = triple_vector(m->linear), s = triple_vector(m->squares), p = triple_vector(m->products);
	inner[0] = third * m->volume;
	inner[X] = fourth * linear.x, inner[Y] = fourth * linear.y, inner[Z] = fourth * linear.z;
	inner[XX] = fifth * s.x, inner[YY] = fifth * s.y, inner[ZZ] = fifth * s.z;
	inner[XY] = fifth * p.x, inner[YZ] = fifth * p.y, inner[XZ] = fifth * p.z;
}

/* The integrals of the monomials in the order of overlap_region.h. */
SCREE_FN void moments_list(const face_moments *m, real *to)
{
	const vec3 linear = triple_vector(m->linear), s = triple_vector(m->squares), p = triple_vector(m->products);
	const vec3 cubes = triple_vector(m->cubes), first = triple_vector(m->firsts), second = triple_vector(m->seconds);
	to[0] = m->area;
	to[X] = linear.x, to[Y] = linear.y, to[Z] = linear.z;
	to[XX] = s.x, to[YY] = s.y, to[ZZ] = s.z;
	to[XY] = p.x, to[YZ] = p.y, to[XZ] = p.z;
	to[XXX] = cubes.x, to[YYY] = cubes.y, to[ZZZ] = cubes.z;
	to[XXY] = first.x, to[YYZ] = first.y, to[XZZ] = first.z;
	to[XYY] = second.x, to[YZZ] = second.y, to[XXZ] = second.z;
	to[XYZ] = triple_sum(m->all);
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
