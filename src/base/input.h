/* input.h: reads input files, which must be regular files of limited size. */
#ifndef SCREE_BASE_INPUT_H
#define SCREE_BASE_INPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/stat.h>

#include "base/fail.h"

/* Reads all bytes of a regular file of at most `most` bytes and appends a zero byte; free with scree_free. Anything
 * else (a pipe, a device, a folder) is refused at once, as is a file larger than the memory. On failure returns false;
 * why contains the reason without the file's name, and why->error is ENOENT if the file does not exist. */
bool scree_read_whole(const char *path, size_t most, char **bytes, size_t *length, fail *why);
/* Reads the first or last `most` bytes of a file of any size in the same way. *size: size of the whole file */
bool scree_read_start(const char *path, size_t most, char **bytes, size_t *length, size_t *size, fail *why);
bool scree_read_end(const char *path, size_t most, char **bytes, size_t *length, fail *why);

const char *scree_kind_of_file(mode_t mode); /* "a pipe", "a device", ...: the kind of a file that is not regular */

#endif
