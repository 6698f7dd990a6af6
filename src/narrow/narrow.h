/* narrow.h: contact of two bodies, or of a body and a wall, as functions of their poses alone. */
#ifndef SCREE_NARROW_NARROW_H
#define SCREE_NARROW_NARROW_H

#include "base/real.h"
#include "kernel/patch.h"
#include "model/narrow.h"
#include "shape/shapes.h"
#include "wall/walls.h"

/* A shape at a place. */
typedef struct placed {
	const shape *shape;
	vec3 at;   /* centre of mass */
	mat3 turn; /* principal frame to the frame of `at` */
	real size;
} placed;

/* Contact of two convex polyhedra, normal from b to a, points from a's centre (docs/theory/convex.md). out->points is 0
 * without contact. hint is the `axis` that the last call with this pair gave (0: none): it never changes the result. */
void scree_convex_convex(const placed *a, const placed *b, int32_t hint, patch *out);
/* The same bits, with what is kept of the pair (state/pairs.h). */
struct pair_kept;
void scree_convex_kept(const placed *a, const placed *b, int32_t hint, uint8_t *waited, struct pair_kept *kept,
					   patch *out);
/* Sphere (its size is its diameter) and convex polyhedron: one point at most; normal from b to a. */
void scree_sphere_convex(vec3 sphere, real radius, const placed *b, int32_t hint, patch *out);

/* What a body has with one surface of a wall. Its points are rows first .. first+points-1 of the list's arrays. */
typedef struct touch {
	int32_t surface;
	int32_t points, first;
	vec3 normal; /* from the wall to the body */
	real depth;	 /* greatest overlap */
	real pitch;	 /* as patch.pitch */
	real arm;	 /* as patch.arm */
	real part;	 /* of the stiffness that it would have alone */
	vec3 hold;	 /* as patch.hold, from the centre of the body */
} touch;

typedef struct touch_list {
	int32_t count, capacity;
	touch *item;
	int32_t points, point_capacity;
	vec3 *at; /* from the centre of the body, midway between the surfaces */
	real *deep, *weight;
	feature_counts features;	  /* of all calls: not emptied with the list */
	struct wall_scratch *scratch; /* room that the functions below reuse; private to them */
} touch_list;

/* All contacts of a body with one wall: at most one for each surface, seams filtered. Everything is in the wall's
 * frame. facet: the candidate facets, rows of walls.facet in rising order, all whose bounds meet the box of the body's
 * bounding sphere; more change nothing (planes, cylinders and cones have none). The list is emptied first; surfaces
 * come in rising order. */
void scree_sphere_wall(vec3 sphere, real radius, const walls *s, int32_t wall, int32_t facets, const int32_t *facet,
					   touch_list *out);
void scree_convex_wall(const placed *body, const walls *s, int32_t wall, int32_t facets, const int32_t *facet,
					   touch_list *out);
/* Contacts of two bodies: patches with normals of their own, by rising features. */
typedef struct patch_list {
	int32_t count, capacity;
	patch *item;
	uint64_t *feature; /* what tells one from the others, as long as it lasts: a function of shapes and poses alone */
} patch_list;
/* One more, to be filled in. */
patch *scree_patch_list_add(patch_list *l, uint64_t feature);
void scree_patch_list_free(patch_list *l);

/* One contact with one point, of several that a pair has. */
typedef struct point_found {
	uint64_t feature; /* what tells one from the others: a function of shapes and poses alone */
	int32_t surface;  /* of a wall */
	vec3 normal, at;  /* from b to a; from the centre of a */
	real depth;		  /* m, > 0 */
	real ra, rb;	  /* m, radii where they touch */
} point_found;

typedef struct point_list {
	int32_t count, capacity;
	point_found *item;
} point_list;

point_found *scree_point_list_add(point_list *l, uint64_t feature);
void scree_point_list_free(point_list *l);

void scree_touch_list_free(touch_list *t);

/* The wall through whose back a body's centre falls that starts here with this velocity, if bodies are not in its way:
 * the first one that it meets, still and one-sided, and met from where it sees nothing; -1: none. */
struct model;
struct state;
struct work;
int32_t scree_falls_to_back(const struct model *m, const struct state *s, vec3 at, vec3 velocity);

#endif
