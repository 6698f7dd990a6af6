/* sharing: finds contacts of surfaces with a halo, between two bodies or a body and a wall. A pair is processed with
 * its piece of the list, or before all pieces on one thread or on all threads. */
#include "narrow/work.h"

#include "narrow/compound.h"

#include <string.h>

int64_t scree_sharing_grain(const sharing *s, int64_t count, int64_t small)
{
	return s->even ? (count + scree_threads() - 1) / scree_threads() : small;
}

static points_ahead of_group(const model *m, const state *s, const work *w, int kind, int32_t k, narrow_thread *tmp,
							 point_list *out)
{
	const wall_group *g = w->near[kind].group + k;
	const placed body = placed_at_wall(m, s, w, g, quat_matrix(s->wall[g->wall].orientation));
	const placed_surface here = scree_surface_placed(&body, s->body.round[g->body]);
	const near_wall to = wall_near(m, w->near + kind, g);
	points_ahead f = {.first = out->count};
	scree_surface_wall(&here, &to, &tmp->surface, out, &f.crossed);
	return f;
}

static points_ahead of_slot(const model *m, const state *s, const work *w, int kind, int32_t k, narrow_thread *tmp,
							point_list *out)
{
	const pair_list *l = s->pair + kind;
	const placed a = placed_of(m, s, w, l->a[k], v3(0, 0, 0)),
				 b = placed_of(m, s, w, l->b[k], way_to(m, s, w, kind, k));
	const real ra = s->body.round[l->a[k]], rb = s->body.round[l->b[k]];
	points_ahead f = {.first = out->count};
	if (b.shape->type == SHAPE_SURFACE)
		f.apart = scree_points_of_surface(&a, &b, ra, rb, &tmp->surface, out, &f.crossed);
	else
		f.apart = scree_parts_points(&a, &b, ra, rb, reach_ahead(m, s, w, l->a[k], l->b[k]),
									 power_between(m, s->body.material[l->a[k]], s->body.material[l->b[k]]), out);
	return f;
}

static points_ahead find(const model *m, const state *s, const work *w, int kind, int32_t of, int thread,
						 point_list *out)
{
	w->narrow->thread[thread].surface.how = m->triangles;
	points_ahead f = (pair_on_wall(kind) ? of_group : of_slot)(m, s, w, kind, of, w->narrow->thread + thread, out);
	f.of = of, f.thread = thread, f.count = out->count - f.first;
	return f;
}

/* ------------------------------------------------------------------ pairs processed before their pieces */

static int32_t triangles_of(const model *m, const state *s, int32_t body)
{
	const shape *form = m->shape.row + s->body.shape[body];
	return form->type == SHAPE_CONVEX ? (form->skin ? form->skin->triangles : 0) : form->mesh.triangles;
}

static void expect(work *w, int32_t of, int64_t triangles_a, int64_t triangles_b)
{
	points_found *l = &w->narrow->found;
	l->item = scree_room(l->item, l->count, &l->capacity, sizeof *l->item);
	/* contacts are along lines, so the work grows with the square root of the number of triangle pairs */
	const real work = sqrt((real)triangles_a * (real)triangles_b);
	l->item[l->count++] = (points_ahead){.of = of, .work = work};
	l->work += work;
}

/* Work is divided if the pair is worth the synchronization (bench/sharing.c) and would keep one thread busy for at
 * least a quarter of the time that all threads need for the other pairs. */
bool scree_sharing_nested(real work, real total)
{
	const real least = 256;
	return work >= least && 4 * scree_threads() * work > total;
}

/* The calling thread chooses for all, since helpers may have a different number of threads. */
static void choose_shared(const model *m, points_found *l)
{
	for (int64_t k = 0; k < l->count; ++k)
		l->item[k].shared = m->share->joint && m->share->joint(l->item[k].work, l->work);
}

