/* driven.h: what acts on a wall that forces move, besides the bodies (docs/theory/walls.md). */
#ifndef SCREE_WALL_DRIVEN_H
#define SCREE_WALL_DRIVEN_H

#include "kernel/servo.h"
#include "wall/wall_state.h"

typedef struct driven_action {
	bool acts;		 /* the motion has begun and has not ended; else the wall is at rest */
	real force;		 /* N or N m, along or about the axis, without the load of the bodies */
	real mass, rate; /* kg or kg m2; 1/s: damping over mass */
	servo_limits limits;
} driven_action;

/* contacts: number of contacts of the wall; dt: s, the step */
driven_action scree_driven_action(const wall *o, const wall_state *s, int64_t contacts, vec3 gravity, real dt,
								  real time);
/* Sets the speed, and with it the velocity, which has the speed that it had before. */
void scree_driven_speed(const wall *o, wall_state *s, real speed);

/* The speed before an implicit step: that in the middle of the last step, if the wall has moved in the present one. */
SCREE_FN real driven_before(const wall_state *s, real half, bool drifted) { return drifted ? half : s->servo.speed; }

#endif
