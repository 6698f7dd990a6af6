/* gear.h: the stages of Gear's integrators, applied to ranges of bodies (docs/theory/motion.md). */
#ifndef SCREE_PAPERS_GEAR_H
#define SCREE_PAPERS_GEAR_H

#include "kernel/gear.h"
#include "model/declared.h"
#include "model/integrator.h"

/* Numbers stored per body in addition to position, orientation and velocities: six per derivative. */
enum { GEAR_FIRST = 2, GEAR_EACH = 6, GEAR_FIELDS = (GEAR_MOST - GEAR_FIRST) * GEAR_EACH };
extern const field scree_gear_fields[GEAR_FIELDS];

/* Computes the second derivatives of bodies from .. to-1. */
void scree_gear_start(const model *m, state *s, int64_t from, int64_t to);
/* Scales all derivatives, which contain powers of the step, for a step that is longer by this factor. */
void scree_gear_restep(state *s, real by);
/* Both functions return the longest path of any point of a body. */
real scree_gear_drift(const model *m, state *s, int64_t from, int64_t to);
real scree_gear_kick(const model *m, state *s, int64_t from, int64_t to);

#endif
