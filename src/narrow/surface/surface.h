/* surface.h: contacts between closed surfaces with a halo, computed only from the poses (docs/theory/halo.md).
 *
 * A contact is a local minimum of the distance between two surfaces that is less than the sum of their halos. Contacts
 * are identified by their features, which are vertices, edges, and faces, not triangles. */
#ifndef SCREE_NARROW_SURFACE_SURFACE_H
#define SCREE_NARROW_SURFACE_SURFACE_H

#include "base/parallel.h"
#include "narrow/narrow.h"
#include "narrow/triangle/triangles.h"
#include "shape/mesh/trimesh.h"
#include "wall/walls.h"

typedef struct surface_counts {
	int64_t boxes;		/* pairs of bodies, decided by the boxes around them */
	int64_t tree;		/* pairs of triangles (as in all counts below) decided by the trees of boxes */
	int64_t surrogates; /* pairs decided by the surrogates of nodes */
	int64_t planes;		/* pairs decided by the plane of a triangle */
	int64_t slab, newton, brute, thorough; /* pairs decided by the stages of docs/theory/triangles.md */
	int64_t uncertified;				   /* pairs with uncertain bounds; should be 0 */
	int64_t no_minima;	/* pairs of features within the halos at which the distance is not a minimum */
	int64_t duplicates; /* minima merged into a deeper minimum nearby */
} surface_counts;

/* Memory that calls reuse; once it is large enough, nothing more is allocated. Initialize with {0}. */
typedef struct surface_scratch {
	surface_counts counts; /* increased by each call */
	struct surface_room *room;
	triangle_choice how; /* {0}: the certified search */
	const struct surface_team
		*team; /* threads among which the triangles of a pair are divided, or NULL if the caller does all the work */
} surface_scratch;
/* Scratch memory of each thread; only the caller's (thread 0) refers to the team, which does not affect results. */
typedef struct surface_team {
	int32_t threads;
	bool even; /* true if each thread has one part of the work; false if small parts are distributed dynamically */
	surface_scratch *of[SCREE_MOST_THREADS];
} surface_team;
void scree_surface_scratch_free(surface_scratch *s);

typedef struct placed_surface {
	const trimesh *of;
	vec3 at;   /* position of the surface's origin, the centre of mass */
	mat3 turn; /* rotation from the surface's frame to the frame of `at` */
	real size;
	real halo;	/* m */
	real round; /* radius, in m, that laws use at contacts: ra or rb of a contact */
} placed_surface;

/* Adds contacts sorted by feature. `depth` is the sum of the halos minus the distance; `at` is in the middle of the
 * halos' common range. Sets `crossed` if the surfaces cross or one is inside the other; pairs of crossing triangles
 * have no contact. Without contacts, returns a lower bound on the distance between the halos, or 0 if none is known. */
real scree_surface_surface(const placed_surface *a, const placed_surface *b, surface_scratch *scratch, point_list *out,
						   bool *crossed);
/* Contacts of a sphere, which is body a and has no halo. crossed: whether the sphere's centre is inside b */
real scree_sphere_surface(vec3 centre, real radius, const placed_surface *b, surface_scratch *scratch, point_list *out,
						  bool *crossed);
/* Contacts with a wall, sorted by the wall's surfaces, then by feature. All data are in the wall's frame. One-sided
 * planes and the insides of infinite cylinders push bodies back from any distance behind them, and set `crossed`. Walls
 * have no halo, and rb is the radius of a. facet: as for scree_sphere_wall */
void scree_surface_wall(const placed_surface *a, const near_wall *to, surface_scratch *scratch, point_list *out,
						bool *crossed);

#endif
