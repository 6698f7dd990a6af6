/* parts.h: data and functions private to convex_parts.c, parts_*.c, and hull.c. All pieces refer by number to one table
 * of points and one table of planes. Whether a point is on, above, or below a plane depends only on the two numbers, so
 * neighbours always agree. A side is a plane seen from one of its two sides: 2*plane if its normal points outwards,
 * 2*plane+1 if it points inwards. */
#ifndef SCREE_SHAPE_PARTS_PARTS_H
#define SCREE_SHAPE_PARTS_PARTS_H

#include "base/real.h"

typedef struct parts_plane {
	vec3 normal;
	real off;
} parts_plane;

typedef struct parts_space {
	int32_t points, point_room, planes;
	int64_t plane_room;
	vec3 *point; /* points in or near the box from -1 to 1 around the surface */
	int32_t *next, *bucket;
	parts_plane *plane;
	real near;			 /* points closer to a plane than this count as being on the plane */
	int way, ways;		 /* number of this cutting method and number of methods, for progress reports */
	const char *trouble; /* reason why no parts were found */
	bool limit_reached;	 /* whether there are more cells than allowed */
} parts_space;

parts_space scree_parts_space_start(int32_t points, const vec3 *point, real near);
void scree_parts_space_free(parts_space *s);
/* Returns the point where the plane cuts the line between points a and b on planes f and g (-1 if unknown). */
int32_t scree_parts_crossing(parts_space *s, int32_t a, int32_t b, int32_t plane, int32_t f, int32_t g);
int32_t scree_parts_point(parts_space *s, vec3 x);
/* finds an existing plane, facing either way, or adds a new one; returns the plane's side */
int32_t scree_parts_side(parts_space *s, vec3 normal, real off);

SCREE_FN real parts_height(const parts_space *s, int32_t point, int32_t plane)
{
	return v3_dot(s->plane[plane].normal, s->point[point]) - s->plane[plane].off;
}
SCREE_FN int parts_sign(const parts_space *s, int32_t point, int32_t plane)
{
	real h = parts_height(s, point, plane);
	return (h > s->near) - (h < -s->near);
}
/* > 0 if the point is outside the side's plane */
SCREE_FN int parts_beyond(const parts_space *s, int32_t point, int32_t side)
{
	int sign = parts_sign(s, point, side >> 1);
	return side & 1 ? -sign : sign;
}
SCREE_FN vec3 parts_normal(const parts_space *s, int32_t side)
{
	vec3 n = s->plane[side >> 1].normal;
	return side & 1 ? v3_neg(n) : n;
}

typedef struct parts_solid {
	int32_t faces;
	int32_t *first, *side, *corner; /* loops, counter-clockwise seen from outside */
} parts_solid;

parts_solid scree_parts_solid_with(int32_t faces, int32_t corners);
parts_solid scree_parts_box(parts_space *s);
parts_solid scree_parts_solid_copy(const parts_solid *from);
void scree_parts_solid_free(parts_solid *p);
/* An empty part has no faces. Returns false if there are no loops due to rounding. */
bool scree_parts_solid_split(parts_space *s, const parts_solid *p, int32_t plane, parts_solid *below,
							 parts_solid *above);
bool scree_parts_solid_clip(parts_space *s, parts_solid *p, int32_t side);
/* Joins the loops in each plane into one loop, which takes the position and the starting corner of the first of them.
 * Also removes corners inside edges. Returns false if the loops of a plane do not form one loop. */
bool scree_parts_solid_join(int32_t points, const parts_solid *loops, parts_solid *out);
/* Sorts faces by their loops, and starts each loop at its lowest point. */
void scree_parts_solid_sort(parts_solid *p);
vec3 scree_parts_solid_middle(const parts_space *s, const parts_solid *p);
real scree_parts_solid_volume(const parts_space *s, const parts_solid *p);
/* returns twice the area of face f, as a vector along its normal */
vec3 scree_parts_solid_area(const vec3 *point, const parts_solid *p, int32_t f);

typedef struct parts_list {
	int32_t count;
	int64_t room;
	parts_solid *solid; /* owned by the list */
} parts_list;
void scree_parts_list_free(parts_list *l);

typedef struct parts_mesh {
	int32_t triangles, edges, hollows;
	const int32_t *corner;	/* [3*triangles] */
	int32_t *edge;			/* [3*triangles] the edge of each side */
	int32_t *ends, *sheets; /* [2*edges] vertices, triangles */
	int32_t *side;			/* [triangles] */
	int32_t *hollow;		/* [hollows] edges */
	bool *is_hollow;		/* [edges] */
} parts_mesh;
/* returns false if any side is not shared by two triangles */
bool scree_parts_mesh_start(parts_mesh *m, parts_space *s, int32_t triangles, const int32_t *corner);
void scree_parts_mesh_free(parts_mesh *m);
int32_t scree_parts_opposite(const parts_mesh *m, int32_t triangle, int32_t edge);

/* Convex pieces of triangles, at most one per triangle. */
typedef struct parts_corner {
	int32_t point, edge; /* edge: the surface's edge after the corner, or -1 for a cut */
} parts_corner;
typedef struct parts_sheet {
	int32_t pieces, corners, piece_room;
	int64_t corner_room;
	int32_t *first, *triangle;
	parts_corner *at;
} parts_sheet;
parts_sheet scree_parts_sheet_of(const parts_mesh *m);
void scree_parts_sheet_free(parts_sheet *t);
void scree_parts_sheet_split(parts_space *s, const parts_mesh *m, const parts_sheet *t, int32_t plane,
							 parts_sheet *below, parts_sheet *above);
/* Numbers bodies in a convex cell from 0; pieces that bound a body get its number. Returns the number of bodies. */
int32_t scree_parts_sheet_bodies(const parts_space *s, const parts_mesh *m, const parts_sheet *t, int32_t *body);
void scree_parts_sheet_take(const parts_sheet *t, const int32_t *body, int32_t which, parts_sheet *out);
/* Tests whether the point, which must not be on a piece, is inside; -1 if undecided */
int scree_parts_sheet_inside(const parts_space *s, const parts_mesh *m, const parts_sheet *t, vec3 x);

/* Weights that a cutting method uses to rate a plane. */
typedef struct parts_taste {
	real hollow, piece; /* costs of cutting a concave edge or a piece in two; the gain of resolving an edge is 1 */
	real face;			/* gain if a plane contains a face */
	bool bisect;		/* whether planes that bisect concave edges are also tried */
	bool bodies;		/* whether separate bodies in one cell are cut apart */
	bool central;		/* whether planes through the middle are also tried */
} parts_taste;
/* Returns false if cutting into disjoint convex parts fails or needs more than `most` cells. */
bool scree_parts_cut(parts_space *s, const parts_mesh *m, const parts_taste *taste, int32_t most, parts_list *out);
/* Merges pairs of parts whose union is convex until there are no such pairs. */
void scree_parts_merge(parts_space *s, parts_list *l);

#endif
