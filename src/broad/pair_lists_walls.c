/* pair_lists_walls: finds bodies and surfaces of walls that may touch before the next search. */
#include "base/memory.h"
#include "broad/pair_lists.h"
#include "broad/stage.h"
#include "kernel/quat.h"
#include "model/law.h"
#include "shape/shape_forms.h"
#include "wall/facets.h"
#include "wall/forms.h"
#include "world/world.h"

#include <string.h>

enum { BLOCK = 16 }; /* number of bodies that are tested together */

static void add_slot(pair_list *l, int32_t body, int32_t surface)
{
	scree_pair_list_reserve(l, l->count + 1);
	l->a[l->count] = body;
	l->b[l->count++] = surface;
}

static wall_group *add_group(wall_groups *g, int32_t body, int32_t wall, int64_t slot)
{
	g->group = scree_room(g->group, g->count, &g->capacity, sizeof *g->group);
	wall_group *o = g->group + g->count++;
	*o = (wall_group){.body = body, .wall = wall, .slot = slot, .facet = g->facets};
	return o;
}

static void add_facets(wall_groups *g, wall_group *o, const facet_list *near)
{
	if (g->facets + near->count > g->facet_capacity) {
		int64_t capacity = (g->facets + near->count) * 3 / 2 + 64;
		g->facet = scree_grow(g->facet, (size_t)g->facets, (size_t)capacity, sizeof *g->facet);
		g->facet_capacity = capacity;
	}
	memcpy(g->facet + g->facets, near->facet, (size_t)near->count * sizeof *near->facet);
	o->facets = near->count;
	g->facets += near->count;
}

/* Adds a slot for each surface of the facets, once per surface, in ascending order of number. */
static int32_t add_surfaces(pair_list *l, int32_t body, const walls *s, const facet_list *near, int32_t *surface)
{
	int32_t count = 0;
	for (int32_t i = 0; i < near->count; ++i) {
		int32_t x = s->facet[near->facet[i]].surface, k = count;
		while (k > 0 && surface[k - 1] > x) --k;
		if (k > 0 && surface[k - 1] == x) continue;
		memmove(surface + k + 1, surface + k, (size_t)(count - k) * sizeof *surface);
		surface[k] = x;
		++count;
	}
	for (int32_t k = 0; k < count; ++k) add_slot(l, body, surface[k]);
	return count;
}

typedef struct scratch {
	facet_list near;
	int32_t *surface;
	int32_t capacity;
	mat3 *turn;	   /* [walls] orientations */
	int32_t *wall; /* [walls] walls that may be near a body of this block */
	int32_t walls; /* number of walls in the list */
	real way[BLOCK];
	vec3 low, high; /* bounds on the positions of all bodies, in m */
	real beyond;	/* distance, in m, up to which walls may touch bodies before the next search */
} scratch;

/* Largest approach of a body's surface to a wall at rest before the next search, in m. */
static real way_left(const state *s, const work *w, int32_t i)
{
	return s->body.margin[i] + w->skin.reach + 2 * scree_box_rounding(&s->body, i);
}

/* distance in m within which a moving wall may touch the body before the next search. way: the body's own path */
static real far_of(const work *w, const wall *o, real way)
{
	return o->motion.type == MOTION_STILL ? way : way + w->skin.width / 2;
}

static bool ball_is_near(const model *m, const state *s, const work *w, int32_t k, vec3 at, real radius, real way,
						 const scratch *tmp)
{
	const wall *o = m->wall.row + k;
	if (o->type == WALL_FACETS) return true;
	vec3 p = mat3_tmul(tmp->turn[k], v3_sub(at, s->wall[k].position));
	return scree_wall_forms[o->type].is_near(o, p, radius, far_of(w, o, way));
}

/* Finds walls near a block of bodies. A ball around the block excludes most walls, since bodies of a block are close in
 * space. */
