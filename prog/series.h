/* series.h: quantities over time, read from the tables of a run: the history, measures and walls. If a run is still
 * writing, or was stopped within a row, its tables are read up to the last complete row. */
#ifndef SCREE_PROG_SERIES_H
#define SCREE_PROG_SERIES_H

#include "command.h"

enum { RUN_PATH = 4096, SERIES_NAME = 256 };

/* The files of a run: folder/name... */
typedef struct run_place {
	char folder[RUN_PATH], name[256];
} run_place;

/* One quantity over time. */
typedef struct series {
	char name[SERIES_NAME]; /* "kinetic", "measures.ENTRY.mass", "walls.NAME.fz"; the name in the history is
							   "ENTRY.mass" */
	char unit[16];			/* "": none */
	int64_t count, room;
	double *time, *value; /* s; NaN: no value */
} series;

typedef struct run_series {
	int count, room;
	series *of;
	int64_t left_out; /* number of cells in measures beyond CELLS_READ */
} run_series;
enum { CELLS_READ = 100 };

/* Finds the run at a path: a folder with one run, or FOLDER/NAME. Returns an exit code, after an error message if it is
 * not 0. */
int find_run(const char *path, run_place *out);
/* The path of one of the run's files. */
void path_in(const run_place *at, const char *ending, char path[RUN_PATH]);
/* Reads the time series of all tables. On failure prints a message; returns the exit code of the command. */
int read_series(const run_place *at, run_series *out);
/* Adds the series of one table; group: "" for the history, otherwise "measures.NAME" or "walls"; labelled: the second
 * column names the rows that share a time. The text is modified. */
void parse_table(run_series *to, const char *group, bool labelled, char *text, size_t length);
void free_series(run_series *of);
const series *find_series(const run_series *of, const char *name); /* NULL: none */

/* resizes memory for a table; `block` may be NULL; ends the program if memory runs out */
void *grow(void *block, size_t count, size_t size);

#endif
