/* results.h: the files of a run in its folder: locking, files left by an earlier run, and the film. */
#ifndef SCREE_OUTPUTS_RESULTS_H
#define SCREE_OUTPUTS_RESULTS_H

#include "base/fail.h"
#include "base/real.h"

#include <stdint.h>
#include <sys/types.h>

/* Whether two paths lead to one file or folder; false with an error message if that cannot be determined. */
bool scree_results_same(const char *a, const char *b, bool *same, fail *why);
/* makes a folder and its parents */
bool scree_results_folder(const char *folder, fail *why);
/* A lock of the files of a run. All zero: none is held. */
typedef struct results_lock {
	bool held;
	int file;	 /* open file with a lock of the system */
	pid_t owner; /* process that took it: children made by fork do not have it */
	struct results_lock *next;
} results_lock;
/* Locks the files folder/name... against other runs, until it is unlocked or the process ends in any way. The lock
 * must not move in memory. False with an error message if another run holds them. */
bool scree_results_lock(results_lock *lock, const char *folder, const char *name, fail *why);
/* Whether another process holds it. */
bool scree_results_locked(const char *folder, const char *name);
/* In a child process the lock of the parent stays. */
void scree_results_unlock(results_lock *lock, const char *folder, const char *name);
/* Removes the two files folder/name... with these endings, if they are there; false with an error message. */
bool scree_results_remove(const char *folder, const char *name, const char *const ending[2], fail *why);
/* Whether a run left a snapshot; false with an error message if that cannot be determined. */
bool scree_results_look(const char *folder, const char *name, bool *there, fail *why);
/* Numbers of files that a snapshot counts. */
typedef struct results_count {
	int64_t frames, images, fields;
} results_count;
/* Removes the files of an earlier run: all of them (kept NULL), or numbered files that are not counted, which the
 * resumed run will write again. Files of other names stay. */
bool scree_results_clear(const char *folder, const char *name, const results_count *kept, fail *why);

/* Whether ffmpeg, which makes films, is found. */
bool scree_film_possible(void);
/* Makes NAME.mp4 of the pictures first .. first+count-1 of a run, with this number per second; it replaces an older
 * film when it is complete. False with an error message. */
bool scree_film_write(const char *folder, const char *name, int64_t first, int64_t count, real rate, fail *why);

#endif
