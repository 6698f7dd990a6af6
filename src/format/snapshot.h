/* snapshot.h: the whole state in one file: a small chunked container with XXH3-64 per section and for the table of
 * contents; doubles as they are. Written temp -> fsync -> rename -> fsync folder. */
#ifndef SCREE_FORMAT_SNAPSHOT_H
#define SCREE_FORMAT_SNAPSHOT_H

#include "base/fail.h"

#include "scene/plan.h"

#include <stddef.h>

struct scree_world;

/* What else a resumed run needs to go on as if never stopped. */
typedef struct snapshot_extra {
	char *scene_path;		/* as given */
	char *title, *resolved; /* resolved scene text */
	run_plan run;
	output_plan output;
	int64_t frames, images, history_rows;  /* outputs already written, so that numbering and files go on */
	int64_t table_frames[2], table_end[2]; /* moments and bytes */
} snapshot_extra;

bool scree_snapshot_write(const struct scree_world *w, const snapshot_extra *extra, const char *path, fail *why);
/* A fresh world, prepared, ready to step; extra may be NULL. A damaged or foreign file is refused with its section
 * named. */
struct scree_world *scree_snapshot_read(const char *path, snapshot_extra *extra, fail *why);
/* from memory, for fuzzing */
struct scree_world *scree_snapshot_parse(const char *name, const void *bytes, size_t length, snapshot_extra *extra,
										 fail *why);
void scree_snapshot_extra_free(snapshot_extra *extra);

#endif
