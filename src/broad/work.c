#include "broad/work.h"

#include "base/memory.h"
#include "broad/broad.h"
#include "broad/stage.h"

struct broad_work *scree_broad_work_new(void) { return scree_alloc(1, sizeof(struct broad_work)); }

void scree_broad_work_free(struct broad_work *w)
{
	if (!w) return;
	scree_broad_search_free(&w->search);
	for (int32_t t = 0; t < w->threads; ++t) {
		SCREE_FREE_ALL(w->thread[t].was, w->thread[t].of, w->thread[t].copy);
	}
	SCREE_FREE_ALL(w->thread, w);
}

broad_search *scree_work_search(const work *w) { return &w->broad->search; }
