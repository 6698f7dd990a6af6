/* wall_rows.h: walls in the memory of a device, and functions of facets. On a processor, src/wall/walls.h defines
 * SCREE_WALL_ROWS and the same names for its own table. All data are in the wall's frame. */
#ifndef SCREE_KERNEL_WALL_ROWS_H
#define SCREE_KERNEL_WALL_ROWS_H

#include "kernel/facet.h"

/* Members as in `wall` (src/wall/walls.h). */
typedef struct wall_row {
	vec3 point, axis;
	real radius, radius2, length, tolerance;
	int32_t type, side, two_sided, internal, removed, first_surface, first_facet, facets;
} wall_row;

#ifndef SCREE_WALL_ROWS
typedef wall_row table_wall;
/* Members as in `walls`. */
typedef struct wall_table {
	SCREE_GLOBAL const wall_row *row;
	SCREE_GLOBAL const struct facet *facet;
	SCREE_GLOBAL const vec3 *corner, *outward;
	SCREE_GLOBAL const int32_t *next, *meets;
	SCREE_GLOBAL const real *bend;
	SCREE_GLOBAL const wall_meeting *meeting;
	real meet_near;
	SCREE_GLOBAL const surface_link *link[2];
	SCREE_GLOBAL const surface_face *face;
} wall_table;

typedef struct near_facets {
	const wall_table *s;
	int32_t wall, facets;
	SCREE_GLOBAL const int32_t *facet; /* [facets] rows in ascending order */
} near_facets;
#endif

#ifndef WALL_ROOM
SCREE_FN bool wall_has_room(SCREE_GLOBAL int32_t *full, int32_t least, int32_t most)
{
	if (least > most) *full = 1;
	return least <= most;
}

/* Tests whether an array of w has room for this number of items. */
#define WALL_ROOM(w, array, least) wall_has_room(&(w)->full, least, (int32_t)(sizeof(w)->array / sizeof *(w)->array))
#endif

SCREE_FN SCREE_GLOBAL const facet *facet_near(const near_facets *o, int32_t i) { return o->s->facet + o->facet[i]; }
SCREE_FN SCREE_GLOBAL const table_wall *wall_of_facets(const near_facets *o) { return o->s->row + o->wall; }

/* Returns the next higher surface number among the candidates, or -1. */
SCREE_FN int32_t facet_next_surface(const near_facets *to, int32_t above)
{
	int32_t next = -1;
	for (int32_t i = 0; i < to->facets; ++i) {
		const int32_t x = facet_near(to, i)->surface;
		if (x > above && (next < 0 || x < next)) next = x;
	}
	return next;
}

/* Tests whether the boxes of a ball and a facet are apart. Additional candidates would not affect the result. */
SCREE_FN bool outside_box(SCREE_GLOBAL const facet *f, vec3 c, real r)
{
	return c.x - r > f->high.x || c.y - r > f->high.y || c.z - r > f->high.z || c.x + r < f->low.x ||
		   c.y + r < f->low.y || c.z + r < f->low.z;
}

SCREE_FN real facet_height(SCREE_GLOBAL const facet *f, vec3 p) { return v3_dot(f->normal, p) - f->off; }

/* Height of p beyond edge k of the table, outwards in the facet's plane. */
SCREE_FN real beyond_edge(const wall_table *s, int32_t k, vec3 p)
{
	return v3_dot(s->outward[k], v3_sub(p, s->corner[k]));
}

/* Tests whether a point's foot is at most `slack` outside the facet. */
SCREE_FN bool is_within(const wall_table *s, SCREE_GLOBAL const facet *f, vec3 p, real slack)
{
	int32_t k = f->first;
	const int32_t end = f->first + f->corners;
	while (k < end && beyond_edge(s, k, p) <= slack) ++k;
	return k == end;
}

/* Tests whether a point's foot is on the facet. */
SCREE_FN bool is_over(const wall_table *s, SCREE_GLOBAL const facet *f, vec3 p) { return is_within(s, f, p, 0); }

/* The corner at which edge k of the facet, from 0, ends. */
SCREE_FN vec3 edge_end(const wall_table *s, SCREE_GLOBAL const facet *f, int32_t k)
{
	return s->corner[f->first + (k + 1 < f->corners ? k + 1 : 0)];
}

/* A mesh without border has an inside and pushes bodies out even if their centres are inside. */
SCREE_FN bool wall_closed(const wall_table *s, SCREE_GLOBAL const table_wall *w)
{
	for (int32_t i = 0; i < w->facets; ++i) {
		SCREE_GLOBAL const facet *f = s->facet + w->first_facet + i;
		for (int32_t k = 0; k < f->corners; ++k)
			if (s->next[f->first + k] == EDGE_OPEN) return false;
	}
	return w->facets > 3;
}

/* ------------------------------------------------------------------ borders on other walls */

typedef enum border_place {
	OVER_NONE,	  /* the body's point may be above either wall */
	OVER_SURFACE, /* it is above the surface of the border */
	ALONG		  /* a line on the body crosses the edge */
} border_place;

/* A point where a body touches a border between two walls (in the frame of the walls). */
typedef struct wall_border_point {
	int32_t edge, surface; /* the border edge (row of `corners`) and its surface */
	vec3 at, p;			   /* at: the point on the edge; p: the nearby point of the body */
	border_place how;
} wall_border_point;

SCREE_CONSTANT real LEVEL_WALLS = 1e-3; /* sine of an angle between walls above which their ridge supports bodies */

/* Tests whether this facet, which contains the edge's point, supports the body at this point. */
SCREE_FN bool facet_carries(const wall_table *s, SCREE_GLOBAL const facet *g, const wall_border_point *o)
{
	const bool over = is_over(s, g, o->p), lower = g->surface < o->surface;
	if (o->how == OVER_SURFACE) return over && lower;
	if (o->how == ALONG) return lower || real_abs(v3_dot(g->normal, s->outward[o->edge])) < LEVEL_WALLS;
	return over || lower;
}

/* Tests whether another wall, which contains the edge, supports the body at this point. If p is above both walls, or
 * above neither (as in a crack between them), the surface with the lower number supports the body. */
SCREE_FN bool wall_carries(const wall_table *s, const wall_border_point *o, real slack)
{
	if (!s->meets) return false;
	for (int32_t m = s->meets[o->edge]; m >= 0; m = s->meeting[m].next) {
		SCREE_GLOBAL const facet *g = s->facet + s->meeting[m].facet;
		SCREE_GLOBAL const table_wall *w = s->row + g->wall;
		if (w->removed || (!w->two_sided && v3_dot(g->normal, o->p) < g->off)) continue;
		if (real_abs(facet_height(g, o->at)) > slack || !is_within(s, g, o->at, slack)) continue;
		if (facet_carries(s, g, o)) return true;
	}
	return false;
}

#endif
