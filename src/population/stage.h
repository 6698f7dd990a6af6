/* stage.h: the stage before the pairs of a step: removes and adds bodies. */
#ifndef SCREE_POPULATION_STAGE_H
#define SCREE_POPULATION_STAGE_H

#include "model/model.h"
#include "state/state.h"
#include "work/work.h"

/* removes bodies, then adds some; true if anything changed */
bool scree_population_run(const model *m, state *s, work *w);

#endif
