/* motions: the table of motions of walls. The progress of a motion is the time integral of the share, which is the
 * current fraction of the full rate. The share is 0 before `from`, (t - from) / ramp during the ramp, then 1, and 0
 * again after `until`. Poses are closed-form functions of the progress, and velocities are rate times share. Velocity
 * is therefore the derivative of the pose at all times, except at jumps (at `until`, and without a ramp at `from`). A
 * vibration with a ramp starts with frequency 0. Nothing is integrated, so poses do not depend on earlier steps. Servos
 * are an exception (motion/walls_to_poses.c): for servos, the share scales the force. Before the motion, a wall's frame
 * coincides with the world's frame. Several motions of one wall are composed: each moves the wall on from its pose
 * after the previous motion, with directions and points in the world's frame. */
#include <stddef.h>
#include <string.h>

#include "base/maths.h"
#include "base/memory.h"
#include "wall/forms.h"
#include "wall/internal.h"
#include "wall/walls.h"

static bool is_unit(quat q) { return real_abs(q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z - 1) < (real)1e-9; }

bool scree_motion_acts(const wall_motion *m, real time) { return !(time < m->from || time >= m->until); }

/* Returns the fraction of the full rate, or force, that a motion has at this time; 0 if the motion does not act. */
static real share_of(const wall_motion *m, real time)
{
	if (!scree_motion_acts(m, time)) return 0;
	return time - m->from < m->ramp ? (time - m->from) / m->ramp : 1;
}

/* ------------------------------------------------------------------ straight */

static vec3 way_of_velocity(const wall_motion *m) { return m->velocity; }

static bool check_velocity(const wall *w, wall_motion *m, fail *why)
{
	return scree_wall_check_point(w, "the velocity of its motion", m->velocity, why);
}

static void move_straight(const wall_motion *m, wall_state *to, real progress, real share)
{
	to->position = v3_mul(progress, m->velocity);
	to->velocity = v3_mul(share, m->velocity);
}

static real travel_straight(const wall_motion *m, real from, real to) { return (to - from) * v3_norm(m->velocity); }

static real fastest_straight(const wall_motion *m) { return v3_norm(m->velocity); }

/* ------------------------------------------------------------------ rotation */

static bool check_rotation(const wall *w, wall_motion *m, fail *why)
{
	if (!wall_bounded(m->rate))
		return scree_refuse(why, "wall '%s': it rotates at %g rad/s, expected a finite rate", w->name, m->rate);
	return scree_wall_check_point(w, "the point of its rotation", m->point, why) &&
		   scree_wall_check_unit(w, "the axis of its rotation", &m->axis, why);
}

static void turn_by(const wall_motion *m, wall_state *to, real angle, real rate)
{
	real sine, cosine;
	scree_sincos(angle / 2, &sine, &cosine);
	to->orientation = quat_unit(quat_of(cosine, sine * m->axis.x, sine * m->axis.y, sine * m->axis.z));
	to->position = v3_sub(m->point, quat_rotate(to->orientation, m->point));
	to->angular_velocity = v3_mul(rate, m->axis);
	to->velocity = v3_cross(to->angular_velocity, v3_sub(to->position, m->point));
}

static void turn(const wall_motion *m, wall_state *to, real progress, real share)
{
	turn_by(m, to, m->rate * progress, m->rate * share);
}

/* Bound on the displacement due to rotation: the arc or the diameter, since points keep their distance from the axis */
static real travel_by(const wall_motion *m, vec3 middle, real reach, real angle)
{
	if (angle == 0) return 0; /* also for an infinite reach */
	const vec3 off = v3_sub(middle, m->point);
	real radius = reach + v3_norm(v3_madd(off, -v3_dot(off, m->axis), m->axis));
	return radius * real_min(angle, 2);
}

static real travel_turning(const wall_motion *m, real from, real to) { return real_abs(m->rate) * (to - from); }

/* ------------------------------------------------------------------ vibration */

static vec3 way_of_vibration(const wall_motion *m) { return m->amplitude; }

