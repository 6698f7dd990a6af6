/* overlap_join: the energy of overlaps with several surfaces of a wall (docs/theory/walls.md, "Folds").
 *
 * The region of member i is composed of all members, each weighted by its bond: E = sum of V_i h_i, where h_i is U/V
 * for the region of i. If all bonds are 1, E is the U of the whole region; if there are no bonds, E is the sum of the
 * members' U. E depends only on the poses. The gradient of E is a pressure on the borders of member k,
 *
 *     p_k(x) = h_k + sum over i of bond_ik V_i h_i/V*_i (P_i(x) - 1),
 *
 * where P_i is the pressure times V/U of the region of i (overlap_thickness.c), a polynomial of second degree in
 * coordinates of i, which are linear in the coordinates of k. */
#include "narrow/solid/overlap.h"

#include "base/memory.h"
#include "narrow/touch_list.h"

#include <string.h>

/* Transformation of points from one member's axes to another's. */
typedef struct change {
	mat3 by;
	vec3 shift;
} change;

static change change_of(const overlap_member *i, const overlap_member *k, bool apart)
{
	const mat3 *to = &i->sum.axes, *from = &k->sum.axes;
	change c = {{mat3_tmul(*to, from->x), mat3_tmul(*to, from->y), mat3_tmul(*to, from->z)},
				mat3_tmul(*to, v3_sub(k->sum.from, i->sum.from))};
	if (!apart) return c;
	c.by.x.z = c.by.y.z = 0;
	c.by.z.z = 1;
	c.shift.z = k->height - i->height;
	return c;
}

/* Second-degree integrals as a symmetric matrix. */
static mat3 second_of(const real *m)
{
	return (mat3){v3(m[XX], m[XY], m[XZ]), v3(m[XY], m[YY], m[YZ]), v3(m[XZ], m[YZ], m[ZZ])};
}

static vec3 row_of(mat3 m, int k)
{
	return k == 0 ? v3(m.x.x, m.y.x, m.z.x) : k == 1 ? v3(m.x.y, m.y.y, m.z.y) : v3(m.x.z, m.y.z, m.z.z);
}

static real between(vec3 a, mat3 m, vec3 b) { return v3_dot(a, mat3_mul(m, b)); }

/* Adds `part` times the integrals over the region of k, in coordinates of i. */
static void see(real *sum, real part, const real *inner, const change *c)
{
	const real v = inner[0];
	const mat3 s = second_of(inner);
	const vec3 m = mat3_mul(c->by, v3(inner[X], inner[Y], inner[Z])), b = c->shift;
	const vec3 x = row_of(c->by, 0), y = row_of(c->by, 1), z = row_of(c->by, 2);
	sum[0] += part * v;
	sum[X] += part * (m.x + v * b.x);
	sum[Y] += part * (m.y + v * b.y);
	sum[Z] += part * (m.z + v * b.z);
	sum[XX] += part * (between(x, s, x) + 2 * m.x * b.x + v * b.x * b.x);
	sum[XY] += part * (between(x, s, y) + m.x * b.y + m.y * b.x + v * b.x * b.y);
	sum[XZ] += part * (between(x, s, z) + m.x * b.z + m.z * b.x + v * b.x * b.z);
	sum[YY] += part * (between(y, s, y) + 2 * m.y * b.y + v * b.y * b.y);
	sum[YZ] += part * (between(y, s, z) + m.y * b.z + m.z * b.y + v * b.y * b.z);
	sum[ZZ] += part * (between(z, s, z) + 2 * m.z * b.z + v * b.z * b.z);
}

