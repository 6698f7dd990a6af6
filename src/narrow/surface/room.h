/* room.h: working arrays for the filters of triangle pairs, and for minima. Private to src/narrow/surface. */
#ifndef SCREE_NARROW_SURFACE_ROOM_H
#define SCREE_NARROW_SURFACE_ROOM_H

#include "narrow/surface/surface.h"
#include "narrow/triangle/triangles.h"

/* Sine up to which the surface next to a point counts as level. Areas within this angle of being parallel touch at the
 * corners of their common area (docs/theory/halo.md). */
static const real LEVEL = (real)1 / 32;

/* Values of `across` for a side without a neighbour, or on the face of another facet. */
enum { SKIN_OPEN = -1, SKIN_COVERED = -2 };

typedef struct skin {
	int32_t triangles;
	const vec3 *vertex, *normal; /* in the surface's own frame */
	const int32_t *corner, *across, *plane, *first;
	const real *bend;
	vec3 at;
	mat3 turn;
	real size, halo;
	real rough; /* distance, in m, of facet corners from the facets' planes due to rounding in a file; 0 for bodies */
	bool two_sided;
	/* for facets of a wall: row of walls.corner for each corner, and surface for each triangle; NULL for a body */
	const int32_t *row, *surface;
	/* positions of vertices, computed on demand */
	vec3 *place;
	uint32_t *known, now;
} skin;

enum feature_kind { FEATURE_VERTEX, FEATURE_EDGE, FEATURE_FACE };
typedef struct feature {
	enum feature_kind kind;
	int32_t side; /* for triangle t: 3 t + corner for a vertex, 3 t + side for an edge, 3 t for the face */
} feature;

SCREE_FN vec3 skin_place(const skin *s, int32_t vertex)
{
	if (s->known[vertex] != s->now) {
		s->known[vertex] = s->now;
		s->place[vertex] = v3_add(s->at, mat3_mul(s->turn, v3_mul(s->size, s->vertex[vertex])));
	}
	return s->place[vertex];
}
SCREE_FN vec3 skin_corner(const skin *s, int32_t side) { return skin_place(s, s->corner[side]); }
SCREE_FN vec3 skin_normal(const skin *s, int32_t t) { return mat3_mul(s->turn, s->normal[t]); }

/* True if a side is neither inside a flat face nor on another face. The lower of an edge's two sides represents it. */
SCREE_FN bool side_is_edge(const skin *s, int32_t side) { return s->across[side] == SKIN_OPEN || s->bend[side] != 0; }
SCREE_FN int32_t side_of_edge(const skin *s, int32_t side)
{
	return s->across[side] >= 0 && s->across[side] < side ? s->across[side] : side;
}
SCREE_FN bool vertex_is_flat(const skin *s, int32_t side) { return s->first[s->corner[side]] < 0; }

/* Tests whether a point of this vertex or edge may be nearest to a body in the direction `towards` (a unit vector in
 * the skin's frame). slack: sine up to which directions count as level */
bool scree_skin_vertex_nearest(const skin *s, int32_t side, vec3 towards, real slack);
bool scree_skin_edge_nearest(const skin *s, int32_t side, vec3 towards, real slack);
/* The mean normal of the faces around a feature, in the frame of `at`, for distances too small for a direction. */
vec3 scree_skin_outward(const skin *s, feature f);
/* Finds the open sides at an edge or a vertex; returns their number, at most two. */
int scree_skin_borders(const skin *s, feature f, int32_t side[2]);
/* Returns the name of a feature, encoded in 32 bits; for a wall, `surface` is the surface of the feature. */
uint32_t scree_skin_name(const skin *s, feature f);
int32_t scree_skin_surface(const skin *s, feature f);
/* The feature of t that is closest to p. A point closer than `snap` to an edge or a vertex counts as a point of it. */
feature scree_skin_closest(const skin *s, int32_t t, vec3 p, real snap, vec3 *closest);

enum { SURFACE_AT_ONCE = 64 };

/* SURFACE_SNAP: distance, relative to the shortest edge, below which points coincide; SURFACE_ROUNDED: distance,
 * relative to the size, below which points may coincide within rounding */
static const real SURFACE_SNAP = (real)1e-9, SURFACE_ROUNDED = (real)1e-14;

typedef struct surface_minimum {
	uint64_t feature;
	int32_t surface;
	vec3 normal, at; /* as in point_found */
	real distance;
} surface_minimum;

typedef struct surface_places {
	int32_t capacity;
	vec3 *place;
	uint32_t *known, now;
} surface_places;

