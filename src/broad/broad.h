/* broad.h: finds pairs of overlapping boxes, with any broad phase in the table. */
#ifndef SCREE_BROAD_BROAD_H
#define SCREE_BROAD_BROAD_H

#include "base/real.h"

/* Boxes of bodies, already enlarged by the skin. */
typedef struct box_list {
	int32_t count;
	const real *low[3], *high[3];
	const uint64_t *id; /* unique id of each box, the same from call to call; NULL to use its row */
	bool flat;			/* whether the world is two-dimensional: z is then ignored */
} box_list;

typedef struct box_pairs {
	int64_t count, capacity;
	int32_t (*pair)[2]; /* each unordered pair once, in either order */
} box_pairs;

/* Statistics of searches since the world was made or loaded; they do not affect results. */
typedef struct broad_counts {
	int64_t searches;
	int64_t unchanged;	 /* searches after which pairs were reported as unchanged */
	int64_t comparisons; /* comparisons of two boxes; counted only by slots, levels and brute */
	int64_t exchanges;	 /* sweep: exchanges of neighbours in a sorted list, and pairs added and removed by them */
	int64_t adds, removes;
	int64_t fallbacks; /* sweep: full sorts, including the first one */
	int64_t moves;	   /* levels: moves of bodies between vertices (the counts below are also for levels) */
	int64_t virtuals;  /* number of coarser bodies compared with the bodies of vertices */
	int64_t refinements, coarsenings; /* levels: numbers of cells refined and of cells coarsened */
	int64_t vertices, overflow;		  /* present vertices with bodies at or below them; bodies without a vertex */
} broad_counts;

typedef struct broad broad;

/* The state of a broad phase in one world. All zero is a valid initial state. */
typedef struct broad_search {
	const broad *by; /* broad phase to which the memory belongs */
	void *memory;
	broad_counts count;
	bool news;	  /* result of the last call of `find` */
	bool bounded; /* whether the area is given: slots then divide it, and the outermost slots take boxes outside it */
	real area_low[3], area_high[3];
	bool patient; /* sweep: whether to allow any number of exchanges per update and never sort fully */
	/* levels: mesh size (m) at which regular grids end, and down to which all cells exist; 0 for cells on demand */
	real mesh;
} broad_search;

struct broad {
	const char *name, *help;
	/* Writes the pairs of boxes that meet to `out`, in any order. If `all` is false and the pairs (of ids) are the same
	 * as in the last call, returns false and leaves `out` unchanged. */
	bool (*find)(broad_search *s, const box_list *boxes, bool all, box_pairs *out);
	void *(*make)(void); /* allocates memory kept between calls; NULL if none is kept, and all pairs are always new */
	void (*forget)(void *memory);
	bool keeps_pairs; /* whether `find` may report that pairs are unchanged */
};

/* Calls the `find` of broad phase b with its memory in s. */
bool scree_broad_search(broad_search *s, const broad *b, const box_list *boxes, bool all, box_pairs *out);
void scree_broad_search_free(broad_search *s);

void scree_box_pairs_free(box_pairs *p);

#endif
