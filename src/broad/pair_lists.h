/* pair_lists.h: from boxes that meet to sorted slots, and the transfer of histories. */
#ifndef SCREE_BROAD_PAIR_LISTS_H
#define SCREE_BROAD_PAIR_LISTS_H

#include "broad/broad.h"
#include "world/world.h"

/* Pairs with a history (or a cache), by key, while slots are remade: rows of bodies change then, so that ids are kept.
 * Images are in the old list. */
typedef struct pair_keys {
	int64_t count;
	uint64_t *ida, *idb; /* idb: for walls the surface, which is wall and feature in one number */
	pair_list old;		 /* rows 0 .. count-1 belong to the keys */
	int32_t owned;		 /* number of owned bodies at that time */
} pair_keys;

/* Takes the rows of all lists out of the world, or only of those with walls. */
void scree_pair_keys_take(state *s, pair_keys keys[PAIR_KINDS], bool walls_alone);
/* Returns them to the slots of the same key, and ends those without one. Frees the keys. */
void scree_pair_keys_give(const model *m, state *s, pair_keys keys[PAIR_KINDS], bool walls_alone);
/* Replaces both if contacts have no history: empties the lists and keeps their room. */
void scree_pair_lists_forget(state *s);
/* Result of a search: pairs of bodies; for worlds with periods also the body whose image was found, or -1, and the
 * image's code. */
typedef struct candidates {
	box_pairs found;
	int32_t *moved;
	uint8_t *code;
} candidates;
/* Makes slots of two bodies, one for each image through which they may meet. */
void scree_pair_lists_bodies(const model *m, state *s, candidates *c);
/* For worlds with periods: boxes, with images near the border appended, and their owners. */
typedef struct image_boxes {
	int32_t count; /* number of bodies' own boxes and images */
	real *side[6]; /* low x y z, high x y z */
	int32_t *owner;
	uint8_t *code;
	uint64_t *id; /* id of the owner's copy in space, which may be an image or the body itself */
} image_boxes;
void scree_images_add(const model *m, const state *s, const box_list *bodies, image_boxes *out);
/* Converts pairs of boxes to pairs of bodies, with their images. */
void scree_images_to_bodies(const image_boxes *o, int32_t bodies, candidates *c);
void scree_images_free(image_boxes *o);
/* Makes slots and groups of bodies and walls. */
void scree_pair_lists_walls(const model *m, state *s, work *w);
/* The same while the bodies' slots stay; if the walls' slots are unchanged they stay, too, with their contact rows. */
void scree_pair_lists_walls_again(const model *m, state *s, work *w);
/* skin.c: margins of all boxes for the next search. */
void scree_skin_choose(const model *m, state *s, work *w);
/* Starts the validity of new pairs, which ends with their margins. */
void scree_skin_start(state *s, work *w);
/* m: greatest rounding error of a body's box, since the narrow phase computes surfaces by other expressions. */
SCREE_FN real scree_box_rounding(const bodies *b, int32_t i)
{
	return (real)1e-12 * b->radius[i] + (real)1e-15 * (real_abs(b->x[i]) + real_abs(b->y[i]) + real_abs(b->z[i]));
}

#endif
