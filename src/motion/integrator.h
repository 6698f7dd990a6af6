/* integrator.h: the table of ways to turn bodies. Places follow velocity Verlet in all of them (docs/theory/motion.md).
 */
#ifndef SCREE_MOTION_INTEGRATOR_H
#define SCREE_MOTION_INTEGRATOR_H

#include "state/bodies.h"

typedef struct integrator {
	const char *name, *help;
	void (*drift)(bodies *b, int64_t i, real dt); /* orientation to the end of the step, angular velocity predicted */
	void (*kick)(bodies *b, int64_t i, real dt);  /* angular velocity and momentum of the end, with the new torque */
} integrator;

extern const integrator scree_integrators[];
extern const int scree_integrator_count;
const integrator *scree_integrator_find(const char *name); /* NULL: none */

void scree_turn_drift(bodies *b, int64_t i, real dt);
void scree_turn_kick(bodies *b, int64_t i, real dt);

#endif
