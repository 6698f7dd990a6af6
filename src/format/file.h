/* file.h: the only code that writes files; a file is either complete or absent. */
#ifndef SCREE_FORMAT_FILE_H
#define SCREE_FORMAT_FILE_H

#include "base/fail.h"

#include <stddef.h>
#include <stdint.h>

enum { SCREE_PATH_ROOM = 4096 }; /* longest path in bytes, including the final zero, that the system allows */

/* Builds a path from `folder`, a slash, `name` and `rest`; the whole path must fit. */
void scree_file_path(char path[SCREE_PATH_ROOM], const char *folder, const char *name, const char *rest);
/* Returns the folder of a path, or "." if the path has none. */
void scree_file_folder(const char *path, char folder[SCREE_PATH_ROOM]);
/* A new file next to the one that it will replace, which stays intact until the new one is complete. Processes that
 * share a file system may write this file together: one begins and completes it, and the others join in between. */
typedef struct new_file {
	int file;	   /* -1: none is open */
	uint64_t mark; /* mark in the file's name, path.MARK.tmp; 0 for path.tmp */
	char target[SCREE_PATH_ROOM], name[SCREE_PATH_ROOM];
} new_file;
/* Creates a new file named path.tmp, or a name with a random mark if path.tmp exists; links are not followed. */
bool scree_file_begin(new_file *o, const char *path, fail *why);
/* mark: the mark of the file that was begun */
bool scree_file_join(new_file *o, const char *path, uint64_t mark, fail *why);
/* Returns the length of a new file's name without its mark; 0 if this is not the name of a new file. */
size_t scree_file_unmarked(const char *name);
/* Writes at this position in the file; returns false with errno set. */
bool scree_file_put_at(const new_file *o, uint64_t at, const void *bytes, size_t length);
/* Syncs and closes the file. On failure returns false with an error message about `path`. */
bool scree_file_sync(new_file *o, const char *path, fail *why);
/* Moves the new file to `path`; the old file is renamed to `second`, or replaced if `second` is NULL. */
bool scree_file_end(new_file *o, const char *path, const char *second, fail *why);
void scree_file_drop(new_file *o);

/* Writes a new file, syncs it, renames it to path and syncs the folder. On failure the old file is unchanged and the
 * new one is removed. A symbolic link is followed and remains a link. Anything but a regular file is refused. */
bool scree_file_write(const char *path, const void *bytes, size_t length, fail *why);
/* Like scree_file_write, but atomically renames the old file to `second` first, so that one is always complete. */
bool scree_file_write_keeping(const char *path, const char *second, const void *bytes, size_t length, fail *why);
/* Like scree_file_write_keeping, but the new file always has a random mark, because nothing outside a run's folder
 * removes what a killed process leaves behind. */
bool scree_file_write_alone(const char *path, const void *bytes, size_t length, fail *why);
/* Writes all bytes to an open file; returns false with errno set. */
bool scree_file_put(int file, const void *bytes, size_t length);
/* Opens or creates a regular file for writing in place. Returns -1 with an error message on failure. */
int scree_file_open(const char *path, fail *why);
/* Like scree_file_open, for files that only this program creates: links are refused. flags: for example O_APPEND */
int scree_file_open_own(const char *path, int flags, fail *why);
/* Opens a regular file to read its lock; returns -1 if it does not exist or is a link. */
int scree_file_open_lock(const char *path);
/* Tests whether a file of this name exists; returns false with an error message if that cannot be determined. */
bool scree_file_look(const char *path, bool *there, fail *why);
/* Makes a folder, and those that contain it, unless there is something of this name. */
bool scree_file_make_folder(const char *folder, fail *why);
/* Reads a whole file of at most `most` bytes into memory (freed with scree_free). */
bool scree_file_read(const char *path, size_t most, void **bytes, size_t *length, fail *why);
/* Reports a failed system call on a file. The message ends with the text for `error`, stored in why->error. */
bool scree_file_failed(fail *why, int error, const char *what, const char *path);

#endif
