/* fail.h: error reports of functions. A function that can fail because of the caller, a file or the disk returns false
 * and stores one error message (or several lines, for scene files) in a fail.
 *
 * Two failures are possible anywhere: internal errors (SCREE_ASSERT) and running out of memory. Both abort the current
 * work and jump back to the innermost attempt of the thread, which returns false. Data that were being changed are then
 * in an undefined state and may only be discarded. */
#ifndef SCREE_BASE_FAIL_H
#define SCREE_BASE_FAIL_H

#include <setjmp.h>
#include <stdbool.h>

/* also exit codes of the command, which in addition uses 5 when stopped by a signal or the time limit */
typedef enum fail_code {
	FAIL_NONE = 0,
	FAIL_INPUT = 2, /* a scene, a mesh or an argument is wrong */
	FAIL_GUARD = 3, /* the state is physically impossible */
	FAIL_IO = 4,	/* a file or a device failed */
	FAIL_INTERNAL = 70
} fail_code;

typedef struct fail {
	fail_code code;
	int error; /* errno of the system call that failed, or 0 */
	char text[4096];
} fail;

/* Stores the error message and returns false, so that a function can end with `return scree_fail(why, ...)`. */
bool scree_fail(fail *why, fail_code code, const char *format, ...) __attribute__((format(printf, 3, 4)));
/* Like scree_fail, for a wrong scene, mesh or argument. */
bool scree_refuse(fail *why, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* puts "prefix: " before the stored message; returns false */
bool scree_fail_in(fail *why, const char *format, ...) __attribute__((format(printf, 2, 3)));

typedef void attempt_fn(void *what);
/* Calls work(what); returns false, with the error message, if it failed in this thread or a helper (parallel.h). Files
 * then stay open, and memory stays allocated unless it is in a list (memory.h). */
bool scree_attempt(attempt_fn *work, void *what, fail *why);
/* An attempt within a function: `if (setjmp(*scree_attempt_begin(&here, why)))` is true if the attempt has failed;
 * otherwise end it with scree_attempt_end. `here` and `why` must be variables of the caller of that function. */
typedef struct open_attempt {
	jmp_buf back;
	struct open_attempt *outer;
	fail *why;
} open_attempt;
jmp_buf *scree_attempt_begin(open_attempt *here, fail *why);
void scree_attempt_end(const open_attempt *here);
/* Aborts the work: calls the handler, then jumps. Outside an attempt, prints the message and aborts the process. */
_Noreturn void scree_break_off(fail_code code, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* passes the failure of a finished attempt to the next outer attempt; does not call a handler again */
_Noreturn void scree_break_again(const fail *why);
_Noreturn void scree_broken(const char *what, const char *file, int line); /* reports an internal error */

/* Called where a failure happens, in any thread, before anything is freed. The handler may print, save its own data or
 * end the process, but not jump or call the library. Set it before threads start, once per process; NULL: none. */
typedef void failure_fn(int code, const char *sentence, void *context);
void scree_failure_handler(failure_fn *handler, void *context);

#define SCREE_ASSERT(truth) ((truth) ? (void)0 : scree_broken(#truth, __FILE__, __LINE__))

#endif
