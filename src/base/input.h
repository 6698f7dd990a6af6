/* input.h: files that are read whole. */
#ifndef SCREE_BASE_INPUT_H
#define SCREE_BASE_INPUT_H

#include <stddef.h>
#include <sys/stat.h>

#include "base/fail.h"

/* Reads all bytes of a regular file of at most `most`, plus a zero byte, to be freed with scree_free. Anything else (a
 * pipe, a device, a folder) is refused without waiting for it. On failure returns false; why contains the reason
 * without the file's name. */
bool scree_read_whole(const char *path, size_t most, char **bytes, size_t *length, fail *why);

/* "a pipe", "a device", ...: name of a kind of file that is not regular */
const char *scree_kind_of_file(mode_t mode);

#endif