static void look_at_block(const model *m, const state *s, const work *w, int32_t from, int32_t to, scratch *tmp)
{
	const bodies *b = &s->body;
	vec3 low = body_position(b, from), high = low;
	real radius = 0, way = 0;
	for (int32_t i = from; i < to; ++i) {
		vec3 p = body_position(b, i);
		low = v3_min(low, p);
		high = v3_max(high, p);
		radius = real_max(radius, b->radius[i]);
		tmp->way[i - from] = way_left(s, w, i);
		way = real_max(way, tmp->way[i - from]);
	}
	vec3 middle = v3_mul((real)0.5, v3_add(low, high));
	real around = (real)1.000001 * (radius + v3_norm(v3_sub(high, low)) / 2);
	tmp->walls = 0;
	for (int32_t k = 0; k < m->wall.count; ++k)
		if (!m->wall.row[k].removed && ball_is_near(m, s, w, k, middle, around, way, tmp)) tmp->wall[tmp->walls++] = k;
	tmp->low = v3_min(tmp->low, low);
	tmp->high = v3_max(tmp->high, high);
	tmp->beyond = real_max(tmp->beyond, radius + way);
}

static void pair_with_wall(const model *m, state *s, work *w, int32_t i, int32_t k, real way, scratch *tmp)
{
	const wall *o = m->wall.row + k;
	real radius = s->body.radius[i];
	if (!wall_acts_on(o, s->body.material[i])) return;
	if (!ball_is_near(m, s, w, k, body_position(&s->body, i), radius, way, tmp)) return;
	shape_type type = m->shape.row[s->body.shape[i]].type;
	int kind = scree_pair_kind_of(scree_world_place(m), shape_side(type), TAKES_SURFACE);
	pair_list *l = s->pair + kind;
	if (o->type != WALL_FACETS) {
		add_group(w->near + kind, i, k, l->count)->slots = 1;
		add_slot(l, i, o->first_surface);
		return;
	}
	vec3 p = mat3_tmul(tmp->turn[k], v3_sub(body_position(&s->body, i), s->wall[k].position));
	real far = radius + far_of(w, o, way);
	vec3 grown = v3(far, far, far);
	scree_facet_grid_query(m->grid[k], &m->wall, v3_sub(p, grown), v3_add(p, grown), &tmp->near);
	if (!tmp->near.count) return;
	if (tmp->capacity < tmp->near.count) {
		scree_free(tmp->surface);
		tmp->capacity = 2 * tmp->near.count;
		tmp->surface = scree_alloc((size_t)tmp->capacity, sizeof *tmp->surface);
	}
	wall_group *g = add_group(w->near + kind, i, k, l->count);
	add_facets(w->near + kind, g, &tmp->near);
	g->slots = add_surfaces(l, i, &m->wall, &tmp->near, tmp->surface);
}

/* Moves ends of pieces to ends of groups, so that one thread handles all surfaces of a wall that a body may touch. */
void scree_pair_list_cut_at_groups(pair_list *l, wall_groups *g, int32_t size)
{
	int64_t *start = scree_alloc((size_t)g->count + 1, sizeof *start);
	if (g->piece_capacity < g->count + 1) {
		scree_free(g->piece);
		g->piece_capacity = g->count + g->count / 4 + 1;
		g->piece = scree_alloc((size_t)g->piece_capacity, sizeof *g->piece);
	}
	int32_t pieces = 0;
	for (int64_t k = 0; k < g->count; ++k) {
		if (pieces && g->group[k].slot - start[pieces - 1] < size) continue;
		g->piece[pieces] = k;
		start[pieces++] = g->group[k].slot;
	}
	start[pieces] = l->count;
	g->piece[pieces] = g->count;
	scree_pair_list_cut(l, pieces, start);
	scree_free(start);
}

struct wall_groups *scree_wall_groups_room(work *w, int kind, int64_t groups, int64_t facets)
{
	wall_groups *g = w->near + kind;
	g->count = g->facets = 0;
	g->group = scree_room_for(g->group, 0, groups, &g->capacity, sizeof *g->group);
	g->facet = scree_room_for(g->facet, 0, facets, &g->facet_capacity, sizeof *g->facet);
	g->count = groups;
	g->facets = facets;
	return g;
}

