/* record.h: what the stages between drift and kick ask of a partner, in two cache lines: partners lie anywhere in
 * memory, and fetched from separate arrays each would cost a dozen lines. Made anew each step from the bodies' arrays.
 */
#ifndef SCREE_WORK_RECORD_H
#define SCREE_WORK_RECORD_H

#include "base/real.h"
#include "model/periods.h"

/* the first cache line, and of the second the first half, are what a law asks for */
typedef struct body_record {
	vec3 position;
	real round; /* of the sphere of the same volume */
	vec3 velocity;
	real inv_mass;
	vec3 angular_velocity;
	real mass, radius; /* radius: of the bounding sphere */
	int32_t material, shape;
	image cell; /* of worlds with periods: the cells that it has crossed */
	int32_t spare;
} body_record;
_Static_assert(sizeof(body_record) == 128, "two cache lines");

#endif
