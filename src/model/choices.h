/* choices.h: tables of choices (broad phases, integrators, ...). A table contains the rows of its stage, followed by
 * rows that each reproduce a paper and are never the default. The tables themselves are in a layer above the stages
 * (choices/choices.h): a world has pointers to the chosen rows. */
#ifndef SCREE_MODEL_CHOICES_H
#define SCREE_MODEL_CHOICES_H

#include <stdbool.h>
#include <stddef.h>

typedef struct choice_rows {
	const void *first;
	int count;
} choice_rows;
/* an initializer for choice_rows with all rows of an array */
#define ROWS_OF(table)                                                                                                 \
	{                                                                                                                  \
		table, sizeof table / sizeof *table                                                                            \
	}

typedef struct choices {
	size_t size; /* bytes per row; a row begins with its name and its help text */
	choice_rows own;
	const choice_rows *papers; /* NULL: none */
} choices;

static inline int choice_count(const choices *c) { return c->own.count + (c->papers ? c->papers->count : 0); }
const void *scree_choice(const choices *c, int k);		/* NULL if there are no more rows */
const char *scree_choice_name(const choices *c, int k); /* NULL if there are no more rows */
const char *scree_choice_help(const choices *c, int k);
const void *scree_choice_find(const choices *c, const char *name); /* NULL: unknown name */

#endif
