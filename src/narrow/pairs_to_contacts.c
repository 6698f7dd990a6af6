/* pairs_to_contacts: which pairs touch, with what normal, overlap and points.
 *
 * in   poses, slots of pairs            out  touching, normal, overlap, contact point; points of patches
 *
 * One function a kind of pair, called a piece. Spheres run in straight loops that vectorise; polyhedra one by one.
 * Contacts with walls are found for all surfaces of one wall together, so that seams between them can be filtered. What
 * contacts remember is moved along when the set of touching slots of a piece changes; contacts that ended leave their
 * energies to the ledger. */
#include "stages.h"

#include "base/memory.h"
#include "base/parallel.h"
#include "kernel/quat.h"
#include "narrow/narrow.h"

#include <string.h>

typedef struct stage {
	scree_world *w;
	int kind;
} stage;

/* ------------------------------------------------------------------ contacts of a piece */

/* The contacts of a piece while they are found, slot by slot in rising order. */
typedef struct found {
	pair_list *l;
	int32_t piece, count; /* count: so far */
	const int32_t *was;	  /* slots that touched in the step before */
	int32_t had;
	thread_scratch *tmp;
} found;

static found begin_piece(scree_world *w, pair_list *l, int32_t piece, int thread)
{
	thread_scratch *tmp = w->scratch + thread;
	found f = {.l = l, .piece = piece, .was = tmp->was, .had = l->used[piece], .tmp = tmp};
	memcpy(tmp->was, l->slot + l->piece[piece], (size_t)f.had * sizeof *tmp->was);
	return f;
}

static int64_t add_contact(found *f, int64_t slot)
{
	int64_t row = f->l->piece[f->piece] + f->count++;
	f->l->slot[row] = (int32_t)slot;
	return row;
}

/* histories to their new rows: of[r] is what row r was, or -1 */
static void move_histories(found *f, const int32_t *of)
{
	int64_t base = f->l->piece[f->piece];
	real *copy = f->tmp->copy;
	for (int k = 0; k < scree_history_table.count; ++k) {
		real *array = (real *)scree_field_array(f->l, scree_history_table.row + k) + base;
		memcpy(copy, array, (size_t)f->had * sizeof *copy);
		for (int32_t r = 0; r < f->count; ++r) array[r] = of[r] < 0 ? 0 : copy[of[r]];
	}
}

/* When the same slots touch as before, nothing is to be done: the usual case. */
static void end_piece(found *f, real dt)
{
	pair_list *l = f->l;
	int64_t base = l->piece[f->piece];
	l->used[f->piece] = f->count;
	if (f->count == f->had && !memcmp(f->was, l->slot + base, (size_t)f->had * sizeof *f->was)) return;
	int32_t *of = f->tmp->of, o = 0;
	for (int32_t r = 0; r <= f->count; ++r) {
		int32_t slot = r < f->count ? l->slot[base + r] : INT32_MAX;
		while (o < f->had && f->was[o] < slot) { /* touched, does not any more */
			scree_contact_end(&f->tmp->ended, l, base + o, dt);
			l->row[f->was[o++]] = -1;
		}
		if (r == f->count) break;
		of[r] = o < f->had && f->was[o] == slot ? o++ : -1;
	}
	move_histories(f, of);
	for (int32_t r = 0; r < f->count; ++r) {
		int64_t row = base + r;
		int32_t slot = l->slot[row];
		l->row[slot] = (int32_t)row;
		l->ca[row] = l->a[slot];
		l->cb[row] = l->b[slot];
	}
}

SCREE_FN void set_contact(pair_list *l, int64_t row, vec3 n, vec3 at, real depth)
{
	l->nx[row] = n.x;
	l->ny[row] = n.y;
	l->nz[row] = n.z;
	l->px[row] = at.x;
	l->py[row] = at.y;
	l->pz[row] = at.z;
	l->depth[row] = depth;
}

