/* patch.h: what a narrow phase finds of one pair. */
#ifndef SCREE_KERNEL_PATCH_H
#define SCREE_KERNEL_PATCH_H

#include "base/real.h"

enum { PATCH_POINTS = 128 };

/* All points of one pair's manifold are one contact: they share its stiffness by weight. */
typedef struct patch {
	int32_t points; /* 0: no contact */
	int32_t axis;	/* cache for the next call with this pair */
	vec3 normal;	/* unit, from b to a, world axes */
	real pitch;		/* m, couple about the normal over the normal force; set by narrow phases that give volumes */
	real depth;		/* greatest overlap, > 0; without contact <= 0 and -depth is a lower bound of the distance */
	vec3 at[PATCH_POINTS];	   /* from the centre of a, world axes, midway between the surfaces */
	real deep[PATCH_POINTS];   /* overlap at the point, > 0 */
	real weight[PATCH_POINTS]; /* >= 0, sum 1 */
} patch;

#endif
