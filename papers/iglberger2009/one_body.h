/* one_body.h: the two problems that the fast frictional dynamics (FFD) of Kaufman, Edmunds and Pai (ACM Transactions on
 * Graphics 24, 2005, 946-956) solves for each body separately: the response along normals, and friction. A velocity
 * with six components (v, w) is scaled by the square root of the mass matrix M, so that lengths and angles are measured
 * by the kinetic energy (docs/theory/ffd.md). */
#ifndef SCREE_PAPERS_IGLBERGER2009_ONE_BODY_H
#define SCREE_PAPERS_IGLBERGER2009_ONE_BODY_H

#include "papers/iglberger2009/nearest.h"
#include "state/bodies.h"

enum { FFD_MOST_DIRECTIONS = 64 };

typedef struct ffd_body {
	real inv_mass;
	vec3 inv_inertia; /* principal moments, about the body's own axes */
	mat3 turn;		  /* the body's own axes, in the world frame */
	vec3 velocity, spin;
	vec3 torque_impulse; /* sum of the moments of all impulses about the body's centre, in N m s */
} ffd_body;

/* One contact of a body, from the body's point of view. */
typedef struct ffd_touch {
	vec3 normal, arm; /* unit normal, towards the body; arm in m, from its centre to the contact point */
	real closing;	  /* speed along the normal that the contact stops, in m/s, >= 0 */
	real wants;		  /* `closing` plus the speed that removes an overlap, in m/s, >= 0 */
	real friction, restitution;
	vec3 aim;	/* target velocity of the contact point for friction, in m/s; ffd/corrected only */
	real press; /* N s, result: normal impulse */
	vec3 rub;	/* result: impulse of friction, in N s */
} ffd_touch;

/* Rules of a solver, and the working memory of a thread. */
typedef struct ffd_rules {
	bool literal;		/* as in pe */
	int32_t directions; /* number of directions of friction impulses per contact; used only in the literal method */
	real cosine[FFD_MOST_DIRECTIONS], sine[FFD_MOST_DIRECTIONS];
} ffd_rules;
typedef struct ffd_room {
	int64_t capacity;
	ffd_touch *touch; /* [capacity] */
	six *normal;	  /* [capacity * directions, at least 2] */
	real *offset;	  /* same length as `normal` */
	six *across;	  /* [2 * capacity] */
	vec3 *tangent;	  /* same length as `across` */
} ffd_room;

typedef enum ffd_end {
	FFD_SOLVED,
	FFD_LIMITED, /* the response was so large that it was reduced */
	FFD_VAGUE, /* as in pe, although contacts nearly contradict each other; the resulting huge impulses are discarded */
	FFD_STOPPED /* the contacts contradict each other */
} ffd_end;

ffd_body scree_ffd_body(const bodies *b, int32_t i);
SCREE_FN vec3 ffd_velocity_at(const ffd_body *o, vec3 arm) { return v3_add(o->velocity, v3_cross(o->spin, arm)); }
/* An impulse along this vector, acting at the end of the arm, as a change in the scaled velocity. */
SCREE_FN six ffd_twist(const ffd_body *o, vec3 along, vec3 arm)
{
	const real root = sqrt(o->inv_mass);
	const vec3 torque = mat3_tmul(o->turn, v3_cross(arm, along));
	return (six){{root * along.x, root * along.y, root * along.z, sqrt(o->inv_inertia.x) * torque.x,
				  sqrt(o->inv_inertia.y) * torque.y, sqrt(o->inv_inertia.z) * torque.z}};
}
/* Applies an impulse. */
void scree_ffd_push(ffd_body *o, vec3 impulse, vec3 arm);

/* Computes the normal impulses of all contacts, with their restitution, and for pe also friction. Applies the impulses
 * to the body unless the body was stopped. */
ffd_end scree_ffd_respond(ffd_body *o, int32_t count, ffd_touch *touch, const ffd_rules *r, ffd_room *room);
/* Computes the friction impulses as pe does. before, after: velocities without and with the response, but without
 * restitution. */
void scree_ffd_rub_as_pe(const ffd_body *before, const ffd_body *after, int32_t count, ffd_touch *touch,
						 const ffd_rules *r, ffd_room *room, const six *response);
/* ffd/corrected: computes and applies the friction impulses after the normal ones. */
void scree_ffd_rub(ffd_body *o, int32_t count, ffd_touch *touch, ffd_room *room);

#endif
