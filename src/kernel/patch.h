/* patch.h: result of a narrow phase for one pair of bodies. */
#ifndef SCREE_KERNEL_PATCH_H
#define SCREE_KERNEL_PATCH_H

#include "base/real.h"

enum { PATCH_POINTS = 128 };

/* Measures of an overlap: depth at points, volume (area in the plane), or volume and thickness. Each law needs one. */
typedef enum overlap_kind { OVERLAP_DEPTH, OVERLAP_VOLUME, OVERLAP_THICKNESS } overlap_kind;

/* Statistics on the search for the closest features of polygons; they do not affect results. */
typedef struct feature_counts {
	int64_t calls;	 /* number of searches for the features of a pair */
	int64_t known;	 /* searches that started from the features of an earlier search */
	int64_t renewed; /* searches from earlier features that ended at other features */
	int64_t changes; /* steps from one feature to another during searches */
	int64_t all;	 /* searches that gave up walking and tested all features instead */
	/* searches of whole borders for crossings: there were several chords, or no crossing at the last features */
	int64_t borders;
} feature_counts;

/* Counts one search. hint, answer: features, as the narrow phase encodes them */
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

/* Counts searches that ended at the features from which they started. */
SCREE_FN void features_held(feature_counts *sum, int64_t count)
{
	sum->calls += count;
	sum->known += count;
}

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

/* The manifold of one pair. All its points form one contact and share its stiffness in proportion to their weights. */
typedef struct patch {
	int32_t points; /* 0: no contact */
	int32_t axis;	/* cache for the next call for this pair */
	vec3 normal;	/* unit vector from b to a, in world axes */
	real pitch;		/* couple about the normal over the normal force, in m; set by narrow phases that compute volumes */
	real arm; /* mean distance of the pressure from its centre, perpendicular to the normal, in m; 0 in the plane */
	/* position relative to the centre of a: the centre of the area for the law `overlap` in space; set by set_points
	 * for other laws */
	vec3 hold;
	real depth;			   /* largest overlap, > 0; without contact <= 0, and -depth is a lower bound on the distance */
	vec3 at[PATCH_POINTS]; /* position relative to the centre of a, in world axes, midway between the surfaces */
	real deep[PATCH_POINTS];   /* overlap at the point, >= 0; 0 where borders cross */
	real weight[PATCH_POINTS]; /* >= 0, sum 1 */
	feature_counts features;   /* polygons only: counts of all searches for this pair */
} patch;

/* Returns the axis of a touching pair for narrow phases that compute overlaps. The axis encodes the form of the
 * region (0 if none), from which the next search starts, and whether one face carries nearly all of the force. */
SCREE_FN int32_t axis_of_form(int32_t form, bool flat) { return -(2 * form + (flat ? 0 : 1)); }
SCREE_FN int32_t form_of_axis(int32_t axis) { return axis < 0 ? -axis / 2 : 0; }
SCREE_FN bool axis_is_flat(int32_t axis) { return axis % 2 == 0; }

#endif
