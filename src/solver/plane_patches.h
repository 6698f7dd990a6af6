/* plane_patches.h: patches of bodies in the plane, packed for sweeps; private to src/solver.
 *
 * A constraint and its points take about 2 kB, of which a sweep needs a fifth. Contacts with springs but without
 * attraction, rolling friction and impacts are relaxed here, using only that fifth. In the plane the wrench on a body
 * has three components: along the normal, perpendicular to it, and about z. */
#ifndef SCREE_SOLVER_PLANE_PATCHES_H
#define SCREE_SOLVER_PLANE_PATCHES_H

#include "base/real.h"

#include <stdint.h>

struct solving;
struct constraint;

enum { PLANE_POINTS = 6, PLANE_WRENCH = 3 };

typedef struct plane_point {
	real off;	  /* distance from the point of friction, or the couple of a unit impulse, divided by the size */
	real goal;	  /* m/s */
	real stiff;	  /* reciprocal of the compliance, in kg */
	real meets;	  /* separation velocity at which the surfaces just touch at the predicted poses, in m/s */
	real impulse; /* N s */
} plane_point;

typedef struct plane_patch {
	int32_t a, b;		 /* rows of the two impulse bodies */
	int32_t points;		 /* number of points; 0 if the constraint is not relaxed here */
	int32_t state;		 /* state for which `inverse` was computed (loaded points, and how friction acts); -1 if none */
	real counted;		 /* 1, or 0 if another part of the world adds up the impulses of this patch */
	real nx, ny, bx, by; /* the normal, and the direction of friction */
	real turn_na, turn_nb, turn_ba, turn_bb; /* levers of the normal and of friction about the centres, in m */
	real moves[PLANE_WRENCH];				 /* velocity of b's surface in addition to its body's velocity, in m/s */
	real inv_mass_a, inv_mass_b, inv_a, inv_b;
	real size; /* length in m by which couples are divided and rates of rotation multiplied */
	real response[PLANE_WRENCH][PLANE_WRENCH], inverse[PLANE_WRENCH][PLANE_WRENCH];
	real friction, start, soft, stiff, rub;
	plane_point point[PLANE_POINTS];
} plane_patch;

typedef struct plane_patches {
	int64_t count, capacity, spares;
	plane_patch *row, *spare; /* [capacity], [spares] */
} plane_patches;

/* Gives each constraint its position in the order of sweeps, and moves its packed patch to that position. begins:
 * whether a new step starts, which has no packed patches yet. */
void scree_plane_patches_place(struct solving *v, bool begins);
/* Packs a given constraint if it can be packed. */
void scree_plane_patch_set(const struct solving *v, const struct constraint *r, plane_patch *to);
void scree_plane_patch_sweep(struct solving *v, plane_patch *o, int thread);
/* Adds the patch's impulses to the velocities. */
void scree_plane_patch_push(const struct solving *v, const plane_patch *o);
/* Copies the patch's impulses back to the constraint. */
void scree_plane_patch_unpack(const struct solving *v, struct constraint *r, const plane_patch *from);
void scree_plane_patches_free(plane_patches *o);

#endif
