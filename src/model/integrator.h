/* integrator.h: the table of ways to move and turn bodies (docs/theory/motion.md). Places follow velocity Verlet but in
 * those of Gear. */
#ifndef SCREE_MODEL_INTEGRATOR_H
#define SCREE_MODEL_INTEGRATOR_H

#include "kernel/gear.h"
#include "base/field.h"
#include "base/real.h"

struct bodies;

typedef struct integrator {
	const char *name, *help;
	void (*drift)(struct bodies *b, int64_t i,
				  real dt); /* orientation to the end of the step, angular velocity predicted */
	void (*kick)(struct bodies *b, int64_t i,
				 real dt); /* angular velocity and momentum of the end, with the new torque */
	bool symplectic_euler; /* positions by symplectic Euler, not velocity Verlet */
	const gear_rule *gear; /* NULL: none; in place of the two above */
	field_table asks;	   /* what it keeps of each body beside what all do */
	bool literal;		   /* as a paper has it: need not keep energy */
} integrator;

extern const integrator scree_integrators[];
extern const int scree_integrator_count;
const integrator *scree_integrator_find(const char *name); /* NULL: none */

void scree_turn_drift(struct bodies *b, int64_t i, real dt);
void scree_turn_kick(struct bodies *b, int64_t i, real dt);

#endif
