/* input.h: files that are read whole. */
#ifndef SCREE_BASE_INPUT_H
#define SCREE_BASE_INPUT_H

#include <stddef.h>
#include <sys/stat.h>

#include "base/fail.h"

/* All bytes of a regular file of at most `most`, with a zero byte behind them, to be freed with scree_free. Anything
 * else (a pipe, a device, a folder) is refused without waiting for it. False: why tells the reason without the name. */
bool scree_read_whole(const char *path, size_t most, char **bytes, size_t *length, fail *why);

/* "a pipe", "a device", ...: what is not a regular file, in words */
const char *scree_kind_of_file(mode_t mode);

#endif
