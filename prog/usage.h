/* usage.h: the verbs and the options of the command. The help, the manual page and the shell completion are made from
 * these two tables. */
#ifndef SCREE_PROG_USAGE_H
#define SCREE_PROG_USAGE_H

#include "command.h"

/* verbs as bits, used in option_row.verbs */
enum verb_bits {
	RUN = 1,
	CHECK = 2,
	LIST = 4,
	EXPLAIN = 8,
	SCHEMA = 16,
	RENDER = 32,
	HASH = 64,
	EXPORT = 128,
	COMPARE = 256,
	BENCH = 512,
	MANUAL = 1024,
	SWEEP = 2048,
	PLOT = 4096,
	REPORT = 8192
};

typedef struct verb {
	const char *name;
	unsigned bit;
	const char *takes; /* words and options that a call needs, as shown in the help */
	const char *help, *more;
	verb_fn *call;
	int least, most; /* smallest and largest number of words */
} verb;

typedef struct option_row {
	const char *name;
	char letter;	   /* 0: none */
	const char *value; /* as shown in the help, or NULL if the option takes no value */
	unsigned verbs;	   /* verbs that have this option */
	const char *help;
} option_row;

extern const verb scree_verbs[];
extern const option_row scree_options[];
int verb_count(void), option_count(void);
const verb *find_verb(const char *name); /* NULL: none */

/* Reads the arguments of a verb, whose name is text[0]. Returns an exit code, after an error message if it is not 0. */
int read_options(const verb *of, int count, char **text, arguments *a);
/* Tests whether --json is among the words, even if it follows a refused word; of: the verb, or NULL if there is none.
 */
bool asks_for_json(const verb *of, int count, char **text);
/* Prints the help of all verbs, or of one verb. */
void print_help(FILE *to, const verb *of);
/* Prints one manual page in man format, or the completion script of a shell. */
verb_fn command_manual;

#endif
