/* slice.h: a part of a divided world by ids instead of space: the bodies in a range of ids, and the contacts whose
 * first body is one of them. Ranks write files from slices together, in an order independent of the division. */
#ifndef SCREE_WORLD_SLICE_H
#define SCREE_WORLD_SLICE_H

#include "model/declared.h"
#include "state/contact_key.h"
#include "state/state.h"

/* Contacts of one kind in ascending order of keys; each is its key and its history (the columns that contacts have). */
typedef struct slice_contacts {
	size_t each;				/* bytes per contact */
	int64_t count, before, all; /* numbers in this slice, with lower ids on other ranks, and on all ranks */
	char *bytes;
} slice_contacts;

/* A contact as written to files. */
typedef struct contact_entry {
	uint64_t a, b; /* ids; b: 0 for a wall */
	int32_t wall;  /* row of the wall; -1 for two bodies */
	int32_t material[2];
	vec3 at, normal; /* position in the world in m; unit normal from b to a */
	vec3 force;		 /* N, on a */
	real normal_force, tangential_force, overlap;
} contact_entry;
contact_entry scree_contact_entry(const model *m, const state *s, const work *w, int kind, int64_t k);

/* A contact as a line from a centre to another (of the image in contact), or to the contact point on a wall. */
typedef struct contact_line {
	contact_key key;
	int64_t kind;
	vec3 from, to;
	contact_entry entry;
} contact_line;

/* Contents of a slice in addition to ids and sums: bodies and histories, bodies and lines, or only one of these. */
typedef enum slice_content { SLICE_HISTORIES, SLICE_LINES, SLICE_BODIES_ALONE, SLICE_LINES_ALONE } slice_content;

typedef struct world_slice {
	bodies body;		 /* in ascending order of ids */
	int64_t before, all; /* number of bodies with lower ids on other ranks, and on all ranks */
	slice_contacts contact[PAIR_KINDS];
	contact_line *line; /* [lines] sorted by kind, then in ascending order of keys */
	int64_t lines;
	/* sums over all ranks */
	ledger energy;
	energy_guard energy_guard;
	flow_count flow[FLOW_PLANES];
} world_slice;

void scree_world_slice_free(world_slice *o);

/* Lines for the contacts counted by this part of the world, in any order. */
contact_line *scree_contact_lines(const model *m, const state *s, const work *w, int64_t *count);
void scree_contact_lines_sort(contact_line *line, int64_t count);

#endif
