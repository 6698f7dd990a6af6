/* solver.h: the table of solvers: how a step by impulses (src/step_impulses.c) answers the contacts of a moment with
 * new velocities. */
#ifndef SCREE_SOLVER_SOLVER_H
#define SCREE_SOLVER_SOLVER_H

#include "base/fail.h"
#include "base/real.h"
#include "base/sort.h"

struct model;
struct state;
struct work;

typedef struct solver {
	const char *name, *help;
	/* can it have this world? else false with a sentence; at set-up */
	bool (*takes)(const struct model *m, const struct state *s, const struct work *w, fail *why);
	/* once a step, in this order: what touches, from places and contact rows; */
	void (*prepare)(const struct model *m, struct state *s, struct work *w);
	/* velocities from contacts, again and again until it returns false; */
	bool (*sweep)(const struct model *m, struct state *s, struct work *w);
	/* and what is left to do: places, counts */
	void (*done)(const struct model *m, struct state *s, struct work *w);
} solver;

extern const solver scree_solvers[]; /* the first one is the standard */
extern const int scree_solver_count;
const solver *scree_solver_find(const char *name); /* NULL: none */

/* A contact row that touches, and the key of its place in the order: of the two ids the lower one and the other one; of
 * a body and a wall id and surface. */
typedef struct meeting_row {
	uint64_t first, second;
	int64_t row;
} meeting_row;

typedef struct meeting_list {
	int64_t count, capacity;
	meeting_row *item;
} meeting_list;

/* What a world that answers by impulses has beside its solver. */
typedef struct impulses {
	/* state */
	real correction;	/* part of an overlap that is taken back each step */
	int64_t collisions; /* since the start */
	/* derived */
	int64_t now;		 /* collisions in the last step */
	real longest;		 /* m: what moves farther in a step may pass through others unseen */
	real most_part;		 /* greatest overlap of a thread's rows over the diameter of the smaller body */
	meeting_list *found; /* [threads] of each thread */
	int32_t founds;
	meeting_list pairs, walls; /* in order */
	int64_t sort_room;
	sort_item *sort[2]; /* [sort_room] */
} impulses;

void scree_impulses_free(impulses *p);

bool scree_elastic_takes(const struct model *m, const struct state *s, const struct work *w, fail *why);
void scree_elastic_prepare(const struct model *m, struct state *s, struct work *w);
bool scree_elastic_sweep(const struct model *m, struct state *s, struct work *w);
void scree_elastic_done(const struct model *m, struct state *s, struct work *w);

#endif
