/* convex_solid.h: the types that separating_axis.h and face_patch.h use on a device: bodies and results of limited
 * size. On a processor, bodies and results may have any size, and loops run over vectors of their vertices and faces.
 * For processors src/narrow/solid/convex_pair.h therefore defines SCREE_CONVEX_SOLID and the same names. */
#ifndef SCREE_KERNEL_CONVEX_SOLID_H
#define SCREE_KERNEL_CONVEX_SOLID_H

#ifndef SCREE_CONVEX_SOLID
#include "kernel/convex_rows.h"
#include "kernel/pressure.h"

typedef convex_rows convex_solid;
typedef convex_pose convex_placed;

#ifdef SCREE_LARGE_SOLIDS
enum { CONVEX_POINTS = 128, CONVEX_CORNERS = 256, CONVEX_PARTS = 64 };
#else
enum { CONVEX_POINTS = 32, CONVEX_CORNERS = 64, CONVEX_PARTS = 32 };
#endif

/* The points of a contact, as in `patch`. */
typedef struct convex_points {
	int32_t points;
	vec3 normal;
	real arm, depth;
	vec3 at[CONVEX_POINTS];
	real deep[CONVEX_POINTS], weight[CONVEX_POINTS];
} convex_points;

typedef struct convex_pressure {
	int32_t corners, parts;
	pressure_sums sum;
	pressure_corner corner[CONVEX_CORNERS];
	pressure_part part[CONVEX_PARTS];
} convex_pressure;

/* Minimum of n.v over the unit shape's vertices. */
SCREE_FN real convex_lowest(SCREE_GLOBAL const convex_solid *s, vec3 n)
{
	real low = INFINITY;
	SCREE_ROLLED
	for (int32_t k = 0; k < s->vertices; ++k) {
		real d = n.x * s->vx[k] + n.y * s->vy[k] + n.z * s->vz[k];
		low = d < low ? d : low;
	}
	return low;
}

/* Tests whether there is room for another part with this number of corners, in addition to the last two points. */
SCREE_FN bool convex_has_room(SCREE_GLOBAL const convex_points *out, SCREE_GLOBAL const convex_pressure *on,
							  int32_t corners)
{
	return out->points + corners + 2 <= CONVEX_POINTS && on->corners + corners <= CONVEX_CORNERS &&
		   on->parts < CONVEX_PARTS;
}

SCREE_FN void convex_press(SCREE_GLOBAL convex_pressure *on, real x, real y, real p)
{
	on->corner[on->corners++] = pressure_corner_of(x, y, p);
}

/* Creates a part of the pressure from the corners added since the last part. */
SCREE_FN void convex_press_close(SCREE_GLOBAL convex_pressure *on)
{
	pressure_close(&on->corners, &on->parts, &on->sum, on->corner, on->part);
}
#endif

/* Transform from the wall's frame to the frame of the body, for points at size 1. */
SCREE_FN vec3 view_point(SCREE_GLOBAL const convex_placed *b, vec3 x)
{
	return v3_mul(1 / b->size, mat3_tmul(b->turn, v3_sub(x, b->at)));
}
SCREE_FN vec3 view_direction(SCREE_GLOBAL const convex_placed *b, vec3 v) { return mat3_tmul(b->turn, v); }

#endif
