/* outputs.h: the output files of a simulation in a folder, as specified by its scene: history, tables, frames for
 * ParaView, pictures, and snapshots. Output times are integer multiples of each output's `every`, counted from t = 0. A
 * run continued from a snapshot writes the same files as a run that was never stopped. */
#ifndef SCREE_OUTPUTS_H
#define SCREE_OUTPUTS_H

#include "scree/world.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Called when the disk is full, with the error message and the number of earlier attempts at this output. It should
 * wait and return a nonzero value to try again, or return 0 to let the call fail. While this function runs, calls for
 * the same simulation return SCREE_IN_USE. */
typedef int scree_full_disk_fn(const char *sentence, int attempts, void *context);

typedef struct scree_outputs_options {
	/* created if it does not exist; NULL selects out/NAME for a scene, and the folder of the snapshot if restored
	 */
	const char *folder;
	int overwrite; /* whether to replace the results of an earlier run in the folder instead of refusing to start */
	scree_full_disk_fn *wait; /* if NULL, a full disk is an immediate failure */
	scree_log_fn *note;		  /* called with notes about files and slow work; NULL discards them */
	void *context;			  /* for both */
} scree_outputs_options;

/* Locks the folder for the files NAME..., and opens them. NAME is the name of the snapshot or the scene ("scene" if its
 * path has none). In the folder of the snapshot from which the simulation was restored, output is appended to the
 * existing files. This must be called before the first step. Returns SCREE_BAD_INPUT if another process writes to the
 * folder, if it contains results of another run or files that the snapshot does not include, if the snapshot is of a
 * run that a guard stopped, or if pictures cannot be drawn. A failed call does not change the simulation. After this
 * call, scree_sim_change_plan is refused. */
SCREE_API scree_code scree_sim_outputs_open(scree_sim *s, const scree_outputs_options *options);
/* Number of steps, at most `most`, until the next output is due or run.until is reached; at least 1, and exactly 1 in
 * a simulation with sources or sinks, so that scree_sim_warnings can report on them after each step. While outputs are
 * open, SCREE_BAD_INPUT is returned by steps past an output time, by steps after an output time that has not been
 * written, and by changes to the step at such a time. */
SCREE_API int64_t scree_sim_outputs_next(const scree_sim *s, int64_t most);
/* Writes all outputs that are due now, and the snapshot if run.snapshot requires it or a stage has ended; must be
 * called after each step at which an output is due, and at t = 0 unless the simulation was restored. A second call at
 * the same time has no effect. After a failure, this output time is incomplete, and the run must be continued from an
 * earlier snapshot: calls that make steps, write outputs or finish the run return the same failure until the outputs
 * are closed. */
SCREE_API scree_code scree_sim_outputs_write(scree_sim *s);
/* Finishes a run: writes the last picture and the film, if run.until is reached, and the snapshot. If a guard stopped
 * the simulation, writes the state as NAME.stopped.snap instead, from which no run can continue (if the state contains
 * NaN, logs only a note). After this, the outputs can only be closed. Returns SCREE_GUARD, with all files written, if
 * implicit contacts were not solved since the last test of the guards, for example in a short run; this is tested only
 * at the end. If the time limit of a stage has stopped the run (scree_sim_is_late), it can continue from the snapshot.
 * Returns SCREE_BAD_INPUT if an output at this time has not been written, or if a value that the caller has written to
 * the arrays is not a number. */
SCREE_API scree_code scree_sim_outputs_finish(scree_sim *s);
/* Closes and unlocks the files; scree_sim_close also does this. Returns SCREE_FILES if the system reports a write
 * failure only when the files are closed. */
SCREE_API scree_code scree_sim_outputs_close(scree_sim *s);

typedef struct scree_outputs {
	const char *folder, *name; /* files are FOLDER/NAME...; both strings are valid until the outputs are closed */
	double snapshot_time;	   /* time of the last snapshot in the folder, in s, or -1 if there is none */
	double snapshot_seconds;   /* time taken to write it, in s */
} scree_outputs;
/* Returns SCREE_BAD_INPUT if no outputs are open. */
SCREE_API scree_code scree_sim_outputs(scree_sim *s, scree_outputs *out);

typedef enum scree_file_kind {
	SCREE_FILE_SNAPSHOT,
	SCREE_FILE_STOPPED_SNAPSHOT,
	SCREE_FILE_STOPPED_PICTURE,
	SCREE_FILE_HISTORY,
	SCREE_FILE_TABLE,
	SCREE_FILE_PARAVIEW, /* the list of frames, .pvd */
	SCREE_FILE_FILM,
	SCREE_FILE_PICTURE
} scree_file_kind;
typedef struct scree_file {
	scree_file_kind kind;
	const char *path;
} scree_file;
/* Lists the files of the simulation in the folder, ordered by kind. The list is valid until the next call,
 * or until the outputs are closed. */
SCREE_API scree_code scree_sim_outputs_files(scree_sim *s, int64_t *count, const scree_file **file);

#ifdef __cplusplus
}
#endif

#endif
