/* results.h: the files of a run in its folder: locking, and files left by an earlier run. */
#ifndef SCREE_OUTPUTS_RESULTS_H
#define SCREE_OUTPUTS_RESULTS_H

#include "base/fail.h"

#include <stdint.h>

/* Whether two paths lead to one file or folder; false with a sentence if that cannot be determined. */
bool scree_results_same(const char *a, const char *b, bool *same, fail *why);
/* makes a folder and its parents */
bool scree_results_folder(const char *folder, fail *why);
/* Locks the files folder/name... against other runs, until the returned file is closed or the process ends in any
 * way. -1 with a sentence if another run holds them. */
int scree_results_lock(const char *folder, const char *name, fail *why);
void scree_results_unlock(const char *folder, const char *name, int lock);
/* Whether a run left a snapshot; false with a sentence if that cannot be determined. */
bool scree_results_look(const char *folder, const char *name, bool *there, fail *why);
/* Removes the files of an earlier run: all of them, or frames and pictures from these numbers on, which the resumed
 * run will write again. Files of other names stay. */
bool scree_results_clear(const char *folder, const char *name, bool all, int64_t frames, int64_t images, fail *why);

#endif