static bool check_vibration(const wall *w, wall_motion *m, fail *why)
{
	if (!(m->frequency >= 0 && wall_bounded(m->frequency)) || !wall_bounded(m->phase))
		return scree_refuse(why, "wall '%s': it vibrates at %g Hz with phase %g, expected finite, frequency >= 0",
							w->name, m->frequency, m->phase);
	return scree_wall_check_point(w, "the amplitude of its vibration", m->amplitude, why);
}

static void vibrate(const wall_motion *m, wall_state *to, real progress, real share)
{
	real angular = 2 * SCREE_PI * m->frequency, sine, cosine, sine0, cosine0;
	scree_sincos(angular * progress + m->phase, &sine, &cosine);
	scree_sincos(m->phase, &sine0, &cosine0);
	to->position = v3_mul(sine - sine0, m->amplitude);
	to->velocity = v3_mul(angular * cosine * share, m->amplitude);
}

static real travel_vibrating(const wall_motion *m, real from, real to)
{
	return v3_norm(m->amplitude) * real_min(2 * SCREE_PI * m->frequency * (to - from), 2);
}

static real fastest_vibrating(const wall_motion *m)
{
	return 2 * SCREE_PI * real_abs(m->frequency) * v3_norm(m->amplitude);
}

/* ------------------------------------------------------------------ servos */

static vec3 way_of_servo(const wall_motion *m) { return m->axis; }

/* Tests whether a table of forces contains no pulling force and its largest force equals the force of the rule. */
static bool is_force(const servo_rule *r)
{
	real most = r->over.rows ? 0 : r->force;
	for (int32_t k = 0; k < r->over.rows; ++k) {
		if (!(r->over.row[k].value.x >= 0)) return false;
		most = real_max(most, r->over.row[k].value.x);
	}
	return most == r->force && (!r->over.rows || scree_motion_table_is_valid(&r->over));
}

static bool check_servo(const wall *w, wall_motion *m, fail *why)
{
	const servo_rule *s = &m->servo;
	bool right = s->force > 0 && wall_bounded(s->force) && s->before >= 0 && wall_bounded(s->before) && s->mass >= 0 &&
				 wall_bounded(s->mass) && s->damping >= 0 && wall_bounded(s->damping) && s->max_speed >= 0 &&
				 wall_bounded(s->max_speed) && s->low <= 0 && s->high >= 0 && is_force(s);
	if (!right)
		return scree_refuse(why,
							"wall '%s': a servo with force %g N, mass %g kg, damping %g, max_speed %g m/s, travel from "
							"%g m to %g m, expected force > 0, finite numbers >= 0, and a travel that contains 0",
							w->name, s->force, s->mass, s->damping, s->max_speed, s->low, s->high);
	return scree_wall_check_unit(w, "the axis of its servo", &m->axis, why) &&
		   (m->type == MOTION_SERVO || check_rotation(w, m, why));
}

static void drive(const wall_motion *m, wall_state *to, real progress, real share)
{
	(void)progress, (void)share;
	if (motion_is_turned(m->type)) {
		turn_by(m, to, to->servo.way, to->servo.speed);
		return;
	}
	to->position = v3_mul(to->servo.way, m->axis);
	to->velocity = v3_mul(to->servo.speed, m->axis);
}

static bool check_free(const wall *w, wall_motion *m, fail *why)
{
	const servo_rule *r = &m->servo;
	const bool right = r->mass > 0 && wall_bounded(r->mass) && wall_bounded(r->force) && r->spring >= 0 &&
					   wall_bounded(r->spring) && r->damper >= 0 && wall_bounded(r->damper) && wall_bounded(r->speed) &&
					   r->low <= 0 && r->high >= 0 && !r->over.rows;
	if (!right)
		return scree_refuse(why,
							"wall '%s': a free wall with mass %g, spring %g, damper %g, speed %g, travel from %g to "
							"%g, expected mass > 0, finite numbers >= 0, and a travel that contains 0",
							w->name, r->mass, r->spring, r->damper, r->speed, r->low, r->high);
	return check_rotation(w, m, why);
}

