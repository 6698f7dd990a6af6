/* servo.h: a wall of mass M with an applied force and a damper, along one axis (docs/theory/walls.md). The wall moves
 * by velocity Verlet, like the bodies. The damper acts at the ends of both halves of the kick (Crank and Nicolson), so
 * that it dissipates at any strength. The limits on speed and position add no energy. */
#ifndef SCREE_KERNEL_SERVO_H
#define SCREE_KERNEL_SERVO_H

#include "base/real.h"

enum { SERVO_CARRIED = 20 }; /* mass added by the damper of a servo (wall/driven.c), divided by the mass of the wall */

typedef struct servo_motion {
	real way, speed, middle; /* middle: speed at the half step */
	bool stopped;			 /* whether the limits have changed the speed */
} servo_motion;

typedef struct servo_limits {
	real max_speed, low, high;
} servo_limits;

/* Returns the speed within the limits: a wall that has reached its end position stops. */
SCREE_FN real servo_allowed(real speed, real way, servo_limits l)
{
	if ((way >= l.high && speed > 0) || (way <= l.low && speed < 0)) return 0;
	return real_clamp(speed, -l.max_speed, l.max_speed);
}

/* A wall beyond its new end positions after a change stays where it is until it moves back. The resulting speed is a
 * prediction for the end of the step. force: total force along the axis except the damper's; rate: damping / mass */
SCREE_FN servo_motion servo_drift(servo_motion s, real force, real mass, real rate, real dt, servo_limits l)
{
	real gain = dt / 2 * (force / mass - rate * s.speed);
	real middle = servo_allowed(s.speed + gain, s.way, l);
	bool stopped = middle != s.speed + gain;
	real next = s.way + dt * middle, way = real_clamp(next, real_min(l.low, s.way), real_max(l.high, s.way));
	if (way != next) middle = (way - s.way) / dt, stopped = true;
	servo_motion o = {way, servo_allowed(middle + gain, way, l), middle, stopped};
	return o;
}

SCREE_FN servo_motion servo_kick(servo_motion s, real force, real mass, real rate, real dt, servo_limits l)
{
	real speed = (s.middle + dt / 2 * force / mass) / (1 + dt / 2 * rate);
	servo_motion o = {s.way, servo_allowed(speed, s.way, l), s.middle, false};
	o.stopped = s.stopped || o.speed != speed;
	return o;
}

#endif
