/* pairs_to_contacts: finds rows of pairs that touch, with normals, overlaps, and points.
 *
 * in   poses, contact rows               out  touching, normal, overlap, contact point; points of patches
 *
 * One function for each kind of pair computes a piece of the list. Contacts with walls are found for all surfaces of
 * one wall at once, so that seams between the surfaces can be removed. The energies of contacts that ended are added to
 * the ledger. Two spheres are not tested here: the law computes contacts of spheres with a single formula. */
#include "narrow/stage.h"

#include "base/memory.h"
#include "base/parallel.h"
#include "narrow/polygon/patch.h"
#include "narrow/work.h"
#include "narrow/touch_list.h"
#include "narrow/solid/known_cuts.h"

enum { GRAIN = 256 }; /* smallest number of slots that a thread processes at a time */

typedef struct stage {
	const model *m;
	state *s;
	work *w;
	int kind;
	bool again; /* only pieces that had too little room are processed again */
} stage;

/* ------------------------------------------------------------------ kinds of pairs */

static void sphere_convex(const model *m, state *s, work *w, pair_list *l, int32_t piece, int thread)
{
	narrow_thread *tmp = w->narrow->thread + thread;
	slot_cache *cache = &w->pair[PAIR_SPHERE_CONVEX].cache;
	contact_work *found = &w->pair[PAIR_SPHERE_CONVEX].contact;
	patch p;
	for (int64_t row = l->base[piece]; row < l->base[piece] + l->used[piece]; ++row) {
		int64_t k = l->slot[row];
		if (is_found(w->narrow, l, row)) continue;
		if (still_clear(l, cache, &s->body, k)) continue; /* the pair did not touch before either */
		placed b = placed_of(m, s, w, l->b[k], way_to(m, s, w, PAIR_SPHERE_CONVEX, k));
		scree_sphere_convex(v3(0, 0, 0), s->body.radius[l->a[k]], &b, cache->axis[k], &p);
		cache->axis[k] = p.axis;
		note_distance(l, cache, s, w, k, -p.depth);
		if (p.points)
			set_contact(l, found, row, p.normal, p.at[0], p.depth);
		else
			no_contact(m, s, l, row, tmp);
	}
}

/* Prefetches the data of partners a few rows ahead, since partners are scattered in memory. */
SCREE_FN void fetch_soon(const state *s, const work *w, const pair_list *l, int64_t row)
{
	const slot_cache *cache = &w->pair[PAIR_CONVEX_CONVEX].cache;
	int32_t j = l->cb[row];
	const char *turn = (const char *)(w->narrow->turn + j), *last = (const char *)(w->narrow->turn + j + 1) - 1;
	__builtin_prefetch(turn);
	__builtin_prefetch(last);
	__builtin_prefetch(w->record + j);
	__builtin_prefetch(s->body.size + j);
	__builtin_prefetch(s->body.way + j);
	if (cache->kept && cache->waited[l->slot[row]] == PAIR_IS_KEPT) __builtin_prefetch(cache->kept + l->slot[row]);
	if (!cache->form) return;
	const char *form = (const char *)(cache->form + l->slot[row]);
	for (size_t k = 0; k < sizeof *cache->form; k += 64) __builtin_prefetch(form + k);
}

static void placed_pair(const model *m, const state *s, const work *w, const pair_list *l, int64_t row, placed *a,
						placed *b)
{
	vec3 r = way_to(m, s, w, PAIR_CONVEX_CONVEX, l->slot[row]);
	*a = placed_of(m, s, w, l->ca[row], v3(0, 0, 0));
	*b = placed_of(m, s, w, l->cb[row], r);
}

