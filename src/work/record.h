/* record.h: data of a partner that stages between drift and kick read, in two cache lines: partners lie anywhere in
 * memory, and separate arrays would cost a dozen cache lines each. Rebuilt each step from the arrays of bodies. */
#ifndef SCREE_WORK_RECORD_H
#define SCREE_WORK_RECORD_H

#include "base/real.h"
#include "model/periods.h"

/* laws read the first cache line and the first half of the second */
typedef struct body_record {
	vec3 position;
	real round; /* radius of the sphere of the same volume */
	vec3 velocity;
	real inv_mass;
	vec3 angular_velocity;
	real mass, radius; /* radius: of the bounding sphere */
	int32_t material, shape;
	image cell; /* in worlds with periods: the cells that it has crossed */
	int32_t spare;
} body_record;
_Static_assert(sizeof(body_record) == 128, "two cache lines");

#endif
