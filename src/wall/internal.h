/* internal.h: private to src/wall. */
#ifndef SCREE_WALL_INTERNAL_H
#define SCREE_WALL_INTERNAL_H

#include "wall/forms.h"

static const real WALL_LARGEST = 1e30; /* limit, in m, below which squares and cubes are within the range of doubles */
static const real WALL_ALMOST = 1e-9;  /* tolerance for directions along a periodic axis */

SCREE_FN bool wall_bounded(real a) { return real_abs(a) <= WALL_LARGEST; } /* also false for NaN */

/* Checks name and motion, and resets members that the table sets; returns false with a message on failure. */
bool scree_wall_check(wall *w, fail *why);
bool scree_wall_check_point(const wall *w, const char *what, vec3 p, fail *why);
/* normalizes the axis */
bool scree_wall_check_unit(const wall *w, const char *what, vec3 *axis, fail *why);
bool scree_wall_check_motion(wall *w, fail *why);
/* appends the wall to the table, with this number of new surfaces */
int32_t scree_walls_append(walls *s, const wall *w, int32_t surfaces);
/* allocates this number of additional facets and corners */
void scree_walls_reserve(walls *s, int32_t facets, int32_t corners);
/* Adds a facet with open edges to the wall that will be the next row. surface: counted from the wall's first surface */
void scree_walls_add_facet(walls *s, int32_t surface, vec3 normal, real off, int32_t corners, const vec3 *corner);

/* covers.c: an edge and the parts of its length that are on facets; each part from .. to is on one facet. */
typedef struct edge_line {
	vec3 from, to;
} edge_line;
typedef struct cover {
	real from, to, longest; /* longest: the largest part covered by a single facet, `facet` */
	int32_t facet;
} cover;
typedef struct covers {
	int32_t count;
	int64_t room;
	cover *item;
} covers;
/* Finds the part of an edge nearer than `near` to a convex polygon; returns false if there is none. */
bool scree_covered_part(const edge_line *e, int32_t corners, const vec3 *corner, const vec3 *outward, vec3 normal,
						real near, real *from, real *to);

/* drawing.c */
void scree_wall_draw_plane(const walls *s, const wall *w, const wall_state *at, const wall_canvas *c);
void scree_wall_draw_tube(const walls *s, const wall *w, const wall_state *at, const wall_canvas *c);
void scree_wall_draw_facets(const walls *s, const wall *w, const wall_state *at, const wall_canvas *c);
void scree_wall_draw_polygon(const walls *s, const wall *w, const wall_state *at, const wall_canvas *c);

#endif