/* Adds `part` times a polynomial in coordinates of i, converted to coordinates of k. */
static void pull_back(real *sum, real part, const real *p, const change *c)
{
	const mat3 q = {v3(p[XX], p[XY] / 2, p[XZ] / 2), v3(p[XY] / 2, p[YY], p[YZ] / 2), v3(p[XZ] / 2, p[YZ] / 2, p[ZZ])};
	const vec3 first = v3(p[X], p[Y], p[Z]), qb = mat3_mul(q, c->shift);
	const vec3 g = mat3_tmul(c->by, v3_madd(first, 2, qb));
	sum[0] += part * (p[0] + v3_dot(first, c->shift) + v3_dot(c->shift, qb));
	sum[X] += part * g.x;
	sum[Y] += part * g.y;
	sum[Z] += part * g.z;
	sum[XX] += part * between(c->by.x, q, c->by.x);
	sum[XY] += part * 2 * between(c->by.x, q, c->by.y);
	sum[XZ] += part * 2 * between(c->by.x, q, c->by.z);
	sum[YY] += part * between(c->by.y, q, c->by.y);
	sum[YZ] += part * 2 * between(c->by.y, q, c->by.z);
	sum[ZZ] += part * between(c->by.z, q, c->by.z);
}

typedef struct overlap_view {
	overlap_region own;
	spread of;			/* covariance of the member's own region */
	real density, part; /* h of the composed region, and V h/V* */
	real pressure[10];	/* P - 1 */
	real pressed[10];	/* pressure on the region's borders */
} view;

static const overlap_bond *bond_of(const overlap_room *r, int32_t i, int32_t k)
{
	return r->bond + (size_t)i * (size_t)r->members + (size_t)k;
}

static void look(overlap_room *r, int32_t i)
{
	view *v = r->view;
	real sum[10] = {0};
	for (int32_t k = 0; k < r->members; ++k) {
		const overlap_bond *b = bond_of(r, i, k);
		if (!(b->part > 0) || !v[k].of.is) continue;
		const change c = change_of(r->member + i, r->member + k, b->apart);
		see(sum, b->part, v[k].own.inner, &c);
	}
	const spread s = spread_of(sum);
	if (!s.is) return;
	v[i].density = thickness_energy(s.volume, s.lambda) / s.volume;
	v[i].part = v[i].of.volume * v[i].density / s.volume;
	pressure_of(&s, v[i].pressure);
	v[i].pressure[0] -= 1;
}

static void press(overlap_room *r, int32_t k)
{
	view *v = r->view;
	v[k].pressed[0] = v[k].density;
	for (int32_t i = 0; i < r->members; ++i) {
		const overlap_bond *b = bond_of(r, i, k);
		if (!(b->part > 0) || !(v[i].part > 0)) continue;
		const change c = change_of(r->member + i, r->member + k, b->apart);
		pull_back(v[k].pressed, b->part * v[i].part, v[i].pressure, &c);
	}
}

/* Computes force and moment about the member's `from`, in the member's axes, of the pressure on the body's faces. Only
 * faces of the body move. Integrals of the pressure over all borders equal integrals of its gradient, g + 2 Q x, over
 * the region; integrals over the wall's faces are computed by press_on. */
static void push_of(const view *v, vec3 *push, vec3 *moment)
{
	const real *p = v->pressed, *inner = v->own.inner;
	const pressed of = press_on(v->own.border, p);
	const vec3 g = v3(p[X], p[Y], p[Z]), m = v3(inner[X], inner[Y], inner[Z]);
	const mat3 q = {v3(2 * p[XX], p[XY], p[XZ]), v3(p[XY], 2 * p[YY], p[YZ]), v3(p[XZ], p[YZ], 2 * p[ZZ])};
	const mat3 s = second_of(inner);
	const vec3 all = v3_madd(mat3_mul(q, m), inner[0], g), turn = v3_cross(m, g);
	*push = v3_sub(of.one, all);
	*moment = v3(of.y.z - of.z.y - turn.x - (v3_dot(s.y, q.z) - v3_dot(s.z, q.y)),
				 of.z.x - of.x.z - turn.y - (v3_dot(s.z, q.x) - v3_dot(s.x, q.z)),
				 of.x.y - of.y.x - turn.z - (v3_dot(s.x, q.y) - v3_dot(s.y, q.x)));
}

