/* outputs.h: outputs of a run. Output times are whole multiples of each output's `every`, counted from 0. Whether
 * one falls into a step follows from the step alone, so that a resumed run writes the same files as one that never
 * stopped, and continues with a new `every` if it is given one. */
#ifndef SCREE_OUTPUTS_OUTPUTS_H
#define SCREE_OUTPUTS_OUTPUTS_H

#include "format/file.h"
#include "format/history.h"
#include "format/tables.h"
#include "outputs/measure_files.h"
#include "outputs/results.h"
#include "world/world.h"

/* Called when the disk is full, with the error message of the failure and the number of earlier attempts of this
 * output: whether to try again. */
typedef int space_fn(const char *sentence, int attempts, void *context);
/* called with a note, a sentence without a line end */
typedef void note_fn(const char *sentence, void *context);

typedef struct outputs {
	char folder[SCREE_PATH_ROOM], name[SCREE_PATH_ROOM]; /* files are folder/name... */
	const char *from;									 /* the snapshot to resume from; NULL: a new run */
	bool in_place;										 /* the run continues in the snapshot's folder */
	bool overwrite;										 /* existing results may be replaced */
	space_fn *wait;										 /* NULL: stop on a full disk */
	note_fn *note;										 /* NULL: notes are dropped */
	void *context;										 /* for both */
	domain ranks;										 /* all agree on each file */
	const scree_world *whole;							 /* all bodies, for fields and pictures; NULL at other ranks */
	snapshot_extra *extra;								 /* the plan, and the amount written so far */
	snapshot_extra before;								 /* amounts written when the outputs were opened */
	bool open;											 /* scree_outputs_open has succeeded */
	results_lock lock;
	history *history;
	measured_columns columns;			/* names of measures in the history; all ranks have them */
	csv *table[TABLES + PLAN_MEASURES]; /* of a kind, and of measures */
	double last_snapshot;				/* wall clock, s */
	double snapshot_took;				/* s, duration of the last snapshot */
	bool stopped[2];	/* snapshot and picture of the state in which a guard stopped the run were written */
	real snapshot_time; /* s, simulated, of the snapshot on disk; -1: there is none */
} outputs;

/* In a world that is divided among ranks, all ranks call these functions with their part. Functions that return false
 * do so at all of them. `whole` must be set before _write, _finish and _stopped if scree_outputs_show_bodies,
 * _finish_shows_bodies or _stopped_shows_bodies.
 *
 * Makes and locks the folder; refuses to overwrite results of another run, or rows that the snapshot does not count;
 * opens the tables (truncated to the snapshot on a resume); writes the resolved scene. On failure the amounts written
 * have not changed. */
bool scree_outputs_open(outputs *o, const scree_world *w, fail *why);
/* Whether an output is due in a step after `after`, up to and including `last`. */
bool scree_outputs_due(const outputs *o, const scree_world *w, int64_t after, int64_t last);
/* Whether an output that is due at the time of the world needs the whole of it at the first rank. */
bool scree_outputs_show_bodies(const outputs *o, const scree_world *w);
/* Writes all outputs due at the time of the world. After a failure this output time is incomplete, and the run must
 * be resumed from an earlier snapshot. */
bool scree_outputs_write(outputs *o, const scree_world *w, fail *why);
/* Whether scree_outputs_finish draws a picture. */
bool scree_outputs_finish_shows_bodies(const outputs *o, const scree_world *w);
/* Writes the picture of the end, unless this step has one. */
bool scree_outputs_finish(outputs *o, const scree_world *w, fail *why);
/* Writes the snapshot after all files that it counts are on disk; keeps the previous one as NAME.old.snap. */
bool scree_outputs_snapshot(outputs *o, const scree_world *w, fail *why);
/* Writes the state in which a guard stopped the run, next to the last good snapshot: NAME.stopped.snap, which cannot
 * be resumed, and its picture if the scene has pictures. Notes failures of writing. */
void scree_outputs_stopped(outputs *o, const scree_world *w);
/* The picture alone. */
void scree_outputs_stopped_picture(outputs *o);
bool scree_outputs_stopped_shows_bodies(const outputs *o);
/* Makes the film of all pictures, if the scene has one; notes a failure, after which the pictures are still there. */
void scree_outputs_film(const outputs *o);
bool scree_outputs_snapshot_due(const outputs *o);
/* Calls `take` with the kind and the path of each file for the user; of pictures those in the folder. */
typedef enum output_kind {
	OUTPUT_SNAPSHOT,
	OUTPUT_STOPPED_SNAPSHOT,
	OUTPUT_STOPPED_PICTURE,
	OUTPUT_HISTORY,
	OUTPUT_TABLE,
	OUTPUT_FRAMES,
	OUTPUT_FILM,
	OUTPUT_PICTURE
} output_kind;
typedef void take_file_fn(output_kind kind, const char *path, void *context);
void scree_outputs_list(const outputs *o, take_file_fn *take, void *context);
/* Closes all files. Unless the run continued in the folder of its snapshot, the amounts written are reset
 * to those at the opening. False with an error message if the system reports a failure of writing only now. */
bool scree_outputs_close(outputs *o, fail *why);

#endif
