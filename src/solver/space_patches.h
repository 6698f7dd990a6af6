/* space_patches.h: patches of bodies in space, packed for sweeps; private to src/solver.
 *
 * A constraint and its points take 2 to 4 kB, of which a sweep needs about a kilobyte. The unknowns of a patch are two
 * groups of three: the impulse along the normal with its moments about both directions of friction, and the friction of
 * its friction_block (kernel/impulse.h). */
#ifndef SCREE_SOLVER_SPACE_PATCHES_H
#define SCREE_SOLVER_SPACE_PATCHES_H

#include "kernel/impulse.h"

#include <stdint.h>

struct solving;
struct constraint;

enum { PATCH_LANES = 8, PATCH_GROUP = 3 };

/* Points side by side. Lanes without a point are never pressed. */
typedef struct patch_points {
	real x[PATCH_LANES], y[PATCH_LANES]; /* moments of a unit impulse about both directions, divided by the size */
	real goal[PATCH_LANES];				 /* m/s */
	real stiff[PATCH_LANES];			 /* reciprocal of the compliance, in kg */
	real meets[PATCH_LANES];			 /* separation velocity at which the surfaces just touch, in m/s */
	real impulse[PATCH_LANES];			 /* N s */
	real pressed[PATCH_LANES];			 /* 1 if the point is assumed to carry load, otherwise 0 */
} patch_points;

/* The point at which an impact rebounds (constraint_set.c). */
typedef struct patch_bounce {
	real x, y; /* as in patch_points */
	real rebound, limit, meets, rigid, impulse;
} patch_bounce;

typedef struct space_patch {
	int32_t a, b;	/* rows of the two impulse bodies */
	int32_t blocks; /* number of patch_points; 0 if the constraint is not relaxed here */
	bool alone;		/* whether it is packed, and nothing else acts in the contact, such as rolling friction */
	bool bounces;	/* whether `bounce` is in an impact; then points are relaxed one after another */
	bool known;		/* whether `inverse` fits `pressed` */
	int64_t more;	/* row of the second patch_points and those after it */
	real counted;	/* 1, or 0 if another part of the world adds up the impulses of this patch */
	vec3 normal;
	vec3 arm_a, arm_b; /* from the centres to the point of friction, in m */
	vec3 moves, spins; /* velocity of b's surface there in addition to its body's, in m/s and 1/s */
	real size;		   /* length in m by which moments are divided and rates of rotation multiplied */
	real rub;
	friction_block block;
	vec3 friction, start; /* in the block, in N s */
	/* responses in 1/kg: of the impulse along the normal with its moments, and of friction without compliance */
	sym3 along, across;
	real mixed[PATCH_GROUP][PATCH_GROUP]; /* [first group][friction] */
	sym3 held;							  /* of `along`, if the contact sticks */
	real inverse[PATCH_GROUP][PATCH_GROUP];
	patch_bounce bounce;
	patch_points first;
} space_patch;

/* Constraints without a row here have one point, or are packed as plane_patches. */
typedef struct space_patches {
	int64_t count, capacity;
	space_patch *row;			   /* [capacity] */
	int32_t *order, orders;		   /* [orders] rows in the order of sweeps; -1: none */
	int64_t further, further_room; /* patch_points of patches with more points than lanes */
	patch_points *more;			   /* [further_room] */
} space_patches;

/* Gives a new constraint a row, if it may be packed here. */
void scree_space_patches_add(const struct solving *v, struct constraint *r);
/* Sets `order`, once constraints have their places in the sweeps. */
void scree_space_patches_place(const struct solving *v);
/* Prefetches a later patch, and the bodies of a patch prefetched earlier. place: in the order of sweeps */
void scree_space_patches_fetch(const struct solving *v, int64_t place, int64_t end);
/* Packs a given constraint if it can be packed. */
void scree_space_patch_set(const struct solving *v, const struct constraint *r);
/* Returns the packed patch; NULL if the constraint is not packed here. */
space_patch *scree_space_patch_of(const struct solving *v, const struct constraint *r);
void scree_space_patch_sweep(struct solving *v, space_patch *o, int thread);
/* Adds the patch's impulses to the velocities. */
void scree_space_patch_push(const struct solving *v, const space_patch *o);
/* Copies the patch's impulses back to the constraint. */
void scree_space_patch_unpack(const struct solving *v, struct constraint *r, const space_patch *from);
/* Relaxes the patch once. Sets `pressed` to the sum of its normal impulses, and adds the change in impulses to *change,
 * both in N s. Returns whether all impulses were found at once. */
bool scree_space_patch_relax(const struct solving *v, space_patch *o, real *pressed, real *change);
void scree_space_patches_free(space_patches *o);

#endif
