/* patch.h: building blocks for patches between two polygons. patch.c uses these for one pair at a time, and patches.c
 * for many pairs at once; the same formulas give bitwise the same results. Polygons are in the axes of the world,
 * relative to the centre of the first polygon. */
#ifndef SCREE_NARROW_POLYGON_PATCH_H
#define SCREE_NARROW_POLYGON_PATCH_H

#include "narrow/polygon/pair.h"
#include "narrow/narrow.h"

#include <stddef.h>

/* penetration, relative to scale, below which there is no contact */
#define LEAST_DEPTH ((real)1e-12)

SCREE_FN xy turned_xy(real c, real s, real x, real y) { return (xy){c * x - s * y, s * x + c * y}; }
SCREE_FN xy corner_at(real x, real y, real size, xy v) { return (xy){x + size * v.x, y + size * v.y}; }

SCREE_FN xy tangent_of(const flat_placed *p, int32_t i)
{
	const flat_corner *k = p->shape->corner + i;
	return turned_xy(p->c, p->s, k->tx, k->ty);
}
SCREE_FN xy corner_of(const flat_placed *p, int32_t i)
{
	const flat_corner *k = p->shape->corner + i;
	return corner_at(p->x, p->y, p->size, turned_xy(p->c, p->s, k->x, k->y));
}
SCREE_FN flat_edge edge_of(const flat_placed *p, int32_t i)
{
	xy v = corner_of(p, i), t = tangent_of(p, i);
	return (flat_edge){v.x, v.y, t.x, t.y, 0};
}

/* Returns n.D, where n is the outward normal of an edge with this tangent. */
SCREE_FN real faces(xy t, real x, real y) { return t.y * x - t.x * y; }

/* A place along the reference edge where either border has a corner or where the borders cross. The overlap is the
 * height of the reference body's border above the reference edge, minus the height of the other body's border. */
typedef struct section {
	real x, top, low;
} section;

/* Returns a point in the coordinates of the edge. */
SCREE_FN xy seen(flat_edge e, xy v, real way)
{
	return (xy){way * ((v.x - e.x) * e.tx + (v.y - e.y) * e.ty), height_over(e, v)};
}
SCREE_FN xy unseen(flat_edge e, real x, real y) { return (xy){e.x + x * e.tx + y * e.ty, e.y + x * e.ty - y * e.tx}; }

/* Returns the height at x of the line through v and w. The two wings traverse the line in opposite directions;
 * `forward` states which end is first, so that both wings compute bitwise the same height. */
SCREE_FN real height_at(xy v, xy w, real x, bool forward)
{
	real vx = forward ? v.x : w.x, vy = forward ? v.y : w.y, wx = forward ? w.x : v.x, wy = forward ? w.y : v.y;
	return vy + (wy - vy) * ((x - vx) / (wx - vx));
}

/* The next section outwards, between corners v0, v1 of the reference body and w0, w1 of the other. mine: whether it is
 * at v1 rather than w1; crossed: whether the borders cross before it */
SCREE_FN section next_section(section from, xy v0, xy v1, xy w0, xy w1, bool forward, bool *mine, bool *crossed)
{
	bool m = v1.x <= w1.x;
	xy p0 = {m ? w0.x : v0.x, m ? w0.y : v0.y}, p1 = {m ? w1.x : v1.x, m ? w1.y : v1.y};
	real x = m ? v1.x : w1.x, y = height_at(p0, p1, x, forward), top = m ? v1.y : y, low = m ? y : w1.y;
	real d0 = from.top - from.low, d1 = top - low;
	bool c = !(d1 > 0);
	real t = d0 / (d0 - d1), h = from.top + t * (top - from.top);
	*mine = m;
	*crossed = c;
	return (section){c ? from.x + t * (x - from.x) : x, c ? h : top, c ? h : low};
}

/* An edge of one polygon and the other polygon's corner below it, as stored in the hint of a contact. */
typedef struct patch_features {
	int32_t edge, corner; /* edge < 0 if the hint stores something else */
	bool of_b;			  /* the edge belongs to b */
} patch_features;

SCREE_FN patch_features patch_features_of(int32_t hint, int32_t corners_a, int32_t corners_b)
{
	uint32_t h = (uint32_t)hint - 1U;
	int32_t fa = (int32_t)(h % (2 * POLYGON_CORNERS)), fb = (int32_t)(h / (2 * POLYGON_CORNERS));
	bool of_b = fb & 1, none = !((fa ^ fb) & 1) || fa >= 2 * corners_a || fb >= 2 * corners_b;
	return (patch_features){none ? -1 : (of_b ? fb : fa) >> 1, (of_b ? fa : fb) >> 1, of_b};
}

enum {
	TRACKED_PAIRS = 16,
	TRACKED_MIDDLE = 3, /* index of the middle point, with a wing of at most three points on each side */
	TRACKED_POINTS = 7,
	/* corners e-2 .. e+2 around the reference edge e, and c-2 .. c+2 around the other polygon's lowest corner c */
	AROUND = 5
};

typedef struct polygon_pose {
	const flat_polygon *shape; /* NULL: no polygon */
	real x, y, c, s, size;	   /* c, s: cosine and sine of the body's angle */
	real radius, inradius;	   /* m */
} polygon_pose;
_Static_assert(sizeof(polygon_pose) == 64, "one cache line");

/* Pair i is element i of each array. */
typedef real pair_reals[TRACKED_PAIRS];
typedef struct pair_corners {
	pair_reals x, y, tx, ty; /* corners, as flat_corner */
} pair_corners;
typedef struct polygon_patches {
	int32_t count;
	int64_t row[TRACKED_PAIRS]; /* index chosen by the caller */
	/* inputs. e: the polygon with the reference edge; o: the other polygon; both have unit size and are not rotated */
	pair_reals from_b; /* 1 if the reference edge belongs to b, otherwise 0 */
	pair_reals ex, ey, ec, es, e_size, ox, oy, oc, os, o_size;
	pair_reals scale, inner; /* sums of the circumradii and of the inradii */
	const flat_corner *around_e[AROUND][TRACKED_PAIRS], *around_c[AROUND][TRACKED_PAIRS];
	pair_corners e[AROUND], o[AROUND]; /* corners of e and o around the features */
	/* outputs, as in a patch (kernel/patch.h) */
	pair_reals holds;				 /* 1 if the outputs form the patch; 0 if scree_polygon_patch must be called */
	pair_reals nx, ny, depth;		 /* the normal and the largest overlap */
	pair_reals deepest_x, deepest_y; /* the first of the deepest points */
	pair_reals left, right;			 /* number of points in each wing: 0 .. 3 */
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

/* Adds a pair, with b displaced by x and y, if count < TRACKED_PAIRS. The caller sets count to 0 at first and after
 * each block. Returns false if the hint (see scree_polygon_patch) has no edge and corner. row: the caller's number */
bool scree_polygon_patches_add(polygon_patches *p, int64_t row, const polygon_pose *a, const polygon_pose *b, real x,
							   real y, int32_t hint);
/* If `holds`, a pair's patch is bitwise the result of scree_polygon_patch, and the pair's hint is unchanged. */
void scree_polygon_patches(polygon_patches *p);

#endif
