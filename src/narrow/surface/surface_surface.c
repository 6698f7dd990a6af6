/* surface_surface: two closed surfaces: the trees of their boxes say which triangles may be near each other, bounds of
 * their distances which are, and minima.c which of their features touch. */
#include "base/memory.h"
#include "narrow/surface/room.h"

struct surface_room *scree_surface_room(surface_scratch *s)
{
	if (!s->room) s->room = scree_alloc(1, sizeof *s->room);
	s->room->waiting = s->room->minima = 0;
	return s->room;
}

static void free_places(surface_places *p) { scree_free(p->place), scree_free(p->known); }

void scree_surface_scratch_free(surface_scratch *s)
{
	if (s->room) {
		surface_sheet *o = &s->room->sheet;
		free_places(&s->room->of_a), free_places(&s->room->of_b);
		scree_free(s->room->minimum), scree_free(o->vertex), scree_free(o->normal), scree_free(o->corner);
		scree_free(o->across), scree_free(o->first), scree_free(o->row), scree_free(o->surface);
		scree_free(o->bend), scree_free(o->from);
	}
	scree_free(s->room);
	*s = (surface_scratch){0};
}

void scree_surface_forget(surface_places *p, int32_t vertices, skin *s)
{
	if (vertices > p->capacity) {
		int32_t capacity = vertices + vertices / 2;
		free_places(p);
		p->place = scree_alloc((size_t)capacity, sizeof *p->place);
		p->known = scree_alloc((size_t)capacity, sizeof *p->known);
		p->capacity = capacity, p->now = 0;
	}
	if (!++p->now) { /* after 2^32 calls */
		memset(p->known, 0, (size_t)p->capacity * sizeof *p->known);
		p->now = 1;
	}
	s->place = p->place, s->known = p->known, s->now = p->now;
}

skin scree_skin_of(const placed_surface *p, vec3 origin, surface_places *places)
{
	const trimesh *m = p->of;
	skin s = {.triangles = m->triangles,
			  .vertex = m->vertex,
			  .normal = m->normal,
			  .corner = m->corner,
			  .across = m->across,
			  .plane = m->plane,
			  .first = m->first,
			  .bend = m->bend,
			  .at = v3_sub(p->at, origin),
			  .turn = p->turn,
			  .size = p->size,
			  .halo = p->halo};
	scree_surface_forget(places, m->vertices, &s);
	return s;
}

/* ------------------------------------------------------------------ triangles */

static void put(double (*c)[SURFACE_AT_ONCE], int32_t i, const skin *s, int32_t t)
{
	for (int k = 0; k < 3; ++k) {
		vec3 p = skin_corner(s, 3 * t + k);
		c[3 * k][i] = p.x, c[3 * k + 1][i] = p.y, c[3 * k + 2][i] = p.z;
	}
}

void scree_surface_pair(surface_job *j, int32_t ta, int32_t tb)
{
	struct surface_room *r = j->room;
	r->ta[r->waiting] = ta, r->tb[r->waiting] = tb;
	put(r->c, r->waiting, &j->a, ta);
	put(r->c + 9, r->waiting, &j->b, tb);
	if (++r->waiting == SURFACE_AT_ONCE) scree_surface_compare(j);
}

void scree_surface_compare(surface_job *j)
{
	struct surface_room *r = j->room;
	if (!r->waiting) return;
	triangle_pairs pairs = {.count = r->waiting};
	for (int k = 0; k < 9; ++k) pairs.a[k] = r->c[k], pairs.b[k] = r->c[9 + k];
	triangle_counts by = {{0}};
	triangle_search how = scree_triangles_certified(j->reach);
	scree_triangles(&pairs, &how, r->gap, &by);
	j->counts->slab += by.by[TRIANGLES_BY_SLAB], j->counts->newton += by.by[TRIANGLES_BY_NEWTON];
	j->counts->brute += by.by[TRIANGLES_BY_BRUTE], j->counts->thorough += by.by[TRIANGLES_BY_THOROUGH];
	j->counts->uncertified += by.by[TRIANGLES_UNCERTIFIED];
	for (int32_t i = 0; i < r->waiting; ++i) {
		const triangle_gap *g = r->gap + i;
		j->least = real_min(j->least, g->low);
		if (g->penetrated)
			j->crossed = true;
		else if (!(g->low > j->reach))
			scree_surface_minima(j, r->ta[i], r->tb[i]);
	}
	r->waiting = 0;
}

