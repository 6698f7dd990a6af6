/* flat_sides: the point at which the impulse of an impact acts on a flat side of a smooth body.
 *
 * A superquadric touches at one point. Where its side is flat, this point moves from the middle to a border when the
 * body tilts by a thousandth of a radian. A body that lands flat tilts back and forth by less than that, and the point
 * moves with the tilt, much faster than the step: in force-based steps, the impulses act on average in the middle of
 * the side. A step that uses the point found for the body's present pose makes the body rotate instead. So the impulse
 * acts at the mean of the points that touch while the body tilts by the angle that the impulse of the step may cause.
 * On a curved side this is the contact point itself (docs/theory/implicit.md, "Flat sides"). */
#include "solver/constraints.h"

#include "base/maths.h"
#include "kernel/quat.h"
#include "shape/shapes.h"

static const real MOST_TILT = (real)0.3; /* rad: largest tilt */

typedef struct flat_body {
	mat3 turn;
	vec3 semi; /* m */
	real power_xy, power_z;
} flat_body;

static vec3 farthest(const flat_body *s, vec3 n)
{
	return mat3_mul(s->turn, scree_superquadric_farthest(s->semi, s->power_xy, s->power_z, mat3_tmul(s->turn, n)));
}

/* Returns the mirror axis most nearly perpendicular to n, along which the side facing n has its borders. */
static vec3 axis_across(const flat_body *s, vec3 n)
{
	const vec3 part = mat3_tmul(s->turn, n);
	const real x = real_abs(part.x), y = real_abs(part.y), z = real_abs(part.z);
	const vec3 e = x <= y && x <= z ? v3(1, 0, 0) : y <= z ? v3(0, 1, 0) : v3(0, 0, 1), axis = mat3_mul(s->turn, e);
	return v3_unit(v3_madd(axis, -v3_dot(axis, n), n));
}

/* vector in m, across n, from the farthest point along n to the mean of the farthest points for tilts on both axes */
static vec3 way_to_mean(const flat_body *s, vec3 n, real tilt)
{
	const vec3 t = axis_across(s, n), u = v3_cross(n, t);
	vec3 way = v3_neg(farthest(s, n));
	for (int k = 0; k < 4; ++k) {
		const vec3 to = v3_unit(v3_madd(v3_madd(n, k % 2 ? -tilt : tilt, t), k / 2 ? -tilt : tilt, u));
		way = v3_madd(way, (real)0.25, farthest(s, to));
	}
	return v3_madd(way, -v3_dot(way, n), n);
}

bool scree_has_flat_sides(const solving *v, int32_t i)
{
	static const real ROUND = (real)2.1;
	const shape *o = v->m->shape.row + v->s->body.shape[i];
	return o->type == SHAPE_SUPERQUADRIC && real_max(o->power_xy, o->power_z) > ROUND;
}

/* speed: bound on the change in velocity due to the impulse of the step, in m/s */
static vec3 way_on(const solving *v, int32_t i, vec3 n, real speed)
{
	const bodies *b = &v->s->body;
	if (!scree_has_flat_sides(v, i)) return v3(0, 0, 0);
	const shape *o = v->m->shape.row + b->shape[i];
	const real size = b->size[i];
	const flat_body s = {quat_matrix(body_orientation(b, i)), v3(size * o->semi_x, size * o->semi_y, size * o->semi_z),
						 o->power_xy, o->power_z};
	const real turns = b->mass[i] * size * o->radius / real_min(b->ix[i], real_min(b->iy[i], b->iz[i])); /* rad/m */
	return way_to_mean(&s, n, real_min(turns * speed * v->h, MOST_TILT));
}

real scree_impact_speed(const solving *v, const constraint *r, const constraint_point *p)
{
	return real_max(-p->came, sqrt(2 * v->s->pair[r->ref.kind].brought[r->ref.row] / p->rigid));
}

vec3 scree_flat_side_way(const solving *v, const constraint *r, const constraint_point *p)
{
	const vec3 none = {0, 0, 0};
	if (r->ref.kind != PAIR_SEVERAL_POINTS && r->ref.kind != PAIR_SEVERAL_POINTS_WALL) return none;
	const real rate = sqrt(scree_constraint_stiffness(v, r) / p->rigid);
	const real speed = scree_impact_speed(v, r, p) * real_min(rate * v->h, 1);
	if (!(speed > 0)) return none;
	const vec3 a = way_on(v, r->ref.a, v3_neg(r->normal), speed);
	if (pair_on_wall(r->ref.kind)) return a;
	/* the point moves no farther than on the more curved body */
	const vec3 b = way_on(v, r->ref.b, r->normal, speed);
	return v3_norm2(a) < v3_norm2(b) ? a : b;
}
