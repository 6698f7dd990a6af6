/* measures.h: properties of a packing that do not depend on how its contacts are computed. They can be used to compare
 * runs of one scene with different contact responses (`scree compare`, docs/compare.md). */
#ifndef SCREE_MEASURES_H
#define SCREE_MEASURES_H

#include "scree/world.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Values at the current time. NaN means that the simulation has no such value. */
typedef struct scree_measures {
	double slope;	 /* angle between the free surface (the flanks of a heap, or a tilted plane) and the horizontal in
						rad, 0 .. pi/2 */
	double fraction; /* volume of bodies divided by the volume they fill, inside the packing; in the plane, areas */
	double density;	 /* mass of bodies divided by the same volume in kg/m3; in the plane, per unit thickness */
	double weight;	 /* weight of all bodies that are not held, in N */
	double carried;	 /* load from all bodies on all walls in the direction of gravity, in N; NaN without gravity */
	double overlap, mean; /* largest and mean overlap over all contacts, as fractions of the smaller body */
} scree_measures;
SCREE_API scree_code scree_sim_measure(scree_sim *s, scree_measures *out);

/* For each wall, the sum of the normal forces of all contacts with it, in N; force: [scree_sim_walls(s)]. A wall around
 * a packing has a nonzero sum even if its net load is zero. */
SCREE_API scree_code scree_sim_wall_forces(scree_sim *s, double *force);

#ifdef __cplusplus
}
#endif

#endif
