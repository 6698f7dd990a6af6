/* servo: walls with an applied force move like bodies with one degree of freedom.
 *
 * in   load and contacts of the last step       out  drift: position, predicted speed
 * in   the new load, speed at the half step     out  kick: speed of the full step */
#include "kernel/servo.h"
#include "motion/stage.h"

/* Steps of the running mean of the load: a single impact, of some 50 steps, is not a steady load. */
enum { MEAN_STEPS = 1000 };

static void note_load(servo_state *s, real part)
{
	if (s->heard < MEAN_STEPS) ++s->heard;
	s->mean += (part - s->mean) / s->heard;
	s->reached = real_max(s->reached, s->mean);
}

typedef servo_motion servo_move(servo_motion s, real force, real mass, real rate, real dt, servo_limits l);

/* Damping is critical for the total stiffness of the contacts. Without contacts there is no damping. In a loose
 * packing, the damper alone must not slow the wall to less than a part of its greatest speed. */
static real damping_rate(const servo_state *s, const servo_rule *r)
{
	static const real SLOWEST = (real)0.1;
	real critical = 2 * sqrt(s->stiffness * (real)s->contacts / s->mass);
	return r->damping * real_min(critical, r->force / (SLOWEST * s->max_speed * s->mass));
}

static void move(wall *o, real time, real dt, servo_move *by)
{
	servo_state *s = &o->servo;
	const servo_rule *r = &o->motion.servo;
	servo_motion m = {s->way, s->speed, s->half};
	if (scree_motion_acts(&o->motion, time)) {
		real wanted = r->force * scree_motion_share(&o->motion, time), load = -v3_dot(o->force, o->motion.axis);
		real force = wanted - load;
		if (wanted > 0) note_load(s, load / wanted);
		real rate = damping_rate(s, r);
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
