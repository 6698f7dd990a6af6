/* pairs_to_contacts: which pairs touch, with what normal, overlap and points.
 *
 * in   poses, slots of pairs            out  touching, normal, overlap, contact point; points of patches
 *
 * One loop a kind of pair. Spheres run in one straight loop over slots that vectorises; polyhedra one by one. Contacts with walls are
 * found for all surfaces of one wall together, so that seams between them can be filtered. */
#include "stages.h"

#include "base/memory.h"
#include "base/parallel.h"
#include "kernel/quat.h"
#include "narrow/narrow.h"

enum { GRAIN = 1024, GRAIN_CONVEX = 128 };

typedef struct stage {
	scree_world *w;
	int kind;
} stage;

/* bit 0 becomes bit 1: what was */
static void mark(pair_list *l, int64_t k, bool touches) { l->touching[k] = (l->touching[k] & 1) << 1 | (touches ? 1 : 0); }

static void sphere_sphere(void *what, int64_t from, int64_t to, int thread)
{
	(void)thread;
	const scree_world *w = ((const stage *)what)->w;
	const bodies *b = &w->body;
	const pair_list l = w->pair[PAIR_SPHERE_SPHERE];
	const real *x = b->x, *y = b->y, *z = b->z, *r = b->radius;
#pragma omp simd
	for (int64_t k = from; k < to; ++k) {
		int32_t i = l.a[k], j = l.b[k];
		real dx = x[i] - x[j], dy = y[i] - y[j], dz = z[i] - z[j];
		real d2 = dx * dx + dy * dy + dz * dz, sum = r[i] + r[j];
		real d = sqrt(d2);
		bool apart = d > 0;
		real inverse = 1 / (apart ? d : 1);
		real nx = dx * inverse, ny = dy * inverse, nz = apart ? dz * inverse : 1; /* same centre: any normal will do */
		real depth = sum - d, arm = r[i] - depth / 2;
		l.nx[k] = nx;
		l.ny[k] = ny;
		l.nz[k] = nz;
		l.depth[k] = depth;
		l.px[k] = -arm * nx;
		l.py[k] = -arm * ny;
		l.pz[k] = -arm * nz;
		l.touching[k] = (l.touching[k] & 1) << 1 | (depth > 0 ? 1 : 0);
	}
}

static placed placed_of(const scree_world *w, int32_t i, vec3 at)
{
	const bodies *b = &w->body;
	placed p = {w->shape.row + b->shape[i], at, quat_matrix(body_orientation(b, i)), b->size[i]};
	return p;
}

static void set_contact(pair_list *l, int64_t k, vec3 n, vec3 at, real depth)
{
	l->nx[k] = n.x;
	l->ny[k] = n.y;
	l->nz[k] = n.z;
	l->px[k] = at.x;
	l->py[k] = at.y;
	l->pz[k] = at.z;
	l->depth[k] = depth;
}

/* room for more points in this thread's pool */
static contact_points *pool_of(scree_world *w, int thread, int64_t more)
{
	contact_points *p = w->pool + thread;
	if (p->count + more > p->capacity) {
		int64_t capacity = (p->count + more) * 3 / 2 + 1024;
		real **array[5] = {&p->x, &p->y, &p->z, &p->depth, &p->weight};
		for (int a = 0; a < 5; ++a) *array[a] = scree_grow(*array[a], (size_t)p->count, (size_t)capacity, sizeof(real));
		p->capacity = capacity;
	}
	return p;
}

static void set_points(scree_world *w, pair_list *l, int64_t k, int thread, int32_t count, const vec3 *at, const real *deep,
                       const real *weight)
{
	contact_points *p = pool_of(w, thread, count);
	l->points[k] = count;
	l->first[k] = (uint64_t)thread << 32 | (uint64_t)p->count;
	for (int32_t i = 0; i < count; ++i) {
		int64_t e = p->count++;
		p->x[e] = at[i].x;
		p->y[e] = at[i].y;
		p->z[e] = at[i].z;
		p->depth[e] = deep[i];
		p->weight[e] = weight[i];
	}
}

/* the point of a patch that stands for it in pictures and files: where it is deepest */
static vec3 deepest(int32_t count, const vec3 *at, const real *deep)
{
	int32_t best = 0;
	for (int32_t i = 1; i < count; ++i)
		if (deep[i] > deep[best]) best = i;
	return at[best];
}

static void sphere_convex(void *what, int64_t from, int64_t to, int thread)
{
	(void)thread;
	scree_world *w = ((stage *)what)->w;
	pair_list *l = w->pair + PAIR_SPHERE_CONVEX;
	patch found;
	for (int64_t k = from; k < to; ++k) {
		vec3 r = v3_sub(body_position(&w->body, l->b[k]), body_position(&w->body, l->a[k]));
		placed b = placed_of(w, l->b[k], r);
		scree_sphere_convex(v3(0, 0, 0), w->body.radius[l->a[k]], &b, l->axis[k], &found);
		l->axis[k] = found.axis;
		mark(l, k, found.points > 0);
		if (found.points) set_contact(l, k, found.normal, found.at[0], found.depth);
	}
}

