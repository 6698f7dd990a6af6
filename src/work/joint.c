/* joint: the parts of stages that wait for the numbers of all parts of the world. */
#include "base/fail.h"
#include "model/model.h"
#include "state/state.h"
#include "work/work.h"

void scree_after_join(work *w, after_join_fn *use)
{
	SCREE_ASSERT(w->after.count < MOST_AFTER_JOIN);
	w->after.of[w->after.count++] = use;
}

void scree_join(const model *m, state *s, work *w)
{
	const after_join after = w->after;
	w->after.count = 0;
	scree_domain_join(&w->domain);
	for (int32_t k = 0; k < after.count; ++k) after.of[k](m, s, w);
}
