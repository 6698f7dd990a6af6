/* choices.h: tables of choices (broad phases, integrators, ...). A table has the rows of its stage, followed by rows
 * that each follow one paper and are never the default. These are in papers/; a build with SCREE_PAPERS=OFF leaves
 * them out. */
#ifndef SCREE_MODEL_CHOICES_H
#define SCREE_MODEL_CHOICES_H

#include <stdbool.h>
#include <stddef.h>

typedef struct choice_rows {
	const void *first;
	int count;
} choice_rows;

typedef struct choices {
	size_t size; /* bytes per row; a row begins with its name and its help */
	choice_rows own;
	const choice_rows *papers; /* NULL: none */
} choices;

static inline int choice_count(const choices *c) { return c->own.count + (c->papers ? c->papers->count : 0); }
const void *scree_choice(const choices *c, int k);		/* NULL: no more rows */
const char *scree_choice_name(const choices *c, int k); /* NULL: no more rows */
const char *scree_choice_help(const choices *c, int k);
const void *scree_choice_find(const choices *c, const char *name); /* NULL: unknown name */

/* papers/rows.c; empty in builds without papers (papers/none.c) */
extern const choice_rows scree_paper_broads, scree_paper_narrows, scree_paper_integrators, scree_paper_sharings;
extern const choice_rows scree_paper_responses;
extern const char
	*const scree_paper_names[]; /* names of all these rows, including those that are left out; NULL ends them */
/* Tests whether the build has left out the row of this name. */
bool scree_paper_left_out(const char *name);
/* For tables whose rows of papers are their last ones: this name; NULL: the build has left out its row. */
const char *scree_name_in_build(const char *name);

#endif
