/* results.h: the files of a run in its folder: who may write them, and which are left from a run before. */
#ifndef SCREE_RUN_RESULTS_H
#define SCREE_RUN_RESULTS_H

#include "base/fail.h"

#include <stdint.h>

/* Whether two paths lead to one file or folder; false with a sentence when that cannot be told. */
bool scree_results_same(const char *a, const char *b, bool *same, fail *why);
/* makes a folder and those above it */
bool scree_results_folder(const char *folder, fail *why);
/* Keeps other runs off the files folder/name..., until the returned file is closed or the process ends, however that
 * happens. -1 with a sentence when a run holds them. */
int scree_results_lock(const char *folder, const char *name, fail *why);
void scree_results_unlock(const char *folder, const char *name, int lock);
/* Whether a run left a snapshot; false with a sentence when that cannot be told. */
bool scree_results_look(const char *folder, const char *name, bool *there, fail *why);
/* Removes what a run before left: all of it, or the frames and pictures from these numbers on, which the run that goes
 * on will write again. Files of other names stay. */
bool scree_results_clear(const char *folder, const char *name, bool all, int64_t frames, int64_t images, fail *why);

#endif
