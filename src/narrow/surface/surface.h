/* surface.h: contacts of closed surfaces with a halo, as functions of their poses alone (docs/theory/halo.md).
 *
 * A contact is a local minimum of the distance of two surfaces that is less than the sum of their halos. It is named
 * by its features, vertices, edges and faces, not by triangles. */
#ifndef SCREE_NARROW_SURFACE_SURFACE_H
#define SCREE_NARROW_SURFACE_SURFACE_H

#include "base/parallel.h"
#include "narrow/narrow.h"
#include "narrow/triangle/triangles.h"
#include "shape/mesh/trimesh.h"
#include "wall/walls.h"

/* Number of pairs decided by each filter. */
typedef struct surface_counts {
	int64_t boxes;		/* pairs of bodies, by the boxes around them */
	int64_t tree;		/* pairs of triangles, by the trees of boxes; this and the next counts are of triangles */
	int64_t surrogates; /* by the surrogates of nodes */
	int64_t planes;		/* by the plane of one of them */
	int64_t slab, newton, brute, thorough; /* docs/theory/triangles.md */
	int64_t uncertified;				   /* pairs whose bounds are not certain: should be 0 */
	int64_t no_minima;					   /* pairs of features within the halos that are no minimum */
	int64_t duplicates;					   /* minima joined with a deeper one nearby */
} surface_counts;

/* Memory that calls reuse: nothing is allocated once it is large enough. {0} is an empty one. */
typedef struct surface_scratch {
	surface_counts counts; /* calls add to it */
	struct surface_room *room;
	triangle_choice how;			 /* {0}: certified */
	const struct surface_team *team; /* threads that share the triangles of a pair; NULL: the caller alone */
} surface_scratch;
/* The scratch of each thread; that of the caller, thread 0, has the team. Results do not depend on it. */
typedef struct surface_team {
	int32_t threads;
	bool even; /* one part of the work per thread; else small parts, taken dynamically */
	surface_scratch *of[SCREE_MOST_THREADS];
} surface_team;
void scree_surface_scratch_free(surface_scratch *s);

typedef struct placed_surface {
	const trimesh *of;
	vec3 at;   /* position of the surface's origin, the centre of mass */
	mat3 turn; /* rotation from its frame to the frame of `at` */
	real size;
	real halo;	/* m */
	real round; /* m, radius at contacts for laws: their ra or rb */
} placed_surface;

/* Adds the contacts to `out`, by rising features. depth is halo + halo - distance; `at` is the middle of the halos'
 * common range. crossed is set if surfaces cross or one body is inside of the other: crossing pairs of triangles have
 * no contact. Returns a lower bound of the distance of the halos if nothing touches; 0 if unknown. */
real scree_surface_surface(const placed_surface *a, const placed_surface *b, surface_scratch *scratch, point_list *out,
						   bool *crossed);
/* The sphere is body a, without a halo; crossed: its centre is inside of b. */
real scree_sphere_surface(vec3 centre, real radius, const placed_surface *b, surface_scratch *scratch, point_list *out,
						  bool *crossed);
/* All data are in the wall's frame; contacts by rising surfaces of the wall, then features. facet: as for
 * scree_sphere_wall. One-sided planes and the insides of infinite cylinders push bodies back from any distance behind
 * them, and set crossed. Walls have no halo, and rb is that of a. */
void scree_surface_wall(const placed_surface *a, const walls *s, int32_t wall, int32_t facets, const int32_t *facet,
						surface_scratch *scratch, point_list *out, bool *crossed);

#endif
