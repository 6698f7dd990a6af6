/* law_constants.h: what a law knows of a pair of materials. Reduced mass and radius come from each contact. */
#ifndef SCREE_KERNEL_LAW_CONSTANTS_H
#define SCREE_KERNEL_LAW_CONSTANTS_H

#include "base/real.h"

typedef struct law_constants {
	int32_t law;
	real stiffness; /* linear: N/m; Hertz: (4/3) E*, Pa                                    */
	real shear;		/* linear: N/m tangential; Hertz: 8 G*, Pa                              */
	real damping;	/* damping ratio zeta for the prescribed restitution (docs/theory/laws.md) */
	real friction;	/* Coulomb                                                              */
	real rolling;	/* rolling resistance                                                   */
} law_constants;

#endif
