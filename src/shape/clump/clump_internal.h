/* clump_internal.h: distances to a surface and a grid of covered volume, private to clump_fit.c and clump_cover.c. */
#ifndef SCREE_SHAPE_CLUMP_CLUMP_INTERNAL_H
#define SCREE_SHAPE_CLUMP_CLUMP_INTERNAL_H

#include "shape/mesh/trimesh.h"

typedef struct sphere {
	vec3 centre;
	real radius;
} sphere;

typedef struct near_surface {
	vec3 at; /* the nearest point of the surface */
	real apart;
	int32_t triangle;
} near_surface;

/* hint: a triangle that may be near, such as the triangle of the last call */
near_surface scree_trimesh_near(const trimesh *m, vec3 p, int32_t hint);

/* The box around a surface, divided into n[0] n[1] n[2] equal bricks; the bricks of row (y, z) are contiguous, and
 * points are the centres of bricks. Each brick has a covered fraction from 0 to 1, which is 1 outside the surface. */
typedef struct cover_grid {
	vec3 from, step; /* from: centre of the first brick; step: the sides of a brick */
	real blur;		 /* approximate length of a brick's sides */
	int32_t n[3];
	int64_t inside;		  /* number of points inside the surface */
	unsigned char *solid; /* [n[0] n[1] n[2]] 1: inside */
	real *depth;		  /* for points inside: distance to the surface */
	real *covered;
} cover_grid;

/* Points that are not completely covered, stored contiguously. */
typedef struct open_points {
	int32_t count;
	real *x, *y, *z, *covered;
} open_points;

void scree_cover_make(cover_grid *g, const trimesh *m, real volume, int32_t spheres); /* fine enough for `spheres` */
vec3 scree_cover_point(const cover_grid *g, int32_t x, int32_t y, int32_t z);
void scree_cover_clear(cover_grid *g); /* sets all fractions to 0 */
void scree_cover_free(cover_grid *g);
real scree_cover_gain(const cover_grid *g, sphere s); /* number of points that s would add */
/* scree_cover_open collects the open points in a cube; `o` must have room for all points inside. scree_cover_gain_of
 * returns the number of these points that a sphere within the cube would additionally cover. */
void scree_cover_open(const cover_grid *g, vec3 middle, real half, open_points *o);
real scree_cover_gain_of(const open_points *o, real blur, sphere s);
void scree_cover_add(cover_grid *g, sphere s);
void scree_cover_remove(cover_grid *g, int32_t count, const sphere *all, int32_t i);
real scree_cover_sum(const cover_grid *g); /* number of covered points inside, as a sum of fractions */

#endif
