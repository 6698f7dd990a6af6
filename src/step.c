/* step: which of the two kinds of step. */
#include "stages.h"

bool scree_step(scree_world *w) { return w->solver ? scree_step_impulses(w) : scree_step_forces(w); }
