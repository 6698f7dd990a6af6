/* scree.h: the public interface of libscree, which runs, checks and draws simulations of granular matter.
 *
 * Every function returns an exit code: 0 done, 2 bad input, 3 a physics guard stopped the run, 4 a file could not be
 * read or written or memory ran out, 5 stopped by a signal or the time limit with a good snapshot, 70 internal
 * error. Messages go to stderr, results to stdout. No function ends the process. Only one call may be active at a
 * time. */
#ifndef SCREE_SCREE_H
#define SCREE_SCREE_H

#ifdef __cplusplus
extern "C" {
#endif

#define SCREE_VERSION "0.2.0"

/* Marks symbols that the shared library exports. */
#if defined __GNUC__
#define SCREE_API __attribute__((visibility("default")))
#else
#define SCREE_API
#endif

enum { SCREE_THREADS_MOST = 64 };

typedef struct scree_run_options {
	const char *scene;	/* path of a scene file; NULL if `resume` is given */
	const char *resume; /* path of a snapshot to continue; NULL if `scene` is given */
	const char *folder; /* folder of results; NULL: out/<name of the scene>, or the snapshot's folder */
	int sets;			/* number of changes of the scene, "name=value" */
	const char *const *set;
	int threads;		 /* 0: all; at most SCREE_THREADS_MOST, more are an error */
	double wall_seconds; /* stop with a snapshot before this much time has passed; 0: no limit */
	long long steps;	 /* stop after so many steps; 0: at run.until */
	int quiet;			 /* no progress, only warnings and the closing lines */
	int overwrite;		 /* replace results of an earlier run in the folder, which are refused otherwise */
	int wait_for_space;	 /* on a full disk: wait for space instead of stopping */
} scree_run_options;

/* Two failures may happen anywhere: memory runs out (code 4), or scree finds an internal error (code 70). The function
 * then returns the code. Its memory is freed, but files that it had open stay open, tables may lack their last lines,
 * and memory allocated by libraries is lost. Snapshots on disk are complete. A program may continue, but should end
 * soon.
 *
 * The handler is called first, at the point of failure, with the code, the sentence and the given context. The caller
 * may be a thread of scree, and no memory may be left. The handler may print, write its own data, and end the process
 * (as the command does). It must not call scree, nor leave by longjmp or an exception. There is one handler per
 * process, to be set before other threads call scree; NULL: none. */
typedef void scree_failure_fn(int code, const char *sentence, void *context);
SCREE_API void scree_on_failure(scree_failure_fn *handler, void *context);

/* Sets the name of the calling program (its argv[0]), with which messages begin a command to type. The default is
 * "scree". */
SCREE_API void scree_called_as(const char *name);
/* Runs a scene, or continues a snapshot, to its end. */
SCREE_API int scree_run(const scree_run_options *options);

#ifdef __cplusplus
}
#endif

#endif
