/* value.h: meaning of scalars in a scene: quantities with units, and expressions with names of let. */
#ifndef SCREE_SCENE_VALUE_H
#define SCREE_SCENE_VALUE_H

#include "scene/tree.h"
#include "scene/unit.h"

typedef struct quantity {
	double value; /* SI */
	dimension of;
	int32_t flags; /* HAS_ANGLE, HAS_CYCLES */
} quantity;

enum {
	LETS_MOST = 1000,
	NESTING_MOST = 200 /* largest depth of brackets, and of names within names */
};

typedef struct let_row {
	const node *value;
	int32_t state; /* 0: not evaluated, 1: being evaluated, 2: evaluated, 3: faulty and reported */
	quantity is;
	int32_t set; /* source number of the --set that determines its value; 0: none */
} let_row;

typedef struct lets {
	report *r;
	int32_t count, depth;
	int32_t set; /* source number of the --set of a name in the value being evaluated; 0: none */
	bool lost;	 /* there are no names; perhaps `let` was misspelled, which has been reported */
	let_row row[LETS_MOST];
} lets;

/* a dimension in words, for a message */
const char *scree_dimension_words(const report *r, dimension d);

/* Reads and checks the names of let; values are evaluated on demand. map may be NULL. */
void scree_lets_open(lets *l, report *r, const node *map);
/* Evaluates all names, to report their errors. before: the names before --set, evaluated, or NULL; a --set must not
 * change the dimension of a name */
void scree_lets_check(lets *l, const lets *before);
/* Evaluates all names without messages; faulty names stay unknown. */
void scree_lets_try(lets *l);
const char *scree_let_names(const void *lets, int i);

/* Evaluates a scalar: "5 mm", "= 0.9*R". what: for messages ("radius"). False: reported. */
bool scree_quantity(lets *l, const node *n, const char *what, quantity *out);

#endif
