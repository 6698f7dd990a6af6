/* narrow: the table of narrow phases for polyhedra. */
#include "narrow/narrow.h"

#include "base/memory.h"
#include "narrow/flat/flat.h"
#include "narrow/solid/known_cuts.h"
#include "narrow/touch_list.h"

#include <string.h>

static const char *robust_refuses(const walls *s, int32_t wall)
{
	if (s->row[wall].internal) return "class: internal skips tests of edges that this narrow phase always makes";
	return NULL;
}

static const narrow table[] = {
	{"separating-plane", "the axis of least penetration, patches of points; continuous", scree_convex_convex,
	 scree_convex_wall, robust_refuses, OVERLAP_DEPTH, 0, false, false, false, false, NULL, scree_convex_kept, NULL},
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
const choices scree_narrows = {sizeof *table, {table, sizeof table / sizeof *table}, &scree_paper_narrows};

const narrow *scree_narrow_guest;

const narrow *scree_narrow_find(const char *name)
{
	if (scree_narrow_guest && !strcmp(scree_narrow_guest->name, name)) return scree_narrow_guest;
	return scree_choice_find(&scree_narrows, name);
}

patch *scree_patch_list_add(patch_list *l, uint64_t feature)
{
	int32_t had = l->capacity;
	l->item = scree_wall_room(l->item, l->count, &had, sizeof *l->item);
	l->feature = scree_wall_room(l->feature, l->count, &l->capacity, sizeof *l->feature);
	l->feature[l->count] = feature;
	return l->item + l->count++;
}

void scree_patch_list_free(patch_list *l)
{
	SCREE_FREE_ALL(l->item, l->feature);
	*l = (patch_list){0};
}