real scree_driven_way(const wall *w, vec3 middle, real reach, real way)
{
	if (!motion_is_turned(w->motion.type)) return real_abs(way);
	if (scree_wall_turns_in_itself(w)) return 0;
	return travel_by(&w->motion, middle, reach, real_abs(way));
}

real scree_wall_driven_load(const wall *w, const wall_state *o)
{
	const wall_motion *m = &w->motion;
	if (!motion_is_turned(m->type)) return -v3_dot(o->force, m->axis);
	return -v3_dot(v3_add(o->torque, v3_cross(v3_sub(o->position, m->point), o->force)), m->axis);
}

real scree_wall_free_energy(const wall *w, const wall_state *o, vec3 gravity, real *potential)
{
	const servo_rule *r = &w->motion.servo;
	const real way = o->servo.way, speed = o->servo.speed;
	*potential = r->spring / 2 * way * way;
	if (r->weight) *potential -= r->mass * v3_dot(gravity, w->motion.axis) * way;
	return r->mass / 2 * speed * speed;
}

real scree_servo_force(const wall_motion *m, real time)
{
	const servo_rule *r = &m->servo;
	if (!scree_motion_acts(m, time)) return 0;
	vec3 value = v3(r->force, 0, 0), rate;
	if (r->over.rows) scree_motion_table_at(&r->over, time - m->from, &value, &rate);
	return r->before + (value.x - r->before) * share_of(m, time);
}

/* ------------------------------------------------------------------ belts */

static void move_surface(const wall_motion *m, wall_state *to, real progress, real share)
{
	(void)progress;
	to->velocity = v3_mul(share, m->velocity);
}

bool scree_wall_is_along(const walls *all, const wall *w, vec3 v)
{
	static const real ALONG = (real)1e-9;
	const vec3 own = w->motion.placed ? quat_unrotate(w->motion.base, v) : v;
	const real most = ALONG * v3_norm(v);
	if (w->type == WALL_PLANE) return real_abs(v3_dot(own, w->axis)) <= most;
	if (w->type == WALL_CYLINDER) return v3_norm(v3_cross(own, w->axis)) <= most;
	for (int32_t k = w->first_facet; k < w->first_facet + w->facets; ++k)
		if (real_abs(v3_dot(own, all->facet[k].normal)) > most) return false;
	return w->type == WALL_FACETS;
}

/* ------------------------------------------------------------------ set by a program */

static bool check_given(const wall *w, wall_motion *m, fail *why)
{
	if (!is_unit(m->base) || !wall_bounded(m->rate) || m->ramp != 0)
		return scree_refuse(why, "wall '%s': its motion has no orientation, or an infinite rate", w->name);
	return scree_wall_check_point(w, "the velocity of its motion", m->velocity, why) &&
		   scree_wall_check_point(w, "the position of its motion", m->point, why) &&
		   scree_wall_check_unit(w, "the axis of its motion", &m->axis, why);
}

static void move_given(const wall_motion *m, wall_state *to, real progress, real share)
{
	real sine, cosine;
	scree_sincos(m->rate * progress / 2, &sine, &cosine);
	const quat turn = quat_of(cosine, sine * m->axis.x, sine * m->axis.y, sine * m->axis.z);
	to->orientation = m->rate == 0 ? m->base : quat_unit(quat_mul(turn, m->base));
	to->position = v3_madd(m->point, progress, m->velocity);
	to->velocity = v3_mul(share, m->velocity);
	to->angular_velocity = v3_mul(share * m->rate, m->axis);
}

/* `reach` includes the axis's displacement since `from` (scree_wall_travel) */
static real travel_given(const wall_motion *m, vec3 middle, real reach, real from, real to)
{
	const real progress = to - from, straight = progress * v3_norm(m->velocity);
	if (m->rate == 0) return straight; /* so that the bound is finite even for an infinite reach */
	return straight + (reach + v3_norm(v3_sub(middle, m->point))) * real_abs(m->rate) * progress;
}

/* ------------------------------------------------------------------ tables */

