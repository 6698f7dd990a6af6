/* snapshot.h: the whole state in one file: a small chunked container with an XXH3-64 hash per section and one for the
 * table of contents. Doubles are stored as they are in memory. Writing is temp -> fsync -> rename -> fsync folder. */
#ifndef SCREE_FORMAT_SNAPSHOT_H
#define SCREE_FORMAT_SNAPSHOT_H

#include "format/csv.h"
#include "format/vtk.h"

struct scree_world;

/* A flow at the time of a table's last row. */
typedef struct flow_mark {
	bool flowed;	 /* whether the table has such a row */
	real time, mass; /* s, kg */
	int64_t count;
} flow_mark;

/* Amounts written so far for the measure with this name. */
typedef struct measure_mark {
	char name[48];
	csv_mark rows;
	flow_mark last, in_history;
} measure_mark;

/* Further data that a resumed run needs to continue as if it had never stopped. */
typedef struct snapshot_extra {
	char *scene_path;		/* path of the scene as the user gave it */
	char *title, *resolved; /* text of the resolved scene */
	run_plan run;
	output_plan output;
	char *record; /* lines about stages that ended and --set changes during the run; NULL if there are none */
	bool stopped; /* whether a guard stopped the run in this state */
	int version;  /* format version of the snapshot that was read; 0 if none was read */
	/* outputs already written, so that their numbers and files continue */
	vtk_frames frames;
	int64_t images, last_image; /* number of pictures, and the step of the last picture */
	csv_mark history, table[PLAN_TABLES];
	int64_t fields; /* number of files with fields */
	int32_t measures;
	measure_mark measure[PLAN_MEASURES];
} snapshot_extra;

/* Returns false with an error message if the file cannot be written, or if a NaN in the state makes it unreadable. */
bool scree_snapshot_write(const struct scree_world *w, const snapshot_extra *extra, const char *path, fail *why);
/* Like scree_snapshot_write, but the existing file is renamed to `second`, or replaced if `second` is NULL. */
bool scree_snapshot_write_keeping(const struct scree_world *w, const snapshot_extra *extra, const char *path,
								  const char *second, fail *why);
/* Makes a world ready to step; extra may be NULL. The error message for a damaged or foreign file names its section. */
struct scree_world *scree_snapshot_read(const char *path, snapshot_extra *extra, fail *why);
/* Like scree_snapshot_read, but from memory, for fuzzing. */
struct scree_world *scree_snapshot_parse(const char *name, const void *bytes, size_t length, snapshot_extra *extra,
										 fail *why);
/* Returns the bytes of a snapshot without bodies and contacts, for scree_snapshot_parse on ranks that have no world
 * yet. The caller frees them. Returns NULL, with an error message, if they could not be read back. */
void *scree_snapshot_without_bodies(const struct scree_world *w, const snapshot_extra *extra, size_t *length,
									fail *why);
void scree_snapshot_extra_free(snapshot_extra *extra);

#endif
