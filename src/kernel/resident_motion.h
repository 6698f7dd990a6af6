/* resident_motion.h: drift and kick of body i in the memory of a device (motion/forces_to_motion.c). */
#ifndef SCREE_KERNEL_RESIDENT_MOTION_H
#define SCREE_KERNEL_RESIDENT_MOTION_H

#include "kernel/motion.h"
#include "kernel/resident.h"

SCREE_FN quat orientation_in(const columns *b, int64_t i)
{
	return quat_of(real_in(b, SPHERE_qw, i), real_in(b, SPHERE_qx, i), real_in(b, SPHERE_qy, i),
				   real_in(b, SPHERE_qz, i));
}

SCREE_FN drifted resident_drifted(const columns *b, int64_t i, SCREE_GLOBAL const resident_rule *r)
{
	const vec3 a = acceleration_of(vector_in(b, SPHERE_fx, i), real_in(b, SPHERE_inv_mass, i), r->gravity);
	return drift_of(vector_in(b, SPHERE_x, i), vector_in(b, SPHERE_vx, i), a, r->dt);
}

SCREE_FN bool is_held(const columns *b, int64_t i) { return real_in(b, SPHERE_inv_mass, i) == 0; }

SCREE_FN turned resident_turned(const columns *b, int64_t i, quat before, SCREE_GLOBAL const resident_rule *r)
{
	const vec3 l = vector_in(b, SPHERE_lx, i), w = vector_in(b, SPHERE_wx, i);
	const turned held = {quat_unit(quat_mul(quat_exp(w, r->dt), before)), l, w};
	return is_held(b, i) ? held : turn_drift(before, l, vector_in(b, SPHERE_tx, i), vector_in(b, SPHERE_ix, i), r->dt);
}

SCREE_FN real swing_in(const columns *b, int64_t i)
{
	return swing_of(real_in(b, SPHERE_radius, i), real_in(b, SPHERE_round, i));
}

/* Returns the path of the body in this step, in m. */
SCREE_FN real resident_drift(const columns *b, int64_t i, SCREE_GLOBAL const resident_rule *r)
{
	const quat before = orientation_in(b, i);
	const drifted d = resident_drifted(b, i, r);
	const turned t = resident_turned(b, i, before, r);
	const real way = way_in_step(before, t.orientation, d.middle, swing_in(b, i), r->dt);
	vector_put(b, SPHERE_x, i, d.position);
	vector_put(b, SPHERE_hx, i, d.middle);
	vector_put(b, SPHERE_vx, i, d.velocity);
	real_put(b, SPHERE_qw, i, t.orientation.w);
	vector_put(b, SPHERE_qx, i, v3(t.orientation.x, t.orientation.y, t.orientation.z));
	vector_put(b, SPHERE_kx, i, t.middle);
	vector_put(b, SPHERE_wx, i, t.angular_velocity);
	real_put(b, SPHERE_way, i, real_in(b, SPHERE_way, i) + way + r->slip);
	return way;
}

/* Moves body i back into the cell (motion/bodies_to_cells.c); returns the increase in its kinetic energy. */
SCREE_FN real resident_to_cell(const columns *b, int64_t i, const resident_space *o)
{
	image crossed;
	vec3 drift;
	const vec3 out = vector_in(b, SPHERE_x, i), middle = vector_in(b, SPHERE_hx, i);
	if (cell_holds_point(o->rule, o->now, out)) return 0;
	vector_put(b, SPHERE_x, i, wrap_into_cell(o->rule, o->now, out, &crossed, &drift));
	const image cell = cell_in(b, SPHERE_cell_x, i);
	number_put(b, SPHERE_cell_x, i, (int32_t)((uint32_t)cell.x + (uint32_t)crossed.x));
	number_put(b, SPHERE_cell_y, i, (int32_t)((uint32_t)cell.y + (uint32_t)crossed.y));
	number_put(b, SPHERE_cell_z, i, (int32_t)((uint32_t)cell.z + (uint32_t)crossed.z));
	if (!o->rule->shears) return 0;
	vector_put(b, SPHERE_hx, i, v3_sub(middle, drift));
	vector_put(b, SPHERE_vx, i, v3_sub(vector_in(b, SPHERE_vx, i), drift));
	return is_held(b, i) ? 0 : kinetic_more(real_in(b, SPHERE_mass, i), middle, drift);
}

/* Gives body i the second half of the kick; returns its squared speed, or NaN if its motion is not a number. */
SCREE_FN real resident_kick(const columns *b, int64_t i, vec3 force, vec3 torque, SCREE_GLOBAL const resident_rule *r)
{
	const vec3 a = acceleration_of(force, real_in(b, SPHERE_inv_mass, i), r->gravity);
	const vec3 v = kick_of(vector_in(b, SPHERE_hx, i), a, r->dt);
	const turn_kicked t =
		turn_kick(orientation_in(b, i), vector_in(b, SPHERE_kx, i), torque, vector_in(b, SPHERE_ix, i), r->dt);
	vector_put(b, SPHERE_fx, i, force);
	vector_put(b, SPHERE_tx, i, torque);
	vector_put(b, SPHERE_vx, i, v);
	if (!is_held(b, i)) {
		vector_put(b, SPHERE_lx, i, t.momentum);
		vector_put(b, SPHERE_wx, i, t.angular_velocity);
	}
	return v3_norm2(v) + 0 * torque.x;
}

SCREE_FN bool is_between(vec3 p, vec3 low, vec3 high)
{
	return p.x >= low.x && p.x <= high.x && p.y >= low.y && p.y <= high.y && p.z >= low.z && p.z <= high.z;
}

SCREE_FN bool is_in_sink(vec3 p, SCREE_GLOBAL const resident_sink *s, int32_t sinks)
{
	int32_t k = 0;
	while (k < sinks && !(is_between(p, s[k].low, s[k].high) && v3_dot(s[k].normal, p) < s[k].off)) ++k;
	return k < sinks;
}

enum next_step { NEXT_IS_USUAL, NEXT_NEEDS_PAIRS, NEXT_IS_UNUSUAL };

/* What the next drift of body i needs: nothing if afterwards the body is still within the reach of its rows; the host
 * if it is not in the domain, moves far, its position or momentum is not a number, or a sink may remove it before. */
SCREE_FN enum next_step resident_next(const columns *b, int64_t i, SCREE_GLOBAL const resident_rule *r,
									  SCREE_GLOBAL const resident_sink *sinks)
{
	if (is_in_sink(vector_in(b, SPHERE_x, i), sinks, r->sinks)) return NEXT_IS_UNUSUAL;
	const drifted d = resident_drifted(b, i, r);
	const real swing = swing_in(b, i);
	const quat before = orientation_in(b, i);
	const quat after = swing > 0 ? resident_turned(b, i, before, r).orientation : before;
	const real way = way_in_step(before, after, d.middle, swing, r->dt) + r->slip;
	const bool usual =
		way <= r->way && is_between(d.position, r->low, r->high) && v3_norm2(vector_in(b, SPHERE_lx, i)) * 0 == 0;
	if (!usual) return NEXT_IS_UNUSUAL;
	return real_in(b, SPHERE_way, i) + way < real_in(b, SPHERE_inner, i) ? NEXT_IS_USUAL : NEXT_NEEDS_PAIRS;
}

#endif
