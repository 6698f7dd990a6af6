/* motions: the table of motions of walls.
 *
 * A motion has a progress, which is the time integral of its share of the full rate. The share is 0 before `from`, (t -
 * from) / ramp during the ramp, then 1, and 0 again from `until` on. Poses are closed functions of the progress, and
 * velocities are rate times share. So velocity is the derivative of the pose at all times (except for jumps at `from`
 * without a ramp, and at `until`). A vibration with a ramp starts with frequency 0. Nothing is integrated: a pose does
 * not depend on earlier steps. The exception are servos (motion/walls_to_poses.c), where share scales the force. A
 * wall's frame is the world's frame before the motion. */
#include <stddef.h>

#include "base/maths.h"
#include "base/memory.h"
#include "wall/forms.h"
#include "wall/internal.h"

static bool is_unit(quat q) { return real_abs(q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z - 1) < (real)1e-9; }

/* ------------------------------------------------------------------ straight */

static vec3 way_of_velocity(const wall_motion *m) { return m->velocity; }

static bool check_velocity(const wall *w, wall_motion *m, fail *why)
{
	return scree_wall_check_point(w, "the velocity of its motion", m->velocity, why);
}

static void move_straight(const wall *w, wall_state *to, real progress, real share)
{
	to->position = v3_mul(progress, w->motion.velocity);
	to->velocity = v3_mul(share, w->motion.velocity);
}

static real travel_straight(const wall *w, vec3 middle, real reach, real progress, real time)
{
	(void)middle, (void)reach, (void)time;
	return progress * v3_norm(w->motion.velocity);
}

/* ------------------------------------------------------------------ rotation */

static bool check_rotation(const wall *w, wall_motion *m, fail *why)
{
	if (!wall_bounded(m->rate))
		return scree_fail(why, FAIL_INPUT, "wall '%s': it rotates at %g rad/s, expected a finite rate", w->name,
						  m->rate);
	return scree_wall_check_point(w, "the point of its rotation", m->point, why) &&
		   scree_wall_check_unit(w, "the axis of its rotation", &m->axis, why);
}

static void turn(const wall *w, wall_state *to, real progress, real share)
{
	const wall_motion *m = &w->motion;
	real sine, cosine;
	scree_sincos(m->rate * progress / 2, &sine, &cosine);
	to->orientation = quat_unit(quat_of(cosine, sine * m->axis.x, sine * m->axis.y, sine * m->axis.z));
	to->position = v3_sub(m->point, quat_rotate(to->orientation, m->point));
	to->angular_velocity = v3_mul(m->rate * share, m->axis);
	to->velocity = v3_cross(to->angular_velocity, v3_sub(to->position, m->point));
}

/* Bound on the displacement by rotation: each point keeps its distance from the axis, so a displacement is at most the
 * arc and at most the diameter. */
static real travel_turning(const wall *w, vec3 middle, real reach, real progress, real time)
{
	const wall_motion *m = &w->motion;
	(void)time;
	if (m->rate == 0) return 0; /* so that an infinite reach gives 0 */
	const vec3 off = v3_sub(middle, m->point);
	real radius = reach + v3_norm(v3_madd(off, -v3_dot(off, m->axis), m->axis));
	return radius * real_min(real_abs(m->rate) * progress, 2);
}

/* ------------------------------------------------------------------ vibration */

static vec3 way_of_vibration(const wall_motion *m) { return m->amplitude; }

static bool check_vibration(const wall *w, wall_motion *m, fail *why)
{
	if (!(m->frequency >= 0 && wall_bounded(m->frequency)) || !wall_bounded(m->phase))
		return scree_fail(why, FAIL_INPUT,
						  "wall '%s': it vibrates at %g Hz with phase %g, expected finite, frequency >= 0", w->name,
						  m->frequency, m->phase);
	return scree_wall_check_point(w, "the amplitude of its vibration", m->amplitude, why);
}

static void vibrate(const wall *w, wall_state *to, real progress, real share)
{
	const wall_motion *m = &w->motion;
	real angular = 2 * SCREE_PI * m->frequency, sine, cosine, sine0, cosine0;
	scree_sincos(angular * progress + m->phase, &sine, &cosine);
	scree_sincos(m->phase, &sine0, &cosine0);
	to->position = v3_mul(sine - sine0, m->amplitude);
	to->velocity = v3_mul(angular * cosine * share, m->amplitude);
}

