/* pairs.h: which bodies may touch before the next rebuild, and what each such pair remembers.
 *
 * One list for each kind of pair. A pair keeps its slot from rebuild to rebuild; at a rebuild its history follows by key
 * (id, id) or (id, surface). Slots are sorted by the row of the first body, then by the partner's id. The first of two bodies is the one
 * with the lower id where both have one shape type, else the one with the lower shape type. */
#ifndef SCREE_STATE_PAIRS_H
#define SCREE_STATE_PAIRS_H

#include "base/real.h"
#include "state/field.h"

typedef enum pair_kind {
	PAIR_SPHERE_SPHERE,
	PAIR_SPHERE_CONVEX,
	PAIR_CONVEX_CONVEX,
	PAIR_SPHERE_WALL, /* the second is a surface of a wall */
	PAIR_CONVEX_WALL,
	PAIR_KINDS
} pair_kind;

typedef struct pair_list {
	int64_t count, capacity;
	int32_t *a, *b;         /* rows of bodies; b of wall pairs: the surface                    rebuild */
	/* the contact of this step; geometry is undefined where touching is 0 */
	int32_t *touching;      /* 1: in contact; 2: was in the step before; 3: both               narrow  */
	real *nx, *ny, *nz;     /* unit normal, from b to a                                        narrow  */
	real *px, *py, *pz;     /* m   contact point from the centre of a, world axes; of a patch: of its deepest point  narrow */
	real *depth;            /* m   greatest overlap                                            narrow  */
	int32_t *points;        /* how many points the patch has (kinds with one point: not used)  narrow  */
	uint64_t *first;        /* where they begin: pool << 32 | row of that pool of contact_points narrow  */
	real *fx, *fy, *fz;     /* N   force on a                                                  law     */
	real *tx, *ty, *tz;     /* N m torque on a about its centre                                law     */
	real *ux, *uy, *uz;     /* N m torque on b about its centre (wall: about its place)        law     */
	/* history: saved with the state; all zero while not touching */
	real *sx, *sy, *sz;     /* m   tangential spring, world axes                               law     */
	real *rx, *ry, *rz;     /* rad rolling spring                                              law     */
	real *stiff;            /* what the tangential stiffness was scaled by (Hertz: contact radius)  law */
	real *elastic;          /* J   stored in the normal spring                                 law     */
	real *bent;             /* J   stored in the tangential spring                             law     */
	real *rolled;           /* J   stored in the rolling spring                                law     */
	real *lost_normal, *lost_friction, *lost_rolling; /* J dissipated since the contact began  law    */
	real *made;             /* J   made (+) or taken (-) by changes of contact geometry        law     */
	real *power;            /* W   rate at which the normal spring does work on the bodies     law     */
	real *heat;             /* W   rate of dissipation now: what is lost is known to the half step before  law */
	/* cache: may only make it faster */
	int32_t *axis;          /* last separating or least-penetration axis, as the narrow phase codes it  narrow */
} pair_list;

extern const field_table scree_pair_table;    /* every array of a pair_list */
extern const field_table scree_history_table; /* the history only */

/* Points of patches. Each thread fills a pool of its own, emptied every step; which pool a patch lies in means nothing. */
typedef struct contact_points {
	int64_t count, capacity;
	real *x, *y, *z;  /* m from the centre of a, world axes, midway between the two surfaces */
	real *depth;      /* m > 0 */
	real *weight;     /* >= 0, sum over a patch 1 */
} contact_points;

#endif