static vec3 way_of_table(const wall_motion *m)
{
	const motion_table *t = &m->table;
	vec3 most = v3(0, 0, 0);
	for (int32_t k = 0; k < t->rows; ++k)
		for (int d = 0; d < 3; ++d)
			if (v3_part(t->row[k].value, d) != v3_part(t->row[0].value, d) || v3_part(t->row[k].slope, d) != 0)
				*v3_along(&most, d) = 1;
	return most;
}

static bool check_table(const wall *w, wall_motion *m, fail *why)
{
	if (!scree_motion_table_is_valid(&m->table) || m->ramp != 0)
		return scree_refuse(why,
							"wall '%s': a motion given by a table of %d rows with a ramp of %g s, expected rows of "
							"finite numbers with times that increase from 0 s, and no ramp",
							w->name, m->table.rows, m->ramp);
	return m->type == MOTION_TABLE || check_rotation(w, m, why);
}

static void move_by_table(const wall_motion *m, wall_state *to, real progress, real share)
{
	vec3 value, rate;
	scree_motion_table_at(&m->table, progress, &value, &rate);
	if (m->type == MOTION_ANGLE) {
		turn_by(m, to, value.x - m->table.row[0].value.x, share * rate.x);
		return;
	}
	to->position = v3_sub(value, m->table.row[0].value);
	to->velocity = v3_mul(share, rate);
}

static real travel_by_table(const wall_motion *m, real from, real to)
{
	return scree_motion_table_way(&m->table, from, to);
}

static real fastest_by_table(const wall_motion *m) { return scree_motion_table_fastest(&m->table); }

const motion_form scree_motion_forms[MOTION_TYPES] = {
	[MOTION_STILL] = {.name = "still"},
	[MOTION_VELOCITY] = {"velocity", false, way_of_velocity, check_velocity, move_straight, travel_straight,
						 fastest_straight},
	[MOTION_ROTATION] = {"rotation", true, NULL, check_rotation, turn, travel_turning, NULL},
	[MOTION_VIBRATION] = {"vibration", false, way_of_vibration, check_vibration, vibrate, travel_vibrating,
						  fastest_vibrating},
	[MOTION_SERVO] = {"servo", false, way_of_servo, check_servo, drive, NULL, NULL},
	[MOTION_TORQUE] = {"torque", true, NULL, check_servo, drive, NULL, NULL},
	[MOTION_FREE] = {"free", false, way_of_servo, check_free, drive, NULL, NULL},
	[MOTION_WHEEL] = {"wheel", true, NULL, check_free, drive, NULL, NULL},
	[MOTION_SURFACE] = {"surface", false, NULL, check_velocity, move_surface, NULL, NULL},
	[MOTION_GIVEN] = {"given", false, way_of_velocity, check_given, move_given, NULL, fastest_straight},
	[MOTION_TABLE] = {"table", false, way_of_table, check_table, move_by_table, travel_by_table, fastest_by_table},
	[MOTION_ANGLE] = {"angle", true, NULL, check_table, move_by_table, travel_by_table, NULL},
};

/* Largest displacement of a wall due to its driven motion, perpendicular to the axis of a rotation; a driven rotation
 * may turn the wall about another axis by any angle. */
static real shift_across(const wall *w, const wall_motion *m)
{
	const servo_rule *r = &w->motion.servo;
	const bool shifts = w->motion.type == MOTION_SERVO || w->motion.type == MOTION_FREE;
	const real part = shifts ? v3_norm(v3_cross(w->motion.axis, m->axis)) : 0;
	return part > WALL_ALMOST ? part * (r->high - r->low) : 0;
}

static bool check_one(const wall *w, wall_motion *m, fail *why)
{
	if (m->type == MOTION_STILL) return true;
	if (!wall_bounded(m->from) || !(m->ramp >= 0 && wall_bounded(m->ramp)) || !(m->until >= m->from))
		return scree_refuse(
			why, "wall '%s': its motion runs from %g s to %g s with a ramp of %g s, expected from <= until, ramp >= 0",
			w->name, m->from, m->until, m->ramp);
	if ((unsigned)m->type >= MOTION_TYPES)
		return scree_refuse(why, "wall '%s': unknown kind of motion %d", w->name, (int)m->type);
	if (m->placed && !(is_unit(m->base) && scree_wall_check_point(w, "the start of its motion", m->start, why)))
		return scree_refuse(why, "wall '%s': the start of its motion is invalid", w->name);
	return !scree_motion_forms[m->type].check || scree_motion_forms[m->type].check(w, m, why);
}