static void set_points(pair_list *l, int64_t row, thread_scratch *tmp, int thread, int32_t count, const vec3 *at,
					   const real *deep, const real *weight)
{
	contact_points *p = &tmp->points;
	if (p->count + count > p->capacity) {
		int64_t capacity = (p->count + count) * 3 / 2 + 1024;
		real **array[5] = {&p->x, &p->y, &p->z, &p->depth, &p->weight};
		for (int a = 0; a < 5; ++a) *array[a] = scree_grow(*array[a], (size_t)p->count, (size_t)capacity, sizeof(real));
		p->capacity = capacity;
	}
	l->points[row] = count;
	l->first[row] = (uint64_t)thread << 32 | (uint64_t)p->count;
	for (int32_t i = 0; i < count; ++i) {
		int64_t e = p->count++;
		p->x[e] = at[i].x;
		p->y[e] = at[i].y;
		p->z[e] = at[i].z;
		p->depth[e] = deep[i];
		p->weight[e] = weight[i];
	}
}

/* ------------------------------------------------------------------ kinds of pairs */

/* overlaps of all slots of the piece, > 0 where they touch */
static void sphere_overlaps(const bodies *b, const pair_list *l, int64_t from, int64_t to, real *overlap)
{
	const real *x = b->x, *y = b->y, *z = b->z, *r = b->radius;
	const int32_t *first = l->a, *second = l->b;
#pragma omp simd
	for (int64_t k = from; k < to; ++k) {
		int32_t i = first[k], j = second[k];
		real dx = x[i] - x[j], dy = y[i] - y[j], dz = z[i] - z[j];
		overlap[k - from] = r[i] + r[j] - sqrt(dx * dx + dy * dy + dz * dz);
	}
}

static void sphere_normals(const bodies *b, const pair_list *list, int64_t from, int64_t to)
{
	const real *x = b->x, *y = b->y, *z = b->z, *r = b->radius;
	const pair_list l = *list;
#pragma omp simd
	for (int64_t k = from; k < to; ++k) {
		int32_t i = l.ca[k], j = l.cb[k];
		real dx = x[i] - x[j], dy = y[i] - y[j], dz = z[i] - z[j];
		real d = sqrt(dx * dx + dy * dy + dz * dz);
		bool apart = d > 0;
		real inverse = 1 / (apart ? d : 1);
		real nx = dx * inverse, ny = dy * inverse, nz = apart ? dz * inverse : 1; /* same centre: any normal will do */
		real depth = r[i] + r[j] - d, arm = r[i] - depth / 2;
		l.nx[k] = nx;
		l.ny[k] = ny;
		l.nz[k] = nz;
		l.depth[k] = depth;
		l.px[k] = -arm * nx;
		l.py[k] = -arm * ny;
		l.pz[k] = -arm * nz;
	}
}

static void sphere_sphere(scree_world *w, pair_list *l, int32_t piece, int thread)
{
	found f = begin_piece(w, l, piece, thread);
	int64_t from = l->piece[piece], to = l->piece[piece + 1];
	sphere_overlaps(&w->body, l, from, to, f.tmp->copy);
	for (int64_t k = from; k < to; ++k) {
		/* written in any case, kept if it touches: no branch to guess */
		l->slot[from + f.count] = (int32_t)k;
		f.count += f.tmp->copy[k - from] > 0 ? 1 : 0;
	}
	end_piece(&f, w->dt);
	sphere_normals(&w->body, l, from, from + f.count);
}

SCREE_FN placed placed_of(const scree_world *w, int32_t i, vec3 at)
{
	const bodies *b = &w->body;
	placed p = {w->shape.row + b->shape[i], at, w->turn[i], b->size[i]};
	return p;
}

/* the point of a patch that stands for it in pictures and files: where it is deepest */
SCREE_FN vec3 deepest(int32_t count, const vec3 *at, const real *deep)
{
	int32_t best = 0;
	for (int32_t i = 1; i < count; ++i)
		if (deep[i] > deep[best]) best = i;
	return at[best];
}

