/* outputs.h: outputs of a run. Output times are whole multiples of each output's `every`, counted from 0. Whether one
 * falls into a step depends only on the step, so that a resumed run writes the same files as one that never stopped, or
 * continues with a new `every` if given. */
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

/* Tests whether two paths lead to the same file or folder; false with an error message if that cannot be determined. */
bool scree_results_same(const char *a, const char *b, bool *same, fail *why);
/* makes a folder and its parents */
bool scree_results_folder(const char *folder, fail *why);
/* A lock on the files of a run. All zero: none is held. */
typedef struct results_lock {
	bool held;
	int file;	 /* open file, locked by the system */
	pid_t owner; /* process that took the lock: its forked children do not have it */
	struct results_lock *next;
} results_lock;
/* Locks the files folder/name... against other runs, until it is unlocked or the process ends in any way. The lock
 * must not move in memory. False with an error message if another run holds them. */
bool scree_results_lock(results_lock *lock, const char *folder, const char *name, fail *why);
/* Tests whether another process holds it. */
bool scree_results_locked(const char *folder, const char *name);
/* In a child process the parent's lock is kept. */
void scree_results_unlock(results_lock *lock, const char *folder, const char *name);
/* Removes the two files folder/name... with these endings, if they exist; false with an error message. */
bool scree_results_remove(const char *folder, const char *name, const char *const ending[2], fail *why);
/* Tests whether a run left a snapshot; false with an error message if that cannot be determined. */
bool scree_results_look(const char *folder, const char *name, bool *there, fail *why);
/* Numbers of files included in a snapshot. */
typedef struct results_count {
	int64_t frames, images, fields;
} results_count;
/* Removes the files of an earlier run: all of them (kept NULL), or numbered files not included, which the resumed run
 * will write again. Files with other names stay. */
bool scree_results_clear(const char *folder, const char *name, const results_count *kept, fail *why);

/* Tests whether ffmpeg, which makes films, is found. */
bool scree_film_possible(void);
/* Makes NAME.mp4 of the pictures first .. first+count-1 of a run, with this number per second; it replaces an older
 * film when it is complete. False with an error message. */
bool scree_film_write(const char *folder, const char *name, int64_t first, int64_t count, real rate, fail *why);

/* ------------------------------------------------------------------ measure_files.c: measures of a run as tables
 * (CSV), NAME_measure_..csv, and as columns of the history */

enum { MEASURE_ENDING = 64 };
/* the end of the name of a measure's file */
void scree_measure_ending(const measure_plan *p, char ending[MEASURE_ENDING]);
/* Opens the table of a measure, truncated to the mark. NULL with an error message. */
csv *scree_measure_open(const char *path, const measure_plan *p, const csv_mark *mark, fail *why);
/* Tests whether the world has the sink of a measure; false with an error message. */
bool scree_measure_possible(const measure_plan *p, const scree_world *w, fail *why);
/* Appends the rows of this time. file: NULL on other ranks; mark: the last values of a flow. */
bool scree_measure_write(csv *file, const measure_plan *p, const scree_world *w, measure_mark *mark, fail *why);

/* The columns of measures that are in the history, `ENTRY.COLUMN`. */
typedef struct measured_columns {
	int32_t count;
	csv_column *column; /* [count] */
	char *text;			/* their names and units */
} measured_columns;
measured_columns scree_measured_columns(const output_plan *p);
void scree_measured_columns_free(measured_columns *c);
/* Their values at the present time. Rates are those since the last rows of the history (mark); now: [measures] the
 * flows in this one. All parts of a divided world call this, and all get the values. */
void scree_measured_values(const output_plan *p, const scree_world *w, const measure_mark *mark, real *value,
						   flow_mark *now);

/* ------------------------------------------------------------------ the outputs of a run */

/* Called when the disk is full, with the error message and the number of earlier attempts at this output; returns
 * whether to try again. */
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
	domain ranks;										 /* ranks agree on each file */
	const scree_world *whole;							 /* all bodies, for fields and pictures; NULL on other ranks */
	snapshot_extra *extra;								 /* the plan, and the amount written so far */
	snapshot_extra before;								 /* amounts written when the outputs were opened */
	bool open;											 /* scree_outputs_open has succeeded */
	results_lock lock;
	history *history;
	measured_columns columns;			/* names of measures in the history; all ranks have them */
	csv *table[TABLES + PLAN_MEASURES]; /* one of each kind, then the measures */
	double last_snapshot;				/* wall clock, s */
	double snapshot_took;				/* s, duration of the last snapshot */
	bool stopped[2];	/* snapshot and picture of the state in which a guard stopped the run were written */
	real snapshot_time; /* s, simulated, of the snapshot on disk; -1: there is none */
} outputs;

