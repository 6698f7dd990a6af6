/* patch.h: what a narrow phase finds of one pair. */
#ifndef SCREE_KERNEL_PATCH_H
#define SCREE_KERNEL_PATCH_H

#include "base/real.h"

enum { PATCH_POINTS = 128 };

/* What is measured of an overlap: its depth in points, its volume (in the plane: its area), or its volume and its
 * thickness. A law needs one of them, and a narrow phase gives one. */
typedef enum overlap_kind { OVERLAP_DEPTH, OVERLAP_VOLUME, OVERLAP_THICKNESS } overlap_kind;

/* How closest features of polygons were found: to measure, not part of any result. */
typedef struct feature_counts {
	int64_t calls;	 /* for the features of a pair */
	int64_t known;	 /* of these, with features of an earlier call */
	int64_t renewed; /* of these, answered with other features */
	int64_t changes; /* features that these replaced by others on the way */
	int64_t all;	 /* how often the walk was given up and all features were asked */
	int64_t borders; /* how often whole borders were searched for crossings: several chords, or none where the last ones
						were */
} feature_counts;

/* one call: hint and answer as the narrow phase codes them */
SCREE_FN void features_count(feature_counts *sum, int32_t hint, int32_t answer, int32_t changes, int32_t all,
							 int32_t borders)
{
	sum->calls += 1;
	sum->known += hint != 0;
	sum->renewed += hint != 0 && hint != answer;
	sum->changes += hint != 0 ? changes : 0;
	sum->all += all;
	sum->borders += borders;
}

/* so many calls that were answered with the features they came with */
SCREE_FN void features_held(feature_counts *sum, int64_t count)
{
	sum->calls += count;
	sum->known += count;
}

/* moves what `from` has counted to `sum` */
SCREE_FN void features_move(feature_counts *sum, feature_counts *from)
{
	sum->calls += from->calls;
	sum->known += from->known;
	sum->renewed += from->renewed;
	sum->changes += from->changes;
	sum->all += from->all;
	sum->borders += from->borders;
	feature_counts none = {0, 0, 0, 0, 0, 0};
	*from = none;
}

/* All points of one pair's manifold are one contact: they share its stiffness by weight. */
typedef struct patch {
	int32_t points; /* 0: no contact */
	int32_t axis;	/* cache for the next call with this pair */
	vec3 normal;	/* unit, from b to a, world axes */
	real pitch;		/* m, couple about the normal over the normal force; set by narrow phases that give volumes */
	real arm;		/* m, mean distance of the pressure from its centre, across the normal; 0 in the plane */
	vec3 hold;		/* from the centre of a, of law `overlap` in space: the centre of the area; others: set_points */
	real depth;		/* greatest overlap, > 0; without contact <= 0 and -depth is a lower bound of the distance */
	vec3 at[PATCH_POINTS];	   /* from the centre of a, world axes, midway between the surfaces */
	real deep[PATCH_POINTS];   /* overlap at the point, >= 0: 0 where borders cross */
	real weight[PATCH_POINTS]; /* >= 0, sum 1 */
	feature_counts features;   /* polygons add to it, call by call */
} patch;

/* What a narrow phase of overlaps leaves at a pair that touches, in place of an axis: the form of the region, from
 * which the next search begins (a number above 0, or 0: none), and whether one face takes nearly all of the push. */
SCREE_FN int32_t axis_of_form(int32_t form, bool flat) { return -(2 * form + (flat ? 0 : 1)); }
SCREE_FN int32_t form_of_axis(int32_t axis) { return axis < 0 ? -axis / 2 : 0; }
SCREE_FN bool axis_is_flat(int32_t axis) { return axis % 2 == 0; }

#endif
