/* broad.h: boxes in, pairs of boxes that overlap out. The table of broad phases. */
#ifndef SCREE_BROAD_BROAD_H
#define SCREE_BROAD_BROAD_H

#include "base/real.h"

/* Boxes of bodies, already swollen by the skin. */
typedef struct box_list {
	int32_t count;
	const real *low[3], *high[3];
	const uint64_t *id; /* who each box is from call to call, all different; NULL: their rows say it */
	bool flat;			/* z says nothing: there all boxes meet */
} box_list;

typedef struct box_pairs {
	int64_t count, capacity;
	int32_t (*pair)[2]; /* each unordered pair once, either way round */
} box_pairs;

/* What searches have done since the world was made or loaded: to measure, not part of any result. */
typedef struct broad_counts {
	int64_t searches;
	int64_t unchanged;	 /* searches after which the pairs were known to be those of before */
	int64_t comparisons; /* of two boxes; slots, levels and brute count them */
	int64_t exchanges;	 /* of neighbours in a sorted list, and what they did to the pairs: sweep */
	int64_t adds, removes;
	int64_t fallbacks;				  /* lists sorted at once, the first time included: sweep */
	int64_t moves;					  /* of bodies from vertex to vertex: levels, and so are all that follow */
	int64_t virtuals;				  /* coarser bodies that vertices had to look at */
	int64_t refinements, coarsenings; /* of cells */
	int64_t vertices,
		overflow; /* that the last search left: vertices with bodies at or below them; bodies without one */
} broad_counts;

typedef struct broad broad;

/* A broad phase at work in one world. Zeroed is a beginning. */
typedef struct broad_search {
	const broad *by; /* whose memory it is */
	void *memory;
	broad_counts count;
	bool news;	  /* what the last call answered */
	bool bounded; /* the area is known: slots divide it, and boxes outside belong to the outermost ones */
	real area_low[3], area_high[3];
	bool patient; /* sweep: never sorts all at once, however many exchanges a step takes */
	real mesh; /* m; levels: all cells are refined until their mesh is this or less, and regular ones no further. 0: as
				* far as bodies ask for */
} broad_search;

struct broad {
	const char *name, *help;
	/* Pairs of boxes that meet into out, in any order. False, and out is as it was, if they are those of the last call
	 * by their ids and `all` does not ask for them in any case. */
	bool (*find)(broad_search *s, const box_list *boxes, bool all, box_pairs *out);
	void *(*make)(void); /* its memory from call to call; NULL: it has none, and all pairs are new in each call */
	void (*forget)(void *memory);
	bool keeps_pairs; /* it may answer that they are those of before */
};

extern const broad scree_broads[];
extern const int scree_broad_count;
const broad *scree_broad_find(const char *name); /* NULL: none */

/* Calls find of b, with the memory that s has of it. */
bool scree_broad_search(broad_search *s, const broad *b, const box_list *boxes, bool all, box_pairs *out);
void scree_broad_search_free(broad_search *s);

void scree_box_pairs_free(box_pairs *p);

#endif
