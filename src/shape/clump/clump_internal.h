/* clump_internal.h: inside of clump_fit.c: distances to a surface, and a grid that knows what is covered. */
#ifndef SCREE_SHAPE_CLUMP_CLUMP_INTERNAL_H
#define SCREE_SHAPE_CLUMP_CLUMP_INTERNAL_H

#include "shape/mesh/trimesh.h"

typedef struct sphere {
	vec3 centre;
	real radius;
} sphere;

typedef struct near_surface {
	vec3 at; /* the point of the surface next to where it was asked for */
	real apart;
	int32_t triangle;
} near_surface;

/* hint: a triangle that may be near, such as that of the last answer */
near_surface scree_trimesh_near(const trimesh *m, vec3 p, int32_t hint);

/* The box of a surface in n[0] n[1] n[2] equal bricks, and their middles, those of row (y, z) side by side. Of each,
 * how much of it is covered: 0 to 1; outside of the surface all is. */
typedef struct cover_grid {
	vec3 from, step; /* the first middle; the sides of a brick */
	real blur;		 /* about a side */
	int32_t n[3];
	int64_t inside;		  /* how many points are */
	unsigned char *solid; /* [n[0] n[1] n[2]] 1: inside */
	real *depth;		  /* of points inside: distance to the surface */
	real *covered;
} cover_grid;

/* Points that are not wholly covered, side by side. */
typedef struct open_points {
	int32_t count;
	real *x, *y, *z, *covered;
} open_points;

/* fine enough for this many spheres */
void scree_cover_make(cover_grid *g, const trimesh *m, real volume, int32_t spheres);
vec3 scree_cover_point(const cover_grid *g, int32_t x, int32_t y, int32_t z);
void scree_cover_clear(cover_grid *g); /* nothing covers anything */
void scree_cover_free(cover_grid *g);
/* what a sphere would cover that nothing covers yet, in points */
real scree_cover_gain(const cover_grid *g, sphere s);
/* the open points in a cube, with room for all that are inside; what a sphere within it would cover of them */
void scree_cover_open(const cover_grid *g, vec3 middle, real half, open_points *o);
real scree_cover_gain_of(const open_points *o, real blur, sphere s);
void scree_cover_add(cover_grid *g, sphere s);
/* takes sphere i of these out again */
void scree_cover_remove(cover_grid *g, int32_t count, const sphere *all, int32_t i);
real scree_cover_sum(const cover_grid *g); /* covered points inside */

#endif
