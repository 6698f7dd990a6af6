/* file.h: files that are either whole or not there. */
#ifndef SCREE_FORMAT_FILE_H
#define SCREE_FORMAT_FILE_H

#include "base/fail.h"

#include <stddef.h>

enum { SCREE_PATH_ROOM = 4096 }; /* bytes of a path with its end, as the system limits it */

/* folder/name, then the rest; all must fit */
void scree_file_path(char path[SCREE_PATH_ROOM], const char *folder, const char *name, const char *rest);
/* Writes path.tmp, syncs it, renames it to path and syncs the folder. On failure the old file is untouched. A symbolic
 * link is followed and stays; what is not a regular file (a device, a pipe, a folder) is refused. */
bool scree_file_write(const char *path, const void *bytes, size_t length, fail *why);
/* The same; the file that was there gets the name `second` (replaced atomically) just before, so that at every instant
 * one of both names has a whole file. */
bool scree_file_write_keeping(const char *path, const char *second, const void *bytes, size_t length, fail *why);
/* Writes all bytes to an open file; false with errno. */
bool scree_file_put(int file, const void *bytes, size_t length);
/* Opens a file to be written in place, made if it is not there; -1 with a sentence, also for what is not a regular
 * file. */
int scree_file_open(const char *path, fail *why);
/* Whether there is something of this name; false with a sentence when that cannot be told. */
bool scree_file_look(const char *path, bool *there, fail *why);
/* The whole file into memory (to be freed with scree_free), at most `most` bytes. */
bool scree_file_read(const char *path, size_t most, void **bytes, size_t *length, fail *why);
/* Notes that a system call failed on a file: the sentence ends with the words of `error`, which why->error keeps. */
bool scree_file_failed(fail *why, int error, const char *what, const char *path);

#endif
