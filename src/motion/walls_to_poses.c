/* walls_to_poses: moves walls as their motions prescribe. Walls with an applied force (servos) move like bodies with
 * one degree of freedom: the drift predicts their velocity from the last load, and the kick uses the new load. */
#include "model/model.h"
#include "motion/stage.h"
#include "state/state.h"
#include "wall/wall_state.h"
#include "work/work.h"

/* Number of contact times over which the load is averaged, so that an impact does not count as a steady load. */
static const real MEAN_CONTACTS = 20;

/* fraction of the force above which it counts as reached */
static const real REACHED = (real)0.9;

/* Tests whether a servo's force has been constant long enough for the packing to follow. */
static bool is_steady(const model *m, const wall *o, real time)
{
	static const real FOLLOWED = 50, SAME = (real)0.01; /* contact times */
	const real now = scree_servo_force(&o->motion, time);
	const real before = scree_servo_force(&o->motion, time - FOLLOWED * m->contact_time);
	return real_abs(now - before) <= SAME * real_abs(now);
}

/* Force of bodies on a wall in the last step, for reports; the lag of a packing behind a ramp is not a servo error. */
static void note_load(const model *m, const wall *o, servo_state *s, real load, real time)
{
	const real dt = m->dt, wanted = scree_servo_force(&o->motion, time);
	if (!(wanted > 0)) return;
	if ((real)s->heard * dt < MEAN_CONTACTS * m->contact_time) ++s->heard;
	s->mean += (load / wanted - s->mean) / real_max((real)s->heard, 1);
	s->reached = real_max(s->reached, s->mean);
	if (s->reached < REACHED || !(o->motion.servo.over.rows || is_steady(m, o, time))) return;
	s->asked += dt * wanted;
	s->given += dt * load;
}

typedef servo_motion servo_move(servo_motion s, real force, real mass, real rate, real dt, servo_limits l);

/* The mass carried by a servo follows its wall (scree_driven_action) once half of the force is reached: before that,
 * the damper acts relative to the ground, so that an approaching wall does not run into the packing. While the force
 * changes, the error is due to the lag of the packing; its integral would carry the wall too far. Called after the
 * drift, so that the kick and the next drift, which implicit steps anticipate, use the same force. */
static void carry(const model *m, const wall *o, servo_state *s, real rate, real middle, real time)
{
	static const real HALF = (real)0.5;
	if (motion_is_free(o->motion.type) || s->reached < HALF || !is_steady(m, o, time)) return;
	s->carried += real_min(rate * m->dt / SERVO_CARRIED, 1) * (middle - s->carried);
}

static void move(const model *m, const wall *o, wall_state *s, wall_work *w, real time, servo_move *by)
{
	servo_motion now = {s->servo.way, s->servo.speed, w->half, w->stopped};
	const driven_action a = scree_driven_action(o, s, s->servo.contacts, m->gravity, m->dt, time);
	if (a.acts) {
		now = by(now, a.force - scree_wall_driven_load(o, s), a.mass, a.rate, m->dt, a.limits);
		if (by == servo_drift) carry(m, o, &s->servo, a.rate, now.middle, time);
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

/* A wall that reaches the end of its travel loses its speed. In that step the energy of the wall changes by the work of
 * the bodies, the work of external actions, and this loss, which is not known separately; the sum of the last two
 * replaces the value counted for the step (sum/forces_to_bodies.c). */
static real loss_at_stop(const model *m, const wall *o, const wall_state *s, const wall_work *w, real counted)
{
	const real load = (w->load + scree_wall_driven_load(o, s)) / 2;
	return energy_of(m, o, s) - w->began + load * (s->servo.way - w->from) - counted;
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
		const real ahead = at->servo.speed; /* the same factor as for the velocity */
		const real counted = m->dt / 2 * (w->wall[k].power + power_from_outside(o, at, time));
		move(m, o, at, w->wall + k, time, servo_kick);
		const real speed = at->servo.speed;
		at->servo.speed = ahead;
		scree_driven_speed(o, at, speed);
		if (!motion_is_free(o->motion.type) && scree_motion_acts(&o->motion, time))
			note_load(m, o, &at->servo, scree_wall_driven_load(o, at), time);
		if (motion_is_free(o->motion.type) && w->wall[k].stopped && w->domain.first)
			scree_fixed_add(&s->energy.wall_work, loss_at_stop(m, o, at, w->wall + k, counted));
	}
}
