/* gear: Gear's predictor and corrector, applied to positions and to increments of rotation about the world's axes.
 *
 * in   positions, orientations, velocities and higher derivatives
 * out  drift: the same quantities, predicted for the end of the step
 * in   the same quantities, and forces in the predicted state
 * out  kick: the same quantities, corrected
 *
 * The scheme can be applied to rotation if rotation can be described by a vector. A vector suffices for rotation about
 * z in a flat world, and for bodies with equal moments of inertia, whose angular velocity is the angular momentum
 * divided by a scalar. */
#include "papers/gear/gear.h"

#include "kernel/motion.h"
#include "model/model.h"
#include "state/state.h"

#define ROW(number, axis, unit, help)                                                                                  \
	{                                                                                                                  \
		"gear_" #number #axis, unit, help, offsetof(bodies, extra) + sizeof(real *) * ((number - 2) * 6 + axis),       \
			KIND_F64, SHARE_OWNER, true, 0                                                                             \
	}
#define ROWS(number, help)                                                                                             \
	ROW(number, 0, "m", help), ROW(number, 1, "m", help), ROW(number, 2, "m", help), ROW(number, 3, "", help),         \
		ROW(number, 4, "", help), ROW(number, 5, "", help)

const field scree_gear_fields[GEAR_FIELDS] = {
	ROWS(2, "scaled second derivative of position and angle"),
	ROWS(3, "scaled third derivative"),
	ROWS(4, "scaled fourth derivative"),
	ROWS(5, "scaled fifth derivative"),
};

/* Derivative k of coordinate `axis` of body i: x y z, followed by the angles about these axes. */
SCREE_FN real *kept(const bodies *b, int k, int axis, int64_t i)
{
	return b->extra[(k - GEAR_FIRST) * GEAR_EACH + axis] + i;
}

/* Predicts the derivatives of a coordinate, and its rate of change per second. Returns the displacement along the
 * coordinate. */
SCREE_FN real predict(const bodies *b, int values, int axis, int64_t i, real dt, real *rate)
{
	real q[GEAR_MOST] = {0, 0}, before = *rate;
	for (int k = GEAR_FIRST; k < values; ++k) q[k] = *kept(b, k, axis, i);
	gear_predict(values, q);
	for (int k = GEAR_FIRST; k < values; ++k) *kept(b, k, axis, i) = q[k];
	*rate = before + q[1] / dt;
	return dt * before + q[0];
}

SCREE_FN real correct(const bodies *b, const gear_rule *r, int values, int axis, int64_t i, real dt, real acceleration,
					  real *rate)
{
	real q[GEAR_MOST] = {0, 0};
	for (int k = GEAR_FIRST; k < values; ++k) q[k] = *kept(b, k, axis, i);
	gear_correct(values, r->alpha, q, dt * dt / 2 * acceleration);
	for (int k = GEAR_FIRST; k < values; ++k) *kept(b, k, axis, i) = q[k];
	*rate += q[1] / dt;
	return q[0];
}

/* Rotates by an increment of angle about the world's axes. */
static void turn_by(bodies *b, int64_t i, vec3 angle)
{
	body_set_orientation(b, i, quat_unit(quat_mul(quat_exp(angle, 1), body_orientation(b, (int32_t)i))));
}

/* Upper bound on the path of any point of the body. */
SCREE_FN real way_of(const bodies *b, int64_t i, vec3 step, vec3 angle)
{
	return sqrt(v3_norm2(step)) + sqrt(v3_norm2(angle)) * b->radius[i];
}

SCREE_FN real drift(const bodies *all, int values, int64_t from, int64_t to, real dt)
{
	bodies o = *all, *b = &o;
	real longest = 0;
	for (int64_t i = from; i < to; ++i) {
		vec3 step = v3(predict(b, values, 0, i, dt, b->vx + i), predict(b, values, 1, i, dt, b->vy + i),
					   predict(b, values, 2, i, dt, b->vz + i));
		vec3 angle = v3(predict(b, values, 3, i, dt, b->wx + i), predict(b, values, 4, i, dt, b->wy + i),
						predict(b, values, 5, i, dt, b->wz + i));
		b->x[i] += step.x;
		b->y[i] += step.y;
		b->z[i] += step.z;
		/* as in velocity Verlet, a body has these velocities when it crosses the boundary of a cell */
		b->hx[i] = b->vx[i];
		b->hy[i] = b->vy[i];
		b->hz[i] = b->vz[i];
		turn_by(b, i, angle);
		real way = way_of(b, i, step, angle);
		b->way[i] += way;
		longest = way > longest ? way : longest;
	}
	return longest;
}

