/* patch_polygon.h: a polygon with an overlap at each corner, clipped until it is the patch of a face contact, and the
 * weights of its corners.
 *
 * Weights: w_i = (T_{i-1} + T_i) / (2 A), T_i the triangle of corners i, i+1 and the middle of the polygon. A corner
 * that splits on an edge, or an edge that shrinks to nothing, changes no sum of w_i f_i for an f that is linear along
 * edges: forces are continuous (docs/theory/convex.md). */
#ifndef SCREE_NARROW_PATCH_POLYGON_H
#define SCREE_NARROW_PATCH_POLYGON_H

#include "base/fail.h"
#include "kernel/patch.h"

/* corners of two faces with at most 62 corners each, two of the last cut; a patch may have one point more */
enum { POLYGON_CORNERS = PATCH_POINTS - 1 };

typedef struct patch_polygon {
	int32_t count;
	vec3 at[POLYGON_CORNERS];
	real deep[POLYGON_CORNERS];
} patch_polygon;

SCREE_FN void patch_polygon_add(patch_polygon *p, vec3 at, real deep)
{
	SCREE_ASSERT(p->count < POLYGON_CORNERS);
	p->at[p->count] = at;
	p->deep[p->count++] = deep;
}

/* keeps where side <= 0, side given at the corners (Sutherland and Hodgman 1974) */
SCREE_FN void patch_polygon_cut(patch_polygon *p, const real *side)
{
	int32_t outside = 0;
	for (int32_t i = 0; i < p->count; ++i) outside += side[i] > 0 ? 1 : 0;
	if (!outside) return;
	if (outside == p->count) {
		p->count = 0;
		return;
	}
	patch_polygon cut;
	cut.count = 0;
	for (int32_t i = 0; i < p->count; ++i) {
		int32_t k = i + 1 < p->count ? i + 1 : 0;
		if (side[i] <= 0) patch_polygon_add(&cut, p->at[i], p->deep[i]);
		if ((side[i] < 0 && side[k] > 0) || (side[i] > 0 && side[k] < 0)) {
			real t = side[i] / (side[i] - side[k]);
			patch_polygon_add(&cut, v3_madd(p->at[i], t, v3_sub(p->at[k], p->at[i])),
							  p->deep[i] + t * (p->deep[k] - p->deep[i]));
		}
	}
	p->count = cut.count;
	for (int32_t i = 0; i < cut.count; ++i) {
		p->at[i] = cut.at[i];
		p->deep[i] = cut.deep[i];
	}
}

/* keeps normal.x <= off */
SCREE_FN void patch_polygon_clip(patch_polygon *p, vec3 normal, real off)
{
	real side[POLYGON_CORNERS];
	for (int32_t i = 0; i < p->count; ++i) side[i] = v3_dot(normal, p->at[i]) - off;
	patch_polygon_cut(p, side);
}

/* keeps where there is overlap */
SCREE_FN void patch_polygon_clip_depth(patch_polygon *p)
{
	real side[POLYGON_CORNERS];
	for (int32_t i = 0; i < p->count; ++i) side[i] = -p->deep[i];
	patch_polygon_cut(p, side);
}

/* To the points of a patch, moved along n (outward from the reference face) to midway between the surfaces. Corners
 * with neither depth nor weight are kept: they carry weight that belongs to the patch. */
SCREE_FN void patch_polygon_weights(const patch_polygon *p, vec3 n, real scale, patch *out)
{
	out->points = p->count;
	if (!p->count) return;
	real tri[POLYGON_CORNERS], length[POLYGON_CORNERS], area = 0, around = 0;
	vec3 middle = v3(0, 0, 0);
	for (int32_t i = 0; i < p->count; ++i) middle = v3_add(middle, p->at[i]);
	middle = v3_mul(1 / (real)p->count, middle);
	for (int32_t i = 0; i < p->count; ++i) {
		int32_t k = i + 1 < p->count ? i + 1 : 0;
		vec3 u = v3_sub(p->at[i], middle), w = v3_sub(p->at[k], middle);
		tri[i] = v3_norm(v3_cross(u, w));
		length[i] = v3_norm(v3_sub(w, u));
		area += tri[i];
		around += length[i];
	}
	/* a sliver or a point has no area to share */
	bool flat = area > (real)1e-20 * scale * scale, line = around > (real)1e-12 * scale;
	for (int32_t i = 0; i < p->count; ++i) {
		int32_t before = i > 0 ? i - 1 : p->count - 1;
		out->weight[i] = flat	? (tri[before] + tri[i]) / (2 * area)
						 : line ? (length[before] + length[i]) / (2 * around)
								: 1 / (real)p->count;
		out->at[i] = v3_madd(p->at[i], p->deep[i] / 2, n);
		out->deep[i] = real_max(p->deep[i], 0);
	}
}

#endif
