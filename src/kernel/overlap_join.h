/* overlap_join.h: the energy of overlaps with several surfaces of a wall (docs/theory/walls.md, "Folds").
 *
 * The region of member i is composed of all members, each weighted by its bond: E = sum of V_i h_i, where h_i is U/V
 * for the region of i. If all bonds are 1, E is the U of the whole region; if there are no bonds, E is the sum of the
 * members' U. E depends only on the poses. The gradient of E is a pressure on the borders of member k,
 *
 *     p_k(x) = h_k + sum over i of bond_ik V_i h_i/V*_i (P_i(x) - 1),
 *
 * where P_i is the pressure times V/U of the region of i (overlap_region.h), a polynomial of second degree in
 * coordinates of i, which are linear in the coordinates of k. */
#ifndef SCREE_KERNEL_OVERLAP_JOIN_H
#define SCREE_KERNEL_OVERLAP_JOIN_H

#include "kernel/item.h"
#include "kernel/overlap_region.h"

/* A body's overlap with one of several surfaces of a wall that share stiffness. */
typedef struct overlap_member {
	int32_t surface, behind;
	int32_t part;	/* on a device: the first of its parts */
	int32_t either; /* on a device: there is only the one with the lower energy of this member and the one before */
	vec3 along;		/* where the region is thin */
	vec3 from;		/* a point at its lower end, and its height above the plane of the surface */
	real height;
} overlap_member;

typedef struct overlap_bond {
	real part;	   /* fraction of the other member's overlap that counts in addition to this member's overlap */
	int32_t apart; /* the other member's points are measured by height above the other member's plane */
} overlap_bond;

/* The region of a member, the region composed of all members, and the pressures of both. */
typedef struct overlap_view {
	overlap_region own;
	real height, volume; /* as in overlap_member; volume of the own region */
	int32_t is;			 /* whether its volume is more than rounding error */
	real density, part;	 /* h of the composed region, and V h/V* */
	real all[10];		 /* integrals over the composed region */
	real pressure[10];	 /* P - 1 */
	real pressed[10];	 /* pressure on the region's borders */
} overlap_view;

/* Transformation of points from one member's axes to another's. */
typedef struct overlap_change {
	mat3 by;
	vec3 shift;
} overlap_change;

SCREE_FN overlap_change join_change(SCREE_GLOBAL const overlap_view *i, SCREE_GLOBAL const overlap_view *k, bool apart)
{
	const mat3 to = i->own.axes, from = k->own.axes;
	overlap_change c;
	c.by.x = mat3_tmul(to, from.x), c.by.y = mat3_tmul(to, from.y), c.by.z = mat3_tmul(to, from.z);
	c.shift = mat3_tmul(to, v3_sub(k->own.from, i->own.from));
	if (!apart) return c;
	c.by.x.z = c.by.y.z = 0;
	c.by.z.z = 1;
	c.shift.z = k->height - i->height;
	return c;
}

SCREE_FN mat3 join_matrix(vec3 x, vec3 y, vec3 z)
{
	const mat3 m = {x, y, z};
	return m;
}

/* Second-degree integrals as a symmetric matrix. */
SCREE_FN mat3 join_second(SCREE_GLOBAL const real *m)
{
	return join_matrix(v3(m[XX], m[XY], m[XZ]), v3(m[XY], m[YY], m[YZ]), v3(m[XZ], m[YZ], m[ZZ]));
}

SCREE_FN vec3 join_row(mat3 m, int k)
{
	return k == 0 ? v3(m.x.x, m.y.x, m.z.x) : k == 1 ? v3(m.x.y, m.y.y, m.z.y) : v3(m.x.z, m.y.z, m.z.z);
}

SCREE_FN real join_between(vec3 a, mat3 m, vec3 b) { return v3_dot(a, mat3_mul(m, b)); }

/* Adds `part` times the integrals over the region of k, in coordinates of i. */
SCREE_FN_APART void join_see(SCREE_GLOBAL overlap_view *i, SCREE_GLOBAL const overlap_view *k, real part, bool apart)
{
	const overlap_change c = join_change(i, k, apart);
	SCREE_GLOBAL real *sum = i->all;
	SCREE_GLOBAL const real *inner = k->own.inner;
	const real v = inner[0];
	const mat3 s = join_second(inner);
	const vec3 m = mat3_mul(c.by, v3(inner[X], inner[Y], inner[Z])), b = c.shift;
	const vec3 x = join_row(c.by, 0), y = join_row(c.by, 1), z = join_row(c.by, 2);
	sum[0] += part * v;
	sum[X] += part * (m.x + v * b.x);
	sum[Y] += part * (m.y + v * b.y);
	sum[Z] += part * (m.z + v * b.z);
	sum[XX] += part * (join_between(x, s, x) + 2 * m.x * b.x + v * b.x * b.x);
	sum[XY] += part * (join_between(x, s, y) + m.x * b.y + m.y * b.x + v * b.x * b.y);
	sum[XZ] += part * (join_between(x, s, z) + m.x * b.z + m.z * b.x + v * b.x * b.z);
	sum[YY] += part * (join_between(y, s, y) + 2 * m.y * b.y + v * b.y * b.y);
	sum[YZ] += part * (join_between(y, s, z) + m.y * b.z + m.z * b.y + v * b.y * b.z);
	sum[ZZ] += part * (join_between(z, s, z) + 2 * m.z * b.z + v * b.z * b.z);
}

