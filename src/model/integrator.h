/* integrator.h: a row of the table of integrators for position and rotation (docs/theory/motion.md). */
#ifndef SCREE_MODEL_INTEGRATOR_H
#define SCREE_MODEL_INTEGRATOR_H

#include "kernel/gear.h"
#include "base/field.h"
#include "base/real.h"

struct bodies;
struct model;
struct state;

typedef struct integrator {
	const char *name, *help;
	/* whether this is the default integrator, used by solvers and free flights; the hash omits its name */
	bool standard;
	void (*drift)(struct bodies *b, int64_t i, real dt); /* orientation after the step, predicted angular velocity */
	void (*kick)(struct bodies *b, int64_t i, real dt);	 /* angular velocity and momentum, with the new torque */
	bool symplectic_euler; /* whether positions follow symplectic Euler rather than velocity Verlet */
	const gear_rule *gear; /* NULL: none. If set, the functions below replace those above, and also move positions */
	/* drift_whole and kick_whole return the longest path of any point of bodies from .. to-1 */
	real (*drift_whole)(const struct model *m, struct state *s, int64_t from, int64_t to);
	real (*kick_whole)(const struct model *m, struct state *s, int64_t from, int64_t to);
	/* sets derivatives that the integrator stores, from forces that act for the first time; NULL if it stores none */
	void (*start)(const struct model *m, struct state *s, int64_t from, int64_t to);
	/* adapts the stored derivatives to a step that is longer by this factor; NULL if they do not depend on the step */
	void (*restep)(struct state *s, real by);
	field_table asks; /* number of arrays per body in addition to those that all integrators have */
	bool literal;	  /* whether it is exactly as in the cited paper, in which case it may not conserve energy */
} integrator;

void scree_turn_drift(struct bodies *b, int64_t i, real dt);
void scree_turn_kick(struct bodies *b, int64_t i, real dt);

#endif
