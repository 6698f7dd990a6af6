/* stiffness: settings that keep overlaps small. */
#ifndef SCREE_REPORT_STIFFNESS_H
#define SCREE_REPORT_STIFFNESS_H

#include "base/real.h"
#include "model/declared.h"

#include <stdio.h>

/* Cause of an overlap. */
typedef enum overlap_cause {
	STIFFNESS_OF_IMPACT,
	STIFFNESS_OF_LOAD,
	STIFFNESS_OF_BOTH /* either: not known */
} overlap_cause;

/* Prints by how much the stiffness of these materials, the impact speed or the pressure has to change so that an
 * overlap of this part of the smaller body stays within the range of the laws. */
void scree_stiffness_print(FILE *to, const scree_world *w, const int32_t material[2], real part, overlap_cause by);

#endif
