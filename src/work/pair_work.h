/* pair_work.h: derived data of the pairs of one kind, with the slots of the list in the state (state/pairs.h). */
#ifndef SCREE_WORK_PAIR_WORK_H
#define SCREE_WORK_PAIR_WORK_H

#include "base/real.h"

/* Cache of the narrow phase: its choice for two touching polyhedra, and the displacement for which the choice holds
 * (narrow/solid/convex_keep.c). */
typedef struct pair_kept {
	float lead;				 /* m; 0: empty */
	float apart[3], turn[9]; /* m, and no unit: the second body in the frame of the first one, when chosen */
	int16_t face;
	uint8_t held;  /* number of uses so far, saturating */
	int64_t edges; /* 0: none */
} pair_kept;

/* slot_cache.waited: `kept` is not empty */
#define PAIR_IS_KEPT 255

/* Caches of slots. They make searches and the narrow phase faster, and never change a result. */
typedef struct slot_cache {
	int64_t capacity; /* slots; unused entries are empty: zero */
	real *clear;	  /* m; no contact while the displacements of both bodies since the search add up to less */
	int32_t *axis;	  /* last separating or least-penetration axis, coded by the narrow phase */
	pair_kept *kept;  /* only for polyhedra; NULL: not used yet */
	uint8_t *waited;  /* as `kept`: number of searches that kept nothing, or PAIR_IS_KEPT */
} slot_cache;

typedef struct pair_work {
	slot_cache cache;
} pair_work;

/* Makes room for that many slots; new ones are empty. */
void scree_slot_cache_room(slot_cache *c, int64_t slots);
/* Makes room for `kept`, too. */
void scree_slot_cache_keep(slot_cache *c);
/* Empties all entries. */
void scree_slot_cache_clear(slot_cache *c);
void scree_slot_cache_free(slot_cache *c);
void scree_pair_work_free(pair_work *w);

#endif
