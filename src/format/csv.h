/* csv.h: a table that grows by whole moments. What was committed is in the file; what was not is cut off again. */
#ifndef SCREE_FORMAT_CSV_H
#define SCREE_FORMAT_CSV_H

#include "base/fail.h"

#include <stdint.h>

typedef struct csv csv;

/* How far a table has come: what a snapshot keeps of it. */
typedef struct csv_mark {
	int64_t end;   /* bytes; 0: not begun */
	uint64_t hash; /* XXH3-64 of these bytes */
} csv_mark;

/* Opens or makes the file. mark->end > 0: the file goes on where the mark was made; what stands behind it (rows of a
 * run that was stopped) is cut off. A file that is shorter than the mark, or holds other bytes, is refused, since its
 * rows would be lost or mixed. Without a mark the file begins with the header. NULL with a sentence. */
csv *scree_csv_open(const char *path, const char *header, const csv_mark *mark, fail *why);
/* adds text to the moment, formatted as by printf */
void scree_csv_print(csv *c, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* The moment is in the file; or, with a sentence, nothing of it is, and it may be written again. */
bool scree_csv_commit(csv *c, fail *why);
/* All that was committed is on disk. */
bool scree_csv_sync(csv *c, fail *why);
csv_mark scree_csv_mark(const csv *c);
/* Closes what was committed; false with a sentence when the system says only now that it could not write. NULL is fine.
 */
bool scree_csv_close(csv *c, fail *why);

#endif
