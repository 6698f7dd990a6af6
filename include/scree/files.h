/* files.h: file access for programs that use the library, with the same rules as in the library itself: only regular
 * files of limited size are read, and a new file replaces an old one only once it is complete. */
#ifndef SCREE_FILES_H
#define SCREE_FILES_H

#include "scree/world.h"

#ifdef __cplusplus
extern "C" {
#endif

/* If a call with a parameter *text fails, it sets *text to the error message, which the caller frees with
 * scree_text_free (language.h); it sets *text to NULL if there was no failure or memory ran out. */

/* Reads a regular file of at most `most` bytes: *text receives its bytes and a terminating zero byte. A missing file is
 * not a failure, but sets *text to NULL. Pipes, devices, sockets and folders are refused at once. Returns SCREE_FILES
 * on failure. */
SCREE_API scree_code scree_read_file(const char *path, uint64_t most, char **text, uint64_t *length);
/* Reads the last `most` bytes of a file of any size in the same way. */
SCREE_API scree_code scree_read_file_end(const char *path, uint64_t most, char **text, uint64_t *length);
/* Writes a file safely: a new file in the same folder, with an unused, unpredictable name, is synced and then renamed.
 * On failure, the old file remains unchanged and the new one is removed. A link is kept, and the file it points to is
 * replaced; anything but a regular file is refused. */
SCREE_API scree_code scree_write_file(const char *path, const void *bytes, uint64_t length, char **text);
/* Creates a folder and its parents. An existing folder is not a failure. */
SCREE_API scree_code scree_make_folder(const char *path, char **text);
/* Opens a regular file for appending, or creates it; links are refused. The caller closes it with close(). */
SCREE_API scree_code scree_append_file(const char *path, int *file, char **text);
/* Removes a file; a missing file is not a failure. */
SCREE_API scree_code scree_remove_file(const char *path, char **text);
/* Returns 1 if a run in another process holds the lock of the files folder/name..., and otherwise 0. */
SCREE_API int scree_is_writing(const char *folder, const char *name);

typedef enum scree_mark_kind {
	SCREE_MARK_LINE, /* a line of width `size` through all points; a NaN point leaves a gap */
	SCREE_MARK_BOX,	 /* a box from the first point to the second one, either filled or with a border of width `size` */
	SCREE_MARK_TEXT	 /* text at the first point, of height `size` */
} scree_mark_kind;
typedef enum scree_anchor { SCREE_ANCHOR_LEFT, SCREE_ANCHOR_MIDDLE, SCREE_ANCHOR_RIGHT } scree_anchor;

/* One element of a drawing. Lengths are in pixels from the top left corner. */
typedef struct scree_mark {
	scree_mark_kind kind;
	int points;
	const double *x, *y; /* [points] */
	double size;		 /* 0 fills a box */
	unsigned colour;	 /* 0xRRGGBB */
	const char *text;
	scree_anchor anchor; /* which end of the text is at the given point */
	int upright;		 /* whether the text is read from bottom to top */
} scree_mark;

/* Draws the marks in order on a white background, and writes the picture with scree_write_file. The extension of the
 * path determines the format: .png, .svg or .pdf; for others, the call returns SCREE_BAD_INPUT. Width and height are at
 * most 32,767 pixels. */
SCREE_API scree_code scree_draw(const char *path, int width, int height, int marks, const scree_mark *mark,
								char **text);

#ifdef __cplusplus
}
#endif

#endif