bool scree_wall_check_motion(wall *w, fail *why)
{
	for (int32_t k = 0; k < w->parts; ++k) {
		wall_motion part = w->part[k]; /* parts keep the values that were checked */
		const bool alone = motion_is_driven(part.type) || part.type == MOTION_GIVEN || part.placed;
		if (alone || !check_one(w, &part, why) || !(v3_norm(v3_sub(part.axis, w->part[k].axis)) < WALL_ALMOST))
			return alone ? scree_refuse(why, "wall '%s': one of its motions cannot be combined with others", w->name)
						 : scree_refuse(why, "wall '%s': motion %d is not valid", w->name, (int)k);
	}
	if (!check_one(w, &w->motion, why)) return false;
	for (int32_t k = 0; k < w->parts; ++k)
		if (scree_motion_forms[w->part[k].type].turns && !(shift_across(w, w->part + k) < INFINITY))
			return scree_refuse(
				why, "wall '%s': a servo across the axis of a rotation needs `travel`, which limits its displacement",
				w->name);
	return true;
}

/* time integral of the share since the start */
static real progress(const wall_motion *m, real time)
{
	real t = (time < m->until ? time : m->until) - m->from;
	if (!(t > 0)) return 0;
	return t < m->ramp ? t * t / (2 * m->ramp) : t - m->ramp / 2;
}

/* Applies the motion to a wall already at this pose. */
static void move_placed(const wall_motion *m, wall_state *to)
{
	const vec3 arm = quat_rotate(to->orientation, m->start);
	to->position = v3_add(to->position, arm);
	to->velocity = v3_add(to->velocity, v3_cross(to->angular_velocity, arm));
	to->orientation = quat_unit(quat_mul(to->orientation, m->base));
}

static void move_one(const wall_motion *m, wall_state *to, real time)
{
	const motion_form *f = scree_motion_forms + m->type;
	real s = progress(m, time), share = share_of(m, time);
	to->position = to->velocity = to->angular_velocity = v3(0, 0, 0);
	to->orientation = quat_one();
	if (f->move) f->move(m, to, s, share);
}

/* Applies the motion to a wall with this pose and velocity. */
static void move_further(const wall_motion *m, wall_state *to, real time)
{
	wall_state own = {.servo = to->servo};
	move_one(m, &own, time);
	const vec3 arm = quat_rotate(own.orientation, to->position);
	to->position = v3_add(own.position, arm);
	to->velocity =
		v3_add(v3_add(own.velocity, v3_cross(own.angular_velocity, arm)), quat_rotate(own.orientation, to->velocity));
	to->angular_velocity = v3_add(own.angular_velocity, quat_rotate(own.orientation, to->angular_velocity));
	to->orientation = quat_unit(quat_mul(own.orientation, to->orientation));
}

static void move_by_all(const wall *w, wall_state *to, real time)
{
	to->position = w->motion.placed ? w->motion.start : v3(0, 0, 0);
	to->orientation = w->motion.placed ? w->motion.base : quat_one();
	to->velocity = to->angular_velocity = v3(0, 0, 0);
	for (int32_t k = 0; k <= w->parts; ++k) move_further(wall_motion_of(w, k), to, time);
}

static void move(const wall *w, wall_state *to, real time)
{
	if (w->parts) {
		move_by_all(w, to, time);
		return;
	}
	move_one(&w->motion, to, time);
	if (w->motion.placed) move_placed(&w->motion, to);
}

void scree_walls_move(const walls *s, wall_state *state, real time)
{
	for (int32_t i = 0; i < s->count; ++i) move(s->row + i, state + i, time);
}

void scree_wall_states_room(const walls *s, int32_t *count, wall_state **state)
{
	if (*count >= s->count) return;
	*state = scree_grow(*state, (size_t)*count, (size_t)s->count, sizeof **state);
	for (; *count < s->count; ++*count) (*state)[*count].orientation = quat_one();
}

