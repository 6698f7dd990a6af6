/* ways_back.h: from the poses ahead of an implicit step back to those of the state. */
#ifndef SCREE_WORK_WAYS_BACK_H
#define SCREE_WORK_WAYS_BACK_H

#include "kernel/quat.h"
#include "state/state.h"
#include "work/ahead.h"

/* The rotation of a body from its pose ahead to that now. */
SCREE_FN mat3 turn_back(const bodies *b, const look_ahead *o, int32_t i)
{
	real *const *q = o->column + 3;
	const quat now = quat_of(q[0][i], q[1][i], q[2][i], q[3][i]);
	return quat_matrix(quat_mul(now, quat_conj(body_orientation(b, i))));
}

/* m: the displacement of a body from its position now to that ahead */
SCREE_FN vec3 way_gone(const bodies *b, const look_ahead *o, int32_t i)
{
	return v3_sub(body_position(b, i), v3(o->column[0][i], o->column[1][i], o->column[2][i]));
}

/* The same rotation as seen from a wall that rotates itself. */
SCREE_FN mat3 turn_back_on(const bodies *b, const look_ahead *o, int32_t i, const wall_state *ahead, int32_t wall)
{
	const mat3 turn = turn_back(b, o, i);
	const quat now = o->wall[wall].orientation, q = ahead->orientation;
	if (q.w == now.w && q.x == now.x && q.y == now.y && q.z == now.z) return turn;
	const mat3 goes = quat_matrix(quat_mul(q, quat_conj(now)));
	return (mat3){mat3_mul(goes, turn.x), mat3_mul(goes, turn.y), mat3_mul(goes, turn.z)};
}

/* Where two points were that are one ahead, at q from the centre of a: midway between that of a and that of b, from the
 * centre of a. apart: m, from the centre of b to that of a, ahead and now */
SCREE_FN vec3 point_back(vec3 q, const mat3 *turn_a, const mat3 *turn_b, vec3 apart, vec3 apart_now)
{
	const vec3 of_a = mat3_mul(*turn_a, q), of_b = v3_sub(mat3_mul(*turn_b, v3_add(q, apart)), apart_now);
	return v3_mul((real)0.5, v3_add(of_a, of_b));
}

#endif