static void take_patch(const model *m, state *s, work *w, pair_list *l, int64_t row, int thread, const patch *p)
{
	narrow_thread *tmp = w->narrow->thread + thread;
	slot_cache *cache = &w->pair[PAIR_CONVEX_CONVEX].cache;
	contact_work *found = &w->pair[PAIR_CONVEX_CONVEX].contact;
	int64_t k = l->slot[row];
	cache->axis[k] = p->axis;
	note_distance(l, cache, s, w, k, -p->depth);
	if (!p->points) {
		no_contact(m, s, l, row, tmp);
		return;
	}
	set_contact(l, found, row, p->normal, deepest(p->points, p->at, p->deep), p->depth);
	set_points(found, row, &tmp->to->points, thread, p->points, p->at, p->deep, p->weight, p->pitch, p->arm,
			   gives_hold(m) ? &p->hold : NULL);
}

SCREE_FN overlap_form *form_of(const slot_cache *c, int64_t slot) { return c->form ? c->form + slot : NULL; }

/* p: working memory, in which counts of features also accumulate */
static void one_pair(const model *m, state *s, work *w, pair_list *l, int64_t row, int thread, patch *p)
{
	slot_cache *cache = &w->pair[PAIR_CONVEX_CONVEX].cache;
	int64_t k = l->slot[row];
	placed a, b;
	placed_pair(m, s, w, l, row, &a, &b);
	if (m->narrow->known)
		m->narrow->known(&a, &b, cache->axis[k], w->narrow->thread[thread].cuts, form_of(cache, k), p);
	else if (m->narrow->kept && cache->kept)
		m->narrow->kept(&a, &b, cache->axis[k], cache->waited + k, cache->kept + k, p);
	else
		m->narrow->convex_convex(&a, &b, cache->axis[k], p);
	take_patch(m, s, w, l, row, thread, p);
}

SCREE_FN void fetch_cuts_soon(const known_cuts *cuts, const pair_list *l, const int32_t *axis, int64_t row, int64_t end,
							  int ahead)
{
	if (row + 2 * ahead < end) scree_known_form_soon(cuts, form_of_axis(axis[l->slot[row + 2 * ahead]]));
	if (row + ahead < end) scree_known_cuts_soon(cuts, form_of_axis(axis[l->slot[row + ahead]]));
}

static void convex_convex(const model *m, state *s, work *w, pair_list *l, int32_t piece, int thread, patch *p)
{
	enum { AHEAD = 3 };
	const known_cuts *cuts = w->narrow->thread[thread].cuts;
	const slot_cache *cache = &w->pair[PAIR_CONVEX_CONVEX].cache;
	for (int64_t row = l->base[piece], end = row + l->used[piece]; row < end; ++row) {
		if (row + AHEAD < end) fetch_soon(s, w, l, row + AHEAD);
		if (cuts) fetch_cuts_soon(cuts, l, cache->axis, row, end, AHEAD);
		if (!still_clear(l, cache, &s->body, l->slot[row])) one_pair(m, s, w, l, row, thread, p);
	}
}

/* The same in a further search of a step, apart, so that this loop does not slow down the first. */
static __attribute__((noinline)) void convex_again(const model *m, state *s, work *w, pair_list *l, int32_t piece,
												   int thread, patch *p)
{
	const slot_cache *cache = &w->pair[PAIR_CONVEX_CONVEX].cache;
	for (int64_t row = l->base[piece], end = row + l->used[piece]; row < end; ++row) {
		if (l->touch[row] || still_clear(l, cache, &s->body, l->slot[row])) continue;
		one_pair(m, s, w, l, row, thread, p);
	}
}

/* ------------------------------------------------------------------ overlaps of polyhedra, in batches */

static void look_at_overlaps(const model *m, state *s, work *w, pair_list *l, int thread, overlap_pairs *batch,
							 patch *p)
{
	scree_overlap_pairs(batch);
	for (int32_t i = 0; i < batch->count; ++i) {
		if (scree_overlap_pairs_get(batch, i, p))
			take_patch(m, s, w, l, batch->row[i], thread, p);
		else
			one_pair(m, s, w, l, batch->row[i], thread, p);
	}
	batch->count = 0;
}

