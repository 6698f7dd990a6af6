/* wall_state.h: data of walls that change in a step: poses, velocities, and loads. A motion is a function of time only
 * (scree_walls_move), so a wall's pose is never integrated. Driven motions (servos and free walls) are an exception:
 * they follow from the forces on the wall (docs/theory/walls.md). */
#ifndef SCREE_WALL_WALL_STATE_H
#define SCREE_WALL_WALL_STATE_H

#include "kernel/quat.h"
#include "kernel/servo.h"
#include "wall/walls.h"

typedef struct servo_state {
	real way, speed;  /* displacement in m and speed in m/s along the axis */
	int64_t contacts; /* number of contacts of the wall in the last step */
	/* only servos */
	real carried; /* speed, in m/s, of the mass carried along by the damper (wall/driven.c) */
	/* used only for reports: mean and largest value of load/required force, and number of steps in the mean */
	real mean, reached;
	int64_t heard;
	real asked, given; /* time integrals, in N s, of required force and load since the force was first reached */
} servo_state;

typedef struct wall_state {
	vec3 position; /* current pose; world point = position + orientation * wall point */
	quat orientation;
	vec3 velocity, angular_velocity; /* the surface velocity at p is velocity + angular_velocity x (p - position) */
	vec3 force, torque;				 /* load in the last step, world frame; torque about position */
	servo_state servo;				 /* used only if the motion is driven */
} wall_state;

/* Convert a point from the wall's frame to world coordinates, and back. */
SCREE_FN vec3 wall_to_world(const wall_state *o, vec3 p) { return v3_add(o->position, quat_rotate(o->orientation, p)); }
SCREE_FN vec3 world_to_wall(const wall_state *o, vec3 p)
{
	return quat_unrotate(o->orientation, v3_sub(p, o->position));
}
/* Returns the wall's velocity at a point. from: vector from the wall's position to the point */
SCREE_FN vec3 wall_velocity(const wall_state *o, vec3 from)
{
	return v3_add(o->velocity, v3_cross(o->angular_velocity, from));
}

/* Load of bodies against a wall's driven motion: the force along, or the torque about, the motion's axis */
real scree_wall_driven_load(const wall *w, const wall_state *o);
/* Returns the kinetic energy of a free wall; *potential is the energy of its weight and its spring. */
real scree_wall_free_energy(const wall *w, const wall_state *o, vec3 gravity, real *potential);
/* Forces, other than those exerted by bodies, on a wall moved by forces (docs/theory/walls.md). */
typedef struct driven_action {
	bool acts;		 /* whether the motion has begun and not ended; otherwise the wall is at rest */
	real force;		 /* in N along, or N m about the axis, without the load of bodies */
	real mass, rate; /* mass in kg or kg m2; damping divided by mass, in 1/s */
	servo_limits limits;
} driven_action;

/* contacts: number of contacts of the wall; dt: time step in s */
driven_action scree_driven_action(const wall *o, const wall_state *s, int64_t contacts, vec3 gravity, real dt,
								  real time);
/* Tests whether a wall moved by forces yields to a load in this direction (kernel/wall_share.h): its motion acts at
 * this time, and it is not at the end of its travel. */
bool scree_driven_follows(const wall *o, const wall_state *s, real time, int way);
/* Sets the speed and its component of the velocity, which must correspond to the previous speed. */
void scree_driven_speed(const wall *o, wall_state *s, real speed);

/* The speed before an implicit step: if the wall has already moved in it, the speed in the middle of the last step */
SCREE_FN real driven_before(const wall_state *s, real half, bool drifted) { return drifted ? half : s->servo.speed; }

/* Extends the array to the length of the table; new walls are at rest. */
void scree_wall_states_room(const walls *s, int32_t *count, wall_state **state);
/* Sets walls to their poses and velocities at this time, and servos to the values in their state. state: [s->count] */
void scree_walls_move(const walls *s, wall_state *state, real time);

#endif