real scree_gear_drift(const model *m, state *s, int64_t from, int64_t to)
{
	switch (m->integrator->gear->values) { /* a compile-time constant */
	case 4:
		return drift(&s->body, 4, from, to, m->dt);
	case 5:
		return drift(&s->body, 5, from, to, m->dt);
	default:
		return drift(&s->body, 6, from, to, m->dt);
	}
}

SCREE_FN vec3 acceleration(const bodies *b, int64_t i, vec3 gravity)
{
	real free = b->inv_mass[i] > 0 ? 1 : 0;
	return v3(b->fx[i] * b->inv_mass[i] + free * gravity.x, b->fy[i] * b->inv_mass[i] + free * gravity.y,
			  b->fz[i] * b->inv_mass[i] + free * gravity.z);
}

SCREE_FN bool is_round_body(const bodies *b, int64_t i) { return b->ix[i] == b->iy[i] && b->iy[i] == b->iz[i]; }

/* Derivative of the angular velocity. Forces do not rotate bodies with unequal moments of inertia, except in a flat
 * world. */
SCREE_FN vec3 angular_acceleration(const bodies *b, int64_t i, bool flat)
{
	vec3 t = v3(b->tx[i], b->ty[i], b->tz[i]);
	if (b->flags[i] & BODY_HELD) return v3(0, 0, 0);
	if (is_round_body(b, i)) return v3_mul(1 / b->ix[i], flat ? v3(0, 0, t.z) : t);
	return v3(0, 0, spin_of(body_orientation(b, (int32_t)i), t, v3(b->ix[i], b->iy[i], b->iz[i])).z);
}

static void set_momentum(bodies *b, int64_t i)
{
	vec3 inertia = v3(b->ix[i], b->iy[i], b->iz[i]), w = body_angular_velocity(b, (int32_t)i);
	if (b->flags[i] & BODY_HELD) return;
	vec3 l = is_round_body(b, i) ? v3_mul(inertia.x, w) : momentum_of(body_orientation(b, (int32_t)i), w, inertia);
	b->lx[i] = l.x;
	b->ly[i] = l.y;
	b->lz[i] = l.z;
}

SCREE_FN real kick(const model *m, const state *s, const gear_rule *r, int values, int64_t from, int64_t to)
{
	bodies o = s->body, *b = &o;
	real longest = 0, dt = m->dt;
	for (int64_t i = from; i < to; ++i) {
		vec3 a = acceleration(b, i, m->gravity), t = angular_acceleration(b, i, m->flat);
		vec3 step = v3(correct(b, r, values, 0, i, dt, a.x, b->vx + i), correct(b, r, values, 1, i, dt, a.y, b->vy + i),
					   correct(b, r, values, 2, i, dt, a.z, b->vz + i));
		vec3 angle =
			v3(correct(b, r, values, 3, i, dt, t.x, b->wx + i), correct(b, r, values, 4, i, dt, t.y, b->wy + i),
			   correct(b, r, values, 5, i, dt, t.z, b->wz + i));
		b->x[i] += step.x;
		b->y[i] += step.y;
		b->z[i] += step.z;
		turn_by(b, i, angle);
		set_momentum(b, i);
		real way = way_of(b, i, step, angle);
		b->way[i] += way;
		longest = way > longest ? way : longest;
	}
	return longest;
}

real scree_gear_kick(const model *m, state *s, int64_t from, int64_t to)
{
	const gear_rule *r = m->integrator->gear;
	switch (r->values) {
	case 4:
		return kick(m, s, r, 4, from, to);
	case 5:
		return kick(m, s, r, 5, from, to);
	default:
		return kick(m, s, r, 6, from, to);
	}
}

void scree_gear_start(const model *m, state *s, int64_t from, int64_t to)
{
	const bodies *b = &s->body;
	real second = m->dt * m->dt / 2;
	for (int64_t i = from; i < to; ++i) {
		vec3 a = acceleration(b, i, m->gravity), t = angular_acceleration(b, i, m->flat);
		real rows[GEAR_EACH] = {a.x, a.y, a.z, t.x, t.y, t.z};
		for (int axis = 0; axis < GEAR_EACH; ++axis) *kept(b, GEAR_FIRST, axis, i) = second * rows[axis];
	}
}

void scree_gear_restep(state *s, real by)
{
	const bodies *b = &s->body;
	real power = by;
	for (int k = GEAR_FIRST; (k - GEAR_FIRST) * GEAR_EACH < b->asked.count; ++k) {
		power *= by;
		for (int axis = 0; axis < GEAR_EACH; ++axis)
			for (int64_t i = 0; i < b->owned; ++i) *kept(b, k, axis, i) *= power;
	}
}