static void solid_solid(const model *m, state *s, work *w, pair_list *l, int32_t piece, int thread, patch *p)
{
	enum { AHEAD = 3 };
	known_cuts *cuts = w->narrow->thread[thread].cuts;
	const slot_cache *cache = &w->pair[PAIR_CONVEX_CONVEX].cache;
	overlap_pairs batch = {0}; /* unused entries are also computed, so they must hold valid numbers */
	for (int64_t row = l->base[piece], end = row + l->used[piece]; row < end; ++row) {
		if (row + AHEAD < end) fetch_soon(s, w, l, row + AHEAD);
		fetch_cuts_soon(cuts, l, cache->axis, row, end, AHEAD);
		if (is_found(w->narrow, l, row) || still_clear(l, cache, &s->body, l->slot[row])) continue;
		placed a, b;
		placed_pair(m, s, w, l, row, &a, &b);
		const int32_t k = l->slot[row];
		if (!scree_overlap_pairs_add(&batch, row, &a, &b, cache->axis[k], cuts, form_of(cache, k), p))
			take_patch(m, s, w, l, row, thread, p);
		if (batch.count == PAIRS_AT_ONCE) look_at_overlaps(m, s, w, l, thread, &batch, p);
	}
	if (batch.count > 0) look_at_overlaps(m, s, w, l, thread, &batch, p);
}

/* ------------------------------------------------------------------ patches of polygons, in batches */

SCREE_FN void take_tracked(pair_list *l, pair_work *o, contact_points *to, int thread, const polygon_patches *p,
						   int32_t i)
{
	int64_t row = p->row[i];
	int32_t first = TRACKED_MIDDLE - (int32_t)p->left[i], last = TRACKED_MIDDLE + (int32_t)p->right[i];
	o->cache.clear[l->slot[row]] = 0;
	set_contact(l, &o->contact, row, v3(p->nx[i], p->ny[i], 0), v3(p->deepest_x[i], p->deepest_y[i], 0), p->depth[i]);
	begin_points(&o->contact, row, to, thread, last + 1 - first, 0);
	for (int32_t n = first; n <= last; ++n)
		add_point(to, v3(p->x[n][i], p->y[n][i], 0), p->deep[n][i], p->weight[n][i], 0);
}

static void look_at_tracked(const model *m, state *s, work *w, pair_list *l, int thread, polygon_patches *batch,
							patch *p)
{
	contact_points *points = &w->thread[thread].points;
	scree_polygon_patches(batch);
	room_for_points(points, batch->count * TRACKED_POINTS);
	pair_list rows = *l; /* local copies, because fields read through pointers would be reloaded after each store */
	contact_points to = *points;
	pair_work found = w->pair[PAIR_CONVEX_CONVEX];
	int32_t held = 0;
	for (int32_t i = 0; i < batch->count; ++i) {
		if (!(batch->holds[i] > 0)) continue;
		take_tracked(&rows, &found, &to, thread, batch, i);
		++held;
	}
	points->count = to.count;
	features_held(&p->features, held);
	for (int32_t i = 0; i < batch->count; ++i)
		if (!(batch->holds[i] > 0)) one_pair(m, s, w, l, batch->row[i], thread, p);
	batch->count = 0;
}

static void polygon_polygon(const model *m, state *s, work *w, pair_list *l, int32_t piece, int thread, patch *p)
{
	enum { AHEAD = 3 };
	const vec3 none = {-0.0, -0.0, 0}; /* adding -0.0 to any number leaves it bitwise unchanged */
	const slot_cache *cache = &w->pair[PAIR_CONVEX_CONVEX].cache;
	polygon_patches batch;
	batch.count = 0;
	for (int64_t row = l->base[piece], end = row + l->used[piece]; row < end; ++row) {
		int64_t k = l->slot[row];
		if (row + AHEAD < end) __builtin_prefetch(w->narrow->pose + l->cb[row + AHEAD]);
		if (is_found(w->narrow, l, row) || still_clear(l, cache, &s->body, k)) continue;
		const polygon_pose *a = w->narrow->pose + l->ca[row], *b = w->narrow->pose + l->cb[row];
		vec3 shift = m->period.on ? s->images.shift[scree_world_image(m, s, PAIR_CONVEX_CONVEX, k)] : none;
		if (!scree_polygon_patches_add(&batch, row, a, b, shift.x, shift.y, cache->axis[k]))
			one_pair(m, s, w, l, row, thread, p);
		if (batch.count == TRACKED_PAIRS) look_at_tracked(m, s, w, l, thread, &batch, p);
	}
	look_at_tracked(m, s, w, l, thread, &batch, p);
}

