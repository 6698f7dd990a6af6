/* work.h: code shared by the narrow phases for walls. Private to src/narrow.
 *
 * Contacts of a polyhedron are computed in its frame at size 1, so that its arrays are used unchanged. The wall's
 * parameters are transformed (wall_view), and results are transformed back. Points are first collected as nodes with
 * their own normals and strengths; a contact is a sum of nodes (docs/theory/walls.md). */
#ifndef SCREE_NARROW_WALL_WORK_H
#define SCREE_NARROW_WALL_WORK_H

#include "narrow/touch_list.h"
#include "wall/walls.h"

/* A point on the body's surface behind the wall's surface. */
typedef struct wall_node {
	vec3 p, n; /* the body's point, and the wall's normal at this point */
	real d, s; /* d: overlap along n; s: strength, which is the weight before division by the sum */
} wall_node;

/* A corner of a polygon cut from a face of the body. */
typedef struct wall_corner {
	vec3 p;
	real d;			/* overlap */
	int32_t vertex; /* vertex of the shape, or -1 if created by a cut */
	/* origin of the side to the next corner: the face's corner where the side starts, or a value of the enum below */
	int32_t side;
} wall_corner;

/* the side was created by the wall's plane; SIDE_FACET - k if created by edge k of a facet */
enum { SIDE_WATER = -1, SIDE_FACET = -2 };

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

/* Area of polygons, projected along a wall's normal, and its first moment about `from`. */
typedef struct wall_centroid {
	vec3 from, moment;
	real area;
} wall_centroid;

/* Slopes of the body's faces relative to a wall with this normal. */
typedef struct wall_facing {
	vec3 n;
	real least, inverse; /* slope above which a face presses; inverse: 1 divided by the additional slope at which it
							presses fully */
} wall_facing;

/* steeper faces (by this sine) do not face the wall */
#define WALL_STEEP ((real)1e-12)

/* Contributions of a surface's faces and border edges to a contact. */
typedef struct touch_extent {
	real faces, edges; /* sums over the nodes of faces and of border edges */
	real mix;		   /* the border edges' share of the contact */
	bool behind;	   /* whether the body is behind the surface */
} touch_extent;

struct wall_scratch {
	int32_t vertices;
	real *depth, *lump; /* [vertices] */
	vec3 *normal;		/* [vertices] normals of a tube's side */
	int32_t nodes, node_capacity;
	wall_node *node;
	int32_t poly_capacity;
	wall_corner *poly[2];
	int32_t room_capacity;
	wall_corner *room; /* twice the capacity of poly */
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
	int32_t nears, near_capacity;
	struct near *near; /* sphere_facets.c */
	int32_t extent_capacity;
	touch_extent *extent;	/* fold_region.c: the extent of each contact in the list */
	struct fold_room *fold; /* fold_region.c */
	int32_t dent_capacity;
	struct dent *dent;			/* sphere_facets.c */
	struct overlap_room *joint; /* overlap_wall.c */
};

/* The axes of the pressure, projected along n, are found without a square root (Duff et al. 2017). */
SCREE_FN void wall_press(wall_scratch *w, vec3 n)
{
	real up = n.z < 0 ? -1 : 1, a = -1 / (up + n.z), b = n.x * n.y * a;
	pressure_start(&w->press);
	w->press_x = v3(1 + up * n.x * n.x * a, up * b, -up * n.x);
	w->press_y = v3(b, up + n.y * n.y * a, -n.y);
}
SCREE_FN void wall_press_at(wall_scratch *w, vec3 p, real d)
{
	pressure_corner_add(&w->press, v3_dot(w->press_x, p), v3_dot(w->press_y, p), d);
}

/* Transform from the wall's frame to the frame of the body at size 1. */
SCREE_FN vec3 view_point(const placed *b, vec3 x) { return v3_mul(1 / b->size, mat3_tmul(b->turn, v3_sub(x, b->at))); }
SCREE_FN vec3 view_direction(const placed *b, vec3 v) { return mat3_tmul(b->turn, v); }

/* A mesh without border has an inside and pushes bodies out even if their centres are inside. */
SCREE_FN bool wall_closed(const walls *s, const wall *w)
{
	for (int32_t i = 0; i < w->facets; ++i) {
		const facet *f = s->facet + w->first_facet + i;
		for (int32_t k = 0; k < f->corners; ++k)
			if (s->next[f->first + k] == EDGE_OPEN) return false;
	}
	return w->facets > 3;
}

/* Tests whether the boxes of a ball and a facet are apart. Additional candidates would not affect the result. */
SCREE_FN bool outside_box(const facet *f, vec3 c, real r)
{
	return c.x - r > f->high.x || c.y - r > f->high.y || c.z - r > f->high.z || c.x + r < f->low.x ||
		   c.y + r < f->low.y || c.z + r < f->low.z;
}