static real travel_of(const wall_motion *m, vec3 middle, real reach, real from, real to)
{
	const motion_form *f = scree_motion_forms + m->type;
	const real margin = 1 + 1e-12; /* for rounding */
	if (from == to) return 0;	   /* also for an infinite reach */
	if (m->type == MOTION_GIVEN) return travel_given(m, middle, reach + to * v3_norm(m->velocity), from, to) * margin;
	if (!f->travel) return 0;
	const real way = f->travel(m, from, to);
	return (f->turns ? travel_by(m, middle, reach, way) : way) * margin;
}

/* Bound on the displacement of a point, perpendicular to the axis of motion k, due to motions after k. */
static real moved_after(const wall *w, int32_t k, vec3 middle, real reach, real time)
{
	real all = shift_across(w, wall_motion_of(w, k));
	if (motion_is_turned(w->motion.type)) all += travel_by(&w->motion, middle, reach + all, 2);
	for (int32_t i = w->parts; i > k; --i) {
		const wall_motion *m = wall_motion_of(w, i);
		all += travel_of(m, middle, reach + all, 0, progress(m, time));
	}
	return all;
}

real scree_wall_travel(const wall *w, vec3 middle, real reach, real t0, real t1)
{
	real all = 0;
	for (int32_t k = 0; k <= w->parts; ++k) {
		const wall_motion *m = wall_motion_of(w, k);
		const real a = progress(m, t0), b = progress(m, t1);
		const bool far = w->parts && scree_motion_forms[m->type].turns;
		if (a == b) continue;
		all += travel_of(m, middle, far ? reach + moved_after(w, k, middle, reach, real_max(t0, t1)) : reach,
						 real_min(a, b), real_max(a, b));
	}
	return all;
}

real scree_wall_fastest(const wall *w, vec3 middle, real reach)
{
	static const real PROBE = (real)1e-6; /* time, in s, over which displacements are measured to determine a speed */
	real all = 0;
	for (int32_t k = 0; k <= w->parts; ++k) {
		const wall_motion *m = wall_motion_of(w, k);
		const real from = m->from + m->ramp, rate = m->table.rows ? scree_motion_table_fastest(&m->table) : 0;
		wall one = *w;
		one.motion = *m;
		one.parts = 0;
		if (m->table.rows)
			all += m->type == MOTION_ANGLE ? travel_by(m, middle, reach, PROBE * rate) / PROBE : rate;
		else
			all += scree_wall_travel(&one, middle, reach, from, from + PROBE) / PROBE;
	}
	return all;
}

static bool turns_in_itself(const wall *w, const wall_motion *m)
{
	const wall_form *f = scree_wall_forms + w->type;
	const wall_motion *first = &w->motion;
	if (!scree_motion_forms[m->type].turns || !f->turns_in_itself) return false;
	if (!first->placed) return f->turns_in_itself(w, m->axis, m->point);
	return f->turns_in_itself(w, quat_unrotate(first->base, m->axis),
							  quat_unrotate(first->base, v3_sub(m->point, first->start)));
}

bool scree_wall_turns_in_itself(const wall *w)
{
	for (int32_t k = 0; k <= w->parts; ++k)
		if (!turns_in_itself(w, wall_motion_of(w, k))) return false;
	return true;
}

bool scree_wall_turns(const wall *w)
{
	for (int32_t k = 0; k <= w->parts; ++k)
		if (scree_motion_forms[wall_motion_of(w, k)->type].turns) return true;
	return false;
}

real scree_wall_speed(const wall *w)
{
	real all = w->motion.type == MOTION_SERVO ? w->servo.max_speed : 0;
	for (int32_t k = 0; k <= w->parts; ++k) {
		const motion_form *f = scree_motion_forms + wall_motion_of(w, k)->type;
		if (f->fastest) all += f->fastest(wall_motion_of(w, k));
	}
	return all;
}

real scree_wall_way(const wall *w, vec3 middle, real reach, real t0, real t1)
{
	if (scree_wall_turns_in_itself(w)) return 0;
	return scree_wall_travel(w, middle, reach, t0, t1);
}
