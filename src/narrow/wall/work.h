/* work.h: code shared by the narrow phases for walls. Private to src/narrow.
 *
 * Contacts of a polyhedron are computed in its frame at size 1, so that its arrays are used unchanged. The wall's
 * parameters are transformed (wall_view), and results are transformed back. Points are first collected as nodes
 * (kernel/wall_patch.h). */
#ifndef SCREE_NARROW_WALL_WORK_H
#define SCREE_NARROW_WALL_WORK_H

#include "narrow/solid/convex_solid.h"
#include "narrow/touch_list.h"
#include "wall/walls.h"

/* Makes room in an array of w for this number of items, and is true, as on a device if there is room. */
#define WALL_ROOM(w, array, least)                                                                                     \
	wall_made((w)->array = scree_wall_least((w)->array, least, &(w)->array##_capacity, sizeof *(w)->array))
SCREE_FN bool wall_made(const void *array) { return (void)array, true; }

#include "kernel/wall_rows.h"

/* The closest points and the contacts of a round body (kernel/sphere_facets.h). */
typedef struct near_points {
	int32_t nears, points, near_capacity, point_capacity;
	struct near_point *near;
	struct wall_point *point;
} near_points;

struct wall_scratch {
	int32_t vertices;
	real *depth, *lump; /* [vertices] */
	vec3 *normal;		/* [vertices] normals of a tube's side */
	int32_t nodes, node_capacity;
	struct wall_node *node;
	int32_t poly_capacity;
	struct wall_corner *poly[2];
	int32_t room_capacity;
	struct wall_corner *room;
	int32_t ring_capacity;
	vec3 *ring;
	int32_t spans, span_capacity;
	struct wall_span *span;
	int32_t pieces, piece_capacity;
	struct wall_piece *piece;
	int32_t borders, border_capacity;
	struct wall_border *border;
	int32_t facets, facet_capacity;
	struct wall_facet *facet;
	int32_t edges, edge_capacity;
	struct wall_edge *edge;
	pressure press;		   /* pressure on the regions and lines of the nodes */
	vec3 press_x, press_y; /* axes of the pressure's plane */
	real arm;			   /* the resulting lever arm of the contact */
	near_points round;
	int32_t extent_capacity;
	struct touch_extent *extent; /* the extent of each contact in the list */
	struct fold_room *fold;		 /* convex_facets.c */
	struct overlap_room *joint;	 /* overlap_wall.c */
};

/* patch.c: allocates one number per vertex, and polygons with this number of corners. */
void scree_wall_vertices(wall_scratch *w, const shape *s);
void scree_wall_corners(wall_scratch *w, int32_t corners);

#define SCREE_WALL_PATCH /* the names of kernel/wall_patch.h */
typedef wall_scratch wall_patch;
SCREE_FN void wall_add_node(wall_scratch *w, vec3 p, vec3 n, real d, real s) { scree_wall_add_node(w, p, n, d, s); }
SCREE_FN void wall_vertex_room(wall_scratch *w, const shape *s) { scree_wall_vertices(w, s); }
SCREE_FN bool wall_corner_room(wall_scratch *w, int32_t corners) { return scree_wall_corners(w, corners), true; }
SCREE_FN bool wall_press_room(wall_scratch *w, int32_t corners) { return (void)w, (void)corners, true; }
SCREE_FN void wall_press_start(wall_scratch *w) { pressure_start(&w->press); }
SCREE_FN void wall_press_add(wall_scratch *w, real x, real y, real p) { pressure_corner_add(&w->press, x, y, p); }
SCREE_FN void wall_press_close(wall_scratch *w) { scree_pressure_close(&w->press); }
SCREE_FN real wall_arm(wall_scratch *w) { return scree_pressure_arm(&w->press); }
#include "kernel/wall_line.h"

/* convex_facets.c */
void scree_wall_fold_free(struct fold_room *r);

/* Functions used by scree_round_facets for contacts between a round body that is not a ball and planes or segments. */
typedef struct round_meeting {
	real depth;	 /* m, < 0: minus the distance */
	vec3 normal; /* from the wall to the body */
	vec3 point;	 /* on the wall */
} round_meeting;
typedef struct round_body {
	const void *of;
	/* Finds the point farthest along n, relative to the centre. */
	vec3 (*farthest)(const void *of, vec3 n);
	/* Finds the contact with the nearest point of the segment from a to b. */
	round_meeting (*segment)(const void *of, vec3 a, vec3 b);
} round_body;
/* Finds contacts between facets and a round body with this centre and bounding radius; body: NULL for a sphere */
void scree_round_facets(const round_body *body, vec3 centre, real radius, const near_wall *to, touch_list *out);

/* the functions called by forms.c */
void scree_convex_plane(const placed *body, const wall *w, touch_list *out);
void scree_convex_round(const placed *body, const wall *w, touch_list *out);
void scree_convex_facets(const placed *body, const near_wall *to, touch_list *out);

/* crossing.c, forms.c: test whether the centre of a body passes through a wall on a straight path between two points */
/* The path of a centre in the wall's frame. */
typedef struct centre_way {
	vec3 from, to;
	real slack; /* m: enlargement of facets on all sides, so that rounding does not open seams */
} centre_way;

typedef struct wall_crossing {
	vec3 at;		  /* wall's frame */
	bool from_behind; /* the path starts behind a one-sided wall, where there is no contact */
} wall_crossing;

/* The side of each end is determined as in the narrow phase, so there is no gap between steps. */
bool scree_crosses_facet(const walls *s, int32_t facet, const centre_way *c, wall_crossing *out);
bool scree_crosses_plane(const wall *w, const centre_way *c, wall_crossing *out);
bool scree_crosses_tube(const wall *w, const centre_way *c, wall_crossing *out);
/* Tests whether the path enters a polygonal wall in the plane; the polygon pushes bodies out. */
bool scree_enters_polygon(const wall *w, const centre_way *c, wall_crossing *out);
/* Returns the distance from the axis minus the side's radius at that height; >= 0 outside. */
real scree_outside_tube(const wall *w, vec3 p);
/* For walls without facets; returns false if the wall has no sides (wall/walls.h). */
bool scree_crosses_form(const wall *w, const centre_way *c, wall_crossing *out);
/* Returns the distance of a point behind a wall without sides; < 0 in front of the wall and for all other walls. */
real scree_behind_form(const wall *w, vec3 at);

#endif