static real travel_vibrating(const wall *w, vec3 middle, real reach, real progress, real time)
{
	const wall_motion *m = &w->motion;
	(void)middle, (void)reach, (void)time;
	return v3_norm(m->amplitude) * real_min(2 * SCREE_PI * m->frequency * progress, 2);
}

/* ------------------------------------------------------------------ servos */

static vec3 way_of_servo(const wall_motion *m) { return m->axis; }

static bool check_servo(const wall *w, wall_motion *m, fail *why)
{
	const servo_rule *s = &m->servo;
	bool right = s->force > 0 && wall_bounded(s->force) && s->before >= 0 && wall_bounded(s->before) && s->mass >= 0 &&
				 wall_bounded(s->mass) && s->damping >= 0 && wall_bounded(s->damping) && s->max_speed >= 0 &&
				 wall_bounded(s->max_speed) && s->low <= 0 && s->high >= 0;
	if (!right)
		return scree_fail(why, FAIL_INPUT,
						  "wall '%s': a servo with force %g N, mass %g kg, damping %g, max_speed %g m/s, travel from "
						  "%g m to %g m, expected force > 0, finite numbers >= 0, and a travel that holds 0",
						  w->name, s->force, s->mass, s->damping, s->max_speed, s->low, s->high);
	return scree_wall_check_unit(w, "the axis of its servo", &m->axis, why);
}

static void press(const wall *w, wall_state *to, real progress, real share)
{
	(void)progress, (void)share;
	to->position = v3_mul(to->servo.way, w->motion.axis);
	to->velocity = v3_mul(to->servo.speed, w->motion.axis);
}

static real travel_pressing(const wall *w, vec3 middle, real reach, real progress, real time)
{
	(void)middle, (void)reach, (void)progress;
	return real_min(w->servo.max_speed * time, w->motion.servo.high - w->motion.servo.low);
}

/* ------------------------------------------------------------------ belts */

static vec3 way_of_surface(const wall_motion *m)
{
	(void)m;
	return v3(0, 0, 0);
}

static void move_surface(const wall *w, wall_state *to, real progress, real share)
{
	(void)progress;
	to->velocity = v3_mul(share, w->motion.velocity);
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
		return scree_fail(why, FAIL_INPUT, "wall '%s': its motion has no orientation, or an infinite rate", w->name);
	return scree_wall_check_point(w, "the velocity of its motion", m->velocity, why) &&
		   scree_wall_check_point(w, "the position of its motion", m->point, why) &&
		   scree_wall_check_unit(w, "the axis of its motion", &m->axis, why);
}

static void move_given(const wall *w, wall_state *to, real progress, real share)
{
	const wall_motion *m = &w->motion;
	real sine, cosine;
	scree_sincos(m->rate * progress / 2, &sine, &cosine);
	const quat turn = quat_of(cosine, sine * m->axis.x, sine * m->axis.y, sine * m->axis.z);
	to->orientation = m->rate == 0 ? m->base : quat_unit(quat_mul(turn, m->base));
	to->position = v3_madd(m->point, progress, m->velocity);
	to->velocity = v3_mul(share, m->velocity);
	to->angular_velocity = v3_mul(share * m->rate, m->axis);
}

/* `reach` includes the displacement of the axis since `from` (scree_wall_travel) */
static real travel_given(const wall *w, vec3 middle, real reach, real progress, real time)
{
	const wall_motion *m = &w->motion;
	const real straight = progress * v3_norm(m->velocity);
	(void)time;
	if (m->rate == 0) return straight; /* so that an infinite reach gives a finite bound */
	return straight + (reach + v3_norm(v3_sub(middle, m->point))) * real_abs(m->rate) * progress;
}

