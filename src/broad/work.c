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
		scree_free(w->thread[t].was);
		scree_free(w->thread[t].of);
		scree_free(w->thread[t].copy);
	}
	scree_free(w->thread);
	scree_free(w);
}

broad_search *scree_work_search(const work *w) { return &w->broad->search; }
