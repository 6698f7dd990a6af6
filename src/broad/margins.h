/* margins.h: displacements for which contact rows and flights are valid (skin.c, rows_margins.c, pairs_to_flights.c).
 */
#ifndef SCREE_BROAD_MARGINS_H
#define SCREE_BROAD_MARGINS_H

#include "kernel/motion.h"
#include "model/model.h"
#include "state/state.h"
#include "work/ways_ahead.h"
#include "work/work.h"

/* intended number of steps between two searches */
static const real MARGIN_STEPS = 200;
/* the part of them between two choices of rows, and with a solver */
enum { ROWS_PART = 10, ROWS_PART_FAST = 2 };
/* implicit steps between two searches if bodies keep their velocities: usually, and if many are fast; and between two
 * choices of rows */
static const real AHEAD_STEPS = 4, FEWEST_AHEAD = (real)1.2, AHEAD_STEPS_ROWS = 2;

/* m: bound of the displacement of body i in a step at its present velocity and spin. */
SCREE_FN real way_ahead(const bodies *b, int64_t i, real dt)
{
	vec3 v = v3(b->vx[i], b->vy[i], b->vz[i]), w = v3(b->wx[i], b->wy[i], b->wz[i]);
	return dt * (v3_norm(v) + swing_of(b->radius[i], b->round[i]) * v3_norm(w));
}

/* Sets the displacement of bodies for which contact rows are valid. */
void scree_rows_margins(const model *m, state *s, work *w);
/* Finds bodies that can meet nothing for some steps: they get no rows. May widen the inner skin. */
void scree_pairs_to_flights(const model *m, state *s, work *w);

#endif
