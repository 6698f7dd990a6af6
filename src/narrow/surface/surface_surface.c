/* surface_surface: two closed surfaces: their trees say which triangles may be near each other (trees.c), bounds of
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
		scree_surface_trees_free(s->room);
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
	const real reach = a->halo + b->halo,
			   rounded = SURFACE_ROUNDED * (a->of->extent * a->size + b->of->extent * b->size);
	const real apart = scree_surface_boxes_apart(a, b) - rounded;
	*crossed = false;
	if (apart > reach) {
		++scratch->counts.boxes;
		return apart - reach;
	}
	surface_job j = {.reach = reach,
					 .snap = snap_of(a, b),
					 .least = INFINITY,
					 .room = scree_surface_room(scratch),
					 .counts = &scratch->counts,
					 .team = scratch->team};
	j.a = scree_skin_of(a, a->at, &j.room->of_a), j.b = scree_skin_of(b, a->at, &j.room->of_b);
	scree_surface_trees(&j, a, b, reach + rounded);
	const int32_t before = out->count;
	const real shortest = real_min(a->of->shortest * a->size, b->of->shortest * b->size);
	const surface_rule rule = {reach, shortest, a->round, b->round};
	scree_surface_contacts(j.room, &rule, j.counts, out);
	if (out->count == before && !j.crossed) j.crossed = holds(a, b) || holds(b, a);
	*crossed = j.crossed;
	return out->count > before || j.crossed ? 0 : real_max(j.least - rounded - reach, 0);
}