static void effect_of(const view *v, overlap_effect *e)
{
	const overlap_region *r = &v->own;
	const spread *s = &v->of;
	vec3 push, moment, wide[2] = {{0, 0, 0}, {0, 0, 0}};
	push_of(v, &push, &moment);
	const real u = s->volume * v->density, force = v3_norm(push);
	if (force > 0) axes_across(s, v3_mul(1 / force, push), wide);
	e->energy = u;
	e->nothing = v->density * r->widest;
	e->push = mat3_mul(r->axes, push);
	e->moment = v3_add(v3_cross(r->from, e->push), mat3_mul(r->axes, moment));
	e->middle = v3_mul(u, v3_add(r->from, mat3_mul(r->axes, s->centre)));
	e->hold = v3_mul(u, v3_add(r->from, mat3_mul(r->axes, centre_of_area(r, s))));
	e->arm = force > 0 ? u * arm_of(s, push, force) : 0;
	for (int k = 0; k < 2; ++k) e->wide[k] = mat3_mul(r->axes, wide[k]);
	e->areas = r->push;
	e->widest = r->widest;
}

static void effects_of_thickness(overlap_room *r)
{
	r->view = scree_wall_least(r->view, r->members, &r->view_capacity, sizeof *r->view);
	memset(r->view, 0, (size_t)r->members * sizeof *r->view);
	for (int32_t k = 0; k < r->members; ++k) {
		scree_thickness_region(&r->member[k].sum, &r->view[k].own);
		r->view[k].of = spread_of(r->view[k].own.inner);
	}
	for (int32_t i = 0; i < r->members; ++i)
		if (r->view[i].of.is) look(r, i);
	for (int32_t k = 0; k < r->members; ++k) {
		if (!r->view[k].of.is || !(r->view[k].density > 0)) continue;
		press(r, k);
		effect_of(r->view + k, r->effect + k);
	}
}

static void effects_of_volume(overlap_room *r, real smaller)
{
	for (int32_t k = 0; k < r->members; ++k) {
		const real own = scree_overlap_volume(&r->member[k].sum);
		real volume = 0;
		for (int32_t i = 0; i < r->members; ++i)
			volume += bond_of(r, k, i)->part * real_max(scree_overlap_volume(&r->member[i].sum), 0);
		if (own > 0) scree_volume_effect(&r->member[k].sum, own, volume / smaller, r->effect + k);
	}
}

/* Distributes each member's energy among all members bound to it, in proportion to their forces. A contact whose own
 * force vanishes then has the same overlap (twice the energy divided by the force) as its neighbours. */
static void share_energy(overlap_room *r)
{
	r->shared = scree_wall_least(r->shared, r->members, &r->shared_capacity, sizeof *r->shared);
	memset(r->shared, 0, (size_t)r->members * sizeof *r->shared);
	overlap_effect *e = r->effect;
	for (int32_t i = 0; i < r->members; ++i) {
		real all = 0;
		for (int32_t k = 0; k < r->members; ++k) all += bond_of(r, i, k)->part * v3_norm(e[k].push);
		for (int32_t k = 0; k < r->members && all > 0; ++k)
			r->shared[k] += e[i].energy * (bond_of(r, i, k)->part * v3_norm(e[k].push) / all);
	}
	for (int32_t k = 0; k < r->members; ++k) {
		if (!(e[k].energy > 0) || !(r->shared[k] > 0)) continue;
		const real by = r->shared[k] / e[k].energy;
		e[k].energy = r->shared[k];
		e[k].middle = v3_mul(by, e[k].middle);
		e[k].hold = v3_mul(by, e[k].hold);
		e[k].arm *= by;
	}
}

void scree_overlap_join(overlap_room *r, real smaller)
{
	r->effect = scree_wall_least(r->effect, r->members, &r->effect_capacity, sizeof *r->effect);
	memset(r->effect, 0, (size_t)r->members * sizeof *r->effect);
	if (r->member->sum.of == ENERGY_OF_VOLUME)
		effects_of_volume(r, smaller);
	else
		effects_of_thickness(r);
	share_energy(r);
	for (int32_t k = 0; k < r->members; ++k) {
		overlap_member *m = r->member + k;
		m->any = r->effect[k].energy > 0;
		if (m->any) overlap_screw(r->effect + k, m->along, &m->contact);
	}
}

void scree_overlap_room_free(overlap_room *r)
{
	SCREE_FREE_ALL(r->member, r->bond, r->view, r->effect, r->shared, r->ridge);
	*r = (overlap_room){0};
}
