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

/* A run of the sweep. */
typedef struct swept {
	int at[MOST_SETS];			/* index of the value of each axis */
	char folder[SWEPT_FOLDER];	/* its name in the folder of the sweep */
	uint64_t scene;				/* hash of its resolved scene, start, step and version of scree */
	bool ended, resumes, known; /* has ended; may continue from its snapshot; its folder belongs to this scene */
	int code;					/* exit code, if it has ended or was stopped */
	double seconds;				/* wall clock, sum over its parts */
	char hash[SWEPT_HASH];
} swept;

typedef struct sweep {
	const arguments *a;
	const char *scene;
	char folder[2048], name[256]; /* files of a run are folder/RUN/name... */
	int axes, runs;
	axis axis[MOST_SETS];
	swept *run;
} sweep;

/* sweep_values.c: the values of --set; an exit code, after an error message if it is not 0. */
int read_axes(sweep *s);
void free_axes(sweep *s);

/* sweep_table.c: FOLDER/sweep.csv, a row per run; runs: a list for the same as JSON, or NULL. An exit code, after an
 * error message if it is not 0. */
/* sweep_record.c: RUN/sweep.run records the scene of a folder, and how its run ended. An exit code, after an error
 * message if it is not 0. */
int write_record(const swept *o, const char *path);
/* *there: the file is a record; *scene: its scene. A record of the run's scene is copied to *o. */
int read_record(swept *o, const char *path, bool *there, uint64_t *scene);
/* Reads the bytes of a record, modifying them; false: they are invalid. */
bool parse_record(swept *o, char *text, size_t length, uint64_t *scene);
/* The last "hash ..." in the output of a run. */
void parse_hash(swept *o, char *text, size_t length);

int check_statistics(const arguments *a);
struct json;
int write_table(const sweep *s, struct json *runs);

#endif