/* Tests whether a point's foot is on the facet. */
SCREE_FN bool is_over(const walls *s, const facet *f, vec3 p)
{
	int32_t k = f->first, end = f->first + f->corners;
	while (k < end && v3_dot(s->outward[k], v3_sub(p, s->corner[k])) <= 0) ++k;
	return k == end;
}

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
/* Allocates one number per vertex. */
void scree_wall_vertices(wall_scratch *w, const shape *s);
/* Computes each vertex's overlap with the half space n.p <= off, in scratch.depth; returns the largest overlap. */
real scree_wall_depths(wall_scratch *w, const shape *s, vec3 n, real off);
/* Finds nodes and arm of the region behind the plane with normal n, after scree_wall_depths. The scratch's facets first
 * .. last-1, if any, bound the region. Returns the largest overlap of all nodes. */
real scree_wall_region(wall_scratch *w, const shape *s, vec3 n, const walls *from, int32_t first, int32_t last);
/* Finds the part of the line x + s u, 0 <= s <= length, inside the body; returns false if there is no such part. */
bool scree_wall_chord(const shape *s, vec3 x, vec3 u, real length, real *s0, real *s1);
/* Finds the part of the line x + s u, 0 <= s <= length, behind the body's surface as seen along m: for each of its
 * points, the body is along -m or contains the point. */
bool scree_wall_shadow(const shape *s, vec3 x, vec3 u, real length, vec3 m, real *s0, real *s1);
/* Adds the nodes along the part s0 .. s1 of a line that pushes along m, and the line's pressure. */
void scree_wall_line(wall_scratch *w, const shape *s, vec3 x, vec3 u, real s0, real s1, vec3 m, real strength);
/* Returns the largest depth of the body behind the plane through x with normal m. */
real scree_wall_reach(const shape *s, vec3 x, vec3 m);

/* patch.c, for fold_region.c: computes face f as a polygon in w->poly[0], cut at the plane, and then the polygon's
 * intersection with a facet. The result is in an array that is overwritten by the next call. */
int32_t scree_wall_face_under(wall_scratch *w, const shape *s, int32_t f);
const wall_corner *scree_wall_cut_face(wall_scratch *w, int32_t count, const walls *from, const wall_facet *on,
									   int32_t *left);
/* Finds the faces of the body that face the wall. For the arm, only faces that are not much steeper than the flattest
 * face are needed; steeper faces have almost no projected area (as in solid/convex_patch.c). */
wall_facing scree_wall_facing(const shape *s, vec3 n);
SCREE_FN real wall_slope(const wall_facing *o, const shape *s, int32_t f) { return -v3_dot(shape_normal(s, f), o->n); }
SCREE_FN bool wall_looks_at(const wall_facing *o, const shape *s, int32_t f)
{
	return wall_slope(o, s, f) > WALL_STEEP;
}
SCREE_FN real wall_presses(const wall_facing *o, const shape *s, int32_t f)
{
	return real_min((wall_slope(o, s, f) - o->least) * o->inverse, 1);
}

SCREE_FN void wall_centroid_add(wall_centroid *c, const wall_corner *p, int32_t count, vec3 n)
{
	vec3 a = v3_sub(p[0].p, c->from);
	vec3 b = v3_sub(p[1].p, c->from);
	for (int32_t i = 2; i < count; ++i) {
		vec3 e = v3_sub(p[i].p, c->from);
		real t = real_abs(v3_dot(n, v3_cross(v3_sub(b, a), v3_sub(e, a)))) / 2;
		c->area += t;
		c->moment = v3_madd(c->moment, t / 3, v3_add(a, v3_add(b, e)));
		b = e;
	}
}
SCREE_FN vec3 wall_centroid_at(wall_centroid c) { return c.area > 0 ? v3_madd(c.from, 1 / c.area, c.moment) : c.from; }

/* Returns the area at either end of a side, in the triangle with the centroid. */
SCREE_FN real wall_share(vec3 n, vec3 c, vec3 p, vec3 q)
{
	return real_abs(v3_dot(n, v3_cross(v3_sub(p, c), v3_sub(q, c)))) / 4;
}

SCREE_FN real wall_strength(const wall_scratch *w, int32_t first, int32_t last)
{
	real sum = 0;
	for (int32_t i = first; i < last; ++i) sum += w->node[i].s;
	return sum;
}
SCREE_FN void wall_scale_to(wall_scratch *w, int32_t first, int32_t last, real whole)
{
	const real sum = wall_strength(w, first, last);
	for (int32_t i = first; i < last; ++i) w->node[i].s *= sum > 0 ? whole / sum : 0;
}

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
/* Finds contacts between facets and a round body with this centre and bounding radius, as for a ball. */
void scree_round_facets(const round_body *body, vec3 centre, real radius, const near_wall *to, touch_list *out);

/* the functions called by forms.c */
void scree_sphere_plane(vec3 sphere, real radius, const wall *w, touch_list *out);
void scree_sphere_round(vec3 sphere, real radius, const wall *w, touch_list *out);
void scree_convex_plane(const placed *body, const wall *w, touch_list *out);
void scree_convex_round(const placed *body, const wall *w, touch_list *out);
void scree_convex_facets(const placed *body, const near_wall *to, touch_list *out);
void scree_sphere_facets(vec3 sphere, real radius, const near_wall *to, touch_list *out);

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