static void body_body(const model *m, state *s, work *w, pair_list *l, int32_t piece, int thread)
{
	patch p;
	p.pitch = p.arm = 0;
	p.features = (feature_counts){0};
	narrow_thread *tmp = w->narrow->thread + thread;
	if (m->narrow->known && !tmp->cuts) tmp->cuts = scree_known_cuts();
	if (m->narrow->patches)
		polygon_polygon(m, s, w, l, piece, thread, &p);
	else if (m->narrow->overlaps)
		solid_solid(m, s, w, l, piece, thread, &p);
	else
		(w->narrow->again ? convex_again : convex_convex)(m, s, w, l, piece, thread, &p);
	features_move(&w->narrow->thread[thread].features, &p.features);
}

/* Converts a contact from the wall's frame to the world's frame and stores it in a row. */
static void take_touch(pair_list *l, contact_work *c, int64_t row, int thread, const mat3 *turn, narrow_thread *tmp,
					   const touch *t, bool patches, bool holds)
{
	touch_list *list = &tmp->touch;
	vec3 *at = list->at + t->first;
	for (int32_t i = 0; i < t->points; ++i) at[i] = mat3_mul(*turn, at[i]);
	set_contact(l, c, row, mat3_mul(*turn, t->normal), deepest(t->points, at, list->deep + t->first), t->depth);
	if (!patches) return;
	if (c->part) c->part[row] = t->part;
	vec3 hold = mat3_mul(*turn, t->hold);
	set_points(c, row, &tmp->to->points, thread, t->points, at, list->deep + t->first, list->weight + t->first,
			   t->pitch, t->arm, holds ? &hold : NULL);
}

enum { TURNS_KEPT = 8 };
typedef struct wall_turns {
	int32_t of[TURNS_KEPT];
	mat3 turn[TURNS_KEPT];
} wall_turns;

static mat3 turn_of_wall(wall_turns *kept, const wall_state *all, int32_t wall)
{
	const int32_t k = wall % TURNS_KEPT;
	if (kept->of[k] != wall) {
		kept->of[k] = wall;
		kept->turn[k] = quat_matrix(all[wall].orientation);
	}
	return kept->turn[k];
}

/* Distance in m at which contacts between a ball and walls are found. At predicted poses a bridge may exceed the
 * present maximum. */
static real reach_to_walls(const model *m, const work *w, int32_t body)
{
	if (!m->implicit) return w->skin.clings;
	const real ahead = w->ahead.most[body];
	return w->skin.bridges > 0 ? w->skin.clings + ahead : real_max(w->skin.clings, ahead);
}

/* Finds all contacts between one body and one wall; the contacts and their rows are in ascending order of surfaces. */
static void wall_contacts(const model *m, state *s, work *w, const wall_groups *near, const wall_group *g, pair_list *l,
						  bool patches, mat3 turn, int thread)
{
	narrow_thread *tmp = w->narrow->thread + thread;
	touch_list *list = &tmp->touch;
	contact_work *found = &w->pair[l - s->pair].contact;
	const near_wall to = wall_near(m, near, g);
	if (patches) {
		placed p = placed_at_wall(m, s, w, g, turn);
		m->narrow->convex_wall(&p, &to, list);
	} else {
		/* a cohesive contact persists after the surfaces part, and a ball at a predicted pose may move farther; a
		 * larger sphere covers both cases */
		const real reach = reach_to_walls(m, w, g->body);
		vec3 at = mat3_tmul(turn, v3_sub(body_position(&s->body, g->body), s->wall[g->wall].position));
		scree_sphere_wall(at, s->body.radius[g->body] + reach, &to, list);
		if (reach > 0) scree_touches_shrink(list, reach);
	}
	int32_t next = 0;
	for (int64_t k = g->slot; k < g->slot + g->slots; ++k) {
		const touch *t = next < list->count && list->item[next].surface == l->b[k] ? list->item + next++ : NULL;
		/* a contact that existed before may be cohesive, so the law decides whether it continues */
		if (t && (t->depth > 0 || l->touch[l->row[k]] || m->implicit))
			take_touch(l, found, l->row[k], thread, &turn, tmp, t, patches, gives_hold(m));
		else
			no_contact(m, s, l, l->row[k], tmp);
	}
	SCREE_ASSERT(next == list->count); /* otherwise contacts with surfaces that are not candidates would be lost */
}

