/* blocks.h: the memory of a device as blocks, each for one purpose, and launches of kernels with them. Private to
 * src/resident. A failure of the device breaks off the run: the last snapshot is on disk. */
#ifndef SCREE_RESIDENT_BLOCKS_H
#define SCREE_RESIDENT_BLOCKS_H

#include "machine/machine.h"
#include "resident/resident.h" /* before other headers of kernels, for names of periods */

#include "kernel/resident_search.h"
#include "state/pairs.h"
#include "work/work.h"

/* Blocks of the device; PAIRS is followed by one block for each list of contact rows (ALL_LISTS). */
/* The arrays of resident_walls (kernel/resident_walls.h). */
#define WALL_TABLES WALL_ROWS, FACETS, CORNERS, OUTWARD, NEXT, MEETS, BENDS, MEETINGS, NEAR_FACETS
#define AT_WALLS	NEAR_POINTS, FOUND_POINTS, TOUCHES
enum {
	RULE,
	BODIES,
	PAIRS,
	ON_WALLS,
	CONSTANTS = PAIRS + ALL_LISTS,
	WALLS,
	LOADS,
	SUMS,
	WIDE_ROWS,
	WIDE_SUMS,
	SINKS,
	PERIOD,
	IMAGES,
	MET,
	PARTIAL,
	REPORTS,
	STOP,
	SENT_ROWS,
	SENT,
	GROUPS,
	WALL_TABLES,
	AT_WALLS,
	/* for searches */
	MOVED, /* rows before a search, and a column of histories */
	SEARCH,
	SEARCHED,
	POSES,	/* poses of walls */
	ACTS,	/* whether a wall acts on a material */
	CELLS,	/* counts of bodies in cells, then where these end */
	BOXES,	/* bodies in the order of cells */
	SPACE,	/* images now */
	CODES,	/* images of partners */
	STARTS, /* counts of pairs of each body in each list, then where these end */
	FOUND,	/* partners */
	/* for polyhedra */
	SHAPES,
	BODY_POSES,
	RECORDS,
	CLASSES,
	SURFACE_WALLS,
	SURFACE_LINKS, /* one list per side */
	SURFACE_FACES,
	AT_FACETS, /* groups of polyhedra at facets */
	PATCHES,   /* contacts found in the rows of each list */
	BLOCKS = PATCHES + ALL_LISTS
};
enum { NOT_BUILT = -2 };

typedef struct block {
	machine_block *at;
	int64_t bytes;
} block;

struct resident {
	device by;
	machine *on; /* NULL: memory is counted, but there is no device */
	const char *name;
	/* kernels of polyhedra, or NULL if there are none; whether they are the larger ones, with round walls or facets */
	const struct narrow_kernels *solids;
	int32_t large, tubes, facets;
	int32_t left_out; /* columns that rows of patches do not have, from `rx` on */
	int columns[ALL_LISTS];
	bool driven; /* whether polyhedra are among walls that are moved by forces */

	int64_t rows_per_body; /* least number of rows that are counted */
	int32_t law, extra;	   /* for which kernels are compiled, or NOT_BUILT; law -1: any */
	int64_t record[3];	   /* bytes of a record of two polyhedra, of a polyhedron and a wall, and of one at facets */
	bool there, ahead;	   /* the device has the present state; the host's arrays are older */
	bool due, searched;	   /* a search is due; the host's lists are older than the last one */
	bool held;			   /* whether some bodies are held */
	bool sides;			   /* whether a body can pass some wall */
	int64_t made, by_host; /* steps */
	int64_t wanted[ALL_LISTS]; /* rows for which the last search had no room */
	int64_t near_facets;	   /* facets of all groups */
	int64_t at_facets;		   /* groups of polyhedra at facets */
	resident_rule rule;
	block of[BLOCKS];
	int32_t *sent; /* [sents] rows of bodies that have ghosts in other parts of the world */
	int64_t sents;
	int64_t stop; /* first step of the last launch that the host must make */
	uint64_t report[RESIDENT_BATCH * REPORT_WORDS];
	uint64_t *load; /* [RESIDENT_BATCH * walls * LOAD_ON_WALL_WORDS] */
};

