/* measures.h: properties of a packing, however its contacts are computed, for comparing runs (docs/compare.md). */
#ifndef SCREE_REPORT_MEASURES_H
#define SCREE_REPORT_MEASURES_H

#include "base/real.h"
#include "model/declared.h"

/* A body as used by measures: the sphere with its volume or, in the plane, the disc with its area. */
typedef struct grain {
	vec3 at;
	real radius, volume, mass; /* m; m3, or m2 in the plane; kg, or kg/m of thickness in the plane */
	bool flies; /* whether it touches nothing and is faster than after a fall of an eighth of a diameter */
} grain;

typedef struct grains {
	int64_t count;
	grain *row; /* in ascending order of ids, so that sums do not depend on storage order */
	bool flat;
	real diameter; /* mean diameter in m, weighted by volume; 0 if there are no grains */
} grains;

grains scree_grains(const model *m, const state *s); /* owned bodies with finite positions; free row with scree_free */

/* Fraction of the packing's interior that bodies fill, and their mass per volume (kg/m3); NaN without an interior. */
typedef struct packing {
	real fraction, density;
} packing;
packing scree_packing(const grains *g);

/* The angle (rad, 0 .. pi/2) between the horizontal and the free surface, which may be the flanks of a heap or a
 * surface that is tilted as a whole. NaN without gravity, or if neither form describes the surface. */
real scree_slope(const grains *g, vec3 gravity);

/* load of all bodies on all walls, in N, in the direction of gravity; NaN without gravity */
real scree_carried_by_walls(const model *m, const state *s, const work *w);
/* sum of the normal forces of all contacts with each wall, in N; force: [m->wall.count] */
void scree_wall_normal_forces(const model *m, const state *s, const work *w, real *force);

#endif