/* Facets of a wall as a surface made of triangles. */
typedef struct surface_sheet {
	int32_t capacity; /* capacity in triangles */
	vec3 *vertex, *normal;
	int32_t *corner, *across, *first, *row, *surface;
	real *bend;
	int32_t facet_capacity, *from; /* [facets] first triangle of each facet */
} surface_sheet;

/* Triangles of a tree's leaves, stored in arrays for trees.c. */
typedef struct surface_leaves {
	int32_t capacity;
	real *row[6];	 /* [capacity] centre and half size of the box along the axes of the world, in m */
	vec3 *normal;	 /* [capacity] normals along the axes of the world */
	uint32_t *known; /* [capacity] for the first triangle of a leaf: number of the job for which the leaf's entries were
						filled */
} surface_leaves;
struct surface_node;

struct surface_room {
	surface_places of_a, of_b;
	/* trees.c: number of the current job */
	uint32_t job;
	surface_leaves leaves[2];
	int32_t node_capacity;
	struct surface_node *node; /* nodes of b in the frame of a */
	int32_t minima;
	int64_t minima_capacity;
	surface_minimum *minimum;
	/* triangles to compare */
	int32_t waiting, ta[SURFACE_AT_ONCE], tb[SURFACE_AT_ONCE];
	double c[18][SURFACE_AT_ONCE];
	float c_float[18][SURFACE_AT_ONCE]; /* corners of the triangles to compare in single precision */
	triangle_gap gap[SURFACE_AT_ONCE];
	triangle_gap_float gap_float[SURFACE_AT_ONCE];
	surface_sheet sheet;
};

typedef struct surface_job {
	skin a, b;
	const walls *walls; /* the walls if b consists of their facets, otherwise NULL */
	real reach;			/* sum of the halos */
	real snap;			/* distance, in m, within which points coincide */
	real least;			/* lower bound on the distance in excluded pairs */
	bool crossed;
	struct surface_room *room;
	real rounded; /* error of a coordinate, in m, if triangles are compared in single precision, otherwise 0 */
	triangle_choice how;
	surface_counts *counts;
	const surface_team *team; /* threads that share the work on the query, or NULL */
	bool walks;				  /* whether the nodes and leaves of trees.c were cleared for this job */
} surface_job;

struct surface_room *scree_surface_room(surface_scratch *s);
void scree_surface_places_free(surface_places *p);
/* Allocates positions for this number of vertices and marks all of them as unknown. */
void scree_surface_forget(surface_places *p, int32_t vertices, skin *s);
skin scree_skin_of(const placed_surface *p, vec3 origin, surface_places *places);

/* Adds a pair of triangles. Pairs are compared in batches; a final call of scree_surface_compare compares the last
 * batch. Minima are added to the working arrays. */
void scree_surface_pair(surface_job *j, int32_t ta, int32_t tb);
void scree_surface_compare(surface_job *j);

/* A function that adds the pairs of triangles below the starting points from .. to-1. */
typedef void surface_walk(surface_job *j, const void *what, int32_t from, int32_t to);
/* team.c: runs `walk` from all starting points on all threads of the job's team, then compares the added pairs. */
void scree_surface_walk(surface_job *j, surface_walk *walk, const void *what, int32_t count);
/* Runs `work` for all items 0 .. count-1, on all threads of the team if there is one. */
void scree_surface_each(const surface_team *team, parallel_fn *work, void *what, int32_t count);

/* trees.c: compares all pairs of triangles whose boxes are within reach. */
void scree_surface_trees(surface_job *j, const placed_surface *a, const placed_surface *b, real reach);
real scree_surface_boxes_apart(const placed_surface *a, const placed_surface *b);
void scree_surface_trees_free(struct surface_room *r);

/* surface_facets.c, surface_round.c: minima with one wall; positions are relative to the centre of body a */
typedef struct surface_at_wall {
	const placed_surface *a;
	const near_wall *to;
	const wall *wall;
} surface_at_wall;
void scree_surface_facets(surface_job *j, const surface_at_wall *o);
void scree_surface_round(surface_job *j, const surface_at_wall *o);
/* Adds a minimum at point x of feature f. The closest feature of the wall is at the given distance along -normal. */
void scree_surface_found_wall(surface_job *j, feature f, vec3 x, vec3 normal, real distance, int32_t surface,
							  uint32_t of_wall);

/* minima.c: tests the vertices, edges and faces of two triangles within reach. */
void scree_surface_minima(surface_job *j, int32_t ta, int32_t tb);
surface_minimum *scree_surface_found(struct surface_room *r);

/* Converts minima to contacts, without duplicates: a minimum near a deeper one is merged into that one. apart: m */
typedef struct surface_rule {
	real reach, apart, ra, rb;
} surface_rule;
void scree_surface_contacts(struct surface_room *r, const surface_rule *rule, surface_counts *counts, point_list *out);

#endif