/* Adds `part` times the pressure of i, a polynomial in coordinates of i, converted to coordinates of k. */
SCREE_FN_APART void join_pull_back(SCREE_GLOBAL overlap_view *k, SCREE_GLOBAL const overlap_view *i, real part,
								   bool apart)
{
	const overlap_change c = join_change(i, k, apart);
	SCREE_GLOBAL real *sum = k->pressed;
	SCREE_GLOBAL const real *p = i->pressure;
	const mat3 q =
		join_matrix(v3(p[XX], p[XY] / 2, p[XZ] / 2), v3(p[XY] / 2, p[YY], p[YZ] / 2), v3(p[XZ] / 2, p[YZ] / 2, p[ZZ]));
	const vec3 first = v3(p[X], p[Y], p[Z]), qb = mat3_mul(q, c.shift);
	const vec3 g = mat3_tmul(c.by, v3_madd(first, 2, qb));
	sum[0] += part * (p[0] + v3_dot(first, c.shift) + v3_dot(c.shift, qb));
	sum[X] += part * g.x;
	sum[Y] += part * g.y;
	sum[Z] += part * g.z;
	sum[XX] += part * join_between(c.by.x, q, c.by.x);
	sum[XY] += part * 2 * join_between(c.by.x, q, c.by.y);
	sum[XZ] += part * 2 * join_between(c.by.x, q, c.by.z);
	sum[YY] += part * join_between(c.by.y, q, c.by.y);
	sum[YZ] += part * 2 * join_between(c.by.y, q, c.by.z);
	sum[ZZ] += part * join_between(c.by.z, q, c.by.z);
}

/* Starts the view of a member after `own` and `height` are set. */
SCREE_FN_APART void join_start(SCREE_GLOBAL overlap_view *v)
{
	const spread s = spread_of(v->own.inner);
	v->is = s.is;
	v->volume = s.volume;
	v->density = v->part = 0;
	for (int k = 0; k < 10; ++k) v->all[k] = v->pressure[k] = v->pressed[k] = 0;
}

/* bond: the bonds of member i */
SCREE_FN_APART void join_look(SCREE_GLOBAL overlap_view *v, SCREE_GLOBAL const overlap_bond *bond, int32_t members,
							  int32_t i)
{
	SCREE_ROLLED
	for (int32_t k = 0; k < members; ++k)
		if (bond[k].part > 0 && v[k].is) join_see(v + i, v + k, bond[k].part, bond[k].apart);
	const spread s = spread_of(v[i].all);
	real p[10];
	if (!s.is) return;
	v[i].density = thickness_energy(s.volume, s.lambda) / s.volume;
	v[i].part = v[i].volume * v[i].density / s.volume;
	pressure_of(&s, p);
	p[0] -= 1;
	for (int k = 0; k < 10; ++k) v[i].pressure[k] = p[k];
}

/* bond: all bonds, [members * members] in rows */
SCREE_FN_APART void join_press(SCREE_GLOBAL overlap_view *v, SCREE_GLOBAL const overlap_bond *bond, int32_t members,
							   int32_t k)
{
	v[k].pressed[0] = v[k].density;
	SCREE_ROLLED
	for (int32_t i = 0; i < members; ++i) {
		SCREE_GLOBAL const overlap_bond *b = bond + i * members + k;
		if (b->part > 0 && v[i].part > 0) join_pull_back(v + k, v + i, b->part * v[i].part, b->apart);
	}
}

/* Computes force and moment about the member's `from`, in the member's axes, of the pressure on the body's faces. Only
 * faces of the body move. Integrals of the pressure over all borders equal integrals of its gradient, g + 2 Q x, over
 * the region; integrals over the wall's faces are computed by press_on. */