/* Has neither body moved as far as the distance that they had when last looked at? */
static bool still_clear(const pair_list *l, const bodies *b, int64_t k)
{
	return b->way[l->a[k]] + b->way[l->b[k]] < l->clear[k];
}

/* a little less than the distance found: sums of ways are rounded */
static void note_distance(pair_list *l, const bodies *b, int64_t k, real distance)
{
	l->clear[k] = distance > 0 ? b->way[l->a[k]] + b->way[l->b[k]] + (real)0.999999 * distance : 0;
}

static void sphere_convex(scree_world *w, pair_list *l, int32_t piece, int thread)
{
	found f = begin_piece(w, l, piece, thread);
	patch p;
	for (int64_t k = l->piece[piece]; k < l->piece[piece + 1]; ++k) {
		if (still_clear(l, &w->body, k)) continue;
		vec3 r = v3_sub(body_position(&w->body, l->b[k]), body_position(&w->body, l->a[k]));
		placed b = placed_of(w, l->b[k], r);
		scree_sphere_convex(v3(0, 0, 0), w->body.radius[l->a[k]], &b, l->axis[k], &p);
		l->axis[k] = p.axis;
		note_distance(l, &w->body, k, -p.depth);
		if (p.points) set_contact(l, add_contact(&f, k), p.normal, p.at[0], p.depth);
	}
	end_piece(&f, w->dt);
}

static void convex_convex(scree_world *w, pair_list *l, int32_t piece, int thread)
{
	found f = begin_piece(w, l, piece, thread);
	const bodies *o = &w->body;
	patch p;
	for (int64_t k = l->piece[piece]; k < l->piece[piece + 1]; ++k) {
		int32_t i = l->a[k], j = l->b[k];
		if (still_clear(l, o, k)) continue;
		vec3 r = v3_sub(body_position(o, j), body_position(o, i));
		placed a = placed_of(w, i, v3(0, 0, 0)), b = placed_of(w, j, r);
		scree_convex_convex(&a, &b, l->axis[k], &p);
		l->axis[k] = p.axis;
		note_distance(l, o, k, -p.depth);
		if (!p.points) continue;
		int64_t row = add_contact(&f, k);
		set_contact(l, row, p.normal, deepest(p.points, p.at, p.deep), p.depth);
		set_points(l, row, f.tmp, thread, p.points, p.at, p.deep, p.weight);
	}
	end_piece(&f, w->dt);
}

/* a touch in the wall's frame to a contact in the world's */
static void take_touch(found *f, int64_t slot, int thread, const mat3 *turn, touch_list *list, const touch *t,
					   bool patches)
{
	vec3 *at = list->at + t->first;
	for (int32_t i = 0; i < t->points; ++i) at[i] = mat3_mul(*turn, at[i]);
	int64_t row = add_contact(f, slot);
	set_contact(f->l, row, mat3_mul(*turn, t->normal), deepest(t->points, at, list->deep + t->first), t->depth);
	if (patches) set_points(f->l, row, f->tmp, thread, t->points, at, list->deep + t->first, list->weight + t->first);
}

/* all contacts of one body with one wall; both touches and slots come by rising surface */
static void wall_contacts(scree_world *w, const wall_group *g, found *f, bool patches, int thread)
{
	const wall *o = w->wall.row + g->wall;
	touch_list *list = &f->tmp->touch;
	vec3 at = quat_unrotate(o->turn, v3_sub(body_position(&w->body, g->body), o->place));
	const int32_t *facet = g->facets ? w->near[patches].facet + g->facet : NULL;
	mat3 turn = quat_matrix(o->turn);
	if (patches) {
		placed p = placed_of(w, g->body, at);
		p.turn = (mat3){mat3_tmul(turn, p.turn.x), mat3_tmul(turn, p.turn.y), mat3_tmul(turn, p.turn.z)};
		scree_convex_wall(&p, &w->wall, g->wall, g->facets, facet, list);
	} else {
		scree_sphere_wall(at, w->body.radius[g->body], &w->wall, g->wall, g->facets, facet, list);
	}
	int32_t next = 0;
	for (int64_t k = g->slot; k < g->slot + g->slots && next < list->count; ++k)
		if (list->item[next].surface == f->l->b[k]) take_touch(f, k, thread, &turn, list, list->item + next++, patches);
	SCREE_ASSERT(next == list->count); /* a touch with a surface that is no candidate would be lost */
}