static bool all_found(const struct narrow_work *w, const pair_list *l, const wall_group *g)
{
	bool all = w->again;
	for (int64_t k = g->slot; all && k < g->slot + g->slots; ++k) all = l->touch[l->row[k]];
	return all;
}

static void body_wall(const model *m, state *s, work *w, pair_list *l, int32_t piece, int thread)
{
	ptrdiff_t kind = l - s->pair;
	bool patches = scree_pair_kinds[kind].patch;
	const wall_groups *g = w->near + kind;
	wall_turns kept;
	memset(kept.of, -1, sizeof kept.of);
	for (int64_t k = g->piece[piece]; k < g->piece[piece + 1]; ++k) {
		const wall_group *o = g->group + k;
		if (l->row[o->slot] < 0) continue; /* the body is in free flight */
		if (all_found(w->narrow, l, o)) continue;
		wall_contacts(m, s, w, g, o, l, patches, turn_of_wall(&kept, s->wall, o->wall), thread);
	}
}

/* ------------------------------------------------------------------ the stage */

typedef void piece_fn(const model *m, state *s, work *w, pair_list *l, int32_t piece, int thread);
static piece_fn *const kinds[PAIR_KINDS] = {[PAIR_SPHERE_CONVEX] = sphere_convex,
											[PAIR_CONVEX_CONVEX] = body_body,
											[PAIR_SPHERE_WALL] = body_wall,
											[PAIR_CONVEX_WALL] = body_wall};

/* Reprocesses a piece whose surfaces were already counted. */
static void look_again(const model *m, state *s, work *w, int kind, int32_t piece, int thread)
{
	const surface_counts counted = w->narrow->thread[thread].surface.counts;
	scree_several_contacts(m, s, w, kind, piece, thread);
	w->narrow->thread[thread].surface.counts = counted;
}

static void run_pieces(void *what, int64_t from, int64_t to, int thread)
{
	stage *s = what;
	pair_list *l = s->s->pair + s->kind;
	for (int64_t p = from; p < to; ++p) {
		if (!l->rows)
			kinds[s->kind](s->m, s->s, s->w, l, (int32_t)p, thread);
		else if (!s->again)
			scree_several_contacts(s->m, s->s, s->w, s->kind, (int32_t)p, thread);
		else if (l->wants[p])
			look_again(s->m, s->s, s->w, s->kind, (int32_t)p, thread);
	}
}

/* Allocates the rows that the pieces need; returns whether any piece had too few. */
static bool widen(pair_list *l, contact_work *c)
{
	bool little = false;
	for (int32_t p = 0; l->rows && p < l->pieces; ++p) little |= l->wants[p] > 0;
	if (little) scree_contacts_widen(c, l, l->wants);
	return little;
}

/* Tests whether all bodies are balls, in 3D; contacts then do not depend on orientations. */
static bool only_balls(const model *m)
{
	for (int32_t k = 0; k < m->shape.count; ++k)
		if (m->shape.row[k].type != SHAPE_SPHERE) return false;
	return !m->flat;
}

