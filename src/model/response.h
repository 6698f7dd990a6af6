/* response.h: a row of the table of responses of contacts (`run.response`): forces, or solvers, which compute new
 * velocities from the contacts at the end of an impulse-based step (src/step/impulses.c). */
#ifndef SCREE_MODEL_RESPONSE_H
#define SCREE_MODEL_RESPONSE_H

#include "base/fail.h"
#include "base/field.h"
#include "base/real.h"

struct domain_row;
struct model;
struct state;
struct work;

/* A kind of step (src/step): the functions that differ between kinds, including those called between steps. */
typedef struct step_kind {
	/* makes a complete step; returns false, with a report, if the run must stop */
	bool (*step)(const struct model *m, struct state *s, struct work *w);
	/* tests after the drift whether a body of this part is out of reach of its pairs; NULL if bodies move later */
	bool (*stale_here)(const struct model *m, const struct state *s, const struct work *w);
	/* tests whether any body of any part will move beyond this reach */
	bool (*stale)(const struct model *m, const struct state *s, const struct work *w);
	share ghosts; /* values that ghosts receive in a step */
	/* The other members are NULL in impulse-based steps. find: finds contacts of valid pairs at current positions */
	void (*find)(const struct model *m, struct state *s, struct work *w);
	/* computes forces of contacts, or all impulses of a step; time: time of positions and velocities, in s */
	void (*answer)(const struct model *m, struct state *s, struct work *w, real time);
	/* called next: computes forces on bodies, and loads on walls */
	void (*load)(const struct model *m, struct state *s, struct work *w);
} step_kind;

extern const step_kind scree_step_by_forces, scree_step_ahead, scree_step_by_impulses;

typedef struct response {
	const char *name, *help;
	const step_kind *steps;
	/* before the first step: computes initial forces (src/start/first_forces.c); NULL if none are needed */
	void (*first)(const struct model *m, struct state *s, struct work *w);
	bool implicit; /* whether contact forces are computed one step ahead (src/step/implicit.c) */
	bool hard;	   /* whether contacts are as stiff as the step allows */
	/* The members below are for solvers; they are zero in rows with force-based steps (src/step/forces.c). */
	/* tests at set-up whether the solver supports this world; if not, returns false with a message */
	bool (*takes)(const struct model *m, const struct state *s, const struct work *w, fail *why);
	/* called first, once per step: finds touching bodies from positions and contact rows */
	void (*prepare)(const struct model *m, struct state *s, struct work *w);
	/* called next, until it returns false: computes velocities from contacts */
	bool (*sweep)(const struct model *m, struct state *s, struct work *w);
	/* called last, once per step: computes positions and counts */
	void (*done)(const struct model *m, struct state *s, struct work *w);
	bool corrects;	 /* whether the solver uses the model's `correction` */
	real correction; /* default of the model's `correction` */
	bool rubs;		 /* whether the solver uses coefficients of friction */
	bool polyhedra;	 /* whether the solver supports convex polyhedra in addition to spheres */
	bool halves;	 /* whether the solver acts in the middle of the step and adds gravity to velocities */
	/* whether, on bodies without contacts, half of each external force acts before the contacts and half after */
	bool splits;
	bool sampled; /* whether the solver uses the model's friction `directions` */
	/* on ranks: the solver's own rule for dividing the world (ranks/together/domain.h); NULL if it has none */
	const struct domain_row *exchanges;
	/* whether it is exactly as in a paper and may not conserve energy; its error in energy is reported at the end */
	bool literal;
} response;

SCREE_FN const response *scree_solver_of(const response *r) { return r && r->sweep ? r : NULL; }

/* memory that solvers keep from step to step: solver/work.h */
struct solver_work *scree_solver_work_new(void);
void scree_solver_work_free(struct solver_work *w);

/* Tests on a world that all solvers have in common. */
bool scree_solver_takes(const struct model *m, const struct state *s, const struct work *w, fail *why);
void scree_elastic_prepare(const struct model *m, struct state *s, struct work *w);
bool scree_elastic_sweep(const struct model *m, struct state *s, struct work *w);
void scree_elastic_done(const struct model *m, struct state *s, struct work *w);

#endif
