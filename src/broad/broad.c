/* broad: runs a search with any broad phase in the table, and handles lists of pairs. */
#include "broad/broad.h"

#include "base/memory.h"
#include "broad/phases.h"
#include "broad/work.h"
#include "broad/stage.h"

#include <string.h>

bool scree_brute_find(broad_search *s, const box_list *boxes, SCREE_UNUSED bool all, box_pairs *out)
{
	out->count = 0;
	s->count.comparisons += (int64_t)boxes->count * (boxes->count - 1) / 2;
	for (int32_t a = 0; a < boxes->count; ++a)
		for (int32_t b = a + 1; b < boxes->count; ++b)
			if (boxes_meet(boxes, a, b)) scree_box_pairs_add(out, a, b);
	return true;
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
	p->pair = scree_room(p->pair, p->count, &p->capacity, sizeof *p->pair);
	p->pair[p->count][0] = a;
	p->pair[p->count++][1] = b;
}

void scree_box_pairs_free(box_pairs *p)
{
	scree_free(p->pair);
	memset(p, 0, sizeof *p);
}

struct broad_work *scree_broad_work_new(void) { return scree_alloc(1, sizeof(struct broad_work)); }

void scree_broad_work_free(struct broad_work *w)
{
	if (!w) return;
	scree_broad_search_free(&w->search);
	for (int32_t t = 0; t < w->threads; ++t) SCREE_FREE_ALL(w->thread[t].was, w->thread[t].of, w->thread[t].copy);
	SCREE_FREE_ALL(w->thread, w);
}

broad_search *scree_work_search(const work *w) { return &w->broad->search; }
