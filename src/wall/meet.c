/* meet: finds borders of one wall that are on facets of another wall with the same motion, for example two polygons
 * side by side, or a mesh split into two files. A body on one wall reaches the border of the other wall, which must not
 * support the body. This file only lists the facets that an edge touches at given positions of the walls; the narrow
 * phase tests the point of contact. The lists are computed when a world is prepared, and are not saved. */
#include "base/memory.h"
#include "wall/facets.h"
#include "wall/internal.h"
#include "wall/walls.h"

static const real ABUTS = 1e-6; /* walls entered by hand meet within this fraction of the extent */

static bool same_quat(quat a, quat b) { return a.w == b.w && a.x == b.x && a.y == b.y && a.z == b.z; }

static bool same_motion(const wall_motion *m, const wall_motion *n)
{
	if (m->type != n->type || motion_is_driven(m->type)) return false;
	if (m->type == MOTION_STILL) return true;
	const vec3 way[4] = {v3_sub(m->velocity, n->velocity), v3_sub(m->axis, n->axis), v3_sub(m->point, n->point),
						 v3_sub(m->amplitude, n->amplitude)};
	for (int k = 0; k < 4; ++k)
		if (v3_norm2(way[k]) > 0) return false;
	if (m->placed != n->placed || (m->placed && !v3_equal(m->start, n->start))) return false;
	if ((m->placed || m->type == MOTION_GIVEN) && !same_quat(m->base, n->base)) return false;
	return m->rate == n->rate && m->frequency == n->frequency && m->phase == n->phase && m->from == n->from &&
		   m->ramp == n->ramp && m->until == n->until && scree_motion_table_same(&m->table, &n->table);
}

/* Tests whether the relative position of two walls is constant. */
static bool move_alike(const wall *a, const wall *b)
{
	bool alike = a->removed == b->removed && a->parts == b->parts;
	for (int32_t k = 0; alike && k <= a->parts; ++k) alike = same_motion(wall_motion_of(a, k), wall_motion_of(b, k));
	return alike;
}

typedef struct span {
	vec3 low, high;
} span;

static bool apart(const span *a, const span *b, real near)
{
	return a->low.x > b->high.x + near || a->low.y > b->high.y + near || a->low.z > b->high.z + near ||
		   b->low.x > a->high.x + near || b->low.y > a->high.y + near || b->low.z > a->high.z + near;
}

static real near_of(const wall *w, const span *o)
{
	return real_max(w->tolerance, ABUTS * v3_greatest(v3_sub(o->high, o->low)));
}

static void note(walls *s, int32_t edge, int32_t facet)
{
	if (!s->meets) {
		s->meets = scree_alloc((size_t)s->corners, sizeof *s->meets);
		for (int32_t k = 0; k < s->corners; ++k) s->meets[k] = -1;
	}
	SCREE_APPEND(s->meeting, s->meetings, s->meeting_capacity, (wall_meeting){facet, s->meets[edge]});
	s->meets[edge] = s->meetings - 1;
}

/* Adds the facets of another wall that contain a facet's edge. */
static void edge_and_wall(walls *s, const facet *f, int32_t k, const facet_grid *grid, real near, facet_list *list)
{
	const int32_t row = f->first + k;
	const edge_line e = {s->corner[row], s->corner[f->first + (k + 1 < f->corners ? k + 1 : 0)]};
	const real length = v3_norm(v3_sub(e.to, e.from));
	const vec3 reach = v3(near, near, near);
	scree_facet_grid_query(grid, s, v3_sub(v3_min(e.from, e.to), reach), v3_add(v3_max(e.from, e.to), reach), list);
	for (int32_t i = list->count - 1; i >= 0; --i) {
		const facet *g = s->facet + list->facet[i];
		real from, to;
		if (!scree_covered_part(&e, g->corners, s->corner + g->first, s->outward + g->first, g->normal, near, &from,
								&to))
			continue;
		if ((to - from) * length > 8 * near) note(s, row, list->facet[i]);
	}
}

static void two_walls(walls *s, const wall *a, const span *b, const facet_grid *grid, real near, facet_list *list)
{
	for (int32_t i = a->first_facet; i < a->first_facet + a->facets; ++i) {
		const facet *f = s->facet + i;
		const span here = {f->low, f->high};
		if (apart(&here, b, near)) continue;
		for (int32_t k = 0; k < f->corners; ++k)
			if (s->next[f->first + k] == EDGE_OPEN) edge_and_wall(s, f, k, grid, near, list);
	}
}

void scree_walls_meet(walls *s, facet_grid *const *grid)
{
	scree_free(s->meets), scree_free(s->meeting);
	s->meets = NULL, s->meeting = NULL, s->meetings = 0;
	s->meeting_capacity = 0, s->meet_near = 0;
	facet_list list = {0};
	span *span = scree_alloc((size_t)s->count, sizeof *span);
	for (int32_t a = 0; a < s->count; ++a)
		if (s->row[a].facets) scree_wall_bounds(s, s->row + a, NULL, &span[a].low, &span[a].high);
	for (int32_t a = 0; a < s->count; ++a)
		for (int32_t b = 0; b < s->count; ++b) {
			if (a == b || !s->row[a].facets || !s->row[b].facets || !grid[b]) continue;
			const real near = real_max(near_of(s->row + a, span + a), near_of(s->row + b, span + b));
			if (apart(span + a, span + b, near) || !move_alike(s->row + a, s->row + b)) continue;
			s->meet_near = real_max(s->meet_near, 2 * near);
			two_walls(s, s->row + a, span + b, grid[b], near, &list);
		}
	scree_free(span);
	scree_facet_list_free(&list);
}
