/* integrator.h: the table of integrators for position and rotation (docs/theory/motion.md). Positions follow
 * velocity Verlet, except in the Gear integrators. */
#ifndef SCREE_MODEL_INTEGRATOR_H
#define SCREE_MODEL_INTEGRATOR_H

#include "kernel/gear.h"
#include "base/field.h"
#include "base/real.h"

struct bodies;

typedef struct integrator {
	const char *name, *help;
	void (*drift)(struct bodies *b, int64_t i,
				  real dt); /* orientation at the end of the step, angular velocity predicted */
	void (*kick)(struct bodies *b, int64_t i,
				 real dt); /* angular velocity and momentum at the end of the step, with the new torque */
	bool symplectic_euler; /* positions by symplectic Euler, not velocity Verlet */
	const gear_rule *gear; /* NULL: none; replaces the two functions above */
	field_table asks;	   /* arrays per body in addition to the common ones */
	bool literal;		   /* exactly as in the cited paper: need not conserve energy */
} integrator;

extern const integrator scree_integrators[];
extern const int scree_integrator_count;
const integrator *scree_integrator_find(const char *name); /* NULL: none */

void scree_turn_drift(struct bodies *b, int64_t i, real dt);
void scree_turn_kick(struct bodies *b, int64_t i, real dt);

#endif
