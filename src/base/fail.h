/* fail.h: how a function says what went wrong.
 *
 * A function that can fail through the caller's or a file's fault, memory or the disk returns false and leaves one
 * sentence (or several lines, for scene files) in a fail. Our own faults are SCREE_ASSERTs. */
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
/* Our own fault: says where and ends the process with exit code 70. */
_Noreturn void scree_broken(const char *what, const char *file, int line);

#define SCREE_ASSERT(truth) ((truth) ? (void)0 : scree_broken(#truth, __FILE__, __LINE__))

#endif