static void body_wall(scree_world *w, pair_list *l, int32_t piece, int thread)
{
	bool patches = l == w->pair + PAIR_CONVEX_WALL;
	const wall_groups *g = w->near + patches;
	found f = begin_piece(w, l, piece, thread);
	for (int64_t k = g->piece[piece]; k < g->piece[piece + 1]; ++k) wall_contacts(w, g->group + k, &f, patches, thread);
	end_piece(&f, w->dt);
}

/* ------------------------------------------------------------------ the stage */

typedef void piece_fn(scree_world *w, pair_list *l, int32_t piece, int thread);
static piece_fn *const kinds[PAIR_KINDS] = {sphere_sphere, sphere_convex, convex_convex, body_wall, body_wall};

static void run_pieces(void *what, int64_t from, int64_t to, int thread)
{
	stage *s = what;
	for (int64_t p = from; p < to; ++p) kinds[s->kind](s->w, s->w->pair + s->kind, (int32_t)p, thread);
}

static void make_turns(void *what, int64_t from, int64_t to, int thread)
{
	(void)thread;
	scree_world *w = what;
	for (int64_t i = from; i < to; ++i)
		if (w->shape.row[w->body.shape[i]].type != SHAPE_SPHERE)
			w->turn[i] = quat_matrix(body_orientation(&w->body, (int32_t)i));
}

static void prepare_scratch(scree_world *w)
{
	if (w->turns < w->body.count) {
		scree_free(w->turn);
		w->turns = w->body.capacity;
		w->turn = scree_alloc((size_t)w->turns, sizeof *w->turn);
	}
	if (w->scratches < scree_threads()) {
		w->scratch = scree_grow(w->scratch, (size_t)w->scratches, (size_t)scree_threads(), sizeof *w->scratch);
		w->scratches = scree_threads();
	}
	int32_t largest = 0;
	for (int kind = 0; kind < PAIR_KINDS; ++kind)
		largest = largest > w->pair[kind].largest ? largest : w->pair[kind].largest;
	for (int t = 0; t < w->scratches; ++t) {
		thread_scratch *s = w->scratch + t;
		s->points.count = 0;
		if (s->room >= largest) continue;
		scree_free(s->was);
		scree_free(s->of);
		scree_free(s->copy);
		s->room = largest + largest / 4;
		s->was = scree_alloc((size_t)s->room, sizeof *s->was);
		s->of = scree_alloc((size_t)s->room, sizeof *s->of);
		s->copy = scree_alloc((size_t)s->room, sizeof *s->copy);
	}
}

/* what contacts that ended left: fixed point, so that the order of threads means nothing */
static void join_ledgers(scree_world *w)
{
	for (int t = 0; t < w->scratches; ++t) {
		ledger *e = &w->scratch[t].ended;
		scree_fixed_join(&w->energy.lost_normal, e->lost_normal);
		scree_fixed_join(&w->energy.lost_friction, e->lost_friction);
		scree_fixed_join(&w->energy.lost_rolling, e->lost_rolling);
		scree_fixed_join(&w->energy.made, e->made);
		memset(e, 0, sizeof *e);
	}
}

void scree_pairs_to_contacts(scree_world *w)
{
	prepare_scratch(w);
	scree_parallel(make_turns, w, w->body.count, 4096);
	stage s = {.w = w};
	for (s.kind = 0; s.kind < PAIR_KINDS; ++s.kind)
		scree_parallel(run_pieces, &s, w->pair[s.kind].pieces, s.kind == PAIR_SPHERE_SPHERE ? 4 : 2);
	join_ledgers(w);
}
