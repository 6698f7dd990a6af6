/* room.h: what the functions of src/narrow/surface share of their work: pairs of triangles on their way through the
 * filters, minima that were found. Private to src/narrow/surface. */
#ifndef SCREE_NARROW_SURFACE_ROOM_H
#define SCREE_NARROW_SURFACE_ROOM_H

#include "narrow/surface/skin.h"
#include "narrow/surface/surface.h"
#include "narrow/triangle/triangles.h"

enum { SURFACE_AT_ONCE = 64 };

/* of the shortest edge: nearer points are one; of the size: nearer ones may be, for all that is known of them */
static const real SURFACE_SNAP = (real)1e-9, SURFACE_ROUNDED = (real)1e-14;

typedef struct surface_minimum {
	uint64_t feature;
	int32_t surface;
	vec3 normal, at; /* as of point_found */
	real distance;
} surface_minimum;

typedef struct surface_places {
	int32_t capacity;
	vec3 *place;
	uint32_t *known, now;
} surface_places;

/* Facets of a wall as a skin. */
typedef struct surface_sheet {
	int32_t capacity; /* triangles */
	vec3 *vertex, *normal;
	int32_t *corner, *across, *first, *row, *surface;
	real *bend;
	int32_t facet_capacity, *from; /* [facets] their first triangle */
} surface_sheet;

/* Triangles as trees.c looks at them: those of a leaf side by side. */
typedef struct surface_leaves {
	int32_t capacity;
	real *row[6];	 /* [capacity] middle and half size of the box along the axes of the world; m */
	vec3 *normal;	 /* [capacity] along the same axes */
	uint32_t *known; /* [capacity] of the first triangle of a leaf: the job for which it was filled */
} surface_leaves;
struct surface_node;

struct surface_room {
	surface_places of_a, of_b;
	/* trees.c */
	uint32_t job;
	surface_leaves leaves[2];
	int32_t node_capacity;
	struct surface_node *node; /* of b, as a sees them */
	int32_t minima, minima_capacity;
	surface_minimum *minimum;
	/* triangles to be compared */
	int32_t waiting, ta[SURFACE_AT_ONCE], tb[SURFACE_AT_ONCE];
	double c[18][SURFACE_AT_ONCE];
	float c_float[18][SURFACE_AT_ONCE]; /* the same, where the run compares in float */
	triangle_gap gap[SURFACE_AT_ONCE];
	triangle_gap_float gap_float[SURFACE_AT_ONCE];
	surface_sheet sheet;
};

/* What is asked about two surfaces. */
typedef struct surface_job {
	skin a, b;
	const walls *walls; /* whose facets b is; NULL: none */
	real reach;			/* sum of the halos */
	real snap;			/* m: nearer points are one */
	real least;			/* lower bound of the distance of what was left out */
	bool crossed;
	struct surface_room *room;
	real rounded; /* m: error of a coordinate where triangles are compared in float, else 0 */
	triangle_choice how;
	surface_counts *counts;
	const surface_team *team; /* or NULL */
	bool walks;				  /* the room has forgotten what trees.c knew of other jobs */
} surface_job;

struct surface_room *scree_surface_room(surface_scratch *s);
/* Room for the places of that many vertices, none of which is known. */
void scree_surface_forget(surface_places *p, int32_t vertices, skin *s);
skin scree_skin_of(const placed_surface *p, vec3 origin, surface_places *places);

/* One more pair of triangles; many are compared at once, and scree_surface_compare at the end compares the rest. Minima
 * go to the room. */
void scree_surface_pair(surface_job *j, int32_t ta, int32_t tb);
void scree_surface_compare(surface_job *j);

/* Asks for pairs of triangles, from where each of the starts from .. to-1 leads. */
typedef void surface_walk(surface_job *j, const void *what, int32_t from, int32_t to);
/* team.c: from all starts 0 .. count-1, by all threads of the job's team, and compares what was asked for. */
void scree_surface_walk(surface_job *j, surface_walk *walk, const void *what, int32_t count);
/* All items 0 .. count-1, by all threads of the team if there is one. */
void scree_surface_each(const surface_team *team, parallel_fn *work, void *what, int32_t count);

/* trees.c: all pairs of triangles that may not be farther apart than reach, compared; and a lower bound,
 * but for rounding, of the distance of the boxes around both. */
void scree_surface_trees(surface_job *j, const placed_surface *a, const placed_surface *b, real reach);
real scree_surface_boxes_apart(const placed_surface *a, const placed_surface *b);
void scree_surface_trees_free(struct surface_room *r);

/* surface_facets.c, surface_round.c: minima with one wall, of which places are as seen from the centre of a */
typedef struct surface_at_wall {
	const placed_surface *a;
	const walls *walls;
	const wall *wall;
	int32_t facets;
	const int32_t *facet;
} surface_at_wall;
void scree_surface_facets(surface_job *j, const surface_at_wall *o);
void scree_surface_plane(surface_job *j, const surface_at_wall *o);
void scree_surface_round(surface_job *j, const surface_at_wall *o);
/* A minimum at place x of feature f, from where a way of `distance` along -normal leads to the wall's feature. */
void scree_surface_found_wall(surface_job *j, feature f, vec3 x, vec3 normal, real distance, int32_t surface,
							  uint32_t of_wall);

/* The vertices, edges and faces of two triangles that are not farther apart than reach: minima.c */
void scree_surface_minima(surface_job *j, int32_t ta, int32_t tb);
surface_minimum *scree_surface_found(struct surface_room *r);

/* The minima as contacts: each once, and what is too near to a deeper one is one with it. apart: m */
typedef struct surface_rule {
	real reach, apart, ra, rb;
} surface_rule;
void scree_surface_contacts(struct surface_room *r, const surface_rule *rule, surface_counts *counts, point_list *out);

#endif
