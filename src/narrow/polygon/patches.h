/* patches.h: patches of many pairs of polygons together, for pairs whose features in the last step are still valid. */
#ifndef SCREE_NARROW_POLYGON_PATCHES_H
#define SCREE_NARROW_POLYGON_PATCHES_H

#include "narrow/narrow.h"

#include <stddef.h>

enum {
	TRACKED_PAIRS = 16,
	TRACKED_MIDDLE = 3, /* index of the middle point: a wing has at most three points, before it and after it */
	TRACKED_POINTS = 7,
	/* corners e-2 .. e+2 around the reference edge e, and c-2 .. c+2 around the other polygon's lowest corner c */
	AROUND = 5
};

/* The data of a body that patches need, in one cache line. */
typedef struct polygon_pose {
	const flat_polygon *shape; /* NULL: no polygon */
	real x, y, c, s, size;	   /* c, s: cosine and sine of its angle */
	real radius, inradius;	   /* m */
} polygon_pose;
_Static_assert(sizeof(polygon_pose) == 64, "one cache line");

/* Pair i is item i of each array. */
typedef real pair_reals[TRACKED_PAIRS];
typedef struct pair_corners {
	pair_reals x, y, tx, ty; /* corners, as flat_corner */
} pair_corners;
typedef struct polygon_patches {
	int32_t count;
	int64_t row[TRACKED_PAIRS]; /* index chosen by the caller */
	/* inputs; e: the polygon with the reference edge, o: the other one; both of unit size and not rotated */
	pair_reals from_b; /* 1: the reference edge is b's, else 0 */
	pair_reals ex, ey, ec, es, e_size, ox, oy, oc, os, o_size;
	pair_reals scale, inner; /* sums of the circumradii and of the inradii */
	const flat_corner *around_e[AROUND][TRACKED_PAIRS], *around_c[AROUND][TRACKED_PAIRS];
	pair_corners e[AROUND], o[AROUND]; /* corners of e and of o around the features */
	/* outputs, as in a patch (kernel/patch.h) */
	pair_reals holds;				 /* 1: the outputs are the patch; 0: call scree_polygon_patch */
	pair_reals nx, ny, depth;		 /* the normal and the largest overlap */
	pair_reals deepest_x, deepest_y; /* the first of the deepest points */
	pair_reals left, right;			 /* number of points of each wing: 0 .. 3 */
	/* the outer and inner points of the wings, with the middle point between them */
	pair_reals x[TRACKED_POINTS], y[TRACKED_POINTS];
	pair_reals deep[TRACKED_POINTS], weight[TRACKED_POINTS];
} polygon_patches;

SCREE_FN polygon_pose polygon_pose_of(const placed *body)
{
	const flat_polygon *f = &body->shape->flat;
	bool is = body->shape->type == SHAPE_POLYGON;
	return (polygon_pose){.shape = is ? f : NULL,
						  .x = body->at.x,
						  .y = body->at.y,
						  .c = body->turn.x.x,
						  .s = body->turn.x.y,
						  .size = body->size,
						  .radius = is ? body->size * f->radius : 0,
						  .inradius = is ? body->size * f->inradius : 0};
}

/* Adds a pair, b moved by x and y, while count < TRACKED_PAIRS. The caller sets count to 0 at first and after each
 * block. False if the hint has no edge and corner. row: chosen by the caller; hint: as for scree_polygon_patch */
bool scree_polygon_patches_add(polygon_patches *p, int64_t row, const polygon_pose *a, const polygon_pose *b, real x,
							   real y, int32_t hint);
/* Computes the outputs of all added pairs. If `holds`, the patch of a pair equals that of scree_polygon_patch to the
 * last bit, and its hint is unchanged. */
void scree_polygon_patches(polygon_patches *p);

#endif
