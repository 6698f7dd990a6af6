/* broad.h: boxes in, pairs of boxes that overlap out. The table of broad phases. */
#ifndef SCREE_BROAD_BROAD_H
#define SCREE_BROAD_BROAD_H

#include "base/real.h"

/* Boxes of bodies, already swollen by the margin. */
typedef struct box_list {
	int32_t count;
	const real *low[3], *high[3];
} box_list;

typedef struct box_pairs {
	int64_t count, capacity;
	int32_t (*pair)[2]; /* each unordered pair once, either way round */
} box_pairs;

typedef struct broad {
	const char *name, *help;
	void (*find)(const box_list *boxes, box_pairs *out);
} broad;

extern const broad scree_broads[];
extern const int scree_broad_count;
const broad *scree_broad_find(const char *name); /* NULL: none */

/* How far bodies may move before pairs must be found anew. Never changes a result, only the time it takes. */
typedef struct broad_margin {
	real width;		  /* m: each box is swollen by this */
	real moved;		  /* m: bound on the way of the fastest body since the rebuild */
	real inner;		  /* m: two surfaces this far apart do not touch before contact rows are chosen anew */
	real inner_moved; /* m: bound on the way of the fastest body since they were */
	real reach;		  /* m: how far apart surfaces still act on each other (JKR cohesion); 0: not at all */
	bool stale;		  /* pairs must be found anew in any case */
	int64_t since;	  /* steps since the rebuild */
	int64_t slots;	  /* pairs of spheres that it found */
} broad_margin;

void scree_box_pairs_free(box_pairs *p);

#endif
