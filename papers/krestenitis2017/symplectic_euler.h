/* symplectic_euler.h: functions of the integrator of Krestenitis (2017). */
#ifndef SCREE_PAPERS_KRESTENITIS2017_SYMPLECTIC_EULER_H
#define SCREE_PAPERS_KRESTENITIS2017_SYMPLECTIC_EULER_H

#include "state/bodies.h"

void scree_symplectic_euler_drift(bodies *b, int64_t i, real dt);
void scree_symplectic_euler_kick(bodies *b, int64_t i, real dt);

#endif