static void convex_convex(void *what, int64_t from, int64_t to, int thread)
{
	scree_world *w = ((stage *)what)->w;
	pair_list *l = w->pair + PAIR_CONVEX_CONVEX;
	const bodies *o = &w->body;
	patch found;
	for (int64_t k = from; k < to; ++k) {
		int32_t i = l->a[k], j = l->b[k];
		vec3 r = v3_sub(body_position(o, j), body_position(o, i));
		real sum = o->radius[i] + o->radius[j];
		if (v3_norm2(r) > sum * sum) { /* not even the bounding spheres touch */
			mark(l, k, false);
			continue;
		}
		placed a = placed_of(w, i, v3(0, 0, 0)), b = placed_of(w, j, r);
		scree_convex_convex(&a, &b, l->axis[k], &found);
		l->axis[k] = found.axis;
		mark(l, k, found.points > 0);
		if (!found.points) continue;
		set_contact(l, k, found.normal, deepest(found.points, found.at, found.deep), found.depth);
		set_points(w, l, k, thread, found.points, found.at, found.deep, found.weight);
	}
}

/* a touch in the wall's frame to slot k in the world's */
static void take_touch(scree_world *w, pair_list *l, int64_t k, int thread, const wall *o, touch_list *list, const touch *t,
                       bool patches)
{
	mat3 m = quat_matrix(o->turn);
	vec3 *at = list->at + t->first;
	for (int32_t i = 0; i < t->points; ++i) at[i] = mat3_mul(m, at[i]);
	set_contact(l, k, mat3_mul(m, t->normal), deepest(t->points, at, list->deep + t->first), t->depth);
	if (patches) set_points(w, l, k, thread, t->points, at, list->deep + t->first, list->weight + t->first);
}

static void wall_group_contacts(scree_world *w, int kind, const wall_group *g, touch_list *list, int thread)
{
	pair_list *l = w->pair + kind;
	const wall *o = w->wall.row + g->wall;
	bool patches = kind == PAIR_CONVEX_WALL;
	vec3 at = quat_unrotate(o->turn, v3_sub(body_position(&w->body, g->body), o->place));
	const int32_t *facet = w->near[patches].facet + g->facet;
	if (patches) {
		placed p = placed_of(w, g->body, at);
		mat3 back = quat_matrix(quat_conj(o->turn));
		p.turn = (mat3){mat3_mul(back, p.turn.x), mat3_mul(back, p.turn.y), mat3_mul(back, p.turn.z)};
		scree_convex_wall(&p, &w->wall, g->wall, g->facets, facet, list);
	} else {
		scree_sphere_wall(at, w->body.radius[g->body], &w->wall, g->wall, g->facets, facet, list);
	}
	int32_t next = 0; /* touches and slots both come by rising surface */
	for (int64_t k = g->slot; k < g->slot + g->slots; ++k) {
		bool touches = next < list->count && list->item[next].surface == l->b[k];
		mark(l, k, touches);
		if (touches) take_touch(w, l, k, thread, o, list, list->item + next++, patches);
	}
	SCREE_ASSERT(next == list->count); /* a touch with a surface that is no candidate would be lost */
}

static void walls_piece(void *what, int64_t from, int64_t to, int thread)
{
	stage *s = what;
	const wall_groups *g = s->w->near + (s->kind == PAIR_CONVEX_WALL);
	for (int64_t k = from; k < to; ++k) wall_group_contacts(s->w, s->kind, g->group + k, s->w->touch + thread, thread);
}

void scree_pairs_to_contacts(scree_world *w)
{
	if (w->pools < scree_threads()) {
		w->pool = scree_grow(w->pool, (size_t)w->pools, (size_t)scree_threads(), sizeof *w->pool);
		w->touch = scree_grow(w->touch, (size_t)w->pools, (size_t)scree_threads(), sizeof *w->touch);
		w->pools = scree_threads();
	}
	for (int t = 0; t < w->pools; ++t) w->pool[t].count = 0;
	stage s = {w, PAIR_SPHERE_SPHERE};
	scree_parallel(sphere_sphere, &s, w->pair[PAIR_SPHERE_SPHERE].count, GRAIN);
	scree_parallel(sphere_convex, &s, w->pair[PAIR_SPHERE_CONVEX].count, GRAIN_CONVEX);
	scree_parallel(convex_convex, &s, w->pair[PAIR_CONVEX_CONVEX].count, GRAIN_CONVEX);
	for (s.kind = PAIR_SPHERE_WALL; s.kind <= PAIR_CONVEX_WALL; ++s.kind)
		scree_parallel(walls_piece, &s, w->near[s.kind == PAIR_CONVEX_WALL].count, GRAIN_CONVEX);
}
