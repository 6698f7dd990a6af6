/* rotation.h: functions of the integrators of Govender, Wilke, Kok and Els (2014). */
#ifndef SCREE_PAPERS_GOVENDER2014_ROTATION_H
#define SCREE_PAPERS_GOVENDER2014_ROTATION_H

#include "state/bodies.h"

void scree_govender2014_drift(bodies *b, int64_t i, real dt);
void scree_govender2014_drift_printed(bodies *b, int64_t i, real dt);
void scree_govender2014_kick(bodies *b, int64_t i, real dt);

#endif
