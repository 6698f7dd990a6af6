/* servo: walls that press with a given force move like bodies of one degree of freedom.
 *
 * in   load and contacts of the last step       out  drift: way, predicted speed
 * in   the new load, speed at the half step     out  kick: speed of the full step */
#include "kernel/servo.h"
#include "stages.h"

typedef servo_motion servo_move(servo_motion s, real force, real mass, real rate, real dt, servo_limits l);

/* A contact counts with its stiffness: the more of them there are, the stiffer the wall is held, the more damping is
 * critical. Without contacts nothing damps. */
static void move(wall *o, real time, real dt, servo_move *by)
{
	servo_state *s = &o->servo;
	const servo_rule *r = &o->motion.servo;
	servo_motion m = {s->way, s->speed, s->half};
	if (scree_motion_acts(&o->motion, time)) {
		real force = r->force * scree_motion_share(&o->motion, time) + v3_dot(o->force, o->motion.axis);
		real rate = 2 * r->damping * sqrt(s->stiffness * (real)s->contacts / s->mass);
		m = by(m, force, s->mass, rate, dt, (servo_limits){s->max_speed, r->low, r->high});
	} else {
		m.speed = m.middle = 0;
	}
	s->way = m.way;
	s->speed = m.speed;
	s->half = m.middle;
}

void scree_servos_drift(walls *s, real time, real dt)
{
	for (int32_t k = 0; k < s->count; ++k)
		if (s->row[k].motion.type == MOTION_SERVO) move(s->row + k, time, dt, servo_drift);
}

void scree_servos_kick(walls *s, real time, real dt)
{
	for (int32_t k = 0; k < s->count; ++k) {
		wall *o = s->row + k;
		if (o->motion.type != MOTION_SERVO) continue;
		move(o, time + dt, dt, servo_kick);
		o->velocity = v3_mul(o->servo.speed, o->motion.axis);
	}
}