/* ------------------------------------------------------------------ boxes */

/* b's boxes as a's axes see them, in m */
typedef struct trees {
	const trimesh *a, *b;
	real size_a, size_b;
	vec3 at;	/* of b */
	mat3 turn;	/* of b */
	mat3 grown; /* its sizes */
} trees;

typedef struct box {
	vec3 middle, half;
} box;

static real grown(real x) { return real_abs(x) + (real)1e-15; }
static vec3 grown3(vec3 a) { return v3(grown(a.x), grown(a.y), grown(a.z)); }

static trees trees_of(const placed_surface *a, const placed_surface *b)
{
	trees o = {.a = a->of, .b = b->of, .size_a = a->size, .size_b = b->size};
	o.at = mat3_tmul(a->turn, v3_sub(b->at, a->at));
	o.turn.x = mat3_tmul(a->turn, b->turn.x), o.turn.y = mat3_tmul(a->turn, b->turn.y);
	o.turn.z = mat3_tmul(a->turn, b->turn.z);
	o.grown.x = grown3(o.turn.x), o.grown.y = grown3(o.turn.y), o.grown.z = grown3(o.turn.z);
	return o;
}

static box box_of(const trimesh_node *n, real size)
{
	return (box){v3_mul(size / 2, v3_add(n->low, n->high)), v3_mul(size / 2, v3_sub(n->high, n->low))};
}

static box box_of_b(const trees *o, int32_t node)
{
	box k = box_of(o->b->node + node, o->size_b);
	return (box){v3_add(o->at, mat3_mul(o->turn, k.middle)), mat3_mul(o->grown, k.half)};
}

static real gap1(real d, real half) { return real_max(real_abs(d) - half, 0); }

/* of boxes, from below but for rounding */
static real boxes_apart(const box *a, const box *b)
{
	return v3_norm(v3(gap1(a->middle.x - b->middle.x, a->half.x + b->half.x),
					  gap1(a->middle.y - b->middle.y, a->half.y + b->half.y),
					  gap1(a->middle.z - b->middle.z, a->half.z + b->half.z)));
}

typedef struct two_nodes {
	int32_t a, b;
} two_nodes;

static box box_of_triangle(const skin *s, int32_t t)
{
	const vec3 p = skin_corner(s, 3 * t), q = skin_corner(s, 3 * t + 1), r = skin_corner(s, 3 * t + 2);
	const vec3 low =
		v3(real_min(real_min(p.x, q.x), r.x), real_min(real_min(p.y, q.y), r.y), real_min(real_min(p.z, q.z), r.z));
	const vec3 high =
		v3(real_max(real_max(p.x, q.x), r.x), real_max(real_max(p.y, q.y), r.y), real_max(real_max(p.z, q.z), r.z));
	return (box){v3_mul((real)0.5, v3_add(low, high)), v3_mul((real)0.5, v3_sub(high, low))};
}

/* of two leaves the pairs of triangles whose own boxes, along the axes of the world, are in reach; how many */
static int64_t leaf_pairs(surface_job *j, const trimesh_node *a, const trimesh_node *b, real reach)
{
	box of_b[TRIMESH_LEAF];
	int64_t compared = 0;
	for (int32_t k = 0; k < b->count; ++k) of_b[k] = box_of_triangle(&j->b, b->first + k);
	for (int32_t ta = a->first; ta < a->first + a->count; ++ta) {
		const box of_a = box_of_triangle(&j->a, ta);
		for (int32_t k = 0; k < b->count; ++k) {
			const real apart = boxes_apart(&of_a, of_b + k);
			if (apart > reach) {
				j->least = real_min(j->least, apart);
				continue;
			}
			scree_surface_pair(j, ta, b->first + k);
			++compared;
		}
	}
	return compared;
}

