/* results.h: the files of a run in its folder: who may write them, and which are left from a run before. */
#ifndef SCREE_RUN_RESULTS_H
#define SCREE_RUN_RESULTS_H

#include "base/fail.h"

#include <stdint.h>

/* makes a folder and those above it */
bool scree_results_folder(const char *folder, fail *why);
/* Keeps other runs off the files folder/name..., until the returned file is closed or the process ends, however that
 * happens. -1 with a sentence when a run holds them. */
int scree_results_lock(const char *folder, const char *name, fail *why);
void scree_results_unlock(const char *folder, const char *name, int lock);
/* whether a run left a snapshot */
bool scree_results_there(const char *folder, const char *name);
/* Removes what a run before left: all of it (frames and images 0), or on a resume the frames and pictures from these
 * numbers on, which the run will write again. Files of other names stay. */
bool scree_results_clear(const char *folder, const char *name, bool all, int64_t frames, int64_t images, fail *why);

#endif
