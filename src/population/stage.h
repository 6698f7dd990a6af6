/* stage.h: before the pairs of a step: bodies leave and come: what a step calls. */
#ifndef SCREE_POPULATION_STAGE_H
#define SCREE_POPULATION_STAGE_H

#include "model/model.h"
#include "state/state.h"
#include "work/work.h"

/* before the pairs of a step: takes out, then adds. True when anything changed. */
bool scree_population_run(const model *m, state *s, work *w);

#endif
