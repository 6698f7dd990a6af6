#include "base/memory.h"
#include "base/parallel.h"
#include "work/work.h"

#include <string.h>

void scree_threads_room(work *w)
{
	if (w->threads >= scree_threads()) return;
	w->thread = scree_grow(w->thread, (size_t)w->threads, (size_t)scree_threads(), sizeof *w->thread);
	w->threads = scree_threads();
}

void scree_work_room(work *w, int32_t walls, int32_t sources)
{
	if (w->walls < walls) {
		w->wall = scree_grow(w->wall, (size_t)w->walls, (size_t)walls, sizeof *w->wall);
		w->load = scree_grow(w->load, WALL_SUMS * (size_t)w->walls, WALL_SUMS * (size_t)walls, sizeof *w->load);
		w->walls = walls;
	}
	if (w->sources < sources) {
		w->told = scree_grow(w->told, 2 * (size_t)w->sources, 2 * (size_t)sources, sizeof *w->told);
		w->sources = sources;
	}
}

void scree_threads_ended(work *w, ledger *to, energy_class *classes)
{
	for (int t = 0; t < w->threads; ++t) {
		ledger *e = &w->thread[t].ended;
		scree_fixed_join(&to->lost_normal, e->lost_normal);
		scree_fixed_join(&to->lost_friction, e->lost_friction);
		scree_fixed_join(&to->lost_rolling, e->lost_rolling);
		scree_fixed_join(&to->lost_method, e->lost_method);
		scree_fixed_join(&to->made, e->made);
		memset(e, 0, sizeof *e);
		energy_classes_move(classes, w->thread[t].classes);
	}
}

void scree_threads_free(work *w)
{
	for (int32_t t = 0; t < w->threads; ++t) {
		contact_points *p = &w->thread[t].points;
		real *array[] = {p->x, p->y, p->z, p->depth, p->weight, p->pitch};
		for (int a = 0; a < 6; ++a) scree_free(array[a]);
		scree_sum_rows_free(&w->thread[t].rows);
		scree_free(w->thread[t].heat.body);
	}
	scree_free(w->thread);
}
