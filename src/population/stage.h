/* stage.h: the stage before the pairs of a step: removes and adds bodies. */
#ifndef SCREE_POPULATION_STAGE_H
#define SCREE_POPULATION_STAGE_H

#include "model/declared.h"
#include "population/population.h"

/* removes bodies, then adds some that touch no wall */
void scree_population_run(const model *m, state *s, work *w, ball_meets_wall_fn *meets);

#endif
