/* outputs.h: the outputs of a run, at multiples of each output's `every`, counted from 0. Whether an output is due in a
 * step depends only on the step, so that a resumed run writes the same files, or continues with a new `every`. */
#ifndef SCREE_OUTPUTS_OUTPUTS_H
#define SCREE_OUTPUTS_OUTPUTS_H

#include "format/file.h"
#include "format/history.h"
#include "format/snapshot.h"
#include "format/tables.h"
#include "measure/measure.h"
#include "model/declared.h"
#include "ranks/together/domain.h"

#include <stdio.h>
#include <sys/types.h>

/* ------------------------------------------------------------------ results.c, film.c: files in a folder */

/* Tests whether two paths lead to the same file or folder; returns false, with an error message, if this is unknown. */
bool scree_results_same(const char *a, const char *b, bool *same, fail *why);
bool scree_results_folder(const char *folder, fail *why);
/* A lock on the files of a run. All members are zero if no lock is held. */
typedef struct results_lock {
	bool held;
	int file;	 /* open file, locked by the system */
	pid_t owner; /* process that took the lock; its forked children do not hold it */
	struct results_lock *next;
} results_lock;
/* Locks the files folder/name... against other runs, until the lock is released or the process ends in any way. The
 * lock must not be moved in memory. Returns false, with an error message, if another run holds the lock. */
bool scree_results_lock(results_lock *lock, const char *folder, const char *name, fail *why);
bool scree_results_locked(const char *folder, const char *name);
/* Releases the lock; in a child process, the lock of the parent stays locked. */
void scree_results_unlock(results_lock *lock, const char *folder, const char *name);
/* Removes the files folder/name... with these extensions, if any; returns false, with an error message, if it fails. */
bool scree_results_remove(const char *folder, const char *name, const char *const ending[2], fail *why);
/* Tests whether a run left a snapshot; returns false, with an error message, if that cannot be determined. */
bool scree_results_look(const char *folder, const char *name, bool *there, fail *why);
/* Numbers of files included in a snapshot. */
typedef struct results_count {
	int64_t frames, images, fields;
} results_count;
/* Removes the numbered files of an earlier run that are not in the snapshot, or all of its files if `kept` is NULL. */
bool scree_results_clear(const char *folder, const char *name, const results_count *kept, fail *why);

bool scree_film_possible(void);
/* Makes NAME.mp4 from pictures first .. first+count-1, at `rate` per second; once complete, replaces an older film. */
bool scree_film_write(const char *folder, const char *name, int64_t first, int64_t count, real rate, fail *why);

/* ------------------------------------------------------------------ measure_files.c: tables NAME_measure_..csv */

enum { MEASURE_ENDING = 64 };
/* the last part of the name of a measure's file */
void scree_measure_ending(const measure_plan *p, char ending[MEASURE_ENDING]);
/* Opens the table of a measure, truncated to the mark. Returns NULL, with an error message, if that fails. */
csv *scree_measure_open(const char *path, const measure_plan *p, const csv_mark *mark, fail *why);
/* Tests whether the world has the sink of a measure; returns false, with an error message, if not. */
bool scree_measure_possible(const measure_plan *p, const scree_world *w, fail *why);
/* Appends the rows for this time. file: NULL on other ranks; mark: the last values of a flow. */
bool scree_measure_write(csv *file, const measure_plan *p, const scree_world *w, measure_mark *mark, fail *why);

/* The columns of measures that are in the history, named `ENTRY.COLUMN`. */
typedef struct measured_columns {
	int32_t count;
	csv_column *column; /* [count] */
	char *text;			/* names and units of the columns */
} measured_columns;
measured_columns scree_measured_columns(const output_plan *p);
void scree_measured_columns_free(measured_columns *c);
/* Computes the columns at the present time; rates are means since the last rows (mark). now: [measures] flows in this
 * row. All parts of a divided world must call this function, and all receive the values. */
void scree_measured_values(const output_plan *p, const scree_world *w, const measure_mark *mark, real *value,
						   flow_mark *now);

/* ------------------------------------------------------------------ the outputs of a run */

/* Called when the disk is full, with the message and the number of earlier attempts; returns whether to try again. */
typedef int space_fn(const char *sentence, int attempts, void *context);
/* called with a note, which is a sentence without a trailing newline */
typedef void note_fn(const char *sentence, void *context);