static real widest(const box *b) { return real_max(b->half.x, real_max(b->half.y, b->half.z)); }

/* all pairs of triangles whose boxes are not farther apart than reach */
static void walk(surface_job *j, const trees *o, real reach)
{
	two_nodes wait[2 * TRIMESH_DEPTH];
	int waiting = 0;
	int64_t compared = 0;
	wait[waiting++] = (two_nodes){0, 0};
	while (waiting) {
		const two_nodes p = wait[--waiting];
		const trimesh_node *na = o->a->node + p.a, *nb = o->b->node + p.b;
		const box a = box_of(na, o->size_a), b = box_of_b(o, p.b);
		const real apart = boxes_apart(&a, &b);
		if (apart > reach) {
			j->least = real_min(j->least, apart);
		} else if (na->count && nb->count) {
			compared += leaf_pairs(j, na, nb, reach);
		} else if (nb->count || (!na->count && widest(&a) >= widest(&b))) {
			wait[waiting++] = (two_nodes){na->first + 1, p.b};
			wait[waiting++] = (two_nodes){na->first, p.b};
		} else {
			wait[waiting++] = (two_nodes){p.a, nb->first + 1};
			wait[waiting++] = (two_nodes){p.a, nb->first};
		}
	}
	j->counts->tree += (int64_t)o->a->triangles * o->b->triangles - compared;
}

/* ------------------------------------------------------------------ one inside of the other */

static bool holds(const placed_surface *a, const placed_surface *b)
{
	vec3 p = v3_add(v3_sub(b->at, a->at), mat3_mul(b->turn, v3_mul(b->size, b->of->vertex[0])));
	p = v3_mul(1 / a->size, mat3_tmul(a->turn, p));
	const trimesh_node *n = a->of->node;
	return p.x > n->low.x && p.x < n->high.x && p.y > n->low.y && p.y < n->high.y && p.z > n->low.z &&
		   p.z < n->high.z && scree_trimesh_inside(a->of, p) > 0;
}

static real snap_of(const placed_surface *a, const placed_surface *b)
{
	real shortest = real_min(a->of->shortest * a->size, b->of->shortest * b->size);
	return SURFACE_SNAP * shortest + SURFACE_ROUNDED * (a->of->extent * a->size + b->of->extent * b->size);
}

real scree_surface_surface(const placed_surface *a, const placed_surface *b, surface_scratch *scratch, point_list *out,
						   bool *crossed)
{
	const trees o = trees_of(a, b);
	const real reach = a->halo + b->halo,
			   rounded = SURFACE_ROUNDED * (a->of->extent * a->size + b->of->extent * b->size);
	const box box_a = box_of(a->of->node, a->size), box_b = box_of_b(&o, 0);
	const real apart = boxes_apart(&box_a, &box_b) - rounded;
	*crossed = false;
	if (apart > reach) {
		++scratch->counts.boxes;
		return apart - reach;
	}
	surface_job j = {.reach = reach,
					 .snap = snap_of(a, b),
					 .least = INFINITY,
					 .room = scree_surface_room(scratch),
					 .counts = &scratch->counts};
	j.a = scree_skin_of(a, a->at, &j.room->of_a), j.b = scree_skin_of(b, a->at, &j.room->of_b);
	walk(&j, &o, reach + rounded);
	scree_surface_compare(&j);
	const int32_t before = out->count;
	const real shortest = real_min(a->of->shortest * a->size, b->of->shortest * b->size);
	const surface_rule rule = {reach, shortest, a->round, b->round};
	scree_surface_contacts(j.room, &rule, j.counts, out);
	if (out->count == before && !j.crossed) j.crossed = holds(a, b) || holds(b, a);
	*crossed = j.crossed;
	return out->count > before || j.crossed ? 0 : real_max(j.least - rounded - reach, 0);
}
