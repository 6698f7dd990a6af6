/* files.h: file access for programs that use the library, by the same rules as its own: only regular files of limited
 * size are read, and a new file replaces an old one only once it is complete. */
#ifndef SCREE_FILES_H
#define SCREE_FILES_H

#include "scree/world.h"

#ifdef __cplusplus
extern "C" {
#endif

/* If a call has *text, it receives the error message of a failure, which the caller frees by scree_text_free
 * (language.h); NULL: no failure, or memory ran out. */

/* Reads a regular file of at most `most` bytes: *text receives its bytes and a zero byte. A missing file is not a
 * failure: *text is then NULL. Pipes, devices, sockets and folders are refused at once. SCREE_FILES on failure. */
SCREE_API scree_code scree_read_file(const char *path, uint64_t most, char **text, uint64_t *length);
/* The same for the last `most` bytes of a file of any size. */
SCREE_API scree_code scree_read_file_end(const char *path, uint64_t most, char **text, uint64_t *length);
/* Writes a file: a new one in the same folder, under an unused, unpredictable name, is synced and then renamed. On
 * failure the old file stays unchanged, and the new one is removed. A link is followed and remains; anything but a
 * regular file is refused. */
SCREE_API scree_code scree_write_file(const char *path, const void *bytes, uint64_t length, char **text);
/* Makes a folder and its parents. An existing folder is not a failure. */
SCREE_API scree_code scree_make_folder(const char *path, char **text);
/* Opens a regular file for appending, or makes it; a link is refused. The caller closes it by close(). */
SCREE_API scree_code scree_append_file(const char *path, int *file, char **text);
/* Removes a file; a missing one is not a failure. */
SCREE_API scree_code scree_remove_file(const char *path, char **text);
/* 1: a run in another process holds the lock of the files folder/name...; 0: none does. */
SCREE_API int scree_is_writing(const char *folder, const char *name);

typedef enum scree_mark_kind {
	SCREE_MARK_LINE, /* through all points, of width `size`; a NaN point is a gap */
	SCREE_MARK_BOX,	 /* from the first point to the second; filled, or a border of width `size` */
	SCREE_MARK_TEXT	 /* at the first point, of height `size` */
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
	scree_anchor anchor; /* the end of a text that is at its point */
	int upright;		 /* a text is read from bottom to top */
} scree_mark;

/* Draws marks in order on white, and writes the picture by scree_write_file. The ending of the path determines the
 * format: .png, .svg or .pdf; others are SCREE_BAD_INPUT. At most 32,767 pixels each way. */
SCREE_API scree_code scree_draw(const char *path, int width, int height, int marks, const scree_mark *mark,
								char **text);

#ifdef __cplusplus
}
#endif

#endif
