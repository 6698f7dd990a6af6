/* walls_to_poses: walls follow their motions. Walls with an applied force (servos) move like bodies with one degree of
 * freedom.
 *
 * in   time; load and contacts of the last step       out  drift: pose, velocity; predicted velocity of servos
 * in   the new load, speed at the half step           out  kick: speed of servos at the full step */
#include "kernel/servo.h"
#include "motion/stage.h"

/* Steps of the running mean of the load. An impact takes about 50 steps; it must not count as a steady load. */
enum { MEAN_STEPS = 1000 };

static void note_load(wall_work *s, real part)
{
	if (s->heard < MEAN_STEPS) ++s->heard;
	s->mean += (part - s->mean) / s->heard;
	s->reached = real_max(s->reached, s->mean);
}

typedef servo_motion servo_move(servo_motion s, real force, real mass, real rate, real dt, servo_limits l);

/* Damping is critical for the total stiffness of the contacts; without contacts there is none. In a loose packing, the
 * damper alone must not slow the wall to less than a certain part of its greatest speed. */
static real damping_rate(const servo_constants *c, int64_t contacts, const servo_rule *r)
{
	static const real SLOWEST = (real)0.1;
	real critical = 2 * sqrt(c->stiffness * (real)contacts / c->mass);
	return r->damping * real_min(critical, r->force / (SLOWEST * c->max_speed * c->mass));
}

static void move(const wall *o, wall_state *s, wall_work *w, real time, real dt, servo_move *by)
{
	const servo_rule *r = &o->motion.servo;
	servo_motion m = {s->servo.way, s->servo.speed, w->half};
	if (scree_motion_acts(&o->motion, time)) {
		real wanted = r->before + (r->force - r->before) * scree_motion_share(&o->motion, time),
			 load = -v3_dot(s->force, o->motion.axis);
		real force = wanted - load;
		if (wanted > 0) note_load(w, load / wanted);
		real rate = damping_rate(&o->servo, s->servo.contacts, r);
		m = by(m, force, o->servo.mass, rate, dt, (servo_limits){o->servo.max_speed, r->low, r->high});
	} else {
		m.speed = m.middle = 0;
	}
	s->servo.way = m.way;
	s->servo.speed = m.speed;
	w->half = m.middle;
}

void scree_walls_drift(const model *m, state *s, work *w)
{
	for (int32_t k = 0; k < m->wall.count; ++k) {
		const wall *o = m->wall.row + k;
		w->wall[k].position_before = s->wall[k].position;
		w->wall[k].orientation_before = s->wall[k].orientation;
		if (o->motion.type == MOTION_SERVO) move(o, s->wall + k, w->wall + k, s->time, m->dt, servo_drift);
	}
	scree_walls_move(&m->wall, s->wall, s->time + m->dt);
}

void scree_walls_kick(const model *m, state *s, work *w)
{
	for (int32_t k = 0; k < m->wall.count; ++k) {
		const wall *o = m->wall.row + k;
		wall_state *at = s->wall + k;
		if (o->motion.type != MOTION_SERVO) continue;
		move(o, at, w->wall + k, s->time + m->dt, m->dt, servo_kick);
		at->velocity = v3_mul(at->servo.speed, o->motion.axis);
	}
}
