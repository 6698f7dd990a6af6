/* solver.h: the table of solvers: rules by which a step by impulses (src/step_impulses.c) computes new velocities
 * from the contacts at its end. */
#ifndef SCREE_MODEL_SOLVER_H
#define SCREE_MODEL_SOLVER_H

#include "base/fail.h"
#include "base/real.h"
#include "model/choices.h"

struct model;
struct state;
struct work;

typedef struct solver {
	const char *name, *help;
	/* tests at set-up whether it supports this world; if not, false with a message */
	bool (*takes)(const struct model *m, const struct state *s, const struct work *w, fail *why);
	/* called first, once per step: finds touching bodies from positions and contact rows */
	void (*prepare)(const struct model *m, struct state *s, struct work *w);
	/* called next, until it returns false: computes velocities from contacts */
	bool (*sweep)(const struct model *m, struct state *s, struct work *w);
	/* called last, once per step: computes positions and counts */
	void (*done)(const struct model *m, struct state *s, struct work *w);
} solver;

extern const choices scree_solvers; /* the first row is the default */
SCREE_FN const solver *scree_solver_row(int k) { return scree_choice(&scree_solvers, k); }
SCREE_FN const solver *scree_solver_find(const char *name) { return scree_choice_find(&scree_solvers, name); }

/* memory that solvers keep from step to step: solver/work.h */
struct solver_work *scree_solver_work_new(void);
void scree_solver_work_free(struct solver_work *w);

bool scree_elastic_takes(const struct model *m, const struct state *s, const struct work *w, fail *why);
void scree_elastic_prepare(const struct model *m, struct state *s, struct work *w);
bool scree_elastic_sweep(const struct model *m, struct state *s, struct work *w);
void scree_elastic_done(const struct model *m, struct state *s, struct work *w);

#endif
