/* compare.h: parts of `scree compare`. */
#ifndef SCREE_PROG_COMPARE_H
#define SCREE_PROG_COMPARE_H

#include "command.h"

#define REFERENCE "forces"
enum { MOST_RUNS = 32, MOST_REPEATS = 16, NAME = 64, SENTENCE = 1024 };

/* A value that is read at several times. */
typedef struct mean {
	double sum, squares;
	int count;
} mean;
void add_to_mean(mean *m, double value); /* NaN is ignored */
double mean_of(const mean *m);			 /* NaN: no value */

/* Values of one run, in the order of the table. */
enum {
	HEAP_ANGLE,
	SOLID_FRACTION,
	BULK_DENSITY,
	CARRIED,
	LOST,
	LOST_NORMAL,
	LOST_FRICTION,
	LOST_ROLLING,
	LOST_METHOD,
	MADE,
	RESIDUAL,
	KINETIC,
	GREATEST_OVERLAP,
	MEAN_OVERLAP,
	UNSOLVED,
	STEP,
	STEPS,
	PER_CPU_SECOND,
	PER_WALL_SECOND,
	VALUES
};

typedef enum fate { NOT_RUN, REFUSED, DONE, GUARDED, INTERRUPTED, BROKEN } fate;
typedef enum trust { UNJUDGED, TRUSTED, DISTRUSTED } trust;

/* The run of the scene with one response. */
typedef struct piece {
	const char *response;
	int repeat; /* 0 for the run with the scene's step; otherwise number of the repeated force-based run, which has a
				   shorter step */
	char name[NAME]; /* title of its column */
	fate fate;
	int code;
	scree_problems *problems; /* why the run was refused, or NULL */
	char sentence[SENTENCE];  /* why it did not run or did not reach its end, or "" */
	char *warnings;			  /* closing lines of the run, or NULL */
	double time, energy, energy_limit;
	double cpu, wall_clock; /* s, in steps */
	mean value[VALUES];
	mean *wall; /* [walls] sum of the normal forces on each wall, divided by the weight if there is gravity */
	trust trust;
	char why[SENTENCE];
	uint64_t scene; /* with --resume: hash of the resolved scene, start, step and version of scree */
} piece;

/* A run read from the file of --resume. */
typedef struct kept_run {
	piece run;
	int walls;
	bool taken; /* a piece now owns the memory of the run */
} kept_run;

typedef struct comparison {
	const char *scene;
	char *title;
	double until;
	bool has_weight;
	int pieces, walls;
	char **wall; /* names */
	piece piece[MOST_RUNS];
	int kepts, code; /* code: exit code from writing the file of --resume */
	kept_run kept[MOST_RUNS];
	const piece *reference; /* the force-based run if it is valid, otherwise NULL */
} comparison;

void *room(size_t count, size_t size); /* zeroed memory; ends the program if memory runs out */

/* compare_kept.c: the file of --resume. read_kept and write_kept return an exit code; a missing file is not an error.
 */
int read_kept(comparison *c, const char *path);
int write_kept(const comparison *c, const char *path);
/* Parses the bytes of the file, which it modifies; returns false if they are invalid. In that case, too, some runs may
 * have been read. */
bool parse_kept(comparison *c, char *text, size_t length);
void free_kept(comparison *c);
uint64_t scene_of(scree_sim *s);
/* Tests whether the file contains the run of a piece and, if so, copies the run to the piece. */
bool take_kept(comparison *c, piece *p);
/* Decides which runs can be trusted. */
void judge(comparison *c);
void print_table(FILE *to, const comparison *c);
void print_json(FILE *to, const comparison *c);
/* names for the parts of the table that are also in the JSON output */
const char *value_key(int value);
const char *fate_name(fate f);
/* Largest allowed difference from the reference, or 0 if the value is not compared. value: an index; indices from
 * VALUES on refer to walls. */
double limit_of(const comparison *c, int value);
/* whether a run reached its end, although its solver did not converge */
bool is_unsolved(const piece *p);
double deviation(const mean *m); /* standard deviation over time */

#endif
