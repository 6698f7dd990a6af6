/* scree.h: included by all headers of libscree: its version, the macro for exported symbols, and failures of the
 * process. world.h declares simulations, outputs.h their files, measures.h properties of packings, language.h texts
 * about scenes, print.h safe printing, and files.h file access and drawings for programs. */
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

/* No function ends the process. Two kinds of failure may occur anywhere: memory runs out (code 4), or scree detects an
 * internal error (code 70). The function that failed then returns this code. The memory that this function has
 * allocated is freed, but open files remain open, tables may lack their last lines, and memory allocated by other
 * libraries is leaked. Snapshots on disk are complete. A program may continue, but should exit soon.
 *
 * The handler is called first, at the point of failure, with the code, the error message and the given context. The
 * handler may be called in one of scree's threads, and when no memory is left. It may print, write its own data, and
 * end the process (as the command does). It must not call scree, or be left by longjmp or an exception. There is only
 * one handler per process, which must be set before other threads call scree; NULL removes it. */
typedef void scree_failure_fn(int code, const char *sentence, void *context);
SCREE_API void scree_on_failure(scree_failure_fn *handler, void *context);

#ifdef __cplusplus
}
#endif

#endif