static void list_slots(const model *m, state *s, work *w, int kind)
{
	const pair_list *l = s->pair + kind;
	for (int32_t p = 0; p < l->pieces; ++p)
		for (int64_t row = l->base[p], end = row + l->used[p]; row < end; ++row) {
			const int32_t k = l->slot[row];
			if ((row > l->base[p] && k == l->slot[row - 1]) || still_clear(l, &w->pair[kind].cache, &s->body, k))
				continue;
			if (m->shape.row[s->body.shape[l->b[k]]].type != SHAPE_SURFACE) continue;
			expect(w, k, triangles_of(m, s, l->a[k]), triangles_of(m, s, l->b[k]));
		}
}

static void list_groups(const model *m, state *s, work *w, int kind)
{
	const wall_groups *g = w->near + kind;
	for (int64_t k = 0; k < g->count; ++k) {
		const wall_group *o = g->group + k;
		if (s->pair[kind].row[o->slot] < 0) continue; /* the body is in free flight */
		if (m->shape.row[s->body.shape[o->body]].type == SHAPE_SURFACE)
			expect(w, (int32_t)k, triangles_of(m, s, o->body), o->facets);
	}
}

static void find_ahead(const kind_job *j, points_ahead *f, int thread)
{
	const points_ahead was = *f;
	*f = find(j->m, j->s, j->w, j->kind, was.of, thread, &j->w->narrow->thread[thread].ahead);
	f->work = was.work, f->shared = was.shared;
}

static void find_some(void *what, int64_t from, int64_t to, int thread)
{
	const kind_job *j = what;
	for (points_ahead *f = j->w->narrow->found.item + from, *end = j->w->narrow->found.item + to; f < end; ++f)
		if (!f->shared) find_ahead(j, f, thread);
}

static void find_together(const kind_job *j)
{
	narrow_thread *own = j->w->narrow->thread;
	surface_team team = {.threads = scree_threads(), .even = j->m->share->even};
	for (int t = 0; t < team.threads; ++t) team.of[t] = &own[t].surface;
	own->surface.team = &team;
	for (points_ahead *f = j->w->narrow->found.item, *end = f + j->w->narrow->found.count; f < end; ++f)
		if (f->shared) find_ahead(j, f, 0);
	own->surface.team = NULL;
}

void scree_share_pairs(const model *m, state *s, work *w, int kind)
{
	w->narrow->found.count = 0, w->narrow->found.work = 0;
	if (!m->share->ahead || !scree_pair_kinds[kind].several || scree_pair_kinds[kind].patch) return;
	(pair_on_wall(kind) ? list_groups : list_slots)(m, s, w, kind);
	if (!w->narrow->found.count) return;
	choose_shared(m, &w->narrow->found);
	for (int t = 0; t < w->narrow->threads; ++t) w->narrow->thread[t].ahead.count = 0;
	kind_job j = {m, s, w, kind};
	scree_parallel(find_some, &j, w->narrow->found.count, scree_sharing_grain(m->share, w->narrow->found.count, 1));
	find_together(&j);
}

static const points_ahead *found_ahead(const points_found *l, int32_t of)
{
	int64_t low = 0, high = l->count;
	while (low < high) {
		int64_t mid = low + (high - low) / 2;
		if (l->item[mid].of < of)
			low = mid + 1;
		else
			high = mid;
	}
	return low < l->count && l->item[low].of == of ? l->item + low : NULL;
}

points_here scree_points_of(const model *m, state *s, work *w, int kind, int32_t of, int thread)
{
	const points_ahead *f = found_ahead(&w->narrow->found, of);
	const point_list *in = f ? &w->narrow->thread[f->thread].ahead : &w->narrow->thread[thread].several.points;
	points_ahead now;
	if (!f) {
		w->narrow->thread[thread].several.points.count = 0;
		now = find(m, s, w, kind, of, thread, &w->narrow->thread[thread].several.points);
		f = &now;
	}
	return (points_here){f->count ? in->item + f->first : NULL, f->count, f->apart, f->crossed};
}
