/* fail.h: how a function says what went wrong.
 *
 * A function that can fail through the caller's or a file's fault or the disk returns false and leaves one sentence (or
 * several lines, for scene files) in a fail.
 *
 * What may happen anywhere, our own faults (SCREE_ASSERT) and memory that cannot be had, breaks off the work in hand:
 * it jumps back to the innermost attempt of its thread, which returns false. What was being changed is then in any
 * state, and may only be thrown away. */
#ifndef SCREE_BASE_FAIL_H
#define SCREE_BASE_FAIL_H

#include <stdbool.h>

/* also the exit codes of the command */
typedef enum fail_code {
	FAIL_NONE = 0,
	FAIL_INPUT = 2,	  /* a scene, a mesh or an argument is wrong */
	FAIL_GUARD = 3,	  /* the physics became nonsense             */
	FAIL_IO = 4,	  /* a file could not be read or written      */
	FAIL_STOPPED = 5, /* by a signal or the time limit, with a good snapshot */
	FAIL_INTERNAL = 70
} fail_code;

typedef struct fail {
	fail_code code;
	int error; /* errno of the system call that failed; 0: none did */
	char text[4096];
} fail;

/* Notes the sentence and returns false, so that a function can end with `return scree_fail(why, ...)`. */
bool scree_fail(fail *why, fail_code code, const char *format, ...) __attribute__((format(printf, 3, 4)));
/* puts "prefix: " before the sentence that is already there; returns false */
bool scree_fail_in(fail *why, const char *format, ...) __attribute__((format(printf, 2, 3)));

typedef void attempt_fn(void *what);
/* Calls work(what); false, with the sentence, when it broke off. Threads that help it (parallel.h) bring what breaks in
 * them to the caller. What the work held on its way is lost: files stay open, memory stays taken unless it is in a list
 * (memory.h). */
bool scree_attempt(attempt_fn *work, void *what, fail *why);
/* Breaks off: calls the handler, then jumps. Without an attempt to come back to it prints the sentence and aborts. */
_Noreturn void scree_break_off(fail_code code, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* what an attempt has returned goes on to the next one outside; no handler is called again */
_Noreturn void scree_break_again(const fail *why);
/* our own fault */
_Noreturn void scree_broken(const char *what, const char *file, int line);

/* Is told of what breaks where it happens, before anything is given up, in whatever thread that is. May print, write
 * what it has of its own, end the process; must not jump nor call the library. Not more than one of a process; set it
 * before there are threads. NULL: none. */
typedef void failure_fn(int code, const char *sentence, void *context);
void scree_failure_handler(failure_fn *handler, void *context);

#define SCREE_ASSERT(truth) ((truth) ? (void)0 : scree_broken(#truth, __FILE__, __LINE__))

#endif
