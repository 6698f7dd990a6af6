/* stage.h: the stage that removes and adds bodies before the search for pairs of a step. */
#ifndef SCREE_POPULATION_STAGE_H
#define SCREE_POPULATION_STAGE_H

#include "model/declared.h"
#include "population/population.h"

/* removes bodies, and then adds bodies that touch no wall */
void scree_population_run(const model *m, state *s, work *w, ball_meets_wall_fn *meets);
/* Tests whether a source is to add bodies in the step that begins at the time of the state. */
bool scree_sources_owe(const model *m, const state *s);

#endif