/* Stores a ball around all bodies, since rotating walls can meet bodies only inside this ball. */
static void note_reach(state *s, work *w, const scratch *tmp)
{
	const bool any = s->body.owned > 0;
	w->middle = any ? v3_mul((real)0.5, v3_add(tmp->low, tmp->high)) : v3(0, 0, 0);
	w->reach = any ? v3_norm(v3_sub(tmp->high, tmp->low)) / 2 + tmp->beyond + w->skin.width / 2 : 0;
}

void scree_pair_lists_walls(const model *m, state *s, work *w)
{
	for (int kind = 0; kind < PAIR_KINDS; ++kind) w->near[kind].count = w->near[kind].facets = 0;
	const size_t count = (size_t)m->wall.count + 1;
	const int32_t owned = s->body.owned;
	const bool driven = scree_walls_driven(&m->wall);
	const vec3 far = v3(INFINITY, INFINITY, INFINITY);
	scratch tmp = {.turn = scree_alloc(count, sizeof *tmp.turn),
				   .wall = scree_alloc(count, sizeof *tmp.wall),
				   .low = far,
				   .high = v3_neg(far)};
	for (int32_t k = 0; k < m->wall.count; ++k) tmp.turn[k] = quat_matrix(s->wall[k].orientation);
	for (int32_t from = 0; from < owned; from += BLOCK) {
		int32_t to = from + BLOCK < owned ? from + BLOCK : owned;
		look_at_block(m, s, w, from, to, &tmp);
		for (int32_t i = from; i < to && tmp.walls; ++i) {
			const bool held = s->body.inv_mass[i] == 0; /* held bodies can meet only walls that are moved by forces */
			for (int32_t k = 0; k < tmp.walls && (!held || driven); ++k)
				if (!held || motion_is_driven(m->wall.row[tmp.wall[k]].motion.type))
					pair_with_wall(m, s, w, i, tmp.wall[k], tmp.way[i - from], &tmp);
		}
	}
	note_reach(s, w, &tmp);
	for (int kind = 0; kind < PAIR_KINDS; ++kind) {
		if (!pair_on_wall(kind)) continue;
		scree_pair_list_cut_at_groups(s->pair + kind, w->near + kind, scree_pair_piece(kind, s->pair[kind].count));
		scree_slot_cache_room(&w->pair[kind].cache, s->pair[kind].count);
	}
	scree_facet_list_free(&tmp.near);
	SCREE_FREE_ALL(tmp.surface, tmp.turn, tmp.wall);
}

static bool same_slots(const pair_list *a, const pair_list *b)
{
	if (a->count != b->count || a->pieces != b->pieces) return false;
	if (!a->count) return true;
	size_t slots = (size_t)a->count * sizeof *a->a;
	return !memcmp(a->a, b->a, slots) && !memcmp(a->b, b->b, slots) &&
		   !memcmp(a->piece, b->piece, ((size_t)a->pieces + 1) * sizeof *a->piece);
}

void scree_pair_lists_walls_again(const model *m, state *s, work *w)
{
	pair_keys keys[PAIR_KINDS];
	bool same = true;
	scree_pair_keys_take(s, w, keys, true);
	scree_pair_lists_walls(m, s, w);
	for (int kind = 0; kind < PAIR_KINDS; ++kind)
		if (pair_on_wall(kind)) same &= same_slots(s->pair + kind, &keys[kind].old);
	if (!same) {
		scree_pair_keys_give(m, s, w, keys, true);
		return;
	}
	for (int kind = 0; kind < PAIR_KINDS; ++kind) {
		if (!pair_on_wall(kind)) continue;
		scree_pair_list_free(s->pair + kind);
		s->pair[kind] = keys[kind].old;
		scree_slot_cache_free(&w->pair[kind].cache);
		w->pair[kind].cache = keys[kind].cache;
		SCREE_FREE_ALL(keys[kind].ida, keys[kind].idb);
	}
}
