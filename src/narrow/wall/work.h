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
#include "kernel/wall_rows.h"

/* A part, covered by a surface, from fraction t0 to t1 of the side of a face that starts at corner `side`. */
typedef struct wall_span {
	int32_t side;
	real t0, t1;
} wall_span;

/* Part of a surface's border across a face of the body. */
typedef struct wall_piece {
	vec3 p, q;
	real dp, dq;
} wall_piece;

/* A border edge x + s u for 0 <= s <= length. The part s0 <= s <= s1 is inside the body; there is none if s0 > s1. */
typedef struct wall_border {
	vec3 x, u, n, out;
	real length, s0, s1;
	real fade;		  /* ratio of the ways out at which the edge contact fully replaces the face contact */
	real sharp;		  /* the edge's share of the contact */
	vec3 n2;		  /* the normal beyond a ridge */
	int32_t surface2; /* the surface beyond a ridge if it is in contact with this body, or -1 */
	bool ridge;
} wall_border;

/* A facet in the frame of the body. */
typedef struct wall_facet {
	int32_t row, surface;
	bool flipped;
	bool touched; /* whether the facet and the body have a point in common */
	vec3 n;
	real off;
	int32_t first; /* first row in wall_scratch.edge, which stores corner and outward vector of each edge */
} wall_facet;

typedef struct wall_edge {
	vec3 x, out;
} wall_edge;

/* Contributions of a surface's faces and border edges to a contact. */
typedef struct touch_extent {
	real faces, edges; /* sums over the nodes of faces and of border edges */
	real mix;		   /* the border edges' share of the contact */
	bool behind;	   /* whether the body is behind the surface */
} touch_extent;

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
	struct wall_corner *room; /* twice the capacity of poly */
	vec3 *ring[2];
	int32_t ring_capacity[2];
	int32_t spans, span_capacity;
	wall_span *span;
	int32_t pieces, piece_capacity;
	wall_piece *piece;
	int32_t borders, border_capacity;
	wall_border *border;
	int32_t facets, facet_capacity;
	wall_facet *facet;
	int32_t edges, edge_capacity;
	wall_edge *edge;
	pressure press;		   /* pressure on the regions and lines of the nodes */
	vec3 press_x, press_y; /* axes of the pressure's plane */
	real arm;			   /* the resulting lever arm of the contact */
	near_points round;
	int32_t extent_capacity;
	touch_extent *extent;		/* fold_region.c: the extent of each contact in the list */
	struct fold_room *fold;		/* fold_region.c */
	struct overlap_room *joint; /* overlap_wall.c */
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

/* Transform from the wall's frame to the frame of the body at size 1. */
SCREE_FN vec3 view_point(const placed *b, vec3 x) { return v3_mul(1 / b->size, mat3_tmul(b->turn, v3_sub(x, b->at))); }
SCREE_FN vec3 view_direction(const placed *b, vec3 v) { return mat3_tmul(b->turn, v); }

/* Returns the next higher surface number among the candidates, or -1. */
SCREE_FN int32_t next_surface(const near_wall *to, int32_t above)
{
	int32_t next = -1;
	for (int32_t i = 0; i < to->facets; ++i) {
		int32_t x = facet_near(to, i)->surface;
		if (x > above && (next < 0 || x < next)) next = x;
	}
	return next;
}

/* sides.c: position of a body's centre relative to a surface. */
typedef enum surface_place {
	PLACE_OVER,		   /* above one of the surface's facets */
	PLACE_PAST_FOLD,   /* past a fold, on the same side of both faces of the fold */
	PLACE_PAST_BORDER, /* past an open border */
	PLACE_BEYOND	   /* past a fold, on the other face's side, where the body has no contact with this surface */
} surface_place;
surface_place scree_place_at_surface(const near_wall *to, int32_t surface, vec3 centre);

/* patch.c; all data are in the frame of the body at size 1, and nodes are added to the scratch */
/* Finds nodes and arm of the region behind the plane with normal n, after wall_depths. The scratch's facets first
 * .. last-1, if any, bound the region. Returns the largest overlap of all nodes. */
real scree_wall_region(wall_scratch *w, const shape *s, vec3 n, const walls *from, int32_t first, int32_t last);

/* patch.c, for fold_region.c: computes the intersection of the polygon in w->poly[0] with a facet. The result is in an
 * array that is overwritten by the next call. */
const wall_corner *scree_wall_cut_face(wall_scratch *w, int32_t count, const walls *from, const wall_facet *on,
									   int32_t *left);

/* fold_region.c: after facets are gathered, finds the nodes and the arm of a body above all surfaces that it touches,
 * and then the nodes of one surface, which replace its nodes in the scratch if it shares any. */
void scree_wall_fold_region(wall_scratch *w, const shape *s, const walls *from);
void scree_wall_fold_nodes(wall_scratch *w, int32_t surface, bool flipped);
void scree_wall_fold_free(struct fold_room *r);
/* fold_region.c: divides stiffness among contacts with connected surfaces; their extents are in the scratch. */
void scree_wall_fold_parts(const wall_scratch *w, const walls *s, touch_list *out);

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
