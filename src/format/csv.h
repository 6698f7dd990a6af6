/* csv.h: a table that receives all rows of an output time at once. Only committed rows stay in the file. */
#ifndef SCREE_FORMAT_CSV_H
#define SCREE_FORMAT_CSV_H

#include "base/fail.h"

#include <stddef.h>
#include <stdint.h>

typedef struct csv csv;

/* A column: its name, its unit ("" for a plain number or a name) and its meaning. */
typedef struct csv_column {
	const char *name, *unit, *help;
} csv_column;

#define CSV_VECTOR(x, y, z, unit, help)                                                                                \
	{x, unit, help}, {y, unit, help}, { z, unit, help }

/* Length and hash of a table, as stored in a snapshot. */
typedef struct csv_mark {
	int64_t end;   /* length in bytes; 0 if the file has not been started */
	uint64_t hash; /* XXH3-64 hash of these bytes */
} csv_mark;

/* Opens or creates the file. Without a mark, the file starts with the header. If mark->end > 0, it continues at the
 * mark, and any rows after it, written by a stopped run, are cut off. A file that is shorter than the mark or has
 * different bytes is refused, since rows would be lost or mixed up. Returns NULL with an error message on failure. */
csv *scree_csv_open(const char *path, const char *header, const csv_mark *mark, fail *why);
/* Tests whether this file exists and starts with this header. */
bool scree_csv_begins(const char *path, const char *header);
/* Returns the two header lines for these columns; the first line includes the units; freed with scree_free. */
char *scree_csv_header(const csv_column *column, int count);
/* Adds text for this output time, formatted as by printf. */
void scree_csv_print(csv *c, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Adds a comma and a number, with `nan` for NaN. */
void scree_csv_value(csv *c, double value);
void scree_csv_append(csv *c, const void *bytes, size_t size);
/* Makes a table whose text stays in memory, to be appended to another. It can only be printed to and closed. */
csv *scree_csv_in_memory(void);
const char *scree_csv_text(const csv *c, size_t *size);
/* Writes all text for this output time. On failure (with a message) nothing is written; the call can be repeated. */
bool scree_csv_commit(csv *c, fail *why);
/* Syncs all committed text to disk. */
bool scree_csv_sync(csv *c, fail *why);
csv_mark scree_csv_mark(const csv *c);
/* Closes the file; NULL is allowed. False, with an error message, if closing reveals a failed write. */
bool scree_csv_close(csv *c, fail *why);

#endif