const motion_form scree_motion_forms[MOTION_TYPES] = {
	[MOTION_STILL] = {.name = "still"},
	[MOTION_VELOCITY] = {"velocity", false, way_of_velocity, check_velocity, move_straight, travel_straight},
	[MOTION_ROTATION] = {"rotation", true, NULL, check_rotation, turn, travel_turning},
	[MOTION_VIBRATION] = {"vibration", false, way_of_vibration, check_vibration, vibrate, travel_vibrating},
	[MOTION_SERVO] = {"servo", false, way_of_servo, check_servo, press, travel_pressing},
	[MOTION_SURFACE] = {"surface", false, way_of_surface, check_velocity, move_surface, NULL},
	[MOTION_GIVEN] = {"given", false, way_of_velocity, check_given, move_given, travel_given},
};

bool scree_wall_check_motion(wall *w, fail *why)
{
	wall_motion *m = &w->motion;
	if (m->type == MOTION_STILL) return true;
	if (!wall_bounded(m->from) || !(m->ramp >= 0 && wall_bounded(m->ramp)) || !(m->until >= m->from))
		return scree_fail(
			why, FAIL_INPUT,
			"wall '%s': its motion runs from %g s to %g s with a ramp of %g s, expected from <= until, ramp >= 0",
			w->name, m->from, m->until, m->ramp);
	if ((unsigned)m->type >= MOTION_TYPES)
		return scree_fail(why, FAIL_INPUT, "wall '%s': unknown kind of motion %d", w->name, (int)m->type);
	if (m->placed && !(is_unit(m->base) && scree_wall_check_point(w, "the start of its motion", m->start, why)))
		return scree_fail(why, FAIL_INPUT, "wall '%s': its motion has no start", w->name);
	return !scree_motion_forms[m->type].check || scree_motion_forms[m->type].check(w, m, why);
}

/* integral over time of the share of the full rate, since the start */
static real progress(const wall_motion *m, real time)
{
	real t = (time < m->until ? time : m->until) - m->from;
	if (!(t > 0)) return 0;
	return t < m->ramp ? t * t / (2 * m->ramp) : t - m->ramp / 2;
}

bool scree_motion_acts(const wall_motion *m, real time) { return !(time < m->from || time >= m->until); }

real scree_motion_share(const wall_motion *m, real time)
{
	if (!scree_motion_acts(m, time)) return 0;
	return time - m->from < m->ramp ? (time - m->from) / m->ramp : 1;
}

/* The motion acts on a wall that has this pose already. */
static void move_placed(const wall_motion *m, wall_state *to)
{
	const vec3 arm = quat_rotate(to->orientation, m->start);
	to->position = v3_add(to->position, arm);
	to->velocity = v3_add(to->velocity, v3_cross(to->angular_velocity, arm));
	to->orientation = quat_unit(quat_mul(to->orientation, m->base));
}

static void move(const wall *w, wall_state *to, real time)
{
	const motion_form *f = scree_motion_forms + w->motion.type;
	real s = progress(&w->motion, time), share = scree_motion_share(&w->motion, time);
	to->position = to->velocity = to->angular_velocity = v3(0, 0, 0);
	to->orientation = quat_one();
	if (f->move) f->move(w, to, s, share);
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

real scree_wall_travel(const wall *w, vec3 middle, real reach, real t0, real t1)
{
	const motion_form *f = scree_motion_forms + w->motion.type;
	const real last = real_max(progress(&w->motion, t0), progress(&w->motion, t1));
	real s = real_abs(progress(&w->motion, t1) - progress(&w->motion, t0));
	if (w->motion.type == MOTION_GIVEN) reach += last * v3_norm(w->motion.velocity);
	if (!f->travel || s == 0) return 0;										/* so that an infinite reach gives 0 */
	return f->travel(w, middle, reach, s, real_abs(t1 - t0)) * (1 + 1e-12); /* with a margin for rounding */
}

bool scree_wall_turns_in_itself(const wall *w)
{
	const wall_form *f = scree_wall_forms + w->type;
	const wall_motion *m = &w->motion;
	if (!scree_motion_forms[m->type].turns || !f->turns_in_itself) return false;
	if (!m->placed) return f->turns_in_itself(w, m->axis, m->point);
	return f->turns_in_itself(w, quat_unrotate(m->base, m->axis), quat_unrotate(m->base, v3_sub(m->point, m->start)));
}

real scree_wall_way(const wall *w, vec3 middle, real reach, real t0, real t1)
{
	if (scree_wall_turns_in_itself(w)) return 0;
	return scree_wall_travel(w, middle, reach, t0, t1);
}
