/* file.h: files that are either whole or not there. */
#ifndef SCREE_FORMAT_FILE_H
#define SCREE_FORMAT_FILE_H

#include "base/fail.h"

#include <stddef.h>

/* Writes path.tmp, syncs it, renames it to path and syncs the folder. On failure the old file is untouched. */
bool scree_file_write(const char *path, const void *bytes, size_t length, fail *why);
/* Gives the file a second name (a hard link, replaced atomically), so that a later write to path leaves it. True
 * without a file. */
bool scree_file_keep(const char *path, const char *second, fail *why);
/* The whole file into memory (to be freed with scree_free), at most `most` bytes. */
bool scree_file_read(const char *path, size_t most, void **bytes, size_t *length, fail *why);

#endif
