/* response.h: a row of the table of responses of contacts (`run.response`): forces, and the solvers, rules by which a
 * step by impulses (src/step/impulses.c) computes new velocities from the contacts at its end. */
#ifndef SCREE_MODEL_RESPONSE_H
#define SCREE_MODEL_RESPONSE_H

#include "base/fail.h"
#include "base/field.h"
#include "base/real.h"

struct domain_row;
struct model;
struct state;
struct work;

/* A kind of step (src/step): what it does otherwise than the others, also between steps. */
typedef struct step_kind {
	/* a whole step; false, with a report, if the run must stop */
	bool (*step)(const struct model *m, struct state *s, struct work *w);
	/* after the drift: whether any body of this part of the world has left the reach of its pairs. NULL: bodies go
	 * farther before contacts are found; then */
	bool (*stale_here)(const struct model *m, const struct state *s, const struct work *w);
	/* whether any body of all parts will have done so */
	bool (*stale)(const struct model *m, const struct state *s, const struct work *w);
	share ghosts; /* the values that ghosts get in a step */
	/* The others are NULL in steps by impulses, which have no forces. Bodies are where they are now. find: contacts, of
	 * pairs and rows that are up to date */
	void (*find)(const struct model *m, struct state *s, struct work *w);
	/* forces of contacts, or all impulses of a step; time: s, of positions and velocities */
	void (*answer)(const struct model *m, struct state *s, struct work *w, real time);
	/* called next: forces on bodies, and loads of walls */
	void (*load)(const struct model *m, struct state *s, struct work *w);
} step_kind;

extern const step_kind scree_step_by_forces, scree_step_ahead, scree_step_by_impulses;

typedef struct response {
	const char *name, *help;
	const step_kind *steps;
	/* before the first step: forces with which it begins (src/start/first_forces.c). NULL: it needs none */
	void (*first)(const struct model *m, struct state *s, struct work *w);
	bool implicit; /* the contacts' forces are those ahead, in the next step (src/step/implicit.c) */
	bool hard;	   /* and they are as stiff as the step allows */
	/* The members below are those of solvers; they are zero in rows whose step is by forces (src/step/forces.c). */
	/* tests at set-up whether it supports this world; if not, false with a message */
	bool (*takes)(const struct model *m, const struct state *s, const struct work *w, fail *why);
	/* called first, once per step: finds touching bodies from positions and contact rows */
	void (*prepare)(const struct model *m, struct state *s, struct work *w);
	/* called next, until it returns false: computes velocities from contacts */
	bool (*sweep)(const struct model *m, struct state *s, struct work *w);
	/* called last, once per step: computes positions and counts */
	void (*done)(const struct model *m, struct state *s, struct work *w);
	bool corrects;	 /* it uses the model's `correction` */
	real correction; /* the model's, if a scene does not give it */
	bool rubs;		 /* it uses coefficients of friction */
	bool polyhedra;	 /* it supports convex polyhedra besides spheres */
	bool halves;	 /* it acts in the middle of the step, and adds gravity to velocities */
	bool splits;	 /* external forces act half before contacts, and half after, on bodies that none holds */
	bool sampled;	 /* it uses the model's `directions` of friction */
	/* on ranks: a rule of division of its own (ranks/together/domain.h); NULL: none */
	const struct domain_row *exchanges;
	bool literal; /* it repeats a paper and need not conserve energy: its error is reported at the end */
} response;

/* The row if it is a solver; else NULL. */
SCREE_FN const response *scree_solver_of(const response *r) { return r && r->sweep ? r : NULL; }

/* memory that solvers keep from step to step: solver/work.h */
struct solver_work *scree_solver_work_new(void);
void scree_solver_work_free(struct solver_work *w);

/* The tests of a world that all solvers need. */
bool scree_solver_takes(const struct model *m, const struct state *s, const struct work *w, fail *why);
void scree_elastic_prepare(const struct model *m, struct state *s, struct work *w);
bool scree_elastic_sweep(const struct model *m, struct state *s, struct work *w);
void scree_elastic_done(const struct model *m, struct state *s, struct work *w);

#endif
