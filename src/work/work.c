/* work: memory for derived data, sums of threads, and functions of stages that wait for combined numbers. */
#include "work/work.h"

#include "base/memory.h"
#include "base/parallel.h"
#include "model/model.h"
#include "state/state.h"

#include <string.h>

void scree_sum_rows_room(sum_rows *r, int64_t bodies, int64_t wides, int64_t walls)
{
	if (r->bodies < bodies) {
		SCREE_FREE_ALL(r->body, r->touched);
		r->bodies = bodies + bodies / 4;
		r->body = scree_alloc((size_t)r->bodies, sizeof *r->body);
		r->touched = scree_alloc((size_t)r->bodies / SUMS_BLOCK + 1, 1);
	}
	if (r->wides < wides) {
		scree_free(r->wide);
		r->wides = wides + wides / 4;
		r->wide = scree_alloc((size_t)r->wides, sizeof *r->wide);
	}
	if (r->walls < walls) {
		scree_free(r->wall);
		r->walls = walls;
		r->wall = scree_alloc((size_t)r->walls, sizeof *r->wall);
	}
}

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
		const contact_points *p = &w->thread[t].points;
		SCREE_FREE_ALL(p->x, p->y, p->z, p->depth, p->weight, p->pitch);
		const sum_rows *r = &w->thread[t].rows;
		SCREE_FREE_ALL(r->body, r->touched, r->wide, r->wall, w->thread[t].heat.body);
	}
	scree_free(w->thread);
}

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
