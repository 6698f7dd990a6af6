/* pair_lists.h: from boxes that meet to sorted slots, and how histories follow them. */
#ifndef SCREE_BROAD_PAIR_LISTS_H
#define SCREE_BROAD_PAIR_LISTS_H

#include "broad/broad.h"
#include "world/world.h"

/* The pairs that remember something (or have a cache), by key, while slots are made anew: rows of bodies mean nothing
 * then, so that ids are kept. Images lie in the old list. */
typedef struct pair_keys {
	int64_t count;
	uint64_t *ida, *idb; /* idb: of walls the surface, which is wall and feature in one number */
	pair_list old;		 /* rows 0 .. count-1 belong to the keys */
	int32_t owned;		 /* rows of bodies that were owned then */
} pair_keys;

/* Takes the rows of all lists out of the world, or of those with walls alone. */
void scree_pair_keys_take(state *s, pair_keys keys[PAIR_KINDS], bool walls_alone);
/* Gives them back to the slots of the same key, and ends those that have none. Frees the keys. */
void scree_pair_keys_give(const model *m, state *s, pair_keys keys[PAIR_KINDS], bool walls_alone);
/* In place of both where contacts remember nothing: empty lists that keep their room. */
void scree_pair_lists_forget(state *s);
/* What a search found: pairs of bodies; of worlds with periods also the body whose image it is that was found, or -1,
 * and that image's code. */
typedef struct candidates {
	box_pairs found;
	int32_t *moved;
	uint8_t *code;
} candidates;
/* Slots of two bodies, of each image through which they may meet one. */
void scree_pair_lists_bodies(const model *m, state *s, candidates *c);
/* Of worlds with periods: boxes with images near the border appended, and their owners. */
typedef struct image_boxes {
	int32_t count; /* the bodies' own and the images */
	real *side[6]; /* low x y z, high x y z */
	int32_t *owner;
	uint8_t *code;
	uint64_t *id; /* of the owner's copy in space, whichever of its images or itself stands there */
} image_boxes;
void scree_images_add(const state *s, const box_list *bodies, image_boxes *out);
/* Pairs of boxes become pairs of bodies, with their images. */
void scree_images_to_bodies(const image_boxes *o, int32_t bodies, candidates *c);
void scree_images_free(image_boxes *o);
/* Slots and groups of bodies and walls. */
void scree_pair_lists_walls(const model *m, state *s, work *w);
/* The same while the bodies' slots stay; if the walls' are those of before, so do they, rows of contacts and all. */
void scree_pair_lists_walls_again(const model *m, state *s, work *w);
/* skin.c: margins of all boxes for the search to come. */
void scree_skin_choose(const model *m, state *s, work *w);
/* m: a period must be longer than this, so that bodies of this radius meet through one image at most while a search
 * holds: two diameters, reaches of cohesion and skins. */
real scree_skin_least_period(const model *m, const state *s, const work *w, real largest);
/* From here on pairs are good for as long as margins say. */
void scree_skin_start(state *s, work *w);
/* m: what rounding may take from a body's box at most, since the narrow phase computes surfaces in other ways */
SCREE_FN real scree_box_rounding(const bodies *b, int32_t i)
{
	return (real)1e-12 * b->radius[i] + (real)1e-15 * (real_abs(b->x[i]) + real_abs(b->y[i]) + real_abs(b->z[i]));
}
/* Does it turn about its own axis of symmetry, so that it does not move as a surface? */
bool scree_wall_turns_in_itself(const wall *w);
/* The distance by which wall w can have come closer to anything within reach of `middle` between two times. */
real scree_wall_way(const wall *w, vec3 middle, real reach, real t0, real t1);

#endif