SCREE_FN_APART void join_push(SCREE_GLOBAL const overlap_view *v, vec3 *push, vec3 *moment)
{
	SCREE_GLOBAL const real *inner = v->own.inner;
	real p[10];
	for (int k = 0; k < 10; ++k) p[k] = v->pressed[k];
	const pressed of = press_on(v->own.border, p);
	const vec3 g = v3(p[X], p[Y], p[Z]), m = v3(inner[X], inner[Y], inner[Z]);
	const mat3 q = join_matrix(v3(2 * p[XX], p[XY], p[XZ]), v3(p[XY], 2 * p[YY], p[YZ]), v3(p[XZ], p[YZ], 2 * p[ZZ]));
	const mat3 s = join_second(inner);
	const vec3 all = v3_madd(mat3_mul(q, m), inner[0], g), turn = v3_cross(m, g);
	*push = v3_sub(of.one, all);
	*moment = v3(of.y.z - of.z.y - turn.x - (v3_dot(s.y, q.z) - v3_dot(s.z, q.y)),
				 of.z.x - of.x.z - turn.y - (v3_dot(s.z, q.x) - v3_dot(s.x, q.z)),
				 of.x.y - of.y.x - turn.z - (v3_dot(s.x, q.y) - v3_dot(s.y, q.x)));
}

SCREE_FN_APART void join_effect(SCREE_GLOBAL const overlap_view *v, SCREE_GLOBAL overlap_effect *e)
{
	SCREE_GLOBAL const overlap_region *r = &v->own;
	const spread s = spread_of(r->inner);
	vec3 push, moment, wide[2] = {{0, 0, 0}, {0, 0, 0}};
	join_push(v, &push, &moment);
	const real u = s.volume * v->density, force = v3_norm(push);
	if (force > 0) axes_across(&s, v3_mul(1 / force, push), wide);
	e->energy = u;
	e->nothing = v->density * r->widest;
	e->push = mat3_mul(r->axes, push);
	e->moment = v3_add(v3_cross(r->from, e->push), mat3_mul(r->axes, moment));
	e->middle = v3_mul(u, v3_add(r->from, mat3_mul(r->axes, s.centre)));
	e->hold = v3_mul(u, v3_add(r->from, mat3_mul(r->axes, centre_of_area(r, &s))));
	e->arm = force > 0 ? u * arm_of(&s, push, force) : 0;
	for (int k = 0; k < 2; ++k) e->wide[k] = mat3_mul(r->axes, wide[k]);
	e->areas = r->push;
	e->widest = r->widest;
}

/* Computes the effects of all members from their views; effects without energy are 0. */
SCREE_FN void join_effects(SCREE_GLOBAL overlap_view *v, SCREE_GLOBAL const overlap_bond *bond, int32_t members,
						   SCREE_GLOBAL overlap_effect *e)
{
	SCREE_ROLLED
	for (int32_t k = 0; k < members; ++k) join_start(v + k);
	SCREE_ROLLED
	for (int32_t i = 0; i < members; ++i)
		if (v[i].is) join_look(v, bond + i * members, members, i);
	SCREE_ROLLED
	for (int32_t k = 0; k < members; ++k) {
		if (!v[k].is || !(v[k].density > 0)) continue;
		join_press(v, bond, members, k);
		join_effect(v + k, e + k);
	}
}

/* Distributes each member's energy among all members bound to it, in proportion to their forces. A contact whose own
 * force vanishes then has the same overlap (twice the energy divided by the force) as its neighbours. shared: [members]
 */
SCREE_FN_APART void join_share_energy(SCREE_GLOBAL overlap_effect *e, SCREE_GLOBAL const overlap_bond *bond,
									  int32_t members, SCREE_GLOBAL real *shared)
{
	SCREE_ROLLED
	for (int32_t k = 0; k < members; ++k) shared[k] = 0;
	SCREE_ROLLED
	for (int32_t i = 0; i < members; ++i) {
		SCREE_GLOBAL const overlap_bond *b = bond + i * members;
		real all = 0;
		SCREE_ROLLED
		for (int32_t k = 0; k < members; ++k) all += b[k].part * v3_norm(e[k].push);
		SCREE_ROLLED
		for (int32_t k = 0; k < members && all > 0; ++k)
			shared[k] += e[i].energy * (b[k].part * v3_norm(e[k].push) / all);
	}
	SCREE_ROLLED
	for (int32_t k = 0; k < members; ++k) {
		if (!(e[k].energy > 0) || !(shared[k] > 0)) continue;
		const real by = shared[k] / e[k].energy;
		e[k].energy = shared[k];
		e[k].middle = v3_mul(by, e[k].middle);
		e[k].hold = v3_mul(by, e[k].hold);
		e[k].arm *= by;
	}
}

#endif
