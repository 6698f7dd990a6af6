/* measures.h: properties of a packing that do not depend on how its contacts are computed. They serve to compare runs
 * of one scene with several contact responses (`scree compare`, docs/compare.md). */
#ifndef SCREE_MEASURES_H
#define SCREE_MEASURES_H

#include "scree/world.h"

#ifdef __cplusplus
extern "C" {
#endif

/* At the current time. NaN: this simulation has no such value. */
typedef struct scree_measures {
	double slope; /* rad, 0 .. pi/2: angle of the free surface to the horizontal: a heap's flanks, or a tilted plane */
	double fraction; /* volume of bodies over the volume that they fill, inside the packing; in the plane, of areas */
	double density;	 /* kg/m3: mass of bodies over the same volume; in the plane per thickness */
	double weight;	 /* N: of all bodies that are not held */
	double carried;	 /* N: load of all bodies on all walls, in the direction of gravity; NaN without gravity */
	double overlap, mean; /* largest overlap of a contact, mean of all contacts: fractions of the smaller body */
} scree_measures;
SCREE_API scree_code scree_sim_measure(scree_sim *s, scree_measures *out);

/* N: sums of the normal forces of all contacts with each wall; force: [scree_sim_walls(s)]. A wall around a packing has
 * such a sum even if its net load is zero. */
SCREE_API scree_code scree_sim_wall_forces(scree_sim *s, double *force);

#ifdef __cplusplus
}
#endif

#endif
