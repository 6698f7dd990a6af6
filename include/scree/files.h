/* files.h: files of programs next to the library, read and written as the library reads and writes its own: regular
 * files of a limited size are read, and a new file replaces an old one when it is complete. */
#ifndef SCREE_FILES_H
#define SCREE_FILES_H

#include "scree/world.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Where a call has *text, it is the error message of a failure, to be freed by scree_text_free (language.h); NULL:
 * there was none, or memory ran out. */

/* Reads a regular file of at most `most` bytes: *text is its bytes and a zero byte. No file of this name is not a
 * failure: then *text is NULL. Pipes, devices, sockets and folders are refused at once. SCREE_FILES on failure. */
SCREE_API scree_code scree_read_file(const char *path, uint64_t most, char **text, uint64_t *length);
/* The same for the last `most` bytes of a file of any size. */
SCREE_API scree_code scree_read_file_end(const char *path, uint64_t most, char **text, uint64_t *length);
/* Writes a file: a new one in the same folder, under an unused name that cannot be predicted, which is synced and
 * then takes the name. On failure the old file stays as it was, and the new one is removed. A link is followed, and
 * stays; anything but a regular file is refused. */
SCREE_API scree_code scree_write_file(const char *path, const void *bytes, uint64_t length, char **text);
/* Makes a folder and those above it. One that exists is not a failure. */
SCREE_API scree_code scree_make_folder(const char *path, char **text);
/* Opens a regular file to write at its end, or makes it; a link is refused. The file is closed by close(). */
SCREE_API scree_code scree_append_file(const char *path, int *file, char **text);
/* Removes a file; none is not a failure. */
SCREE_API scree_code scree_remove_file(const char *path, char **text);
/* 1: a run, in another process, holds the lock of its files folder/name...; 0: none does. */
SCREE_API int scree_is_writing(const char *folder, const char *name);

typedef enum scree_mark_kind {
	SCREE_MARK_LINE, /* through all points, of the width `size`; a point that is not a number is a gap */
	SCREE_MARK_BOX,	 /* from the first point to the second; filled, or its border of the width `size` */
	SCREE_MARK_TEXT	 /* at the first point, of the height `size` */
} scree_mark_kind;
typedef enum scree_anchor { SCREE_ANCHOR_LEFT, SCREE_ANCHOR_MIDDLE, SCREE_ANCHOR_RIGHT } scree_anchor;

/* A part of a drawing. Lengths are in pixels from the top left. */
typedef struct scree_mark {
	scree_mark_kind kind;
	int points;
	const double *x, *y; /* [points] */
	double size;		 /* 0 fills a box */
	unsigned colour;	 /* 0xRRGGBB */
	const char *text;
	scree_anchor anchor; /* the end of a text at which its point is */
	int upright;		 /* a text reads from the bottom to the top */
} scree_mark;

/* Draws marks one over the other on white, and writes the picture by scree_write_file. The ending of the path chooses:
 * .png, .svg or .pdf; others are SCREE_BAD_INPUT. At most 32,767 pixels each way. */
SCREE_API scree_code scree_draw(const char *path, int width, int height, int marks, const scree_mark *mark,
								char **text);

#ifdef __cplusplus
}
#endif

#endif
