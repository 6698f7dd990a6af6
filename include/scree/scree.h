/* scree.h: the public interface of libscree: run, check and look at simulations of granular matter.
 *
 * Every function returns an exit code: 0 done, 2 bad input, 3 a physics guard stopped the run, 4 a file could not be
 * read or written or memory could not be had, 5 stopped by a signal or the time limit with a good snapshot, 70 internal
 * error. Messages go to stderr, results to stdout. Nothing here ends the process. One call at a time. */
#ifndef SCREE_SCREE_H
#define SCREE_SCREE_H

#ifdef __cplusplus
extern "C" {
#endif

#define SCREE_VERSION "0.2.0"

enum { SCREE_THREADS_MOST = 64 };

typedef struct scree_run_options {
	const char *scene;	/* path of a scene file; or NULL with */
	const char *resume; /* path of a snapshot to go on from */
	const char *folder; /* where results go; NULL: out/<name of the scene>, or the snapshot's folder */
	int sets;			/* changes of the scene: "name=value" */
	const char *const *set;
	int threads;		 /* 0: all; at most SCREE_THREADS_MOST, more are an error */
	double wall_seconds; /* stop with a snapshot before this much time has passed; 0: no limit */
	long long steps;	 /* stop after so many steps; 0: at run.until */
	int quiet;			 /* no progress, only warnings and the closing lines */
	int overwrite;		 /* replace the results of a run before in the folder; else they are refused */
	int wait_for_space;	 /* on a full disk: wait until there is room, do not stop */
} scree_run_options;

/* Two things may happen anywhere: memory cannot be had (code 4), or scree finds a fault of its own (code 70). The
 * function that was called then gives up and returns the code; its memory is given back, but files that it had open
 * stay open, tables may lack their last lines, and what libraries took is lost. Snapshots on disk are whole. So a
 * program may go on, and better ends soon.
 *
 * The handler hears of it first, where it happens: with the code, the sentence and what was given as context; possibly
 * in a thread of scree's, with no memory left. It may print, write what is its own, and end the process (the command
 * does). It must not call scree, nor leave by longjmp or an exception. One handler for the process, set before other
 * threads call scree; NULL: none. */
typedef void scree_failure_fn(int code, const char *sentence, void *context);
void scree_on_failure(scree_failure_fn *handler, void *context);

/* How the program that calls is called itself (its argv[0]): messages that name a command to type begin with it. The
 * standard is "scree". */
void scree_called_as(const char *name);
/* Runs a scene, or goes on from a snapshot, to its end. */
int scree_run(const scree_run_options *options);
/* Reads and builds a scene without running it; prints what it is. */
int scree_check(const char *scene, int sets, const char *const *set);
/* The same; meshes of bodies that are open, turned or otherwise wrong are mended where that is safe, and written beside
 * their files. Prints what was done. */
int scree_check_repair(const char *scene, int sets, const char *const *set);
/* Prints the rows of a table (laws, broad_phases, narrow_phases, integrators, solvers, sharings, mesh_formats); NULL:
 * all tables. */
int scree_list(const char *table);
/* Prints what a key of the scene language means, e.g. "run.step". */
int scree_explain(const char *key);
/* Prints the JSON Schema of the scene language. */
int scree_schema(void);
/* Draws a snapshot into a PNG, with the scene's picture settings changed by "output.images" sets. */
int scree_render(const char *snapshot, const char *png, int sets, const char *const *set);
/* Prints the hash of a snapshot's state. */
int scree_hash_snapshot(const char *snapshot);
/* Writes the full surface meshes of all bodies of a snapshot (.vtp). */
int scree_export(const char *snapshot, const char *path);
/* Steps a snapshot in memory and prints speed, greatest overlap and energy drift. unsorted: bodies stay in the order of
 * their ids, not in that of their places, which shows what the latter is worth; results are the same. */
int scree_bench(const char *snapshot, long long steps, int threads, int unsorted);

#ifdef __cplusplus
}
#endif

#endif
