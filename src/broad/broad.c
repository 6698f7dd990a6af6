#include "broad/broad.h"

#include "base/memory.h"
#include "broad/phases.h"

#include <string.h>

const broad scree_broads[] = {
	{"grid", "boxes sorted into cells as large as the largest box; unbounded space", scree_grid_find, NULL, NULL,
	 false},
	{"sweep", "ends of boxes along each axis, kept sorted between searches (Schinner 1999)", scree_sweep_find,
	 scree_sweep_make, scree_sweep_forget, true},
	{"sweep/once", "ends of boxes, fully sorted in each search; start and fallback of sweep", scree_sort_sweep_find,
	 NULL, NULL, false},
	{"slots/x", "strips across x, each compared with itself and the next; slices in 3D", scree_slots_x_find, NULL, NULL,
	 false},
	{"slots/y", "strips across y, in the same way", scree_slots_y_find, NULL, NULL, false},
	{"slots/cells", "cells of x and y, each compared with itself and four others; columns in 3D",
	 scree_slots_cells_find, NULL, NULL, false},
	{"levels/regular", "vertices of many levels, each three times as dense as the one above", scree_levels_find,
	 scree_levels_regular, scree_levels_forget, false},
	{"levels/adaptive", "the same, kept and refined where bodies are small enough for it", scree_levels_find,
	 scree_levels_adaptive, scree_levels_forget, false},
	{"levels/reluctant", "the same, refined only where two bodies share a cell", scree_levels_find,
	 scree_levels_reluctant, scree_levels_forget, false},
	{"levels/regular/k2", "regular, each level twice as dense as the one above", scree_levels_find,
	 scree_levels_regular_k2, scree_levels_forget, false},
	{"levels/adaptive/k2", "adaptive, each level twice as dense as the one above", scree_levels_find,
	 scree_levels_adaptive_k2, scree_levels_forget, false},
	{"levels/reluctant/k2", "reluctant, each level twice as dense as the one above", scree_levels_find,
	 scree_levels_reluctant_k2, scree_levels_forget, false},
	{"brute", "all pairs (reference for testing)", scree_brute_find, NULL, NULL, false},
};
const int scree_broad_count = (int)(sizeof scree_broads / sizeof *scree_broads);

const broad *scree_broad_find(const char *name)
{
	for (int k = 0; k < scree_broad_count; ++k)
		if (!strcmp(scree_broads[k].name, name)) return scree_broads + k;
	return NULL;
}

bool scree_broad_search(broad_search *s, const broad *b, const box_list *boxes, bool all, box_pairs *out)
{
	if (s->by != b) {
		scree_broad_search_free(s);
		s->by = b;
		s->memory = b->make ? b->make() : NULL;
	}
	bool news = b->find(s, boxes, all, out);
	s->count.searches += 1;
	s->count.unchanged += news ? 0 : 1;
	s->news = news;
	return news;
}

void scree_broad_search_free(broad_search *s)
{
	if (s->memory) s->by->forget(s->memory);
	s->memory = NULL;
	s->by = NULL;
}

void scree_box_pairs_add(box_pairs *p, int32_t a, int32_t b)
{
	if (p->count == p->capacity) {
		int64_t capacity = p->capacity + p->capacity / 2 + 256;
		p->pair = scree_grow(p->pair, (size_t)p->count, (size_t)capacity, sizeof *p->pair);
		p->capacity = capacity;
	}
	p->pair[p->count][0] = a;
	p->pair[p->count++][1] = b;
}

void scree_box_pairs_free(box_pairs *p)
{
	scree_free(p->pair);
	memset(p, 0, sizeof *p);
}