static void make_turns(void *what, int64_t from, int64_t to, SCREE_UNUSED int thread)
{
	const kind_job *j = what;
	const bodies *b = &j->s->body;
	for (int64_t i = from; i < to; ++i)
		if (j->m->flat || j->m->shape.row[b->shape[i]].type != SHAPE_SPHERE)
			j->w->narrow->turn[i] = quat_matrix(body_orientation(b, (int32_t)i));
}

static void make_poses(void *what, int64_t from, int64_t to, SCREE_UNUSED int thread)
{
	const kind_job *j = what;
	for (int64_t i = from; i < to; ++i) {
		placed p = placed_of(j->m, j->s, j->w, (int32_t)i, j->w->record[i].position);
		j->w->narrow->pose[i] = polygon_pose_of(&p);
	}
}

static bool may_have_forms(const model *m)
{
	int32_t most = 0;
	for (int32_t k = 0; m->narrow->known && k < m->shape.count; ++k)
		if (m->shape.row[k].type == SHAPE_CONVEX && m->shape.row[k].faces > most) most = m->shape.row[k].faces;
	return 2 * most >= FORM_LEAST_FACES;
}

static void prepare(const model *m, state *s, work *w, bool balls)
{
	if (!balls && (w->narrow->turns < s->body.count || (w->narrow->pose != NULL) != m->narrow->patches)) {
		SCREE_FREE_ALL(w->narrow->turn, w->narrow->pose);
		w->narrow->turns = s->body.capacity;
		w->narrow->pose = m->narrow->patches ? scree_alloc((size_t)w->narrow->turns, sizeof *w->narrow->pose) : NULL;
		w->narrow->turn = m->narrow->patches ? NULL : scree_alloc((size_t)w->narrow->turns, sizeof *w->narrow->turn);
	}
	scree_narrow_threads(w);
	if (m->narrow->kept && !m->solver && !s->pair[PAIR_CONVEX_CONVEX].rows)
		scree_slot_cache_keep(&w->pair[PAIR_CONVEX_CONVEX].cache);
	if (!w->pair[PAIR_CONVEX_CONVEX].cache.form && may_have_forms(m))
		scree_slot_cache_forms(&w->pair[PAIR_CONVEX_CONVEX].cache);
}

/* again: contacts found before are skipped, and pairs that may have several contacts, because their rows would move */
static void find_contacts(const model *m, state *s, work *w, bool again)
{
	const bool balls = only_balls(m);
	w->narrow->again = again;
	prepare(m, s, w, balls);
	kind_job turning = {.m = m, .s = s, .w = w};
	if (!balls) scree_parallel(w->narrow->pose ? make_poses : make_turns, &turning, s->body.count, 4096);
	stage job = {.m = m, .s = s, .w = w};
	for (job.kind = 0; job.kind < PAIR_KINDS; ++job.kind) {
		const pair_list *l = s->pair + job.kind;
		if (scree_pair_kinds[job.kind].formula || (again && l->rows)) continue;
		const int64_t grain = l->rows ? scree_sharing_grain(m->share, l->pieces, 2) : scree_pair_list_grain(l, GRAIN);
		scree_share_pairs(m, s, w, job.kind);
		job.again = false;
		scree_parallel(run_pieces, &job, l->pieces, grain);
		for (job.again = true; widen(s->pair + job.kind, &w->pair[job.kind].contact);)
			scree_parallel(run_pieces, &job, l->pieces, grain);
		scree_clock_lap(&w->clock, pair_on_wall(job.kind) ? CLOCK_WALLS : CLOCK_NARROW);
	}
	w->crossed = (crossing){.found = false};
	for (int t = 0; t < w->narrow->threads; ++t) {
		if (crossing_before(&s->body, &w->narrow->thread[t].crossed, &w->crossed))
			w->crossed = w->narrow->thread[t].crossed;
		features_move(&w->features, &w->narrow->thread[t].features);
		features_move(&w->wall_features, &w->narrow->thread[t].touch.features);
	}
}

void scree_pairs_to_contacts(const model *m, state *s, work *w) { find_contacts(m, s, w, false); }

void scree_pairs_to_contacts_again(const model *m, state *s, work *w) { find_contacts(m, s, w, true); }
