/* patches.h: patches of many pairs of polygons at once, for pairs whose features of the last step are still valid. */
#ifndef SCREE_NARROW_POLYGON_PATCHES_H
#define SCREE_NARROW_POLYGON_PATCHES_H

#include "narrow/narrow.h"

#include <stddef.h>

enum {
	TRACKED_PAIRS = 16,
	TRACKED_MIDDLE = 3, /* the middle point: at most three points of a wing before it, and three after it */
	TRACKED_POINTS = 7,
	AROUND = 5 /* e-2 .. e+2 about the reference edge e, c-2 .. c+2 about the other polygon's lowest corner c */
};

/* The needed data of a body, in one cache line. */
typedef struct polygon_pose {
	const flat_polygon *shape; /* NULL: no polygon */
	real x, y, c, s, size;	   /* c, s: cosine and sine of its angle */
	real radius, inradius;	   /* m */
} polygon_pose;
_Static_assert(sizeof(polygon_pose) == 64, "one cache line");

/* Pair i is item i of each array. */
typedef real pair_reals[TRACKED_PAIRS];
typedef struct pair_corners {
	pair_reals x, y, tx, ty; /* as of a flat_corner */
} pair_corners;
typedef struct polygon_patches {
	int32_t count;
	int64_t row[TRACKED_PAIRS]; /* index chosen by the caller */
	/* inputs; e: the polygon of the reference edge, o: the other one; of unit size, not rotated */
	pair_reals from_b; /* 1: the reference edge is b's, else 0 */
	pair_reals ex, ey, ec, es, e_size, ox, oy, oc, os, o_size;
	pair_reals scale, inner; /* sums of circumradii and of inradii */
	const flat_corner *around_e[AROUND][TRACKED_PAIRS], *around_c[AROUND][TRACKED_PAIRS];
	pair_corners e[AROUND], o[AROUND]; /* corners of e and of o around the features */
	/* outputs, as in a patch (kernel/patch.h) */
	pair_reals holds;				 /* 1: this is the patch, else 0: call scree_polygon_patch */
	pair_reals nx, ny, depth;		 /* the normal and the greatest overlap */
	pair_reals deepest_x, deepest_y; /* the first of the deepest points */
	pair_reals left, right;			 /* number of points of each wing: 0 .. 3 */
	/* the outer and inner points of the wings, and the middle one between them */
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

/* Adds a pair, b moved by x and y, while count < TRACKED_PAIRS; the caller sets count to 0 at first and after each
 * block. row: chosen by the caller; hint: as for scree_polygon_patch. False if the hint has no edge and corner. */
bool scree_polygon_patches_add(polygon_patches *p, int64_t row, const polygon_pose *a, const polygon_pose *b, real x,
							   real y, int32_t hint);
/* Computes the outputs of all added pairs. The patch of a pair that holds equals that of scree_polygon_patch to the
 * last bit; its hint is unchanged. */
void scree_polygon_patches(polygon_patches *p);

#endif
