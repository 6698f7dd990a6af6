/* solver.h: the table of solvers: how a step by impulses (src/step_impulses.c) answers the contacts of a moment with
 * new velocities. */
#ifndef SCREE_MODEL_SOLVER_H
#define SCREE_MODEL_SOLVER_H

#include "base/fail.h"
#include "base/real.h"

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

/* what solvers keep from step to step: solver/work.h */
struct solver_work *scree_solver_work_new(void);
void scree_solver_work_free(struct solver_work *w);

bool scree_elastic_takes(const struct model *m, const struct state *s, const struct work *w, fail *why);
void scree_elastic_prepare(const struct model *m, struct state *s, struct work *w);
bool scree_elastic_sweep(const struct model *m, struct state *s, struct work *w);
void scree_elastic_done(const struct model *m, struct state *s, struct work *w);

#endif
