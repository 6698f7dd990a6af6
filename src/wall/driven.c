#include "wall/wall_state.h"

#include "kernel/wall_share.h"
#include "wall/forms.h"

/* Damping is critical for the total stiffness of the contacts, and 0 if there are no contacts. In a loose packing, the
 * damper by itself must not slow the wall below a certain fraction of the wall's largest speed. In long steps, a third
 * of the speed remains after damping, because more damping would reverse the wall's motion. */
static real damping_rate(const servo_constants *c, int64_t contacts, const servo_rule *r, real dt)
{
	static const real SLOWEST = (real)0.1, MOST = 1;
	const real critical = 2 * sqrt(c->stiffness * (real)contacts / c->mass);
	const real rate = r->damping * real_min(critical, r->force / (SLOWEST * c->max_speed * c->mass));
	return real_min(rate, MOST / dt);
}

static real own_force(const wall *o, const wall_state *s, vec3 gravity)
{
	const servo_rule *r = &o->motion.servo;
	const real weight = r->weight ? r->mass * v3_dot(gravity, o->motion.axis) : 0;
	return weight - r->spring * s->servo.way;
}

/* The damper of a servo does not act on the ground, but between the wall and a mass carried along, SERVO_CARRIED times
 * as heavy. This damps oscillations, while the mean force on bodies has the required value at any constant speed of the
 * wall. The momentum of this mass is the time integral of the force error. The damper adds at most the servo's force,
 * so a wall that hits a dense packing exerts twice this force for a few contact times. */
static real force_carried(const wall *o, const servo_state *s, real rate, real most)
{
	return real_clamp(rate * o->servo.mass * s->carried, -most, most);
}

driven_action scree_driven_action(const wall *o, const wall_state *s, int64_t contacts, vec3 gravity, real dt,
								  real time)
{
	const servo_rule *r = &o->motion.servo;
	const bool is_free = motion_is_free(o->motion.type);
	driven_action a = {.acts = scree_motion_acts(&o->motion, time), .mass = o->servo.mass};
	a.rate = is_free ? r->damper / o->servo.mass : damping_rate(&o->servo, contacts, r, dt);
	a.force = scree_servo_force(&o->motion, time);
	a.force += is_free ? own_force(o, s, gravity) : force_carried(o, &s->servo, a.rate, real_abs(a.force));
	a.limits = (servo_limits){o->servo.max_speed, r->low, r->high};
	return a;
}

void scree_driven_speed(const wall *o, wall_state *s, real speed)
{
	const wall_motion *m = &o->motion;
	const real more = speed - s->servo.speed;
	s->servo.speed = speed;
	if (motion_is_turned(m->type)) {
		s->angular_velocity = v3_madd(s->angular_velocity, more, m->axis);
		s->velocity = v3_madd(s->velocity, more, v3_cross(m->axis, v3_sub(s->position, m->point)));
	} else if (o->parts) {
		s->velocity = v3_madd(s->velocity, more, m->axis);
	} else {
		s->velocity = v3_mul(speed, m->axis);
	}
}

bool scree_driven_follows(const wall *o, const wall_state *at, real time, int way)
{
	if (!motion_is_driven(o->motion.type) || !scree_motion_acts(&o->motion, time)) return false;
	const servo_rule *r = &o->motion.servo;
	return way == PUSH_ON ? at->servo.way < r->high : at->servo.way > r->low;
}
