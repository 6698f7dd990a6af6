/* outputs.h: when a run writes what. Moments are whole multiples of each output's `every`, counted from 0, so that a
 * resumed run writes the same files as one that never stopped. */
#ifndef SCREE_RUN_OUTPUTS_H
#define SCREE_RUN_OUTPUTS_H

#include "base/fail.h"
#include "format/history.h"
#include "format/snapshot.h"
#include "format/tables.h"
#include "world.h"

typedef struct outputs {
	char folder[1024], name[128]; /* files are folder/name... */
	snapshot_extra extra;		  /* the plan, and how much was written */
	history *history;
	table *table[TABLES];
	double last_snapshot; /* wall clock, s */
	double snapshot_took; /* s, the last one */
} outputs;

/* Makes the folder; opens the history (on a resume cut to the rows that the snapshot knew); writes the resolved scene.
 */
bool scree_outputs_open(outputs *o, const scree_world *w, fail *why);
/* Writes what is due at the world's time. `last`: the end of the run, when a picture is always drawn. */
bool scree_outputs_write(outputs *o, const scree_world *w, bool last, fail *why);
/* The snapshot; the one before is kept as NAME.old.snap. */
bool scree_outputs_snapshot(outputs *o, const scree_world *w, fail *why);
bool scree_outputs_snapshot_due(const outputs *o);
/* Names what there is to look at. */
void scree_outputs_list(const outputs *o);
void scree_outputs_close(outputs *o);

#endif