typedef struct outputs {
	char folder[SCREE_PATH_ROOM], name[SCREE_PATH_ROOM]; /* files are folder/name... */
	const char *from;									 /* the snapshot to resume from; NULL for a new run */
	bool in_place;										 /* the run continues in the snapshot's folder */
	bool overwrite;										 /* existing results may be replaced */
	space_fn *wait;										 /* NULL to stop on a full disk */
	note_fn *note;										 /* NULL to discard notes */
	void *context;										 /* for both */
	domain ranks;										 /* ranks must agree on each file */
	const scree_world *whole;							 /* all bodies, for fields and pictures; NULL on other ranks */
	snapshot_extra *extra;								 /* the plan, and the amount written so far */
	snapshot_extra before;								 /* amounts written when the outputs were opened */
	bool open;											 /* scree_outputs_open has succeeded */
	results_lock lock;
	history *history;
	measured_columns columns;			/* measures in the history; all ranks have them */
	csv *table[TABLES + PLAN_MEASURES]; /* one of each kind, followed by the tables of the measures */
	double last_snapshot;				/* wall clock, s */
	double snapshot_took;				/* time needed to write the last snapshot, in s */
	bool stopped[2]; /* the snapshot and the picture of the state in which a guard stopped the run have been written */
	real snapshot_time; /* simulated time of the snapshot on disk, in s; -1 if there is none */
} outputs;

/* In a world divided among ranks, all ranks call these functions, each with its own part, and all return the same
 * value. `whole` must be set before _write, _finish and _stopped if the matching ..shows_bodies returns true.
 *
 * Makes and locks the folder; refuses to overwrite results of another run, or rows that the snapshot does not include;
 * opens the tables (on a resume, truncated to the snapshot); and writes the resolved scene. */
bool scree_outputs_open(outputs *o, const scree_world *w, fail *why);
/* Tests whether an output is due in a step after `after`, up to and including `last`. */
bool scree_outputs_due(const outputs *o, const scree_world *w, int64_t after, int64_t last);
/* Tests whether an output due at the present time needs the complete world on the first rank. */
bool scree_outputs_show_bodies(const outputs *o, const scree_world *w);
/* Writes all outputs due now. If this fails, they are incomplete, and the run must resume from an earlier snapshot. */
bool scree_outputs_write(outputs *o, const scree_world *w, fail *why);
/* Tests whether scree_outputs_finish draws a picture. */
bool scree_outputs_finish_shows_bodies(const outputs *o, const scree_world *w);
/* Writes the final picture, unless this step already has one. */
bool scree_outputs_finish(outputs *o, const scree_world *w, fail *why);
/* Writes the snapshot once all files that it includes are on disk; keeps the previous one as NAME.old.snap. */
bool scree_outputs_snapshot(outputs *o, const scree_world *w, fail *why);
/* Writes the state in which a guard stopped the run: NAME.stopped.snap, which is kept next to the last good snapshot
 * and cannot be resumed, and its picture if the scene has pictures. Failures to write are reported as notes. */
void scree_outputs_stopped(outputs *o, const scree_world *w);
void scree_outputs_stopped_picture(outputs *o);
bool scree_outputs_stopped_shows_bodies(const outputs *o);
/* If the scene asks for a film, makes it from the pictures. A failure is only noted, since the pictures are kept. */
void scree_outputs_film(const outputs *o);
bool scree_outputs_snapshot_due(const outputs *o);
/* Calls `take` with the kind and path of each file meant for the user; only pictures in the folder are included. */
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
/* Closes all files; unless the run continued in its snapshot's folder, resets the record of amounts written to its
 * values at opening. Returns false, with an error message, if closing reveals a failed write. */
bool scree_outputs_close(outputs *o, fail *why);

/* fields.c: coarse-grained fields on a grid (Goldhirsch 2010) as image data for VTK (docs/theory/measures.md,
 * "Fields"), at the centres of the grid cells; x varies fastest. Tensors are stored as xx, yy, zz, xy, xz, yz. */
typedef struct grid_fields {
	int64_t count;
	real *density, *momentum, *velocity; /* in kg/m3, kg/(m2 s) and m/s; 0 where no body is near */
	real *contact, *kinetic;			 /* the two parts of the stress in Pa, positive in compression */
} grid_fields;

/* w: the whole world. Bodies and contacts are added in ascending order of ids. */
grid_fields scree_grid_fields(const field_plan *p, const scree_world *w);
void scree_grid_fields_free(grid_fields *f);
bool scree_grid_fields_write(const field_plan *p, const scree_world *w, const char *path, fail *why);

/* columns.c: prints the unit and meaning of the columns with this name, one line per table; returns false if there are
 * none. of_scene: the name begins like a path to a key of a scene, so it is not an `ENTRY.COLUMN` of the history. */
bool scree_columns_explain(FILE *to, const char *name, bool of_scene);
/* Name k among the columns of the history, the columns of tables and the values of measures; NULL after the last. */
const char *scree_column_name(int k);

#endif
