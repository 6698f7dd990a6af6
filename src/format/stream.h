/* stream.h: describes a structure once for both saving to memory and loading from memory. Loading never reads past the
 * end, and compares every count with the remaining length before it allocates memory. The first error is kept. */
#ifndef SCREE_FORMAT_STREAM_H
#define SCREE_FORMAT_STREAM_H

#include "base/fail.h"
#include "base/fixed.h"
#include "base/real.h"
#include "state/names.h"

#include <stddef.h>

struct world_slice;

/* A piece of the saved bytes, in file order. */
typedef struct stream_piece {
	size_t from, length; /* in `bytes` */
	uint64_t at;		 /* in the file */
	size_t each;		 /* bytes per row of an array that ranks write in parallel; 0 for other pieces */
	int of;				 /* kind of its rows: 0 for bodies, or 1 + the kind of contact */
} stream_piece;

typedef struct stream {
	bool saving, ok;
	int version; /* format version of the file */
	uint8_t *bytes;
	size_t used, room; /* while loading, `room` is the length of the file */
	const char *where; /* name of the section, for messages */
	fail *why;
	const struct world_slice *slice; /* this rank's slice if ranks save in parallel; NULL if one process saves */
	uint64_t elsewhere;				 /* number of bytes so far that other ranks write to the file */
	stream_piece *piece;
	int64_t pieces, piece_room;
} stream;

void scree_stream_bytes(stream *s, void *data, size_t length);
/* Prepares a file that ranks write in parallel; called before anything is saved. */
void scree_stream_divide(stream *s, const struct world_slice *slice);
/* Begins an array shared by all ranks with space for rows of lower ranks. Has no effect in a file of one process. */
void scree_stream_rows(stream *s, int of, size_t each, int64_t before);
/* Leaves space for the rows of higher ranks. */
void scree_stream_rows_end(stream *s, int64_t after);
/* Ends the last piece. */
void scree_stream_close(stream *s);
/* Reserves memory for about this many bytes, to avoid repeated growing and copying. */
void scree_stream_expect(stream *s, size_t length);
/* Reports an error in a loaded value unless `right` is true; returns whether there has been no error so far. */
bool scree_stream_check(stream *s, bool right, const char *what);
/* A name in a fixed array of this size, which includes the final zero. */
void scree_stream_name(stream *s, char *name, size_t room);
/* A name that belongs to the program: saves `now`, loads into `name`. */
void scree_stream_word(stream *s, char name[SCREE_NAME], const char *now);
/* A text of any length. Loading allocates memory; a NULL text stays NULL. */
void scree_stream_text(stream *s, char **text);
/* Stores an enum value or a row of a table as its name, so that files do not depend on the order of values. Returns
 * `now` or the loaded value. first: name of value 0; stride: bytes between names; what: message if it is unknown */
int scree_stream_choice(stream *s, int now, int count, const void *first, size_t stride, const char *what);
/* An enum value named by a list in state/names.h. */
int scree_stream_named(stream *s, int now, const names *list, const char *what);
/* A count of items of at least `each` saved bytes. Returns false and a count of 0 if the file has too few bytes. */
bool scree_stream_count(stream *s, int32_t *count, size_t each, const char *what);
/* An array of items of `each` bytes. Returns `now`, which is saved, or the array that loading has allocated. */
void *scree_stream_array(stream *s, void *now, int64_t count, size_t each);
#define PASS_ARRAY(s, x, count) ((x) = scree_stream_array(s, x, count, sizeof *(x)))

/* Items of one type that are adjacent in memory and in the file. */
typedef enum stream_form { STREAM_RAW, STREAM_BOOL, STREAM_FIXED, STREAM_NAME } stream_form;
typedef struct stream_field {
	stream_form form;
	void *at;
	size_t each, count; /* each: bytes per item in memory; for a name, count is the size of its array */
} stream_field;
void scree_stream_fields(stream *s, int count, const stream_field *row);
/* The macro chooses the encoding from the type of the field; unsupported types fail to compile. */
#define STREAM_FORM(x)                                                                                                 \
	_Generic((x), bool *: STREAM_BOOL, fixed *: STREAM_FIXED, char *: STREAM_NAME, real *: STREAM_RAW,                 \
		vec3 *: STREAM_RAW, quat *: STREAM_RAW, int32_t *: STREAM_RAW, int64_t *: STREAM_RAW,                          \
		uint64_t *: STREAM_RAW)
#define FIELDS(x, count)                                                                                               \
	{                                                                                                                  \
		STREAM_FORM(x), (x), sizeof *(x), (count)                                                                      \
	}
#define FIELD(x)	  FIELDS(&(x), 1)
#define NAME_FIELD(x) FIELDS((x), sizeof(x))
/* Saves or loads fields in file order. */
#define PASS(s, ...)                                                                                                   \
	scree_stream_fields(s, sizeof((stream_field[]){__VA_ARGS__}) / sizeof(stream_field), (stream_field[]){__VA_ARGS__})

#endif