SCREE_FN resident *resident_of(const work *w) { return (resident *)(void *)w->device; }

/* Breaks off the run if something has failed. */
void scree_block_need(bool done, const fail *why);
/* Makes room for this many bytes; new room is zero. */
void scree_block_room(resident *r, int which, int64_t bytes);
/* Copies bytes to a block, from position `at` on; _all makes room for them before. */
void scree_block_put(resident *r, int which, int64_t at, const void *from, int64_t bytes);
void scree_block_put_all(resident *r, int which, const void *from, int64_t bytes);
void scree_block_get(resident *r, int which, int64_t at, void *to, int64_t bytes);
/* Makes room, and sets these bytes to zero. */
void scree_block_clear(resident *r, int which, int64_t bytes);
/* Launches a kernel with these blocks, and the numbers after them. */
void scree_block_launch(resident *r, const char *kernel, int64_t items, int blocks, const int *block, int numbers,
						const int32_t *number);
#define LAUNCH(r, kernel, items, number, numbers, ...)                                                                 \
	scree_block_launch(r, kernel, items, sizeof(int[]){__VA_ARGS__} / sizeof(int), (int[]){__VA_ARGS__}, numbers,      \
					   number)

/* Kinds of the lists of rows. */
static const int resident_kinds[ALL_LISTS] = {PAIR_SPHERE_SPHERE, PAIR_SPHERE_WALL, PAIR_SPHERE_CONVEX,
											  PAIR_CONVEX_CONVEX, PAIR_CONVEX_WALL};
/* memory.c: sums of forces are zero between steps */
void scree_resident_clear_sums(resident *r);
/* walls.c: copies the tables of walls. */
void scree_resident_put_tables(resident *r, const model *m);
/* Copies the groups of walls that were found by the host, with candidate facets; or those of a search back to the host.
 */
void scree_resident_put_groups(resident *r, const model *m, const state *s, const work *w);
void scree_resident_get_groups(resident *r, work *w);
/* Makes room for groups, and for the contacts of their rows. */
void scree_resident_room_groups(resident *r, int64_t groups, int64_t facets);
/* Copies the poses of walls now and after each of the next steps; a wall moved by forces permits one step. */
void scree_resident_put_walls(resident *r, const model *m, const state *s, const work *w, int64_t steps);
/* periods.c: copies the images of pairs since the last search, and the positions of images in the next steps. */
void scree_resident_put_space(resident *r, const state *s); /* the images now, for a search */
void scree_resident_put_pairs_images(resident *r, const pair_list *l);
void scree_resident_put_images(resident *r, const model *m, const state *s, int64_t steps);
/* search.c: makes room for searches. */
void scree_resident_search_room(resident *r, const model *m, const state *s, work *w);

/* solids.c: the kernels of polyhedra, or NULL if there are none; whether the larger kernels are needed. */
const struct narrow_kernels *scree_solids_kernels(const model *m, const state *s);
bool scree_solids_large(const model *m);
bool scree_solids_at_tubes(const model *m);
bool scree_solids_at_facets(const model *m);
/* Asks compiled kernels for the size of their records. */
void scree_solids_built(resident *r);
void scree_solids_write(resident *r, const model *m); /* writes the shapes */
void scree_solids_room(resident *r);				  /* makes room for the contacts of all rows */
/* Launches the kernels of one step that find contacts, and then those of the law. */
void scree_solids_launch_find(resident *r, int32_t step);
void scree_solids_launch_law(resident *r, int32_t step);
/* Reads the forces of patches, and moves the accounts of patches that have ended to the state. */
void scree_solids_read(resident *r, state *s, const work *w);

/* ghosts.c: copies the rows of bodies that have ghosts in other parts of the world. */
void scree_resident_put_sent(resident *r, const work *w);
/* After the drift: sends the bodies at the border to other parts, and takes the ghosts that these send. */
void scree_resident_follow(resident *r, state *s, work *w);
/* Tests whether any part of the world leaves the next step to the host. */
bool scree_resident_stops(resident *r, const work *w);

#endif
