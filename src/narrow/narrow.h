/* narrow.h: contacts between two bodies, or between a body and a wall, computed only from the poses. */
#ifndef SCREE_NARROW_NARROW_H
#define SCREE_NARROW_NARROW_H

#include "base/real.h"
#include "kernel/patch.h"
#include "model/narrow.h"
#include "shape/shapes.h"
#include "wall/walls.h"

/* A shape with its position and orientation. */
typedef struct placed {
	const shape *shape;
	vec3 at;   /* position of the centre of mass */
	mat3 turn; /* rotation from the principal frame to the frame in which `at` is given */
	real size;
} placed;
SCREE_FN bool placed_is_ball(const placed *p) { return p->shape->type == SHAPE_SPHERE; }
SCREE_FN bool placed_is_smooth(const placed *p) { return p->shape->type == SHAPE_SUPERQUADRIC; }
SCREE_FN bool placed_is_capsule(const placed *p) { return p->shape->type == SHAPE_CAPSULE; }
SCREE_FN real placed_radius(const placed *p)
{
	return p->size * p->shape->radius;
} /* radius of the shape's bounding sphere */

/* Finds the contact between two convex polyhedra; normal from b to a, points relative to a's centre
 * (docs/theory/convex.md). out->points is 0 if the bodies do not touch. hint: the `axis` from the last call for this
 * pair, or 0 if none; the hint does not affect the result */
void scree_convex_convex(const placed *a, const placed *b, int32_t hint, patch *out);
/* Gives bitwise the same result as scree_convex_convex, from the data kept for the pair (work/pair_work.h). */
struct pair_kept;
void scree_convex_kept(const placed *a, const placed *b, int32_t hint, uint8_t *waited, struct pair_kept *kept,
					   patch *out);
/* Finds the contact, with at most one point, between a sphere whose size is its diameter and a convex polyhedron;
 * normal from b to a. */
void scree_sphere_convex(vec3 sphere, real radius, const placed *b, int32_t hint, patch *out);

/* Contact between a body and one surface of a wall, with rows first .. first+points-1 of the list's arrays. */
typedef struct touch {
	int32_t surface;
	int32_t feature; /* distinguishes contacts with the same surface; depends only on shapes and poses */
	int32_t points, first;
	real place;	 /* angle of the contact around the axis, for smooth bodies touching round walls */
	vec3 normal; /* from the wall to the body */
	real depth;	 /* largest overlap */
	real pitch;	 /* couple about the normal; see patch.pitch */
	real arm;	 /* lever arm of friction against rotation; see patch.arm */
	real part;	 /* fraction of a full contact's stiffness */
	vec3 hold;	 /* centre of the area relative to the body's centre; see patch.hold */
} touch;

typedef struct touch_list {
	int32_t count, capacity;
	touch *item;
	int32_t points, point_capacity;
	vec3 *at; /* from the centre of the body, midway between the surfaces */
	real *deep, *weight;
	feature_counts features;	  /* sums over all calls; not reset with the list */
	struct wall_scratch *scratch; /* memory reused by the functions below, and private to them */
} touch_list;

/* Finds all contacts between a body and one wall: at most one per surface, unaffected by seams. All data are in the
 * wall's frame. The list is cleared first, and surfaces are in ascending order. facet: the candidates, rows of
 * walls.facet in ascending order (planes, cylinders and cones have none). The candidates must include all facets whose
 * bounds overlap the box of the body's bounding sphere; other facets do not affect the result */
void scree_sphere_wall(vec3 sphere, real radius, const near_wall *to, touch_list *out);
void scree_convex_wall(const placed *body, const near_wall *to, touch_list *out);
/* reason why scree_convex_wall does not support this wall, or NULL if it does */
const char *scree_convex_refuses(const walls *s, int32_t wall);
/* Contacts between two bodies: patches with individual normals, sorted by feature. */
typedef struct patch_list {
	int32_t count, capacity;
	patch *item;
	uint64_t *feature; /* identifies a contact as long as it lasts; depends only on shapes and poses */
} patch_list;
/* Adds a patch, which the caller fills. */
patch *scree_patch_list_add(patch_list *l, uint64_t feature);
void scree_patch_list_free(patch_list *l);

/* A contact with one point; a pair of bodies may have several contacts. */
typedef struct point_found {
	uint64_t feature; /* identifies the contact; depends only on shapes and poses */
	int32_t surface;  /* surface of a wall */
	vec3 normal, at;  /* from b to a; from the centre of a */
	real depth;		  /* m, > 0 */
	real ra, rb;	  /* radii of the bodies at the contact point, in m */
	real part;		  /* fraction of this overlap's force that acts, because capsule contacts fade into each other */
} point_found;

typedef struct point_list {
	int32_t count, capacity;
	point_found *item;
} point_list;

void scree_point_list_add(point_list *l, point_found p);
void scree_point_list_free(point_list *l);

void scree_touch_list_free(touch_list *t);

/* Finds the first wall that the centre of an unobstructed body reaches from this position with this velocity. Returns
 * this wall if it is at rest, one-sided, and reached from behind, where it makes no contact; otherwise returns -1. */
struct model;
struct state;
struct work;
int32_t scree_falls_to_back(const struct model *m, const struct state *s, vec3 at, vec3 velocity);
/* Tests whether a ball at this position touches a wall: new bodies must not touch walls. */
bool scree_ball_meets_wall(const struct model *m, const struct state *s, int32_t wall, vec3 at, real radius);
/* At least one body must be a superquadric or a capsule, and neither may be a surface with a halo. */
bool scree_bodies_meet(const placed *a, const placed *b);
/* Tests whether a superquadric or a capsule touches a wall, in the wall's frame. */
bool scree_curved_meets_wall(const struct model *m, int32_t wall, const placed *body);

/* Returns a lower bound on the distance, in m, between two separate convex pieces (balls and polyhedra, or discs,
 * ellipses, and polygons in the plane). For overlapping pieces, returns minus the length of the shortest separating
 * translation. The result does not depend on the law or on the order of the pieces. */
real scree_gap(const placed *a, const placed *b, bool flat);

#endif
