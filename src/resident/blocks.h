/* blocks.h: the memory of a device as blocks, each for one purpose, and launches of kernels with them. Private to
 * src/resident. A failure of the device breaks off the run: the last snapshot is on disk. */
#ifndef SCREE_RESIDENT_BLOCKS_H
#define SCREE_RESIDENT_BLOCKS_H

#include "machine/machine.h"
#include "resident/resident.h"
#include "work/device.h"

/* Blocks of the device; PAIRS is followed by one block for each list of contact rows (RESIDENT_LISTS). */
enum { RULE, BODIES, PAIRS, ON_WALLS, CONSTANTS = PAIRS + RESIDENT_LISTS, WALLS, LOADS, SUMS, PARTIAL, REPORTS, STOP };
/* Blocks of polyhedra; FOUND is followed by one block for each list, as FORCES is. */
enum {
	SHAPES = STOP + 1,
	POSES,
	RECORDS,
	CLASSES,
	FOUND,
	FORCES = FOUND + RESIDENT_LISTS,
	BLOCKS = FORCES + RESIDENT_LISTS
};
enum { NOT_BUILT = -2 };

typedef struct block {
	machine_block *at;
	int64_t bytes;
} block;

struct resident {
	device by;
	machine *on;
	const char *name;
	int32_t law, extra;					 /* for which kernels are compiled, or NOT_BUILT; law -1: any */
	const struct narrow_kernels *solids; /* of polyhedra, or NULL if there are none */
	int32_t large;						 /* whether these are the larger kernels */
	int64_t record[2];					 /* bytes of a record of two polyhedra, and of a polyhedron and a wall */
	bool there, ahead;					 /* the device has the present state; the host's arrays are older */
	int64_t made, by_host;				 /* steps */
	resident_rule rule;
	block of[BLOCKS];
	uint64_t report[RESIDENT_BATCH * REPORT_WORDS];
	uint64_t *load; /* [RESIDENT_BATCH * walls * LOAD_ON_WALL_WORDS] */
};

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

/* ------------------------------------------------------------------ solids.c, for memory.c */

/* The kernels of polyhedra, or NULL if there are none; whether the larger kernels are needed. */
const struct narrow_kernels *scree_solids_kernels(const model *m, const state *s);
bool scree_solids_large(const model *m);
/* Asks compiled kernels for the size of their records. */
void scree_solids_built(resident *r);
/* Writes the shapes, and makes room for the contacts of all rows. */
void scree_solids_write(resident *r, const model *m);
/* Launches the kernels of one step that find contacts, and then those of the law. */
void scree_solids_launch_find(resident *r, int32_t step);
void scree_solids_launch_law(resident *r, int32_t step);
/* Reads the forces of patches, and moves the accounts of patches that have ended to the state. */
void scree_solids_read(resident *r, state *s, const work *w);

#endif
