/* ways_ahead.h: the distance by which bodies may move ahead in an implicit step, as a function of the state. */
#ifndef SCREE_WORK_WAYS_AHEAD_H
#define SCREE_WORK_WAYS_AHEAD_H

#include "kernel/cohesion.h"
#include "kernel/impulse.h"
#include "kernel/motion.h"
#include "kernel/quat.h"
#include "model/model.h"
#include "state/state.h"
#include "work/ahead.h"

/* Velocities before the step, or those at the half step if bodies have moved in it. */
SCREE_FN velocity_pair velocity_before(const bodies *b, int64_t i, bool drifted)
{
	const vec3 v = drifted ? v3(b->hx[i], b->hy[i], b->hz[i]) : v3(b->vx[i], b->vy[i], b->vz[i]);
	return (velocity_pair){v, v3(b->wx[i], b->wy[i], b->wz[i])};
}

/* Weight of velocities after a step in the overlap to which contacts of two materials respond. The weight is 1 for hard
 * contacts, to minimise overlaps, and for sticky ones, which rebound with less than their restitution. */
SCREE_FN real part_after_of(const model *m, int32_t materials)
{
	const contact_rule *r = m->material.rule + materials;
	return m->hard || r->cohesion != COHESION_NONE ? 1 : part_after(r->restitution);
}

/* Fraction of a step by which bodies with constant velocity move ahead. */
SCREE_FN real part_ahead(const model *m) { return 2 * m->after - 1; }

/* bound on the displacement of any point of body i in a step with these velocities, in m */
SCREE_FN real way_with(const bodies *b, int64_t i, const velocity_pair *v, real dt)
{
	const real rounding = (real)1.0001;
	return rounding * dt * (v3_norm(v->linear) + swing_of(b->radius[i], b->round[i]) * v3_norm(v->angular));
}

/* additional predicted displacement of all bodies, in m: due to gravity, a variable cell, and half of the motion of
 * images */
SCREE_FN real more_ahead(const model *m, const state *s)
{
	const images *now = &s->images;
	const real pull = m->period.deforms ? v3_norm(now->pull) * v3_norm(now->size) : 0;
	return v3_norm(m->gravity) * m->dt * m->dt + (periods_slip(&m->period, now) + pull) * m->dt;
}

/* limit on a body's predicted displacement, in m: twice a step's displacement plus part of its radius. more:
 * more_ahead */
SCREE_FN real most_ahead(const bodies *b, int64_t i, bool drifted, real more, real dt)
{
	const velocity_pair v = velocity_before(b, i, drifted);
	return 2 * (way_with(b, i, &v, dt) + more) + (real)0.05 * b->round[i];
}

/* amount in m by which a predicted gap may close: the sum of both limits (`most`), or the same for the relative
 * displacement, so that bodies falling side by side do not meet. slides: relative velocity in m/s; more: more_ahead */
SCREE_FN real closes_by(real slides, real radii, real most, real more, real dt)
{
	return real_min(most, 2 * dt * slides + 4 * more + (real)0.05 * radii);
}

/* Returns closes_by for any two points of two bodies. */
SCREE_FN real closes_ahead(const bodies *b, const look_ahead *o, int32_t i, int32_t j, real more, real dt)
{
	const velocity_pair vi = velocity_before(b, i, o->drifted), vj = velocity_before(b, j, o->drifted);
	const real swing_i = swing_of(b->radius[i], b->round[i]), swing_j = swing_of(b->radius[j], b->round[j]);
	const real swings = swing_i * v3_norm(vi.angular) + swing_j * v3_norm(vj.angular);
	const real slides = v3_norm(v3_sub(vi.linear, vj.linear)) + swings;
	return closes_by(slides, b->round[i] + b->round[j], o->most[i] + o->most[j], more, dt);
}

/* Rotation of a body from its pose ahead back to its present pose. */
SCREE_FN mat3 turn_back(const bodies *b, const look_ahead *o, int32_t i)
{
	real *const *q = o->column + 3;
	const quat now = quat_of(q[0][i], q[1][i], q[2][i], q[3][i]);
	return quat_matrix(quat_mul(now, quat_conj(body_orientation(b, i))));
}

/* displacement of a body from its present position to its position ahead, in m */
SCREE_FN vec3 way_gone(const bodies *b, const look_ahead *o, int32_t i)
{
	return v3_sub(body_position(b, i), v3(o->column[0][i], o->column[1][i], o->column[2][i]));
}

/* The rotation of turn_back as seen from a wall, which may also rotate. */
SCREE_FN mat3 turn_back_on(const bodies *b, const look_ahead *o, int32_t i, const wall_state *ahead, int32_t wall)
{
	const mat3 turn = turn_back(b, o, i);
	const quat now = o->wall[wall].orientation, q = ahead->orientation;
	if (q.w == now.w && q.x == now.x && q.y == now.y && q.z == now.z) return turn;
	const mat3 goes = quat_matrix(quat_mul(q, quat_conj(now)));
	return (mat3){mat3_mul(goes, turn.x), mat3_mul(goes, turn.y), mat3_mul(goes, turn.z)};
}

/* Midpoint, from the centre of a, of the present positions of two points that are predicted to coincide at q. apart,
 * apart_now: from the centre of b to the centre of a, in m */
SCREE_FN vec3 point_back(vec3 q, const mat3 *turn_a, const mat3 *turn_b, vec3 apart, vec3 apart_now)
{
	const vec3 of_a = mat3_mul(*turn_a, q), of_b = v3_sub(mat3_mul(*turn_b, v3_add(q, apart)), apart_now);
	return v3_mul((real)0.5, v3_add(of_a, of_b));
}

/* displacement for which pairs and rows must be valid before a step, in m: two bodies may still approach ahead */
SCREE_FN real need_ahead(real most) { return 2 * most; }

#endif
