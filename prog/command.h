/* command.h: the verbs of the command, and their shared arguments. */
#ifndef SCREE_PROG_COMMAND_H
#define SCREE_PROG_COMMAND_H

#include "scree/ranks.h"
#include "scree/world.h"

#include <stdbool.h>
#include <stdio.h>

enum { BAD_INPUT = SCREE_BAD_INPUT, FILES = SCREE_FILES, STOPPED = 5, INTERNAL = SCREE_INTERNAL, MOST_SETS = 64 };

typedef struct arguments {
	const char *verb;
	const char *set[MOST_SETS];
	int sets;
	const char *resume, *output;  /* NULL: not given */
	const char *partition;		  /* for run; NULL if not given */
	const char *machine;		  /* NULL if not given */
	const char *responses, *time; /* for compare; NULL if not given */
	const char *statistics;		  /* for sweep; NULL if not given */
	const char *swept;			  /* the run of a sweep whose scene is being opened, or NULL */
	double from;				  /* for sweep: start of these statistics, in s */
	int zip, jobs;				  /* for sweep; jobs is 0 if not given */
	int log;					  /* for plot */
	int pictures;				  /* for report: maximum number of pictures, or -1 if not given */
	int threads;				  /* 0: all */
	double wall_seconds;		  /* 0: no limit */
	long long steps;			  /* 0: not given */
	int quiet, overwrite, wait_for_space, unsorted, repair, json, repeats;
	bool help;
	int words;
	char **word; /* arguments after the options, such as a scene, a snapshot or a key */
} arguments;

/* Each of these functions returns the exit code. */
typedef int verb_fn(const arguments *a);
verb_fn command_run;
verb_fn command_check, command_list, command_explain, command_schema, command_render, command_hash, command_export;
verb_fn command_bench, command_compare, command_sweep, command_plot, command_report;

/* The name by which the command was called, used in messages that tell the user what to type. */
extern const char *command_name;

/* messages.c: like printf, but makes untrusted text safe to print */
void print_safely(FILE *to, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* prints an error and returns its code; with --json, the last error is printed if a call has no other facts */
int say_error(int code, const char *sentence);
/* the same with a different word in place of `error:` */
void note_error(const char *before, const char *sentence);
/* records an error that is printed elsewhere */
void keep_error(const char *sentence);
/* reports a wrong command-line argument; verb: the verb whose help the message refers to, or NULL */
int refuse_call(const char *what, const char *text, const char *verb);
int say_error_of(int code, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* prints the --json object for a call that failed without facts: verb, code and message */
void print_failure_facts(const arguments *a, int code);
/* prints the error of the last call on a simulation, and closes the simulation */
int say_and_close(scree_sim *s, int code);

/* opens a simulation from a scene or a snapshot; on failure prints the problems, sets *code and returns NULL */
scree_sim *open_scene(const arguments *a, const char *path, int *code);
scree_sim *open_snapshot(const arguments *a, const char *path, int *code);
/* Tests whether an output file, if there is one, has the extension `ending`; if not, prints an error that begins with
 * `what`. */
bool has_ending(const char *path, const char *ending, const char *what);
/* prints the --json object for a refused scene or snapshot */
void print_refusal(const arguments *a, const char *path, int code, const scree_problems *problems);
/* changes the plan according to --set; returns an exit code, after printing any problems */
int change_plan(scree_sim *s, const arguments *a);

#endif
