/* plane_patches.h: patches of bodies in the plane, packed for sweeps; private to src/solver.
 *
 * A constraint and its points take some 2 kB, of which a sweep needs a fifth. Contacts of springs without attraction,
 * rolling friction and impacts are relaxed here, from that part only. In the plane the wrench on a body has three
 * components: along the normal, across it, and about z. */
#ifndef SCREE_SOLVER_PLANE_PATCHES_H
#define SCREE_SOLVER_PLANE_PATCHES_H

#include "base/real.h"

#include <stdint.h>

struct solving;
struct constraint;

enum { PLANE_POINTS = 6, PLANE_WRENCH = 3 };

typedef struct plane_point {
	real off;	  /* distance from the point of friction, over the size: part of the couple of a unit impulse */
	real goal;	  /* m/s */
	real stiff;	  /* kg: 1 over the compliance */
	real meets;	  /* m/s: separation velocity with which the surfaces just touch ahead */
	real impulse; /* N s */
} plane_point;

typedef struct plane_patch {
	int32_t a, b;		 /* rows of impulse bodies */
	int32_t points;		 /* 0: the constraint is not relaxed here */
	int32_t state;		 /* state to which `inverse` belongs: pressed points, and how friction slides; -1: none */
	real counted;		 /* 1, or 0 if another part of the world adds up its impulses */
	real nx, ny, bx, by; /* normal, and the direction of friction */
	real turn_na, turn_nb, turn_ba, turn_bb; /* m: levers of both about the centres */
	real moves[PLANE_WRENCH];				 /* m/s: of b's surface in addition to its body's velocity */
	real inv_mass_a, inv_mass_b, inv_a, inv_b;
	real size; /* m: couples are divided by it, and rates of rotation multiplied */
	real response[PLANE_WRENCH][PLANE_WRENCH], inverse[PLANE_WRENCH][PLANE_WRENCH];
	real friction, start, soft, stiff, rub;
	plane_point point[PLANE_POINTS];
} plane_patch;

typedef struct plane_patches {
	int64_t count, capacity, spares;
	plane_patch *row, *spare; /* [capacity], [spares] */
} plane_patches;

/* Gives each constraint its position in the order of sweeps, and brings its packed patch there. begins: a new step,
 * which has no packed patches yet. */
void scree_plane_patches_place(struct solving *v, bool begins);
/* Tests whether a constraint that is set can be packed. */
bool scree_plane_patch_takes(const struct solving *v, const struct constraint *r);
/* Packs a constraint that is set, if it can be packed. */
void scree_plane_patch_set(const struct solving *v, const struct constraint *r, plane_patch *to);
/* Relaxes it once in a sweep. */
void scree_plane_patch_sweep(struct solving *v, plane_patch *o, int thread);
/* Adds its impulses to the velocities. */
void scree_plane_patch_push(const struct solving *v, const plane_patch *o);
/* Copies its impulses back to the constraint. */
void scree_plane_patch_unpack(const struct solving *v, struct constraint *r, const plane_patch *from);
void scree_plane_patches_free(plane_patches *o);

#endif
