/* work: allocates the memory of the narrow phase. */
#include "narrow/work.h"

#include "base/memory.h"
#include "narrow/narrow.h"
#include "narrow/stage.h"
#include "narrow/solid/overlap.h"
#include "narrow/surface/surface.h"
#include "narrow/wall/work.h"
#include "work/work.h"

#include <string.h>

struct narrow_work *scree_narrow_work_new(void) { return scree_alloc(1, sizeof(struct narrow_work)); }

void scree_touch_list_free(touch_list *t)
{
	wall_scratch *w = t->scratch;
	if (w) {
		SCREE_FREE_ALL(w->depth, w->lump, w->normal, w->node, w->poly[0], w->poly[1], w->room, w->ring, w->span,
					   w->piece, w->border, w->facet, w->edge, w->round.near, w->round.point, w->extent);
		scree_wall_fold_free(w->fold);
		if (w->joint) scree_overlap_room_free(w->joint);
		SCREE_FREE_ALL(w->joint, w);
	}
	SCREE_FREE_ALL(t->item, t->at, t->deep, t->weight);
	memset(t, 0, sizeof *t);
}

static void free_thread(narrow_thread *t)
{
	scree_touch_list_free(&t->touch);
	scree_touch_list_free(&t->probe);
	scree_facet_list_free(&t->near);
	SCREE_FREE_ALL(t->several.item, t->several.of, t->several.kept, t->several.copy);
	scree_patch_list_free(&t->several.patches);
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
		if (!n->again) n->thread[t].to->points.count = 0;
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
