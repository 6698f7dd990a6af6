/* file.h: files that are there whole or not at all. */
#ifndef SCREE_FORMAT_FILE_H
#define SCREE_FORMAT_FILE_H

#include "base/fail.h"

#include <stddef.h>
#include <stdint.h>

/* Replaces the file at path by these bytes: at every instant, also after a crash or a loss of power, path is the old
 * file or the new one. When it fails, the old one is still there and nothing else is left behind. */
bool scree_file_write(const char *path, const void *bytes, size_t length, fail *why);
/* Gives the file at path a second name in the same folder, atomically in place of what had that name. True also when
 * there is no file at path. */
bool scree_file_keep(const char *path, const char *second_name, fail *why);
/* The whole file; the caller frees *bytes (never NULL when true: a zero byte follows the end). */
bool scree_file_read(const char *path, unsigned char **bytes, size_t *length, fail *why);

#endif
