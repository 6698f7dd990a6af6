/* pair_lists.h: converts pairs of boxes to sorted slots, which take over the histories. */
#ifndef SCREE_BROAD_PAIR_LISTS_H
#define SCREE_BROAD_PAIR_LISTS_H

#include "broad/broad.h"
#include "kernel/margin.h"
#include "model/declared.h"
#include "state/bodies.h"
#include "state/pair_kinds.h"
#include "state/pairs.h"
#include "work/pair_work.h"

/* Pairs with a history (or a cache) while slots are rebuilt, keyed by ids since rows change. `old` holds the images. */
typedef struct pair_keys {
	int64_t count;
	uint64_t *ida, *idb; /* idb: for walls the number of the surface, which determines the wall and the feature */
	pair_list old;		 /* rows 0 .. count-1 of this list correspond to the keys */
	slot_cache cache;	 /* the cache of the slots of `old` */
	int32_t owned;		 /* number of owned bodies when the rows were taken out */
} pair_keys;

/* Moves the rows of all lists, or only of those with walls, out of the world. */
void scree_pair_keys_take(state *s, work *w, pair_keys keys[PAIR_KINDS], bool walls_alone);
/* Moves the rows to the slots with the same key, and ends contacts that have none. Frees the keys. */
void scree_pair_keys_give(const model *m, state *s, work *w, pair_keys keys[PAIR_KINDS], bool walls_alone);
/* Empties the lists but keeps their memory; used instead of the two functions above if contacts have no history. */
void scree_pair_lists_forget(state *s, work *w);
/* Pairs of bodies; in worlds with periods also the body whose image was found, or -1, and the code of the image. */
typedef struct candidates {
	box_pairs found;
	int32_t *moved;
	uint8_t *code;
} candidates;
/* Makes the slots for pairs of bodies, one slot for each image through which two bodies may meet. */
void scree_pair_lists_bodies(const model *m, state *s, work *w, candidates *c);
/* Boxes in worlds with periods: first boxes of bodies, then of images near the border, with their owners. */
typedef struct image_boxes {
	int32_t count; /* number of all boxes, both of bodies and of images */
	real *side[6]; /* low x y z, high x y z */
	int32_t *owner;
	uint8_t *code;
	uint64_t *id; /* id of each copy of a body (an image or the body itself) */
} image_boxes;
void scree_images_add(const model *m, const state *s, const box_list *bodies, image_boxes *out);
/* Converts pairs of boxes to pairs of bodies, with their images. */
void scree_images_to_bodies(const image_boxes *o, int32_t bodies, candidates *c);
void scree_images_free(image_boxes *o);
void scree_pair_lists_walls(const model *m, state *s, work *w); /* makes the slots and groups for bodies and walls */
struct wall_groups;
/* Divides the slots of bodies and walls into pieces. */
void scree_pair_list_cut_at_groups(pair_list *l, struct wall_groups *g, int32_t size);
/* Rebuilds the slots for walls only; slots that have not changed are kept, with their contact rows. */
void scree_pair_lists_walls_again(const model *m, state *s, work *w);
void scree_skin_margins(const model *m, state *s, work *w, const margin_rule *r); /* sets the margins of all bodies */
SCREE_FN real scree_box_rounding(const bodies *b, int32_t i) { return box_rounding(b->radius[i], body_position(b, i)); }

#endif
