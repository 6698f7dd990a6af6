/* clump_fit.h: a clump that fills a closed surface of triangles (docs/theory/shapes.md, "Clumps"). */
#ifndef SCREE_SHAPE_CLUMP_CLUMP_FIT_H
#define SCREE_SHAPE_CLUMP_CLUMP_FIT_H

#include "shape/mesh/trimesh.h"

typedef struct clump_spheres {
	int32_t count;
	vec3 *centre; /* in the frame of the surface */
	real *radius; /* in descending order */
	real covered; /* fraction of the interior that is covered: exact if no sphere may protrude, otherwise from a grid */
	real farthest; /* largest distance of the vertices, and of several thousand other points, from the spheres */
} clump_spheres;

/* Finds at most `count` spheres that fill the interior, fewer if others would cover nothing new. Each has the largest
 * radius possible if spheres may protrude by `excess` times the longest side of the surface's box. Results are
 * reproducible. Refuses a count below 1 or above CLUMP_MOST, an excess below 0 or above 1, and tiny interiors. */
bool scree_clump_fit(const trimesh *m, int32_t count, real excess, clump_spheres *out, fail *why);
void scree_clump_spheres_free(clump_spheres *s);

#endif