/* In a world that is divided among ranks, all ranks call these functions with their part. Functions that return false
 * do so on all of them. `whole` must be set before _write, _finish and _stopped if scree_outputs_show_bodies,
 * _finish_shows_bodies or _stopped_shows_bodies.
 *
 * Makes and locks the folder; refuses to overwrite results of another run, or rows that the snapshot does not include;
 * opens the tables (truncated to the snapshot on a resume); writes the resolved scene. On failure the amounts written
 * have not changed. */
bool scree_outputs_open(outputs *o, const scree_world *w, fail *why);
/* Tests whether an output is due in a step after `after`, up to and including `last`. */
bool scree_outputs_due(const outputs *o, const scree_world *w, int64_t after, int64_t last);
/* Tests whether an output due at the present time needs the complete world on the first rank. */
bool scree_outputs_show_bodies(const outputs *o, const scree_world *w);
/* Writes all outputs due at the present time. After a failure this output time is incomplete, and the run must be
 * resumed from an earlier snapshot. */
bool scree_outputs_write(outputs *o, const scree_world *w, fail *why);
/* Tests whether scree_outputs_finish draws a picture. */
bool scree_outputs_finish_shows_bodies(const outputs *o, const scree_world *w);
/* Writes the final picture, unless this step has one. */
bool scree_outputs_finish(outputs *o, const scree_world *w, fail *why);
/* Writes the snapshot after all files that it includes are on disk; keeps the previous one as NAME.old.snap. */
bool scree_outputs_snapshot(outputs *o, const scree_world *w, fail *why);
/* Writes the state in which a guard stopped the run, next to the last good snapshot: NAME.stopped.snap, which cannot be
 * resumed, and its picture if the scene has pictures. Write failures are reported as notes. */
void scree_outputs_stopped(outputs *o, const scree_world *w);
/* Only the picture. */
void scree_outputs_stopped_picture(outputs *o);
bool scree_outputs_stopped_shows_bodies(const outputs *o);
/* Makes the film of all pictures, if the scene has one; a failure is only noted, since the pictures are kept. */
void scree_outputs_film(const outputs *o);
bool scree_outputs_snapshot_due(const outputs *o);
/* Calls `take` with the kind and path of each file for the user; of pictures, only those in the folder. */
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
/* Closes all files. Unless the run continued in the folder of its snapshot, the amounts written are reset to those at
 * the opening. False with an error message if the system reports a write failure only now. */
bool scree_outputs_close(outputs *o, fail *why);

/* fields.c: coarse-grained fields of a world on a grid (Goldhirsch 2010), as image data for VTK
 * (docs/theory/measures.md, "Fields"): values at the centres of the grid's cells, x varies fastest. Tensors are xx, yy,
 * zz, xy, xz, yz. */
typedef struct grid_fields {
	int64_t count;
	real *density, *momentum, *velocity; /* kg/m3, kg/(m2 s), m/s: 0 where no body is near */
	real *contact, *kinetic;			 /* Pa: the two parts of the stress, compression positive */
} grid_fields;

/* w: the whole world. Bodies and contacts are added in ascending order of ids. */
grid_fields scree_grid_fields(const field_plan *p, const scree_world *w);
void scree_grid_fields_free(grid_fields *f);
/* Writes them to a file (.vti). */
bool scree_grid_fields_write(const field_plan *p, const scree_world *w, const char *path, fail *why);

/* columns.c: prints unit and meaning of the columns with this name, one line per table; false: there is none. of_scene:
 * the name begins like a path to a key of a scene, so it is no `ENTRY.COLUMN` of the history. */
bool scree_columns_explain(FILE *to, const char *name, bool of_scene);
/* Name k of the columns of the history, of tables, and of the values of measures; NULL: no more. */
const char *scree_column_name(int k);

#endif
