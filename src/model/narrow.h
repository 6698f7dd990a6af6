/* narrow.h: a row of the table of narrow phases for polyhedra and polygons; results are in narrow/narrow.h. */
#ifndef SCREE_MODEL_NARROW_H
#define SCREE_MODEL_NARROW_H

#include "kernel/patch.h"
#include "base/real.h"

struct patch_list;
struct placed;
struct touch_list;
struct walls;
struct near_wall;
struct pair_kept;
struct known_cuts; /* solid/known_cuts.h */
struct overlap_form;
/* Kernels that find contacts of polyhedra on a device, of pairs and at walls, in the order of their launches, before
 * those of normal forces. tubes: at walls of which some are round; empty if these are the same. facets: in addition at
 * walls of facets */
enum { NARROW_KERNELS = 8 };
typedef struct narrow_kernels {
	int32_t text; /* value of RESIDENT_SOLIDS with which they are compiled (kernel/resident.h) */
	/* NULL after the last one */
	const char *pairs[NARROW_KERNELS], *walls[NARROW_KERNELS], *tubes[NARROW_KERNELS], *facets[NARROW_KERNELS];
} narrow_kernels;

/* A narrow phase for polyhedra: contacts with each other and with walls. The choice affects results. The functions
 * satisfy the conditions for scree_convex_convex and scree_convex_wall. Spheres have only one narrow phase. */
typedef struct narrow {
	const char *name, *help;
	void (*convex_convex)(const struct placed *a, const struct placed *b, int32_t hint, struct patch *out);
	void (*convex_wall)(const struct placed *body, const struct near_wall *to, struct touch_list *out);
	/* returns the reason why this narrow phase does not support the wall; NULL if it does */
	const char *(*refuses)(const struct walls *s, int32_t wall);
	overlap_kind gives; /* measure of overlap that it computes for polyhedra, or in the plane for all bodies */
	int32_t most_faces; /* largest number of faces per shape; 0 for no limit */
	bool flat;			/* whether it is for plane worlds and their shapes, whose volumes are areas */
	/* whether it is exactly as in the cited paper, for comparison, so laws do not limit the energy of its patches */
	bool literal;
	bool patches;  /* whether patches of several pairs of polygons can be computed at once: polygon/patch.h */
	bool overlaps; /* whether overlaps of several pairs of polyhedra can be computed at once: solid/known_cuts.h */
	/* bit-identical to convex_convex; a thread's cache (solid/known_cuts.h), and the pair's form or NULL. NULL: none */
	void (*known)(const struct placed *a, const struct placed *b, int32_t hint, struct known_cuts *known,
				  struct overlap_form *form, struct patch *out);
	/* bit-identical to convex_convex, with the cache of the pair. NULL: none */
	void (*kept)(const struct placed *a, const struct placed *b, int32_t hint, uint8_t *waited, struct pair_kept *kept,
				 struct patch *out);
	/* Replaces convex_convex and scree_sphere_convex for any two bodies except two spheres, and finds any number of
	 * contacts (narrow/several_contacts.c). If one body is a sphere, it is the first; its orientation is ignored. NULL
	 * if there is only one contact per pair. */
	void (*several)(const struct placed *a, const struct placed *b, struct patch_list *out);
	const narrow_kernels *kernels; /* the same contacts on a device; NULL: none */
} narrow;

#endif
