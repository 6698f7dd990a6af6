/* outputs.h: the output files of a simulation, as its scene describes them, in a folder: history, tables, frames for
 * ParaView, pictures, snapshots. Output times are whole multiples of each output's `every`, counted from t = 0. A run
 * that is continued from a snapshot writes the same files as one that never stopped. */
#ifndef SCREE_OUTPUTS_H
#define SCREE_OUTPUTS_H

#include "scree/world.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Called when the disk is full, with the error message of the failure and the number of earlier attempts of this
 * output. It returns after some time: non-zero to try again, or 0, with which the call fails. Calls of the simulation
 * in it return SCREE_IN_USE. */
typedef int scree_full_disk_fn(const char *sentence, int attempts, void *context);

typedef struct scree_outputs_options {
	const char *folder;		  /* made if it does not exist; NULL: out/NAME for a scene, or the folder of the snapshot */
	int overwrite;			  /* replace results of an earlier run in the folder, which are refused otherwise */
	scree_full_disk_fn *wait; /* NULL: a full disk is a failure at once */
	scree_log_fn *note;		  /* called with notes on files; NULL: they are dropped */
	void *context;			  /* for both */
} scree_outputs_options;

/* Locks the folder for the files NAME..., and opens them. NAME is that of the snapshot, or of the scene ("scene" if its
 * path has none). In the folder of the snapshot from which the simulation was restored, they continue. To be called
 * before the first step. SCREE_BAD_INPUT if another process writes there, if there are results of another run, or files
 * that the snapshot does not count, if the snapshot is the state in which a guard stopped a run, or if pictures cannot
 * be drawn. A failed call changes nothing in the simulation. After this call scree_sim_change_plan is refused. */
SCREE_API scree_code scree_sim_outputs_open(scree_sim *s, const scree_outputs_options *options);
/* Number of steps, at most `most`, after which the next output is due or run.until is reached; at least 1, and 1 in a
 * simulation with sources or sinks, on which scree_sim_warnings reports after each step. While outputs are open,
 * SCREE_BAD_INPUT is returned by steps that pass an output time, by those after an output time that is not written, and
 * by a change of the step at such a time. */
SCREE_API int64_t scree_sim_outputs_next(const scree_sim *s, int64_t most);
/* Writes all outputs that are due at this time, and the snapshot if run.snapshot says so or a stage has ended; to be
 * called at t = 0, except
 * after a restore, and after each step with an output. A second call at one time does nothing. After a failure this
 * output time is incomplete, and the run must be continued from an earlier snapshot: steps, outputs and the end return
 * the failure again until the outputs are closed. */
SCREE_API scree_code scree_sim_outputs_write(scree_sim *s);
/* At the end: writes the last picture and the film, if run.until is reached, and the snapshot; or the state in which a
 * guard stopped the simulation, NAME.stopped.snap, which no run continues from (none, with a note, if a number of its
 * bodies is none). The outputs can only be closed then. SCREE_GUARD, with all files written, if implicit contacts were
 * not solved since the guards were last tested, in a short run, say; this is judged at the end alone. After the time
 * limit of a stage (scree_sim_is_late) the snapshot is one that continues. SCREE_BAD_INPUT if an output of this time is
 * not written, or if a value that the caller has written is not a number. */
SCREE_API scree_code scree_sim_outputs_finish(scree_sim *s);
/* Closes and unlocks the files; scree_sim_close does, too. SCREE_FILES if the system reports a failure only now. */
SCREE_API scree_code scree_sim_outputs_close(scree_sim *s);

typedef struct scree_outputs {
	const char *folder, *name; /* files are FOLDER/NAME...; both live until the outputs are closed */
	double snapshot_time;	   /* s: of the last snapshot in the folder; -1: there is none */
	double snapshot_seconds;   /* time that it took to write */
} scree_outputs;
/* SCREE_BAD_INPUT: no outputs are open */
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
/* The files of the simulation in the folder, in the order of their kinds. They live until the next call, at most until
 * the outputs are closed. */
SCREE_API scree_code scree_sim_outputs_files(scree_sim *s, int64_t *count, const scree_file **file);

#ifdef __cplusplus
}
#endif

#endif
