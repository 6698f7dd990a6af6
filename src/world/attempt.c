/* attempt: runs work on a world; the work may be aborted (base/fail.h). */
#include "world/world.h"

#include "base/fail.h"

bool scree_world_attempt(scree_world *w, attempt_fn *work, void *what, fail *why)
{
	memory_list *outer = scree_memory_now();
	if (!w->broken) {
		scree_memory_into(outer ? outer : &w->memory);
		w->broken = !scree_attempt(work, what, &w->work.why);
		scree_memory_into(outer);
		if (w->broken && w->work.domain.by->break_off) w->work.domain.by->break_off(w->work.domain.at, &w->work.why);
	}
	if (w->broken && why != &w->work.why) *why = w->work.why;
	return !w->broken;
}
