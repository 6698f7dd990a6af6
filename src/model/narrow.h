/* narrow.h: the table of narrow phases for polyhedra and polygons; what they find is in narrow/narrow.h. */
#ifndef SCREE_MODEL_NARROW_H
#define SCREE_MODEL_NARROW_H

#include "kernel/patch.h"

struct patch_list;
struct placed;
struct touch_list;
struct walls;
struct pair_kept;
struct known_cuts; /* solid/known_cuts.h */
/* A narrow phase for polyhedra: how contacts with one another and with walls are found. Changes results. A piece of
 * either kind has the promises of scree_convex_convex and scree_convex_wall; spheres have one way only. */
typedef struct narrow {
	const char *name, *help;
	void (*convex_convex)(const struct placed *a, const struct placed *b, int32_t hint, struct patch *out);
	void (*convex_wall)(const struct placed *body, const struct walls *s, int32_t wall, int32_t facets,
						const int32_t *facet, struct touch_list *out);
	const char *(*refuses)(const struct walls *s, int32_t wall); /* why it cannot have this wall; NULL: it can */
	overlap_kind gives;											 /* of polyhedra; in the plane of all bodies */
	int32_t most_faces;											 /* of a shape; 0: any */
	bool flat;	   /* of worlds in the plane, and of all their shapes; volumes are areas there */
	bool literal;  /* as a paper has it, for comparison: laws hold its patches to nothing */
	bool patches;  /* its polygons' patches may be looked at many at once: polygon/patches.h */
	bool overlaps; /* its overlaps of polyhedra may be looked at several at once: solid/overlap_pairs.h */
	/* convex_convex with what a thread has seen of cuts (solid/known_cuts.h): the same bits; NULL: there is none */
	void (*known)(const struct placed *a, const struct placed *b, int32_t hint, struct known_cuts *known,
				  struct patch *out);
	/* convex_convex with what is kept of the pair: the same bits; NULL: nothing is */
	void (*kept)(const struct placed *a, const struct placed *b, int32_t hint, uint8_t *waited, struct pair_kept *kept,
				 struct patch *out);
	/* Of any two bodies but two spheres, in place of convex_convex and scree_sphere_convex: any number of contacts
	 * (narrow/several_contacts.c). The first is the sphere, of which the orientation means nothing. NULL: one contact a
	 * pair. */
	void (*many)(const struct placed *a, const struct placed *b, struct patch_list *out);
} narrow;

extern const narrow scree_narrows[]; /* the first one is the standard */
extern const int scree_narrow_count;
/* One that a program brings along: found by its name like the others. NULL: none. Set before there are worlds. */
extern const narrow *scree_narrow_guest;
const narrow *scree_narrow_find(const char *name); /* NULL: none */

#endif
