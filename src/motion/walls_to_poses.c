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

/* The total force along the axis, or torque about it, without dampers. */
static real force_on(const model *m, const wall *o, const wall_state *s, wall_work *w, real time)
{
	const servo_rule *r = &o->motion.servo;
	const real wanted = scree_servo_force(&o->motion, time), load = scree_wall_driven_load(o, s);
	real force = wanted - load;
	if (!motion_is_free(o->motion.type)) {
		if (wanted > 0) note_load(w, load / wanted);
		return force;
	}
	if (r->weight) force += r->mass * v3_dot(m->gravity, o->motion.axis);
	return force - r->spring * s->servo.way;
}

static void move(const model *m, const wall *o, wall_state *s, wall_work *w, real time, servo_move *by)
{
	const servo_rule *r = &o->motion.servo;
	servo_motion now = {s->servo.way, s->servo.speed, w->half, w->stopped};
	if (scree_motion_acts(&o->motion, time)) {
		const real force = force_on(m, o, s, w, time);
		const real rate =
			motion_is_free(o->motion.type) ? r->damper / o->servo.mass : damping_rate(&o->servo, s->servo.contacts, r);
		now = by(now, force, o->servo.mass, rate, m->dt, (servo_limits){o->servo.max_speed, r->low, r->high});
	} else {
		now.stopped = now.stopped || now.speed != 0;
		now.speed = now.middle = 0;
	}
	s->servo.way = now.way;
	s->servo.speed = now.speed;
	w->half = now.middle;
	w->stopped = now.stopped;
}

static real energy_of(const model *m, const wall *o, const wall_state *s)
{
	real potential, kinetic = scree_wall_free_energy(o, s, m->gravity, &potential);
	return kinetic + potential;
}

static real power_from_outside(const wall *o, const wall_state *s, real time)
{
	const real v = s->servo.speed;
	return (scree_servo_force(&o->motion, time) - o->motion.servo.damper * v) * v;
}

static void begin_step(const model *m, const wall *o, const wall_state *s, wall_work *w, real time)
{
	w->stopped = false;
	w->from = s->servo.way;
	if (!motion_is_free(o->motion.type)) return;
	w->began = energy_of(m, o, s);
	w->load = scree_wall_driven_load(o, s);
	w->power = power_from_outside(o, s, time);
}

/* A wall that meets the end of its travel loses its speed. In such a step its energy changes by the work of the bodies,
 * of what acts on it from outside, and by this loss, which is not known alone; the sum of the last two replaces what
 * was counted for the step (sum/forces_to_bodies.c). */
static real loss_at_stop(const model *m, const wall *o, const wall_state *s, const wall_work *w, real counted)
{
	const real load = (w->load + scree_wall_driven_load(o, s)) / 2;
	return energy_of(m, o, s) - w->began + load * (s->servo.way - w->from) - counted;
}

static void set_velocity(const wall *o, wall_state *s, real ahead)
{
	const wall_motion *m = &o->motion;
	const real more = s->servo.speed - ahead;
	if (motion_is_turned(m->type)) {
		s->angular_velocity = v3_madd(s->angular_velocity, more, m->axis);
		s->velocity = v3_madd(s->velocity, more, v3_cross(m->axis, v3_sub(s->position, m->point)));
	} else if (o->parts) {
		s->velocity = v3_madd(s->velocity, more, m->axis);
	} else {
		s->velocity = v3_mul(s->servo.speed, m->axis);
	}
}

void scree_walls_drift(const model *m, state *s, work *w)
{
	for (int32_t k = 0; k < m->wall.count; ++k) {
		const wall *o = m->wall.row + k;
		w->wall[k].position_before = s->wall[k].position;
		w->wall[k].orientation_before = s->wall[k].orientation;
		if (!motion_is_driven(o->motion.type)) continue;
		begin_step(m, o, s->wall + k, w->wall + k, s->time);
		move(m, o, s->wall + k, w->wall + k, s->time, servo_drift);
	}
	scree_walls_move(&m->wall, s->wall, s->time + m->dt);
}

void scree_walls_kick(const model *m, state *s, work *w)
{
	const real time = s->time + m->dt;
	for (int32_t k = 0; k < m->wall.count; ++k) {
		const wall *o = m->wall.row + k;
		wall_state *at = s->wall + k;
		if (!motion_is_driven(o->motion.type)) continue;
		const real ahead = at->servo.speed; /* as the velocity has it */
		const real counted = m->dt / 2 * (w->wall[k].power + power_from_outside(o, at, time));
		move(m, o, at, w->wall + k, time, servo_kick);
		set_velocity(o, at, ahead);
		if (motion_is_free(o->motion.type) && w->wall[k].stopped && w->domain.first)
			scree_fixed_add(&s->energy.wall_work, loss_at_stop(m, o, at, w->wall + k, counted));
	}
}
