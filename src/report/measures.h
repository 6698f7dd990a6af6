/* measures: properties of a packing that do not depend on how its contacts are computed, by which runs are compared
 * (docs/compare.md). */
#ifndef SCREE_REPORT_MEASURES_H
#define SCREE_REPORT_MEASURES_H

#include "base/real.h"
#include "model/declared.h"

/* A body as measures see it: the sphere of its volume, in the plane the disc of its area. */
typedef struct grain {
	vec3 at;
	real radius, volume, mass; /* m; m3, in the plane m2; kg, in the plane kg/m of thickness */
	bool flies;				   /* touches nothing and is faster than after a fall of an eighth of a diameter */
} grain;

typedef struct grains {
	int64_t count;
	grain *row; /* in ascending order of ids, so that sums do not depend on the order of storage */
	bool flat;
	real diameter; /* m: mean, weighted by volume; 0 without grains */
} grains;

/* All owned bodies with finite positions; free row with scree_free. */
grains scree_grains(const model *m, const state *s);

/* Volume and mass (kg/m3) of bodies per volume that they fill, inside the packing; NaN if it has no interior.
 *
 * */
typedef struct packing {
	real fraction, density;
} packing;
packing scree_packing(const grains *g);

/* The angle (rad, 0 .. pi/2) of the free surface against the horizontal: of the flanks of a heap, or of a surface that
 * is tilted as a whole. NaN without gravity, or if neither describes the surface. */
real scree_slope(const grains *g, vec3 gravity);

/* N: load of all bodies on all walls, in the direction of gravity; NaN without gravity */
real scree_carried_by_walls(const model *m, const state *s, const work *w);
/* N: sum of the normal forces of all contacts with each wall; force: [m->wall.count] */
void scree_wall_normal_forces(const model *m, const state *s, const work *w, real *force);

#endif
