/* sweep.h: parts of `scree sweep`. */
#ifndef SCREE_PROG_SWEEP_H
#define SCREE_PROG_SWEEP_H

#include "command.h"

enum { MOST_SWEPT = 10000, SWEPT_FOLDER = 120, SWEPT_HASH = 20 };

/* A key and the values that it takes. */
typedef struct axis {
	char *key;
	int count;
	char **value;
} axis;

/* One run of the sweep. */
typedef struct swept {
	int at[MOST_SETS];			/* index of the run's value on each axis */
	char folder[SWEPT_FOLDER];	/* name of the run's folder in the folder of the sweep */
	uint64_t scene;				/* hash of the resolved scene, start, step and version of scree */
	bool ended, resumes, known; /* ended: the run has ended; resumes: it may continue from its snapshot; known: its
								   folder belongs to this scene */
	int code;					/* exit code, if the run has ended or was stopped */
	double seconds;				/* wall-clock time in s, summed over the parts of the run */
	char hash[SWEPT_HASH];
} swept;

typedef struct sweep {
	const arguments *a;
	const char *scene;
	char folder[2048], name[256]; /* the files of a run are folder/RUN/name... */
	int axes, runs;
	axis axis[MOST_SETS];
	swept *run;
} sweep;

/* sweep_values.c: reads the values of --set; returns an exit code, after an error message if it is not 0. */
int read_axes(sweep *s);
void free_axes(sweep *s);

/* sweep_table.c: writes FOLDER/sweep.csv, one row per run; runs: a list that receives the same data as JSON, or NULL.
 * Returns an exit code, after an error message if it is not 0. */
/* sweep_record.c: RUN/sweep.run records the scene of a folder, and how its run ended. Returns an exit code, after an
 * error message if it is not 0. */
int write_record(const swept *o, const char *path);
/* *there: whether the file is a record; *scene: the scene named in the record. If this is the run's scene, the record
 * is copied to *o. */
int read_record(swept *o, const char *path, bool *there, uint64_t *scene);
/* Parses the bytes of a record, which it modifies; returns false if they are invalid. */
bool parse_record(swept *o, char *text, size_t length, uint64_t *scene);
/* The last "hash ..." in the output of a run. */
void parse_hash(swept *o, char *text, size_t length);

int check_statistics(const arguments *a);
struct json;
int write_table(const sweep *s, struct json *runs);

#endif
