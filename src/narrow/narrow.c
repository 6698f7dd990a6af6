/* narrow: the table of narrow phases for polyhedra. */
#include "narrow/narrow.h"

#include "base/memory.h"
#include "narrow/flat/flat.h"
#include "narrow/solid/known_cuts.h"
#include "narrow/touch_list.h"
#include "narrow/work.h"
#include "narrow/stage.h"

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

struct narrow_work *scree_narrow_work_new(void) { return scree_alloc(1, sizeof(struct narrow_work)); }

static void free_patches(patch_list *l)
{
	SCREE_FREE_ALL(l->item, l->feature);
	*l = (patch_list){0};
}

static void free_thread(narrow_thread *t)
{
	scree_touch_list_free(&t->touch);
	scree_touch_list_free(&t->probe);
	scree_facet_list_free(&t->near);
	SCREE_FREE_ALL(t->several.item, t->several.of, t->several.kept, t->several.copy);
	free_patches(&t->several.patches);
	scree_point_list_free(&t->several.points);
	scree_surface_scratch_free(&t->surface);
	scree_point_list_free(&t->ahead);
	scree_free(t->cuts);
}

void scree_narrow_work_free(struct narrow_work *w)
{
	if (!w) return;
	for (int32_t t = 0; t < w->threads; ++t) free_thread(w->thread + t);
	SCREE_FREE_ALL(w->thread, w->found.item, w->turn, w->pose, w);
}

void scree_narrow_threads(work *w)
{
	struct narrow_work *n = w->narrow;
	if (n->threads < w->threads) {
		n->thread = scree_grow(n->thread, (size_t)n->threads, (size_t)w->threads, sizeof *n->thread);
		n->threads = w->threads;
	}
	for (int32_t t = 0; t < n->threads; ++t) {
		n->thread[t].to = w->thread + t;
		n->thread[t].to->points.count = 0;
		n->thread[t].crossed.found = false;
	}
}

surface_counts scree_surfaces_counted(const work *w)
{
	surface_counts sum = {0};
	for (int32_t t = 0; t < w->narrow->threads; ++t) {
		const surface_counts *c = &w->narrow->thread[t].surface.counts;
		sum.boxes += c->boxes, sum.tree += c->tree, sum.surrogates += c->surrogates, sum.planes += c->planes;
		sum.slab += c->slab, sum.newton += c->newton;
		sum.brute += c->brute, sum.thorough += c->thorough, sum.uncertified += c->uncertified;
		sum.no_minima += c->no_minima, sum.duplicates += c->duplicates;
	}
	return sum;
}
