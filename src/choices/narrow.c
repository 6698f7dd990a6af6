/* narrow: the table of narrow phases for polyhedra and polygons. */
#include "choices/choices.h"
#include "narrow/flat/flat.h"
#include "narrow/narrow.h"
#include "narrow/solid/known_cuts.h"
#include "papers/rows.h"

#include <string.h>

static const narrow table[] = {
	{"separating-plane", "the axis of least penetration, patches of points; continuous", scree_convex_convex,
	 scree_convex_wall, scree_convex_refuses, OVERLAP_DEPTH, 0, false, false, false, false, NULL, scree_convex_kept,
	 NULL},
	{"overlap-volume", "common volume of two bodies and its gradient, for the law volume; conserves energy",
	 scree_overlap_convex_convex, scree_overlap_convex_wall, scree_overlap_refuses, OVERLAP_VOLUME, OVERLAP_FACES,
	 false, false, false, false, scree_overlap_known, NULL, NULL},
	{"overlap-area", "common area of two bodies in the plane and its gradient, for laws of areas", scree_flat_area,
	 scree_flat_area_wall, scree_flat_refuses, OVERLAP_VOLUME, 0, true, false, false, false, NULL, NULL, NULL},
	{"closest-features", "in the plane: by depth, for all other laws; closest features of polygons", scree_flat_depth,
	 scree_flat_depth_wall, scree_flat_refuses, OVERLAP_DEPTH, 0, true, false, true, false, NULL, NULL, NULL},
	{"overlap-thickness", "volume and thickness of the overlap of polyhedra, for the law overlap; conserves energy",
	 scree_thickness_convex_convex, scree_thickness_convex_wall, scree_thickness_refuses, OVERLAP_THICKNESS,
	 OVERLAP_FACES, false, false, false, true, scree_thickness_known, NULL, NULL},
	{"overlap-thickness/plane", "in the plane: thickness of the overlap, for the law overlap; conserves energy",
	 scree_flat_thickness, scree_flat_thickness_wall, scree_flat_refuses, OVERLAP_THICKNESS, 0, true, false, false,
	 false, NULL, NULL, NULL},
};
const choices scree_narrows = {sizeof *table, ROWS_OF(table), &scree_paper_narrows};

const narrow *scree_narrow_guest;

const narrow *scree_narrow_find(const char *name)
{
	if (scree_narrow_guest && !strcmp(scree_narrow_guest->name, name)) return scree_narrow_guest;
	return scree_choice_find(&scree_narrows, name);
}
