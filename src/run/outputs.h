/* outputs.h: when a run writes what. Moments are whole multiples of each output's `every`, counted from 0; whether one
 * comes in a step follows from the step alone, so that a resumed run writes the same files as one that never stopped,
 * and one that is told another `every` goes on with that. */
#ifndef SCREE_RUN_OUTPUTS_H
#define SCREE_RUN_OUTPUTS_H

#include "base/fail.h"
#include "format/file.h"
#include "format/history.h"
#include "format/snapshot.h"
#include "format/tables.h"
#include "world/world.h"

typedef struct outputs {
	char folder[SCREE_PATH_ROOM], name[SCREE_PATH_ROOM]; /* files are folder/name... */
	const char *from;									 /* the snapshot that the run goes on from; NULL: it begins */
	bool in_place;										 /* it goes on in the snapshot's folder */
	bool overwrite;										 /* results that are there may be replaced */
	bool wait_for_space;								 /* on a full disk: wait, do not stop */
	double wait_until;									 /* wall clock, s: no longer than that; 0: without limit */
	snapshot_extra extra;								 /* the plan, and how much was written */
	int lock;											 /* open file that keeps other runs out; -1: none */
	history *history;
	table *table[TABLES];
	double last_snapshot; /* wall clock, s */
	double snapshot_took; /* s, the last one */
	bool stopped[2];	  /* snapshot and picture of the state in which a guard stopped the run were written */
	real snapshot_time;	  /* s, simulated, of the snapshot on disk; -1: there is none */
} outputs;

/* Makes and locks the folder; refuses to overwrite the results of another run; opens the tables (on a resume cut to
 * what the snapshot knew); writes the resolved scene. */
bool scree_outputs_open(outputs *o, const scree_world *w, fail *why);
/* Is anything to be written at this step? */
bool scree_outputs_due(const outputs *o, int64_t step, real dt);
/* Writes what is due at the world's time. When it fails, the moment is incomplete: the run goes on from a snapshot of
 * before. */
bool scree_outputs_write(outputs *o, const scree_world *w, fail *why);
/* The picture of the end, unless this step has one. */
bool scree_outputs_finish(outputs *o, const scree_world *w, fail *why);
/* The snapshot, when all that it counts is on disk; the one before is kept as NAME.old.snap. */
bool scree_outputs_snapshot(outputs *o, const scree_world *w, fail *why);
/* The state in which a guard stopped the run, beside the last good snapshot: NAME.stopped.snap, which no run goes on
 * from, and its picture where the scene has pictures. What cannot be written is said. */
void scree_outputs_stopped(outputs *o, const scree_world *w);
bool scree_outputs_snapshot_due(const outputs *o);
/* Names what there is to look at. */
void scree_outputs_list(const outputs *o);
/* Closes all files; false with a sentence when the system says only now that it could not write. */
bool scree_outputs_close(outputs *o, fail *why);

#endif
