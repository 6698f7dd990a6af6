/* wall_share.h: contacts with a wall that is moved by forces (law/wall_shares.c). All functions are pure. */
#ifndef SCREE_KERNEL_WALL_SHARE_H
#define SCREE_KERNEL_WALL_SHARE_H

#include "base/real.h"

/* loads against the axis of the motion, and loads along it; those of held bodies are apart */
enum { PUSH_BACK, PUSH_ON, PUSH_HELD, PUSH_WAYS = 2 * PUSH_HELD };

/* minimum square of the travel, in m2, for walls that rotate: closer to the axis, the mass is irrelevant */
SCREE_CONSTANT real LEAST_WAY = (real)1e-9;

/* The motion of a wall along an axis, or about an axis through a point. */
typedef struct wall_axis {
	vec3 axis, point;
	int32_t turns;
} wall_axis;

/* Travel of a contact point along the normal per unit displacement or angle of the wall. at: in the world */
SCREE_FN real wall_way(const wall_axis *o, vec3 normal, vec3 at)
{
	if (!o->turns) return v3_dot(o->axis, normal);
	return v3_dot(v3_cross(o->axis, v3_sub(at, o->point)), normal);
}

SCREE_FN int wall_push(real way) { return way > 0 ? PUSH_BACK : PUSH_ON; /* the normal points to the body */ }

/* The share of a contact, after the shares among the contacts of a body and the wall. all: the travel times the sum
 * over all contacts that press in this direction; wall: mass of the wall */
SCREE_FN real share_of_wall(real share, real all, real wall) { return share / (1 + all / wall); }
/* The share of a held body of this mass. */
SCREE_FN real share_of_held(real share, real all, real wall, real mass)
{
	return share * (wall / (mass * real_max(all, LEAST_WAY)));
}

#endif
