/* outer_work.h: forces from outside in an implicit step. Before its solution only a guess of the velocity is known, so
 * that their work follows from the velocities before and after it. Derived; private to a step. */
#ifndef SCREE_WORK_OUTER_WORK_H
#define SCREE_WORK_OUTER_WORK_H

/* power, W: with the mean of the velocities before and after the step, and with that after it, which is kept for
 * the next step. SWINGS, J: as ledger.method_now */
enum { OUTER_POWER, OUTER_AFTER, OUTER_SWINGS, OUTER_SUMS };

#endif
